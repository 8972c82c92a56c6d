"""Products of 64-bit dtypes by every function that multiplies matrices, on the device alone, against exact and wider arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron import program
from trnarray.backends.neuron.kernels import hbm
from trnarray.backends.neuron.lowering import products, wide_products

DEVICE = "sim:trn2"
U = 2.0**-53
DTYPES = [np.float64, np.complex128, np.int64, np.uint64, np.int32]
FUNCTIONS = {
    "matmul": lambda m, a, b: m.matmul(a, b),
    "transposes": lambda m, a, b: m.matmul(b.T, a.T),
    "strided": lambda m, a, b: m.matmul(a[::2, ::2], b[::2, 1:]),
    "dot": lambda m, a, b: m.dot(a, b[:, 0]),
    "tensordot": lambda m, a, b: m.tensordot(a.reshape(3, 2, 4), b.reshape(2, 4, 3), 2),
    "einsum": lambda m, a, b: m.einsum("ij,jk->ki", a, b),
    "vecdot": lambda m, a, b: m.vecdot(a, b.T),
    "multi_dot": lambda m, a, b: m.linalg.multi_dot([a[0], b, a, b[:, 0]]) if a.dtype.kind != "u" else m.matmul(a[0], b),
    "batches": lambda m, a, b: m.matmul(m.stack([a, a]), b),
    "no terms": lambda m, a, b: m.matmul(a[:, :0], b[:0]),
    "no rows": lambda m, a, b: m.matmul(a[:0], b),
}


def drawn(dtype, shape, seed):
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind in "iu":
        return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, shape, dtype)
    real = rng.standard_normal(shape)
    return real if dtype.kind == "f" else real + 1j * rng.standard_normal(shape)


def on_device(function, *arrays):
    with xp.config(fallback="error", host_transfer="allow"):
        return np.asarray(function(xp, *(xp.asarray(array, device=DEVICE) for array in arrays)))


@pytest.mark.parametrize("dtype", [np.float64, np.int64], ids=lambda dtype: dtype.__name__)
def test_few_rows_and_columns_are_inner_products(dtype, monkeypatch):
    """A product for each row and column has the bits of one of matrices, whose error other tests bound."""
    a, b = drawn(dtype, (2, 1, 7) if dtype == np.float64 else (2, 2, 7), 0), drawn(dtype, (7, 3), 1)
    expected = on_device(FUNCTIONS["matmul"], a, b)
    monkeypatch.setattr(wide_products, "_DEEP", 1)
    found = on_device(FUNCTIONS["matmul"], a, b)
    assert found.tobytes() == expected.tobytes()
    if dtype == np.int64:
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(found, a @ b)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids=lambda dtype: dtype.__name__)
def test_small_matrices_of_stacks_are_sums_of_elements(dtype):
    """Products and sums are rounded once: 2 u of the sum of magnitudes, of complex numbers for each plane. The right one broadcasts."""
    a, b = drawn(dtype, (2, 3, 2, 4), 0), drawn(dtype, (3, 4, 3), 1)
    a[0, 0, 0, 0], b[2, 1, 1] = np.inf, np.nan
    a[1, 1] *= 1e-300
    found = on_device(FUNCTIONS["matmul"], a, b)
    wide = np.clongdouble if dtype == np.complex128 else np.longdouble
    with np.errstate(invalid="ignore"):
        expected, sizes = np.matmul(a.astype(wide), b.astype(wide)), np.matmul(*(abs(x.real) + abs(x.imag) for x in (a, b)))
        errors = [abs(getattr(found, part) - getattr(expected, part)) for part in ("real", "imag")]
    fine = np.isfinite(sizes)
    assert 0.5 < fine.mean() < 1
    assert not np.isfinite(found[~fine]).any()
    assert (np.maximum(*errors)[fine] <= 2.0**-52 * sizes[fine]).all()


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
def test_functions(name, dtype):
    """Floats: 2 u of the sum of magnitudes for each real product and, of complex ones, each plane; chains add up. Integers: all bits."""
    function = FUNCTIONS[name]
    a, b = drawn(dtype, (3, 8), 0), drawn(dtype, (8, 3), 1)
    found = on_device(function, a, b)
    if found.dtype.kind in "iu":
        with np.errstate(over="ignore"):
            expected = function(np, a, b)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)
        return
    wide = np.clongdouble if found.dtype.kind == "c" else np.longdouble
    expected, sizes = function(np, a.astype(wide), b.astype(wide)), function(np, *(np.abs(x.real) + np.abs(x.imag) for x in (a, b)))
    assert found.dtype == dtype
    assert found.shape == np.shape(expected)
    assert (np.abs(found - expected) <= (8 if name == "multi_dot" else 3) * U * sizes).all()


def test_parts_of_large_operands(monkeypatch):
    """What does not fit into HBM as slices is multiplied in parts, with the same bits."""
    a, b = drawn(np.float64, (2, 5, 9), 2), drawn(np.float64, (2, 9, 7), 3)
    whole = on_device(FUNCTIONS["matmul"], a, b)
    monkeypatch.setattr(wide_products, "_SLICED", 20)
    monkeypatch.setattr(hbm, "_SMALL", 0)
    made = []
    monkeypatch.setattr(program, "Hbm", lambda: made.append(hbm.Hbm()) or made[-1])
    assert on_device(FUNCTIONS["matmul"], a, b).tobytes() == whole.tobytes()
    assert [len(one.tensors) for one in made] == [2]  # the slices of both operands, for twelve parts
    c, d = drawn(np.int32, (5, 9), 2), drawn(np.int32, (9, 7), 3)
    np.testing.assert_array_equal(on_device(FUNCTIONS["matmul"], c, d), c @ d)


@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_long_sums_are_added_in_parts(monkeypatch, dtype):
    """A rounding for each part, and one for each of their sums, and for the sums that those of complex numbers are."""
    monkeypatch.setattr(wide_products, "_MOST_TERMS", 8)
    a, b = drawn(dtype, (2, 19), 0), drawn(dtype, (19, 2), 1)
    got = on_device(FUNCTIONS["matmul"], a, b)
    exact = a.astype(np.clongdouble) @ b.astype(np.clongdouble)
    assert np.all(np.abs(got - exact) <= 8 * 2.0**-53 * (np.abs(a) @ np.abs(b)))


def test_a_device_whose_products_are_not_exact_refuses(monkeypatch):
    a = xp.asarray(drawn(np.float64, (2, 2), 0), device=DEVICE)
    engine = engine_for(parse_device(DEVICE))
    monkeypatch.setattr(engine.builder, "slices_refusal", lambda: "the self-test did not find products of bfloat16 exact")
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="exact products of slices, and the self-test did not find"):
        a @ a


def test_logical_products():
    """True where any pair is: counts beyond bfloat16's integers stay positive."""
    rng = np.random.default_rng(0)
    for density in (0.02, 1.0):
        a, b = rng.random((3, 300)) < density, rng.random((300, 4)) < density
        np.testing.assert_array_equal(on_device(FUNCTIONS["matmul"], a, b), a @ b)


