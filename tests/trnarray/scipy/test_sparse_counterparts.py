"""What other sparse libraries of Trainium name, written with SciPy's names on a device, with no fallback, against NumPy in float64."""

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.scipy import sparse as ours
from trnarray.scipy.sparse.linalg import LinearOperator, cg

DEVICE = "sim:trn2"
N = 96


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"):
        yield


def put(x):
    return xp.asarray(np.asarray(x, np.float32), device=DEVICE)


def fetch(x):
    return np.asarray(x.to_device("cpu"), np.float64)


@pytest.fixture(scope="module")
def spd():
    """A symmetric positive definite matrix of blocks of 16, some of which are not stored, and the same in float64."""
    rng = np.random.default_rng(5)
    pattern = theirs.coo_array(rng.random((6, 6)) * (rng.random((6, 6)) < 0.3))
    dense = theirs.kron(pattern, np.ones((16, 16))).toarray() * rng.standard_normal((N, N))
    dense = dense + dense.T + 40 * np.eye(N)
    matrix = theirs.csr_array(dense.astype(np.float32)).tobsr((16, 16))
    return ours.bsr_array(matrix).to_device(DEVICE), matrix.toarray().astype(np.float64)


def test_products_with_factors(spd):
    """spmv and spmm with alpha and beta, bsr_spmm."""
    a, dense = spd
    rng = np.random.default_rng(6)
    for shape in ((N,), (N, 40)):
        x, y = rng.standard_normal((2, *shape)).astype(np.float32)
        np.testing.assert_allclose(fetch(2.0 * (a @ put(x)) + 0.5 * put(y)), 2 * dense @ x + 0.5 * y, atol=1e-3)  # 100 u |A| |x|


def test_conversions(spd):
    """bsr_diagonal, to_dense, transposes, the numbers of nonzeros of rows."""
    a, dense = spd
    np.testing.assert_array_equal(fetch(a.diagonal()), np.diagonal(dense))
    np.testing.assert_array_equal(fetch(a.toarray()), dense)
    there = ours.csr_array(theirs.csr_array(dense.astype(np.float32))).to_device(DEVICE)
    np.testing.assert_array_equal(fetch(there.T.toarray()), dense.T)
    assert xp.all(there.indptr[1:] - there.indptr[:-1] == put((dense != 0).sum(axis=1)))


def test_conjugate_gradients_with_jacobi(spd):
    """cg_bsr, jacobi_preconditioner_bsr: the diagonal as a sparse array, and as a function."""
    a, dense = spd
    b = np.random.default_rng(7).standard_normal(N)
    inverse = 1 / a.diagonal()
    for m in (ours.diags_array(inverse), LinearOperator((N, N), matvec=lambda v: inverse * v, dtype="float32")):
        x, info = cg(a, put(b), M=m, rtol=1e-5)
        assert info == 0
        assert np.linalg.norm(dense @ fetch(x) - b.astype(np.float32)) <= 1e-5 * np.linalg.norm(b)


def test_power_iteration(spd):
    """power_iteration_bsr: one program."""
    a, dense = spd

    def turn(_, v):
        w = a @ v
        return w / xp.linalg.vector_norm(w)

    v = xp.fori_loop(0, 400, turn, put(np.random.default_rng(8).standard_normal(N)))
    want = np.linalg.eigvalsh(dense)
    found = float(xp.vecdot(v, a @ v))
    assert abs(found - want[np.argmax(abs(want))]) <= 1e-3 * abs(want).max()


def test_fixed_polynomials(spd):
    """chebyshev_bsr and richardson_bsr: a number of steps without inner products, from bounds of the spectrum."""
    a, dense = spd
    b, (low, high) = put(np.ones(N)), np.linalg.eigvalsh(dense)[[0, -1]].tolist()
    theta, delta = (high + low) / 2, (high - low) / 2

    def chebyshev(_, state):
        x, r, d, rho = state
        following = 1 / (2 * theta / delta - rho)
        x = x + d
        r = r - a @ d
        return x, r, following * rho * d + 2 * following / delta * r, following

    start = xp.zeros_like(b), b, b / theta, put(delta / theta)
    x, *_ = xp.fori_loop(0, 60, chebyshev, start)
    np.testing.assert_allclose(dense @ fetch(x), 1, atol=1e-3)
    x = xp.fori_loop(0, 200, lambda _, x: x + (b - a @ x) / theta, xp.zeros_like(b))
    np.testing.assert_allclose(dense @ fetch(x), 1, atol=1e-3)


def test_screened_products():
    """schwarz_bounds, density_screen, screened_spmm: a mask from bounds of the elements, then a product."""
    rng = np.random.default_rng(9)
    a, b = rng.standard_normal((2, N, N)).astype(np.float32)
    bounds = np.sqrt(np.abs(np.diagonal(a)))
    kept = np.outer(bounds, bounds) >= 0.5
    there, others = put(a), put(b)
    root = xp.sqrt(xp.abs(xp.linalg.diagonal(there)))
    found = xp.where(root[:, None] * root[None, :] >= 0.5, there, 0.0) @ others
    np.testing.assert_allclose(fetch(found), np.where(kept, a, 0).astype(np.float64) @ b, atol=1e-3)


def test_attention_of_a_block_mask():
    """block_sparse_attention_tiled: scores of stored blocks alone, each once, by their rows."""
    rng = np.random.default_rng(10)
    q, k, v = rng.standard_normal((3, 128, 32)).astype(np.float32)
    rows, columns = np.array([0, 1, 1, 2, 2, 3, 3]), np.array([0, 0, 1, 1, 2, 0, 3])  # of blocks of 32
    mask = np.zeros((4, 4), bool)
    mask[rows, columns] = True
    scores = np.where(np.kron(mask, np.ones((32, 32), bool)), q.astype(np.float64) @ k.T / np.sqrt(32), -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    want = weights / weights.sum(axis=1, keepdims=True) @ v
    blocks = [put(x).reshape(4, 32, 32) for x in (q, k, v)]
    of_row = [np.flatnonzero(rows == row).tolist() for row in range(4)]
    score = blocks[0][rows.tolist()] @ blocks[1][columns.tolist()].mT / 32**0.5  # (blocks, queries, keys)
    largest = xp.stack([xp.max(score[stored], axis=(0, 2)) for stored in of_row])
    weight = xp.exp(score - largest[rows.tolist()][:, :, None])
    parts, sums = weight @ blocks[2][columns.tolist()], xp.sum(weight, axis=2)
    found = [xp.sum(parts[stored], axis=0) / xp.sum(sums[stored], axis=0)[:, None] for stored in of_row]
    np.testing.assert_allclose(fetch(xp.concat(found)), want, atol=1e-4)
