"""Random draws: on the cpu the values of NumPy's generators for the same seeds, under the same signatures; and what is ours.

What is ours: detached Arrays for Python's scalars, devices, low-precision dtypes, views that see a shuffle.
"""

import copy
import inspect
import operator
import pickle
import threading
import warnings
from functools import partial

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
from trnarray import Array
from trnarray.backends.device import Device
from trnarray.backends.host.engine import HostEngine

from .numpy_reference import ERRORS, data, layouts, outcome, same

SIM = Device("sim:trn2")

# Calls of each method, as positional arguments and keywords: alone, with a shape, and with arrays that are broadcast.
ROW, COLUMN = np.array([0.25, 0.5, 0.75]), np.array([[2.0], [3.0]])
COUNTS = np.array([[5], [9]])
SQUARE = np.array([[2.0, 0.5], [0.5, 1.0]])


def calls(*scalars, arrays):
    return [(scalars, {}), (scalars, {"size": 3}), (scalars, {"size": (2, 0, 3)}), (scalars, {"size": ()}), (arrays, {}),
            (arrays, {"size": (2, 2, 3)})]  # fmt: skip


SHARED = {
    "beta": calls(2.0, 3.0, arrays=(ROW, COLUMN)),
    "binomial": calls(10, 0.3, arrays=(COUNTS, ROW)),
    "chisquare": calls(3, arrays=(COLUMN + ROW,)),
    "dirichlet": [(([1.0, 2.0, 3.0],), {"size": size}) for size in (None, 4, (2, 3))] + [((ROW,), {})],
    "exponential": [((), {}), *calls(2.0, arrays=(COLUMN + ROW,))],
    "f": calls(3, 7.5, arrays=(COLUMN, ROW)),
    "gamma": calls(2.5, 3.0, arrays=(ROW, COLUMN)),
    "geometric": calls(0.3, arrays=(COLUMN / 8 + ROW / 4,)),
    "gumbel": [((), {}), *calls(1.0, 2.0, arrays=(ROW, COLUMN))],
    "hypergeometric": calls(5, 6, 4, arrays=(COUNTS, np.arange(3, 6), 4)),
    "laplace": [((), {}), *calls(1.0, 2.0, arrays=(ROW, COLUMN))],
    "logistic": [((), {}), *calls(1.0, 2.0, arrays=(ROW, COLUMN))],
    "lognormal": [((), {}), *calls(1.0, 0.5, arrays=(ROW, COLUMN))],
    "logseries": calls(0.6, arrays=(COLUMN / 8 + ROW / 4,)),
    "multinomial": [((20, [0.2, 0.3, 0.5]), {"size": size}) for size in (None, 4, (2, 3))],
    "negative_binomial": calls(3, 0.4, arrays=(COUNTS, ROW)),
    "noncentral_chisquare": calls(3, 1.5, arrays=(COLUMN, ROW)),
    "noncentral_f": calls(3, 20, 1.5, arrays=(COLUMN, 20, ROW)),
    "normal": [((), {}), ((), {"loc": ROW, "scale": COLUMN}), *calls(1.0, 2.0, arrays=(ROW, COLUMN))],
    "pareto": calls(3.0, arrays=(COLUMN + ROW,)),
    "poisson": [((), {}), *calls(5.0, arrays=(COLUMN + ROW,))],
    "power": calls(3.0, arrays=(COLUMN + ROW,)),
    "rayleigh": [((), {}), *calls(3.0, arrays=(COLUMN + ROW,))],
    "standard_cauchy": [((), {}), ((), {"size": (2, 3)})],
    "standard_t": calls(5, arrays=(COLUMN + ROW,)),
    "triangular": calls(-1.0, 0.5, 2.0, arrays=(ROW - 1, ROW, COLUMN)),
    "uniform": [((), {}), *calls(-1.0, 2.0, arrays=(ROW, COLUMN))],
    "vonmises": calls(0.5, 4.0, arrays=(ROW, COLUMN)),
    "wald": calls(1.0, 2.0, arrays=(ROW, COLUMN)),
    "weibull": calls(1.5, arrays=(COLUMN + ROW,)),
    "zipf": calls(2.5, arrays=(COLUMN + ROW,)),
    "choice": [((7,), {}), ((7, 3), {}), ((7, (2, 3)), {"p": np.arange(7) / 21}), ((np.arange(5.0),), {}), (([1.5, 2.5], 4), {}),
               ((np.arange(5.0), 4, False), {}), ((5, 3), {"replace": False, "p": [0.1, 0.2, 0.3, 0.4, 0.0]})],
    "permutation": [((6,), {}), ((np.arange(12.0).reshape(4, 3),), {}), (([3, 1, 2],), {}), ((np.int64(5),), {})],
    "multivariate_normal": [(([0.0, 1.0], SQUARE), {"size": size}) for size in (None, 3, (2, 3))],
}  # fmt: skip
GENERATOR = {
    **SHARED,
    "random": [((), {}), ((3,), {}), ((), {"size": (2, 3), "dtype": np.float32}), ((), {"dtype": "f4"})],
    "standard_normal": [((), {}), ((3,), {}), ((), {"size": (2, 3), "dtype": np.float32}), ((), {"dtype": "f4"})],
    "standard_exponential": [((), {}), ((3,), {}), ((), {"size": 4, "dtype": np.float32, "method": "inv"}), ((), {"dtype": "f4"})],
    "standard_gamma": [*calls(2.5, arrays=(COLUMN + ROW,)), ((COLUMN,), {"dtype": np.float32}), ((2.5,), {"dtype": "f4"})],
    "integers": [((9,), {}), ((-3, 5), {"size": (2, 3)}), ((COUNTS,), {"size": (2, 4)}), ((0, 255, 5, np.uint8), {"endpoint": True}),
                 ((2,), {"dtype": bool}), ((2,), {"dtype": int}), ((0, 2**64 - 1), {"dtype": np.uint64}), (([1, 2], [3, 9]), {})],
    "multivariate_hypergeometric": [(([5, 3, 8], 6), {"size": 4}), ((np.array([5, 3, 8]), 6), {"method": "count"})],
    "choice": [*SHARED["choice"], ((np.arange(12).reshape(3, 4),), {"axis": 1}), ((np.arange(12).reshape(3, 4), 2, False), {"axis": 1}),
               ((9, 4, False), {"shuffle": False})],
    "permutation": [*SHARED["permutation"], ((np.arange(12).reshape(3, 4),), {"axis": 1})],
    "permuted": [((np.arange(12).reshape(3, 4),), {"axis": axis}) for axis in (None, 0, 1)] + [(([3, 1, 2],), {})],
    "multivariate_normal": [(([0.0, 1.0], SQUARE), {"size": 3, "method": method}) for method in ("svd", "eigh", "cholesky")]
    + SHARED["multivariate_normal"],
    "bytes": [((10,), {})],
}  # fmt: skip
LEGACY = {
    **SHARED,
    **{name: [((), {}), ((3,), {}), ((), {"size": (2, 3)})] for name in ("random", "random_sample", "standard_exponential")},
    "standard_normal": [((), {})] * 3 + [((3,), {}), ((), {"size": (2, 3)})],  # every second one is kept for later
    "standard_gamma": calls(2.5, arrays=(COLUMN + ROW,)),
    "tomaxint": [((), {}), ((3,), {})],
    "rand": [((), {}), ((3,), {}), ((2, 3), {})],
    "randn": [((), {}), ((3,), {}), ((2, 3), {})],
    "randint": [((9,), {}), ((-3, 5), {"size": (2, 3)}), ((COUNTS,), {"size": (2, 4)}), ((0, 255, 5, np.uint8), {}),
                ((2, None, 3, bool), {})],
    "random_integers": [((9,), {}), ((-3, 5), {"size": (2, 3)})],
    "bytes": [((10,), {})],
}  # fmt: skip
IN_PLACE_AND_STATE = {"shuffle", "seed", "get_state", "set_state", "spawn", "bit_generator"}


