"""Functions of scipy.special that are expressions of others, against SciPy in float64."""

import numpy as np
import pytest
import scipy.special as theirs

import trnarray as xp
from trnarray.scipy import special as ours

X = np.array([-np.inf, -400.5, -3.0, -0.3, -1e-5, 0.0, 0.2, 1.0, 1.75, 30.0, 44.5, 89.0, 180.0, 1e6, np.inf, np.nan])
PAIRS = np.meshgrid([-1.0, 0.0, 1e-3, 0.5, 1.75, 20.0, np.inf, np.nan], [-2.0, 0.0, 0.5, 3.0, 30.0])
TRIPLES = np.meshgrid([0.2, 1.75, 30.0], [0.2, 1.75, 30.0], [-1.0, 0.0, 0.2, 30.0])
TRIALS = np.meshgrid([-3.0, -1.0, 0.0, 2.5, 5.0, 9.0, 11.0], [-2.0, 0.45, 1.0, 5.75, 10.0], [-0.1, 0.0, 0.3, 0.75, 1.0, 1.2])
COEFFICIENTS = np.meshgrid([-3.0, -2.5, 0.0, 1.0, 4.5, 5.0, 40.0, 100.0], [-2.0, -1.5, 0.0, 1.0, 2.5, 7.0, 10.0, 50.0])
OPERANDS = {
    **dict.fromkeys(("cbrt", "cosdg", "cosm1", "exp10", "exp2", "expm1", "exprel", "log1p", "log_expit", "round", "sindg"), (X,)),
    **dict.fromkeys(("boxcox", "boxcox1p", "huber", "inv_boxcox", "inv_boxcox1p", "kl_div", "pseudo_huber"), PAIRS),
    **dict.fromkeys(("fdtr", "fdtrc", "radian"), TRIPLES),
    **dict.fromkeys(("bdtr", "bdtrc", "nbdtr", "nbdtrc"), TRIALS),
    "binom": COEFFICIENTS,
    "loggamma": (X,),
}
IN_FLOAT64 = ("boxcox", "sindg", "binom", "nbdtrc")


def exponent(name, operands):
    """Give the size of the exponents of a function's exponential, whose rounding that magnifies."""
    if name == "binom" and operands[0].dtype == np.float64:  # whose beta function is an exponential
        return np.abs(np.nan_to_num(np.log(np.abs(theirs.binom(*operands))), posinf=0.0, neginf=0.0))
    if "boxcox" not in name:
        return 0.0
    x, power = operands
    argument = power * x if name.startswith("inv") else x
    log = np.log1p(argument) if name.startswith("inv") or name.endswith("1p") else np.log(argument)
    return np.nan_to_num(np.abs(log / power if name.startswith("inv") else log * power), posinf=0.0, neginf=0.0)


@pytest.mark.filterwarnings("ignore:non-integer arg n", "ignore:floating point number truncated")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_against_scipy(dtype):
    """Errors are 32 u, where incomplete beta functions have most of them, and those of exponents; of differences, of their terms."""
    names = [*OPERANDS] if dtype == np.float32 else [*IN_FLOAT64]
    given = {name: [np.ravel(x).astype(dtype) for x in OPERANDS[name]] for name in names}
    with xp.config(fallback="error"):
        found = [getattr(ours, name)(*[xp.asarray(x, device="sim:trn2") for x in given[name]]) for name in names]
        assert {x.dtype for x in found} == {np.dtype(dtype)}
        values = np.asarray(xp.concatenate(found).to_device("cpu")).astype(float)
    start, u, least = 0, np.finfo(dtype).eps / 2, np.finfo(dtype).tiny
    for name in names:
        operands = [x.astype(float) for x in given[name]]
        with np.errstate(all="ignore"):
            expected = getattr(theirs, name)(*operands)
            expected[np.abs(expected) > np.finfo(dtype).max] *= np.inf
            terms = operands[0] + np.abs(operands[0] * np.log(operands[0] / operands[1])) + operands[1] if name == "kl_div" else 0.0
            allowed = u * ((32 + 4 * exponent(name, operands)) * np.abs(expected) + 8 * np.nan_to_num(terms, posinf=0.0)) + least
        mine = values[start : start + expected.size]
        start += expected.size
        finite = np.isfinite(expected)
        np.testing.assert_array_equal(mine[~finite], expected[~finite], err_msg=name)
        worst = np.abs(mine[finite] - expected[finite]) - np.broadcast_to(allowed, finite.shape)[finite]
        assert np.all(worst <= 0), (name, [x[finite][np.argmax(worst)] for x in operands])


def test_functions_of_scipy_without_a_name_of_ours_wait():
    x = xp.asarray([0.5, 2.0], dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="allow"):
        ai, *_ = ours.airy(x)
        assert "waiting on sim:trn2" in str(xp.explain(ai + 1))
        np.testing.assert_allclose(np.asarray(ai.to_device("cpu")), theirs.airy([0.5, 2.0])[0], rtol=1e-7)
    assert "Airy" in ours.airy.__doc__
