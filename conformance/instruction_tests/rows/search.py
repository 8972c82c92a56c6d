"""Rows of searches; ties are drawn on purpose, so results are compared bit for bit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, isa
from ..bench import Bench
from ..experiment import SENTINEL, Near, Trial
from ..formats import decode, encode, stored
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]


def few(rng: np.random.Generator, extents: tuple[int, ...], dtype: str, _: str | None) -> Any:
    """Small integers, many alike."""
    return encode(rng.integers(0 if dtype.startswith("u") else -6, 7, extents), dtype)


def _searched(bench: Bench) -> tuple[int, ...]:
    partitions = bench.partitions()
    return bench.choose((partitions, 9), (partitions, 8), (partitions, bench.integer(8, 40)), (partitions, 4, bench.integer(2, 9)))  # type: ignore[no-any-return]


def _max8(bench: Bench) -> Trial:
    shape, dtype = _searched(bench), bench.variant
    bench.read(shape, dtype, fill=bench.choose(None, few))
    bench.write((shape[0], 8), "float32")
    bench.write((shape[0], 8), bench.choose(dtype, "bfloat16"))

    def body(out: Any, narrow: Any, src: Any) -> None:
        isa.max8(out, src)
        isa.max8(narrow, src)

    def reference(knobs: Knobs, src: Any) -> Any:
        del knobs
        largest = np.array([sorted(row, reverse=True)[:8] for row in decode(src, dtype).reshape(shape[0], -1).tolist()])
        return [Near(largest), Near(largest)]

    return bench.experiment(body, reference)


def _paired(data: list[float], values: list[float], order: Iterable[int]) -> list[int | None]:
    """Positions of values, each taken once."""
    free, places = list(enumerate(data)), [None] * 8  # type: list[tuple[int, float]], list[int | None]
    for slot in order:
        hit = next((pair for pair in free if pair[1] == values[slot]), None)
        if hit is not None:
            free.remove(hit)
            places[slot] = hit[0]
    return places


def _find(bench: Bench) -> Trial:
    shape, dtype = _searched(bench), bench.variant
    position = bench.choose("uint16", "uint32")
    bench.read(shape, dtype, fill=few)
    bench.read((shape[0], 8), dtype, fill=few)
    bench.write((shape[0], 8), position)

    def reference(knobs: Knobs, data: Any, vals: Any) -> Any:
        del knobs
        missing = int(np.iinfo(stored(position)).max)
        rows = zip(decode(data, dtype).reshape(shape[0], -1).tolist(), decode(vals, dtype).tolist(), strict=True)
        return [np.array([[missing if p is None else p for p in _paired(row, values, range(8))] for row, values in rows], stored(position))]

    return bench.experiment(isa.nc_find_index8, reference)


def _replace(bench: Bench) -> Trial:
    shape, dtype = _searched(bench), bench.variant
    position, imm = bench.choose("uint32", "uint16"), bench.choose(-9.5, 0.0)
    bench.read(shape, dtype, fill=few)
    bench.read((shape[0], 8), dtype, fill=few)
    bench.write(shape, "float32")
    bench.write((shape[0], 8), position)
    bench.write(shape, dtype)

    def body(out: Any, index: Any, narrow: Any, data: Any, vals: Any) -> None:
        isa.nc_match_replace8(out, data, vals, imm, index)
        isa.nc_match_replace8(narrow, data, vals, imm)

    def reference(knobs: Knobs, data: Any, vals: Any) -> Any:
        del knobs
        missing, kept = int(np.iinfo(stored(position)).max), decode(data, dtype).reshape(shape[0], -1)
        index = np.full((shape[0], 8), missing, stored(position))
        for row, values in enumerate(decode(vals, dtype).tolist()):
            for slot, place in enumerate(_paired(kept[row].tolist(), values, range(7, -1, -1))):
                if place is not None:
                    index[row, slot] = place
        for row, places in enumerate(index):
            kept[row, places[places != missing]] = imm
        return [Near(kept), index, Near(kept)]

    return bench.experiment(body, reference, notes=f"{imm}")


def _nonzero(bench: Bench) -> Trial:
    dtype, partitions, count = bench.variant, bench.partitions(), bench.integer(1, 20)
    offset, padding = bench.choose(0, 7, -3), bench.choose(-1, 2**31 - 1)
    bench.read((partitions, count), dtype, "sbuf", lambda rng, extents, kind, _: encode(rng.integers(0, 3, extents), kind))
    bench.write((partitions, count + 1), "int32", "sbuf")

    def reference(knobs: Knobs, src: Any) -> Any:
        del knobs
        wanted = np.full((partitions, count + 1), SENTINEL, np.int32)
        for row in range(0, partitions, 16):
            hits = [place + offset for place, value in enumerate(src[row].tolist()) if value]
            wanted[row] = [*hits, *[padding] * (count - len(hits)), len(hits)]
        return [wanted]

    return bench.experiment(lambda out, src: isa.nonzero_with_count(out, src, offset, padding), reference, notes=f"{offset}, {padding}")


def _topk(bench: Bench) -> Trial:
    partitions, columns = 16 * bench.integer(1, 8), bench.integer(1, 6)
    n = bench.integer(8, 16 * columns)
    count = bench.integer(1, n)
    bench.read((partitions, columns), "bfloat16", "sbuf", bench.choose(few, None))
    bench.write((partitions, count), "bfloat16", "sbuf", plain=True)
    bench.write((partitions, count), "uint32", "sbuf", plain=True)

    def reference(knobs: Knobs, src: Any) -> Any:
        del knobs
        values, index = (np.full((partitions, count), encode(SENTINEL, kind), stored(kind)) for kind in ("bfloat16", "uint32"))
        for first in range(0, partitions, 16):
            snake = [float(src[first + e % 16, e // 16]) for e in range(n)]
            for slot, e in enumerate(sorted(range(n), key=lambda e, snake=snake: (snake[e], -e))[n - count :]):  # type: ignore[misc]
                values[first + slot % 16, slot // 16], index[first + slot % 16, slot // 16] = snake[e], e
        return [values, index]

    return bench.experiment(lambda values, index, src: isa.topk(values, index, src, n), reference, notes=f"{count} of {n}")


def _bounds(bench: Bench) -> Trial:
    dtype, count = bench.variant, bench.integer(1, 30)

    def fill(rng: Any, extents: Any, kind: str, _: str | None) -> Any:
        return encode(np.repeat(rng.integers(0, 4, extents), 3, axis=-1)[..., : extents[-1]], kind)

    bench.read((1, count), dtype, "sbuf", fill)
    bench.write((1, 2, count), dtype, "sbuf")

    def reference(knobs: Knobs, ids: Any) -> Any:
        del knobs
        row = ids[0].tolist()
        wanted = []
        for place, value in enumerate(row):
            first = last = place
            while first > 0 and row[first - 1] == value:
                first -= 1
            while last + 1 < count and row[last + 1] == value:
                last += 1
            wanted.append((first, last + 1) if value else (count, -1))
        return [encode(np.array(wanted).T, dtype)]

    return bench.experiment(isa.sequence_bounds, reference)


_BOTH: Final = ("float32", "int32")
ROWS: Final = (
    Row("max8", _max8, every(*ARITHMETIC)),
    Row("nc_find_index8", _find, every("float32", "bfloat16", "float16", "int32", "uint8", "int16")),
    Row("nc_match_replace8", _replace, every("float32", "bfloat16", "float16", "int16", "int8")),
    Row("nonzero_with_count", _nonzero, every(*_BOTH), since=3),
    Row("topk", _topk, every("bfloat16")),
    Row("sequence_bounds", _bounds, every(*_BOTH)),
)
