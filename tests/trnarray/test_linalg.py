"""Linear algebra against its definitions: exact rational arithmetic, defining equations, explicit loops; NumPy's names and signatures.

Tolerances are multiples of the unit roundoff u of the computing dtype. LAPACK's backward errors are bounded by a modest polynomial
in n (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, chapters 9, 18, 19); for n <= 6, 64 u times the norms is
loose by a factor of about ten, and an algorithm that loses half the digits still fails it.
"""

import inspect
import itertools
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray import linear_algebra_functions
from trnarray.linalg import LinAlgError

from .linalg_reference import adjoint, host, matrices, positive

UNIT = {np.dtype(t): np.finfo(t).eps / 2 for t in (np.float32, np.float64, np.complex64, np.complex128)}
FLOATS = tuple(UNIT)
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
FACTOR = 64


def close(found, expected, dtype, scale=1.0):
    np.testing.assert_allclose(host(found), expected, rtol=0, atol=FACTOR * UNIT[np.dtype(dtype)] * max(scale, 1e-300))


def norm2(a):
    return float(np.max(np.abs(a), initial=0)) * max(a.shape[-1], 1)


# Names and signatures


OURS = dict.fromkeys(("matmul", "solve"), ("precision", "target_forward_error", "return_info"))
"""Keyword parameters that NumPy does not have."""


def parameters(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


def test_every_name_of_numpy_linalg_is_there():
    assert set(np.linalg.__all__) <= set(xp.linalg.__all__)
    assert xp.linalg.LinAlgError is np.linalg.LinAlgError


@pytest.mark.parametrize("name", sorted(set(np.linalg.__all__) - {"LinAlgError"}))
def test_signature_is_numpys(name):
    own = [one for one in parameters(getattr(xp.linalg, name)) if one[0] not in OURS.get(name, ())]
    assert own == parameters(getattr(np.linalg, name))


@pytest.mark.parametrize("name", linear_algebra_functions.__all__)
def test_signature_in_the_main_namespace_is_numpys(name):
    try:
        expected = parameters(getattr(np, name))
    except ValueError:
        pytest.skip("this NumPy does not tell its signature")
    assert parameters(getattr(xp, name)) == expected


# Decompositions: the defining equations


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (6, 3), (3, 6), (2, 3, 5, 4), (0, 3, 3)])
def test_qr(dtype, shape):
    a = matrices(shape, dtype)
    for mode, width in (("reduced", min(shape[-2:])), ("complete", shape[-2])):
        result = xp.linalg.qr(xp.asarray(a), mode)
        assert type(result).__name__ == "QRResult"
        assert result._fields == ("Q", "R")
        Q, R = map(host, result)
        assert Q.shape == (*shape[:-1], width)
        assert Q.dtype == R.dtype == dtype
        close(Q @ R, a, dtype, norm2(a))
        close(adjoint(Q) @ Q, np.broadcast_to(np.eye(width), (*shape[:-2], width, width)), dtype, width)
        assert not np.tril(R, -1).any()
    close(np.abs(host(xp.linalg.qr(xp.asarray(a), "r"))), np.abs(host(xp.linalg.qr(xp.asarray(a)).R)), dtype, norm2(a))
    assert len(xp.linalg.qr(xp.asarray(a), mode="raw")) == 2


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (6, 3), (3, 6), (2, 3, 5, 4), (0, 3, 3)])
@pytest.mark.parametrize("full", [True, False])
def test_svd(dtype, shape, full):
    a = matrices(shape, dtype)
    result = xp.linalg.svd(xp.asarray(a), full_matrices=full)
    assert result._fields == ("U", "S", "Vh")
    U, S, Vh = map(host, result)
    k = min(shape[-2:])
    assert S.shape == (*shape[:-2], k)
    assert S.dtype == np.zeros(0, dtype).real.dtype
    assert U.shape[-1] == (shape[-2] if full else k)
    assert Vh.shape[-2] == (shape[-1] if full else k)
    close(U[..., :k] * S[..., None, :] @ Vh[..., :k, :], a, dtype, norm2(a))
    assert (np.diff(S, axis=-1) <= 0).all()
    assert (S >= 0).all()
    close(xp.linalg.svdvals(xp.asarray(a)), S, dtype, norm2(a))
    close(xp.linalg.svd(xp.asarray(a), compute_uv=False), S, dtype, norm2(a))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 4, 4), (0, 3, 3)])
