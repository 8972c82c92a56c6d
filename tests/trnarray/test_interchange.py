"""An Array as an ndarray, as a pickle, and through DLPack, both ways."""

import copy
import gc
import pickle
import weakref

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from trnarray._array import Array
from trnarray._array.capsule import device_of
from trnarray._array.dlpack import from_dlpack
from trnarray.backends.device import Device
from trnarray.backends.dtypes import BFLOAT16, DTYPES, FLOAT8_E4M3FN, FLOAT8_E5M2
from trnarray.backends.policy import HostTransferError, HostTransferWarning
from trnarray.backends.settings import config

from .dlpack_abi import IS_COPIED, READ_ONLY, Consumer, Producer

wrap = Array._wrap
EXTRA = [dtype for dtype in DTYPES if dtype.num >= 256]
# From dlpack.h; not from the table under test.
CODES = {
    "bool": 6, "uint8": 1, "int8": 0, "uint16": 1, "int16": 0, "uint32": 1, "int32": 0, "uint64": 1, "int64": 0,
    "float16": 2, "float32": 2, "float64": 2, "complex64": 5, "complex128": 5, "bfloat16": 4,
    "float8_e3m4": 7, "float8_e4m3": 8, "float8_e4m3fn": 10, "float8_e5m2": 12, "float8_e8m0fnu": 14,
}  # fmt: skip
VIEWS = {
    "owner": lambda a: a,
    "slice": lambda a: a[1:, ::2],
    "reversed": lambda a: a[::-1, ::-2],
    "transposed": lambda a: a.T,
    "0-d": lambda a: a[1, 1, ...],
    "empty": lambda a: a[:, :0],
    "broadcast": lambda a: np.broadcast_to(a[0], (3, a.shape[1])),
    "detached": lambda a: a[1, 2],
}


def sample(dtype, shape=(4, 6)):
    return (np.arange(np.prod(shape)) % 7 + 1).reshape(shape).astype(dtype)


def items(a):
    return [item.tobytes() for item in np.asarray(a).ravel()]


# __array__


def test_array_gives_the_ndarray_itself():
    a = np.arange(3.0)
    x = wrap(a)
    assert np.asarray(x) is a
    assert x.__array__() is a
    assert x.__array__(np.float64, copy=False) is a
    assert np.asarray(x, copy=False) is a
    assert np.array(x) is not a
    assert not np.shares_memory(np.array(x, copy=True), a)
    assert np.asarray(x, np.float32).dtype == np.float32
    assert np.asarray(x, "O").dtype == object
    with pytest.raises(ValueError, match="float64 is to become float32"):
        np.asarray(x, np.float32, copy=False)
    fortran = wrap(np.zeros((2, 3), order="F"))
    assert fortran.__array__(copy=True).flags.f_contiguous
    a.flags.writeable = False
    assert not np.asarray(x).flags.writeable


def test_array_of_detached_and_low_precision_arrays():
    x = wrap(np.float32(1.5))
    assert x.__array__().shape == ()
    assert np.asarray(x) == 1.5
    with pytest.raises(ValueError, match="detached"):
        np.asarray(x, copy=False)
    y = wrap(np.array([1 + 2**-8 + 2**-40]))
    assert float(np.asarray(y, BFLOAT16)[0]) == 1 + 2**-7
    assert np.asarray(wrap(sample(BFLOAT16)), "f8").tolist() == sample("f8").tolist()


def test_array_obeys_the_policy():
    with config(host_transfer="error"), pytest.raises(HostTransferError, match="from_dlpack"):
        np.asarray(wrap(np.zeros(2)))


# pickle and copy


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pickle(dtype, view, protocol):
    a = VIEWS[view](sample(dtype))
    y = pickle.loads(pickle.dumps(wrap(a), protocol))
    assert type(y) is Array
    assert type(y._value) is type(a)
    assert (y.dtype, y.shape, y.device) == (a.dtype, a.shape, "cpu")
    assert items(y) == items(a)
    y[...] = 1  # the copy can be written to


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_pickle_out_of_band(dtype):
    for a in (sample(dtype, (100, 100)), np.asfortranarray(sample(dtype, (100, 100)))):
        buffers = []
        data = pickle.dumps(wrap(a), protocol=5, buffer_callback=buffers.append)
        assert len(buffers) == 1
        assert len(data) < 400
        assert np.shares_memory(np.frombuffer(buffers[0].raw(), np.uint8), a)
        writable = pickle.loads(data, buffers=buffers)
        assert np.shares_memory(writable._value, a)
        assert items(writable) == items(a)
        assert writable.strides == a.strides
        frozen = pickle.loads(data, buffers=[bytes(buffers[0].raw().tobytes())])
        assert items(frozen) == items(a)
        assert not frozen.flags.writeable


