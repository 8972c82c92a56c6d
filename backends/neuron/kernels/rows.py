"""Elementwise functions and reductions over rows, fused, tile by tile."""

from __future__ import annotations

from typing import Any, Final

from ...isa import nisa, nl
from ..plan.plan import Access, Compute, RowStage
from .balance import Balance
from .elementwise import EMITTERS, Cost, cast, cast_cost
from .reduce import reduce_tile
from .tiling import PARTITIONS, Tile, tiles

__all__ = ["Scalars", "run_rows"]

# Bytes of a partition that the registers of one tile may take: tiles overlap, and functions need scratch.
_BUDGET: Final = 144 * 1024
_SCRATCH: Final = 12
_WIDEST: Final = 2048
_NARROWEST: Final = 128
_REDUCE: Final = Cost(vector=1.25)


class Scalars:
    """
    Numbers that are the same on all partitions: those of the launch, and constants.

    Parameters
    ----------
    table : NkiTensor, optional
        Words of 32 bits in HBM, one for each scalar.
    """

    def __init__(self, table: Any) -> None:
        self._constants: dict[tuple[str, str], Any] = {}
        self._table = None
        if table is not None:
            self._table = nl.ndarray((PARTITIONS, table.shape[0]), nl.uint32, buffer=nl.sbuf)
            nisa.dma_copy(self._table, table.ap(pattern=[[0, PARTITIONS], [1, table.shape[0]]], offset=0))

    def of_launch(self, place: int, dtype: str) -> Any:
        """
        Find a number that the launch brought.

        Parameters
        ----------
        place : int
            In the table.
        dtype : str
            What it is used as.

        Returns
        -------
        NkiTensor
            (128, 1), float32 for floats.
        """
        assert self._table is not None
        word = self._table[:, place : place + 1]
        if dtype == "uint32":
            return word
        if dtype in ("int32", "int16", "int8", "uint16", "uint8"):
            word = word.view(nl.int32)
            return word if dtype == "int32" else _copied(word, dtype)
        return word.view(nl.float32)

    def offset(self, place: int) -> Any:
        """
        Load an offset that the launch brought.

        Parameters
        ----------
        place : int
            In the table.

        Returns
        -------
        NkiScalar
            Elements.
        """
        assert self._table is not None
        return nisa.scalar_load(self._table[0:1, place : place + 1].view(nl.int32))

    def constant(self, value: float, dtype: str) -> Any:
        """
        Make a number of the program's, once.

        Parameters
        ----------
        value : bool, int or float
            The number.
        dtype : str
            Its dtype.

        Returns
        -------
        NkiTensor
            (128, 1).
        """
        key = (dtype, repr(value))
        if key not in self._constants:
            tile = nl.ndarray((PARTITIONS, 1), dtype, buffer=nl.sbuf)
            nisa.memset(tile, value)
            self._constants[key] = tile
        return self._constants[key]


def _copied(tile: Any, dtype: str) -> Any:
    result = nl.ndarray(tile.shape, dtype, buffer=nl.sbuf)
    cast(result, tile, dtype, str(tile.dtype))
    return result


def _width(stage: RowStage) -> int:
    """Choose how many elements of a tile are on a partition, by how many registers are needed at once."""
    count = len(stage.loads)
    last = dict.fromkeys(range(count), 0)
    for place, compute in enumerate(stage.computes):
        last.update(dict.fromkeys((*compute.inputs, count + place), place))
    last.update({register: len(stage.computes) for register, _ in stage.stores})
    ends = [0] * (len(stage.computes) + 1)
    for place in last.values():
        ends[place] += 1
    alive = most = sum(access.extent == "full" for access in stage.loads)
    for place, compute in enumerate(stage.computes):
        alive += compute.extent == "full"
        most = max(most, alive)
        alive -= ends[place]
    elements = _BUDGET // (4 * (most + _SCRATCH))
    return max(_NARROWEST, min(_WIDEST, 1 << (elements.bit_length() - 1)))


