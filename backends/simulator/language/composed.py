"""Functions that no engine has: quotients, integral values, remainders, trigonometry, selection; composed of instructions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..errors import NkiConstraintError
from ..isa.elementwise import tensor_scalar
from ..isa.move import memset, tensor_copy
from ..isa.select import tensor_copy_predicated
from ..operators import OPERATORS
from ..source import calling_line
from ..tensor.nkitensor import NkiTensor
from .creation import ndarray
from .new_tiles import F32, applied, with_number, with_tile

__all__ = ["ceil", "cos", "divide", "floor", "fmod", "logical_not", "mod", "negative", "reduced_sin", "same_shape", "tan", "trunc", "where"]


def _tile(x: NkiTensor | float, like: NkiTensor) -> NkiTensor:
    """Copy a tile, or a number, to a float32 tile."""
    result = ndarray(like.shape, F32)
    if isinstance(x, NkiTensor):
        tensor_copy(result, x)
    else:
        memset(result, x)
    return result


def same_shape(name: str, operands: tuple[Any, ...]) -> None:
    """Check that tiles have one shape."""
    shapes = [x.shape for x in operands if isinstance(x, NkiTensor)]
    if len(set(shapes)) > 1:
        raise NkiConstraintError(
            f"nl.{name}",
            "binary operations of tiles do not broadcast",
            " and ".join(map(str, shapes)),
            "one shape: nl.broadcast_to, nisa.tensor_scalar for one value per partition, or NkiTensor.broadcast",
            "NKI 0.3 and 0.4 release notes, known issues, carried forward",
            calling_line(),
        )


def _pair(name: str, x: Any, y: Any) -> tuple[NkiTensor, NkiTensor, str]:
    """Make two float32 tiles, and find the dtype of the first."""
    first = next((v for v in (x, y) if isinstance(v, NkiTensor)), None)
    if first is None:
        raise TypeError(f"nl.{name}: one operand is a tile; {type(x).__name__} and {type(y).__name__} given")
    same_shape(name, (x, y))
    return _tile(x, first), _tile(y, first), first.dtype


def divide(x: NkiTensor | float, y: NkiTensor | float, dtype: Any = None) -> NkiTensor:
    """
    Divide: multiply by the reciprocal, since no engine divides; within 1.5 units in the last place.

    See `nki.language.divide`.
    """
    left, right, default = _pair("divide", x, y)
    return with_tile(left, "multiply", with_number(right, "reciprocal", 0.0), dtype or default)


def logical_not(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Negate booleans. See `nki.language.logical_not`."""
    return with_number(x, "logical_xor", 1.0, dtype=dtype or x.dtype)


