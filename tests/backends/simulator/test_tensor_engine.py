"""Products of the Tensor Engine against float64, for each dtype, target and knob; transposes bit for bit."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.dtypes import from_float32, storage_dtype

RNG = np.random.default_rng(17)
WIDE, NARROW = ["float32", "tfloat32"], ["bfloat16", "float16", "float8_e4m3", "float8_e5m2"]
PAIRS = [(a, b) for group in (WIDE, NARROW) for a in group for b in group]
KNOBS = [
    simulator.Knobs(pe_product=product, pe_order=order, denormals_pe=denormals)
    for product in ("exact", "split21")
    for order in ("sequential", "permuted:3")
    for denormals in ("keep", "flush")
]
U = 2.0**-24


def loaded(x, dtype):
    tile = nl.ndarray(x.shape, x.dtype)
    nisa.dma_copy(tile, x)
    return tile.view(dtype)


def returned(psum):
    tile = nl.ndarray(psum.shape, psum.dtype)
    nisa.tensor_copy(tile, psum)
    out = nl.ndarray(psum.shape, psum.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, tile)
    return out


def product(left, right, left_dtype, right_dtype, times=1, out_dtype="float32"):
    stationary, moving = loaded(left, left_dtype), loaded(right, right_dtype)
    acc = nl.ndarray((left.shape[1], right.shape[1]), out_dtype, buffer=nl.psum)
    for step in range(times):
        nisa.nc_matmul(acc, stationary, moving, accumulate=step > 0)
    return returned(acc)


def draw(data, rows, columns, dtype):
    values = from_float32(RNG.standard_normal((rows, columns)).astype(np.float32), dtype)
    if data.draw(st.booleans()):  # rows of very different sizes cancel
        values = from_float32(values.astype(np.float32) * np.exp2(RNG.integers(-6, 5, (rows, 1))).astype(np.float32), dtype)
    return values


@settings(deadline=None, max_examples=30)
@pytest.mark.parametrize("knobs", KNOBS, ids=lambda k: f"{k.pe_product}-{k.pe_order}-{k.denormals_pe}")
@given(st.sampled_from(PAIRS), st.sampled_from(["trn1", "trn2", "trn3"]), st.integers(1, 3), st.data())
def test_product(knobs, pair, target, times, data):
    k, m, n = data.draw(st.integers(1, 128)), data.draw(st.integers(1, 128)), data.draw(st.integers(1, 512))
    left, right = (draw(data, k, columns, dtype) for columns, dtype in zip((m, n), pair, strict=True))
    with simulator.options(target, knobs=knobs):
        found = simulator.jit(product)(left, right, *pair, times)
    a, b = left.astype(np.float64), right.astype(np.float64)
    bound = times * np.abs(a).T @ np.abs(b)
    # One rounding per addition; split21 makes three of each and leaves out low x low, below 2**-22 of a product of 24-bit numbers.
    split = knobs.pe_product == "split21" and "float32" in pair
    tolerance = (times * k * (3 if split else 1)) * U + (2.0**-20 if split else 0)
    assert (np.abs(found - times * (a.T @ b)) <= tolerance * bound).all()


def test_bfloat16_result_rounds_once():
    left, right = (RNG.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((128, 64), (128, 300)))
    with simulator.options("trn3"):
        wide = simulator.jit(product)(left, right, "bfloat16", "bfloat16")
        low = simulator.jit(product)(left, right, "bfloat16", "bfloat16", 1, "bfloat16")
    np.testing.assert_array_equal(low, wide.astype(ml_dtypes.bfloat16))


def test_denormals():
    left = np.full((4, 2), 2.0**-130, np.float32)
    results = []
    for choice in ("keep", "flush"):
        with simulator.options("trn2", knobs=simulator.Knobs(denormals_pe=choice)):
            results.append(simulator.jit(product)(left, np.ones((4, 3), np.float32), "float32", "float32"))
    assert (results[0] == 2.0**-128).all()
    assert not results[1].any()


def double_row(left, right, left_dtype, right_dtype):
    stationary, moving = loaded(left, left_dtype), loaded(right, right_dtype)
    acc = nl.ndarray((left.shape[2], right.shape[2]), "float32", buffer=nl.psum)
    nisa.nc_matmul(acc, stationary, moving, perf_mode=nisa.matmul_perf_mode.double_row)
    return returned(acc)


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 128), st.integers(1, 128), st.integers(1, 512), st.sampled_from(KNOBS), st.data())
def test_double_row(k, m, n, knobs, data):
    pair = data.draw(st.tuples(*[st.sampled_from(["float8_e4m3", "float8_e5m2"])] * 2))
    left, right = (RNG.standard_normal((k, 2, c)).astype(storage_dtype(d)) for c, d in zip((m, n), pair, strict=True))
    with simulator.options(data.draw(st.sampled_from(["trn2", "trn3"])), knobs=knobs):
        found = simulator.jit(double_row)(left, right, *pair)
    a, b = (x.astype(np.float64).reshape(2 * k, -1) for x in (left, right))
    assert (np.abs(found - a.T @ b) <= 2 * k * U * (np.abs(a).T @ np.abs(b))).all()


def tiled(left, right, rows, columns):
    """Each part of the array makes a product of its own; those of one column of parts are added in PSUM."""
    stationary, moving = loaded(left, "bfloat16"), loaded(right, "bfloat16")
    out = nl.ndarray((left.shape[1], right.shape[1]), "float32", buffer=nl.shared_hbm)
    for column in range(0, 128, columns):
        acc = nl.ndarray((columns, right.shape[1]), "float32", buffer=nl.psum)
        for row in range(0, 128, rows):
            here = slice(row, row + rows)
            part = stationary[here, column : column + columns]
            nisa.nc_matmul(acc, part, moving[here], tile_position=(row, column), tile_size=(rows, columns), accumulate=row > 0)
        tile = nl.ndarray(acc.shape, "float32")
        nisa.tensor_copy(tile, acc)
        nisa.dma_copy(out[column : column + columns], tile)
    return out


@pytest.mark.parametrize("rows", [32, 64, 128])
@pytest.mark.parametrize("columns", [32, 64, 128])
def test_parts_of_the_array(rows, columns):
    left, right = (RNG.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((128, 128), (128, 200)))
    with simulator.options("trn2"):
        found = simulator.jit(tiled)(left, right, rows, columns)
    a, b = left.astype(np.float64), right.astype(np.float64)
    assert (np.abs(found - a.T @ b) <= 132 * U * (np.abs(a).T @ np.abs(b))).all()


def transpose(x, dtype, by_product):
    data = loaded(x, dtype)
    dst = nl.ndarray((x.shape[1], x.shape[0]), dtype, buffer=nl.psum)
    if by_product:
        nisa.nc_matmul(dst, data, nl.shared_identity_matrix(x.shape[0], dtype), is_transpose=True)
    else:
        nisa.nc_transpose(dst, data, engine=nisa.engine.tensor)
    return returned(dst)


@pytest.mark.parametrize("by_product", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16", "float8_e4m3", "float8_e5m2"])
def test_transpose_moves_bits(dtype, by_product):
    storage = storage_dtype(dtype)
    x = RNG.integers(0, 256, (100, 60 * storage.itemsize), dtype=np.uint8).view(storage)  # NaNs of every kind among them
    with simulator.options("trn2"):
        found = simulator.jit(transpose)(x, dtype, by_product)
    np.testing.assert_array_equal(found.view(np.uint8), np.ascontiguousarray(x.T).view(np.uint8))


@pytest.mark.parametrize("by_product", [False, True])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_trn1_transpose_spoils_rows(bad, by_product):
    x = RNG.standard_normal((40, 50)).astype(np.float32)
    x[7, 3] = bad
    with simulator.options("trn1"):
        found = simulator.jit(transpose)(x, "float32", by_product)
    want = x.T.copy()
    want[3] = np.nan
    want[3, 7] = bad  # of the others in the row, NaN or Inf times zero is NaN
    np.testing.assert_array_equal(found, want)


def test_transpose_needs_an_identity():
    def kernel(x):
        tile = loaded(x, "float32")
        dst = nl.ndarray((4, 4), "float32", buffer=nl.psum)
        nisa.nc_matmul(dst, tile, tile, is_transpose=True)
        return returned(dst)

    with simulator.options("trn2"), pytest.raises(simulator.NkiConstraintError, match="identity"):
        simulator.jit(kernel)(np.ones((4, 4), np.float32))
