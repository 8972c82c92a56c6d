"""The methods of Array against those of ndarray: values, dtypes, which results are views, errors, signatures."""

import copy
import inspect
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from trnarray._array import Array
from trnarray.backends.dtypes import BFLOAT16, COMPLEX64, DTYPES, FLOAT8_E5M2, FLOAT16, FLOAT32, LOW_PRECISION

wrap = Array._wrap
PLAIN = [dtype for dtype in DTYPES if dtype not in LOW_PRECISION]
REAL = [dtype for dtype in PLAIN if dtype.kind != "c"]
LOW = [FLOAT16, BFLOAT16, FLOAT8_E5M2]
LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "transposed": lambda a: np.ascontiguousarray(a.T).T,
    "strided": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
}
REDUCTIONS = ("sum", "prod", "any", "all", "max", "min", "mean", "var", "std")
MASK = np.array([[True, False, True], [False, False, True], [True, True, True], [True, False, False]])


def calls(name, *args, **kwargs):
    return pytest.param(name, args, kwargs, id=f"{name}-{', '.join([*map(str, args), *(f'{k}={v}' for k, v in kwargs.items())])}")


# Methods that compute: on low-precision dtypes in float32, rounded once.
COMPUTE = [
    *(calls(name, axis) for name in REDUCTIONS for axis in (None, 0, -1, (0, 1), ())),
    *(calls(name, axis=0, keepdims=True) for name in (*REDUCTIONS, "argmax", "argmin")),
    *(calls(name, 1, where=MASK) for name in ("sum", "prod", "any", "all", "mean", "var", "std")),
    *(calls(name, 1, initial=2) for name in ("sum", "prod", "max", "min")),
    *(calls(name, 1, where=MASK, initial=3) for name in ("sum", "prod", "max", "min")),
    *(calls(name, dtype="float64") for name in ("sum", "prod", "mean", "cumsum", "cumprod")),
    *(calls(name, axis) for name in ("argmax", "argmin", "cumsum", "cumprod") for axis in (None, 0, -1)),
    calls("sum", 0, "float32", None, True),
    calls("var", 0, ddof=1),
    calls("std", 0, None, None, 2, True),
    calls("trace"),
    calls("trace", 1, 1, 0),
    calls("trace", dtype="float64"),
    calls("round"),
    calls("round", 1),
    calls("clip", 1, 3),
    calls("clip", None, 2),
    calls("clip", min=2),
    calls("conj"),
    calls("conjugate"),
    calls("dot", np.array([True, False, True])),
    calls("nonzero"),
    calls("argsort", kind="stable"),
    calls("argsort", 0, stable=True),
    calls("argsort", None, "stable"),
]
# Methods that move elements or view them: any dtype as it is.
MOVE = [
    *(calls(name, order) for name in ("ravel", "flatten", "copy") for order in "CFAK"),
    calls("copy"),
    calls("reshape", -1),
    calls("reshape", (2, 6)),
    calls("reshape", 6, 2),
    calls("reshape", [3, 4], order="F"),
    calls("reshape", 2, -1, order="A"),
    calls("reshape", (12,), copy=True),
    calls("transpose"),
    calls("transpose", None),
    calls("transpose", 1, 0),
    calls("transpose", (0, 1)),
    calls("swapaxes", 0, 1),
    calls("swapaxes", -1, -1),
    calls("squeeze"),
    calls("squeeze", ()),
    calls("repeat", 2),
    calls("repeat", [1, 0, 2], 1),
    calls("repeat", 3, axis=0),
    calls("take", [2, 0, -1]),
    calls("take", 1),
    calls("take", [[0, 1], [2, 2]], 1),
    calls("take", [7, -8], 0, mode="wrap"),
    calls("take", [7, -8], axis=1, mode="clip"),
    calls("compress", [True, False, True], 1),
    calls("compress", [0, 1], axis=0),
    calls("compress", [0, 1, 1]),
    calls("diagonal"),
    calls("diagonal", 1),
    calls("diagonal", -1, 1, 0),
    calls("view"),
    calls("view", "u1"),
    calls("byteswap"),
    calls("tolist"),
    calls("tobytes"),
    calls("tobytes", "F"),
    calls("item", 5),
    calls("item", 1, 2),
    calls("item", (1, 2)),
    calls("item", -1),
]
# Methods that change the array.
MUTATE = [
    calls("sort"),
    calls("sort", 0),
    calls("sort", -1, "stable"),
    calls("sort", 0, stable=True),
    calls("partition", 1),
    calls("partition", [0, 2], 0),
    calls("fill", 3),
    calls("fill", True),
    calls("put", [0, 5, -1], [1, 2]),
    calls("put", [[0, 1]], 4),
    calls("put", [13, -14], [1, 2], mode="wrap"),
    calls("put", [13], 2, mode="clip"),
    calls("byteswap", True),
    calls("setflags", write=False),
    calls("setflags", False),
    calls("setflags", write=True, align=True),
]
ERRORS = [
    calls("sum", 2),
    calls("sum", (0, 0)),
    calls("max", 0, initial="a"),
    calls("reshape", 5),
    calls("reshape", -1, -1),
    calls("reshape", 12, order="X"),
    calls("transpose", 0),
    calls("transpose", 0, 0),
    calls("swapaxes", 0, 2),
    calls("squeeze", 0),
    calls("take", 12),
    calls("take", 0, 0, None, "nonsense"),
    calls("repeat", -1),
    calls("item"),
    calls("item", 12),
    calls("item", 0, 3),
    calls("sort", 2),
    calls("sort", kind="nonsense"),
    calls("sort", kind="stable", stable=True),
    calls("sort", order="field"),
    calls("argsort", order="field"),
    calls("partition", 3),
    calls("fill", [1, 2]),
    calls("fill", "text"),
    calls("put", 12, 0),
    calls("diagonal", 0, 0, 0),
    calls("diagonal", 0, 0, 5),
    calls("dot", [1, 2]),
    calls("clip", np.zeros(5)),
    calls("choose", [1, 2]),
    calls("searchsorted", 1),
    calls("setflags", uic=True),
    calls("view", np.complex128),
    calls("astype", "f4", casting="safe"),
    calls("astype", "f4", casting="nonsense"),
    calls("tobytes", "X"),
    calls("copy", "X"),
    calls("sum", dtype="nonsense"),
    calls("round", 1.5),
    calls("compress", [True, True, True, True, True], 0),
]


