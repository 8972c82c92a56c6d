"""The setting `defaults`: whose dtypes Neuron devices give where nobody names one, NumPy's or their own of 32 bits."""

import itertools
import threading
from functools import reduce

import numpy as np
import pytest
import scipy.signal
import scipy.sparse
import scipy.special
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
from trnarray.scipy import signal, sparse, special

DEVICE = "sim:trn2"
NARROW = {"float64": "float32", "complex128": "complex64", "int64": "int32", "uint64": "uint32"}
INTEGERS = [np.dtype(name) for name in ("?", "i1", "u1", "i2", "u2", "i4", "u4")]
SMALL = (np.int8, np.uint8, np.int16, np.int32, np.float32)

# Programs of a namespace and its sparse module.
MADE = {
    "zeros": lambda np, sparse: np.zeros(3),
    "full": lambda np, sparse: np.full(2, 1),
    "full of complex": lambda np, sparse: np.full(2, 1j),
    "eye": lambda np, sparse: np.eye(2),
    "arange": lambda np, sparse: np.arange(3),
    "arange of floats": lambda np, sparse: np.arange(3.0),
    "linspace": lambda np, sparse: np.linspace(0, 1, 3),
    "list of ints": lambda np, sparse: np.asarray([1, 2]),
    "list of floats": lambda np, sparse: np.asarray([1, 2.5]),
    "a complex number": lambda np, sparse: np.asarray(1j),
    "function of a list": lambda np, sparse: np.exp([1, 2]),
    "indices": lambda np, sparse: np.indices((2, 2)),
    "diag_indices": lambda np, sparse: np.diag_indices(2)[0],
    "tril_indices": lambda np, sparse: np.tril_indices(2)[0],
    "hanning": lambda np, sparse: np.hanning(4),
    "fftfreq": lambda np, sparse: np.fft.fftfreq(4),
    "random": lambda np, sparse: np.random.default_rng(1).random(3),
    "integers": lambda np, sparse: np.random.default_rng(1).integers(0, 9, 3),
    "eye_array": lambda np, sparse: sparse.eye_array(3),
    "csr_array of a shape": lambda np, sparse: sparse.csr_array((2, 2)),
    "half of a sparse array": lambda np, sparse: sparse.eye_array(3) / 2.0,
    "argmax": lambda np, sparse: np.argmax(np.asarray([1.0, 3.0, 2.0], np.float32)),
    "argsort": lambda np, sparse: np.argsort(np.asarray([3.0, 1.0, 2.0], np.float32)),
    "lexsort": lambda np, sparse: np.lexsort((np.asarray([3.0, 1.0, 2.0], np.float32),)),
    "nonzero": lambda np, sparse: np.nonzero(np.asarray([0.0, 2.0, 3.0], np.float32))[0],
    "flatnonzero": lambda np, sparse: np.flatnonzero(np.asarray([0.0, 2.0, 3.0], np.float32)),
    "where": lambda np, sparse: np.where(np.asarray([0.0, 2.0, 3.0], np.float32))[0],
    "searchsorted": lambda np, sparse: np.searchsorted(np.arange(5.0), np.asarray([1.5, 3.0], np.float32)),
    "digitize": lambda np, sparse: np.digitize(np.asarray([1.5, 3.0], np.float32), np.arange(5.0)),
    "bincount": lambda np, sparse: np.bincount(np.asarray([1, 3, 3], np.int32)),
    "unique_all": lambda np, sparse: np.unique_all(np.asarray([3.0, 1.0, 3.0], np.float32)).indices,
    "unique_inverse": lambda np, sparse: np.unique_inverse(np.asarray([3.0, 1.0, 3.0, 2.0], np.float32)).inverse_indices,
    "unique_counts": lambda np, sparse: np.unique_counts(np.asarray([3.0, 1.0, 3.0], np.float32)).counts,
    "intersect1d": lambda np, sparse: np.intersect1d(*(np.arange(x, x + 4, dtype=np.float32) for x in (0, 2)), return_indices=True)[1],
    "histogram": lambda np, sparse: np.histogram(np.asarray([1.0, 2.0, 5.0], np.float32), 3)[0],
    "unravel_index": lambda np, sparse: np.unravel_index(np.asarray(2), (2, 2))[0],
}


@pytest.fixture(autouse=True)
def on_a_device():
    with xp.config(default_device=DEVICE, fallback="allow"):
        yield


def host(x):
    return np.asarray(x.to_device("cpu"))


