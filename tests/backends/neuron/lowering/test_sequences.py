"""Sequences of Arrays become Arrays of their device, without a step on the host; references are NumPy's."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
MADE = {  # of a function that makes an array, Arrays or ndarrays
    "vectors": lambda a: [a([1.5, 2.0]), a([3.0, -0.0])],
    "scalars beside numbers": lambda a: [a(1.5), 2, True],
    "nested": lambda a: ((a(1), 2), (a(3.5), a(4))),
    "lists beside arrays": lambda a: [range(3), a([4, 5, 6]), [7, a(8), 9]],
    "an array of one axis more": lambda a: [a([[1, 2]]), [[3, a(4)]]],
    "no elements": lambda a: [a([]), a([])],
    "truth values": lambda a: [a(True), False],
    "truth values and integers": lambda a: [a(True), 3],
    "complex numbers": lambda a: [a(1 + 2j), a(2.0), 3],
    "NumPy's numbers": lambda a: [a([1, 2]), np.array([3, 4], np.int16), [np.int8(5), 6]],
    "integers of several signs": lambda a: [a(np.uint64(1)), -1],
}
CALLS = {
    "asarray, dtype": lambda m, a: m.asarray([a([1.75, -2.25]), [3.5, 4]], dtype=np.int16),
    "asarray, truth": lambda m, a: m.asarray([a(1j), 0], dtype=bool),
    "asarray, order": lambda m, a: m.asarray([a([1, 2]), a([3, 4])], order="F"),
    "mean": lambda m, a: m.mean([a([1.0, 2]), a([4.0, 8])], axis=0),
    "max": lambda m, a: m.max([a(1.0), a(3.0), 2.0]),
    "operator": lambda m, a: a([1.0, 2.0]) - [a(3.0), a(4.0)],
    "where": lambda m, a: m.where(a([True, False]), [a(1.0), a(2.0)], 0.5),
    "solve": lambda m, a: m.linalg.solve([[a(2.0), 0.0], [0.0, a(4.0)]], [a(1.0), a(1.0)]),
    "take": lambda m, a: m.take(a([1, 2, 3]), [a(2), a(0)]),
    "index": lambda m, a: a([[1, 2], [3, 4]])[[a(0), 1], [a(1), a(0)]],
    "mask": lambda m, a: a([1, 2])[[a(True), a(False)]],
    "choose": lambda m, a: m.choose([a(0), a(1)], [a([1, 2]), a([3, 4])]),
    "histogram": lambda m, a: m.histogram(a([1.0, 2, 3]), bins=[a(0.0), a(2.0), a(4.0)])[0],
}


@pytest.fixture(autouse=True)
def _settings():
    with xp.config(default_device=DEVICE, fallback="error", defaults="numpy"):
        yield


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_an_array_of_a_sequence(make):
    made = xp.asarray(make(xp.asarray))
    assert made.device == xp.Device(DEVICE)
    np.testing.assert_array_equal(np.asarray(made.to_device("cpu")), np.asarray(make(np.asarray)), strict=True)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_operands_that_are_sequences(call):
    np.testing.assert_array_equal(np.asarray(call(xp, xp.asarray).to_device("cpu")), call(np, np.asarray), strict=True)


def test_what_is_pending_stays_so():
    x = xp.asarray([1.0, 2.0, 3.0])
    stacked = xp.asarray([(x * scale).sum() for scale in range(3)])
    assert "none of it has run" in str(xp.explain(stacked))
    assert stacked.to_device("cpu").tolist() == [0.0, 6.0, 12.0]


def test_elements_are_assigned_from_arrays():
    x = xp.zeros(4)
    x[[xp.asarray(1), 2]] = [xp.asarray(5.0), 6]
    assert x.to_device("cpu").tolist() == [0, 5, 6, 0]


def test_the_result_does_not_alias():
    x = xp.zeros(2)
    made = xp.asarray([x])
    x[0] = 5.0
    assert made.to_device("cpu").tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: xp.asarray([xp.ones(2), xp.ones(3)]), ValueError, "ragged"),
        (lambda: xp.asarray([xp.ones(2), 3.0]), ValueError, "ragged"),
        (lambda: xp.asarray([xp.asarray(1j), 2], dtype=np.float32), TypeError, "take their real parts first"),
        (lambda: xp.asarray([xp.asarray(1, dtype="i1"), 300], dtype="i1"), OverflowError, "300"),
        (lambda: xp.asarray([xp.ones(2)], copy=False), ValueError, "copy=False"),
        (lambda: xp.asarray([xp.ones(2), xp.ones(2, device="cpu")]), ValueError, "move them first"),
        (lambda: xp.arange(3)[[xp.asarray(1.0)]], IndexError, "integer or boolean"),
    ],
)
def test_refusals(make, error, match):
    with pytest.raises(error, match=match):
        make()
