"""The setting `math`: it chooses the emitter when a call is made, belongs to the plan, and never makes a result wrong."""

import numpy as np
import pytest
from scipy import special

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for

X = np.linspace(0.1, 1.5, 300, dtype=np.float32)
CALLS = {
    "exp": np.exp, "log": np.log, "sin": np.sin, "arctan": np.arctan, "tanh": np.tanh, "sqrt": np.sqrt, "reciprocal": np.reciprocal,
    "special.erf": special.erf, "special.expit": special.expit,
}  # fmt: skip


def on_device(x):
    return xp.asarray(x, device="sim:trn2")


def functions():
    """Names of what is pending."""
    return {
        compute.name
        for launch in engine_for(parse_device("sim:trn2")).pending_plan()
        for stage in launch.plan.stages
        for compute in stage.computes
        if compute.kind == "elementwise"
    }


@pytest.mark.parametrize("name", CALLS)
def test_names(name):
    x = on_device(X)
    xp.synchronize("sim:trn2")
    accurate = CALLS[name](x)
    assert functions() == {name}
    with xp.config(math="table", fallback="error"):
        found = CALLS[name](x)
    assert functions() == {name, f"table.{name}"}
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")), np.asarray(accurate.to_device("cpu")), rtol=2.0**-20)
    again = CALLS[name](x)
    assert functions() == {name}
    del again


def test_integers_complex_numbers_and_outputs():
    with xp.config(math="table", fallback="error"):
        places = np.arange(3, dtype=np.int32)
        np.testing.assert_allclose(np.asarray(xp.exp(on_device(places)).to_device("cpu")), np.exp(places), rtol=2.0**-22)
        z = (X + 1j * X).astype(np.complex64)
        np.testing.assert_allclose(np.asarray(xp.exp(on_device(z)).to_device("cpu")), np.exp(z), rtol=2.0**-20)
        out = xp.zeros(300, device="sim:trn2")
        np.sqrt(on_device(X), out=out)
        np.testing.assert_allclose(np.asarray(out.to_device("cpu")), np.sqrt(X), rtol=2.0**-22)


def test_values():
    with pytest.raises(ValueError, match="math is one of 'accurate', 'table'; got 'fast'"), xp.config(math="fast"):
        pass
