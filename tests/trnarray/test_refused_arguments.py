"""Arguments that make no sense are refused by documented exceptions, on the host and on devices: no internal one reaches a user.

Suite ``fuzz`` draws such calls by chance; here is one of each kind that it found.
"""

import numpy as np
import pytest
import scipy.fft
import scipy.sparse
import scipy.special

import trnarray as xp
from trnarray.scipy import fft, sparse
from trnarray.scipy import linalg as scipy_linalg
from trnarray.scipy.sparse import linalg as sparse_linalg

DEVICES = ("cpu", "sim:trn2")
HUGE = range(10**12)


@pytest.fixture(params=DEVICES)
def a(request):
    """Make Arrays on a device, which is the default one."""
    with xp.config(fallback="allow", default_device=request.param):
        yield lambda values, dtype=np.float32: xp.asarray(np.asarray(values, dtype), device=request.param)


def selfish():
    item = [1.0]
    item.append(item)
    return item


def nested():
    item = [1.0]
    for _ in range(10_000):
        item = [item]
    return item


def coo(x):
    return sparse.coo_array(x)


NO_OPERANDS = {
    "a set": set(),
    "a dict": {"a": 1},
    "text": "x",
    "bytes": b"x",
    "None": None,
    "an ellipsis": ...,
    "a slice": slice(None),
    "a type": int,
    "a dtype": np.dtype("f4"),
    "a function": len,
    "an object": object(),
    "a generator": (i for i in ()),
    "NotImplemented": NotImplemented,
    "texts": ["a", "b"],
    "Nones": [1, None],
}


@pytest.mark.parametrize("name", NO_OPERANDS)
@pytest.mark.parametrize("function", [xp.sin, xp.modf, lambda x: xp.add(x, xp.ones(2)), lambda x: xp.ones(2) * x, xp.special.erfc])
def test_what_is_no_operand(a, name, function):
    with pytest.raises(TypeError):
        function(NO_OPERANDS[name])


