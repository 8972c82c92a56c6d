"""scipy.linalg's equations and factors on a simulated NeuronCore, against SciPy in double precision."""

import warnings

import numpy as np
import pytest
import scipy.linalg

import trnarray as xp
import trnarray.scipy.linalg as ours
from trnarray.backends.neuron.lowering import factored_equations, linear_equations, refinement

U = 2.0**-24
N = 5
RNG = np.random.default_rng(6)
DTYPES = [np.float32, np.complex64]
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
of_recent_scipy = pytest.mark.skipif(SCIPY < (1, 17), reason="older SciPy has no stacks, and other defaults")


@pytest.fixture(autouse=True)
def on_device():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        yield


def arrays(dtype):
    """A matrix of a small condition number, a positive-definite one, and right-hand sides, which float32 holds exactly."""
    drawn = RNG.standard_normal((3, N, N)) + (1j * RNG.standard_normal((3, N, N)) if dtype == np.complex64 else 0)
    a, b = (drawn[0] + 6 * np.eye(N)).astype(dtype), drawn[1, :, :2].astype(dtype)
    half = drawn[2].astype(dtype)
    return a[::-1].copy(), (half @ half.conj().T + 5 * np.eye(N)).astype(dtype), b


def assert_alike(call, *operands, bound=32 * N * U):
    """Compare results: 32 n u covers condition numbers up to 10 in the errors of LAPACK's bounds."""
    wide = [x.astype(np.complex128 if x.dtype.kind == "c" else np.float64) for x in operands]
    found, wanted = call(ours, *map(xp.asarray, operands)), call(scipy.linalg, *wide)
    for mine, theirs in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, wanted)), strict=True):
        if isinstance(mine, xp.Array):
            assert mine.shape == np.shape(theirs)
            np.testing.assert_allclose(np.asarray(mine.to_device("cpu")), theirs, rtol=0, atol=bound * max(1, np.abs(theirs).max()))
        else:
            assert mine == theirs


@of_recent_scipy
@pytest.mark.parametrize("dtype", DTYPES)
def test_solve_and_inv(dtype):
    a, p, b = arrays(dtype)
    for structure in (None, "gen", "upper triangular", "lower triangular"):
        assert_alike(lambda m, x, y, s=structure: m.solve(x, y, assume_a=s), a[::-1], b)
    for structure in ("pos", "sym", "her"):
        for lower in (False, True):
            assert_alike(lambda m, x, y, s=structure, lo=lower: m.solve(x, y, lo, assume_a=s), p, b)
            assert_alike(lambda m, x, s=structure, lo=lower: m.inv(x, assume_a=s, lower=lo), p)
    assert_alike(lambda m, x, y: m.solve(x, y[:, 0]), a, b)
    assert_alike(lambda m, x: m.inv(x), a)
    assert_alike(lambda m, x: m.det(x), a, bound=32 * N * U)
    if dtype == np.float32:
        assert_alike(lambda m, x, y: m.solve(x, y, transposed=True), a, b)


@of_recent_scipy
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("trans", [0, 1, 2, "T"])
def test_triangular(dtype, trans):
    a, _, b = arrays(dtype)
    for lower in (False, True):
        for unit in (False, True):
            triangle = a[::-1] / (8 if unit else 1)
            assert_alike(lambda m, x, y, lo=lower, un=unit: m.solve_triangular(x, y, trans, lo, un), triangle, b)
    stack = np.stack([a[::-1], a[::-1].T])
    assert_alike(lambda m, x, y: m.solve_triangular(x, y, trans), stack, b)


@of_recent_scipy
def test_stacks():
    """Of matrices, of right-hand sides, and of both; one vector belongs to all matrices."""
    a, p, b = arrays(np.float32)
    stack, sides = np.stack([a, a[::-1]]), np.stack([b, 2 * b])
    for x, y in ((stack, b[:, 0]), (stack, sides), (a, sides)):
        assert_alike(lambda m, x, y: m.solve(x, y, assume_a="gen"), x, y)
    assert_alike(lambda m, x: (m.inv(x), m.det(x), *m.lu(x)), stack)
    assert_alike(lambda m, x, y: m.cho_solve((m.cholesky(x), False), y), np.stack([p, 2 * p]), b[:, 0])
    assert_alike(lambda m, x, y: m.lu_solve(m.lu_factor(x), y), a, sides)


