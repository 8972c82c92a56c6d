"""Stacks of small matrices, of which 4 or 16 are multiplied at once."""

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

SHAPES = [(37, 32, 32, 32), (4, 64, 64, 64), (70, 33, 64, 40), (131, 40, 50, 64), (19, 26, 30, 32)]
KNOBS = [Knobs(), Knobs(pe_order="permuted:3", pe_product="split21")]


def multiplied(a, b, target="trn2"):
    return np.asarray((xp.asarray(a, device=f"sim:{target}") @ xp.asarray(b, device=f"sim:{target}")).to_device("cpu"))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("shape", SHAPES)
def test_within_the_bound_of_products(shape, target):
    count, m, k, n = shape
    rng = np.random.default_rng(count)
    a, b = (rng.standard_normal(extents).astype(np.float32) for extents in ((count, m, k), (count, k, n)))
    size = np.abs(a).astype(np.float64) @ np.abs(b)
    for knobs in KNOBS:
        with simulator.options(knobs=knobs):
            found = multiplied(a, b, target)
        assert np.all(np.abs(found - a.astype(np.float64) @ b) <= (k + 6) * 2.0**-24 * size)  # one block of K, and halves of products


def test_halves_round_once():
    rng = np.random.default_rng(1)
    a, b = (rng.integers(-8, 9, (37, 40, 40)).astype(ml_dtypes.bfloat16) for _ in range(2))
    want = (a.astype(np.float64) @ b.astype(np.float64)).astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(multiplied(a, b).astype(np.float32), want.astype(np.float32))


@pytest.mark.parametrize("side", [50, 30])
def test_infinities_and_nan_stay_in_their_matrix_and_row(side):
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal((18, side, side)).astype(np.float32) for _ in range(2))
    a[3, 7, 2], a[4, 1, 1], b[9, 0, 5] = np.inf, np.nan, -np.inf
    with np.errstate(invalid="ignore"):
        want = a @ b
    found = multiplied(a, b)
    np.testing.assert_array_equal(np.isnan(found), np.isnan(want))
    np.testing.assert_array_equal(found[np.isinf(want)], want[np.isinf(want)])


@pytest.mark.parametrize(("side", "most"), [(64, 3), (32, 6)])
def test_predicted_time(side, most):
    a = xp.asarray(np.zeros((1024, side, side), np.float32), device="sim:trn2")
    (step,) = xp.explain(a @ a).steps
    assert step.prediction.seconds <= most * 3 * a.nbytes / 435e9 + 10e-6  # was 15 times what DMA takes, and 9 times for 32
