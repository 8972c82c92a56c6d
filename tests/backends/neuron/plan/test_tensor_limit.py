"""What HBM holds in one tensor, and in several: elements and rows may take any size; all else is refused at the call."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph import build
from trnarray.backends.neuron.launch import capacity
from trnarray.backends.neuron.launch.capacity import DeviceMemoryError
from trnarray.backends.neuron.lowering import exact_integers, reductions

DEVICE = "sim:trn2"
REAL, SMALL = capacity.TENSOR_BYTES, 2**18
NAMES = ("sum", "mean", "max", "min", "prod", "any", "all", "count_nonzero")


@pytest.fixture(scope="module", autouse=True)
def small():
    """Of so few bytes that the simulator computes in no time what exceeds them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capacity, "TENSOR_BYTES", SMALL)
        yield


def on_device(a, dtype="float32", device=DEVICE):
    return xp.asarray(np.asarray(a, dtype), device=device)


def pieces(value):
    """Of its planes, in how many tensors they are."""
    return [len(cell.node.buffer) if type(cell.node.buffer) is tuple else 1 for cell in value._value.cells]


def numbers(shape, dtype):
    """Small whole ones, of which sums are exact."""
    if dtype == "bool":
        return np.arange(math.prod(shape)).reshape(shape) % 3 == 0
    return (np.arange(math.prod(shape)).reshape(shape) % 7 - (3 if dtype[0] != "u" else 0)).astype(dtype)


@settings(max_examples=10)
@given(st.data())
def test_reductions_of_what_has_no_room(data):
    """Of repeated elements, and products of rows and columns, along the last axes or all; of small whole numbers, which are exact."""
    name = data.draw(st.sampled_from(NAMES))
    dtype = data.draw(st.sampled_from(["float32", "int32", "float16", "uint8", "complex64", "bool"]))
    if (dtype == "complex64" and name in ("max", "min")) or (name == "prod" and dtype != "float16"):
        dtype = "float32"  # others are made of several passes, which keep what is between
    shape = data.draw(st.sampled_from([(400_000,), (2000, 256), (16, 32_000), (20, 60, 500), (2, 3, 50, 2000)]))
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
    with np.errstate(over="ignore"):
        expected = expected.astype(found.dtype)  # infinite, where float16 holds no such sum
    rounded = 2.0**-10 if dtype == "float16" else 2.0**-22  # of sums: one step of the dtype, and of quotients
    np.testing.assert_allclose(found.astype(np.complex128), expected.astype(np.complex128), rtol=rounded if name in ("mean", "sum") else 0)


SHAPES = ((160_000,), (160_009,), (400, 650), (3, 71_001), (2, 1, 80_021), (20, 60, 250))  # rows within, across and beyond pieces, primes


@pytest.mark.parametrize("shape", [(3, 71_001), (5, 30_000)])
def test_sums_of_integers_of_which_a_tensor_has_few_rows(shape):
    """One row in each, or some and one: a sum of halves of one number is its half."""
    a = numbers(shape, "int32")
    found = xp.sum(on_device(a, "int32"), axis=0)
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), a.sum(axis=0))


