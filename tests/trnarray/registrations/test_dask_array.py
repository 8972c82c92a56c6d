"""The registration with dask.array, on stand-ins for its tables; the suite `consumers` has dask itself."""

import sys
import types

import numpy as np
import pytest

import trnarray
from trnarray.registrations import dask_array

NAMES = ("empty_lookup", "numel_lookup", "percentile_lookup", "to_numpy_dispatch")


class Table(dict):
    def register(self, kind, function):
        self[kind] = function


@pytest.fixture
def tables(monkeypatch):
    module = types.ModuleType("dask.array.dispatch")
    for name in NAMES:
        setattr(module, name, Table())
    for name in ("dask", "dask.array"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "dask.array.dispatch", module)
    dask_array.register()
    return {name: getattr(module, name)[trnarray.Array] for name in NAMES}


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), [1]])
def test_counts_have_the_form_of_a_sum(tables, axis, keepdims):
    ones = np.ones((2, 3, 4))
    expected = ones.sum(axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
    got = tables["numel_lookup"](trnarray.asarray(ones), axis=axis, keepdims=keepdims, dtype="int64")
    assert type(got) is trnarray.Array
    assert (got.shape, got.dtype) == (np.shape(expected), np.int64)
    assert np.array_equal(np.from_dlpack(got), expected)


def test_percentiles_of_a_chunk(tables):
    x = np.random.default_rng(1).random(30)
    got, n = tables["percentile_lookup"](trnarray.asarray(x), trnarray.asarray([10.0, 50.0]), "lower")
    assert n == 30
    assert type(got) is trnarray.Array
    assert np.array_equal(np.from_dlpack(got), np.percentile(x, [10, 50], method="lower"))


def test_percentiles_of_no_numbers_are_of_the_elements(tables):
    got, _ = tables["percentile_lookup"](trnarray.asarray([False, True, True]), trnarray.asarray([0.0, 40.0]), "linear")
    assert got.tolist() == [False, True]


def test_percentiles_of_nothing(tables):
    assert tables["percentile_lookup"](trnarray.zeros(0), trnarray.asarray([10.0])) == (None, 0)


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_empty_and_conversion(tables, device):
    assert tables["empty_lookup"](3, dtype="float32").shape == (3,)
    assert type(tables["to_numpy_dispatch"](trnarray.ones(2, device=device))) is np.ndarray
