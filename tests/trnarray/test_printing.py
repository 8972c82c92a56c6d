"""repr and str of Arrays against NumPy's, and that only corners are looked at."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from trnarray._array import Array
from trnarray._array.printing import _shortest
from trnarray.backends.dtypes import BFLOAT16, DTYPES, FLOAT8_E8M0FNU
from trnarray.backends.host.cast import cast

wrap = Array._wrap
EXTRA = [dtype for dtype in DTYPES if dtype.num >= 256]

EXAMPLES = [
    (np.array([1.0, 2.0]), "Array([1., 2.], dtype=float64, device='cpu')"),
    (np.array(1.5), "Array(1.5, dtype=float64, device='cpu')"),
    (np.float32(1.5), "Array(1.5, dtype=float32, device='cpu')"),
    (np.bool(True), "Array(True, dtype=bool, device='cpu')"),
    (np.array(1 + 2j), "Array(1.+2.j, dtype=complex128, device='cpu')"),
    (np.array([True, False]), "Array([ True, False], dtype=bool, device='cpu')"),
    (np.array([], "i4"), "Array([], dtype=int32, device='cpu')"),
    (np.zeros((0, 3)), "Array([], shape=(0, 3), dtype=float64, device='cpu')"),
    (np.zeros((2, 0)), "Array([], shape=(2, 0), dtype=float64, device='cpu')"),
    (np.eye(2, dtype="i2"), "Array([[1, 0],\n       [0, 1]], dtype=int16, device='cpu')"),
    (np.arange(2000), "Array([   0,    1,    2, ..., 1997, 1998, 1999],\n      shape=(2000,), dtype=int64, device='cpu')"),
    (np.array([0.1, 1, 3.14], BFLOAT16), "Array([0.1 , 1.  , 3.14], dtype=bfloat16, device='cpu')"),
    (BFLOAT16.type(0.1), "Array(0.1, dtype=bfloat16, device='cpu')"),
    (np.array([np.nan, np.inf, -0.0], BFLOAT16), "Array([nan, inf, -0.], dtype=bfloat16, device='cpu')"),
    (np.array([0.5, 2], FLOAT8_E8M0FNU), "Array([0.5, 2. ], dtype=float8_e8m0fnu, device='cpu')"),
    (np.array([]).reshape(0, 0), "Array([], shape=(0, 0), dtype=float64, device='cpu')"),
]
OPTIONS = [
    {},
    {"precision": 3},
    {"threshold": 5},
    {"threshold": 5, "edgeitems": 1},
    {"linewidth": 40},
    {"suppress": True, "precision": 2},
    {"sign": "+"},
    {"floatmode": "fixed"},
    {"formatter": {"float": "<{:.1f}>".format}},
    {"nanstr": "NaN", "infstr": "Inf"},
]


def body(text, prefix):
    """Take the elements out of a repr."""
    text = text[len(prefix) :].replace("\n" + " " * len(prefix), "\n")
    end = max(text.rfind("]"), 0)
    return text[: end + 1] if end else text.partition(",")[0].rstrip(")")


@pytest.mark.parametrize(("value", "text"), EXAMPLES)
def test_repr(value, text):
    assert repr(wrap(value)) == text


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.num < 256], ids=str)
def test_printing_equals_numpys(dtype, options):
    # A prefix of the same length, so that lines break at the same places.
    for shape in [(), (1,), (7,), (3, 4), (2, 3, 4), (40, 40), (1200,), (1, 1200), (7, 7, 30), (3, 0)]:
        a = (np.arange(np.prod(shape)) % 13).astype(dtype).reshape(shape)
        if dtype.kind in "fc" and a.size:
            a = np.asarray(a / 7).astype(dtype)
        with np.printoptions(**options):
            assert str(wrap(a)) == str(a)
            assert body(repr(wrap(a)), "Array(") == body(repr(a), "array(")


@pytest.mark.parametrize("linewidth", range(30, 90, 5))
def test_lines_keep_within_the_width(linewidth):
    for n in range(1, 12):
        with np.printoptions(linewidth=linewidth):
            text = repr(wrap(np.arange(n) / 4))
        longest = max(len(line) for line in text.split("\n"))
        assert longest <= max(linewidth, len("      dtype=float64, device='cpu')"))
        assert text.replace("\n      ", " ").endswith("], dtype=float64, device='cpu')")


@given(
    npst.arrays(
        st.sampled_from([np.dtype("f4"), np.dtype("c16"), np.dtype("i8"), np.dtype("?")]),
        npst.array_shapes(min_dims=0, max_dims=3, max_side=12),
    ),
    st.integers(1, 4),
    st.integers(0, 60),
)
def test_any_array_prints_as_numpy_prints_it(a, edgeitems, threshold):
    with np.printoptions(edgeitems=edgeitems, threshold=threshold):
        assert str(wrap(a)) == str(a)
        assert body(repr(wrap(a)), "Array(") == body(repr(a), "array(")


@pytest.mark.parametrize("dtype", EXTRA, ids=str)
def test_low_precision_prints_the_shortest_number_that_tells_it(dtype):
    a = np.arange(1 << (8 * dtype.itemsize), dtype=f"u{dtype.itemsize}")[:: 1 if dtype.itemsize == 1 else 17].view(dtype)
    printed = _shortest(a)
    with np.errstate(invalid="ignore"):  # signaling nan
        numbers = a.astype("f8")
    finite = np.isfinite(numbers)
    assert (cast(printed[finite], dtype) == a[finite]).all()
    assert str(printed[~finite]) == str(numbers[~finite])
    for text, number in zip(map(repr, printed[finite].tolist()), numbers[finite].tolist(), strict=True):
        digits = len(text.partition("e")[0].replace(".", "").replace("-", "").strip("0"))
        assert digits <= 4
        if digits > 1:  # one digit fewer would be another number
            assert dtype.type(float(f"{number:.{digits - 2}e}")) != dtype.type(number)


def test_large_arrays_are_not_looked_at():
    a = np.broadcast_to(np.float32(1), (10**5, 10**3))  # 1e8 elements without their memory
    start = time.perf_counter()
    text = repr(wrap(a))
    str(wrap(a))
    assert time.perf_counter() - start < 0.5
    assert text.endswith("shape=(100000, 1000), dtype=float32, device='cpu')")
    assert text.count("1.") == 36
    low = wrap(np.zeros((3000, 3000), BFLOAT16))
    start = time.perf_counter()
    assert repr(low).count("0.") == 36
    assert time.perf_counter() - start < 0.5


def test_format_of_scalars():
    assert f"{wrap(np.float64(1.25)):.1f}" == "1.2"
    assert f"{wrap(np.arange(2))}" == "[0 1]"
