"""Ops that convert arrays to other dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...dtypes import canonical_dtype
from ..value import Value
from . import Lowerings, NotNativeError
from .operands import check_cast, convert

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []


def _astype(builder: Builder, value: Any, dtype: Any, copy: bool = True) -> Any:
    """Convert as the standard does, which never drops an imaginary part."""
    if not isinstance(value, Value):
        raise NotNativeError("it has no array")
    wanted = canonical_dtype(dtype)
    if value.dtype.kind == "c" and wanted.kind not in "cb":
        raise TypeError(f"{value.dtype} does not convert to {wanted}, which has no imaginary part; take real(x) or imag(x) first")
    if wanted == value.dtype and not copy:
        return value
    return builder.make(convert(value.read(), value.dtype, wanted), wanted)


def _method(builder: Builder, value: Any, dtype: Any, order: Any = "K", casting: str = "unsafe") -> Any:
    """Convert as ndarray.astype does."""
    if not isinstance(value, Value) or order not in ("C", "K", "A", None):
        raise NotNativeError("memory layouts other than 'C' are made on the host")
    wanted = canonical_dtype(dtype)
    check_cast(value.dtype, wanted, casting)
    return builder.make(convert(value.read(), value.dtype, wanted), wanted)


LOWERINGS: Final[Lowerings] = {"astype": _astype, "ndarray.astype": _method}
