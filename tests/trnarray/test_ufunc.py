"""How universal functions are called: operands, out, where, dtype, casting, two results, wrong calls."""

import copy
import inspect
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.coverage import coverage, reset_coverage
from trnarray.backends.settings import default_device

from .call_outcomes import PLAIN, agree, array, outcome

UFUNCS = {name: value for name in xp.__all__ if type(value := getattr(xp, name)) is xp.ufunc}
# Where the standard asks for other values than NumPy; they are tested with their implementations.
STANDARD = {name for name, ufunc in UFUNCS.items() if ufunc.op.name.startswith("standard.")}


# Operands


@pytest.mark.parametrize("name", sorted(set(UFUNCS) - STANDARD))
@pytest.mark.parametrize("dtype", PLAIN, ids=str)
def test_every_ufunc_in_every_form(name, dtype):
    ours, theirs = UFUNCS[name], UFUNCS[name].model
    rng = np.random.default_rng(7)
    operands = [rng.integers(1, 4, (2, 2)).astype(dtype) for _ in range(theirs.nin)]
    wanted = outcome(theirs, *operands)
    agree(outcome(ours, *map(array, operands)), wanted)
    agree(outcome(ours, *operands), wanted)
    agree(outcome(ours, array(operands[0]), *operands[1:]), wanted)
    agree(outcome(ours, *operands[:-1], array(operands[-1])), wanted)
    agree(outcome(ours, *(x.tolist() for x in operands)), outcome(theirs, *(x.tolist() for x in operands)))
    agree(outcome(ours, *([array(row) for row in x] for x in operands)), wanted)
    agree(outcome(ours, *(x[0, 0] for x in operands)), outcome(theirs, *(x[0, 0] for x in operands)))
    agree(outcome(ours, *(array(x[0, 0]) for x in operands)), outcome(theirs, *(x[0, 0] for x in operands)))
    agree(outcome(ours, *(x[0, 0].item() for x in operands)), outcome(theirs, *(x[0, 0].item() for x in operands)))
    agree(outcome(theirs, *map(array, operands)), wanted)  # and NumPy's own function on Arrays
    if theirs.signature is None:
        out = tuple(np.empty((2, 2), result.dtype) for result in wanted) if isinstance(wanted, tuple) else None
        if out is not None:
            found = outcome(ours, *map(array, operands), out=out)
            assert all(one is want for one, want in zip(found, out, strict=True))
            for one, want in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(one, want)


def test_scalars_and_lists_make_an_array_on_the_default_device():
    for x in (xp.add(1, 2), xp.add([1, 2], 3), xp.add(np.float32(1), 2), xp.sin(0.5), xp.add((1, 2), (3, 4)), xp.add(np.ones(2), 1)):
        assert type(x) is xp.Array
        assert x.device == "cpu"
    assert (xp.add(1, 2).dtype, xp.add(1, 2.0).dtype, xp.add(True, True).dtype) == (np.int64, np.float64, np.bool)
    assert xp.add(np.float32(1), 2.0).dtype == np.float32
    assert xp.add([xp.asarray(1), 2], xp.asarray([3, 4])).tolist() == [4, 6]
    assert xp.add([[1, xp.asarray(2.5)], (3, 4)], 1).tolist() == [[2, 3.5], [4, 5]]
    with default_device("sim:trn2"):
        assert xp.add(1, 2).device == "sim:trn2"
        assert (xp.add(1, 2).dtype, xp.add(1, 2.0).dtype, xp.add(True, True).dtype) == (np.int32, np.float32, np.bool)
        assert xp.add(array(np.ones(2)), 1).device == "cpu"


def test_what_is_no_operand():
    x = xp.ones(2)
    for other in (np.ma.ones(2), np.ones(2).view(type("Sub", (np.ndarray,), {})), [np.ma.ones(2)], (1, [np.ma.ones(2)])):
        with pytest.raises(TypeError, match="foreign"):
            xp.add(x, other)
        with pytest.raises(TypeError, match="foreign"):
            xp.add(other, 1)
    for other in (np.ones(2, np.longdouble), np.array(["a", "b"]), np.array([None, 1]), np.longdouble(1), [np.longdouble(1), 2]):
        with pytest.raises(TypeError, match="not supported"):
            xp.add(x, other)
    for other in ("a", None, object(), ["a", "b"], [None, 1], b"ab"):
        with pytest.raises(TypeError):
            xp.add(x, other)
    with pytest.raises(ValueError, match="inhomogeneous"):
        xp.add(x, [[1], [1, 2]])