def run_rows(stage: RowStage, tensors: list[Any], scalars: Scalars) -> None:
    """
    Compute a stage.

    Parameters
    ----------
    stage : RowStage
        What.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.

    Notes
    -----
    A tile has up to 128 partitions; elements (or whole rows) lie along the free axis. Loads and stores are DMA with runs as long as the
    layouts allow; functions are on Vector, Scalar and GpSimd Engine. Bound by DMA for a few functions, else by the Vector Engine.
    """
    accesses = [*stage.loads, *(access for _, access in stage.stores)]
    slots = dict.fromkeys(access.slot for access in accesses if access.slot is not None)
    offsets = {slot: scalars.offset(slot) for slot in slots}
    balance = Balance()
    for tile in tiles(stage.dims, _width(stage), stage.columns):
        _Tile(stage, tile, tensors, scalars, offsets, balance).run()


class _Tile:
    def __init__(
        self, stage: RowStage, tile: Tile, tensors: list[Any], scalars: Scalars, offsets: dict[int, Any], balance: Balance
    ) -> None:
        self.stage, self.tile, self.tensors, self.scalars, self.offsets, self.balance = stage, tile, tensors, scalars, offsets, balance
        self.shape = tile.shape
        self.registers: list[Any] = []

    def make(self, extent: str, dtype: str) -> Any:
        """Make a register."""
        return nl.ndarray((self.shape[0], self.shape[1] if extent == "full" else 1), dtype, buffer=nl.sbuf)

    def where(self, access: Access) -> Any:
        """Find the elements of an access in HBM."""
        tensor = self.tensors[access.tensor]
        offset = access.offset + self.tile.offset(access.strides)
        pattern = self.tile.pattern(access.strides)
        if access.extent != "full":
            pattern = [pattern[0], [1, 1]]
        if access.slot is None:
            return tensor.ap(pattern=pattern, offset=offset)
        return tensor.ap(pattern=pattern, offset=offset, scalar_offset=self.offsets[access.slot])

    def run(self) -> None:
        """Load, compute, store."""
        for access in self.stage.loads:
            register = self.make(access.extent, self.tensors[access.tensor].dtype)
            nisa.dma_copy(register, self.where(access))
            self.registers.append(register)
        for compute in self.stage.computes:
            self.registers.append(self.compute(compute))
        for place, access in self.stage.stores:
            register = self.registers[place]
            if register.shape[1] != self.shape[1] and access.extent == "full":
                register = self.spread(register)
            nisa.dma_copy(self.where(access), register)

    def spread(self, register: Any) -> Any:
        """Repeat a number along the free axis."""
        result = self.make("full", register.dtype)
        nisa.tensor_copy(result, register.broadcast(1, self.shape[1]))
        return result

    def compute(self, compute: Compute) -> Any:
        """Emit one step."""
        count = self.shape[0]
        if compute.kind == "scalar":
            assert compute.value is not None
            return self.scalars.of_launch(int(compute.value), compute.dtype)[:count]
        if compute.kind == "fill":
            assert compute.value is not None
            if compute.extent != "full":
                return self.scalars.constant(compute.value, compute.dtype)[:count]
            result = self.make("full", compute.dtype)
            nisa.memset(result, compute.value)
            return result
        inputs = [self.registers[place] for place in compute.inputs]
        result = self.make(compute.extent, compute.dtype)
        if compute.kind == "cast":
            self.balance.take(cast_cost(compute.dtype, compute.loop), result.shape[1])
            cast(result, inputs[0], compute.dtype, compute.loop)
        elif compute.kind == "reduce":
            self.balance.take(_REDUCE, inputs[0].shape[1])
            reduce_tile(compute.name, result, *inputs)
        else:
            self.balance.emit(EMITTERS[compute.name].loops[compute.loop], result, *inputs)
        return result
