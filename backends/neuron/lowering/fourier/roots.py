"""Roots of unity and what is made of them: exponents are reduced in integers, values evaluated in float64, to be rounded once."""

from __future__ import annotations

import functools
import math
from typing import Final

import numpy as np
import numpy.typing as npt

from ... import folding, two_steps
from ...three_steps import three_matrices

__all__ = [
    "HALVES", "OF_ROWS", "chirp", "chirp_spectrum", "cosine_pairs", "digits", "first_digits", "folded", "folded_half", "half_rows",
    "matrix", "paired", "paired_half", "paired_real", "planes", "powers", "scale", "second_digits", "stacked", "tripled", "twiddles",
    "volume",
]  # fmt: skip

HALVES: Final = ("irfft", "hfft")
"""Transforms of half a Hermitian spectrum, to real numbers."""

_KEPT: Final = 1 << 16
"""The most roots of a table that is kept."""


def _roots(n: int) -> npt.NDArray[np.complex128]:
    """Evaluate exp(-2πi k / n) for all k; quarter turns are exact."""
    return _kept_roots(n) if n <= _KEPT else powers(n, np.arange(n))


def powers(n: int, exponents: npt.NDArray[np.int64]) -> npt.NDArray[np.complex128]:
    """
    Evaluate exp(-2πi k / n) for exponents from 0 to n, the angle reduced to an eighth of a turn.

    Numbers whose angles are mirror images have the same magnitudes, so that what cancels exactly does so in exact sums.
    """
    octant, rest = np.divmod(8 * exponents, n)
    rest = np.where(octant % 2, n - rest, rest)
    angle = np.pi * rest / (4 * n)
    near, far = np.cos(angle), np.where(rest == n, math.sqrt(0.5), np.sin(angle))
    swapped, turned = (octant + 1) % 4 >= 2, octant % 8
    found: npt.NDArray[np.complex128] = np.where(swapped, far, near) * np.where((turned + 2) % 8 < 4, 1.0, -1.0) + 0j
    found.imag = np.where(swapped, near, far) * np.where(turned < 4, -1.0, 1.0) + 0.0
    return found


@functools.lru_cache(maxsize=32)
def _kept_roots(n: int) -> npt.NDArray[np.complex128]:
    return powers(n, np.arange(n))


def scale(n: int, norm: str, *, inverse: bool) -> float:
    """Find the factor of a norm, which SciPy names."""
    if norm == "ortho":
        return 1.0 / math.sqrt(n)
    return 1.0 / n if (norm == "forward") != inverse else 1.0


