"""Microscaled products and quantization against float64 and ml_dtypes."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl

RNG = np.random.default_rng(5)
ELEMENTS = {
    "float8_e5m2_x4": (ml_dtypes.float8_e5m2, np.uint32),
    "float8_e4m3fn_x4": (ml_dtypes.float8_e4m3fn, np.uint32),
    "float4_e2m1fn_x4": (ml_dtypes.float4_e2m1fn, np.uint16),
}


def pack(values, dtype):
    """(K, columns, 4) small floats as packed elements."""
    element, storage = ELEMENTS[dtype]
    small = values.astype(element)
    width = 4 if storage is np.uint16 else 8
    bits = small.view(np.uint8).astype(np.uint64)
    packed = sum(bits[..., part] << np.uint64(width * part) for part in range(4)).astype(storage)
    return packed, small.astype(np.float64)


def spread(scales, rows):
    """Scales of (rows / 8, columns) in the first four partitions of each quadrant; elsewhere what must not matter."""
    out = np.full((rows, scales.shape[1]), 255, np.uint8)
    for quadrant in range(rows // 32):
        out[32 * quadrant : 32 * quadrant + 4] = scales[4 * quadrant : 4 * quadrant + 4]
    return out


def product(left, right, left_scale, right_scale, left_dtype, right_dtype, twice=False):
    tiles = []
    for x, dtype in ((left, left_dtype), (right, right_dtype), (left_scale, "float8_e8m0fnu"), (right_scale, "uint8")):
        tile = nl.ndarray(x.shape, x.dtype)
        nisa.dma_copy(tile, x)
        tiles.append(tile.view(dtype))
    acc = nl.ndarray((left.shape[1], right.shape[1]), "float32", buffer=nl.psum)
    for _ in range(1 + twice):
        nisa.nc_matmul_mx(acc, *tiles)
    tile = nl.ndarray(acc.shape, "float32")
    nisa.tensor_copy(tile, acc)
    out = nl.ndarray(acc.shape, "float32", buffer=nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out


@pytest.mark.parametrize("left_dtype", ELEMENTS)
@pytest.mark.parametrize("right_dtype", ELEMENTS)
@pytest.mark.parametrize("rows", [32, 96, 128])
@pytest.mark.parametrize("order", ["sequential", "permuted:1"])
def test_product(left_dtype, right_dtype, rows, order):
    m, n = 6, 5
    arrays, wide = [], []
    for columns, dtype in ((m, left_dtype), (n, right_dtype)):
        packed, values = pack(RNG.standard_normal((rows, columns, 4)).astype(np.float32) * 2, dtype)
        scales = RNG.integers(117, 137, (rows // 8, columns)).astype(np.uint8)
        values *= np.repeat(np.exp2(scales.astype(np.float64) - 127), 8, axis=0)[..., None]
        arrays.append((packed, spread(scales, rows)))
        wide.append(values)
    with simulator.options("trn3", knobs=simulator.Knobs(pe_order=order)):
        kernel = simulator.jit(product)
        found = kernel(arrays[0][0], arrays[1][0], arrays[0][1], arrays[1][1], left_dtype, right_dtype)
        doubled = kernel(arrays[0][0], arrays[1][0], arrays[0][1], arrays[1][1], left_dtype, right_dtype, True)
    exact, bound = np.einsum("kmx,knx->mn", *wide), np.einsum("kmx,knx->mn", *map(np.abs, wide))
    # Exact products; one rounding per addition.
    assert (np.abs(found - exact) <= 4 * rows * 2.0**-24 * bound).all()
    np.testing.assert_array_equal(doubled, 2 * found)


def quantize(x, dtype, scale_dtype, rows):
    tile, packed, scale = nl.ndarray(x.shape, x.dtype), nl.ndarray((x.shape[0], x.shape[1] // 4), dtype), None
    scale = nl.zeros((rows, x.shape[1] // 4), "uint8")
    nisa.dma_copy(tile, x)
    nisa.quantize_mx(packed, tile, scale.view(scale_dtype))
    outs = []
    for part in (packed.view("uint8"), scale):
        out = nl.ndarray(part.shape, "uint8", buffer=nl.shared_hbm)
        nisa.dma_copy(out, part)
        outs.append(out)
    return tuple(outs)


@settings(deadline=None)
@given(st.sampled_from([32, 64, 128]), st.integers(1, 4), st.sampled_from(list(ELEMENTS)[:2]), st.data())
def test_quantize(rows, columns, dtype, data):
    element, source = ELEMENTS[dtype][0], data.draw(st.sampled_from([np.float16, ml_dtypes.bfloat16]))
    scale_dtype = data.draw(st.sampled_from(["uint8", "float8_e8m0fnu"]))
    power = data.draw(st.integers(-20, 12) if source is np.float16 else st.integers(-140, 126))
    x = (RNG.standard_normal((rows, 4 * columns)) * 2.0**power / 8).astype(source)
    x[:8, :4] = 0
    with simulator.options("trn3"):
        found, scales = simulator.jit(quantize)(x, dtype, scale_dtype, rows if rows > 32 else 4)
    blocks = x.astype(np.float64).reshape(rows // 8, 8, columns, 4)
    largest = np.abs(blocks).max(axis=(1, 3))
    top = {"float8_e5m2_x4": 15, "float8_e4m3fn_x4": 8}[dtype]
    with np.errstate(divide="ignore"):
        exponent = np.maximum(np.floor(np.log2(largest)) - (top - 1), -127)
    np.testing.assert_array_equal(np.concatenate([scales[q : q + 4] for q in range(0, rows, 32)]), exponent + 127)
    want = (blocks / np.exp2(exponent)[:, None, :, None]).astype(np.float32).astype(element).reshape(rows, 4 * columns)
    np.testing.assert_array_equal(found.view(element).astype(np.float32), want.astype(np.float32))
    assert np.isfinite(want.astype(np.float32)).all()
    untouched = np.delete(scales, [p for q in range(0, rows, 32) for p in range(q, q + 4)], axis=0)
    assert not untouched.any()


def test_blocks_that_are_not_finite():
    x = np.ones((32, 8), np.float16)
    x[3, 5] = np.inf
    with simulator.options("trn3"):
        found, scales = simulator.jit(quantize)(x, "float8_e5m2_x4", "uint8", 4)
    values = found.view(ml_dtypes.float8_e5m2).astype(np.float32)
    assert np.isnan(values[:8, 4:]).all()
    assert np.isfinite(values[:8, :4]).all()
    assert np.isfinite(values[8:]).all()
    assert scales[0].tolist() == [127 - 14, 255]


def test_scales_share_a_tile():
    """Two quantized tiles whose scales lie in one, four partitions of each quadrant apart, multiplied."""

    def kernel(x, y):
        scales = nl.zeros((128, 5), "uint8")
        tiles = []
        for number, array in enumerate((x, y)):
            tile, packed = nl.ndarray(array.shape, array.dtype), nl.ndarray((128, array.shape[1] // 4), "float8_e4m3fn_x4")
            nisa.dma_copy(tile, array)
            mine = scales[4 * number :, : packed.shape[1]]
            nisa.quantize_mx(packed, tile, mine)
            tiles.append((packed, mine))
        acc, out = (nl.ndarray((2, 5), "float32", buffer=buffer) for buffer in (nl.psum, nl.shared_hbm))
        nisa.nc_matmul_mx(acc, tiles[0][0], tiles[1][0], tiles[0][1], tiles[1][1])
        tile = nl.ndarray((2, 5), "float32")
        nisa.tensor_copy(tile, acc)
        nisa.dma_copy(out, tile)
        return out

    x, y = (RNG.standard_normal((128, 4 * columns)).astype(ml_dtypes.bfloat16) for columns in (2, 5))
    with simulator.options("trn3"):
        found = simulator.jit(kernel)(x, y)
    a, b = (v.astype(np.float64).reshape(128, -1, 4) for v in (x, y))
    # Elements keep four bits, an error of 2**-4 of each; those of denormals are 2**-10 in units of at most 2**-7 of the largest, about 4.
    bound = np.einsum("kmx,knx->mn", np.abs(a) + 2.0**-13 * 4, np.abs(b) + 2.0**-13 * 4)
    assert (np.abs(found - np.einsum("kmx,knx->mn", a, b)) <= 2.1 * 2.0**-4 * bound).all()