def sample(dtype, layout="C"):
    return LAYOUTS[layout](np.array([[3, 1, 2], [0, 5, 1], [4, 4, 0], [2, 3, 6]]).astype(dtype))


def check(result, expected, x, a):
    """Hold a result to NumPy's: kind, value, dtype, memory."""
    if isinstance(expected, tuple):
        assert type(result) is tuple
        for r, e in zip(result, expected, strict=True):
            check(r, e, x, a)
    elif isinstance(expected, (np.ndarray, np.generic)):
        assert type(result) is Array
        assert isinstance(result._value, np.generic) == isinstance(expected, np.generic)
        assert result.dtype == expected.dtype
        assert result.shape == expected.shape
        assert result._value.tobytes() == expected.tobytes()
        assert result.strides == expected.strides or not expected.size
        assert np.shares_memory(result._value, x._value) == np.shares_memory(expected, a)
        assert result.flags.writeable == expected.flags.writeable
    else:
        assert type(result) is type(expected)
        assert result == expected


def ours(argument):
    """Give Arrays where NumPy gets ndarrays."""
    return wrap(argument) if type(argument) is np.ndarray else argument


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "args", "kwargs"), COMPUTE)
def test_computing_methods(name, args, kwargs, layout):
    for dtype in PLAIN:
        if (name == "trace" or kwargs.get("dtype") == "float64" or "float32" in map(str, args)) and dtype.kind == "c":
            continue  # NumPy warns that it discards the imaginary parts
        if dtype.kind == "b" and name in ("clip", "round"):
            continue  # see the errors
        a = sample(dtype, layout)
        x = wrap(a)
        try:
            expected = getattr(a, name)(*args, **kwargs)
        except TypeError as error:  # such as initial=2 for booleans
            with pytest.raises(type(error)):
                getattr(x, name)(*map(ours, args), **kwargs)
            continue
        check(getattr(x, name)(*map(ours, args), **kwargs), expected, x, a)


