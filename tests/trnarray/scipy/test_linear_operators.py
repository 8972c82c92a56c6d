"""Linear operators: products, sums, powers, adjoints and stacks as SciPy's."""

import numpy as np
import pytest
import scipy
import scipy.sparse.linalg as theirs

import trnarray as xp
from trnarray.scipy.sparse import coo_array, csr_array
from trnarray.scipy.sparse import linalg as ours

SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


def test_linear_operators():
    rng = np.random.default_rng(1)
    a, b = rng.standard_normal((3, 3)) + 1j * rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    x, y = rng.standard_normal(3), rng.standard_normal((3, 2))
    A, B = ours.aslinearoperator(xp.asarray(a)), ours.aslinearoperator(csr_array(xp.asarray(b)))
    F = ours.LinearOperator((3, 3), lambda v: xp.asarray(b) @ v, rmatvec=lambda v: xp.asarray(b.T) @ v)
    assert F.dtype == np.float64
    for operator, matrix in (
        (A, a),
        (B, b),
        (F, b),
        (A + B, a + b),
        (A - F, a - b),
        (A @ F, a @ b),
        (A * B, a @ b),
        (-A, -a),
        (2j * F, 2j * b),
        (F / 2, b / 2),
        (A**2, a @ a),
        (A**0, np.eye(3)),
        (A.H, a.conj().T),
        (F.H, b.T),
        (A.T, a.T),
        (F.T, b.T),
        (F.H.H, b),
        (A.T.T, a),
        ((2j * A @ F + B).H, (2j * a @ b + b).conj().T),
        ((A**2).H, (a @ a).conj().T),
        (ours.aslinearoperator(theirs.aslinearoperator(b)), b),
    ):
        assert operator.shape == (3, 3)
        assert str(operator.dtype) in repr(operator)
        for got, expected in (
            (operator.matvec(xp.asarray(x)), matrix @ x),
            (operator @ xp.asarray(x).reshape(3, 1), (matrix @ x)[:, None]),
            (operator(xp.asarray(y)), matrix @ y),
            (operator.matmat(xp.asarray(y)), matrix @ y),
            (operator.rmatvec(xp.asarray(x)), matrix.conj().T @ x),
            (operator.rmatmat(xp.asarray(y)), matrix.conj().T @ y),
            (xp.asarray(x) @ operator, x @ matrix),
            (operator.rdot(xp.asarray(y.T)), y.T @ matrix),
        ):
            assert type(got) is xp.Array
            np.testing.assert_allclose(got._host(), expected, rtol=1e-12, atol=1e-12)
    with pytest.raises(NotImplementedError, match="rmatvec"):
        ours.LinearOperator((3, 3), lambda v: v).rmatvec(xp.asarray(x))
    for bad in (
        lambda: A @ 2,
        lambda: 2 @ A,
        lambda: A @ xp.ones(4),
        lambda: xp.ones(4) @ A,
        lambda: A.matmat(xp.ones(3)),
        lambda: A.matmat(xp.ones((4, 2))),
        lambda: xp.ones((2, 2)) @ A,
        lambda: A / xp.ones(2),
    ):
        with pytest.raises(ValueError, match="scalars|shape"):
            bad()
    for bad in (lambda: A ** -1, lambda: ours.aslinearoperator(xp.ones((2, 3))) ** 2, lambda: A + ours.aslinearoperator(xp.eye(2))):
        with pytest.raises(ValueError, match="exponent|square|shapes"):
            bad()
    with pytest.raises(ValueError, match="shape"):
        ours.LinearOperator((3,), lambda v: v)
    for name in ("cg", "lsqr", "lsmr", "gmres"):
        with pytest.raises(ValueError, match="one matrix at a time"):
            getattr(ours, name)(ours.aslinearoperator(xp.ones((2, 3, 3))), xp.ones(3))
        with pytest.raises(ValueError, match=r"one matrix at a time|expected 2-D|ndim <= 2"):  # SciPy's words on the host
            getattr(ours, name)(xp.ones((2, 3, 3)), xp.ones(3))


