"""Linear algebra under SciPy's names: signatures, values and dtypes are SciPy's, the types are ours."""

import doctest
import inspect

import numpy as np
import pytest
import scipy

import trnarray as xp
from trnarray.backends.ops.scipy_linalg import _AXES
from trnarray.scipy import linalg as ours

theirs = pytest.importorskip("scipy.linalg")
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
of_recent_scipy = pytest.mark.skipif(SCIPY < (1, 17), reason="names, parameters and stacks are those of SciPy from 1.17 on")
LEFT_OUT = {"clarkson_woodruff_transform", "find_best_blas_type", "get_blas_funcs", "get_lapack_funcs", "solve_lyapunov"}
NAMES = sorted(set(ours.__all__) - {"LinAlgError", "LinAlgWarning"})
# Parameters that SciPy 1.18 adds, or deprecates behind a hidden default.
RECENT = {"eigvals": "overwrite_b", "qr": "lwork", "logm": "disp", "signm": "disp", "sqrtm": ("disp", "blocksize")}

generator = np.random.default_rng(7)
M = generator.standard_normal((3, 3))
S = M @ M.T + 3 * np.eye(3)
D = np.asarray([5.0, 6.0, 7.0])
B = generator.standard_normal((3, 2))
STACK = np.stack([S, S + M, S.T + 2 * np.eye(3)])
# What is called with the operands of a plain example, in the order of the signature.
CALLS = {
    **dict.fromkeys(("cholesky", "cho_factor", "eigh", "eigvalsh", "pinvh", "ldl", "sqrtm", "logm"), (S,)),
    **dict.fromkeys(("solve", "lstsq", "subspace_angles"), (S, B)),
    "orthogonal_procrustes": (S, M),
    **dict.fromkeys(("solve_triangular", "qr_multiply"), (S, S)),
    **dict.fromkeys(("cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "expm", "signm", "expm_cond"), (S / 8,)),
    **dict.fromkeys(("circulant", "companion", "fiedler", "fiedler_companion", "hankel", "toeplitz", "block_diag"), (D,)),
    **dict.fromkeys(("dft", "helmert", "hilbert", "invhilbert", "pascal", "invpascal"), (3,)),
    **dict.fromkeys(("eigh_tridiagonal", "eigvalsh_tridiagonal"), (D, D[:2])),
    **dict.fromkeys(("eig_banded", "eigvals_banded", "cholesky_banded"), (np.stack([D / 8, D]),)),
    **dict.fromkeys(("solve_toeplitz", "solve_circulant", "matmul_toeplitz"), (D + np.asarray([3, 0, 0]), B)),
    **dict.fromkeys(("qz", "ordqz", "khatri_rao", "expm_frechet"), (S / 8, M / 8)),
    **dict.fromkeys(("solve_continuous_are", "solve_discrete_are"), (M, B, S, np.eye(2))),
    "cho_solve": ((np.linalg.cholesky(S), True), B),
    "cho_solve_banded": ((np.stack([D / 8, D]), False), B),
    "lu_solve": ((S, np.asarray([0, 1, 2])), B),
    "solve_banded": ((1, 1), np.stack([D / 8, D, D / 9]), B),
    "solveh_banded": (np.stack([D / 8, D]), B),
    "solve_sylvester": (S, S, M),
    "solve_continuous_lyapunov": (S, M),
    "solve_discrete_lyapunov": (M / 8, S),
    "cdf2rdf": (D, np.eye(3)),
    "rsf2csf": (np.triu(S), np.eye(3)),
    "convolution_matrix": (D, 3),
    "leslie": (D, D[:2]),
    "diagsvd": (D, 3, 4),
    "hadamard": (4,),
    "fractional_matrix_power": (S, 0.5),
    "funm": (S, np.cos),
    "cossin": (np.linalg.qr(S)[0], 1, 1),
    "qr_delete": (np.eye(3), S, 1),
    "qr_insert": (np.eye(3), S, D, 1),
    "qr_update": (np.eye(3), S, D, D),
}


def cast(value, dtype):
    if isinstance(value, tuple):
        return tuple(cast(item, dtype) for item in value)
    return value.astype(dtype) if isinstance(value, np.ndarray) and value.dtype.kind != "i" and dtype else value


def on_ours(value):
    if isinstance(value, tuple):
        return tuple(map(on_ours, value))
    return xp.asarray(value) if isinstance(value, np.ndarray) else value


def agree(got, expected):
    if isinstance(expected, (tuple, list)):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            agree(one, other)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert type(got) is xp.Array
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
        np.testing.assert_array_equal(np.asarray(got), expected)
    else:
        assert type(got) is type(expected)
        assert got == expected


@of_recent_scipy
def test_what_is_left_out():
    functions = {name for name in theirs.__all__ if inspect.isroutine(getattr(theirs, name))}
    assert set(NAMES) | LEFT_OUT == functions
    assert xp.scipy.linalg is ours
    assert ours.LinAlgError is theirs.LinAlgError


@of_recent_scipy
@pytest.mark.parametrize("name", NAMES)
def test_signatures_are_scipys(name):
    differ = RECENT.get(name, ())
    got, expected = (
        [(p.name, p.kind, p.default) for p in inspect.signature(getattr(module, name)).parameters.values() if p.name not in differ]
        for module in (ours, theirs)
    )
    assert got == expected


@pytest.mark.filterwarnings("ignore:logm result may be inaccurate:RuntimeWarning")  # of float32
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128, None])
@pytest.mark.parametrize("name", NAMES)
def test_results_are_scipys(name, dtype):
    operands = cast(CALLS.get(name, (S,)), dtype)
    if dtype is None:  # integers
        operands = tuple(np.rint(x).astype(np.int64) if isinstance(x, np.ndarray) and x.dtype.kind == "f" else x for x in operands)
    try:
        expected = getattr(theirs, name)(*cast(operands, None))
    except (ValueError, TypeError, np.linalg.LinAlgError) as error:
        assert dtype in (np.complex128, None), name  # what takes real matrices only, and what rounding made singular
        with pytest.raises(type(error)):
            getattr(ours, name)(*on_ours(operands))
        return
    if isinstance(expected, np.ndarray) and expected.dtype == np.clongdouble:  # sqrtm of SciPy before 1.17
        expected = expected.astype(np.complex128)
    agree(getattr(ours, name)(*on_ours(operands)), expected)


