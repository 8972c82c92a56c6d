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


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize("part", range(4))
def test_lists_beside_arrays(part, dtype):
    """Each operand in turn is a list of numbers that float32 does not hold, and counts as an array of the documented dtype."""
    seen = 0
    for path, function, text in itertools.islice(calls(dtype), part, None, 4):
        ours = functools.reduce(getattr, path.split("."), xp)
        for place in places(capture(text, dtype, np.asarray), np.ndarray):
            call = capture(text, dtype, np.asarray)
            values = at(call, place) * (1.1 if at(call, place).dtype.kind in "fc" else 1)
            if place[1] == "out" or not values.ndim:
                continue
            wanted_dtype = documented(
                values.dtype.kind, [at(call, other).dtype for other in places(call, (np.ndarray, np.generic)) if other != place]
            )
            args, kwargs = replaced(call, place, values.astype(wanted_dtype))
            with np.errstate(all="ignore"):
                try:
                    wanted = leaves(function(*args, **kwargs))
                except (TypeError, ValueError):
                    continue  # the dtype has no such function
            device = capture(text, dtype, on_device)
            if not any(other != place for other in places(device, xp.Array)):
                continue
            args, kwargs = replaced(device, place, values.tolist())
            with xp.config(fallback="allow"):
                found = leaves(ours(*args, **kwargs))
            for one, other in zip(found, wanted, strict=True):
                if isinstance(one, xp.Array):
                    what = f"{path}({text}), {place}"
                    assert str(one.device) == DEVICE, what
                    assert wanted_dtype != np.float64 or one.dtype.kind not in "fc" or one.dtype == other.dtype, what
                    # Some take steps in another order than NumPy, of condition up to 1000.
                    roundoff = 0 if one.dtype.kind in "biu" else 1e3 * float(np.finfo(one.dtype).eps)
                    np.testing.assert_allclose(one.tolist(), other, roundoff, roundoff, err_msg=what)
            seen += 1
    assert seen > 15
