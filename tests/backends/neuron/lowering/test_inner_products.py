"""Inner products on devices: sums of products of elements, against float64, infinities and NaN as NumPy has them, and no Tensor Engine."""

import numpy as np
import pytest

import trnarray as xp

TARGETS = ("trn1", "trn2", "trn3")
INNER = {
    "matmul": lambda x, y: x @ y,
    "vdot": xp.vdot,
    "vecdot": xp.vecdot,
    "einsum": lambda x, y: xp.einsum("i,i->", x, y),
    "column": lambda x, y: (x.reshape(1, -1) @ y.reshape(1, -1).T)[0, 0],
}


def _on(array, target):
    return xp.asarray(array, device=f"sim:{target}")


def _got(result):
    return np.asarray(result.to_device("cpu"))


@pytest.mark.parametrize("name", INNER)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex64"])
def test_error_of_inner_products(name, dtype):
    """Products round once, and sums as rows do: 8 + log2(n) roundings; twice that for planes, and one rounding to the dtype."""
    rng = np.random.default_rng(0)
    n = 2100
    x, y = (rng.standard_normal(n) + 1j * rng.standard_normal(n) * (dtype == "complex64") for _ in range(2))
    x, y = (a.astype(np.dtype(getattr(xp, dtype))) if dtype == "complex64" else a.real.astype(np.dtype(getattr(xp, dtype))) for a in (x, y))
    exact, wide = np.complex128 if dtype == "complex64" else np.float64, (x, y)
    a, b = (item.astype(exact) for item in wide)
    want = (np.vdot if name in ("vdot", "vecdot") else np.dot)(a, b)
    bound = 4 * (9 + np.log2(n)) * 2.0**-24 * (np.abs(a) @ np.abs(b)) + (abs(want) * 2.0**-8 if dtype == "bfloat16" else 0)
    for target in TARGETS:
        found = _got(INNER[name](_on(x, target), _on(y, target)))
        assert found.shape == ()
        assert abs(complex(found) - want) <= bound


@pytest.mark.parametrize("target", TARGETS)
def test_infinities_and_nan_stay_in_their_row(target):
    x, y = np.ones((6, 300), np.float32), np.ones((6, 300), np.float32)
    x[1, 7], x[2, 3], x[2, 299], x[3, 0], x[4, 5] = np.inf, np.inf, -np.inf, np.nan, np.inf
    y[4, 5], x[5], y[5] = 0, -0.0, 1
    with np.errstate(invalid="ignore"):
        want = np.sum(x.astype(np.float64) * y, axis=1)
    found = _got(xp.vecdot(_on(x, target), _on(y, target)))
    np.testing.assert_array_equal(found, want)
    assert not np.signbit(found[5])


def test_batches_that_broadcast():
    rng = np.random.default_rng(1)
    x, y = rng.integers(-4, 5, (5, 1, 70)).astype(np.float32), rng.integers(-4, 5, (3, 70)).astype(np.float32)
    np.testing.assert_array_equal(_got(xp.vecdot(_on(x, "trn2"), _on(y, "trn2"))), np.sum(x * y, axis=-1))
    np.testing.assert_array_equal(_got(_on(x, "trn2") @ _on(y[:1].T, "trn2")), x @ y[:1].T)


def test_no_slower_than_the_sum_of_products():
    x, y = (_on(np.zeros(1 << 20, np.float32), "trn2") for _ in range(2))
    times = [sum(step.prediction.seconds for step in xp.explain(z).steps) for z in (x @ y, xp.sum(x * y))]
    assert times[0] <= times[1]


def test_rows_of_a_long_matrix():
    """The Tensor Engine takes 295 us for 33 of 131,072 elements, HBM 47; a row is a sum of 8 + log2(n) roundings."""
    x, y = np.random.default_rng(2).standard_normal((33, 1 << 17)).astype(np.float32), np.ones(1 << 17, np.float32)
    y[::3] = -0.7
    product = _on(x, "trn2") @ _on(y, "trn2")
    assert sum(step.prediction.seconds for step in xp.explain(product).steps) <= 100e-6
    bound = (9 + 17) * 2.0**-24 * (np.abs(x).astype(np.float64) @ np.abs(y))
    assert (np.abs(_got(product) - x.astype(np.float64) @ y) <= bound).all()
