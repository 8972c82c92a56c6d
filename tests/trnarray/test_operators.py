"""Every operator, with every kind of operand that NumPy takes, against NumPy's."""

import operator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import trnarray as xp
from trnarray.backends.coverage import coverage, reset_coverage

from .call_outcomes import PLAIN, agree, array, outcome
from .operator_table import FORWARD, IN_PLACE, UNARY

SHAPES = st.sampled_from([((), ()), ((3,), ()), ((), (3,)), ((3,), (3,)), ((2, 3), (3,)), ((2, 1), (1, 3)), ((0,), (1,)), ((2, 0), (0,))])


def elements(dtype):
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return st.integers(max(info.min, -9), 9) | st.integers(int(info.min), int(info.max))
    # Without infinities, of whose floor the standard has other values; those are below.
    number = st.sampled_from([0.0, -0.0, 1.0, -1.5, 3.0]) | st.floats(-1e3, 1e3, width=32)
    return number if dtype.kind == "f" else st.builds(complex, number, number)


def arrays(dtype, shape):
    return hnp.arrays(dtype, shape, elements=elements(dtype))


# Parity with NumPy


# An ndarray of NumPy 2.2 squares itself, and asks nobody, where the exponent has the index 2.
POWERS_STAY = np.lib.NumpyVersion(np.__version__) < "2.4.0"


def by_numpy(name, x, y, operators=FORWARD):
    """What NumPy 2.4's operator gives: before, the value of a 0-d exponent decides on the dtype of a power."""
    if name != "pow" or not POWERS_STAY or not isinstance(x, np.ndarray):
        return outcome(operators[name], x, y)
    short = isinstance(y, (np.generic, np.ndarray)) or (type(y) is float and x.dtype.kind in "biu")
    power = np.power if operators is FORWARD else lambda x, y: np.power(x, y, out=x)
    return outcome(power if short else operators[name], x, y)


def detached(name, x):
    """What NumPy's operator takes where ours has a detached Array: powers, of integers apart, are those of scalars."""
    return x[()] if name == "pow" and x.dtype.kind in "fc" else x


@pytest.mark.parametrize("name", FORWARD)
@given(data=st.data())
@settings(max_examples=60)
def test_arrays_of_any_dtypes(name, data):
    operation = FORWARD[name]
    one, other = data.draw(st.sampled_from(PLAIN)), data.draw(st.sampled_from(PLAIN))
    shapes = data.draw(SHAPES)
    x, y = data.draw(arrays(one, shapes[0])), data.draw(arrays(other, shapes[1]))
    wanted = by_numpy(name, x, y)
    agree(outcome(operation, array(x), array(y)), wanted)
    agree(outcome(operation, array(x), y), wanted)
    if not (name == "pow" and POWERS_STAY and y.ndim == 0):
        agree(outcome(operation, x, array(y)), wanted)
    agree(outcome(operation, array(x[()]), array(y[()])), wanted if name != "pow" else by_numpy(name, detached(name, x), y[()]))
    agree(outcome(operation, array(x), array(y).tolist()), by_numpy(name, x, y.tolist()))


SCALARS = st.one_of(
    st.booleans(),
    st.integers(-300, 300),
    st.sampled_from([0, 1, 2**31, 2**63, 2**64, -(2**63) - 1, 2**100]),
    st.floats(-1e3, 1e3),
    st.complex_numbers(max_magnitude=1e3),
    st.sampled_from(PLAIN).flatmap(lambda dtype: elements(dtype).map(dtype.type)),
)


@pytest.mark.parametrize("name", FORWARD)
@given(data=st.data())
@settings(max_examples=60)
def test_scalars_on_either_side(name, data):
    operation = FORWARD[name]
    x = data.draw(st.sampled_from(PLAIN).flatmap(lambda dtype: arrays(dtype, (3,))))
    scalar = data.draw(SCALARS)
    agree(outcome(operation, array(x), scalar), by_numpy(name, x, scalar))
    agree(outcome(operation, scalar, array(x)), by_numpy(name, scalar, x))
    agree(outcome(operation, array(x[0]), scalar), by_numpy(name, detached(name, x[0, ...]), scalar))


