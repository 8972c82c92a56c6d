"""Rows of gathers and shuffles: copies, compared bit for bit."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa
from ..bench import Bench
from ..experiment import SENTINEL, Trial, raw_bits
from ..formats import encode, stored
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]


def _n_gather(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    indices = (shape[0], *bench.shape()[1:])
    size = int(np.prod(shape[1:]))
    bench.read(shape, dtype, "sbuf", raw_bits)
    bench.read(indices, "uint32", "sbuf", lambda rng, extents, *_: rng.integers(0, size, extents).astype(np.uint32))
    bench.write(indices, dtype, "sbuf")

    def reference(knobs: Knobs, data: Any, index: Any) -> Any:
        del knobs
        rows = data.reshape(shape[0], -1)
        return [np.stack([row[of.reshape(-1)] for row, of in zip(rows, index, strict=True)])]

    return bench.experiment(isa.nc_n_gather, reference)


def _local_gather(bench: Bench) -> Trial:
    dtype, groups, each = bench.variant, bench.integer(1, 8), bench.choose(1, 2, 4, 8, 16, 32)
    columns, width = bench.integer(1, 3), each + bench.integer(0, 20)
    valid = bench.choose(None, bench.integer(1, 16 * columns))
    count = 16 * columns if valid is None else valid
    bench.read((16 * groups, width), dtype, "sbuf", raw_bits)
    bench.read(
        (16 * groups, columns), "uint16", "sbuf", lambda rng, extents, *_: rng.integers(0, width - each + 1, extents).astype(np.uint16)
    )
    bench.write((16 * groups, count, each), dtype, "sbuf")

    def reference(knobs: Knobs, src: Any, index: Any) -> Any:
        del knobs
        wanted = np.empty((16 * groups, count, each), stored(dtype))
        for p in range(16 * groups):
            for k in range(count):
                first = int(index[p // 16 * 16 + k % 16, k // 16])
                wanted[p, k] = src[p, first : first + each]
        return [wanted]

    return bench.experiment(
        lambda out, src, index: isa.local_gather(out, src, index, each, valid), reference, notes=f"{each} each, {valid} valid"
    )


def _shuffle(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    shape = (32 * bench.integer(1, 4), *shape[1:])
    rng = np.random.default_rng(bench.integer(0, 1000))
    mask = [int(m) for m in np.where(rng.random(32) < 0.2, 255, rng.integers(0, 32, 32))]
    bench.read(shape, dtype, fill=raw_bits)
    bench.write(shape, dtype)

    def reference(knobs: Knobs, src: Any) -> Any:
        del knobs
        old = np.full(shape[1:], encode(SENTINEL, dtype), stored(dtype))
        return [np.stack([old if mask[p % 32] == 255 else src[p // 32 * 32 + mask[p % 32]] for p in range(shape[0])])]

    return bench.experiment(lambda out, src: isa.nc_stream_shuffle(out, src, mask), reference, notes=f"{mask}")


def _indirect(bench: Bench) -> Trial:
    """Columns at run-time offsets, in the snake order of 16 partitions; groups with their own only where a knob says so."""
    dtype, groups, width, count = bench.variant, bench.choose(2, *range(2, 9)), bench.integer(1, 30), bench.integer(1, 40)
    partitions, columns = 16 * groups, -(-count // 16)

    def offsets(rng: Any, extents: Any, kind: str, stress: str | None) -> Any:
        if stress == "indirect_offsets":
            return rng.integers(0, width, extents).astype(stored(kind))
        return np.tile(rng.integers(0, width, (16, columns)), (groups, 1)).astype(stored(kind))

    bench.read((partitions, width), dtype, "sbuf", raw_bits, plain=True)
    bench.read((partitions, columns), bench.choose("uint16", "int32"), "sbuf", offsets, plain=True)
    bench.write((partitions, count), dtype)

    def reference(knobs: Knobs, data: Any, index: Any) -> Any:
        wanted = np.empty((partitions, count), data.dtype)
        for p in range(partitions):
            first = p // 16 * 16 if knobs.indirect_offsets == "own" else 0
            for i in range(count):
                wanted[p, i] = data[p, int(index[first + i % 16, i // 16])]
        return [wanted]

    return bench.experiment(lambda out, data, index: isa.tensor_copy(out, data.indirect(index, num_elem=count)), reference)


ROWS: Final = (
    Row("nc_n_gather", _n_gather, every(*ARITHMETIC)),
    Row("local_gather", _local_gather, every(*ARITHMETIC)),
    Row("nc_stream_shuffle", _shuffle, every(*ARITHMETIC)),
    Row("tensor_copy.indirect", _indirect, every("float32", "bfloat16", "int32", "uint8"), ("indirect_offsets",), 4),
)
