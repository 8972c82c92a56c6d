"""Ranges, and what is made of the numbers of elements: bit for bit what NumPy makes, and numbers do not make another program."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph.build import iota
from trnarray.backends.neuron.plan.assemble import Planner

from .beside_host import DEVICE, FLOATS, INTEGERS, NATIVE, assert_same

TENTHS = [(0.0, 1.0, 0.1), (-0.3, 7.0, 0.7), (1.1, -2.0, -0.013), (1e30, 3e30, 1e29), (0.0, 40000.0, 1.5)]
HALVES = [(0.0, 3.0, 0.5), (-4, 4, 1), (3.5, -3.0, -0.25), (2.0, 2.0, 1.0), (0, 1e-320, 1.0)]


@pytest.fixture
def engine():
    engine = engine_for(Device(DEVICE))
    engine.flush()
    planner = engine.planner
    yield engine
    engine.planner = planner


@pytest.mark.parametrize("dtype", [*INTEGERS, np.dtype(np.int64), np.dtype(np.uint64)], ids=str)
def test_ranges_of_integers(dtype):
    top = min(int(np.iinfo(dtype).max), 2**31 - 1)
    numbers = [(100,), (100, 3, -7), (top - 5, top), (0,)]
    assert_same(lambda: tuple(xp.arange(*some, dtype=dtype) for some in numbers), wide=True)


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), np.dtype(np.complex64)], ids=str)
def test_ranges_of_floats_round_as_numpys(dtype):
    assert_same(lambda: tuple(xp.arange(*numbers, dtype=dtype) for numbers in (*TENTHS, *HALVES)))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_exact_ranges(dtype):
    assert_same(lambda: tuple(xp.arange(*numbers, dtype=dtype) for numbers in HALVES))
    assert_same(lambda: tuple(xp.linspace(first, 4 * step, count, dtype=dtype) for first, _, step in HALVES for count in (9, 1, 0)))


@pytest.mark.parametrize("dtype", [np.dtype(name) for name in ("float16", "float32", "uint8", "int32", "complex64")], ids=str)
def test_samples_between_ends(dtype):
    assert_same(
        lambda: (
            xp.linspace(0, 4, 8, endpoint=False, dtype=dtype),
            *xp.linspace(1, 9.5, 18, retstep=True, dtype=dtype),
            xp.linspace(2, 2, 5, dtype=dtype),
            xp.linspace(5, -5.0, 41, dtype=dtype).astype(xp.float32) if dtype.kind != "c" else xp.linspace(5, -5, 41, dtype=dtype),
        )
    )


@pytest.mark.parametrize(
    "call",
    [
        lambda: xp.linspace(0, 1, 11),
        lambda: xp.linspace(0, 1e-50, 3),
        lambda: xp.linspace(0, 2.0**24 + 1, 2),
        lambda: xp.arange(0, 1, 0.1, dtype=xp.bfloat16),
        lambda: xp.arange(3, dtype=xp.float64),
        lambda: xp.arange(2**31 - 2, 2**31 + 2, dtype=xp.int64),
        lambda: xp.linspace(np.float64(0.0), 1, 3),
    ],
)
def test_numbers_of_float64_are_the_hosts(call):
    with xp.default_device("cpu"):
        expected = call()
    with xp.config(fallback="error"), xp.default_device(DEVICE):
        found = call()
    assert str(found.device) == DEVICE
    np.testing.assert_array_equal(found.to_device("cpu"), expected.astype(found.dtype))


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda device: xp.arange(300, dtype=xp.int8, device=device), None),
        (lambda device: xp.arange(300, 310, dtype=xp.int8, device=device), OverflowError),
        (lambda device: xp.arange(3, dtype=xp.bool, device=device), TypeError),
        (lambda device: xp.fromfunction(lambda i: i, (3,), dtype=xp.bool, like=xp.zeros(0, device=device)), TypeError),
        (lambda device: xp.arange(0, 3, 0, device=device), ZeroDivisionError),
        (lambda device: xp.linspace(0, 1, 3, axis=1, device=device), np.exceptions.AxisError),
        (lambda device: xp.arange(0, float("nan"), device=device), ValueError),
        (lambda device: xp.arange(0, float("-inf"), device=device), ValueError),
    ],
)
def test_errors_are_the_hosts(call, error):
    for device in ("cpu", DEVICE):
        if error is None:
            assert call(device)[299] == 299 - 256
        else:
            with pytest.raises(error):
                call(device)


def test_indices_and_triangles():
    assert_same(lambda: (xp.indices((2, 3)), *xp.indices((2, 3, 4), sparse=True), *xp.diag_indices(3, 3)))
    assert_same(lambda: tuple(xp.tri(40, 70, k, dtype=xp.float32) for k in (-41, -3, 0, 5, 80)))
    assert_same(lambda: tuple(xp.indices((3, 2), dtype=dtype) for dtype in NATIVE if dtype != xp.bool), wide=True)


GRIDS = [np.s_[0:3, 1:2:5j], np.s_[2:5], np.s_[:4, 3:0:-1, 1:9:3], np.s_[-1.5:1.5:31j, -2:1], np.s_[0:2:0.25, 0:0], np.s_[0:1:1j], ()]


@pytest.mark.parametrize("key", GRIDS, ids=str)
def test_grids_of_slices(key):
    assert_same(lambda: (xp.mgrid[key], *(xp.ogrid[key] if isinstance(key, tuple) else ())))
    with xp.config(default_device="sim:trn2", defaults="numpy"):
        made = np.asarray(xp.mgrid[key].to_device("cpu"))
    np.testing.assert_array_equal(made, np.mgrid[key], strict=True)


@pytest.mark.parametrize("generation", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_numbers_are_looked_at_as_memory_would_be(generation):
    def call():
        x = xp.arange(2 * 3 * 4 * 5 * 6, device=generation if xp.get_default_device() != "cpu" else "cpu")
        y = xp.reshape(x, (2, 3, 4, 5, 6))
        z = xp.permute_dims(y, (4, 2, 0, 3, 1))[::-1, 1:, :, ::2]
        return x[::-1] + x, y[:, ::-1, 1:3] * 2, z + 1, xp.sum(z, axis=(0, 2, 4)), xp.reshape(x, (-1, 1)) - x[:100], xp.cumulative_sum(x)

    assert_same(call, device=generation)


def test_writes_leave_the_numbers_as_they_were():
    def call():
        x = xp.arange(20)
        y = x[2:] + 1
        x[3:7] = 0
        x[::-2] += x[1::2]
        return x, y, xp.arange(20)

    assert_same(call)


def test_loops_of_the_device_count_on(engine):
    engine.planner = Planner("trn2", budget=8)  # of instructions, which are fewer than tiles
    count = 128 * 2048 * 18 + 3
    x = engine.builder.make((iota(count),), np.dtype(np.int32))
    shadow = np.arange(count, dtype=np.int32)
    for look in (lambda a: a, lambda a: a[::-1], lambda a: a[3:].reshape(18, 128, 2048)[:, ::-1, 1:]):
        view = x.view(look(x.shadow))
        copy = engine.builder.make(view.read(), view.dtype)
        np.testing.assert_array_equal(engine.to_host(copy, copy=True), look(shadow))


def test_numbers_make_no_other_program(engine):
    x = xp.arange(64, device=DEVICE)
    engine.flush()
    engine.planner = Planner("trn2")
    for turn in range(4):
        start, step = 3 * turn, turn + 1
        y = xp.arange(start, start + 7 * step, step, device=DEVICE) + x[turn : turn + 7]
        z = xp.arange(0.5 * turn, 0.5 * turn + 7 * step, step, dtype=xp.float32, device=DEVICE)
        engine.flush()
        np.testing.assert_array_equal(y.to_device("cpu"), np.arange(start, start + 7 * step, step) + np.arange(turn, turn + 7))
        np.testing.assert_array_equal(z.to_device("cpu"), np.arange(0.5 * turn, 0.5 * turn + 7 * step, step, np.float32))
    assert (engine.planner.misses, engine.planner.hits) == (1, 3)
