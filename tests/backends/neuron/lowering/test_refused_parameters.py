"""Parameters that NumPy refuses are refused on the device, too, with no internal exception; what NumPy takes is taken."""

import numpy as np
import pytest

import trnarray as xp

X = np.array([1.0, 2.0], np.float32)
REFUSED = {
    "casting": (lambda m, a: np.add(a(X), 1, casting="nonsense"), ValueError),
    "where of floats": (lambda m, a: np.add(a(X), 1, out=a(X), where=a(X)), TypeError),
    "out that is a number": (lambda m, a: m.add(a(X), 1, out=5), TypeError),
    "out of a reduction": (lambda m, a: m.sum(a(X), out=5), TypeError),
    "outs that are numbers": (lambda m, a: m.add(a(X), 1, out=(5,)), TypeError),
    "a length that is no integer": (lambda m, a: np.fft.fft(a(X), n=1.5), TypeError),
    "lengths that are no integers": (lambda m, a: np.fft.fftn(a(X), s=(1.5,), axes=(0,)), TypeError),
    "a kind of search": (lambda m, a: np.isin(a(X), a(X), kind="x"), ValueError),
    "a fill value without elements": (lambda m, a: m.full((2,), a(X[:0])), ValueError),
    "fill values too many": (lambda m, a: m.full((3,), a(X)), ValueError),
    "shifts along no axis": (lambda m, a: np.roll(a(X), (1, 2), axis=()), ValueError),
    "no shifts of a scalar": (lambda m, a: np.roll(a(5), (), axis=()), ValueError),
    "shifts in rows": (lambda m, a: np.roll(a(X), [[1], [2]], axis=0), ValueError),
    "shifts in rows of all elements": (lambda m, a: np.roll(a(X), [[1], [2]]), ValueError),
    "weights that sum to zero": (lambda m, a: np.average(a(X), weights=a([1, -1])), ZeroDivisionError),
    "weights that sum to zero somewhere": (lambda m, a: np.average(a([X, X]), axis=1, weights=a([[1, 1], [1, -1]])), ZeroDivisionError),
}
TAKEN = {
    "roll along no axis": lambda a: np.roll(a(X), 1, axis=()),
    "shift along no axis": lambda a: np.fft.fftshift(a(X), axes=()),
    "roll by two shifts along an axis": lambda a: np.roll(a(X), (1, 2), axis=0),
    "rounded truth values": lambda a: np.round(a(X) > 1),
    "covariances of one row": lambda a: np.cov(a([[1, 2, 3]]), rowvar=False, bias=True),
    "covariances of two rows": lambda a: np.cov(a([[1, 2, 3], [3, 5, 4]]), rowvar=False),
    "covariances with others": lambda a: np.cov(a([[1, 2], [3, 5]]), a([[0, 2], [1, 5]]), rowvar=False),
    "means with weights": lambda a: np.average(a([X, X]), axis=1, weights=a([[1, 1], [1, 3]])),
}

NUMBERS = {
    "arange": lambda m, x, k, _: m.arange(k),
    "arange of floats": lambda m, x, _, r: m.arange(0, r, 1),
    "bincount": lambda m, x, k, _: m.bincount(m.asarray([1, 2]), minlength=k),
    "broadcast": lambda m, x, k, _: m.broadcast_to(x[0], (k, 4)),
    "delta degrees of freedom": lambda m, x, k, _: m.var(x, ddof=k - 4),
    "diagonal": lambda m, x, k, _: m.diag(x, k - 4),
    "differences": lambda m, x, k, _: m.diff(x, k - 3),
    "new axis": lambda m, x, k, _: m.expand_dims(x, k - 5),
    "histogram": lambda m, x, k, r: m.histogram(x, 4, (0, r))[0],
    "moved axis": lambda m, x, k, _: m.moveaxis(x, k - 5, -1),
    "norm": lambda m, x, k, _: m.linalg.norm(x[0], k - 3),
    "partition": lambda m, x, k, _: m.partition(x.ravel(), k)[k],
    "power of a matrix": lambda m, x, k, _: m.linalg.matrix_power(x[:, :3], k - 3),
    "reshape": lambda m, x, k, _: m.ones(10, dtype=np.float32).reshape(k, -1),
    "shape": lambda m, x, k, _: m.ones(10, dtype=np.float32).reshape(m.stack([k, k - 3])),
    "lengths": lambda m, x, k, _: m.broadcast_to(x[0], m.stack([k, k - 1])),
    "round": lambda m, x, k, _: m.round(x, k - 4),
    "split": lambda m, x, k, _: m.split(x.ravel(), [k])[0],
    "splits": lambda m, x, k, _: m.split(x.ravel(), m.cumsum(m.stack([k, k + 2])))[1],
    "sum": lambda m, x, k, _: x.sum(axis=k - 4),
    "transform": lambda m, x, k, _: m.fft.fft(x, k).real,
    "turn": lambda m, x, k, _: m.rot90(x, k),
    "window": lambda m, x, k, r: m.kaiser(k, r) + m.hanning(k),
}
"""Calls with an integer, 5, and a real number, 9, that were computed, as parameters."""


def on_device(values):
    return xp.asarray(np.asarray(values, np.float32), device="sim:trn2")


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, error = REFUSED[name]
    with pytest.raises(error):
        call(np, np.asarray)
    with xp.config(fallback="allow"), pytest.raises(error):
        call(xp, on_device).tolist()


@pytest.mark.parametrize("name", TAKEN)
def test_taken(name):
    call = TAKEN[name]
    wanted = call(lambda values: np.asarray(values, np.float64))
    with xp.config(fallback="error"):
        found = call(on_device)
    assert (found.shape, found.dtype.kind) == (wanted.shape, wanted.dtype.kind)
    np.testing.assert_allclose(found.tolist(), wanted, rtol=16 * 2.0**-24, atol=16 * 2.0**-24)  # a few operations of float32


def test_counts_of_repeats_may_be_uint64():
    """The standard allows it; NumPy does not."""
    counts = xp.asarray(np.array([2, 1], np.uint64), device="sim:trn2")
    assert xp.repeat(on_device(X), counts).tolist() == [1, 1, 2]


def test_numbers_that_were_computed_are_parameters():
    """NumPy's code gives them on; each is brought to the host, and counted."""
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    with xp.config(fallback="error", defaults="numpy"), xp.default_device("sim:trn2"):
        y = xp.asarray(x)
        for name, call in NUMBERS.items():
            xp.reset_coverage()
            found, wanted = call(xp, y, (y > 6).sum(), y[2, 0] + 1), call(np, x, (x > 6).sum(), x[2, 0] + 1)
            assert xp.coverage().transfers, name
            assert (found.shape, found.dtype) == (wanted.shape, wanted.dtype), name
            np.testing.assert_allclose(found.tolist(), wanted, rtol=32 * 2.0**-24, atol=64 * 2.0**-24, err_msg=name)  # sums of 12 elements


def test_a_number_of_a_loops_body_is_no_parameter():
    with pytest.raises(TypeError, match="loop"):
        xp.fori_loop(0, 3, lambda i, x: x + xp.sum(xp.diff(on_device([1, 2, 3, 4]), i)), on_device(0))