@pytest.mark.parametrize("name", FORWARD)
def test_lists_and_tuples_on_either_side(name):
    operation = FORWARD[name]
    x = np.array([[3, 5], [7, 9]])
    for other in ([1, 2], (1, 2), [[1], [2]], [1.5, 2.5], ((1, 2), [3, 4]), [True, False], [np.float32(1), 2]):
        agree(outcome(operation, array(x), other), outcome(operation, x, other))
        agree(outcome(operation, other, array(x)), outcome(operation, other, x))
    nested = [array(x)[0], array(x)[1]]
    agree(outcome(operation, array(x), nested), outcome(operation, x, [x[0], x[1]]))


@pytest.mark.parametrize("name", UNARY)
@given(x=st.sampled_from(PLAIN).flatmap(lambda dtype: arrays(dtype, st.sampled_from([(), (3,), (0, 2)]))))
def test_unary(name, x):
    operation = UNARY[name]
    agree(outcome(operation, array(x)), outcome(operation, x))
    agree(outcome(operation, array(x[()])), outcome(operation, x))


@pytest.mark.parametrize("exponent", [2, 0.5, -1, 0, 1, 3, 2.0, np.float64(0.5), np.int8(2), True], ids=repr)
@pytest.mark.parametrize("dtype", PLAIN, ids=str)
def test_powers_for_which_numpy_has_short_ways(dtype, exponent):
    x = np.array([0, 1, 2, 9]).astype(dtype)
    if dtype.kind == "f":
        x = np.append(x, [-0.0, -4.0, np.inf, -np.inf, np.nan]).astype(dtype)
    agree(outcome(operator.pow, array(x), exponent), by_numpy("pow", x, exponent))
    ours, theirs = x.copy(), x.copy()
    wanted = by_numpy("pow", theirs, exponent, IN_PLACE)
    found = outcome(operator.ipow, array(ours), exponent)
    assert (found is wanted) == (not isinstance(wanted, tuple))
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("exponent", range(-1, 4))
def test_the_dtype_of_a_power_does_not_depend_on_the_exponents_value(exponent):
    n = np.int64(exponent)
    for x in (np.float32(2), np.array(2, np.float32), np.array([2, 3], np.float32)):
        for y in (n, array(n), array(np.array(n)), np.array(n)):
            assert (array(x) ** y).dtype == np.float64


@pytest.mark.parametrize("dtype", PLAIN, ids=str)
def test_matrix_product(dtype):
    rng = np.random.default_rng(0)
    x, y, v = (rng.integers(0, 3, shape).astype(dtype) for shape in ((2, 3), (3, 4), (3,)))
    for one, other in ((x, y), (x, v), (v, y), (v, v), (x[None], y), (y, x), (x, 2), (x, v[0])):
        wanted = outcome(operator.matmul, one, other)
        agree(outcome(operator.matmul, array(one), other), wanted)
        if isinstance(other, np.ndarray):
            agree(outcome(operator.matmul, array(one), array(other)), wanted)
            agree(outcome(operator.matmul, one, array(other)), wanted)
    agree(outcome(operator.matmul, array(x), y.tolist()), outcome(operator.matmul, x, y.tolist()))
    agree(outcome(operator.matmul, x.tolist(), array(y)), outcome(operator.matmul, x.tolist(), y))


