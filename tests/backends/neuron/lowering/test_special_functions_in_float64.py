"""Functions of scipy.special in float64 that others make, against SciPy in float64, whose errors are of the same size."""

import numpy as np
import pytest
import scipy
import scipy.special

import trnarray as xp

rng = np.random.default_rng(24)
EXTREMES = np.array([np.nan, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.5, 10.0, np.inf, -np.inf])
OLD = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17)  # which has other values where parameters are 0 or infinite
SHAPES = np.concatenate([10 ** rng.uniform(-3, 5, 24), [1e-10, 1e-10, 0.3, 0.999, 1e9, 0.5]])
AROUND = SHAPES * np.exp(rng.standard_normal(30) * 3 / np.sqrt(np.maximum(SHAPES, 1)))
ARGUMENTS = np.where(SHAPES < 1, 10 ** rng.uniform(-3, 1.5, 30), AROUND)
ARGUMENTS[-6:] = [1e-8, 0.9, 1e-200, 0.999, 1e9 + 3e4, 700.0]
OTHERS = 10 ** rng.uniform(-2, 4, 30)
MEAN = SHAPES / (SHAPES + OTHERS)
INSIDE = MEAN + rng.standard_normal(30) * 3 * np.sqrt(MEAN * (1 - MEAN) / (SHAPES + OTHERS + 1))
FRACTIONS = np.where((INSIDE > 0) & (INSIDE < 1), INSIDE, rng.uniform(0, 1, 30))
TAILS = np.concatenate([rng.uniform(0, 1, 12), 10 ** rng.uniform(-300, 0, 14), [1e-37, 1e-36, 0.5 + 1e-9, 0.25, 0.75, 1 - 2.0**-53]])
NORMAL = np.concatenate([rng.standard_normal(20) * 3, [-40, -69, -71, -100, -1e5, -1, -0.999, 1e-300, 8, 30]])
POSITIVE = np.concatenate([10 ** rng.uniform(-10, 2.4, 12), rng.uniform(0.3, 10, 14), [1.0, 2.0, 2.4999, 8.0, 1e300]])
OF_BESSEL = np.concatenate([rng.uniform(-60, 60, 18), 10 ** rng.uniform(-10, 2.8, 8), [30, 30.001, 1e5, 0]])
CALLS = {
    "gammainc": (SHAPES, ARGUMENTS),
    "gammaincc": (SHAPES, ARGUMENTS),
    "betainc": (SHAPES, OTHERS, FRACTIONS),
    "stdtr": (OTHERS, rng.standard_normal(30) * 4),
    "ndtri": (TAILS,),
    "erfinv": (1 - TAILS[:-1],),
    "log_ndtr": (NORMAL,),
    "gammaln": (POSITIVE,),
    "psi": (np.concatenate([POSITIVE[:-1], -POSITIVE[:12]]),),
    "i1e": (OF_BESSEL,),
    "i0": (np.clip(OF_BESSEL, -700, 700),),
    "betaln": (np.minimum(SHAPES, 20), np.minimum(OTHERS, 20)),  # from larger ones SciPy's differ by more
    "beta": (np.minimum(SHAPES, 4), np.minimum(OTHERS, 4)),
    "rel_entr": (OTHERS, OTHERS[::-1]),
}
OF_BETA = (-np.inf, -3.0, -2.5, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.5, 4.0, np.inf, np.nan)
TERMS = {"psi": 1.0, "betaln": 40.0}
"""The size of what a result is a difference of."""
INCOMPLETE = {"gammainc", "gammaincc", "betainc", "stdtr"}


def condition(function, operands, found):
    """Sum what relative changes of operands make of the result."""
    total, step = 0.0, 2.0**-20
    for place, operand in enumerate(operands):
        moved = [*operands]
        moved[place] = operand * (1 - step)
        total = total + np.abs(function(*moved) - found) / step
    return total