def test_the_best_order_of_a_chain():
    """Against all orders, by brute force."""

    def cost(extents):
        if len(extents) <= 2:
            return 0
        return min(cost(extents[: k + 1]) + cost(extents[k:]) + extents[0] * extents[k] * extents[-1] for k in range(1, len(extents) - 1))

    rng = np.random.default_rng(1)
    for length in range(3, 8):
        extents = tuple(map(int, rng.integers(1, 30, length)))
        assert products._chain(extents)[0, length - 2][0] == cost(extents)


def test_a_hilbert_matrix_times_its_inverse():
    """Entries up to 1e13 cancel to the identity: float64 loses 1e-3 in dgemm's worst order, and all that is lost here is in the inverse."""
    n = 8
    hilbert = np.array([[1 / (i + j + 1) for j in range(n)] for i in range(n)])
    inverse = np.rint(np.linalg.inv(hilbert))
    exact = [[sum(Fraction(float(hilbert[i, k])) * int(inverse[k, j]) for k in range(n)) for j in range(n)] for i in range(n)]
    found = on_device(FUNCTIONS["matmul"], hilbert, inverse)
    sizes = np.abs(hilbert) @ np.abs(inverse)
    assert all(abs(Fraction(float(found[i, j])) - exact[i][j]) <= 2 * U * sizes[i, j] for i in range(n) for j in range(n))


def test_a_product_without_elements_that_only_the_host_reads():
    """It lies in no tensor, which have elements, but a call on the host reads it."""
    with xp.config(fallback="allow", host_transfer="allow"):
        a = xp.asarray(drawn(np.float64, (0, 3), 0), device=DEVICE)
        moved = xp.sin(a @ a.T)
        assert np.asarray(moved).shape == (0, 0)


@pytest.mark.parametrize("dtypes", [(np.complex64, np.float64), (np.float32, np.complex128), (np.int32, np.float64)])
def test_mixed_dtypes(dtypes):
    rng = np.random.default_rng(0)
    a, b = ((9 * rng.standard_normal(shape)).astype(dtype) for shape, dtype in zip(((3, 4), (4, 2)), dtypes, strict=True))
    with xp.config(fallback="allow", host_transfer="allow"):
        found = np.asarray(xp.asarray(a, device=DEVICE) @ xp.asarray(b, device=DEVICE))
    expected = a.astype(np.clongdouble) @ b.astype(np.clongdouble)
    assert found.dtype == (np.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else np.float64)
    assert (np.abs(found - expected) <= 6 * U * (np.abs(a) @ np.abs(b))).all()