@of_recent_scipy
def test_matrices_of_bands():
    """Elements that are assumed to be zero are not read; one equation, too."""
    a, _, b = arrays(np.float32)
    for structure in ("diagonal", "tridiagonal"):
        assert_alike(lambda m, x, y, s=structure: m.solve(x, y, assume_a=s), a + 6 * np.eye(N, dtype=np.float32), b)
    assert_alike(lambda m, x, y: m.solve(x, y, assume_a="banded"), np.tril(a + 6 * np.eye(N, dtype=np.float32), 1), b)
    assert_alike(lambda m, x, y: m.solve(x, y), a[:1, :1], b[:1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_cholesky_factors(dtype):
    _, p, b = arrays(dtype)
    for lower in (False, True):
        assert_alike(lambda m, x, lo=lower: m.cholesky(x, lo), p)
        assert_alike(lambda m, x, y, lo=lower: m.cho_solve(m.cho_factor(x, lo), y), p, b)
        assert_alike(lambda m, x, lo=lower: (np.tril if lo else np.triu)(m.cho_factor(x, lo)[0]), p)


@pytest.mark.parametrize("dtype", DTYPES)
def test_lu_factors(dtype):
    a, _, b = arrays(dtype)
    assert_alike(lambda m, x: m.lu_factor(x), a)
    for trans in (0, 1, 2):
        assert_alike(lambda m, x, y, t=trans: m.lu_solve(m.lu_factor(x), y, t), a, b)
    for parameters in ({}, {"permute_l": True}, {"p_indices": True}):
        assert_alike(lambda m, x, p=parameters: m.lu(x, **p), a)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (34, 2)])
def test_rectangular_lu_factors(shape):
    """Also of a column of zeros, for which there is no pivot; 34 rows are more than lanes take."""
    a = RNG.standard_normal(shape).astype(np.float32)
    assert_alike(lambda m, x: m.lu(x), a)
    if max(shape) == 5:
        assert_alike(lambda m, x: m.lu(x, p_indices=True), a * np.float32([0, *[1] * (shape[1] - 1)]))
        assert_alike(lambda m, x: m.lu_factor(x), a)
        assert_alike(lambda m, x: m.lu(x, permute_l=True), a.astype(float), bound=32 * N * 2.0**-53)


def test_factors_of_rectangular_matrices_of_float64_that_lanes_do_not_take(monkeypatch):
    from trnarray.backends.neuron.lowering import wide_factored_equations

    monkeypatch.setattr(wide_factored_equations, "_factors", lambda *_: None)
    assert_alike(lambda m, x: m.lu(x), RNG.standard_normal((3, 5)), bound=32 * N * 2.0**-53)


def test_factors_of_complex_matrices_that_lanes_do_not_take(monkeypatch):
    """Pivots of a loop of eliminations are LAPACK's, and so is the sign of the determinant."""
    for module in (factored_equations, linear_equations):
        monkeypatch.setattr(module, "MOST_ROWS_IN_LANES", 2)
    monkeypatch.setattr(refinement, "MOST_ROWS_IN_LANES", 2)
    a, _, _ = arrays(np.complex64)
    assert_alike(lambda m, x: m.lu(x), a)
    assert_alike(lambda m, x: m.det(x), a)
    assert complex(xp.linalg.det(xp.asarray(a[:, [0, 1, 1, 3, 4]] * 0))) == 0


