"""Memory that is given to functions for their results: where NumPy accepts it, and what is computed then."""

import numpy as np
import pytest

import trnarray as xp

A = np.arange(12, dtype=np.float32).reshape(3, 4) - 5.5

# Call on (module's array maker, output), shape and dtype of the output.
CASES = {
    "sum to a row, from a vector": (lambda a, o: np.sum(a[0], axis=0, out=o), (4,), "f4"),
    "sum to a matrix": (lambda a, o: np.sum(a, axis=0, out=o), (3, 4), "f4"),
    "sum": (lambda a, o: np.sum(a, axis=0, out=o), (4,), "f4"),
    "sum of kept axes": (lambda a, o: np.sum(a, axis=0, keepdims=True, out=o), (1, 4), "f4"),
    "sum in integers": (lambda a, o: np.sum(a, axis=0, out=o), (4,), "i4"),
    "maximum in integers": (lambda a, o: np.max(a, axis=0, out=o), (4,), "i4"),
    "mean to a matrix": (lambda a, o: np.mean(a, axis=0, out=o), (3, 4), "f4"),
    "place as a number": (lambda a, o: np.argmax(a, axis=0, out=o), (4,), "f4"),
    "running sums to more": (lambda a, o: np.cumsum(a, axis=0, out=o), (2, 3, 4), "f4"),
    "running sums in integers": (lambda a, o: np.cumsum(a, axis=0, out=o), (3, 4), "i4"),
    "product of matrices": (lambda a, o: np.matmul(a, a.T, out=o), (2, 3, 3), "f4"),
    "product of matrices to too wide ones": (lambda a, o: np.matmul(a, a[:1].T, out=o), (3, 3), "f4"),
    "product with a vector": (lambda a, o: np.matmul(a, a[0], out=o), (2, 3), "f4"),
    "dot to more": (lambda a, o: np.dot(a, a.T, out=o), (2, 3, 3), "f4"),
    "dot to another dtype": (lambda a, o: np.dot(a, a.T, out=o), (3, 3), "f2"),
    "dot to columns": (lambda a, o: np.dot(a, a.T, out=o[:, ::2]), (3, 6), "f4"),
    "Einstein's sum": (lambda a, o: np.einsum("ij->i", a, out=o), (2, 3), "f4"),
    "joined": (lambda a, o: np.concatenate([a, a], out=o), (2, 6, 4), "f4"),
    "rounded": (lambda a, o: np.round(a, 1, out=o), (2, 3, 4), "f4"),
    "chosen, in integers": (lambda a, o: np.choose(np.greater(a, 0), (a, 2 * a), out=o), (3, 4), "i4"),
    "function of elements": (lambda a, o: np.add(a, 1, out=o), (2, 3, 4), "f4"),
}


def outcome(name, make):
    call, shape, dtype = CASES[name]
    out = make(np.zeros(shape, dtype))
    try:
        call(make(A), out)
    except (TypeError, ValueError) as error:
        return type(error)
    return np.asarray(out if isinstance(out, np.ndarray) else out.to_device("cpu")).tolist()


@pytest.mark.parametrize("name", CASES)
def test_memory_of_the_wrong_shape_or_dtype_is_refused_as_in_numpy(name):
    with xp.config(fallback="error"):
        assert outcome(name, lambda array: xp.asarray(array, device="sim:trn2")) == outcome(name, np.array)


def test_sums_in_the_dtype_of_the_output():
    x = xp.asarray(np.full(4096, 1.001, np.float16), device="sim:trn2")
    out = xp.zeros((), dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="error"):
        np.sum(x, out=out)
    exact = 4096 * float(np.float16(1.001))  # which float16 does not hold
    assert abs(float(out) - exact) <= (8 + 12) * 2.0**-24 * exact


def test_one_element_is_not_set_to_an_array():
    x = xp.zeros((2, 3), device="sim:trn2")
    for key, value in (((0, 1), xp.ones(1, device="sim:trn2")), ((1, -1), [1.0, 2.0])):
        with pytest.raises(ValueError, match="one element cannot be set to an array of shape"):
            x[key] = value
    with pytest.raises(ValueError, match="filled with one number, not with an array of shape"):
        x.fill(xp.ones(1, device="sim:trn2"))
    x[0, 1, ...] = xp.ones((1, 1), device="sim:trn2")
    x[1, 0] = xp.asarray(2.0, device="sim:trn2")
    assert np.asarray(x.to_device("cpu")).tolist() == [[0, 1, 0], [2, 0, 0]]
