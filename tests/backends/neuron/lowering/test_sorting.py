"""Sorting on the device, against the host engine, with no fallback."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.dtypes import canonical_dtype

from .beside_host import DEVICE, REAL, VIEWS, assert_same, place, run, samples


def orders(axis, descending):
    return lambda x: (xp.sort(x, axis=axis, descending=descending), xp.argsort(x, axis=axis, descending=descending))


@pytest.mark.parametrize("dtype", REAL, ids=str)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_sort_and_argsort(dtype, data):
    shape = tuple(data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=3)))
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    view = data.draw(st.sampled_from(list(VIEWS)))
    seed, target = data.draw(st.integers(0, 99)), data.draw(st.sampled_from(["trn1", "trn2", "trn3"]))
    assert_same(orders(axis, data.draw(st.booleans())), samples(shape, dtype, seed), views=(view,), device=f"sim:{target}")


@pytest.mark.parametrize("dtype", ["float32", "uint32"])
def test_bits_of_numbers(dtype):
    """Equal but for their last bits, and subnormal: float32 arithmetic tells neither apart."""
    words = np.random.default_rng(1).integers(0, 2**32, 700, dtype=np.uint32)
    words[::3] = words[0] & 0xFFFFFF00 | np.arange(234) % 256
    words[1::7] &= 0x807FFFFF
    with np.errstate(invalid="ignore"):
        for descending in (False, True):
            assert_same(orders(0, descending), words.view(dtype))


def test_in_place_and_partitions():
    x = samples((6, 7), np.dtype(np.float32))
    y = place(x, "sim:trn2")
    with xp.config(fallback="error", host_transfer="allow"):
        y[:, ::2].sort(axis=0)
        assert np.array_equal(np.sort(x[:, ::2], axis=0), y[:, ::2], equal_nan=True)
        assert np.array_equal(x[:, 1::2], y[:, 1::2], equal_nan=True)
        y.partition((1, 3))
        order = np.asarray(xp.argpartition(y, 2, axis=0))
        assert np.array_equal(np.sort(x[:, ::2], axis=0)[:, 0].shape, (6,))
        for column in range(7):
            part = np.asarray(y[:, column])[order[:, column]]
            assert not (part[:2] > part[2]).any()
            assert not (part[3:] < part[2]).any()
        assert xp.partition(y, 5, axis=None).shape == (42,)
        with pytest.raises(ValueError, match=r"kth\(=7\) out of bounds \(7\)"):
            xp.partition(y, 7)


def complex_numbers(shape):
    rng = np.random.default_rng(5)
    result = np.empty(shape, np.complex64)
    result.real, result.imag = (rng.choice(np.float32([0.0, -0.0, np.nan, np.inf, 1, 2]), shape) for _ in range(2))
    return result


@pytest.mark.parametrize("descending", [False, True])
def test_complex_numbers(descending):
    with np.errstate(invalid="ignore"):
        assert_same(orders(0, descending), complex_numbers((7, 5)), views=("transposed",))


@pytest.mark.parametrize("mode", ["largest", "smallest"])
def test_topk(mode):
    for dtype, k, axis in (("float32", 3, 0), ("int8", 1, 1), ("bfloat16", 2, -1), ("uint32", 7, 0), ("int16", 0, 0), ("complex64", 2, 0)):
        x = complex_numbers((7, 5)) if dtype == "complex64" else samples((7, 5), canonical_dtype(dtype))
        with np.errstate(invalid="ignore"):
            assert_same(lambda x, k=k, axis=axis: tuple(xp.topk(x, k, axis=axis, mode=mode)), x)
    for device in ("cpu", DEVICE):
        with pytest.raises(ValueError, match="from 0 to 5 elements"):
            xp.topk(xp.zeros((7, 5), device=device), 6)
        with pytest.raises(ValueError, match="mode 'most' is unknown"):
            xp.topk(xp.zeros(7, device=device), 1, mode="most")


@pytest.mark.parametrize("axis", [0, -1])
def test_lexsort(axis):
    keys = [samples((4, 9), np.dtype(name), seed) for seed, name in enumerate(("int8", "float32", "uint32"))]
    assert_same(lambda *keys: xp.lexsort(keys, axis=axis), *keys)


def test_lexsort_of_numbers():
    assert_same(xp.lexsort, samples((3,), np.dtype(np.float32)))


def test_lexsort_of_complex_keys():
    assert_same(lambda *keys: xp.lexsort(keys), samples((9,), np.dtype(np.int8)) % 2, complex_numbers((9,)))


def test_sort_complex():
    """NumPy leaves open the order of equal numbers, such as -0.0 and 0.0: compare the numbers, and that no other ones are there."""
    for x in (complex_numbers((9,)), *(samples((9,), np.dtype(dtype)) for dtype in (np.int16, np.int32, np.float32))):
        (found,), (wanted,) = run(xp.sort_complex, x)
        np.testing.assert_array_equal(found, wanted)
        assert sorted(found.tobytes()[8 * at : 8 * at + 8] for at in range(9)) == sorted(
            wanted.tobytes()[8 * at : 8 * at + 8] for at in range(9)
        )
