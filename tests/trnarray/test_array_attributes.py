"""The attributes of Array against those of ndarray."""

import gc
import mmap
import sys
import weakref

import numpy as np
import pytest

from trnarray._array import Array
from trnarray._array.attributes import API_VERSIONS
from trnarray._array.table import NDARRAY_ATTRIBUTES, RAISES
from trnarray.backends.device import CPU, Device
from trnarray.backends.dtypes import BFLOAT16, COMPLEX128, DTYPES, FLOAT16, FLOAT32

wrap = Array._wrap
VIEWS = {
    "owner": lambda a: a,
    "slice": lambda a: a[1:, ::2],
    "reversed": lambda a: a[::-1, ::-1],
    "transposed": lambda a: a.T,
    "0-d view": lambda a: a[1, 1, ...],
    "empty": lambda a: a[:0],
    "broadcast": lambda a: a[:, None],
}
READ_ONLY = ("shape", "dtype", "ndim", "size", "itemsize", "nbytes", "strides")


def sample(dtype, shape=(4, 6)):
    return (np.arange(np.prod(shape)) % 5 + 1).astype(dtype).reshape(shape)  # float8_e8m0fnu has no zero


def test_every_ndarray_attribute_is_implemented_or_raises_with_its_reason():
    public = {name for name in dir(np.ndarray) if not name.startswith("_")}
    assert public <= set(NDARRAY_ATTRIBUTES)
    x = wrap(np.zeros((2, 2)))
    for name, state in NDARRAY_ATTRIBUTES.items():
        if state == "implemented":
            getattr(x, name)
            assert name in public
        else:
            with pytest.raises(AttributeError, match=f"Array has no attribute '{name}': ") as error:
                getattr(x, name)
            assert error.value.args[0].endswith(RAISES[name])
            assert ";" in state, "a reason and a remedy"
            assert name not in dir(x)
    removed = {"itemset", "newbyteorder", "ptp", "tostring"}
    assert set(RAISES) - removed == {"ctypes", "data", "setfield", "getfield", "dump", "dumps", "tofile"}
    for name in removed & public:  # NumPy's own message, or its warning that the name will go
        with pytest.raises((AttributeError, DeprecationWarning)):
            getattr(np.zeros(2), name)()


def test_array_can_be_subscripted_in_annotations():
    assert Array[int, np.dtype].__origin__ is Array


def test_array_cannot_be_subclassed():
    with pytest.raises(TypeError, match="subclasses, such as Mine; keep an Array"):
        type("Mine", (Array,), {})


def test_unknown_attributes_are_attribute_errors():
    with pytest.raises(AttributeError, match="Array has no attribute 'brother'$"):
        _ = wrap(np.zeros(2)).brother
    assert not hasattr(wrap(np.zeros(2)), "__array_interface__")
    with pytest.raises(AttributeError):
        wrap(np.zeros(2)).new = 1


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_what_is_read_equals_numpys(dtype, view):
    a = sample(dtype)
    v, y = VIEWS[view](a), VIEWS[view](wrap(a))
    for name in READ_ONLY:
        assert getattr(y, name) == getattr(v, name)
    assert y.flags is not None
    assert str(y.flags) == str(v.flags)
    assert y.T.shape == v.T.shape
    assert y.T.strides == v.T.strides
    assert y.device is CPU
    if v.ndim >= 2:
        assert y.mT.strides == v.mT.strides
        assert np.may_share_memory(np.asarray(y.mT), a) == (v.size > 0)


@pytest.mark.parametrize("value", [np.float64(1.5), np.int8(3), np.bool(True), np.complex64(1j), BFLOAT16.type(2)], ids=repr)
def test_a_detached_array_has_the_attributes_of_a_numpy_scalar(value):
    x = wrap(value)
    for name in READ_ONLY:
        assert getattr(x, name) == getattr(value, name)
    assert x.base is None
    assert not x.flags.writeable
    assert x.T.shape == ()
    assert x.real == value.real
    assert x.imag == value.imag


@pytest.mark.parametrize("name", ["ndim", "size", "itemsize", "nbytes", "strides", "base", "T", "mT", "device", "flags"])
def test_other_attributes_cannot_be_set(name):
    with pytest.raises(AttributeError):
        setattr(wrap(np.zeros((2, 2))), name, None)


@pytest.mark.parametrize("shape", [(24,), (2, -1), (2, 3, 4), 24, (24, 1)])
def test_setting_shape_reshapes_in_place(shape):
    a = sample("f8")
    x = wrap(a)
    view = x[1:]
    x.shape = shape
    assert x.shape == a.reshape(shape).shape
    assert a.shape == (4, 6), "an ndarray that shares the memory keeps its shape"
    x[...] = 7
    assert (a == 7).all()
    assert view.base is x
    assert bool((view == 7).all())


