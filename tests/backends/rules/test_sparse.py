"""Rules of Ops on sparse arrays against SciPy."""

import numpy as np
import pytest
import scipy.sparse

import trnarray as xp
from trnarray.backends.op import all_ops, get_op
from trnarray.backends.ops import sparse_linalg as _sparse_linalg  # noqa: F401  # registers the ops
from trnarray.backends.ops.sparse import pack
from trnarray.backends.rules import Dynamic

from . import agreement
from .agreement import disagreements, waits

A = scipy.sparse.csr_array(np.triu(np.arange(9.0).reshape(3, 3) + 1) * [[1], [1], [0.5]])
WIDE = scipy.sparse.csr_array(np.arange(6.0).reshape(2, 3))
V, M = np.arange(1.0, 4.0), np.arange(12.0).reshape(3, 4)
AXES = (None, 0, 1, -1, 2)

CALLS = [
    *[(name, (a, b), {}) for name in ("matmul", "dot") for a in (A, WIDE) for b in (V, M, M.T, np.ones((2, 2, 2)), 2.0)],
    *[("matmul", (x, a), {}) for a in (A, WIDE) for x in (V, V[:2], M.T, M)],
    *[(name, (A, b), {}) for name in ("add", "sub") for b in (np.ones((3, 3)), M, V, 2.0)],
    ("sub", (np.ones((3, 3)), A), {}),
    *[(name, (a, axis), {}) for name in ("sum", "mean", "max", "nanmin") for a in (A, WIDE) for axis in AXES],
    *[(name, (a, k), {}) for name in ("trace", "diagonal") for a in (A, WIDE) for k in (0, 1, -2, 7)],
    *[("toarray", (A, order), {}) for order in (None, "F")],
    *[("linalg.norm", (A, p, axis), {}) for p in (None, "fro", 1, np.inf, 2, 3) for axis in AXES],
    *[(f"linalg.{name}", (A, b), {}) for name in ("spsolve", "expm_multiply") for b in (V, M, V[:, None], V[:2])],
    *[("linalg.spsolve_triangular", (A, b, False), {}) for b in (V, M, V[:, None], V[:2])],
]


def packed(item, dtype):
    """Give a sparse operand as a device has it: a tuple of arrays, of which the first is cast with the others."""
    if not scipy.sparse.issparse(item):
        return item
    format, shape, (data, *where) = pack(item)
    return format, shape, (agreement.cast(data, dtype), *where)


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _, _ in CALLS))
def test_rules_agree_with_scipy(name):
    op, calls = get_op(f"sparse.{name}"), [(args, kwargs) for one, args, kwargs in CALLS if one == name]
    dtypes = [np.dtype(char) for char in ("fdiF" if name not in ("max", "nanmin") else "fdi")]
    if name.startswith("linalg") and name != "linalg.norm":
        dtypes.remove(np.dtype("i"))
    for dtype in dtypes:
        assert [line for args, kwargs in calls for line in disagreements(op, [packed(x, dtype) for x in args], kwargs, [dtype])] == []
    assert any(waits(op, [packed(x, np.dtype("d")) for x in args], kwargs, "d") for args, kwargs in calls)


def test_what_gives_sparse_arrays_runs_at_once():
    kinds = [type(get_op(f"sparse.{name}").rule) for name in ("neg", "tocsc", "csr_array", "kron", "sin", "linalg.inv", "linalg.splu")]
    assert set(kinds) == {Dynamic}
    assert [op.name for op in all_ops() if op.name.startswith("sparse.") and op.rule is None] == []


def test_products_wait():
    a = xp.scipy.sparse.csr_array(A.astype(np.float32)).to_device("sim:trn2")
    with xp.config(fallback="error"):
        x = xp.asarray(V, dtype="float32", device="sim:trn2") * 2
        y = (a @ (a @ x)) + (x @ a)
        assert len(xp.explain(y).steps) == 1
        np.testing.assert_allclose(y.to_device("cpu"), A @ (A @ (2 * V)) + (2 * V) @ A, rtol=16 * 2**-24)  # sums of three
        with pytest.raises(ValueError, match="."):
            a @ x[:2]
