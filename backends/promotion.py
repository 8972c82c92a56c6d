"""Promotion: the dtype in which operands meet, as one table per device.

A table is data: for each dtype its *holders*, the next wider dtypes that take its values. A dtype is an upper bound of
another when a chain of holders leads to it; operands meet in their first common upper bound, in the order of
`dtypes.DTYPES`. So promotion is total and does not depend on the order of operands, and a cast is safe exactly when it
goes to an upper bound.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from typing import Any, Final, Self

import numpy as np

from .dtypes import (
    BFLOAT16,
    BOOL,
    COMPLEX64,
    COMPLEX128,
    DTYPES,
    FLOAT8_E3M4,
    FLOAT8_E4M3,
    FLOAT8_E4M3FN,
    FLOAT8_E5M2,
    FLOAT8_E8M0FNU,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    KINDS,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    DType,
    canonical_dtype,
    complex_of,
)

CASTINGS: Final = ("no", "equiv", "safe", "same_kind", "unsafe")

_RANK: Final = {"bool": 0, "unsigned integer": 1, "signed integer": 2, "real floating": 3, "complex floating": 4}
_FLOAT: Final = _RANK["real floating"]
# Rank of the Python scalars: a dtype of at least this rank takes the scalar as it is.
_SCALAR_RANK: Final[dict[type, int]] = {bool: 0, int: 1, float: 3, complex: 4}
_BIT: Final = {dtype: 1 << place for place, dtype in enumerate(DTYPES)}


class _Table(dict[tuple[Any, Any], DType]):
    """A table whose entries are computed when they are first asked for: all 400 of them would cost a millisecond of import."""

    __slots__ = ("_compute",)

    def __init__(self, compute: Callable[[Any, Any], DType]) -> None:
        super().__init__()
        self._compute = compute

    def __missing__(self, key: tuple[Any, Any]) -> DType:
        dtype = self[key] = self._compute(*key)
        return dtype


class PromotionTable:
    """The promotion rules of one device.

    Parameters
    ----------
    holders
        For each supported dtype, the next wider dtypes that take its values, all later in `dtypes.DTYPES`.
    default_float, default_complex, default_int
        The dtypes that Python scalars get where no operand decides. Integers that only a float can hold together
        (uint64 and int64) meet in `default_float`.
    default_index
        The dtype of indices.

    Examples
    --------
    >>> NUMPY.promote(BFLOAT16, FLOAT16), NUMPY.result_type(INT8, 1.0)
    (dtype('float32'), dtype('float64'))
    """

    __slots__ = ("_pairs", "_upper", "_weak", "_wide", "default_complex", "default_float", "default_index", "default_int")

    def __init__(
        self,
        holders: Mapping[DType, tuple[DType, ...]],
        *,
        default_float: DType,
        default_complex: DType,
        default_int: DType,
        default_index: DType,
    ) -> None:
        self.default_float = default_float
        self.default_complex = default_complex
        self.default_int = default_int
        self.default_index = default_index
        self._upper: dict[DType, int] = {}  # the upper bounds of each dtype, as a bit set
        for dtype in reversed(DTYPES):
            bounds = _BIT[dtype]
            for holder in holders[dtype]:
                bounds |= self._upper[holder]
            self._upper[dtype] = bounds
        self._wide: dict[bool, Self] = {}
        self._pairs = _Table(lambda one, other: self._meet((one, other)))
        self._weak = _Table(self._meet_weak)

    def beside(self, dtypes: Collection[DType]) -> Self:
        """Give the table by which sequences of Python numbers get a dtype beside operands."""
        wide_floats = any(dtype in (FLOAT64, COMPLEX128) for dtype in dtypes)
        wide = wide_floats or any(dtype in (INT64, UINT64) for dtype in dtypes)
        if not wide or self.default_int == INT64:
            return self
        return self._wider(wide_floats)

    def _wider(self, floats: bool) -> Self:
        found = self._wide.get(floats)
        if found is None:
            found = self._wide[floats] = copy(self)
            found.default_int = INT64
            if floats:
                found.default_float, found.default_complex = FLOAT64, COMPLEX128
        return found

    def _meet(self, dtypes: Sequence[DType]) -> DType:
        """Return the first common upper bound; where there is none, that of the floats and complex numbers among them."""
        bounds, rank = -1, 0
        for dtype in dtypes:
            bounds &= self._upper[dtype]
            rank = max(rank, _RANK[KINDS[dtype]])
        if not bounds:
            inexact = [dtype for dtype in dtypes if _RANK[KINDS[dtype]] >= _FLOAT]
            return self._meet(inexact) if rank >= _FLOAT else self.default_float
        first = DTYPES[(bounds & -bounds).bit_length() - 1]
        return self.default_float if rank < _FLOAT == _RANK[KINDS[first]] else first

    def _meet_weak(self, dtype: DType, scalar: type) -> DType:
        """Return the dtype in which `dtype` meets a Python scalar, which has a kind but no width."""
        rank = _RANK[KINDS[dtype]]
        if rank >= _SCALAR_RANK[scalar]:
            return dtype
        if scalar is complex and rank == _FLOAT:
            return complex_of(dtype)
        return self._default(scalar)

    def _default(self, scalar: type) -> DType:
        defaults = {bool: BOOL, int: self.default_int, float: self.default_float, complex: self.default_complex}
        return defaults[scalar]

    def _strong(self, operand: Any) -> DType:
        """Return the dtype of an operand that is not exactly a Python scalar."""
        if isinstance(operand, type):  # first, because NumPy's scalar types have a descriptor named dtype
            return canonical_dtype(operand)
        dtype = getattr(operand, "dtype", None)
        if dtype is not None:
            return canonical_dtype(dtype)
        if isinstance(operand, (np.dtype, str)):
            return canonical_dtype(operand)
        for scalar in (int, float, complex):
            if isinstance(operand, scalar):  # an IntEnum, say, which NumPy takes for strong
                return self._default(scalar)
        kind = type(operand).__name__
        raise TypeError(f"an operand of type {kind} has no dtype; give an array, a dtype or a Python scalar")

    def promote(self, first: DType, second: DType, /) -> DType:
        """Return the dtype in which two dtypes meet.

        Examples
        --------
        >>> NUMPY.promote(INT8, BFLOAT16), NUMPY.promote(INT32, BFLOAT16)
        (dtype(bfloat16), dtype('float64'))
        """
        try:
            return self._pairs[first, second]
        except KeyError:
            return self._pairs[canonical_dtype(first), canonical_dtype(second)]

    def promote_weak(self, dtype: DType, scalar: type, /) -> DType:
        """Return the dtype in which `dtype` meets a Python scalar of type `scalar`.

        Examples
        --------
        >>> NUMPY.promote_weak(FLOAT16, float), NUMPY.promote_weak(FLOAT16, complex)
        (dtype('float16'), dtype('complex64'))
        """
        try:
            return self._weak[dtype, scalar]
        except KeyError:
            if scalar not in _SCALAR_RANK:
                raise TypeError(f"{scalar!r} is not a weak scalar type; use bool, int, float or complex") from None
            return self._weak[canonical_dtype(dtype), scalar]

    def result_type(self, *operands: Any) -> DType:
        """Return the dtype in which all operands meet.

        Examples
        --------
        >>> NUMPY.result_type(np.float32(1), 2.5, INT8), NUMPY.result_type(True, 1)
        (dtype('float32'), dtype('int64'))
        """
        if len(operands) == 2 and isinstance(operands[0], np.dtype) and isinstance(operands[1], np.dtype):
            return self.promote(operands[0], operands[1])  # the common call, three times faster
        strong: list[DType] = []
        weak: type | None = None
        for operand in operands:
            scalar = type(operand)
            if scalar not in _SCALAR_RANK:
                strong.append(self._strong(operand))
            elif weak is None or _SCALAR_RANK[scalar] > _SCALAR_RANK[weak]:
                weak = scalar
        if strong:
            met = self._meet(strong) if len(strong) != 2 else self._pairs[strong[0], strong[1]]
            return met if weak is None else self._weak[met, weak]
        if weak is None:
            raise ValueError("result_type got no operands; give at least one array, dtype or Python scalar")
        return self._default(weak)

    def can_cast(self, source: DType, target: DType, /, casting: str = "safe") -> bool:
        """Tell whether a cast from `source` to `target` is allowed under a casting rule; what users ask for is asked of `NUMPY`.

        Examples
        --------
        >>> NUMPY.can_cast(BFLOAT16, FLOAT32), NUMPY.can_cast(FLOAT32, BFLOAT16, "same_kind")
        (True, True)
        """
        source, target = canonical_dtype(source), canonical_dtype(target)
        if casting == "safe":
            return bool(self._upper[source] & _BIT[target])
        if casting == "same_kind":
            return _RANK[KINDS[source]] <= _RANK[KINDS[target]]
        if casting in ("no", "equiv"):
            return source == target
        if casting == "unsafe":
            return True
        raise ValueError(f"casting {casting!r} is unknown; use one of {', '.join(CASTINGS)}")


_INT_BOUNDS: Final = {dtype: (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)) for dtype, kind in KINDS.items() if "integer" in kind}


def check_weak_int(value: int, dtype: DType, /) -> None:
    """Refuse a Python integer that an integer dtype cannot hold; other dtypes take any.

    Examples
    --------
    >>> check_weak_int(255, UINT8)
    >>> check_weak_int(256, UINT8)
    Traceback (most recent call last):
    OverflowError: Python integer 256 out of bounds for uint8 (0 to 255); widen the array first, as in x.astype(np.uint16)
    """
    bounds = _INT_BOUNDS.get(dtype)
    if bounds is None or bounds[0] <= value <= bounds[1]:
        return
    wide = next((d.name for d, (low, high) in _INT_BOUNDS.items() if low <= value <= high), "float64")
    raise OverflowError(
        f"Python integer {value} out of bounds for {dtype} ({bounds[0]} to {bounds[1]}); widen the array first, as in x.astype(np.{wide})"
    )


# Of NumPy's dtypes the holders that NumPy gives them; of the others those that hold their values exactly.
_HOLDERS: Final[Mapping[DType, tuple[DType, ...]]] = {
    BOOL: (UINT8, INT8, FLOAT8_E3M4, FLOAT8_E4M3, FLOAT8_E4M3FN, FLOAT8_E5M2),  # float8_e8m0fnu has no zero
    UINT8: (UINT16, INT16, FLOAT16, BFLOAT16),
    INT8: (INT16, FLOAT16, BFLOAT16),
    UINT16: (UINT32, INT32, FLOAT32),
    INT16: (INT32, FLOAT32),
    UINT32: (UINT64, INT64),
    INT32: (INT64,),
    UINT64: (FLOAT64,),  # NumPy's convention, though float64 rounds above 2**53
    INT64: (FLOAT64,),
    FLOAT8_E3M4: (FLOAT16, BFLOAT16),
    FLOAT8_E4M3: (FLOAT16, BFLOAT16),
    FLOAT8_E4M3FN: (FLOAT16, BFLOAT16),
    FLOAT8_E5M2: (FLOAT16, BFLOAT16),
    FLOAT8_E8M0FNU: (BFLOAT16,),  # powers of two from 2**-127 to 2**127 exceed float16
    FLOAT16: (FLOAT32,),
    BFLOAT16: (FLOAT32,),
    FLOAT32: (FLOAT64, COMPLEX64),
    FLOAT64: (COMPLEX128,),
    COMPLEX64: (COMPLEX128,),
    COMPLEX128: (),
}

NUMPY: Final = PromotionTable(
    _HOLDERS, default_float=FLOAT64, default_complex=COMPLEX128, default_int=INT64, default_index=INT64
)
"""The host's table: NumPy's for NumPy's dtypes, exact for the others."""

# No float holds an integer here, so that an integer says nothing of the width of a float that it meets.
_INTEGERS_APART: Final[Mapping[DType, tuple[DType, ...]]] = {
    BOOL: (UINT8, INT8),
    UINT8: (UINT16, INT16),
    INT8: (INT16,),
    UINT16: (UINT32, INT32),
    INT16: (INT32,),
    UINT64: (),
    INT64: (),
}

NEURON: Final = PromotionTable(
    {**_HOLDERS, **_INTEGERS_APART}, default_float=FLOAT32, default_complex=COMPLEX64, default_int=INT32, default_index=INT32
)
"""The table of Neuron devices: defaults of 32 bits, and float64 from an explicit float64 operand only."""

TABLES: Final[Mapping[str, PromotionTable]] = {"native": NEURON, "numpy": NUMPY}
"""The tables of Neuron devices by the setting `defaults`."""
