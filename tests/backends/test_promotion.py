"""The host's promotion table against NumPy, against the values themselves, and against the laws of its making."""

import enum
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import dtypes
from trnarray.backends.dtypes import DTYPES, KINDS, LOW_PRECISION
from trnarray.backends.promotion import CASTINGS, NUMPY, TABLES, PromotionTable, check_weak_int

STANDARD = [d for d in DTYPES if d.num < 256]
EXTRA = [d for d in DTYPES if d.num >= 256]
FLOAT8 = [d for d in EXTRA if d.itemsize == 1]
REAL = [d for d in DTYPES if KINDS[d] != "complex floating"]
INTEGERS = [d for d in DTYPES if "integer" in KINDS[d]]
SCALARS = (True, 1, 1.0, 1j)


def pairs(first, second=None):
    return itertools.product(first, second or first)


# Against NumPy


def test_standard_pairs_and_triples_are_numpys():
    assert [p for p in pairs(STANDARD) if NUMPY.promote(*p) != np.promote_types(*p)] == []
    triples = itertools.product(STANDARD, repeat=3)
    assert [t for t in triples if NUMPY.result_type(*t) != np.result_type(*t)] == []


def test_scalars_are_weak_as_numpys():
    weak = [(d, *s) for d in STANDARD for n in (1, 2) for s in itertools.product(SCALARS, repeat=n)]
    assert [o for o in weak if NUMPY.result_type(*o) != np.result_type(*o)] == []
    alone = [s for n in (1, 2, 3) for s in itertools.product(SCALARS, repeat=n)]
    assert [o for o in alone if NUMPY.result_type(*o) != np.result_type(*o)] == []
    for dtype, scalar in pairs(STANDARD, SCALARS):
        assert NUMPY.promote_weak(dtype, type(scalar)) == np.result_type(dtype, scalar)


class Color(enum.IntEnum):
    RED = 1


def operands_of(dtype):
    return st.sampled_from([dtype, dtype.type, dtype.name, dtype.type(1), np.ones(2, dtype), dtype.newbyteorder()])


@given(st.lists(st.one_of(st.sampled_from(STANDARD).flatmap(operands_of), st.sampled_from([*SCALARS, Color.RED])), min_size=1, max_size=6))
def test_result_type_is_numpys(operands):
    assert NUMPY.result_type(*operands) == np.result_type(*operands)


def test_casting_is_numpys():
    wrong = [(a, b, c) for a, b in pairs(STANDARD) for c in CASTINGS if NUMPY.can_cast(a, b, c) != np.can_cast(a, b, c)]
    assert wrong == []


# Against the values themselves


def values_of(dtype):
    """All values of a dtype of 8 or 16 bits, else those that tell it from the others."""
    if dtype == np.bool:
        return np.array([False, True])
    if dtype.itemsize <= 2:
        return np.arange(2 ** (8 * dtype.itemsize)).astype(f"u{dtype.itemsize}").view(dtype)
    if dtype in INTEGERS:
        limits = np.iinfo(dtype)
        odd = [2**p + 1 for p in range(1, 8 * dtype.itemsize - 1)]
        return np.array([limits.min, 0, 1, *odd, limits.max], dtype)
    limits = np.finfo(dtype)
    return np.array([0, -0.0, math.inf, math.nan, limits.max, limits.min, limits.smallest_subnormal, 1 + limits.eps], dtype)


def exact(array):
    """Widen to extended precision, which holds 64-bit integers and all floats (ml_dtypes' by way of float64)."""
    return (array if array.dtype in INTEGERS else array.astype(np.float64)).astype(np.longdouble)


def holds(target, source):
    with np.errstate(all="ignore"):
        values = values_of(source)
        # By way of float64, which holds all their values: ml_dtypes casts not every float8 kind to every other.
        sent = values.astype(np.float64) if source in LOW_PRECISION else values
        before, after = exact(values), exact(sent.astype(target))
    same = (before == after) & (np.signbit(before) == np.signbit(after))
    return bool(np.all(same | (np.isnan(before) & np.isnan(after))))


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 63, reason="long double cannot tell 64-bit integers apart here")
def test_operands_meet_in_the_smallest_dtype_that_holds_both_exactly():
    held = {(source, target): holds(target, source) for source, target in pairs(REAL)}
    by_size = sorted(REAL, key=lambda d: d.itemsize)  # stable: integers first, then float16 before bfloat16
    for one, other in pairs(REAL):
        # Where nothing holds both, one of them is a 64-bit integer, and NumPy's convention is float64.
        fitting = [d for d in by_size if held[one, d] and held[other, d]]
        assert fitting or {one, other} & {np.dtype(np.int64), np.dtype(np.uint64)}, (one, other)
        assert NUMPY.promote(one, other) == (fitting[0] if fitting else np.float64), (one, other)


