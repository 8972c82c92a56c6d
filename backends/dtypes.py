"""The dtypes that arrays can have, and the checks that admit a dtype or an ndarray as one of them.

`KINDS` is the one table: every supported dtype, in promotion order (see `promotion`), with its kind in the words of the
Array API standard. Everything else here is looked up in it.
"""

import reprlib
from typing import Any, Final, TypeAlias

import ml_dtypes
import numpy as np

DType: TypeAlias = np.dtype[Any]
HostArray: TypeAlias = np.ndarray[Any, Any]  # numpy.typing.NDArray costs a millisecond of import time

BOOL: Final[DType] = np.dtype(np.bool)
UINT8: Final[DType] = np.dtype(np.uint8)
INT8: Final[DType] = np.dtype(np.int8)
UINT16: Final[DType] = np.dtype(np.uint16)
INT16: Final[DType] = np.dtype(np.int16)
UINT32: Final[DType] = np.dtype(np.uint32)
INT32: Final[DType] = np.dtype(np.int32)
UINT64: Final[DType] = np.dtype(np.uint64)
INT64: Final[DType] = np.dtype(np.int64)
FLOAT8_E3M4: Final[DType] = np.dtype(ml_dtypes.float8_e3m4)
FLOAT8_E4M3: Final[DType] = np.dtype(ml_dtypes.float8_e4m3)
FLOAT8_E4M3FN: Final[DType] = np.dtype(ml_dtypes.float8_e4m3fn)
FLOAT8_E5M2: Final[DType] = np.dtype(ml_dtypes.float8_e5m2)
FLOAT8_E8M0FNU: Final[DType] = np.dtype(ml_dtypes.float8_e8m0fnu)
FLOAT16: Final[DType] = np.dtype(np.float16)
BFLOAT16: Final[DType] = np.dtype(ml_dtypes.bfloat16)
FLOAT32: Final[DType] = np.dtype(np.float32)
FLOAT64: Final[DType] = np.dtype(np.float64)
COMPLEX64: Final[DType] = np.dtype(np.complex64)
COMPLEX128: Final[DType] = np.dtype(np.complex128)

KINDS: Final[dict[DType, str]] = {
    BOOL: "bool",
    UINT8: "unsigned integer",
    INT8: "signed integer",
    UINT16: "unsigned integer",
    INT16: "signed integer",
    UINT32: "unsigned integer",
    INT32: "signed integer",
    UINT64: "unsigned integer",
    INT64: "signed integer",
    FLOAT8_E3M4: "real floating",
    FLOAT8_E4M3: "real floating",
    FLOAT8_E4M3FN: "real floating",
    FLOAT8_E5M2: "real floating",
    FLOAT8_E8M0FNU: "real floating",
    FLOAT16: "real floating",
    BFLOAT16: "real floating",
    FLOAT32: "real floating",
    FLOAT64: "real floating",
    COMPLEX64: "complex floating",
    COMPLEX128: "complex floating",
}
"""Every supported dtype and its kind, narrowest first."""

DTYPES: Final[tuple[DType, ...]] = tuple(KINDS)
LAST_PLAIN: Final = COMPLEX128.num
"""The largest `dtype.num` that NumPy computes in as we want it; the low-precision dtypes have larger ones."""
FIRST_EXTRA: Final = 256
"""NumPy numbers the dtypes of extension modules, such as ml_dtypes, from here."""
"""The supported dtypes in promotion order."""

LOW_PRECISION: Final[frozenset[DType]] = frozenset(
    (FLOAT8_E3M4, FLOAT8_E4M3, FLOAT8_E4M3FN, FLOAT8_E5M2, FLOAT8_E8M0FNU, FLOAT16, BFLOAT16)
)
"""The dtypes that compute and accumulate in float32 and round once."""

KIND_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    **{kind: (kind,) for kind in KINDS.values()},
    "integral": ("signed integer", "unsigned integer"),
    "numeric": ("signed integer", "unsigned integer", "real floating", "complex floating"),
}
"""Every kind name that `isdtype` knows, and the kinds it stands for."""

_SUPPORTED: Final = "bool, (u)int8 to (u)int64, float16 to float64, complex64, complex128, bfloat16 and float8 kinds"

