"""One core while it runs: its registers and accumulators, and how executors reach them and its memories."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import BY_STORAGE, from_float32, to_float32
from ..engines import engine
from ..errors import KernelError, OutOfBoundsError, UninitializedReadError
from ..options import Options
from ..program.instruction import Instruction
from ..registers import RuntimeValue, evaluate
from ..tensor.geometry import Geometry
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from ..tensor.view import Indirection, View
from .columns import Columns, group_of, is_columns, needed
from .memories import Memories
from .memory import Buffer

__all__ = ["Run"]

Array = NDArray[Any]
Float32 = NDArray[np.float32]
_BLOCK: Final = 1 << 14  # elements that are converted at once, so that what is in between stays in a cache


class Run:
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
    memories : Memories
        Its own, and the HBM.
    registers : dict
        Values of registers, by number.
    accumulators : dict
        Reduce registers of each engine: one float32 per partition.
    state : dict
        What else an engine keeps between instructions, such as random generators; keys are the opcode families' own.
    output : list of str
        What nl.device_print printed.
    """

    def __init__(self, options: Options, core: int = 0, hbm: dict[Storage, Buffer] | None = None) -> None:
        self.options, self.core, self.knobs = options, core, options.knobs
        self.memories = Memories(options.uninitialized, hbm)
        self.registers: dict[int, int] = {}
        self.accumulators: dict[engine, Float32] = {}
        self.state: dict[str, Any] = {}
        self.output: list[str] = []
        self.current: Instruction | None = None

    def step(self, instruction: Instruction) -> None:
        """
        Execute one instruction.

        Parameters
        ----------
        instruction : Instruction
            What to execute.
        """
        self.current = instruction
        instruction.opcode.execute(self, instruction)

    def value(self, value: RuntimeValue | int) -> int:
        """
        Evaluate a register or scalar.

        Parameters
        ----------
        value : int, VirtualRegister or NkiScalar
            What to evaluate.

        Returns
        -------
        int
            Its value.

        Raises
        ------
        UninitializedReadError
            If no instruction has set a register that it needs.
        """
        try:
            return evaluate(value, self.registers)
        except KeyError as error:
            raise UninitializedReadError(
                f"{self._what()}: register {error.args[0]} was never set; give register_alloc a value, or load one first", self._where()
            ) from None

    def locate(self, view: View) -> tuple[Buffer, Geometry]:
        """
        Where a view is now.

        Parameters
        ----------
        view : NkiTensor
            With at most a scalar run-time index; other kinds are `index_of`'s.

        Returns
        -------
        tuple
            Its memory, and its geometry there.
        """
        buffer = self.memories.buffer(view._storage)
        if view._indirection is None:
            return buffer, buffer.at(view._bytes)
        return buffer, buffer.at(view._bytes, self._moved(view, view._indirection))

    def _moved(self, view: View, by: Indirection) -> int:
        if by.kind != "scalar":
            raise KernelError(f"{self._what()}: a {by.kind} index is not supported by this instruction", self._where())
        index = int(self.read(by.source).reshape(-1)[0]) if isinstance(by.source, View) else self.value(by.source)
        geometry, storage = view._bytes, view._storage
        moved = index * by.stride * geometry.dtype.itemsize
        column = geometry.offset % storage.pitch + moved if storage.on_chip else geometry.offset + moved
        inner = 1 if storage.on_chip else 0
        last = (
            column
            + sum((c - 1) * s for c, s in zip(geometry.shape[inner:], geometry.strides[inner:], strict=True))
            + geometry.dtype.itemsize
        )
        if not 0 <= index < by.extent or column < 0 or last > storage.nbytes:
            raise OutOfBoundsError(
                f"{self._what()}: run-time index {index} leads out of {storage!r} (it is below {by.extent}, "
                f"and bytes {column}..{last} are within {storage.nbytes})",
                self._where(),
            )
        return moved

    def read(self, view: View) -> Array:
        """
        Read stored elements, not copied; an error if one was never written.

        Parameters
        ----------
        view : NkiTensor
            What to read.

        Returns
        -------
        np.ndarray
            In the storage dtype. Do not write to it.
        """
        if is_columns(view):
            return self.gather(view)
        buffer, at = self.locate(view)
        if buffer.written is not None and not buffer.written.has_all(at):
            self.unwritten(view, buffer.written.elements(at))
        return buffer.array(at)

    def gather(self, view: View, offsets: NDArray[np.intp] | None = None) -> Array:
        """
        Read columns; an error if an element was never written.

        Parameters
        ----------
        view : View
            Of which `is_columns` is true; or a tile, if offsets are given.
        offsets : np.ndarray, optional
            Columns, by default those of the view.

        Returns
        -------
        np.ndarray
            A copy, in the storage dtype.
        """
        cells = self.columns(view, offsets)
        if cells.buffer.written is not None and not (written := cells.members(cells.buffer.written)).all():
            self.unwritten(view, written)
        return cells.values()

    def offsets(self, view: View) -> NDArray[np.intp]:
        """
        Read and check the offsets of a view that selects columns.

        Parameters
        ----------
        view : View
            Of which `is_columns` is true.

        Returns
        -------
        np.ndarray
            Columns, of shape (partitions, offsets) or (1, offsets).

        Raises
        ------
        OutOfBoundsError
            For an offset beyond the tile.
        KernelError
            If groups of partitions hold different offsets and the knobs do not say what that means.
        """
        by, reading = view._indirection, self.knobs.indirect_offsets
        assert by is not None
        assert self.current is not None
        assert isinstance(by.source, View)
        group = group_of(self.current.engine)
        rows, columns = needed(view.shape[1], view.shape[0], group, reading == "first")
        buffer, at = self.locate(by.source)
        if buffer.written is not None and not buffer.written.has_all(at):
            written = np.ones(at.shape, np.bool_)
            written[rows, columns] = buffer.written.elements(at)[rows, columns]
            if not written.all():
                self.unwritten(by.source, written)
        found: NDArray[np.intp] = buffer.array(at)[rows, columns].astype(np.intp)
        if reading == "same" and (found != found[0]).any():
            raise KernelError(
                f"{self._what()}: groups of {group} partitions of {by.source!r} hold different offsets; whether each group uses its own or "
                "all use the first group's is undocumented: give all groups the same, or set the knob indirect_offsets",
                self._where(),
            )
        if ((found < 0) | (found >= by.extent)).any():
            wrong = int(found[(found < 0) | (found >= by.extent)][0])
            raise OutOfBoundsError(f"{self._what()}: offset {wrong} leads out of {view!r}, which has {by.extent} columns", self._where())
        return found[:1] if reading != "own" else np.repeat(found, group, axis=0)[: view.shape[0]]

    def columns(self, view: View, offsets: NDArray[np.intp] | None = None) -> Columns:
        """
        Where the elements of a view that selects columns are.

        Parameters
        ----------
        view : View
            Of which `is_columns` is true; or a tile, if offsets are given.
        offsets : np.ndarray, optional
            Columns, by default those of the view.

        Returns
        -------
        Columns
            Their memory and places.
        """
        buffer, at, by = self.memories.buffer(view._storage), view._bytes, view._indirection
        extent = view.shape[1] if by is None else by.extent
        table = buffer.at(at._replace(shape=(view.shape[0], extent), whole=False))
        return Columns(buffer, table, (np.arange(view.shape[0])[:, None], self.offsets(view) if offsets is None else offsets))

    def unwritten(self, view: View, written: NDArray[np.bool_]) -> None:
        """
        Refuse a read of what was never written.

        Parameters
        ----------
        view : NkiTensor
            What was read.
        written : np.ndarray
            Which elements were written.
        """
        first = tuple(int(i) for i in np.argwhere(~written)[0])
        made = view._storage
        raise UninitializedReadError(
            f"{self._what()} reads element {first} of {view!r}, which was never written "
            f"({int(written.size - written.sum())} of {written.size} elements); {made!r} was made at {made.where}",
            self._where(),
        )

    def peek(self, view: View) -> object:
        """
        Look at elements without reading them: those never written are masked.

        Parameters
        ----------
        view : View
            What to look at.

        Returns
        -------
        object
            A masked array; a note for a view whose place only an instruction knows.
        """
        if view._indirection is not None and view._indirection.kind != "scalar":
            return "(selected at run time)"
        buffer, at = self.locate(view)
        values = buffer.array(at)
        shown = values if values.dtype.kind in "iuf" else to_float32(values)
        return np.ma.masked_array(shown, False if buffer.written is None else ~buffer.written.elements(at))

    def float32(self, view: View) -> Float32:
        """
        Read elements as an engine computes with them.

        Parameters
        ----------
        view : NkiTensor
            What to read.

        Returns
        -------
        np.ndarray
            Float32. Do not write to it.
        """
        return to_float32(self.read(view))

    def destination(self, view: View) -> Array:
        """
        Get at elements that will be written; they count as written from now.

        Parameters
        ----------
        view : NkiTensor
            What will be written, all of it.

        Returns
        -------
        np.ndarray
            In the storage dtype.
        """
        buffer, at = self.locate(view)
        if buffer.written is not None:
            buffer.written.add(at)
        if buffer.multiplied is not None:
            buffer.multiplied.remove(at)
        return buffer.array(at)

    def rounded(self, values: Float32, dtype: str) -> Array:
        """
        Round float32 results into a dtype, NaN as the knobs say.

        Parameters
        ----------
        values : np.ndarray
            Results.
        dtype : str
            Not a packed dtype.

        Returns
        -------
        np.ndarray
            In the storage dtype.
        """
        return from_float32(values, dtype, self.knobs.nan_to_integer)

    def write(self, view: View, values: Float32) -> None:
        """
        Round float32 results into a view.

        Parameters
        ----------
        view : NkiTensor
            Where to.
        values : np.ndarray
            Results, with as many elements in the same order.
        """
        if is_columns(view):
            self.columns(view).write(self.rounded(values.reshape(view.shape), view.dtype))
            return
        self._store(self.destination(view), values, view.dtype)

    def compute(
        self, view: View, operands: Sequence[Array], function: Callable[..., Array], *, exact: bool = False, in_place: bool = True
    ) -> None:
        """
        Compute in float32 and round into a view; without a detour where it stores the results as they are.

        Parameters
        ----------
        view : NkiTensor
            Where to.
        operands : sequence of np.ndarray
            Stored elements that were read: the first has the shape of the results, others that shape, a value per partition, or one.
        function : callable
            Takes the operands in float32 and, as `out`, an array to compute into or None; returns the results, that array or another.
        exact : bool, optional
            Whether every dtype holds the results.
        in_place : bool, optional
            Whether the function makes use of `out`.
        """
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
        cast = BY_STORAGE.get(target.dtype) == dtype and target.dtype.kind not in "iu"
        target[...] = values if cast else self.rounded(values, dtype)

    def compute_bits(self, view: View, like: Array, function: Callable[[Array | None], Array]) -> None:
        """
        Write stored elements; into the memory of a view at once where they have its shape.

        Parameters
        ----------
        view : NkiTensor
            Where to; of elements as wide.
        like : np.ndarray
            Has shape and dtype of the results.
        function : callable
            Takes an array to compute into, or None, and returns the results; as of `compute`.
        """
        if view.shape == like.shape and not is_columns(view):
            function(self.destination(view).view(like.dtype))
        else:
            self.write_bits(view, function(None))

    def write_bits(self, view: View, values: Array) -> None:
        """
        Write stored elements as they are.

        Parameters
        ----------
        view : NkiTensor
            Where to; of the same storage dtype.
        values : np.ndarray
            With as many elements in the same order.
        """
        if is_columns(view):
            self.columns(view).write(values.reshape(view.shape))
            return
        target = self.destination(view)
        target[...] = values if values.shape == target.shape else values.reshape(target.shape)

    def write_where(self, view: View, values: Array, selected: NDArray[np.bool_]) -> None:
        """
        Write some of the stored elements; the others stay, written or not.

        Parameters
        ----------
        view : NkiTensor
            Where to; of the same storage dtype.
        values : np.ndarray
            Of the shape of the view, or broadcast to it.
        selected : np.ndarray
            Which elements to write: one bool for each.
        """
        if is_columns(view):
            self.columns(view).write(values, selected)
            return
        buffer, at = self.locate(view)
        if buffer.written is not None:
            buffer.written.put(at, selected, True)
        if buffer.multiplied is not None:
            buffer.multiplied.put(at, selected, False)
        np.copyto(buffer.array(at), values, where=selected)

    def scalar(self, operand: NkiTensor | float, data: NkiTensor) -> Float32 | np.float32:
        """
        Read an operand that is a constant or one value per partition.

        Parameters
        ----------
        operand : NkiTensor or float
            The operand.
        data : NkiTensor
            What it is combined with.

        Returns
        -------
        np.ndarray or np.float32
            Broadcasts against `data`.
        """
        if isinstance(operand, NkiTensor):
            return self.float32(operand).reshape(-1, *[1] * (data.ndim - 1))
        return np.float32(operand)

    def accumulator(self, of: engine) -> Float32:
        """
        Reduce registers of an engine.

        Parameters
        ----------
        of : engine
            Vector or Scalar Engine.

        Returns
        -------
        np.ndarray
            One float32 per partition, to be changed in place; NaN until an instruction sets them, since a kernel finds what others left.
        """
        if of not in self.accumulators:
            self.accumulators[of] = np.full(128, np.nan, np.float32)
        return self.accumulators[of]

    def _what(self) -> str:
        current = self.current
        return "returning" if current is None else current.opcode.name + (f" {current.name!r}" if current.name else "")

    def _where(self) -> object:
        return None if self.current is None else self.current.where