@pytest.mark.parametrize("dtype", LOW, ids=str)
@pytest.mark.parametrize(("name", "args", "kwargs"), COMPUTE)
def test_computing_methods_of_low_precision_round_once(name, args, kwargs, dtype):
    a = sample(dtype, "strided")
    wide = a.astype(FLOAT32)
    result, expected = getattr(wrap(a), name)(*args, **kwargs), getattr(wide, name)(*args, **kwargs)
    for r, e in zip(*((v if isinstance(v, tuple) else (v,)) for v in (result, expected)), strict=True):
        assert r.dtype == (dtype if e.dtype == FLOAT32 and "float32" not in map(str, args) else e.dtype)
        assert r._value.tobytes() == e.astype(r.dtype).tobytes()


def test_low_precision_accumulates_in_float32():
    x = wrap(np.ones(1000, BFLOAT16))
    assert x.sum() == 1000
    assert x.mean() == 1
    assert x.cumsum()[-1] == 1000
    assert x.dot(x) == 1000
    assert wrap(np.ones((600, 600), FLOAT16)).trace() == 600


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "args", "kwargs"), MOVE)
def test_moving_methods(name, args, kwargs, layout):
    for dtype in DTYPES:
        a = sample(dtype, layout)
        x = wrap(a)
        try:
            expected = getattr(a, name)(*args, **kwargs)
        except ValueError as error:
            with pytest.raises(type(error)):
                getattr(x, name)(*args, **kwargs)
            continue
        if name in ("tolist", "item"):
            assert str(getattr(x, name)(*args, **kwargs)) == str(expected)  # with nan, which float8_e8m0fnu has for 0
        else:
            check(getattr(x, name)(*args, **kwargs), expected, x, a)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("name", "args", "kwargs"), MUTATE)
def test_mutating_methods(name, args, kwargs, layout):
    for dtype in [*PLAIN, *LOW]:
        a = sample(dtype, layout)
        b = sample(dtype, layout)
        x = wrap(b)
        data = x._value
        expected = getattr(a, name)(*args, **kwargs)
        result = getattr(x, name)(*args, **kwargs)
        assert x._value is data
        assert (result is None) == (expected is None)
        assert result is None or result is x
        assert a.tobytes() == b.tobytes()
        assert x.flags.writeable == a.flags.writeable


@pytest.mark.parametrize(("name", "args", "kwargs"), ERRORS)
def test_errors_are_numpys(name, args, kwargs):
    a = sample("f8")
    with pytest.raises(Exception) as expected:  # noqa: PT011
        getattr(a, name)(*args, **kwargs)
    kinds = tuple(kind for kind in expected.type.__mro__ if kind in (ValueError, TypeError, IndexError, OverflowError))
    with pytest.raises(kinds):
        getattr(wrap(a), name)(*args, **kwargs)


@pytest.mark.parametrize("name", [*REDUCTIONS, "argmax", "argmin", "cumsum", "cumprod"])
@pytest.mark.parametrize("dtype", [np.dtype("f8"), FLOAT16, BFLOAT16, COMPLEX64], ids=str)
def test_out(name, dtype):
    a = sample(dtype)
    x = wrap(a)
    plain = getattr(x, name)(axis=0)
    if name in ("cumsum", "cumprod"):
        assert plain.shape == (4, 3)
    out = wrap(np.zeros(plain.shape, plain.dtype))
    assert getattr(x, name)(axis=0, out=out) is out
    assert out._value.tobytes() == plain._value.tobytes()


def test_out_of_the_other_methods():
    x = wrap(sample("f8"))
    for method, args in [
        ("clip", (1, 2)),
        ("round", ()),
        ("take", ([2, 0],)),
        ("trace", ()),
        ("compress", ([1, 0, 1],)),
        ("dot", (np.ones(3),)),
    ]:
        plain = getattr(x, method)(*args)
        out = wrap(np.zeros(plain.shape))
        assert getattr(x, method)(*args, out=out) is out
        assert (out._value == plain._value).all()
    detached = wrap(np.float64(0))
    assert x.sum(out=detached) is detached
    assert detached == 31
    a = np.zeros(3)
    assert x.sum(axis=0, out=a) is a
    assert a.tolist() == [9, 13, 9]
    index = wrap(np.array([0, 1]))
    out = wrap(np.zeros(2, int))
    assert index.choose([[1, 2], [3, 4]], out) is out
    assert out.tolist() == [1, 4]


