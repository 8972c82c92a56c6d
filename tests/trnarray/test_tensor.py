"""Decompositions of tensors, rebuilt by NumPy alone and held against the errors that were allowed."""

import functools
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray import tensor
from trnarray._tensor.truncation import triangle

DEVICES = ["cpu", "sim:trn2"]
U = {np.dtype(np.float64): 2.0**-53, np.dtype(np.float32): 2.0**-24}


@pytest.fixture(autouse=True)
def host_steps():
    with xp.config(fallback="allow"):
        yield


def on(device, array):
    return xp.asarray(array, dtype=array.dtype, device=device)


def back(array):
    return np.asarray(array.to_device("cpu"))


def dtype_of(device):
    return np.float64 if device == "cpu" else np.float32


def smooth(shape, dtype=np.float64):
    """A tensor whose singular values fall fast."""
    grids = np.meshgrid(*[np.arange(extent) for extent in shape], indexing="ij")
    return (1.0 / (1.0 + sum(grids))).astype(dtype)


def relative(found, x):
    return np.linalg.norm(found.astype(float) - x) / np.linalg.norm(x)


def rebuilt_train(cores):
    """The definition, element by element."""
    shape = tuple(core.shape[1] for core in cores)
    found = np.empty(shape, np.result_type(*cores))
    for index in itertools.product(*map(range, shape)):
        matrix = cores[0][:, index[0]]
        for core, place in zip(cores[1:], index[1:], strict=True):
            matrix = matrix @ core[:, place]
        found[index] = np.trace(matrix)
    return found


def rebuilt_tucker(core, factors):
    letters = "abcdef"[: core.ndim]
    subscripts = ",".join([letters, *(f"{letter.upper()}{letter}" for letter in letters)]) + "->" + letters.upper()
    return np.einsum(subscripts, core, *factors)


def assert_orthonormal(matrix, u):
    """Within 10 n u, n columns: bases come from Householder's factors."""
    q = matrix.astype(np.result_type(matrix, np.float64))
    assert np.max(np.abs(q.conj().T @ q - np.eye(q.shape[1]))) <= 10 * max(q.shape) * u


@pytest.mark.parametrize(
    ("device", "eps", "shape"),
    [
        *(("cpu", eps, shape) for eps in (1e-1, 1e-3, 1e-5) for shape in ((6, 7, 8), (4, 3, 5, 4), (9, 2))),
        ("sim:trn2", 1e-2, (4, 3, 5)),
    ],
    ids=str,
)
def test_trains_and_rings_are_within_the_error_allowed(device, eps, shape):
    x = smooth(shape, dtype_of(device))
    u = U[x.dtype]
    for found in (tensor.tensor_train(on(device, x), eps), tensor.tensor_ring(on(device, x), eps)):
        cores = [back(core) for core in found.cores]
        assert relative(rebuilt_train(cores), x) <= eps + 50 * len(shape) * u
        assert relative(back(found.to_tensor()), x) <= eps + 50 * len(shape) * u
        assert found.shape == shape
        assert all(core.device == device for core in found.cores)
        for core in cores[1:] if isinstance(found, tensor.TensorTrain) else []:
            assert_orthonormal(core.reshape(core.shape[0], -1).T, u)


def test_short_axes_are_split_off_together():
    """As they are on devices: a random tensor has full ranks, and 50 u for each axis."""
    x = np.random.default_rng(8).standard_normal((20, 2, 3, 2)).astype(np.float32)
    train = tensor.tensor_train(on("sim:trn2", x))
    assert train.ranks == (12, 6, 2)
    assert relative(rebuilt_train([back(core) for core in train.cores]), x) <= 200 * U[x.dtype]


def low_rank(shape, rank, noise, seed=0):
    """A tensor of norm 1 that is a train of that rank, and noise of that norm."""
    rng = np.random.default_rng(seed)
    ranks = [1, *[rank] * (len(shape) - 1), 1]
    cores = [rng.standard_normal((left, extent, right)) for left, extent, right in zip(ranks, shape, ranks[1:], strict=False)]
    x, e = functools.reduce(lambda one, other: np.tensordot(one, other, 1), cores)[0, ..., 0], rng.standard_normal(shape)
    return x / np.linalg.norm(x) + noise * e / np.linalg.norm(e)


