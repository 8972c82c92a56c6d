"""Compositions: Ops written as expressions of other Ops.

A composition is a function of expressions, which have the operators and the indexing of arrays. It is deferred as its parts are, and
native where they are: where one part has no kernel for the operands, the Op falls back as a whole, with that part's reason. What becomes of
operands without elements, and what is wrong with a call that fails, the Op's rule says.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Hashable, Mapping, Sequence
from types import EllipsisType
from typing import Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from ...caller import find_caller
from ...dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, DType, is_double
from ...nesting import replace
from ...op import Op, get_op
from ...rules import NeedsValueError, Signature
from ..graph.build import reshape
from ..graph.builder import dtypes_among
from ..loop import repeat
from ..value import Value, values_among
from . import Builder, Lowerings, NotNativeError
from .fourier.axes import times_matrices
from .op_calls import call, call_several, converted, in_float32

__all__ = ["Expression", "Ops", "compositions", "expressed", "warn"]

Index: TypeAlias = int | slice | EllipsisType | None


def _operator(name: str) -> Callable[..., Expression]:
    def run(self: Expression, *others: Any) -> Expression:
        return self._ops(name, self, *others)

    return run


def _reflected(name: str) -> Callable[..., Expression]:
    def run(self: Expression, other: Any) -> Expression:
        return self._ops(name, other, self)

    return run


class Expression:
    """
    A value in a composition.

    Parameters
    ----------
    ops : Ops
        What computes with it.
    value : Value
        The value.
    """

    __slots__ = ("_ops", "value")
    __hash__ = None  # type: ignore[assignment]  # it is compared by elements
    __array_ufunc__ = None  # NumPy's numbers leave operators to it

    def __init__(self, ops: Ops, value: Value) -> None:
        self._ops, self.value = ops, value

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths."""
        return self.value.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.value.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.value.size

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self.value.dtype

    @property
    def is_complex(self) -> bool:
        """Whether it has an imaginary part."""
        return self.value.dtype.kind == "c"

    @property
    def narrow_dtype(self) -> DType:
        """The dtype of floats of 32 bits, complex if its own is."""
        return COMPLEX64 if self.is_complex else FLOAT32

    @property
    def real(self) -> Expression:
        """The real part, a view."""
        return Expression(self._ops, self.value.part(0)) if self.is_complex else self

    @property
    def imag(self) -> Expression:
        """The imaginary part, a view of complex numbers."""
        return Expression(self._ops, self.value.part(1))

    def conj(self) -> Expression:
        """Conjugate complex numbers."""
        return self._ops("conjugate", self) if self.is_complex else self

    def adjoint(self) -> Expression:
        """Transpose matrices, as a view, and conjugate them."""
        return self.conj().viewed(lambda shadow: np.swapaxes(shadow, -1, -2))

    def __getitem__(self, index: Index | tuple[Index, ...]) -> Expression:
        keys = index if isinstance(index, tuple) else (index,)
        return self.viewed(lambda shadow: shadow[(*keys, ...) if ... not in keys else keys])

    def viewed(self, function: Callable[[npt.NDArray[Any]], npt.NDArray[Any]]) -> Expression:
        """View the memory as a function of NumPy's does with an ndarray of its layout."""
        return Expression(self._ops, self.value.view(function(self.value.shadow)))

    def moveaxis(self, source: int, destination: int) -> Expression:
        """Move an axis, as a view."""
        return self.viewed(lambda shadow: np.moveaxis(shadow, source, destination))

    def broadcast_to(self, shape: tuple[int, ...]) -> Expression:
        """Repeat along axes, as a view."""
        return self.viewed(lambda shadow: np.broadcast_to(shadow, shape))

    def frames(self, length: int, step: int = 1) -> Expression:
        """View frames of the last axis, `length` long and `step` apart, along a new last axis."""
        return self.viewed(lambda shadow: np.lib.stride_tricks.sliding_window_view(shadow, length, -1)[..., ::step, :])

    def reshape(self, *shape: int) -> Expression:
        """Give the elements another shape."""
        sizes = tuple(-(self.size // int(np.prod(shape))) if length == -1 else length for length in shape)
        planes = tuple([reshape(plane, sizes) for plane in self.value.read()])
        return Expression(self._ops, self._ops.builder.make(planes, self.dtype))

    def astype(self, dtype: DType) -> Expression:
        """Convert."""
        return Expression(self._ops, converted(self._ops.builder, self.value, dtype))

    def sum(self, axis: int | tuple[int, ...], *, keepdims: bool = False) -> Expression:
        """Add along axes."""
        return self._ops("sum", self, axis=axis, keepdims=keepdims, dtype=self.dtype)

    def mean(self, axis: int | tuple[int, ...], *, keepdims: bool = False) -> Expression:
        """Average along axes."""
        return self._ops("mean", self, axis=axis, keepdims=keepdims)

    def max(self, axis: int | tuple[int, ...], *, keepdims: bool = False) -> Expression:
        """Find maxima along axes; NaN where there is one."""
        return self._ops("max", self, axis=axis, keepdims=keepdims)

    __add__, __radd__ = _operator("add"), _reflected("add")
    __sub__, __rsub__ = _operator("subtract"), _reflected("subtract")
    __mul__, __rmul__ = _operator("multiply"), _reflected("multiply")
    __truediv__, __rtruediv__ = _operator("divide"), _reflected("divide")
    __matmul__ = _operator("matmul")
    __neg__ = _operator("negative")
    __abs__ = _operator("absolute")
    __eq__ = _operator("equal")  # type: ignore[assignment]  # by elements
    __lt__, __le__ = _operator("less"), _operator("less_equal")
    __gt__, __ge__ = _operator("greater"), _operator("greater_equal")

    def _value_needed(self) -> NoReturn:
        raise NotNativeError("a parameter is an Array, whose value the host reads")

    __bool__ = __int__ = __float__ = __index__ = _value_needed


class Ops:
    """
    The Ops of a device, on expressions.

    Parameters
    ----------
    builder : Builder
        The device.
    """

    __slots__ = ("builder",)

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def __call__(self, name: str, *operands: Any, **parameters: Any) -> Expression:
        """Run an Op of one result."""
        found = call(self.builder, name, *_unwrapped(operands), **{key: _unwrapped(item) for key, item in parameters.items()})
        return Expression(self, found)

    def array(self, item: Any) -> Expression:
        """Take an operand: an expression, a sequence, or a number."""
        if isinstance(item, Expression):
            return item
        if not isinstance(item, (list, tuple, range)):
            number = Expression(self, self.builder.operand([item]))
            return number[0]
        return Expression(self, self.builder.operand(_unwrapped(item)))

    def floats(self, item: Any, *, wide: bool = False) -> Expression:
        """Take an operand of real or complex numbers: integers become the default floats; what is of 64 bits is refused unless `wide`."""
        taken = self.array(item)
        if taken.dtype.kind in "biu":
            taken = taken.astype(self.builder.promotion.default_float)
        if taken.dtype not in (FLOAT32, COMPLEX64) and not (wide and is_double(taken.dtype)):
            raise NotNativeError(f"it has no kernel for {taken.dtype} yet")
        return taken

    def constant(self, array: npt.NDArray[Any], dtype: DType | None = None) -> Expression:
        """Bring numbers of the host's to the device, rounded once; by default to the device's default floats."""
        if dtype is None:
            dtype = self.builder.promotion.default_float
        return Expression(self, self.builder.from_host(np.asarray(array).astype(dtype), copy=True))

    def beside(self, x: Expression, key: Hashable, make: Callable[[], npt.NDArray[Any]], *, is_complex: bool = False) -> Expression:
        """Bring numbers in the precision of an operand, which the device keeps for later calls of the same key."""
        real, both = (FLOAT64, COMPLEX128) if is_double(x.dtype) else (FLOAT32, COMPLEX64)
        dtype = both if is_complex else real
        return self.kept((key, dtype), make, dtype)

    def kept(self, key: Hashable, make: Callable[[], npt.NDArray[Any]], dtype: DType = FLOAT32) -> Expression:
        """Bring numbers that the device keeps for later calls of the same key."""
        found = self.builder.constants.get(key)
        if found is None:
            found = self.builder.constants[key] = self.constant(make(), dtype).value
        return Expression(self, found)

    def unit(self, order: int, dtype: DType = FLOAT32) -> Expression:
        """Make a unit matrix, which the device keeps."""
        return self.kept(("unit matrix", order, dtype), lambda: np.eye(order), dtype)

    def unit_like(self, x: Expression) -> Expression:
        """Make a real unit matrix of as many rows as matrices have columns, and of their precision."""
        return self("eye", x.shape[-1], None, 0, x.real.dtype)

    def exponents(self, x: Expression) -> Expression:
        """Find the exponents of powers of two that are just above numbers."""
        return Expression(self, call_several(self.builder, "frexp", x.value)[1])

    def ldexp(self, x: Expression, exponents: Expression) -> Expression:
        """Multiply real or complex numbers by powers of two."""
        if x.is_complex:
            return self.complex(self("ldexp", x.real, exponents), self("ldexp", x.imag, exponents))
        return self("ldexp", x, exponents)

    def complex(self, real: Expression, imag: Expression) -> Expression:
        """Make complex numbers of their parts."""
        dtype = COMPLEX128 if real.dtype == FLOAT64 else COMPLEX64
        return Expression(self, self.builder.make((*real.value.read(), *imag.value.read()), dtype))

    def transformed(self, x: Expression, matrix: Expression, axis: int = -1) -> Expression:
        """Multiply what lies along an axis by a matrix of the same precision from the right."""
        if is_double(x.dtype):
            return self._transformed_exactly(x.moveaxis(axis, -1), matrix).moveaxis(-1, axis)
        planes = tuple(times_matrices(x.value.read(), matrix.value.read(), axis % x.ndim))
        return Expression(self, self.builder.make(planes, COMPLEX64 if len(planes) == 2 else x.dtype))

    def _transformed_exactly(self, x: Expression, matrix: Expression) -> Expression:
        """Multiply rows of float64 or complex128 by a matrix: both parts of complex results in one product of real rows."""
        if x.is_complex and not matrix.is_complex:
            return self.complex(*(self._transformed_exactly(part, matrix) for part in (x.real, x.imag)))
        columns, count = matrix, matrix.shape[1]
        if matrix.is_complex and not x.is_complex:
            columns = self.concatenate([matrix.real, matrix.imag])
        found = (x.reshape(math.prod(x.shape[:-1]), x.shape[-1]) @ columns).reshape(*x.shape[:-1], columns.shape[1])
        return found if columns is matrix else self.complex(found[..., :count], found[..., count:])

    def loop(self, body: Callable[..., Sequence[Expression]], states: Sequence[Expression], turns: int) -> list[Expression]:
        """Compute turns, of which each gets its number, and what the one before has left: a body that is traced once."""

        def run(*values: Value) -> list[Value]:
            return [made.value for made in body(*[Expression(self, value) for value in values])]

        found = repeat(self.builder.graph, [state.value for state in states], run, turns=turns, first=0)
        return [Expression(self, value) for value in found]

    def lengthened(self, x: Expression, n: int) -> Expression:
        """Cut the last axis to a length, or append zeros."""
        have = x.shape[-1]
        return x[..., :n] if have >= n else self.concatenate([x, self.zeros((*x.shape[:-1], n - have), x.dtype)])

    def zeros(self, shape: tuple[int, ...], dtype: DType) -> Expression:
        """Make zeros."""
        return self("full", shape, 0, dtype)

    def concatenate(self, parts: Sequence[Expression], axis: int = -1) -> Expression:
        """Join along an axis; what has no elements is left out."""
        kept = [part for part in parts if part.size] or [*parts[:1]]
        return kept[0] if len(kept) == 1 else self("concatenate", kept, axis)


def warn(message: str) -> None:
    """Warn whoever called the Op, as its host implementation does."""
    caller = find_caller(("numpy", "scipy"))
    warnings.warn_explicit(message, UserWarning, caller.filename, caller.lineno, caller.module or None)


def compositions(table: Lowerings) -> Lowerings:
    """Lower Ops by functions of expressions; one that several Ops share is told which."""
    functions = list(table.values())
    return {name: _lowered(name, function, shared=functions.count(function) > 1) for name, function in table.items()}


def expressed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a lowering of a function of expressions that is told the signatures of the results, before the operands."""

    @functools.wraps(function)
    def run(builder: Builder, results: Any, *args: Any, **kwargs: Any) -> Any:
        return _run(builder, function, (results,), args, kwargs)

    return run


def _run(builder: Builder, function: Callable[..., Any], leading: tuple[Any, ...], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    ops = Ops(builder)
    wrap = functools.partial(_wrapped, ops)
    found = function(ops, *leading, *map(wrap, args), **{key: wrap(item) for key, item in kwargs.items()})
    return _finished(found, {cell for value in values_among([*args, *kwargs.values()]) for cell in value.cells})


def _lowered(name: str, function: Callable[..., Any], *, shared: bool) -> Callable[..., Any]:
    @in_float32
    def run(builder: Builder, *args: Any, **kwargs: Any) -> Any:
        if any(not value.size for value in values_among([*args, *kwargs.values()])):
            empty = _without_elements(builder, get_op(name), args, kwargs)
            if empty is not None:
                return empty
        try:
            return _run(builder, function, (name,) if shared else (), args, kwargs)
        except (TypeError, ValueError, LookupError):
            _said_by_rule(builder, get_op(name), args, kwargs)
            raise

    return run


def _wrapped(ops: Ops, item: Any) -> Any:
    return replace(item, Value, lambda value: Expression(ops, value))


def _unwrapped(item: Any) -> Any:
    return replace(item, Expression, lambda expression: expression.value)


def _finished(item: Any, operands: set[Any]) -> Any:
    """Give results to the caller: scalars where there are no axes, and memory of their own."""
    if type(item) in (tuple, list):
        return type(item)([_finished(each, operands) for each in item])
    if not isinstance(item, Expression):
        return item
    value = item.value
    if not operands.isdisjoint(value.cells):
        value = value.with_memory()
    value.detached = not value.shape
    return value


def _said_by_rule(builder: Builder, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Infer the results by the Op's rule; None where that needs more than shapes and dtypes. What it raises is the host's error."""
    assert op.rule is not None
    try:
        return op.rule(builder.promotion.beside(dtypes_among([*args, *kwargs.values()])), *args, **kwargs)
    except NeedsValueError:
        return None


def _without_elements(builder: Builder, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Make results that have no elements of operands of which some have none; None where results have some, of operands that have."""
    said = _said_by_rule(builder, op, args, kwargs)
    sizes: list[int] = []

    def empty(result: Signature) -> Value:
        sizes.append(result.size)
        return builder.zeros(result.shape, result.dtype)

    made = replace(said, Signature, empty)
    if said is not None and not any(sizes):
        return made
    if not values_among([*args, *kwargs.values()])[0].size:
        raise NotNativeError("what becomes of no elements is found out on the host")
    return None
