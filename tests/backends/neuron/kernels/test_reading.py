"""Strided reads of stages over rows: whole pieces by DMA, views of them on chip, several reads of one piece, and tiles that suit them."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.neuron.costs import Costs
from trnarray.backends.neuron.kernels.reading import reading

TARGETS = ("trn1", "trn2", "trn3")


def on(target, array):
    return xp.asarray(array, device=f"sim:{target}")


def off(array):
    return np.asarray(array.to_device("cpu"))


def seconds(*results):
    return sum(step.prediction.seconds for step in xp.explain(*results).steps)


@st.composite
def keys(draw, shape):
    """An index of slices that keep something."""
    key = []
    for length in shape:
        first = draw(st.integers(0, min(3, length - 1)))
        key.append(slice(first, None, draw(st.sampled_from([1, 1, 2, 3, 7, -1, -2]))))
        if key[-1].step < 0:
            key[-1] = slice(length - 1 - first, None, key[-1].step)
    return tuple(key)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_strided_reads_are_as_numpy(data):
    shape = data.draw(st.sampled_from([(40,), (7, 33), (130, 9), (5, 6, 11), (3, 4, 5, 6), (2, 3, 2, 3, 4)]))
    dtype = data.draw(st.sampled_from(["float32", "int32", "uint8", "int16", "bfloat16"]))
    x = np.random.default_rng(0).integers(0, 100, shape).astype(np.dtype(getattr(xp, dtype)))
    axes = data.draw(st.permutations(range(len(shape))))
    one = data.draw(keys(shape))
    target = data.draw(st.sampled_from(TARGETS))
    views = [x[one].transpose(axes)]
    if data.draw(st.booleans()):
        pairs = zip(one, shape, strict=True)
        other = tuple(slice(key.start + 1, None, key.step) if key.step > 0 and key.start + 1 < n else key for key, n in pairs)
        views.append(x[other].transpose(axes))
    least = tuple(slice(0, min(lengths)) for lengths in zip(*(view.shape for view in views), strict=True))

    def compute(array, total=None):
        for number in range(len(views)):
            key = one if number == 0 else other
            part = array[key].transpose(axes)[least]
            total = part if total is None else total + part
        return total + total

    np.testing.assert_array_equal(off(compute(on(target, x))), compute(x))
    reduced = tuple(range(len(shape)))[-data.draw(st.integers(1, len(shape))) :]
    np.testing.assert_array_equal(off(compute(on(target, x)).max(axis=reduced)), compute(x).max(axis=reduced))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.sampled_from([1, 2, 5]))
@example(3, 4, 5, 1)
@example(4, 3, 5, 1)
@example(3, 20, 5, 1)
def test_one_plan_serves_reads_as_far_apart(first, second, third, step):
    """Plans are kept by the distance of reads that are near, and launches bring the offsets of others."""
    x = np.arange(300, dtype=np.float32) ** 2
    a = on("trn2", x)
    parts = [x[begin : begin + 100 * step : step][:50] for begin in (first, second, third)]
    found = [a[begin : begin + 100 * step : step][:50] for begin in (first, second, third)]
    np.testing.assert_array_equal(off(found[0] + 2 * found[1] - found[2]), parts[0] + 2 * parts[1] - parts[2])


def test_windows_that_are_written_over():
    """A stage may write to the memory that it reads in windows: each element from the old values."""
    x = np.arange(5000, dtype=np.float32)
    a = on("trn2", x)
    for array in (x, a):
        array[1:-1] = array[:-2] + 2 * array[2:]
        array[1:-1] = array[:-2] + 2 * array[2:]
    np.testing.assert_array_equal(off(a), x)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    ("shape", "compute", "elements"),
    [
        ((1 << 20,), lambda x: x[::2].copy(), 1.5 * (1 << 20)),
        ((1 << 20,), lambda x: x[::2] + x[1::2], 1.5 * (1 << 20)),
        ((1024, 1024), lambda x: x[:, ::2].copy(), 1.5 * (1 << 20)),
        ((1024, 1024), lambda x: x.reshape(512, 2, 512, 2).max(axis=(1, 3)), 1.25 * (1 << 20)),
        ((1 << 20,), lambda x: x[1:] - x[:-1], 2.0 * (1 << 20)),
    ],
)
def test_time_of_strided_reads(target, shape, compute, elements):
    """Twice the time that DMA takes for the rows that are touched, and 10 us."""
    costs = Costs(target)
    result = compute(on(target, np.zeros(shape, np.float32)))
    assert seconds(result) <= 2e-9 * costs.moves(0, 0, 4 * elements) + 10e-6


def test_what_lies_between_is_fetched_where_that_is_faster():
    costs = Costs("trn2")
    near, far = reading(costs, ((2, 1000),), 0, 4), reading(costs, ((100_000, 10),), 0, 4)
    assert (near.outer, near.span, near.view) == ((), 1999, ((2, 1000),))
    assert (far.outer, far.span, far.view) == (((100_000, 10),), 1, ((1, 10),))
    sliding = reading(costs, ((1, 500), (1, 9)), 0, 4)
    assert (sliding.outer, sliding.span, sliding.view) == ((), 508, ((1, 500), (1, 9)))
