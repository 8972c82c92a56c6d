"""Lists, tuples, ranges and NumPy scalars beside Arrays on a Neuron device, in every function of NumPy's that takes operands."""

import functools
import itertools

import numpy as np
import pytest

import trnarray as xp
from trnarray.conformance.overrides.calls import CALLS
from trnarray.conformance.overrides.operands import ARRAYS, evaluate

DEVICE = "sim:trn2"
# Functions without operands, that only look at them, write to them, or take lists for something else than arrays.
OTHER = frozenset(
    (
        *("array", "array2string", "array_repr", "array_str", "astype", "block", "can_cast", "common_type", "copyto", "einsum_path"),
        *("empty", "empty_like", "fill_diagonal", "histogramdd", "may_share_memory", "min_scalar_type", "ndim", "place"),
        *("put", "put_along_axis", "putmask", "result_type", "save", "savetxt", "savez", "savez_compressed", "shape", "shares_memory"),
        "size",
    )
)
# Where the last bit decides; where an empty list is one of indices; where `sorter` does not sort; where an operand is `out`.
UNLIKE = {("polydiv", "w, v[:3]"), ("linalg.tensorsolve", "rooted((2, 3, 6)), M[:2, :3], axes=None"), ("ix_", "v[:0], i")}
UNLIKE |= {("searchsorted", "v, w, sorter=k"), ("trace", "T, 0, 0, 1, None, new(4)")}
WIDE = {"fc": (np.float64, np.complex128), "iu": (np.float64, np.complex128, np.int64, np.uint64), "b": ()}
NARROW = {"f": np.float32, "c": np.complex64, "i": np.int32, "u": np.int32, "b": np.bool_}


class Captured(Exception):  # noqa: N818
    pass


def capture(text, dtype, convert):
    """Give what stands between the parentheses of a call."""

    def call(*args, **kwargs):
        raise Captured(args, kwargs)

    try:
        evaluate(compile(f"call({text})", "<call>", "eval"), call, np.dtype(dtype), dict.fromkeys(ARRAYS, convert))
    except Captured as captured:
        return captured.args


def places(item, kinds, path=()):
    """Find the operands of some types, in sequences, too."""
    if isinstance(item, kinds):
        yield path
    elif isinstance(item, (list, tuple, dict)):
        for key, each in item.items() if isinstance(item, dict) else enumerate(item):
            yield from places(each, kinds, (*path, key))


def at(item, path):
    return functools.reduce(lambda within, key: within[key], path, item)


def replaced(item, path, new):
    if not path:
        return new
    key, *rest = path
    if isinstance(item, dict):
        return item | {key: replaced(item[key], rest, new)}
    return type(item)([replaced(each, rest, new) if place == key else each for place, each in enumerate(item)])


def documented(kind, others):
    """Give the dtype of a list beside other operands: the device's default, or of 64 bits beside these."""
    wide = next(dtypes for kinds, dtypes in WIDE.items() if kind in kinds)
    narrow = np.dtype(NARROW[kind])
    return np.dtype(f"{narrow.kind}{narrow.itemsize * 2}") if any(dtype in wide for dtype in others) else narrow


def leaves(result):
    return [leaf for item in result for leaf in leaves(item)] if isinstance(result, (tuple, list)) else [result]


def on_device(array):
    return xp.asarray(array, device=DEVICE)


def calls(dtype):
    for path, texts in CALLS.items():
        function = functools.reduce(lambda within, name: getattr(within, name, None), path.split("."), np)
        for text in texts[: 1 if dtype == "int64" else None] if path not in OTHER and function is not None else ():
            if (path, text) not in UNLIKE and "like=" not in text and "complex128" not in text:
                yield path, function, text


def reference(function, call):
    """Give NumPy's results, or None where it has none for the dtype."""
    args, kwargs = call
    with np.errstate(all="ignore"):
        try:
            return leaves(function(*args, **kwargs))
        except (TypeError, ValueError):
            return None


def check(found, wanted, what, wide):
    for one, other in zip(found, wanted, strict=True):
        if isinstance(one, xp.Array):
            assert str(one.device) == DEVICE, what
            assert not wide or one.dtype.kind not in "fc" or one.dtype == other.dtype, what
            # Some take steps in another order than NumPy, of condition up to 1000.
            roundoff = 0 if one.dtype.kind in "biu" else 1e3 * float(np.finfo(one.dtype).eps)
            np.testing.assert_allclose(one.tolist(), other, roundoff, roundoff, err_msg=what)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize("part", range(4))
def test_lists_beside_arrays(part, dtype):
    """Each operand in turn is a list of numbers that float32 does not hold, and counts as an array of the documented dtype."""
    seen = 0
    for path, function, text in itertools.islice(calls(dtype), part, None, 4):
        ours = functools.reduce(getattr, path.split("."), xp)
        for place in places(capture(text, dtype, np.asarray), np.ndarray):
            call, device = capture(text, dtype, np.asarray), capture(text, dtype, on_device)
            values = at(call, place) * (1.1 if at(call, place).dtype.kind in "fc" else 1)
            if place[1] == "out" or not values.ndim or not any(other != place for other in places(device, xp.Array)):
                continue
            others = [at(call, other).dtype for other in places(call, (np.ndarray, np.generic)) if other != place]
            as_array = values.astype(documented(values.dtype.kind, others))
            wanted = reference(function, replaced(call, place, as_array))
            if wanted is None:
                continue
            args, kwargs = replaced(device, place, values.tolist())
            with xp.config(fallback="allow"):
                found = leaves(ours(*args, **kwargs))
            check(found, wanted, f"{path}({text}), {place}", as_array.dtype == np.float64)
            seen += 1
    assert seen > 15


