"""Lists, tuples, ranges and NumPy scalars beside Arrays on a Neuron device, in every function of NumPy's that takes operands."""

import itertools

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.sequences import arguments, at, calls, check, named, places, replaced

DEVICE = "sim:trn2"
PATHS = [path for path in CALLS if None not in (named(path, np), named(path, xp))]
DEAR = ("linalg.lstsq", "polyfit")
"""Which take a second or more a call, and read all kinds of operands in one way."""


def on_device(array):
    return xp.asarray(array, device=DEVICE)


KINDS = [("float64", "list"), ("int64", "list"), ("float64", "scalars"), ("int32", "large"), ("int32", "range")]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("dtype", "kind"), KINDS)
@pytest.mark.parametrize("part", range(2))
def test_sequences_beside_arrays(part, dtype, kind):
    """A part of suite operands: one call of each function."""
    outcomes = [
        outcome
        for path in PATHS[part::2]
        if path not in DEAR or (dtype, kind) == ("float64", "list")
        for text in itertools.islice(calls(path, dtype), 1)
        for outcome in check(path, text, dtype, kind, parse_device(DEVICE))
    ]
    assert len(outcomes) > 15
    assert [outcome for outcome in outcomes if outcome is not None] == []


SCALARS = {
    "where": (lambda m, x: m.where(x > 1, x, np.float64(0.1)), "f4"),
    "where of integers": (lambda m, x: m.where(x > 1, x, np.int64(2**40)), "i4"),
    "clip": (lambda m, x: m.clip(x, np.float64(1.1), None), "f4"),
    "select": (lambda m, x: m.select([x > 1], [x], np.float64(0.1)), "f4"),
    "percentile": (lambda m, x: m.percentile(x, np.float64(30.1)), "f4"),
    "append": (lambda m, x: m.append(x, np.float64(0.1)), "f4"),
    "union1d": (lambda m, x: m.union1d(x, [2**31]), "i4"),
    "union1d of a scalar": (lambda m, x: m.union1d(x, np.int64(2**40)), "i4"),
    "choose": (lambda m, x: m.choose(x * 0, [x, np.int64(2**40)]), "i4"),
    "interp": (lambda m, x: m.interp(np.float64(1.1), x, x), "f4"),
    "linspace": (lambda m, x: m.linspace(x, np.float64(0.1), 3), "f4"),
    "diff": (lambda m, x: m.diff(x, prepend=np.float64(0.1)), "f4"),
    "polyval": (lambda m, x: m.polyval(x, [np.float64(0.1)]), "f4"),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_of_numpy_are_strong(name):
    call, dtype = SCALARS[name]
    x = np.array([1, 2, 3], dtype)
    wanted = call(np, x)
    with xp.config(fallback="allow"):
        found = call(xp, on_device(x))
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found.tolist(), wanted, 1e-15)  # NumPy's own functions of float64 compute


@pytest.mark.parametrize("q", [30, np.int64(30), [30, 60], np.array([30, 60]), np.array(30.0, np.float32)], ids=str)
def test_percentiles_of_integers_are_between_them(q):
    """Fetched, where they are on the device; of float32, as integers that meet floats."""
    x = np.array([3, -1, 2, 7], np.int32)
    given = on_device(q) if isinstance(q, np.ndarray) else q
    np.testing.assert_allclose(xp.percentile(on_device(x), given).tolist(), np.percentile(x, q), 1e-6)
    mixed = xp.percentile(on_device(x), [10, on_device(np.float32(30))])
    np.testing.assert_allclose(mixed.tolist(), np.percentile(x, [10, 30]), 1e-6)


@pytest.mark.filterwarnings("ignore")
def test_ndarrays_beside_arrays_go_by_the_setting():
    """Each operand in turn is an ndarray: refused by default, be it by functions that look at their operands before they compute.

    Bounds of bins are none: they stay on the host.
    """
    seen = 0
    for path in PATHS:
        ours = named(path, xp)
        for text in itertools.islice(calls(path, "float32"), 1):
            for place in places(arguments(text, "float32", on_device), xp.Array):
                args, kwargs = replaced(arguments(text, "float32", on_device), place, at(arguments(text, "float32", np.asarray), place))
                if place[1] == "out" or (path, place) == ("digitize", (0, 1)):
                    continue
                if isinstance(at((args, kwargs), place), np.ndarray) and any(places((args, kwargs), xp.Array)):
                    with pytest.raises(xp.HostTransferError):
                        ours(*args, **kwargs)
                    seen += 1
    assert seen > 100