@settings(max_examples=12)
@given(st.data())
def test_reductions_of_what_takes_several_tensors(data):
    """Along all sorts of axes, of what is stored and of what is made of it."""
    shape = data.draw(st.sampled_from(SHAPES))
    name = data.draw(st.sampled_from(["sum", "max", "min", "any", "count_nonzero"]))
    dtype = data.draw(st.sampled_from(["float32", "int32", "float16"]))
    axes = st.lists(st.sampled_from(range(len(shape))), unique=True, min_size=1).map(tuple)
    axis = data.draw(st.none() | axes)
    a = numbers(shape, dtype)
    x = on_device(a, dtype, data.draw(st.sampled_from(["sim:trn1", DEVICE, "sim:trn3"])))
    assert pieces(x) == [-(-a.nbytes // SMALL)]
    if data.draw(st.booleans()):
        a, x = a * 2 + 1, x * 2 + 1
    with xp.config(fallback="error"):
        found = getattr(xp, name)(x, axis=axis)
    wide = a.astype("int64") if dtype != "float32" else a.astype("float64")
    expected = getattr(np, name)(wide, axis=axis)
    rounded = 0.0
    if dtype == "float16" and name == "sum":  # exact in float32, and rounded once: beyond the largest number to infinity
        wide, rounded = wide.astype("float64"), 2.0**-11
        expected = np.where(np.abs(expected) < 65520, expected, np.copysign(np.inf, expected))
    np.testing.assert_allclose(np.asarray(found.to_device("cpu")).astype(wide.dtype), expected, rtol=rounded)


@settings(max_examples=12)
@given(st.data())
def test_elements_of_what_takes_several_tensors(data):
    """Functions, views, copies and writes, in which several elements of a stage's axes may lie in two pieces."""
    shape = data.draw(st.sampled_from(SHAPES))
    dtype = data.draw(st.sampled_from(["float32", "int32", "float16", "complex64", "int64"]))
    host = numbers(shape, dtype)
    x = on_device(host, dtype, data.draw(st.sampled_from(["sim:trn1", DEVICE, "sim:trn3"])))
    starts = [data.draw(st.integers(0, min(3, extent - 1))) for extent in shape]
    key = tuple(slice(start, None, data.draw(st.sampled_from([1, 1, 2, 3]))) for start in starts)

    def chain(namespace, a):
        part = a[key]
        turned = part.T * 2 + 1
        b = namespace.where(turned > 0, turned, a[key].T)
        return a + a, b, namespace.astype(a, "bool"), namespace.broadcast_to(a[:1], a.shape) - a, part.reshape(-1)[5:]

    with xp.config(fallback="error"):
        for found, expected in zip(chain(xp, x), chain(np, host), strict=True):
            np.testing.assert_array_equal(found.to_device("cpu"), expected)
        y, z = xp.asarray(x, copy=True), host.copy()
        for target, source in ((y, x), (z, host)):
            target[key] += 2
            target[..., 1:] = source[..., :-1]
    np.testing.assert_array_equal(y.to_device("cpu"), z)
    np.testing.assert_array_equal(x.to_device("cpu"), host)


def test_rows_that_lie_in_two_tensors_are_scaled():
    """Each row of a softmax is reduced and written: those at the end of a piece go through a tensor of their own."""
    a = numbers((300, 500), "float32")
    x = on_device(a)
    e = xp.exp(x - xp.max(x, axis=-1, keepdims=True))
    wide = np.exp(a.astype("float64") - a.max(axis=-1, keepdims=True))
    found = np.asarray((e / xp.sum(e, axis=-1, keepdims=True)).to_device("cpu"))
    np.testing.assert_allclose(found, wide / wide.sum(axis=-1, keepdims=True), rtol=8 * 2.0**-24)  # exp 2 u, sum and quotient


def test_arrays_are_made_in_several_tensors():
    count = 3 * SMALL // 8
    with xp.config(fallback="error"):
        for made, expected in (
            (xp.zeros(count, dtype="float32", device=DEVICE), np.zeros(count)),
            (xp.full((3, count // 3), 7, dtype="int32", device=DEVICE), np.full((3, count // 3), 7)),
            (xp.arange(count, dtype="float32", device=DEVICE), np.arange(count)),
            (xp.asarray(xp.broadcast_to(on_device([[1.0], [2.0]]), (2, count)), copy=True), np.repeat([[1], [2]], count, 1)),
            (xp.concat([xp.ones(count, dtype="float32", device=DEVICE), on_device([5.0])]), np.append(np.ones(count), 5)),
        ):
            xp.synchronize()
            assert pieces(made)[0] > 1
            np.testing.assert_array_equal(made.to_device("cpu"), expected)


def test_loops_carry_several_tensors():
    a = numbers((400, 500), "float32")
    with xp.config(fallback="error"):
        found = xp.while_loop(lambda x: xp.max(x) < 100, lambda x: x * 2 + 1, on_device(a))
    np.testing.assert_array_equal(found.to_device("cpu"), (a + 1) * 32 - 1)
    assert pieces(found) == [4]


def test_hosts_compute_of_several_tensors():
    a = numbers((300, 500), "float32")
    with xp.config(fallback="allow", float64="host"):
        found = xp.asarray(np.linalg.matrix_transpose(on_device(a)), copy=True)
        xp.reset_coverage()
        wide = a.astype("float64")
        assert np.sin(on_device(wide, "float64")).to_device("cpu").tolist() == np.sin(wide).tolist()
        assert [item.op for item in xp.coverage().fallbacks] == ["sin"]
    np.testing.assert_array_equal(found.to_device("cpu"), a.T)


def test_a_view_is_read_where_it_lies():
    one = on_device(1.0)
    value = xp.sum(xp.broadcast_to(one, (2**20,)))
    (launch,) = engine_for(Device(DEVICE)).pending_plan(value._value)
    assert max(tensor.size for tensor in launch.plan.tensors) == 2**20 // 4096
    assert float(value) == 2**20


CALLS = {
    "running sum": ("cumsum", xp.cumsum),
    "place of an extreme": ("argmax", lambda x: xp.argmax(x, axis=0)),
    "sort": ("sort", xp.sort),
    "rows by index": ("take", lambda x: xp.take(x, xp.asarray([1], device=DEVICE), axis=0)),
    "writes by index": ("setitem", lambda x: x.__setitem__(xp.asarray([1], device=DEVICE), 0)),
    "operand of a product": ("matmul", lambda x: x @ on_device(np.ones(500))),
    "result of a product": ("matmul", lambda x: on_device(np.ones((300, 1))) @ on_device(np.ones((1, 500)))),
    "backwards": ("add", lambda x: x[::-1] + 1),
    "write backwards": ("setitem", lambda x: x.__setitem__(slice(None, None, -1), 1)),
    "transform": ("numpy.fft.rfft", lambda x: xp.fft.rfft(x, axis=0)),
    "median": ("median", lambda x: xp.median(x, axis=0)),
    "covariances": ("cov", xp.cov),
    "distinct values": ("unique_counts", xp.unique_counts),
}


@pytest.mark.parametrize("made", [False, True], ids=["computed", "pending"])
@pytest.mark.parametrize("name", CALLS)
def test_kernels_refuse_at_the_call(name, made):
    x = xp.ones((300, 500), dtype="float32", device=DEVICE) if made else on_device(np.ones((300, 500)))
    op, call = CALLS[name]
    words = rf"^{op}: float32 elements of shape \(.*\) take 600 kB \(600000 bytes\), .* at most 262 kB: work on parts"
    with xp.config(fallback="error"), pytest.raises(DeviceMemoryError, match=words):
        call(x)
    assert float(xp.sum(x)) == 150_000


def test_what_kernels_make_of_less_is_not_refused():
    """Elements that are cast tile by tile take the bytes that are stored."""
    a = numbers((300, 500), "uint8")
    found = xp.astype(on_device(a, "uint8"), "float32") @ on_device(np.ones((500, 2)))
    np.testing.assert_array_equal(found.to_device("cpu"), a.astype("float64") @ np.ones((500, 2)))


def test_the_limits_of_a_real_device(monkeypatch):
    monkeypatch.setattr(capacity, "TENSOR_BYTES", REAL)
    engine = engine_for(Device(DEVICE))
    value = xp.sum(xp.broadcast_to(on_device(1.0), (2**30,)))
    (launch,) = engine.pending_plan(value._value)
    assert sum(tensor.size for tensor in launch.plan.tensors) < 2**20
    (launch,) = engine.pending_plan(xp.zeros(2**31 + 64, dtype=xp.uint8, device=DEVICE)._value)
    assert [tensor.size for tensor in launch.plan.tensors] == [2**31, 64]
    words = r"uint8 elements of shape \(1099511627776,\) take 1.10 TB \(1099511627776 bytes\), .* at most 12.9 GB"
    with pytest.raises(DeviceMemoryError, match=words):
        xp.explain(xp.zeros(2**40, dtype=xp.uint8, device=DEVICE))


def test_counts_may_be_beyond_32_bits(monkeypatch):
    """Then they are sums in 64 bits, which are checked; so many elements would take minutes."""
    for count, beyond in ((2**31 - 1, False), (2**31, True)):
        assert exact_integers.may_exceed("add", np.dtype(bool), np.dtype(np.int32), count) is beyond
    monkeypatch.setattr(reductions, "may_exceed", lambda *_: True)
    a = numbers((30, 50), "int32")
    for truths in (a, a > 1):
        with xp.config(fallback="error"):
            assert xp.count_nonzero(on_device(truths, truths.dtype), axis=0).tolist() == np.count_nonzero(truths, axis=0).tolist()
    with pytest.raises(DeviceMemoryError, match="2147483649 elements have no numbers of 32 bits"):
        build.iota(2**31 + 1)