def test_eig_is_complex_and_solves_the_equation(dtype, shape):
    a = positive(shape, dtype)  # whose eigenvalues are real: NumPy would give real ones
    values, vectors = xp.linalg.eig(xp.asarray(a))
    assert xp.linalg.eig(xp.asarray(a))._fields == ("eigenvalues", "eigenvectors")
    assert values.dtype == vectors.dtype == xp.linalg.eigvals(xp.asarray(a)).dtype == np.result_type(dtype, np.complex64)
    values, vectors = host(values), host(vectors)
    close(a @ vectors, values[..., None, :] * vectors, dtype, norm2(a))
    close(np.sort(host(xp.linalg.eigvals(xp.asarray(a))).real), np.sort(values.real), dtype, norm2(a))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 4, 4), (0, 3, 3)])
@pytest.mark.parametrize("triangle", ["L", "U"])
def test_eigh(dtype, shape, triangle):
    a = positive(shape, dtype)
    other = np.triu if triangle == "L" else np.tril
    spoilt = a + 7 * other(np.ones(shape), 1 if triangle == "L" else -1).astype(dtype)
    result = xp.linalg.eigh(xp.asarray(spoilt), triangle)
    assert result._fields == ("eigenvalues", "eigenvectors")
    values, vectors = map(host, result)
    assert values.dtype == np.zeros(0, dtype).real.dtype
    close(a @ vectors, values[..., None, :] * vectors, dtype, norm2(a))
    close(adjoint(vectors) @ vectors, np.broadcast_to(np.eye(shape[-1]), shape), dtype, shape[-1])
    assert (np.diff(values, axis=-1) >= 0).all()
    close(xp.linalg.eigvalsh(xp.asarray(spoilt), UPLO=triangle), values, dtype, norm2(a))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (2, 3, 4, 4), (0, 3, 3)])
def test_cholesky(dtype, shape):
    a = positive(shape, dtype)
    lower, upper = host(xp.linalg.cholesky(xp.asarray(a))), host(xp.linalg.cholesky(xp.asarray(a), upper=True))
    close(lower @ adjoint(lower), a, dtype, norm2(a))
    close(adjoint(upper) @ upper, a, dtype, norm2(a))
    assert not np.triu(lower, 1).any()
    assert not np.tril(upper, -1).any()


# Determinants, ranks, norms


def determinant(rows):
    """Leibniz' sum, exactly."""
    total = Fraction(0)
    for permutation in itertools.permutations(range(len(rows))):
        inversions = sum(p > q for p, q in itertools.combinations(permutation, 2))
        product = Fraction((-1) ** inversions)
        for i, j in enumerate(permutation):
            product *= rows[i][j]
        total += product
    return total


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(st.integers(-9, 9), min_size=n, max_size=n), min_size=n, max_size=n)))
def test_determinants_are_exact_rationals_rounded(rows):
    exact = float(determinant([[Fraction(x) for x in row] for row in rows]))
    a = xp.asarray(rows)
    scale = float(np.prod([max(sum(map(abs, row)), 1) for row in rows]))
    close(xp.linalg.det(a), exact, np.float64, scale)
    sign, logarithm = xp.linalg.slogdet(a)
    assert xp.linalg.slogdet(a)._fields == ("sign", "logabsdet")
    close(host(sign) * np.exp(host(logarithm)), exact, np.float64, scale)