def test_results_of_unsupported_dtypes():
    for call in (lambda: xp.add([2**70], 1), lambda: xp.multiply([2**70, 1], xp.asarray([1, 2])), lambda: xp.maximum([2**70], [1])):
        with pytest.raises(TypeError, match="dtype object"):
            call()
    with pytest.raises(OverflowError):
        xp.add(2**70, 1)
    text = np.frompyfunc(str, 1, 1)
    for x in (xp.ones(2), xp.asarray(1.0), xp.ones(2)[0]):
        with pytest.raises(TypeError, match="no loop for numbers"):
            text(x)
    assert text(np.ones(1)).tolist() == ["1.0"]
    with pytest.raises(TypeError):
        xp.isnat(xp.ones(2))


# out


def test_out_by_position_by_keyword_and_in_a_tuple():
    x, y = xp.asarray([1.0, 2.0]), xp.asarray([3.0, 4.0])
    for pass_out in (
        lambda out: xp.add(x, y, out),
        lambda out: xp.add(x, y, out=out),
        lambda out: xp.add(x, y, out=(out,)),
        lambda out: xp.add(x, y, out, where=True),
    ):
        out = xp.zeros(2)
        assert pass_out(out) is out
        assert out.tolist() == [4, 6]
    assert xp.add(x, y, None).tolist() == xp.add(x, y, out=None).tolist() == xp.add(x, y, out=(None,)).tolist() == [4, 6]
    host = np.zeros(2)
    assert xp.add(x, y, out=host) is host
    assert host.tolist() == [4, 6]
    assert np.add(x, y, out=host) is host
    out = xp.zeros(2)
    assert np.add(host, host, out=out) is out
    assert out.tolist() == [8, 12]
    wide = xp.zeros((3, 2))
    xp.add(x, y, out=wide)
    assert wide.tolist() == [[4, 6]] * 3
    part = xp.zeros((2, 2))
    xp.add(x, y, out=part[:, 1])
    assert part.tolist() == [[0, 4], [0, 6]]
    xp.add(x, 1, out=x)
    assert x.tolist() == [2, 3]


def test_a_detached_out_takes_the_result():
    out = xp.asarray([1.0, 2.0])[0]
    same = out
    assert xp.add(2, 3, out=out) is out
    assert (float(out), float(same)) == (5, 5)
    assert xp.add(2, 3, out=out, where=False) is out
    assert float(out) == 5
    assert type(out._value) is np.float64
    low = xp.asarray([1.0], dtype=xp.bfloat16)[0]
    assert xp.add(256.0, 1.0, out=low) is low
    assert (float(low), low.dtype) == (256, np.dtype(xp.bfloat16))
    first, second = xp.ones(2)[0], xp.ones(2)
    found = xp.modf(xp.asarray(2.5), out=(first, second[1, ...]))
    assert found[0] is first
    assert (float(first), second.tolist()) == (0.5, [1, 2])
    with pytest.raises(ValueError, match="broadcast"):
        xp.add(xp.ones(2), 1, out=out)


def test_wrong_outs():
    x = xp.ones(2)
    for out in (1, 1.5, "a", [xp.zeros(2)], (xp.zeros(2), xp.zeros(2)), (), object()):
        with pytest.raises((TypeError, ValueError)):
            xp.add(x, x, out=out)
    with pytest.raises(TypeError, match="same_kind"):
        xp.add(x, x, out=xp.zeros(2, dtype=xp.int64))
    with pytest.raises(ValueError, match="broadcast"):
        xp.add(x, x, out=xp.zeros(3))
    with pytest.raises(TypeError, match="foreign"):
        xp.add(x, x, out=np.ma.zeros(2))
    frozen = xp.zeros(2)
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        xp.add(x, x, out=frozen)
    with pytest.raises(TypeError):
        xp.add(x, x, xp.zeros(2), out=xp.zeros(2))
    with pytest.raises(TypeError):
        xp.modf(x, out=xp.zeros(2))  # it has two results


