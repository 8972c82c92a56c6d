"""The kernel of constant diagonals, of grids of several shapes, against SciPy in float64."""

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.neuron.kernels.sparse import stencils
from trnarray.backends.neuron.lowering.sparse import products
from trnarray.backends.neuron.lowering.sparse.stencils import _run

from .matrices import bound, bring, drawn, fetch, multiply_beside_scipy, put


@pytest.fixture(autouse=True)
def chosen(monkeypatch):
    """Take constant diagonals wherever there are any."""
    monkeypatch.setattr(products, "stencil_time", lambda *_: -1.0)
    with xp.config(fallback="error"), simulator.options(races="strict"):
        yield


def _grid(*shape, reach=1):
    """Make a matrix of neighbours on a grid; diagonal ones, too, where `reach` is 2."""
    total = None
    parts = [theirs.diags_array([1.0, 0.3, 1.5], offsets=[0, 1, -1], shape=(n, n)) for n in shape]
    if reach == 2:
        for part in parts:
            total = part if total is None else theirs.kron(total, part)
        return total.tocsr()
    for place, part in enumerate(parts):
        term = theirs.eye_array(1)
        for other, n in enumerate(shape):
            term = theirs.kron(term, part if other == place else theirs.eye_array(n))
        total = term if total is None else total + term
    return total.tocsr()


MATRICES = {
    "plane": _grid(128, 48),
    "plane, last partition with fewer rows": _grid(200, 30),
    "plane of nine points": _grid(160, 16, reach=2),
    "space": _grid(96, 4, 32),
    "line": _grid(5000),
    "without a main diagonal": (_grid(128, 16) - 2 * theirs.eye_array(2048)).tocsr(),
    "more columns than rows": theirs.diags_array([2.0, -1.0, 0.5], offsets=[0, 3, 40], shape=(3000, 3040)).tocsr(),
}
MATRICES["without a main diagonal"].eliminate_zeros()


def _check(matrix, target):
    """Compare with infinities and NaN, which reach the rows of stored elements alone."""
    matrix = matrix.astype(np.float32)
    x = drawn(matrix.shape[1], np.float32)
    x[[0, 3, matrix.shape[1] // 2]] = np.nan, np.nan, np.inf
    assert "constant diagonals" in multiply_beside_scipy(matrix, x, target)


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", MATRICES)
def test_products(name, target):
    _check(MATRICES[name], target)


@pytest.mark.parametrize("piece", [8, 24, 64])
def test_in_pieces(piece, monkeypatch):
    """Of fewer rows than a period at once, and of some periods."""
    monkeypatch.setattr(stencils, "_PIECE", piece)
    monkeypatch.setattr(stencils, "_LEAST", 1)
    _check(_grid(512, 24), "trn2")


def test_values_that_differ_are_stored_ones():
    """As are values that change: those of the new Array count."""
    matrix = _grid(128, 16).astype(np.float32)
    ours, x = bring(matrix), put(drawn(2048, np.float32))
    assert "constant" in xp.explain(ours @ x).steps[-1].stages[-1].computes
    ours.data[7] = 5.0
    matrix.data[7] = 5.0
    product = ours @ x
    assert "constant" not in xp.explain(product).steps[-1].stages[-1].computes
    want = matrix.astype(np.float64) @ fetch(x).astype(np.float64)
    assert np.all(np.abs(fetch(product) - want) <= bound(matrix, fetch(x), np.float32))


@pytest.mark.parametrize(
    ("stored", "first", "want"),
    [
        ("1110111011", 0, (4, 0, 3)),
        ("1101110111", 1, (4, 0, 3)),
        ("0111011101", 4, (4, 1, 3)),
        ("1111", 0, (0, 0, 0)),
        ("1101110111", 0, None),
        ("1101111", 0, None),
    ],
)
def test_rows_of_a_diagonal(stored, first, want):
    """Those of each period that come first, or last; others are no stencil's."""
    assert _run(np.array(list(stored)) == "1", first) == want


def test_predicted_times():
    """Of the grid of 1024 x 1024 that issue 28 limits to 40 us."""
    matrix = _grid(1024, 1024).astype(np.float32)
    product = bring(matrix) @ put(np.zeros(2**20, np.float32))
    assert xp.explain(product).steps[-1].prediction.seconds <= 40e-6