@pytest.mark.parametrize("rank", range(5))
def test_matrix_rank_counts_factors(rank):
    a = matrices((3, 5, rank), np.float64) @ matrices((3, rank, 4), np.float64, 1)
    assert (host(xp.linalg.matrix_rank(xp.asarray(a))) == rank).all()
    gram = a @ adjoint(a)
    assert (host(xp.linalg.matrix_rank(xp.asarray(gram), hermitian=True)) == rank).all()


def test_matrix_rank_tolerances_and_empty_matrices():
    a = xp.asarray(np.diag([1.0, 1e-3, 1e-6]))
    assert int(xp.linalg.matrix_rank(a)) == 3
    assert int(xp.linalg.matrix_rank(a, rtol=1e-4)) == 2
    assert int(xp.linalg.matrix_rank(a, 1e-2)) == 1
    assert int(xp.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])) == 1
    assert host(xp.linalg.matrix_rank(xp.zeros((2, 0, 3)))).tolist() == [0, 0]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 1, 0)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("order", [0, 1, 2, 3.5, -1, np.inf, -np.inf])
def test_vector_norm(dtype, axis, keepdims, order):
    a = matrices((2, 3, 4), dtype) + 1
    absolute = np.abs(a).astype(np.float64)
    along = tuple(range(3)) if axis is None else axis
    expected = {
        0: lambda: np.sum(absolute != 0, axis=along, keepdims=keepdims),
        np.inf: lambda: absolute.max(axis=along, keepdims=keepdims),
        -np.inf: lambda: absolute.min(axis=along, keepdims=keepdims),
    }.get(order, lambda: np.sum(absolute**order, axis=along, keepdims=keepdims) ** (1 / order))()
    found = xp.linalg.vector_norm(xp.asarray(a), axis=axis, keepdims=keepdims, ord=order)
    assert found.dtype == a.real.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(host(found), expected, rtol=FACTOR * UNIT[np.dtype(dtype)])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("order", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
def test_matrix_norm(dtype, order):
    a = matrices((3, 5, 4), dtype)
    absolute = np.abs(a).astype(np.float64)
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(adjoint(a).astype(np.complex128) @ a), 0))
    expected = {
        "fro": np.sqrt((absolute**2).sum((-2, -1))), "nuc": values.sum(-1), 1: absolute.sum(-2).max(-1), -1: absolute.sum(-2).min(-1),
        2: values.max(-1), -2: values.min(-1), np.inf: absolute.sum(-1).max(-1), -np.inf: absolute.sum(-1).min(-1),
    }[order]  # fmt: skip
    close(xp.linalg.matrix_norm(xp.asarray(a), ord=order), expected, dtype, norm2(a))
    assert xp.linalg.matrix_norm(xp.asarray(a), ord=order, keepdims=True).shape == (3, 1, 1)
    close(xp.linalg.norm(xp.asarray(a), order, (-2, -1)), expected, dtype, norm2(a))


def test_norms_of_nothing_are_zero():
    assert float(xp.linalg.vector_norm(xp.zeros(0), ord=np.inf)) == 0
    assert float(xp.linalg.matrix_norm(xp.zeros((0, 3)), ord=np.inf)) == 0


def test_cond_of_a_diagonal():
    assert float(xp.linalg.cond(xp.asarray(np.diag([8.0, 2.0])))) == 4
    assert float(xp.linalg.cond(xp.asarray(np.diag([8.0, 2.0])), p=1)) == 4
    assert np.isinf(float(xp.linalg.cond(xp.zeros((2, 2)), 1)))


# Equations and inverses


