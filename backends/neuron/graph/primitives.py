"""The primitives: what a node of the graph computes from its inputs, each a frozen value that tells shape and dtype of the node."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple, Protocol

from ...dtypes import INT32, UINT32, DType
from ...rules import Signature
from ..dtypes import DTYPES_BY_NAME, NKI_NAMES
from ..fallback.host_call import HostCall
from ..function import FUNCTIONS, REDUCTIONS
from ..kernel import InvalidCallError, Invocation
from ..layout import Layout

__all__ = [
    "STEPS",
    "Buffer",
    "Cast",
    "Elementwise",
    "Fill",
    "HostStep",
    "Iota",
    "LoopStep",
    "Looped",
    "Operand",
    "Primitive",
    "Read",
    "Reduce",
    "Result",
    "Scalar",
    "Write",
    "is_empty",
    "is_step",
]


class Operand(Protocol):
    """What a primitive sees of an input."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its lengths."""

    @property
    def dtype(self) -> DType:
        """A native one."""

    @property
    def size(self) -> int:
        """Its elements."""


class Buffer(NamedTuple):  # of which each program makes some
    """
    Memory of the device that holds the value already.

    Attributes
    ----------
    results : Signature
        The value's.
    origin : str
        What gave it at once, and why, where that was a call on the host: for `explain`.
    """

    results: Signature
    origin: str = ""

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.results


class Scalar(NamedTuple):  # of which many are made
    """
    A number that the launch brings, of shape (): programs do not depend on it.

    Attributes
    ----------
    value : int or float
        The number, exact in the dtype.
    dtype : dtype
        The node's.
    """

    value: float
    dtype: DType

    def signature(self, _inputs: Sequence[Operand]) -> tuple[tuple[int, ...], DType]:
        """Tell shape and dtype of the node."""
        return (), self.dtype


@dataclass(frozen=True, slots=True)
class Fill:
    """
    A constant that belongs to the program.

    Parameters
    ----------
    value : int, float or None
        The constant, exact in the dtype; None for memory with nothing in it.
    results : Signature
        The node's.
    """

    value: float | None = field(compare=False)
    results: Signature
    _told_apart: str = field(init=False, repr=False)  # 0.0 and -0.0 are two constants, and NaN is one

    def __post_init__(self) -> None:
        object.__setattr__(self, "_told_apart", repr(self.value))

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.results


@dataclass(frozen=True, slots=True)
class Iota:
    """
    0, 1, …: a vector of int32, each of whose elements is its index. It needs no memory; programs make the elements that they read.

    Parameters
    ----------
    count : int
        Elements.
    """

    count: int

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return Signature((self.count,), INT32)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """
    A function of each element. Inputs have the node's shape, or none: (), or one that differs by leading axes of length 1.

    Parameters
    ----------
    name : str
        A key of `function.FUNCTIONS`.
    """

    name: str
    _results: dict[int, DType] = field(default_factory=dict, init=False, repr=False, compare=False)  # those that were asked for

    def signature(self, inputs: Sequence[Operand]) -> tuple[tuple[int, ...], DType]:
        """Tell shape and dtype of the node."""
        shape, dtype = inputs[0].shape, inputs[-1].dtype
        for item in inputs:
            if item.dtype is not dtype or (item.shape != shape and item.shape):
                return self._mixed(inputs)
        key = dtype.num << 3 | len(inputs)
        result = self._results.get(key)
        if result is None:
            result = self._results[key] = _result(self.name, (dtype,) * len(inputs))
        return shape, result

    def _mixed(self, inputs: Sequence[Operand]) -> tuple[tuple[int, ...], DType]:
        """Do so for inputs of several shapes or dtypes."""
        largest = inputs[0]
        for item in inputs:
            if len(item.shape) > len(largest.shape):
                largest = item
        for item in inputs:
            if item.size != largest.size and item.shape:
                raise InvalidCallError(f"{self.name} of shapes {', '.join(str(one.shape) for one in inputs)} has no one shape")
        return largest.shape, _result(self.name, tuple([item.dtype for item in inputs]))


@cache
def _result(name: str, dtypes: tuple[DType, ...]) -> DType:
    """Look up the dtype of a function's results."""
    function = FUNCTIONS[name]
    loop = function.loops.get(NKI_NAMES.get(dtypes[-1], ""))
    own = dtypes[1:] if function.selects else dtypes
    if loop is None or len(dtypes) != function.arity or any(dtype != dtypes[-1] for dtype in own):
        raise InvalidCallError(f"{name} has no loop for {', '.join(map(str, dtypes))}; it has {', '.join(function.loops)}")
    return DTYPES_BY_NAME[loop.result]