def test_choose_and_searchsorted():
    index = np.array([0, 1, 1, 0])
    choices = [np.arange(4), np.arange(4) * 10.0]
    assert wrap(index).choose(choices).tolist() == index.choose(choices).tolist()
    assert wrap(index).choose([wrap(choices[0]), 7]).tolist() == [0, 7, 7, 3]
    assert wrap(index + 3).choose(choices, mode="wrap").tolist() == (index + 3).choose(choices, mode="wrap").tolist()
    mixed = wrap(index).choose([wrap(np.arange(4).astype(BFLOAT16)), wrap(np.arange(4).astype(FLOAT16))])
    assert mixed.dtype == FLOAT32
    a = np.array([1.0, 2.0, 2.0, 5.0])
    for side in ("left", "right"):
        assert wrap(a).searchsorted([0, 2, 9], side).tolist() == a.searchsorted([0, 2, 9], side).tolist()
    assert wrap(a[::-1].copy()).searchsorted(wrap(np.array([2.0])), sorter=wrap(np.array([3, 2, 1, 0]))).tolist() == [1]
    assert type(wrap(a).searchsorted(3)) is Array
    assert wrap(a.astype(BFLOAT16)).searchsorted([3]).tolist() == [3]


def test_descending_orders():
    a = np.array([2.0, np.nan, 1.0, 2.0, -np.inf])
    x = wrap(a)
    assert x.argsort(stable=True, descending=True).tolist() == [0, 3, 2, 4, 1]
    x.sort(descending=True)
    assert str(a.tolist()) == "[2.0, 2.0, 1.0, -inf, nan]"
    x = wrap(np.array([[1, 3], [2, 0]], dtype=np.uint8))
    x.sort(axis=0, descending=True)
    assert x.tolist() == [[2, 3], [1, 0]]


@pytest.mark.parametrize("source", DTYPES, ids=str)
@pytest.mark.parametrize("target", DTYPES, ids=str)
def test_astype(source, target):
    numbers = np.array([[1, 2, 4], [2, 1, 1]])  # which every dtype has, but for bool
    a = numbers.astype(source).T
    x = wrap(a)
    lossy = source.kind == "c" and target.kind not in "cb"
    with pytest.warns(np.exceptions.ComplexWarning) if lossy else nullcontext():
        y = x.astype(target)
    assert y.dtype == target
    assert y.strides == a.copy("K").view(f"V{source.itemsize}").astype(f"V{target.itemsize}").strides
    assert not np.shares_memory(y._value, a)
    assert y._value.tobytes() == numbers.T.astype(source if source.kind == "b" else int).astype(target).tobytes()
    if source == target:
        assert x.astype(target, copy=False) is x
        assert x.astype(target, "F", copy=False) is x
        assert x.astype(target, "C", copy=False).flags.c_contiguous
    assert x.astype(source).dtype == source


def test_astype_rounds_once_and_obeys_order_and_casting():
    x = wrap(np.array([1 + 2**-8 + 2**-40]))
    assert float(x.astype(BFLOAT16)[0]) == 1 + 2**-7
    assert float(wrap(np.array(x._value[0])).astype("bfloat16")) == 1 + 2**-7
    assert float(wrap(x._value[0]).astype("bfloat16")) == 1 + 2**-7
    y = wrap(sample("f8"))
    assert y.astype("f8", "F", copy=False) is not y
    assert y.astype("f8", "C", copy=False) is y
    assert y.astype(">f8", copy=False) is y
    assert y.astype(BFLOAT16, "F").flags.f_contiguous
    with pytest.raises(TypeError, match="same_kind|safe"):
        y.astype(BFLOAT16, casting="safe")
    with pytest.raises(TypeError, match="not supported|object"):
        y.astype(object)
    with pytest.raises(RuntimeWarning, match="invalid value"):
        wrap(np.array([np.nan])).astype(int)


def test_fill_rounds_once():
    x = wrap(np.zeros(2, BFLOAT16))
    x.fill(1 + 2**-8 + 2**-40)
    assert float(x[1]) == 1 + 2**-7
    x.put([0], 1 + 2**-8 - 2**-40)
    assert float(x[0]) == 1