@pytest.mark.parametrize("dtype", FLOATS)
def test_solve_reads_only_one_dimension_as_a_vector(dtype):
    a = positive((3, 4, 4), dtype)
    for b in (matrices((4,), dtype), matrices((4, 2), dtype), matrices((3, 4, 2), dtype), matrices((2, 1, 4, 5), dtype)):
        x = host(xp.linalg.solve(xp.asarray(a), xp.asarray(b)))
        left = (a @ x[..., None])[..., 0] if b.ndim == 1 else a @ x
        close(left, np.broadcast_to(b, left.shape), dtype, norm2(a) * norm2(x))
    with pytest.raises(ValueError, match="solve|mismatch"):
        xp.linalg.solve(xp.asarray(a), xp.asarray(matrices((3, 4), dtype)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_inverse_and_power(dtype):
    a = positive((2, 4, 4), dtype)
    inverse = host(xp.linalg.inv(xp.asarray(a)))
    close(a @ inverse, np.broadcast_to(np.eye(4), a.shape), dtype, norm2(a) * norm2(inverse))
    close(xp.linalg.matrix_power(xp.asarray(a), 3), a @ a @ a, dtype, norm2(a) ** 3)
    close(xp.linalg.matrix_power(xp.asarray(a), 0), np.broadcast_to(np.eye(4), a.shape), dtype)
    close(xp.linalg.matrix_power(xp.asarray(a), -1), inverse, dtype, norm2(a) * norm2(inverse) ** 2)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_pinv_satisfies_penroses_equations(dtype, shape):
    a = matrices(shape, dtype)
    p = host(xp.linalg.pinv(xp.asarray(a)))
    scale = (norm2(a) * norm2(p)) ** 2
    close(a @ p @ a, a, dtype, scale * norm2(a))
    close(p @ a @ p, p, dtype, scale * norm2(p))
    close(adjoint(a @ p), a @ p, dtype, scale)
    close(adjoint(p @ a), p @ a, dtype, scale)


def test_pinv_by_default_cuts_at_the_standards_tolerance():
    a = np.diag([1.0, 1e-15]).astype(np.float64)  # between NumPy's 1e-15 and 2 eps = 4.4e-16 it would be kept by both
    small = np.diag([1.0, 3e-16])
    assert host(xp.linalg.pinv(xp.asarray(a)))[1, 1] == pytest.approx(1e15)
    assert host(xp.linalg.pinv(xp.asarray(a), rtol=1e-14))[1, 1] == 0
    assert host(xp.linalg.pinv(xp.asarray(a), 1e-14))[1, 1] == 0
    assert host(xp.linalg.pinv(xp.asarray(small)))[1, 1] == 0
    assert host(xp.linalg.pinv(xp.asarray(small), rtol=1e-16))[1, 1] == pytest.approx(1 / 3e-16)


def test_lstsq_satisfies_the_normal_equations():
    a, b = matrices((6, 3), np.float64), matrices((6, 2), np.float64, 1)
    x, residuals, rank, s = xp.linalg.lstsq(xp.asarray(a), xp.asarray(b))
    assert (rank.shape, rank.dtype, int(rank)) == ((), np.int32, 3)
    close(a.T @ (a @ host(x) - b), 0, np.float64, norm2(a) ** 2)
    close(residuals, ((a @ host(x) - b) ** 2).sum(0), np.float64, norm2(a) ** 2)
    close(s, np.sqrt(np.linalg.eigvalsh(a.T @ a)[::-1]), np.float64, norm2(a))


def test_tensor_equations():
    a, b = matrices((2, 3, 6), np.float64), matrices((2, 3), np.float64)
    close(xp.tensordot(xp.asarray(a), xp.linalg.tensorsolve(a, b), 1), b, np.float64, 1e3)
    inverse = xp.linalg.tensorinv(xp.asarray(matrices((6, 2, 3), np.float64)), ind=1)
    assert inverse.shape == (2, 3, 6)


def test_singular_and_misshapen_matrices_raise():
    singular = xp.zeros((2, 2))
    for function in (xp.linalg.inv, xp.linalg.cholesky):
        with pytest.raises(LinAlgError):
            function(singular)
    with pytest.raises(LinAlgError):
        xp.linalg.solve(singular, xp.ones(2))
    for function in (xp.linalg.det, xp.linalg.eig, xp.linalg.inv, xp.linalg.cholesky):
        with pytest.raises(LinAlgError, match="square"):
            function(xp.zeros((2, 3)))
    with pytest.raises(TypeError, match="foreign"):
        xp.linalg.det(np.ma.ones((2, 2)))


# Products


LABELS = "abcd"


@st.composite
def summations(draw):
    """Subscripts for one to three operands, and lengths of their labels."""
    operands = draw(st.lists(st.text(LABELS, min_size=0, max_size=3), min_size=1, max_size=3))
    used = sorted(set("".join(operands)))
    result = "".join(draw(st.permutations(draw(st.lists(st.sampled_from(used), unique=True))))) if used else ""
    lengths = {label: draw(st.integers(0, 3)) for label in used}
    return operands, result, lengths


@given(summations(), st.booleans())
def test_einsum_is_what_its_subscripts_say(summation, optimize):
    operands, result, lengths = summation
    arrays = [matrices([lengths[x] for x in labels], np.int64, seed) * 1 for seed, labels in enumerate(operands)]
    arrays = [np.random.default_rng(i).integers(-5, 6, a.shape) for i, a in enumerate(arrays)]
    expected = np.zeros([lengths[x] for x in result], np.int64)
    for index in itertools.product(*(range(n) for n in lengths.values())):
        at = dict(zip(lengths, index, strict=True))
        product = 1
        for labels, array in zip(operands, arrays, strict=True):
            product *= array[tuple(at[x] for x in labels)]
        expected[tuple(at[x] for x in result)] += product
    ours = [xp.asarray(a) for a in arrays]
    subscripts = f"{','.join(operands)}->{result}"
    np.testing.assert_array_equal(host(xp.einsum(subscripts, *ours, optimize=optimize)), expected)
    lists = itertools.chain.from_iterable((a, [LABELS.index(x) for x in labels]) for a, labels in zip(ours, operands, strict=True))
    np.testing.assert_array_equal(host(xp.einsum(*lists, [LABELS.index(x) for x in result])), expected)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float16, BFLOAT16])
