"""Functions of matrices, and structured equations, on a simulated NeuronCore, against SciPy in double precision."""

import warnings
from functools import partial

import numpy as np
import pytest
import scipy.linalg

import trnarray as xp
import trnarray.scipy.linalg as ours
from trnarray.backends.neuron.lowering import matrix_equations

from . import beside_scipy
from .beside_scipy import wide

U = 2.0**-24
drawn = partial(beside_scipy.drawn, np.random.default_rng(5))

pytestmark = pytest.mark.usefixtures("without_fallbacks")


def placed(item):
    return tuple(map(placed, item)) if isinstance(item, tuple) else xp.asarray(item) if isinstance(item, np.ndarray) else item


def compare(name, *operands, bound=64, only=None, **options):
    """Compare with SciPy's result, to a multiple of the unit roundoff of its largest element."""
    found, wanted = getattr(ours, name)(*placed(operands), **options), getattr(scipy.linalg, name)(*wide(operands), **options)
    pairs = [*zip(found, wanted, strict=True)] if isinstance(found, tuple) else [(found, wanted)]
    for one, known in pairs[:only]:
        assert one.shape == np.shape(known)
        np.testing.assert_allclose(np.asarray(one.to_device("cpu")), known, rtol=0, atol=bound * U * np.abs(known).max(initial=0))


SMALL = drawn(3, 3) / np.float32(2)
COMPLEX = drawn(3, 3, dtype=np.complex64) / np.float32(2)
LEFT = SMALL - 4 * np.eye(3, dtype=np.float32)
RIGHT = drawn(2, 2) / np.float32(8) + 2 * np.eye(2, dtype=np.float32)  # a line between its negative and `LEFT` is beside the axis
DEFINITE = (SMALL @ SMALL.T + np.eye(3)).astype(np.float32)


@pytest.mark.parametrize("name", ["cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm"])
def test_functions(name):
    compare(name, COMPLEX if name in ("sinm", "coshm") else SMALL)


DEFECTIVE = np.float32([[0, 500], [0, -1]])


@pytest.mark.parametrize("a", [drawn(2, 3, 3), 20 * COMPLEX, DEFECTIVE, drawn(1, 1)], ids=["stack", "large", "defective", "one"])
def test_exponentials(a):
    """A norm of 500 is halved seven times, and rounding grows as often."""
    compare("expm", a, bound=4096 if np.abs(a).max() > 8 else 64)


def test_precision_of_the_caller():
    """It is asked for products; those of exponentials are not the caller's."""
    with xp.config(precision="bfloat16"):
        compare("expm", SMALL)


def test_norms_that_are_too_large_are_left_to_the_host():
    with pytest.raises(xp.FallbackError, match="a norm above 1000"):
        np.asarray(ours.expm(xp.asarray(np.float32([[-5000, 1], [0, 1]]))).to_device("cpu"))


def test_what_is_made_of_other_factors():
    compare("expm_frechet", SMALL, drawn(3, 3))
    compare("pinvh", np.ones((3, 3), np.float32), return_rank=True)
    compare("orthogonal_procrustes", drawn(5, 3), drawn(5, 3))


@pytest.mark.parametrize("a", [SMALL[:, :2] @ SMALL[:2], COMPLEX[:2]], ids=["of rank 2", "wide"])
def test_bases(a):
    """Bases are not unique: the projections on their spaces are compared."""
    for name in ("orth", "null_space"):
        found, wanted = np.asarray(getattr(ours, name)(xp.asarray(a)).to_device("cpu")), getattr(scipy.linalg, name)(wide(a), 1e-5)
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found @ found.conj().T, wanted @ wanted.conj().T, rtol=0, atol=64 * U * 20)


def test_square_roots():
    compare("sqrtm", DEFINITE)
    with pytest.raises(xp.FallbackError, match="square roots that are complex"):
        ours.sqrtm(xp.asarray(-DEFINITE))