DEEP = {
    "shape": lambda x, deep: xp.ones(deep),
    "dtype": lambda x, deep: xp.ones(2, dtype=deep),
    "device": lambda x, deep: xp.ones(2, device=deep),
    "keepdims": lambda x, deep: xp.sum(x, keepdims=deep),
    "seed": lambda x, deep: xp.random.RandomState(deep),
    "bit generator": lambda x, deep: xp.random.Generator(deep),
    "drawn": lambda x, deep: xp.random.default_rng(1).permutation(x, deep),
    "state": lambda x, deep: xp.random.RandomState(1).set_state(deep),
    "asserted": xp.testing.assert_equal,
    "sparse array": lambda x, deep: sparse.coo_array(deep),
    "sparse parameter": lambda x, deep: sparse.csr_array(xp.eye(2)).sum(dtype=deep),
    "sparse system": lambda x, deep: sparse_linalg.spsolve_triangular(deep, x),
    "operand": lambda x, deep: x + deep,
    "beside others": lambda x, deep: xp.put_along_axis(x, deep, x, 0),
    "norm": lambda x, deep: xp.linalg.vector_norm(deep),
    "iterated": lambda x, deep: xp.nditer(deep),
    "operator": lambda x, deep: sparse_linalg.LaplacianNd(deep),
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("make", [nested, selfish])
def test_sequences_that_nest_too_deep(a, name, make):
    with pytest.raises((TypeError, ValueError)):
        DEEP[name](a([1, 2]), make())


ENDLESS = {
    "shape": (lambda x: xp.ones(HUGE), ValueError),
    "size": (lambda x: xp.random.default_rng(1).normal(size=HUGE), ValueError),
    "axes": (lambda x: np.fft.fft2(x, axes=HUGE), (IndexError, ValueError, MemoryError)),
    "repetitions": (lambda x: xp.repeat(x, 2**62), (ValueError, MemoryError)),
    "repetitions of a method": (lambda x: x.repeat([2**62, 1], axis=1), (ValueError, MemoryError)),
    "repetitions by NumPy": (lambda x: np.repeat(x, xp.asarray([2**62, 2**62], device=x.device)), (ValueError, MemoryError)),
    "repetitions each": (lambda x: xp.repeat(x, [2**62, 2**62], axis=1), (ValueError, MemoryError)),
    "rows": (lambda x: scipy_linalg.hadamard(2**31), (ValueError, MemoryError)),
    "coefficients": (lambda x: xp.polyadd(x, HUGE), MemoryError),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_sequences_without_end(a, name):
    call, error = ENDLESS[name]
    with pytest.raises(error):
        call(a([[1, 2]]))


TARGETS = {
    "put": lambda m, target, x: m.put(target, 0, x),
    "putmask": lambda m, target, x: m.putmask(target, True, x),
    "place": lambda m, target, x: m.place(target, [True], x),
    "copyto": lambda m, target, x: m.copyto(target, x),
    "add.at": lambda m, target, x: m.add.at(target, [0], x),
    "out": lambda m, target, x: m.add(x, x, out=target),
    "out of a reduction": lambda m, target, x: m.max(x, out=target),
}


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("target", [[1.0, 2.0], 5, (None, None), slice(None), np.int8(1)])
def test_targets_that_are_no_arrays(a, name, target):
    with pytest.raises((TypeError, ValueError)):
        TARGETS[name](xp, target, a([1, 2]))


KEYWORDS = {
    "casting": ({"casting": False}, TypeError),
    "unknown casting": ({"casting": "x"}, ValueError),
    "subok": ({"subok": "no"}, TypeError),
    "out of two": ({"out": (None, None)}, (TypeError, ValueError)),
}


@pytest.mark.parametrize("name", KEYWORDS)
@pytest.mark.parametrize("function", ["sin", "radians", "positive"])
@pytest.mark.parametrize("namespace", [np, xp])
def test_keywords_of_ufuncs(a, name, function, namespace):
    keywords, error = KEYWORDS[name]
    with pytest.raises(error):
        getattr(np, function)(np.ones(2, np.float32), **keywords)
    with pytest.raises(error):
        getattr(namespace, function)(a([1, 2]), **keywords)


@pytest.mark.parametrize("keepdims", [(), "", (0, 0), 1.5, "yes", {"a": 1}])
@pytest.mark.parametrize("function", ["sum", "any", "max", "std", "ptp"])
def test_keepdims(a, function, keepdims):
    x = a([1, 2])
    for call in (lambda: getattr(xp, function)(x, keepdims=keepdims), lambda: getattr(np, function)(np.ones(2), keepdims=keepdims)):
        with pytest.raises(TypeError):
            call()
    assert getattr(xp, function)(x, keepdims=np.True_).shape == (1,)


OTHERS = {
    "frequencies of no namespace": (lambda x: fft.fftfreq(3, xp=x), TypeError),
    "real frequencies of no namespace": (lambda x: fft.rfftfreq(3, xp=()), TypeError),
    "a ufunc of one's own": (lambda x: xp.ufunc(x, np.add, "add", "Add."), TypeError),
    "a dense array as a sparse one": (sparse.expand_dims, TypeError),
    "a text as a sparse array": (lambda x: sparse.save_npz("", "text"), TypeError),
    "an axis that is a list of lists": (lambda x: sparse.expand_dims(coo(x), axis=nested()), ValueError),
    "out that is sparse": (lambda x: coo(x).toarray(out=coo(x)), TypeError),
    "astype of a dict": (lambda x: np.astype({}, x), TypeError),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others(a, name):
    call, error = OTHERS[name]
    with pytest.raises(error):
        call(a([[1, 2], [3, 4]]))


AS_NUMPY = {
    **{
        f"a bool as the axis of {name}": lambda m, x, name=name: getattr(m, name)(x, axis=True)
        for name in ("sum", "max", "std", "all", "nanmin", "argmax", "cumsum", "ptp", "count_nonzero", "nansum")
    },
    "a bool as the axis of take": lambda m, x: m.take(x, 0, axis=True),
    "a bool as the axis of repeat": lambda m, x: m.repeat(x, 2, axis=True),
    "a bool as the axis of concatenate": lambda m, x: m.concatenate([x], axis=True),
    "a bool as the axis of a ufunc": lambda m, x: m.add.accumulate(x, axis=True),
    "a mask of floats": lambda m, x: m.logical_or.reduce(x, where=x),
    "a mask of floats of a special function": lambda m, x: (m.special if m is xp else scipy.special).erf(x, where=x),
    "a signature": lambda m, x: m.tanh(x, signature=5),
    "polynomials of other axes": lambda m, x: m.polysub(x, m.concatenate([x[0], x[0]])),
    "a product of polynomials of other axes": lambda m, x: m.polymul(x, x[0]),
    "an antiderivative of other axes": lambda m, x: m.polyint(x),
    "a polynomial that is a number": lambda m, x: m.polyval(2.0, x),
    "a mode of put": lambda m, x: m.put(x, 0, 1, mode="economic"),
    "a mode of choose": lambda m, x: m.choose([0], [x], mode="economic"),
    "a mode of places": lambda m, x: m.ravel_multi_index([[0]], (2,), mode="economic"),
    "a kind of search": lambda m, x: m.isin(x, x, kind=0),
    "work": lambda m, x: m.may_share_memory(x, x, ""),
    "an accumulation of a number": lambda m, x: m.add.accumulate(2),
    "a correlation of a number": lambda m, x: m.correlate(2.0, x[0]),
    "a shape that has no order": lambda m, x: m.ones_like(x, shape={2}),
    "a shape of a dict": lambda m, x: m.zeros({}),
    "an array like nothing": lambda m, x: m.asarray(x, like=64),
    "diagonals without end": lambda m, x: m.diag_indices(np.inf),
    "a mask of another length": lambda m, x: m.fmin([1.0, 2.0], 3.0, out=x, where=(True, True, False)),
    "several numbers to start with": lambda m, x: m.max(x, initial=[1.0, 2.0]),
    "keepdims of a ufunc": lambda m, x: m.multiply.reduce(x, keepdims="i4"),
    "places that are no integers": lambda m, x: m.argpartition(x, ()),
    "axes that are no integers": lambda m, x: m.fft.fftn(x, axes=(0.5,)),
    "workers": lambda m, x: (fft if m is xp else scipy.fft).fft(x, workers="x"),
    "no workers": lambda m, x: (fft if m is xp else scipy.fft).dct(x, workers=0),
    "a normalisation": lambda m, x: m.fft.fft(x, norm=()),
    "a negative length": lambda m, x: m.pad(x, -1),
    "a negative length beside a number": lambda m, x: m.pad(2.0, -1),
    "a negative number of columns": lambda m, x: m.vander(x[0], -(2**63)),
    "a diagonal that is no integer": lambda m, x: m.diag(x, 1e308),
    "a kind of selection": lambda m, x: m.argpartition(x, 0, kind=(1.5,)),
    "another kind of selection": lambda m, x: m.argpartition(x, 0, kind="linear"),
    "an order of fields": lambda m, x: m.partition(x, 0, order="K"),
    "a kind of sort that is an array": lambda m, x: x.argsort(kind=x),
    "bits of floats": lambda m, x: m.bitwise_xor.accumulate(x),
    "a mask of more axes": lambda m, x: m.var(x[0], where=m.ones((2, 2), dtype=bool)),
    "an order of new memory": lambda m, x: m.zeros((), order="K"),
    "an order of a new matrix": lambda m, x: m.eye(2, order="A"),
    "a number of differences": lambda m, x: m.diff(x, set()),
    "an order of fields in place": lambda m, x: x.partition(0, order=(1, -2)),
    "lengths of more axes": lambda m, x: m.fft.ifftn(x[0], (3, 1)),
    "out of a stack": lambda m, x: m.stack([x, x], out=()),
    "a shape of None": lambda m, x: setattr(m.ones(3), "shape", None),
    "an order of bytes": lambda m, x: x.tobytes(nested()),
    "a range of numbers to start with": lambda m, x: m.add.reduce(x, initial=range(3)),
    "work that is an array": lambda m, x: m.shares_memory(x, x, x),
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", AS_NUMPY)
def test_refused_as_by_numpy(a, name):
    call = AS_NUMPY[name]
    with pytest.raises((TypeError, ValueError)):
        call(np, np.ones((2, 2), np.float32))
    with pytest.raises((TypeError, ValueError)):
        call(xp, a(np.ones((2, 2))))


def test_what_only_numpy_takes_is_taken_or_refused(a):
    """Constants and lengths that NumPy makes an object array or nothing of; rounding to more decimals than numbers have."""
    assert [one.shape for one in xp.diag_indices(-1)] == [(0,), (0,)]
    with pytest.raises((TypeError, ValueError)):
        xp.polyint(a([1, 2]), k=object())
    with pytest.raises(OverflowError):
        round(a(1.5), 10**30)


def test_an_array_with_axes_is_no_number():
    """A number that was computed is taken, as in NumPy, and several where NumPy takes a sequence."""
    x = xp.ones((2, 3), device="sim:trn2")
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        np.fft.fft(x, axis=xp.asarray([1], device="sim:trn2"))


@pytest.mark.parametrize("operator", [np.logical_or, np.less, np.add])
def test_ragged_sequences_of_arrays(operator):
    parts = [xp.ones(2, device="sim:trn2"), xp.ones(3, device="sim:trn2")]
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="inhomogeneous|ragged"):
        operator(parts, xp.ones(2, device="sim:trn2"))


def test_indices_that_sort_may_be_a_list():
    x = np.array([3.0, 1.0, 2.0])
    assert xp.searchsorted(xp.asarray(x, device="cpu"), 1.5, sorter=[1, 2, 0]) == np.searchsorted(x, 1.5, sorter=[1, 2, 0])


def test_sparse_arrays_of_scipy_are_taken():
    """What refuses dense arrays takes SciPy's sparse ones."""
    assert sparse.permute_dims(scipy.sparse.coo_array(np.ones((1, 2)))).shape == (2, 1)


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman", "bartlett"])
def test_arrays_are_no_numbers_of_points(a, name):
    for call in (getattr(xp, name), lambda x: xp.kaiser(x, 1.0), lambda x: xp.kaiser(10**30, x), xp.fft.rfftfreq):
        with pytest.raises(ValueError, match="inhomogeneous|integer"):
            call(a([3, 4, 5]))
    with pytest.raises(ValueError, match="ambiguous"):
        scipy_linalg.helmert(3, a([1, 2]))


@pytest.mark.parametrize("name", ["logical_or", "logical_and", "logical_xor"])
def test_truth_values_are_of_bool(a, name):
    for call in (getattr(np, name).reduce, getattr(np, name).accumulate):
        with pytest.raises(TypeError, match="[Nn]o loop"):
            call(a([3, 0]), dtype="int8")
        np.testing.assert_array_equal(call(a([3, 0]), dtype=bool).to_device("cpu"), call(np.array([3, 0]), dtype=bool))


def test_quantiles_at_truth_values(a):
    """At which NumPy gives elements in their dtype."""
    x, at = np.array([5, 7]), np.array([True, False])
    assert np.nanquantile(a(x, np.int32), a(at, bool)).tolist() == np.nanquantile(x, at).tolist()
