"""
Distributions as quantile functions of one random number, exactly in float64 and by tables in float32.

A number of 32 random bits is a probability p in (0, 1), at least 2**-33 from both ends. Where a distribution has deep tails, a number below
`FEW` has 32 bits more, of a second word, so that p goes down to 2**-65. Float32 takes it to a row of a table by its own
leading bits: an octave of p has 64 pieces, each with a quadratic polynomial of the bits that are left. Only sums and products that are
rounded correctly, conversions and bits take part, so that a table gives the same bits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["FEW", "QUANTILES", "Quantile", "Table", "scale_of", "table", "tabled"]

Floats: TypeAlias = npt.NDArray[Any]
Sides: TypeAlias = Literal["symmetric", "one", "two"]

_PIECES: Final = 64  # of an octave
_REST: Final = 17  # bits of a float32 that are left
FEW: Final = 1 << 10
"""Below which a number has a second word."""
_OCTAVES: Final = {"symmetric": 32, "two": 32, "one": 33}
_ERROR: Final = 2.0**-19


class Quantile(NamedTuple):
    """
    A distribution.

    Attributes
    ----------
    sides : str
        ``"symmetric"`` where a sign is drawn, ``"two"`` where the two halves differ, ``"one"`` where p is all of it.
    compute : callable
        ``compute(p, upper, *parameters)`` in float64: p is the probability of what is farther out, of values that are larger if `upper`.
    deep : bool
        Whether rare numbers have a second word.
    """

    sides: Sides
    compute: Callable[..., Floats]
    deep: bool = False


class Table(NamedTuple):
    """
    A quantile function by pieces.

    Attributes
    ----------
    sides : str
        As of `Quantile`.
    rows : array of float32
        Coefficients of degree 0, 1 and 2, for each piece of each side.
    deep : bool
        As of `Quantile`.
    """

    sides: Sides
    rows: npt.NDArray[np.float32]
    deep: bool

    @property
    def scale(self) -> float:
        """Tell by what numbers are multiplied, so that the smallest has the least exponent of float32."""
        return scale_of(self.deep)

    def evaluate(
        self, words: npt.NDArray[np.uint32], second: Callable[[npt.NDArray[Any]], npt.NDArray[np.uint32]] | None = None
    ) -> npt.NDArray[np.float32]:
        """
        Take quantiles, as devices do, with the second words of some places.

        Examples
        --------
        >>> table("normal").evaluate(np.array([0x80000000, 0x7FFFFFFF, 0xC0000000], np.uint32)).tolist()
        [-6.337957859..., 0.0, -0.674489...]
        """
        tail = words if self.sides == "one" else words & np.uint32(0x7FFFFFFF)
        p = tail.astype(np.float32) * np.float32(self.scale) + np.float32(self.scale / 2)
        few = np.flatnonzero(tail < FEW) if self.deep and second is not None else np.empty(0, np.intp)
        if few.size:
            assert second is not None
            rest = second(few).astype(np.float32) * np.float32(self.scale * 2.0**-32) + np.float32(self.scale * 2.0**-33)
            p[few] = tail[few].astype(np.float32) * np.float32(self.scale) + rest
        bits = p.view(np.uint32)
        row = bits >> np.uint32(_REST)
        if self.sides == "two":
            row += (words >> np.uint32(31)) * np.uint32(self.rows.shape[1] // 2)
        rest = (bits & np.uint32((1 << _REST) - 1)).astype(np.float32) * np.float32(2.0**-_REST)
        found = self.rows[2].take(row)
        found *= rest
        found += self.rows[1].take(row)
        found *= rest
        found += self.rows[0].take(row)
        if self.sides == "symmetric":
            signs: npt.NDArray[np.uint32] = found.view(np.uint32)
            signs ^= words & np.uint32(1 << 31)
        return np.asarray(found, np.float32)


def scale_of(deep: bool) -> float:
    """Tell by what numbers are multiplied; see `Table.scale`."""
    return 2.0**-93 if deep else 2.0**-125


def _special() -> Any:
    from scipy import special  # imported where a distribution needs it

    return special


def _sides(lower: Callable[..., Floats], higher: Callable[..., Floats]) -> Callable[..., Floats]:
    """Join functions of either tail."""

    def compute(p: Floats, upper: Any, *parameters: Any) -> Floats:
        if isinstance(upper, bool):
            return higher(p, *parameters) if upper else lower(p, *parameters)
        return np.where(upper, higher(p, *parameters), lower(p, *parameters))

    return compute


def _one(function: Callable[..., Floats]) -> Callable[..., Floats]:
    return lambda p, _, *parameters: function(p, *parameters)


def _root(x: Floats, a: Any) -> Floats:
    """Take roots; for order 0, as NumPy, 0."""
    order = np.asarray(a, np.float64)
    return np.where(order > 0, x ** (1 / np.where(order > 0, order, 1.0)), 0.0)


def _gamma(inverse: str, p: Floats, a: Any) -> Floats:
    """Take quantiles of gamma distributions; of shape 0, as NumPy, 0."""
    shape = np.asarray(a, np.float64)
    return np.where(shape > 0, getattr(_special(), inverse)(np.where(shape > 0, shape, 1.0), p), 0.0)


def _gumbel_upper(p: Floats) -> Floats:
    return np.asarray(-np.log(-np.log1p(-p)))


def _f(tail: Callable[..., Floats], complement: Callable[..., Floats]) -> Callable[..., Floats]:
    """Take quantiles of F from those of beta: of x, and of 1 - x."""

    def compute(p: Floats, first: Any, second: Any) -> Floats:
        a, b = np.asarray(first) / 2, np.asarray(second) / 2
        x, rest = tail(a, b, p), complement(b, a, p)
        return np.asarray(second * x / (first * rest))

    return compute


QUANTILES: Final[dict[str, Quantile]] = {
    "normal": Quantile("symmetric", _one(lambda p: -_special().ndtri(p)), deep=True),
    "normal of one word": Quantile("symmetric", _one(lambda p: -_special().ndtri(p))),
    "exponential": Quantile("one", _one(lambda p: -np.log(p)), deep=True),
    "rayleigh": Quantile("two", _sides(lambda p: np.sqrt(-2 * np.log1p(-p)), lambda p: np.sqrt(-2 * np.log(p)))),
    "logistic": Quantile("symmetric", _one(lambda p: np.log1p(-p) - np.log(p)), deep=True),
    "laplace": Quantile("symmetric", _one(lambda p: -np.log(2 * p)), deep=True),
    "cauchy": Quantile("symmetric", _one(lambda p: 1 / np.tan(np.pi * p))),
    "gumbel": Quantile("two", _sides(lambda p: -np.log(-np.log(p)), _gumbel_upper)),
    "weibull": Quantile("two", _sides(lambda p, a: _root(-np.log1p(-p), a), lambda p, a: _root(-np.log(p), a))),
    "pareto": Quantile("one", _one(lambda p, a: np.expm1(-np.log(p) / a))),
    "power": Quantile("one", _one(lambda p, a: p ** (1 / a))),
    "gamma": Quantile("two", _sides(lambda p, a: _gamma("gammaincinv", p, a), lambda p, a: _gamma("gammainccinv", p, a))),
    "beta": Quantile(
        "two", _sides(lambda p, a, b: _special().betaincinv(a, b, p), lambda p, a, b: _special().betainccinv(a, b, p))
    ),
    "standard_t": Quantile("symmetric", _one(lambda p, df: -_special().stdtrit(df, p))),
    "f": Quantile(
        "two",
        _sides(
            _f(lambda a, b, p: _special().betaincinv(a, b, p), lambda b, a, p: _special().betainccinv(b, a, p)),
            _f(lambda a, b, p: _special().betainccinv(a, b, p), lambda b, a, p: _special().betaincinv(b, a, p)),
        ),
    ),
}
"""By name. Locations and scales are applied afterwards."""


_LEAST_SHAPES: Final = {"f": 1.0}
_MOST_APART: Final = 1e3


def tabled(name: str, *parameters: float) -> bool:
    """
    Tell whether quantiles of a distribution of these shapes are smooth enough for tables; `compound` has others.

    Examples
    --------
    >>> tabled("gamma", 0.5), tabled("gamma", 0.4), tabled("beta", 2.0, 1e5)
    (True, False, False)
    """
    apart = name == "beta" and max(parameters) > _MOST_APART * min(parameters)
    return all(_LEAST_SHAPES.get(name, 0.5) <= item < 1e9 for item in parameters) and not apart


@lru_cache(64)
def table(name: str, *parameters: Hashable) -> Table | None:
    """
    Make the table of a distribution; None where pieces are not accurate to 2**-19 of the value or of a typical one.

    Examples
    --------
    >>> table("normal").rows.shape
    (3, 4161)
    >>> table("gamma", 0.01) is None
    True
    """
    sides, compute, deep = QUANTILES[name]
    octaves = _OCTAVES[sides] + (32 if deep else 0)
    parts = [_pieces(compute, upper, octaves, 65 if deep else 33, parameters) for upper in ((False, True) if sides == "two" else (False,))]
    if any(part is None for part in parts):
        return None
    rows = np.concatenate([part for part in parts if part is not None], axis=1)
    rows.flags.writeable = False
    return Table(sides, rows, deep)


def _pieces(compute: Callable[..., Floats], upper: bool, octaves: int, depth: int, parameters: tuple[Hashable, ...]) -> Floats | None:
    """Fit a polynomial to each piece, in the bits that are left as a fraction; rows of exponent 0 are never taken."""
    count = octaves * _PIECES
    octave, piece = np.divmod(np.arange(count), _PIECES)
    begin, step = np.ldexp(1 + piece / _PIECES, octave - depth), np.ldexp(1.0 / _PIECES, octave - depth)
    nodes = (1 - np.cos((2 * np.arange(3) + 1) * np.pi / 6)) / 2
    seen = np.concatenate([nodes, np.linspace(0, 1, 9)])
    with np.errstate(all="ignore"):
        values = np.asarray(compute(begin[:, None] + step[:, None] * seen, upper, *parameters), np.float64)
        last = float(compute(np.array([2.0 ** (octaves - depth)]), upper, *parameters)[0])
        at, rest = values[:, :3], values[:, 3:]
        slope = (at[:, 1] - at[:, 0]) / (nodes[1] - nodes[0])
        bend = ((at[:, 2] - at[:, 1]) / (nodes[2] - nodes[1]) - slope) / (nodes[2] - nodes[0])
        coefficients = (
            at[:, 0] - slope * nodes[0] + bend * nodes[0] * nodes[1],
            slope - bend * (nodes[0] + nodes[1]),
            bend,
        )
        rows = np.zeros((3, _PIECES + count + 1), np.float32)
        rows[:, _PIECES:-1] = coefficients
        rows[0, -1] = last
        c0, c1, c2 = (degree[_PIECES:-1, None].astype(np.float64) for degree in rows)
        fitted = (c2 * seen[3:] + c1) * seen[3:] + c0
        off = np.abs(fitted - rest) / (np.abs(rest) + np.median(np.abs(rest[-2 * _PIECES :])))
    tiny = (np.abs(rows) < 2.0**-100) & (rows != 0)  # which an engine may take for zero
    return rows if np.isfinite(rows).all() and off.max() <= _ERROR and not tiny.any() else None
