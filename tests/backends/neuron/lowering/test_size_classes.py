"""Slices whose lengths change from call to call: how many programs they take, and that elements beyond them change nothing."""

import math

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.lowering.size_classes import size_class

DEVICES = ("sim:trn1", "sim:trn2", "sim:trn3")
LENGTHS = (98, 99, 100, 1, 128, 129, 192, 300)
U = 2.0**-24


@pytest.fixture
def counted():
    for device in DEVICES:
        xp.synchronize(device)  # what other tests left waiting would be a program of this one
        engine_for(parse_device(device)).builder.lengths.clear()  # and their lengths steps of these calls
    xp.reset_coverage()


def programs(device):
    return sum(item.programs for item in xp.coverage().compilations if item.device == device)


def host(array):
    return np.asarray(xp.asarray(array, device="cpu"))


def data(length, device, dtype=np.float32, rest=np.nan):
    """Make a vector and a matrix whose first elements count: the rest must not matter, in memory of the same shape for all lengths."""
    rng = np.random.default_rng(length)
    vector = (4 * rng.standard_normal(400)).astype(dtype)
    matrix = (4 * rng.standard_normal((12, 400))).astype(dtype)
    vector[length:], matrix[:, length:] = rest, rest
    return vector, matrix, xp.asarray(vector, device=device), xp.asarray(matrix, device=device)


CALLS = {
    "sum": lambda np, x, V, k: np.sum(x[:k], keepdims=True),
    "prod": lambda np, x, V, k: np.prod(x[:k] / 4),
    "mean": lambda np, x, V, k: V[:, :k].mean(axis=1),
    "std": lambda np, x, V, k: x[:k].std(),
    "max": lambda np, x, V, k: V[:, :k].max(axis=1),
    "min": lambda np, x, V, k: x[:k].min(),
    "argmax": lambda np, x, V, k: V[:, :k].argmax(axis=1),
    "count_nonzero": lambda np, x, V, k: np.count_nonzero(x[:k]),
    "norm": lambda np, x, V, k: np.linalg.norm(x[:k]),
    "cumsum": lambda np, x, V, k: np.cumsum(x[:k]),
    "product": lambda np, x, V, k: V[:, :k] @ x[:k],
    "two products": lambda np, x, V, k: V[:, :k] @ (V[:, :k].T @ V[:, 0]),
    "rows": lambda np, x, V, k: x[:k] @ V.T[:k],
    "einsum": lambda np, x, V, k: np.einsum("ij,j->i", V[:, :k], x[:k]),
    "tensordot": lambda np, x, V, k: np.tensordot(V[:, :k], V[:, :k], axes=(1, 1)),
    "elements": lambda np, x, V, k: np.sqrt(np.abs(x[:k])) + 1,
    "elements summed": lambda np, x, V, k: (V[:, :k] * x[:k]).sum(axis=1),
}


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("device", "name"), [*zip(DEVICES * len(CALLS), CALLS, strict=False)])
def test_lengths_share_programs_and_what_lies_beyond_does_not_matter(device, name):
    call = CALLS[name]
    for length in LENGTHS:
        vector, matrix, x, V = data(length, device)
        wanted = call(np, vector.astype(np.float64), matrix.astype(np.float64), length)
        size = call(np, np.abs(vector).astype(np.float64), np.abs(matrix).astype(np.float64), length)  # what errors are of
        got = host(call(xp, x, V, length))
        assert got.shape == np.shape(wanted)
        np.testing.assert_array_less(np.abs(got - wanted), 8 * math.sqrt(length) * U * np.abs(size) + 1e-30, err_msg=f"{name} of {length}")
    # 98 and 99 as they are, the rest in the classes 128, 192 and 384; a program for each length would make 8
    assert programs(device) <= 6


@pytest.mark.parametrize("dtype", [np.int32, np.complex64, np.bool_])
def test_dtypes(dtype):
    for length in (78, 79, 80, 130):
        vector, matrix, x, V = data(length, "sim:trn2", dtype, rest=1 if dtype in (np.int32, np.bool_) else np.inf)
        np.testing.assert_allclose(host(x[:length].sum()), vector[:length].sum(dtype=np.result_type(dtype, np.int32)), rtol=1e-6, atol=1e-5)
        np.testing.assert_allclose(host(V[:, :length] @ x[:length]), matrix[:, :length] @ vector[:length], rtol=1e-5, atol=1e-4)


def test_every_length_to_2000_is_of_one_of_ten_classes():
    lengths = range(1, 2001)
    assert len({min(size_class(length), 2000) for length in lengths}) <= 10
    assert all(size_class(length) <= 1.5 * length for length in lengths if length >= 86)
    assert sum(size_class(length, light=False) for length in lengths) <= 1.5 * sum(lengths)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("device", ["sim:trn1"])
