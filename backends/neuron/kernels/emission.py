"""What a kernel gets to emit a stage: its operands and results in HBM, what is fused with it, and its share of the instructions."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..plan.plan import Attached, KernelStage
from .epilogue import Functions, Fused
from .hbm import Hbm
from .sbuf import PARTITIONS
from .scalars import Scalars

__all__ = ["Emission", "result_dtype"]


class Emission(NamedTuple):
    """
    A stage to emit.

    Attributes
    ----------
    stage : KernelStage
        Which kernel, and what is attached to it.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.
    budget : int
        Instructions that it may have.
    hbm : Hbm
        Where it takes further tensors from.
    """

    stage: KernelStage
    tensors: list[Any]
    scalars: Scalars
    budget: int
    hbm: Hbm

    def result(self, shape: tuple[int, ...], number: int = 0) -> Any:
        """Shape the tensor that a result goes to."""
        return self.tensors[self.stage.results[number]].reshape(shape)

    def number(self, place: int) -> Any:
        """Find a number of the launch that the kernel takes, as a column."""
        return self.scalars.of_launch(*self.stage.numbers[place])

    def source(self, number: int, shape: tuple[int, ...]) -> Any:
        """Look at an operand."""
        attached = self.prologue(number)
        tensor = self.tensors[self.stage.sources[number]].reshape(shape)
        if attached is None:
            return tensor
        functions = self.functions(attached)
        loads = [access for access in attached.rows.loads if not functions.is_common(access)]
        others = [self.tensors[access.tensor].reshape(shape) for access in loads if access.tensor is not None]
        return Fused(functions, result_dtype(attached), tensor, *others)

    def prologue(self, number: int) -> Attached | None:
        """Look up the functions of an operand."""
        return self.stage.prologues[number] if self.stage.prologues else None

    def functions(self, attached: Attached, spread: tuple[int, int] = (PARTITIONS, 1)) -> Functions:
        """Prepare attached functions, of tiles whose rows lie as `Functions` says."""
        return Functions(attached, self.tensors, self.scalars, spread)


def result_dtype(attached: Attached) -> str:
    """Find the dtype of what takes the place of the given register."""
    place = attached.results[0] - len(attached.rows.given) - len(attached.rows.loads)
    return attached.rows.computes[place].dtype
