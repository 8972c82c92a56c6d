"""Signatures of universal functions: operands broadcast, and a loop is chosen by their dtypes, `dtype` and `casting`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..rules import UfuncRule
from .call import Call, NotNativeError, Output, Reader, SignatureKind

if TYPE_CHECKING:
    from ..dtypes import DType

__all__ = ["clip", "elementwise", "infinity", "of_optional", "outer", "power", "ufunc_output"]

_WEAK: Final = frozenset({bool, int, float, complex})
_REFUSED: Final = "it has parameters that are looked after on the host"


def elementwise(rule: UfuncRule) -> SignatureKind:
    """Read calls of a universal function: attributes are its loop alone."""
    count = rule.operands
    found: dict[tuple[object, ...], dict[str, Any]] = {}  # attributes by dtypes, since elementwise calls are counted in microseconds

    def read(reader: Reader, *operands: Any, **options: Any) -> Call:
        if len(operands) != count:
            if len(operands) < count:
                raise NotNativeError(_REFUSED)
            options["out"] = operands[count] if len(operands) == count + 1 else operands[count:]  # given by position
            operands = operands[:count]
        if not reader.plain.issuperset(map(type, operands)):
            operands = tuple(map(reader.operand, operands))
        if options:
            return _with_options(reader, rule, operands, **options)
        promotion = reader.promotion
        key = (promotion, *[kind if (kind := type(item)) in _WEAK else item.dtype for item in operands])
        attributes = found.get(key)
        if attributes is None:
            attributes = found[key] = {"loop": rule.loop(promotion, *operands)}
        return tuple.__new__(Call, (operands, attributes, None))  # as Call does, in a third of the time

    return read


def _with_options(
    reader: Reader, rule: UfuncRule, operands: tuple[Any, ...], *, dtype: DType | None = None, casting: str = "same_kind",
    order: str = "K", subok: bool = True, out: Any = None, where: Any = True, **others: Any,
) -> Call:  # fmt: skip
    if others or order not in ("K", "C", "A") or not subok:
        raise NotNativeError(_REFUSED)
    loop = rule.loop(reader.promotion, *operands, dtype=dtype, casting=casting)
    return Call(operands, {"loop": loop}, ufunc_output(reader, len(loop.outs), out, where, casting))


def ufunc_output(reader: Reader, count: int, out: Any, where: Any = True, casting: str = "same_kind") -> Output | None:
    """Read where a universal function writes its results."""
    if out is None and where is True:
        return None
    targets = out if isinstance(out, tuple) else (out,) * count
    return Output(targets, where if where is True else reader.operand(where), casting, broadcasts=True)


def outer(signature: SignatureKind | None) -> SignatureKind | None:
    """Read ``ufunc.outer`` of arrays as a ufunc reads operands."""
    if signature is None:
        return None

    def read(reader: Reader, A: Any, B: Any, /, **options: Any) -> Call:
        return signature(reader, reader.array(A), reader.array(B), **options)

    return read


_OF_BOUNDS: Final = (UfuncRule(np.positive, booleans=False), UfuncRule(np.maximum), UfuncRule(np.maximum, operands=3))
"""By the number of bounds."""


def clip(reader: Reader, a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, **options: Any) -> Call:
    """Read ``numpy.clip``: a bound that no element can be beyond is None, as one that is not given."""
    value = reader.operand(a)
    dtype = getattr(value, "dtype", None)
    if dtype is not None and dtype.kind in "iu":  # Python integers may be beyond the dtype
        limits = np.iinfo(dtype)
        a_min = None if type(a_min) is int and a_min <= limits.min else a_min
        a_max = None if type(a_max) is int and a_max >= limits.max else a_max
    given = [item if item is None else reader.operand(item) for item in (a_min, a_max)]
    bounds = [item for item in given if item is not None]
    return _with_options(reader, _OF_BOUNDS[len(bounds)], (value, *bounds), out=out, **options)._replace(operands=(value, *given))


def of_optional(reader: Reader, first: Any, second: Any = None, out: Any = None) -> Call:
    """Read functions of SciPy that are one of two universal functions, by whether there is a second operand."""
    return Call((reader.operand(first), second if second is None else reader.operand(second)), {}, ufunc_output(reader, 1, out))


def infinity(reader: Reader, x: Any, out: Any = None) -> Call:
    """Read ``numpy.isposinf`` and ``numpy.isneginf``."""
    value = reader.array(x)
    if value.dtype.kind == "c":
        raise TypeError("the sign of an infinity is not defined for complex numbers; look at real and imaginary part")
    return Call((value,), {}, ufunc_output(reader, 1, out))


_POWER: Final = elementwise(UfuncRule(np.power))


def power(reader: Reader, *operands: Any, **options: Any) -> Call:
    """Read ``numpy.power``, of which integers are refused by their exponents, wherever these are written."""
    call = _POWER(reader, *operands, **options)
    masked = call.output is not None and call.output.where is not True
    if masked and call.attributes["loop"].ins[0].kind == "i" and hasattr(call.operands[1], "dtype"):
        raise NotNativeError(_REFUSED)
    return call