def test_setting_shape_refuses_what_needs_a_copy():
    x = wrap(sample("f8").T)
    with pytest.raises(ValueError, match="copy"):
        x.shape = (24,)
    with pytest.raises(ValueError, match="reshape"):
        x.shape = (5, 5)
    assert x.shape == (6, 4)


def test_setting_dtype_reads_the_same_bytes():
    a = sample("f8")
    x = wrap(a)
    x.dtype = "i8"
    assert (np.asarray(x) == a.view("i8")).all()
    x.dtype = np.complex128
    assert x.shape == (4, 3)
    assert a.dtype == np.float64
    x[0, 0] = 5 + 6j
    assert a[0, 0] == 5
    assert a[0, 1] == 6
    with pytest.raises(TypeError, match="not a dtype|no dtype"):
        x.dtype = "nonsense"
    with pytest.raises(ValueError, match="last axis must be contiguous"):
        wrap(a.T).dtype = np.int8


def test_flags_are_numpys_own():
    x = wrap(np.zeros(3))
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    with pytest.raises(ValueError, match="read-only"):
        x.sort()
    x.setflags(write=True)
    x[0] = 1
    assert x.tolist() == [1, 0, 0]
    with pytest.raises(ValueError, match="WRITEABLE"):
        wrap(np.frombuffer(b"12345678")).flags.writeable = True


def test_base():
    x = wrap(np.zeros((4, 6)))
    assert x.base is None
    for y in (x[1:], x.T, x.reshape(-1), x[1, ...], x[:, None], x.swapaxes(0, 1), x.ravel(), x.view(), x.mT, x[2:].T[1:], x.diagonal()):
        assert y.base is x
    for y in (x[[0, 1]], x[x == 0], x.copy(), x + 1, x.astype("f4"), x.flatten(), x[1, 1], x.sum(), x.T.copy(), x.T.ravel()):
        assert y.base is not x
        assert not np.shares_memory(np.asarray(y), np.asarray(x))
    assert wrap(np.zeros(4, complex)).imag.base is not None


def test_the_base_of_wrapped_numpy_views():
    a = np.arange(6.0)
    x = wrap(a[2:])
    assert x.base is x.base
    assert x.base._value is a
    with mmap.mmap(-1, 64) as memory:
        x = wrap(np.frombuffer(memory, np.uint8))
        assert type(x.base) is type(np.frombuffer(memory, np.uint8).base)
        del x


@pytest.mark.parametrize(
    "copied",
    [lambda x: x[[0]], lambda x: x[0, 0], lambda x: x.T.reshape(-1), lambda x: x.copy(), lambda x: next(iter(x.flat)), lambda x: x.sum()],
)
def test_copies_do_not_keep_their_source_alive(copied):
    a = np.zeros((3, 4))
    memory = weakref.ref(a)
    y = copied(wrap(a))
    del a
    gc.collect()
    assert memory() is None
    assert y is not None


