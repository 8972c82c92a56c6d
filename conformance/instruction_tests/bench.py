"""Drawing the operands of a row's kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...backends.simulator.target import Target
from .experiment import Experiment, Fill, Operand
from .layout import draw_layout, plain_layout

__all__ = ["Bench"]


class Bench:
    """
    Draws operands for a row.

    Parameters
    ----------
    integer : callable
        Draws from a closed range.
    target : Target
        The generation.
    variant : str
        Which of the row's variants, as a rule a dtype.
    """

    def __init__(self, integer: Callable[[int, int], int], target: Target, variant: str) -> None:
        self.integer, self.target, self.variant = integer, target, variant
        self.inputs: list[Operand] = []
        self.outputs: list[Operand] = []

    def choose(self, *options: Any) -> Any:
        """Draw one of several values."""
        return options[self.integer(0, len(options) - 1)]

    def partitions(self) -> int:
        """Draw how many partitions."""
        return int(self.choose(3, 128, 64, 32, self.integer(1, 128)))

    def shape(self, axes: int = 3, low: int = 1, high: int = 6) -> tuple[int, ...]:
        """Draw the extents of an on-chip operand."""
        free = self.integer(1, axes)
        extents = (self.choose(high - 1, *range(low, high + 1)) for _ in range(free))
        return (self.partitions(), *(max(low, min(extent, (0, high, 5, 3)[free])) for extent in extents))

    def read(self, shape: tuple[int, ...], dtype: str, memory: str = "any", fill: Fill | None = None, plain: bool = False) -> Operand:
        """Add an input."""
        self.inputs.append(self._operand(shape, dtype, memory, plain, True))
        self.inputs[-1].fill = fill
        return self.inputs[-1]

    def write(self, shape: tuple[int, ...], dtype: str, memory: str = "any", plain: bool = False, prefilled: bool = True) -> Operand:
        """Add an output."""
        self.outputs.append(self._operand(shape, dtype, memory, plain, False))
        self.outputs[-1].prefilled = prefilled
        return self.outputs[-1]

    def _operand(self, shape: tuple[int, ...], dtype: str, memory: str, plain: bool, broadcast: bool) -> Operand:
        place = self.choose("sbuf", "psum") if memory == "any" else memory
        layout = plain_layout(shape) if plain else draw_layout(self.integer, shape, broadcast, place != "hbm")
        return Operand(dtype, place, layout)

    def experiment(
        self,
        body: Callable[..., object],
        reference: Callable[..., Sequence[Any]],
        adjust: Callable[..., object] | None = None,
        notes: str = "",
    ) -> Experiment:
        """Finish."""
        return Experiment(self.target, self.inputs, self.outputs, body, reference, adjust, notes)