def test_writes_leave_what_lies_beyond_as_it_was(device):
    reference = np.arange(400, dtype=np.float32)
    reference[300:] = np.nan
    x = xp.asarray(reference, device=device)
    for length in (68, 69, 70, 4, 130, 131, 250):
        x[:length] += x[1 : length + 1]
        reference[:length] += reference[1 : length + 1]
        x[:length] = 0.5 * x[:length]
        reference[:length] *= 0.5
        np.testing.assert_array_equal(host(x), reference)
    assert programs(device) <= 6


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("device", ["sim:trn2"])
def test_elimination_shrinks_both_axes(device):
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((14, 14)).astype(np.float32) + 14 * np.eye(14, dtype=np.float32)
    A = xp.asarray(matrix, device=device)
    for k in range(13):
        A[k + 1 :, k] /= A[k, k]
        A[k + 1 :, k + 1 :] -= xp.outer(A[k + 1 :, k], A[k, k + 1 :])
        xp.synchronize()
    found = host(A).astype(np.float64)
    lower, upper = np.tril(found, -1) + np.eye(14), np.triu(found)
    np.testing.assert_allclose(lower @ upper, matrix, atol=14 * U * 28)
    assert programs(device) <= 8


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("device", ["sim:trn3"])
def test_a_time_history_takes_few_programs(device):
    kernel = np.exp(-np.arange(300) / 50).astype(np.float32)
    out, reference = xp.zeros(300, dtype=xp.float32, device=device), np.zeros(300)
    out[0] = reference[0] = 1.0
    weights = xp.asarray(kernel, device=device)
    for k in (*range(61, 65), *range(127, 130), *range(191, 194)):
        out[k] = 1 - 0.01 * (weights[k - 1 :: -1] @ out[:k])
        reference[k] = 1 - 0.01 * (kernel[k - 1 :: -1].astype(np.float64) @ reference[:k])
        xp.synchronize()
    np.testing.assert_allclose(host(out), reference, atol=32 * U)
    assert programs(device) <= 7


@pytest.mark.usefixtures("counted")
def test_lags_of_one_array():
    vector = np.random.default_rng(0).standard_normal(200).astype(np.float32)
    x = xp.asarray(vector, device="sim:trn1")
    for lag in range(1, 9):
        wanted = vector[lag:].astype(np.float64) @ vector[:-lag]
        assert abs(float(x[lag:] @ x[:-lag]) - wanted) <= 200 * U
        np.testing.assert_array_equal(host(x[lag:] - x[:-lag]), vector[lag:] - vector[:-lag])
    assert programs("sim:trn1") <= 6  # two lags as they are, and the rest, of two calls


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("dtype", "join"), [(np.float32, "concatenate"), (np.complex64, "vstack")])
def test_appending_writes_to_memory_of_a_class(dtype, join):
    rows = np.arange(72).reshape(24, 3).astype(dtype)
    given = xp.asarray(rows, device="sim:trn2")
    grown, reference, kept = given[:1], rows[:1], []
    for k in range(1, 24):
        grown = getattr(xp, join)([grown, given[k : k + 1]])
        reference = np.concatenate([reference, rows[k : k + 1]])
        assert abs(complex(grown.sum()) - reference.sum()) <= 1e-3
        kept.append(grown)
    np.testing.assert_array_equal(host(kept[5]), rows[:7])  # which later ones were not written to
    kept[7][0] = -1
    np.testing.assert_array_equal(host(grown), reference)
    assert programs("sim:trn2") <= 14


@pytest.mark.usefixtures("counted")
def test_equations_that_grow():
    rng = np.random.default_rng(0)
    matrix = (rng.standard_normal((12, 12)) + 8 * np.eye(12)).astype(np.float32)
    side = rng.standard_normal(12).astype(np.float32)
    for k in range(2, 6):
        matrix_of_all, side_of_all = matrix.copy(), side.copy()
        matrix_of_all[k:, :], matrix_of_all[:, k:], side_of_all[k:] = np.nan, np.nan, np.inf
        A, b = (xp.asarray(item, device="sim:trn2") for item in (matrix_of_all, side_of_all))
        part = matrix[:k, :k].astype(np.float64)
        np.testing.assert_allclose(host(xp.linalg.solve(A[:k, :k], b[:k])), np.linalg.solve(part, side[:k]), atol=64 * U)
        if k < 5:
            np.testing.assert_allclose(host(xp.linalg.det(A[:k, :k])), np.linalg.det(part), rtol=64 * U)
            np.testing.assert_allclose(host(xp.linalg.inv(A[:k, :k])), np.linalg.inv(part), atol=64 * U)
            squared = host(xp.linalg.cholesky(A[:k, :k].T @ A[:k, :k])).astype(np.float64)
            np.testing.assert_allclose(squared @ squared.T, part.T @ part, atol=256 * U * 8)
            triangle = host(xp.scipy.linalg.solve_triangular(A[:k, :k], b[:k]))
            np.testing.assert_allclose(np.triu(part) @ triangle, side[:k], atol=64 * U)
    assert programs("sim:trn2") <= 15  # which would be 16
    singular = xp.zeros((12, 12), dtype=xp.float32, device="sim:trn2")
    for k in range(2, 6):
        with pytest.raises(np.linalg.LinAlgError, match="Singular"):
            host(xp.linalg.solve(singular[:k, :k], b[:k]))


