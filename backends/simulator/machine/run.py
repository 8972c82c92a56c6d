"""One core while it runs: what its instructions read, and how executors write to its registers, accumulators and memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import BY_STORAGE, from_float32, to_float32
from ..engines import engine
from ..options import Options
from ..program.instruction import Instruction
from ..tensor.storage import Storage
from ..tensor.view import View
from .columns import is_columns
from .memory import Buffer
from .operands import Operands

__all__ = ["Run"]

Array = NDArray[Any]
Float32 = NDArray[np.float32]
_BLOCK: Final = 1 << 15  # elements that are converted at once, so that what is in between stays in a cache


class Run(Operands):
    """
    One core while it runs.

    Parameters
    ----------
    options : Options
        Target, knobs, what unwritten memory does.
    core : int, optional
        Number of the core.
    hbm : dict, optional
        HBM of the logical core, shared by its cores.

    Attributes
    ----------
    accumulators : dict
        Reduce registers of each engine: one float32 per partition.
    state : dict
        What else an engine keeps between instructions, such as random generators; keys are the opcode families' own.
    output : list of str
        What nl.device_print printed.
    """

    def __init__(self, options: Options, core: int = 0, hbm: dict[Storage, Buffer] | None = None) -> None:
        super().__init__(options, hbm)
        self.core = core
        self.accumulators: dict[engine, Float32] = {}
        self.state: dict[str, Any] = {}
        self.output: list[str] = []

    def step(self, instruction: Instruction) -> None:
        """Execute one instruction."""
        self.current = instruction
        instruction.opcode.execute(self, instruction)

    def destination(self, view: View) -> Array:
        """Get at elements that will be written; they count as written from now."""
        buffer, at = self.locate(view)
        if buffer.written is not None:
            buffer.written.add(at)
        if buffer.multiplied is not None:
            buffer.multiplied.remove(at)
        return buffer.array(at)

    def rounded(self, values: Float32, dtype: str) -> Array:
        """Round float32 results into a dtype, NaN as the knobs say."""
        return from_float32(values, dtype, self.knobs.nan_to_integer)

    def write(self, view: View, values: Float32) -> None:
        """Round float32 results into a view."""
        if is_columns(view):
            self.columns(view).write(self.rounded(values.reshape(view.shape), view.dtype))
            return
        self._store(self.destination(view), values, view.dtype)

    def compute(
        self, view: View, operands: Sequence[Array], function: Callable[..., Array], *, exact: bool = False, in_place: bool = True
    ) -> None:
        """Compute in float32 and round into a view; without a detour where it stores the results as they are."""
        shape = operands[0].shape
        if is_columns(view):
            self.write(view, function(*map(to_float32, operands), out=None))
            return
        target = self.destination(view)
        direct = in_place and target.shape == shape and (exact or view.dtype == "float32")
        plain = direct and all(operand.dtype == np.float32 for operand in operands)
        rows = shape[0] if plain else max(1, _BLOCK * shape[0] // operands[0].size)  # partitions: none is read in the turn of another
        for first in range(0, shape[0], rows):
            part = [to_float32(operand if operand.shape[:1] != shape[:1] else operand[first : first + rows]) for operand in operands]
            out = target[first : first + rows]
            found = function(*part, out=out if direct else None)
            if found is not out:
                self._store(out, found, view.dtype)

    def _store(self, target: Array, values: Float32, dtype: str) -> None:
        """Round; a cast on assignment rounds as from_float32 does and needs no copy, but integers and tfloat32 are not NumPy's casts."""
        if target.shape != values.shape:
            values = values.reshape(target.shape)
        if target.dtype.kind in "iu":
            from_float32(values, dtype, self.knobs.nan_to_integer, target)
        else:
            target[...] = values if BY_STORAGE.get(target.dtype) == dtype else self.rounded(values, dtype)

    def compute_bits(self, view: View, like: Array, function: Callable[[Array | None], Array]) -> None:
        """Write stored elements; into the memory of a view at once where they have its shape."""
        if view.shape == like.shape and not is_columns(view):
            function(self.destination(view).view(like.dtype))
        else:
            self.write_bits(view, function(None))

    def write_bits(self, view: View, values: Array) -> None:
        """Write stored elements as they are."""
        if is_columns(view):
            self.columns(view).write(values.reshape(view.shape))
            return
        target = self.destination(view)
        target[...] = values if values.shape == target.shape else values.reshape(target.shape)

    def write_where(self, view: View, values: Array, selected: NDArray[np.bool_]) -> None:
        """Write some of the stored elements; the others stay, written or not."""
        if is_columns(view):
            self.columns(view).write(values, selected)
            return
        buffer, at = self.locate(view)
        if buffer.written is not None:
            buffer.written.put(at, selected, True)
        if buffer.multiplied is not None:
            buffer.multiplied.put(at, selected, False)
        target = buffer.array(at)
        words = np.dtype(f"u{target.itemsize}")  # by bits: a branch for each element takes eight times as long where the mask alternates
        change = target.view(words) ^ values.astype(target.dtype, copy=False).view(words)
        change &= -selected.astype(words)
        target.view(words)[...] ^= change

    def accumulator(self, of: engine) -> Float32:
        """Reduce registers of an engine."""
        if of not in self.accumulators:
            self.accumulators[of] = np.full(128, np.nan, np.float32)
        return self.accumulators[of]
