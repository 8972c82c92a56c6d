"""Softmax and its kin on the device, against SciPy in float64; and column-wise Kronecker products."""

import numpy as np
import pytest
import scipy.linalg
import scipy.special
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp

from .beside_host import DEVICE, U, assert_refused_alike, fetch

SHAPES = st.lists(st.integers(1, 6), max_size=3).map(tuple)


def draw(data, ndim=0):
    shape = data.draw(SHAPES.filter(lambda shape: len(shape) >= ndim))
    x = (np.random.default_rng(data.draw(st.integers(0, 99))).standard_normal(shape) * 20).astype(np.float32)
    if x.size and data.draw(st.booleans()):
        x.reshape(-1)[data.draw(st.integers(0, x.size - 1))] = data.draw(st.sampled_from([np.inf, -np.inf, np.nan]))
    axes = [None, *range(-x.ndim, x.ndim), *([(0, x.ndim - 1)] if x.ndim > 1 else [])]
    return x, data.draw(st.sampled_from(axes))


def assert_near(found, wanted, bound):
    (found,) = fetch(found)
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape
    with np.errstate(invalid="ignore"):
        assert ((np.abs(found - wanted) <= bound) | (found == wanted) | (np.isnan(found) & np.isnan(wanted))).all(), (found, wanted)


def moderate(x):
    return np.abs(x[np.isfinite(x)]).max(initial=1.0)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_softmax(data):
    """Differences of exponents are rounded once, which is relative to the exponent; powers and their sum err by some units more."""
    x, axis = draw(data)
    on_device = xp.asarray(x, device=DEVICE)
    with xp.config(fallback="error"):
        shares, logarithms = xp.special.softmax(on_device, axis=axis), xp.special.log_softmax(on_device, axis=axis)
    bound = (2 * moderate(x) + 8 + x.size) * U
    assert_near(shares, scipy.special.softmax(x.astype(np.float64), axis=axis), bound)
    assert_near(logarithms, scipy.special.log_softmax(x.astype(np.float64), axis=axis), bound * (1 + 2 * moderate(x)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@settings(max_examples=12, deadline=None)
@given(data=st.data(), keepdims=st.booleans(), signs=st.booleans(), factor=st.sampled_from([2.0, 0.0, -3.0]))
def test_logsumexp(data, keepdims, signs, factor):
    """
    The logarithm is off by the relative error of the sum and by a rounding of the result.

    Weights of one sign, as here, magnify neither. What nothing times infinity adds depends on SciPy's version.
    """
    x, axis = draw(data, 1)  # results of scalars have an axis with SciPy 1.18 and keepdims, not with 1.13
    x[~np.isfinite(x) & (factor == 0.0)] = 0.0
    on_device = xp.asarray(x, device=DEVICE)
    weights = np.full(x.shape[-1:], factor, np.float32)
    options = {"axis": axis, "keepdims": keepdims, "return_sign": signs}
    for b, w in ((None, None), (xp.asarray(weights, device=DEVICE), weights.astype(np.float64))):
        with xp.config(fallback="error"):
            found = xp.special.logsumexp(on_device, b=b, **options)
        wanted = scipy.special.logsumexp(x.astype(np.float64), b=w, **options)
        for one, other in zip(found if signs else [found], wanted if signs else [wanted], strict=True):
            assert_near(one, other, (4 * moderate(x) + 8 + x.size) * U)


def test_what_the_others_add_is_not_rounded_away():
    x = np.asarray([0.0, -20.0], np.float32)
    (found,) = fetch(xp.special.logsumexp(xp.asarray(x, device=DEVICE)))
    assert abs(found / np.log1p(np.exp(-20.0)) - 1) <= 16 * U  # of one exponential and one logarithm


@pytest.mark.parametrize("largest", [0.0, 200.0, -200.0])
@pytest.mark.parametrize("weights", [(1, -1, -1), (-1, 2, 3), (1, -0.5, -0.25), (2, -3, 1)])
def test_weights_that_turn_the_sign(weights, largest):
    """Also where float32 holds neither the powers nor their sum; the largest term may be outweighed by the others."""
    x = np.float32([0.0, -0.25, -0.5]) + np.float32(largest)
    a, b = (xp.asarray(part, device=DEVICE) for part in (x, np.float32(weights)))
    with xp.config(fallback="error"):
        found, sign = (each.tolist() for each in xp.special.logsumexp(a, b=b, return_sign=True))
    wanted, expected = scipy.special.logsumexp(x.astype(np.float64), b=np.float64(weights), return_sign=True)
    assert sign == expected
    assert abs(found - wanted) <= (4 * abs(largest) + 200) * U  # sums of some terms cancel to a twentieth of these


def test_one_stage():
    x = xp.zeros((128, 1000), device=DEVICE)
    for y in (xp.special.softmax(x, axis=1), xp.special.logsumexp(x, axis=1)):
        (program,) = xp.explain(y).steps
        assert len(program.stages) == 1


@pytest.mark.parametrize("shapes", [((3, 4), (5, 4)), ((1, 2), (2, 2)), ((0, 3), (2, 3))], ids=str)
def test_khatri_rao(shapes):
    """Each element is one product."""
    a, b = (np.random.default_rng(place).standard_normal(shape).astype(np.float32) for place, shape in enumerate(shapes))
    with xp.config(fallback="error"):
        (found,) = fetch(xp.scipy.linalg.khatri_rao(xp.asarray(a, device=DEVICE), xp.asarray(b, device=DEVICE)))
    wanted = scipy.linalg.khatri_rao(a, b)
    assert found.shape == wanted.shape
    assert (found == wanted).all()


@pytest.mark.parametrize("shapes", [((3, 4), (5, 3)), ((3, 4), (4,)), ((), (2, 2))], ids=str)
def test_khatri_rao_refuses_as_scipy(shapes):
    arrays = [np.ones(shape, np.float32) for shape in shapes]
    on_device = [xp.asarray(array, device=DEVICE) for array in arrays]
    theirs, ours = scipy.linalg.khatri_rao, xp.scipy.linalg.khatri_rao
    assert_refused_alike(lambda: theirs(*arrays), lambda: ours(*on_device), ValueError)
