"""
Collectives of parts whose sizes are known only when they run.

Where the documents allow all_to_all_v only among certain devices of an instance, ranks here have no devices: that is not checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..engines import engine as engines
from ..errors import OutOfBoundsError
from ..isa.rules import in_dtypes, requires, since
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..tensor.nkitensor import NkiTensor
from .exchange import put
from .group import Meeting, ReplicaGroup, Waiting, never, rank_of
from .rules import DOCUMENT, HBM_ONLY, ONE_TENSOR, PAIRS, PRIORITY

__all__ = ["all_gather_v", "all_to_all_v"]

Array = NDArray[Any]


def _row(i: Instruction, number: int) -> NkiTensor:
    table: NkiTensor = i["metadata_tensor"]
    row: NkiTensor = table[:, number] if table._storage.on_chip else table[number]
    return row


def _chunk(tensor: NkiTensor, first: int, count: int, room: int, i: Instruction) -> NkiTensor | None:
    if first + count > tensor.size or count > room:
        raise OutOfBoundsError(
            f"{i.opcode.name}: {count} elements from {first} are not within {min(room, tensor.size)} of {tensor!r}", i.where
        )
    return tensor.reshape((tensor.size,))[first : first + count] if count else None


def _send(each: bool) -> Callable[[Run, Instruction], dict[int, Array]]:
    """Read the chunk for each rank; the same one for all unless each has its own."""

    def send(run: Run, i: Instruction) -> dict[int, Array]:
        group, src = i["replica_group"].of(rank_of(run)), i["srcs"][0]
        chunks = {}
        for column, rank in enumerate(group):
            at = column if each else 0
            count, first = (int(run.read(_row(i, number)[..., at : at + 1]).item()) for number in (0, 1))
            view = _chunk(src, first, count, src.size, i)
            chunks[rank] = np.empty(0, src._bytes.dtype) if view is None else run.read(view).copy()
        return chunks

    return send


def _among(each: bool) -> Callable[[Waiting], None]:
    def together(waiting: Waiting) -> None:
        meeting = Meeting(waiting, _send(each))
        for run, i in meeting:
            group, dst = i["replica_group"].of(rank_of(run)), i["dsts"][0]
            if not group:
                continue
            received = [meeting.from_rank(rank, run)[rank_of(run)] for rank in group]
            slot = dst.size // len(group)
            first = run.read(_row(i, 3)).reshape(-1) if i["has_rdispls"] else np.arange(len(group)) * slot
            for chunk, begin in zip(received, first, strict=True):
                view = _chunk(dst, int(begin), chunk.size, dst.size if i["has_rdispls"] else slot, i)
                if view is not None:
                    put(run, view, chunk)
            if not i["recv_counts_known"]:
                run.write_bits(_row(i, 2), np.array([chunk.size for chunk in received], np.uint32))

    return together


def _table(i: Instruction) -> tuple[int, ...]:
    table = (4 if i["has_rdispls"] else 3, i["replica_group"].size)
    return (1, *table) if i["metadata_tensor"]._storage.on_chip else table


def _opcode(name: str, each: bool) -> Opcode:
    return Opcode(
        name,
        writes=("dsts", "metadata_tensor"),
        reads=("srcs", "metadata_tensor"),
        engines=(engines.dma,),
        execute=never,
        together=_among(each),
        rules=(
            ONE_TENSOR,
            PAIRS,
            HBM_ONLY,
            in_dtypes("metadata_tensor", ("uint32",), DOCUMENT),
            requires(
                "metadata shape",
                "the table has three rows, or four with displacements, and a column for each rank",
                lambda i: i["metadata_tensor"].shape == _table(i),
                "(rows, ranks), in SBUF (1, rows, ranks)",
                lambda i: i["metadata_tensor"].shape,
                DOCUMENT,
            ),
            since(4, "has_rdispls", lambda i: i["has_rdispls"], DOCUMENT),
            *PRIORITY,
        ),
    )


GATHER_V, TO_ALL_V = _opcode("all_gather_v", each=False), _opcode("all_to_all_v", each=True)


def all_gather_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Give every rank a chunk of each; sizes are known when it runs. See `nki.collectives.all_gather_v`."""
    return GATHER_V.issue(
        srcs=srcs,
        dsts=dsts,
        replica_group=replica_group,
        metadata_tensor=metadata_tensor,
        recv_counts_known=recv_counts_known,
        has_rdispls=has_rdispls,
        priority=priority,
        name=name,
    )


def all_to_all_v(
    srcs: list[NkiTensor],
    dsts: list[NkiTensor],
    replica_group: ReplicaGroup,
    metadata_tensor: NkiTensor,
    recv_counts_known: bool = False,
    has_rdispls: bool = False,
    priority: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """
    Give each rank a chunk of its own of every rank's data; sizes are known when it runs.

    See `nki.collectives.all_to_all_v`.
    """
    return TO_ALL_V.issue(
        srcs=srcs,
        dsts=dsts,
        replica_group=replica_group,
        metadata_tensor=metadata_tensor,
        recv_counts_known=recv_counts_known,
        has_rdispls=has_rdispls,
        priority=priority,
        name=name,
    )
