"""Collectives of variable length in two steps: the first reads the table of sizes, the second moves the data."""

from __future__ import annotations

from dataclasses import replace

from ..errors import KernelError
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..program.program import walk
from ..program.trace import current_trace
from ..source import calling_line
from ..tensor.nkitensor import NkiTensor
from .group import ReplicaGroup
from .variable import GATHER_V, TO_ALL_V

__all__ = ["all_gather_v_prepare", "all_gather_v_trigger", "all_to_all_v_prepare", "all_to_all_v_trigger"]


def _prepare(instruction: Instruction) -> NkiInstruction:
    """Hold a collective back until it is triggered."""
    trace = current_trace(instruction.opcode.name)
    if trace.prepared is not None:
        raise KernelError(
            f"{instruction.opcode.name}_prepare: another is prepared and not triggered yet (at {trace.prepared.instruction.where}); "
            "prepares share one slot",
            instruction.where,
        )
    return trace.prepare(instruction)


def _trigger(opcode: Opcode, handle: NkiInstruction, name: str | None) -> NkiInstruction:
    """Record what was prepared; nothing has changed the table that the first step has read."""
    trace, where = current_trace(opcode.name), calling_line()
    held, trace.prepared = trace.prepared, None
    if held is None or held.instruction is not handle.handle or held.instruction.opcode is not opcode:
        raise KernelError(f"{opcode.name}_trigger: takes the instruction that {opcode.name}_prepare returned last, once", where)
    if held.nodes is not trace.nodes:
        raise KernelError(f"{opcode.name}_trigger: a prepare and its trigger are in the same body", where)
    table = held.instruction["metadata_tensor"]._storage
    for node, _ in walk(tuple(trace.nodes[held.position :])):
        if isinstance(node, Instruction) and any(view._storage is table for view in node.writes):
            raise KernelError(
                f"{opcode.name}_trigger: {node.opcode.name} writes metadata_tensor after the prepare has read it (at {node.where}); "
                "write it before the prepare",
                where,
            )
    return trace.record(replace(held.instruction, serial=trace.next_serial(), where=where, name=name))


def all_gather_v_prepare(
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
    Begin an `all_gather_v`: the table of sizes is read, the data need not be there yet.

    See `nki.collectives.all_gather_v_prepare`.
    """
    return _prepare(
        GATHER_V.make(
            srcs=srcs,
            dsts=dsts,
            replica_group=replica_group,
            metadata_tensor=metadata_tensor,
            recv_counts_known=recv_counts_known,
            has_rdispls=has_rdispls,
            priority=priority,
            name=name,
        )
    )


def all_gather_v_trigger(prepare_instr: NkiInstruction, name: str | None = None) -> NkiInstruction:
    """Complete an `all_gather_v`. See `nki.collectives.all_gather_v_trigger`."""
    return _trigger(GATHER_V, prepare_instr, name)


def all_to_all_v_prepare(
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
    Begin an `all_to_all_v`: the table of sizes is read, the data need not be there yet.

    See `nki.collectives.all_to_all_v_prepare`.
    """
    return _prepare(
        TO_ALL_V.make(
            srcs=srcs,
            dsts=dsts,
            replica_group=replica_group,
            metadata_tensor=metadata_tensor,
            recv_counts_known=recv_counts_known,
            has_rdispls=has_rdispls,
            priority=priority,
            name=name,
        )
    )


def all_to_all_v_trigger(prepare_instr: NkiInstruction, name: str | None = None) -> NkiInstruction:
    """Complete an `all_to_all_v`. See `nki.collectives.all_to_all_v_trigger`."""
    return _trigger(TO_ALL_V, prepare_instr, name)
