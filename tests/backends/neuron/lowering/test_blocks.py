"""Equations and factors that are computed block by block, of blocks that are small here, against SciPy."""

import subprocess
import sys

import numpy as np
import pytest
import scipy
import scipy.linalg

import trnarray as xp
import trnarray.scipy.linalg as ours
from trnarray.backends.neuron.kernels.factor import elimination
from trnarray.backends.neuron.lowering import factored_equations, linear_equations, refinement

U = 2.0**-24
RNG = np.random.default_rng(6)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(linear_equations, "MOST_ROWS_IN_SBUF", 4)
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        yield


def fetched(result):
    return np.asarray(result.to_device("cpu")).astype(float)


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky(upper):
    """Backward error (n + 4) u, and as much again from inverses of blocks; what is not definite is refused by any block."""
    if np.lib.NumpyVersion(scipy.__version__) < "1.16.0":
        pytest.skip("rules of stacks of triangular systems are those of SciPy 1.16")
    root = RNG.standard_normal((2, 11, 22))
    a = (root @ np.swapaxes(root, 1, 2)).astype(np.float32)
    read = np.triu(a) if upper else np.tril(a)
    factor = fetched(xp.linalg.cholesky(xp.asarray(read), upper=upper))
    lower = np.swapaxes(factor, 1, 2) if upper else factor
    assert not np.triu(lower, 1).any()
    assert np.abs(lower @ np.swapaxes(lower, 1, 2) - a).max() <= 30 * U * np.abs(a).max()
    b = RNG.standard_normal((11, 2)).astype(np.float32)
    x = fetched(ours.cho_solve((xp.asarray(factor[0].astype(np.float32)), not upper), xp.asarray(b)))
    assert np.abs(a[0] @ x - b).max() <= 30 * U * np.abs(a[0]).sum(-1).max() * np.abs(x).max()
    a[1, 9, 9] = -1.0
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        fetched(xp.linalg.cholesky(xp.asarray(a), upper=upper))


