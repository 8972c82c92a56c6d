"""NumPy's protocols among types: ours, exact ndarrays and scalars are taken, everything else keeps its own say."""

import operator
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.coverage import coverage, reset_coverage
from trnarray.backends.policy import HostTransferWarning
from trnarray.backends.settings import config, get_config
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.functions import overridable_functions
from trnarray.conformance.overrides.operands import ARRAYS, evaluate
from trnarray.numpy_protocol import CREATING, REFUSED, implementation


@pytest.fixture
def x():
    return xp.asarray([1.0, 2.0, 3.0])


class Quantity:
    """Has both protocols, and answers with the name of what was called."""

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return "quantity", ufunc.__name__, method

    def __array_function__(self, func, types, args, kwargs):
        return "quantity", func.__name__


class Mute:
    """Has both protocols, and answers nothing."""

    def __array_ufunc__(self, *args, **kwargs):
        return NotImplemented

    def __array_function__(self, *args):
        return NotImplemented


class Opaque:
    __array_ufunc__ = None


class Converts:
    """Would become an ndarray."""

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("converted silently")


class Subclass(np.ndarray):
    pass


def subclass():
    return np.ones(3).view(Subclass)


def masked():
    return np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])


def matrix():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix([1.0, 2.0, 3.0])


def series():
    return pytest.importorskip("pandas").Series([1.0, 2.0, 3.0])


def tensor():
    return pytest.importorskip("torch").ones(3)


def sparse():
    return pytest.importorskip("scipy.sparse").csr_array(np.ones((3, 3)))


FOREIGN = [subclass, masked, matrix, series, tensor, sparse, Mute, Opaque, Converts]
UFUNC_CALLS = {
    "call": np.add,
    "call, the other way round": lambda x, y: np.add(y, x),
    "out": lambda x, y: np.add(x, x, out=y),
    "outer": np.multiply.outer,
    "at": lambda x, y: np.add.at(x, [0, 1, 2], y),
}
FUNCTION_CALLS = {
    "concatenate": lambda x, y: np.concatenate([x, y]),
    "where": lambda x, y: np.where([True, False, True], x, y),
    "dot": lambda x, y: np.dot(y, x),
    "sum": lambda x, y: np.sum(x, out=y),
    "linalg": np.linalg.outer,
    "select": lambda x, y: np.select([[True, False, True], [True, True, False]], [x, y]),
}


@pytest.mark.parametrize("call", UFUNC_CALLS.values(), ids=UFUNC_CALLS)
@pytest.mark.parametrize("make", FOREIGN)
def test_ufuncs_do_not_take_foreign_types(make, call, x):
    other = make()
    if make in (series, sparse) and call is not UFUNC_CALLS["out"]:
        pytest.skip("answers for itself")
    with pytest.raises(TypeError):
        call(x, other)
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("call", FUNCTION_CALLS.values(), ids=FUNCTION_CALLS)
@pytest.mark.parametrize("make", FOREIGN)
def test_functions_do_not_take_foreign_types(make, call, x):
    with pytest.raises(TypeError):
        call(x, make())
    assert x.tolist() == [1, 2, 3]


@pytest.mark.parametrize("call", [*UFUNC_CALLS.values(), *FUNCTION_CALLS.values()], ids=[*UFUNC_CALLS, *FUNCTION_CALLS])
def test_a_quantity_answers_for_both(call, x):
    assert call(x, Quantity())[0] == "quantity"
    assert x.tolist() == [1, 2, 3]


def test_the_hooks_say_not_implemented(x):
    for other in (subclass(), masked(), matrix(), Mute(), Opaque(), Converts()):
        assert x.__array_ufunc__(np.add, "__call__", x, other) is NotImplemented
        assert x.__array_ufunc__(np.add, "__call__", x, x, out=(other,)) is NotImplemented
        assert x.__array_function__(np.concatenate, [xp.Array, type(other)], ([x, other],), {}) is NotImplemented
    assert x.__array_ufunc__(np.add, "__call__", x, np.ones(3)).tolist() == [2, 3, 4]
    assert x.__array_function__(np.concatenate, [xp.Array, np.ndarray], ([x, np.ones(1)],), {}).tolist() == [1, 2, 3, 1]


