"""What counts as an implicit transfer between Arrays and ndarrays, what it does, and what is not one.

On the cpu nothing moves, but ``host_transfer="error"`` makes it answer as a device does.
"""

import importlib
import operator
import pickle
import warnings
from contextlib import suppress

import numpy as np
import pytest
import scipy.fftpack
import scipy.integrate
import scipy.interpolate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.sparse
import scipy.spatial
import scipy.special
import scipy.stats

import trnarray as xp
from trnarray._look_alikes import LOOK_ALIKES
from trnarray.backends.coverage import coverage, reset_coverage
from trnarray.backends.policy import HostTransferError, HostTransferWarning
from trnarray.backends.settings import config
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.functions import overridable_functions
from trnarray.conformance.overrides.operands import ARRAYS, evaluate


@pytest.fixture(autouse=True)
def alone():
    reset_coverage()
    yield
    reset_coverage()


@pytest.fixture
def strict():
    with config(host_transfer="error"):
        yield


def transfers():
    return sum(record.calls for record in coverage().transfers)


@pytest.fixture
def x():
    return xp.asarray(np.arange(6.0).reshape(2, 3))


# What moves data without being asked to


def assigned(x, a):
    x[0] = a[0]
    return x


def masked(x, a):
    return x[a > 2]


OPERANDS = {
    "operator": lambda x, a: x + a,
    "reflected operator": lambda x, a: a - x,
    "in-place operator": operator.iadd,
    "comparison": lambda x, a: x < a,
    "ufunc of trnarray": xp.hypot,
    "ufunc of ndarrays only": lambda x, a: xp.sin(a),
    "ufunc of NumPy": np.maximum,
    "out of NumPy's": lambda x, a: np.add(x, x, out=a.copy()),
    "reduction": lambda x, a: xp.sum(a),
    "function": lambda x, a: xp.concatenate([x, a]),
    "function of NumPy": lambda x, a: np.concatenate([a, x]),
    "nested": lambda x, a: xp.block([[x, a], [a, x]]),
    "keyword": lambda x, a: xp.average(x, weights=a),
    "method": lambda x, a: x.dot(a.T),
    "assignment": assigned,
    "index": masked,
    "linalg": lambda x, a: xp.linalg.vector_norm(a),
    "fft": lambda x, a: xp.fft.fft(a),
    "looks first": lambda x, a: xp.diff(a),
    "std": lambda x, a: xp.std(a),
    "sort": lambda x, a: xp.sort(a),
    "repeat": lambda x, a: xp.repeat(a, 2),
    "searchsorted": lambda x, a: xp.searchsorted(a[0], x),
    "triangle": lambda x, a: xp.tril(a),
    "grid": lambda x, a: xp.meshgrid(a, a),
    "ends of a range": lambda x, a: xp.linspace(a, x, 3),
    "fill value": lambda x, a: xp.full((2, 3), a),
    "fill value of a like": xp.full_like,
    "real part": lambda x, a: xp.real(a),
    "strides": lambda x, a: xp.lib.stride_tricks.sliding_window_view(a, 2, axis=1),
    "along an axis": lambda x, a: xp.apply_along_axis(xp.sum, 0, a),
    "piecewise": lambda x, a: xp.piecewise(a, [a > 1], [1, 2]),
    "differences": lambda x, a: xp.ediff1d(a),
    "take_along_axis": lambda x, a: xp.take_along_axis(x, np.zeros((1, 3), dtype=np.int64), axis=0),
    "nan_to_num": lambda x, a: xp.nan_to_num(a),
    "r_": lambda x, a: xp.r_[a[0], x[0]],
}


@pytest.mark.parametrize("call", OPERANDS.values(), ids=OPERANDS)
def test_an_ndarray_operand_is_an_implicit_transfer(call, x):
    a = np.arange(6.0).reshape(2, 3)
    expected = call(x.copy(), a)
    assert transfers() == 0  # free on the cpu
    with config(host_transfer="error"), pytest.raises(HostTransferError, match=r"bytes\) would be converted .* trnarray.asarray\(x\)"):
        call(x.copy(), a)
    assert transfers() == 1
    reset_coverage()
    with config(host_transfer="warn"), pytest.warns(HostTransferWarning, match="is converted to an array on cpu"):
        got = call(x.copy(), a)
    assert transfers() >= 1
    xp.testing.assert_array_equal(got, expected)