# Their results are float32, which keeps nothing of small differences of large integers; and one that refuses what does not fit.
OF_SMALL = {"corrcoef", "cov", "nanstd", "nanvar", "std", "var", "polydiv", "insert"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [tuple, range])
def test_integers_beside_int32(kind):
    """Each operand in turn is a tuple of integers that int32 does not hold, or a range."""
    seen = 0
    for path, function, text in calls("int64"):
        ours = functools.reduce(getattr, path.split("."), xp)
        for place in places(capture(text, "int32", np.asarray), np.ndarray):
            call, device = capture(text, "int32", np.asarray), capture(text, "int32", on_device)
            shape, alone = at(call, place).shape, not any(other != place for other in places(device, xp.Array))
            if alone or path in OF_SMALL or at(call, place).dtype != np.int32 or len(shape) != 1:
                continue
            numbers = tuple(n % 5 + 2**31 for n in range(*shape)) if kind is tuple else range(*shape)
            wanted = reference(function, replaced(call, place, np.array(numbers, np.int64)))
            args, kwargs = replaced(device, place, numbers)
            if wanted is not None and place[1] != "out" and not path.startswith("polynomial"):  # NumPy's takes no ranges
                with xp.config(fallback="allow"):
                    check(leaves(ours(*args, **kwargs)), wanted, f"{path}({text}), {place}", False)
                seen += 1
    assert seen > 30


SCALARS = {
    "where": (lambda m, x: m.where(x > 1, x, np.float64(0.1)), "f4"),
    "where of integers": (lambda m, x: m.where(x > 1, x, np.int64(2**40)), "i4"),
    "clip": (lambda m, x: m.clip(x, np.float64(1.1), None), "f4"),
    "select": (lambda m, x: m.select([x > 1], [x], np.float64(0.1)), "f4"),
    "percentile": (lambda m, x: m.percentile(x, np.float64(30.1)), "f4"),
    "append": (lambda m, x: m.append(x, np.float64(0.1)), "f4"),
    "union1d": (lambda m, x: m.union1d(x, [2**31]), "i4"),
    "union1d of a scalar": (lambda m, x: m.union1d(x, np.int64(2**40)), "i4"),
    "choose": (lambda m, x: m.choose(x * 0, [x, np.int64(2**40)]), "i4"),
    "interp": (lambda m, x: m.interp(np.float64(1.1), x, x), "f4"),
    "linspace": (lambda m, x: m.linspace(x, np.float64(0.1), 3), "f4"),
    "diff": (lambda m, x: m.diff(x, prepend=np.float64(0.1)), "f4"),
    "polyval": (lambda m, x: m.polyval(x, [np.float64(0.1)]), "f4"),
}


@pytest.mark.parametrize("name", SCALARS)
def test_scalars_of_numpy_are_strong(name):
    call, dtype = SCALARS[name]
    x = np.array([1, 2, 3], dtype)
    wanted = call(np, x)
    with xp.config(fallback="allow"):
        found = call(xp, on_device(x))
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found.tolist(), wanted, 1e-15)  # NumPy's own functions of float64 compute


@pytest.mark.parametrize("q", [30, np.int64(30), [30, 60], np.array([30, 60]), np.array(30.0, np.float32)], ids=str)
def test_percentiles_of_integers_are_between_them(q):
    """Fetched, where they are on the device; of float32, as integers that meet floats."""
    x = np.array([3, -1, 2, 7], np.int32)
    given = on_device(q) if isinstance(q, np.ndarray) else q
    np.testing.assert_allclose(xp.percentile(on_device(x), given).tolist(), np.percentile(x, q), 1e-6)
    mixed = xp.percentile(on_device(x), [10, on_device(np.float32(30))])
    np.testing.assert_allclose(mixed.tolist(), np.percentile(x, [10, 30]), 1e-6)


@pytest.mark.filterwarnings("ignore")
def test_ndarrays_beside_arrays_go_by_the_setting():
    """Each operand in turn is an ndarray: refused by default, be it by functions that look at their operands before they compute."""
    seen = 0
    for path, _, text in calls("int64"):
        ours = functools.reduce(getattr, path.split("."), xp)
        for place in places(capture(text, "float32", on_device), xp.Array):
            device = capture(text, "float32", on_device)
            args, kwargs = replaced(device, place, at(capture(text, "float32", np.asarray), place))
            if place[1] != "out" and isinstance(at((args, kwargs), place), np.ndarray) and any(places((args, kwargs), xp.Array)):
                with pytest.raises(xp.HostTransferError):
                    ours(*args, **kwargs)
                seen += 1
    assert seen > 100
