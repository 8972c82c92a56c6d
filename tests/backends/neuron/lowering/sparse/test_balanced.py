"""Products of matrices with very long rows and columns: cut, dealt out, and exchanged; against SciPy in float64."""

import math

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.backends.neuron.costs import current_costs
from trnarray.backends.neuron.lowering.sparse import balanced, products
from trnarray.backends.neuron.lowering.sparse.structure import Structure

from .matrices import bound, bring, drawn, fetch, put


def power_law(scale, dtype):
    """Elements at places whose bits are drawn independently, as R-MAT draws them: both indices of a bit are more often 0."""
    rng = np.random.default_rng(scale)
    rows, columns = np.zeros((2, 10 << scale), np.int64)
    for _ in range(scale):
        both = np.searchsorted([0.57, 0.76, 0.95], rng.random(len(rows)))
        rows, columns = 2 * rows + (both >> 1), 2 * columns + (both & 1)
    places = np.unique(rows << scale | columns)
    shape = (1 << scale, 1 << scale)
    return theirs.coo_array((drawn(len(places), dtype), np.divmod(places, 1 << scale)), shape=shape).tocsr()


@pytest.fixture
def small(monkeypatch):
    """Cut small matrices, too."""
    for name, value in (("_LEAST", 0), ("_LONGEST", 32), ("_COPIED", 64)):
        monkeypatch.setattr(balanced, name, value)
    monkeypatch.setattr(products, "_padded_time", lambda *_: math.inf)
    monkeypatch.setattr(products, "_PADDED", 0.0)
    monkeypatch.setattr(products, "exchange_time", lambda *_: math.inf)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("device", "dtype"), [("sim:trn1", "float32"), ("sim:trn2", "float32"), ("sim:trn3", "complex64")])
def test_products(device, dtype):
    """A row of L elements errs by (L + 3) u |A| |x|; infinities and NaN reach the rows that they reach in SciPy's."""
    a, x = power_law(10, dtype), drawn(1024, dtype)
    there = bring(a, device)
    assert np.diff(a.indptr).max() > 4 * 32
    with xp.config(fallback="error"):
        y = there @ put(x, device)
        assert str(xp.explain(y)).count("sparse product by exchange") >= 3
        y = fetch(y)
        turned = fetch(there.T @ put(x, device))
    wide = a.astype(np.complex128)
    for matrix, found in ((wide, y), (wide.T.tocsr(), turned)):
        assert np.all(np.abs(found - matrix @ x.astype(np.complex128)) <= bound(matrix, x, dtype) + 1e-30)
    if dtype == "float32":
        x[[0, 5]] = np.inf, np.nan
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(np.isfinite(fetch(there @ put(x, device))), np.isfinite(a @ x))


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
def test_chosen_for_power_laws(target):
    """Rows and columns of thousands of elements cost no more than a fifth of what gathers by DMA do."""
    a = power_law(14, "float32").tocoo()
    structure = Structure(a.shape, a.row, a.col, np.arange(a.nnz, dtype=np.int32))
    found = balanced.find_balanced(structure)
    assert found is not None
    assert balanced.time(current_costs(target), found) < 1.4 * a.nnz  # in ns, of which a gather by DMA takes 7 for each
    small = Structure((9, 9), *(np.arange(9, dtype=np.int32) for _ in range(3)))
    assert balanced.find_balanced(small) is None