@pytest.mark.parametrize("name", ["float8_e4m3fn", "float8_e5m2", "bfloat16"])
def test_extremes_of_dtypes_with_and_without_infinities(name):
    numbers = np.linspace(-3, 3, 40)
    x = xp.asarray(numbers.astype(np.float32), device="sim:trn2").astype(getattr(xp, name))
    wanted = host(x.astype(xp.float32))
    for k in (12, 13, 14, 15):
        assert float(xp.max(x[:k])) == wanted[:k].max()
        assert float(xp.min(x[40 - k :])) == wanted[40 - k :].min()
        np.testing.assert_array_equal(host((x[:k] + x[:k]).astype(xp.float32)), 2 * wanted[:k])


def test_right_hand_sides_become_fewer():
    matrix = np.asarray([[2.0, 1.0], [1.0, 3.0]], np.float32)
    sides = np.random.default_rng(3).standard_normal((2, 9)).astype(np.float32)
    A, B = (xp.asarray(item, device="sim:trn2") for item in (matrix, sides))
    for n in (9, 8, 7, 6, 5):
        np.testing.assert_allclose(host(xp.linalg.solve(A.T, B[:, :n])), np.linalg.solve(matrix.T, sides[:, :n]), atol=16 * U)


def test_results_are_arrays_as_numpys():
    matrix = np.arange(60, dtype=np.float32).reshape(3, 20)
    V = xp.asarray(matrix, device="sim:trn2")
    for length in (2, 3, 4, 5):
        doubled, rows = V[:, :length] * 2, V.T[:length] * 2
        assert doubled.base is None
        assert doubled.strides == (4 * length, 4)
        assert doubled.flags.c_contiguous
        for result, wanted in ((doubled, matrix[:, :length] * 2), (rows, np.ascontiguousarray(matrix.T[:length]) * 2)):
            flat = result.reshape(-1)
            flat[1] = -1.0
            wanted.reshape(-1)[1] = -1.0
            np.testing.assert_array_equal(host(result), wanted)
            result[...] = 7.0
            np.testing.assert_array_equal(host(flat), 7.0)
            assert result.nbytes == wanted.nbytes


def test_lengths_of_no_pattern_are_computed_as_they_are():
    x = xp.asarray(np.ones(1000, dtype=np.float32), device="sim:trn2")
    for length in (700, 300, 900, 500, 800, 10, 11, 12, 600):  # the last one is far from those in even steps
        if 10 <= length <= 12:
            host(xp.exp(x[:length]))
            continue
        y = xp.exp(x[:length])
        (stage,) = xp.explain(y).steps[0].stages
        assert stage.over.startswith(f"{length},")


def test_views_that_overlap_and_go_backwards():
    vector = np.arange(40, dtype=np.float32)
    x = xp.asarray(vector, device="sim:trn2")
    for length in (3, 4, 5, 6, 20):
        windows, wanted = (np.lib.stride_tricks.sliding_window_view(item, length)[:length] for item in (x, vector))
        np.testing.assert_array_equal(host(windows.sum(axis=1)), wanted.sum(axis=1))
        np.testing.assert_array_equal(host(windows * x[:length]), wanted * vector[:length])
        np.testing.assert_array_equal(host(x[length - 1 :: -1] + x[:length]), np.full(length, length - 1))
        np.testing.assert_array_equal(host(x[::-2][:length].cumsum()), vector[::-2][:length].cumsum())


def test_a_copy_is_computed_as_it_is():
    rng = np.random.default_rng(1)
    vector = rng.standard_normal(500).astype(np.float32)
    x = xp.asarray(vector, device="sim:trn2")
    for length in (301, 302, 303, 304):
        copied = x[:length].copy()
        exact = xp.asarray(vector[:length], device="sim:trn2").sum()
        assert copied.sum() == exact


def test_checks_see_the_elements_that_count_alone():
    x = xp.asarray(np.asarray([1, 2, 3, 4, 5, 6, -1, -1], dtype=np.int32), device="sim:trn2")
    for length in (1, 2, 3, 4, 5, 6):
        np.testing.assert_array_equal(host(xp.asarray(2, dtype=xp.int32, device="sim:trn2") ** x[:length]), 2 ** np.arange(1, length + 1))
