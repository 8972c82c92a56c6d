"""Running sums and products against float64, in every order of summation."""

import dataclasses

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nl
from trnarray.backends.neuron.kernels.reduce.scan import scan_rows
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(9)
U = 2.0**-24
KNOBS = [{}, {"dve_order": "permuted:1", "two_op": "fused", "gpsimd_overflow": "saturate"}]
SHAPES = [(1, 1), (5, 7), (130, 513), (40, 4097), (1, 2049), (2, 9001), (300, 8), (1000, 32), (1, 530000)]


@simulator.jit
def scan(x, name, dtype):
    out = nl.ndarray(x.shape, dtype, buffer=nl.shared_hbm)
    scan_rows(name, out, x)
    return out


def within(found, x, unit=0.0):
    wide = x.astype(np.float64)
    exact = wide.cumsum(1)
    spread = 649 if x.shape[0] <= 32 and x.shape[1] > 2048 else 513
    bound = (spread + np.arange(x.shape[1]) / 512) * U * np.abs(wide).cumsum(1) * (1 + unit)
    return (np.abs(found.astype(np.float64) - exact) <= bound + unit * np.abs(exact)).all()


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sums(shape, knobs):
    place = np.arange(shape[1])
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        for x in (RNG.standard_normal(shape), np.full(shape, 0.1), np.broadcast_to(np.where(place % 2, 2.0**20, -(2.0**20)) + 0.3, shape)):
            assert within(scan(x.astype(np.float32), "add", "float32"), x.astype(np.float32))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize(("dtype", "unit"), [(ml_dtypes.bfloat16, 2.0**-8), (np.float16, 2.0**-11)])
def test_narrow_floats_round_once(dtype, unit, target):
    x = RNG.standard_normal((33, 700)).astype(dtype)
    with simulator.options(target):
        assert within(scan(x, "add", np.dtype(dtype).name), x, unit)


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
@pytest.mark.parametrize("shape", [*SHAPES[:-1], (1, 70001)])
def test_integers_are_exact(dtype, shape, knobs):
    limits = np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, shape, dtype, endpoint=True)
    x[0, : shape[1] // 2] = limits.max  # the largest sums
    with simulator.options("trn2", knobs=dataclasses.replace(Knobs(), **knobs)):
        np.testing.assert_array_equal(scan(x, "add", np.dtype(dtype).name), x.cumsum(1, dtype=dtype))


@pytest.mark.parametrize("shape", [(130, 600), (1, 5000)])
def test_products(shape):
    x = RNG.uniform(0.9, 1.1, shape).astype(np.float32)
    with simulator.options("trn2"):
        np.testing.assert_allclose(scan(x, "multiply", "float32"), x.astype(np.float64).cumprod(1), rtol=shape[1] * U)


def test_special_values():
    x = np.array([[-0.0, -0.0, 1, np.inf, 1, -np.inf, 2], [0, -0.0, 1, np.nan, 1, 2, 3]], np.float32)
    with simulator.options("trn2"), np.errstate(invalid="ignore"):
        found = scan(x, "add", "float32")
        np.testing.assert_array_equal(found, x.cumsum(1))
        np.testing.assert_array_equal(np.signbit(found[:, :2]), [[True, True], [False, False]])


def test_what_is_not_exact_is_refused():
    with simulator.options("trn2"):
        with pytest.raises(TypeError, match="not int8; cast first"):
            scan(np.ones((2, 3), np.int8), "add", "int8")
        with pytest.raises(TypeError, match="products are of floats"):
            scan(np.ones((2, 3), np.int32), "multiply", "int32")


def test_rate():
    """Three cycles of the Vector Engine per element and partition at most, as predicted."""
    x = np.broadcast_to(np.float32(0), (4096, 4096))
    with simulator.options("trn2"):
        for data in (x, x.reshape(1, -1)):
            assert scan.predict(data, "add", "float32").seconds <= 1.5 * 3 * x.size / 128 / 0.96e9


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_infinities_stay_in_their_short_rows(target):
    x = RNG.standard_normal((700, 9)).astype(np.float32)
    x[5, 3], x[5, 6], x[300, 0], x[699, 8], x[:2, 0] = np.inf, -np.inf, np.nan, np.inf, -0.0
    with simulator.options(target):
        found = scan(x, "add", "float32")
    with np.errstate(invalid="ignore"):
        want = x.cumsum(1)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(want))
    np.testing.assert_array_equal(np.isinf(found), np.isinf(want))
    assert np.signbit(found[:2, 0]).all()
