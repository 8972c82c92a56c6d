"""Shifts of every count, within the width and beyond it, under both readings of what hardware does beyond: NumPy's results."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32"]


def reference(x, counts, left):
    """Shift Python integers: beyond the width nothing but the sign is left."""
    width, whole = 8 * x.dtype.itemsize, [int(value) for value in x]
    shifted = [value << count if left else value >> count for value, count in zip(whole, map(int, counts), strict=True)]
    return np.array([value & (1 << width) - 1 for value in shifted], f"u{x.dtype.itemsize}").view(x.dtype)


@pytest.mark.parametrize("reading", ["zero", "modulo"])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_array_counts(dtype, reading):
    limits = np.iinfo(dtype)
    values = np.array([limits.min, limits.max, 1, 0, -5 if limits.min else 5, -5000 % (limits.max + 1), 77], np.int64).astype(dtype)
    counts = np.arange(41).clip(max=limits.max)
    x, n = (each.ravel().astype(dtype) for each in np.meshgrid(values, counts))
    device = "sim:trn2"
    with simulator.options("trn2", knobs=Knobs(shift_beyond_width=reading)), xp.config(fallback="error"):
        ours, by = xp.asarray(x, device=device), xp.asarray(n, device=device)
        found = [each.to_device("cpu") for each in (ours << by, ours >> by, ours[:1] << by, ours << 9, ours >> 40)]
    expected = [reference(x, n, left=True), reference(x, n, left=False), reference(np.repeat(x[:1], n.size), n, left=True)]
    expected += [reference(x, np.full(x.size, 9), left=True), reference(x, np.full(x.size, 40), left=False)]
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, theirs)