@of_recent_scipy
@pytest.mark.parametrize("dtype", [np.float32, np.complex128])
def test_factors_of_stacks_that_lanes_do_not_take(monkeypatch, dtype):
    """Each matrix is factored on its own; the bound is that of single ones."""
    for module in (factored_equations, linear_equations, refinement):
        monkeypatch.setattr(module, "MOST_ROWS_IN_LANES", 2)
    a = RNG.standard_normal((2, 1, 3, 3)) + (1j * RNG.standard_normal((2, 1, 3, 3)) if dtype == np.complex128 else 0)
    a = (a + 2 * np.eye(3)[::-1]).astype(dtype)
    bound = 32 * 3 * float(np.finfo(dtype).eps) / 2
    assert_alike(lambda m, x: tuple(m.lu_factor(x)), a, bound=bound)
    assert_alike(lambda m, x: tuple(m.lu(x, p_indices=True)), a, bound=bound)
    if dtype == np.complex128:
        assert_alike(lambda m, x: m.det(x), a, bound=bound)
        with pytest.raises(xp.FallbackError, match="more than 16 matrices"):
            ours.lu_factor(xp.asarray(np.ones((17, 3, 3), dtype)))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_singular_factors_are_no_error(dtype):
    """SciPy divides by zero, which gives infinities; `solve_triangular` alone tests its operand."""
    a, b = xp.asarray(np.diag(np.asarray([1, 0], dtype))), xp.ones(2, dtype=dtype)
    rows = xp.asarray(np.int32([0, 1]))
    for found in (ours.cho_solve((a, True), b), ours.lu_solve((a, rows), b)):
        assert not np.isfinite(np.asarray(found.to_device("cpu"))[1])
    with pytest.raises(np.linalg.LinAlgError, match="a diagonal element is zero"):
        ours.solve_triangular(a, b).to_device("cpu")


def test_errors_and_warnings_where_a_result_is_needed():
    hilbert = xp.asarray(scipy.linalg.hilbert(9).astype(np.float32))
    for call, error, message in (
        (lambda: ours.solve(xp.asarray([[np.nan, 1], [1, 2]]), xp.ones(2)), ValueError, "infs or NaNs"),
        (lambda: ours.inv(xp.ones((2, 2))), np.linalg.LinAlgError, "singular"),
        (lambda: ours.solve_triangular(xp.zeros((2, 2)), xp.ones(2)), np.linalg.LinAlgError, "diagonal element is zero"),
        (lambda: ours.cholesky(-xp.ones((2, 2))), np.linalg.LinAlgError, "not positive definite"),
        (lambda: ours.solve(hilbert, xp.ones(9)), scipy.linalg.LinAlgWarning, "ill-conditioned"),
        (lambda: ours.lu_factor(xp.ones((2, 2)))[0], scipy.linalg.LinAlgWarning, "pivot is exactly zero"),
    ):
        result = call()
        with pytest.raises(error, match=message):
            result.to_device("cpu")
    x = ours.solve(hilbert, xp.ones(9))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert np.isfinite(np.asarray(x.to_device("cpu"))).all()
    assert [(one.category, one.filename) for one in caught] == [(scipy.linalg.LinAlgWarning, __file__)]
    nan = ours.solve(xp.asarray([[np.nan, 1], [1, 2]]), xp.ones(2), check_finite=False)
    assert np.isnan(np.asarray(nan.to_device("cpu"))).all()


@pytest.mark.parametrize("place", [(0, 2), (1, 1), (2, 0)])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_matrices_that_are_not_finite(place, value):
    """Whichever column that is in."""
    a = np.eye(3, dtype=np.float32)
    a[place] = value
    for call in (lambda x: ours.solve(x, xp.ones(3)), lambda x: ours.lu(x)[-1], ours.cholesky, ours.hessenberg):
        with pytest.raises(ValueError, match="infs or NaNs"):
            call(xp.asarray(a)).to_device("cpu")


def test_large_matrices():
    """By rows on partitions."""
    half = RNG.standard_normal((70, 70)).astype(np.float32)
    p, b = half @ half.T / 70 + 2 * np.eye(70, dtype=np.float32), half[:, :2].copy()
    for lower in (False, True):
        assert_alike(lambda m, x, lo=lower: m.cholesky(x, lo), p)
        assert_alike(lambda m, x, y, lo=lower: m.cho_solve(m.cho_factor(x, lo), y), p, b)
    assert_alike(lambda m, x, y: m.solve_triangular(x, y, 1, True), p, b)
    assert_alike(lambda m, x, y: m.solve(x, y, assume_a="pos"), p, b)


