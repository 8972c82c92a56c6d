"""Calls of functions whose Ops have rules: errors in arguments appear at the call, and nothing is computed before a value is needed."""

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.signal
import scipy.special

import trnarray as xp
import trnarray.scipy.linalg
import trnarray.scipy.signal
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for

DEVICE = "sim:trn2"
S, TALL, V = np.float32([[4, 1, 0], [1, 5, 2], [0, 2, 6]]), np.ones((4, 3), np.float32), np.float32([1, 2, 3])
ours, theirs = trnarray.scipy, scipy

WRONG = {
    "inverse of what is not square": (lambda m, a: m.linalg.inv(a(TALL)), lambda: np.linalg.inv(TALL)),
    "axis of a transform": (lambda m, a: m.fft.fft(a(V.astype("f8")), axis=3), lambda: np.fft.fft(V, axis=3)),
    "rows of a right-hand side": (lambda m, a: m.linalg.solve(a(S), a(TALL)), lambda: np.linalg.solve(S, TALL)),
    "axes of a norm": (lambda m, a: m.linalg.norm(a(S.astype("f8")), axis=(0, 0)), lambda: np.linalg.norm(S, axis=(0, 0))),
    "chain": (lambda m, a: m.linalg.multi_dot([a(S), a(TALL)]), lambda: np.linalg.multi_dot([S, TALL])),
    "structure": (lambda _, a: ours.linalg.solve(a(S), a(V), assume_a="odd"), lambda: theirs.linalg.solve(S, V, assume_a="odd")),
    "bands": (lambda _, a: ours.linalg.solve_banded((1, 2), a(S), a(V)), lambda: theirs.linalg.solve_banded((1, 2), S, V)),
    "mode": (lambda _, a: ours.linalg.qr(a(S), mode="odd"), lambda: theirs.linalg.qr(S, mode="odd")),
    "ranks": (
        lambda _, a: ours.linalg.eigh(a(S), subset_by_index=(1, 7)),
        lambda: theirs.linalg.eigh(S, subset_by_index=(1, 7)),
    ),
    "window": (
        lambda _, a: ours.signal.welch(a(V), window="odd", nperseg=2),
        lambda: theirs.signal.welch(V, window="odd", nperseg=2),
    ),
    "state": (lambda _, a: ours.signal.lfilter(a(V), a(V), a(V), zi=a(V)), lambda: theirs.signal.lfilter(V, V, V, zi=V)),
    "padding": (lambda _, a: ours.signal.filtfilt(a(V), a(V), a(V)), lambda: theirs.signal.filtfilt(V, V, V)),
    "order": (lambda m, a: m.special.multigammaln(a(V), 1.5), lambda: theirs.special.multigammaln(V, 1.5)),
}

RIGHT = [
    lambda x, v: abs(xp.linalg.svd(x)[0]),  # the signs of its vectors are open
    lambda x, v: xp.linalg.pinv(x),
    lambda x, v: ours.linalg.lu_factor(x),
    lambda x, v: ours.linalg.cho_solve(ours.linalg.cho_factor(x), v),
    lambda x, v: ours.linalg.lu_solve(ours.linalg.lu_factor(x), v),
    lambda x, v: ours.linalg.expm(x / 8),
    lambda x, v: ours.linalg.solve_toeplitz(v + 4, v),
    lambda x, v: xp.special.yn(2, v),
]


@pytest.fixture(autouse=True)
def allowed():
    with xp.config(fallback="allow"):
        yield


def array(x):
    return xp.asarray(x, device=DEVICE) * 1


@pytest.mark.parametrize("name", WRONG)
def test_errors_are_those_of_the_host_at_the_call(name):
    our_call, their_call = WRONG[name]
    with pytest.raises((ValueError, TypeError, IndexError)) as expected:
        their_call()
    with pytest.raises(expected.type):
        our_call(xp, array)


@pytest.mark.parametrize("call", RIGHT)
def test_nothing_is_computed_before_a_value_is_needed(call):
    engine, x, v = engine_for(parse_device(DEVICE)), array(S), array(V)
    found = call(x, v)
    assert all(cell.node.buffer is None for cell in x._value.cells), "the operand was fetched"
    results = found if isinstance(found, tuple) else (found,)
    expected = call(xp.asarray(S), xp.asarray(V))
    for got, wanted in zip(results, expected if isinstance(expected, tuple) else (expected,), strict=True):
        np.testing.assert_allclose(got.to_device("cpu"), wanted, rtol=64 * 2**-24, atol=64 * 2**-24)  # the host computes both in float32
    assert not engine.graph.draws
