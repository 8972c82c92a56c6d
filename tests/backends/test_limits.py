"""Machine limits against NumPy, ml_dtypes and the values themselves."""

import copy
import pickle
import sys

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends.dtypes import DTYPES, KINDS
from trnarray.backends.limits import FloatLimits, IntegerLimits, finfo, iinfo

FLOATS = [d for d in DTYPES if KINDS[d] == "real floating"]
INTEGERS = [d for d in DTYPES if "integer" in KINDS[d]]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_finfo_is_numpys_in_python_numbers(dtype):
    ours, theirs = finfo(dtype), ml_dtypes.finfo(dtype)
    for name in FloatLimits._fields:
        assert getattr(ours, name) == getattr(theirs, name), name
        if name != "dtype":
            assert type(getattr(ours, name)) in (int, float), name
    assert ours.dtype is dtype
    assert repr(ours) == repr(theirs)
    assert str(ours) == str(theirs)


@pytest.mark.parametrize("dtype", [d for d in FLOATS if d.itemsize <= 2], ids=str)
def test_finfo_is_what_the_values_show(dtype):
    bits = np.arange(2 ** (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}")
    with np.errstate(invalid="ignore"):
        values = bits.view(dtype).astype(np.float64)
    values = np.unique(values[np.isfinite(values)])
    info = finfo(dtype)
    assert (info.min, info.max) == (values[0], values[-1])
    assert info.eps == values[values > 1][0] - 1
    assert info.epsneg == 1 - values[values < 1][-1]
    assert info.smallest_subnormal == values[values > 0][0]
    assert info.bits == 8 * dtype.itemsize


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_iinfo_is_numpys_in_python_numbers(dtype):
    ours, theirs = iinfo(dtype), np.iinfo(dtype)
    for name in IntegerLimits._fields:
        assert getattr(ours, name) == getattr(theirs, name), name
    assert all(type(value) is int for value in (ours.bits, ours.min, ours.max))
    assert ours.dtype is dtype
    assert (repr(ours), str(ours)) == (repr(theirs), str(theirs))


def test_arrays_scalars_and_complex_dtypes_stand_for_their_dtype():
    single = finfo(np.float32)
    for same in (np.ones(2, np.float32), np.float32(1), np.complex64, np.complex64(1j), "F", np.dtype(">f4")):
        assert finfo(same) is single
    for same in (float, 1.0, 1j, complex, np.float64(1)):
        assert finfo(same) is finfo(np.float64)
    assert finfo(float).eps == sys.float_info.epsilon
    assert iinfo(3) is iinfo(int) is iinfo(np.zeros(1, np.int64)) is iinfo(np.longlong)


def test_the_other_kind_is_refused():
    for dtype in (bool, True, 3, np.int8, np.zeros(1, np.uint8)):
        with pytest.raises(ValueError, match=r"finfo needs a floating dtype but got .*; use iinfo"):
            finfo(dtype)
    for dtype in (bool, True, 1.0, np.complex64, ml_dtypes.bfloat16):
        with pytest.raises(ValueError, match=r"iinfo needs an integer dtype but got .*; use finfo"):
            iinfo(dtype)
    for info in (finfo, iinfo):
        for dtype in (None, object, "float31"):
            with pytest.raises(TypeError, match="; "):
                info(dtype)


def test_limits_are_values():
    for limits in (finfo(np.float16), finfo(ml_dtypes.float8_e4m3fn), iinfo(np.int8)):
        assert pickle.loads(pickle.dumps(limits)) == copy.deepcopy(limits) == limits
        with pytest.raises(AttributeError):
            limits.bits = 3