def test_stacks_of_linear_operators():
    rng = np.random.default_rng(2)
    a, b = rng.standard_normal((2, 4, 3)) + 1j * rng.standard_normal((2, 4, 3)), rng.standard_normal((3, 4))
    A, B = ours.aslinearoperator(xp.asarray(a)), ours.aslinearoperator(xp.asarray(b))
    F = ours.LinearOperator(
        (2, 4, 3),
        lambda v: (xp.asarray(a) @ v[..., None])[..., 0],
        rmatvec=lambda v: (xp.asarray(a.conj().mT) @ v[..., None])[..., 0],
        dtype=a.dtype,
    )
    for operator, matrix in (
        (A, a),
        (F, a),
        *(((ours.aslinearoperator(coo_array(xp.asarray(a))), a),) if SCIPY >= (1, 16) else ()),  # older SciPy has matrices only
        (A.H, a.conj().mT),
        (F.H, a.conj().mT),
        (A.T, a.mT),
        (F.T.H, a.conj()),
        (2j * F - A, (2j - 1) * a),
        (A @ B, a @ b),
        ((A @ B).H, (a @ b).conj().mT),
        ((B @ F) ** 2, (b @ a) @ (b @ a)),
        ((A @ B) ** 0, np.broadcast_to(np.eye(4), (2, 4, 4))),
        (A + ours.aslinearoperator(xp.asarray(b.T)), a + b.T),
    ):
        assert (operator.shape, operator.ndim) == (matrix.shape, 3)
        rows, columns = matrix.shape[1:]
        x, y = rng.standard_normal((5, 1, columns)), rng.standard_normal((5, 1, rows))
        X, Y = rng.standard_normal((2, columns, 3)), rng.standard_normal((5, 1, rows, 3))
        for got, expected in (
            (operator.matvec(xp.asarray(x)), np.einsum("aij,bcj->bai", matrix, x)),
            (operator.matvec(xp.asarray(x[0, 0])), matrix @ x[0, 0]),
            (operator.rmatvec(xp.asarray(y)), np.einsum("aij,bci->baj", matrix.conj(), y)),
            (operator @ xp.asarray(X), matrix @ X),
            (operator.rmatmat(xp.asarray(Y)), matrix.conj().mT @ Y),
            (xp.asarray(Y.mT) @ operator, Y.mT @ matrix),
            (operator.matmat(xp.zeros((columns, 0))), np.zeros((2, rows, 0))),
        ):
            assert got.shape == expected.shape
            np.testing.assert_allclose(got._host(), expected, rtol=1e-12, atol=1e-12)
    with pytest.warns(FutureWarning, match="matmat"):
        assert A.matvec(xp.ones((3, 1))).shape == (2, 4, 1)
    with pytest.raises(ValueError, match="in the last axis"):
        A.matvec(xp.ones((5, 3, 1)))


def test_subclasses_of_linear_operators():
    class Doubling(ours.LinearOperator):
        def __init__(self):
            super().__init__(np.float64, (3, 3))

        def _matmat(self, X):
            return 2 * X

        def _adjoint(self):
            return self

    class Tripling(ours.LinearOperator):
        def _matvec(self, x):
            return 3 * x

        def _rmatmat(self, X):
            return 3 * X

    class Nothing(ours.LinearOperator):
        pass

    B = Tripling(np.float64, (3, 3), xp=np)
    assert B.matmat(xp.eye(3)).tolist() == (3 * xp.eye(3)).tolist()
    assert B.rmatvec(xp.ones(3)).tolist() == [3, 3, 3]
    with pytest.warns(RuntimeWarning, match="at least one of _matvec and _matmat"):
        nothing = Nothing(None, (3, 3))
    with pytest.raises(NotImplementedError, match="at least one of _matvec and _matmat"):
        nothing.matmat(xp.eye(3))
    with pytest.raises(TypeError, match="aslinearoperator"):
        B @ csr_array(xp.eye(3))
    eye = ours.aslinearoperator(csr_array(xp.eye(3)))
    assert (csr_array(xp.eye(3)) @ eye).toarray().tolist() == (eye @ csr_array(xp.eye(3))).toarray().tolist() == xp.eye(3).tolist()
    assert ours.LinearOperator((1, 1), lambda v: xp.asarray([128 * v[0]], dtype=np.int8)).dtype == np.int64
    A, x = Doubling(), xp.asarray([1.0, 2.0, 3.0])
    assert (A @ x).tolist() == A.rmatvec(x).tolist() == [2, 4, 6]
    assert A.rmatmat(x.reshape(3, 1)).tolist() == [[2], [4], [6]]
    assert ours.cg(A, x)[0].tolist() == [0.5, 1, 1.5]
