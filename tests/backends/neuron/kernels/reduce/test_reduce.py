"""Reductions against float64 and NumPy, for adversarial data and in every order of summation."""

import dataclasses

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.kernels.reduce.free_axis import reduce_tile
from trnarray.backends.neuron.kernels.reduce.tensor import reduce_columns, reduce_rows
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(8)
U = 2.0**-24
KNOBS = [
    {},
    {"dve_order": "permuted:1", "pe_order": "permuted:2", "two_op": "fused"},
    {"dve_order": "permuted:3", "gpsimd_overflow": "saturate"},
]
SHAPES = [(1, 1), (130, 7), (1025, 3), (129, 513), (40, 4100), (3, 9001), (1, 40000), (1, 70001)]


@simulator.jit
def tile(x, name, dtype):
    out = nl.ndarray(x.shape[:-1] if x.ndim == 3 else (x.shape[0], 1), dtype, buffer=nl.shared_hbm)
    data, result = nl.ndarray(x.shape, x.dtype), nl.ndarray(out.shape, dtype)
    nisa.dma_copy(data, x)
    reduce_tile(name, result, data)
    nisa.dma_copy(out, result)
    return out


@simulator.jit
def rows(x, name, dtype):
    out = nl.ndarray((x.shape[0],), dtype, buffer=nl.shared_hbm)
    reduce_rows(name, out, x)
    return out


@simulator.jit
def columns(x, name, dtype):
    out = nl.ndarray((x.shape[0], x.shape[2]), dtype, buffer=nl.shared_hbm)
    reduce_columns(name, out, x)
    return out


def adversaries(shape):
    """Random data, equal terms, cancelling ones, and one large term among small ones: each makes some order of summation bad."""
    count = shape[1]
    place = np.arange(count).reshape(1, -1, *[1] * (len(shape) - 2))
    yield RNG.standard_normal(shape).astype(np.float32)
    yield np.full(shape, 1 + 2.0**-23, np.float32) * np.float32(0.1)
    yield np.broadcast_to(np.where(place % 2, 2.0**20, -(2.0**20)) + 0.3, shape).astype(np.float32)
    yield np.broadcast_to(np.where(place == 0, 2.0**24, 1.0), shape).astype(np.float32)
    yield np.broadcast_to(np.exp2(place % 60 - 30.0), shape).astype(np.float32)


def within(found, x, axis=1, unit=0.0):
    wide = x.astype(np.float64)
    bound = (8 + np.log2(x.shape[axis])) * U * np.abs(wide).sum(axis)
    return (np.abs(found.astype(np.float64) - wide.sum(axis)) <= bound * (1 + unit) + unit * np.abs(wide.sum(axis))).all()


@pytest.mark.parametrize("knobs", KNOBS[:2])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_of_rows(shape, knobs):
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        assert all(within(rows(x, name, "float32"), x) for x in adversaries(shape) for name in ("add", "sum"))


@pytest.mark.parametrize("knobs", KNOBS[:2])
@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 5, 3), (1, 129, 130), (2, 1030, 70), (1, 3500, 5), (1000, 11, 3)])
def test_sums_of_columns(shape, knobs):
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        assert all(within(columns(x, name, "float32"), x) for x in adversaries(shape) for name in ("add", "sum"))


@pytest.mark.parametrize("shape", [*SHAPES, (1, 1, 1), (1, 129, 130), (1, 3500, 5), (1000, 11, 3)])
def test_sums_begin_with_zero_where_they_are_to(shape):
    """As NumPy's sums do; what NumPy adds from the first element on, such as slices, stays a negative zero."""
    kernel = columns if len(shape) == 3 else rows
    for dtype in (np.float32, np.float16):
        zeros = np.full(shape, -0.0, dtype)
        assert not np.signbit(kernel(zeros, "sum", np.dtype(dtype).name)).any()
        assert np.signbit(kernel(zeros, "add", np.dtype(dtype).name)).all()
    with simulator.options("trn2"):
        assert not np.signbit(tile(np.full((3, 9), -0.0, np.float32), "sum", "float32")).any()


