"""Ranks: who they are, and how they meet."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Final

from numpy.typing import NDArray

from ..engines import engine as engines
from ..errors import KernelError
from ..machine.run import Run
from ..program.instruction import Instruction
from ..program.opcode import Opcode
from ..program.trace import current_trace
from ..registers import NkiScalar
from ..tensor.objects import NKIObject

__all__ = ["Meeting", "ReplicaGroup", "never", "rank_id", "rank_of", "rg_partition_op"]

Array = NDArray[Any]
Waiting = list[tuple[Run, Instruction]]


class rg_partition_op(Enum):  # noqa: N801
    """How ranks are mapped to the lists of a `ReplicaGroup`: by the quotient, the remainder or the common bits."""

    div = "div"
    mod = "mod"
    bitwise_and = "bitwise_and"


_PARTITION: Final[dict[rg_partition_op, Callable[[int, int], int]]] = {
    rg_partition_op.div: operator.floordiv,
    rg_partition_op.mod: operator.mod,
    rg_partition_op.bitwise_and: operator.and_,
}


class ReplicaGroup(NKIObject):
    """
    Ranks that take part in a collective, in lists that do not overlap.

    Parameters
    ----------
    groups : list of list of int
        Ranks of each group, as many in each; in the order of the data.

    Examples
    --------
    >>> ReplicaGroup([[0, 1], [2, 3]])
    ReplicaGroup([[0, 1], [2, 3]])
    """

    def __init__(self, groups: Sequence[Sequence[int]]) -> None:
        found = tuple(tuple(map(int, group)) for group in groups)
        ranks = [rank for group in found for rank in group]
        if not ranks or len(set(ranks)) < len(ranks) or len(set(map(len, found))) > 1 or min(ranks) < 0:
            raise ValueError(f"groups of ranks are equally long and do not overlap, unlike {groups}")
        super().__init__(groups=found)
        self.groups: tuple[tuple[int, ...], ...] = found

    @staticmethod
    def from_partition_op(world_size: int, op: rg_partition_op, operand: int) -> ReplicaGroup:
        """
        Partition all ranks.

        Examples
        --------
        >>> ReplicaGroup.from_partition_op(8, rg_partition_op.div, 4)
        ReplicaGroup([[0, 1, 2, 3], [4, 5, 6, 7]])
        >>> ReplicaGroup.from_partition_op(8, rg_partition_op.mod, 4)
        ReplicaGroup([[0, 4], [1, 5], [2, 6], [3, 7]])
        """
        if world_size < 1 or (operand < 1 and op is not rg_partition_op.bitwise_and):
            raise ValueError(f"world_size and the operand of div and mod are positive, unlike {world_size} and {operand} of {op.name}")
        lists: dict[int, list[int]] = {}
        for rank in range(world_size):
            lists.setdefault(_PARTITION[op](rank, operand), []).append(rank)
        return ReplicaGroup(list(lists.values()))

    def __repr__(self) -> str:
        return f"ReplicaGroup({list(map(list, self.groups))})"

    @property
    def size(self) -> int:
        """Ranks of a group."""
        return len(self.groups[0])

    def of(self, rank: int) -> tuple[int, ...]:
        """Find the group of a rank."""
        return next((group for group in self.groups if rank in group), ())


def rank_of(run: Run) -> int:
    """Rank that a core belongs to."""
    return int(run.state.get("rank", 0))


def never(run: Run, i: Instruction) -> None:
    """Stand in for the executor of an instruction at which ranks meet."""
    raise KernelError(f"{i.opcode.name}: rank {rank_of(run)} runs it together with the others, not in the eager mode", i.where)


class Meeting:
    """
    Ranks that have reached a collective. A core of a logical core meets those of the same number.

    Parameters
    ----------
    waiting : list of (Run, Instruction)
        Every core of every rank.
    send : callable
        Takes a core and its instruction; reads what it gives to others, before anything is written.
    """

    def __init__(self, waiting: Waiting, send: Callable[[Run, Instruction], Any]) -> None:
        self.waiting = waiting
        first: dict[int, Instruction] = {}
        for run, i in waiting:
            if first.setdefault(run.core, i) is not i:
                other = first[run.core].where
                raise KernelError(f"{i.opcode.name}: ranks meet at different instructions; another is at {other}", i.where)
        self._sent = {(rank_of(run), run.core): send(run, i) for run, i in waiting}

    def __iter__(self) -> Iterator[tuple[Run, Instruction]]:
        return iter(self.waiting)

    def from_rank(self, rank: int, run: Run) -> Any:
        """Find what a rank gives."""
        if (rank, run.core) not in self._sent:
            assert run.current is not None
            raise KernelError(
                f"{run.current.opcode.name}: rank {rank} does not run; use simulator.execute_ranks with one launch per rank",
                run.current.where,
            )
        return self._sent[rank, run.core]


def _rank(run: Run, i: Instruction) -> None:
    run.registers[i["dst"].state] = rank_of(run)


RANK_ID = Opcode("rank_id", writes=(), reads=(), engines=(engines.sync,), execute=_rank)


def rank_id(name: str | None = None) -> NkiScalar:
    """Which rank this is. See `nki.collectives.rank_id`."""
    scalar = NkiScalar(current_trace("rank_id").register())
    RANK_ID.issue(dst=scalar, name=name)
    return scalar
