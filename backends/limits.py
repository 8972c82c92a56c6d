"""Machine limits of the floating and integer dtypes, with Python numbers for values."""

from functools import cache
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from .dtypes import DType, canonical_dtype, kind_of, real_of


class FloatLimits(NamedTuple):
    """What `finfo` tells of a real floating dtype, in NumPy's words."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType
    epsneg: float
    resolution: float
    smallest_subnormal: float
    tiny: float
    precision: int
    nmant: int
    nexp: int
    iexp: int
    machep: int
    negep: int
    minexp: int
    maxexp: int

    def __repr__(self) -> str:
        return repr(_source(self.dtype))

    def __str__(self) -> str:
        return str(_source(self.dtype))


class IntegerLimits(NamedTuple):
    """What `iinfo` tells of an integer dtype, in NumPy's words."""

    bits: int
    max: int
    min: int
    dtype: DType
    kind: str
    key: str

    def __repr__(self) -> str:
        return repr(np.iinfo(self.dtype))

    def __str__(self) -> str:
        return str(np.iinfo(self.dtype))


def finfo(dtype: Any, /) -> FloatLimits:
    """Return the limits of a floating dtype.

    Examples
    --------
    >>> finfo(np.complex64).eps, finfo("bfloat16").max
    (1.1920928955078125e-07, 3.3895313892515355e+38)
    """
    found = _dtype_argument(dtype)
    if not kind_of(found).endswith("floating"):
        raise ValueError(f"finfo needs a floating dtype but got {found}; use iinfo for integers")
    return _float_limits(real_of(found))


def iinfo(dtype: Any, /) -> IntegerLimits:
    """Return the limits of an integer dtype.

    Examples
    --------
    >>> iinfo(np.int8).min, iinfo(np.int8).max
    (-128, 127)
    """
    found = _dtype_argument(dtype)
    if not kind_of(found).endswith("integer"):
        raise ValueError(f"iinfo needs an integer dtype but got {found}; use finfo for floating dtypes")
    return _integer_limits(found)


def _dtype_argument(obj: Any) -> DType:
    """Take the dtype of an array or Python scalar; anything else has to be a dtype."""
    if isinstance(obj, bool | int | float | complex) and not isinstance(obj, np.generic):
        return canonical_dtype(type(obj))
    return canonical_dtype(obj if isinstance(obj, type) else getattr(obj, "dtype", obj))


def _source(dtype: DType) -> Any:
    """Return the limits as NumPy scalars: ml_dtypes knows its own dtypes and asks NumPy for the others."""
    return ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]


@cache
def _float_limits(dtype: DType) -> FloatLimits:
    info = _source(dtype)
    fields = FloatLimits.__annotations__.items()
    return FloatLimits._make(dtype if name == "dtype" else number(getattr(info, name)) for name, number in fields)


@cache
def _integer_limits(dtype: DType) -> IntegerLimits:
    info = np.iinfo(dtype)
    return IntegerLimits(int(info.bits), int(info.max), int(info.min), dtype, str(info.kind), str(info.key))
