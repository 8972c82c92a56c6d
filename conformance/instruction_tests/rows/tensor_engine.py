"""Rows of the Tensor Engine: products, transposes, microscaled products and their quantization."""

from __future__ import annotations

from typing import Any, Final

import ml_dtypes
import numpy as np

from ....backends.simulator import Knobs, isa
from ....backends.simulator.target import Target
from ..bench import Bench
from ..experiment import Near, Trial, ordinary, raw_bits
from ..formats import UNIT, decode, encode, flush
from ..row import Row, every
from .elementwise import ARITHMETIC

__all__ = ["ROWS"]


def _product(left: Any, right: Any, knobs: Knobs, calls: int = 1) -> Near:
    """Products added in any order; `calls` instructions accumulate."""
    if knobs.denormals_pe == "flush":
        left, right = flush(left), flush(right)
    exact = calls * np.einsum("km,kn->mn", left, right)
    size = calls * np.einsum("km,kn->mn", np.abs(left), np.abs(right))
    passes = 3 if knobs.pe_product == "split21" else 1
    # One rounding an addition; split21 leaves out low x low, 2**-22 of a product at most with truncated halves of 12 bits.
    error = (calls * passes * left.shape[0] + calls) * UNIT * size + (2.0**-21 * size if passes > 1 else 0)
    return Near(exact, error * 1.01 + calls * left.shape[0] * 2.0**-126)


def _dtypes(variant: str) -> tuple[str, str]:
    left, _, right = variant.partition("+")
    return left, right or left


def _no_denormals(rng: np.random.Generator, extents: tuple[int, ...], dtype: str, _: str | None) -> Any:
    """Ordinary numbers also where denormals are asked for: those are the other operand's."""
    return ordinary(rng, extents, dtype, None)


def _spread(rng: np.random.Generator, extents: tuple[int, ...], dtype: str, _: str | None) -> Any:
    """Numbers of all sizes, so that sums of products are not exact."""
    return encode(rng.standard_normal(extents) * np.exp2(rng.uniform(-8, 6, extents)), dtype)


def _matmul(bench: Bench) -> Trial:
    """Twice into fresh PSUM, which adds; and once over what was there, then added to."""
    left, right = _dtypes(bench.variant)
    k, m, n = bench.choose(8, bench.integer(1, 128)), bench.choose(3, bench.integer(1, 128)), bench.choose(4, bench.integer(1, 20))
    bench.read((k, m), left, "sbuf")
    bench.read((k, n), right, "sbuf", _no_denormals)
    bench.write((m, n), "float32", "psum", plain=True, prefilled=False)
    bench.write((m, n), "float32", "psum")
    bench.write((m, n), bench.choose("float32", *["bfloat16"] * (bench.target.generation > 3)), "psum")

    def body(fresh: Any, old: Any, other: Any, stationary: Any, moving: Any) -> None:
        for _ in range(2):
            isa.nc_matmul(fresh, stationary, moving)
        for accumulate in (False, True, True):
            isa.nc_matmul(old, stationary, moving, accumulate=accumulate)
        isa.nc_matmul(other, stationary, moving, is_moving_onezero=False, accumulate=False)

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        a, b = decode(a, left), decode(b, right)
        return [_product(a, b, knobs, calls) for calls in (2, 3, 1)]

    return bench.experiment(body, reference)


def _double_row(bench: Bench) -> Trial:
    left, right = _dtypes(bench.variant)
    k, m, n = bench.choose(8, bench.integer(1, 128)), bench.integer(1, 16), bench.integer(1, 8)
    bench.read((k, 2, m), left, "sbuf", _spread)
    bench.read((k, 2, n), right, "sbuf", _spread)
    bench.write((m, n), "float32", "psum", plain=True, prefilled=False)

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        a, b = (np.concatenate([x[:, 0], x[:, 1]]) for x in (decode(a, left), decode(b, right)))
        return [_product(a, b, knobs)]

    return bench.experiment(lambda out, a, b: isa.nc_matmul(out, a, b, perf_mode=isa.matmul_perf_mode.double_row), reference)


def _tiled(bench: Bench) -> Trial:
    """Row tiles at their positions: independent small products."""
    dtype, size = bench.variant, bench.choose(64, *[32] * (bench.target.generation > 2))
    m, n = bench.integer(1, 8), bench.integer(1, 8)
    tiles = 128 // size
    bench.read((128, m), dtype, "sbuf", plain=True)
    bench.read((128, n), dtype, "sbuf", _no_denormals, plain=True)
    for _ in range(tiles):
        bench.write((m, n), "float32", "psum", plain=True, prefilled=False)

    def body(*views: Any) -> None:
        for tile, out in enumerate(views[:-2]):
            rows = slice(size * tile, size * (tile + 1))
            isa.nc_matmul(out, views[-2][rows], views[-1][rows], tile_position=(size * tile, 0), tile_size=(size, 128))

    def reference(knobs: Knobs, a: Any, b: Any) -> Any:
        a, b = decode(a, dtype), decode(b, dtype)
        return [_product(a[size * t : size * (t + 1)], b[size * t : size * (t + 1)], knobs) for t in range(tiles)]

    return bench.experiment(body, reference, notes=f"tiles of {size}")


