"""Sums by position as products, against NumPy in float64, and bit for bit for integers."""

import dataclasses

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.kernels.move import gather
from trnarray.backends.neuron.kernels.products import scatter_add
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(8)
U = 2.0**-24
KNOBS = [{}, {"pe_product": "split21", "pe_order": "permuted:1", "dve_order": "permuted:2", "two_op": "fused"}]


@simulator.jit
def added(base, places, values):
    out = nl.ndarray(base.shape, base.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, base)
    scatter_add.add_by_products(out, places, values)
    return out


def summed(base, places, values):
    result = base.copy()
    with np.errstate(invalid="ignore"):
        np.add.at(result, places, values)
    return result


def at(count, size):
    return RNG.integers(0, size, count).astype(np.int32)


@pytest.mark.parametrize("knobs", KNOBS, ids=["default", "others"])
@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize(("size", "count"), [(1, 1), (131, 128 * 3 + 5)])
def test_sums(size, count, target, knobs, monkeypatch):
    monkeypatch.setattr(scatter_add, "_TERMS", 2)
    places = at(count, size)
    base, values = RNG.standard_normal(size).astype(np.float32), RNG.standard_normal(count).astype(np.float32)
    exact, magnitude = summed(base.astype(np.float64), places, values), summed(np.abs(base).astype(np.float64), places, np.abs(values))
    with simulator.options(target, knobs=dataclasses.replace(Knobs(), **knobs)):
        assert (np.abs(added(base, places, values) - exact) <= (np.bincount(places, minlength=size) + 1) * U * magnitude).all()
        for dtype in (np.int32, np.uint32):
            limits = np.iinfo(dtype)
            base, values = (RNG.integers(limits.min, limits.max, many, dtype, endpoint=True) for many in (size, count))
            assert added(base, places, values).tolist() == summed(base, places, values).tolist()


def test_many_of_the_largest_integers(monkeypatch):
    monkeypatch.setattr(gather, "_UNROLLED", 1)  # a loop of the device
    values = np.full(128 * 32 * 2, 2**32 - 1, np.uint32)
    places = np.zeros(values.size, np.int32)
    with simulator.options("trn2"):
        assert added(np.zeros(2, np.uint32), places, values).tolist() == [2**32 - values.size, 0]


def test_numbers_that_are_not_finite():
    values = np.array([np.nan, 1, np.inf, 2, np.inf, -np.inf, -np.inf, 3, 4], np.float32)
    places = np.array([0, 0, 1, 1, 2, 2, 3, 4, 5], np.int32)
    base = np.array([0, 0, 0, 0, np.inf, np.nan, -0.0, 0.0, -np.inf], np.float32)
    with simulator.options("trn2"):
        found = added(base, places, values)
    expected = summed(base, places, values)
    np.testing.assert_array_equal(found, expected)
    assert np.signbit(found[6:]).tolist() == [True, False, True]  # what nothing is added to