@pytest.mark.parametrize("order", [5, 66])
def test_factors_of_matrices_that_lanes_do_not_take(monkeypatch, order):
    """LAPACK's pivots of a normal matrix, and the forms that are made of them; small matrices stand for large ones."""
    monkeypatch.setattr(factored_equations, "MOST_ROWS_IN_LANES", 4)
    a = np.random.default_rng(order).standard_normal((order, order)).astype(np.float32)
    x, wide = xp.asarray(a), a.astype(float)
    (found, rows), (factors, known) = ours.lu_factor(x), scipy.linalg.lu_factor(wide)
    np.testing.assert_array_equal(np.asarray(rows.to_device("cpu")), known)
    bound = 4 * order * 2.0**-24 * np.linalg.cond(wide)
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), factors, rtol=0, atol=bound)
    for options in ({}, {"permute_l": True}, {"p_indices": True}) if order < 10 else ():
        for one, other in zip(ours.lu(x, **options), scipy.linalg.lu(wide, **options), strict=True):
            np.testing.assert_allclose(np.asarray(one.to_device("cpu")), other, rtol=0, atol=bound)
    b = np.arange(2.0 * order).astype(np.float32).reshape(order, 2)
    for trans in (0, 1):
        solution = ours.lu_solve((found, rows), xp.asarray(b), trans=trans)
        wanted = scipy.linalg.lu_solve((factors, known), b.astype(float), trans=trans)
        np.testing.assert_allclose(np.asarray(solution.to_device("cpu")), wanted, rtol=0, atol=bound * np.abs(wanted).max())


def test_large_complex_triangles():
    """As real ones of twice as many rows: residuals of 8 n u, as of real ones. What is not read is arbitrary."""
    order, rng = 66, np.random.default_rng(5)

    def draw(*shape):
        return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)

    a, b = draw(order, order), draw(order, 2)
    whole = (a @ a.conj().T / order + np.eye(order)).astype(np.complex64)
    given = np.where(np.tri(order, k=-1), whole, draw(order, order)).astype(np.complex64)
    np.fill_diagonal(given, np.diag(whole) + 1j)
    sides, bound = b.astype(np.complex64), 8 * order * 2.0**-24
    for upper in (False, True):
        factor = np.asarray(xp.linalg.cholesky(xp.asarray(given.conj().T if upper else given), upper=upper).to_device("cpu"))
        lower = (factor.conj().T if upper else factor).astype(complex)
        assert not np.diag(factor).imag.any()
        assert np.array_equal(factor, np.triu(factor) if upper else np.tril(factor))
        assert np.abs(lower @ lower.conj().T - whole).max() <= bound * np.abs(whole).max()
        found = np.asarray(ours.cho_solve((xp.asarray(factor), not upper), xp.asarray(sides)).to_device("cpu"))
        assert np.abs(whole.astype(complex) @ found - sides).max() <= bound * (np.abs(whole).sum(-1).max() * np.abs(found).max())
    triangle = np.triu(draw(order, order) / 8 + (1 + 1j) * np.eye(order)).astype(np.complex64)
    for trans, lower, unit in (("N", False, False), ("T", True, False), ("C", False, True)):
        matrix = triangle.T if lower else triangle
        found = ours.solve_triangular(xp.asarray(matrix), xp.asarray(sides[:, 0]), trans=trans, lower=lower, unit_diagonal=unit)
        wanted = scipy.linalg.solve_triangular(matrix.astype(complex), sides[:, 0], trans=trans, lower=lower, unit_diagonal=unit)
        assert np.abs(np.asarray(found.to_device("cpu")) - wanted).max() <= bound * np.abs(wanted).max()
    triangle[5, 5] = 0
    with pytest.raises(np.linalg.LinAlgError, match="diagonal element is zero"):
        np.asarray(ours.solve_triangular(xp.asarray(triangle), xp.asarray(sides)).to_device("cpu"))
