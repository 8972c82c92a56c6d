"""How tiles of fused functions over rows share SBUF: their size, and what may be written over."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ..function import PAIRS, DtypeLoop, Table, Work, work_table
from ..plan.plan import Compute, Extent, RowStage
from .balance import target_costs
from .elementwise import EMITTERS
from .move.tile_transpose import itemsize
from .reading import Window
from .sbuf import PARTITIONS

__all__ = [
    "PIECE", "SMALL_SCRATCH", "TOGETHER", "Room", "choose_room", "is_late", "long_row", "long_run", "reused_registers", "tables_of",
    "work_of",
]  # fmt: skip

# Bytes of a partition that tiles may take.
_MEMORY: Final = 160 * 1024
_WIDEST: Final = 2048
_NARROWEST: Final = 128
PIECE: Final = 512  # elements that a function with much scratch takes at once
SMALL_SCRATCH: Final = 4  # bytes for each element
TOGETHER: Final = 2  # pieces whose rare numbers are replaced after both
_PUT_OFF: Final = 12  # bytes for each element: an operand, and a quotient in two parts; of pairs the operands
_TILES: Final = 8  # of which one is loaded, some computed, one stored: no rate, since all generations have these queues
_MOST_APART: Final = 64  # elements, whose neighbours are fetched with them
_COPY: Final = Work((("vector", "tensor_copy", 1.0),))
_NONE: Final = Work()


def work_of(compute: Compute) -> Work:
    """Look up the instructions of a step."""
    if compute.kind == "elementwise":
        return work_table()[compute.name, compute.loop]
    if compute.kind == "pair":
        return work_table()[f"pair of {compute.name}", compute.loop]
    if compute.kind == "cast":
        return _COPY if compute.name == "bits" else work_table()[f"cast to {compute.dtype}", compute.loop]
    if compute.kind == "reduce":
        return work_table()[f"reduce by {compute.name}", compute.loop]
    return _NONE


def _loop_of(compute: Compute) -> DtypeLoop | None:
    if compute.kind == "elementwise":
        return EMITTERS[compute.name].loops[compute.loop]
    return PAIRS[compute.name].loops[compute.loop] if compute.kind == "pair" else None


def tables_of(compute: Compute) -> tuple[Table, ...]:
    """List what a step looks up."""
    loop = _loop_of(compute)
    return () if loop is None else loop.tables


def is_late(compute: Compute) -> bool:
    """Tell whether rare numbers of several pieces are replaced after all of them."""
    loop = _loop_of(compute)
    return loop is not None and loop.late


class Room(NamedTuple):
    """
    How tiles share SBUF.

    Attributes
    ----------
    width : int
        Elements of a partition.
    ahead : bool
        Whether loads and stores of other tiles run beside the functions.
    put_off : frozenset of int
        Computes whose rare numbers are replaced after the next tile is computed: their results are stored only.
    """

    width: int
    ahead: bool
    put_off: frozenset[int] = frozenset()


def _extents(stage: RowStage) -> list[Extent]:
    given: list[Extent] = ["full"] * len(stage.given)
    return [*given, *(access.extent for access in stage.loads), *(compute.extent for compute in stage.computes)]


def reused_registers(stage: RowStage, dtypes: Sequence[str], kept: Iterable[int], windows: Mapping[int, Window]) -> dict[int, int]:
    """Find computes that may write over an operand that is not needed any more: compute to register."""
    given = len(stage.given)
    extents = _extents(stage)
    last: dict[int, int] = {}
    for place, compute in enumerate(stage.computes):
        last.update(dict.fromkeys(compute.inputs, place))
    last.update(dict.fromkeys((*kept, *(register for register, _ in stage.stores)), len(stage.computes)))
    shared = {given + number for number, access in enumerate(stage.loads) if 0 in access.strides or number in windows}
    found: dict[int, int] = {}
    for place, compute in enumerate(stage.computes):
        if compute.kind != "elementwise" or compute.extent != "full":
            continue
        allowed = EMITTERS[compute.name].loops[compute.loop].may_alias
        for register in dict.fromkeys(compute.inputs):
            if (
                last[register] == place
                and register not in shared
                and extents[register] == "full"
                and dtypes[register] == compute.dtype
                and all(position in allowed for position, item in enumerate(compute.inputs) if item == register)
            ):
                found[place] = register
                break
    return found


def long_run() -> int:
    """Find the elements of a partition below which DMA takes as long: tiles are not made shorter to have several."""
    return 1 << round(math.log2(target_costs().piece_bytes / itemsize("float32")))


def long_row() -> int:
    """Find the elements of a row that are copied in the time that an instruction for it costs besides, which a copy of all rows saves."""
    costs = target_costs()
    begins = costs.instruction("tensor_copy", 0)
    each = (costs.instruction("tensor_copy", _WIDEST) - begins) / _WIDEST
    return 1 << round(math.log2((begins + costs.waits("vector")) / each))


def choose_room(stage: RowStage, dtypes: Sequence[str], in_place: Mapping[int, int], windows: Mapping[int, Window]) -> Room:
    """Choose the size of tiles: registers count from their definition to their last use."""
    count = len(stage.given) + len(stage.loads)
    extents = _extents(stage)
    sizes = [itemsize(dtype) if extent == "full" else 0 for dtype, extent in zip(dtypes, extents, strict=True)]
    fetched = 0  # bytes of what lies between elements
    for number, access in enumerate(stage.loads):
        window = windows.get(number)
        if access.extent == "full" and access.tensor is not None and (window is None or window.first == number):
            apart = min((abs(s) for s, length in zip(access.strides, stage.dims, strict=True) if s and length > 1), default=1)
            strides = [s for s, length in zip(access.strides, stage.dims, strict=True) if s and length > 1]
            if apart > 1 or strides != sorted(strides, reverse=True):
                fetched += min(apart, _MOST_APART) * sizes[len(stage.given) + number]
    memory = list(range(len(sizes)))  # of each register, the first one there
    for place in range(len(stage.computes)):
        memory[count + place] = memory[in_place[place]] if place in in_place else count + place
    last = {memory[register]: register - count for register in range(len(sizes))}
    for place, compute in enumerate(stage.computes):
        last.update({memory[register]: place for register in compute.inputs})
    kept = {register for register, _ in stage.stores}
    last.update({memory[register]: len(stage.computes) for register in kept})
    loaded = alive = most = sum(sizes[:count]) + fetched
    for place, compute in enumerate(stage.computes):
        register = count + place
        if memory[register] == register and compute.kind != "second":
            alive += sum(sizes[register : register + (len(PAIRS[compute.name].functions) if compute.kind == "pair" else 1)])
        # Where an operand is one number for each of several rows on a partition, or all elements are the same, it is spread.
        spread = sum(4 for item in compute.inputs if not sizes[item]) if stage.columns and compute.extent == "full" else 0
        scratch = work_of(compute).scratch if compute.kind == "reduce" or work_of(compute).scratch <= SMALL_SCRATCH else 0
        most = max(most, alive + spread + scratch)
        alive -= sum(sizes[item] for item, until in last.items() if until == place)
    stored = sum(sizes[register] or 4 for register in kept)
    row, least = math.prod(stage.dims[len(stage.dims) - stage.columns :]), long_run()
    pieces = {"full": PIECE, "row": min(PIECE, -(-_MEMORY // (4 * row))), "one": 1}
    large = max(
        (work_of(one).scratch * pieces[one.extent] * (TOGETHER if is_late(one) and one.kind != "pair" else 1) for one in stage.computes),
        default=0,
    )
    room = Room(max(row, _NARROWEST), False)
    large += sum(table.nbytes for table in {table for compute in stage.computes for table in tables_of(compute)})
    for ahead in (True, False):
        width = (_MEMORY - large) // max(most + (loaded + stored if ahead else 0), 1)
        if width >= (row if stage.columns else least):
            room = Room(width if stage.columns else min(_WIDEST, 1 << (width.bit_length() - 1)), ahead)
            break
    # Enough tiles to load, compute and store at once.
    enough = max(least, -(-math.prod(stage.dims) // (PARTITIONS * _TILES)))
    width = max(row, min(room.width, 1 << (enough - 1).bit_length()))
    late = frozenset(
        place
        for place in _stored_only(stage)
        if not any(after > place and one in stage.computes[place].inputs for after, one in in_place.items())
    )  # whose operands are there when the next tile has been computed
    kept_bytes = sum(_PUT_OFF if stage.computes[place].kind != "pair" else 4 * len(stage.computes[place].inputs) for place in late)
    most_put_off = (_MEMORY - large) // (most + loaded + stored + kept_bytes)
    if late and room.ahead and not stage.columns and width // 2 <= most_put_off < width and width // 2 >= least:
        width //= 2
    return Room(width, room.ahead, late if room.ahead and width <= most_put_off else frozenset())


def _stored_only(stage: RowStage) -> frozenset[int]:
    """Find the computes with rare numbers whose results no other takes."""
    first = len(stage.given) + len(stage.loads)
    used = {register for compute in stage.computes if compute.kind != "second" for register in compute.inputs}
    late = [place for place, compute in enumerate(stage.computes) if compute.extent == "full" and is_late(compute)]

    def results(place: int) -> range:
        compute = stage.computes[place]
        return range(first + place, first + place + (len(PAIRS[compute.name].functions) if compute.kind == "pair" else 1))

    return frozenset(place for place in late if used.isdisjoint(results(place)))