# All the usual spellings: a hit costs one dictionary look-up. NumPy compares dtypes by value, so `longlong` finds int64.
_BY_SPELLING: Final[dict[Any, DType]] = {
    **{dtype: dtype for dtype in DTYPES},
    **{dtype.type: dtype for dtype in DTYPES},
    **{dtype.name: dtype for dtype in DTYPES},
    **{scalar: np.dtype(scalar) for scalar in (bool, int, float, complex)},
}

# The remedy for data of each unsupported dtype, by type character or else by the letter of its kind.
_REMEDIES: Final[dict[str, str]] = {
    "O": "convert to a numeric dtype first, as in x.astype(np.float64)",
    **dict.fromkeys("UTS", "parse the text into numbers first, as in x.astype(np.float64)"),
    **dict.fromkeys("Mm", "take the counts first, as in x.astype(np.int64)"),
    "V": "view the bytes as numbers first, as in x.view(np.uint8)",
    "g": "round to double precision first, as in x.astype(np.float64)",
    "G": "round to double precision first, as in x.astype(np.complex128)",
}
# NumPy's abstract scalar types, which its older versions take for some default dtype.
_ABSTRACT: Final = frozenset(
    (
        *(np.generic, np.number, np.integer, np.signedinteger, np.unsignedinteger),
        *(np.inexact, np.floating, np.complexfloating, np.flexible, np.character),
    )
)


def _unsupported(dtype: DType) -> TypeError:
    """Say which dtype was found, and how its data becomes data of a supported one."""
    if dtype.names:
        remedy = f"take one numeric field at a time, as in x[{dtype.names[0]!r}]"
    elif dtype.subdtype is not None:
        remedy = f"name the item dtype {dtype.base} alone and put {dtype.shape} into the shape"
    elif dtype.num >= FIRST_EXTRA and dtype.char != "T":  # another package's, such as ml_dtypes' int4 or float8_e5m2fnuz
        wide = {"i": "int8", "u": "uint8", "c": "complex64", "b": "complex64"}.get(dtype.name[0], "float32")
        remedy = f"widen it first, as in x.astype(np.{wide})"
    else:
        remedy = _REMEDIES.get(dtype.char) or _REMEDIES[dtype.kind]
    return TypeError(f"dtype {dtype} is not supported (supported: {_SUPPORTED}); {remedy}")


def canonical_dtype(obj: Any, /) -> DType:
    """Return the supported dtype that `obj` spells.

    Examples
    --------
    >>> canonical_dtype(float), canonical_dtype(">f4"), canonical_dtype("bfloat16")
    (dtype('float64'), dtype('float32'), dtype(bfloat16))
    """
    try:
        return _BY_SPELLING[obj]
    except (KeyError, TypeError):  # TypeError: unhashable, such as the list of a structured dtype
        return _parse(obj)


def _parse(obj: Any) -> DType:
    """Resolve an unusual spelling through NumPy, or say why it cannot be."""
    if obj is None:
        raise TypeError("None is not a dtype; leave the argument out or name a dtype such as np.float64")
    if isinstance(obj, type) and obj in _ABSTRACT:
        raise TypeError(f"{obj.__name__} is a family of dtypes; name one of them, such as np.float64 or np.int64")
    if hasattr(type(obj), "dtype") and hasattr(type(obj), "shape") and not isinstance(obj, np.generic):
        # NumPy would take the dtype of an array that is not its own.
        raise TypeError(f"an array is not a dtype; name one of: {_SUPPORTED}, or give x.dtype, or a shape as one tuple")
    try:
        dtype: DType = np.dtype(obj)
    except (TypeError, ValueError, SyntaxError, RecursionError) as error:  # of NumPy: "f4,f4" strings are parsed, lists of fields shown
        raise TypeError(f"{reprlib.repr(obj)} is not a dtype ({error}); name one of: {_SUPPORTED}") from None
    if dtype.char == "O" and not (obj is object or isinstance(obj, str | np.dtype)):
        # NumPy takes any class for "objects of that class".
        raise TypeError(f"{reprlib.repr(obj)} is not a dtype; name one of: {_SUPPORTED}")
    found = _BY_SPELLING.get(dtype if dtype.isnative else dtype.newbyteorder("="))
    if found is None:
        raise _unsupported(dtype)
    return found


def native_dtype(obj: Any, /) -> DType:
    """Return the supported dtype that `obj` spells, in native byte order only: the bytes are to be read as they are.

    Examples
    --------
    >>> native_dtype("f4")
    dtype('float32')
    """
    dtype = canonical_dtype(obj)
    if dtype.itemsize > 1 and not np.dtype(obj).isnative:
        raise TypeError(
            f"Arrays are in native byte order, and {obj!r} is not; reverse the bytes first, as in x.byteswap().view({dtype.name!r})"
        )
    return dtype


