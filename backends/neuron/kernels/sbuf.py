"""SBUF: how many partitions it has, and tiles there."""

from __future__ import annotations

from typing import Any, Final

from ...isa import nl

__all__ = ["PARTITIONS", "scratch"]

PARTITIONS: Final = 128


def scratch(shape: tuple[int, ...], dtype: Any) -> Any:
    """Make a tile, which has its place for as long as it is used."""
    return nl.ndarray(shape, dtype, buffer=nl.sbuf)