def _matmul_transpose(bench: Bench) -> Trial:
    """Transpose data, which are stationary, by an identity that moves."""
    dtype, k, m = bench.variant, bench.integer(1, 32), bench.integer(1, 40)
    exact = bench.target.generation > 2
    bench.read((k, m), dtype, "sbuf", raw_bits if exact else None)
    bench.read((k, k), dtype, "sbuf", lambda _, extents, kind, __: encode(np.eye(extents[0]), kind), plain=True)
    bench.write((m, k), dtype, "psum", plain=True, prefilled=False)

    def reference(knobs: Knobs, data: Any, _: Any) -> Any:
        return [data.T if exact else Near(flush(decode(data.T, dtype)) if knobs.denormals_pe == "flush" else decode(data.T, dtype))]

    return bench.experiment(lambda out, data, identity: isa.nc_matmul(out, data, identity, is_transpose=True), reference)


def _transpose_pe(bench: Bench) -> Trial:
    dtype, p, f = bench.variant, bench.integer(1, 128), bench.integer(1, 40)
    spoils = bench.target.generation == 2

    def fill(rng: Any, extents: Any, kind: str, stress: str | None) -> Any:
        if not spoils:
            return raw_bits(rng, extents, kind)
        values = ordinary(rng, extents, kind, stress).copy()
        if kind in ("float32", "bfloat16", "float16"):
            values[rng.random(extents) < 0.02] = rng.choice([np.nan, np.inf])
        return values

    bench.read((p, f), dtype, "sbuf", fill)
    bench.write((f, p), dtype, "psum", plain=True, prefilled=False)

    def reference(knobs: Knobs, data: Any) -> Any:
        del knobs
        if not spoils:
            return [data.T]
        x = data.astype(np.float64)  # trn1 multiplies by the identity: NaN and Inf times zero spoil their row
        return [Near((x.T[:, :, None] * np.eye(p)[None]).sum(axis=1))]

    return bench.experiment(lambda out, data: isa.nc_transpose(out, data, engine=isa.tensor_engine), reference)


def _transpose_dve(bench: Bench) -> Trial:
    dtype, p, f = bench.variant, bench.integer(1, 32), bench.integer(1, 32)
    bench.read((p, f), dtype, fill=raw_bits)
    bench.write((f, p), dtype)
    return bench.experiment(lambda out, data: isa.nc_transpose(out, data, engine=isa.vector_engine), lambda _, data: [data.T])


_PACKED: Final[dict[str, tuple[Any, str, int]]] = {
    "float8_e5m2_x4": (ml_dtypes.float8_e5m2, "uint32", 8),
    "float8_e4m3fn_x4": (ml_dtypes.float8_e4m3fn, "uint32", 8),
    "float4_e2m1fn_x4": (ml_dtypes.float4_e2m1fn, "uint16", 4),
}


def _unpacked(bits: Any, dtype: str) -> Any:
    """Float64 of shape (partitions, columns, 4)."""
    element, _, width = _PACKED[dtype]
    parts = (bits.astype(np.uint64)[..., None] >> np.arange(0, 4 * width, width, dtype=np.uint64)) & np.uint64((1 << width) - 1)
    return parts.astype(np.uint8).view(element).astype(np.float64)


def _finite_packed(dtype: str) -> Any:
    element, holder, width = _PACKED[dtype]

    def fill(rng: Any, extents: Any, *_: Any) -> Any:
        small = (rng.standard_normal((*extents, 4)) * 2).astype(element).view(np.uint8).astype(np.uint64)
        return (small << np.arange(0, 4 * width, width, dtype=np.uint64)).sum(axis=-1).astype(holder)

    return fill


def _scales(rng: Any, extents: Any, _: str, stress: str | None) -> Any:
    low, high = (58, 64) if stress == "denormals_pe" else (117, 137)
    return rng.integers(low, high, extents).astype(np.uint8)


