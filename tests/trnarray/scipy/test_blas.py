"""BLAS by its names on Arrays, beside SciPy's routines in float64; poison in the triangle that is not theirs."""

import operator

import numpy as np
import pytest
from scipy.linalg import blas

import trnarray as xp
from trnarray.scipy.linalg import blas as ours

N = 5
DEVICES = ("cpu", "sim:trn2")


def drawn(shape, seed, dtype):
    rng = np.random.default_rng(seed)
    real = rng.standard_normal(shape)
    return (real + 1j * rng.standard_normal(shape) if np.dtype(dtype).kind == "c" else real).astype(dtype)


def poisoned(a, lower):
    """Put NaN into the triangle that is not read."""
    a = a.copy()
    a[np.triu_indices(len(a), 1) if lower else np.tril_indices(len(a), -1)] = np.nan
    return a


def compare(name, letter, device, *operands, tolerance=None, **keywords):
    """Run SciPy's routine in the widest dtype on the same numbers."""
    dtype = {"s": np.float32, "c": np.complex64, "d": np.float64, "z": np.complex128}[letter]
    wide = {"s": "d", "c": "z"}.get(letter, letter)

    def moved(item):
        return xp.asarray(item.astype(dtype), device=device) if isinstance(item, np.ndarray) else item

    def widened(item):
        return np.nan_to_num(item.astype(np.complex128 if wide == "z" else float)) if isinstance(item, np.ndarray) else item

    expected = getattr(blas, wide + name)(*map(widened, operands), **{key: widened(value) for key, value in keywords.items()})
    with xp.config(fallback="allow"):
        found = getattr(ours, name)(*map(moved, operands), **{key: moved(value) for key, value in keywords.items()})
        found = [np.asarray(one.to_device("cpu")) for one in (found if isinstance(found, tuple) else (found,))]
    unit = np.finfo(dtype).eps
    for one, other in zip(found, expected if isinstance(expected, tuple) else (expected,), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=(tolerance or 40) * N * unit * max(1, np.abs(other).max()))


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("letter", "sc")
def test_general_products(letter, device):
    a, b, c = (drawn((N, N), seed, letter_dtype(letter)) for seed in range(3))
    x, y = (drawn(N, seed, letter_dtype(letter)) for seed in (4, 5))
    for trans_a, trans_b in ((0, 0), (1, 0), (0, 2), (2, 1)):
        compare("gemm", letter, device, 1.5, a, b, trans_a=trans_a, trans_b=trans_b)
    compare("gemm", letter, device, 1, a, b, beta=0.5, c=c)
    compare("gemv", letter, device, 2, a, x, beta=-1, y=y, trans=1)
    for name in ("ger",) if letter == "s" else ("geru", "gerc"):
        compare(name, letter, device, 2, x, y, a=a)


def letter_dtype(letter):
    return np.complex64 if letter in "cz" else np.float32


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("lower", [0, 1])
@pytest.mark.parametrize("letter", "sc")
def test_only_the_triangle_is_read_and_written(letter, lower, device):
    a, b, c = (drawn((N, N), seed, letter_dtype(letter)) for seed in range(3))
    a += 4 * np.eye(N, dtype=a.dtype)
    x, half = drawn(N, 6, letter_dtype(letter)), poisoned(a, lower)
    for side in (0, 1):
        compare("symm", letter, device, 2, half, b, beta=0.5, c=c, side=side, lower=lower)
        for trans_a, diag in ((0, 0), (1, 1), (2, 0)):
            compare("trmm", letter, device, 2, half, b, side=side, lower=lower, trans_a=trans_a, diag=diag)
            compare("trsm", letter, device, 2, half, b, side=side, lower=lower, trans_a=trans_a, diag=diag, tolerance=4000)
    compare("trmv", letter, device, half, x, lower=lower)
    compare("trsv", letter, device, half, x, lower=lower, tolerance=4000)
    compare("syrk", letter, device, 1.5, b, lower=lower)
    compare("syr2k", letter, device, 1, a, b, beta=2, c=c, lower=lower, trans=1)
    if letter == "c":
        compare("hemm", letter, device, 2, half, b, lower=lower)
        compare("hemv", letter, device, 1, half, x, beta=0.5, y=c[0].copy(), lower=lower)
        compare("herk", letter, device, 1.5, b, lower=lower)
        compare("her2k", letter, device, 1, a, b, lower=lower)
    else:
        compare("symv", letter, device, 1, half, x, beta=0.5, y=c[0].copy(), lower=lower)
    kept = ours.syrk(1, xp.asarray(b, device=device), 1, xp.asarray(poisoned(c, lower), device=device), lower=lower)
    assert np.isnan(np.asarray(kept.to_device("cpu"))).sum() == N * (N - 1) // 2  # what is not of the triangle stays


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("letter", "sc")
def test_vectors(letter, device):
    x, y = (drawn(7, seed, letter_dtype(letter)) for seed in (0, 1))
    compare("axpy", letter, device, x, y, a=2.5)
    compare("scal", letter, device, 3, x)
    compare("swap", letter, device, x, y)
    for name in ("dot",) if letter == "s" else ("dotu", "dotc"):
        compare(name, letter, device, x, y)
    z = xp.asarray(x, device=device)
    wide = x.astype(np.complex128 if letter == "c" else float)
    with xp.config(fallback="allow"):
        assert abs(float(ours.nrm2(z)) - np.linalg.norm(wide)) < 1e-6 * np.linalg.norm(wide)
        assert float(ours.nrm2(0 * z)) == 0
        assert abs(float(ours.asum(z)) - (np.abs(wide.real) + np.abs(wide.imag)).sum()) < 1e-5
        assert int(ours.iamax(z)) == np.argmax(np.abs(wide.real) + np.abs(wide.imag))