@pytest.mark.parametrize(
    ("noise", "eps", "scale"), [(3e-2, 1e-1, 1.0), (1e-5, 1e-1, 1e30), (1e-5, 1e-4, 1e-30), (1e-5, 1e-4, 1.0), (1e-6, 4e-6, 1.0)]
)
def test_ranks_on_devices_are_those_of_float64(noise, eps, scale):
    """Devices find them from products of columns, whose squares hide what is below 2^-12 of the norm, or leave float32's range."""
    x = (low_rank((20, 8, 8, 8), 4, noise) * scale).astype(np.float32)
    train = tensor.tensor_train(on("sim:trn2", x), eps)
    assert train.ranks == tensor.tensor_train(on("cpu", x.astype(float)), eps).ranks == (4, 4, 4)
    assert relative(rebuilt_train([back(core).astype(float) for core in train.cores]), x.astype(float)) <= eps
    for core in train.cores[1:]:
        assert_orthonormal(back(core).reshape(core.shape[0], -1).T, U[x.dtype])


def test_what_rounding_may_hide_counts_as_an_error():
    """A Gram matrix of float32 hides up to (128 + k / 128) u of the squares; those of random numbers err by far less."""
    x = np.random.default_rng(3).standard_normal((2000, 8)).astype(np.float32)
    square = np.sum(x.astype(float) ** 2)
    factor = back(triangle(on("sim:trn2", x), 0.1, relative=0.1))
    assert np.sum(factor**2) == pytest.approx(square * (1 + 143 * U[x.dtype]), rel=20 * U[x.dtype])
    off = factor.T @ factor - x.T.astype(float) @ x.astype(float)
    assert np.linalg.norm(off) <= 150 * U[x.dtype] * square


def test_devices_read_a_tensor_twice_where_the_error_is_coarse(monkeypatch):
    """Predicted traffic of all programs, whose results are fetched: 2.5 reads of the tensor at most."""
    read, fetch = [], type(xp.ones(1)).to_device

    def explained(self, device, /, **keywords):
        if self.device != "cpu" and device == "cpu":
            read.extend(step.prediction.hbm_read for step in xp.explain(self).steps)
        return fetch(self, device, **keywords)

    x = on("sim:trn2", low_rank((256, 8, 8, 8), 3, 0.0).astype(np.float32))
    xp.synchronize()
    monkeypatch.setattr(type(x), "to_device", explained)
    back(tensor.tensor_train(x, 0.1).cores[0])
    assert x.nbytes < sum(read) <= 2.5 * x.nbytes


@pytest.mark.parametrize("eps", [1e-1, 1e-3, 1e-6, 1e-10])
def test_ranks_are_those_that_the_error_needs(eps):
    """A train's rank is at least that of a best approximation of its unfolding within eps, and at most within eps / sqrt(d - 1)."""
    x = smooth((6, 7, 8, 5))
    train = tensor.tensor_train(on("cpu", x), eps)
    for place, rank in enumerate(train.ranks):
        values = np.linalg.svd(x.reshape(np.prod(x.shape[: place + 1]), -1), compute_uv=False)
        tails = np.sqrt(np.cumsum(values[::-1] ** 2))[::-1] / np.linalg.norm(x)
        least, most = (int(np.sum(tails > limit)) for limit in (eps, eps / 3**0.5 / 1.5))
        assert least <= rank <= most


@pytest.mark.parametrize(
    ("device", "method", "eps"),
    [*(("cpu", method, eps) for method in ("hosvd", "sthosvd", "hooi") for eps in (1e-1, 1e-3)), ("sim:trn2", "sthosvd", 1e-1)],
    ids=str,
)
def test_tucker_is_within_the_error_allowed(device, method, eps):
    x = smooth((6, 7, 8) if device == "cpu" else (3, 4, 5), dtype_of(device))
    found = tensor.tucker(on(device, x), eps=eps, method=method, max_iterations=4)
    core, factors = back(found.core), [back(factor) for factor in found.factors]
    assert relative(rebuilt_tucker(core, factors), x) <= eps + 200 * U[x.dtype]
    assert relative(back(found.to_tensor()), x) <= eps + 200 * U[x.dtype]
    assert max(core.shape) < (6 if device == "cpu" else 4)
    for factor in factors:
        assert_orthonormal(factor, U[x.dtype])


