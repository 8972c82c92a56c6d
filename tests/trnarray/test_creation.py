"""Creation: values, dtypes, shapes, layouts and aliasing as NumPy has them, rounded once."""

import inspect
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.device import CPU, Device
from trnarray.backends.dtypes import DTYPES, FLOAT8_E8M0FNU
from trnarray.backends.host.engine import HostEngine

from .creation_reference import PLAIN, nearest, same

SIM = Device("sim:trn2")


@pytest.fixture
def second_device(monkeypatch):
    """A second device that computes: the host engine under another name."""
    monkeypatch.setattr(SIM, "engine", HostEngine(), raising=False)
    return SIM


# Shape and value


@pytest.mark.parametrize("dtype", [None, *PLAIN, "float16", xp.bfloat16, xp.float8_e4m3, float, ">i4"], ids=str)
def test_shape_and_value(dtype):
    native = np.dtype(dtype).newbyteorder("=")
    for shape, order in itertools.product(
        (0, 3, (), (2,), (2, 3), [2, 0, 3], np.int8(4), (np.int64(2), np.uint8(1)), np.array([2, 3]), np.array(3)), "CF"
    ):
        same(xp.zeros(shape, dtype, order), np.zeros(shape, native, order))
        same(xp.ones(shape, dtype, order), np.ones(shape, native, order))
        empty, expected = xp.empty(shape, dtype, order), np.empty(shape, native, order)
        assert (empty.shape, empty.dtype, empty.strides) == (expected.shape, expected.dtype, expected.strides)
        assert empty.flags.writeable
        assert empty.device is CPU


def test_shapes_may_hold_arrays():
    n = xp.asarray([2, 3])
    assert xp.zeros((n[0], n[1])).shape == (2, 3)
    assert xp.zeros(n).shape == (2, 3)
    assert xp.zeros(n[0]).shape == (2,)


@pytest.mark.parametrize("order", ["K", "A", "C", "F"])
@pytest.mark.parametrize("dtype", [None, "int8", "bfloat16"])
@pytest.mark.parametrize("shape", [None, 4, (3, 2)])
def test_like(order, dtype, shape):
    for prototype in (np.ones((2, 3), "f4"), np.ones((2, 3), "i8", order="F"), np.ones((3, 2)).T[::-1], np.float32(2)):
        for name in ("zeros_like", "ones_like", "empty_like"):
            theirs = getattr(np, name)(prototype, dtype=dtype, order=order, shape=shape)
            ours = getattr(xp, name)(xp.asarray(prototype), dtype=dtype, order=order, shape=shape)
            if name == "empty_like":
                assert (ours.dtype, ours.shape, ours.strides) == (theirs.dtype, theirs.shape, theirs.strides)
            else:
                same(ours, theirs)
        same(
            xp.full_like(xp.asarray(prototype), 3, dtype=dtype, order=order, shape=shape),
            np.full_like(prototype, 3, dtype=dtype, order=order, shape=shape),
        )


def test_layouts_of_a_device():
    x = xp.zeros((2, 3), dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="error"):
        made = [xp.ones((2, 3), order="F", device="sim:trn2"), xp.zeros_like(x, order="F"), xp.full_like(x, x[0] + 7, order="F")]
        made += [xp.empty((2, 3), order="F", device="sim:trn2"), xp.eye(2, 3, order="F", device="sim:trn2")]
        made[3][...] = 5
    expected = [np.ones((2, 3)), np.zeros((2, 3)), np.full((2, 3), 7), np.full((2, 3), 5), np.eye(2, 3)]
    for ours, theirs in zip(made, expected, strict=True):
        assert ours.flags.f_contiguous
        np.testing.assert_array_equal(np.asarray(ours.to_device("cpu")), theirs)


def test_like_a_list():
    same(xp.zeros_like([1, 2]), np.zeros_like([1, 2]))
    same(xp.full_like([1, 2], 1.5), np.full_like([1, 2], 1.5))