@dataclass(frozen=True, slots=True)
class Cast:
    """
    The input in another dtype, as NumPy casts.

    Parameters
    ----------
    dtype : dtype
        A native one.
    bits : bool, optional
        Whether the bits stay and are read in that dtype, which is of the same size, instead.
    """

    dtype: DType
    bits: bool = False

    def signature(self, inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        if self.bits and self.dtype.itemsize != inputs[0].dtype.itemsize:
            raise InvalidCallError(f"bits of {inputs[0].dtype} cannot be read as {self.dtype}, which is of another size")
        return Signature(inputs[0].shape, self.dtype)


@dataclass(frozen=True, slots=True)
class Read:
    """
    A strided look at the input, taken for flat.

    Parameters
    ----------
    layout : Layout
        Which elements; its shape is the node's.
    """

    layout: Layout

    def signature(self, inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        if not self.layout.lies_in(inputs[0].size):
            raise InvalidCallError(f"a read of {self.layout} goes beyond the {inputs[0].size} elements of {inputs[0].shape}")
        return Signature(self.layout.shape, inputs[0].dtype)


@dataclass(frozen=True, slots=True)
class Write:
    """
    The first input, flat, with the second one written over some of its elements.

    Parameters
    ----------
    layout : Layout
        Which elements; of no two the same. Its shape is that of the second input.
    """

    layout: Layout

    def signature(self, inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        base, values = inputs
        if not self.layout.lies_in(base.size) or values.size not in (1, math.prod(self.layout.shape)) or values.dtype != base.dtype:
            raise InvalidCallError(f"{values.shape} of {values.dtype} cannot be written to {self.layout} of {base.size} {base.dtype}")
        return Signature(base.shape, base.dtype)


@dataclass(frozen=True, slots=True)
class Reduce:
    """
    One value of many: the input is (outer, length, inner), the result (outer, inner).

    Parameters
    ----------
    name : str
        A key of `function.REDUCTIONS`.
    length : int
        Elements that make one.
    results : Signature
        The node's.
    inner : int, optional
        Elements beside each other; 1 where those that make one are the fastest, which is a row.
    """

    name: str
    length: int
    results: Signature
    inner: int = 1

    def signature(self, inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        (shape, dtype), source = self.results, inputs[0]
        if math.prod(shape) * self.length != source.size or (self.inner and math.prod(shape) % self.inner):
            raise InvalidCallError(f"{self.name} of {self.length} elements of {source.shape} does not give {shape}")
        if dtype not in _reduced(self.name, source.dtype):
            raise InvalidCallError(f"{self.name} of {source.dtype} does not give {dtype}")
        return self.results


@cache
def _reduced(name: str, dtype: DType) -> frozenset[DType]:
    """Look up the dtypes of a reduction's results."""
    found = DTYPES_BY_NAME[REDUCTIONS[name](NKI_NAMES[dtype])]
    if name in ("add", "multiply"):
        return frozenset((found, dtype, INT32, UINT32) if dtype.kind in "iu" else (found, dtype))
    return frozenset((found, dtype)) if name in ("sum", "maximum", "minimum") else frozenset((found,))


class Result(NamedTuple):
    """
    A result of a kernel that is a stage of its own.

    Attributes
    ----------
    invocation : Invocation
        The kernel with its parameters.
    number : int
        Which of its results.
    """

    invocation: Invocation
    number: int

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.invocation.results[self.number]


@dataclass(frozen=True, slots=True)
class HostStep:
    """
    A plane of what the host computes. No program has it: it stands between programs.

    Parameters
    ----------
    call : HostCall
        The call, of which there may be other planes.
    place : int
        Which plane, of all its results.
    """

    call: HostCall
    place: int

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.call.planes[self.place]


class AnyLoop(Protocol):
    """What a primitive sees of a `loop.Loop`, which consists of nodes."""

    @property
    def results(self) -> tuple[Signature, ...]:
        """Tell shape and dtype of each plane that its turns hand on."""


class Looped(NamedTuple):
    """
    What a turn of a loop hands to the next one, after the last: one of several results of a stage.

    Attributes
    ----------
    loop : Loop
        Which. The first inputs are what the first turn gets, one for each result.
    number : int
        Which of its results.
    """

    loop: AnyLoop
    number: int

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.loop.results[self.number]


class LoopStep(NamedTuple):
    """
    The same where the host asks whether the loop goes on. No program has it: it stands between programs, as launches of one.

    Attributes
    ----------
    loop : Loop
        Which. Its turns are those of a launch.
    number : int
        Which of its results.
    """

    loop: AnyLoop
    number: int

    def signature(self, _inputs: Sequence[Operand]) -> Signature:
        """Tell shape and dtype of the node."""
        return self.loop.results[self.number]


STEPS: Final = frozenset({HostStep, LoopStep})
"""What stands between programs."""


def is_step(primitive: Primitive) -> bool:
    """Tell whether a node stands between programs."""
    return type(primitive) in STEPS


def is_empty(primitive: Primitive) -> bool:
    """Tell whether a node is memory with nothing in it."""
    return isinstance(primitive, Fill) and primitive.value is None


Primitive = Buffer | Scalar | Fill | Iota | Elementwise | Cast | Read | Write | Reduce | Result | HostStep | Looped | LoopStep
