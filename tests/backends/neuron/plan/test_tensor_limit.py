"""What HBM holds in one piece: reductions of what has no room make it as they go, and all else is refused in words."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron import memory
from trnarray.backends.neuron.launch.capacity import TENSOR_BYTES
from trnarray.backends.neuron.lowering import plane_reductions
from trnarray.backends.neuron.memory import DeviceMemoryError

DEVICE = "sim:trn2"
SMALL = 2**14
NAMES = ("sum", "mean", "max", "min", "prod", "any", "all", "count_nonzero")


@pytest.fixture(scope="module", autouse=True)
def small():
    """Of so few bytes that the simulator computes in no time what exceeds them."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (memory, plane_reductions):
            patch.setattr(module, "TENSOR_BYTES", SMALL)
        yield


def on_device(a, dtype="float32"):
    return xp.asarray(np.asarray(a, dtype), device=DEVICE)


@settings(max_examples=10)
@given(st.data())
def test_reductions_of_what_has_no_room(data):
    """Of repeated elements, and products of rows and columns, along the last axes or all; of small whole numbers, which are exact."""
    name = data.draw(st.sampled_from(NAMES))
    dtype = data.draw(st.sampled_from(["float32", "int32", "float16", "uint8", "complex64", "bool"]))
    if (dtype == "complex64" and name in ("max", "min")) or (name == "prod" and dtype != "float16"):
        dtype = "float32"  # others are made of several passes, which keep what is between
    shape = data.draw(st.sampled_from([(50_000,), (500, 128), (4, 16_000), (20, 60, 50), (2, 3, 5, 2000)]))
    axis = data.draw(st.sampled_from([None, *(tuple(range(first, len(shape))) for first in range(1, len(shape)))]))
    kept = 1 if axis is None else math.prod(shape[: axis[0]])
    assert kept * 8 <= SMALL
    few = shape[-1] <= 2000 and data.draw(st.booleans())  # else a row has no room either
    row = np.arange(shape[-1]) % 2 if few else 1
    column = np.arange(shape[0]).reshape(-1, *(1,) * (len(shape) - 1)) % 3 > 0 if few else 1

    def call(namespace, row, column):
        return getattr(namespace, name)(namespace.broadcast_to(row, shape) * column, axis=axis)

    operands = [np.asarray(a).astype(dtype) for a in (row, column)]
    with xp.config(fallback="error"):
        found = np.asarray(call(xp, *(on_device(a, dtype) for a in operands)).to_device("cpu"))
    wide = [a.astype("complex128" if dtype == "complex64" else "int64") if dtype != "bool" else a for a in operands]
    expected = np.asarray(call(np, *wide))
    rounded = 2.0**-11 if dtype == "float16" else 2.0**-22  # of sums: the dtype's, and of quotients
    np.testing.assert_allclose(found.astype(expected.dtype), expected, rtol=rounded if name in ("mean", "sum") else 0)


def test_a_view_is_read_where_it_lies():
    one = on_device(1.0)
    value = xp.sum(xp.broadcast_to(one, (2**20,)))
    (launch,) = engine_for(Device(DEVICE)).pending_plan(value._value)
    assert max(tensor.size for tensor in launch.plan.tensors) == 2**20 // 4096
    assert float(value) == 2**20


CALLS = {
    "zeros": lambda x: xp.zeros(5000, dtype=xp.float32, device=DEVICE) + x[0],
    "outer product": lambda x: x[:, None] * x,
    "running sum": lambda x: xp.cumsum(xp.broadcast_to(x[:1], (5000,))),
    "place of an extreme": lambda x: xp.argmax(xp.broadcast_to(x[:1], (5000,))),
    "matrix product": lambda x: x[:, None] @ x[None],
    "prime number of elements": lambda x: xp.sum(xp.broadcast_to(x[:1], (5003,))),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_has_to_be_stored_is_refused_in_words(name):
    value = CALLS[name](on_device(np.ones(100)))
    words = r"float32 elements of shape \(.*\).* take .* \(\d+ bytes\), .* at most 16 KiB: work on parts"
    for use in (xp.explain, lambda value: value.tolist()):
        with pytest.raises(DeviceMemoryError, match=words):
            use(value)
    assert xp.sum(on_device(np.ones(100))).tolist() == 100


def test_host_data_is_refused_at_the_call():
    with pytest.raises(DeviceMemoryError, match=r"float32 elements of shape \(2, 2500\) take 19.53 KiB \(20000 bytes\)"):
        on_device(np.ones((2, 2500)))
    assert xp.asarray(np.ones((2, 2000), np.complex64), device=DEVICE).nbytes == 32_000, "of which each plane has half"


def test_the_limit_of_real_tensors(monkeypatch):
    for module in (memory, plane_reductions):
        monkeypatch.setattr(module, "TENSOR_BYTES", TENSOR_BYTES)
    engine = engine_for(Device(DEVICE))
    value = xp.sum(xp.broadcast_to(on_device(1.0), (2**30,)))
    (launch,) = engine.pending_plan(value._value)
    assert sum(tensor.size for tensor in launch.plan.tensors) < 2**20
    words = r"uint8 elements of shape \(2147483712,\) take 2 GiB \(2147483712 bytes\), .* at most 2 GiB"
    with pytest.raises(DeviceMemoryError, match=words):
        xp.explain(xp.zeros(2**31 + 64, dtype=xp.uint8, device=DEVICE))
