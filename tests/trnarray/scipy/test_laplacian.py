"""The Laplace operator on grids: SciPy's matrices, products and eigenvectors, and its own consistency where SciPy's is not consistent."""

import inspect
import math

import numpy as np
import pytest
import scipy
import scipy.sparse
import scipy.sparse.linalg as theirs

import trnarray as xp
from trnarray.backends.settings import config
from trnarray.scipy.sparse import csr_array
from trnarray.scipy.sparse.linalg import LaplacianNd, eigsh

CONDITIONS = ("neumann", "dirichlet", "periodic")
EPS = 2.0**-52
NEW = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17)  # older SciPy gives some periodic eigenvectors twice


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("grid", [(6,), (2, 3), (2, 3, 5)])
def test_it_is_scipys(grid, conditions):
    ours, reference = (kind(grid, boundary_conditions=conditions) for kind in (LaplacianNd, theirs.LaplacianNd))
    n = math.prod(grid)
    assert (ours.shape, ours.dtype, ours.grid_shape) == (reference.shape, reference.dtype, grid)
    np.testing.assert_array_equal(ours.toarray()._host(), reference.toarray())
    np.testing.assert_array_equal(ours.tosparse().toarray()._host(), reference.toarray())
    assert ours.toarray().dtype == ours.tosparse().dtype == np.int8
    assert ours.tosparse().format == ("dia" if len(grid) == 1 else "csr")
    x = np.random.default_rng(0).standard_normal((n, 3))
    for operand in (x[:, 0], x):
        # Sums of as many terms as a row has elements, in another order
        np.testing.assert_allclose((ours @ xp.asarray(operand))._host(), reference @ operand, rtol=0, atol=8 * 13 * EPS)
        np.testing.assert_array_equal((ours.H @ xp.asarray(operand))._host(), (ours.T @ xp.asarray(operand))._host())
    stacked = ours.matvec(xp.asarray(np.ascontiguousarray(x.T)))
    np.testing.assert_array_equal(stacked._host(), (ours @ xp.asarray(x))._host().T)
    np.testing.assert_array_equal((ours @ csr_array(scipy.sparse.csr_array(x))).toarray()._host(), reference.tosparse() @ x)
    for m in (None, 1, 4):
        np.testing.assert_array_equal(ours.eigenvalues(m)._host(), reference.eigenvalues(m))
        if conditions != "periodic" or NEW:
            np.testing.assert_allclose(ours.eigenvectors(m)._host(), reference.eigenvectors(m), rtol=0, atol=16 * EPS)


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("grid", [(1,), (4, 1), (5, 2, 3)])
def test_matrix_products_and_eigenvectors_agree_where_scipys_do_not(grid, conditions):
    a = LaplacianNd(grid, boundary_conditions=conditions, dtype=np.float64)
    n = math.prod(grid)
    matrix = a.toarray()._host()
    np.testing.assert_array_equal(matrix, theirs.LaplacianNd(grid, boundary_conditions=conditions) @ np.eye(n))
    np.testing.assert_array_equal(a.tosparse().toarray()._host(), matrix)
    for m in range(1, n + 1):
        w, v = a.eigenvalues(m)._host(), a.eigenvectors(m)._host()
        np.testing.assert_allclose(w, np.linalg.eigvalsh(matrix)[-m:], rtol=0, atol=64 * EPS)
        np.testing.assert_allclose(matrix @ v, v * w, rtol=0, atol=64 * EPS)
        np.testing.assert_allclose(v.T @ v, np.eye(m), rtol=0, atol=64 * EPS)


def test_solvers_take_it():
    a = LaplacianNd((4, 5), boundary_conditions="dirichlet", dtype=np.float64)
    w = eigsh(a, 3, return_eigenvectors=False, which="LA", v0=xp.ones(20))
    np.testing.assert_allclose(w._host(), a.eigenvalues(3)._host(), rtol=1e-10)  # converged to the precision of eigsh


def test_parameters():
    with pytest.raises(ValueError, match="boundary_conditions is one of 'neumann', 'dirichlet', 'periodic', but is 'robin'"):
        LaplacianNd((3,), boundary_conditions="robin")
    kinds = [
        [(p.name, p.kind) for p in inspect.signature(function).parameters.values()]
        for kind in (LaplacianNd, theirs.LaplacianNd)
        for function in (kind, kind.eigenvalues, kind.eigenvectors)
    ]
    assert kinds[:3] == kinds[3:]


@pytest.mark.parametrize("conditions", CONDITIONS)
@pytest.mark.parametrize("grid", [(1024,), (128, 24), (130, 1, 9), (96, 4, 16)])
def test_products_by_constant_diagonals(grid, conditions):
    """A sum of at most 9 terms, and of 3 more at a corner, whose sizes add up to 4 for each axis and element."""
    a = LaplacianNd(grid, boundary_conditions=conditions, dtype=np.float32)
    x = np.random.default_rng(1).standard_normal(math.prod(grid)).astype(np.float32)
    with config(fallback="error"):
        product = a @ xp.asarray(x, device="sim:trn2")
        assert "constant diagonals" in str(xp.explain(product))
    want = theirs.LaplacianNd(grid, boundary_conditions=conditions) @ x.astype(np.float64)
    assert np.all(abs(np.asarray(product.to_device("cpu")) - want) <= 12 * 2.0**-24 * 4 * len(grid) * abs(x).max())


@pytest.mark.parametrize("conditions", CONDITIONS)
def test_products_are_the_devices_own(conditions):
    x = np.arange(6, dtype=np.float32)
    a = LaplacianNd((2, 3), boundary_conditions=conditions, dtype=np.float32)
    with config(fallback="error", host_transfer="error"):
        product = a @ xp.asarray(x, device="sim:trn2")
    np.testing.assert_array_equal(product.to_device("cpu")._host(), a.toarray()._host() @ x)
    with config(default_device="sim:trn2"):
        made = a.eigenvalues(2), a.eigenvectors(2), a.toarray(), a.tosparse()
    assert {(item.device, np.dtype(item.dtype)) for item in made} == {(product.device, np.dtype(np.float32))}