def test_complex_meets_real_in_the_complex_dtype_that_holds_both():
    for complex_dtype, real in pairs([np.dtype("F"), np.dtype("D")], REAL):
        component = NUMPY.promote(dtypes.real_of(complex_dtype), real)
        assert NUMPY.promote(complex_dtype, real) == dtypes.complex_of(component)


NAMED = """
bfloat16 float16 float32 | bfloat16 int8 bfloat16 | bfloat16 uint8 bfloat16 | bfloat16 int16 float32 | bfloat16 uint16 float32
bfloat16 int32 float64 | bfloat16 uint64 float64 | bfloat16 float32 float32 | bfloat16 float64 float64 | bfloat16 bool bfloat16
bfloat16 complex64 complex64 | float8_e5m2 complex64 complex64 | float8_e5m2 complex128 complex128 | float16 int16 float32
float8_e4m3 float8_e5m2 float16 | float8_e4m3 float8_e4m3fn float16 | float8_e3m4 float8_e5m2 float16
float8_e4m3 float8_e8m0fnu bfloat16 | float8_e8m0fnu float16 float32 | float8_e8m0fnu bool bfloat16 | float8_e8m0fnu uint8 bfloat16
float8_e4m3 float16 float16 | float8_e4m3 bfloat16 bfloat16 | float8_e4m3 bool float8_e4m3 | float8_e4m3 int8 float16
float8_e4m3 uint16 float32 | float8_e4m3 int64 float64
"""


@pytest.mark.parametrize("rule", NAMED.replace("\n", "|").strip("|").split("|"))
def test_named_rules(rule):
    one, other, expected = (dtypes.canonical_dtype(name) for name in rule.split())
    assert NUMPY.promote(one, other) is NUMPY.promote(other, one) is expected


# Laws


def test_promotion_is_total_commutative_idempotent_and_an_upper_bound():
    for one, other in pairs(DTYPES):
        met = NUMPY.promote(one, other)
        assert any(met is dtype for dtype in DTYPES)
        assert met is NUMPY.promote(other, one)
        assert NUMPY.promote(one, met) is met
        assert NUMPY.can_cast(one, met)
        assert NUMPY.can_cast(one, other) == (NUMPY.promote(one, other) == other)
    assert all(NUMPY.promote(dtype, dtype) is dtype for dtype in DTYPES)


def test_the_order_of_operands_never_matters():
    for triple in itertools.combinations(DTYPES, 3):
        met = {NUMPY.result_type(*order) for order in itertools.permutations(triple)}
        assert len(met) == 1
        # Meeting all at once is never wider than meeting two first.
        one, other, third = triple
        assert NUMPY.can_cast(*met, NUMPY.promote(NUMPY.promote(one, other), third))


def test_floats_are_associative_but_for_two_float8_kinds():
    # Two float8 kinds fit both float16 and bfloat16, of which neither holds the other: no choice is associative.
    floats = [d for d in DTYPES if KINDS[d].endswith("floating")]
    for one, other, third in itertools.product(floats, repeat=3):
        if len({one, other, third} & set(FLOAT8)) < 2:
            assert NUMPY.promote(NUMPY.promote(one, other), third) == NUMPY.promote(one, NUMPY.promote(other, third))


def test_casting_extends_to_the_extra_dtypes():
    for one, other in [*pairs(EXTRA, DTYPES), *pairs(DTYPES, EXTRA)]:
        assert NUMPY.can_cast(one, other, "no") == NUMPY.can_cast(one, other, "equiv") == (one == other)
        assert NUMPY.can_cast(one, other, "unsafe")
        # float16 stands for all real floats when only kinds count.
        stand_ins = [d if d in STANDARD else np.dtype(np.float16) for d in (one, other)]
        assert NUMPY.can_cast(one, other, "same_kind") == np.can_cast(*stand_ins, "same_kind")


# Weak scalars


@pytest.mark.parametrize("dtype", sorted(LOW_PRECISION, key=DTYPES.index), ids=str)
def test_scalars_keep_low_precision(dtype):
    for scalar in (True, 1, 1.0):
        assert NUMPY.result_type(dtype, scalar) is NUMPY.promote_weak(dtype, type(scalar)) is dtype
    assert NUMPY.result_type(dtype, 1j) == np.complex64