@pytest.mark.parametrize("scalar", [2, 2.5, True, np.float32(2), np.int8(2), np.bool(True)], ids=repr)
@pytest.mark.parametrize("name", ["add", "multiply", "true_divide", "power", "maximum", "less"])
def test_numpys_and_pythons_scalars_are_taken_on_either_side(name, scalar):
    a = np.asarray([1.5, 2.5], dtype=np.float32)
    x, ufunc = xp.asarray(a), getattr(np, name)
    for got, want in ((ufunc(x, scalar), ufunc(a, scalar)), (ufunc(scalar, x), ufunc(scalar, a))):
        assert type(got) is xp.Array
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(np.asarray(got), want)


# SciPy's matrices and operators


def test_sparse_matrices_on_either_side(x):
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.arange(9.0).reshape(3, 3)
    for make in (sparse.csr_array, sparse.coo_array, sparse.csc_array):
        A = make(dense)
        assert xp.Array.__matmul__(x, A) is NotImplemented
        with config(host_transfer="allow"):
            np.testing.assert_array_equal(np.asarray(A @ x), dense @ np.asarray(x))  # converts, as it asks nobody
            np.testing.assert_array_equal(np.asarray(x @ A), np.asarray(x) @ dense)
        with config(host_transfer="error"), pytest.raises(TypeError, match="would be converted"):
            A @ x


def test_linear_operators_on_either_side(x):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    A = linalg.aslinearoperator(np.arange(9.0).reshape(3, 3))
    assert xp.Array.__matmul__(x, A) is NotImplemented
    with config(host_transfer="allow"):
        np.testing.assert_array_equal(np.asarray(A @ x), [8, 26, 44])
        np.testing.assert_array_equal(np.asarray(x @ A), [24, 30, 36])


def test_conversions_by_scipys_sparse_arrays_are_told(x):
    sparse = pytest.importorskip("scipy.sparse")
    reset_coverage()  # which also forgets what has been told
    with pytest.warns(HostTransferWarning, match=r"use trnarray\.scipy\.sparse"):
        sparse.csr_array(np.eye(3)) @ x


# like=


def test_like():
    x = xp.ones(2)
    assert type(np.arange(3, like=x)) is xp.Array
    assert type(np.asarray([1, 2], like=x)) is xp.Array
    assert type(np.zeros(3, like=np.ones(1))) is np.ndarray
    for other in (Quantity(), Opaque()):
        with pytest.raises(TypeError):
            xp.ones(3, like=other)


# What is refused, and what is not known


def test_refusals_say_why(x):
    for path, reason in REFUSED.items():
        func = overridable_functions().get(path)
        if func is not None:
            with pytest.raises(TypeError, match="is not available on Arrays") as info:
                implementation(func)(x)
            assert reason in str(info.value)


def test_functions_of_other_libraries(x):
    def centroid(a):
        return a

    centroid.__module__ = "astro"
    with pytest.raises(TypeError, match="astro.centroid is not available on Arrays .trnarray does not know it"):
        x.__array_function__(centroid, [xp.Array], (x,), {})


# errstate


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda x: np.divide(x, 0.0), "divide"),
        (lambda x: xp.divide(x, 0.0), "divide"),
        (lambda x: x / 0, "divide"),
        (lambda x: np.log(x - x), "divide"),
        (lambda x: np.sqrt(-x), "invalid"),
        (lambda x: np.exp(x * 1e3), "over"),
        (lambda x: np.multiply(x * 1e-300, 1e-300), "under"),
        (lambda x: np.add.reduce(x * 1e308), "over"),
        (lambda x: np.mean(x * 1e308), "over"),
        (lambda x: np.linalg.norm(x * 1e308), "over"),
        (lambda x: operator.itruediv(x, 0), "divide"),
    ],
)
def test_errstate_is_honoured(call, kind, x):
    with np.errstate(all="ignore"):
        call(x.copy())
    with np.errstate(all="ignore", **{kind: "raise"}), pytest.raises(FloatingPointError):
        call(x.copy())
    with np.errstate(all="ignore", **{kind: "warn"}), pytest.warns(RuntimeWarning):
        call(x.copy())
    seen = []
    with np.errstate(all="ignore", call=lambda *args: seen.append(args[0]), **{kind: "call"}):
        call(x.copy())
    assert seen


# Threads


def outcome(func, code):
    """Make a call and give its result in a form that can be compared."""
    with suppress(ValueError, IndexError):
        result, given = evaluate(code, func, np.dtype("float64"), dict.fromkeys(ARRAYS, xp.asarray))
        return repr(result), [repr(item) for item in given if type(item) is xp.Array]
    return "raises"


def native():
    return {name: calls for name, calls in coverage().native.items() if calls}


