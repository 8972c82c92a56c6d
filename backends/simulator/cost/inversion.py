"""From what one repeat of a microbenchmark takes to the figure it determines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ..target import Target

__all__ = ["COLUMNS", "INVERSIONS", "LONG_ROW", "Inversion"]

COLUMNS: Final = 512  # elements per partition of the benchmarks that stream
LONG_ROW: Final = 4096  # bytes per partition of the DMA benchmark that streams


class Inversion(NamedTuple):
    """
    How a benchmark gives a figure.

    Attributes
    ----------
    figure : str
        Its name.
    solve : callable
        Takes the ns of a repeat and the target; returns the figure in the unit of its table.
    """

    figure: str
    solve: Callable[[float, Target], float]


def _cycles(engine: str, elements: int = 1, beyond: float = 0) -> Callable[[float, Target], float]:
    return lambda ns, target: max(0.0, ns * target.clock_ghz[engine] - beyond) / elements


INVERSIONS: Final[dict[str, Inversion]] = {
    "matmul_columns": Inversion("nc_matmul/tensor:stream", _cycles("tensor", COLUMNS)),
    "matmul_columns_float32": Inversion("nc_matmul/tensor/float32:stream", _cycles("tensor", COLUMNS)),
    "tensor_tensor_stream": Inversion("tensor_tensor/vector:stream", _cycles("vector", COLUMNS)),
    "tensor_copy_stream": Inversion("tensor_copy/vector:stream", _cycles("vector", COLUMNS)),
    "activation_stream": Inversion("activation/scalar:stream", _cycles("scalar", COLUMNS)),
    "gpsimd_tensor_tensor_stream": Inversion("tensor_tensor/gpsimd:stream", _cycles("gpsimd", COLUMNS, 64)),
    "vector_chain": Inversion("vector_latency", _cycles("vector", beyond=1)),
    "scalar_chain": Inversion("scalar_latency", _cycles("scalar", beyond=1)),
    "dma_rows": Inversion("dma_rate", lambda ns, _: 8 * LONG_ROW / ns),
    "dma_short_rows": Inversion("dma_descriptor", lambda ns, _: ns / 8),
}
