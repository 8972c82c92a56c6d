"""How a DMA is cut into contiguous pieces and dealt out to the engines."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..dtypes import itemsize
from ..engines import dge_mode as dge_modes
from ..engines import engine as engines
from ..program.instruction import Instruction
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .hardware import DMA_ENGINES

__all__ = ["Traffic", "describe", "has_rows"]

_PARTITIONS_PER_ENGINE = 128 // DMA_ENGINES


class Traffic(NamedTuple):
    """
    What a DMA moves.

    Attributes
    ----------
    shares : tuple of (int, float)
        For each engine that takes part, its number and how many rows it moves.
    pieces : float
        Contiguous pieces of a row; each has a descriptor.
    piece_bytes : float
        Bytes of a piece.
    hbm_read, hbm_written : int
        Bytes.
    descriptors : float
        In all.
    trigger : {'ring', 'compiler', 'hardware', 'software'}
        Who makes the descriptors: the host before the run, whatever the compiler chose, a generator of the issuing engine, or GpSimd.
    factors : tuple of str
        Rows of `hardware.HARDWARE` that multiply the time.
    multiple : float
        Sources read per element written.
    """

    shares: tuple[tuple[int, float], ...]
    pieces: float
    piece_bytes: float
    hbm_read: int
    hbm_written: int
    descriptors: float
    trigger: str
    factors: tuple[str, ...]
    multiple: float


def has_rows(view: NkiTensor) -> bool:
    """Whether run-time indices choose a view's rows."""
    return view._indirection is not None and view._indirection.kind == "vector"


def _inner_axes(view: NkiTensor) -> int:
    """First axis that does not begin a new piece: rows of SBUF, and rows that indices choose, are apart."""
    return 1 if view._storage.on_chip or has_rows(view) else 0


def _run(view: NkiTensor) -> int:
    """Bytes that lie together."""
    expected = 1
    for axis in reversed(range(_inner_axes(view), view.ndim)):
        if view.shape[axis] != 1:
            if view.strides[axis] != expected:
                break
            expected *= view.shape[axis]
    return expected * itemsize(view.dtype)


def _together(dst: NkiTensor, src: NkiTensor) -> int:
    """Elements that lie together on both sides."""
    if dst.shape != src.shape:
        return max(1, math.gcd(_run(dst) // itemsize(dst.dtype), _run(src) // itemsize(src.dtype)))
    count = 1
    for axis in reversed(range(max(_inner_axes(dst), _inner_axes(src)), dst.ndim)):
        extent = dst.shape[axis]
        if extent != 1:
            if dst.strides[axis] != count or src.strides[axis] != count:
                break
            count *= extent
    return count


def _shares(views: list[NkiTensor]) -> tuple[tuple[int, float], ...]:
    """Rows by engine: each engine serves eight partitions; transfers within HBM are spread over all."""
    on_chip = next((view for view in views if view._storage.on_chip), None)
    if on_chip is None:
        return tuple((engine, 1 / DMA_ENGINES) for engine in range(DMA_ENGINES))
    base = on_chip._storage.address[0] if on_chip._storage.address else 0
    first = (base + on_chip._partition) % 128
    last = min(first + on_chip.shape[0], 128)
    found = []
    for engine in range(first // _PARTITIONS_PER_ENGINE, -(-last // _PARTITIONS_PER_ENGINE)):
        start = engine * _PARTITIONS_PER_ENGINE
        found.append((engine, float(min(last, start + _PARTITIONS_PER_ENGINE) - max(first, start))))
    return tuple(found)


def _trigger(i: Instruction, views: list[NkiTensor]) -> str:
    mode = i.arguments.get("dge_mode")
    if mode is dge_modes.swdge or any(has_rows(view) for view in views):
        return "software"
    if mode is dge_modes.hwdge or i.engine in (engines.sync, engines.scalar):
        return "hardware"
    if i.engine is engines.gpsimd:
        return "software"
    if mode is not dge_modes.none and any(view._indirection is not None for view in views):
        return "hardware" if i.target.generation >= 3 else "software"
    return "ring" if mode is dge_modes.none or i.target.generation < 3 else "compiler"


def _transposes(dst: NkiTensor, src: NkiTensor) -> tuple[str, ...]:
    kind = "dma_transpose_sbuf" if src.buffer is MemoryRegion.sbuf else "dma_transpose_hbm"
    ragged = dst.shape[0] % 128 or math.prod(dst.shape[1:]) % 16
    return (kind, "dma_transpose_ragged") if ragged else (kind,)


def describe(i: Instruction) -> Traffic:
    """Cut a DMA into pieces."""
    sources = list(i.reads)
    dst = i.writes[0] if i.writes else sources[0]
    views = [dst, *sources]
    size = max((itemsize(view.dtype) for view in views), default=1)
    read = sum(view.size * itemsize(view.dtype) for view in sources if not view._storage.on_chip)
    written = sum(view.size * itemsize(view.dtype) for view in i.writes if not view._storage.on_chip)
    shares = _shares(views)
    rows = sum(count for _, count in shares)
    transposes = i.opcode.name == "dma_transpose"
    row_elements = dst.size / rows
    if transposes:  # the engines work together on tiles; what matters are the rows of the source
        together = min(row_elements, 4096 / size)
    else:
        together = min([float(_together(dst, source)) for source in sources] or [row_elements])
        together = min(together, row_elements)
    if not any(view._storage.on_chip for view in views):  # within HBM long pieces are cut, so that all engines work
        together = min(together, max(row_elements / DMA_ENGINES, 512 / size))
    pieces = row_elements / together
    factors = _transposes(dst, sources[0]) if transposes else ("dma_compute",) if i.opcode.name == "dma_compute" else ()
    multiple = max(1.0, len(sources) / 2) if i.opcode.name == "dma_compute" else 1.0
    return Traffic(shares, pieces, together * size, read, written, pieces * rows, _trigger(i, views), factors, multiple)
