"""Operands of scipy.signal."""

from __future__ import annotations

from typing import Any

from ...promotion import PromotionTable
from ...shape import checked_axis
from ..signature import Shape, refused, signature_of

__all__ = ["along", "are_positive", "check_window", "coefficients", "number", "with_length"]


def number(value: Any, least: int = 1) -> int:
    """Read an integer of at least so much."""
    if type(value) is not int or value < least:
        raise refused()
    return value


def with_length(shape: Shape, axis: int, length: int) -> Shape:
    """Give one axis another length."""
    return (*shape[:axis], length, *shape[axis + 1 :])


def along(promotion: PromotionTable, x: Any, axis: Any, *, none: bool = False) -> tuple[Shape, int]:
    """Read signals, and the axis along which they lie; each has a sample at least, and with `none` there may be no signals."""
    shape = signature_of(promotion, x).shape
    if not shape or type(axis) is not int or not -len(shape) <= axis < len(shape):
        raise refused()
    if not shape[axis] or (0 in shape and not none):
        raise refused()
    return shape, checked_axis(axis, len(shape))


def coefficients(promotion: PromotionTable, *operands: Any) -> list[int]:
    """Read vectors of coefficients: their lengths."""
    shapes = [signature_of(promotion, item).shape for item in operands]
    if any(len(shape) != 1 or not shape[0] for shape in shapes):
        raise refused()
    return [shape[0] for shape in shapes]


def are_positive(*numbers: Any) -> bool:
    """Tell whether all are positive numbers, or None."""
    return all(number is None or (isinstance(number, (int, float)) and number > 0) for number in numbers)


def check_window(window: Any) -> None:
    """Let SciPy look at the name of a window, and at its parameters."""
    if not isinstance(window, str) and not (isinstance(window, tuple) and all(isinstance(item, (str, int, float)) for item in window)):
        raise refused()
    import scipy.signal  # here, where it is needed: the host function is there by then

    name, *numbers = window if isinstance(window, tuple) else (window,)
    name = name.removesuffix("_periodic") if isinstance(name, str) else name  # which not every SciPy knows
    try:
        scipy.signal.get_window((name, *numbers) if numbers else name, 3)
    except (TypeError, ValueError):
        raise refused() from None
