"""Rows of DMA: copies, gathers, scatters, transposes and sums."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa, language
from ....backends.simulator.target import Target
from ..bench import Bench
from ..experiment import SENTINEL, Near, Trial, raw_bits
from ..formats import FLOATS, INTEGERS, decode, encode, single, stored
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]


def _copy(bench: Bench) -> Trial:
    """HBM to SBUF, SBUF to HBM, HBM to HBM and SBUF to SBUF: any elements of one to any of the other, in order."""
    shape, dtype = bench.shape(), bench.variant
    source = bench.read(shape, dtype, bench.choose("hbm", "sbuf"), raw_bits)
    other = bench.choose(shape, (shape[0], int(np.prod(shape[1:]))))
    bench.write(other, dtype, bench.choose("sbuf", "hbm"))
    hardware = bench.target.generation > 2 and bool(bench.integer(0, 1))

    def body(out: Any, data: Any) -> None:
        options = {"dge_mode": isa.dge_mode.hwdge, "engine": bench.choose(isa.unknown_engine, isa.engine.sync)} if hardware else {}
        isa.dma_copy(out, data, **options)

    return bench.experiment(body, lambda _, data: [data], notes=f"from {source.memory}, hardware descriptors: {hardware}")


def _cast(bench: Bench) -> Trial:
    shape, dtype = bench.shape(), bench.variant
    bench.read(shape, dtype, bench.choose("hbm", "sbuf"), raw_bits if dtype in INTEGERS else None)
    wanted = [name for name in ARITHMETIC if name != dtype]
    bench.write(shape, bench.choose(*wanted), bench.choose("sbuf", "hbm"))
    return bench.experiment(isa.dma_copy, lambda _, data: [Near(decode(data, dtype))])


def _rows_of(table: Any, count: int, index: Any, explicit: bool) -> Any:
    width = table.shape[1]
    return table.ap([[width, count], [1, width]], vector_offset=index) if explicit else table.vector_select(0, index)


def _indices(rows: int, beyond: bool) -> Any:
    return lambda rng, extents, dtype, _: rng.integers(0, rows + 3 * beyond, extents).astype(stored(dtype))


def _gather(bench: Bench) -> Trial:
    dtype, rows, width, count = bench.variant, bench.integer(1, 40), bench.integer(1, 6), bench.partitions()
    skip, explicit = bool(bench.integer(0, 1)), bool(bench.integer(0, 1))
    to = bench.choose(dtype, "float32")
    bench.read((rows, width), dtype, "hbm", raw_bits if to == dtype else None, plain=True)
    bench.read((count, 1), bench.choose("int32", "uint32"), "sbuf", _indices(rows, skip), plain=True)
    bench.write((count, width), to, "sbuf")

    def body(out: Any, table: Any, index: Any) -> None:
        isa.dma_copy(out, _rows_of(table, count, index, explicit), oob_mode=isa.oob_mode.skip if skip else isa.oob_mode.error)

    def reference(knobs: Knobs, table: Any, index: Any) -> Any:
        del knobs
        values = table if to == dtype else encode(decode(table, dtype), to)
        old = np.full(width, encode(SENTINEL, to), stored(to))
        return [np.stack([values[i] if i < rows else old for i in index[:, 0].tolist()])]

    return bench.experiment(body, reference, notes=f"skip={skip}, explicit={explicit}")


def _scatter(bench: Bench) -> Trial:
    """Duplicates: in order the last stays, in another order one of them."""
    dtype, rows, width, count = bench.variant, bench.integer(1, 20), bench.integer(1, 6), bench.partitions()
    explicit = bool(bench.integer(0, 1))
    bench.read((count, width), dtype, "sbuf", raw_bits)
    bench.read((count, 1), "int32", "sbuf", _indices(rows, True), plain=True)
    bench.write((rows, width), dtype, "hbm", plain=True)

    def body(out: Any, data: Any, index: Any) -> None:
        isa.dma_copy(_rows_of(out, count, index, explicit), data, oob_mode=isa.oob_mode.skip)

    def reference(knobs: Knobs, data: Any, index: Any) -> Any:
        writers: dict[int, list[bytes]] = {}
        for row, at in zip(data, index[:, 0].tolist(), strict=True):
            writers.setdefault(at, []).append(row.tobytes())
        old = np.full(width, encode(SENTINEL, dtype), stored(dtype)).tobytes()

        def judge(found: Any) -> str | None:
            for at, row in enumerate(found):
                allowed = writers.get(at, [old])
                if row.tobytes() not in (allowed[-1:] if knobs.dma_duplicates == "last" else allowed):
                    return f"row {at} holds {row}, which is none of the {len(allowed)} written there (or not the last)"
            return None

        return [judge]

    return bench.experiment(body, reference, notes=f"explicit={explicit}")


def _offset(bench: Bench) -> Trial:
    """One run-time offset: a register, a tile, and a selected index; out of bounds nothing is copied."""
    dtype, rows, width = bench.variant, bench.integer(1, 12), bench.integer(1, 6)
    bench.read((rows, width), dtype, "hbm", raw_bits, plain=True)
    bench.read((1, 1), "int32", "sbuf", _indices(rows, True), plain=True)
    for _ in range(2):
        bench.write((1, width), dtype, "sbuf")

    def body(first: Any, second: Any, table: Any, at: Any) -> None:
        register = isa.register_alloc()
        isa.register_load(register, at)
        for out, offset in ((first, at), (second, register)):
            isa.dma_copy(out, table.ap([[width, 1], [1, width]], scalar_offset=offset), oob_mode=isa.oob_mode.skip)

    def reference(knobs: Knobs, table: Any, at: Any) -> Any:
        del knobs
        place = int(at.item())
        row = table[place] if place < rows else np.full(width, encode(SENTINEL, dtype), stored(dtype))
        return [row, row]

    return bench.experiment(body, reference)


_AXES: Final = {2: (1, 0), 3: (2, 1, 0), 4: (3, 1, 2, 0)}


def _transpose(bench: Bench) -> Trial:
    dtype = bench.variant
    shape = tuple(bench.integer(1, 6) for _ in range(bench.integer(2, 4)))
    hardware = bench.target.generation > 2 and stored(dtype).itemsize == 2 and bool(bench.integer(0, 1))
    if hardware:
        shape = (16, *shape[1:])
    axes = _AXES[len(shape)]
    bench.read(shape, dtype, "hbm", raw_bits, plain=hardware)
    bench.write(tuple(shape[a] for a in axes), dtype, "sbuf")
    mode = isa.dge_mode.hwdge if hardware else isa.dge_mode.unknown
    given = bench.choose(axes, None)

    def body(out: Any, data: Any) -> None:
        isa.dma_transpose(out, data, given, dge_mode=mode)

    return bench.experiment(body, lambda _, data: [data.swapaxes(0, -1)], notes=f"hardware descriptors: {hardware}")


def _transpose_rows(bench: Bench) -> Trial:
    dtype, rows, width = bench.variant, bench.integer(1, 40), bench.integer(1, 32)
    partitions, columns = bench.choose((16, 1), (64, 1), (128, 1), (128, 2))
    count, skip = partitions * columns, bool(bench.integer(0, 1))
    bench.read((rows, width), dtype, "hbm", raw_bits, plain=True)
    bench.read((partitions, columns), "uint32", "sbuf", _indices(rows, skip), plain=True)
    bench.write((width, count), dtype, "sbuf")

    def body(out: Any, table: Any, index: Any) -> None:
        mode = isa.oob_mode.skip if skip else isa.oob_mode.error
        isa.dma_transpose(out, _rows_of(table, count, index, True), oob_mode=mode)

    def reference(knobs: Knobs, table: Any, index: Any) -> Any:
        del knobs
        old = np.full(width, encode(SENTINEL, dtype), stored(dtype))
        return [np.stack([table[i] if i < rows else old for i in index.T.reshape(-1).tolist()], axis=1)]

    return bench.experiment(body, reference, notes=f"skip={skip}")


def _sum(bench: Bench) -> Trial:
    shape, dtype, count = bench.shape(axes=2), bench.variant, bench.integer(1, 16)
    for _ in range(count):
        bench.read(shape, dtype, bench.choose("hbm", "sbuf"))
    bench.write(shape, "float32", bench.choose("sbuf", "hbm"))
    bench.write(shape, bench.choose(*ARITHMETIC), bench.choose("sbuf", "hbm"))

    def body(wide: Any, out: Any, *data: Any) -> None:
        for to in (wide, out):
            isa.dma_compute(to, list(data), language.add, bench.choose(None, [1.0] * count))

    def reference(knobs: Knobs, *data: Any) -> Any:
        del knobs
        total = decode(data[0], dtype)
        for part in data[1:]:
            total = single(total + decode(part, dtype))
        return [Near(total), Near(total)]

    return bench.experiment(body, reference, notes=f"{count} sources")


def _accumulated(bench: Bench, scatter: bool) -> Trial:
    dtype, rows, width, count = bench.variant, bench.integer(1, 40), bench.integer(1, 6), bench.integer(1, 30)
    swapped = bool(bench.integer(0, 1))
    space = max(rows, count) + 4

    def fill(rng: Any, extents: Any, kind: str, _: str | None) -> Any:
        return rng.permutation(space)[:count].reshape(extents).astype(stored(kind))

    bench.read((count, width), dtype, "sbuf", plain=True)
    bench.read((count, 1), "uint32", "sbuf", fill, plain=True)
    bench.read((rows, width), dtype, "hbm", plain=True)
    bench.write((rows, width) if scatter else (count, width), dtype, "hbm" if scatter else "sbuf", plain=True)

    def body(out: Any, tile: Any, index: Any, table: Any) -> None:
        if scatter:
            isa.dma_copy(out, table)
            of = _rows_of(out, count, index, True)
            isa.dma_compute(of, [tile, of] if swapped else [of, tile], language.add, oob_mode=isa.oob_mode.skip)
        else:
            isa.tensor_copy(out, tile)
            of = _rows_of(table, count, index, True)
            isa.dma_compute(out, [out, of] if swapped else [of, out], language.add, oob_mode=isa.oob_mode.skip)

    def reference(knobs: Knobs, tile: Any, index: Any, table: Any) -> Any:
        del knobs
        small, large = decode(tile, dtype), decode(table, dtype)
        for row, at in enumerate(index[:, 0].tolist()):
            if at < rows:
                total = single(small[row] + large[at])
                if scatter:
                    large[at] = total
                else:
                    small[row] = total
        return [Near(large if scatter else small)]

    return bench.experiment(body, reference, notes=f"swapped={swapped}")


def _two_bytes(target: Target) -> tuple[str, ...]:
    return ("bfloat16", "float16", "int16") if target.generation > 2 else ()


_SUMMED: Final = ("float32", "bfloat16", "float16", "float8_e5m2", "int16", "uint8")
ROWS: Final = (
    Row("dma_copy.bits", _copy, every(*ARITHMETIC)),
    Row("dma_copy.cast", _cast, every(*ARITHMETIC)),
    Row("dma_copy.gather", _gather, every("float32", "bfloat16", "int32", "uint8")),
    Row("dma_copy.scatter", _scatter, every("float32", "bfloat16", "int32", "uint8"), ("dma_duplicates",)),
    Row("dma_copy.scalar_offset", _offset, every("float32", "int16"), also=("register_load",)),
    Row("dma_transpose.axes", _transpose, every(*(n for n in ARITHMETIC if n in FLOATS or n in INTEGERS))),
    Row("dma_transpose.rows", _transpose_rows, _two_bytes, since=3),
    Row("dma_compute.sum", _sum, every(*_SUMMED)),
    Row("dma_compute.scatter", lambda bench: _accumulated(bench, True), every(*_SUMMED)),
    Row("dma_compute.gather", lambda bench: _accumulated(bench, False), every(*_SUMMED)),
)
