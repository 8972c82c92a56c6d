"""64-bit integers on the device, in words of 32 bits, against NumPy: all pairs around powers of two, and any numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.simulator.knobs import Knobs

from .beside_host import assert_same

DTYPES = ["int64", "uint64"]
CALLS = {
    "sums": lambda x, y: (x + y, x - y, -x),
    "products": lambda x, y: (x * y, np.square(x)),
    "comparisons": lambda x, y: (x == y, x != y, x < y, x <= y, x > y, x >= y),
    "extremes": lambda x, y: (np.maximum(x, y), np.minimum(x, y), np.fmax(x, y), np.fmin(x, y), xp.where(x < y, x, y)),
    "bits": lambda x, y: (x & y, x | y, x ^ y, ~x, np.bitwise_count(x)),
    "signs": lambda x, _: (abs(x), np.sign(x), +x, np.reciprocal(x)),
    "limits": lambda x, y: (np.clip(x, 5, 2**40), np.clip(x, y, y), np.clip(x, None, 7), np.isnan(x), np.isfinite(x), np.signbit(x)),
    "truths": lambda x, y: (np.logical_and(x, y), np.logical_or(x, y), np.logical_xor(x, y), np.logical_not(x)),
    "numbers": lambda x, _: (x + 1, 3 - x, x * 10**10, x << 7, x >> 40, x & 0xFFFFFFFFFF, x < 2**33),
}


def boundary(dtype):
    limits = np.iinfo(dtype)
    powers = [sign * 2**power + more for sign in (-1, 1) for power in (0, 8, 16, 24, 31, 32, 33, 48, 63) for more in (-1, 0, 1)]
    chosen = sorted({number for number in (limits.min, limits.max, *powers) if limits.min <= number <= limits.max})
    return [grid.ravel() for grid in np.meshgrid(*(np.array(chosen, dtype),) * 2)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", CALLS)
def test_boundaries(call, dtype):
    with np.errstate(all="ignore"):
        assert_same(CALLS[call], *boundary(dtype))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_comparisons_of_signed_with_unsigned(dtype):
    x, y = (np.unique(boundary(each)[0]) for each in (dtype, "uint64"))
    assert_same(lambda x, y: (*CALLS["comparisons"](x, y), *CALLS["comparisons"](y, x)), x[:, None], y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_shifts(dtype):
    x, _ = boundary(dtype)
    counts = np.resize(np.array([*range(66), 127, 128, 2**32, 2**32 + 5, np.iinfo(dtype).max, np.iinfo(dtype).min], dtype), x.shape)
    assert_same(lambda x, n: (x << n, x >> n), x, counts)


@settings(max_examples=15)
@given(st.sampled_from(DTYPES), st.data())
def test_any_numbers(dtype, data):
    limits = np.iinfo(dtype)
    numbers = st.lists(st.integers(int(limits.min), int(limits.max)), min_size=4, max_size=4)
    x, y = (np.array(data.draw(numbers), dtype) for _ in range(2))
    with np.errstate(all="ignore"):
        assert_same(lambda x, y: (x + y, x - y, x * y, x < y, x >= y, x << (y & 63), x >> (y & 63)), x, y)


def test_views_broadcasts_and_outputs():
    x = np.arange(-12, 12).reshape(4, 6) * 2**31

    def call(a, out):
        out += a
        return a[1:] * a[:1], a.T - 7, np.add(a, 2**40, out=out), out

    assert_same(call, x, np.zeros_like(x), views=("strided",))


def integers(dtype):
    """Around powers of two, and around ties of floats of few bits."""
    limits = np.iinfo(dtype)
    near = [sign * 2**power + more for sign in (-1, 1) for power in range(64) for more in (-1, 0, 1)]
    odd = [2**bits + more for bits in (8, 9, 11, 12, 24, 25) for more in (-1, 1, 3)]
    ties = [sign * (number << places) + more for sign in (-1, 1) for number in odd for places in (0, 7, 21, 37) for more in (-1, 0, 1)]
    rng = np.random.default_rng(1)
    many = rng.integers(limits.min, limits.max, 500, dtype) >> rng.integers(0, 63, 500).astype(dtype)
    chosen = [one for one in (*near, *ties, limits.min, limits.max) if limits.min <= one <= limits.max]
    return np.concatenate([np.array(chosen, dtype), many])


@pytest.mark.parametrize("dtype", DTYPES)
def test_to_other_dtypes(dtype):
    names = ("float32", "float16", "bfloat16", "float8_e5m2", "complex64", "int32", "uint32", "int16", "uint8", "bool")
    with np.errstate(all="ignore"):
        assert_same(lambda x: tuple(xp.astype(x, getattr(xp, name)) for name in names), integers(dtype), wide=True)


@pytest.mark.parametrize("dtype", DTYPES)
def test_from_other_dtypes(dtype):
    target = getattr(xp, dtype)
    for name in ("int32", "uint32", "int8", "uint16", "bool"):
        assert_same(lambda x: xp.astype(x, target), np.arange(-300, 300).astype(name), wide=True)
    sizes = np.exp2(np.linspace(-2, 62.9, 300))
    x = np.concatenate([sizes, -sizes, [0.0, -0.0, 2.0**62, -(2.0**63)]]).astype(np.float32)
    if dtype == "uint64":  # of negative numbers C says nothing; here they are taken modulo 2**64
        x = np.concatenate([x[x >= 0], 2 * x[x > 2.0**62]])
    assert_same(lambda x: xp.astype(x, target), x, wide=True)
    beyond = xp.asarray(np.array([np.inf, 1e30, -1.0, -1e30, -np.inf], np.float32), device="sim:trn2")
    limits = np.iinfo(dtype)
    low = [-1, limits.min] if dtype == "int64" else [limits.max, 2**63]
    assert xp.astype(beyond, target).tolist() == [limits.max, limits.max, low[0], low[1], low[1]]


REDUCTIONS = {
    "sums": lambda x, axis: (xp.sum(x, axis=axis), np.sum(x, axis=axis, initial=7), np.sum(x, axis=axis, where=x > 3)),
    "products": lambda x, axis: (np.prod(x[:, :4, :3], axis=axis),),
    "extremes": lambda x, axis: (np.max(x, axis=axis), np.min(x, axis=axis), np.max(x, axis=axis, initial=7, where=x < 3)),
    "truths": lambda x, axis: (np.any(x, axis=axis), np.all(x, axis=axis)),
    "bits": lambda x, axis: tuple(f.reduce(x, axis=axis) for f in (np.bitwise_or, np.bitwise_and, np.bitwise_xor)),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("call", REDUCTIONS)
def test_reductions(call, dtype):
    x = np.random.default_rng(5).choice(integers(dtype), (4, 25, 7))
    with np.errstate(all="ignore"):
        assert_same(lambda x: tuple(part for axis in (None, 0, (1, 2)) for part in REDUCTIONS[call](x, axis)), x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_places_of_extremes(dtype):
    """The first of several, also where only low words differ."""
    x = np.array([[5, 2**40 + 1, 2**40 + 3, 2**40 + 3], [2**63 - 1, 2**31, 2**63 - 1, 3], [7, 2**32 + 2**31, 2**32, 2**32]], dtype)
    x = np.concatenate([x, (-x.astype(np.int64)).astype(dtype)])
    device = xp.asarray(x, device="sim:trn2")
    with xp.config(fallback="error"):
        for axis in (None, 0, 1):
            for name in ("argmax", "argmin", "count_nonzero"):
                found = getattr(xp, name)(device - 5, axis=axis).to_device("cpu")
                assert np.array_equal(np.asarray(found), getattr(np, name)(x - x.dtype.type(5), axis=axis))
        assert np.allclose(np.asarray(xp.mean(device, axis=1).to_device("cpu")), x.mean(axis=1), rtol=4 * 2.0**-24)


@pytest.mark.parametrize("dtype", DTYPES)
def test_accumulations(dtype):
    x = integers(dtype)[-60:].reshape(4, 15)
    functions = (np.add, np.multiply, np.maximum, np.minimum, np.bitwise_xor)
    with np.errstate(all="ignore"):
        assert_same(lambda x: (*(f.accumulate(x, axis=1) for f in functions), np.cumsum(x[:, :9], axis=0), xp.cumulative_sum(x[0])), x)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int32", "uint32", "float32"])
def test_sums_of_what_is_narrower(dtype):
    """In 64 bits if that is asked for: long rows of the largest and of the least numbers."""
    limits = np.iinfo(dtype) if dtype not in ("bool", "float32") else np.iinfo(np.int8)
    x = np.resize(np.array([limits.min, limits.min, limits.max, limits.max, limits.max, 1]), 3 * 400).astype(dtype).reshape(3, 400)

    def call(x):
        return np.sum(x, axis=1, dtype=np.int64), np.cumsum(x, axis=1, dtype=np.int64), np.prod(x[:, :9], axis=1, dtype=np.int64)

    assert_same(call, x, wide=True)


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_sums_of_more_than_limbs_hold(device):
    """Rows of all elements over 128, and three that are left."""
    x = np.full(2**17 + 3, -(2**31), np.int32)
    y = np.random.default_rng(1).integers(0, 2**32, (2, 2**16 + 5), np.uint32)
    y[1] = 2**32 - 1
    with xp.config(fallback="error"):
        assert int(np.sum(xp.asarray(x, device=device), dtype=np.int64)) == x.size * -(2**31)
        found = np.sum(xp.asarray(y, device=device), axis=1, dtype=np.uint64).to_device("cpu")
    assert found.tolist() == [sum(row.tolist()) for row in y]


@settings(max_examples=5)
@given(st.sampled_from(DTYPES), st.sampled_from(["trn1", "trn2", "trn3"]), st.sampled_from(["rounded", "fused"]), st.data())
def test_on_every_generation(dtype, target, two_op, data):
    limits = np.iinfo(dtype)
    numbers = st.integers(int(limits.min), int(limits.max)) | st.sampled_from([0, limits.max // 2, limits.max]).map(int)
    x = np.array(data.draw(st.lists(numbers, min_size=6, max_size=6)), dtype).reshape(2, 3)

    def call(x):
        reduced = np.sum(x, axis=1), np.prod(x, axis=0), np.max(x, axis=1), np.min(x), np.cumsum(x)
        return *reduced, xp.astype(x, xp.bfloat16), xp.astype(xp.astype(x, xp.float32) / 2, x.dtype)

    knobs = Knobs(two_op=two_op, gpsimd_overflow=data.draw(st.sampled_from(["wrap", "saturate"])))
    with simulator.options(target, knobs=knobs), np.errstate(all="ignore"):
        assert_same(call, x, device=f"sim:{target}")


def test_high_words_that_are_constant():
    """They belong to the rows of a sum, several on a partition."""
    x = xp.asarray(np.ones((8, 1024), np.uint8), device="sim:trn2")
    assert "predicted" in str(xp.explain(np.sum(x, axis=0, dtype=np.int64)))