def check_host_array(array: HostArray, copy: bool | None = None) -> HostArray:
    """Return `array` as host data: of a supported dtype in native byte order.

    Examples
    --------
    >>> check_host_array(np.ones(2, ">f4")).dtype
    dtype('float32')
    """
    dtype = array.dtype
    if dtype in KINDS:
        return array
    native = None if dtype.isnative else _BY_SPELLING.get(dtype.newbyteorder("="))
    if native is None:
        raise _unsupported(dtype)
    if copy is False:
        raise ValueError(
            f"an array of dtype {dtype.str} needs a copy in native byte order, which copy=False forbids; "
            f"allow it with copy=None or convert first, as in x.astype(np.{native.name})"
        )
    return array.view(native).copy("K").byteswap(inplace=True)  # ml_dtypes before 0.5.4 has astype forget to swap


def kind_of(dtype: DType, /) -> str:
    """Return the kind of a supported dtype in the words of the Array API standard.

    Examples
    --------
    >>> kind_of(BFLOAT16)
    'real floating'
    """
    try:
        return KINDS[dtype]
    except KeyError:
        return KINDS[canonical_dtype(dtype)]


def is_low_precision(dtype: DType, /) -> bool:
    """Tell whether `dtype` computes in float32 on the host: float16, bfloat16 and the float8 kinds."""
    return dtype in LOW_PRECISION


def is_double(dtype: DType, /) -> bool:
    """Tell whether `dtype` is float64 or complex128."""
    return dtype in _DOUBLE


SINGLE_OF: Final = {FLOAT64: FLOAT32, COMPLEX128: COMPLEX64}
"""Single precision for double precision."""
_DOUBLE: Final = frozenset(SINGLE_OF)
_REAL_OF: Final = {COMPLEX64: FLOAT32, COMPLEX128: FLOAT64}
_COMPLEX_OF: Final = {
    dtype: dtype if kind == "complex floating" else COMPLEX128 if dtype == FLOAT64 else COMPLEX64
    for dtype, kind in KINDS.items()
    if kind in ("real floating", "complex floating")
}


def real_of(dtype: DType, /) -> DType:
    """Return the dtype of the real part: the component dtype of a complex dtype, else `dtype` itself.

    Examples
    --------
    >>> real_of(COMPLEX64), real_of(INT8)
    (dtype('float32'), dtype('int8'))
    """
    return _REAL_OF.get(dtype, dtype)


def complex_of(dtype: DType, /) -> DType:
    """Return the smallest complex dtype that holds a floating dtype.

    Examples
    --------
    >>> complex_of(BFLOAT16), complex_of(FLOAT64)
    (dtype('complex64'), dtype('complex128'))
    """
    try:
        return _COMPLEX_OF[dtype]
    except KeyError:
        raise TypeError(f"dtype {dtype} is not floating; convert to a floating dtype first") from None


def isdtype(dtype: Any, kind: Any, /) -> bool:
    """Tell whether `dtype` is of a kind.

    Examples
    --------
    >>> isdtype(BFLOAT16, "real floating"), isdtype(np.int8, ("bool", np.int8))
    (True, True)
    """
    found = _dtype_or_type(dtype, "dtype")
    own_kind = KINDS.get(found)
    answers = []
    for one in kind if isinstance(kind, tuple) else (kind,):
        if not isinstance(one, str):
            answers.append(found == _dtype_or_type(one, "kind"))
        elif one in KIND_GROUPS:
            answers.append(own_kind in KIND_GROUPS[one])
        else:
            raise ValueError(f"kind {one!r} is unknown; use one of {', '.join(KIND_GROUPS)} or a dtype")
    return any(answers)


def _dtype_or_type(obj: Any, argument: str) -> DType:
    """Accept what the standard calls a dtype object: a dtype or a scalar type, but no string and no array."""
    if isinstance(obj, np.dtype):
        return _BY_SPELLING.get(obj, obj)
    if isinstance(obj, type) and issubclass(obj, np.generic):
        return canonical_dtype(obj)
    names = " or a kind name" if argument == "kind" else ""
    raise TypeError(f"{argument} must be a dtype{names}, such as np.float32, but is {reprlib.repr(obj)} of {type(obj).__name__}")
