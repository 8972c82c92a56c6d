"""32-bit integers are those of NumPy whatever GpSimd does beyond their range: the plan depends on what the self-test says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.neuron.launch.launcher import LaunchError
from trnarray.backends.neuron.selftest import kept
from trnarray.backends.simulator.knobs import Knobs

DTYPES = ["int32", "uint32"]
READINGS = ["wrap", "saturate"]
CALLS = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "square": lambda x, y: x**2 + y**2,
    "power": lambda x, y: x ** (y & 63),
    "lcm": np.lcm,
    "with a number": lambda x, y: x * 65537 + y * 3 - 100,
    "sums": lambda x, y: (np.sum(x, dtype=x.dtype), np.prod(y, dtype=y.dtype), np.cumsum(x, dtype=x.dtype)),
}


def boundary(dtype):
    """All pairs of numbers around powers of two and the ends of the range."""
    limits = np.iinfo(dtype)
    powers = [sign * 2**power + more for sign in (-1, 1) for power in (0, 8, 15, 16, 17, 23, 24, 25, 31) for more in (-1, 0, 1)]
    numbers = np.array(sorted({number for number in (limits.min, limits.max, *powers) if limits.min <= number <= limits.max}), dtype)
    return [grid.ravel() for grid in np.meshgrid(numbers, numbers)]


def assert_same(call, x, y, reading):
    with simulator.options("trn2", knobs=Knobs(gpsimd_overflow=reading)), xp.config(fallback="error"):
        found = call(*(xp.asarray(operand, device="sim:trn2") for operand in (x, y)))
        found = [np.asarray(part.to_device("cpu")) for part in (found if isinstance(found, tuple) else (found,))]
    with np.errstate(all="ignore"):
        expected = call(x, y)
    for one, other in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", CALLS)
def test_boundaries(call, dtype, reading):
    assert_same(CALLS[call], *boundary(dtype), reading)


@settings(max_examples=15)
@given(st.sampled_from(DTYPES), st.data())
def test_any_numbers(dtype, data):
    limits = np.iinfo(dtype)
    numbers = st.lists(st.integers(int(limits.min), int(limits.max)), min_size=4, max_size=4)
    x, y = (np.array(data.draw(numbers), dtype) for _ in range(2))
    assert_same(lambda x, y: (x + y, x - y, x * y, np.gcd(x, y)), x, y, data.draw(st.sampled_from(READINGS)))


class Silent:
    """A launcher on which no probe runs."""

    name, target, conditions = "silent", "trn2", ""

    def call(self, kernel, arrays):
        raise LaunchError("refused")


def test_what_nobody_knows_is_not_taken_to_wrap():
    assert not kept.wraps("sim:none", Silent())


def test_the_probe_runs_once(monkeypatch):
    calls = []
    monkeypatch.setattr(kept, "_measured", lambda *given: calls.append(given) or kept.Facts(gpsimd_overflow="wrap"))
    assert kept.wraps("sim:once", Silent())
    assert kept.wraps("sim:once", Silent())
    assert len(calls) == 1


def test_float64_that_is_wrong_is_refused(monkeypatch):
    x = xp.asarray(np.ones(9), device="sim:trn2")
    for facts, reason in (
        (kept.Facts(gpsimd_overflow="saturate", doubles=False), "32-bit integers of GpSimd wrap"),
        (kept.Facts(gpsimd_overflow="wrap", doubles=False), "products and exponentials of float64 right"),
        (kept.Facts(gpsimd_overflow="wrap"), "products and exponentials of float64 right"),
    ):
        monkeypatch.setattr(kept, "_of_some", lambda *_, facts=facts: facts)
        with pytest.raises(RuntimeError, match=reason):
            np.asarray((x / np.float64(7.0 + len(reason)) + x).to_device("cpu"))
        with xp.config(float64="host", fallback="allow"):
            assert np.asarray((x + x).to_device("cpu"))[0] == 2.0