def _matmul_mx(bench: Bench) -> Trial:
    left, right = _dtypes(bench.variant)
    rows, m, n = 32 * bench.integer(1, 4), 2 * bench.integer(1, 8), bench.integer(1, 8)
    for dtype, columns in ((left, m), (right, n)):
        bench.read((rows, columns), _PACKED[dtype][1], "sbuf", _finite_packed(dtype), plain=True)
    for columns in (m, n):
        bench.read((rows, columns), "uint8", "sbuf", _scales, plain=True)
    bench.write((m, n), "float32", "psum", plain=True, prefilled=False)

    def body(out: Any, a: Any, b: Any, scale_a: Any, scale_b: Any) -> None:
        for _ in range(2):
            isa.nc_matmul_mx(out, a.view(left), b.view(right), scale_a.view("float8_e8m0fnu"), scale_b)

    def reference(knobs: Knobs, a: Any, b: Any, scale_a: Any, scale_b: Any) -> Any:
        operands = []
        for bits, dtype, scale in ((a, left, scale_a), (b, right, scale_b)):
            of_block = np.concatenate([scale[q : q + 4] for q in range(0, rows, 32)]).astype(np.float64)
            values = _unpacked(bits, dtype) * np.exp2(np.repeat(of_block, 8, axis=0) - 127)[..., None]
            operands.append(values.transpose(0, 2, 1).reshape(4 * rows, -1))
        return [_product(operands[0], operands[1], knobs, 2)]

    return bench.experiment(body, reference)


def _quantize(bench: Bench) -> Trial:
    source, _, packed = bench.variant.partition("+")
    rows, columns = 32 * bench.integer(1, 4), bench.integer(1, 5)
    top = {"float8_e5m2_x4": 15, "float8_e4m3fn_x4": 8}[packed]

    def fill(rng: Any, extents: Any, dtype: str, stress: str | None) -> Any:
        if dtype == "bfloat16" and stress == "denormals_dve":
            return encode(rng.standard_normal(extents) * np.exp2(rng.integers(-130, -124, extents)), dtype)
        return encode(rng.standard_normal(extents) * 2.0 ** rng.integers(-12, 10), dtype)

    bench.read((rows, 4 * columns), source, "sbuf", fill)
    bench.write((rows, columns), "uint32", "sbuf", plain=True)
    bench.write((rows, columns), "uint8", "sbuf", plain=True)

    def body(out: Any, scale: Any, src: Any) -> None:
        isa.quantize_mx(out.view(packed), src, scale)

    def reference(knobs: Knobs, src: Any) -> Any:
        x = decode(src, source)
        x = flush(x) if knobs.denormals_dve == "flush" else x
        blocks = x.reshape(rows // 8, 8, columns, 4)
        largest = np.abs(blocks).max(axis=(1, 3))
        exponent = np.where(largest == 0, -127, np.maximum(np.floor(np.log2(np.where(largest == 0, 1, largest))) - (top - 1), -127))
        small = encode((blocks / np.exp2(exponent)[:, None, :, None]).reshape(rows, columns, 4), packed.removesuffix("_x4"))
        bits = (small.view(np.uint8).astype(np.uint64) << np.arange(0, 32, 8, dtype=np.uint64)).sum(axis=-1).astype(np.uint32)
        scales = np.full((rows, columns), 77, np.uint8)
        for q in range(rows // 32):
            scales[32 * q : 32 * q + 4] = exponent[4 * q : 4 * q + 4] + 127
        return [bits, scales]

    return bench.experiment(body, reference)


def _products(target: Target) -> tuple[str, ...]:
    common = ("float32", "tfloat32", "bfloat16", "float16", "float8_e4m3", "float8_e5m2", "float32+tfloat32", "bfloat16+float8_e5m2")
    return (*common, "float8_e4m3fn", "float16+float8_e4m3fn") if target.generation >= 4 else common


def _transposed(target: Target) -> tuple[str, ...]:
    return ("float32", "bfloat16", "float16", "float8_e5m2") if target.generation > 2 else ("float32",)


_FP8: Final = ("float8_e4m3", "float8_e5m2", "float8_e4m3+float8_e5m2")
_PE: Final = ("pe_order", "denormals_pe")
ROWS: Final = (
    Row("nc_matmul.product", _matmul, _products, ("pe_product", *_PE)),
    Row("nc_matmul.double_row", _double_row, every(*_FP8), ("pe_order",), 3),
    Row("nc_matmul.row_tiles", _tiled, every("float32", "bfloat16"), ("pe_product", *_PE)),
    Row("nc_matmul.transpose", _matmul_transpose, _transposed),
    Row("nc_transpose.tensor_engine", _transpose_pe, every("float32", "bfloat16", "float16", "int32", "uint8")),
    Row("nc_transpose.vector_engine", _transpose_dve, every(*ARITHMETIC)),
    Row("nc_matmul_mx", _matmul_mx, every(*_PACKED, "float8_e5m2_x4+float4_e2m1fn_x4"), _PE, 4),
    Row(
        "quantize_mx",
        _quantize,
        every("bfloat16+float8_e5m2_x4", "bfloat16+float8_e4m3fn_x4", "float16+float8_e5m2_x4", "float16+float8_e4m3fn_x4"),
        ("denormals_dve",),
        4,
    ),
)
