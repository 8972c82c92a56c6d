"""Views on a Neuron device beside NumPy's: by strides, by dtype, of parts; the order of elements; flags and what shares memory."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp

DEVICE = "sim:trn2"
SIZES = {1: ("bool", "int8", "uint8"), 2: ("int16", "uint16", "float16", "bfloat16"), 4: ("int32", "uint32", "float32")}
WIDE = ("int64", "uint64", "float64")
as_strided = xp.lib.stride_tricks.as_strided


@pytest.fixture(autouse=True)
def _nothing_on_the_host():
    with xp.config(fallback="error"):
        yield


def on_device(a, device=DEVICE):
    return xp.asarray(np.asarray(a), device=device, copy=True)


def host(x):
    return np.asarray(x.to_device("cpu"))


def bits(a):
    return a.tobytes()


# By strides


@pytest.mark.parametrize("device", ["sim:trn1", DEVICE, "sim:trn3"])
def test_views_by_strides_alias_the_memory_of_what_they_view(device):
    a = np.arange(12, dtype=np.float32)
    x = on_device(a, device)
    for ours, theirs in (
        (as_strided(x[::2], (6,), x[::2].strides), a[::2]),
        (as_strided(x.reshape(3, 4).T, (4, 3), (4, 16)), a.reshape(3, 4).T),
        (as_strided(x[2:], (3, 3), (-4, 4)), np.lib.stride_tricks.as_strided(a[2:], (3, 3), (-4, 4))),
        (as_strided(x), a),
    ):
        assert bits(host(ours)) == bits(theirs)
        assert xp.shares_memory(ours, x)
        assert ours.strides == theirs.strides
    as_strided(x, (3, 2), (4, 4))[0, 1] = 99
    assert x.tolist()[:3] == [0, 99, 2]
    windows = xp.lib.stride_tricks.sliding_window_view(x, 3)
    x[2] = 7
    assert windows.tolist()[:2] == [[0, 99, 7], [99, 7, 3]]
    with pytest.raises(ValueError, match="read-only"):
        windows[0, 0] = 1
    np.lib.stride_tricks.sliding_window_view(x, 2, writeable=True)[0, 1] = 5
    assert x.tolist()[:3] == [0, 5, 7]
    assert not as_strided(x, (2,), (4,), writeable=False).flags.writeable


def test_views_by_strides_stay_within_memory():
    x = on_device(np.arange(4, dtype=np.int16))
    for base, shape, strides in ((x, (5,), (2,)), (x[1:], (3,), (-2,)), (x[3], (2,), (2,)), (x[:0], (5,), (2,)), (x, (2, 3), (4, 2))):
        with pytest.raises(ValueError, match="memory"):
            as_strided(base, shape, strides)
    with pytest.raises(ValueError, match="multiples of 2"):
        as_strided(x, (2,), (1,))
    z = on_device(np.ones(3, np.complex64))
    with pytest.raises(ValueError, match="multiples of 8"):
        as_strided(z.real, (2,), (4,))
    assert as_strided(z.real, (2,), (16,)).tolist() == [1, 1]
    assert as_strided(x, (0, 9), (2, 2)).shape == (0, 9)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float32", "int64", "complex64", "complex128"])
def test_writes_to_elements_that_share_memory(dtype):
    a = (np.arange(12) % 5 - (2 if np.dtype(dtype).kind != "u" else 0)).astype(dtype)
    x = on_device(a)
    strides = (2 * a.itemsize, a.itemsize)
    ours, theirs = as_strided(x, (5, 4), strides), np.lib.stride_tricks.as_strided(a, (5, 4), strides)
    mask = np.arange(20).reshape(5, 4) % 7 == 3
    for write in (
        lambda v, on: v.__setitem__(on(mask), 1),
        lambda v, on: v.__setitem__((on(np.array([0, 2])), slice(1, 3)), 0),
        lambda v, on: v.__setitem__((slice(None), slice(None, 2)), on((np.arange(10) % 3).astype(dtype).reshape(5, 2))),
        lambda v, on: np.copyto(v, np.ones((), dtype).item(), where=on(~mask)),
        lambda v, on: v.fill(0),
    ):
        write(ours, on_device)
        write(theirs, np.asarray)
        assert bits(host(x)) == bits(a)
    backwards = as_strided(x[8:], (3, 3), (-a.itemsize, -a.itemsize))
    backwards[...] = 1
    assert x.tolist() == [0] * 4 + [1] * 5 + [0] * 3
    a[4:9] = 1
    if dtype == "float32":
        ours += 1
        theirs += 1
        assert bits(host(x)) == bits(a)
        with pytest.raises(ValueError, match="share memory"):
            np.add.at(ours, (on_device(np.array([0, 1])), 0), on_device(np.ones(2, np.float32)))


# By dtype


@pytest.mark.parametrize("size", SIZES)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_views_by_dtype_have_the_bits_and_alias(size, data):
    source, target = (np.dtype(xp.asarray(0, dtype=data.draw(st.sampled_from(SIZES[size]))).dtype) for _ in range(2))
    raw = np.frombuffer(data.draw(st.binary(min_size=6 * size, max_size=6 * size)), f"u{size}").copy()
    a = (raw % 2).astype(bool) if source.kind == "b" else raw.view(source)
    x, b = on_device(a), a.view(target)
    y = x.view(target)
    assert y.dtype == target
    assert xp.shares_memory(x, y)
    assert bits(host(y)) == bits(b)
    copied = host(y[::-1].copy())  # read on the device
    assert bits(copied) == bits(b[::-1] if target.kind != "b" else b[::-1].view(np.uint8) != 0)
    for key, value in ((slice(None, None, 2), data.draw(st.integers(0, 1))), (3, 1)):
        y[key] = b[key] = value
        assert bits(host(x)) == bits(a)
        x[5] = a[5] = 1
        assert bits(host(y)) == bits(b)
    if target.kind == "b":
        assert host(xp.logical_not(y)).tolist() == np.logical_not(b).tolist()
        assert int(xp.count_nonzero(y)) == np.count_nonzero(b.view(np.uint8))


def test_views_by_dtype_of_64_bits_share_words():
    for source in WIDE:
        for target in WIDE:
            a = np.array([1, 2**40, 3], source)
            x, b = on_device(a), a.view(target)
            y = x.view(target)
            assert bits(host(y)) == bits(b)
            y[0] = b[0] = 7
            assert bits(host(x)) == bits(a)
    x = on_device(np.float32(1))
    assert int(x[()].view(np.int32)) == 0x3F800000
    assert xp.isscalar(x[()].view(np.int32))
    x.dtype = np.dtype(np.uint32)
    assert int(x) == 0x3F800000


def test_bytes_of_bools_are_kept_until_they_are_written():
    a = np.array([0, 1, 2, 255, 7], np.uint8)
    x, b = on_device(a), a.view(bool)
    y = x.view(bool)
    first, zero = on_device(np.array([True, False, False, False, False])), on_device(np.zeros(1, np.int32))
    for write in (
        lambda: y.__setitem__(first, True),
        lambda: y.__setitem__(zero, True),
        lambda: np.put(y, zero, on_device(np.ones(1, bool))),
        lambda: np.put_along_axis(y, zero, True, 0),
        lambda: np.copyto(y, True, where=first),
    ):
        x[0] = 0
        write()
        assert x.tolist() == [1, 1, 2, 255, 7]
    a[0] = 1
    y[3:] = b[3:] = True
    assert x.tolist() == a.tolist() == [1, 1, 2, 1, 1]
    mask = on_device(np.zeros(3, bool))
    mask.view(np.int8)[1] = 9
    assert mask.tolist() == [False, True, False]
    assert int(xp.sum(mask)) == 1
    assert (mask & True).view(np.uint8).tolist() == [0, 1, 0]


@pytest.mark.parametrize("target", ["uint8", "float64", "complex64", "complex128"])
def test_views_by_dtype_that_no_device_has_are_refused(target):
    a = np.ones((3, 4), np.float32)
    x, dtype = on_device(a), np.dtype(target)
    for ours, theirs in ((x.T, a.T), (x[:, :3], a[:, :3]), (x[:, ::2], a[:, ::2]), (x[0, 0, ...], a[0, 0, ...])):
        try:
            theirs.view(dtype)
        except ValueError as error:
            with pytest.raises(ValueError, match=str(error)[:20]):
                ours.view(dtype)
        else:
            with pytest.raises(TypeError, match="device"):
                ours.view(dtype)
    with pytest.raises(TypeError, match=r"to_device\('cpu'\)" if dtype.kind != "c" else r"1j"):
        x.view(dtype)
    z = on_device(np.ones(2, np.complex64))
    with pytest.raises(TypeError, match=r"x\.real"):
        z.view(np.float64)


# Parts


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["real", "imag"])
def test_parts_alias_and_keep_the_flag(dtype, name):
    a = np.arange(6).reshape(2, 3).astype(dtype) * (1 - 2j)
    for turn in (lambda v: v, lambda v: v.T, lambda v: v[:, ::-2]):
        x = on_device(a)
        part, wanted = getattr(turn(x), name), getattr(turn(a), name)
        assert part.strides == wanted.strides
        assert part.flags.c_contiguous == wanted.flags.c_contiguous
        assert bits(host(part)) == bits(wanted)
        part[0] = 9
        assert bits(host(getattr(turn(x), name))) == bits(np.concatenate([np.full_like(wanted[:1], 9), wanted[1:]]))
        assert xp.shares_memory(part, x)
        x.setflags(write=False)
        before = host(x)
        for view in (getattr(turn(x), name), getattr(xp, name)(turn(x)), getattr(np, name)(turn(x)), getattr(x, name)[1:]):
            assert not view.flags.writeable
            for write in (lambda v: v.__setitem__(Ellipsis, 5), lambda v: v.fill(5), lambda v: np.copyto(v, 5)):
                with pytest.raises(ValueError, match="read-only"):
                    write(view)
        assert bits(host(x)) == bits(before)
    assert not getattr(xp.broadcast_to(on_device(a), (2, 2, 3)), name).flags.writeable
    scalar = getattr(on_device(a)[1, 1], name)
    assert scalar.base is None
    assert xp.isscalar(scalar)


def test_parts_of_real_arrays():
    x = on_device(np.ones(3, np.float32))
    x.setflags(write=False)
    assert x.real is x
    assert not x.imag.flags.writeable
    assert xp.shares_memory(np.real(x), x)


# Order of elements


@st.composite
def turned(draw):
    """Draw an array whose axes are permuted, reversed, stepped along, repeated or windows, and its twin on a device."""
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=3, max_side=4, min_side=0))
    a = np.arange(np.prod(shape, dtype=int)).astype("f4").reshape(shape)
    x = on_device(a)
    for kind in draw(st.lists(st.sampled_from(("transpose", "flip", "step", "repeat", "axis", "windows")), max_size=3)):
        if kind == "transpose":
            axes = draw(st.permutations(range(a.ndim)))
            a, x = a.transpose(axes), x.transpose(axes)
        elif kind == "axis":
            a, x = a[..., None], x[..., None]
        elif kind == "repeat":
            a, x = np.broadcast_to(a, (2, *a.shape)), xp.broadcast_to(x, (2, *a.shape))
        elif a.ndim and kind == "flip":
            axis = draw(st.integers(0, a.ndim - 1))
            a, x = np.flip(a, axis), xp.flip(x, axis=axis)
        elif a.ndim and kind == "step":
            a, x = a[..., ::2], x[..., ::2]
        elif a.ndim and a.shape[0] > 1:
            a, x = (np.lib.stride_tricks.sliding_window_view(item, 2, axis=0) for item in (a, x))
    return a, x


@settings(max_examples=120, deadline=None)
@given(pair=turned())
def test_the_order_of_elements(pair):
    a, x = pair
    for order in ("C", "F", "A", "K", "k", None):
        assert x.flatten(order).tolist() == a.flatten(order).tolist()
        assert x.tobytes(order) == a.tobytes(order)
        ours, theirs = x.ravel(order), a.ravel(order)
        assert ours.tolist() == theirs.tolist() == xp.ravel(x, order).tolist() == np.ravel(x, order).tolist()
        assert xp.shares_memory(ours, x) == np.shares_memory(theirs, a)
        assert ours.flags.writeable == theirs.flags.writeable
        if order not in ("K", "k"):
            assert x.reshape(-1, order=order).tolist() == a.reshape(-1, order=order).tolist()
            assert np.reshape(x, (1, -1), order=order).tolist() == np.reshape(a, (1, -1), order=order).tolist()


def test_orders_that_there_are_not():
    x = on_device(np.ones((2, 2), np.float32))
    for call in (x.flatten, x.ravel, x.tobytes, lambda order: x.reshape(4, order=order), lambda order: np.ravel(x, order)):
        with pytest.raises(ValueError, match="order must be one of"):
            call("Q")
    with pytest.raises(ValueError, match="order 'K'"):
        x.reshape(4, order="K")


def test_layouts_that_are_asked_for():
    a = np.arange(6, dtype=np.int16).reshape(2, 3)
    x = on_device(a)
    for call in (
        lambda m, v: v.copy("F"),
        lambda m, v: v.T.copy("A"),
        lambda m, v: m.asfortranarray(v),
        lambda m, v: m.asfortranarray(v.T),
        lambda m, v: m.ascontiguousarray(v.T),
        lambda m, v: m.require(v, requirements=["F", "W"]),
        lambda m, v: m.asarray(v.T, order="C"),
        lambda m, v: m.array(v, order="A", copy=None),
        lambda m, v: m.asarray(v, np.int32, order="F"),
    ):
        ours, theirs = call(xp, x), call(np, a)
        assert ours.strides == theirs.strides
        assert ours.tolist() == theirs.tolist()
        assert xp.shares_memory(ours, x) == np.shares_memory(theirs, a)
    with pytest.raises(ValueError, match="copy=False"):
        xp.asarray(x, order="F", copy=False)
    with pytest.raises(ValueError, match="Cannot specify"):
        xp.require(x, requirements=["F", "C"])


# Shared memory


def test_whether_memory_may_be_shared_is_always_told():
    a = np.zeros((4, 6), np.float32)
    x = on_device(a)
    whole = slice(None)
    keys = [whole, (whole, slice(None, None, 2)), (whole, slice(1, None, 2)), slice(None, None, -1), slice(2, None), slice(0, 2)]
    for ours, theirs in [(x[key], a[key]) for key in keys] + [(x.T, a.T), (x[:0], a[:0])]:
        for other in keys:
            for may, of in ((xp.may_share_memory, xp.shares_memory), (np.may_share_memory, np.shares_memory)):
                assert may(ours, x[other]) == np.may_share_memory(theirs, a[other])
                assert of(ours, x[other]) == np.shares_memory(theirs, a[other])
    assert not xp.may_share_memory(x, on_device(a))
    assert not xp.may_share_memory(x, x.copy())


# Views and writes that the suite of views found


def test_of_no_axes_nothing_is_viewed_as_a_scalar():
    x = on_device(np.array(3, np.float16))
    y = xp.trim_zeros(x)
    y[...] = 4
    assert float(x) == float(y) == 4
    assert float(xp.einsum("...->...", x)) == 4
    for device in ("cpu", DEVICE):
        with pytest.raises(ValueError, match="different lengths"):
            xp.einsum("ii->i", on_device(np.ones((0, 3), np.float32), device))


@pytest.mark.parametrize(
    ("shape", "at"), [((0, 0), [[0]]), ((0, 3), [[7]]), ((0, 3), np.full((0, 1), 9)), ((3, 0), [[0]]), ((2, 3), [[7]])]
)
def test_positions_that_broadcast_to_nothing_may_lead_anywhere(shape, at):
    def write(convert):
        a = convert(np.zeros(shape, np.float32))
        try:
            np.put_along_axis(a, convert(np.asarray(at)), 1, -1)
            return a.tolist()
        except IndexError:
            return "refused"

    assert write(on_device) == write(np.asarray)


def test_views_of_several_arrays_and_numbers():
    x = on_device(np.arange(3, dtype=np.float32))
    a = np.arange(3.0)
    for ours, theirs in ((xp.atleast_2d(x, 1, 2.5), np.atleast_2d(a, 1, 2.5)), (xp.broadcast_arrays(x, 1), np.broadcast_arrays(a, 1))):
        assert [one.tolist() for one in ours] == [np.asarray(one).tolist() for one in theirs]
        assert [xp.shares_memory(one, x) for one in ours] == [True] + [False] * (len(ours) - 1)


def test_strides_of_a_device_are_not_applied_to_a_copy_on_the_host():
    x = on_device(np.arange(6, dtype=np.float32))
    with xp.config(host_transfer="allow"):
        with pytest.raises(TypeError, match=r"trnarray\.lib\.stride_tricks\.as_strided"):
            np.lib.stride_tricks.as_strided(x[2:], (3, 3), (-4, 4))
        try:
            found = scipy.linalg.circulant(x)
        except TypeError as error:  # from SciPy 1.16 on, it looks at ours by strides
            assert "trnarray.scipy.linalg" in str(error)
        else:
            assert np.asarray(found).tolist() == scipy.linalg.circulant(np.arange(6)).tolist()


@pytest.mark.parametrize("shape", [(2, 2), (0, 0)])
def test_writes_to_what_is_read_only_are_refused_even_of_nothing(shape):
    x = on_device(np.ones(shape, np.float32))
    x.setflags(write=False)
    at, mask, one = on_device(np.zeros(1, np.int32)), on_device(np.ones(shape, bool)), on_device(np.ones(1, np.float32))
    for write in (
        lambda: np.put(x, at, one),
        lambda: np.putmask(x, mask, one),
        lambda: np.place(x, mask, one),
        lambda: np.put_along_axis(x, on_device(np.zeros(shape, np.int32)), 1, 0),
        lambda: np.fill_diagonal(x, 1),
        lambda: np.add.at(x, at[:0], 1),
        lambda: x.__setitem__(mask, 1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            write()


def test_what_falls_back_reads_and_writes_through_views_by_dtype():
    a = np.array([1.5, -2, 3], np.float32)
    x = on_device(a)
    with xp.config(fallback="allow"):
        x.view(np.uint32).byteswap(inplace=True)
    a.view(np.uint32).byteswap(inplace=True)
    assert bits(host(x)) == bits(a)


def test_explain_names_bits_that_are_read_as_another_dtype():
    x = on_device(np.ones(300, np.float32))
    assert "bits to uint32" in str(xp.explain(xp.bitwise_xor(x.view(np.uint32), 1)))


UNCHANGED = {
    "polyder": lambda np, x: np.polyder(x, 0),
    "polyint": lambda np, x: np.polyint(x, 0),
    "matrix_power": lambda np, x: np.linalg.matrix_power(x.reshape(2, 2), 1),
    "real_if_close": lambda np, x: np.real_if_close(x),
}


@pytest.mark.parametrize("name", UNCHANGED)
@pytest.mark.parametrize("dtype", ["int32", "float32", "complex64", "float64", "complex128"])
def test_what_has_nothing_to_compute_is_a_view(name, dtype):
    """As in NumPy: writes through it are seen, and the dtype stays; whether parts of complex128 are small, the host says."""
    a = np.array([1, 2, 3, 4], dtype)
    x = on_device(a)
    with xp.config(fallback="allow"):
        found, expected = UNCHANGED[name](xp, x), UNCHANGED[name](np, a)
        assert found.dtype == expected.dtype
        found[0], expected[0] = 7, 7
        np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), a)
        if dtype.startswith("complex"):
            assert xp.real_if_close(on_device(a + 1j)).dtype == dtype


def test_bytes_of_truth_values():
    """A view of bytes that are neither 0 nor 1 keeps them; they are true in every function, and 1 in copies, where NumPy's stay."""
    a = np.array([2, 255, 0, 1, 128], np.uint8)
    x = on_device(a).view(xp.bool)
    right = a != 0
    for call in (xp.sum, lambda x: x == True, lambda x: ~x, lambda x: x ^ x[::-1], lambda x: x & x[::-1], xp.sort, xp.argmax):  # noqa: E712
        np.testing.assert_array_equal(np.asarray(call(x).to_device("cpu")), np.asarray(call(xp.asarray(right)).to_device("cpu")))
    assert x.view(xp.uint8).tolist() == a.tolist()
    assert x.copy().view(xp.uint8).tolist() == right.tolist()
