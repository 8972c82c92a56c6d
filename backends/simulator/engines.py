"""The enumerations of nki.isa, with NKI's own names and values."""

from __future__ import annotations

from enum import Enum

__all__ = ["dge_mode", "dma_engine", "engine", "matmul_perf_mode", "nc_version", "oob_mode", "reduce_cmd"]


class engine(Enum):  # noqa: N801
    """An instruction queue."""

    tensor = 1
    vector = 5
    scalar = 2
    gpsimd = 3
    dma = 4
    sync = 6
    unknown = 0


class reduce_cmd(Enum):  # noqa: N801
    """What an instruction does with the engine's accumulator registers."""

    idle = 0
    reset = 1
    reduce = 2
    reset_reduce = 3
    load_reduce = 4


class dge_mode(Enum):  # noqa: N801
    """Who makes a DMA's descriptors."""

    unknown = 0
    swdge = 1
    hwdge = 2
    none = 3


class oob_mode(Enum):  # noqa: N801
    """What a run-time index out of range does."""

    error = 0
    skip = 1


class matmul_perf_mode(Enum):  # noqa: N801
    """Whether two rows of fp8 are multiplied at once."""

    none = "none"
    double_row = "double_row"


class nc_version(Enum):  # noqa: N801
    """Generation of a NeuronCore."""

    gen2 = 2
    gen3 = 3
    gen4 = 4

    def __lt__(self, other: nc_version) -> bool:
        return bool(self.value < other.value)

    def __le__(self, other: nc_version) -> bool:
        return bool(self.value <= other.value)

    def __gt__(self, other: nc_version) -> bool:
        return bool(self.value > other.value)

    def __ge__(self, other: nc_version) -> bool:
        return bool(self.value >= other.value)


class dma_engine(Enum):  # noqa: N801
    """Who moves the data of a sendrecv."""

    dma = 1
    gpsimd_dma = 2
