"""Times, bytes and rates written with a prefix that suits them."""

from __future__ import annotations

from typing import Final

__all__ = ["bytes_text", "duration", "operations"]

_PREFIXES: Final = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def duration(seconds: float) -> str:
    """
    Write a time.

    Examples
    --------
    >>> duration(2.5e-6), duration(0.0412)
    ('2.50 us', '41.2 ms')
    """
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{_digits(seconds / size)} {unit}"
    return f"{_digits(seconds * 1e9)} ns"


def bytes_text(count: float) -> str:
    """
    Write a number of bytes.

    Examples
    --------
    >>> bytes_text(512), bytes_text(10.87e9)
    ('512 B', '10.9 GB')
    """
    return _prefixed(count, "B")


def operations(count: float, per: str = "") -> str:
    """
    Write a number of arithmetic operations.

    Examples
    --------
    >>> operations(2 * 128**3), operations(78.6e12, "/s")
    ('4.19 Mflop', '78.6 Tflop/s')
    """
    return _prefixed(count, f"flop{per}")


def _prefixed(count: float, unit: str) -> str:
    for size, prefix in _PREFIXES:
        if count >= size:
            return f"{_digits(count / size)} {prefix}{unit}"
    return f"{count:.0f} {unit}"


def _digits(value: float) -> str:
    """Three significant digits, and all of those before the point."""
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"
