"""Creation, casts, joining, repeating and selection on the device, for native and carried dtypes, against the host engine bit for bit."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.dtypes import DTYPES

from .beside_host import DEVICE, FLOATS, INTEGERS, NATIVE, VIEWS, WITH_ZERO, assert_same, samples

MOVES = {
    "concatenate": lambda x: xp.concatenate([x, x, x], axis=-1),
    "concatenate flat": lambda x: xp.concatenate([x, x[:1]], axis=None),
    "stack": lambda x: xp.stack([x, x], axis=1),
    "vstack": lambda x: xp.vstack([x, x]),
    "hstack": lambda x: xp.hstack([x, x]),
    "dstack": lambda x: xp.dstack([x, x]),
    "column_stack": lambda x: xp.column_stack([x.reshape(-1), x.reshape(-1)]),
    "block": lambda x: xp.block([[x, x], [x, x]]),
    "append": lambda x: xp.append(x, x, axis=0),
    "delete": lambda x: xp.delete(x, [0, -1], axis=0),
    "delete slice": lambda x: xp.delete(x, slice(None, None, 2), axis=-1),
    "insert": lambda x: xp.insert(x, 1, x[:1], axis=0),
    "tile": lambda x: xp.tile(x, (2, 1, 3)),
    "repeat": lambda x: xp.repeat(x, 3, axis=0),
    "repeat flat": lambda x: xp.repeat(x, 2),
    "roll": lambda x: xp.roll(x, 5),
    "roll axes": lambda x: xp.roll(x, (1, -2), axis=(0, 1)),
    "resize": lambda x: xp.resize(x, (7, 5)),
    "pad edge": lambda x: xp.pad(x, 2, mode="edge"),
    "pad wrap": lambda x: xp.pad(x, ((5, 0), (1, 9)), mode="wrap"),
    "pad reflect": lambda x: xp.pad(x, ((0, 3), (7, 2)), mode="reflect"),
    "pad symmetric": lambda x: xp.pad(x, ((4, 1), (2, 0)), mode="symmetric"),
    "meshgrid": lambda x: xp.meshgrid(x[0], x[:, 0], indexing="ij"),
    "where": lambda x: xp.where(xp.asarray([[True], [False], [True]], device=x.device), x, x[::-1]),
    "select": lambda x: xp.select([xp.asarray([True, False, False, True, False], device=x.device)], [x], x[:1]),
    "full": lambda x: xp.full_like(x, x[0, 0]),
    "copy": xp.copy,
    "tile a number": lambda x: xp.tile(x[0, 0], ()),
}
ZEROS = {
    "tril": lambda x: xp.tril(x, k=1),
    "triu": lambda x: xp.triu(x, k=-1),
    "diag": lambda x: xp.diag(x[0], k=2),
    "diagflat": lambda x: xp.diagflat(x, k=-1),
    "pad": lambda x: xp.pad(x, 1),
    "eye": lambda x: xp.eye(4, 6, k=1, dtype=x.dtype),
    "tri": lambda x: xp.tri(4, 3, k=-1, dtype=x.dtype),
    "zeros": lambda x: (xp.zeros((2, 3), dtype=x.dtype), xp.zeros_like(x)),
    "ones": lambda x: (xp.ones((2, 0), dtype=x.dtype), xp.ones_like(x, shape=(3,))),
}
SHAPE = (3, 5)


def cases(table, dtypes):
    """Pair each call with every third dtype, and each pair with a view, so that together they meet all."""
    views = list(VIEWS)
    for number, name in enumerate(table):
        for place in range(number % 3, len(dtypes), 3):
            yield pytest.param(table[name], dtypes[place], views[(number + place) % len(views)], id=f"{name}-{dtypes[place]}")


@pytest.mark.parametrize(("call", "dtype", "view"), [*cases(MOVES, DTYPES), *cases(ZEROS, WITH_ZERO)])
def test_moves_elements(call, dtype, view):
    assert_same(call, samples(SHAPE, dtype), views=(view,))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (1, 130)])
@pytest.mark.parametrize("name", ["concatenate", "stack", "tile", "repeat", "roll", "pad edge", "block", "full"])
def test_moves_elements_of_extreme_shapes(name, shape):
    if 0 in shape and name in ("pad edge", "full"):
        pytest.skip("there is no edge, and no element to fill with")
    for dtype in (np.dtype(np.float32), np.dtype(np.int64)):
        assert_same(MOVES[name], samples(shape, dtype))


@pytest.mark.parametrize("source", NATIVE, ids=str)
def test_casts_to_every_native_dtype(source):
    x = samples(SHAPE, source, special=False)
    targets = [target for target in NATIVE if source.kind != "c" or target.kind in "cb"]
    if source in FLOATS:  # what a negative float is as an unsigned integer is not defined
        x = np.abs(x)
    assert_same(lambda y: [y.astype(target) for target in targets], x)


@pytest.mark.parametrize("wide", [np.dtype(np.int64), np.dtype(np.uint64)], ids=str)
def test_casts_between_words_and_integers(wide):
    x = np.array([0, 1, 2**31, 2**32 + 7, 2**40, 2**63 - 1], wide)
    narrow = [*INTEGERS, np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.bool)]
    assert_same(lambda y: [y.astype(dtype) for dtype in narrow], x)
    for dtype in INTEGERS:
        limits = np.iinfo(dtype)
        assert_same(lambda y: y.astype(wide), np.array([limits.min, -1 if limits.min else 1, limits.max], dtype), wide=True)


def test_truth_of_carried_floats():
    x = np.array([0.0, -0.0, 1e-320, np.nan, -np.inf, 2.0])
    assert_same(lambda y: (y.astype(bool), xp.any(y), xp.all(y), xp.count_nonzero(y) == 4), x)
    assert_same(lambda y: y.astype(bool), x - 0j)


@pytest.mark.parametrize("rule", ["no", "safe", "same_kind"])
def test_casting_rules_hold(rule):
    x = xp.asarray(np.ones(3, np.float32), device=DEVICE)
    with pytest.raises(TypeError, match=rule):
        x.astype(xp.int32, casting=rule)
    with pytest.raises(TypeError, match=rule):
        xp.concatenate([x, x], dtype=xp.int32, casting=rule)


def test_joins_mixed_dtypes_into_their_common_one():
    arrays = [samples((2, 3), np.dtype(name), seed) for seed, name in enumerate(("int8", "uint8", "int32"))]
    assert_same(lambda *a: xp.concatenate(a), *arrays)
    assert_same(lambda *a: xp.stack(a, axis=-1, dtype=xp.float32, casting="unsafe"), *arrays)


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), np.dtype(np.uint8), np.dtype(np.complex64)], ids=str)
def test_joins_many_short_rows(dtype):
    arrays = [samples((90, 70), dtype, seed) for seed in range(3)]
    assert_same(lambda *a: xp.stack(a, axis=-1), *arrays, views=("contiguous", "transposed", "reversed"))
    assert_same(lambda *a: xp.concatenate([item[..., None] for item in a] * 2, axis=2), *arrays)


@pytest.mark.parametrize("view", VIEWS)
def test_joins_into_a_view(view):
    def call(x, out):
        return xp.concatenate([x, x], axis=0, out=out), out

    assert_same(call, samples((2, 5), np.dtype(np.int16)), samples((4, 5), np.dtype(np.float32)), views=("contiguous", view))


def test_arrays_of_many_slices():
    positions = np.random.default_rng(0).permutation(40).tolist()
    assert_same(lambda x: xp.delete(x, positions[:9]), samples((40,), np.dtype(np.float32)))
    assert_same(lambda x: xp.repeat(x, [3, 0, 1, 2], axis=1), samples((3, 4), np.dtype(np.uint8)))


@pytest.mark.parametrize("dtype", [dtype for dtype in NATIVE if dtype.kind != "b"], ids=str)
def test_clips(dtype):
    x = samples(SHAPE, dtype)
    low, high = samples((1, 5), dtype, 1), samples((3, 1), dtype, 2)
    assert_same(lambda y: (xp.clip(y, 1, 3), xp.clip(y, None, 2), xp.clip(y, 2)), x)
    assert_same(xp.clip, x, low, high)


@pytest.mark.parametrize("dtype", [*FLOATS, np.dtype(np.complex64), np.dtype(np.int16)], ids=str)
def test_replaces_what_is_not_finite(dtype):
    x = samples((4, 6), dtype)
    assert_same(lambda y: (xp.nan_to_num(y), xp.nan_to_num(y, nan=1.0, posinf=2.0, neginf=-3.0)), x)


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), np.dtype(np.complex64), *INTEGERS], ids=str)
def test_is_close(dtype):
    x = samples((4, 6), dtype)
    y = np.where(np.arange(6) % 2, x, x + x.dtype.type(1))
    assert_same(lambda a, b: (xp.isclose(a, b), xp.isclose(a, b, rtol=0.5, equal_nan=True)), x, y.astype(dtype))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", [np.dtype(name) for name in ("float32", "int64", "uint8")], ids=str)
def test_writes_diagonals_and_masks(dtype, view):
    def call(x, y):
        xp.fill_diagonal(x, 3)
        xp.putmask(x, y > y.dtype.type(4), y)
        return x

    if dtype == np.int64:  # which only moves
        assert_same(lambda x, y: xp.fill_diagonal(x, 2**40) or x, samples((4, 3), dtype), samples((4, 3), dtype, 1), views=(view,))
    else:
        assert_same(call, samples((4, 3), dtype), samples((4, 3), dtype, 1), views=(view, "strided"))


@pytest.mark.parametrize("dtype", [np.dtype(np.float32), xp.bfloat16, xp.float8_e5m2], ids=str)
def test_writes_diagonals_of_any_dtype(dtype):
    for shape in ((3, 3, 3), (2, 5), (5, 2)):
        assert_same(lambda x: xp.fill_diagonal(x, [1, 2]) or x, samples(shape, np.dtype(dtype)))


def test_copies_to_some_elements():
    def call(x, y):
        xp.copyto(x, y, where=xp.asarray([True, False, True], device=x.device))
        return x

    assert_same(call, samples((2, 3), np.dtype(np.float32)), samples((3,), np.dtype(np.float32), 1))


PLACES = {
    "several": [1, 1, 3], "negative": [-1, 0], "slice": slice(0, 4, 2), "one in a list": [2], "one": -1,
    "mask": np.array([True, False, True, False]), "array": np.array([3, 1], np.int32), "number": np.array(2, np.int8),
}  # fmt: skip


def on_device_of(x, item):
    return xp.asarray(item, device=x.device) if isinstance(item, np.ndarray) else item


@pytest.mark.parametrize("name", PLACES)
def test_insertions_and_deletions(name):
    x = samples((4, 5), np.dtype(np.int16))
    for values in (7, np.arange(5, dtype=np.int16)[None, :1]):
        assert_same(lambda x, v=values: xp.insert(x, on_device_of(x, PLACES[name]), on_device_of(x, v), axis=0), x, views=("transposed",))
    assert_same(lambda x: xp.delete(x, on_device_of(x, PLACES[name]), axis=0), x)


def test_several_slices_at_one_position():
    x, more = samples((4, 5), np.dtype(np.float32)), samples((4, 2), np.dtype(np.float32), 1)
    assert_same(lambda x, v: (xp.insert(x, [1], v, axis=1), xp.insert(x, [1, 3], v, axis=1), xp.insert(x, 1, v.T, axis=1)), x, more)
    with pytest.raises(ValueError, match="broadcast"):
        xp.insert(xp.asarray(x, device=DEVICE), [1, 3], xp.asarray(more, device=DEVICE), axis=0)
    with pytest.raises(IndexError, match="out of bounds"):
        xp.insert(xp.asarray(x, device=DEVICE), [1, 7], 0, axis=0)


def test_numbers_of_repetitions_and_shifts_in_arrays():
    x, counts = samples((2, 3), np.dtype(np.float32)), np.array([2, 1], np.int32)
    assert_same(lambda x, n: (xp.repeat(x, n, axis=0), xp.tile(x, n), xp.roll(x, n, axis=(0, 1)), xp.pad(x, n)), x, counts)


@pytest.mark.parametrize(
    ("rows", "widths", "permuted"), [(9000, (8, 3), True), (9000, (1, 1), True), (200, (8, 3), False), (300, (600, 9), False)]
)
def test_narrow_parts_are_joined_as_is_predicted_to_be_faster(rows, widths, permuted):
    parts = [np.arange(rows * width, dtype=np.float32).reshape(rows, width) for width in widths]
    joined = xp.concatenate([xp.asarray(part, device="sim:trn2") for part in parts], axis=1)
    (step,) = xp.explain(joined).steps
    assert any("permut" in stage.computes or "transpos" in stage.computes for stage in step.stages) == permuted
    np.testing.assert_array_equal(np.asarray(joined.to_device("cpu")), np.concatenate(parts, axis=1))


@pytest.mark.parametrize(("length", "counts"), [(1, [2]), (2, [0, 5]), (3, [0, 1, 0])])
def test_one_element_that_is_repeated_is_all_of_the_result(length, counts):
    x = np.arange(length, dtype=np.float32)
    found = xp.repeat(xp.asarray(x, device="sim:trn2"), xp.asarray(counts, device="sim:trn2"))
    np.testing.assert_array_equal(np.asarray(found.to_device("cpu")), np.repeat(x, counts))
