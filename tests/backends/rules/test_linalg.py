"""Rules of linear algebra against NumPy."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.op import get_op
from trnarray.backends.ops import linalg
from trnarray.backends.promotion import NEURON, NUMPY
from trnarray.backends.rules import Dynamic, NeedsValueError, signature_of

from . import agreement
from .agreement import disagreements, waits

HOSTS = {linalg.inv: np.linalg.inv, linalg.cholesky: np.linalg.cholesky, linalg.det: np.linalg.det, linalg.solve: np.linalg.solve}
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


@pytest.mark.parametrize("op", HOSTS, ids=lambda op: op.name)
@given(data=st.data())
@settings(max_examples=40)
def test_rule_says_what_numpy_does(op, data):
    rule, arrays = op.rule, data.draw(operands(2 if op is linalg.solve else 1))
    assert outcome(lambda *arrays: rule(NUMPY, *arrays), *arrays) == outcome(HOSTS[op], *arrays)


def test_sequences_and_numbers_are_operands():
    assert signature_of(NUMPY, [np.ones(2, np.float32), np.ones(2, np.int8)]) == ((2, 2), np.float32)
    assert signature_of(NUMPY, 2) == ((), np.int64)
    with pytest.raises(TypeError, match="a sequence of numbers"):
        signature_of(NUMPY, "abc")


def test_dynamic_says_why():
    with pytest.raises(NeedsValueError, match="its length"):
        Dynamic("its length is a count")(NUMPY, np.ones(2), axis=0)


M = np.round(4 * np.random.default_rng(0).standard_normal((3, 3)))
S = M @ M.T + 3 * np.eye(3)
STACK, TALL, V = np.stack([S, S + np.eye(3)]), np.ones((2, 4, 3)) + np.arange(3), np.arange(1.0, 4.0)
TENSOR = np.eye(24).reshape(6, 4, 2, 3, 4)

CALLS = [
    *[(f"linalg.{name}", (x,), {}) for name in ("inv", "det", "slogdet", "eigh", "eigvalsh", "cholesky") for x in (S, STACK, TALL, V)],
    *[(f"standard.linalg.{name}", (x,), {}) for name in ("eig", "eigvals", "pinv", "matrix_rank") for x in (S, STACK)],
    *[(f"linalg.{name}", (x,), {}) for name in ("svdvals", "svd", "pinv", "qr", "cond") for x in (STACK, TALL, TALL.mT, V)],
    *[("linalg.qr", (x, mode), {}) for x in (TALL, TALL.mT) for mode in ("r", "raw", "complete", "no mode")],
    *[("linalg.svd", (x, *flags), {}) for x in (TALL, TALL.mT) for flags in ((False,), (True, False))],
    *[("linalg.svd", (x, True, True, True), {}) for x in (STACK, TALL)],
    *[("linalg.cond", (x, p), {}) for x in (STACK, TALL) for p in (-2, 1, "fro", 3)],
    *[("linalg.norm", (x, p, axis, p == 1), {}) for x in (V, M, STACK) for p in (None, 1, "fro") for axis in (None, -1, (1, 0), (0, 0), 5)],
    *[("linalg.matrix_norm", (x,), {"ord": p}) for x in (V, STACK) for p in ("nuc", 2, 3)],
    *[("standard.linalg.vector_norm", (STACK,), {"axis": axis, "keepdims": True}) for axis in (None, 1, (0, -1), (0, 0), 3)],
    *[("linalg.solve", (a, b), {}) for a in (S, STACK[:, None], TALL) for b in (V, TALL.mT, STACK, np.ones(()), np.ones(4))],
    *[("linalg.lstsq", (a, b), {}) for a, b in ((S, V), (TALL[0].T, M), (TALL[0], np.ones(4)), (S, np.ones(4)))],
    *[("linalg.matrix_power", (x, n), {}) for x, n in ((STACK, 2), (STACK, 0), (STACK, -1), (TALL, 2), (S, 1.5))],
    *[("linalg.cross", (V, x), {"axis": axis}) for x in (V, np.ones((2, 3)), np.ones((2, 2))) for axis in (-1, 2)],
    *[(f"linalg.{name}", (x,), {"offset": k}) for name in ("diagonal", "trace") for x in (TALL, V) for k in (0, 1, -2, 9)],
    *[("linalg.multi_dot", (list(chain),), {}) for chain in ((V, S), (V, S, V), (TALL[0], S, V), (V,), (V, TALL[0]))],
    *[("linalg.outer", (V, x), {}) for x in (V, S)],
    *[("linalg.tensorinv", (TENSOR.reshape(6, 4, 24), ind), {}) for ind in (2, 1, 0)],
    *[("linalg.tensorsolve", (TENSOR, x), {"axes": axes}) for x in (np.ones((6, 4)), np.ones(5)) for axes in (None, (0,), (9,))],
    *[("linalg.pinv", (STACK, x), {}) for x in (1e-3, np.ones(2), np.ones((3, 1)))],
    *[("linalg.matrix_rank", (STACK, x), {}) for x in (None, 1e-3, np.ones(2))],
]


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _, _ in CALLS))
def test_rules_agree_with_numpy(name):
    calls = [(args, kwargs) for one, args, kwargs in CALLS if one == name]
    assert [line for args, kwargs in calls for line in disagreements(name, args, kwargs)] == []
    assert any(waits(name, args, kwargs) for args, kwargs in calls)


def test_dtypes():
    for name in ("inv", "slogdet", "eigh", "svd", "norm", "qr", "cond", "matrix_power", "trace", "multi_dot"):
        args = {"matrix_power": (S, 2), "multi_dot": ([S, S],)}.get(name, (S,))
        assert disagreements(f"linalg.{name}", args, dtypes=agreement.DTYPES[1:]) == []


@pytest.mark.parametrize("name", ["linalg.eig", "linalg.eigvals"])
def test_eigenvalues_of_real_matrices_need_values(name):
    assert disagreements(name, (S,), dtypes=[np.dtype("F"), np.dtype("D")]) == []
    assert not waits(name, (S,))


def test_residuals_need_the_rank():
    assert not waits("linalg.lstsq", (TALL[0], np.ones(4)))


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("linalg.eigh", {"UPLO": "X"}, "UPLO is 'X'"),
        ("linalg.cond", {"p": 3}, "p is 3"),
        ("linalg.tensorinv", {"ind": 0}, "ind is 0"),
    ],
)
def test_arguments_that_are_refused_where_the_call_is_made(name, options, message):
    """NumPy's errors are of the same type."""
    a = np.eye(2, dtype=np.float32)
    with pytest.raises(ValueError, match="."):
        getattr(np.linalg, name.partition(".")[2])(a, **options)
    with pytest.raises(ValueError, match=message):
        get_op(name).rule(NEURON, a, **options)
