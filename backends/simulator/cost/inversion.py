"""From what one repeat of a microbenchmark takes to the figure it determines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ..target import Target

__all__ = ["COLUMNS", "INVERSIONS", "LOADS", "ROW_STEP", "SHORT_ROW", "Inversion"]

COLUMNS: Final = 512  # elements per partition of the benchmarks that stream
LOADS: Final = 16  # of the benchmark whose rows become longer with the repeats
ROW_STEP: Final = 32  # bytes by which they do
SHORT_ROW: Final = 64  # bytes of a short row

_STREAMS: Final = {"vector": "tensor_copy/vector:stream", "scalar": "activation/scalar:stream"}

Known = Callable[[str], float]


class Inversion(NamedTuple):
    """
    How a benchmark gives a figure.

    Attributes
    ----------
    figure : str
        Its name.
    solve : callable
        Takes the ns of a repeat, the target, and a function that looks other figures up, those of benchmarks further up in the table
        as measured; returns the figure in the unit of its table.
    """

    figure: str
    solve: Callable[[float, Target, Known], float]


def _stream(engine: str, extra: str = "") -> Callable[[float, Target, Known], float]:
    """Cycles per element of instructions back to back."""
    overhead = "" if engine == "tensor" else f"{engine}_overhead"
    return lambda ns, target, known: (ns * target.clock_ghz[engine] - sum(known(name) for name in (extra, overhead) if name)) / COLUMNS


def _chain(engine: str) -> Callable[[float, Target, Known], float]:
    """Cycles beyond the one element of an instruction that waits for the one before."""
    return lambda ns, target, known: ns * target.clock_ghz[engine] - known(_STREAMS[engine])


def _semaphore(ns: float, target: Target, known: Known) -> float:
    """Find the hand-over: a repeat is there and back between Vector and Scalar Engine."""
    computing = sum((known(stream) + known(f"{engine}_latency")) / target.clock_ghz[engine] for engine, stream in _STREAMS.items())
    return (ns - computing) / 2


def _descriptor(ns: float, _: Target, known: Known) -> float:
    """Find what a piece takes beyond its bytes: a repeat is eight short rows per engine."""
    return ns / 8 - SHORT_ROW / known("dma_rate")


def _finish(ns: float, target: Target, known: Known) -> float:
    """Find the end of a DMA: a repeat is there and back between SBUF and HBM."""
    issue = known("dma_trigger") if target.generation < 3 else known("dge") + 128 * known("dge_descriptor")
    return ns / 2 - issue - known("dma_start") - 8 * (known("dma_descriptor") + SHORT_ROW / known("dma_rate"))


def _loop(ns: float, target: Target, known: Known) -> float:
    """Find what an iteration costs beyond its one instruction, which is as short as can be."""
    return ns - (64 + known("vector_overhead")) / target.clock_ghz["vector"]


INVERSIONS: Final[dict[str, Inversion]] = {
    "matmul_columns": Inversion("nc_matmul/tensor:stream", _stream("tensor")),
    "matmul_columns_float32": Inversion("nc_matmul/tensor/float32:stream", _stream("tensor")),
    "tensor_tensor_stream": Inversion("tensor_tensor/vector:stream", _stream("vector")),
    "tensor_copy_stream": Inversion("tensor_copy/vector:stream", _stream("vector")),
    "activation_stream": Inversion("activation/scalar:stream", _stream("scalar")),
    "gpsimd_tensor_tensor_stream": Inversion("tensor_tensor/gpsimd:stream", _stream("gpsimd", "tensor_tensor/gpsimd:extra")),
    "vector_chain": Inversion("vector_latency", _chain("vector")),
    "scalar_chain": Inversion("scalar_latency", _chain("scalar")),
    "vector_scalar_chain": Inversion("semaphore", _semaphore),
    "dma_rows": Inversion("dma_rate", lambda ns, _, __: LOADS * 8 * ROW_STEP / ns),
    "dma_short_rows": Inversion("dma_descriptor", _descriptor),
    "dma_single_rows": Inversion("dge", lambda ns, _, known: ns - known("dge_descriptor")),
    "dma_chain": Inversion("dma_finish", _finish),
    "loop_turns": Inversion("loop", _loop),
}
