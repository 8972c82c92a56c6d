"""Fallbacks of universal functions and reductions with out=, where=, axes and lists: they wait, and do what NumPy does."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
import trnarray.scipy.linalg
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for

DEVICE = "sim:trn2"
UFUNCS = {"add": 2, "divide": 2, "hypot": 2, "sqrt": 1, "exp": 1, "modf": 1}
REDUCTIONS = ("sum", "mean", "max", "var", "std", "prod", "argmin", "all")


@pytest.fixture(autouse=True, scope="module")
def allowed():
    with xp.config(fallback="allow", defaults="numpy"):
        yield


def on_device(array):
    return xp.asarray(array.copy(), device=DEVICE)


def host(x):
    return np.asarray(x.to_device("cpu"))


def outcome(call):
    """Tell what a call gives, or the type of what it raises."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call()
        except (ValueError, TypeError, IndexError) as error:
            return next(kind for kind in (TypeError, IndexError, ValueError) if isinstance(error, kind))


def agree(call_theirs, call_ours):
    """Compare results, or the errors at the call."""
    theirs, ours = outcome(call_theirs), outcome(call_ours)
    if isinstance(theirs, type) or isinstance(ours, type):
        assert ours is theirs
        return
    several = isinstance(theirs, tuple)
    for one, other in zip(theirs if several else (theirs,), ours if several else (ours,), strict=True):
        assert (other.shape, other.dtype) == (one.shape, one.dtype)
        waiting = engine_for(Device(DEVICE)).graph.pending()
        assert not other.size or any(cell.node in waiting for cell in other._value.cells)
    for one, other in zip(theirs if several else (theirs,), ours if several else (ours,), strict=True):
        np.testing.assert_array_equal(host(other), one)


@st.composite
def arrays(draw, shape):
    values = draw(hnp.arrays(np.float64, shape, elements=st.sampled_from([0.0, -1.5, 2.0, 1e300, np.inf, np.nan])))
    return values[..., ::-1] if values.ndim and draw(st.booleans()) else values


@given(st.data())
@settings(max_examples=40)
def test_universal_functions(data):
    name = data.draw(st.sampled_from(sorted(UFUNCS)))
    shapes = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=UFUNCS[name] + 1, max_dims=3, max_side=3))
    operands = [data.draw(arrays(shape)) for shape in shapes.input_shapes[:-1]]
    ours, theirs = [on_device(operand) for operand in operands], list(operands)
    if len(operands) == 2 and data.draw(st.booleans()):
        ours[1] = theirs[1] = operands[1].tolist()
    options = {}, {}
    into = None
    if data.draw(st.booleans()):
        shape = data.draw(st.sampled_from([shapes.result_shape, shapes.input_shapes[-1], (4,)]))
        into = np.zeros((2, *shape), data.draw(st.sampled_from(["f8", "f4", "i4"])))
        whole = on_device(into)
        options[0]["out"], options[1]["out"] = into[1, ...], whole[1, ...]
        if name == "modf":
            options[0]["out"], options[1]["out"] = (into[1, ...], into[0, ...]), (whole[1, ...], whole[0, ...])
    if into is not None and data.draw(st.booleans()):
        mask = data.draw(hnp.arrays(bool, data.draw(st.sampled_from([shapes.result_shape, (), (1,)]))))
        options[0]["where"], options[1]["where"] = mask, on_device(mask)
    agree(lambda: getattr(np, name)(*theirs, **options[0]), lambda: getattr(xp, name)(*ours, **options[1]))
    if into is not None:
        np.testing.assert_array_equal(host(whole), into)


@given(st.data())
@settings(max_examples=40)
def test_reductions(data):
    name = data.draw(st.sampled_from(REDUCTIONS))
    operand = data.draw(arrays(data.draw(hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3))))
    if name == "prod":  # zero times what overflows is NaN or zero by the order, which is anybody's
        operand = np.where(operand == 1e300, 3.0, operand)
    one_axis = name == "argmin"
    axis = data.draw(st.one_of(st.none(), st.integers(-3, 3), *([] if one_axis else [st.tuples(st.integers(-3, 2), st.integers(-3, 2))])))
    options = {"axis": axis, **({"keepdims": True} if data.draw(st.booleans()) else {})}
    ours = dict(options)
    if name in ("sum", "max") and data.draw(st.booleans()):
        options["initial"] = ours["initial"] = 1.5
        if data.draw(st.booleans()):
            mask = data.draw(hnp.arrays(bool, data.draw(st.sampled_from([operand.shape, (2, *operand.shape), (5,)]))))
            options["where"], ours["where"] = mask, on_device(mask)
    expected = outcome(lambda: getattr(np, name)(operand, **options))
    if name in ("sum", "mean", "max") and not isinstance(expected, type) and data.draw(st.booleans()):
        into = np.zeros(data.draw(st.sampled_from([np.shape(expected), (7,)])))
        options["out"], ours["out"] = into, on_device(into)
    given = on_device(operand)
    agree(lambda: getattr(np, name)(operand, **options), lambda: getattr(xp, name)(given, **ours))


def test_results_of_integers_of_any_size_are_refused_as_on_the_host():
    for device in ("cpu", DEVICE):
        with xp.config(default_device=device, fallback="allow"), pytest.raises(TypeError, match="the result is of dtype object"):
            trnarray.scipy.linalg.pascal(50)
