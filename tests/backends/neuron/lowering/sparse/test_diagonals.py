"""The kernel of matrices of few diagonals: against SciPy in float64, with windows of the vector in one piece and in many."""

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.neuron.kernels.sparse import diagonals
from trnarray.backends.neuron.lowering.sparse import products

from .matrices import drawn, multiply_beside_scipy

CASES = {
    "grid": ((-32, -1, 0, 1, 32), (1024, 1024), 0.7),
    "rows of the last partition missing": ((-1, 0, 1), (1000, 1000), 1.0),
    "wide": ((-40, 0, 5), (700, 900), 0.8),
    "beyond the columns": ((-3, 2), (600, 580), 0.9),
}


@pytest.fixture(autouse=True)
def chosen(monkeypatch):
    """Take diagonals wherever there are any."""
    monkeypatch.setattr(products, "diagonals_time", lambda *_: -1.0)
    with xp.config(fallback="error"), simulator.options(races="strict"):
        yield


def _check(offsets, shape, stored, target):
    """Compare with infinities and NaN, which reach the rows of stored elements alone."""
    rng = np.random.default_rng(8)
    matrix = theirs.diags_array([drawn(min(shape) + 50, np.float32)] * len(offsets), offsets=offsets, shape=shape).tocsr()
    matrix.data[rng.random(matrix.nnz) > stored] = 0
    matrix.eliminate_zeros()
    x = drawn(shape[1], np.float32)
    x[[3, shape[1] // 2]] = np.nan, np.inf
    assert multiply_beside_scipy(matrix, x, target).startswith("sparse product by")


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", CASES)
def test_products(name, target):
    _check(*CASES[name], target)


@pytest.mark.parametrize("room", [8, 40])
def test_in_pieces(room, monkeypatch):
    """Of 8 rows of a partition at once; near offsets share a window, far ones have their own."""
    monkeypatch.setattr(diagonals, "_PIECE", 8)
    monkeypatch.setattr(diagonals, "_ROOM", room)
    _check((-32, -1, 0, 1, 32), (3001, 3001), 0.9, "trn2")


def test_offsets_are_grouped_where_that_is_less_than_to_load_twice():
    assert diagonals.windows((-1024, -1, 0, 1, 1024), 8192, 1024) == (8192, [(0, 4)])
    assert diagonals.windows((-16384, -128, -1, 0, 1, 128, 16384), 16384, 1024) == (1024, [(0, 0), (1, 5), (6, 6)])
