"""Where the standard and NumPy disagree, `numpy.*` of Arrays is as NumPy and trnarray's own functions as the standard, on every device."""

import math

import numpy as np
import pytest

import trnarray as xp

INF, NAN = math.inf, math.nan
# The rows of docs/differences.md in dtypes of every device: a call, and the standard's value; NumPy's is what NumPy gives.
ROWS = {
    "expm1 of infinity": (lambda m, a: m.expm1(a(complex(INF, 0))), "(inf+0j)"),
    "expm1 of minus infinity": (lambda m, a: m.expm1(a(complex(-INF, NAN))), "(-1+0j)"),
    "expm1 of minus 0": (lambda m, a: m.expm1(a(complex(-0.0, 0))), "0j"),
    "expm1 of large numbers": (lambda m, a: m.isfinite(m.expm1(a(complex(88.9, 0.8)))), "True"),
    "floor_divide of infinity": (lambda m, a: m.floor_divide(a(INF), 2.0), "inf"),
    "floor_divide by infinity": (lambda m, a: m.floor_divide(a(-1.0), INF), "-0.0"),
    "isin": (lambda m, a: m.isin(a(0.1), 0.1), "True"),
    "log1p": (lambda m, a: m.log1p(a(1e-20 + 1e-20j)), "(1e-20+1e-20j)"),
    "repeat": (lambda m, a: m.repeat(a(np.ones(1)), a(np.array([2], np.uint64))), "[1. 1.]"),
    "searchsorted": (lambda m, a: m.searchsorted(a(np.ones(1) / 10), 0.1, side="right"), "1"),
    "sign": (lambda m, a: m.sign(a(3e38 + 3e38j)).real, "0.70710677"),
    "std": (lambda m, a: m.std(a([1.0, 2.0]), correction=2), "nan"),
    "tanh": (lambda m, a: m.tanh(a(complex(INF, 2))), "(1+0j)"),
    "var": (lambda m, a: m.var(a([1.0, 2.0]), correction=2), "nan"),
}


def narrow(value):
    array = np.asarray(value)
    return array.astype({"f": np.float32, "c": np.complex64}.get(array.dtype.kind, array.dtype))


def outcome(call, namespace, make):
    with np.errstate(all="ignore"), xp.config(fallback="allow"):
        try:
            result = call(namespace, make)
        except TypeError:
            return "TypeError"
    return str(np.asarray(result.to_device("cpu")) if isinstance(result, xp.Array) else result)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of as many elements as the correction
@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
@pytest.mark.parametrize("name", ROWS)
def test_each_obeys_its_own(name, device):
    call, standard = ROWS[name]
    assert outcome(call, np, lambda value: xp.asarray(narrow(value), device=device)) == outcome(call, np, narrow)
    assert outcome(call, xp, lambda value: xp.asarray(narrow(value), device=device)) == standard
