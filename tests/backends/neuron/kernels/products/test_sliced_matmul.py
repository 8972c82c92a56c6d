"""Products of 64-bit numbers by exact slices, against exact rational arithmetic and Python's integers."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.kernels.hbm import Hbm
from trnarray.backends.neuron.kernels.products import exact_tile, sliced_inner, sliced_operand, sliced_product
from trnarray.backends.neuron.kernels.products import sliced_matmul as kernel
from trnarray.backends.neuron.planes import join, split
from trnarray.backends.simulator.knobs import Knobs

TARGETS = ("trn1", "trn2", "trn3")
U = Fraction(1, 2**53)
LEAST = Fraction(1, 2**1074)
READINGS = [
    {},
    {"pe_order": "permuted:1", "denormals_pe": "flush"},
    {"pe_order": "permuted:2", "pe_product": "split21", "two_op": "fused"},
    {"pe_order": "permuted:3", "denormals_dve": "flush", "denormals_act": "flush", "denormals_pool": "flush"},
    {"pe_order": "permuted:4", "gpsimd_overflow": "saturate", "shift_beyond_width": "modulo"},
    {"pe_order": "permuted:5", "dve_order": "permuted:5", "nan_to_integer": "largest"},
]


def kernel_of_words(*words, extents, transposed, batches, floating, results=None):
    half = len(words) // 2
    out = [nl.ndarray((extents[0] * extents[1] * extents[3],), nl.uint32, buffer=nl.shared_hbm) for _ in range(results or half)]
    kernel.sliced_matmul(out, words[:half], words[half:], extents, transposed, batches, floating, Hbm())
    return tuple(out)


def multiply(a, b, transposed=(False, False), target="trn2", wide=False, **knobs):
    """Multiply (stacks of) matrices, which are stored transposed where that is said."""
    batches = [x.shape[0] if x.ndim == 3 else 1 for x in (a, b)]
    words = []
    for x, turned in zip((a, b), transposed, strict=True):
        stored = np.ascontiguousarray(x.swapaxes(-1, -2) if turned else x)
        words += [stored.reshape(-1).view(np.uint32)] if x.dtype.itemsize == 4 else [part.reshape(-1) for part in split(stored)]
    (rows, depth), columns, count = a.shape[-2:], b.shape[-1], max(batches)
    extents, floating = (count, rows, depth, columns), a.dtype.kind == "f"
    results = 2 if wide else None
    settings = {"extents": extents, "transposed": transposed, "batches": tuple(batches), "floating": floating, "results": results}
    with simulator.options(target, knobs=Knobs(**knobs), races="strict"):
        found = simulator.jit(kernel_of_words)(*words, **settings)
    shape = (rows, columns) if a.ndim == b.ndim == 2 else (count, rows, columns)
    return (found[0].view(a.dtype) if len(found) == 1 else join(found, np.dtype(np.float64) if wide else a.dtype)).reshape(shape)


def exact(a, b):
    """Sum products of finite numbers without any rounding."""
    rows, columns = ([[Fraction(float(x)) for x in row] for row in matrix] for matrix in (a, b.T))
    return [[sum(map(Fraction.__mul__, row, column)) for column in columns] for row in rows]


def assert_within_bound(a, b, found):
    """|c - a b| <= 2 u |a| |b| + K 2**-1074, where the largest float64 is not exceeded."""
    sums, sizes = exact(a, b), exact(np.abs(a), np.abs(b))
    for i, j in itertools.product(range(a.shape[0]), range(b.shape[1])):
        got = float(found[i, j])
        if abs(sums[i][j]) >= Fraction(2) ** 1024 - Fraction(2) ** 970:
            assert got == np.copysign(np.inf, float(np.sign(sums[i][j])))
        else:
            assert abs(Fraction(got) - sums[i][j]) <= 2 * U * sizes[i][j] + a.shape[1] * LEAST, (i, j, got)


def draws(rng, shape, low, high):
    return np.ldexp(rng.standard_normal(shape), rng.integers(low, high, shape))


def graded(rng, m, k, n):
    """Rows and columns of all sizes, and grades along the contraction that oppose each other."""
    a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
    slope = np.linspace(-900, 900, k).astype(int)
    return np.ldexp(a, slope), np.ldexp(b, -slope[:, None])


def cancelling(rng, m, k, n):
    a, b = rng.standard_normal((m, k)), rng.standard_normal((k, n))
    half = k // 2
    a[:, half : 2 * half], b[half : 2 * half] = -a[:, :half] * (1 + 2.0**-45), b[:half]
    return a, b


def sparse(rng, m, k, n):
    a, b = rng.standard_normal((m, k)) * (rng.random((m, k)) < 0.2), rng.standard_normal((k, n)) * (rng.random((k, n)) < 0.2)
    a[0], b[:, 0] = 0.0, -0.0
    return a, b


CASES = {
    "normal": lambda rng, m, k, n: (rng.standard_normal((m, k)), rng.standard_normal((k, n))),
    "16 slices": lambda rng, m, k, n: (draws(rng, (m, k), -14, 14), draws(rng, (k, n), -14, 14)),
    "product by product": lambda rng, m, k, n: (draws(rng, (m, k), -500, 500), draws(rng, (k, n), -500, 500)),
    "rows and columns of all sizes": lambda rng, m, k, n: (
        rng.standard_normal((m, k)) * 10.0 ** rng.integers(-150, 150, (m, 1)),
        rng.standard_normal((k, n)) * 10.0 ** rng.integers(-150, 150, n),
    ),
    "graded": graded,
    "cancelling": cancelling,
    "sparse": sparse,
    "denormal operands": lambda rng, m, k, n: (draws(rng, (m, k), -1078, -1030), draws(rng, (k, n), 900, 1000)),
    "denormal results": lambda rng, m, k, n: (draws(rng, (m, k), -560, -530), draws(rng, (k, n), -516, -500)),
    "overflow": lambda rng, m, k, n: (draws(rng, (m, k), 500, 512), draws(rng, (k, n), 500, 513)),
    "integers": lambda rng, m, k, n: (rng.integers(-9, 9, (m, k)).astype(float), rng.integers(-9, 9, (k, n)).astype(float)),
}
SHAPES = [(1, 1, 1), (3, 7, 2), (2, 131, 3)]


@pytest.mark.parametrize("case", CASES)
def test_float64(case):
    """Cases of exponents, with shapes, targets and readings of the documents in turn: within the bound, and bits that nothing changes."""
    for number, shape in enumerate(SHAPES):
        if case in ("product by product", "graded", "denormal operands", "sparse") and shape[1] > 100:
            continue  # a device loop, slow to simulate
        a, b = CASES[case](np.random.default_rng(number), *shape)
        bits = set()
        for place in range(2):
            turn = 2 * number + place + len(case)
            turned = (turn % 2 == 0, turn % 4 < 2)
            found = multiply(a, b, turned, TARGETS[turn % 3], **READINGS[turn % len(READINGS)])
            bits.add(found.tobytes())
        assert_within_bound(a, b, found)
        assert len(bits) == 1


def spoil(monkeypatch, kept):
    """Let all ways but some give 0 for tiles that the first slices do not suffice for."""
    multiply_slices, multiply_exactly = sliced_product.ProductOfSlices.tile, exact_tile.ExactTiles.tile

    def by_slices(self, cut, tiles, height, width, count=None):
        planes, check = multiply_slices(self, cut, tiles, height, width, count)
        for plane in planes if count not in (None, *kept) else ():
            nisa.memset(plane, 0)
        return planes, check

    def exactly(self, *arguments):
        words = multiply_exactly(self, *arguments)
        for word in words if "exact" not in kept else ():
            nisa.memset(word, 0)
        return words

    monkeypatch.setattr(sliced_product.ProductOfSlices, "tile", by_slices)
    monkeypatch.setattr(exact_tile.ExactTiles, "tile", exactly)


@pytest.mark.parametrize(("spread", "count"), [(1, 8), (10, 10), (17, 12), (32, 16), (37, "exact")])
def test_as_many_slices_as_exponents_need(spread, count, monkeypatch):
    """
    The largest numbers of rows meet the smallest ones of columns, so that products are 2**(-2 spread) of what scales promise.

    s slices suffice for averages of (s + 3) 2**(53 - 8 s): 2**-7.5, 2**-23, 2**-39 and 2**-70; the scale is up to 2**2 above each product.
    """
    spoil(monkeypatch, {count})
    a, b = CASES["normal"](np.random.default_rng(spread), 3, 9, 4)
    a[:, 1:], b[0] = np.ldexp(a[:, 1:], -2 * spread if count == "exact" else -spread), np.ldexp(b[0], -2 * spread)
    assert_within_bound(a, b, multiply(a, b, target=TARGETS[spread % 3]))


@pytest.mark.parametrize("number", range(1, len(READINGS)))
def test_bits_do_not_depend_on_what_documents_leave_open(number):
    a, b = CASES["16 slices"](np.random.default_rng(0), 3, 20, 4)
    a[0, 3], b[7, 1] = np.inf, np.nan
    assert multiply(a, b, target=TARGETS[number % 3], **READINGS[number]).tobytes() == multiply(a, b).tobytes()


def test_extents_beyond_a_tile():
    a, b = CASES["normal"](np.random.default_rng(3), 131, 140, 515)
    found = multiply(a, b)
    wide = a.astype(np.longdouble) @ b.astype(np.longdouble)
    assert (np.abs(found - wide) <= 1.1 * float(U) * (np.abs(a) @ np.abs(b))).all()  # longdouble: 2**-64, at least
    assert multiply(a, b, (True, True), "trn3").tobytes() == found.tobytes()


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="longdouble is no wider than float64 here")
def test_the_device_counts(monkeypatch):
    """Little room for instructions: loops over tiles, panels, chunks and parts of the contraction."""
    a, b = CASES["normal"](np.random.default_rng(4), 260, 300, 9)
    found = multiply(a, b)
    monkeypatch.setattr(sliced_operand, "_BODY", 10)
    monkeypatch.setattr(sliced_operand, "_CHUNK", 256)
    monkeypatch.setattr(kernel, "_UNROLLED", 10)
    monkeypatch.setattr(kernel, "_WIDEST", 4)
    monkeypatch.setattr(sliced_product, "_DEEP", {4: 2, 8: 2, 16: 2})
    assert multiply(a, b).tobytes() == found.tobytes()
    assert multiply(a, b, (True, True)).tobytes() == found.tobytes()


def test_one_number_that_is_not_finite_spoils_what_it_meets(monkeypatch):
    """As IEEE: infinity times 0 and sums of opposite infinities are NaN; all else stays as it was."""
    a, b = CASES["normal"](np.random.default_rng(5), 4, 6, 5)
    clean = multiply(a, b)
    a[0, 1], a[1, 2], b[1, 1], b[2, 2], b[3, 0] = np.inf, -np.inf, 0.0, np.nan, np.inf
    a[2, 3], a[3, 3] = -0.0, -2.0
    with np.errstate(invalid="ignore"):
        expected = a @ b
    finite = np.isfinite(expected)
    spoil(monkeypatch, {})  # at a bounded cost
    for target in TARGETS:
        found = multiply(a, b, target=target)
        np.testing.assert_array_equal(found[~finite], expected[~finite])
        assert_within_bound(a[3:, :3], b[:3, 3:], multiply(a[3:, :3], b[:3, 3:], target=target))
        np.testing.assert_array_equal(found[3, 3:], clean[3, 3:] if a[3, 3] == clean[3, 3] else multiply(a[3:], b[:, 3:])[0])


@pytest.mark.parametrize("shapes", [((3, 4, 5), (3, 5, 2)), ((1, 4, 5), (3, 5, 2)), ((3, 4, 5), (1, 5, 2))])
@pytest.mark.parametrize("budget", [12_000, 10])
def test_batches(shapes, budget, monkeypatch):
    monkeypatch.setattr(kernel, "_UNROLLED", budget)
    rng = np.random.default_rng(6)
    a, b = (draws(rng, shape, -9, 9) for shape in shapes)
    found = multiply(a, b)
    for number in range(3):
        assert found[number].tobytes() == multiply(a[number % len(a)], b[number % len(b)]).tobytes()


FLOAT32 = {
    "normal": CASES["normal"],
    "16 slices": CASES["16 slices"],
    "product by product": lambda rng, m, k, n: (draws(rng, (m, k), -120, 60), draws(rng, (k, n), -60, 60)),
    "denormal": lambda rng, m, k, n: (draws(rng, (m, k), -150, -120), draws(rng, (k, n), -10, 100)),
    "denormal results": lambda rng, m, k, n: (draws(rng, (m, k), -70, -60), draws(rng, (k, n), -82, -70)),
    "overflow": lambda rng, m, k, n: (draws(rng, (m, k), 60, 65), draws(rng, (k, n), 58, 63)),
    "cancelling": cancelling,
}


@pytest.mark.parametrize("case", FLOAT32)
@pytest.mark.parametrize("wide", [False, True])
def test_float32(case, wide):
    """One rounding of the sum, to float32 or float64; the sum errs by 2**-53 of that of magnitudes."""
    for number, shape in enumerate(SHAPES[:2]):
        a, b = (x.astype(np.float32) for x in FLOAT32[case](np.random.default_rng(number), *shape))
        turn = number + len(case) + wide
        found = multiply(a, b, (turn % 2 == 0, turn % 4 < 2), TARGETS[turn % 3], wide, **READINGS[turn % len(READINGS)])
        unit, least, largest = (U, LEAST, Fraction(2) ** 1024) if wide else (Fraction(1, 2**24), Fraction(1, 2**149), Fraction(2) ** 128)
        sums, sizes = exact(a, b), exact(np.abs(a), np.abs(b))
        for i, j in itertools.product(range(a.shape[0]), range(b.shape[1])):
            if abs(sums[i][j]) >= largest * (1 - unit / 2):
                assert np.isinf(found[i, j])
            else:
                error = abs(Fraction(float(found[i, j])) - sums[i][j])
                assert error <= unit * abs(sums[i][j]) + Fraction(101, 100) * U * sizes[i][j] + least / 2, (i, j)
    a, b = np.float32([[np.inf, 1, 2]]), np.float32([[1, 0, np.nan], [-np.inf, 1, 2], [3, 4, 5]])
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(multiply(a, b, wide=wide), a @ b)


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.uint32])
@pytest.mark.parametrize("target", TARGETS)
def test_integers_wrap(dtype, target):
    rng, info = np.random.default_rng(7), np.iinfo(dtype)
    for number, (m, k, n) in enumerate([(1, 1, 1), (3, 131, 5), (130, 9, 4)]):
        a, b = (rng.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in ((m, k), (k, n)))
        a[0], b[:, 0] = info.min, info.max
        wanted = (a.astype(object) @ b.astype(object)) % 2 ** (8 * a.itemsize)
        found = multiply(a, b, (number % 2 == 0, number % 2 == 1), target, **READINGS[(number + 4) % len(READINGS)])
        assert np.array_equal(found.view(f"u{a.itemsize}").astype(object), wanted)


def test_more_terms_than_a_plane_holds(monkeypatch):
    monkeypatch.setattr(sliced_product, "_TOP", 128)
    monkeypatch.setattr(sliced_product, "_DEEP", {8: 1, 16: 1})
    a, b = np.full((1, 700), 1.9999999), np.full((700, 2), -1.9999)
    b[:, 1] *= np.linspace(-1, 1, 700)
    assert_within_bound(a, b, multiply(a, b))


@pytest.mark.parametrize("case", ["normal", "16 slices", "graded", "cancelling"])
def test_rows_by_columns(case, monkeypatch):
    """Vectors on both axes of tiles, with what is left over, in one chunk and in several, and with the bits of all other products."""
    for number, depth in enumerate((5, 300)):
        if case == "graded" and depth > 5:
            continue
        a, b = CASES[case](np.random.default_rng(number), 1, depth, 1)
        turn = number + len(case)
        monkeypatch.setattr(kernel, "LEAST_DEPTH", 10**9)
        expected = multiply(a, b)
        monkeypatch.setattr(kernel, "LEAST_DEPTH", 2)
        found = multiply(a, b, (number % 2 == 0, number == 1), TARGETS[turn % 3], **READINGS[turn % len(READINGS)])
        assert_within_bound(a, b, found)
        assert case == "16 slices" or found.tobytes() == expected.tobytes()
    monkeypatch.setattr(sliced_inner, "_CHUNK", 1)
    monkeypatch.setattr(sliced_operand, "_BODY", 10)
    assert multiply(a, b).tobytes() == found.tobytes()
    a[0, 2], b[1, 0] = np.inf, np.nan
    assert np.isnan(multiply(a[:, :5], b[:5])).all()
    assert multiply(np.abs(a[:, 2:5]), np.abs(b[2:5]))[0, 0] == np.inf


def test_rows_by_columns_of_integers(monkeypatch):
    monkeypatch.setattr(kernel, "LEAST_DEPTH", 2)
    rng = np.random.default_rng(0)
    for dtype, depth in ((np.int64, 300), (np.uint64, 5), (np.int32, 128), (np.uint32, 131)):
        info = np.iinfo(dtype)
        a, b = (rng.integers(info.min, info.max, shape, dtype, endpoint=True) for shape in ((1, depth), (depth, 1)))
        wanted = (a.astype(object) @ b.astype(object)) % 2 ** (8 * a.itemsize)
        assert multiply(a, b, gpsimd_overflow="saturate").view(f"u{a.itemsize}").astype(object) == wanted