def test_view():
    a = np.arange(4.0)
    x = wrap(a)
    for y in (x.view(), x.view(Array), x.view("i8"), x.view(complex), x.view(dtype="u1"), x.view(type=Array), x.view("i8", Array)):
        assert type(y) is Array
        assert y.base is x
        assert np.shares_memory(y._value, a)
    with pytest.raises(TypeError, match="type must be Array"):
        x.view(type=np.ndarray)
    with pytest.raises(TypeError, match="dtype"):
        x.view(np.ndarray)
    with pytest.raises(TypeError, match="dtype"):
        x.view("M8[s]")
    assert x.view(BFLOAT16).shape == (16,)
    assert wrap(np.float32(1)).view("u4") == 0x3F800000


def test_resize():
    for order in "CF":
        a = np.array([[1, 2], [3, 4]], order=order)
        for shape in [(3, 2), (3,), (2, 2), (0,), (5, 1), 7]:
            expected = a.copy("K")
            expected.resize(shape)
            x = wrap(a.copy("K"))
            assert x.resize(shape) is None
            assert x.tolist() == expected.tolist()
            assert x.base is None
    x = wrap(np.arange(3))
    x.resize(2, 2)
    x.resize()
    assert x.tolist() == [[0, 1], [2, 0]]
    view = x[0]
    with pytest.raises(ValueError, match="looks at its memory"):
        x.resize(9)
    with pytest.raises(ValueError, match="does not own"):
        view.resize(9)
    with pytest.raises(ValueError, match="does not own"):
        wrap(np.float64(1)).resize(2)
    with pytest.raises(ValueError, match="negative"):
        x.resize(-1, refcheck=False)
    x.resize(9, refcheck=False)
    assert x.tolist() == [0, 1, 2, 0, 0, 0, 0, 0, 0]
    assert view.tolist() == [0, 1], "views keep the old memory"
    a = np.arange(3)
    with pytest.raises(ValueError, match="looks at its memory"):
        wrap(a).resize(5)
    assert a.shape == (3,)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda x: x.copy("K")])
def test_copies(copied):
    for a in (sample("f4", "transposed"), sample(BFLOAT16, "reversed"), np.array(1.5), np.float32(1.5)):
        x = wrap(a)
        y = copied(x)
        assert type(y) is Array
        assert y is not x
        assert type(y._value) is type(a)
        assert y._value.tobytes() == a.tobytes()
        assert y.dtype == a.dtype
        assert y.base is None
        assert y.strides == a.copy("K").strides
        y[...] = 0
        assert x._value.tobytes() == a.tobytes()


@given(
    npst.arrays(
        st.sampled_from([np.dtype(c) for c in "?bhlqBfdFD"]), npst.array_shapes(min_dims=0, max_side=4), elements={"allow_nan": True}
    ),
    st.data(),
)
def test_reductions_of_any_array(a, data):
    name = data.draw(st.sampled_from(["sum", "max", "min", "any", "all", "argmax", "argmin", "cumsum"]))
    axes = st.none() | (st.integers(-a.ndim, a.ndim - 1) if a.ndim else st.nothing())
    axis = data.draw(axes)
    with np.errstate(all="ignore"):
        check(getattr(wrap(a), name)(axis=axis), getattr(a, name)(axis=axis), wrap(a), a)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.5.0", reason="NumPy's methods have no signatures before 2.5")
def test_signatures_contain_numpys():
    for name in dir(np.ndarray):
        theirs = getattr(np.ndarray, name)
        if name.startswith("_") or not callable(theirs) or not hasattr(Array, name):
            continue
        mine = inspect.signature(getattr(Array, name)).parameters
        positional = [p.name for p in mine.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY]
        for place, p in enumerate(inspect.signature(theirs).parameters.values()):
            if p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) and name not in ("reshape", "transpose", "resize", "item"):
                continue  # written out in ours
            assert p.name in mine, (name, p.name)
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and place:
                assert positional[place] == p.name, (name, p.name)
            if p.default is not p.empty:
                assert mine[p.name].default == p.default, (name, p.name)


@pytest.mark.parametrize("dtype", [">f4", ">i8", np.dtype(np.float32).newbyteorder()])
def test_views_in_the_other_byte_order_are_refused(dtype):
    x = Array._wrap(np.ones(4))
    with pytest.raises(TypeError, match="native byte order"):
        x.view(dtype)
    with pytest.raises(TypeError, match="native byte order"):
        x.dtype = dtype
    assert x.astype(dtype).dtype.isnative
