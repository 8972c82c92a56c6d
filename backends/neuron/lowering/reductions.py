"""Ops that reduce along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ...dtypes import BOOL, COMPLEX64, FLOAT32, DType, is_low_precision
from ...op import get_op
from ...ops import searching as _searching  # noqa: F401  # registers them
from ...ops import statistical as _statistical  # noqa: F401
from ...rules import broadcast_shapes
from ..build import broadcast, broadcast_scalar, cast, elementwise, fill, reduce, reshape, transpose
from ..graph import Node
from ..planes import plane_dtypes
from ..primitives import Layout, Read, Write
from ..value import Value
from . import NotNativeError
from .complex_elementwise import COMPLEX
from .elementwise import write_result
from .float_nodes import choose, full, test
from .operands import computes, convert, operand, take

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__ = ["common_dtype", "sum_dtype"]

_IDENTITY: Final[Mapping[str, int]] = {"add": 0, "multiply": 1, "logical_or": 0, "logical_and": 1, "count_nonzero": 0}
_ON_BOOL: Final[Mapping[str, str]] = {"add": "logical_or", "multiply": "logical_and"}
_NO_VALUE: Final[Any] = np._NoValue
_INT32: Final = np.dtype(np.int32)


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple(np.lib.array_utils.normalize_axis_index(one, ndim) for one in given)
    if len(set(found)) != len(found):
        raise ValueError("duplicate value in 'axis': name each axis once")
    return found


def _reduced(name: str, plane: Node, axes: tuple[int, ...], dtype: DType) -> Node:
    """Reduce a plane: over no axis, no element and one element, too."""
    length = math.prod(plane.shape[axis] for axis in axes)
    shape = tuple(extent for axis, extent in enumerate(plane.shape) if axis not in axes)
    if length == 0:
        if name not in _IDENTITY:
            raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
        return fill(_IDENTITY[name], shape, dtype)
    if length == 1:
        single = reshape(plane, shape)
        if name.startswith("arg"):
            return fill(0, shape, dtype)
        if name in ("logical_or", "logical_and", "count_nonzero"):
            single = elementwise("not_equal", single, fill(0, (), single.dtype), dtype=BOOL)
        return cast(single, dtype)
    return reduce(name, plane, axes, dtype)


def _finish(
    engine: NeuronEngine, planes: tuple[Node, ...], dtype: DType, axes: tuple[int, ...], given: Value, keepdims: bool, out: Any,
    casting: str = "same_kind",
) -> Any:  # fmt: skip
    shape = planes[0].shape
    if keepdims:
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(given.shape))
        planes = tuple(reshape(plane, shape) for plane in planes)
    if out is not None:
        return write_result(engine, planes, dtype, shape, out, casting)
    return engine.result(planes, dtype)


def sum_dtype(engine: NeuronEngine, dtype: DType) -> DType:
    """
    Widen small integers, as sums do.

    Parameters
    ----------
    engine : NeuronEngine
        Whose defaults count.
    dtype : dtype
        Of the elements.

    Returns
    -------
    dtype
        Of the sum.
    """
    wide = engine.promotion.default_int
    if dtype.kind not in "biu" or dtype.itemsize > wide.itemsize or (dtype.itemsize == wide.itemsize and dtype.kind != "b"):
        return dtype
    return np.dtype(np.uint32) if dtype.kind == "u" else wide


def _folding(name: str, widen: bool) -> Callable[..., Any]:
    """Lower a ufunc's reduction."""

    def run(
        engine: NeuronEngine, a: Any, axis: Any = 0, dtype: DType | None = None, out: Any = None, keepdims: bool = False,
        initial: Any = _NO_VALUE, where: Any = True,
    ) -> Any:  # fmt: skip
        value = take(engine, a)
        if not isinstance(value, Value):
            raise NotNativeError("it has no array")
        truth = name.startswith("logical")
        named = dtype or (None if truth else common_dtype(engine, value, out))
        wanted = named or (BOOL if truth else sum_dtype(engine, value.dtype) if widen else value.dtype)
        axes = () if value.ndim == 0 and axis in (0, -1) else _axes(axis, value.ndim)  # which ufuncs allow
        if truth:
            planes = value.read() if computes(value.dtype) else convert(value.read(), value.dtype, BOOL)
        else:
            if wanted.kind == "c" and len(plane_dtypes(wanted)) > 2:
                raise NotNativeError(f"it has no kernel for {wanted} yet")
            if value.dtype.kind == "c" and wanted.kind != "c":
                raise NotNativeError("imaginary parts are dropped on the host")
            if wanted.kind != "c" and not computes(wanted):
                raise NotNativeError(f"it has no kernel for {wanted}")
            if name in ("add", "multiply") and wanted.kind == "b":
                return _folding(_ON_BOOL[name], False)(engine, value, axis, None, out, keepdims, initial, where)
            exact = wanted.kind in "iu" and name == "add"  # a sum widens integers itself
            planes = _integers(value, wanted) if exact else convert(value.read(), value.dtype, wanted)
        if where is not True:
            if initial is _NO_VALUE and name not in _IDENTITY:
                raise ValueError(f"reduction operation '{name}' has no identity: give initial= where there is a where= mask")
            neutral = _IDENTITY.get(name, initial)
            (mask,) = operand(engine, take(engine, where), BOOL, value.shape)
            others = operand(engine, neutral, wanted, ()) if len(planes) > 1 else operand(engine, neutral, planes[0].dtype, ())
            planes = tuple(
                elementwise("where", mask, plane, other, dtype=plane.dtype) for plane, other in zip(planes, others, strict=True)
            )
        if initial is not _NO_VALUE and name not in _IDENTITY and math.prod(value.shape[one] for one in axes) == 0:
            shape = tuple(extent for one, extent in enumerate(value.shape) if one not in axes)
            results = tuple(broadcast_scalar(plane, shape) for plane in operand(engine, initial, wanted, ()))
        elif (name == "multiply" and wanted.kind in "iu") or (name != "add" and len(planes) > 1):
            results = _in_pairs(name, planes, axes)
        else:
            parts = (_INT32,) if wanted.kind in "iu" and name == "add" and wanted.itemsize < _INT32.itemsize else plane_dtypes(wanted)
            results = tuple(_reduced(name, plane, axes, part) for plane, part in zip(planes, parts, strict=True))
            results = tuple(cast(plane, part) for plane, part in zip(results, plane_dtypes(wanted), strict=True))
        if initial is not _NO_VALUE and initial is not None:
            first = operand(engine, initial, wanted, results[0].shape)
            results = _joined(name, results, first)
        return _finish(engine, results, wanted, axes, value, keepdims, out, "unsafe")

    return run


