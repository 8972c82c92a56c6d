"""
Complete elliptic integrals of the first and second kind, of float32, within 2 units in the last place.

With p = 1 - m up to 1 the first is ``log(4) - log(p) / 2 + p (P(p) - log(p) Q(p))``, the second ``1 + p (P(p) - log(p) Q(p))`` with other
polynomials (C. Hastings, Approximations for Digital Computers, 1955, has this form). Beyond 1 they are those of 1 / p, over sqrt(p) and
times it. Coefficients are nearly minimax ones, from the script beside the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ....isa import nl
from ...function import Emitter, Tile
from .alu import add, arithmetic, copy, is_nan, limited, minus_reciprocal, multiply, patch, scratch, then, twice
from .logarithm import less_logarithm, with_one
from .pairs import Pair, inverse, product, renormalized, root, split
from .polynomial import times_argument
from .significand import INFINITY, NAN, is_infinite, is_zero, magnitude_of
from .widening import float_loops

__all__ = ["ELLIPTIC_INTEGRALS", "FIRST", "SECOND", "Kind"]


class Kind(NamedTuple):
    """
    One of the functions.

    Attributes
    ----------
    beside, times_logarithm : tuple of float
        P and Q, lowest power first.
    first : bool
        Whether it is that of the first kind.
    """

    beside: tuple[float, ...]
    times_logarithm: tuple[float, ...]
    first: bool


FIRST: Final = Kind(
    (0.0966054847, 0.0332714635, 0.0318210536, 0.0218822911, 0.000921674172),
    (0.124995144, 0.069651155, 0.0394311931, 0.00937054756),
    first=True,
)  # fmt: skip
SECOND: Final = Kind(
    (0.443171425, 0.0590470929, 0.04008975, 0.0272584988, 0.00122956329),
    (0.249996451, 0.0931554094, 0.0489716596, 0.0118937319),
    first=False,
)  # fmt: skip
_FAR: Final = 2.0**40
"""From it on, 1 / p does not count but in the root."""
_LOG_4: Final = 1.3862943611198906


def _integral(kind: Kind, dst: Tile, p: Tile) -> None:
    """Give it by p."""
    above = arithmetic(nl.greater, p, 1.0)
    of = less_logarithm(0.0, p)
    sign = twice(above, nl.multiply, -2.0, nl.add, 1.0)
    logarithm = multiply(add(of.upper, of.lower), sign)  # that of the larger of p and 1 / p
    inside = arithmetic(nl.maximum, p, 1.0)
    beyond = arithmetic(nl.greater, inside, _FAR, dtype=nl.uint8)
    patch(inside, arithmetic(nl.multiply, inside, 2.0**-64), beyond)
    factor = root(inside)
    if kind.first:
        factor = inverse(*renormalized(*factor))
    least = arithmetic(nl.multiply, minus_reciprocal(limited(p, 1.0, _FAR)), -1.0)
    patch(least, p, arithmetic(nl.greater, p, 1.0, dtype=nl.uint8), reverse=True)
    inner = add(times_argument(kind.beside, least), multiply(times_argument(kind.times_logarithm, least), logarithm))
    if kind.first:
        large = twice(multiply(of.upper, sign), nl.multiply, 0.5, nl.add, _LOG_4)
        value = renormalized(large, add(inner, then(of.lower, nl.multiply, 0.5, nl.multiply, sign)))
    else:
        value = Pair(*with_one(inner))
    result = add(*product(split(value), factor))
    patch(result, arithmetic(nl.multiply, result, 2.0**-32 if kind.first else 2.0**32), beyond)
    copy(dst, result)
    if kind.first:
        patch(dst.view(nl.uint32), INFINITY, is_zero(p.view(nl.uint32)))
    patch(dst, 0.0 if kind.first else p, is_infinite(p))
    patch(dst.view(nl.uint32), NAN, arithmetic(nl.less, p.view(nl.int32), 0.0, dtype=nl.uint8))
    patch(dst, p, is_nan(p))


def _of_parameter(kind: Kind) -> Callable[[Tile, Tile], None]:
    def emit(dst: Tile, m: Tile) -> None:
        _integral(kind, dst, twice(m, nl.multiply, -1.0, nl.add, 1.0))

    return emit


def _of_complement(dst: Tile, p: Tile) -> None:
    """Take -0 for 0."""
    positive = copy(scratch(p, nl.float32), p)
    patch(positive, 0.0, is_zero(magnitude_of(p).view(nl.uint32)))
    _integral(FIRST, dst, positive)


ELLIPTIC_INTEGRALS: Final = (
    Emitter("special.ellipk", 1, float_loops(_of_parameter(FIRST)), 2.0),
    Emitter("special.ellipkm1", 1, float_loops(_of_complement), 2.0),
    Emitter("special.ellipe", 1, float_loops(_of_parameter(SECOND)), 2.0),
)