@pytest.fixture
def switching():
    import sys

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.filterwarnings("ignore")
def test_eight_threads_give_sequential_results_and_exact_counts(switching):
    functions = overridable_functions()
    calls = [
        partial(outcome, functions[path], compile(f"call({text})", "<call>", "eval"))
        for path in sorted(CALLS.keys() & functions.keys())
        for text in CALLS[path]
        if not text.startswith(("file()", "path("))
    ]
    for call in calls:
        call()  # finds what is found once
    reset_coverage()
    expected = [call() for call in calls]
    once = native()
    reset_coverage()
    barrier = threading.Barrier(8)

    def work(first):
        barrier.wait()
        order = [*range(first, len(calls)), *range(first)]
        got = {index: calls[index]() for index in order}
        return [got[index] for index in range(len(calls))]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(0, 8 * 100, 100)))
    for got in results:
        assert got == expected
    assert native() == {name: 8 * count for name, count in once.items()}
    reset_coverage()


def test_threads_share_arrays_and_have_their_own_settings(switching):
    shared = xp.asarray(np.arange(1000.0))
    total, counted = xp.zeros(8, dtype=np.int64), []
    barrier = threading.Barrier(8)
    host = np.ones(1000)
    reset_coverage()

    def work(number):
        strict = number % 2 == 1
        barrier.wait()
        with config(host_transfer="error" if strict else "allow"):
            for _ in range(200):
                assert get_config().host_transfer == ("error" if strict else "allow")
                total[number] += int(np.sum(shared) == 499500)
                if strict:
                    with pytest.raises(TypeError, match="would be converted"):
                        np.add(shared, host)
                else:
                    np.add(shared, host)
        counted.append(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert sorted(counted) == list(range(8))
    assert total.tolist() == [200] * 8
    assert sum(record.calls for record in coverage().transfers) == 8 * 200
    assert coverage().native["sum"] == 8 * 200
    reset_coverage()


def test_functions_with_like_create_where_that_is():
    """Others find their device by their operands, without a context for each call."""
    like = {path for path, func in overridable_functions().items() if "like : array_like" in (func.__doc__ or "")}
    assert len(like) > 10
    assert like <= CREATING
    x = xp.ones(3, dtype=xp.float32, device="sim:trn2")
    with config(default_device="sim:trn3", fallback="allow"):
        assert np.full(2, 1.5, like=x).device == np.eye(2, like=x).device == x.device
        assert np.apply_along_axis(lambda row: row + xp.ones(3), 0, x).device == x.device
        assert np.geomspace(x, 2 * x, 4).device == x.device
        assert np.linspace(0, x, 4).device == x.device


@pytest.mark.parametrize(
    ("func", "operands"),
    [
        (np.isin, {"element": [1.0, 2.0], "test_elements": [2.0]}),
        (np.repeat, {"a": [1.0, 2.0], "repeats": 2}),
        (np.searchsorted, {"a": [1.0, 2.0], "v": [1.5]}),
        (np.count_nonzero, {"a": [1.0, 0.0]}),
        (np.std, {"a": [1.0, 2.0]}),
        (np.var, {"a": [1.0, 2.0]}),
        (np.geomspace, {"start": [1.0, 2.0], "stop": [4.0, 8.0], "num": 3}),
        (np.linalg.eigvals, {"a": [[2.0, 0.0], [0.0, 2.0]]}),
        (np.linalg.matrix_rank, {"A": [[2.0, 0.0], [0.0, 2.0]]}),
        (np.linalg.pinv, {"a": [[2.0, 0.0], [0.0, 2.0]]}),
    ],
)
def test_operands_by_keyword_on_devices(func, operands):
    """Of functions that are NumPy's own, which hand on what was passed."""
    given = {name: xp.asarray(item, dtype=xp.float32, device="sim:trn2") if type(item) is list else item for name, item in operands.items()}
    with config(fallback="allow"):
        found = func(**given)
    assert np.shape(found) == np.shape(func(**operands))
    np.testing.assert_allclose(np.asarray(xp.asarray(found).to_device("cpu")), func(**operands), rtol=2.0**-20)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128"])
def test_pairs_of_eigenvalues_and_vectors_have_names_on_devices(dtype):
    with config(fallback="allow"):
        found = np.linalg.eig(xp.asarray(np.diag([1.0, 2.0]).astype(dtype), device="sim:trn2"))
    assert sorted(np.asarray(found.eigenvalues.to_device("cpu")).real) == [1, 2]
    assert found.eigenvectors.shape == (2, 2)