def test_iterations_do_not_make_tucker_worse():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((8, 9, 10))
    ranks = (3, 2, 4)
    errors = [relative(back(tensor.tucker(on("cpu", x), ranks, method=method).to_tensor()), x) for method in ("hosvd", "sthosvd", "hooi")]
    assert errors[2] <= min(errors[:2]) * (1 + 1e-12)
    assert tensor.tucker(on("cpu", x), ranks).core.shape == ranks


def test_sketches_are_within_the_error_allowed_too():
    rng = np.random.default_rng(4)
    x = smooth((24, 25, 26)) + 1e-7 * rng.standard_normal((24, 25, 26))
    for eps in (1e-2, 1e-5):
        assert relative(back(tensor.tucker(on("cpu", x), eps=eps, randomized=True).to_tensor()), x) <= eps
        assert relative(back(tensor.tensor_train(on("cpu", x), eps, randomized=True).to_tensor()), x) <= eps
        assert relative(back(tensor.tensor_ring(on("cpu", x), eps, randomized=True).to_tensor()), x) <= eps
    assert tensor.tensor_train(on("cpu", x), max_rank=3, randomized=True).ranks == (3, 3)


@settings(max_examples=15)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(0, 99), st.booleans())
def test_random_tensors_are_rebuilt(shape, seed, is_complex):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if is_complex else 0)
    train = tensor.tensor_train(on("cpu", x))
    assert np.allclose(back(train.to_tensor()), x, rtol=0, atol=1e-13 * np.linalg.norm(x))
    found = tensor.tucker(on("cpu", x))
    assert np.allclose(back(found.to_tensor()), x, rtol=0, atol=1e-13 * np.linalg.norm(x))
    if len(shape) > 1:
        assert np.allclose(back(tensor.tensor_ring(on("cpu", x)).to_tensor()), x, rtol=0, atol=1e-13 * np.linalg.norm(x))


@pytest.mark.parametrize("device", DEVICES)
def test_arithmetic_of_trains(device):
    rng = np.random.default_rng(2)
    dtype = dtype_of(device)
    shapes = [(1, 3, 2), (2, 4, 3), (3, 5, 1)], [(1, 3, 3), (3, 4, 2), (2, 5, 1)]
    cores = [[rng.standard_normal(shape).astype(dtype) for shape in one] for one in shapes]
    a, b = (rebuilt_train(one) for one in cores)
    x, y = (tensor.TensorTrain([on(device, core) for core in one]) for one in cores)
    near = {"rtol": 0, "atol": 200 * U[np.dtype(dtype)] * np.linalg.norm(a) * np.linalg.norm(b)}
    for train, expected in ((x + y, a + b), (x - y, a - b), (x * y, a * b), (2.5 * x, 2.5 * a), (-x, -a)):
        assert np.allclose(back(train.to_tensor()), expected, **near)
    for number, expected in ((x.dot(y), np.sum(a * b)), (x.norm(), np.linalg.norm(a)), (x.sum(), np.sum(a))):
        assert np.allclose(float(number), expected, **near)
    twice = (x + x).round(1e-4)
    assert twice.ranks == x.ranks
    assert np.allclose(back(twice.to_tensor()), 2 * a, **near)
    assert (x + y).round(0.3, max_rank=2).ranks <= (2, 2)
    small = (x + y * 1e-3).round(1e-2)
    assert relative(back(small.to_tensor()), a + 1e-3 * b) <= 1e-2


@pytest.mark.parametrize(("device", "line_search"), [("cpu", False), ("cpu", True), ("sim:trn2", False)])
def test_factors_of_a_tensor_of_low_rank_are_found(device, line_search):
    rng = np.random.default_rng(5)
    dtype = dtype_of(device)
    factors = [rng.standard_normal((extent, 3)) for extent in (6, 7, 8)]
    x = np.einsum("ir,jr,kr->ijk", *factors).astype(dtype)
    found = tensor.cp(on(device, x), 3, line_search=line_search, max_iterations=6 if device != "cpu" else 200, tol=0)
    rebuilt = np.einsum("r,ir,jr,kr->ijk", back(found.weights), *[back(factor) for factor in found.factors])
    assert relative(rebuilt, x) <= (1e-8 if device == "cpu" else 0.1)
    assert found.errors[-1] == pytest.approx(relative(rebuilt, x), abs=1e-5)
    assert np.allclose([np.linalg.norm(back(factor), axis=0) for factor in found.factors], 1, atol=1e-6)
    assert all(later <= before + 1e-6 for before, later in itertools.pairwise(found.errors[:-1])) or line_search