def test_views_keep_their_source_alive():
    y = wrap(np.arange(10.0))[3:]
    gc.collect()
    assert y.tolist() == [3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_real_and_imag(dtype):
    a = sample(dtype)
    x = wrap(a.copy())
    assert (np.asarray(x.real) == a.real).all()
    assert (np.asarray(x.imag).astype("f8") == a.imag.astype("f8")).all()
    assert x.real.dtype == a.real.dtype
    if dtype.kind == "c":
        x.real = 7
        x.imag = np.arange(6)
        assert (np.asarray(x) == 7 + 1j * np.arange(6)).all()
        x.imag[0] = 3
        assert x[0, 0] == 7 + 3j
    else:
        assert x.real is x
        assert not x.imag.flags.writeable
        x.real = 1
        assert (np.asarray(x) == np.asarray(1).astype(dtype)).all()
        with pytest.raises(TypeError, match="no imaginary part"):
            x.imag = 1


def test_real_of_a_detached_array_can_be_set():
    x = wrap(np.complex128(1 + 2j))
    x.real = 5
    assert x == 5 + 2j
    x.imag = -1
    assert x == 5 - 1j


def test_mt_needs_matrices():
    with pytest.raises(ValueError, match="two dimensions"):
        _ = wrap(np.zeros(3)).mT


@pytest.mark.parametrize("view", VIEWS)
def test_flat_reads(view):
    a = VIEWS[view](sample("f4"))
    x = wrap(a)
    assert len(x.flat) == len(a.flat)
    assert [float(item) for item in x.flat] == list(a.flat)
    assert all(type(item) is Array and item.base is None and item.dtype == FLOAT32 for item in x.flat)
    assert (np.asarray(x.flat.copy()) == a.ravel()).all()
    assert x.flat.base is x
    for key in (slice(None), slice(1, 5), slice(None, None, -2), ...):
        assert (np.asarray(x.flat[key]) == a.flat[key]).all()
        assert not np.shares_memory(np.asarray(x.flat[key]), a)
    if a.size > 3:
        assert x.flat[-2] == a.flat[-2]
        assert (np.asarray(x.flat[[0, 3, 1]]) == a.flat[[0, 3, 1]]).all()
        assert (np.asarray(x.flat[wrap(np.array([2, 0]))]) == a.flat[[2, 0]]).all()
        assert (np.asarray(x.flat == a.flat[0]) == (a.flat == a.flat[0])).all()
        assert (np.asarray(x.flat <= x.flat) == True).all()  # noqa: E712
        assert np.array(x.flat, "f8").dtype == np.float64
        with pytest.raises(IndexError):
            _ = x.flat[a.size]


def test_flat_counts_like_numpys():
    a = sample("i4", (2, 3, 2))
    numpys, ours = a.flat, wrap(a).flat
    for _ in range(a.size):
        assert ours.index == numpys.index
        assert ours.coords == numpys.coords
        assert next(ours) == next(numpys)
    with pytest.raises(StopIteration):
        next(ours)
    assert wrap(np.array(1)).flat.coords == ()
    with pytest.raises(TypeError):
        hash(ours)


@pytest.mark.parametrize("dtype", ["f8", "i2", "c8", FLOAT16, BFLOAT16], ids=str)
@pytest.mark.parametrize("view", ["owner", "slice", "reversed", "transposed"])
def test_flat_writes(dtype, view):
    a = sample(dtype)
    b = a.copy()
    v, y = VIEWS[view](a), VIEWS[view](wrap(b))

    def both(values, key=None):
        if key is None:
            v.flat = values
            y.flat = wrap(values) if isinstance(values, np.ndarray) else values
        else:
            v.flat[key] = values
            y.flat[key] = values
        assert (a == b).all()

    both([3, 1, 2])  # repeated
    both(np.arange(100))  # cut
    both(5)
    both([7, 8], slice(1, 6, 2))
    both(9, -1)
    both([1, 2], [3, 0])
    both(np.ones(3))


def test_flat_rounds_once_and_writes_to_detached_arrays():
    x = wrap(np.zeros(2, BFLOAT16))
    x.flat = 1 + 2**-8 + 2**-40  # just above the midpoint of two bfloat16
    assert float(x[0]) == 1 + 2**-7
    z = wrap(np.arange(9).reshape(3, 3))
    z.flat = z.T  # read before it is written
    assert z.tolist() == [[0, 3, 6], [1, 4, 7], [2, 5, 8]]
    y = wrap(np.float64(1))
    y.flat = 4
    assert y == 4


def test_flat_is_an_operand():
    x = wrap(np.arange(4.0).reshape(2, 2))
    y = wrap(np.zeros(4))
    y[...] = x.T.flat
    assert y.tolist() == [0, 2, 1, 3]
    y.flat = x.flat
    assert y.tolist() == [0, 1, 2, 3]
    assert y.dot(x.flat) == 14
    assert np.asarray(x.flat).tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="ravel"):
        np.asarray(x.flat, copy=False)


def test_array_namespace():
    x = wrap(np.zeros(2))
    namespace = x.__array_namespace__()
    assert namespace is sys.modules["trnarray"]
    assert API_VERSIONS[-1] == "2025.12"
    assert all(x.__array_namespace__(api_version=version) is namespace for version in API_VERSIONS)
    for version in ("2020.12", "2026.12", 2025.12, ""):
        with pytest.raises(ValueError, match=r"api_version .* trnarray implements 2021.12, .*2025.12"):
            x.__array_namespace__(api_version=version)


def test_to_device():
    x = wrap(np.zeros(2, COMPLEX128))
    assert x.to_device("cpu") is x
    assert x.to_device(x.device) is x
    with pytest.raises(ValueError, match="stream"):
        x.to_device("cpu", stream=1)
    with pytest.raises(ValueError, match="there is no device 'gpu'"):
        x.to_device("gpu")
    with pytest.raises(ValueError, match="cannot be opened"):
        x.to_device("trn:99")
    with pytest.raises(TypeError):
        x.to_device(Device)
