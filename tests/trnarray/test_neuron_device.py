"""Arrays on a simulated NeuronCore behave like those on the host: scalars, views, writes, methods."""

import copy
import pickle

import numpy as np
import pytest

import trnarray as xp


@pytest.fixture(params=["sim:trn1", "sim:trn2", "sim:trn3"])
def device(request):
    with xp.config(fallback="allow"):
        yield request.param


@pytest.fixture
def make(device):
    return lambda values, dtype=None: xp.asarray(values, dtype=dtype, device=device)


def test_swap_through_a_temporary(make):
    x = make([3.0, 1.0, 2.0])
    kept = x[0]
    x[0] = x[1]
    x[1] = kept
    assert x.tolist() == [1, 3, 2]


def test_augmented_assignment_rebinds_what_is_detached(make):
    x = make([1.0, 3.0])
    for get in (lambda: x[0], x.sum, lambda: next(iter(x)), lambda: x[0] + 1, lambda: x.copy()[1]):
        value = kept = get()
        before = float(kept)
        assert xp.isscalar(value)
        value += 1
        assert (float(kept), float(value)) == (before, before + 1)
    assert x.tolist() == [1, 3]
    view = x[0, ...]
    assert not xp.isscalar(view)
    view += 5
    assert x.tolist() == [6, 3]


def test_writes_to_what_is_detached_are_its_own(make):
    x = make([1.0, 3.0])
    value = x[0]
    twin = value.copy()
    value[()] = 9
    twin.fill(4)
    total = x.sum()
    assert xp.add(x[0], x[1], out=total) is total
    assert [float(item) for item in (value, twin, total, x[0])] == [9, 4, 4, 1]
    assert all(map(xp.isscalar, (value, twin, total, value.T, value.copy())))
    assert not xp.isscalar(xp.expand_dims(value, 0))
    assert xp.flip(x[0, ...]).tolist() == 1


