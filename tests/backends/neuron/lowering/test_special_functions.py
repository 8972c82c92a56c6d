"""Functions of scipy.special on the device: chains are one program, and the host has no part in them."""

import numpy as np
import pytest
import scipy.special

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.neuron.plan.plan import RowStage
from trnarray.backends.policy import FallbackError

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


def test_i0_of_numpy():
    single = 4 * 2.0**-24
    for dtype, bound in (("float32", single), ("float16", 2.0**-10), ("int8", single), ("bool", single), ("float64", 8 * 2.0**-53)):
        x = np.arange(-8, 9).astype(dtype)
        with xp.config(fallback="error"):
            found = np.asarray(xp.i0(xp.asarray(x, device=DEVICE)).to_device("cpu"))
        assert found.dtype == (dtype if dtype.startswith("float") else "float32")
        np.testing.assert_allclose(found, scipy.special.i0(x.astype(np.float64)), rtol=bound)
    with pytest.raises(TypeError, match="complex"):
        xp.i0(xp.asarray([1j], device=DEVICE))


def test_functions_that_are_no_ufuncs():
    x = np.linspace(0.5, 4, 50, dtype=np.float32)
    on_device, out = xp.asarray(x, device=DEVICE), xp.empty(50, dtype=xp.float32, device=DEVICE)
    with xp.config(fallback="error"):
        first = xp.special.polygamma(2, on_device)
        assert xp.special.zeta(3.0, on_device, out=out) is out
    assert first.dtype == xp.float32
    exact = scipy.special.zeta(3.0, x.astype(np.float64))
    for found, factor in ((first, -2), (out, 1)):
        np.testing.assert_allclose(np.asarray(found.to_device("cpu")), factor * exact, rtol=8 * 2.0**-23)


def test_zeta_of_one_operand():
    x = np.float32([-np.inf, -70.5, -4, -3.25, -1, -0.0, 1, 1.5, 30, np.inf, np.nan])
    with np.errstate(over="ignore"):
        exact = scipy.special.zeta(x.astype(np.float64)).astype(np.float32)
    with xp.config(fallback="error"):
        for dtype, bound in ((np.float32, 6 * 2.0**-23), (np.float16, 2.0**-11)):
            found = xp.special.zeta(xp.asarray(x.astype(dtype), device=DEVICE))
            assert found.dtype == dtype
            np.testing.assert_allclose(np.asarray(found.to_device("cpu")), exact, rtol=bound)
        with pytest.raises(FallbackError, match="no kernel for complex numbers"):
            xp.special.zeta(xp.asarray([2 + 0j], dtype=xp.complex64, device=DEVICE))
        with pytest.raises(TypeError, match="operand"):
            xp.special.polygamma(xp.asarray([1.0], dtype=xp.float32, device=DEVICE), None)


SEVERAL = [name for name, emitter in EMITTERS.items() if emitter.arity > 1 and name.removeprefix("special.") in xp.special.__all__]
EXTREMES = np.float32([np.nan, 0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.5, 10.0, np.inf, -np.inf])


# Older SciPy has other values for these: 0 for gammainc(nan, 0), nan for betainc(1, 0, 0.5).
INCOMPLETE = {"betainc", "betaincc", "chdtr", "chdtrc", "gammainc", "gammaincc", "gdtr", "gdtrc", "pdtr", "pdtrc"}
OLD = tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17)


@pytest.mark.parametrize("name", [name for name in SEVERAL if not OLD or name.removeprefix("special.") not in INCOMPLETE])
def test_special_operands_of_several(name):
    """Every combination of NaN, zeros, infinities and some numbers: what is NaN, infinite or 0 is what SciPy gives for float64."""
    x = [operand.ravel() for operand in np.meshgrid(*[EXTREMES] * EMITTERS[name].arity, indexing="ij")]
    short = name.removeprefix("special.")
    with xp.config(fallback="error"):
        found = np.asarray(getattr(xp.special, short)(*(xp.asarray(one, device=DEVICE) for one in x)).to_device("cpu"))
    with np.errstate(all="ignore"):
        exact = getattr(scipy.special, short)(*(one.astype(np.float64) for one in x))
        exact = np.where(np.abs(exact) < 2.0**-149, 0 * exact, exact)  # what float32 has no number for
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    np.testing.assert_array_equal(found[np.isinf(found)], exact[np.isinf(found)])
    np.testing.assert_array_equal(np.isinf(found), np.isinf(exact))
    if name != "special.betaln":  # which is 0 where terms cancel, and has their error
        np.testing.assert_array_equal(found == 0, exact == 0)
