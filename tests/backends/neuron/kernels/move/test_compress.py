"""Elements that a mask keeps, against NumPy, bit for bit."""

import dataclasses

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nl
from trnarray.backends.neuron.kernels.move import compress, gather
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(6)
KNOBS = {"dma_duplicates": "seeded:3", "dve_order": "permuted:1", "gpsimd_overflow": "saturate", "two_op": "fused"}


@simulator.jit
def kept(mask, x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    compress.compress(out, mask, x)
    return out


def assert_kept(mask, dtype):
    x = RNG.integers(0, 256, mask.size * np.dtype(dtype).itemsize, np.uint8).view(dtype)  # NaN among them
    found, count = kept(mask.astype(np.uint8), x), np.count_nonzero(mask)
    assert found[:count].tobytes() == x[mask].tobytes()
    assert not found[count:].view(np.uint8).any()


@pytest.mark.parametrize(("target", "knobs"), [("trn1", {}), ("trn1", KNOBS), ("trn2", {}), ("trn2", KNOBS), ("trn3", {})])
@pytest.mark.parametrize("size", [1, 129, 900])
def test_masks(size, target, knobs):
    lonely = np.zeros(size, bool)
    lonely[-1] = True
    with simulator.options(target, knobs=dataclasses.replace(Knobs(), **knobs)):
        for mask in (lonely, ~lonely, lonely & False, RNG.random(size) < 0.5):
            assert_kept(mask, np.float32)


@pytest.mark.parametrize("dtype", [np.uint8, np.float16])
def test_dtypes(dtype):
    with simulator.options("trn2"):
        assert_kept(RNG.random(300) < 0.5, dtype)


def test_each_count_of_a_partition():
    # 128 partitions of 100 elements, of which p are kept.
    mask = np.arange(100)[np.newaxis] < np.arange(128)[:, np.newaxis]
    with simulator.options("trn2"):
        assert_kept(np.take_along_axis(mask, RNG.permuted(np.tile(np.arange(100), (128, 1)), axis=1), 1).reshape(-1), np.int32)


def test_long_ones_are_a_loop(monkeypatch):
    monkeypatch.setattr(gather, "_UNROLLED", 1)
    monkeypatch.setattr(compress, "_WIDEST", 8)
    with simulator.options("trn2"):
        assert_kept(RNG.random(128 * 8 * 5 + 200) < 0.7, np.float32)