def common_dtype(engine: NeuronEngine, value: Value, out: Any) -> DType | None:
    """
    Find the dtype in which a ufunc's reduction computes for an output, if nobody names one.

    Parameters
    ----------
    engine : NeuronEngine
        Whose promotion counts.
    value : Value
        What is reduced.
    out : Value, tuple of Value or None
        Where the result goes.

    Returns
    -------
    dtype or None
        The common one of both, from which the result is cast whatever the loss.

    Raises
    ------
    NotNativeError
        If imaginary parts would be lost, of which the host warns.
    """
    target: Value | None = out[0] if isinstance(out, tuple) else out
    if target is None:
        return None
    if value.dtype.kind == "c" and target.dtype.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    return engine.promotion.result_type(value.dtype, target.dtype)


def _joined(name: str, left: tuple[Node, ...], right: tuple[Node, ...]) -> tuple[Node, ...]:
    """Apply a function of two real or complex numbers."""
    if len(left) > 1:
        pair: tuple[Node, ...] = COMPLEX[name](left, right)
        return pair
    return (elementwise(name, left[0], right[0], dtype=left[0].dtype),)


def _in_pairs(name: str, planes: tuple[Node, ...], axes: tuple[int, ...]) -> tuple[Node, ...]:
    """Reduce integers or complex numbers along axes by a function of two of them: log2(n) times one after the other."""
    shape = planes[0].shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    result = tuple(shape[axis] for axis in kept)
    length, outer = math.prod(shape[axis] for axis in axes), math.prod(result)
    if length == 0 and name != "multiply":
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if length * outer == 0:
        return tuple(fill(1 - place, result, plane.dtype) for place, plane in enumerate(planes))
    rows = tuple(reshape(transpose(plane, [*kept, *axes]), (outer, length)) for plane in planes)
    while length > 1:
        half = length // 2
        pairs = _joined(name, _columns(rows, 0, half), _columns(rows, half, 2 * half))
        if length % 2:
            first = _joined(name, _columns(pairs, 0, 1), _columns(rows, length - 1, length))
            last = Write(Layout(0, (outer, 1), (half, 1)))
            if half > 1:
                first = tuple(Node(last, (pair, one), pair.shape, pair.dtype) for pair, one in zip(pairs, first, strict=True))
            pairs = first
        rows, length = pairs, half
    return tuple(reshape(plane, result) for plane in rows)


