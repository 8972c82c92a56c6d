"""Inspection, constants, devices and settings as the namespace shows them, and the utility functions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray import constants

INFO = xp.__array_namespace_info__()


def test_capabilities():
    assert INFO.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert xp.ones((1,) * INFO.capabilities()["max dimensions"]).ndim == 64


def test_devices():
    assert INFO.devices() == xp.devices()
    assert INFO.devices()[:4] == ("cpu", "sim:trn1", "sim:trn2", "sim:trn3")
    assert type(INFO.devices()) is tuple
    assert INFO.default_device() == "cpu"
    with xp.default_device("sim:trn2"):
        assert INFO.default_device() == xp.get_default_device() == "sim:trn2"


def test_default_dtypes():
    defaults = INFO.default_dtypes()
    assert defaults == INFO.default_dtypes(device="cpu")
    assert defaults["real floating"] == xp.zeros(1).dtype == xp.asarray(1.0).dtype == np.dtype("float64")
    assert defaults["complex floating"] == xp.asarray(1j).dtype == np.dtype("complex128")
    assert defaults["integral"] == xp.arange(1).dtype == xp.asarray(1).dtype == np.dtype("int64")
    assert defaults["indexing"] == xp.argmax(xp.ones(1)).dtype == np.dtype("int64")


def test_dtypes():
    theirs = np.__array_namespace_info__()
    assert INFO.dtypes() == theirs.dtypes()
    for kind in ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"):
        assert INFO.dtypes(kind=kind) == INFO.dtypes(kind=(kind,), device="cpu") == theirs.dtypes(kind=kind)
    assert INFO.dtypes(kind=()) == {}
    assert list(INFO.dtypes(kind=("bool", "real floating"))) == ["bool", "float32", "float64"]
    for unknown in ("float", ("bool", "float")):
        with pytest.raises(ValueError, match="kind 'float' is unknown"):
            INFO.dtypes(kind=unknown)


def test_constants():
    for name in constants.__all__:
        np.testing.assert_equal(getattr(xp, name), getattr(np, name))
        assert type(getattr(xp, name)) is type(getattr(np, name))


arrays = st.sampled_from(
    [
        np.array([[0, 1], [2, 0]]),
        np.array([0.0, np.nan, -0.0]),
        np.array([]),
        np.ones((2, 0, 3)),
        np.array(1j),
        np.array([True, False, True]),
    ]
)


@given(arrays, st.sampled_from(["all", "any"]), st.sampled_from([None, 0, -1, ()]), st.booleans(), st.booleans())
def test_all_and_any(a, name, axis, keepdims, masked):
    if axis in (0, -1) and not a.ndim:
        axis = None
    kwargs = {"where": np.zeros(a.shape, bool)} if masked else {}
    theirs = getattr(np, name)(a, axis, keepdims=keepdims, **kwargs)
    for x in (xp.asarray(a), a):
        ours = getattr(xp, name)(x, axis, keepdims=keepdims, **kwargs)
        assert ours.dtype == np.dtype(bool)
        np.testing.assert_array_equal(np.asarray(ours._value), theirs)
    out = xp.asarray(np.empty(np.shape(theirs)))
    assert getattr(xp, name)(xp.asarray(a), axis, out, keepdims, **kwargs) is out
    np.testing.assert_array_equal(np.asarray(out._value), theirs)


@given(
    st.sampled_from([np.arange(12).reshape(3, 4) ** 2, np.array([True, False, False]), np.array([1.5, 4, 9]), np.array([3, 1], "u1")]),
    st.integers(0, 3),
    st.sampled_from([0, -1]),
    st.sampled_from([{}, {"prepend": 0}, {"append": 1}, {"prepend": 2, "append": 3}]),
)
def test_diff(a, n, axis, ends):
    theirs = np.diff(a, n, axis, **ends)
    for x in (xp.asarray(a), a, a.tolist()):
        ours = xp.diff(x, n, axis, **ends)
        np.testing.assert_array_equal(np.asarray(ours._value), theirs if type(x) is not list else np.diff(np.asarray(x), n, axis, **ends))
    assert xp.diff(xp.asarray(a), n, axis, **ends).dtype == theirs.dtype


def test_diff_errors():
    for bad in (lambda: xp.diff(3), lambda: xp.diff([1, 2], -1)):
        with pytest.raises(ValueError, match="dimension|non-negative"):
            bad()
    half = xp.asarray([1.0, 3.0], dtype=xp.bfloat16)
    assert xp.diff(half).dtype == half.dtype
    assert xp.diff(half, prepend=None).tolist() == [2.0]


def test_settings_and_coverage():
    with xp.config(fallback="error"):
        assert xp.get_config().fallback == "error"
    xp.reset_coverage()
    xp.zeros(2)
    xp.zeros(2)
    assert xp.coverage().native["zeros"] == 2
    assert issubclass(xp.FallbackWarning, UserWarning)
    assert issubclass(xp.HostTransferError, TypeError)
