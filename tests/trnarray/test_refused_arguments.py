"""Arguments that make no sense are refused by documented exceptions, on the host and on devices: no internal one reaches a user.

Suite ``fuzz`` draws such calls by chance; here is one of each kind that it found.
"""

import numpy as np
import pytest
import scipy.sparse

import trnarray as xp
from trnarray.scipy import fft, sparse
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
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("make", [nested, selfish])
def test_sequences_that_nest_too_deep(a, name, make):
    with pytest.raises((TypeError, ValueError)):
        DEEP[name](a([1, 2]), make())


ENDLESS = {
    "shape": (lambda x: xp.ones(HUGE), ValueError),
    "size": (lambda x: xp.random.default_rng(1).normal(size=HUGE), ValueError),
    "axes": (lambda x: np.fft.fft2(x, axes=HUGE), (IndexError, ValueError)),
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
    "astype of a dict": (lambda x: np.astype({}, x), TypeError),
}


@pytest.mark.parametrize("name", OTHERS)
def test_others(a, name):
    call, error = OTHERS[name]
    with pytest.raises(error):
        call(a([[1, 2], [3, 4]]))


def test_indices_that_sort_may_be_a_list():
    x = np.array([3.0, 1.0, 2.0])
    assert xp.searchsorted(xp.asarray(x, device="cpu"), 1.5, sorter=[1, 2, 0]) == np.searchsorted(x, 1.5, sorter=[1, 2, 0])


def test_sparse_arrays_of_scipy_are_taken():
    """What refuses dense arrays takes SciPy's sparse ones."""
    assert sparse.permute_dims(scipy.sparse.coo_array(np.ones((1, 2)))).shape == (2, 1)