def _columns(planes: tuple[Node, ...], low: int, high: int) -> tuple[Node, ...]:
    outer, length = planes[0].shape
    layout = Layout(low, (outer, high - low), (length, 1))
    return tuple(Node(Read(layout), (plane,), layout.shape, plane.dtype) for plane in planes)


def _integers(value: Value, wanted: DType) -> tuple[Node, ...]:
    """Give integers to a sum as they are where it widens them itself, exactly."""
    if value.dtype.kind in "biu" and computes(value.dtype) and value.dtype.itemsize < wanted.itemsize and value.dtype != np.uint32:
        return value.read()
    return convert(value.read(), value.dtype, wanted)


def _extreme(name: str, planes: tuple[Node, ...], axes: tuple[int, ...]) -> Node:
    """Tell which complex numbers are extreme along axes, by real, then by imaginary part: NaN, if there are any."""
    of_two, worst = ("maximum", -math.inf) if name == "argmax" else ("minimum", math.inf)
    nan = test("logical_or", *(test("isnan", plane) for plane in planes))

    def best(plane: Node) -> Node:
        shape = tuple(1 if axis in axes else extent for axis, extent in enumerate(plane.shape))
        return test("equal", plane, broadcast(reshape(_reduced(of_two, plane, axes, FLOAT32), shape), plane.shape))

    leading = best(choose(nan, full(math.nan, nan), planes[0]))
    both = test("logical_and", leading, best(choose(leading, planes[1], full(worst, nan))))
    return test("logical_or", nan, both)


