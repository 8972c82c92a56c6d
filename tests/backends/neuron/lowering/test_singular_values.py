"""Eigenvalues, singular values and orthogonal factors on a simulated NeuronCore, against NumPy and SciPy in double precision."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
import trnarray.scipy.linalg as ours

U = 2.0**-24
RNG = np.random.default_rng(7)


@pytest.fixture(autouse=True)
def on_device():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        yield


def fetched(result):
    return np.asarray(result.to_device("cpu")).astype(float)


def near(found, wanted, bound):
    found = fetched(found)
    assert found.shape == np.shape(wanted)
    assert np.abs(found - wanted).max(initial=0) <= bound


def adjoint(a):
    return np.swapaxes(a, -1, -2)


@pytest.mark.parametrize(("shape", "whole"), [((4, 2), True), ((2, 2, 3), False), ((1, 1), True), ((3, 3), False)])
def test_factors(shape, whole):
    """Factors are not unique: residuals 8 n u and orthogonality 5 n u are compared, and values."""
    *stack, rows, columns = shape
    a = RNG.standard_normal(shape).astype(np.float32)
    x, wide, least = xp.asarray(a), a.astype(float), min(rows, columns)
    bound = 8 * max(rows, columns) * U
    mode = "complete" if whole else "reduced"
    for found, wanted in zip(xp.linalg.qr(x, mode), np.linalg.qr(wide, mode), strict=True):
        near(found, wanted, 64 * bound * np.linalg.cond(wide).max())
    q, r = map(fetched, xp.linalg.qr(x, mode))
    assert np.abs(q @ r - a).max() <= bound * 8
    near(xp.linalg.qr(x, "r"), np.linalg.qr(wide, "r"), 64 * bound * np.linalg.cond(wide).max())
    u, s, vh = map(fetched, xp.linalg.svd(x, full_matrices=whole))
    values = np.linalg.svd(wide, compute_uv=False)
    assert (u.shape, vh.shape) == tuple(one.shape for one in np.linalg.svd(wide, full_matrices=whole)[::2])
    for vectors in (u, adjoint(vh)):
        assert np.abs(adjoint(vectors) @ vectors - np.eye(vectors.shape[-1])).max() <= bound
    assert np.abs((u[..., :least] * s[..., np.newaxis, :]) @ vh[..., :least, :] - a).max() <= bound * values.max()
    for found in (s, xp.linalg.svdvals(x)):
        near(found if isinstance(found, xp.Array) else xp.asarray(found.astype(np.float32)), values, bound * values.max())
    for order, of in ((2, np.max), (-2, np.min), ("nuc", np.sum)):
        near(xp.linalg.matrix_norm(x, ord=order, keepdims=whole), of(values, axis=-1, keepdims=False).reshape(
            (*stack, 1, 1) if whole else stack), bound * 4 * values.max())  # fmt: skip
    near(xp.linalg.pinv(x), np.linalg.pinv(wide, rtol=6 * 2 * U), 4 * bound * np.linalg.cond(wide).max() / values.min())
    assert (fetched(xp.linalg.matrix_rank(x)) == least).all()


@pytest.mark.parametrize("columns", [np.zeros(5), 1e-7 * RNG.standard_normal(5), RNG.standard_normal(5)])
def test_factors_of_a_matrix_of_rank_1(columns):
    """What reflections leave of it is rounding, beneath what counts as zero, and not a column to reflect: Q is orthogonal to 5 n u."""
    a = np.outer(np.ones(6), np.r_[1.0, columns]).astype(np.float32)
    q, r = map(fetched, xp.linalg.qr(xp.asarray(a)))
    assert np.abs(q.T @ q - np.eye(6)).max() <= 30 * U
    assert np.abs(q @ r - a).max() <= 48 * U * np.abs(a).max()


@given(st.sampled_from([(), (3,)]), st.integers(0, 6), st.sampled_from(["L", "U"]))
@settings(max_examples=8, deadline=None)
def test_symmetric_matrices(stack, order, uplo):
    a = RNG.standard_normal((*stack, order, order)).astype(np.float32)
    x, bound = xp.asarray(a), 8 * order * U
    wanted = np.linalg.eigvalsh(a.astype(float), uplo)
    values, vectors = xp.linalg.eigh(x, uplo)
    near(values, wanted, bound * 4)
    near(xp.linalg.eigvalsh(x, uplo), wanted, bound * 4)
    wide = fetched(vectors)
    part = np.tril(a, -1) if uplo == "L" else np.triu(a, 1)
    whole = part + adjoint(part) + a * np.eye(order)
    assert np.abs(whole @ wide - wide * fetched(values)[..., np.newaxis, :]).max(initial=0) <= bound * 8


@pytest.mark.parametrize("kind", [1, 2, 3])
@pytest.mark.parametrize("lower", [True, False])
def test_scipy_eigh(kind, lower):
    a, half = RNG.standard_normal((2, 5, 5)).astype(np.float32)
    b = half @ half.T + 5 * np.eye(5, dtype=np.float32)
    wide = a.astype(float), b.astype(float)
    values, vectors = ours.eigh(xp.asarray(a), xp.asarray(b), type=kind, lower=lower)
    wanted, columns = scipy.linalg.eigh(*wide, type=kind, lower=lower)
    near(values, wanted, 256 * U * np.abs(wanted).max())
    np.testing.assert_allclose(np.abs(fetched(vectors)), np.abs(columns), rtol=0, atol=2048 * U * np.abs(columns).max())
    near(ours.eigvalsh(xp.asarray(a), lower=lower, subset_by_index=[1, 3]), scipy.linalg.eigvalsh(wide[0], lower=lower)[1:4], 64 * U * 8)


@pytest.mark.parametrize("interval", [(-1.0, 2.5), (1.0, 2.0), (50.0, 60.0)])
def test_eigenvalues_in_an_interval(interval):
    """It is open below."""
    a = np.diag(np.float32([2.5, -1.0, 2.0, 1.0]))
    values, vectors = ours.eigh(xp.asarray(a), subset_by_value=interval)
    wanted, columns = scipy.linalg.eigh(a, subset_by_value=interval)
    near(values, wanted, 0)
    near(abs(vectors), np.abs(columns), 0)
    near(ours.eigvalsh(xp.asarray(a), subset_by_value=interval), wanted, 0)


@pytest.mark.parametrize("shape", [(6, 3), (4, 4), (3, 6)])
@pytest.mark.parametrize("sides", [(), (2,)])
def test_least_squares(shape, sides):
    a, b = RNG.standard_normal(shape).astype(np.float32), RNG.standard_normal((shape[0], *sides)).astype(np.float32)
    a[:, :3] += 2 * np.eye(shape[0], 3, dtype=np.float32)
    for deficient in (False, True):
        if deficient:
            a[:, -1] = a[:, 0]
        wanted = np.linalg.lstsq(a.astype(float), b.astype(float), rcond=1e-5)
        found = xp.linalg.lstsq(xp.asarray(a), xp.asarray(b), rcond=1e-5)
        assert int(found[2]) == wanted[2]
        for one, other in zip(found, wanted, strict=True):
            near(one, other, 4096 * U * max(1, np.abs(other).max(initial=0)))
    one = xp.linalg.lstsq(xp.asarray(a), xp.asarray(b))
    np.testing.assert_allclose(fetched(one[0]), np.linalg.lstsq(a.astype(float), b, rcond=1e-6)[0], rtol=0, atol=4096 * U)


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.float64])
@pytest.mark.parametrize("sides", [(), (2,)])
def test_least_squares_by_gelsy(dtype, sides):
    """It gives neither residuals nor singular values; 64 n u of the solution covers a condition number of 10."""
    rng = np.random.default_rng(4)
    a, b = rng.standard_normal((5, 3)).astype(dtype), rng.standard_normal((5, *sides)).astype(dtype)
    a[:, 2] = a[:, 0] + a[:, 1]
    x, squares, rank, values = ours.lstsq(xp.asarray(a), xp.asarray(b), cond=1e-5, lapack_driver="gelsy")
    wanted = scipy.linalg.lstsq(a.astype(complex), b.astype(complex), cond=1e-5, lapack_driver="gelsy")
    assert values is wanted[3] is None
    assert (int(rank), squares.shape, x.dtype, squares.dtype) == (2, (0,), dtype, dtype)
    atol = 320 * float(np.finfo(dtype).eps) / 2 * np.abs(wanted[0]).max()
    np.testing.assert_allclose(np.asarray(x.to_device("cpu")), wanted[0], rtol=0, atol=atol)



def test_scipy_factors():
    a = RNG.standard_normal((5, 3)).astype(np.float32)
    x, wide = xp.asarray(a), a.astype(float)
    for mode in ("full", "economic", "r"):
        for found, wanted in zip(ours.qr(x, mode=mode), scipy.linalg.qr(wide, mode=mode), strict=True):
            near(found, wanted, 256 * U)
    near(ours.svdvals(x), scipy.linalg.svdvals(wide), 64 * U)
    for found, wanted in zip(ours.rq(x[:3]), scipy.linalg.rq(wide[:3]), strict=True):
        near(found, wanted, 256 * U * np.linalg.cond(wide[:3]))
    near(ours.rq(x[:3], mode="r"), scipy.linalg.rq(wide[:3], mode="r"), 256 * U)
    assert ours.svd(x)[0].shape == (5, 5)
    near(xp.linalg.cond(x), np.linalg.cond(wide), 256 * U * np.linalg.cond(wide) ** 2)


def test_values_that_are_zero():
    """Left singular vectors are orthogonal, too, where there are no values to tell them."""
    u, s, _ = map(fetched, xp.linalg.svd(xp.asarray([[1.0, 1.0], [1.0, 1.0], [0.0, 0.0]])))
    assert np.abs(u.T @ u - np.eye(3)).max() <= 24 * U
    np.testing.assert_allclose(s, [2, 0], rtol=0, atol=8 * U)
    assert fetched(xp.linalg.pinv(xp.zeros((3, 2)))).tolist() == [[0, 0, 0]] * 2
    with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
        fetched(xp.linalg.eigvalsh(xp.asarray([[np.nan, 1.0], [1.0, 0.0]])))


# In lanes, and over partitions.
@pytest.mark.parametrize(("p", "order"), [*((p, 3) for p in ("nuc", 1, -1, np.inf, -np.inf, "fro")), (1, 40)])
def test_condition_numbers_of_singular_matrices(p, order):
    a = np.stack([np.eye(order), np.ones((order, order)), np.diag(np.arange(1.0, order + 1))]).astype(np.float32)
    with np.errstate(all="ignore"):
        wanted = np.linalg.cond(a.astype(float), p)
        assert np.linalg.cond(np.ones((3, 3)), p) == np.inf
    wanted[1] = np.inf  # of 40 rows double precision leaves a pivot of rounding
    found = fetched(xp.linalg.cond(xp.asarray(a), p))
    # a diagonal is inverted with one rounding for each element, of which norms sum at most 40 squares
    np.testing.assert_allclose(found, wanted, rtol=64 * U)
    a[1, 0, 0] = np.nan
    assert np.isnan(fetched(xp.linalg.cond(xp.asarray(a), p))).tolist() == [False, True, False]


@pytest.mark.parametrize("p", [None, 2, -2, 1])
def test_condition_numbers_of_zeros(p):
    with np.errstate(all="ignore"):
        wanted = np.linalg.cond(np.zeros((2, 2)), p)
    assert float(xp.linalg.cond(xp.zeros((2, 2), dtype=xp.float32), p)) == wanted == np.inf


@pytest.mark.parametrize("dtype", [xp.bfloat16, xp.float16, xp.float8_e4m3])
@pytest.mark.parametrize("name", ["inv", "cholesky", "det", "eigvalsh", "svdvals", "pinv"])
def test_low_precision_is_computed_in_float32(name, dtype):
    a = np.asarray([[4.0, 1.0], [1.0, 2.0]])
    found = getattr(xp.linalg, name)(xp.asarray(a, dtype=dtype))
    assert found.dtype == dtype
    wanted = getattr(np.linalg, name)(a)
    # one rounding to 4, 8 or 11 bits, of results below 8, and of small ones to the least subnormal
    np.testing.assert_allclose(fetched(found.astype(xp.float32)), wanted, rtol=float(xp.finfo(dtype).eps) / 2 + 64 * U, atol=2.0**-10)


def test_tall_matrices():
    """Rows on partitions."""
    a = RNG.standard_normal((400, 5)).astype(np.float32)
    b, wide = RNG.standard_normal(400).astype(np.float32), a.astype(float)
    q, r = map(fetched, xp.linalg.qr(xp.asarray(a)))
    assert np.abs(q @ r - a).max() <= 5 * 4 * U * np.abs(a).max()
    assert np.abs(q.T @ q - np.eye(5)).max() <= 5 * 4 * U
    for found, wanted in zip(xp.linalg.lstsq(xp.asarray(a), xp.asarray(b)), np.linalg.lstsq(wide, b.astype(float)), strict=True):
        near(found, wanted, 64 * U * np.abs(wanted).max())


@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
def test_scipy_functions_of_singular_values(shape):
    a = RNG.standard_normal(shape).astype(np.float32)
    b = RNG.standard_normal((shape[0], 2)).astype(np.float32)
    x, wide, bound = xp.asarray(a), a.astype(float), 256 * U * np.linalg.cond(a)
    near(ours.pinv(x), scipy.linalg.pinv(wide), bound)
    inverse, rank = ours.pinv(x, atol=100.0, return_rank=True)
    assert (int(rank), fetched(inverse).any()) == (0, False)
    for sides in (b, b[:, 0]):
        for found, wanted in zip(ours.lstsq(x, xp.asarray(sides)), scipy.linalg.lstsq(wide, sides.astype(float)), strict=True):
            near(found, wanted, bound * max(1, np.abs(wanted).max(initial=0)))
    for side in ("left", "right"):
        for found, wanted in zip(ours.polar(x, side), scipy.linalg.polar(wide, side), strict=True):
            near(found, wanted, bound * 4)
    for order in (None, "fro", 1, np.inf, 2, "nuc"):
        near(ours.norm(x, order), scipy.linalg.norm(wide, order), 64 * U * 10)
    near(ours.norm(x, axis=0, keepdims=True), scipy.linalg.norm(wide, axis=0, keepdims=True), 64 * U * 10)
    with pytest.raises(ValueError, match="infs or NaNs"):
        ours.norm(xp.asarray([[np.nan]])).to_device("cpu")


def test_defaults_of_numpy():
    """Ranks are int64."""
    x = xp.asarray([[1.0, 2.0], [2.0, 4.0], [0.0, 1.0]], dtype=xp.float32)
    with xp.config(defaults="numpy", fallback="allow"):
        assert xp.linalg.matrix_rank(x).dtype == xp.int64
        assert ours.pinv(x, return_rank=True)[1].dtype == xp.int64
        assert ours.lstsq(x, xp.ones(3, dtype=xp.float32))[2].dtype == xp.int64


@pytest.mark.parametrize("size", [1.0, 1e20])
def test_matrices_that_lie_over_partitions(size):
    """Of more than 32 rows; squares of elements are beyond float32 in one of them."""
    a = (RNG.standard_normal((36, 34)) * size).astype(np.float32)
    wide, limit = a.astype(float), 5 * 34 * U * np.linalg.norm(a.astype(float), 2)
    u, s, vh = map(fetched, xp.linalg.svd(xp.asarray(a), full_matrices=False))
    near(xp.linalg.svdvals(xp.asarray(a)), np.linalg.svdvals(wide), limit)
    assert np.abs((u * s) @ vh - wide).max() <= 2 * limit
    assert np.abs(u.T @ u - np.eye(34)).max() <= 5 * 34 * U
    square = (a[:34] + a[:34].T).astype(np.float32)
    limit = 5 * 34 * U * np.linalg.norm(square.astype(float), 2)
    values, vectors = map(fetched, ours.eigh(xp.asarray(np.triu(square)), lower=False))
    assert np.abs(values - np.linalg.eigvalsh(square.astype(float))).max() <= limit
    assert np.abs(square @ vectors - vectors * values).max() <= 2 * limit
    assert np.abs(vectors.T @ vectors - np.eye(34)).max() <= 5 * 34 * U


@pytest.mark.parametrize("shape", [(4, 4), (5, 2), (2, 2, 3), (1, 1)])
def test_complex_matrices(shape):
    """Residuals and orthogonality of 8 n u, and the functions that are made of factors, by their condition numbers."""
    a = (RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)).astype(np.complex64)
    x, wide, rows, least = xp.asarray(a), a.astype(complex), shape[-2], min(shape[-2:])
    bound, values, condition = 8 * max(shape) * U, np.linalg.svdvals(wide), np.linalg.cond(wide).max()

    def complexes(*found):
        return [np.asarray(one.to_device("cpu")).astype(complex) for one in found]

    u, s, vh = complexes(*xp.linalg.svd(x, full_matrices=False))
    assert np.abs((u * s[..., None, :]) @ vh - a).max() <= bound * values.max()
    q, r = complexes(*xp.linalg.qr(x))
    for vectors in (u, adjoint(vh).conj(), q):
        assert np.abs(adjoint(vectors).conj() @ vectors - np.eye(vectors.shape[-1])).max() <= bound
    near(xp.linalg.svdvals(x), values, bound * values.max())
    np.testing.assert_allclose(r, np.linalg.qr(wide)[1], rtol=0, atol=16 * bound * condition)
    (inverse,) = complexes(xp.linalg.pinv(x))
    np.testing.assert_allclose(inverse, np.linalg.pinv(wide), rtol=0, atol=4 * bound * condition / values.min())
    assert (fetched(xp.linalg.matrix_rank(x)) == least).all()
    if shape[-1] == rows:
        values, vectors = complexes(*xp.linalg.eigh(x, "U"))
        whole = np.triu(wide, 1) + np.triu(wide, 1).conj().T + np.diag(wide.diagonal().real)
        np.testing.assert_allclose(values, np.linalg.eigvalsh(whole), rtol=0, atol=bound * np.linalg.norm(whole, 2))
        assert np.abs(whole @ vectors - vectors * values).max() <= bound * np.linalg.norm(whole, np.inf)
    if len(shape) == 2:
        b = np.ones(rows, np.float32)
        wanted = np.linalg.lstsq(wide, b, rcond=None)
        for found, known in zip(xp.linalg.lstsq(x, xp.asarray(b)), wanted, strict=True):
            np.testing.assert_allclose(*complexes(found), known, rtol=0, atol=4 * bound * condition**2)


def test_complex_generalized_problems():
    a, half = (RNG.standard_normal((3, 3)) + 1j * RNG.standard_normal((3, 3)) for _ in range(2))
    b = half @ half.conj().T + 5 * np.eye(3)
    values, vectors = ours.eigh(xp.asarray(a, dtype=xp.complex64), xp.asarray(b, dtype=xp.complex64))
    near(values, scipy.linalg.eigh(a, b)[0], 256 * U)
    columns = np.asarray(vectors.to_device("cpu")).astype(complex)
    assert np.abs(columns.conj().T @ b @ columns - np.eye(3)).max() <= 256 * U


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64"])
def test_condition_numbers_of_what_has_no_inverse(dtype):
    """NaN of NaN, else infinity, as NumPy has it; that of the singular matrix is one over a rounding, at least."""
    a = np.random.default_rng(2).standard_normal((4, 2, 2)).astype(dtype)
    a[1, 0, 1], a[2, 1, 1], a[3] = np.nan, np.inf, [[1, 2], [2, 4]]
    old = np.lib.NumpyVersion(np.__version__) < "2.3.0"
    for p in {"float32": (None, -2, 1), "float64": (1,), "complex64": (None,) if old else (-2, 1)}[dtype]:
        with xp.config(defaults="numpy"):
            found = fetched(xp.linalg.cond(xp.asarray(a), p))
        wanted = np.linalg.cond(a.astype(np.result_type(dtype, float)), p)
        np.testing.assert_allclose(found[:3], wanted[:3], rtol=1e-5)
        assert min(found[3], 1e6) == pytest.approx(min(wanted[3], 1e6), abs=1e-6)


def test_stacks_of_large_complex_matrices_are_refused_in_words():
    a = xp.zeros((2, 66, 66), dtype=xp.complex64)
    for function in (xp.linalg.qr, xp.linalg.svd):
        with pytest.raises(xp.FallbackError, match="more than 4096 elements"):
            function(a)