def test_the_namespace_reports_the_defaults():
    info = xp.__array_namespace_info__()
    for defaults, narrow in (("native", NARROW), ("numpy", {})):
        with xp.config(defaults=defaults):
            assert info.default_dtypes(device="cpu") == np.__array_namespace_info__().default_dtypes()
            wanted = {kind: np.dtype(narrow.get(dtype.name, dtype.name)) for kind, dtype in info.default_dtypes(device="cpu").items()}
            assert info.default_dtypes() == info.default_dtypes(device=DEVICE) == wanted
            assert xp.get_config().defaults == defaults


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_no_dtype_has_the_default_one(name):
    wanted = MADE[name](np, scipy.sparse)
    theirs = wanted.dtype.name
    for defaults, narrow in (("numpy", theirs), ("native", NARROW[theirs])):
        with xp.config(defaults=defaults):
            made = MADE[name](xp, sparse)
            assert made.dtype.name == narrow
            if isinstance(made, xp.Array) and wanted.dtype.kind == "i" and name != "integers":
                assert host(made).tolist() == np.asarray(wanted).tolist()
    with xp.config(default_device="cpu"):
        assert MADE[name](xp, sparse).dtype.name == theirs


@pytest.mark.parametrize(
    "function", [np.count_nonzero, lambda x: np.count_nonzero(x, axis=0), lambda x: np.searchsorted(x[0], x[1]), np.argmax, np.nonzero]
)
def test_positions_and_counts_of_numpys_functions(function):
    """By the protocol, whose functions may be others than those of the standard."""
    x = np.array([[1.0, 2.0, 5.0], [0.0, 4.0, 9.0]], np.float32)
    for defaults, dtype in (("numpy", np.int64), ("native", np.int32)):
        with xp.config(defaults=defaults, fallback="error"):
            found, wanted = function(xp.asarray(x)), function(x)
            for ours, theirs in zip(*(item if isinstance(item, tuple) else (item,) for item in (found, wanted)), strict=True):
                assert ours.dtype == dtype
                np.testing.assert_array_equal(host(ours), theirs)


@pytest.mark.parametrize("dtype", SMALL)
def test_operands_meet_as_in_numpy(dtype):
    """Python scalars are weak under both values, and what is asked for stays."""
    for other, function in itertools.product(SMALL, (np.add, np.true_divide, np.arctan2, np.power)):
        a, b = np.ones(2, dtype), np.ones(2, other)
        with xp.config(defaults="numpy"):
            assert getattr(xp, function.__name__)(xp.asarray(a), xp.asarray(b)).dtype == function(a, b).dtype
            assert xp.result_type(dtype, other) == np.result_type(dtype, other)
    x = xp.asarray(np.ones(2, dtype))
    for defaults in ("native", "numpy"):
        with xp.config(defaults=defaults):
            assert (x + 1).dtype == dtype
            assert (xp.ones(2, dtype=np.float32) * 2.5).dtype == np.float32
            assert x.copy().dtype == xp.zeros(2, dtype=dtype).dtype == dtype
    with xp.config(defaults="numpy"):
        for name in ("sqrt", "mean", "var", "cumsum", "sum", "median"):
            assert getattr(xp, name)(x).dtype == getattr(np, name)(np.ones(2, dtype)).dtype


def test_what_scipy_and_numpy_compute_in_float64():
    """Of float32, too: so it is under "numpy"."""
    x = np.asarray([1, 3, 2, 4, 1], np.float32)
    calls = {
        "find_peaks": (lambda signal, special, np, x: signal.find_peaks(x, height=0)[0]),
        "heights": (lambda signal, special, np, x: signal.find_peaks(x, height=0)[1]["peak_heights"]),
        "edges of plateaus": (lambda signal, special, np, x: signal.find_peaks(x, plateau_size=1)[1]["left_edges"]),
        "bases": (lambda signal, special, np, x: signal.peak_prominences(x, [1, 3])[1]),
        "polygamma": (lambda signal, special, np, x: special.polygamma(1, x)),
        "interp": (lambda signal, special, np, x: np.interp(x, x[:2], x[:2])),
        "cov": (lambda signal, special, np, x: np.cov(x)),
        "fft of int8": (lambda signal, special, np, x: np.fft.fft(x.astype(np.int8))),
    }
    for call in calls.values():
        wanted = call(scipy.signal, scipy.special, np, x).dtype.name
        assert call(signal, special, xp, xp.asarray(x)).dtype.name == NARROW[wanted]
        with xp.config(defaults="numpy"):
            assert call(signal, special, xp, xp.asarray(x)).dtype.name == wanted


def test_a_call_keeps_what_it_was_made_under():
    x = xp.asarray(np.arange(1, 4, dtype=np.int32))
    with xp.config(defaults="numpy"):
        waiting, on_host = x.sum(), xp.sqrt(x)
    assert (waiting.dtype, on_host.dtype) == (np.int64, np.float64)
    narrow = xp.sqrt(x)
    with xp.config(defaults="numpy"):
        assert narrow.dtype == host(narrow).dtype == np.float32
    assert host(on_host).tobytes() == np.sqrt([1, 2, 3]).tobytes()
    assert int(waiting) == 6


