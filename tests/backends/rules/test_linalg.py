"""Rules of linear algebra against NumPy."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.ops import linalg
from trnarray.backends.promotion import HOST
from trnarray.backends.rules import Dynamic, NeedsValueError, signature_of

NUMPY = {linalg.inv: np.linalg.inv, linalg.cholesky: np.linalg.cholesky, linalg.det: np.linalg.det, linalg.solve: np.linalg.solve}
DTYPES = st.sampled_from([np.dtype(char) for char in "?bHilQfdFD"])


@st.composite
def operands(draw, number):
    """Draw arrays of ones, of which the first one often holds square matrices: identities."""
    arrays = []
    for place in range(number):
        shape, dtype = draw(hnp.array_shapes(min_dims=0, max_dims=4, max_side=3)), draw(DTYPES)
        if place == 0 and shape and draw(st.booleans()):
            shape = (*shape[:-1], shape[-1], shape[-1])
        arrays.append(np.eye(*shape[-2:]).astype(dtype) + np.zeros(shape, dtype) if len(shape) > 1 else np.ones(shape, dtype))
    return arrays


def outcome(function, *arrays):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            result = function(*arrays)
        except (ValueError, TypeError) as error:  # a LinAlgError is a ValueError
            return type(error)
    return result.shape, result.dtype


@pytest.mark.parametrize("op", NUMPY, ids=lambda op: op.name)
@given(data=st.data())
@settings(max_examples=40)
def test_rule_says_what_numpy_does(op, data):
    rule, arrays = op.rule, data.draw(operands(2 if op is linalg.solve else 1))
    assert outcome(lambda *arrays: rule(HOST, *arrays), *arrays) == outcome(NUMPY[op], *arrays)


def test_sequences_and_numbers_are_operands():
    assert signature_of(HOST, [np.ones(2, np.float32), np.ones(2, np.int8)]) == ((2, 2), np.float32)
    assert signature_of(HOST, 2) == ((), np.int64)
    with pytest.raises(TypeError, match="a sequence of numbers"):
        signature_of(HOST, "abc")


def test_dynamic_says_why():
    with pytest.raises(NeedsValueError, match="its length"):
        Dynamic("its length is a count")(HOST, np.ones(2), axis=0)
