"""
Kernels to be measured on a device; `Calibration` turns their times into figures.

Each is called with an array (128, 4096) of float32 and a number of repeats, 512 at most, and its time is measured for two or more of these,
from few to many: a hundred at least, so that they outlast the DMA of the result. Only the slope counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .inversion import COLUMNS, LOADS, ROW_STEP, SHORT_ROW

__all__ = ["INPUT", "benchmarks"]

INPUT = (128, 4096)
_SHORT, _STEP = SHORT_ROW // 4, ROW_STEP // 4  # elements


def benchmarks(nki: Any, nl: Any, nisa: Any) -> dict[str, Callable[..., Any]]:
    """Make the microbenchmarks."""

    def tile(dtype: Any, columns: int = COLUMNS, buffer: Any = None) -> Any:
        made = nl.ndarray((128, columns), dtype=dtype, buffer=nl.sbuf if buffer is None else buffer)
        if buffer is None:
            nisa.memset(dst=made, value=1.0, engine=nisa.engine.vector)
        return made

    def result(x: Any) -> Any:
        out = nl.ndarray((128, 1), dtype=x.dtype, buffer=nl.shared_hbm)
        nisa.dma_copy(dst=out, src=tile(x.dtype, 1))
        return out

    def matmuls(x: Any, repeats: int, dtype: Any) -> Any:
        stationary, moving = tile(dtype, 128), tile(dtype)
        for _ in range(repeats):
            nisa.nc_matmul(dst=tile(nl.float32, buffer=nl.psum), stationary=stationary, moving=moving)
        return result(x)

    def matmul_columns(x: Any, repeats: int) -> Any:
        return matmuls(x, repeats, nl.bfloat16)

    def matmul_columns_float32(x: Any, repeats: int) -> Any:
        return matmuls(x, repeats, nl.float32)

    def tensor_tensor_stream(x: Any, repeats: int) -> Any:
        a, b, c = tile(nl.float32), tile(nl.float32), tile(nl.float32)
        for _ in range(repeats):
            nisa.tensor_tensor(dst=c, data1=a, data2=b, op=nl.add, engine=nisa.engine.vector)
        return result(x)

    def gpsimd_tensor_tensor_stream(x: Any, repeats: int) -> Any:
        a, b, c = tile(nl.float32), tile(nl.float32), tile(nl.float32)
        for _ in range(repeats):
            nisa.tensor_tensor(dst=c, data1=a, data2=b, op=nl.add, engine=nisa.engine.gpsimd)
        return result(x)

    def tensor_copy_stream(x: Any, repeats: int) -> Any:
        a, b = tile(nl.float32), tile(nl.float32)
        for _ in range(repeats):
            nisa.tensor_copy(dst=b, src=a, engine=nisa.engine.vector)
        return result(x)

    def activation_stream(x: Any, repeats: int) -> Any:
        a, b = tile(nl.float32), tile(nl.float32)
        for _ in range(repeats):
            nisa.activation(dst=b, op=nl.exp, data=a)
        return result(x)

    def vector_chain(x: Any, repeats: int) -> Any:
        a, b = tile(nl.float32, 1), tile(nl.float32, 1)
        for _ in range(repeats):
            nisa.tensor_copy(dst=b, src=a, engine=nisa.engine.vector)
            a, b = b, a
        return result(x)

    def scalar_chain(x: Any, repeats: int) -> Any:
        a, b = tile(nl.float32, 1), tile(nl.float32, 1)
        for _ in range(repeats):
            nisa.activation(dst=b, op=nl.copy, data=a)
            a, b = b, a
        return result(x)

    def vector_scalar_chain(x: Any, repeats: int) -> Any:
        a, b = tile(nl.float32, 1), tile(nl.float32, 1)
        for _ in range(repeats):
            nisa.tensor_copy(dst=b, src=a, engine=nisa.engine.vector)
            nisa.activation(dst=a, op=nl.copy, data=b)
        return result(x)

    def dma_rows(x: Any, repeats: int) -> Any:
        columns = _STEP * repeats
        for _ in range(LOADS):
            held = nl.ndarray((128, columns), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=held, src=x[:, 0:columns], dge_mode=nisa.dge_mode.none)
        return result(x)

    def dma_short_rows(x: Any, repeats: int) -> Any:
        for _ in range(repeats):
            held = nl.ndarray((128, _SHORT), dtype=x.dtype, buffer=nl.sbuf)
            nisa.dma_copy(dst=held, src=x[:, 0:_SHORT], dge_mode=nisa.dge_mode.none)
        return result(x)

    def dma_single_rows(x: Any, repeats: int) -> Any:
        for _ in range(repeats):
            nisa.dma_copy(dst=nl.ndarray((1, _SHORT), dtype=x.dtype, buffer=nl.sbuf), src=x[0:1, 0:_SHORT])
        return result(x)

    def dma_chain(x: Any, repeats: int) -> Any:
        out = nl.ndarray((128, _SHORT), dtype=x.dtype, buffer=nl.shared_hbm)
        held = nl.ndarray((128, _SHORT), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=held, src=x[:, 0:_SHORT])
        for _ in range(repeats):
            nisa.dma_copy(dst=out, src=held)
            nisa.dma_copy(dst=held, src=out)
        return out

    def loop_turns(x: Any, repeats: int) -> Any:
        a = tile(nl.float32, 1)

        def body(_: Any) -> None:
            nisa.memset(dst=a, value=0.0, engine=nisa.engine.vector)

        nl.fori_loop(0, repeats, body)
        return result(x)

    functions = (
        matmul_columns,
        matmul_columns_float32,
        tensor_tensor_stream,
        tensor_copy_stream,
        activation_stream,
        gpsimd_tensor_tensor_stream,
        vector_chain,
        scalar_chain,
        vector_scalar_chain,
        dma_rows,
        dma_short_rows,
        dma_single_rows,
        dma_chain,
        loop_turns,
    )
    return {function.__name__: nki.jit(function) for function in functions}
