"""Loops: turns, states and stages, loops within loops, and random bodies against NumPy bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for
from trnarray.backends.ops import linalg
from trnarray.backends.settings import config

DEVICES = ["cpu", "sim:trn1", "sim:trn2", "sim:trn3"]
NEURON = "sim:trn2"
RNG = np.random.default_rng(7)
U = 2.0**-24  # unit roundoff of float32


def host(x):
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(("lower", "upper"), [(0, 0), (3, 1), (0, 1), (-2, 3), (7, 9)])
def test_turns(device, lower, upper):
    x = xp.asarray([1, 2], dtype=xp.int32, device=device)
    found = xp.fori_loop(lower, upper, lambda i, x: 3 * x + i.astype(xp.int32), x)
    expected = np.array([1, 2])
    for number in range(lower, upper):
        expected = 3 * expected + number
    assert host(found).tolist() == expected.tolist()
    found[0] = 9
    assert host(x).tolist() == [1, 2]


@pytest.mark.parametrize("device", DEVICES)
def test_no_turn_of_a_condition(device):
    x = xp.asarray([5.0, 6.0], device=device)
    found = xp.while_loop(lambda x: x[0] < 0, lambda x: x + 1, x)
    found += 1
    assert host(found).tolist() == [6, 7]
    assert host(x).tolist() == [5, 6]


DTYPES = [
    *("bool", "int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_states_of_every_dtype_are_carried(dtype):
    values = (RNG.integers(-100, 100, (2, 5, 3)) * (1 + 3j if "complex" in dtype else 1)).astype(xp.dtype(dtype))
    if "64" in dtype and "complex" not in dtype and dtype != "float64":
        values = values * 2**33 + values
    a, b, c = (xp.asarray(x, device=NEURON) for x in (*values, values[0].T.copy().T))
    one, other, turned = xp.fori_loop(0, 3, lambda i, s: (s[1], s[0], s[2][::-1]), (a, b, c))
    assert one.dtype == other.dtype == xp.dtype(dtype)
    np.testing.assert_array_equal(host(one), values[1])
    np.testing.assert_array_equal(host(other), values[0])
    np.testing.assert_array_equal(host(turned), values[0][::-1])


@pytest.mark.parametrize("dtype", ["int64", "uint64", "complex64"])
def test_states_of_two_words_are_computed_with(dtype):
    start, factor = np.array([3, 5, 2**20], dtype), np.array(3, dtype)
    found = xp.fori_loop(0, 9, lambda i, x: x * xp.asarray(factor, device=NEURON) + x, xp.asarray(start, device=NEURON))
    np.testing.assert_array_equal(host(found), start * factor.dtype.type(4) ** 9)  # exact in these dtypes


@pytest.mark.parametrize("device", DEVICES)
def test_states_without_elements(device):
    empty = xp.zeros((0, 3), dtype=xp.float32, device=device)
    found = xp.fori_loop(0, 4, lambda i, s: (s[0] * 2, s[1] + xp.sum(s[0])), (empty, xp.ones(2, dtype=xp.float32, device=device)))
    assert found[0].shape == (0, 3)
    assert host(found[1]).tolist() == [1, 1]


@pytest.mark.parametrize("device", DEVICES)
def test_states_nest_and_numbers_are_arrays(device):
    state = {"a": [xp.asarray([1.0], device=device), (2, 3.5)], "b": True}
    found = xp.fori_loop(0, 2, lambda i, s: {"a": [s["a"][0] + s["a"][1][0], (s["a"][1][0] + 1, s["a"][1][1])], "b": ~s["b"]}, state)
    assert host(found["a"][0]).tolist() == [6]
    assert [float(host(x)) for x in found["a"][1]] == [4, 3.5]
    assert bool(host(found["b"])) is True


@pytest.mark.parametrize("device", DEVICES)
def test_turns_write_to_what_they_get_and_to_nothing_else(device):
    x = xp.zeros(4, dtype=xp.int32, device=device)

    def body(i, state):
        a, b = state
        a += 1
        b[1:] = a[:-1]
        return b, a

    a, b = xp.fori_loop(0, 3, body, (x, x))
    expected = [np.zeros(4, int), np.zeros(4, int)]
    for _ in range(3):
        p, q = (one.copy() for one in expected)
        p += 1
        q[1:] = p[:-1]
        expected = [q, p]
    assert [host(a).tolist(), host(b).tolist()] == [one.tolist() for one in expected]
    assert host(x).tolist() == [0] * 4


def test_a_loop_is_one_stage_of_one_program(launches):
    base = xp.asarray(RNG.standard_normal((30, 20)).astype(np.float32), device=NEURON)
    xp.synchronize(NEURON)
    start = base * 2
    found = xp.fori_loop(0, 6, lambda i, x: xp.maximum(x, 0) / 2 + base, start)
    total = xp.sum(found, axis=0) + 1
    (step,) = xp.explain(total).steps
    (loop,) = (stage for stage in step.stages if stage.stages)
    assert loop.computes == "loop of 6 turns"
    assert [stage.computes for stage in loop.stages] == ["maximum, divide, add"]
    del launches[:]
    expected = 2 * host(base)
    for _ in range(6):
        expected = np.maximum(expected, 0) / 2 + host(base)
    np.testing.assert_array_equal(host(found), expected)  # the same roundings
    np.testing.assert_allclose(host(total), expected.sum(0, dtype=float) + 1, atol=60 * U)
    assert len(launches) == 1


@pytest.mark.parametrize("kept", [False, True])
def test_a_state_that_nobody_needs_is_updated_in_place(kept):
    start = xp.asarray(RNG.standard_normal(3000).astype(np.float32), device=NEURON)
    xp.synchronize(NEURON)
    found = xp.fori_loop(0, 5, lambda i, x: 0.5 * x, start)
    if not kept:
        del start
    (step,) = xp.explain(found).steps
    assert len(step.stages) == 1 + kept
    assert step.hbm_bytes("updated") == (0 if kept else 4 * 3000)


def test_what_does_not_change_is_computed_once():
    a = xp.asarray(RNG.standard_normal((20, 20)).astype(np.float32), device=NEURON)
    found = xp.fori_loop(0, 5, lambda i, x: x + xp.exp(a.T @ a), a)
    (step,) = xp.explain(found).steps
    (loop,) = (stage for stage in step.stages if stage.stages)
    assert [stage.computes for stage in loop.stages] == ["add"]


def test_numbers_and_first_turns_are_brought_by_the_launch(launches):
    def run(first, number):
        return host(xp.fori_loop(first, first + 3, lambda i, x: number * x + i, xp.ones(4, dtype=xp.float32, device=NEURON)))

    assert run(0, 2.0).tolist() == [12.0] * 4
    assert run(5, 1.0).tolist() == [19.0] * 4
    assert len(launches) == 2
    assert launches[0] is launches[1]


def test_many_turns_have_few_instructions():
    x = xp.ones((130, 300), dtype=xp.float32, device=NEURON)
    few, many = (xp.explain(xp.fori_loop(0, turns, lambda i, x: xp.sin(x) + i, x)).steps[0] for turns in (2, 10**6))
    assert len(few.traced.instructions) == len(many.traced.instructions)
    assert many.prediction.seconds == pytest.approx(10**6 * many.stages[-1].stages[0].prediction.seconds, rel=0.3)


def test_the_explanation_of_a_condition_names_it():
    found = xp.while_loop(lambda x: xp.max(x) < 9, lambda x: x + 1, xp.zeros(5, dtype=xp.float32, device=NEURON), every=4)
    text = str(xp.explain(found))
    assert "launched again after 4 turns, until the condition of while_loop at " in text
    assert "test_loops.py" in text
    assert "loop until a condition does not hold" in text
    assert "at most 4 turns" in text
    assert host(found).tolist() == [9] * 5


def test_loops_are_counted():
    xp.reset_coverage()
    x = xp.ones(3, dtype=xp.float32, device=NEURON)
    host(xp.fori_loop(0, 3, lambda i, x: x + 1, x))
    host(xp.while_loop(lambda x: x[0] < 3, lambda x: x + 1, x))
    native = xp.coverage().native
    assert (native["fori_loop"], native["while_loop"]) == (1, 1)


def test_programs_are_compiled_ahead():
    def run(x):
        return xp.while_loop(lambda x: x[0] < 30, lambda x: x + 1, xp.fori_loop(0, 3, lambda i, x: x * 2, x))

    x = xp.ones(17, dtype=xp.float32, device=NEURON)
    xp.warm(run, x)
    xp.reset_coverage()
    assert host(run(x))[0] == 30
    assert xp.coverage().compilations == ()


def test_loops_between_calls_on_the_host(launches, monkeypatch):
    engine_for(parse_device(NEURON))
    monkeypatch.setattr(linalg.svdvals, "neuron", None)
    matrix = RNG.standard_normal((6, 6)).astype(np.float32)
    with config(fallback="allow"):
        a = xp.asarray(matrix, device=NEURON)
        values, others = xp.linalg.svdvals(a), xp.linalg.svdvals(a.T + 1)
        moved, _ = xp.while_loop(lambda s: s[1] < 5, lambda s: (s[0] + others * a[0], s[1] + 1), (values, 0), every=2)
        halved = xp.fori_loop(0, 3, lambda i, x: x * 0.5 + xp.sum(moved), xp.linalg.svdvals(xp.reshape(moved, (2, 3))))
        found = xp.linalg.svdvals(xp.reshape(halved, (1, 2)))
        found, moved = host(found), host(moved)
    wide = matrix.astype(float)
    expected = np.linalg.svd(wide, compute_uv=False) + 5 * np.linalg.svd(wide.T + 1, compute_uv=False) * wide[0]
    # Singular values are off by some u of the largest; ten of them and their sums are added.
    np.testing.assert_allclose(moved, expected, atol=200 * U * np.abs(expected).max())
    last = np.linalg.svd(expected.reshape(2, 3), compute_uv=False) / 8 + 1.75 * expected.sum()
    np.testing.assert_allclose(found, [np.linalg.norm(last)], atol=1000 * U * np.abs(expected).max())
    assert len(launches) == 6  # before the values, for the first condition, thrice two turns at most, and for the counted loop


# Loops within loops


@pytest.mark.parametrize("device", DEVICES)
def test_loops_nest(device):
    def halved(state):
        return xp.while_loop(lambda s: s[0] > 3, lambda s: (s[0] // 2, s[1] + 1), state)

    def outer(i, state):
        n, count = halved((state[0] * 3 + i.astype(xp.int32), state[1]))
        return xp.fori_loop(0, 2, lambda j, s: (s[0] + j.astype(xp.int32) + i.astype(xp.int32), s[1]), (n, count))

    found = xp.fori_loop(1, 5, outer, (xp.asarray(40, dtype=xp.int32, device=device), xp.asarray(0, dtype=xp.int32, device=device)))
    n, count = 40, 0
    for i in range(1, 5):
        n = 3 * n + i
        while n > 3:
            n, count = n // 2, count + 1
        for j in range(2):
            n += j + i
    assert [int(host(x)) for x in found] == [n, count]


# Bodies of random functions, views, writes and exchanges, bit for bit

NAMES = ["add", "affine", "shifted", "written", "rolled", "reversed", "turned", "largest", "outer", "chosen", "augmented", "number"]
STEPS = st.tuples(st.sampled_from(NAMES), *[st.integers(0, 99)] * 3)


def random_body(m, steps, returned, outside, i, state):
    known = [*state, outside]
    for step, first, second, number in steps:
        x, y = known[first % len(known)], known[second % len(known)]
        if step == "written":
            x = x.copy() if first % len(known) == 3 else x  # not the one from outside
            x[[slice(2, 5), slice(None, None, 2)][number % 2]] += y[[slice(1, 4), slice(1, None, 2)][number % 2]]
        if step == "augmented":
            x = x + 0
            x -= y
        made = {
            "add": lambda x, y, k: x + y,
            "affine": lambda x, y, k: x * (k % 5) - y,
            "shifted": lambda x, y, k: m.concat([y[1:], x[:1]]),
            "rolled": lambda x, y, k: m.roll(x, k % 7 - 3, axis=k % 2),
            "reversed": lambda x, y, k: x[::-1],
            "turned": lambda x, y, k: x.T,
            "largest": lambda x, y, k: x - m.max(y, axis=k % 2, keepdims=True),
            "outer": lambda x, y, k: x + y[:1] - y[:, :1],
            "chosen": lambda x, y, k: m.where(x > y, x, y - 1),
            "number": lambda x, y, k: x + i,
        }.get(step, lambda x, y, k: x)(x, y, number)
        known.append(made)
    return tuple(known[place % len(known)] for place in returned)


@settings(max_examples=20, deadline=None)
@given(
    st.lists(STEPS, min_size=1, max_size=6), st.tuples(*[st.integers(0, 99)] * 3), st.integers(1, 3), st.booleans(), st.integers(0, 2**16)
)
def test_random_bodies(steps, returned, turns, condition, seed):
    arrays = np.random.default_rng(seed).integers(-50, 50, (4, 12, 12)).astype(np.int32)
    *expected, outside = arrays
    for number in range(turns):
        found = random_body(np, steps, returned, outside, np.int32(number), [x.copy() for x in expected])
        expected = [x.copy() for x in found]
    *state, around = (xp.asarray(x, device=NEURON) * 1 for x in arrays)
    if condition:
        found, _ = xp.while_loop(
            lambda s: s[1] < turns, lambda s: (random_body(xp, steps, returned, around, s[1], s[0]), s[1] + 1), (tuple(state), 0), every=2
        )
    else:
        found = xp.fori_loop(0, turns, lambda i, s: random_body(xp, steps, returned, around, i, s), tuple(state))
    for mine, theirs in zip((*found, *state, around), (*expected, *arrays), strict=True):
        np.testing.assert_array_equal(host(mine), theirs)
