"""Sparse matrices of many structures, and products of them that SciPy makes in float64."""

import numpy as np
import scipy.sparse as theirs

import trnarray as xp
from trnarray.scipy import sparse as ours

U = 2.0**-24


def _random(rows, columns, density, seed=0):
    rng, count = np.random.default_rng(seed), round(density * rows * columns)
    places = rng.choice(rows * columns, count, replace=False)
    return theirs.coo_array((rng.random(count), np.divmod(places, columns)), shape=(rows, columns))


def _laplacian(*shape):
    grids = [theirs.diags_array([-np.ones(n - 1), 2 * np.ones(n), -np.ones(n - 1)], offsets=[-1, 0, 1]) for n in shape]
    total = grids[0]
    for grid in grids[1:]:
        total = theirs.kronsum(grid, total)
    return total.tocsr()


def _duplicates(format):
    rng = np.random.default_rng(1)
    rows, columns = rng.integers(0, 40, 200), rng.integers(0, 30, 200)
    values = np.where(rng.random(200) < 0.2, 0, rng.standard_normal(200))  # some zeros are stored
    if format == "coo":
        return theirs.coo_array((values, (rows, columns)), shape=(40, 30))
    order = np.argsort(rows, kind="stable")
    return theirs.csr_array((values[order], columns[order], np.searchsorted(rows[order], np.arange(41))), shape=(40, 30))


def _full_line(axis):
    matrix = _random(300, 200, 0.02).tolil()
    matrix[(slice(None),) * axis + (7,)] = 1.5
    return matrix.tocsr()


def _power_law():
    """Rows and columns of very different lengths, as R-MAT has them."""
    rng = np.random.default_rng(2)
    rows, columns = ((rng.pareto(1.0, 3000) * 3).astype(int) % 500 for _ in range(2))
    return theirs.coo_array((rng.standard_normal(3000), (rows, columns)), shape=(500, 500)).tocsr()


def _mostly_empty():
    """One row in six has elements, up to nine."""
    rng = np.random.default_rng(11)
    counts = np.where(np.arange(1000) % 6 == 0, rng.integers(0, 10, 1000), 0)
    return theirs.csr_array(
        (rng.standard_normal(counts.sum()), rng.integers(0, 300, counts.sum()), np.concatenate([[0], np.cumsum(counts)])), shape=(1000, 300)
    )


MATRICES = {
    "laplacian, 2-D": lambda: _laplacian(13, 11),
    "laplacian, 3-D": lambda: _laplacian(5, 6, 7),
    "power law": _power_law,
    "random": lambda: _random(200, 200, 0.05),
    "bands": lambda: theirs.diags_array([np.arange(1.0, 130)] * 9, offsets=range(-4, 5), shape=(129, 129)),
    "identity": lambda: theirs.eye_array(127, format="csr"),
    "full row": lambda: _full_line(0),
    "full column": lambda: _full_line(1),
    "empty rows and columns": lambda: theirs.coo_array((np.ones(3), ([0, 0, 129], [1, 1, 70])), shape=(200, 140)),
    "mostly empty rows": _mostly_empty,
    "no elements": lambda: theirs.csr_array((20, 30)),
    "duplicates": lambda: _duplicates("csr"),
    "duplicates, coordinates": lambda: _duplicates("coo"),
    "one row": lambda: _random(1, 300, 0.3),
    "one column": lambda: _random(300, 1, 0.3).tocsc(),
    "127 rows": lambda: _random(127, 500, 0.02).tocsc(),
    "129 rows": lambda: _random(129, 40, 0.1),
    "blocks": lambda: _random(60, 80, 0.05).tobsr((5, 4)),
    "diagonals beyond": lambda: theirs.dia_array((np.ones((3, 50)), [-60, 2, 30]), shape=(40, 45)),
}
LOOK_ALIKES = {name: make() for name, make in MATRICES.items()}


def drawn(shape, dtype, seed=3):
    rng = np.random.default_rng(seed)
    numbers = rng.standard_normal(shape) * (8 if np.dtype(dtype).kind in "iu" else 1)
    return (numbers + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else numbers).astype(dtype)


def cast(matrix, dtype):
    """Give the matrix values that the dtype has."""
    scale = 8 if np.dtype(dtype).kind in "iu" else 1 + 0.5j if np.dtype(dtype).kind == "c" else 1
    return (matrix * scale).asformat(matrix.format).astype(dtype)


def bring(matrix, device="sim:trn2"):
    return getattr(ours, f"{matrix.format}_array")(matrix).to_device(device)


def fetch(array):
    return np.asarray(array.to_device("cpu"))


def put(array, device="sim:trn2"):
    return xp.asarray(array, device=device)


def bound(matrix, x, dtype):
    """(L + 3) u |A| |x| for rows of L elements; complex products are made of two, of planes that are each no larger."""
    coo = matrix.tocoo()
    wide = theirs.coo_array((np.abs(coo.data).astype(np.float64), coo.coords), shape=coo.shape).tocsr()
    longest = int(np.bincount(coo.row, minlength=1).max(initial=0))
    unit = {"float32": U, "complex64": 4 * U, "float64": 2.0**-53, "complex128": 4 * 2.0**-53}.get(np.dtype(dtype).name, 0)
    return (longest + 3) * unit * (wide @ np.abs(x).astype(np.float64))


def multiply_beside_scipy(matrix, x, target):
    """Compare a product of float32 with SciPy's in float64, NaN and infinities too; say what its last stage computes."""
    with np.errstate(invalid="ignore"):
        want = matrix.astype(np.float64) @ x.astype(np.float64)
    product = bring(matrix, f"sim:{target}") @ put(x, f"sim:{target}")
    last = [stage.computes for step in xp.explain(product).steps for stage in step.stages][-1]
    found, special = fetch(product), ~np.isfinite(want)
    np.testing.assert_array_equal(found[special], want[special])
    assert np.all(np.abs(found[~special] - want[~special]) <= bound(matrix, np.nan_to_num(x, posinf=0), np.float32)[~special])
    return last
