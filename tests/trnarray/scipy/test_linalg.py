"""Linear algebra under SciPy's names: signatures, values and dtypes are SciPy's, the types are ours."""

import inspect

import numpy as np
import pytest
import scipy

import trnarray as xp
from trnarray.backends.ops.scipy_linalg import _AXES
from trnarray.conformance.scipy_calls.linalg import OPERANDS, B, M, S
from trnarray.scipy import linalg as ours

theirs = pytest.importorskip("scipy.linalg")
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))
of_recent_scipy = pytest.mark.skipif(SCIPY < (1, 17), reason="names, parameters and stacks are those of SciPy from 1.17 on")
LEFT_OUT = {"clarkson_woodruff_transform", "find_best_blas_type", "get_blas_funcs", "get_lapack_funcs", "solve_lyapunov"}
NAMES = sorted(set(ours.__all__) - {"LinAlgError", "LinAlgWarning", "blas"})
# Parameters that SciPy 1.18 adds, or deprecates behind a hidden default.
RECENT = {"eigvals": "overwrite_b", "qr": "lwork", "logm": "disp", "signm": "disp", "sqrtm": ("disp", "blocksize")}
STACK = np.stack([S, S + M, S.T + 2 * np.eye(3)])


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
    operands = cast(OPERANDS.get(name, (S,)), dtype)
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
    operands = list(OPERANDS.get(name, (S,)))
    for place, axes in enumerate(_AXES[name]):
        if place < len(operands) and operands[place] is not None:
            one = operands[place].reshape(-1, 1) if operands[place].ndim < axes else operands[place]  # a vector is no stack
            operands[place] = np.stack([one, one * 1.25])
    agree(getattr(ours, name)(*map(on_ours, operands)), getattr(theirs, name)(*operands))


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


@pytest.mark.parametrize("lower", [0, 1, False, True, np.True_, None])
def test_factors_say_which_triangle_they_are(lower):
    """Of a Neuron device as a bool, whatever was given; cho_solve takes either."""
    with xp.config(fallback="allow"):
        factor, lies_low = ours.cho_factor(xp.asarray(S.astype(np.float32), device="sim:trn2"), lower)
        x = ours.cho_solve((factor, lies_low), xp.asarray(B.astype(np.float32), device="sim:trn2"))
    assert lies_low is bool(theirs.cho_factor(S, lower)[1])
    np.testing.assert_allclose(np.asarray(x.tolist()), theirs.solve(S, B), rtol=64 * 2.0**-24)  # of a matrix with a condition below 10


@pytest.mark.parametrize("flag", ["x", 2.0, [True]])
def test_flags_that_are_none_are_told_of_without_another_name(flag):
    a = xp.asarray(S.astype(np.float32), device="sim:trn2")
    for call in (lambda: ours.cho_factor(a, flag), lambda: ours.lu(a, flag), lambda: ours.expm_frechet(a, a, compute_expm=flag)):
        with pytest.raises(TypeError, match="a flag such as keepdims is True or False, but one is"):
            call()