def test_pickles_of_absent_devices_arrive_on_the_host():
    function, arguments = wrap(sample(BFLOAT16)).__reduce_ex__(5)
    assert arguments[2] == "cpu"
    moved = (*arguments[:2], "trn:77", *arguments[3:])
    with pytest.warns(HostTransferWarning, match="pickled on 'trn:77' is now on 'cpu'"):
        y = function(*moved)
    assert y.device == "cpu"
    assert items(y) == items(sample(BFLOAT16))
    with pytest.raises(ValueError, match="there is no device"):
        function(*arguments[:2], "gpu:0", False)


def test_identity_survives_pickling_and_copying():
    x = wrap(np.zeros(3))
    for first, second in (pickle.loads(pickle.dumps([x, x])), copy.deepcopy([x, x])):
        assert first is second


# DLPack, out


@pytest.mark.parametrize("version", [None, (1, 0), (1, 1), (2, 0)])
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_export(dtype, view, version):
    a = VIEWS[view](sample(dtype))
    x = wrap(a)
    if view == "broadcast" and version is None:  # read-only, which only DLPack 1 can say
        with pytest.raises(BufferError, match="readonly"):
            x.__dlpack__()
        return
    consumer = Consumer(x.__dlpack__(max_version=version))
    read = consumer.read()
    assert read.dtype == (CODES[dtype.name], 8 * dtype.itemsize, 1)
    assert read.shape == a.shape
    assert read.elements == items(a)
    assert (read.version is None) == (version is None)
    assert read.version is None or read.version[0] == 1
    assert bool(read.flags & READ_ONLY) == (view == "broadcast")
    assert not read.flags & IS_COPIED
    if a.size and isinstance(a, np.ndarray):
        assert read.address == a.ctypes.data
    consumer.release()


@pytest.mark.parametrize("dtype", [np.dtype("f4"), BFLOAT16, FLOAT8_E5M2], ids=str)
def test_an_exported_array_lives_until_the_deleter_is_called(dtype):
    a = sample(dtype)
    memory = weakref.ref(a)
    expected = items(a[1:])
    consumer = Consumer(wrap(a)[1:].__dlpack__(max_version=(1, 0)))
    del a
    gc.collect()
    assert memory() is not None
    assert consumer.read().elements == expected
    consumer.release()
    gc.collect()
    assert memory() is None


@pytest.mark.parametrize("version", [None, (1, 0)])
@pytest.mark.parametrize("dtype", [np.dtype("f4"), BFLOAT16], ids=str)
def test_a_capsule_that_nobody_takes_frees_its_memory(dtype, version):
    a = sample(dtype)
    memory = weakref.ref(a)
    capsule = wrap(a).__dlpack__(max_version=version)
    del a
    gc.collect()
    assert memory() is not None
    del capsule
    gc.collect()
    assert memory() is None


@pytest.mark.parametrize("dtype", [np.dtype("f4"), BFLOAT16], ids=str)
def test_export_copies_on_demand(dtype):
    a = sample(dtype)
    a.flags.writeable = False
    consumer = Consumer(wrap(a).__dlpack__(copy=True, max_version=(1, 0)))
    read = consumer.read()
    assert read.address != a.ctypes.data
    assert read.elements == items(a)
    assert not read.flags & READ_ONLY
    consumer.release()
    consumer = Consumer(wrap(a).__dlpack__(copy=False, max_version=(1, 0), dl_device=(1, 0)))
    assert consumer.read().address == a.ctypes.data
    consumer.release()