@pytest.mark.parametrize("name", CALLS)
@np.errstate(all="ignore")
def test_against_scipy(name):
    """Within 32 u of the result, of which SciPy has up to 25, or of terms of a difference, and 4 u times what rounding operands changes."""
    operands = CALLS[name]
    extremes = EXTREMES[: 4 if len(operands) == 3 else 9 if name == "i0" else 11]  # SciPy's i0 of infinity is NaN
    extremes = OF_BETA if name in {"beta", "betaln"} else extremes
    ends = [np.ravel(x) for x in np.meshgrid(*[extremes] * len(operands), indexing="ij")]
    given = [np.concatenate(pair) for pair in zip(operands, ends, strict=True)]
    with xp.config(fallback="error"):
        found = getattr(xp.special, name)(*(xp.asarray(x, device="sim:trn2") for x in given))
    assert found.dtype == xp.float64
    function, found = getattr(scipy.special, name), np.asarray(found.to_device("cpu"))
    expected = function(*given)
    count = operands[0].size
    known = np.isfinite(expected[:count])
    allowed = 32 * np.maximum(np.abs(expected[:count]), TERMS.get(name, 0.0)) + 4 * condition(function, operands, expected[:count])
    worst = np.abs(found[:count] - expected[:count]) - allowed * 2.0**-53
    at = int(np.argmax(np.where(known, worst, -1.0)))
    assert worst[at] <= 0, ([x[at] for x in operands], found[at], expected[at])
    if OLD and name in INCOMPLETE:
        return
    np.testing.assert_allclose(found[count:], expected[count:], rtol=2.0**-45, atol=2.0**-50 if name in TERMS else 0, err_msg=str(ends))


def exact_zeta(x, q):
    """Sum in extended precision, with 3000 terms and the first two of what Euler and Maclaurin add, and tell the condition number."""
    x, q = x.astype(np.longdouble), q.astype(np.longdouble)
    terms = (q[:, None] + np.arange(3000)) ** -x[:, None]
    end = q + 3000
    rest = end ** (1 - x) * (1 / (x - 1) + (0.5 + x / end / 12 * (1 - (x + 1) * (x + 2) / (60 * end**2))) / end)
    found = terms.sum(1) + rest
    pull = (x[:, None] * np.abs(np.log(q[:, None] + np.arange(3000))) * terms).sum(1) + rest * (x * np.log(end) + x / (x - 1))
    return found, 1 + x + pull / found


@pytest.mark.parametrize("name", ["polygamma", "zeta", "riemann"])
def test_zeta_functions_of_float64(name):
    rng = np.random.default_rng(6)
    x, q = np.concatenate([1 + 10 ** rng.uniform(-4, 1.5, 30), np.arange(2.0, 12.0)]), 10 ** rng.uniform(-2, 4, 40)
    with xp.config(fallback="error", defaults="numpy"):
        on_device = [xp.asarray(item, device="sim:trn2") for item in (x, q)]
        if name == "zeta":
            found = np.asarray(xp.special.zeta(*on_device).to_device("cpu"))
            want, condition = exact_zeta(x, q)
            inf, nan = np.inf, np.nan
            special = np.array([[2, 1, 0.5, 2, 2.5, 2, nan, 3, inf, inf, 2], [inf, 2, 2, 0, -1.5, -3, 1, -inf, 0.5, 2, -0.25]])
            got = np.asarray(xp.special.zeta(*[xp.asarray(item, device="sim:trn2") for item in special]).to_device("cpu"))
            np.testing.assert_allclose(got, scipy.special.zeta(*special), rtol=2.0**-50)
        elif name == "polygamma":
            order, negative = rng.integers(1, 9, 40), np.array([-0.25, -7.5, -3.875])
            both = [xp.asarray(np.concatenate(pair), device="sim:trn2") for pair in ((order, [3, 3, 3]), (q, negative))]
            found, got = np.split(np.asarray(xp.special.polygamma(*both).to_device("cpu")), [40])
            want, condition = exact_zeta(order + 1.0, q)
            want *= -((-1.0) ** order) * scipy.special.factorial(order, exact=False)
            np.testing.assert_allclose(got, scipy.special.polygamma(3, negative), rtol=2.0**-48)
        else:
            x = np.concatenate([x, -rng.uniform(0, 12, 20), [0.0, 0.5, -1.0, -2.0, -400.0, np.inf, np.nan]])
            found = np.asarray(xp.special.zeta(xp.asarray(x, device="sim:trn2")).to_device("cpu"))
            want, condition = scipy.special.zeta(x), 4 * (1 + np.abs(x))  # of which SciPy's own errors are the larger part
            np.testing.assert_array_equal(found[-4:], [0.0, 0.0, 1.0, np.nan])
            found, want, condition = found[:-4], want[:-4], condition[:-4]
    assert np.max(np.abs(found - want) / np.abs(want) / condition) < 8 * 2.0**-53