def negative(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Change the sign. See `nki.language.negative`."""
    return with_number(x, "multiply", -1.0, dtype=dtype or x.dtype)


def _floor(x: NkiTensor) -> NkiTensor:
    """Round a float32 tile down: the cast to int32 rounds to nearest; what is beyond it is integral already."""
    nearest, result = ndarray(x.shape, "int32"), ndarray(x.shape, F32)
    tensor_copy(nearest, x)
    rounded = _tile(nearest, x)
    down = with_tile(rounded, "subtract", with_tile(rounded, "greater", x))
    tensor_copy(result, x)
    tensor_copy_predicated(result, down, with_number(x, "abs", 0.0, "less", 2.0**23, "uint8"))
    return result


def floor(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Round down. See `nki.language.floor`."""
    return _cast(_floor(_tile(x, x)), dtype or x.dtype)


def _cast(x: NkiTensor, dtype: Any) -> NkiTensor:
    result = ndarray(x.shape, dtype)
    tensor_copy(result, x)
    return result


def ceil(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Round up. See `nki.language.ceil`."""
    return with_number(_floor(with_number(x, "multiply", -1.0)), "multiply", -1.0, dtype=dtype or x.dtype)


def trunc(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Round towards zero. See `nki.language.trunc`."""
    magnitude = _floor(with_number(x, "abs", 0.0))
    return with_tile(magnitude, "multiply", applied("sign", x), dtype or x.dtype)


def _remainder(x: NkiTensor, y: NkiTensor) -> NkiTensor:
    """Remainder of division by positive values, in [0, y); a quotient that was rounded over an integer is set right."""
    quotient = _floor(with_tile(x, "multiply", with_number(y, "reciprocal", 0.0)))
    rest = with_tile(x, "subtract", with_tile(quotient, "multiply", y))
    rest = with_tile(rest, "add", with_tile(with_number(rest, "less", 0.0), "multiply", y))
    return with_tile(rest, "subtract", with_tile(with_tile(rest, "greater_equal", y), "multiply", y))


def fmod(x: NkiTensor | float, y: NkiTensor | float, dtype: Any = None) -> NkiTensor:
    """
    Take the remainder with the sign of `x`; accurate to a few units of roundoff of the operands.

    See `nki.language.fmod`.
    """
    left, right, default = _pair("fmod", x, y)
    rest = _remainder(with_number(left, "abs", 0.0), with_number(right, "abs", 0.0))
    return with_tile(rest, "multiply", applied("sign", left), dtype or default)


def mod(x: NkiTensor | float, y: NkiTensor | float, dtype: Any = None) -> NkiTensor:
    """
    Take the remainder with the sign of `y`; accurate to a few units of roundoff of the operands.

    See `nki.language.mod`.
    """
    left, right, default = _pair("mod", x, y)
    sign = applied("sign", right)
    rest = _remainder(with_tile(left, "multiply", sign), with_number(right, "abs", 0.0))
    return with_tile(rest, "multiply", sign, dtype or default)


_HIGH: Final = 6.28125  # eight bits, so that small multiples are exact
_MIDDLE: Final = float(np.float32(round((2 * np.pi - _HIGH) * 2**20) / 2**20))
_LOW: Final = 2 * np.pi - _HIGH - _MIDDLE


def _within_a_turn(x: NkiTensor) -> NkiTensor:
    """Bring angles to [-pi, pi] by subtracting whole turns in three parts."""
    turns, angle = ndarray(x.shape, "int32"), _tile(x, x)
    tensor_scalar(turns, angle, OPERATORS["multiply"], 1 / (2 * np.pi))
    count = _tile(turns, x)
    for part in (_HIGH, _MIDDLE, _LOW):
        angle = with_tile(angle, "subtract", with_number(count, "multiply", part))
    limit = float(np.nextafter(np.float32(np.pi), np.float32(0)))
    return with_number(angle, "minimum", limit, "maximum", -limit)


def _quarter(angle: NkiTensor) -> NkiTensor:
    """Turn angles within [-pi, pi] so that their sine is the cosine."""
    return with_number(with_number(angle, "abs", 0.0), "multiply", -1.0, "add", np.pi / 2)


def reduced_sin(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Take the sine of any angle, which is first brought within a turn."""
    return applied("sin", _within_a_turn(x), dtype or x.dtype)


def cos(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Take the cosine. See `nki.language.cos`."""
    return applied("sin", _quarter(_within_a_turn(x)), dtype or x.dtype)


def tan(x: NkiTensor, dtype: Any = None) -> NkiTensor:
    """Take the tangent: the sine divided by the cosine. See `nki.language.tan`."""
    angle = _within_a_turn(x)
    cosine = applied("sin", _quarter(angle))
    return with_tile(applied("sin", angle), "multiply", with_number(cosine, "reciprocal", 0.0), dtype or x.dtype)


def where(condition: NkiTensor, x: NkiTensor | float, y: NkiTensor | float, dtype: Any = None) -> NkiTensor:
    """Select from two tiles. See `nki.language.where`."""
    first = next((v for v in (x, y) if isinstance(v, NkiTensor)), condition)
    target = dtype or first.dtype
    result, chosen = ndarray(condition.shape, target), x
    if isinstance(y, NkiTensor):
        tensor_copy(result, y)
    else:
        memset(result, y)
    if isinstance(x, NkiTensor) and x.dtype != target:
        chosen = _cast(x, target)
    tensor_copy_predicated(result, chosen, with_number(condition, "not_equal", 0.0, dtype="uint8"))
    return result