def test_export_refuses():
    x = wrap(np.zeros(3))
    with pytest.raises(BufferError, match="device"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(ValueError, match="stream"):
        x.__dlpack__(stream=1)
    with pytest.raises(BufferError, match="detached"):
        x[0].__dlpack__(copy=False)
    x.flags.writeable = False
    for y in (x, wrap(sample(BFLOAT16))):
        y.flags.writeable = False
        with pytest.raises(BufferError, match="readonly"):
            y.__dlpack__()
        with pytest.raises(BufferError, match="readonly"):
            y.__dlpack__(max_version=(0, 8))
    packed = np.zeros(3, [("a", "i1"), ("b", "f4")])
    with pytest.raises(BufferError, match="multiple of itemsize"):
        wrap(packed["b"]).__dlpack__()


def test_names_of_devices():
    assert wrap(np.zeros(1)).__dlpack_device__() == (1, 0)
    assert device_of(Device("trn:3")) == (18, 3)
    assert device_of(Device("sim:trn2")) == (18, 0)


# DLPack, in


@pytest.mark.parametrize("version", [None, (1, 0), (1, 7)])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_import(dtype, version):
    a = sample(dtype)
    producer = Producer(a.tobytes(), a.shape, CODES[dtype.name], 8 * dtype.itemsize, version=version)
    x = from_dlpack(producer)
    assert type(x) is Array
    assert (x.dtype, x.shape, x.device) == (dtype, a.shape, "cpu")
    assert items(x) == items(a)
    assert x.flags.writeable == (version is not None), "only DLPack 1.0 can say that memory may be written to"
    assert x._value.ctypes.data == producer.managed.tensor.data
    view = x[1:]
    del x
    gc.collect()
    assert producer.deleted == []
    del view
    gc.collect()
    assert producer.deleted == [(True, CODES[dtype.name])], "the deleter runs once, on its own tensor as it was"


@pytest.mark.parametrize("dtype", [np.dtype("i2"), BFLOAT16], ids=str)
def test_import_of_strides_flags_and_shapes(dtype):
    a = sample(dtype)
    code = CODES[dtype.name]
    bits = 8 * dtype.itemsize
    transposed = from_dlpack(Producer(a.tobytes(), (6, 4), code, bits, strides=(1, 6)))
    assert items(transposed) == items(a.T)
    frozen = from_dlpack(Producer(a.tobytes(), (24,), code, bits, flags=READ_ONLY))
    assert not frozen.flags.writeable
    assert from_dlpack(Producer(a.tobytes(), (), code, bits)).shape == ()
    assert from_dlpack(Producer(b"", (0, 3), code, bits)).shape == (0, 3)
    writable = Producer(a.tobytes(), (24,), code, bits)
    x = from_dlpack(writable)
    x[0] = 5
    assert writable.buffer.raw[: dtype.itemsize] == np.array(5, dtype).tobytes()


@pytest.mark.parametrize(
    ("producer", "message"),
    [
        (lambda: Producer(b"\0" * 8, (8,), 17, 4), "code 17, 4 bits"),
        (lambda: Producer(b"\0" * 8, (2,), 2, 32, lanes=2), "2 lanes"),
        (lambda: Producer(b"\0" * 16, (1,), 2, 128), "code 2, 128 bits"),
        (lambda: Producer(b"\0" * 8, (2,), 3, 32), "code 3"),
        (lambda: Producer(b"\0" * 8, (2,), 2, 32, version=(2, 0)), "2.0"),
        (lambda: Producer(b"\0" * 8, (2,), 2, 32, device=(2, 0)), r"device \(2, 0\)"),
        (lambda: Producer(b"\0" * 8, (2,), 2, 32, device=(18, 1)), r"device \(18, 1\)"),
    ],
)
def test_import_refuses(producer, message):
    with pytest.raises(BufferError, match=message):
        from_dlpack(producer())


def test_import_from_other_devices_is_asked_for():
    producer = Producer(b"\0" * 8, (2,), 2, 32, device=(2, 0))
    with pytest.raises(ValueError, match="copy=False"):
        from_dlpack(producer, device="cpu", copy=False)
    assert producer.requests == []
    with pytest.raises(BufferError, match="cannot read"):  # it was asked for the host, and did not obey
        from_dlpack(producer, device="cpu")
    assert producer.requests == [{"max_version": (1, 2), "dl_device": (1, 0)}]
    with pytest.raises(BufferError, match="cannot move it"):
        from_dlpack(Producer(b"\0" * 8, (2,), 2, 32, device=(2, 0), version=None), device="cpu")
    with pytest.raises(ValueError, match="there is no device"):
        from_dlpack(np.zeros(2), device="gpu")
    with pytest.raises(ValueError, match="cannot be opened"):
        from_dlpack(np.zeros(2), device="trn:9999")


def test_import_copies_on_demand():
    a = np.arange(3.0)
    for copied, shared in ((True, False), (False, True), (None, True)):
        assert np.shares_memory(from_dlpack(a, copy=copied)._value, a) == shared
        assert np.shares_memory(from_dlpack(a, device="cpu", copy=copied)._value, a) == shared
        assert np.shares_memory(from_dlpack(wrap(a), copy=copied)._value, a) == shared
    old = Producer(a.tobytes(), (3,), 2, 64, version=None)
    x = from_dlpack(old, copy=True)
    assert x._value.ctypes.data != old.managed.tensor.data
    assert x.flags.owndata
    gc.collect()
    assert len(old.deleted) == 1
    with pytest.raises(AttributeError):
        from_dlpack([1, 2])


def test_import_of_our_own_arrays():
    x = wrap(sample(BFLOAT16))
    y = from_dlpack(x)
    assert y is not x
    assert y.base is x
    assert from_dlpack(x[0, 0]).shape == ()
    with pytest.raises(ValueError, match="detached"):
        from_dlpack(x[0, 0], copy=False)


def test_a_capsule_is_taken_once():
    class Again:
        def __init__(self):
            self.capsule = np.zeros(2).__dlpack__()

        def __dlpack__(self, **_):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    again = Again()
    x = from_dlpack(again)
    with pytest.raises(BufferError, match="taken already"):
        from_dlpack(again)
    assert x.tolist() == [0, 0]


def test_numpy_takes_what_it_knows():
    x = wrap(np.arange(6.0).reshape(2, 3))[:, ::-1]
    y = np.from_dlpack(x)
    assert np.shares_memory(y, x._value)
    assert y.tolist() == x.tolist()


@given(
    npst.arrays(st.sampled_from([d for d in DTYPES if d.num < 256]), npst.array_shapes(min_dims=0, max_side=4)),
    st.data(),
)
def test_round_trip_of_any_view(a, data):
    view = a[data.draw(npst.basic_indices(a.shape, allow_newaxis=True, allow_ellipsis=True))]
    x = from_dlpack(wrap(view))
    assert items(x) == items(view)
    consumer = Consumer(wrap(view).__dlpack__(max_version=(1, 0)))
    assert consumer.read().elements == items(view)
    consumer.release()


# DLPack, other libraries


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_torch(dtype):
    torch = pytest.importorskip("torch")
    if not hasattr(torch, dtype.name):
        pytest.skip(f"torch has no {dtype}")
    a = sample(dtype)
    for view in (a, a[1:, ::2], a.T, a[1, 1, ...], a[:, :0]):  # no negative strides: torch 2.13 aborts, on NumPy's as well
        t = torch.from_dlpack(wrap(view))
        assert str(t.dtype) == f"torch.{dtype.name}"
        assert [item.contiguous().reshape(1).view(torch.uint8).numpy().tobytes() for item in t.reshape(-1)] == items(view)
        back = from_dlpack(t)
        assert back.dtype == dtype
        assert np.shares_memory(back._value, view) == (view.size > 0)
    x = wrap(a)
    t = torch.from_dlpack(x)
    t[0, 0] = 1
    assert float(x[0, 0].real) == 1
    del t
    gc.collect()
    assert items(x) == items(a)
    t = torch.zeros(1000, dtype=getattr(torch, dtype.name))
    y = from_dlpack(t)
    del t
    gc.collect()
    assert y._value.tobytes() == bytes(1000 * dtype.itemsize)
    assert not np.shares_memory(from_dlpack(torch.ones(2), copy=True)._value, np.zeros(1))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_jax(dtype):
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        a = sample(dtype, (64, 32))
        try:
            j = jax.numpy.from_dlpack(wrap(a))
        except (BufferError, RuntimeError, ValueError, TypeError) as error:
            pytest.skip(f"JAX does not take {dtype}: {error}")
        assert j.dtype == dtype
        assert np.asarray(j).tobytes() == a.tobytes()
        try:
            capsule_known = j.__dlpack__(max_version=(1, 2)) is not None
        except (BufferError, RuntimeError, ValueError, TypeError) as error:
            pytest.skip(f"JAX does not give {dtype}: {error}")
        assert capsule_known
        y = from_dlpack(j)
        assert y.dtype == dtype
        assert items(y) == items(a)
        assert not y.flags.writeable
        del j
        gc.collect()
        assert items(y) == items(a)


def test_ml_dtypes_table_is_complete():
    supported = {dtype.name for dtype in EXTRA}
    assert supported == {"bfloat16", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"}
    assert FLOAT8_E4M3FN == ml_dtypes.float8_e4m3fn


def test_from_dlpack_refuses_subclasses_of_ndarray():
    with pytest.raises(TypeError, match="subclass"):
        from_dlpack(np.ma.masked_array([1.0, 2.0], [True, False]))
