"""Convolutions and correlations of sequences on the device, against the host engine: exact for small integers in every dtype."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.kernels.products import sliding
from trnarray.backends.simulator.knobs import Knobs

from ..kernels.factor.declared_kernel import run
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
    with pytest.raises(TypeError, match="mode is None"):
        getattr(xp, name)(place(x, DEVICE), place(x, DEVICE), None)
    for operands, which in (((x[:0], x), "a"), ((x, x[:0]), "v")):
        with pytest.raises(ValueError, match=f"{which} cannot be empty: {name}"):
            getattr(xp, name)(*(place(item, DEVICE) for item in operands))


@pytest.mark.parametrize(("target", "knobs"), [("trn1", "split21"), ("trn2", "exact"), ("trn3", "exact")])
def test_sliding_products(target, knobs, monkeypatch):
    """
    Sums of L terms err by (L + 6) u of their magnitudes at most; infinities and NaN are in NumPy's places.

    Tiles of 16,384 sums, of which three are turns of a loop, and rests of them.
    """
    monkeypatch.setattr(sliding, "_TOGETHER", 1)
    rng = np.random.default_rng(7)
    for size, length in ((50_000, 3), (700, 300), (4, 4)):
        x, w = rng.standard_normal(size).astype(np.float32), rng.standard_normal(length).astype(np.float32)
        for special in (False, True):
            if special:
                x[size // 2], x[1], w[0] = np.nan, np.inf, 0
            found = run("sliding product", x, w, target=target, knobs=Knobs(pe_product=knobs))
            found = found[0] if isinstance(found, (tuple, list)) else found
            with np.errstate(invalid="ignore"):
                wanted, scale = (np.correlate(a, b, "valid") for a, b in ((x.astype(float), w), (np.abs(x.astype(float)), np.abs(w))))
                near = np.abs(found - wanted) <= (length + 6) * 2.0**-24 * scale
            assert (near | (found == wanted) | (np.isnan(found) & np.isnan(wanted))).all()


@pytest.mark.parametrize("length", [129, 700])
def test_long_convolutions(length):
    x, w = (np.random.default_rng(length).standard_normal(n).astype(np.float32) for n in ((1 << 20) // length, length))
    for name, mode in (("convolve", "same"), ("correlate", "full")):
        with xp.config(fallback="error"):
            found = np.asarray(getattr(xp, name)(place(x, DEVICE), place(w, DEVICE), mode).to_device("cpu"))
        wanted, scale = (getattr(np, name)(a, b, mode) for a, b in ((x.astype(float), w), (np.abs(x.astype(float)), np.abs(w))))
        assert (np.abs(found - wanted) <= (length + 6) * 2.0**-24 * scale).all()
