"""The error table: what is refused, by which exception, and that the message says what to do."""

import array
import datetime as dt
import decimal
import fractions

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.host.engine import HostEngine

SIM = Device("sim:trn2")


class Foreign:
    """An array of another library that knows NumPy's protocol."""

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("nothing may be converted behind the user's back")


class DLPackArray:
    def __dlpack__(self, **kwargs):
        raise AssertionError("nothing may be converted behind the user's back")

    def __dlpack_device__(self):
        return (1, 0)


class Subclass(np.ndarray):
    pass


# What asarray is given, and what the remedy mentions.
REFUSED = {
    "masked": (np.ma.array([1.0, 2.0], mask=[True, False]), "filled"),
    "matrix": (np.ones((1, 1)).view(np.matrix), r"numpy\.asarray"),
    "subclass": (np.ones(2).view(Subclass), r"numpy\.asarray"),
    "record array": (np.rec.array([(1, 2.0)]), r"numpy\.asarray"),
    "foreign array": (Foreign(), r"numpy\.asarray"),
    "DLPack array": (DLPackArray(), "from_dlpack"),
    "object array": (np.array([1, None]), "numeric dtype first"),
    "str array": (np.array(["1"]), "parse"),
    "bytes array": (np.array([b"1"]), "parse"),
    "StringDType array": (np.array(["1"], dtype=np.dtypes.StringDType()), "parse"),
    "datetime array": (np.array(["2026-01-01"], dtype="M8[D]"), "int64"),
    "timedelta array": (np.array([1], dtype="m8[s]"), "int64"),
    "structured array": (np.zeros(2, [("a", "i4"), ("b", "f8")]), "field"),
    "void array": (np.zeros(2, "V4"), "view"),
    "longdouble array": (np.zeros(2, np.longdouble), "float64"),
    "clongdouble array": (np.zeros(2, np.clongdouble), "complex128"),
    "longdouble": (np.longdouble(1), "number"),
    "NumPy str": (np.str_("1"), "number"),
    "datetime64": (np.datetime64("2026-01-01"), "number"),
    "str": ("1.5", "parse"),
    "bytes": (b"1.5", "frombuffer"),
    "None": (None, "nan"),
    "date": (dt.date(2026, 1, 1), "number"),
    "timedelta": (dt.timedelta(1), "total_seconds"),
    "set": ({1, 2}, "list"),
    "dict": ({1: 2}, "list"),
    "generator": ((i for i in range(2)), "list"),
    "Decimal": (decimal.Decimal(1), "float"),
    "Fraction": (fractions.Fraction(1, 2), "float"),
    "object": (object(), "numbers"),
    "type": (np.ndarray, "numbers"),
    "structured buffer": (memoryview(np.zeros(2, [("a", "i4"), ("b", "f8")])), "field"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("wrap", [lambda x: x, lambda x: [x], lambda x: [[1.0], [x]]], ids=["itself", "in a list", "nested"])
@pytest.mark.parametrize("make", [xp.asarray, xp.array, xp.asanyarray])
def test_asarray_refuses(name, wrap, make):
    obj, remedy = REFUSED[name]
    with pytest.raises(TypeError, match=remedy) as caught:
        make(wrap(obj))
    assert "\n" not in str(caught.value)
    with pytest.raises(TypeError):
        make(wrap(obj), dtype=xp.float64)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_text_buffers_are_refused():
    with pytest.raises(TypeError, match="parse"):
        xp.asarray(array.array("u", "abc"))


@pytest.mark.parametrize(
    "dtype", ["O", "U3", "S1", "M8[s]", "m8", "V4", [("a", "i4")], np.longdouble, np.clongdouble, np.floating, "int4", object]
)
def test_dtypes_that_arrays_cannot_have(dtype):
    for make in (
        xp.zeros,
        xp.ones,
        xp.empty,
        xp.arange,
        xp.eye,
        lambda n, dtype: xp.asarray([n], dtype),
        lambda n, dtype: xp.full(n, 1, dtype),
    ):
        with pytest.raises(TypeError):
            make(2, dtype=dtype)


@pytest.mark.parametrize(
    "ragged", [[[1, 2], [3]], [1, [2]], [[1], 2], [[[1]], [2]], [np.ones(2), np.ones(3)], [[1, 2], np.ones(3)], [xp.asarray([1]), 1]]
)
def test_ragged_sequences(ragged):
    with pytest.raises(ValueError, match=r"ragged .* item 0 has shape .* but item 1 has .*; pad"):
        xp.asarray(ragged)
    with pytest.raises(ValueError, match="ragged"):
        xp.asarray([ragged, ragged], dtype=xp.float64)


def test_dimensions():
    for make in (xp.zeros, xp.ones, xp.empty, lambda shape: xp.full(shape, 1), lambda shape: xp.zeros_like(xp.ones(1), shape=shape)):
        assert make((1,) * 64).ndim == 64
        with pytest.raises(ValueError, match="at most 64"):
            make((1,) * 65)
        with pytest.raises(ValueError, match="negative"):
            make((2, -1))
        with pytest.raises(ValueError, match="negative"):
            make(-3)
        for bad in (2.0, "3", (2, 2.5), [[1]], (1, None)):
            with pytest.raises(TypeError, match="shape"):
                make(bad)
    nested = 1.0
    for _ in range(64):
        nested = [nested]
    assert xp.asarray(nested).ndim == 64
    with pytest.raises(ValueError, match="64"):
        xp.asarray([nested])
    with pytest.raises(ValueError, match="64"):
        xp.asarray([xp.ones((1,) * 64)])
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="64"):
        xp.asarray(endless)
    for bad in (xp.eye, xp.identity, xp.tri):
        with pytest.raises(ValueError, match="negative"):
            bad(-1)
    with pytest.raises(TypeError, match="shape"):
        xp.zeros(None)
    with pytest.raises(ValueError, match="0 or more"):
        xp.linspace(0, 1, -1)


@pytest.mark.parametrize("size", [2**59, 2**60, 2**62, 2**63, 2**70, (2**40, 2**40), (2**62, 0), (0, 2**63)])
def test_huge_arrays(size):
    for make in (xp.zeros, xp.ones, xp.empty, lambda shape: xp.full(shape, 1.0), lambda shape: xp.empty_like(xp.ones(1), shape=shape)):
        with pytest.raises(MemoryError):
            make(size)


def test_huge_ranges():
    for make in (
        lambda: xp.arange(2**60),
        lambda: xp.arange(1e30),
        lambda: xp.arange(0, -(2**62), -1),
        lambda: xp.arange(float("inf")),
        lambda: xp.linspace(0, 1, 2**60),
        lambda: xp.logspace(0, 1, 2**62),
        lambda: xp.geomspace(1, 2, 2**70),
        lambda: xp.eye(2**40),
        lambda: xp.tri(2**40),
        lambda: xp.identity(2**62),
        lambda: xp.indices((2**40, 2**20)),
    ):
        with pytest.raises(MemoryError):
            make()


def test_ranges():
    for step in (0, 0.0):
        with pytest.raises(ZeroDivisionError, match="step"):
            xp.arange(0, 3, step)
    with pytest.raises(ValueError, match="length"):
        xp.arange(float("nan"))
    with pytest.raises(TypeError, match="real numbers"):
        xp.arange(3j)
    with pytest.raises(TypeError):
        xp.linspace(0, 1, 2.5)


@pytest.mark.parametrize(
    ("value", "dtype"), [(256, "uint8"), (-1, "uint64"), (2**31, "int32"), (-129, "int8"), (2**64, "uint64"), (2**63, "int64")]
)
def test_integers_out_of_bounds(value, dtype):
    for make in (
        xp.asarray,
        lambda v, dtype: xp.asarray([v, 0], dtype),
        lambda v, dtype: xp.full(2, v, dtype),
        lambda v, dtype: xp.full_like([1], v, dtype),
    ):
        with pytest.raises(OverflowError, match=dtype):
            make(value, dtype=dtype)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_integers_of_nan(value):
    for make in (lambda: xp.asarray([value], dtype=xp.int64), lambda: xp.full(2, value, dtype=xp.int8), lambda: int(xp.asarray(value))):
        with pytest.raises((ValueError, OverflowError), match="NaN|infinity"):
            make()
    with pytest.warns(RuntimeWarning, match="invalid value"):  # as NumPy tells of it
        xp.astype(xp.asarray([value]), xp.int64)


def test_complex_to_real():
    z = xp.asarray([1j])
    for make in (
        lambda: xp.asarray(z, xp.float64),
        lambda: xp.asarray([1j], xp.float64),
        lambda: xp.asarray([z], xp.int8),
        lambda: xp.asarray(np.ones(1, "c8"), "bfloat16"),
        lambda: xp.full(2, 1j, dtype=xp.float64),
        lambda: xp.astype(z, xp.float32),
    ):
        with pytest.raises(TypeError, match="real"):
            make()
    assert xp.asarray(z, xp.bool).tolist() == [True]


def test_copies_that_are_forbidden():
    x = xp.ones((2, 3))
    for make in (
        lambda: xp.asarray(np.ones(2, ">f8"), copy=False),
        lambda: xp.asarray(memoryview(np.ones(2, ">f8")), copy=False),
        lambda: xp.asarray(x, xp.float32, copy=False),
        lambda: xp.asarray(x, order="F", copy=False),
        lambda: xp.asarray([1.0], copy=False),
        lambda: xp.asarray(1.0, copy=False),
        lambda: xp.asarray(np.float64(1), copy=False),
        lambda: xp.array(x[0, 0], "f4", copy=False),
    ):
        with pytest.raises(ValueError, match="copy=False"):
            make()
    assert xp.asarray(np.ones(2, ">f8"), copy=True).dtype.isnative


def test_orders():
    for order in ("X", "c", 1):
        with pytest.raises(ValueError, match="order"):
            xp.asarray([1], order=order)
    for order in ("K", "A"):
        with pytest.raises(ValueError, match="order"):
            xp.zeros(2, order=order)


def test_devices(monkeypatch):
    for make in (
        lambda d: xp.zeros(2, device=d),
        lambda d: xp.asarray([1], device=d),
        lambda d: xp.asarray(xp.ones(1), device=d),
        lambda d: xp.astype(xp.ones(1), xp.float32, device=d),
        lambda d: xp.arange(2, device=d),
        lambda d: xp.ones_like([1], device=d),
        xp.set_default_device,
        lambda d: xp.__array_namespace_info__().dtypes(device=d),
        lambda d: xp.ones(1).to_device(d),
    ):
        for unknown in ("gpu", "trn", "cpu:0", ""):
            with pytest.raises(ValueError, match="allowed are 'cpu'"):
                make(unknown)
        with pytest.raises(TypeError, match="a device is a string"):
            make(3)
    with pytest.raises(ValueError, match="cannot be opened"):
        xp.zeros(2, device="trn:99")
    monkeypatch.setattr(SIM, "engine", HostEngine(), raising=False)
    x, y = xp.ones(2), xp.ones(2, device=SIM)
    for mix in (
        lambda: x + y,
        lambda: xp.add(x, y),
        lambda: xp.asarray([x, y]),
        lambda: xp.asarray([x, x], device=SIM),
        lambda: xp.linspace(x, y, 3),
        lambda: xp.meshgrid(x, y),
        lambda: xp.result_type(x, y),
        lambda: xp.diff(x, prepend=y),
        lambda: xp.add(x, np.ones(2), out=y),
    ):
        with pytest.raises(ValueError, match="'cpu'.*sim:trn2|sim:trn2.*'cpu'"):
            mix()
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray(x, device=SIM, copy=False)
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray(np.ones(2), device=SIM, copy=False)


def test_like():
    assert xp.zeros(2, like=np.ones(1)).device == "cpu"
    for foreign in (Foreign(), [1], np.ones(2).view(Subclass)):
        with pytest.raises(TypeError, match="like="):
            xp.zeros(2, like=foreign)


def test_shapes_that_do_not_match():
    with pytest.raises(ValueError, match="broadcast"):
        xp.full(2, [1, 2, 3])
    with pytest.raises(ValueError, match="broadcast"):
        xp.ones(2) + xp.ones(3)