def test_floor_of_infinite_quotients_is_the_standards():
    x = xp.asarray([np.inf, -np.inf, 1.0, -1.0])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal((x // 2.0)._value, [np.inf, -np.inf, 0, -1])
        np.testing.assert_array_equal((x[2:] // np.inf)._value, [0, -0.0])
        y = x.copy()
        y //= 2.0
        np.testing.assert_array_equal(y._value, [np.inf, -np.inf, 0, -1])
        np.testing.assert_array_equal((1.0 // x)._value, [0, -0.0, 1, -1])


def test_dtypes_that_numpy_lacks():
    for dtype in (xp.float16, xp.bfloat16, xp.float8_e5m2):
        x = xp.asarray([1.0, 2.0, 4.0], dtype=dtype)
        for other in (x, x[0], 2, 2.0, np.float32(2), x._value, [2, 2, 2]):
            for name in ("add", "mul", "truediv", "sub", "mod", "floordiv", "pow"):
                found = FORWARD[name](x, other)
                back = FORWARD[name](other, x)
                wide = other._value.astype(float) if isinstance(other, xp.Array) else np.asarray(other).astype(float)
                np.testing.assert_array_equal(found._value.astype(float), FORWARD[name](x._value.astype(float), wide))
                strong = isinstance(other, (np.float32, list))
                assert (found.dtype == x.dtype) != strong
                assert back.dtype == found.dtype
            assert (x == other).dtype == np.bool
        y = x.copy()
        y += x
        y *= 2
        assert y.dtype == dtype
        assert y.tolist() == [4, 8, 16]
        assert (-y).tolist() == [-4, -8, -16]
        assert abs(-y).dtype == dtype
        assert divmod(y, 3)[1].dtype == dtype
        assert (y @ y).dtype == dtype
        with pytest.raises(TypeError):
            operator.invert(y)
        with pytest.raises(TypeError):
            operator.and_(y, 1)
        z = xp.asarray([1, 2, 3])
        with pytest.raises(TypeError, match="same_kind"):
            z += y


# In place


@pytest.mark.parametrize("name", IN_PLACE)
@given(data=st.data())
@settings(max_examples=60)
def test_augmented_assignment(name, data):
    operation = IN_PLACE[name]
    one, other = data.draw(st.sampled_from(PLAIN)), data.draw(st.sampled_from(PLAIN))
    shapes = data.draw(SHAPES)
    x = data.draw(arrays(one, shapes[0]))
    y = data.draw(st.one_of(arrays(other, shapes[1]), SCALARS))
    ours, theirs = array(x.copy()), x.copy()
    wanted = by_numpy(name, theirs, y, IN_PLACE)
    found = outcome(operation, ours, array(y) if isinstance(y, (np.ndarray, np.generic)) else y)
    if isinstance(wanted, tuple):
        assert found[0] is ours  # also where it is 0-d: it has memory
        agree((ours,), (theirs,)) if theirs.ndim else np.testing.assert_array_equal(ours._value, theirs)
    else:
        assert found is wanted
        if name == "pow" and wanted is ValueError:
            return  # a negative power of an integer, at which NumPy stops with whatever it has written by then
        np.testing.assert_array_equal(ours._value, theirs)
    again = array(x.copy())
    outcome(operation, again, y)
    np.testing.assert_array_equal(again._value, theirs)
    if name == "pow" and POWERS_STAY and np.ndim(y) == 0:
        return
    host = x.copy()
    result = outcome(operation, host, array(y) if isinstance(y, np.ndarray) else y)
    if isinstance(wanted, tuple):
        assert result[0] is host  # an ndarray stays the ndarray that it is
    np.testing.assert_array_equal(host, theirs)


@pytest.mark.parametrize("name", IN_PLACE)
@given(data=st.data())
def test_augmented_assignment_of_a_detached_array_rebinds(name, data):
    x = data.draw(st.sampled_from(PLAIN).flatmap(lambda dtype: arrays(dtype, ())))
    y = data.draw(st.one_of(SCALARS, arrays(np.dtype(float), (3,))))
    ours = kept = array(x[()])
    wanted = by_numpy(name, detached(name, x), y)
    found = outcome(IN_PLACE[name], ours, array(y) if isinstance(y, (np.ndarray, np.generic)) else y)
    agree(found, wanted)
    np.testing.assert_array_equal(kept._value, x)
    assert not isinstance(found, tuple) or found[0] is not kept


def test_running_best_and_swap():
    x = xp.asarray([1.0, 2.0, 3.0])
    best = total = x[0]
    total += x[1]
    assert (float(best), float(total)) == (1, 3)
    t = x[0]
    x[0] = x[2]
    x[2] = t
    assert x.tolist() == [3, 2, 1]
    view = x[0, ...]
    view += 10
    assert x.tolist() == [13, 2, 1]
    s = x.sum()
    same = s
    s *= 2
    assert (float(same), float(s)) == (16, 32)


def test_augmented_matrix_product():
    eye, y, v = np.eye(3), np.arange(9.0).reshape(3, 3), np.arange(3.0)
    for one, other in ((eye, y), (v, y), (np.stack([eye, y]), y), (eye, v), (v, v), (eye, np.stack([eye, y])), (y[:2], y), (eye, y[:, :2])):
        theirs, ours = one.copy(), array(one.copy())
        wanted = outcome(operator.imatmul, theirs, other)
        found = outcome(operator.imatmul, ours, array(other))
        assert (found is wanted) or found[0] is ours
        np.testing.assert_array_equal(ours._value, theirs)
    x = array(eye.copy())
    with pytest.raises(ValueError, match="x = x @ y"):
        x @= xp.ones(3)
    x @= y.tolist()
    np.testing.assert_array_equal(x._value, y)
    with pytest.raises(ValueError, match="dimension"):
        operator.imatmul(x[0, 0], x)


def test_casting_errors_leave_the_array_alone():
    x = xp.asarray([1, 2, 3])
    for other in (1.5, xp.ones(3), np.float32(1), 1j, [0.5, 1, 2]):
        with pytest.raises(TypeError, match="same_kind"):
            x += other
    with pytest.raises(TypeError):
        x /= 2
    with pytest.raises(OverflowError):
        x += 2**64
    y = xp.asarray([1, 2, 3], dtype=xp.uint8)
    with pytest.raises(OverflowError):
        y += 300
    with pytest.raises(TypeError):
        y += xp.asarray([1.0, 2.0, 3.0], dtype=xp.bfloat16)
    assert x.tolist() == y.tolist() == [1, 2, 3]


def test_read_only():
    for dtype in (xp.float64, xp.bfloat16):
        x = xp.ones(3, dtype=dtype)
        x.flags.writeable = False
        for name, operation in IN_PLACE.items():
            if name not in ("and", "or", "xor", "lshift", "rshift"):
                with pytest.raises(ValueError, match="read-only"):
                    operation(x, 2)
        assert x.tolist() == [1, 1, 1]


@pytest.mark.parametrize("dtype", [np.float64, np.int16, xp.bfloat16, np.float16], ids=str)
def test_overlapping_memory(dtype):
    for make in (
        lambda x: (x[1:], x[:-1]),
        lambda x: (x[:-1], x[1:]),
        lambda x: (x[::-1], x),
        lambda x: (x, x[::-1]),
        lambda x: (x[::2], x[:4]),
    ):
        base = np.arange(1, 9).astype(dtype)
        ours = array(base.copy())
        theirs = base.astype(np.float64)
        one, other = make(ours)
        one += other
        one, other = make(theirs)
        one += other.copy()
        assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("dtype", [np.float64, xp.bfloat16], ids=str)
def test_broadcast_errors(dtype):
    x, y = xp.ones((2, 3), dtype=dtype), xp.ones(4, dtype=dtype)
    for name in ("add", "mul", "eq", "lt"):
        with pytest.raises(ValueError, match="broadcast"):
            FORWARD[name](x, y)
    row = xp.ones(3, dtype=dtype)
    with pytest.raises(ValueError, match="broadcast"):
        row += x
    assert row.tolist() == [1, 1, 1]


def test_errstate_and_warnings():
    x = xp.asarray([1.0, -1.0])
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        x / 0.0
    with pytest.warns(RuntimeWarning, match="invalid"):
        x % 0.0
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError, match="divide by zero"):
        x / xp.zeros(2)
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        x /= 0.0
    with np.errstate(all="ignore"):
        assert (x / 0.0).tolist() == [np.inf, -np.inf]


def test_every_call_counts_once():
    x, y, low = xp.ones(3), xp.ones(3), xp.ones(3, dtype=xp.bfloat16)
    reset_coverage()
    for operand in (y, 1, np.float64(2), np.ones(3), [1, 2, 3], low, x[0]):
        x + operand
        operand + x
        x += operand
    found = coverage().native
    assert found.pop("getitem") == 1
    assert found == {"add": 21}
    reset_coverage()
    divmod(x, y)
    operator.neg(x)
    operator.matmul(x, y)
    operator.floordiv(x, 2)
    assert coverage().native == {"divmod": 1, "negative": 1, "matmul": 1, "standard.floor_divide": 1}


def test_unhashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(xp.ones(3))
