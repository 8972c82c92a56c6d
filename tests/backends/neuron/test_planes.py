"""Planes: carried dtypes come back bit for bit, whatever is done to them that moves them only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.dtypes import DTYPES
from trnarray.backends.neuron.planes import join, plane_dtypes, split

DEVICE = "sim:trn2"
WIDE = [np.dtype(name) for name in ("float64", "complex128", "int64", "uint64", "complex64")]
# Numbers whose bits a computation would change: signalling and other NaNs with payloads, denormals, zeros of both signs.
WORDS = [0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x0000000000000001, 0x8000000000000000, 0x7F800001FFC00001, 0, 2**63 - 1, 2**64 - 1]


def of_bits(words, dtype):
    count = -(-len(words) * 8 // dtype.itemsize)
    return np.resize(np.array(words, np.uint64), -(-count * dtype.itemsize // 8)).view(dtype)[:count]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_joined_again(dtype):
    array = np.frombuffer(bytes(range(256)) * 2, np.uint8).view(dtype) if dtype.kind != "b" else np.array([True, False] * 16)
    for shaped in (array[:24].reshape(2, 3, 4), array[:24].reshape(4, 6).T[::-1], array[:0], array[:1].reshape(())):
        planes = split(shaped)
        assert tuple(plane.dtype for plane in planes) == plane_dtypes(dtype)
        assert all(plane.shape == shaped.shape and plane.flags.c_contiguous for plane in planes)
        assert not any(np.shares_memory(plane, shaped) for plane in planes)
        assert join(planes, dtype).tobytes() == shaped.tobytes()


def test_the_high_word_comes_first():
    assert [int(plane[0]) for plane in split(np.array([(5 << 32) + 7], np.int64))] == [5, 7]
    assert [plane[0] for plane in split(np.array([1 + 2j], np.complex64))] == [1, 2]


@settings(max_examples=25)
@given(st.lists(st.integers(0, 2**64 - 1) | st.sampled_from(WORDS), min_size=12, max_size=12), st.sampled_from(WIDE))
def test_bits_survive_what_moves_them(words, dtype):
    host = of_bits(words, dtype)[:6].reshape(2, 3).copy()
    x = xp.asarray(host, device=DEVICE)
    assert x.strides == host.strides
    steps = (
        lambda m, a: a.T.copy(),
        lambda m, a: a[::-1, 1:],
        lambda m, a: m.concat([a, a]) if m is xp else np.concatenate([a, a]),
        lambda m, a: a.reshape(-1)[::2],
        lambda m, a: m.where(a[:, :1] == a[:, :1], a, a),
        lambda m, a: a.__setitem__((slice(None), 0), a[:, 2]),
        lambda m, a: a.fill(host.dtype.type(1)),
    )
    for step in steps:
        with xp.config(fallback="allow"), np.errstate(all="ignore"):
            expected, got = step(np, host), step(xp, x)
        expected, got = (host, x) if expected is None else (expected, got)
        assert np.asarray(got.to_device("cpu")).tobytes() == np.ascontiguousarray(expected).tobytes()


def test_parts_of_complex64_are_views():
    host = np.arange(12, dtype=np.float32).view(np.complex64).reshape(2, 3)
    x = xp.asarray(host, device=DEVICE)
    x.imag[:, ::-2] = -1
    x.T.real[1] += 5
    host.imag[:, ::-2] = -1
    host.T.real[1] += 5
    np.testing.assert_array_equal(x.to_device("cpu"), host)
    for wanted in (np.float32, np.uint8):
        with pytest.raises(TypeError, match="two planes.*x.real and x.imag"):
            x.view(wanted)