@pytest.mark.parametrize("width", [1, 2, 7, 8, 9, 64, 127, 129, 1000])
def test_sums_of_tiles(width):
    with simulator.options("trn2", knobs=Knobs(dve_order="permuted:5")):
        assert all(within(tile(x, "add", "float32")[:, 0], x) for x in adversaries((3, width)))
        x = RNG.standard_normal((3, 4, width)).astype(np.float32)
        assert within(tile(x, "add", "float32"), x, axis=2)


@pytest.mark.parametrize(("dtype", "unit"), [(ml_dtypes.bfloat16, 2.0**-8), (np.float16, 2.0**-11)])
@pytest.mark.parametrize("target", ["trn1", "trn3"])
def test_narrow_floats_round_once(dtype, unit, target):
    x = RNG.standard_normal((130, 700)).astype(dtype)
    name = np.dtype(dtype).name
    with simulator.options(target):
        assert within(rows(x, "add", name), x, unit=unit)
        assert within(columns(x[None], "add", name)[0], x, axis=0, unit=unit)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", SHAPES)
def test_extremes_and_places(shape, target):
    x = RNG.integers(-9, 9, shape).astype(np.float32)  # with many ties
    spoilt = x.copy()
    spoilt[0, shape[1] // 2 :: 3] = np.nan
    with simulator.options(target):
        for data in (x, spoilt):
            for name, reference in (("maximum", np.max), ("minimum", np.min)):
                np.testing.assert_array_equal(rows(data, name, "float32"), reference(data, axis=1))
            for name, reference in (("argmax", np.argmax), ("argmin", np.argmin)):
                np.testing.assert_array_equal(rows(data, name, "int32"), reference(data, axis=1))


@pytest.mark.parametrize("target", ["trn1", "trn2"])
def test_extremes_of_columns(target):
    x = RNG.standard_normal((2, 300, 140)).astype(np.float32)
    x[1, 7, 5] = np.nan
    with simulator.options(target):
        np.testing.assert_array_equal(columns(x, "maximum", "float32"), x.max(1))
        np.testing.assert_array_equal(columns(x, "minimum", "float32"), x.min(1))


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
@pytest.mark.parametrize("shape", [(3, 1), (130, 257), (2, 9001), (1, 66000)])
def test_integers_are_exact(dtype, shape, knobs):
    limits = np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    x[0] = limits.max  # the largest sums
    x[0, -1] = limits.max - 1
    name = np.dtype(dtype).name
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        np.testing.assert_array_equal(rows(x, "add", name), x.sum(1, dtype=dtype))
        np.testing.assert_array_equal(rows(x, "maximum", name), x.max(1))
        np.testing.assert_array_equal(rows(x, "minimum", name), x.min(1))
        np.testing.assert_array_equal(rows(x, "argmax", "int32"), x.argmax(1))
        np.testing.assert_array_equal(rows(x, "argmin", "int32"), x.argmin(1))


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("target", ["trn1", "trn2"])
@pytest.mark.parametrize("shape", [(128, 300), (3, 2048), (2, 2, 600)])
def test_halves_of_words(shape, target, knobs):
    """Halves that are all ones, whose sums of 256 have 24 bits, and random ones; the upper ones with a sign or without."""
    words = np.where(np.arange(shape[-1]) % 512 < 256, np.uint32(2**32 - 1), RNG.integers(0, 2**32, shape, dtype=np.uint32))
    for dtype, upper in ((np.uint32, words >> 16), (np.int32, words.view(np.int32) >> 16)):
        for name, half in (("add.low", words & 0xFFFF), ("add.high", upper)):
            with simulator.options(target, knobs=Knobs(**knobs)):
                found = tile(np.ascontiguousarray(words.view(dtype)), name, "int32")
            np.testing.assert_array_equal(found.reshape(shape[:-1]), half.astype(np.int64).sum(-1))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16])
