"""Conversions of angles, steps and parts of numbers on the device, bit for bit as the host engine."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import FLOATS, INTEGERS, assert_same, samples

FUNCTIONS = {
    "degrees": xp.degrees,
    "radians": xp.radians,
    "deg2rad": xp.deg2rad,
    "rad2deg": xp.rad2deg,
    "modf": xp.modf,
    "heaviside": lambda x: xp.heaviside(x, x.dtype.type(0.5)),
}


def wide(dtype):
    """Numbers of all sizes, each dtype's own specials included."""
    rng = np.random.default_rng(0)
    with np.errstate(all="ignore"):
        sizes = (rng.standard_normal(400) * np.exp2(rng.integers(-60, 60, 400))).astype(np.float32).astype(dtype)
    return np.concatenate([sizes, samples((60,), dtype)])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bits(name, dtype):
    assert_same(FUNCTIONS[name], wide(dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in INTEGERS if dtype.itemsize == 2], ids=str)
def test_of_integers(dtype):
    """Integers of 16 bits are taken for float32 by the host, too."""
    assert_same(lambda x: (xp.degrees(x), *xp.modf(x)), samples((7, 3), dtype), views=("transposed",))


@pytest.mark.parametrize("name", ["degrees", "modf", "heaviside", "floor_divide", "remainder", "fmod", "divmod", "frexp"])
def test_floats_that_the_device_only_moves_are_left_to_the_host(name):
    x = xp.astype(xp.asarray([0.5, -1.5], dtype=xp.float32), xp.float8_e3m4).to_device("sim:trn2")
    operands = (x,) if name in ("degrees", "modf", "frexp") else (x, x)
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="no kernel for float8_e3m4"):
        getattr(xp, name)(*operands)


def test_outputs_and_masks():
    def call(x, out):
        mask = xp.asarray([True, False, True], device=x.device)
        return xp.degrees(x, out=out, where=mask), xp.heaviside(x[:1], x), out

    dtype = np.dtype(np.float32)
    assert_same(call, samples((4, 3), dtype), samples((4, 3), dtype, 1), views=("reversed", "strided"))