def test_lengths_do_not_overflow():
    assert float(ours.nrm2(xp.asarray([3e300, 4e300]))) == 5e300


@pytest.mark.parametrize("device", DEVICES)
def test_names_with_a_letter_convert(device):
    a = xp.asarray(np.ones((2, 2), np.float64), device=device)
    assert ours.dgemm(1, a, a).dtype == np.float64
    assert ours.dgemm.__name__ == "dgemm"
    x = xp.asarray(np.float32([1, -5]), device=device)
    assert int(ours.isamax(x)) == 1
    for name in ("zger", "sgeru", "dherk", "gemmm", "qgemm"):
        with pytest.raises(AttributeError, match=name):
            getattr(ours, name)


def test_arguments_that_blas_does_not_have():
    a = xp.ones((2, 3))
    with pytest.raises(ValueError, match="trans is 3; use 0, 1"):
        ours.gemm(1, a, a, trans_a=3)
    with pytest.raises(ValueError, match=r"square, not of shape \(2, 3\)"):
        ours.symm(1, a, a)
    b = xp.asarray([[np.nan]])
    assert float(ours.gemm(1, xp.ones((1, 1)), xp.ones((1, 1)), 0, b)[0, 0]) == 1  # c is not read


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("lower", [0, 1])
def test_strips_of_large_triangles(lower, device, monkeypatch):
    monkeypatch.setattr(ours, "_WHOLE", 64)
    monkeypatch.setattr(ours, "_STRIP", 64)
    rows = 201  # in three strips
    half = poisoned(drawn((rows, rows), 1, np.float32), lower)
    b, tall = drawn((rows, 3), 2, np.float32), drawn((rows, 4), 3, np.float32)
    for trans_a, diag in ((0, 0), (1, 1)):
        compare("trmm", "s", device, 2, half, b, lower=lower, trans_a=trans_a, diag=diag)
        compare("trmm", "s", device, 1, half, b.T.copy(), side=1, lower=lower, trans_a=trans_a, diag=diag)
    compare("trmv", "s", device, half, b[:, 0].copy(), lower=lower)
    part = half[:140, :140] / 16 + 2 * np.eye(140, dtype=np.float32)
    for trans_a, diag, side in ((1, 1, 0), (2, 0, 1)):
        right = b[:140].T.copy() if side else b[:140]
        compare("trsm", "s", device, 1 + side, part, right, side=side, lower=lower, trans_a=trans_a, diag=diag)
    compare("syrk", "s", device, 1.5, tall, lower=lower)
    compare("syrk", "s", device, 1, tall.T.copy(), beta=2, c=drawn((rows, rows), 4, np.float32), trans=1, lower=lower)
    compare("herk", "c", device, 1, drawn((rows, 4), 5, np.complex64), lower=lower)


@pytest.mark.parametrize(
    "call",
    [lambda a, _: ours.syrk(1, a), lambda a, b: ours.trmm(1, a, b, lower=1), lambda a, b: ours.trsm(1, a, b, lower=1)],
    ids=["syrk", "trmm", "trsm"],
)
def test_triangles_are_predicted_to_save_work(call):
    """Half of the work of gemm, at three fifths of its rate: strips are no slices that grow, of which more would be computed."""
    a, b = (xp.asarray(np.zeros((4096, 4096), np.float32), device="sim:trn2") for _ in range(2))
    whole, half = (xp.explain(function(a, b)).seconds for function in (operator.matmul, call))
    assert half < 0.5 * whole / 0.6
