"""
Collectives of equal parts.

Sums are float32 in the order of the group and rounded once; integers wrap. The documents do not say in which order hardware adds.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import is_integer, to_float32
from ..engines import engine as engines
from ..isa.rules import requires
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .group import Meeting, ReplicaGroup, Waiting, never, rank_of
from .rules import COALESCED, DOCUMENT, HBM_ONLY, ONE_MEMORY, ONE_TENSOR, OP, PAIRS, PRIORITY, dims, extents

__all__ = ["all_gather", "all_reduce", "all_to_all", "collective_permute", "combine_ranks", "put", "reduce_scatter", "sources"]

Array = NDArray[Any]


def sources(run: Run, i: Instruction) -> list[Array]:
    """Read what a rank gives."""
    return [run.read(src).copy() for src in i["srcs"]]


def combine_ranks(op: Operator, parts: list[Array], dtype: str) -> Array:
    """Reduce what ranks give."""
    assert op.alu is not None
    return functools.reduce(op.alu.compute, parts if is_integer(dtype) else [to_float32(part) for part in parts])


def put(run: Run, dst: NkiTensor, values: Array) -> None:
    """Write what a rank gets."""
    if values.dtype == dst._bytes.dtype:
        run.write_bits(dst, values)
    else:
        run.write(dst, values)


def _among_groups(compute: Callable[[Instruction, list[Array], int, str], Array]) -> Callable[[Waiting], None]:
    """Make a collective of what a rank gets: from the parts of its group, and its place in that."""

    def together(waiting: Waiting) -> None:
        meeting = Meeting(waiting, sources)
        for run, i in meeting:
            group = i["replica_group"].of(rank_of(run))
            for number, dst in enumerate(i["dsts"] if group else ()):
                parts = [meeting.from_rank(rank, run)[number] for rank in group]
                put(run, dst, compute(i, parts, group.index(rank_of(run)), dst.dtype))

    return together


def _piece(array: Array, count: int, number: int) -> Array:
    size = array.shape[0] // count
    return array[number * size : (number + 1) * size]


def _scale(shape: tuple[int, ...], dim: int, by: int) -> tuple[int, ...]:
    return (*shape[:dim], shape[dim] * by, *shape[dim + 1 :])


def _size(i: Instruction) -> int:
    found: int = i["replica_group"].size
    return found


def _opcode(name: str, together: Callable[[Waiting], None], *rules: Rule) -> Opcode:
    return Opcode(
        name, writes=("dsts",), reads=("srcs",), engines=(engines.dma,), execute=never, together=together, rules=(*rules, *PRIORITY)
    )


ALL_REDUCE = _opcode(
    "all_reduce",
    _among_groups(lambda i, parts, _, dtype: combine_ranks(i["op"], parts, dtype)),
    PAIRS,
    ONE_MEMORY,
    COALESCED,
    OP,
    extents("source and destination have one shape", lambda s, d, _: s.shape == d.shape),
)
ALL_GATHER = _opcode(
    "all_gather",
    _among_groups(lambda i, parts, *_: np.concatenate(parts, i["collective_dim"])),
    PAIRS,
    ONE_MEMORY,
    COALESCED,
    dims((0, 1)),
    extents(
        "the destination is as many times longer as a group has ranks",
        lambda s, d, i: d.shape == _scale(s.shape, i["collective_dim"], _size(i)),
    ),
)
REDUCE_SCATTER = _opcode(
    "reduce_scatter",
    _among_groups(
        lambda i, parts, place, dtype: combine_ranks(i["op"], [_piece(part, len(parts), place) for part in parts], dtype),
    ),
    PAIRS,
    ONE_MEMORY,
    COALESCED,
    OP,
    dims((0,)),
    extents("the source is as many times longer as a group has ranks", lambda s, d, i: s.shape == _scale(d.shape, 0, _size(i))),
)
ALL_TO_ALL = _opcode(
    "all_to_all",
    _among_groups(lambda _, parts, place, __: np.concatenate([_piece(part, len(parts), place) for part in parts])),
    PAIRS,
    HBM_ONLY,
    dims((0,)),
    extents(
        "source and destination have one shape, which the ranks of a group divide",
        lambda s, d, i: s.shape == d.shape and s.shape[0] % _size(i) == 0,
    ),
)


def _permute(waiting: Waiting) -> None:
    meeting = Meeting(waiting, sources)
    for run, i in meeting:
        for source, target in i["source_target_pairs"]:
            if target == rank_of(run):
                put(run, i["dsts"][0], meeting.from_rank(source, run)[0])


PERMUTE = _opcode(
    "collective_permute",
    _permute,
    ONE_TENSOR,
    PAIRS,
    HBM_ONLY,
    extents("source and destination have one shape", lambda s, d, _: s.shape == d.shape),
    requires(
        "permutation",
        "a rank sends once and receives once",
        lambda i: all(len(set(side)) == len(side) for side in zip(*i["source_target_pairs"], strict=True)),
        "distinct sources, distinct targets",
        lambda i: i["source_target_pairs"],
        DOCUMENT,
    ),
)


def all_reduce(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    op: Operator,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Reduce across ranks; each gets all of the result. See `nki.collectives.all_reduce`."""
    return ALL_REDUCE.issue(srcs=srcs, dsts=dsts, replica_group=replica_group, op=op, priority=priority, name=name)


def all_gather(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Concatenate what ranks give; each gets all of it. See `nki.collectives.all_gather`."""
    return ALL_GATHER.issue(
        srcs=srcs, dsts=dsts, replica_group=replica_group, collective_dim=collective_dim, priority=priority, name=name
    )


def reduce_scatter(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    op: Operator,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Reduce across ranks; each gets a part of the result. See `nki.collectives.reduce_scatter`."""
    return REDUCE_SCATTER.issue(
        srcs=srcs, dsts=dsts, replica_group=replica_group, collective_dim=collective_dim, op=op, priority=priority, name=name
    )


def all_to_all(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    collective_dim: int,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Give each rank a part of every rank's data. See `nki.collectives.all_to_all`."""
    return ALL_TO_ALL.issue(
        srcs=srcs, dsts=dsts, replica_group=replica_group, collective_dim=collective_dim, priority=priority, name=name
    )


def collective_permute(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    source_target_pairs: list[tuple[int, int]],
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """
    Send from rank to rank; one that is no target keeps its destination.

    See `nki.collectives.collective_permute`.
    """
    pairs = tuple((source, target) for source, target in source_target_pairs)
    return PERMUTE.issue(srcs=srcs, dsts=dsts, source_target_pairs=pairs, priority=priority, name=name)
