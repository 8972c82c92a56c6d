"""The methods of detached Arrays, and of other 0-d ones, against NumPy scalars and 0-d ndarrays."""

import numpy as np
import pytest

from trnarray._array import Array

wrap = Array._wrap
REDUCTIONS = ("sum", "prod", "any", "all", "max", "min", "mean", "var", "std")


def calls(name, *args, **kwargs):
    return name, args, kwargs


SCALAR_CALLS = [
    *(calls(name) for name in ("sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "cumsum", "cumprod")),
    *(
        calls(name)
        for name in ("copy", "squeeze", "transpose", "ravel", "flatten", "round", "conj", "conjugate", "view", "byteswap", "argsort")
    ),
    *(calls(name) for name in ("tolist", "item", "tobytes")),
    calls("sum", keepdims=True),
    calls("astype", "float32"),
    calls("astype", "float64"),
    calls("view", "u8"),
    calls("reshape", 1, 1),
    calls("reshape", ()),
    calls("repeat", 3),
    calls("take", 0),
    calls("take", [0, 0]),
    calls("clip", 0, 1),
    calls("compress", [True]),
]


@pytest.mark.parametrize(("name", "args", "kwargs"), SCALAR_CALLS)
@pytest.mark.parametrize("detached", [True, False])
def test_zero_dimensional_arrays(name, args, kwargs, detached):
    value = np.float64(2.5) if detached else np.array(2.5)
    x = wrap(value)
    expected = getattr(value, name)(*args, **kwargs)
    result = getattr(x, name)(*args, **kwargs)
    if name in ("tolist", "item", "tobytes"):
        assert (type(result), result) == (type(expected), expected)
        return
    assert type(result) is Array
    assert isinstance(result._value, np.generic) == isinstance(expected, np.generic)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    assert result._value.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("name", "args"), [("diagonal", ()), ("trace", ()), ("nonzero", ()), ("swapaxes", (0, 1))])
def test_zero_dimensional_arrays_have_no_axes(name, args):
    with pytest.raises(ValueError):  # noqa: PT011
        getattr(wrap(np.float64(1)), name)(*args)


def test_detached_arrays_take_new_values():
    x = wrap(np.float64(1))
    x.fill(3)
    assert x == 3
    x.put(0, 4)
    assert x == 4
    x.byteswap(True)
    assert x == np.float64(4).byteswap()
    x[...] = 5
    assert x == 5
    assert x.base is None
    assert isinstance(x._value, np.float64)
    y = x
    y += 1
    assert (float(x), float(y)) == (5, 6)
    x.setflags(write=True)
    with pytest.raises(ValueError, match="axis"):
        x.sort()