def refusal(function, *arguments):
    try:
        function(*arguments)
    except OverflowError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_weak_integers_are_checked_as_numpy_does(dtype):
    for value in (sign * 2**power + step for power in range(66) for sign in (1, -1) for step in (-1, 0, 1)):
        numpys, ours = refusal(np.add, np.zeros(1, dtype), value), refusal(check_weak_int, value, dtype)
        assert bool(ours) == bool(numpys), value
        if "out of bounds" in numpys:  # else it is Python's, of an integer that no C type holds
            assert ours.startswith(numpys)


@pytest.mark.parametrize(("value", "wide"), [(256, "uint16"), (-1, "int8"), (-129, "int16"), (2**63, "uint64"), (2**64, "float64")])
def test_the_remedy_names_a_dtype_that_holds_the_value(value, wide):
    with pytest.raises(OverflowError, match=rf"{value} out of bounds for uint8 \(0 to 255\); .* x\.astype\(np\.{wide}\)$"):
        check_weak_int(value, np.dtype(np.uint8))


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d not in INTEGERS], ids=str)
def test_other_dtypes_take_any_weak_integer(dtype):
    check_weak_int(10**400, dtype)


# Errors


def test_errors():
    with pytest.raises(ValueError, match="no operands; give at least one"):
        NUMPY.result_type()
    with pytest.raises(TypeError, match="an operand of type list has no dtype; give an array"):
        NUMPY.result_type(np.int8, [1, 2])
    for bad in (np.dtype(object), np.ones(1, np.longdouble), "M8[s]"):
        with pytest.raises(TypeError, match=r"is not supported .*; "):
            NUMPY.result_type(np.dtype(np.int8), bad)
    with pytest.raises(TypeError, match="is not supported"):
        NUMPY.promote(np.dtype(object), np.dtype(object))
    with pytest.raises(TypeError, match="'str'> is not a weak scalar type; use bool"):
        NUMPY.promote_weak(np.dtype(np.int8), str)
    with pytest.raises(ValueError, match="casting 'same' is unknown; use one of no, equiv, safe"):
        NUMPY.can_cast(np.int8, np.int8, "same")
    with pytest.raises(TypeError, match="3 is not a dtype"):
        NUMPY.can_cast(3, np.int8)


# A device where integers take the float's dtype is only another table.


def device_table():
    floats = tuple(d for d in DTYPES if KINDS[d] == "real floating")
    integers = [d for d in DTYPES if KINDS[d] == "bool" or d in INTEGERS]
    wider = {d: tuple(w for w in integers if w != d and np.can_cast(d, w)) for d in integers}
    holders = {d: wider[d] + floats for d in integers}
    holders |= {d: tuple(w for w in DTYPES if w != d and NUMPY.can_cast(d, w)) for d in DTYPES if d not in integers}
    return PromotionTable(
        holders,
        default_float=np.dtype(np.float32),
        default_complex=np.dtype(np.complex64),
        default_int=np.dtype(np.int32),
        default_index=np.dtype(np.int32),
    )


def test_another_table_gives_other_rules():
    device = device_table()
    for integer, real in pairs(INTEGERS, [d for d in DTYPES if KINDS[d].endswith("floating")]):
        assert device.promote(integer, real) is device.promote(real, integer) is real
    for one, other in pairs(DTYPES):
        if np.float64 not in (one, other) and np.complex128 not in (one, other):
            assert device.promote(one, other) not in (np.float64, np.complex128)
    assert device.promote(np.dtype(np.uint64), np.dtype(np.int64)) == np.float32
    assert device.result_type(np.uint64, np.int64, np.int8) == np.float32
    assert device.result_type(np.int64, 1.0) == device.result_type(1.0) == np.float32
    assert device.result_type(np.bool, 1) == device.result_type(1) == np.int32
    assert device.result_type(np.int8, 1j) == device.result_type(np.float32, 1j) == np.complex64
    assert device.result_type(np.float64, 1j) == np.complex128


@pytest.mark.parametrize("integer", [dtypes.BOOL, dtypes.INT8, dtypes.INT32, dtypes.UINT64])
def test_an_integer_does_not_make_the_others_meet_in_less(integer):
    """float64 and complex64 meet in complex128; with an integer beside them the float was left out."""
    for table in TABLES.values():
        assert table.result_type(dtypes.FLOAT64, dtypes.COMPLEX64, integer) == dtypes.COMPLEX128