TO_HOST = {
    "asarray": np.asarray,
    "array": lambda x: np.array([x, x]),
    "operand of an ndarray's method": lambda x: np.ones(2).dot(x),
    "assignment to an ndarray": lambda x: np.zeros((2, 3)).__setitem__(..., x),
    "random": lambda x: np.random.default_rng(0).permutation(x),
    "masked": np.ma.array,
}


@pytest.mark.parametrize("call", TO_HOST.values(), ids=TO_HOST)
def test_a_conversion_that_numpy_makes_is_an_implicit_transfer(call, x):
    call(x)
    assert transfers() >= 1  # counted on the cpu, too, but free
    with config(host_transfer="error"), pytest.raises(HostTransferError, match=r"numpy.from_dlpack\(x\)"):
        call(x)


# What does not


EXPLICIT = {
    "asarray": lambda x: xp.asarray(np.ones(3)),
    "asarray of a list": lambda x: xp.asarray([np.ones(3), np.ones(3)]),
    "array": lambda x: xp.array(np.ones(3)),
    "from_dlpack": lambda x: xp.from_dlpack(np.ones(3)),
    "to NumPy by from_dlpack": np.from_dlpack,
    "to_device": lambda x: x.to_device("cpu"),
    "tolist": lambda x: x.tolist(),
    "item": lambda x: x[0, 0].item(),
    "float": lambda x: float(x[0, 0]),
    "int": lambda x: int(x[0, 1]),
    "index": lambda x: range(10)[x[0, 1].astype(int)],
    "bool": lambda x: bool(x[0, 0]),
    "complex": lambda x: complex(x[0, 0]),
    "format": lambda x: f"{x[0, 0]:.2f}",
    "repr": repr,
    "repr of a large one": lambda x: repr(xp.zeros((50, 50))),
    "str": str,
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "NumPy scalar": lambda x: x + np.float64(1) + np.int8(1),
    "tobytes": lambda x: x.tobytes(),
    "testing": lambda x: xp.testing.assert_allclose(x, x),
    "iteration": list,
    "shape of an ndarray": lambda x: xp.zeros_like(np.ones(3)),
    "dtype of an ndarray": lambda x: xp.result_type(np.ones(3), x),
    "vectorize": xp.vectorize(lambda v: v + 1),
}


@pytest.mark.parametrize("call", EXPLICIT.values(), ids=EXPLICIT)
def test_what_is_asked_for_is_no_implicit_transfer(call, x, strict):
    call(x)
    assert transfers() == 0


@pytest.mark.parametrize("path", sorted(CALLS.keys() & overridable_functions().keys()))
def test_no_function_takes_the_way_over_numpy(path, strict):
    """With all operands on a device, and none on the host, nothing is to be converted on the way."""
    func = overridable_functions()[path]
    for text in CALLS[path]:
        code = compile(f"call({text})", "<call>", "eval")
        with warnings.catch_warnings(), np.errstate(all="ignore"), suppress(ValueError, IndexError):  # which NumPy raises, too
            warnings.simplefilter("ignore")
            evaluate(code, func, np.dtype("float64"), dict.fromkeys(ARRAYS, xp.asarray))
    assert transfers() == 0


# Sharing of memory on the cpu


def test_asarray_aliases_an_ndarray():
    a = np.zeros(3)
    x = xp.asarray(a)
    x[0] = 1
    a[1] = 2
    assert a.tolist() == x.tolist() == [1, 2, 0]
    assert np.shares_memory(np.asarray(x), a)
    y = xp.asarray(a, copy=True)
    y[2] = 3
    assert a[2] == 0


def test_the_ndarray_of_an_array_aliases_it(x):
    a = np.asarray(x)
    a[0, 0] = 7
    assert x[0, 0] == 7
    assert np.asarray(x) is a


def test_an_ndarray_is_added_to_in_place(x):
    a = b = np.ones((2, 3))
    a += x
    assert a is b
    assert type(a) is np.ndarray
    np.testing.assert_array_equal(a, 1 + np.arange(6.0).reshape(2, 3))


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow"])
def test_an_ndarray_is_not_changed_in_place_from_a_device(name, x, strict):
    a = np.full((2, 3), 2.0)
    with pytest.raises(TypeError, match="would be converted"):
        getattr(operator, name)(a, x)
    assert (a == 2).all()