def test_narrow_integers(dtype):
    limits = np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, (70, 5000), dtype, endpoint=True)
    with simulator.options("trn2"):
        np.testing.assert_array_equal(rows(x, "add", "int32"), x.sum(1, dtype=np.int32))
        np.testing.assert_array_equal(rows(x, "maximum", np.dtype(dtype).name), x.max(1))
        np.testing.assert_array_equal(rows(x, "argmin", "int32"), x.argmin(1))


@pytest.mark.parametrize("shape", [(1, 1), (130, 300), (2, 9001), (1, 70001)])
def test_truth_and_counts(shape):
    x = (RNG.random(shape) < 0.5).astype(np.uint8)
    x[0] = 0
    x[-1, -1] = 1
    with simulator.options("trn2"):
        np.testing.assert_array_equal(rows(x, "count_nonzero", "int32"), np.count_nonzero(x, axis=1))
        for data in (x, 1 - x):
            np.testing.assert_array_equal(rows(data, "logical_or", "uint8"), data.any(1))
            np.testing.assert_array_equal(rows(data, "logical_and", "uint8"), data.all(1))


def test_a_denormal_is_true():
    x = np.full((1, 5), 1e-45, np.float32)
    with simulator.options("trn2", knobs=Knobs(denormals_dve="flush")):
        assert tile(x, "logical_and", "uint8")[0, 0] == 1
        assert tile(-0.0 * x, "logical_or", "uint8")[0, 0] == 0


def test_products():
    x = RNG.uniform(0.5, 1.5, (130, 300)).astype(np.float32)
    with simulator.options("trn2"):
        np.testing.assert_allclose(rows(x, "multiply", "float32"), x.astype(np.float64).prod(1), rtol=300 * U)


@pytest.mark.parametrize("knobs", KNOBS)
def test_products_of_integers(knobs):
    x = RNG.integers(-(2**31), 2**31, (130, 37)).astype(np.int32) | 1
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        np.testing.assert_array_equal(rows(x, "multiply", "int32"), x.prod(1, dtype=np.int32))
        narrow = x[:3, :9].astype(np.int8)
        np.testing.assert_array_equal(rows(narrow, "multiply", "int32"), narrow.prod(1, dtype=np.int32))


@pytest.mark.parametrize("shape", [(2, 200, 70), (700, 9, 5)])
def test_columns_of_other_dtypes(shape):
    x = RNG.integers(-(2**31), 2**31, shape, np.int32)
    truth = (x % 3 == 0).astype(np.uint8)
    truth[0, :, 1] = 1
    with simulator.options("trn2"):
        for name, reference in (("add", np.sum), ("maximum", np.max), ("minimum", np.min)):
            np.testing.assert_array_equal(columns(x, name, "int32"), reference(x, axis=1).astype(np.int32))
        for name, reference in (("argmax", np.argmax), ("argmin", np.argmin)):
            np.testing.assert_array_equal(columns(x.astype(np.float32), name, "int32"), reference(x.astype(np.float32), axis=1))
        np.testing.assert_array_equal(columns(x.astype(np.int16), "minimum", "int16"), x.astype(np.int16).min(1))
        for name, reference in (("logical_or", np.any), ("logical_and", np.all)):
            np.testing.assert_array_equal(columns(truth, name, "uint8"), reference(truth, axis=1))
        np.testing.assert_array_equal(columns(truth, "count_nonzero", "int32"), np.count_nonzero(truth, axis=1))


def test_rate():
    """Sums of 64 MiB run at three quarters of the DMA rate of trn2 (368 GB/s) at least, as predicted, whatever is reduced."""
    flat = np.broadcast_to(np.float32(0), (4096, 4096))
    with simulator.options("trn2"):
        for kernel, x in ((rows, flat), (rows, flat.reshape(1, -1)), (rows, flat.reshape(-1, 16)), (columns, flat[None])):
            prediction = kernel.predict(x, "add", "float32")
            assert prediction.seconds <= 4 / 3 * x.size * 4 / 368e9
            assert prediction.hbm_read <= 1.01 * x.size * 4
