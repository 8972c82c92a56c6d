"""Functions by the Scalar Engine's tables: within their domain what the table gives, beyond it what the accurate function gives."""

import numpy as np
import pytest
import scipy.special

from trnarray.backends.neuron.kernels.elementwise import EMITTERS
from trnarray.backends.simulator.knobs import Knobs

from .elementwise_harness import FLUSHED, FUSED, adversarial, apply, assert_same_bits, storage

PREFIX = "table."
DOMAINS = {
    "exp": (0, np.inf), "tanh": (0, np.inf), "special.erf": (0, np.inf), "special.expit": (0, np.inf), "log": (2.0**-64, 2.0**64),
    "sqrt": (2.0**-116, 2.0**118), "reciprocal": (2.0**-42, 2.0**42), "sin": (0, np.pi), "arctan": (0, np.pi / 2),
}  # fmt: skip
LEAST = 2.0**-125  # whose results no engine flushes


def numbers(name, rng):
    """Bits of all kinds, numbers around the ends of the domain, and many within it."""
    ends = np.array([end for end in DOMAINS[name] if 0 < end < np.inf], np.float32)
    near = [(ends.view(np.int32) + step).view(np.float32) for step in range(-600, 600, 40)]
    usual = rng.uniform(-3, 3, 4000).astype(np.float32)
    found = np.concatenate([adversarial("float32", rng, 4096), *near, usual])
    return np.resize(np.concatenate([found, -found]), (128, 128))


def within(name, x):
    """Well inside the domain: near its ends the accurate function may take over."""
    low, high = DOMAINS[name]
    size = x if name in ("log", "sqrt") else np.abs(x)
    return (size >= low * (1 + 2.0**-14)) & (size <= high * (1 - 2.0**-14)) & np.isfinite(x)


def test_all_are_here():
    assert {name.removeprefix(PREFIX) for name in EMITTERS if name.startswith(PREFIX)} == DOMAINS.keys()


@pytest.mark.parametrize("knobs", [Knobs(), FUSED, FLUSHED])
@pytest.mark.parametrize("name", DOMAINS)
def test_domains(name, knobs):
    x = numbers(name, np.random.default_rng(7))
    found = apply(EMITTERS[PREFIX + name].loops["float32"], x, knobs=knobs)
    accurate = apply(EMITTERS[name].loops["float32"], x, knobs=knobs)
    low, high = DOMAINS[name]
    size = x if name in ("log", "sqrt") else np.abs(x)
    beyond = ~((size >= low) & (size <= high) & np.isfinite(x))
    assert_same_bits(*(values[beyond][:, None] for values in (found, accurate, x)))
    function = getattr(scipy.special, name.removeprefix("special.")) if name.startswith("special.") else getattr(np, name)
    inside = within(name, x) & (np.abs(x) > LEAST)
    with np.errstate(all="ignore"):
        exact = function(x[inside].astype(np.float64))
        rounded = exact.astype(np.float32)
        usual = np.isfinite(rounded) & (np.abs(exact) > LEAST)
        error = np.abs(found[inside] - exact) / np.spacing(np.abs(rounded))
    assert error[usual].max() <= 4  # simulated tables are NumPy's functions of float32; of hardware's nobody knows


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
@pytest.mark.parametrize("name", DOMAINS)
def test_low_precision(name, dtype):
    x = np.arange(2**16, dtype=np.uint16).view(storage(dtype)).reshape(128, -1)
    found, accurate = (apply(EMITTERS[which].loops[dtype], x).astype(np.float64) for which in (PREFIX + name, name))
    with np.errstate(all="ignore"):
        same = (found == accurate) | (np.isnan(found) & np.isnan(accurate)) | (np.abs(found - accurate) <= np.abs(accurate) * 2.0**-7)
    assert same.all()


def test_quiet_tiles_take_the_table_alone():
    """Where all arguments are within the domain, what the accurate function would give does not matter."""
    x = np.linspace(-3, 3, 128 * 64, dtype=np.float32).reshape(128, 64)
    found = apply(EMITTERS["table.sin"].loops["float32"], x)
    np.testing.assert_array_equal(found, np.sin(x.astype(np.float64)).astype(np.float32))
    assert (found != apply(EMITTERS["sin"].loops["float32"], x)).any()