# Modules of other libraries for which there is one of ours


@pytest.mark.parametrize(
    ("call", "theirs", "ours"),
    [
        (scipy.linalg.norm, "scipy.linalg.norm", "trnarray.scipy.linalg.norm"),
        (lambda x: scipy.linalg.solve(x @ x.T, x), "scipy.linalg.solve", "trnarray.scipy.linalg.solve"),
        (scipy.linalg.svd, "scipy.linalg.svd", "trnarray.scipy.linalg.svd"),
        (scipy.fftpack.fft, "scipy.fft", "trnarray.scipy.fft"),
        (lambda x: scipy.signal.welch(x, nperseg=2), "scipy.signal.welch", "trnarray.scipy.signal.welch"),
        (scipy.signal.hilbert, "scipy.signal.hilbert", "trnarray.scipy.signal.hilbert"),
        (scipy.special.logsumexp, "scipy.special.logsumexp", "trnarray.scipy.special.logsumexp"),
        (scipy.sparse.csr_array, "scipy.sparse.csr_array", "trnarray.scipy.sparse.csr_array"),
        (scipy.sparse.coo_array, "scipy.sparse.coo_array", "trnarray.scipy.sparse.coo_array"),
    ],
)
def test_a_function_with_a_look_alike_warns_and_names_ours(call, theirs, ours, x):
    with pytest.warns(HostTransferWarning) as records:
        [call(x) for _ in range(2)]
    assert len(records) == 1  # once a line
    message = str(records[0].message)
    assert f"implicitly for {theirs}; use {ours}, or" in message
    assert records[0].filename == __file__
    with config(host_transfer="allow"):
        call(x)
    with config(host_transfer="error"), pytest.raises((HostTransferError, ValueError)) as caught:
        call(x)
    error = caught.value if isinstance(caught.value, HostTransferError) else caught.value.__cause__  # SciPy's own, of csr_array
    assert f"implicitly for {theirs}; use {ours}, or" in str(error)


@pytest.mark.parametrize(
    ("call", "theirs"),
    [
        (lambda x: scipy.signal.savgol_filter(x, 3, 1), "scipy.signal.savgol_filter"),
        (lambda x: scipy.special.comb(x, 2), "scipy.special.comb"),
        (lambda x: scipy.stats.gaussian_kde(x[0]), "scipy.stats.gaussian_kde"),
        (scipy.stats.zscore, "scipy.stats.zscore"),
        (lambda x: scipy.ndimage.gaussian_filter(x, 1), "scipy.ndimage.gaussian_filter"),
        (lambda x: scipy.optimize.minimize(lambda p: (p**2).sum(), x[0]), "scipy.optimize.minimize"),
        (scipy.integrate.simpson, "scipy.integrate.simpson"),
        (lambda x: scipy.interpolate.CubicSpline([0, 1], x), "scipy.interpolate.CubicSpline"),
        (scipy.spatial.KDTree, "scipy.spatial.KDTree"),
        (lambda x: scipy.spatial.distance.cdist(x, x), "scipy.spatial.distance.cdist"),
    ],
)
def test_a_function_that_is_passed_through_is_named_with_the_remedy(call, theirs, x):
    message = f"implicitly for {theirs}; use trnarray.{theirs}, or convert"
    with config(host_transfer="error"), pytest.raises(HostTransferError, match=message):
        call(x)
    call(x)  # and passes on the cpu without a word


def test_arrays_in_a_list_for_numpy(x):
    """NumPy's functions do not see them."""
    with config(host_transfer="error"), pytest.raises(HostTransferError, match=r"implicitly for numpy.max; use trnarray.max, or convert"):
        np.max([x[0, 0], x[0, 1]])


def test_an_ndarray_that_scipy_makes_beside_an_array_on_a_device():
    x = xp.ones(2, dtype=xp.float32, device="sim:trn2")
    message = r"^a host array \(8 bytes\), which scipy.special.lambertw made or was given, would be .* give that ndarrays alone"
    with pytest.raises(HostTransferError, match=message):
        scipy.special.lambertw(x)


def test_every_look_alike_is_there():
    for name in (name for pair in LOOK_ALIKES.items() for name in pair):
        module, _, function = name.rpartition(".")
        if not (module and hasattr(importlib.import_module(module), function)):
            importlib.import_module(name)
