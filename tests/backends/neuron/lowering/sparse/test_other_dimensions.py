"""Sparse arrays of one and of three dimensions, and of truth values, with no fallback: against SciPy's."""

import warnings

import numpy as np
import pytest
import scipy.sparse as theirs

import trnarray as xp
from trnarray.scipy import sparse as ours

from .matrices import bring, fetch, put

VECTOR = (np.arange(6) * np.array([1, 0, 1, 0, -1, 1])).astype(np.float32)
BLOCK = (np.arange(24) % 5).astype(np.float32).reshape(2, 3, 4)
MATRIX = (np.arange(18) % 4).reshape(6, 3).astype(np.float32)
TRUTH = np.random.default_rng(3).random((6, 6)) < 0.4

ONE = {
    "dense": lambda a, _: a.toarray(),
    "total": lambda a, _: a.sum(),
    "total of its axis": lambda a, _: a.sum(axis=0),
    "mean": lambda a, _: a.mean(axis=-1),
    "largest": lambda a, _: a.max(),
    "smallest": lambda a, _: a.min(axis=0),
    "where": lambda a, _: a.argmin(),
    "scalar product": lambda a, _: a @ a,
    "by a dense vector": lambda a, of: a @ of(VECTOR),
    "of a dense vector": lambda a, of: of(VECTOR) @ a,
    "by a dense matrix": lambda a, of: a @ of(MATRIX),
    "of a dense matrix": lambda a, of: of(MATRIX.T) @ a,
    "by a matrix": lambda a, of: a @ of(theirs.csr_array(MATRIX)),
    "of a matrix": lambda a, of: of(theirs.csr_array(MATRIX.T)) @ a,
    "larger": lambda a, _: a.maximum(-1 * a),
    "equal": lambda a, _: a == 2 * a,
    "a row": lambda a, of: (of(theirs.csr_array(MATRIX.T))[1] + a).toarray(),
}
THREE = {
    "dense": lambda a, _: a.toarray(),
    "total": lambda a, _: a.sum(),
    "mean": lambda a, _: a.mean(),
    "largest": lambda a, _: a.max(),
    "where": lambda a, _: a.argmax(),
    "by a dense vector": lambda a, of: a @ of(VECTOR[:4]),
    "by a dense matrix": lambda a, of: a @ of(MATRIX[:4]),
    "equal": lambda a, _: a == a,
    "less": lambda a, _: a < 2 * a,
    "larger": lambda a, _: a.maximum(2 * a - 3 * a),
}
OF_TRUTH = {
    "or": lambda a, _: a + a.T,
    "and": lambda a, _: a * a.T,
    "by a dense row": lambda a, of: a * of(TRUTH[0]),
    "vector": lambda a, of: a @ of(TRUTH[1]),
    "matrix": lambda a, of: of(TRUTH[:2]) @ a,
    "product": lambda a, _: a @ a,
    "diagonal": lambda a, _: a.diagonal(1),
    "trace": lambda a, _: a.trace(),
    "less": lambda a, _: a < a.T,
    "Kronecker": lambda a, _: (theirs if isinstance(a, theirs.sparray) else ours).kron(a, a),
    "mean": lambda a, _: a.mean(axis=0),
}
WITH_OTHERS = {
    "zero": lambda a, _: a + 0,
    "from zero": lambda a, _: 0 - a,
    "sum of a list": lambda a, _: sum([a, a.T]),
    "and a row": lambda a, of: a + of(VECTOR),
    "from a column": lambda a, of: of(VECTOR[:, np.newaxis]) - a,
    "by a number": lambda a, _: a.dot(2.5),
    "a row times it": lambda a, of: of(VECTOR) * a,
    "sum over both axes": lambda a, _: a.sum(axis=(0, 1)),
    "mean over one": lambda a, _: a.mean(axis=(-1,)),
}
KINDS = {
    **{f"others, {name}": (theirs.csr_array(MATRIX @ MATRIX.T), call) for name, call in WITH_OTHERS.items()},
    **{f"one, {name}": (theirs.coo_array(VECTOR), call) for name, call in ONE.items()},
    **{f"three, {name}": (theirs.coo_array(BLOCK), call) for name, call in THREE.items()},
    **{f"truth, {name}": (theirs.csr_array(TRUTH), call) for name, call in OF_TRUTH.items()},
}


@pytest.fixture(autouse=True)
def natively():
    with xp.config(fallback="error"), warnings.catch_warnings():
        warnings.simplefilter("ignore", theirs.SparseEfficiencyWarning)
        yield


def there(operand):
    return bring(operand) if theirs.issparse(operand) else put(operand)


def check(found, want):
    """Sums of few small integers are exact, and a mean rounds once."""
    if theirs.issparse(want):
        assert (found.format, found.shape, found.dtype) == (want.format, want.shape, want.dtype)
        found, want = found.to_device("cpu").to_scipy().toarray(), want.toarray()
    found = fetch(found) if isinstance(found, xp.Array) else found
    assert np.shape(found) == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=2.0**-23)


@pytest.mark.parametrize("name", KINDS)
def test_as_in_scipy(name):
    array, call = KINDS[name]
    check(call(bring(array), there), call(array, lambda one: one))


def test_duplicates_of_truth_values():
    a = theirs.coo_array((np.array([True, True, False]), ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    check(bring(a) * bring(a), a.tocsr() * a.tocsr())
    np.testing.assert_array_equal(fetch(bring(a).toarray()), a.toarray())


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_duplicates_of_one_dimension(format):
    data, at = np.array([1, 2, 3], np.float32), [1, 1, 4]
    a = theirs.coo_array((data, (at,)), shape=(6,)) if format == "coo" else theirs.csr_array((data, at, [0, 3]), shape=(6,))
    a, b, dense = bring(a), bring(theirs.coo_array(VECTOR)), np.array([0, 3, 0, 0, 3, 0], np.float32)  # SciPy's tocsr writes to a
    check((a + b).toarray(), dense + VECTOR)
    check((a != b).toarray(), dense != VECTOR)
    check(a.max(), dense.max())
    check(a @ b, dense @ VECTOR)
    check(abs(a).toarray(), dense)


@pytest.mark.parametrize("dtype", ["int32", "bool", "float32"])
def test_sums_in_another_dtype(dtype):
    a = theirs.csr_array(3 * TRUTH.astype(dtype))
    for axis in (None, 0, 1):
        for wanted in (None, np.float64):
            check(bring(a).sum(axis=axis, dtype=wanted), a.sum(axis=axis, dtype=wanted))
            check(bring(a).mean(axis=axis, dtype=wanted), a.mean(axis=axis, dtype=wanted))


def test_numbers_and_shapes_that_are_not_added():
    a = bring(theirs.csr_array(MATRIX))
    with pytest.raises(NotImplementedError, match="nonzero scalar"):
        a + 2
    with pytest.raises(ValueError, match="broadcast"):
        a + put(VECTOR)
    b = a - 0
    b.data[0] = 9
    check(a.toarray(), MATRIX)


@pytest.mark.parametrize("array", [VECTOR, MATRIX, BLOCK], ids=["one", "two", "three"])
def test_dense_in_an_order_or_an_array_of_ones_own(array):
    a, out = bring(theirs.coo_array(array)), put(np.ones_like(array))
    found = a.toarray(order="F")
    assert found.flags.f_contiguous
    check(found, array)
    assert a.todense(out=out) is out
    check(out, array)
    for order, error in (("K", ValueError), (2**64 - 1, TypeError)):
        with pytest.raises(error):
            np.zeros(2, order=order)
        with pytest.raises(error):
            a.todense(order)