def test_columns_that_are_too_many():
    """Gram matrices of columns that are all alike have no inverse, or one of roundoff alone."""
    x = np.ones((4, 3, 5))
    for near in (0.0, 1e-9):
        rng = np.random.default_rng(2)
        init = [1 + near * rng.standard_normal((extent, 3)) for extent in x.shape]
        found = tensor.cp(on("cpu", x), 3, init=[on("cpu", factor) for factor in init], max_iterations=4, tol=0)
        assert relative(back(found.to_tensor()), x) < 1e-7


def test_unfoldings_without_elements():
    """Rows times columns are the elements, and columns are those of the other axes."""
    for shape, axis, expected in (((0, 3, 2), 0, (0, 6)), ((0, 3, 2), 1, (3, 0)), ((3, 0), -1, (0, 3))):
        unfolded = tensor.unfold(on("cpu", np.ones(shape)), axis)
        assert unfolded.shape == expected
        assert tensor.fold(unfolded, axis, shape).shape == shape
    with pytest.raises(TypeError):
        tensor.unfold(on("cpu", np.ones((2, 3))), 1.0)


def test_non_negative_factors():
    rng = np.random.default_rng(6)
    factors = [rng.random((extent, 3)) for extent in (6, 7, 8)]
    x = np.einsum("ir,jr,kr->ijk", *factors)
    found = tensor.cp(on("cpu", x), 3, nonnegative=True, max_iterations=500, tol=1e-12)
    assert all(np.all(back(factor) >= 0) for factor in found.factors)
    assert relative(back(found.to_tensor()), x) < 1e-3
    assert all(later <= before + 1e-9 for before, later in itertools.pairwise(found.errors))
    negative = tensor.cp(on("cpu", -x), 2, nonnegative=True, max_iterations=20)
    assert relative(back(negative.to_tensor()), -x) <= 1 + 1e-6


def test_bands_that_overlap_are_told_apart_in_few_iterations():
    rng = np.random.default_rng(3)
    centers, widths, grid = rng.random((3, 4)), 0.1 + 0.2 * rng.random((3, 4)), np.linspace(0, 1, 16)[:, None]
    bands = [np.exp(-(((grid - centers[axis]) / widths[axis]) ** 2)) for axis in range(2)]
    x = np.einsum("ir,jr,kr->ijk", *bands, rng.random((10, 4)))
    x += 0.01 * x.max() * rng.random(x.shape)
    found = tensor.cp(on("cpu", x), 4, nonnegative=True, max_iterations=100, tol=0.0, rng=xp.random.default_rng(1))
    assert found.errors[-1] < 0.0092  # of the norm, noise included: 0.0088 with three passes over the columns, 0.0102 with one


def test_a_train_of_a_function_takes_few_of_its_elements():
    counts = []

    def function(indices):
        counts.append(indices.shape[0])
        return 1.0 / (1.0 + xp.sum(indices * xp.asarray([1, 2, 1, 3, 1, 2]), axis=1))

    train = tensor.tt_cross(function, (8,) * 6, 1e-9)
    grids = np.meshgrid(*[np.arange(8)] * 6, indexing="ij")
    exact = 1.0 / (1.0 + sum(weight * grid for weight, grid in zip([1, 2, 1, 3, 1, 2], grids, strict=True)))
    assert np.max(np.abs(back(train.to_tensor()) - exact)) <= 1e-7  # 1e-9 of 200 elements
    assert sum(counts) < exact.size
    separable = tensor.tt_cross(lambda indices: xp.prod(indices + 1.0, axis=1), (5, 6, 7), 1e-12)
    assert np.allclose(back(separable.to_tensor()), np.einsum("i,j,k->ijk", *[np.arange(1.0, n + 1) for n in (5, 6, 7)]), rtol=1e-12)
    on_device = tensor.tt_cross(lambda indices: xp.sum(xp.astype(indices, xp.float32), axis=1), (4, 4, 4), 1e-5, device="sim:trn2")
    assert on_device.cores[0].device == "sim:trn2"
    assert np.allclose(back(on_device.to_tensor()), sum(np.meshgrid(*[np.arange(4)] * 3, indexing="ij")), atol=1e-4)
    with pytest.raises(ArithmeticError, match="errs by"):
        tensor.tt_cross(lambda indices: xp.sin(xp.prod(indices + 1.0, axis=1)), (9, 9, 9, 9), 1e-12, max_rank=4)


