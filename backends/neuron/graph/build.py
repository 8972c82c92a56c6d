"""Making nodes: the small language in which Ops are lowered."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...caller import find_caller
from ...dtypes import BOOL, DType
from ...rules import Signature
from ..kernel import InvalidCallError, kernel
from ..launch.capacity import TensorSizeError, check_tensor, is_large
from ..layout import Layout, contiguous_strides
from .graph import Check, Node
from .primitives import Cast, Elementwise, Fill, Iota, Read, Reduce, Result, Scalar

__all__ = [
    "bits", "broadcast", "broadcast_scalar", "by_columns", "call", "cast", "check", "check_tensors", "elementwise", "fill", "iota",
    "reduce", "reshape", "scalar", "spread", "transpose",
]  # fmt: skip

_BYTE = np.dtype(np.uint8)


def scalar(value: float, dtype: DType) -> Node:
    """Make a number that programs do not depend on."""
    return Node(Scalar(value, dtype), ())


def fill(value: float, shape: tuple[int, ...], dtype: DType) -> Node:
    """Make an array of one constant, which belongs to the program."""
    return Node(Fill(value, Signature(shape, dtype)), ())


def iota(count: int) -> Node:
    """Make the numbers 0, 1, …."""
    if count > 1 << 31:
        raise TensorSizeError(f"{count} elements have no numbers of 32 bits, of which there are {1 << 31}: work on parts of the Arrays")
    return Node(Iota(count), ())


def elementwise(name: str, *inputs: Node, dtype: DType) -> Node:
    """Apply a function to elements; inputs of shape () are used with every one."""
    node = Node(Elementwise(name), inputs)
    if node.dtype != (_BYTE if dtype == BOOL else dtype):
        raise InvalidCallError(f"{name} of {', '.join(str(item.dtype) for item in inputs)} gives {node.dtype}, not {dtype}")
    return node


def check(holds: Node, error: Callable[[str], Exception], message: str, flags: Node | None = None) -> Check:
    """Demand something of the elements of operands: where it does not hold, those who need the result get the error."""
    assert holds.size == 1
    return Check(holds, error, message, find_caller(("numpy", "scipy")), flags)


def call(name: str, *operands: Node, **attributes: Any) -> tuple[Node, ...]:
    """Call a kernel that is a stage of its own."""
    invocation = kernel(name).invoke(*[Signature(item.shape, item.dtype) for item in operands], **attributes)
    results = tuple([Node(Result(invocation, number), operands) for number in range(len(invocation.results))])
    check_tensors(name, *operands, *results)
    return results


def check_tensors(name: str, *nodes: Node) -> None:
    """Refuse operands and results of a kernel that no tensor can hold."""
    for node in nodes:
        if is_large(node.size, node.dtype.itemsize):
            nbytes = _least_bytes(node)
            check_tensor(node.shape, str(node.dtype), nbytes, f"the kernel {name!r} takes and gives tensors of")


def _least_bytes(node: Node) -> int:
    """Count the bytes that have to lie in HBM for all elements to be there, or to be made tile by tile of what lies there."""
    least = node.size * node.dtype.itemsize
    seen, stack = {node}, [node]
    while stack:
        made = stack.pop()
        least = min(least, made.size * made.dtype.itemsize)
        if isinstance(made.primitive, Elementwise | Cast) or (isinstance(made.primitive, Read) and made.primitive.layout.is_whole):
            found = [item for item in made.inputs if item.size == node.size and item not in seen]
            seen.update(found)
            stack += found
    return least


def cast(node: Node, dtype: DType) -> Node:
    """Convert."""
    if node.dtype == dtype:
        return node
    return Node(Cast(dtype), (node,))


def bits(node: Node, dtype: DType) -> Node:
    """Read the bits of elements as another dtype."""
    return node if node.dtype == dtype else Node(Cast(dtype, bits=True), (node,))


def reshape(node: Node, shape: tuple[int, ...]) -> Node:
    """Give the elements another shape."""
    if node.shape == shape:
        return node
    return Node(Read(Layout(0, shape, contiguous_strides(shape))), (node,))


def broadcast(node: Node, shape: tuple[int, ...]) -> Node:
    """Repeat along axes, as NumPy broadcasts; a node of shape () stays as it is."""
    if node.shape == shape or node.shape == ():
        return node
    lead = len(shape) - len(node.shape)
    if lead < 0 or any(have not in (1, want) for have, want in zip(node.shape, shape[lead:], strict=True)):
        raise InvalidCallError(f"the shape {node.shape} does not broadcast to {shape}")
    own = contiguous_strides(node.shape)
    strides = (0,) * lead + tuple(
        0 if have == 1 != want else stride for have, want, stride in zip(node.shape, shape[lead:], own, strict=True)
    )
    return Node(Read(Layout(0, shape, strides)), (node,))


def broadcast_scalar(node: Node, shape: tuple[int, ...]) -> Node:
    """Repeat a number."""
    return Node(Read(Layout(0, shape, (0,) * len(shape))), (node,))


def spread(planes: Iterable[Node], shape: tuple[int, ...]) -> tuple[Node, ...]:
    """Give planes one shape: they are broadcast, and numbers repeated."""
    return tuple([broadcast(plane, shape) if plane.shape or not shape else broadcast_scalar(plane, shape) for plane in planes])


def transpose(node: Node, axes: Sequence[int]) -> Node:
    """Reorder axes."""
    if list(axes) == list(range(len(node.shape))):
        return node
    own = contiguous_strides(node.shape)
    shape = tuple(node.shape[axis] for axis in axes)
    return Node(Read(Layout(0, shape, tuple(own[axis] for axis in axes))), (node,))


def reduce(name: str, node: Node, axes: Sequence[int], dtype: DType) -> Node:
    """Reduce over axes."""
    reduced = sorted(axes)
    kept = [axis for axis in range(len(node.shape)) if axis not in reduced]
    if reduced[-1] - reduced[0] + 1 != len(reduced) or (reduced[-1] != len(node.shape) - 1 and not by_columns(name, node.dtype)):
        node = transpose(node, [*kept, *reduced])
        reduced = list(range(len(kept), len(node.shape)))
        kept = list(range(len(kept)))
    length = math.prod(node.shape[axis] for axis in reduced)
    inner = math.prod(node.shape[reduced[-1] + 1 :])
    return Node(Reduce(name, length, Signature(tuple(node.shape[axis] for axis in kept), dtype), inner), (node,))


def by_columns(name: str, dtype: DType) -> bool:
    """Tell whether a reduction has a kernel for axes that are not the fastest."""
    return name in ("add", "sum", "multiply", "maximum", "minimum") and dtype.kind not in "iu"