ANGLE = np.float32(2.5)
TURNED = np.float32([[np.cos(ANGLE), -np.sin(ANGLE), 0], [np.sin(ANGLE), np.cos(ANGLE), 9], [0, 0, 40]])


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("logm", (TURNED,)),
        ("logm", (np.eye(3, dtype=np.float32) + SMALL / np.float32(512),)),
        ("signm", (TURNED - np.eye(3, dtype=np.float32),)),
        ("fractional_matrix_power", (COMPLEX @ COMPLEX.conj().T + np.eye(3, dtype=np.complex64), -1.5)),
        ("fractional_matrix_power", (TURNED, 3)),
        ("subspace_angles", (drawn(5, 2), drawn(5, 3))),
    ],
)
def test_functions_by_iterations(name, operands):
    """Logarithms are of u times the sixteenth root, relative to themselves where the matrix is near the unit matrix."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of SciPy, of estimates
        compare(name, *operands, bound=256)


def test_roots_of_stacks_of_two_axes():
    compare("sqrtm", np.stack([np.stack([TURNED, DEFINITE])] * 2))


@pytest.mark.parametrize(("name", "reason"), [("logm", "negative real axis"), ("signm", "imaginary axis")])
def test_functions_that_iterations_do_not_find(name, reason):
    with pytest.raises(xp.FallbackError, match=reason):
        getattr(ours, name)(xp.asarray(np.float32([[0, 1], [-1, 0]]) if name == "signm" else -DEFINITE))


BANDS = drawn(3, 5, dtype=np.complex64)
BANDS[0] = 9
LINE = drawn(4) + np.float32([9, 0, 0, 0])


@pytest.mark.parametrize(
    ("name", "operands", "options"),
    [
        ("solve_banded", ((1, 2), drawn(4, 5) + np.float32([[0], [0], [9], [0]]), drawn(5)), {}),
        ("solveh_banded", (BANDS, drawn(5, 2)), {"lower": True}),
        ("solveh_banded", (BANDS[::-1], drawn(5)), {}),
        ("cho_solve_banded", ((BANDS, True), drawn(5)), {}),
        ("cholesky_banded", (BANDS,), {"lower": True}),
        ("cholesky_banded", (BANDS[::-1],), {}),
        ("diagsvd", (LINE, 4, 6), {}),
        ("eigvals_banded", (BANDS,), {"lower": True}),
        ("eigvalsh_tridiagonal", (drawn(5), drawn(4)), {}),
        ("eigvals_banded", (BANDS,), {"lower": True, "select": "i", "select_range": (1, 3)}),
        ("solve_circulant", (LINE, drawn(4)), {}),
        ("solve_circulant", (COMPLEX[0], drawn(3, 2)), {}),
        ("solve_discrete_are", (SMALL, drawn(3, 1), DEFINITE, np.eye(1, dtype=np.float32)), {}),
        ("solve_continuous_are", (COMPLEX, drawn(3, 2), DEFINITE, np.eye(2, dtype=np.float32)), {}),
        ("solve_continuous_are", (LEFT, drawn(3, 1), DEFINITE, np.eye(1, dtype=np.float32), DEFINITE, drawn(3, 1) / np.float32(8)), {}),
        ("solve_toeplitz", (LINE, drawn(4)), {}),
        ("solve_toeplitz", ((LINE, drawn(4)), drawn(4, 2)), {}),
        ("matmul_toeplitz", ((LINE, drawn(3)), drawn(3, 2)), {}),
        ("toeplitz", (COMPLEX[0],), {}),
        ("circulant", (LINE,), {}),
        ("convolution_matrix", (LINE, 3), {}),
        ("convolution_matrix", (LINE, 7, "same"), {}),
        ("convolution_matrix", (LINE, 2, "same"), {}),
        ("convolution_matrix", (LINE, 2, "valid"), {}),
        ("fiedler", (COMPLEX[0],), {}),
        ("companion", (COMPLEX[0],), {}),
        ("companion", (drawn(2),), {}),
        ("fiedler_companion", (COMPLEX[0],), {}),
        ("fiedler_companion", (drawn(4),), {}),
        ("fiedler_companion", (drawn(7),), {}),
        ("leslie", (LINE, COMPLEX[0]), {}),
        ("hankel", (LINE,), {}),
        ("hankel", (LINE, np.float32([LINE[-1], 1])), {}),
        ("block_diag", (drawn(2, 1), drawn(2), COMPLEX), {}),
        ("block_diag", (2.0, drawn(2)), {}),
        ("solve_sylvester", (DEFINITE, 2 * np.eye(2, dtype=np.float32), drawn(3, 2)), {}),
        ("solve_continuous_lyapunov", (COMPLEX + 3 * np.eye(3, dtype=np.float32), DEFINITE), {}),
        ("solve_discrete_lyapunov", (COMPLEX / np.float32(4), DEFINITE), {}),
    ],
)
def test_structured_matrices(name, operands, options):
    compare(name, *operands, **options)


@pytest.mark.parametrize(
    ("name", "operands", "applied"),
    [
        ("solve_sylvester", (LEFT, RIGHT, drawn(3, 2)), lambda x: LEFT @ x + x @ RIGHT.astype(float)),
        ("solve_continuous_lyapunov", (LEFT.astype(float), drawn(3, 3, dtype=float)), lambda x: LEFT.astype(float) @ x + x @ LEFT.T),
        ("solve_discrete_lyapunov", (SMALL / np.float32(4), DEFINITE), lambda x: x - SMALL.astype(float) / 4 @ x @ SMALL.T / 4),
    ],
)
def test_equations_between_larger_matrices(monkeypatch, name, operands, applied):
    """Iterations, which orders above 32 take, have residuals as small beside their terms as LAPACK's. Fewer turns do for these."""
    for constant, value in (("_MOST_UNKNOWNS", 0), ("_TURNS", 5), ("_SCALED", 3)):
        monkeypatch.setattr(matrix_equations, constant, value)
    unit = U if operands[0].dtype == np.float32 else U * U / 32
    x = np.asarray(getattr(ours, name)(*map(xp.asarray, operands)).to_device("cpu"))
    assert x.dtype == operands[0].dtype
    scale = 2 * np.abs(operands[0]).sum(1).max() * np.abs(x).max() + np.abs(operands[-1]).max()
    assert np.abs(applied(x.astype(float)) - operands[-1]).max() <= 8 * unit * scale
    np.testing.assert_allclose(x, getattr(scipy.linalg, name)(*wide(operands)), rtol=0, atol=64 * unit * np.abs(x).max())


