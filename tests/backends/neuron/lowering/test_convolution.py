"""Convolutions and correlations of sequences on the device, against the host engine: exact for small integers in every dtype."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import DEVICE, assert_same, place, samples


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
@pytest.mark.parametrize("lengths", [(7, 3), (3, 7), (4, 4), (5, 1)], ids=str)
def test_small_integers(name, mode, lengths):
    for dtype in map(np.dtype, ("int32", "float32", "float16", "complex64")):
        first, second = (samples((length,), dtype, length, special=False) for length in lengths)
        assert_same(lambda a, v: getattr(xp, name)(a, v, mode) + 0, first, second, views=("reversed", "strided"))


@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_modes(name):
    x = samples((4,), np.dtype(np.float32), special=False)
    for mode in range(3):
        assert_same(lambda a, mode=mode: getattr(xp, name)(a, a, mode), x)
    for mode in ("all", 3, -1):
        with pytest.raises(ValueError, match="mode"):
            getattr(xp, name)(place(x, DEVICE), place(x, DEVICE), mode)
