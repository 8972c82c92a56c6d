"""Rules of scipy.linalg against SciPy."""

import numpy as np
import pytest
import scipy

from trnarray.backends.ops.scipy_linalg import _AXES, OPS
from trnarray.backends.rules import Dynamic
from trnarray.conformance.scipy_calls.linalg import OPERANDS, B, M, S

from . import agreement
from .agreement import disagreements, waits

STACKS = tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17)
TALL = np.arange(12.0).reshape(4, 3) % 5 + np.eye(4, 3)
V, D, BAND = np.arange(1.0, 4.0), np.asarray([5.0, 6.0, 7.0]), np.stack([np.ones(3), np.ones(3) * 9])
Q, R = np.linalg.qr(TALL, "complete")
SIDES = (V, np.ones(4), np.ones((4, 2)), np.ones((2, 4)))
BOTH = (TALL, TALL.T)

CALLS = [
    *[("svd", (x, *rest), {}) for x in BOTH for rest in ((), (False,), (True, False))],
    ("svd", (S,), {"lapack_driver": "no driver"}),
    *[("qr", (x,), {"mode": mode, "pivoting": mode != "full"}) for x in BOTH for mode in ("full", "economic", "raw", "r", "no mode")],
    *[("rq", (x,), {"mode": mode}) for x in BOTH for mode in ("full", "economic", "r")],
    *[("qr_multiply", (x, c, mode), {}) for x in BOTH for c in SIDES for mode in ("left", "right")],
    *[("lu", (x,), flags) for x in BOTH for flags in ({}, {"permute_l": True}, {"p_indices": True})],
    *[(name, (x,), {}) for x in (*BOTH, V) for name in ("lu_factor", "svdvals", "pinv", "polar", "det", "inv", "cholesky", "schur", "ldl")],
    ("polar", (TALL, "left"), {}),
    ("pinv", (TALL,), {"return_rank": True}),
    ("pinv", (TALL,), {"atol": -1.0}),
    *[("eig", (M,), {"left": left, "right": right}) for left in (False, True) for right in (False, True)],
    ("eigvals", (M, S), {}),
    *[("eigh", (S,), options) for options in ({"eigvals_only": True}, {"subset_by_index": (0, 1)}, {"subset_by_index": (2, 5)})],
    *[("eigh", (S,), {"subset_by_index": (0, 1), "driver": driver}) for driver in ("evr", "evd", "gv")],
    *[("eigh", (S, S), {"type": type}) for type in (1, 3, 5)],
    *[("eig_banded", (BAND,), {"select": "i", "select_range": range_}) for range_ in ((0, 1), (1, 1), (1, 7))],
    *[("eigh_tridiagonal", (D, D[:2]), {"select": "i", "select_range": (1, 2)})],
    *[(name, (D, D), {}) for name in ("eigh_tridiagonal", "leslie")],
    *[("schur", (M,), options) for options in ({"output": "complex"}, {"output": "no form"})],
    ("hessenberg", (M, True), {}),
    ("hessenberg", (M[:2, :2],), {}),
    ("matrix_balance", (M,), {"separate": True}),
    ("expm_frechet", (S / 8, M), {"compute_expm": False}),
    ("cossin", (np.linalg.qr(S)[0], 1, 2, True), {}),
    ("cossin", (np.linalg.qr(S)[0], 1, 5), {}),
    *[("solve", (S, b), {"assume_a": kind}) for b in (V, B, np.ones(4), np.ones(())) for kind in ("gen", "pos", "no kind")],
    *[("solve_triangular", (S, b), {}) for b in (V, np.ones(4))],
    *[("lu_solve", ((S, np.arange(3)), b), {}) for b in (V, np.ones(4))],
    *[("cho_solve", ((S, True), b), {}) for b in (V, np.ones(4))],
    *[("solve_banded", (bands, np.ones((3, 3)) + np.eye(3), V), {}) for bands in ((1, 1), (2, 1), (0, 2))],
    *[("solveh_banded", (BAND, b), {}) for b in (V, np.ones(4))],
    *[("solve_toeplitz", (c, b), {}) for c in (D, (D, D), (D, D[:2])) for b in (V, B)],
    *[("matmul_toeplitz", (c, b), {}) for c in (D, (D, D), (D, D[:2])) for b in (V, B, V[:2])],
    *[("solve_circulant", (D, b), {}) for b in (V, np.ones(4))],
    *[("lstsq", (TALL.T, b), {}) for b in (V, B, np.ones(4))],
    ("solve_sylvester", (S, M[:2, :2], B), {}),
    ("solve_continuous_lyapunov", (S, B), {}),
    ("solve_discrete_lyapunov", (M / 8, S, "bilinear"), {}),
    ("solve_continuous_are", (M, V, S, np.eye(2)), {}),
    *[("norm", (x, p, axis, True, True), {}) for x in (V, S) for p in (None, 1, "fro") for axis in (None, 0, (0, 1))],
    *[("block_diag", blocks, {}) for blocks in ((V, S), (S, B, np.ones(())), (S, B.astype(int)))],
    *[("convolution_matrix", (V, n, mode), {}) for n in (2, 5, 0) for mode in ("full", "same", "valid", "no mode")],
    *[(name, (V, np.ones(4)), {}) for name in ("hankel", "toeplitz")],
    *[("hadamard", (n,), {}) for n in (4, 3, 0)],
    *[("helmert", (3, full), {}) for full in (False, True)],
    *[("dft", (3, scale), {}) for scale in ("sqrtn", "no scale")],
    ("pascal", (3, "lower", False), {}),
    *[("diagsvd", (V, rows, columns), {}) for rows, columns in ((3, 5), (4, 3), (2, 2))],
    *[("khatri_rao", (S, x), {}) for x in (TALL, B)],
    *[("qr_delete", (Q, R, k, 1, which), {}) for k in (0, -1, 9) for which in ("row", "col")],
    *[("qr_insert", (Q, R, u, k, which), {}) for u in (V, np.ones(4)) for k in (0, 2) for which in ("row", "col")],
    *[("qr_insert", (Q, R, np.ones(shape), 0, which), {}) for shape, which in (((2, 3), "row"), ((4, 2), "col"), ((4, 2), "row"))],
    *[("qr_update", (Q, R, u, V), {}) for u in (np.ones(4), V)],
    *[(name, (M, S), {"output": "complex"}) for name in ("qz", "ordqz")],
    ("cdf2rdf", (V, B), {}),
    *[(name, (np.ones((0, 0)),), {}) for name in ("inv", "svd", "lu", "expm")],
]  # fmt: skip
SLOW = ("expm_cond", "fractional_matrix_power", "logm")
DOUBLE = ("expm_frechet", "solve_discrete_lyapunov", "det", "matmul_toeplitz", "matrix_balance", "inv", "eigh", "lu", "expm")