def _arg(name: str) -> Callable[..., Any]:
    def run(engine: NeuronEngine, a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        if not isinstance(a, Value) or not (computes(a.dtype) or a.dtype == COMPLEX64):
            raise NotNativeError("it has no kernel for this dtype")
        axes = () if a.ndim == 0 and axis in (0, -1) else _axes(axis, a.ndim)
        if math.prod(a.shape[one] for one in axes) == 0:
            raise ValueError(f"attempt to get {name} of an empty sequence")
        complex_numbers = a.dtype == COMPLEX64
        plane = _extreme(name, a.read(), axes) if complex_numbers else a.read()[0]
        first = _reduced("argmax" if complex_numbers else name, plane, axes, _INT32)
        return _finish(engine, (first,), _INT32, axes, a, keepdims is True, out, "safe")

    return run


def _count_nonzero(engine: NeuronEngine, a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    value = take(engine, a)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    # The kernel adds bytes up, which have to be 0 and 1.
    plain = computes(value.dtype) and value.dtype != np.uint8
    (plane,) = value.read() if plain else convert(value.read(), value.dtype, BOOL)
    axes = () if value.ndim == 0 and axis in (0, -1) else _axes(axis, value.ndim)
    return _finish(engine, (_reduced("count_nonzero", plane, axes, _INT32),), _INT32, axes, value, keepdims, None)


class _Moments(NamedTuple):
    """What means are made of: elements in the dtype that is computed in, 0 where they do not count, and how many there are."""

    value: Value
    dtype: DType
    planes: tuple[Node, ...]
    axes: tuple[int, ...]
    number: Node | float  # a node of the result's shape where there is a mask
    mask: Node | None


def _moments(engine: NeuronEngine, a: Any, axis: Any, dtype: DType | None, where: Any) -> _Moments:
    value = take(engine, a)
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    wanted = dtype or (engine.promotion.default_float if value.dtype.kind in "biu" else value.dtype)
    if len(plane_dtypes(wanted)) > 2 or (wanted.kind != "c" and not computes(wanted)) or wanted.kind in "biu":
        raise NotNativeError(f"it has no kernel for {wanted}")
    if value.dtype.kind == "c" and wanted.kind != "c":
        raise NotNativeError("imaginary parts are dropped on the host")
    inner = FLOAT32 if is_low_precision(wanted) else wanted
    if where is True or where is _NO_VALUE:
        axes = _axes(axis, value.ndim)
        count = float(math.prod(value.shape[one] for one in axes))
        return _Moments(value, wanted, convert(value.read(), value.dtype, inner), axes, count, None)
    condition = take(engine, where)
    shape = broadcast_shapes(value.shape, condition.shape)
    value = value.view(np.broadcast_to(value.shadow, shape))
    axes = _axes(axis, value.ndim)
    (mask,) = operand(engine, condition, BOOL, shape)
    zero = fill(0, (), FLOAT32)
    planes = tuple(elementwise("where", mask, plane, zero, dtype=FLOAT32) for plane in convert(value.read(), value.dtype, inner))
    return _Moments(value, wanted, planes, axes, cast(_reduced("count_nonzero", mask, axes, _INT32), FLOAT32), mask)


def _divided(plane: Node, divisor: Node | float) -> Node:
    if isinstance(divisor, Node):
        return elementwise("divide", plane, divisor, dtype=FLOAT32)
    if math.frexp(divisor)[0] == 0.5:  # a power of two, by whose reciprocal products are the same
        return elementwise("multiply", plane, fill(1 / divisor, (), FLOAT32), dtype=FLOAT32)
    return elementwise("divide", plane, fill(divisor, (), FLOAT32), dtype=FLOAT32)


def _mean(
    engine: NeuronEngine, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    of = _moments(engine, a, axis, dtype, where)
    if out is not None and common_dtype(engine, of.value, out) != of.dtype:
        raise NotNativeError("means go to memory of another dtype on the host")
    means = tuple(_divided(_reduced("add", plane, of.axes, FLOAT32), of.number) for plane in of.planes)
    return _finish(engine, _narrowed(means, of.dtype), of.dtype, of.axes, of.value, keepdims is True, out)


def _narrowed(planes: tuple[Node, ...], dtype: DType) -> tuple[Node, ...]:
    return planes if dtype.kind == "c" else convert(planes, FLOAT32, dtype)


def _variance(root: bool) -> Callable[..., Any]:
    def run(
        engine: NeuronEngine, a: Any, axis: Any = None, dtype: DType | None = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
        *, where: Any = True, mean: Any = _NO_VALUE, correction: float = 0,
    ) -> Any:  # fmt: skip
        of = _moments(engine, a, axis, dtype, where)
        if mean is not _NO_VALUE:
            raise NotNativeError("deviations from a given mean are computed on the host")
        # Where there are no more elements than the correction, the divisor is 0, as NumPy's.
        divisor: Node | float
        if isinstance(of.number, Node):
            less = elementwise("subtract", of.number, fill(float(ddof + correction), (), FLOAT32), dtype=FLOAT32)
            divisor = elementwise("maximum", less, fill(0.0, (), FLOAT32), dtype=FLOAT32)
        else:
            divisor = max(of.number - ddof - correction, 0.0)
        result = _divided(_squares(of), divisor)
        if root:
            result = elementwise("sqrt", result, dtype=FLOAT32)
        real = FLOAT32 if of.dtype.kind == "c" else of.dtype
        return _finish(engine, convert((result,), FLOAT32, real), real, of.axes, of.value, keepdims is True, out)

    return run


def _squares(of: _Moments) -> Node:
    """Add up squares of deviations from the mean."""
    total: Node | None = None
    for plane in of.planes:
        kept = tuple(1 if axis in of.axes else extent for axis, extent in enumerate(plane.shape))
        mean = _divided(_reduced("add", plane, of.axes, FLOAT32), of.number)
        deviation = elementwise("subtract", plane, broadcast(reshape(mean, kept), plane.shape), dtype=FLOAT32)
        if of.mask is not None:
            deviation = elementwise("where", of.mask, deviation, fill(0, (), FLOAT32), dtype=FLOAT32)
        square = elementwise("square", deviation, dtype=FLOAT32)
        total = square if total is None else elementwise("add", total, square, dtype=FLOAT32)
    assert total is not None
    return _reduced("add", total, of.axes, FLOAT32)


def _register() -> None:
    table = {
        "sum": _folding("add", True),
        "prod": _folding("multiply", True),
        "max": _folding("maximum", False),
        "min": _folding("minimum", False),
        "any": _folding("logical_or", False),
        "all": _folding("logical_and", False),
        "argmax": _arg("argmax"),
        "argmin": _arg("argmin"),
        "count_nonzero": _count_nonzero,
        "mean": _mean,
        "var": _variance(root=False),
        "std": _variance(root=True),
        "standard.var": _variance(root=False),
        "standard.std": _variance(root=True),
    }
    for name, function in table.items():
        get_op(name).implement("neuron", function)


_register()