def as_ours(value):
    return xp.asarray(value.copy()) if isinstance(value, np.ndarray) else value


def numpy_scalar(value, dtype=None):
    """What NumPy gives, with NumPy's scalars in place of Python's."""
    return np.asarray(value).astype(dtype or np.asarray(value).dtype)[()] if type(value) in (bool, int, float) else value


def agree(ours, theirs, args, kwargs):
    """Make one call of both methods, with Arrays here in place of ndarrays there."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This function is deprecated", DeprecationWarning)
        want = theirs(*args, **kwargs)
        got = ours(*map(as_ours, args), **{key: as_ours(value) for key, value in kwargs.items()})
    if isinstance(want, bytes):
        assert got == want
    else:
        same(got, numpy_scalar(want, kwargs.get("dtype")), f"{args} {kwargs}")


def host_state(generator):
    return pickle.dumps(generator.bit_generator.state) if hasattr(generator, "bit_generator") else pickle.dumps(generator.get_state())


# Names and signatures


DTYPE_BY_DEVICE = {"dtype"}  # None here: the device's default, which on the cpu is NumPy's
OMITTED = {"test": "NumPy's own test suite"}
OWN = {"Philox4x32", "Threefry2x32", "Threefry4x32"}
OWN_METHODS = {"round_to_bfloat16"}


def signature(function):
    """The parameters, without the device and without the default of those whose default depends on the device."""
    return [
        (p.name, p.kind, None if p.name in DTYPE_BY_DEVICE else p.default)
        for p in inspect.signature(function).parameters.values()
        if p.name not in ("device", "self")
    ]


def test_every_name_of_numpy_random_is_there():
    public = {name for name in np.random.__all__ if name not in OMITTED}
    assert public == set(xp.random.__all__) - OWN
    for name in ("SeedSequence", "BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"):
        assert getattr(xp.random, name) is getattr(np.random, name)


@pytest.mark.parametrize(("ours", "theirs"), [(xp.random.Generator, np.random.Generator), (xp.random.RandomState, np.random.RandomState)])
def test_methods_and_their_signatures_are_numpys(ours, theirs):
    names = {name for name in dir(theirs) if not name.startswith("_")}
    assert names == {name for name in dir(ours) if not name.startswith("_")} - OWN_METHODS
    for name in names - {"bit_generator"}:
        assert signature(getattr(ours, name)) == signature(getattr(theirs, name)), name


@pytest.mark.parametrize("name", sorted(set(xp.random.__all__) - {"ranf", "sample"} - OWN))  # for which NumPy says (*args, **kwargs)
def test_signature_is_numpys(name):
    try:
        expected = signature(getattr(np.random, name))
    except ValueError:
        pytest.skip("this NumPy does not tell its signature")
    assert signature(getattr(xp.random, name)) == expected


def test_device_is_a_keyword_wherever_an_array_is_made():
    no_array = {"bytes", "shuffle", "spawn", "bit_generator", "seed", "get_state", "set_state", *OWN_METHODS}
    for cls in (xp.random.Generator, xp.random.RandomState):
        for name in {name for name in dir(cls) if not name.startswith("_")} - no_array:
            device = inspect.signature(getattr(cls, name)).parameters["device"]
            assert (device.kind, device.default) == (device.KEYWORD_ONLY, None), name


# Values


@pytest.mark.parametrize("name", GENERATOR)
@pytest.mark.parametrize("bits", ["PCG64", "SFC64"])
def test_generator_draws_what_numpys_draws(name, bits):
    ours, theirs = (module.Generator(getattr(np.random, bits)(5)) for module in (xp.random, np.random))
    for args, kwargs in GENERATOR[name]:
        agree(getattr(ours, name), getattr(theirs, name), args, kwargs)
    assert host_state(ours) == host_state(theirs)


@pytest.mark.parametrize("name", LEGACY)
def test_random_state_draws_what_numpys_draws(name):
    ours, theirs = xp.random.RandomState(5), np.random.RandomState(5)
    for args, kwargs in LEGACY[name]:
        agree(getattr(ours, name), getattr(theirs, name), args, kwargs)
    assert host_state(ours) == host_state(theirs)


def test_the_tables_know_every_method():
    assert {name for name in dir(np.random.Generator) if not name.startswith("_")} == set(GENERATOR) | {"shuffle", "spawn", "bit_generator"}
    assert {name for name in dir(np.random.RandomState) if not name.startswith("_")} - IN_PLACE_AND_STATE == set(LEGACY)


@pytest.mark.parametrize("name", sorted(set(xp.random.__all__) & set(LEGACY) | {"ranf", "sample"}))
def test_functions_are_the_methods_of_numpys_own_state(name):
    for args, kwargs in LEGACY["random_sample" if name in ("ranf", "sample") else name]:
        xp.random.seed(3)
        ours = getattr(xp.random, name)
        expected = getattr(np.random.RandomState(3), "random_sample" if name in ("ranf", "sample") else name)
        agree(ours, expected, args, kwargs)


def test_legacy_functions_share_their_state_with_numpy():
    theirs = np.random.mtrand._rand
    xp.random.seed(xp.asarray([1, 2]))
    first = theirs.rand()
    theirs.seed([1, 2])
    assert float(xp.random.rand()) == first
    saved = xp.random.get_state()
    second = float(xp.random.randn())
    theirs.set_state(saved)
    assert theirs.randn() == second
    xp.random.set_state((saved[0], xp.asarray(saved[1]), *saved[2:]))
    assert float(xp.random.randn()) == second


@given(
    hnp.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=4),
    st.sampled_from(["normal", "gamma", "beta", "uniform", "noncentral_chisquare"]),
    st.sampled_from([np.float32, np.float64, np.int8, np.float16]),
    st.integers(0, 2**32),
)
def test_parameters_broadcast_as_numpys(shapes, name, dtype, seed):
    first, second = (np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype) for shape in shapes.input_shapes)
    agree(getattr(xp.random.default_rng(seed), name), getattr(np.random.default_rng(seed), name), (first, first + second), {})


def test_scalars_are_detached_arrays():
    rng, state = xp.random.default_rng(0), xp.random.RandomState(0)
    for dtype, drawn in {
        "f8": [rng.normal(), rng.random(), state.rand()],
        "f4": [rng.random(dtype=xp.float32), rng.standard_gamma(2.0, dtype=xp.float32)],
        "i8": [rng.integers(5), rng.integers(5, dtype=int), rng.choice(5), rng.poisson(), state.randint(5), state.tomaxint()],
        "?": [rng.integers(2, dtype=bool)],
    }.items():
        for x in drawn:
            assert type(x) is Array
            assert (x.dtype, x.shape) == (np.dtype(dtype), ())
            before = x
            x += x.dtype.type(1)
            assert x is not before


def test_shapes():
    rng = xp.random.default_rng(0)
    assert rng.random(xp.asarray([2, 3])).shape == rng.random([np.int64(2), xp.asarray(3)]).shape == (2, 3)
    for bad, error in ((-1, ValueError), (2.5, TypeError), ("3", TypeError), ((2, -1), ValueError), ((1,) * 65, ValueError)):
        with pytest.raises(error, match="shape"):
            rng.normal(size=bad)


# Elements in random order


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_reordering_of_every_layout(axis):
    for dtype in (np.dtype(np.int64), np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(np.complex64)):
        for x in layouts(data((4, 5), dtype, seed=3)):
            for name, kwargs in (("permutation", {"axis": axis}), ("permuted", {"axis": axis}), ("choice", {"size": 3, "axis": axis})):
                ours, theirs = xp.random.default_rng(8), np.random.default_rng(8)
                bits = x.view(np.uint16) if dtype.itemsize == 2 else x
                got = getattr(ours, name)(xp.asarray(x), **kwargs)
                assert got.dtype == dtype
                want = getattr(theirs, name)(bits, **kwargs)
                np.testing.assert_array_equal(np.asarray(got).view(want.dtype), want)
                assert not np.shares_memory(np.asarray(got), x)
            theirs, copied = np.random.default_rng(8), np.array(x.view(np.uint16) if dtype.itemsize == 2 else x)
            ours = xp.asarray(x)
            if x.flags.writeable:
                xp.random.default_rng(8).shuffle(ours, axis)
                theirs.shuffle(copied, axis)
            else:
                with pytest.raises(ValueError, match="read-only"):
                    xp.random.default_rng(8).shuffle(ours, axis)
            np.testing.assert_array_equal(np.asarray(ours).view(copied.dtype), copied)


def test_shuffle_of_a_view_is_seen_by_its_base():
    for rng, twin in ((xp.random.default_rng(1), np.random.default_rng(1)), (xp.random.RandomState(1), np.random.RandomState(1))):
        base, expected = xp.arange(10), np.arange(10)
        view = base[1::2]
        assert rng.shuffle(view) is None
        twin.shuffle(expected[1::2])
        same(base, expected)


def test_shuffle_of_lists_and_ndarrays_is_in_place():
    rng, twin = xp.random.default_rng(1), np.random.default_rng(1)
    items, expected = [1, "two", None, 4.0], [1, "two", None, 4.0]
    rng.shuffle(items)
    twin.shuffle(expected)
    assert items == expected
    ours, theirs = np.arange(9), np.arange(9)
    rng.shuffle(ours)
    twin.shuffle(theirs)
    np.testing.assert_array_equal(ours, theirs)
    for what in (np.ma.arange(3), 3, xp.asarray(3), xp.arange(3)[0]):
        with pytest.raises(TypeError):
            rng.shuffle(what)


def test_permuted_in_place():
    for dtype in (np.int64, ml_dtypes.bfloat16):
        x, expected = xp.asarray(np.arange(12).reshape(3, 4).astype(dtype)), np.arange(12).reshape(3, 4)
        view = x[1:]
        assert xp.random.default_rng(1).permuted(view, axis=1, out=view) is view
        np.random.default_rng(1).permuted(expected[1:], axis=1, out=expected[1:])
        np.testing.assert_array_equal(np.asarray(x).astype(int), expected)


# Seeds, streams, copies


@pytest.mark.parametrize(
    "seed",
    [0, 2**70, [1, 2, 3], np.array([4, 5]), np.int64(6), np.random.SeedSequence(7, spawn_key=(1,)), np.random.MT19937(8)],
    ids=lambda seed: type(seed).__name__,
)
def test_default_rng_takes_what_numpys_takes(seed):
    same(xp.random.default_rng(copy.deepcopy(seed)).random(3), np.random.default_rng(copy.deepcopy(seed)).random(3))


def test_seeds_can_be_arrays():
    want = np.random.default_rng([4, 5]).random(3)
    for seed in (xp.asarray([4, 5]), [xp.asarray(4), xp.asarray(5)], (xp.asarray([4, 5])[0], 5)):
        same(xp.random.default_rng(seed).random(3), want)
    same(xp.random.default_rng(xp.asarray([4, 5])[0]).random(3), np.random.default_rng(4).random(3))
    same(xp.random.RandomState(xp.asarray([4, 5])).rand(3), np.random.RandomState([4, 5]).rand(3))


def test_generators_share_bit_generators():
    rng = xp.random.default_rng(3)
    assert xp.random.default_rng(rng) is rng
    theirs = np.random.default_rng(3)
    for shared in (xp.random.default_rng(theirs), xp.random.Generator(theirs.bit_generator)):
        assert shared.bit_generator is theirs.bit_generator
    expected = np.random.default_rng(3).random(4)
    same(rng.random(2), expected[:2])
    same(xp.asarray(np.random.Generator(rng.bit_generator).random(2)), expected[2:])
    state = xp.random.RandomState(3)
    first = xp.random.default_rng(state).random(5)
    assert not bool(xp.any(state.random(5) == first))
    same(first, np.random.Generator(np.random.RandomState(3)._bit_generator).random(5))
    assert float(xp.random.RandomState(np.random.PCG64(3)).rand()) == np.random.RandomState(np.random.PCG64(3)).rand()


def test_spawned_streams_are_numpys():
    class Own(xp.random.Generator):
        pass

    ours, theirs = Own(np.random.PCG64(3)), np.random.default_rng(3)
    for child, other in zip(ours.spawn(3), theirs.spawn(3), strict=True):
        assert type(child) is Own
        same(child.normal(size=4), other.normal(size=4))


@pytest.mark.parametrize("make", [xp.random.default_rng, xp.random.RandomState])
def test_copies_and_pickles_continue_the_stream(make):
    rng = make(3)
    rng.standard_normal()  # of which a RandomState keeps another
    twins = [pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)]
    shared = copy.copy(rng)
    want = rng.standard_normal(3)
    for twin in twins:
        assert type(twin) is type(rng)
        same(twin.standard_normal(3), np.asarray(want))
    assert not bool(xp.any(shared.standard_normal(3) == want))


def test_printing_names_the_bit_generator():
    for ours, theirs in ((xp.random.default_rng(0), np.random.default_rng(0)), (xp.random.RandomState(0), np.random.RandomState(0))):
        assert str(ours) == str(theirs)
        assert repr(ours).startswith(f"{theirs} at 0x")


# Devices, counts, threads, errors


def test_draws_go_to_the_device_that_is_asked_for(monkeypatch):
    monkeypatch.setattr(SIM, "engine", HostEngine(), raising=False)
    rng, there = xp.random.default_rng(0), xp.ones(3, device=SIM)
    assert rng.normal(size=3).device == "cpu"
    for x in (rng.normal(size=3, device=SIM), rng.normal(there), rng.normal(0, [there, there]), rng.choice(there), rng.permutation(there),
              rng.random(out=xp.ones(3, device=SIM)), rng.integers(5, device="sim:trn2"), rng.permuted([1, 2], device=SIM),
              xp.random.rand(3, device=SIM), xp.random.RandomState(0).gamma(there)):  # fmt: skip
        assert type(x) is Array
        assert x.device == SIM
    with xp.default_device(SIM):
        assert rng.normal().device == xp.random.rand(3).device == SIM
        assert rng.normal(xp.ones(2, device="cpu")).device == "cpu"
    for mixed in (lambda: rng.normal(there, device="cpu"), lambda: rng.normal(there, xp.ones(3)),
                  lambda: rng.random(out=there, device="cpu"), lambda: rng.standard_gamma(xp.ones(3), out=there)):  # fmt: skip
        with pytest.raises(ValueError, match="devices 'cpu' and|and 'cpu'"):
            mixed()
    with pytest.raises(ValueError, match="device"):
        rng.random(device="gpu")


def test_draws_are_counted():
    xp.reset_coverage()
    rng = xp.random.default_rng(0)
    rng.normal(size=3)
    xp.random.RandomState(0).normal()
    rng.shuffle(xp.arange(3))
    assert xp.coverage().native.get("random.normal") == 2
    assert xp.coverage().native.get("random.shuffle") == 1


@pytest.mark.parametrize("make", [xp.random.default_rng, xp.random.RandomState])
def test_threads_share_a_stream_and_every_number_is_drawn_once(make):
    rng, parts = make(11), [None] * 8
    start = threading.Barrier(8)

    def draw(k):
        start.wait()
        parts[k] = [rng.random(7) for _ in range(300)]

    threads = [threading.Thread(target=draw, args=(k,)) for k in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    sequential = make(11).random((8 * 300, 7))
    rows = sorted(tuple(map(float, row)) for part in parts for row in part)
    assert rows == sorted(tuple(row) for row in np.asarray(sequential).tolist())


BAD_CALLS = {
    "normal": [((0, -1), {}), ((ROW, np.ones(2)), {}), ((0, 1), {"size": 2, "loc": 1})],
    "exponential": [((np.ones((2, 3)),), {"size": 3})],
    "binomial": [((5, 1.5), {}), ((-1, 0.5), {})],
    "integers": [((0,), {}), ((3, 1), {}), ((300,), {"dtype": np.uint8}), ((3,), {"dtype": float})],
    "random": [((3,), {"dtype": int})],
    "choice": [((4,), {"p": [0.5, 0.5]}), ((2,), {"p": [0.5, 0.4]}), ((3, 5, False), {}), ((0, 1), {}), ((ROW,), {"axis": 2})],
    "permutation": [((3.5,), {}), ((ROW,), {"axis": 1})],
    "permuted": [((3,), {}), ((ROW,), {"axis": 1}), ((ROW,), {"out": np.zeros(2)})],
    "multinomial": [((5, [0.9, 0.9, 0.1]), {})],
    "dirichlet": [(([1.0, -1.0],), {})],
    "multivariate_normal": [(([0.0], SQUARE), {}), (([0.0, 0.0], -SQUARE), {"check_valid": "raise"})],
    "beta": [((0, 1), {}), (("a", 1), {})],
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_errors_are_numpys(name):
    for args, kwargs in BAD_CALLS[name]:
        result, refused = outcome(partial(getattr(np.random.default_rng(0), name), *args, **kwargs))
        assert refused is not None, f"{name}{args} {kwargs} is no error in NumPy: {result!r}"
        family = next(e for e in ERRORS if isinstance(refused, e))
        with pytest.raises(family):
            getattr(xp.random.default_rng(0), name)(*map(as_ours, args), **{key: as_ours(value) for key, value in kwargs.items()})


def test_what_no_array_can_hold_is_refused():
    rng = xp.random.default_rng(0)
    with pytest.raises(TypeError, match="numeric dtype"):
        rng.choice(["a", "b"])
    with pytest.raises(TypeError, match="foreign array type"):
        rng.normal(np.ma.ones(3))
    with pytest.raises(TypeError, match="foreign array type"):
        rng.shuffle(np.ma.ones(3))
    for bad in (3, None, xp.arange(3)):
        with pytest.raises(TypeError, match="default_rng takes seeds"):
            xp.random.Generator(bad)
    with pytest.raises(ValueError, match="must be instantiated"):
        xp.random.Generator(np.random.PCG64)
    with pytest.raises(ValueError, match="non-negative"):
        xp.random.default_rng(-1)


def test_numbers_of_the_stream_do_not_depend_on_the_road():
    """A detached Array, an ndarray and a scalar as parameter are the same parameter."""
    want = np.random.default_rng(0).normal(2.5, 1.5, 4)
    for loc in (2.5, np.float32(2.5), xp.asarray(2.5), xp.asarray([2.5])[0], np.array(2.5), [2.5], xp.asarray([2.5], dtype=xp.float16)):
        same(xp.random.default_rng(0).normal(loc, 1.5, 4), want)
    assert operator.index(xp.random.default_rng(0).integers(7)) == np.random.default_rng(0).integers(7)