def test_two_results():
    x = xp.asarray([1.5, -2.25])
    one, two = xp.zeros(2), xp.zeros(2)
    for found in (xp.modf(x, one, two), xp.modf(x, out=(one, two))):
        assert type(found) is tuple
        assert found[0] is one
        assert found[1] is two
        assert (one.tolist(), two.tolist()) == ([0.5, -0.25], [1, -2])
    for found in (xp.modf(x, one), xp.modf(x, one, None), xp.modf(x, out=(one, None))):
        assert found[0] is one
        assert type(found[1]) is xp.Array
    found = xp.modf(x, None, two)
    assert found[1] is two
    assert found[0] is not one
    assert [r.tolist() for r in xp.divmod(7, 2)] == [3, 1]
    assert [r.dtype for r in xp.frexp(x)] == [np.float64, np.int32]
    assert all(isinstance(r._value, np.generic) for r in xp.modf(x[0]))
    assert [r.tolist() for r in xp.modf(x, where=xp.asarray([True, False]), out=(xp.ones(2), xp.ones(2)))] == [[0.5, 1], [1, 1]]


# where, dtype, casting


def test_where():
    x, mask = xp.asarray([1.0, 0.0, 2.0]), xp.asarray([True, False, True])
    for where in (mask, mask._value, [True, False, True], (True, False, True)):
        out = xp.zeros(3)
        with np.errstate(all="raise"):
            xp.divide(1.0, x, out=out, where=where)
        assert out.tolist() == [1, 0, 0.5]
    out = xp.zeros(3)
    xp.add(x, 1, out=out, where=False)
    assert out.tolist() == [0, 0, 0]
    with pytest.raises(TypeError):
        xp.add(x, 1, out=out, where=xp.asarray([1.0, 0.0, 1.0]))


@given(data=st.data())
def test_dtype_and_casting(data):
    one, dtype = data.draw(st.sampled_from(PLAIN)), data.draw(st.sampled_from([*PLAIN, float, "f4", np.int16, None]))
    casting = data.draw(st.sampled_from(["no", "equiv", "safe", "same_kind", "unsafe"]))
    name = data.draw(st.sampled_from(["add", "multiply", "sqrt", "negative", "less", "maximum"]))
    theirs = getattr(np, name)
    operands = [np.array([1, 2, 3]).astype(one)] * theirs.nin
    agree(
        outcome(getattr(xp, name), *map(array, operands), dtype=dtype, casting=casting),
        outcome(theirs, *operands, dtype=dtype, casting=casting),
    )


def test_unsupported_dtypes():
    for dtype in (object, np.longdouble, "M8[s]", "U3", "f4,f4", np.floating, "nonsense"):
        with pytest.raises(TypeError):
            xp.add(1, 2, dtype=dtype)
    assert xp.add(1, 2, dtype=">f4").dtype == np.dtype("=f4")
    assert xp.add(1, 2, dtype="bfloat16").dtype == np.dtype(xp.bfloat16)
    assert np.add(xp.asarray(1), 2, dtype=xp.bfloat16).dtype == np.dtype(xp.bfloat16)


def test_other_keywords_are_numpys():
    x = xp.asarray(np.asfortranarray(np.ones((2, 3))))
    assert xp.add(x, 1, order="C").flags.c_contiguous
    assert xp.add(x, 1, order="K").flags.f_contiguous
    assert xp.add(x, 1, signature="ff->f", casting="same_kind").dtype == np.float32
    assert xp.add(x, 1, subok=False).tolist() == [[2, 2, 2], [2, 2, 2]]
    assert xp.matmul(xp.ones((2, 3)), xp.ones((3, 2)), axes=[(-2, -1), (-2, -1), (-1, -2)]).shape == (2, 2)
    for keywords in ({"nonsense": 1}, {"casting": None}, {"casting": "nonsense"}, {"order": "Z"}, {"axis": 0}):
        with pytest.raises((TypeError, ValueError)):
            xp.add(x, 1, **keywords)


# Wrong calls


