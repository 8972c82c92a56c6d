"""Reads of tiles: how DMA fetches strided elements in few long pieces, and how the tile looks at what was fetched."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ...isa import nisa
from ..costs import Costs
from ..layout import nearby
from ..plan.plan import RowStage
from .sbuf import PARTITIONS

__all__ = ["Reading", "Window", "copy_view", "reading", "time", "windows"]

Pattern = tuple[tuple[int, int], ...]

_MOST_BYTES: Final = 48 * 1024  # of a partition, for what is fetched
_AXES: Final = 4  # of the free pattern of an instruction


class Reading(NamedTuple):
    """
    How elements of a partition come to SBUF.

    Attributes
    ----------
    outer : tuple of (int, int)
        Strides and counts of contiguous pieces in HBM.
    span : int
        Elements of a piece, of which some may not be wanted.
    view : tuple of (int, int)
        Strides and counts on chip, in the order of the tile, of one element for each that is wanted; a stride of 0 repeats.
    """

    outer: Pattern
    span: int
    view: Pattern

    @property
    def pieces(self) -> int:
        """How many there are."""
        return math.prod(count for _, count in self.outer)

    @property
    def width(self) -> int:
        """Elements of a partition that are fetched."""
        return self.pieces * self.span

    @property
    def is_run(self) -> bool:
        """Whether the elements that are wanted are neighbours."""
        return len(self.view) == 1 and self.view[0][0] == 1


class Window(NamedTuple):
    """
    Loads of one tensor that lie a few elements from each other, and are fetched together.

    Attributes
    ----------
    first : int
        The load that begins first.
    at : int
        Where a load of them begins, from there on.
    more : int
        Elements from the first to the last one's beginning.
    """

    first: int
    at: int
    more: int


def windows(stage: RowStage) -> dict[int, Window]:
    """Find loads to fetch together: of equal strides, between whose elements the others' lie, or within a few elements."""
    alike: dict[Hashable, list[int]] = {}
    for number, access in enumerate(stage.loads):
        if access.extent == "full" and access.tensor is not None:
            alike.setdefault((access.tensor, access.strides, access.slot), []).append(number)
    found: dict[int, Window] = {}
    for numbers in alike.values():
        reach = nearby(tuple(zip(stage.loads[numbers[0]].strides, stage.dims, strict=True)))
        together: list[int] = []
        for number in [*sorted(numbers, key=lambda number: stage.loads[number].offset), -1]:
            if together and (number < 0 or stage.loads[number].offset - stage.loads[together[0]].offset > reach):
                if len(together) > 1:
                    first, last = (stage.loads[together[place]].offset for place in (0, -1))
                    found |= {one: Window(together[0], stage.loads[one].offset - first, last - first) for one in together}
                together = []
            together.append(number)
    return found


def _merged(pairs: Sequence[tuple[int, int]]) -> Pattern:
    found: list[tuple[int, int]] = []
    for stride, count in pairs:
        if count == 1:
            continue
        if found and found[-1][0] == stride * count:
            found[-1] = stride, found[-1][1] * count
        else:
            found.append((stride, count))
    return tuple(found) or ((1, 1),)


@lru_cache(maxsize=4096)
def reading(costs: Costs, free: Pattern, more: int, itemsize: int) -> Reading:
    """
    Choose which axes DMA steps along: those within go into one piece with what lies between their elements.

    Of a partition's elements in HBM strides and counts are given, and how many after the last one are wanted, too.
    """
    order = sorted((place for place, (stride, count) in enumerate(free) if stride and count > 1), key=lambda place: -free[place][0])
    axes = [free[place] for place in order]
    best, shortest = 0, math.inf
    for level in range(len(axes), -1, -1):
        span, pieces = _span(axes[level:]) + more, math.prod(count for _, count in axes[:level])
        wanted = math.prod(count for _, count in axes) + more
        if pieces * span > wanted and pieces * span * itemsize > _MOST_BYTES:
            break
        taken = costs.moves(PARTITIONS * pieces, span * itemsize, PARTITIONS * pieces * span * itemsize)
        if taken < shortest:
            best, shortest = level, taken
    span = _span(axes[best:]) + more
    on_chip, step = [stride if count > 1 else 0 for stride, count in free], span
    for place in reversed(order[:best]):
        on_chip[place], step = step, step * free[place][1]
    view = _merged([(stride, count) for stride, (_, count) in zip(on_chip, free, strict=True)])
    return Reading(tuple(axes[:best]), span, view)


def _span(axes: Sequence[tuple[int, int]]) -> int:
    return 1 + sum(stride * (count - 1) for stride, count in axes)


def time(costs: Costs, found: Reading, partitions: int, repeated: bool, itemsize: int) -> float:
    """Estimate the transfer of a tile, in ns: all engines take part if all partitions do."""
    pieces, share = found.pieces * (1 if repeated else PARTITIONS), 1.0 if repeated else partitions / PARTITIONS
    nbytes = found.span * itemsize
    return costs.moves(pieces, nbytes, pieces * nbytes * share)


def copy_view(dst: Any, tile: Any, found: Reading, first: int, engine: Any) -> None:
    """Copy the wanted elements to a tile (P, F), by instructions of up to four axes."""
    partitions, width = tile.shape
    _copy(dst, tile, width, partitions, found.view, first, engine)


def _copy(dst: Any, tile: Any, width: int, partitions: int, view: Pattern, first: int, engine: Any) -> None:
    (stride, count), *rest = view
    if len(view) > _AXES:
        each = dst.shape[1] // count
        for place in range(count):
            _copy(dst[:, place * each : (place + 1) * each], tile, width, partitions, tuple(rest), first + place * stride, engine)
        return
    source = tile.ap(pattern=[[width, partitions], *map(list, view)], offset=first)
    nisa.tensor_copy(dst.reshape_dim(1, tuple(count for _, count in view)) if rest else dst, source, engine=engine)