def test_threads_have_the_settings_of_the_process():
    found = []
    with xp.config(defaults="numpy"):
        thread = threading.Thread(target=lambda: found.append(xp.zeros(1, device=DEVICE).dtype))
        thread.start()
        thread.join()
    xp.set_config(defaults="numpy")
    try:
        found.append(xp.zeros(1).dtype)
    finally:
        xp.set_config(defaults="native")
    assert found == [np.float32, np.float64]


def test_sums_of_squares_beyond_32_bits():
    wanted = np.sum(1.0 / np.arange(1, 100001) ** 2)
    with xp.config(defaults="numpy"):
        assert float(xp.sum(1.0 / xp.arange(1, 100001) ** 2)) == pytest.approx(wanted, rel=1e-14)  # summed in another order
    wrapped = np.arange(1, 100001, dtype=np.int32) ** 2
    assert (host(xp.arange(1, 100001) ** 2) == wrapped).all()  # elements wrap, as NumPy's of int32


SUMS = {
    "sum": lambda np, x: np.sum(x, axis=0),
    "prod": lambda np, x: np.prod(x, axis=0),
    "cumsum": lambda np, x: np.cumsum(x, axis=0),
    "cumprod": lambda np, x: np.cumprod(x, axis=0),
    "nansum": lambda np, x: np.nansum(x),
    "nanprod": lambda np, x: np.nanprod(x),
    "nancumsum": lambda np, x: np.nancumsum(x),
    "nancumprod": lambda np, x: np.nancumprod(x),
    "cumulative_sum": lambda np, x: np.cumulative_sum(x, axis=1, include_initial=True),
    "cumulative_prod": lambda np, x: np.cumulative_prod(x, axis=1),
    "trace": lambda np, x: np.trace(x),
    "linalg.trace": lambda np, x: np.linalg.trace(x),
    "add.reduce": lambda np, x: np.add.reduce(x),
    "add.accumulate": lambda np, x: np.add.accumulate(x),
    "add.reduceat": lambda np, x: np.add.reduceat(x, [0, 1]),
    "multiply.reduce": lambda np, x: np.multiply.reduce(x, axis=None),
    "multiply.accumulate": lambda np, x: np.multiply.accumulate(x),
    "multiply.reduceat": lambda np, x: np.multiply.reduceat(x, [0, 1]),
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_are_numpys_or_of_the_default_integer(name):
    """NumPy's functions give NumPy's integers, whatever the setting; ours the default integer, unless values are beyond it."""
    for dtype in INTEGERS:
        data = np.asarray([[1, 0, 1], [0, 1, 1], [1, 1, 1]], dtype)
        wanted, x = SUMS[name](np, data), xp.asarray(data)
        for defaults, narrow in (("native", NARROW), ("numpy", {})):
            with xp.config(defaults=defaults):
                theirs, ours = SUMS[name](np, x), SUMS[name](xp, x)
                assert theirs.dtype == wanted.dtype
                assert ours.dtype.name == narrow.get(wanted.dtype.name, wanted.dtype.name)
                if defaults == "native" and dtype in (np.bool, np.int8, np.uint32):
                    assert host(ours).tolist() == wanted.tolist()


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("dtype", [np.int32, np.uint32])
def test_sums_beyond_the_default_integer_are_refused(name, dtype):
    data = np.full((3, 3), np.iinfo(dtype).max // 2 + 1, dtype)
    with np.errstate(over="ignore"):
        wanted = SUMS[name](np, data)
    assert host(SUMS[name](np, xp.asarray(data))).tolist() == wanted.tolist()
    result = SUMS[name](xp, xp.asarray(data))
    for _ in range(2):
        with pytest.raises(OverflowError, match=r"beyond u?int32 .*give dtype=numpy\.u?int64, or set trnarray\.config\(defaults='numpy'\)"):
            host(result)
    assert int(xp.sum(xp.asarray(np.ones(2, dtype)))) == 2  # the device goes on


def exact(name, values):
    """Sums and products of Python's integers."""
    return reduce(lambda a, b: a + b if name == "sum" else a * b, map(int, values))


FACTORS = st.one_of(st.sampled_from([0, 1, -1, 2, -2, 3, 2**15, -(2**15)]), st.integers(-(2**31), 2**31 - 1))


@settings(max_examples=40, deadline=None)
@example(name="prod", dtype=np.int32, values=[2] * 64, running=False, initial=None, masked=False)
@example(name="prod", dtype=np.int32, values=[2] * 64 + [0], running=False, initial=None, masked=False)
@example(name="prod", dtype=np.int32, values=[3, 0, *[2] * 64], running=True, initial=None, masked=False)
@example(name="prod", dtype=np.int32, values=[2] * 200, running=False, initial=0, masked=False)
@example(name="sum", dtype=np.uint8, values=[1], running=False, initial=2**32 - 1, masked=False)
@example(name="sum", dtype=np.int8, values=[1, 1], running=False, initial=2**31 - 2, masked=False)
@given(
    name=st.sampled_from(["sum", "prod"]),
    dtype=st.sampled_from([np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32]),
    values=st.lists(FACTORS, min_size=1, max_size=70),
    running=st.booleans(),
    initial=st.none() | st.sampled_from([0, 1, 2, 2**20]),
    masked=st.booleans(),
)
def test_sums_and_products_are_exact_or_refused(name, dtype, values, running, initial, masked):
    """Products of 64 factors of 2 are 0 modulo 2**64: only an exact reference tells."""
    data = np.asarray(values).astype(dtype)
    counted = [True] * len(values)
    keywords = {}
    if not running:
        keywords = {} if initial is None else {"initial": initial}
        if masked:
            counted = [place % 3 != 1 for place in range(len(values))]
            keywords["where"] = xp.asarray(counted)
    first = keywords.get("initial", 0 if name == "sum" else 1)
    wanted = [exact(name, [first, *data[: end + 1][counted[: end + 1]]]) for end in range(len(values))]
    wanted = wanted if running else wanted[-1]
    info = np.iinfo(np.int32 if np.dtype(dtype).kind == "i" else np.uint32)
    result = getattr(xp, f"cum{name}" if running else name)(xp.asarray(data), **keywords)
    assert result.dtype == info.dtype
    if all(info.min <= one <= info.max for one in (wanted if running else [wanted])):
        assert host(result).tolist() == wanted
    else:
        with pytest.raises(OverflowError, match="beyond"):
            host(result)


@settings(max_examples=15, deadline=None)
@given(data=hnp.arrays(np.int32, hnp.array_shapes(max_dims=3, max_side=4), elements=FACTORS), axis=st.integers(-1, 0))
def test_sums_along_axes_are_exact_or_refused(data, axis):
    """An axis of one element cannot be beyond int32; one wrong sum refuses all."""
    wanted = data.sum(axis=axis, dtype=np.int64)
    result = xp.sum(xp.asarray(data), axis=axis, keepdims=True)
    if np.all(wanted == wanted.astype(np.int32)):
        assert host(result).tolist() == np.expand_dims(wanted, axis).tolist()
    else:
        with pytest.raises(OverflowError, match="a sum of int32 is beyond int32"):
            host(result)


def test_long_sums_of_narrow_integers():
    """More elements than the limbs of 64-bit sums take at once."""
    many = 2**16 + 3
    x = xp.asarray(np.full(many, 2**15 - 1, np.int16))
    assert int(xp.sum(x[: 2**16])) == 2**16 * (2**15 - 1)
    with pytest.raises(OverflowError, match="a sum of int16"):
        int(xp.sum(x))
    assert int(np.sum(x)) == many * (2**15 - 1)


def test_products_on_the_host_are_exact_or_refused():
    """Of more slices than are reduced one after the other, and of sequences of Arrays."""
    x = xp.asarray(np.full(300, 2, np.int32))
    assert host(xp.multiply.reduceat(x, list(range(0, 300, 2)))).tolist() == [4] * 150
    for call in (
        lambda: xp.multiply.reduceat(x, [0, 64, *range(65, 300)]),  # 2**64
        lambda: xp.prod([xp.asarray(2)] * 64),
        lambda: xp.sum([xp.asarray(2**30)] * 2),
    ):
        with pytest.raises(OverflowError, match="beyond int32"):
            host(call())
    assert int(xp.prod([xp.asarray(2)] * 30)) == 2**30
    assert int(xp.prod(x, initial=xp.asarray(0))) == 0


def test_outputs_decide():
    """What is written to memory has its dtype, as in NumPy, which casts whatever the loss; positions are cast safely."""
    x, narrow = xp.asarray(np.full(3, 2**30, np.int32)), xp.zeros((), dtype=np.int32)
    xp.sum(x, out=narrow)
    assert int(narrow) == np.sum(np.full(3, 2**30, np.int32), out=np.zeros((), np.int32))
    assert int(xp.argmax(x, out=narrow)) == 0
    with xp.config(defaults="numpy"), pytest.raises(TypeError, match="int64 and out is int32"):
        xp.argmax(x, out=narrow)