def test_without_scipy():
    """Triangular systems are Ops of scipy.linalg, which a program of numpy.linalg's functions does not import."""
    lines = (
        "import trnarray as xp",
        "from trnarray.backends.neuron.lowering import linear_equations",
        "linear_equations.MOST_ROWS_IN_SBUF = 2",
        "print(float(xp.linalg.cholesky(4 * xp.eye(3, dtype=xp.float32, device='sim:trn2'))[2, 2]))",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert done.stdout == "2.0\n"


def test_equations_and_inverses():
    """Elimination without exchanges between blocks, corrected: the host solves what that spoils, here a block of zeros."""
    a = RNG.standard_normal((10, 10)).astype(np.float32)
    b = RNG.standard_normal(10).astype(np.float32)
    wide, limit = a.astype(float), 80 * U
    x = fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
    assert np.abs(wide @ x - b).max() <= limit * np.abs(a).sum(-1).max() * np.abs(x).max()
    inverse = fetched(xp.linalg.inv(xp.asarray(a)))
    assert np.abs(wide @ inverse - np.eye(10)).max() <= limit * np.abs(a).sum(-1).max() * np.abs(inverse).max()
    a[:4, :4] = 0.0
    with pytest.raises(xp.FallbackError, match="exchanges of rows"):
        fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
    with xp.config(fallback="allow"):
        found = fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
    np.testing.assert_allclose(found, np.linalg.solve(a.astype(float), b), rtol=1e-4)


@pytest.mark.parametrize("invert", [False, True])
def test_float64(monkeypatch, invert):
    """From float32 blocks, corrected in float64: backward error (n + 8) u64, whatever the scales; the host takes over as above."""
    monkeypatch.setattr(linear_equations, "MOST_ROWS_IN_SBUF", 20)
    monkeypatch.setattr(refinement, "MOST_ROWS", 20)
    a = (RNG.standard_normal((45, 45)) + 4 * np.eye(45)) * 2.0**300
    b = np.eye(45) if invert else RNG.standard_normal((45, 2)) * 2.0**-500

    def run():
        return fetched(xp.linalg.inv(xp.asarray(a)) if invert else xp.linalg.solve(xp.asarray(a), xp.asarray(b)))

    x = run()
    assert np.abs(a @ x - b).max() <= 53 * 2.0**-53 * np.abs(a).sum(-1).max() * np.abs(x).max()
    a[:20, :20] = 0.0
    with pytest.raises(xp.FallbackError, match="condition number"):
        run()


@pytest.fixture
def small_panels(monkeypatch):
    """Of 70 rows eight columns, and of 24 and fewer as many; lanes take no more than eight rows."""
    for module, name, value in (
        *((elimination, "_MOST_ROWS", 24), (linear_equations, "MOST_ROWS_IN_SBUF", 24), (linear_equations, "_PANEL", 8)),
        *((module, "MOST_ROWS_IN_LANES", 8) for module in (linear_equations, factored_equations, refinement)),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("small_panels")
def test_factors_by_panels(dtype):
    """Rows are exchanged among all of a panel's, so that no factor is above 1 + 2**-10; residuals are of n u."""
    order, unit = 70, float(np.finfo(dtype).eps) / 2
    a = RNG.standard_normal((order, order)).astype(dtype)
    a[:24, :24] = 0
    wide, matrix = a.astype(float), xp.asarray(a)
    permutation, lower, upper = map(fetched, ours.lu(matrix))
    assert np.abs(lower).max() <= 1 + 2.0**-10
    assert np.abs(permutation @ lower @ upper - wide).max() <= order * unit * np.abs(upper).max()
    b = RNG.standard_normal((order, 2)).astype(dtype)
    for how in (0, 1):
        x = fetched(ours.lu_solve(ours.lu_factor(matrix), xp.asarray(b), how))
        assert np.abs((wide.T if how else wide) @ x - b).max() <= order * unit * np.abs(wide).sum(how ^ 1).max() * np.abs(x).max()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.usefixtures("small_panels")
def test_determinants_by_panels(dtype):
    """Errors of logarithms are those of pivots, of n u times a condition number of a few hundred."""
    a = RNG.standard_normal((40, 40)).astype(dtype)
    sign, logarithm = map(fetched, xp.linalg.slogdet(xp.asarray(a)))
    wanted, known = np.linalg.slogdet(a.astype(float))
    assert sign == wanted
    assert abs(logarithm - known) <= 40 * 300 * float(np.finfo(dtype).eps)
    np.testing.assert_allclose(fetched(xp.linalg.det(xp.asarray(a))), wanted * np.exp(known), rtol=40 * 300 * np.finfo(dtype).eps)
    if dtype == np.float32:
        a[:, 3] = 0
        assert fetched(xp.linalg.det(xp.asarray(a))) == 0


@pytest.mark.usefixtures("small_panels")
def test_cholesky_factors_and_triangles_of_float64(monkeypatch):
    """Of more rows than float32 factors at once; what float32 finds not to be definite is left to the host."""
    monkeypatch.setattr(refinement, "MOST_ROWS", 32)
    root = RNG.standard_normal((50, 100))
    a, b = root @ root.T, RNG.standard_normal((50, 2))
    factor = fetched(xp.linalg.cholesky(xp.asarray(a)))
    assert np.abs(factor @ factor.T - a).max() <= 58 * 2.0**-53 * np.abs(a).max()
    x = fetched(ours.cho_solve((xp.asarray(factor), True), xp.asarray(b)))
    assert np.abs(a @ x - b).max() <= 58 * 2.0**-53 * np.abs(a).sum(-1).max() * np.abs(x).max()
    a[40, 40] = -1.0
    with pytest.raises(xp.FallbackError, match="condition number"):
        fetched(xp.linalg.cholesky(xp.asarray(a)))
