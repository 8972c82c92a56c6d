"""Spectra from half spectra: of complex numbers from those of both parts, and of real numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....isa import nisa, nl
from .engines import Engines

__all__ = ["combine", "spread"]

View = Callable[[Any, int, int, int], Any]
"""Views columns of transforms: of a tile, from a first one on, by a stride, and so many."""


def combine(of: View, halves: list[Any], spectra: list[Any], n: int, engines: Engines) -> None:
    """
    Combine half spectra of both planes, in each of which cosines come before sines, of n points.

    The first of the halves may be in PSUM.
    """
    (bank, other), (real, imaginary) = halves, spectra
    pairs, sines, ends = (n - 1) // 2, n // 2 + 1, (0,) if n % 2 else (0, n // 2)
    stride = max(1, ends[-1])
    few = of(real, 0, stride, len(ends))
    nisa.tensor_copy(few, of(bank, 0, stride, len(ends)), engine=nisa.engine.vector)
    engine = engines.take("tensor_copy", few.size // few.shape[0])
    nisa.tensor_copy(of(imaginary, 0, stride, len(ends)), of(other, 0, stride, len(ends)), engine=engine)
    if not pairs:
        return
    cosine, sine = (of(bank, start, 1, pairs) for start in (1, sines))
    others = [of(other, start, 1, pairs) for start in (1, sines)]
    for into, start, step, one, two, op in (
        (real, 1, 1, cosine, others[1], nl.subtract),
        (imaginary, 1, 1, sine, others[0], nl.add),
        (real, n - 1, -1, cosine, others[1], nl.add),
        (imaginary, n - 1, -1, others[0], sine, nl.subtract),
    ):
        engines.take("tensor_tensor", cosine.size // cosine.shape[0], psum=True)
        nisa.tensor_tensor(of(into, start, step, pairs), one, two, op, engine=nisa.engine.vector)


def spread(of: View, to: View, bank: Any, spectra: list[Any], n: int, engines: Engines, copier: Any) -> None:
    """Make spectra of half ones of real numbers, but for imaginary parts that are zero; views of what is read and of what is written."""
    (real, imaginary), pairs, sines = spectra, (n - 1) // 2, n // 2 + 1
    nisa.tensor_copy(to(real, 0, 1, sines), of(bank, 0, 1, sines), engine=copier)
    if not pairs:
        return
    nisa.tensor_copy(to(imaginary, 1, 1, pairs), of(bank, sines, 1, pairs), engine=copier)
    for into, start, sign in ((real, 1, 1.0), (imaginary, sines, -1.0)):
        source = of(bank, start, 1, pairs)
        engines.take("tensor_scalar", source.size // source.shape[0], psum=True)
        nisa.tensor_scalar(to(into, n - 1, -1, pairs), source, nl.multiply, sign, engine=nisa.engine.vector)
