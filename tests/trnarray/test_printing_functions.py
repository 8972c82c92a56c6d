"""Arrays and numbers as text: what NumPy writes, under all options; the type, dtype and device are ours."""

import numpy as np
import pytest

import trnarray

from .numpy_reference import PLAIN, operands

OPTIONS = {
    "plain": {},
    "narrow": {"max_line_width": 20},
    "rounded": {"precision": 2, "suppress_small": True},
}
MORE = {
    "separated": {"separator": ", ", "prefix": "x = ", "suffix": ";"},
    "formatted": {"formatter": {"all": lambda value: f"<{value}>"}},
    "corners": {"threshold": 3, "edgeitems": 1},
    "signed": {"sign": "+", "floatmode": "fixed", "precision": 3},
    "as of old": {"legacy": "1.13"},
}


@pytest.mark.parametrize("name", OPTIONS | MORE)
def test_array2string(name):
    for x in operands(PLAIN):
        options = (OPTIONS | MORE)[name]
        assert trnarray.array2string(trnarray.asarray(x / 7), **options) == np.array2string(x / 7, **options)


@pytest.mark.parametrize("name", OPTIONS)
def test_array_str_and_repr(name):
    for x in operands(PLAIN):
        options = OPTIONS[name]
        x = np.asarray(x / 7)
        ours = trnarray.asarray(x)
        assert trnarray.array_str(ours, **options) == np.array_str(x, **options)
        given = {"linewidth": options.get("max_line_width"), "precision": options.get("precision")}
        with np.printoptions(suppress=options.get("suppress_small", False), **{k: v for k, v in given.items() if v is not None}):
            assert trnarray.array_repr(ours, **options) == repr(ours)


def test_of_a_large_array_only_the_corners_are_written():
    x = np.arange(10_000.0).reshape(100, 100) / 3
    assert trnarray.array2string(trnarray.asarray(x)) == np.array2string(x)
    assert trnarray.array2string(trnarray.asarray(x), threshold=9, edgeitems=2) == np.array2string(x, threshold=9, edgeitems=2)
    assert trnarray.array2string(trnarray.asarray(x[:3, :3]), threshold=10**6) == np.array2string(x[:3, :3], threshold=10**6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64], ids=str)
def test_numbers(dtype):
    for value in np.array([0.1, 1 / 3, -1e-5, 12345.678, np.inf, np.nan, 0.0, -0.0], dtype):
        for options in ({}, {"precision": 3}, {"trim": "-", "sign": True}, {"unique": False, "precision": 5}, {"pad_left": 9}):
            for write in ("format_float_positional", "format_float_scientific"):
                want = getattr(np, write)(value, **options)
                assert getattr(trnarray, write)(value, **options) == want
                assert getattr(trnarray, write)(trnarray.asarray(value), **options) == want
                assert getattr(trnarray, write)(trnarray.asarray([value])[0], **options) == want


def test_numbers_of_low_precision_are_written_by_as_few_digits_as_make_them_out():
    third = trnarray.asarray(1 / 3, dtype=trnarray.bfloat16)
    assert trnarray.format_float_positional(third) == "0.334"
    assert trnarray.format_float_scientific(third) == "3.34e-01"