@pytest.mark.parametrize(
    "call", [lambda x: xp.einsum("ii->i", x), lambda x: xp.einsum("...ii->...i", x), lambda x: xp.einsum(x, [0, 0], [0])]
)
def test_einsum_without_a_sum_is_a_view(dtype, call):
    x = xp.zeros((3, 3), dtype=dtype)
    diagonal = call(x)
    diagonal[...] = 1
    assert host(x).astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert diagonal.base is x


def test_einsum_parameters():
    x = xp.asarray([[1, 2], [3, 4]])
    out = xp.zeros(2)
    assert xp.einsum("ij->i", x, out=out) is out
    assert host(out).tolist() == [3, 7]
    assert xp.einsum("ij->", x, dtype="complex128").dtype == xp.complex128
    path, description = xp.einsum_path("ij,jk,kl", x, x, x, optimize="optimal")
    assert path[0] == "einsum_path"
    assert "FLOP" in description
    assert host(xp.einsum("ij,jk,kl", x, x, x, optimize=path)).tolist() == (host(x) @ host(x) @ host(x)).tolist()
    assert host(xp.einsum("ij->i", x)).tolist() == [3, 7]
    assert int(xp.einsum(x, xp.asarray([0, 0]))) == 5
    with pytest.raises(ValueError, match="subscript"):
        xp.einsum("ijk", x)


PRODUCTS = {
    "dot": [((3,), (3,)), ((2, 3), (3, 4)), ((2, 3, 4), (4,)), ((2, 3, 4), (5, 4, 2)), ((), (3,))],
    "inner": [((3,), (3,)), ((2, 3), (4, 3)), ((), (2, 3))],
    "outer": [((3,), (4,)), ((2, 2), (3,))],
    "vdot": [((3,), (3,)), ((2, 3), (6,))],
    "kron": [((2, 2), (3, 1)), ((3,), (2, 2))],
    "cross": [((3,), (3,)), ((4, 3), (3,)), ((2, 1, 3), (4, 3))],
    "tensordot": [((2, 3, 4), (3, 4, 5)), ((2, 3), (2, 3))],
    "linalg.outer": [((3,), (4,))],
    "linalg.cross": [((3,), (3,)), ((4, 3), (3,))],
    "linalg.matmul": [((2, 3), (3, 4)), ((3,), (3,)), ((5, 2, 3), (3, 1))],
    "linalg.vecdot": [((2, 3), (3,)), ((4, 1, 3), (2, 3))],
    "linalg.tensordot": [((2, 3, 4), (3, 4, 5))],
}


