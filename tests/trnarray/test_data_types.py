"""Data types: names, promotion, casts, limits and kinds, against NumPy where that has them."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray import data_types
from trnarray.backends.dtypes import DTYPES

PLAIN = [dtype for dtype in DTYPES if dtype.num < 256]
SCALARS = (True, 1, 1.5, 1j)


def test_names():
    for name in set(data_types.__all__) - {"typecodes"}:
        assert getattr(xp, name) is (getattr(np, name, None) or getattr(ml_dtypes, name))
    for dtype in DTYPES:
        assert getattr(xp, dtype.name) is dtype.type
        assert xp.ones(1, dtype=getattr(xp, dtype.name)).dtype == dtype
    theirs = {name for name in dir(np) if isinstance(getattr(np, name), type) and issubclass(getattr(np, name), np.generic)}
    platform = {"float128", "complex256", "float96", "complex192"}  # names of longdouble
    assert theirs - platform - {"record"} - set(data_types.__all__) == set()


def test_typecodes_are_those_of_arrays():
    assert set(xp.typecodes) == set(np.typecodes)
    codes = set("".join(xp.typecodes.values()))
    assert codes == {code for code in set("".join(np.typecodes.values())) - {"c"} if np.dtype(code) in DTYPES}
    assert xp.typecodes["AllFloat"] == "efdFD"


def test_result_type_is_numpys_on_numpys_dtypes():
    for first, second in itertools.product(PLAIN, PLAIN):
        expected = np.result_type(first, second)
        x, y = xp.ones(2, dtype=first), xp.ones((), dtype=second)
        assert (
            xp.result_type(first, second) == xp.result_type(x, y) == xp.result_type(x, y[()]) == xp.result_type(x.dtype.name, y) == expected
        )
        assert xp.promote_types(first, second) == expected
        for scalar in SCALARS:
            assert xp.result_type(x, scalar) == np.result_type(first, scalar)
            assert xp.result_type(x, scalar, y) == np.result_type(first, scalar, second)
    assert xp.result_type([1, 2], 1.0) == np.dtype("float64")
    with pytest.raises(ValueError, match="no operands"):
        xp.result_type()
    with pytest.raises(TypeError):
        xp.result_type("O", 1)


def test_result_type_agrees_with_addition():
    for first, second in itertools.product(DTYPES, DTYPES):
        x, y = xp.ones(2, dtype=first), xp.ones(2, dtype=second)
        assert (x + y).dtype == xp.result_type(x, y)


def test_can_cast():
    for first, second in itertools.product(PLAIN, PLAIN):
        for casting in ("no", "safe", "same_kind", "unsafe"):
            expected = np.can_cast(first, second, casting)
            assert xp.can_cast(first, second, casting) == expected
            assert xp.can_cast(xp.ones(1, dtype=first), second, casting) == expected
    assert xp.can_cast("bfloat16", xp.float32)
    assert not xp.can_cast(xp.float32, "bfloat16")
    for scalar in SCALARS:
        with pytest.raises(TypeError, match="width"):
            xp.can_cast(scalar, xp.float64)
    with pytest.raises(ValueError, match="casting"):
        xp.can_cast(xp.int8, xp.int16, "sometimes")


@pytest.mark.parametrize("source", PLAIN, ids=str)
def test_astype(source):
    a = np.array([[0, 1, 100], [2, 3, 5]]).astype(source)
    x = xp.asarray(a)
    for target in DTYPES:
        if (source.kind == "c" and target.kind not in "cb") or target.name in ("float8_e8m0fnu", "float8_e3m4"):
            continue
        y = xp.astype(x, target)
        assert y is not x
        assert y.dtype == target
        np.testing.assert_array_equal(np.asarray(y._value), a.astype(target))
    assert xp.astype(x, source, copy=False) is x
    copied = xp.astype(x, source)
    copied[0, 0] = 1
    assert x[0, 0] == 0
    assert xp.astype(x, xp.complex64, device="cpu").device == "cpu"
    for not_ours in (a, 1.0, [1]):
        with pytest.raises(TypeError, match="takes an Array"):
            xp.astype(not_ours, xp.float32)


def test_limits():
    for dtype in DTYPES:
        x = xp.ones(2, dtype=dtype)
        if dtype.kind in "iu":
            ours, theirs = xp.iinfo(dtype), np.iinfo(dtype)
            assert (ours.bits, ours.min, ours.max, ours.dtype) == (theirs.bits, theirs.min, theirs.max, dtype)
            assert xp.iinfo(x) == xp.iinfo(int_type=dtype) == ours
            with pytest.raises(ValueError, match="iinfo"):
                xp.finfo(dtype)
        elif xp.isdtype(dtype, ("real floating", "complex floating")):
            ours, theirs = xp.finfo(dtype), ml_dtypes.finfo(dtype) if dtype.num >= 256 else np.finfo(dtype)
            for name in ("bits", "eps", "min", "max", "smallest_normal"):
                assert getattr(ours, name) == getattr(theirs, name)
            assert xp.finfo(x) == xp.finfo(dtype=dtype) == ours
            assert type(ours.eps) is float
            with pytest.raises(ValueError, match="finfo"):
                xp.iinfo(dtype)


def test_kinds():
    groups = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
    for dtype in PLAIN:
        for kind in groups:
            assert xp.isdtype(dtype, kind) == xp.isdtype(dtype=dtype.type, kind=kind) == np.isdtype(dtype, kind)
    assert xp.isdtype(xp.bfloat16, "real floating")
    assert xp.isdtype(xp.float8_e4m3, ("bool", "numeric"))
    assert not xp.isdtype(xp.bfloat16, xp.float16)


def test_issubdtype():
    abstract = (
        np.generic,
        np.number,
        np.integer,
        np.signedinteger,
        np.unsignedinteger,
        np.inexact,
        np.floating,
        np.complexfloating,
        np.bool,
    )
    for dtype, parent in itertools.product(PLAIN, (*abstract, *PLAIN)):
        assert xp.issubdtype(dtype, parent) == np.issubdtype(dtype, parent)
        assert xp.issubdtype(dtype.type, parent) == np.issubdtype(dtype.type, parent)
    for name, expected in (
        ("number", True),
        ("floating", True),
        ("inexact", True),
        ("integer", False),
        ("generic", True),
        ("complexfloating", False),
    ):
        assert xp.issubdtype("bfloat16", getattr(xp, name)) is expected
        assert xp.issubdtype(xp.float8_e5m2, getattr(xp, name)) is expected
    assert xp.issubdtype(float, xp.floating)
    assert xp.issubdtype(np.floating, np.inexact)


def test_common_type():
    for first, second in itertools.product(PLAIN[1:], PLAIN[1:]):
        arrays = np.ones(2, first), np.ones(2, second)
        assert xp.common_type(*map(xp.asarray, arrays)) is np.common_type(*arrays)
    assert xp.common_type(xp.ones(1, dtype="bfloat16")) is xp.bfloat16
    assert xp.common_type() is np.common_type()
    with pytest.raises(TypeError, match="boolean"):
        xp.common_type(xp.asarray([True]))


@pytest.mark.parametrize("value", [0, 1, 255, 256, -1, -129, 2**31, 2**63, 1.5, 1e5, 1e39, 1j, True, np.float32(3), np.array([1, 2])])
def test_min_scalar_type(value):
    assert xp.min_scalar_type(value) == np.min_scalar_type(value)
    assert xp.min_scalar_type(xp.asarray(value)) == np.min_scalar_type(np.asarray(value))
