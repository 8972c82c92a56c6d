"""Linear equations, inverses and determinants on a simulated NeuronCore, against NumPy in double precision."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.linalg import LinAlgError

import trnarray as xp
import trnarray.scipy.linalg as scipy_linalg

DEVICE = "sim:trn2"
U = 2.0**-24
RNG = np.random.default_rng(5)


@pytest.fixture(autouse=True)
def on_device():
    with xp.config(fallback="error"), xp.default_device(DEVICE):
        yield


def fetched(result):
    return np.asarray(result.to_device("cpu"))


def graded(shape, dtype, rng=RNG):
    """Matrices with a dominant diagonal, so that errors of a few u are seen as such."""
    a = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        a = a + 1j * rng.standard_normal(shape)
    return (a + 2 * shape[-1] * np.eye(shape[-1])).astype(dtype)


def assert_near(found, wanted, order):
    """The matrices have condition numbers of a few units: 16 n u."""
    found = fetched(found)
    assert found.shape == wanted.shape
    assert found.dtype == (np.complex64 if wanted.dtype.kind == "c" else np.float32)
    assert np.abs(found - wanted).max(initial=0) <= 16 * order * U * np.abs(wanted).max(initial=1)


STACKS = st.sampled_from([(), (1,), (2,), (3, 1), (0,), (2, 0)])


@given(STACKS, STACKS, st.integers(0, 6), st.integers(0, 3), st.sampled_from([np.float32, np.complex64]))
@settings(max_examples=25, deadline=None)
def test_numpy_functions(stack, other, order, sides, dtype):
    a, b = graded((*stack, order, order), dtype), RNG.standard_normal((*other, order, sides)).astype(np.float32)
    x, wide = xp.asarray(a), a.astype(np.complex128 if np.dtype(dtype).kind == "c" else np.float64)
    try:
        wanted = np.linalg.solve(wide, b)
    except ValueError:  # stacks that do not broadcast
        with pytest.raises(ValueError, match="broadcast"):
            xp.linalg.solve(x, xp.asarray(b))
    else:
        assert_near(xp.linalg.solve(x, xp.asarray(b)), wanted, order)
    assert_near(xp.linalg.inv(x), np.linalg.inv(wide), order)
    assert_near(xp.linalg.matrix_power(x, -2), np.linalg.matrix_power(wide, -2), order)
    assert_near(xp.linalg.det(x), np.linalg.det(wide), order)
    for found, want in zip(xp.linalg.slogdet(x), np.linalg.slogdet(wide), strict=True):
        assert_near(found, want, order)
    adjoint = np.conj(np.swapaxes(wide, -1, -2))
    definite = (wide @ adjoint).astype(dtype)
    for upper in (False, True):
        factor = xp.linalg.cholesky(xp.asarray(definite), upper=upper)
        assert_near(factor, np.linalg.cholesky(definite.astype(wide.dtype), upper=upper), order)


def test_operands():
    """Views, vectors, integers and sequences."""
    a = graded((2, 5, 5), np.float32)
    x = xp.asarray(a)
    assert_near(xp.linalg.solve(x.mT[::-1], x[0, 0]), np.linalg.solve(np.swapaxes(a, 1, 2)[::-1].astype(float), a[0, 0]), 5)
    assert_near(xp.linalg.inv(xp.asarray([[2, 1], [1, 3]])), np.linalg.inv([[2.0, 1], [1, 3]]), 2)
    assert_near(xp.linalg.solve([[2, 1], [1, 3]], x[0, :2]), np.linalg.solve([[2.0, 1], [1, 3]], a[0, :2]), 2)
    four = graded((6, 6), np.float32).reshape(2, 3, 6)
    assert_near(xp.linalg.tensorsolve(xp.asarray(four), x[0, :2, :3]), np.linalg.tensorsolve(four.astype(float), a[0, :2, :3]), 6)
    assert_near(xp.linalg.tensorinv(xp.asarray(four)), np.linalg.tensorinv(four.astype(float)), 6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cholesky_factors_of_nan(dtype):
    """No error of NumPy's: they spread over what depends on them. One that comes after a pivot that is not positive is one."""
    a = np.asarray([[4, 9, 9], [2, np.nan, 9], [2, 1, 4]], dtype)
    np.testing.assert_array_equal(fetched(xp.linalg.cholesky(xp.asarray(a))), np.asarray([[2, 0, 0], [1, np.nan, 0], [1, np.nan, np.nan]]))
    with pytest.raises(LinAlgError, match="not positive definite"):
        fetched(xp.linalg.cholesky(xp.asarray(a * np.asarray(-1, dtype))))


