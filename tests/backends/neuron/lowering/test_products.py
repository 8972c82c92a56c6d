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