@pytest.mark.parametrize(
    ("name", "matrix"), [("solve_continuous_lyapunov", [[1, 0], [0, -2]]), ("solve_discrete_lyapunov", [[2, 0], [0, 0]])]
)
def test_equations_that_iterations_do_not_solve(monkeypatch, name, matrix):
    monkeypatch.setattr(matrix_equations, "_MOST_UNKNOWNS", 0)
    x = getattr(ours, name)(xp.asarray(np.float32(matrix)), xp.eye(2, dtype=xp.float32))
    with pytest.raises(xp.FallbackError, match="as the device needs it"):
        x.to_device("cpu")


@pytest.mark.parametrize("name", ["companion", "fiedler_companion"])
def test_polynomials_without_a_leading_coefficient(name):
    found = getattr(ours, name)(xp.asarray(np.float32([0, 1, 2])))
    with pytest.raises(ValueError, match="first coefficient is zero"):
        found.to_device("cpu")


def test_stacks_of_bands():
    with pytest.raises(xp.FallbackError, match="stacks of banded matrices|known to the host alone"):
        ours.eigvals_banded(xp.asarray(np.stack([BANDS, BANDS])), lower=True).to_device("cpu")


def test_nearly_singular_circulants():
    x = ours.solve_circulant(xp.ones(3, dtype=xp.float32), xp.ones(3, dtype=xp.float32))
    with pytest.raises(xp.FallbackError, match="nearly singular"):
        x.to_device("cpu")


def test_riccati_equations_of_what_is_not_stabilizable():
    q = xp.eye(2, dtype=xp.float32)
    x = ours.solve_discrete_are(q * 2, xp.zeros((2, 1), dtype=xp.float32), q, xp.ones((1, 1), dtype=xp.float32))
    with pytest.raises(xp.FallbackError, match="doubling did not converge"):
        x.to_device("cpu")


def test_float64():
    ab, b = np.array([[0.0, 1, 2], [5, 6, 7], [1, 2, 0]]), np.array([1.0, 2, 3])
    found = ours.solve_banded((1, 1), xp.asarray(ab), xp.asarray(b))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), scipy.linalg.solve_banded((1, 1), ab, b), rtol=2.0**-49)


@pytest.mark.parametrize("dtype", ["float32", "complex64"])
@pytest.mark.parametrize(("rows", "columns", "width"), [(2100, 2100, ()), (3000, 1500, (2,))])
def test_large_toeplitz_matrices_are_multiplied_by_transforms(dtype, rows, columns, width):
    """As a whole within 4 u for each of log2(n) steps of three transforms; no matrix is made."""
    rng = np.random.default_rng(0)
    column, row, x = (rng.standard_normal(shape).astype(dtype) for shape in (rows, columns, (columns, *width)))
    wide = [item.astype("complex128" if dtype == "complex64" else "float64") for item in (column, row, x)]
    expected = scipy.linalg.matmul_toeplitz(tuple(wide[:2]), wide[2])
    with xp.config(fallback="error", default_device="sim:trn2"):
        found = ours.matmul_toeplitz((xp.asarray(column), xp.asarray(row)), xp.asarray(x))
    found = np.asarray(found.to_device("cpu"))
    assert (found.dtype, found.shape) == (dtype, expected.shape)
    assert np.linalg.norm(found - expected) <= 3 * 4 * 13 * 2.0**-24 * np.linalg.norm(expected)