@of_recent_scipy
@pytest.mark.parametrize("name", ["det", "expm", "inv", "lu", "solve"])
def test_stacks_of_matrices(name):
    operands = (STACK, B) if name == "solve" else (STACK,)
    agree(getattr(ours, name)(*map(xp.asarray, operands)), getattr(theirs, name)(*operands))


@of_recent_scipy
@pytest.mark.filterwarnings("ignore:logm result may be inaccurate:RuntimeWarning")
@pytest.mark.parametrize("name", _AXES)
def test_stacks_of_what_is_called_without_a_loop_where_there_is_none(name):
    operands = list(CALLS.get(name, (S,)))
    for place, axes in enumerate(_AXES[name]):
        if place < len(operands) and operands[place] is not None:
            one = operands[place].reshape(-1, 1) if operands[place].ndim < axes else operands[place]  # a vector is no stack
            operands[place] = np.stack([one, one * 1.25])
    agree(getattr(ours, name)(*map(on_ours, operands)), getattr(theirs, name)(*operands))


@pytest.mark.parametrize("name", NAMES)
def test_examples(name):
    test = doctest.DocTestParser().get_doctest(getattr(ours, name).__doc__, {}, name, None, None)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0


def test_low_precision_is_rounded_once():
    for dtype in (xp.bfloat16, xp.float16):
        a = xp.asarray(S, dtype=dtype)
        got = ours.inv(a)
        assert got.dtype == dtype
        agree(got, np.asarray(xp.asarray(theirs.inv(np.asarray(a).astype(np.float32)), dtype=dtype)))
    values = ours.schur(xp.asarray(S, dtype=xp.bfloat16))
    assert [value.dtype for value in values] == [xp.bfloat16] * 2


def test_options_are_handed_on():
    agree(ours.solve(xp.asarray(S), xp.asarray(B), assume_a="pos"), theirs.solve(S, B, assume_a="pos"))
    agree(ours.lu(xp.asarray(S), p_indices=True), theirs.lu(S, p_indices=True))
    agree(ours.schur(xp.asarray(M), output="complex", sort="lhp"), theirs.schur(M, output="complex", sort="lhp"))
    agree(ours.eig(xp.asarray(M), xp.asarray(S), left=True), theirs.eig(M, S, left=True))
    with pytest.raises(ValueError, match="infs or NaNs"):
        ours.inv(xp.asarray(S) * xp.nan)
    with pytest.raises(ours.LinAlgError):
        ours.cholesky(xp.asarray(-S))
