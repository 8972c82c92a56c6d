"""What the instructions of one core read: registers, and elements of its memories, which must have been written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import to_float32
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

__all__ = ["Operands"]

Array = NDArray[Any]
Float32 = NDArray[np.float32]


class Operands:
    """
    What the instructions of one core read.

    Parameters
    ----------
    options : Options
        Target, knobs, what unwritten memory does.
    hbm : dict, optional
        HBM of the logical core, shared by its cores.

    Attributes
    ----------
    memories : Memories
        Its own, and the HBM.
    registers : dict
        Values of registers, by number.
    current : Instruction or None
        What is being executed.
    """

    def __init__(self, options: Options, hbm: dict[Storage, Buffer] | None = None) -> None:
        self.options, self.knobs = options, options.knobs
        self.memories = Memories(options.uninitialized, hbm)
        self.registers: dict[int, int] = {}
        self.current: Instruction | None = None

    def value(self, value: RuntimeValue | int) -> int:
        """Evaluate a register or scalar."""
        try:
            return evaluate(value, self.registers)
        except KeyError as error:
            raise UninitializedReadError(
                f"{self._what()}: register {error.args[0]} was never set; give register_alloc a value, or load one first", self._where()
            ) from None

    def locate(self, view: View) -> tuple[Buffer, Geometry]:
        """Where a view is now."""
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
        """Read stored elements, not copied; an error if one was never written."""
        if is_columns(view):
            return self.gather(view)
        buffer, at = self.locate(view)
        if buffer.written is not None and not buffer.written.has_all(at):
            self.unwritten(view, buffer.written.elements(at))
        return buffer.array(at)

    def gather(self, view: View, offsets: NDArray[np.intp] | None = None) -> Array:
        """Read columns; an error if an element was never written."""
        cells = self.columns(view, offsets)
        if cells.buffer.written is not None and not (written := cells.members(cells.buffer.written)).all():
            self.unwritten(view, written)
        return cells.values()

    def float32(self, view: View) -> Float32:
        """Read elements as an engine computes with them."""
        return to_float32(self.read(view))

    def scalar(self, operand: NkiTensor | float, data: NkiTensor) -> Float32 | np.float32:
        """Read an operand that is a constant or one value per partition."""
        if isinstance(operand, NkiTensor):
            return self.float32(operand).reshape(-1, *[1] * (data.ndim - 1))
        return np.float32(operand)

    def offsets(self, view: View) -> NDArray[np.intp]:
        """Read and check the offsets of a view that selects columns."""
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
        """Where the elements of a view that selects columns are."""
        buffer, at, by = self.memories.buffer(view._storage), view._bytes, view._indirection
        extent = view.shape[1] if by is None else by.extent
        table = buffer.at(at._replace(shape=(view.shape[0], extent), whole=False))
        return Columns(buffer, table, (np.arange(view.shape[0])[:, None], self.offsets(view) if offsets is None else offsets))

    def unwritten(self, view: View, written: NDArray[np.bool_]) -> None:
        """Refuse a read of what was never written."""
        first = tuple(int(i) for i in np.argwhere(~written)[0])
        made = view._storage
        raise UninitializedReadError(
            f"{self._what()} reads element {first} of {view!r}, which was never written "
            f"({int(written.size - written.sum())} of {written.size} elements); {made!r} was made at {made.where}; write it before, as by "
            "nisa.memset, or read what is undefined as NaN with simulator.options(uninitialized='nan')",
            self._where(),
        )

    def peek(self, view: View) -> object:
        """Look at elements without reading them: those never written are masked."""
        if view._indirection is not None and view._indirection.kind != "scalar":
            return "(selected at run time)"
        buffer, at = self.locate(view)
        values = buffer.array(at)
        shown = values if values.dtype.kind in "iuf" else to_float32(values)
        return np.ma.masked_array(shown, False if buffer.written is None else ~buffer.written.elements(at))

    def _what(self) -> str:
        current = self.current
        return "returning" if current is None else current.opcode.name + (f" {current.name!r}" if current.name else "")

    def _where(self) -> object:
        return None if self.current is None else self.current.where
