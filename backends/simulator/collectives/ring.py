"""Permutation round the ring of a group: each rank sends to the next and receives from the one before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..engines import engine as engines
from ..isa.rules import requires
from ..machine.run import Run
from ..operators import Operator
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode, Rule
from ..program.trace import current_trace
from ..registers import NkiScalar, RuntimeValue
from ..tensor.nkitensor import NkiTensor
from .exchange import combine_ranks, put, sources
from .group import Meeting, ReplicaGroup, Waiting, never, rank_of
from .rules import DOCUMENT, ONE_MEMORY, OP, PAIRS, PRIORITY, extents

__all__ = ["collective_permute_implicit", "collective_permute_implicit_current_processing_rank_id", "collective_permute_implicit_reduce"]

Channels = list[list[NkiTensor]]
CHANNELS_MAX: Final = 4


def _behind(i: Instruction, rank: int, steps: int) -> int | None:
    """Rank so many steps before another on its ring; None if that is in no group."""
    group: tuple[int, ...] = i["replica_group"].of(rank)
    return group[(group.index(rank) - steps) % len(group)] if group else None


def _round(send: Callable[[Run, Instruction], Any]) -> Callable[[Waiting], None]:
    def together(waiting: Waiting) -> None:
        meeting = Meeting(waiting, send)
        for run, i in meeting:
            before = _behind(i, rank_of(run), 1)
            if before is not None:
                for dst, values in zip(i["dsts"], meeting.from_rank(before, run), strict=True):
                    put(run, dst, values)

    return together


def _reduced(run: Run, i: Instruction) -> list[Any]:
    pairs = zip(sources(run, i), i["others"], i["dsts"], strict=True)
    return [combine_ranks(i["op"], [first, run.read(other)], dst.dtype) for first, other, dst in pairs]


def _current(run: Run, i: Instruction) -> None:
    behind = _behind(i, rank_of(run), run.value(i["iteration_id"]))
    run.registers[i["dst"].state] = rank_of(run) if behind is None else behind


_CHANNEL_RULES: Final[tuple[Rule, ...]] = (
    requires(
        "channels",
        "channels are numbered from 0, up to four, with one tensor each",
        lambda i: (
            1 <= len(i["channel_ids"]) <= CHANNELS_MAX
            and list(i["channel_ids"]) == list(range(len(i["channel_ids"])))
            and all(len(tensors) == 1 for tensors in i["channels"])
            and len(i["srcs"]) == len(i["dsts"]) == len(i["channel_ids"])
        ),
        "[0], [0, 1], [0, 1, 2] or [0, 1, 2, 3]",
        lambda i: f"{i['channel_ids']} with {[len(tensors) for tensors in i['channels']]} tensors",
        DOCUMENT,
    ),
    PAIRS,
    ONE_MEMORY,
    extents("source and destination have one shape", lambda s, d, _: s.shape == d.shape),
)
IMPLICIT = Opcode(
    "collective_permute_implicit",
    writes=("dsts",),
    reads=("srcs",),
    engines=(engines.dma,),
    execute=never,
    together=_round(sources),
    rules=(*_CHANNEL_RULES, *PRIORITY),
)
IMPLICIT_REDUCE = Opcode(
    "collective_permute_implicit_reduce",
    writes=("dsts",),
    reads=("srcs", "others"),
    engines=(engines.dma,),
    execute=never,
    together=_round(_reduced),
    rules=(
        *_CHANNEL_RULES,
        OP,
        requires(
            "operands",
            "both operands of a channel have one shape, dtype and memory",
            lambda i: (
                [(v.shape, v.dtype, v._storage.on_chip) for v in i["srcs"]] == [(v.shape, v.dtype, v._storage.on_chip) for v in i["others"]]
            ),
            "equal pairs",
            lambda i: (i["srcs"], i["others"]),
            DOCUMENT,
        ),
        *PRIORITY,
    ),
)
CURRENT = Opcode(
    "collective_permute_implicit_current_processing_rank_id",
    writes=(),
    reads=(),
    engines=(engines.sync,),
    execute=_current,
    rules=(
        requires(
            "channel", "channels are 0 to 3", lambda i: i["channel_id"] in range(CHANNELS_MAX), "0..3", lambda i: i["channel_id"], DOCUMENT
        ),
    ),
)


def _flat(channels: Channels) -> list[NkiTensor]:
    return [tensor for tensors in channels for tensor in tensors]


def collective_permute_implicit(
    srcs_by_channel: Channels,
    dsts_by_channel: Channels,
    replica_group: ReplicaGroup,
    channel_ids: list[int] = [0],  # noqa: B006  NKI's signature; it is not changed
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """
    Send to the next rank of the ring and receive from the one before.

    See `nki.collectives.collective_permute_implicit`.

    Notes
    -----
    Hardware chooses the rings by its topology; here all channels go round in the order of the group. Kernels that ask for
    the current rank work with either.
    """
    return IMPLICIT.issue(
        srcs=_flat(srcs_by_channel),
        dsts=_flat(dsts_by_channel),
        channels=(*srcs_by_channel, *dsts_by_channel),
        replica_group=replica_group,
        channel_ids=tuple(channel_ids),
        priority=priority,
        name=name,
    )


def collective_permute_implicit_reduce(
    srcs0_by_channel: Channels,
    srcs1_by_channel: Channels,
    dsts_by_channel: Channels,
    replica_group: ReplicaGroup,
    op: Operator,
    channel_ids: list[int] = [0],  # noqa: B006  NKI's signature; it is not changed
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """
    Combine two tensors, send the result to the next rank of the ring and receive that of the one before.

    See `nki.collectives.collective_permute_implicit_reduce`.
    """
    return IMPLICIT_REDUCE.issue(
        srcs=_flat(srcs0_by_channel),
        others=_flat(srcs1_by_channel),
        dsts=_flat(dsts_by_channel),
        channels=(*srcs0_by_channel, *srcs1_by_channel, *dsts_by_channel),
        replica_group=replica_group,
        op=op,
        channel_ids=tuple(channel_ids),
        priority=priority,
        name=name,
    )


def collective_permute_implicit_current_processing_rank_id(
    iteration_id: int | RuntimeValue, replica_group: ReplicaGroup, channel_id: int = 0, name: str | None = None
) -> NkiScalar:
    """
    Whose data a rank has after some steps round the ring.

    See `nki.collectives.collective_permute_implicit_current_processing_rank_id`.
    """
    scalar = NkiScalar(current_trace("rank_id").register())
    CURRENT.issue(dst=scalar, iteration_id=iteration_id, replica_group=replica_group, channel_id=channel_id, name=name)
    return scalar
