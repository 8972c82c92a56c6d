"""Methods of ufuncs on the device, called as NumPy's and as ours, against the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same, samples

DTYPES = [np.dtype(name) for name in ("float32", "int32", "uint8")]
UFUNCS = ("add", "multiply", "maximum", "minimum")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", UFUNCS)
@pytest.mark.parametrize("namespace", [np, xp], ids=["numpy", "trnarray"])
def test_reduces(namespace, name, dtype):
    ufunc = getattr(namespace, name)
    assert_same(lambda x: (ufunc.reduce(x), ufunc.reduce(x, axis=1), ufunc.reduce(x, axis=None)), samples((3, 4), dtype, special=False))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", ["add", "multiply"])
def test_accumulates(name, dtype):
    ufunc = getattr(np, name)
    assert_same(lambda x: (ufunc.accumulate(x), ufunc.accumulate(x, axis=1)), samples((3, 4), dtype, special=False), views=("reversed",))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("name", [*UFUNCS, "subtract", "less"])
def test_outer(name, dtype):
    ufunc = getattr(np, name)
    assert_same(lambda x, y: (ufunc.outer(x, y), ufunc.outer(x, 3)), samples((3, 4), dtype), samples((2,), dtype, 1))