@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_wrong_numbers_of_operands(name):
    ufunc = UFUNCS[name]
    x = xp.ones((2, 2))
    for count in range(ufunc.nin):
        with pytest.raises(TypeError, match=rf"{ufunc.__name__}\(\) takes {ufunc.nin} operands?; {count} given"):
            ufunc(*[x] * count)
    with pytest.raises(TypeError, match=rf"at most {ufunc.nout} out"):
        ufunc(*[x] * (ufunc.nin + ufunc.nout + 1))


def test_errors_are_numpys():
    with pytest.raises(ValueError, match="broadcast"):
        xp.add(xp.ones(2), xp.ones(3))
    with pytest.raises(TypeError, match="not supported|did not contain"):
        xp.bitwise_and(xp.ones(2), 1)
    with pytest.raises(TypeError, match="subtract"):
        xp.subtract(xp.asarray(True), xp.asarray(False))
    with pytest.raises(ValueError, match="core dimension|mismatch"):
        xp.matmul(xp.ones((2, 3)), xp.ones((2, 3)))
    with pytest.raises(ValueError, match="negative integer powers"):
        xp.power(xp.asarray([2]), xp.asarray([-1]))
    with pytest.raises(OverflowError):
        xp.add(xp.asarray([1], dtype=xp.uint8), 256)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        xp.log(xp.zeros(2))
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        xp.log(xp.zeros(2))
    with np.errstate(divide="ignore"):
        assert xp.log(xp.zeros(1)).tolist() == [-np.inf]


# What a ufunc is


@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_identity(name):
    ufunc = UFUNCS[name]
    assert repr(ufunc) == f"<ufunc '{ufunc.__name__}'>"
    assert getattr(xp, ufunc.__name__) is ufunc
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(ufunc, protocol)) is ufunc
    assert copy.copy(ufunc) is copy.deepcopy(ufunc) is ufunc
    assert callable(ufunc)
    assert ufunc.__doc__
    assert (ufunc.nin, ufunc.nout) == (ufunc.model.nin, ufunc.model.nout)
    parameters = list(inspect.signature(ufunc).parameters.values())
    assert [p.kind for p in parameters[: ufunc.nin]] == [inspect.Parameter.POSITIONAL_ONLY] * ufunc.nin
    assert parameters[ufunc.nin].name == "out"
    assert {"casting", "dtype", "order"} < {p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY}


def test_every_call_counts_once():
    x, low = xp.ones(2), xp.ones(2, dtype=xp.bfloat16)
    reset_coverage()
    for call in (
        lambda: xp.add(x, x),
        lambda: xp.add(x, 1),
        lambda: xp.add(1, x),
        lambda: xp.add(x, [1, 2]),
        lambda: xp.add([1, 2], [3, 4]),
        lambda: xp.add(x, x, out=xp.Array._wrap(np.zeros(2))),
        lambda: xp.add(x, np.ones(2)),
        lambda: xp.add(low, x),
        lambda: np.add(x, x),
        lambda: np.add(1, x),
        lambda: np.add(np.ones(2), x),
        lambda: np.add(x, x, out=np.zeros(2)),
        lambda: np.add(low, 1),
    ):
        before = coverage().native.get("add", 0)
        call()
        assert coverage().native == {"add": before + 1}
    reset_coverage()
    xp.modf(x)
    xp.floor_divide(x, 2)
    np.floor_divide(x, 2)
    assert coverage().native == {"modf": 1, "standard.floor_divide": 1, "floor_divide": 1}


def test_counts_are_exact_under_threads():
    x = xp.ones(4)

    def work():
        for _ in range(500):
            xp.add(x, x)
            x + 1
            np.add(x, x)
            xp.add(x, [1, 2, 3, 4])

    threads = [threading.Thread(target=work) for _ in range(8)]
    reset_coverage()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert coverage().native == {"add": 8 * 500 * 4}


def test_large_arrays_are_not_copied():
    x = xp.zeros(10**6)
    out = xp.zeros(10**6)
    address = out._value.ctypes.data
    xp.add(x, 1, out=out)
    x += 1
    assert out._value.ctypes.data == address
    assert float(x[-1]) == float(out[0]) == 1
