"""Every rule against what the host engine returns."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.dtypes import DTYPES
from trnarray.backends.engine import HOST as HOST_ENGINE
from trnarray.backends.op import Op, all_ops
from trnarray.backends.ops import elementwise as _elementwise  # noqa: F401  # registers the ops
from trnarray.backends.ops import searching as _searching  # noqa: F401
from trnarray.backends.ops import statistical as _statistical  # noqa: F401
from trnarray.backends.promotion import NUMPY
from trnarray.backends.rules import Reduction, UfuncRule, broadcast_shapes

REDUCTIONS = [op for op in all_ops() if isinstance(op.rule, Reduction)]
UNIVERSAL = [op for op in all_ops() if isinstance(op.rule, UfuncRule)]


def outcome(call):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            results = call()
        except TypeError:
            return TypeError
    results = results if type(results) is tuple else (results,)
    return [(x.shape, x.dtype) for x in (np.asarray(x) if type(x) is int else x for x in results)]  # older NumPy counts in int


@pytest.mark.parametrize("op", UNIVERSAL, ids=lambda op: op.name)
def test_elementwise_dtypes(op: Op) -> None:
    assert isinstance(op.rule, UfuncRule)
    for dtypes in itertools.product(DTYPES, repeat=min(op.rule.operands, 2)):
        operands = [np.ones(2, dtype) for dtype in dtypes] + [np.ones(2, dtypes[-1])] * (op.rule.operands - len(dtypes))
        expected = outcome(lambda operands=operands: HOST_ENGINE.run(op, operands, {}))
        inferred = outcome(lambda operands=operands: op.rule(NUMPY, *operands))
        assert inferred == expected, dtypes


@pytest.mark.parametrize("op", REDUCTIONS, ids=lambda op: op.name)
def test_reductions(op: Op) -> None:
    for dtype, axis, keepdims in itertools.product(DTYPES, (None, 1, -1, (0, 2)), (False, True)):
        if op.name.startswith("arg") and isinstance(axis, tuple):
            continue
        operand, keywords = np.ones((2, 3, 4), dtype), {"keepdims": True} if keepdims else {}
        expected = outcome(lambda: HOST_ENGINE.run(op, (operand, axis), keywords))  # noqa: B023  # called at once
        if expected is not TypeError:
            assert op.rule(NUMPY, operand, axis, **keywords) == expected[0], (dtype, axis, keepdims)
            assert op.rule(NUMPY, operand, axis=axis, **keywords) == expected[0]


@given(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=4))
def test_broadcast_shapes(shapes):
    assert broadcast_shapes(*shapes.input_shapes) == shapes.result_shape


@given(st.lists(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), max_size=3))
def test_broadcast_shapes_refuses_what_numpy_refuses(shapes):
    try:
        expected = np.broadcast_shapes(*shapes)
    except ValueError:
        with pytest.raises(ValueError, match="do not broadcast"):
            broadcast_shapes(*shapes)
    else:
        assert broadcast_shapes(*shapes) == expected
