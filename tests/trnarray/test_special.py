"""Special functions: SciPy's names, signatures, values and dtypes, and that SciPy's own functions come to them."""

import inspect
import math
import os
import pickle
import statistics
import subprocess
import sys

import numpy as np
import pytest
import scipy

import trnarray as xp

scipy_special = pytest.importorskip("scipy.special")
UFUNCS = sorted(name for name in xp.special.__all__ if isinstance(scipy_special.__dict__[name], np.ufunc))
# Operands inside the domain of every function that takes so many: rows are operands.
OPERANDS = np.asarray([[0.25, 0.5, 0.75], [1.0, 1.5, 2.0], [0.5, 0.25, 0.125]])
WHOLE = {
    **dict.fromkeys(("bdtr", "bdtrc", "bdtri"), (1,)),
    **dict.fromkeys(("nbdtr", "nbdtrc", "nbdtri"), (0, 1)),
    **dict.fromkeys(("expn", "pdtri", "yn"), (0,)),
}
# Rounding to bfloat16, 8 bits: the float32 value itself is off by much less.
BFLOAT16 = 2.0**-8


def operands_of(name, dtype=np.float64):
    values = [row.astype(dtype) for row in OPERANDS[: getattr(scipy_special, name).nin]]
    for place in WHOLE.get(name, ()):
        values[place] = np.asarray([1, 2, 3])
    return values


def test_it_has_two_names():
    import trnarray.scipy.special as found

    assert found is xp.special
    assert xp.scipy.special is xp.special
    assert xp.special.digamma is xp.special.psi


def test_it_has_all_that_scipy_hands_over():
    backends = pytest.importorskip("scipy.special._support_alternative_backends")
    names = getattr(backends, "__all__", None) or list(backends.array_special_func_map)
    assert {*names, "logsumexp", "softmax", "log_softmax"} <= {*xp.special.__all__}


@pytest.mark.parametrize("name", sorted({*xp.special.__all__} - {*UFUNCS}))
def test_signatures_are_scipys(name):
    ours = inspect.signature(getattr(xp.special, name)).parameters.values()
    theirs = inspect.signature(getattr(scipy_special, name)).parameters.values()
    assert [(p.name, p.kind, p.default) for p in ours] == [(p.name, p.kind, p.default) for p in theirs]


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs(name):
    ours, theirs = getattr(xp.special, name), getattr(scipy_special, name)
    for dtype in (np.float64, np.float32, np.int64):
        values = operands_of(name, dtype)
        with np.errstate(all="ignore"):
            got, expected = ours(*map(xp.asarray, values)), theirs(*values)
        assert type(got) is xp.Array
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(np.asarray(got), expected)
    assert (ours.nin, ours.nout, ours.types) == (theirs.nin, theirs.nout, theirs.types)
    assert pickle.loads(pickle.dumps(ours)) is ours


@pytest.mark.parametrize("name", UFUNCS)
def test_low_precision_is_rounded_once(name):
    values = operands_of(name, np.float32)
    wide = getattr(scipy_special, name)(*values)
    got = getattr(xp.special, name)(*(xp.asarray(v, dtype=xp.bfloat16 if v.dtype == np.float32 else None) for v in values))
    if name in WHOLE:
        wide = wide.astype(np.float32)
        assert got.dtype.kind == "f" or got.dtype == xp.bfloat16
    else:
        assert got.dtype == xp.bfloat16
    np.testing.assert_allclose(np.asarray(got).astype(np.float32), wide, rtol=BFLOAT16, atol=0)


def test_known_values():
    x = np.asarray([1.5, 2.25, 4.0])
    for name, reference in {
        "gamma": math.gamma, "gammaln": math.lgamma, "erf": math.erf, "erfc": math.erfc, "ndtr": statistics.NormalDist().cdf,
        "expit": lambda value: 1 / (1 + math.exp(-value)), "sindg": lambda value: math.sin(math.radians(value)),
    }.items():  # fmt: skip
        got = getattr(xp.special, name)(xp.asarray(x))
        # SciPy's methods and those of the C library are good to a few units in the last place each.
        np.testing.assert_allclose(np.asarray(got), [reference(value) for value in x], rtol=16 * 2.0**-53, atol=0)


def test_out_and_where():
    out = xp.zeros(3)
    assert xp.special.gamma(xp.asarray([1.0, 2.0, 5.0]), out=out, where=xp.asarray([True, False, True])) is out
    assert out.tolist() == [1.0, 0.0, 24.0]
    assert xp.special.zeta(xp.asarray([3.0, 2.0, 4.0]), 1.0, out=out) is out
    np.testing.assert_array_equal(np.asarray(out), scipy_special.zeta([3.0, 2.0, 4.0], 1.0))


def test_functions():
    x = np.asarray([[0.5, 2.0, 3.0], [1.0, -1.0, 4.0]])
    for dtype in (np.float64, np.float32):
        ours, theirs = xp.asarray(x, dtype=dtype), x.astype(dtype)
        for name, args in {
            "polygamma": (1, ours), "sinc": (ours,), "softmax": (ours, 1), "log_softmax": (ours, 1), "logsumexp": (ours, 0),
            "multigammaln": (ours + 3, 2), "zeta": (ours + 2,),
        }.items():  # fmt: skip
            got = getattr(xp.special, name)(*args)
            expected = getattr(scipy_special, name)(*(np.asarray(arg) if isinstance(arg, xp.Array) else arg for arg in args))
            assert type(got) is xp.Array
            assert got.dtype == expected.dtype
            np.testing.assert_array_equal(np.asarray(got), expected)
        logarithm, sign = xp.special.logsumexp(ours, axis=1, b=xp.asarray([1.0, -2.0, 0.0], dtype=dtype), return_sign=True)
        assert logarithm.dtype == dtype
        np.testing.assert_array_equal(np.asarray(sign), np.sign(np.exp(theirs) @ [1.0, -2.0, 0.0]))
    one = xp.ones(2, dtype=xp.bfloat16)
    assert xp.special.polygamma(one, one).dtype == xp.bfloat16
    assert xp.special.softmax(xp.ones(2, dtype=xp.float16)).tolist() == [0.5, 0.5]
    with pytest.raises(ValueError, match="d"):
        xp.special.multigammaln(xp.asarray(3.0), 1.5)


@pytest.mark.skipif(tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17), reason="SciPy hands over from 1.17 on")
def test_scipy_hands_over_with_the_switch_on():
    program = """
import scipy.special, trnarray as xp
from trnarray.backends.op import get_op
assert type(scipy.special.gamma).__name__ == "function"
for name in ("gamma", "logit", "stdtr"):
    args = [xp.asarray([0.25, 0.5])] * getattr(xp.special, name).nin
    with xp.config(host_transfer="error"):
        assert type(getattr(scipy.special, name)(*args)) is xp.Array, name
    assert get_op("special." + name).calls.calls == 1, name
print(get_op("special.gamma"))
"""
    environment = os.environ | {"SCIPY_ARRAY_API": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "<Op special.gamma: host>\n"), done.stderr