def test_python_numbers(make):
    x = make([3])
    assert (int(x[0]), float(x[0]), complex(x[0]), bool(x[0]), round(make(2.6)[()])) == (3, 3, 3, True, 3)
    assert [10, 20, 30, 40][x[0]] == 40
    assert (x.item(), x.tolist(), len(x), 3 in x, 4 in x) == (3, [3], 1, True, False)
    assert bool(make([True]))
    for wrong in (lambda: len(make(3)), lambda: iter(make(3)), lambda: float(make([1, 2])), lambda: hash(x)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(ValueError, match="ambiguous"):
        bool(make([1, 2]))


def test_printing_says_where(make, device):
    x = make([1.0, 2.0])
    assert repr(x) == f"Array([1., 2.], dtype=float32, device='{device}')"
    assert (str(x), f"{x[0]:.2f}") == ("[1. 2.]", "1.00")
    large = xp.zeros((100, 100), device=device)
    assert repr(large).endswith(f"shape=(100, 100), dtype=float32, device='{device}')")
    for dtype in (xp.bfloat16, xp.complex64, xp.float64, xp.int64, xp.bool):
        assert repr(make([1, 0], dtype)).replace(device, "cpu") == repr(xp.asarray([1, 0], dtype=dtype, device="cpu"))


def test_flags_and_geometry(make):
    x = make([[1.0, 2.0], [3.0, 4.0]])
    assert (x.strides, x.T.strides, x.itemsize, x.nbytes, make([1j]).itemsize) == ((8, 4), (4, 8), 4, 16, 8)
    assert x.T.flags.f_contiguous
    for protected in (x, xp.broadcast_to(make([1.0, 2.0]), (3, 2))):
        if protected is x:
            x.setflags(write=False)
        for write in (lambda y=protected: y.__setitem__(0, 1), lambda y=protected: y.__iadd__(1), lambda y=protected: y.fill(3)):
            with pytest.raises(ValueError, match="read-only"):
                write()


def test_base_and_shared_memory(make):
    x = make([[1.0, 2.0], [3.0, 4.0]])
    for view in (x[1:], x.T, x[1:].T, x.reshape(4), x[0, ...]):
        assert view.base is x
        assert xp.shares_memory(x, view)
    assert x.base is None
    for other in (x + 1, x.copy(), x[0, 0], x[[0]]):
        assert other.base is None
        assert not xp.shares_memory(x, other)
    assert not xp.shares_memory(x[0], x[1])
    z = make([1 + 2j])
    assert z.real.base is z
    assert xp.shares_memory(z, z.imag)
    assert not xp.shares_memory(z.real, z.imag)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64", "int64", "float64", "bool"])
def test_pickles_and_copies(make, device, dtype):
    for x in (make([1, 0], dtype), make([1, 0], dtype)[0]):
        for twin in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            assert (twin.device, twin.dtype, twin.tolist()) == (device, x.dtype, x.tolist())
            assert xp.isscalar(twin) == xp.isscalar(x)


def test_operators_in_place(make):
    x = y = make([1.0, 2.0])
    y *= 6
    y -= make([1, 1])
    y /= 2
    y **= 2
    y //= 1
    y %= 7
    assert y is x
    assert x.tolist() == [6, 2]
    i = make([5, 6])
    i <<= 1
    i |= 1
    i &= 7
    i ^= 1
    assert i.tolist() == [2, 4]
    m = make([[1.0, 2.0], [3.0, 4.0]])
    m @= m
    assert m.tolist() == [[7, 10], [15, 22]]
    z = make([1.0, 2.0, 3.0])
    z[1:] += z[:-1]
    assert z.tolist() == [1, 3, 5]
    for array, operand in ((make([1], "int8"), 1.5), (make([1.0]), 1j), (i, 2.5)):
        with pytest.raises(TypeError):
            array += operand


def test_out_and_where(make, device):
    x, mask, out = make([1.0, 2.0]), make([True, False]), xp.zeros(2, device=device)
    assert xp.add(x, x, out=out) is out
    assert out.tolist() == [2, 4]
    assert xp.add(x, x, where=mask, out=xp.zeros(2, device=device)).tolist() == [2, 0]
    assert float(xp.sum(x, where=mask)) == 1
    with pytest.raises(TypeError, match=f"{device}.*numpy.ndarray"):
        xp.add(x, x, out=np.zeros(2, np.float32))


def test_methods_of_ufuncs(make, device):
    x = make([1.0, 2.0, 4.0])
    assert xp.add.reduce(x) == 7
    assert xp.multiply.accumulate(x).tolist() == [1, 2, 8]
    assert xp.add.outer(x, x).tolist() == [[2, 3, 5], [3, 4, 6], [5, 6, 8]]
    assert xp.add.reduceat(x, [0, 1]).tolist() == [1, 6]
    y = xp.zeros(3, device=device)
    xp.add.at(y, [0, 0, 1], 1.0)
    assert y.tolist() == [2, 1, 0]


def test_methods_that_write(make):
    x = make([3.0, 5.0, 4.0])
    x.sort()
    assert x.tolist() == [3, 4, 5]
    x.flat[1] = 7
    assert ([float(item) for item in x.flat], x.flat[1]) == ([3, 7, 5], 7)
    x.flat = [1, 2]
    assert x.tolist() == [1, 2, 1]
    xp.copyto(x, make([7, 8, 9]), where=make([True, False, True]))
    assert x.tolist() == [7, 2, 9]
    x.put([0], [4.0])
    x[make([False, False, True])] = 0
    x[[1]] = 1
    assert x.tolist() == [4, 1, 0]
    assert (x[[0, 1]].tolist(), x[make([True, False, True])].tolist(), x[make([0, 2])].tolist()) == ([4, 1], [4, 0], [4, 0])
    assert x.tobytes() == np.array([4, 1, 0], np.float32).tobytes()
    x.resize(4, refcheck=False)
    x.shape = (2, 2)
    assert x.tolist() == [[4, 1], [0, 0]]
    x.fill(3)
    assert x.tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_parts_of_complex_numbers_are_written(make, dtype):
    z = make([1 + 2j, 3 + 4j], dtype)
    z.real = 0
    assert z.tolist() == [2j, 4j]
    z.imag = make([1.0, 1.0], z.imag.dtype)
    assert z.tolist() == [1j, 1j]
    assert z.conj().tolist() == [-1j, -1j]


def test_parts_of_complex64_are_views(make):
    z = make([1 + 2j, 3 + 4j])
    z.real[0] = 5
    z.imag += 1
    assert z.tolist() == [5 + 3j, 3 + 5j]


def test_view_as_another_dtype(make):
    assert make([1.0]).view(xp.uint32).tolist() == [0x3F800000]
    for wrong in (lambda: make([1j]).view(xp.float32), lambda: make([1.0, 2.0]).view(xp.complex64)):
        with pytest.raises(TypeError, match=r"use x\.real and x\.imag"):
            wrong()
