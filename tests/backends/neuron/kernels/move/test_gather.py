"""Gathers and scatters in HBM against NumPy, bit for bit where nothing is added."""

import dataclasses

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.kernels.move import gather, scatter
from trnarray.backends.simulator.knobs import Knobs

RNG = np.random.default_rng(4)
U = 2.0**-24
KNOBS = [{}, {"dma_duplicates": "seeded:3", "dve_order": "permuted:1", "gpsimd_overflow": "saturate", "two_op": "fused"}]
TARGETS = ["trn1", "trn2", "trn3"]


@simulator.jit
def rows_at(table, places):
    out = nl.ndarray((places.shape[0], table.shape[1]), table.dtype, buffer=nl.shared_hbm)
    gather.gather_rows(out, table, places)
    return out


@simulator.jit
def elements_at(table, places):
    out = nl.ndarray(places.shape, table.dtype, buffer=nl.shared_hbm)
    gather.gather_elements(out, table, places)
    return out


@simulator.jit
def with_rows(base, places, values):
    out = nl.ndarray(base.shape, base.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, base)
    scatter.scatter_rows(out, places, values)
    return out


@simulator.jit
def with_elements(base, places, values, name):
    out = nl.ndarray(base.shape, base.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(out, base)
    scatter.scatter_elements(name, out, places, values)
    return out


def bits(shape, dtype):
    """Draw any bits, those of NaN among them."""
    return RNG.integers(0, 256, (*shape[:-1], shape[-1] * np.dtype(dtype).itemsize), np.uint8).view(dtype)


def at(count, length):
    return RNG.integers(0, length, count).astype(np.int32)


def options(target, knobs):
    return simulator.options(target, knobs=dataclasses.replace(Knobs(), **knobs))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float16, np.float32])
@pytest.mark.parametrize(("rows", "width", "count"), [(1, 1, 1), (5, 3, 7), (300, 64, 900), (10, 9000, 130)])
def test_rows(rows, width, count, dtype, target):
    table, places = bits((rows, width), dtype), at(count, rows)
    with simulator.options(target):
        assert rows_at(table, places).tobytes() == table[places].tobytes()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize(
    ("batch", "length", "count"), [(1, 1, 1), (1, 300, 5000), (1, 40000, 3000), (3, 20000, 2500), (300, 5, 9), (9000, 3, 2), (129, 3, 2100)]
)
def test_elements(batch, length, count, dtype, target):
    table, places = bits((batch, length), dtype), at((batch, count), length)
    with simulator.options(target):
        assert elements_at(table, places).tobytes() == np.take_along_axis(table, places, 1).tobytes()


def test_many_rows_are_a_loop(monkeypatch):
    monkeypatch.setattr(gather, "_UNROLLED", 100)
    table, places = bits((1000, 2), np.float32), at(128 * 32 * 9 + 5, 1000)
    with simulator.options("trn2"):
        assert rows_at(table, places).tobytes() == table[places].tobytes()
        base = bits((500, 2), np.float32)
        values = table[places[:9000]]
        expected = base.copy()
        expected[places[:9000] % 500] = values
        assert with_rows(base, places[:9000] % 500, values).tobytes() == expected.tobytes()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
@pytest.mark.parametrize(("rows", "width", "count"), [(1, 1, 1), (5, 3, 300), (900, 64, 700), (6, 9000, 140), (3, 2, 2500)])
def test_the_last_of_several_rows_stays(rows, width, count, dtype, knobs, target):
    base, places, values = bits((rows, width), dtype), at(count, rows), bits((count, width), dtype)
    expected = base.copy()
    for place, value in zip(places, values, strict=True):
        expected[place] = value
    with options(target, knobs):
        assert with_rows(base, places, values).tobytes() == expected.tobytes()


def test_places_beyond_float32():
    # 2**24 and 2**24 + 1 are one number in float32, and two places.
    rows = 2**24 + 2
    places = np.array([2**24, 2**24 + 1, 2**24], np.int32)
    with simulator.options("trn2"):
        found = with_rows(np.zeros((rows, 1), np.uint8), places, np.array([[1], [2], [3]], np.uint8))
    assert found[-2:].tolist() == [[3], [2]]
    assert np.count_nonzero(found) == 2


@pytest.mark.parametrize("knobs", KNOBS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("size", "count"), [(1, 1), (7, 300), (900, 400)])
def test_sums(size, count, target, knobs):
    places = at(count, size)
    times = np.bincount(places, minlength=size) + 1  # roundings, of which each is of a part of the sum of magnitudes
    for dtype, unit in ((np.float32, U), (np.float16, 2.0**-11)):
        base, values = RNG.standard_normal(size).astype(dtype), RNG.standard_normal(count).astype(dtype)
        exact, magnitude = base.astype(np.float64), np.abs(base.astype(np.float64))
        np.add.at(exact, places, values.astype(np.float64))
        np.add.at(magnitude, places, np.abs(values.astype(np.float64)))
        with options(target, knobs):
            found = with_elements(base, places, values, "add").astype(np.float64)
        assert (np.abs(found - exact) <= times * unit * magnitude).all()
    for dtype in (np.int32, np.uint32):
        limits = np.iinfo(dtype)
        base, values = (RNG.integers(limits.min, limits.max, many, dtype, endpoint=True) for many in (size, count))
        expected = base.copy()
        np.add.at(expected, places, values)
        with options(target, knobs):
            assert with_elements(base, places, values, "add").tolist() == expected.tolist()


@pytest.mark.parametrize("name", ["multiply", "maximum", "minimum"])
def test_other_functions(name):
    places = at(700, 50)
    base = RNG.standard_normal(50).astype(np.float32)
    values = (2.0 ** RNG.integers(-1, 2, 700) if name == "multiply" else RNG.standard_normal(700)).astype(np.float32)
    expected = base.copy()
    getattr(np, name).at(expected, places, values)  # powers of two round nowhere
    with simulator.options("trn2"):
        assert with_elements(base, places, values, name).tolist() == expected.tolist()
