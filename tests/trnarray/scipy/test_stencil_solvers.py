"""Conjugate gradients whose vectors stay on the chip: of grids on devices, against SciPy in float64."""

import numpy as np
import pytest
import scipy.sparse as theirs
import scipy.sparse.linalg as solvers

import trnarray as xp
from trnarray._sparse_linalg import conjugate_gradient
from trnarray.backends import simulator
from trnarray.backends.neuron.kernels.sparse import stencils
from trnarray.scipy import sparse as ours
from trnarray.scipy.sparse.linalg import cg


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"), simulator.options(races="strict"):
        yield


@pytest.fixture
def alone(monkeypatch):
    """Let nothing else solve."""

    def refuse(*_):
        raise AssertionError("turns of a loop were computed")

    monkeypatch.setattr(conjugate_gradient, "_CG_TURNS", conjugate_gradient._CG_TURNS._replace(advance=refuse))


def grid(*shape, shift=0.5):
    total = theirs.eye_array(int(np.prod(shape))) * shift
    for place, n in enumerate(shape):
        line = theirs.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
        before, after = (theirs.eye_array(int(np.prod(part))) for part in (shape[:place], shape[place + 1 :]))
        total = total + theirs.kron(theirs.kron(before, line), after)
    return total.tocsr()


def put(array, device):
    return xp.asarray(array, device=device)


def bring(matrix, device):
    return ours.csr_array(matrix).to_device(device)


GRIDS = {
    "line": grid(128 * 8),
    "plane": grid(128, 24),
    "plane, last partition with fewer rows": grid(255, 12),
    "space": grid(96, 4, 16),
    "diagonal": 3 * theirs.eye_array(1024, format="csr"),
}


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@pytest.mark.parametrize("name", GRIDS)
def test_solutions(name, target):
    """Success is the residual in float64; a shift makes the condition number some 20."""
    device, matrix = f"sim:{target}", GRIDS[name]
    b = np.random.default_rng(3).standard_normal(matrix.shape[0])
    x, info = cg(bring(matrix, device), put(b, device), rtol=1e-10)
    found = np.asarray(x.to_device("cpu"))
    assert info == 0
    assert np.linalg.norm(b - matrix @ found) <= 1e-10 * np.linalg.norm(b)


@pytest.mark.usefixtures("alone")
def test_steps_in_float32(monkeypatch):
    """As many as SciPy's, to one in four; some rows of a partition at once; callbacks see each of them."""
    monkeypatch.setattr(stencils, "_PIECE", 24)
    matrix = grid(128, 24, shift=0.1).astype(np.float32)
    b = np.random.default_rng(4).standard_normal(matrix.shape[0]).astype(np.float32)
    theirs_steps, our_steps = [], []
    solvers.cg(matrix.astype(np.float64), b.astype(np.float64), rtol=1e-4, callback=theirs_steps.append)
    there = bring(matrix, "sim:trn2"), put(b, "sim:trn2")
    x, info = cg(*there, rtol=1e-4, callback=lambda x: our_steps.append(float(x[0])))
    assert info == 0
    assert len(our_steps) <= 1.25 * len(theirs_steps)
    before = np.random.default_rng(5).standard_normal(matrix.shape[0]).astype(np.float32)
    again, info = cg(*there, x0=put(before, "sim:trn2"), rtol=1e-4)
    for found in (x, again):
        residual = b - matrix.astype(np.float64) @ np.asarray(found.to_device("cpu")).astype(np.float64)
        assert np.linalg.norm(residual) <= 1e-4 * np.linalg.norm(b)
    assert cg(*there, rtol=1e-4, maxiter=5)[1] == 5


@pytest.mark.parametrize("matrix", [grid(128, 8) - 9 * theirs.eye_array(1024), 0 * theirs.eye_array(1024)], ids=["negative", "zero"])
def test_breakdown(matrix):
    """What is not positive definite ends, too; without success there is no success."""
    matrix = matrix.tocsr().astype(np.float32)
    b = np.random.default_rng(6).standard_normal(1024).astype(np.float32)
    x, info = cg(bring(matrix, "sim:trn2"), put(b, "sim:trn2"), maxiter=40)
    residual = np.linalg.norm(b - matrix.astype(np.float64) @ np.asarray(x.to_device("cpu")).astype(np.float64))
    assert (info == 0) == bool(residual <= 1e-5 * np.linalg.norm(b))


def test_values_that_differ_are_a_loop():
    matrix = grid(128, 8).astype(np.float32)
    matrix.setdiag(np.linspace(5, 6, 1024))
    b = np.random.default_rng(7).standard_normal(1024).astype(np.float32)
    x, info = cg(bring(matrix, "sim:trn2"), put(b, "sim:trn2"))
    assert info == 0
    residual = b - matrix.astype(np.float64) @ np.asarray(x.to_device("cpu")).astype(np.float64)
    assert np.linalg.norm(residual) <= 1e-5 * np.linalg.norm(b)
