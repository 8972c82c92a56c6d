"""The dtype table: which dtypes and arrays are admitted, which are refused and with what remedy."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import dtypes
from trnarray.backends.dtypes import DTYPES, KIND_GROUPS, KINDS, LOW_PRECISION

EXTRA = [dtype for dtype in DTYPES if dtype.num >= 256]
STANDARD = [dtype for dtype in DTYPES if dtype.num < 256]


def test_the_table_is_the_standards_dtypes_and_the_low_precision_kinds():
    assert {d.name for d in STANDARD} == {
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64", "complex64", "complex128"),
    }
    assert {d.name for d in EXTRA} == {
        *("float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"),
        "bfloat16",
    }
    assert {*EXTRA, np.dtype(np.float16)} == LOW_PRECISION
    for dtype in DTYPES:
        assert getattr(dtypes, dtype.name.upper()) is dtype
        assert dtypes.is_low_precision(dtype) == (dtype in LOW_PRECISION)
        # The fast path for dtypes that NumPy computes in directly relies on type numbers.
        assert (dtype.num < 16) == (dtype not in LOW_PRECISION)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_spelling_gives_the_one_instance(dtype):
    spellings = [dtype, dtype.type, dtype.name, dtype.type(1), np.empty(0, dtype).dtype]
    if dtype.num < 256:
        spellings += [dtype.char, dtype.str, dtype.newbyteorder(">"), dtype.newbyteorder("<"), np.dtype(dtype, metadata={"a": 1})]
    for spelling in spellings:
        assert dtypes.canonical_dtype(spelling) is dtype, spelling


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        *((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")),
        *(("f4", "float32"), (">f4", "float32"), ("=i2", "int16"), ("?", "bool"), ("longlong", "int64"), ("q", "int64")),
        *((np.longlong, "int64"), (np.ulonglong, "uint64"), (np.dtype("Q"), "uint64"), ("double", "float64")),
        *(("bfloat16", "bfloat16"), ("float8_e5m2", "float8_e5m2"), (np.dtype(ml_dtypes.bfloat16).newbyteorder(), "bfloat16")),
    ],
)
def test_spellings(spelling, name):
    assert dtypes.canonical_dtype(spelling) is getattr(dtypes, name.upper())


REFUSED = [
    (object, "dtype object is not supported", "x.astype(np.float64)"),
    ("O", "dtype object is not supported", "convert to a numeric dtype first"),
    (str, "dtype <U0 is not supported", "parse the text into numbers first"),
    (np.dtypes.StringDType(), "dtype StringDType() is not supported", "parse the text into numbers first"),
    ("S5", "dtype |S5 is not supported", "parse the text into numbers first"),
    ("M8[s]", "dtype datetime64[s] is not supported", "x.astype(np.int64)"),
    (">m8[D]", "dtype >m8[D] is not supported", "x.astype(np.int64)"),
    ([("re", "f4"), ("im", "f4")], "[('re', '<f4'), ('im', '<f4')] is not supported", "x['re']"),
    ("f4,f8", "is not supported", "x['f0']"),
    ("V8", "dtype |V8 is not supported", "x.view(np.uint8)"),
    (("f4", 3), "dtype ('<f4', (3,)) is not supported", "the item dtype float32 alone and put (3,) into the shape"),
    ("g", f"dtype {np.dtype('g')} is not supported", "x.astype(np.float64)"),
    (np.clongdouble, f"dtype {np.dtype('G')} is not supported", "x.astype(np.complex128)"),
    (ml_dtypes.int4, "dtype int4 is not supported", "x.astype(np.int8)"),
    (ml_dtypes.uint4, "dtype uint4 is not supported", "x.astype(np.uint8)"),
    (ml_dtypes.float8_e5m2fnuz, "dtype float8_e5m2fnuz is not supported", "x.astype(np.float32)"),
    (None, "None is not a dtype", "leave the argument out"),
    (np.floating, "floating is a family of dtypes", "np.float64"),
    (np.generic, "generic is a family of dtypes", "np.float64"),
    (3.5, "3.5 is not a dtype", "name one of: bool"),
    ("float31", "'float31' is not a dtype", "name one of: bool"),
    ("f4,,", "is not a dtype", "name one of: bool"),
    (np.ones(2), "is not a dtype", "name one of: bool"),
    ({"names": 3}, "is not a dtype", "name one of: bool"),
    (list, "<class 'list'> is not a dtype", "name one of: bool"),
    (np.dtypes.Float32DType, "is not a dtype", "name one of: bool"),
]


@pytest.mark.parametrize(("spelling", "found", "remedy"), REFUSED, ids=lambda value: str(value)[:30])
def test_refusals_name_what_was_found_and_the_remedy(spelling, found, remedy):
    with pytest.raises(TypeError) as refusal:
        dtypes.canonical_dtype(spelling)
    assert found in str(refusal.value)
    assert remedy in str(refusal.value)


@pytest.mark.filterwarnings("ignore:Data type alias")  # of NumPy's, for b"a"
@given(st.one_of(st.text(max_size=4), st.integers(), st.binary(max_size=3), st.lists(st.text(max_size=2), max_size=2)))
def test_any_other_object_is_a_dtype_or_a_type_error(obj):
    try:
        found = dtypes.canonical_dtype(obj)
    except TypeError as error:
        found = error
    assert found in DTYPES if isinstance(found, np.dtype) else "; " in str(found)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_native_arrays_are_admitted_as_they_are(dtype):
    array = np.zeros((2, 3), dtype)[:, ::2]
    for copy in (None, True, False):
        assert dtypes.check_host_array(array, copy) is array


@pytest.mark.parametrize("dtype", [d for d in DTYPES if d.itemsize > 1], ids=str)
@pytest.mark.parametrize("copy", [None, True])
def test_foreign_byte_order_becomes_native(dtype, copy):
    array = np.arange(6).astype(dtype)
    foreign = array.byteswap().view(dtype.newbyteorder())
    native = dtypes.check_host_array(foreign, copy)
    assert native.dtype is dtype
    np.testing.assert_array_equal(native, array)
    assert dtypes.check_host_array(foreign.reshape(2, 3).T, copy).flags.f_contiguous
    with pytest.raises(ValueError, match="copy=False forbids; allow it with copy=None or convert first"):
        dtypes.check_host_array(foreign, copy=False)


@pytest.mark.parametrize(
    "dtype", [d for d, *_ in REFUSED if isinstance(d, str | list) and d not in ("float31", "f4,,")] + [np.longdouble, "V8", ml_dtypes.int4]
)
def test_arrays_of_other_dtypes_are_refused(dtype):
    for copy in (None, False):
        with pytest.raises(TypeError, match=r"is not supported .*; "):
            dtypes.check_host_array(np.empty(2, dtype), copy)


@pytest.mark.parametrize("dtype", STANDARD, ids=str)
def test_kinds_are_numpys(dtype):
    assert np.isdtype(dtype, dtypes.kind_of(dtype))
    assert dtypes.kind_of(dtype.type) == dtypes.kind_of(dtype)
    for kind in (*KIND_GROUPS, *STANDARD, *(d.type for d in STANDARD), ("bool", "integral"), (np.float32, "bool"), ()):
        assert dtypes.isdtype(dtype, kind) == dtypes.isdtype(dtype.type, kind) == np.isdtype(dtype, kind), kind


@pytest.mark.parametrize("dtype", EXTRA, ids=str)
def test_extra_dtypes_are_real_floating(dtype):
    assert [kind for kind in KIND_GROUPS if dtypes.isdtype(dtype, kind)] == ["real floating", "numeric"]
    assert [other for other in DTYPES if dtypes.isdtype(dtype, other)] == [dtype]
    assert dtypes.isdtype(dtype, ("bool", dtype.type))


@pytest.mark.parametrize("dtype", ["O", "U3", "M8[s]", "V4", "S1"])
def test_isdtype_answers_for_dtypes_that_arrays_cannot_have(dtype):
    assert not any(dtypes.isdtype(np.dtype(dtype), kind) for kind in (*KIND_GROUPS, *DTYPES))
    assert dtypes.isdtype(np.dtype(dtype), np.dtype(dtype))


def test_isdtype_refuses_what_is_no_kind():
    for kind in ("float32", "inexact", ("bool", "int"), "", "Bool"):
        with pytest.raises(ValueError, match="is unknown; use one of bool"):
            dtypes.isdtype(np.float32, kind)
    for kind in (None, 1, float, ("bool", ("numeric",)), ["bool"]):
        with pytest.raises(TypeError, match="kind must be a dtype or a kind name"):
            dtypes.isdtype(np.float32, kind)
    for dtype in ("f4", None, float, np.ones(1), 1.0):
        with pytest.raises(TypeError, match=r"dtype must be a dtype, such as np.float32, but is "):
            dtypes.isdtype(dtype, "bool")


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_components(dtype):
    if dtype.num < 256:
        assert dtypes.real_of(dtype) == np.zeros((), dtype).real.dtype
    else:
        assert dtypes.real_of(dtype) is dtype
    if KINDS[dtype].endswith("floating"):
        assert dtypes.complex_of(dtype) == (np.complex128 if dtype in (np.float64, np.complex128) else np.complex64)
    else:
        with pytest.raises(TypeError, match=f"dtype {dtype} is not floating; convert"):
            dtypes.complex_of(dtype)


def test_kind_of_refuses_other_dtypes():
    with pytest.raises(TypeError, match="dtype object is not supported"):
        dtypes.kind_of(np.dtype(object))


def test_an_array_is_no_dtype():
    class Lookalike:
        dtype = np.dtype(np.int8)
        shape = ()

    for obj in (Lookalike(), np.ones(2)):  # as in zeros(rows, columns)
        with pytest.raises(TypeError, match=r"an array is not a dtype; .* a shape as one tuple"):
            dtypes.canonical_dtype(obj)