def test_cholesky_factors_of_nan_in_blocks():
    """Blocks of 32 rows have them as a whole."""
    a = np.eye(34, dtype=np.float32)
    a[33, 0] = np.nan
    np.testing.assert_array_equal(np.isnan(np.diag(fetched(xp.linalg.cholesky(xp.asarray(a))))), np.arange(34) >= 32)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: xp.linalg.solve(x, xp.ones((3, 1))), r"Singular matrix, at index \(1, 0\) of the stack"),
        (xp.linalg.inv, r"Singular matrix, at index \(1, 0\)"),
        (lambda x: xp.linalg.cholesky(x - 2 * xp.eye(3)), r"Matrix is not positive definite, at index \(0, 0\)"),
        (lambda x: xp.linalg.inv(x[1, 1]), r"Singular matrix \(in the call at "),
    ],
)
def test_singular_matrices_raise_where_a_result_is_needed(call, message):
    a = np.stack([np.eye(3)] * 4).reshape(2, 2, 3, 3).astype(np.float32)
    a[1] = 1
    x = xp.asarray(a)
    other = x + 1
    found = call(x) + 1
    with pytest.raises(LinAlgError, match=message):
        fetched(found)
    np.testing.assert_array_equal(fetched(other), a + 1)
    assert fetched(xp.linalg.det(x)).tolist() == [[1, 1], [0, 0]]
    sign, logarithm = xp.linalg.slogdet(x)
    assert (fetched(sign)[1] == 0).all()
    assert (fetched(logarithm)[1] == -np.inf).all()


def test_errors_at_the_call():
    x = xp.ones((2, 3, 4))
    for call in (xp.linalg.inv, xp.linalg.det, xp.linalg.slogdet, xp.linalg.cholesky, lambda y: xp.linalg.solve(y, x)):
        with pytest.raises(LinAlgError):
            call(x)
        with pytest.raises(LinAlgError):
            call(x[0, 0])
    with pytest.raises(ValueError, match="do not fit"):
        xp.linalg.solve(x[0, :, :3], x[0, :2])


@pytest.mark.parametrize(("order", "sides", "dtype"), [(3, 300, np.float32), (7, 1500, np.float32), (2, 200, np.complex64)])
def test_many_right_hand_sides(order, sides, dtype):
    """Lanes share them."""
    a, b = graded((order, order), dtype), RNG.standard_normal((order, sides)).astype(np.float32)
    wide = a.astype(np.complex128 if dtype == np.complex64 else np.float64)
    assert_near(xp.linalg.solve(xp.asarray(a), xp.asarray(b)), np.linalg.solve(wide, b), order)
    if order == 7:
        a[2] = 0
        with pytest.raises(LinAlgError, match="Singular"):
            fetched(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
        triangle = np.triu(a) + np.eye(order, dtype=np.float32) * 9
        x = fetched(scipy_linalg.solve_triangular(xp.asarray(triangle), xp.ones((order, 2000))))
        np.testing.assert_allclose(triangle.astype(float) @ x, 1, rtol=0, atol=order * U * np.abs(triangle).sum(1).max() * np.abs(x).max())


def test_large_complex_matrices():
    a = graded((65, 65), np.complex64)
    wide, x = a.astype(complex), xp.asarray(a)
    assert_near(xp.linalg.solve(x, x[:, 0]), np.linalg.solve(wide, wide[:, 0]), 65)


@pytest.mark.parametrize("ord", [3, 0, "nan", 2.5])
def test_orders_that_are_none(ord):
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="Invalid norm order|the norm of a matrix has"):
        fetched(xp.linalg.matrix_norm(xp.eye(2), ord=ord))


def test_large_matrices():
    """By rows on partitions: condition numbers of the matrices are a few units."""
    a = graded((70, 70), np.float32)
    wide, x = a.astype(float), xp.asarray(a)
    found = xp.linalg.solve(x, x[:, :2] + 1), *xp.linalg.slogdet(x / 128)
    wanted = np.linalg.solve(wide, wide[:, :2] + 1), *np.linalg.slogdet(wide / 128)
    for one, other in zip(found, wanted, strict=True):
        assert_near(one, other, 70)
    zero = xp.asarray(np.where(np.arange(70) == 3, 0, a))
    with pytest.raises(LinAlgError, match="Singular"):
        fetched(xp.linalg.solve(zero, x[:, :2] + 1))


def test_loops():
    """Factorizations in the body of a loop, and what they find singular there."""
    a, b = graded((2, 4, 4), np.float32), RNG.standard_normal((2, 4, 1)).astype(np.float32)
    x, wanted = xp.asarray(a), b.astype(float)
    found = xp.fori_loop(0, 3, lambda i, y: xp.linalg.solve(x, y), xp.asarray(b))
    for _ in range(3):
        wanted = np.linalg.solve(a.astype(float), wanted)
    assert_near(found, wanted, 4)
    found = xp.fori_loop(0, 3, lambda i, y: xp.linalg.solve(x * (i < 2), y), xp.asarray(b))
    with pytest.raises(LinAlgError, match="Singular matrix"):
        fetched(found)


def test_one_launch():
    """Steps of a filter, whose systems depend on each other, are one program."""
    p, h = xp.eye(4), xp.asarray(RNG.standard_normal((2, 4)).astype(np.float32))
    wide, across = np.eye(4), fetched(h).astype(float)
    for _ in range(3):
        gain = xp.linalg.solve(h @ p @ h.T + 0.1 * xp.eye(2), h @ p).T
        p = (xp.eye(4) - gain @ h) @ p + 0.1 * xp.eye(4)
        wide = (np.eye(4) - np.linalg.solve(across @ wide @ across.T + 0.1 * np.eye(2), across @ wide).T @ across) @ wide + 0.1 * np.eye(4)
    assert len(xp.explain(p).steps) == 1
    assert_near(p, wide, 16)
