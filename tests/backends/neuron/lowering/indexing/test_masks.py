"""Masks that the device itself searches: what is selected, and how much of it is fetched."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.lowering.indexing import masks

from ..beside_host import DEVICE, assert_same, samples

MASK = np.array([[True, False, True], [False, False, True]])


@pytest.fixture
def short_ones(monkeypatch):
    monkeypatch.setattr(masks, "_LEAST", 1)


CALLS = {
    "all axes": lambda x, m: x[m],
    "first axes": lambda x, m: x[:, :2][m[:, 0]],
    "last axis": lambda x, m: x[..., m[0]],
    "with an integer": lambda x, m: x[m[:, 0], 1],
    "with nothing": lambda x, m: x[m & False],
    "nonzero": lambda x, m: xp.nonzero(x),
    "argwhere": lambda x, m: xp.argwhere(x > 0),
    "flatnonzero": lambda x, m: xp.flatnonzero(m),
    "compress": lambda x, m: xp.compress(m[0], x, axis=1),
    "extract": lambda x, m: xp.extract(m, x),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_beside_the_host(call, short_ones):
    assert_same(call, samples((2, 3), np.dtype(np.float32), special=False), MASK)


@pytest.mark.parametrize("dtype", [np.complex64, np.float64, np.bool])
def test_planes(dtype, short_ones):
    assert_same(lambda x, m: x[m], samples((2, 3), np.dtype(dtype)), MASK, wide=True)


def test_the_count_is_fetched():
    size = masks._LEAST
    x = xp.arange(size, device=DEVICE)
    mask = x % 3 == 0
    xp.reset_coverage()
    found = x[mask]
    assert [(one.direction, one.nbytes) for one in xp.coverage().transfers] == [("to host", 4)]
    assert found.shape == (-(-size // 3),)
    assert found.base is None
    found[0] = 5
    assert found.to_device("cpu")[:3].tolist() == [5, 3, 6]
    assert x[:4].to_device("cpu").tolist() == [0, 1, 2, 3]
