"""Rules of products of the main namespace against NumPy."""

import numpy as np
import pytest

from . import agreement
from .agreement import disagreements, waits

V, M, T = np.arange(1.0, 4.0), np.arange(12.0).reshape(4, 3), np.arange(24.0).reshape(2, 3, 4)
EACH = (2.0, V, M, M.T, T, np.ones(()))
SUMMATIONS = [
    *[("ij,jk->ik", M, M.T), ("ij,jk", M, M.T), ("ij,kj", M, M), ("ii", M[:3]), ("ii->i", M[:3]), ("ij->", M), ("ij->ji", M)],
    *[("...i,i", T.mT, V), ("...i,...i->...", T, M.T), ("i...j,j->...i", T, M[:, 0]), ("ab...,bc->ac...", T, M.T)],
    *[("ba,cb", M, M.T), ("i,j", V, V), ("i,i", V, V), (" i j , j -> i ", M, V), ("ij,j->j", M, V), ("abc->cb", T)],
    *[("ij,jk->ik", M, M), ("ij->ii", M), ("ij->k", M), ("i", M), ("ij,k", M), ("...i->i", M), ("i1", M), ("ij,j", M, V[:1])],
]
SUMMED = (0, 1, 2, 3, (1, 1), ((0, 1), (1, 0)), (-1, 0), (5, 0))
CALLS = [
    *[(name, (a, b), {}) for name in ("dot", "inner", "vdot", "outer", "kron") for a in EACH for b in EACH],
    *[("tensordot", (a, b, axes), {}) for a, b in ((T, M), (M, T), (M, M), (V, V)) for axes in SUMMED],
    *[("cross", (a, b), {"axis": axis}) for a, b in ((V, V), (M, V), (M.T, M.T), (M, M[:1]), (T, V)) for axis in (-1, 0, 1, None)],
    *[("cross", (M, M.T), {"axisa": 1, "axisb": 0, "axisc": axis}) for axis in (0, 1, 2)],
    *[("trace", (x, offset, *axes), {}) for x in (M, T, V) for offset in (0, -1, 9) for axes in ((), (1, 0), (-1, 0), (0, 0), (0, 3))],
    *[("trace", (M,), {"dtype": np.dtype(dtype)}) for dtype in "fd"],
    *[("einsum", (one, *operands), {}) for one, *operands in SUMMATIONS],
    *[("einsum", ("ij,jk", M, M.T), options) for options in ({"optimize": True}, {"dtype": np.dtype("D")}, {"dtype": np.dtype("b")})],
    *[("matrix_transpose", (x,), {}) for x in (M, T, V)],
    *[("einsum_view", (M[:3], "ii->i"), {}), ("einsum_view", (T, "abc->cab"), {})],
]  # fmt: skip


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _, _ in CALLS))
def test_rules_agree_with_numpy(name):
    calls = [(args, kwargs) for one, args, kwargs in CALLS if one == name]
    assert [line for args, kwargs in calls for line in disagreements(name, args, kwargs)] == []
    assert disagreements(name, *calls[0], dtypes=agreement.DTYPES) == []
    assert any(waits(name, args, kwargs) for args, kwargs in calls)


def test_most_summations_wait():
    assert sum(waits("einsum", summation) for summation in SUMMATIONS) == len(SUMMATIONS) - 7  # those that NumPy refuses