def operands(name):
    return (S[:2, :2], 0.5)[: 1 + name.startswith("f")] if name in SLOW else OPERANDS.get(name, (S,))


def calls_of(name):
    return [(operands(name), {}), *((args, kwargs) for one, args, kwargs in CALLS if one == name)]


@pytest.mark.parametrize("name", OPS)
def test_rules_agree_with_scipy(name):
    op = OPS[name]
    assert [line for args, kwargs in calls_of(name) for line in disagreements(op, args, kwargs)] == []
    needs = isinstance(op.rule, Dynamic) or name in ("pascal", "invpascal")
    assert needs or any(waits(op, args, kwargs, dtype) for args, kwargs in calls_of(name) for dtype in "fFD")


def test_dtypes():
    assert [line for name in DOUBLE for line in disagreements(OPS[name], OPERANDS.get(name, (S,)), dtypes=agreement.DTYPES)] == []


@pytest.mark.parametrize("name", [name for name in _AXES if not isinstance(OPS[name].rule, Dynamic) and name not in SLOW])
def test_stacks(name):
    args = operands(name)
    stacked = [np.stack([x, x]) if isinstance(x, np.ndarray) and i < len(_AXES[name]) else x for i, x in enumerate(args)]
    assert disagreements(OPS[name], stacked) == []
    assert not STACKS or name in ("cho_factor", "qr_update") or any(waits(OPS[name], stacked, dtype=dtype) for dtype in "fF")


@pytest.mark.parametrize("name", ["sqrtm", "logm", "signm", "fractional_matrix_power", "eig"])
def test_dtypes_that_depend_on_elements(name):
    assert not waits(OPS[name], operands(name))
    assert waits(OPS[name], operands(name), dtype="D")


@pytest.mark.parametrize(
    ("name", "args", "kwargs"),
    [
        ("eigh", (S,), {"subset_by_value": (0.0, 9.0)}),
        ("eigvals_banded", (BAND,), {"select": "v", "select_range": (0, 9)}),
        ("orth", (S,), {}),
    ],
)
def test_shapes_that_depend_on_elements(name, args, kwargs):
    assert not waits(OPS[name], args, kwargs)
