"""Functions of scipy.special on the device: chains are one program, and the host has no part in them."""

import numpy as np
import scipy.special

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.plan.plan import RowStage

DEVICE = "sim:trn2"


def test_a_chain_is_one_program():
    x = np.linspace(-3, 3, 300, dtype=np.float32)
    on_device = xp.asarray(x, device=DEVICE)
    engine = engine_for(Device(DEVICE))
    engine.flush()
    with xp.config(fallback="error"):
        found = xp.special.ndtri(0.5 * xp.special.ndtr(on_device) + 0.25) * xp.special.erfinv(xp.special.erf(on_device * 0.25))
    (stage,) = engine.planner.plan(engine.graph.pending()).plan.stages
    assert isinstance(stage, RowStage)
    wide = x.astype(np.float64)
    exact = scipy.special.ndtri(0.5 * scipy.special.ndtr(wide) + 0.25) * wide * 0.25
    # some roundings, which the quantile near its zero makes larger
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), exact, rtol=0, atol=16 * 2.0**-24)