@pytest.mark.parametrize("dtype", [np.int64, *FLOATS])
@pytest.mark.parametrize(("name", "shapes"), [(name, s) for name, list_ in PRODUCTS.items() for s in list_])
def test_products_of_small_integers_are_exact(name, shapes, dtype):
    a, b = (np.random.default_rng(seed).integers(-9, 10, s).astype(dtype) for seed, s in enumerate(shapes))
    if np.dtype(dtype).kind == "c":
        a, b = a * (1 + 2j), b * (1 - 1j)
    path = name.split(".")
    ours, numpys = xp, np
    for part in path:
        ours, numpys = getattr(ours, part), getattr(numpys, part)
    found, expected = ours(xp.asarray(a), xp.asarray(b)), numpys(a, b)
    assert isinstance(found, xp.Array)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(host(found), expected)
    assert host(ours(a.tolist(), b.tolist())).shape == expected.shape


def test_products_write_to_out():
    for function, shape in ((xp.dot, (2, 2)), (xp.outer, (4, 4))):
        x, out = xp.ones((2, 2)), xp.zeros(shape)
        assert function(x, x, out=out) is out
        assert host(out).any()
    out = xp.zeros((2, 2))
    assert xp.linalg.multi_dot([xp.ones((2, 3)), xp.ones((3, 4)), xp.ones((4, 2))], out=out) is out
    assert host(out).tolist() == [[12, 12], [12, 12]]


def test_cross_axes():
    a, b = np.arange(12).reshape(3, 4), np.arange(12).reshape(4, 3)[::-1]
    np.testing.assert_array_equal(host(xp.cross(xp.asarray(a), xp.asarray(b), axisa=0, axisc=0)), np.cross(a, b, axisa=0, axisc=0))
    np.testing.assert_array_equal(host(xp.linalg.cross(xp.asarray(a), xp.asarray(a[:, ::-1]), axis=0)), np.cross(a, a[:, ::-1], axis=0))
    with pytest.raises(ValueError, match="3"):
        xp.linalg.cross(xp.ones(2), xp.ones(2))


@pytest.mark.parametrize(
    ("dtype", "expected"), [("int8", "int64"), ("uint8", "uint64"), ("bool", "int64"), ("float32", "float32"), ("bfloat16", "bfloat16")]
)
def test_trace_dtype(dtype, expected):
    x = xp.ones((2, 3, 3), dtype=dtype)
    for found in (xp.linalg.trace(x), xp.trace(x, axis1=1, axis2=2)):
        assert (found.dtype.name, host(found).astype(int).tolist()) == (expected, [3, 3])
    assert xp.linalg.trace(x, dtype="float64").dtype == xp.float64
    assert host(xp.linalg.trace(x, offset=1)).astype(int).tolist() == [2, 2]
    out = xp.zeros(2)
    assert xp.trace(x, 0, 1, 2, out=out) is out


def test_parts_of_matrices_are_views():
    x = xp.zeros((2, 3, 4))
    transposed = xp.matrix_transpose(x)
    transposed[1, 3, 2] = 5
    assert float(x[1, 2, 3]) == 5
    assert transposed.base is x
    diagonal = xp.linalg.diagonal(x, offset=1)
    assert diagonal.shape == (2, 3)
    assert float(diagonal[1, 2]) == 5
    assert not diagonal.flags.writeable
    assert xp.linalg.matrix_transpose is xp.matrix_transpose
