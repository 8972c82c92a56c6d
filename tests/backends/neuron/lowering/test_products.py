"""Products of vectors, matrices and tensors on the device, of every native dtype, against float64."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import NATIVE, assert_near, assert_same, samples

PRODUCTS = {
    "matmul": lambda x, y: xp.matmul(x, y.T),
    "dot": lambda x, y: xp.dot(x, y[0]),
    "dot scalar": lambda x, y: xp.dot(x, y[0, 0]),
    "inner": xp.inner,
    "vdot": xp.vdot,
    "vecdot": lambda x, y: xp.vecdot(x, y, axis=0),
    "matvec": xp.matvec,
    "vecmat": lambda x, y: xp.vecmat(x[:, 0], y),
    "outer": xp.outer,
    "linalg.outer": lambda x, y: xp.linalg.outer(x[0], y[1]),
    "kron": xp.kron,
    "cross": lambda x, y: xp.cross(x[:, :3], y[:, :3]),
    "tensordot": lambda x, y: xp.tensordot(x, y, axes=([0, 1], [0, 1])),
    "matrix_power": lambda x, y: xp.linalg.matrix_power(x[:, :3], 3),
    "einsum batch": lambda x, y: xp.einsum("ij,ij->j", x, y),
    "einsum matrix": lambda x, y: xp.einsum("ij,kj->ki", x, y),
    "einsum diagonal": lambda x, y: xp.einsum("ii->i", x[:, :3]),
    "einsum trace": lambda x, y: xp.einsum("ii", x[:, :3]),
    "einsum three": lambda x, y: xp.einsum("ij,kj,k->i", x, y, x[:, 0]),
    "einsum sum": lambda x, y: xp.einsum("ij->i", x),
}


def refused(name, dtype):
    return dtype.kind == "b" and name in ("cross",)


@pytest.mark.parametrize(
    ("name", "dtype"), [(name, dtype) for number, name in enumerate(PRODUCTS) for dtype in NATIVE[number % 2 :: 2]], ids=str
)
def test_products_of_small_integers(name, dtype):
    """Integers are exact; in floats the sums are exact as well, as long as the dtype holds the result."""
    if refused(name, dtype):
        pytest.skip("not defined for bool")
    x, y = (samples((3, 4), dtype, seed, special=False) for seed in (0, 1))
    if dtype.kind in "biu":
        with np.errstate(over="ignore"):
            assert_same(PRODUCTS[name], x, y)
    else:
        small = [np.asarray(np.sign(a.astype(np.complex64 if dtype.kind == "c" else np.float32).real)).astype(dtype) for a in (x, y)]
        assert_same(lambda a, b: PRODUCTS[name](a, b) + 0, *small)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_products_of_extreme_shapes(shape):
    x = samples(shape, np.dtype(np.int32))
    assert_same(lambda a: (a @ a.T, xp.inner(a, a), xp.kron(a, a), xp.einsum("ij,kj->ik", a, a)), x)


def test_rounding_of_a_long_product():
    """One rounding for each product and, in any order, at most n for each sum."""
    rng = np.random.default_rng(0)
    x, y = (rng.standard_normal((20, 150)).astype(np.float32) for _ in range(2))
    bound = 2 * 152 * 2.0**-24 * (np.abs(x) @ np.abs(y).T)
    assert_near(lambda a, b: xp.einsum("ij,kj->ik", a, b), bound, x, y, views=("transposed", "strided"))


def test_integers_wrap():
    x = np.random.default_rng(0).integers(-(2**31), 2**31, (5, 9)).astype(np.int32)
    assert_same(lambda a: (a @ a.T, xp.vecdot(a, a)), x)


EINSUMS = {
    "...ij,...jk": ((2, 3, 4), (4, 5)),
    "...ij,...jk->...ik": ((1, 3, 4), (2, 4, 5)),
    "ij...,jk...->ik...": ((2, 3, 4), (3, 5, 4)),
    "...i,...i": ((2, 3), (3,)),
    "...ii->...i": ((2, 3, 3),),
    "...": ((3, 4),),
    "ij,jk": ((1, 3), (3, 4)),
    "ij,ij->j": ((2, 3), (1, 3)),
    "ij,kj->ik": ((2, 1), (4, 3)),
}


@pytest.mark.parametrize("subscripts", EINSUMS)
def test_sums_over_an_ellipsis_and_over_repeated_elements(subscripts):
    operands = [samples(shape, np.dtype(np.int32), seed) for seed, shape in enumerate(EINSUMS[subscripts])]
    assert_same(lambda *x: xp.einsum(subscripts, *x), *operands)


SUMMED = {
    "...i->i": ((2, 3, 4),),
    "...ij,...ik->jk": ((5, 2, 3), (5, 2, 4)),
    "...i,i...->i": ((2, 3, 4), (4, 2, 3)),
    "...,...->": ((2, 3), (3,)),
    "...ij,jk->ik": ((2, 3, 4), (4, 2)),
    "...ij,...jk,...k->i": ((2, 3, 4), (2, 4, 2), (2,)),
}


@pytest.mark.parametrize("subscripts", SUMMED)
@pytest.mark.parametrize("optimize", [True, "optimal"])
def test_sums_over_an_ellipsis_that_the_output_lacks(subscripts, optimize):
    """By a path of contractions; without one NumPy refuses it, as here."""
    operands = [samples(shape, np.dtype(np.int32), seed) for seed, shape in enumerate(SUMMED[subscripts])]
    found = np.einsum(subscripts, *(xp.asarray(x, device="sim:trn2") for x in operands), optimize=optimize)
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), np.einsum(subscripts, *operands, optimize=optimize))
    with pytest.raises(ValueError, match="optimize=True"):
        np.einsum(subscripts, *(xp.asarray(x, device="sim:trn2") for x in operands))


def test_sums_over_lists_of_labels():
    x, y = samples((5, 2, 3), np.dtype(np.int32)), samples((5, 3, 4), np.dtype(np.int32), 1)
    assert_same(lambda x, y: xp.einsum(x, [..., 30, 1], y, [..., 1, 2], [..., 2, 30]), x, y)
    assert_same(lambda x, y: xp.einsum(x[0], [0, 1], y[0], [1, 27]), x, y)


@pytest.mark.parametrize("subscripts", ["...ij->ij", "..i", "i...j...->i", "...ijkl"])
def test_what_is_no_ellipsis(subscripts):
    with pytest.raises(ValueError, match="einsum|einstein sum"):
        xp.einsum(subscripts, xp.zeros((2, 3, 4), device="sim:trn2"))


@pytest.mark.parametrize("dtype", [xp.bfloat16, xp.float16, xp.float8_e5m2], ids=str)
def test_differences_of_products_round_once(dtype):
    """Numbers whose products need more digits than the dtype has."""
    x, y = (np.random.default_rng(seed).standard_normal((20, 3)).astype(dtype) for seed in range(2))
    assert_same(lambda a, b: (xp.cross(a, b), xp.linalg.cross(a, b)), x, y)


def test_parts_of_transposes_are_multiplied_as_they_lie():
    """Nothing is transposed in HBM; the error is at most (40 + 5) u of the sum of magnitudes."""
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 40, 90)).astype(np.float32), rng.standard_normal((40, 30)).astype(np.float32)
    x, y = (xp.asarray(part, device="sim:trn2") for part in (a, b))
    for part in (lambda m: m[0, :, 10:80].T, lambda m: m[1, ::-1, 3:].T, lambda m: m[:, :, 5:50].swapaxes(1, 2)):
        for product in (lambda m, n: m @ n, lambda m, n: n.T @ m.swapaxes(-1, -2)):
            found, expected = product(part(x), y), product(part(a).astype(float), b.astype(float))
            assert "permutation" not in str(xp.explain(found))
            with xp.config(host_transfer="allow", fallback="error"):
                assert (np.abs(np.asarray(found) - expected) <= 45 * 2.0**-24 * product(np.abs(part(a)), np.abs(b))).all()


@pytest.mark.parametrize("dtype", ["bool", "int32", "float64"])
def test_products_of_real_operands_in_complex_numbers(dtype):
    x = (np.arange(12) % 5).reshape(3, 4).astype(dtype)
    y = xp.asarray(x, device="sim:trn2")
    with xp.config(fallback="error"):
        for call in (lambda x: np.matmul(x, x.T, dtype=np.complex64), lambda x: np.vecdot(x[:, :0], x[:, :0], dtype=np.complex64)):
            found, wanted = np.asarray(call(y).to_device("cpu")), call(x)
            assert found.dtype == wanted.dtype
            np.testing.assert_array_equal(found, wanted)  # of integers below 2**24
