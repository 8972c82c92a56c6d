"""
Points of Sobol and Halton on a device against SciPy's own, of the same seeds, rounded to float32.

Sums of Halton's digits have other roundings of float64 than SciPy's, which tell where a point is the middle of two float32: one in 2**27.
"""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import qmc

import trnarray as xp
from trnarray.scipy.stats import qmc as ours

if "rng" not in inspect.signature(qmc.Sobol).parameters:
    pytest.skip("older SciPy has seed= for rng=", allow_module_level=True)

BELOW = np.float32(1 - 2.0**-24)


def rounded(points):
    return np.minimum(points.astype(np.float32), BELOW)


def check(got, want, slack):
    assert got.device == "sim:trn2"
    assert got.dtype == xp.float32
    got = np.asarray(got.to_device("cpu"))
    np.testing.assert_array_less(rounded(want * (1 - slack)), np.nextafter(got, np.float32(2)))
    np.testing.assert_array_less(np.nextafter(got, np.float32(-1)), rounded(want * (1 + slack)))


@given(
    st.sampled_from([("Sobol", 0.0), ("Halton", 2.0**-50)]),
    st.integers(1, 9),
    st.booleans(),
    st.lists(st.integers(1, 300), min_size=1, max_size=3),
    st.integers(0, 500),
)
@settings(max_examples=5, deadline=None)
@pytest.mark.filterwarnings("ignore:The balance properties")
def test_points_are_scipys(kind, d, scramble, counts, skipped):
    name, slack = kind
    want = getattr(qmc, name)(d, scramble=scramble, rng=5)
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        got = getattr(ours, name)(d, scramble=scramble, rng=5)
        if skipped:
            want.fast_forward(skipped)
            got.fast_forward(skipped)
        for count in counts:
            check(got.random(count), want.random(count), slack)
        assert got.num_generated == want.num_generated
        want.reset()
        got.reset()
        check(got.random(4), want.random(4), slack)
    with xp.config(fallback="allow"), xp.default_device("sim:trn2"):  # SciPy goes on where the device stopped
        assert np.asarray(got.scipy.random(3)).tolist() == want.random(3).tolist()


def test_many_dimensions_and_bits():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        check(ours.Sobol(21201, rng=1).random(4), qmc.Sobol(21201, rng=1).random(4), 0.0)
        check(ours.Sobol(3, bits=32, rng=1).random_base2(6), qmc.Sobol(3, bits=32, rng=1).random_base2(6), 0.0)
        check(ours.Halton(6, rng=1).random(300), qmc.Halton(6, rng=1).random(300), 2.0**-50)
        with pytest.warns(UserWarning, match="balance properties"):
            ours.Sobol(2, rng=1).random(3)


@pytest.mark.parametrize(("name", "scramble"), [("Sobol", True), ("Halton", True), ("Halton", False)])
def test_points_of_float64_have_scipys_bits(name, scramble):
    want = getattr(qmc, name)(3, scramble=scramble, rng=2)
    with xp.config(defaults="numpy", fallback="error"), xp.default_device("sim:trn2"):
        got = getattr(ours, name)(3, scramble=scramble, rng=2)
        for count in (16, 48):  # which ends in the middle of a row of digits
            points = got.random(count)
            assert points.dtype == xp.float64
            np.testing.assert_array_equal(np.asarray(points.to_device("cpu")), want.random(count))


def test_what_scipy_has_to_draw():
    with xp.default_device("sim:trn2"):
        for make in (lambda: ours.Sobol(2, bits=40, rng=1), lambda: ours.Halton(2, rng=1, optimization="lloyd")):
            with xp.config(fallback="error"), pytest.raises(xp.FallbackError):
                make().random(8)
        with xp.config(fallback="allow"):
            sampler = ours.Sobol(2, bits=3, rng=1)
            sampler.random(8)
            with pytest.raises(ValueError, match="distinct points"):
                sampler.random(1)
            with pytest.raises(ValueError, match="power of 2"):
                ours.Sobol(2, rng=1).fast_forward(1).random_base2(2)
            for name in ("LatinHypercube", "PoissonDisk"):
                points, want = (getattr(module, name)(2, rng=1).random(5) for module in (ours, qmc))
                np.testing.assert_array_equal(np.asarray(points.to_device("cpu")), want.astype(np.float32))


def test_counter_based_generators_are_taken_by_scipy():
    rng = xp.random.Generator(xp.random.Philox4x32(3))
    points = ours.Sobol(2, rng=rng).random(4)
    twin = xp.random.Generator(xp.random.Philox4x32(3))
    np.testing.assert_array_equal(np.asarray(points), np.asarray(ours.Sobol(2, rng=twin).random(4)))
    assert not np.array_equal(np.asarray(points), np.asarray(ours.Sobol(2, rng=rng).random(4)))
