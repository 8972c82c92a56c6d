"""Products of blocks of samples with the matrix of a filter, against NumPy in float64."""

import dataclasses

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.isa import nl
from trnarray.backends.neuron.graph.build import call
from trnarray.backends.neuron.kernels.products import filter_blocks
from trnarray.backends.neuron.lowering import recursive_filters
from trnarray.backends.simulator.knobs import Knobs
from trnarray.scipy import signal

U = 2.0**-24
rng = np.random.default_rng(8)


def products(device, blocks, matrix):
    engine = engine_for(Device(device))
    nodes = [engine.from_host(array, copy=True).read()[0] for array in (blocks, matrix)]
    made = [engine.builder.make((node,), node.dtype) for node in call("filter blocks", *nodes)]
    return [np.asarray(engine.to_host(value, copy=True)) for value in made]


def causal(states):
    return np.concatenate([np.triu(rng.standard_normal((128, 128))), rng.standard_normal((128, states))], axis=1).astype(np.float32)


@simulator.jit
def multiplied(blocks, matrix):
    shapes = (blocks.shape, (blocks.shape[0], matrix.shape[1] - 128))
    made = [nl.ndarray(shape, nl.float32, buffer=nl.shared_hbm) for shape in shapes]
    filter_blocks._Blocks(blocks, matrix, *made).run()
    return tuple(made)


KNOBS = [{}, {"pe_product": "split21", "pe_order": "permuted:1", "dve_order": "permuted:2", "two_op": "fused"}]


@pytest.mark.parametrize("knobs", KNOBS, ids=["default", "others"])
@pytest.mark.parametrize(("target", "count", "states"), [("trn1", 3, 1), ("trn2", 1300, 2), ("trn3", 130, 128)])
def test_products(target, count, states, knobs):
    blocks, matrix = rng.standard_normal((count, 128)).astype(np.float32), causal(states)
    with simulator.options(target, knobs=dataclasses.replace(Knobs(), **knobs)):
        found = np.concatenate(multiplied(blocks, matrix), axis=1)
    expected, scale = blocks.astype(float) @ matrix, np.abs(blocks).astype(float) @ np.abs(matrix)
    assert np.all(np.abs(found - expected) <= 134 * U * scale)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_what_is_not_finite_spoils_what_comes_after_it(device):
    blocks, matrix = rng.standard_normal((140, 128)).astype(np.float32), causal(2)
    blocks[3, 40], blocks[7, 0], blocks[9, 127], blocks[135, 64] = np.nan, np.inf, -np.inf, np.nan
    samples, forces = products(device, blocks, matrix)
    clean = np.where(np.isfinite(blocks), blocks, 0)
    spoilt = np.cumsum(~np.isfinite(blocks), axis=1) > 0
    expected = np.where(spoilt, np.nan, clean.astype(float) @ matrix[:, :128])
    np.testing.assert_allclose(samples, expected, atol=134 * U * np.max(np.abs(clean) @ np.abs(matrix)))
    assert np.array_equal(np.isnan(forces), np.repeat(spoilt[:, -1:], 2, axis=1))


def test_a_loop_of_tiles(monkeypatch):
    monkeypatch.setattr(filter_blocks, "_TILES", 1)
    blocks, matrix = rng.standard_normal((3 * 1024 + 5, 128)).astype(np.float32), causal(1)
    blocks[2000, 5] = np.nan
    samples, _ = products("sim:trn2", blocks, matrix)
    blocks[2000, 5] = 0
    expected, scale = blocks.astype(float) @ matrix[:, :128], np.max(np.abs(blocks).astype(float) @ np.abs(matrix))
    assert np.array_equal(np.argwhere(np.isnan(samples)), [[2000, k] for k in range(5, 128)])
    assert np.nanmax(np.abs(samples - expected)) <= 134 * U * scale


def test_filters_use_it(monkeypatch):
    """An infinity makes all that follows NaN, in the blocks after it, too, and nothing before it."""
    import scipy.signal

    monkeypatch.setattr(recursive_filters, "_MANY", 1)
    x = rng.standard_normal((2, 1000)).astype(np.float32)
    x[1, 400] = np.inf
    b, a = [0.1, 0.2, 0.1], [1.0, -1.2, 0.4]
    with xp.config(fallback="error"):
        found = signal.lfilter(b, a, xp.asarray(x, device="sim:trn2"))
        assert "products with a filter" in str(xp.explain(found))
        found = np.asarray(found.to_device("cpu"))
    expected = scipy.signal.lfilter(b, a, np.where(np.isfinite(x), x, 0).astype(float))
    expected[1, 400:] = np.nan
    np.testing.assert_allclose(found, expected, atol=64 * U * np.nanmax(np.abs(expected)))
