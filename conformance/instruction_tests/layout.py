"""Where an operand lies: a tensor larger than it, and the view of that which the instruction gets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Layout", "draw_layout", "plain_layout"]

Integer = Callable[[int, int], int]


class Layout(NamedTuple):
    """
    A view of a container.

    Attributes
    ----------
    container : tuple of int
        Extents of the tensor that is made.
    cut : tuple of slice
        First its elements are sliced,
    order : tuple of int
        then its axes permuted,
    shape : tuple of int
        then axes of extent 1 broadcast to this shape.
    """

    container: tuple[int, ...]
    cut: tuple[slice, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]

    def of_array(self, array: NDArray[Any]) -> NDArray[Any]:
        """Take the view of an array."""
        view = array[self.cut].transpose(self.order)
        return view if view.shape == self.shape else np.broadcast_to(view, self.shape)

    def of_tensor(self, tensor: Any) -> Any:
        """Take the view of a tensor in a kernel."""
        view = tensor if all(s == slice(0, n, 1) for s, n in zip(self.cut, self.container, strict=True)) else tensor[self.cut]
        if self.order != tuple(range(len(self.order))):
            view = view.permute(self.order)
        for axis, extent in enumerate(self.shape):
            if view.shape[axis] != extent:
                view = view.broadcast(axis, extent)
        return view

    def __str__(self) -> str:
        cuts = ", ".join(f"{s.start}:{s.stop}:{s.step}" for s in self.cut)
        return f"{self.container}[{cuts}] in order {self.order} as {self.shape}"


def plain_layout(shape: tuple[int, ...]) -> Layout:
    """Lay an operand out as it is."""
    return Layout(shape, tuple(slice(0, n, 1) for n in shape), tuple(range(len(shape))), shape)


def draw_layout(integer: Integer, shape: tuple[int, ...], broadcast: bool, on_chip: bool = True) -> Layout:
    """Draw a layout: first partition, offsets, steps, order of the free axes, a broadcast axis."""
    fixed = 1 if on_chip else 0
    order = list(range(len(shape)))
    for place in range(fixed, len(shape) - 1):
        other = integer(place, len(shape) - 1)
        order[place], order[other] = order[other], order[place]
    inner = [0] * len(shape)  # extents before the axes are permuted
    for place, axis in enumerate(order):
        inner[axis] = shape[place]
    if broadcast and len(shape) > 1 and integer(0, 3) == 3:
        inner[integer(fixed, len(shape) - 1)] = 1
    index, container, steps = [], [], 0
    for axis, extent in enumerate(inner):
        if on_chip and axis == 0:
            starts = (0,) if extent > 64 else (0, 64) if extent > 32 else (0, 32, 64, 96)
            first, step, tail = starts[integer(0, len(starts) - 1)], 1, 0
        else:
            drawn = integer(0, 11)
            first, step, tail = drawn % 3, 1 + drawn // 6 * (steps < 2), drawn // 3 % 2
            steps += step - 1
        last = first + (extent - 1) * step + 1
        index.append(slice(first, last, step))
        container.append(last + tail)
    assert math.prod(container) < 2**22, "a container beyond what is meant to be drawn"
    return Layout(tuple(container), tuple(index), tuple(order), shape)
