"""Keys in the order of numbers, and the network that sorts them, against NumPy."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nl
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.neuron.kernels.move import gather
from trnarray.backends.neuron.kernels.sort import bitonic as kernel
from trnarray.backends.neuron.kernels.sort.bitonic import sort_rows
from trnarray.backends.simulator.knobs import Knobs

from ..elementwise_harness import FLUSHED, SATURATING, adversarial, apply

RNG = np.random.default_rng(3)
DTYPES = ["float32", "bfloat16", "float16", "int32", "uint32"]


@simulator.jit
def sort(*planes):
    out = [nl.ndarray(plane.shape, nl.float32, buffer=nl.shared_hbm) for plane in planes]
    sort_rows(out, planes)
    return tuple(out)


def check_sort(shape, target):
    first = RNG.integers(-9, 9, shape).astype(np.float32) * np.float32(2.0**-99)
    second = RNG.integers(-(2**24), 2**24, shape).astype(np.float32)
    with simulator.options(target, knobs=FLUSHED):
        (alone,), (both, ties) = sort(first), sort(first, second)
    order = np.lexsort((second, first))
    np.testing.assert_array_equal(alone, np.sort(first))
    np.testing.assert_array_equal(both, np.take_along_axis(first, order, -1))
    np.testing.assert_array_equal(ties, np.take_along_axis(second, order, -1))


@pytest.mark.parametrize("shape", [(1, 2), (3, 7), (300, 64), (1, 100), (5, 300), (1, 5000)])
def test_rows(shape):
    check_sort(shape, "trn2")


@pytest.mark.parametrize(("shape", "free"), [((1, 513), 4), ((3, 1500), 4), ((600, 130), 256), ((12, 500), 64), ((12, 512), 64)])
def test_rows_that_are_more_or_longer_than_what_is_sorted_at_once(shape, free, monkeypatch):
    monkeypatch.setattr(kernel, "_FREE", free)
    monkeypatch.setattr(gather, "_UNROLLED", 0)
    check_sort(shape, "trn2")


@pytest.mark.parametrize("target", ["trn1", "trn3"])
def test_rows_over_partitions_of_other_targets(target):
    check_sort((3, 200), target)


@pytest.mark.parametrize("knobs", [Knobs(), FLUSHED, SATURATING])
@pytest.mark.parametrize("dtype", DTYPES)
def test_keys(dtype, knobs):
    """Keys have the order of the numbers, and give them back."""
    x = adversarial(dtype, RNG, 128 * 40).reshape(128, 40)
    leading, trailing = (apply(EMITTERS[name].loops[dtype], x, knobs=knobs) for name in ("order.leading", "order.trailing"))
    places = 2 * RNG.integers(0, 2**23, x.shape).astype(np.float32)
    assert (np.abs(trailing + places) <= 2**24).all()
    back = apply(EMITTERS[f"order.{dtype}"].loops["float32"], leading, trailing + places, knobs=knobs)
    with np.errstate(invalid="ignore"):  # signalling NaN
        numbers, found = x.astype(np.float64).ravel(), back.astype(np.float64).ravel()
    same = ~np.isnan(numbers)
    np.testing.assert_array_equal(np.isnan(found), ~same)
    np.testing.assert_array_equal(back.view(f"u{x.dtype.itemsize}").ravel()[same], x.view(f"u{x.dtype.itemsize}").ravel()[same])
    ties = trailing.ravel() - (np.signbit(numbers) & (numbers == 0))  # zeros are equal
    np.testing.assert_array_equal(numbers[np.lexsort((ties, leading.ravel()))], np.sort(numbers))
    distinct = np.unique(numbers)
    assert len(np.unique(np.stack([leading.ravel(), ties]), axis=1).T) == len(distinct)
    gaps = np.diff(np.unique(leading.astype(np.float64)))
    assert gaps.min() >= 2.0**-99
    assert np.abs(leading).max() < 2.0**100