def half_rows(n: int) -> npt.NDArray[np.float64]:
    """Give the weights of half a spectrum, whose elements stand for their conjugates, too."""
    weights = np.full(n // 2 + 1, 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    return weights


def matrix(kind: str, n: int, factor: float, rows: int) -> npt.NDArray[np.complex128]:
    """Make the first rows of the matrix that multiplies rows from the right: (length of the input, length of the result)."""
    columns = n // 2 + 1 if kind in ("rfft", "ihfft") else n
    exponents = np.multiply.outer(np.arange(rows), np.arange(columns)) % n
    made: npt.NDArray[np.complex128] = _roots(n)[exponents] * factor
    if kind in ("ifft", "ihfft", "irfft"):
        made = made.conj()
    if kind in HALVES:
        made = made * half_rows(n)[:rows, np.newaxis]
    return made


def folded(n: int, factor: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the matrix of folded rows."""
    return folding.matrix(n, factor, _roots, smallest)


def stacked(n: int, factor: float) -> npt.NDArray[np.float64]:
    """Make the matrix of short complex rows."""
    return folding.stacked_matrix(n, factor, _roots)


def paired(n: int, factor: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of rows in two steps."""
    return two_steps.matrices(n, factor, _roots, smallest)


def tripled(n: int, factor: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of rows in three steps."""
    return three_matrices(n, factor, _roots, smallest)


def paired_half(n: int, factor: float, inverse: bool, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of half spectra in two steps, to real rows."""
    return two_steps.half_matrices(n, factor, _roots, smallest, inverse=inverse)


def paired_real(n: int, factor: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of real rows in two steps, to half spectra."""
    return two_steps.matrices(n, factor, _roots, smallest, half=True)


def planes(first: int, second: int, factor: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of both axes of matrices."""
    return two_steps.plane_matrices(first, second, factor, _roots, smallest)


def volume(x: int, y: int, z: int, factor: float) -> npt.NDArray[np.float64]:
    """Make the matrices of both planes of volumes, for each axis (128, 128): what lies on partitions, and real and imaginary results."""
    made = np.zeros((128, 3, 2, 64))
    for axis, (n, by) in enumerate(((x, factor), (y, 1.0), (z, 1.0))):
        table = matrix("fft", n, by, n)
        for begin, parts in ((0, (table.real, table.imag)), (64, (-table.imag, table.real))):
            made[begin : begin + n, axis, :, :n] = np.stack(parts, axis=1)
    return made.reshape(128, 384)


def cosine_pairs(kind: str, n: int, factor: float, edge: float, smallest: int) -> npt.NDArray[np.float64]:
    """Make the constants of sine and cosine transforms in two steps."""
    return two_steps.cosine_matrices(kind, n, factor, edge, powers, smallest)


def folded_half(n: int, factor: float, inverse: bool) -> npt.NDArray[np.float64]:
    """Make the matrix of half spectra in rows."""
    return folding.matrix_from_half(n, factor, _roots, inverse=inverse)


def twiddles(first: int, second: int, rows: int, factor: float) -> npt.NDArray[np.complex128]:
    """Make what stands between two steps, exp(-2πi j k / n) for j of the first ones and k of `second`, times a factor."""
    exponents = np.multiply.outer(np.arange(rows), np.arange(second))
    made: npt.NDArray[np.complex128] = _roots(first * second)[exponents]
    return made if factor == 1.0 else made * factor


def digits(numbers: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Cut numbers of magnitudes up to 1 into eight digits of 8 bits with signs, of which the first one counts 2**-7: on the axis -2."""
    rest, found = numbers * 2.0**7, []
    for _ in range(8):
        found.append(np.rint(rest))
        rest = (rest - found[-1]) * 2.0**8
    return np.stack(found, axis=-2)


def first_digits(first: int) -> npt.NDArray[np.float64]:
    """Make digits of the first step's matrix: minus sines, cosines, sines."""
    made = matrix("fft", first, 1.0, first)
    return digits(np.concatenate([-made.imag, made.real, made.imag], axis=1))


def second_digits(first: int, second: int, factor: float) -> npt.NDArray[np.float64]:
    """Make digits of the second step's matrices, one for each k₁, with the twiddles and a factor of up to 1: cosines, sines."""
    frequencies = np.arange(first)[:, np.newaxis] + first * np.arange(second)
    exponents = np.arange(second)[np.newaxis, :, np.newaxis] * frequencies[:, np.newaxis] % (first * second)
    made = _roots(first * second)[exponents] * factor
    return digits(np.concatenate([made.real, made.imag], axis=2))


def chirp(n: int, factor: float) -> npt.NDArray[np.complex128]:
    """Make exp(-πi k² / n), times a factor."""
    place = np.arange(n, dtype=np.int64)
    made: npt.NDArray[np.complex128] = _roots(2 * n)[place * place % (2 * n)] * factor
    return made


def chirp_spectrum(n: int, length: int) -> npt.NDArray[np.complex128]:
    """Transform the conjugate chirp, which lies around 0 on a circle of that length; the inverse transform's factor is in it."""
    circle = np.zeros(length, np.complex128)
    conjugate = chirp(n, 1.0).conj()
    circle[:n] = conjugate
    circle[length - n + 1 :] = conjugate[:0:-1]
    return np.fft.fft(circle) / length


OF_ROWS: Final = (folded, folded_half, stacked, paired, paired_half, paired_real)
"""What makes constants for kernels that multiply in their dtype."""
