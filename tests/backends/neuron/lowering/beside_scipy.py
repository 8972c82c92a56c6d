"""Operands of functions that are held against SciPy in double precision."""

import numpy as np

__all__ = ["drawn", "wide"]


def drawn(generator, *shape, dtype=np.float32):
    """Draw normal numbers, of both parts of complex ones."""
    a = generator.standard_normal(shape)
    return (a + 1j * generator.standard_normal(shape) if np.dtype(dtype).kind == "c" else a).astype(dtype)


def wide(item):
    """Convert an ndarray, or those of a tuple, to double precision."""
    if isinstance(item, tuple):
        return tuple(map(wide, item))
    return item.astype(complex if item.dtype.kind == "c" else float) if isinstance(item, np.ndarray) else item
