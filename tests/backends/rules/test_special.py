"""Rules of special functions against SciPy."""

import numpy as np
import pytest

import trnarray.special
from trnarray.backends.op import all_ops
from trnarray.backends.ops.special import scipy_ufunc
from trnarray.backends.rules import UfuncRule
from trnarray.scipy import special

from . import agreement
from .agreement import disagreements, waits

X = np.arange(1.0, 7.0).reshape(2, 3)
COLUMN = np.ones((2, 1))

CALLS = {
    "polygamma": [((2, X), {}), ((COLUMN, X), {}), ((np.int32([[1], [0]]), X), {}), ((np.ones(5), X), {})],
    "multigammaln": [((X + 3, 2), {}), ((X, 0), {}), ((X, 1.5), {}), ((X + 3, COLUMN), {})],
    "zeta": [((X + 1,), {}), ((X + 1, X), {}), ((X + 1, COLUMN), {}), ((2, X), {}), ((X + 1, 2.0), {}), ((X, np.ones(5)), {})],
    "logsumexp": [
        ((X,), options)
        for options in (
            {}, {"axis": 0}, {"axis": (0, 1), "keepdims": True}, {"axis": -1, "b": COLUMN}, {"axis": 0, "return_sign": True}, {"axis": 4},
            {"axis": (0, 0)},
        )
    ],
    **{name: [((X,), {"axis": axis}) for axis in (None, 0, (0, 1), 4)] for name in ("softmax", "log_softmax")},
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_functions(name):
    assert [line for args, kwargs in CALLS[name] for line in disagreements(f"special.{name}", args, kwargs, agreement.DTYPES)] == []
    assert waits(f"special.{name}", *CALLS[name][0])


def test_universal_functions():
    # Not what other tests asked SciPy for: of these numbers it looks for values of spheroidal functions without an end.
    names = set(trnarray.special.__all__) - set(CALLS)
    ops = [op for op in all_ops() if op.name.startswith("special.") and op.name[8:] in names]
    assert trnarray.special.bdtr.op in ops
    ops += [function.op for function in (special.eval_hermite, special.eval_hermitenorm, special.hyp0f1) if function.op not in ops]
    for op in ops:
        assert isinstance(op.rule, UfuncRule)
        number = op.rule.operands
        assert disagreements(op, [X[0]] * number, dtypes=agreement.DTYPES) == []
        if number > 1:
            wide_first = scipy_ufunc(op.name[8:]).types[0][0] == "d"  # which NumPy takes beside a number of Python's, as in SciPy 1.17
            for first in ([] if wide_first else [2]) + [np.int32([1, 2, 3])]:
                assert disagreements(op, [first, *[X[0]] * (number - 1)]) == []
            assert disagreements(op, [*[X[0]] * (number - 1), np.ones((2, 1), np.int32)]) == []