@pytest.mark.parametrize(
    "value", [True, 3, -1, 2.5, 1j, 2**63, np.float32(1.5), np.uint8(200), np.array(2.0), [1, 2, 3], np.ones((2, 1), "f4")]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_full(value, order):
    same(xp.full((2, 3), value, order=order), np.full((2, 3), value, order=order))


def test_full_rounds_once():
    just_above_a_midpoint = 1 + 2**-8 + 2**-40  # float32, where ml_dtypes stops on its way, has it on the midpoint
    for dtype in (xp.bfloat16, xp.float16, xp.float8_e4m3):
        expected = nearest(just_above_a_midpoint, np.dtype(dtype))
        assert float(xp.full(2, just_above_a_midpoint, dtype=dtype)[1]) == expected
        assert float(xp.full_like(xp.ones(2, dtype=dtype), just_above_a_midpoint)[1]) == expected


@given(n=st.integers(0, 5), m=st.none() | st.integers(0, 5), k=st.integers(-7, 7) | st.just(10**30), dtype=st.sampled_from(PLAIN))
def test_eye_and_tri(n, m, k, dtype):
    same(xp.eye(n, m, k, dtype=dtype), np.eye(n, m, max(min(k, 9), -9), dtype=dtype))
    if abs(k) < 9:
        same(xp.tri(n, m, k, dtype=dtype), np.tri(n, m, k, dtype=dtype))
        same(xp.eye(n, m, k, dtype="float16"), np.eye(n, m, k, dtype="float16"))
    same(xp.identity(n, dtype), np.identity(n, dtype))


def test_a_dtype_without_zero():
    for make in (xp.zeros, xp.eye, xp.tri, lambda n, dtype: xp.zeros_like(xp.ones(n), dtype=dtype)):
        with pytest.raises(TypeError, match="no zero"):
            make(2, dtype=FLOAT8_E8M0FNU)
    with pytest.raises(TypeError, match="no zero"):
        xp.tril(xp.ones((2, 2), dtype=FLOAT8_E8M0FNU))
    assert float(xp.ones(1, dtype=FLOAT8_E8M0FNU)[0]) == 1


# Ranges and grids


@pytest.mark.parametrize(
    "args",
    [(5,), (0,), (-1,), (2, 7), (7, 2), (7, 2, -2), (0, 1, 0.1), (1.5, 4), (np.float32(3),), (np.uint8(5),), (True,), (1, 2**62, 2**61),
     (0.0, -1.0, -0.25), (2**63 - 5, 2**63 - 1)],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [None, "float32", "complex64", "int64"])
def test_arange(args, dtype):
    if dtype != "float32" or max(map(abs, args)) < 1e9:
        same(xp.arange(*args, dtype=dtype), np.arange(*args, dtype=dtype))


def test_arange_of_arrays_and_keywords():
    x = xp.asarray([2, 8])
    same(xp.arange(x[0], x[1]), np.arange(2, 8))
    same(xp.arange(3, step=2), np.arange(3, step=2))
    same(xp.arange(0, 3, 1, float), np.arange(0, 3, 1, float))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float8_e4m3"])
def test_low_precision_ranges_round_once(dtype):
    wide = np.arange(0, 4, 0.1)
    assert xp.arange(0, 4, 0.1, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    wide = np.linspace(0, 1, 17)
    assert xp.linspace(0, 1, 17, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    wide = np.geomspace(1, 8, 7)
    assert xp.geomspace(1, 8, 7, dtype=dtype).astype(float).tolist() == [nearest(x, np.dtype(dtype)) for x in wide]
    above_midpoints = 1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-4 + 2.0**-40, 1 + 2.0**-11 + 2.0**-40  # of bfloat16, float8_e4m3, float16
    for x in above_midpoints:
        for one in (xp.linspace(x, x, 1, dtype=dtype), xp.arange(x, 2, dtype=dtype), xp.logspace(1, 1, 1, base=x, dtype=dtype)):
            assert float(one[0]) == nearest(x, np.dtype(dtype))
    ends = xp.asarray([1.0, 2.0], dtype=dtype)
    assert xp.linspace(ends[0], ends[1], 3).dtype == np.dtype(dtype)


ends = st.sampled_from([0, 1, -2.5, 3 + 1j, np.float32(2), np.array([1.0, 2.0]), np.array([[1], [2]], "f4"), np.int8(4)])


@given(ends, ends, st.integers(0, 5), st.booleans(), st.booleans(), st.sampled_from([None, "float32", "complex128", int]), st.booleans())
def test_linspace(start, stop, num, endpoint, retstep, dtype, wrapped):
    if np.iscomplexobj(start) or np.iscomplexobj(stop):
        dtype = None
    with np.errstate(all="ignore"):
        theirs = np.linspace(start, stop, num, endpoint, retstep, dtype, -1)
        ours = xp.linspace(
            *(xp.asarray(x) if wrapped and type(x) is np.ndarray else x for x in (start, stop)), num, endpoint, retstep, dtype, -1
        )
    if retstep:
        assert type(ours) is tuple
        np.testing.assert_array_equal(np.asarray(ours[1]._value if type(ours[1]) is xp.Array else ours[1]), theirs[1])
        ours, theirs = ours[0], theirs[0]
    if dtype is None and not {type(start), type(stop)} <= {int, float, complex}:
        assert ours.dtype == xp.result_type(start, stop, 1.0)
        theirs = theirs.astype(ours.dtype)
    np.testing.assert_allclose(np.asarray(ours._value), theirs, rtol=2 * float(xp.finfo(ours.dtype).eps) if ours.dtype.kind != "i" else 0)
    assert ours.shape == theirs.shape


def test_logarithmic_ranges():
    same(xp.logspace(0, 3, 4), np.logspace(0, 3, 4))
    same(xp.logspace(0, 3, 4, base=2, endpoint=False, dtype="f4"), np.logspace(0, 3, 4, base=2, endpoint=False, dtype="f4"))
    same(xp.logspace(0, xp.asarray([1.0, 2.0]), 3, base=xp.asarray([2.0, 3.0])), np.logspace(0, [1.0, 2], 3, base=[2.0, 3]), layout=False)
    same(xp.geomspace(1, 1000, 4), np.geomspace(1, 1000, 4))
    same(xp.geomspace(1j, 1000j, 4), np.geomspace(1j, 1000j, 4))
    with pytest.raises(ValueError, match="zero"):
        xp.geomspace(0, 1)


@given(st.lists(st.integers(0, 3), max_size=3), st.booleans(), st.booleans(), st.sampled_from(["xy", "ij"]))
def test_meshgrid(lengths, copy, sparse, indexing):
    arrays = [np.arange(n, dtype=dtype) for n, dtype in zip(lengths, ("i4", "bfloat16", "f8"), strict=False)]
    theirs = np.meshgrid(*arrays, copy=copy, sparse=sparse, indexing=indexing)
    ours = xp.meshgrid(*map(xp.asarray, arrays), copy=copy, sparse=sparse, indexing=indexing)
    assert type(ours) is tuple
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        same(one, other)


def test_grids():
    same(xp.indices((2, 3)), np.indices((2, 3)))
    same(xp.indices((2, 3), "f4"), np.indices((2, 3), "f4"))
    for one, other in zip(xp.indices((2, 3), sparse=True), np.indices((2, 3), sparse=True), strict=True):
        same(one, other)
    same(xp.fromfunction(lambda i, j: i * 2 + j, (2, 3)), np.fromfunction(lambda i, j: i * 2 + j, (2, 3)))
    same(xp.fromfunction(lambda i, power: i**power, (3,), dtype=int, power=2), np.arange(3) ** 2)
    same(xp.mgrid[0:3, 1:2:5j], np.mgrid[0:3, 1:2:5j])
    same(xp.mgrid[2:5], np.mgrid[2:5])
    same(xp.mgrid[0 : xp.asarray([4])[0]], np.mgrid[0:4])
    for one, other in zip(xp.ogrid[0:3, 0:2], np.ogrid[0:3, 0:2], strict=True):
        same(one, other)


# Matrices


@given(
    st.sampled_from([d for d in DTYPES if d != FLOAT8_E8M0FNU]),
    st.sampled_from([(3, 3), (2, 4), (2, 3, 2), (0, 2), (3,)]),
    st.integers(-4, 4),
)
def test_triangles(dtype, shape, k):
    a = np.ones(shape).astype(dtype)
    same(xp.tril(xp.asarray(a), k), np.tril(a, k))
    same(xp.triu(a, k), np.triu(a, k))


def test_diagonals():
    for v, k in itertools.product((np.arange(3.0), np.ones((3, 4), "i2"), [1, 2]), (-1, 0, 2)):
        same(xp.diag(v, k), np.diag(v, k))
        same(xp.diagflat(v, k), np.diagflat(v, k))
    x = xp.asarray(np.arange(9.0).reshape(3, 3))
    assert not xp.diag(x).flags.writeable
    x[1, 1] = 50
    assert xp.diag(x).tolist() == [0, 50, 8]
    assert xp.diag(x[0]).base is None
    for bad in (np.ones(()), np.ones((1, 1, 1))):
        with pytest.raises(ValueError, match="1-d"):
            xp.diag(bad)
    for N, increasing in itertools.product((None, 0, 2, 5), (False, True)):
        same(xp.vander([1.0, 2, 3], N, increasing), np.vander([1.0, 2, 3], N, increasing))


# Devices


def test_a_second_device(second_device):
    x = xp.zeros(3, device=SIM)
    assert x.device is SIM
    for y in (
        xp.ones_like(x),
        xp.asarray(x),
        xp.asarray([x, x]),
        xp.asarray([x[0], 1.0]),
        xp.full(2, x[0]),
        xp.linspace(x[0], x[1], 3),
        xp.meshgrid(x, x)[0],
        xp.zeros(2, like=x),
        xp.asarray([1, 2], like=x),
        xp.asarray(np.zeros(2), device="sim:trn2"),
        xp.arange(3, device=SIM),
        xp.eye(2, device=SIM),
        xp.zeros_like(xp.ones(3), device=SIM),
        xp.full_like([1, 2], 3, device=SIM),
        xp.astype(xp.ones(2), xp.int8, device=SIM),
        xp.astype(xp.ones(2), xp.float64, device=SIM),
        xp.asarray(xp.ones(2), device=SIM),
        xp.asarray(x, dtype="float32", copy=True),
        xp.tril([[x[0], x[1]]]),
    ):
        assert y.device is SIM
    assert xp.zeros_like(x, device="cpu").device is CPU
    assert xp.asarray(x, device="cpu").device is CPU
    with xp.default_device(SIM):
        assert xp.zeros(1).device is SIM
        assert xp.asarray(np.zeros(1)).device is SIM
        assert xp.asarray(xp.zeros(1, device="cpu")).device is CPU
        assert xp.asarray([1.0]).device is SIM
        a = np.zeros(2)
        snapshot = xp.asarray(a)
        a[0] = 1
        assert snapshot.tolist() == [0, 0]


def test_signatures_have_numpys_parameters():
    renamed = {"arange": {"start_or_stop"}}
    for name in [
        "arange",
        "asarray",
        "empty",
        "empty_like",
        "eye",
        "full",
        "full_like",
        "linspace",
        "meshgrid",
        "ones",
        "ones_like",
        "tril",
        "triu",
        "zeros",
        "zeros_like",
        "array",
        "asanyarray",
        "ascontiguousarray",
        "asfortranarray",
        "copy",
        "identity",
        "tri",
        "geomspace",
        "logspace",
        "fromfunction",
        "fromiter",
        "frombuffer",
        "fromstring",
        "fromfile",
        "require",
        "diag",
        "diagflat",
        "vander",
        "indices",
        "astype",
        "can_cast",
        "isdtype",
        "result_type",
        "promote_types",
        "issubdtype",
        "common_type",
        "min_scalar_type",
        "all",
        "any",
        "diff",
    ]:
        ours = inspect.signature(getattr(xp, name)).parameters
        try:
            theirs = inspect.signature(getattr(np, name)).parameters
        except ValueError:  # NumPy 2.2 and 2.3 hide many
            continue
        missing = {p for p in theirs if p not in ours} - renamed.get(name, set())
        assert not missing, name
        order = [p for p in ours if p in theirs and ours[p].kind is not inspect.Parameter.KEYWORD_ONLY]
        expected = [p for p in theirs if p in order]
        assert order == expected, name


def test_flat_iterators_are_arrays_of_their_elements():
    x = xp.asarray(np.arange(6.0).reshape(2, 3).T)
    made = xp.asarray(x.flat, dtype=xp.float32)
    np.testing.assert_array_equal(np.asarray(made), np.asarray(x).flatten().astype(np.float32))
    assert not np.shares_memory(np.asarray(made), np.asarray(x))
    with pytest.raises((TypeError, ValueError)):
        xp.asarray(x.flat, copy=False)