def test_products_with_khatri_rao_products():
    rng = np.random.default_rng(7)
    x, factors = rng.standard_normal((3, 4, 5)), [rng.standard_normal((n, 2)) for n in (3, 4, 5)]
    kr = np.stack([np.kron(factors[0][:, r], factors[2][:, r]) for r in range(2)], axis=1)
    assert np.allclose(back(tensor.khatri_rao([on("cpu", factors[0]), on("cpu", factors[2])])), kr)
    of_three = np.stack([np.kron(kr[:, r], factors[1][:, r]) for r in range(2)], axis=1)
    assert np.allclose(back(tensor.khatri_rao([on("cpu", factors[number]) for number in (0, 2, 1)])), of_three)
    only = tensor.khatri_rao([on("cpu", factors[0])])
    only[...] = 0
    assert factors[0].all()
    unfolded = np.moveaxis(x, 1, 0).reshape(4, -1)
    assert np.array_equal(back(tensor.unfold(on("cpu", x), 1)), unfolded)
    assert np.array_equal(back(tensor.fold(on("cpu", unfolded), -2, (3, 4, 5))), x)
    assert np.allclose(back(tensor.mttkrp(on("cpu", x), [on("cpu", one) for one in factors], 1)), unfolded @ kr)
    matrix = rng.standard_normal((6, 4))
    assert np.allclose(back(tensor.mode_product(on("cpu", x), on("cpu", matrix), 1)), np.einsum("ijk,lj->ilk", x, matrix))


# What a peer tests: zero, of deficient rank, and ranks larger than extents.
@pytest.mark.parametrize("x", [np.zeros((4, 3, 5)), np.ones((4, 3, 5)), smooth((10, 8, 6))], ids=["zero", "rank one", "smooth"])
def test_extreme_tensors(x):
    array = on("cpu", x)
    for found in (tensor.tucker(array, (9, 9, 9)), tensor.tensor_train(array, max_rank=99), tensor.tensor_ring(array)):
        assert np.allclose(back(found.to_tensor()), x, atol=1e-13)
    assert np.allclose(back(tensor.cp(array, 1).to_tensor()), x, atol=1.0 if x.shape[0] == 10 else 1e-7)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: tensor.tucker(x, (1, 2)), "positive one for each of the 3 axes"),
        (lambda x: tensor.tucker(x, method="als"), "give one of 'hosvd'"),
        (lambda x: tensor.tensor_train(x, -1.0), "eps is -1.0"),
        (lambda x: tensor.tensor_train(x[0, 0, 0]), "0-d"),
        (lambda x: tensor.tensor_train(x[:0]), "no elements"),
        (lambda x: tensor.tensor_ring(x[0, 0]), "two axes or more"),
        (lambda x: tensor.cp(x, 0), "positive rank"),
        (lambda x: tensor.cp(x, 2, init="best"), "'svd', 'random' or factors"),
        (lambda x: tensor.cp(x, 2, init=[x, x]), "factors of shapes"),
        (lambda x: tensor.unfold(x, 3), "axis 3 is not among"),
        (lambda x: tensor.khatri_rao([]), "one matrix or more"),
        (lambda x: tensor.khatri_rao([x]), "as many columns"),
        (lambda x: tensor.TensorTrain([x]), "cores have shapes"),
        (lambda x: tensor.TensorRing([x, x]), "cores have shapes"),
        (lambda x: tensor.tensor_train(x) + tensor.tensor_train(x[0]), "do not fit"),
        (lambda x: tensor.tt_cross(lambda indices: indices, (3, 3), 1e-3), "one element for each"),
        (lambda x: tensor.tt_cross(lambda indices: indices[:, 0], (3, 0), 1e-3), "one element or more"),
    ],
)
def test_refusals(call, error):
    with pytest.raises(ValueError, match=error):
        call(xp.ones((2, 3, 4)))


@pytest.mark.parametrize("shape", [(2, 3, 4), (4, 5, 6), (5, 4, 3, 2)])
def test_trains_of_rank_one_have_no_rank_of_rounding(shape):
    """LAPACK's singular values of zero are up to two units in the last place of the largest one."""
    assert set(xp.tensor.tensor_train(xp.ones(shape)).ranks) == {1}
