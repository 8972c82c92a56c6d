"""
Elementwise functions of scipy.special made of others, for float32 and float64.

Their errors are 4 u of the terms in them: of the exponent in what is an exponential, of both terms in a difference. Where SciPy has
several formulas, each is for the operands that it has it for.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from . import Lowerings
from .composite_elementwise import of_real_floats
from .float_nodes import choose, full, number, real, test
from .gamma_functions import GAMMA_FUNCTIONS
from .tail_integrals import TAILS

__all__: list[str] = []

_INFINITE: Final = float("inf")
_DEGREE: Final = math.pi / 180.0


def _exp10(x: Any) -> tuple[Any, ...]:
    return (real("power", full(10.0, x), x),)


def _cosm1(x: Any) -> tuple[Any, ...]:
    return (real("multiply", number(-2.0), real("square", real("sin", real("multiply", x, number(0.5))))),)


def _exprel(x: Any) -> tuple[Any, ...]:
    """Divide exp(x) - 1 by x, of which the limits are 1 at 0 and infinity there."""
    half = real("exp", real("multiply", x, number(0.5)))
    large = real("multiply", half, real("divide", half, x))  # where exp(x) alone is infinite
    found = choose(test("greater", x, number(80.0)), large, real("divide", real("expm1", x), x))
    found = choose(test("equal", x, number(0.0)), number(1.0), found)
    return (choose(test("equal", x, number(_INFINITE)), x, found),)


def _log_expit(x: Any) -> tuple[Any, ...]:
    rest = real("log1p", real("exp", real("negative", real("absolute", x))))
    return (real("subtract", real("minimum", x, number(0.0)), rest),)


def _scaled_power(logarithm: Any, exponent: Any) -> Any:
    """Compute (exp(e l) - 1) / e, in two factors where the exponential alone would be too large."""
    product = real("multiply", exponent, logarithm)
    found = real("divide", real("expm1", product), exponent)
    largest = number(709.78 if isinstance(exponent, tuple) else 88.0)
    size = real("log", real("absolute", exponent))
    large = real("multiply", real("sign", exponent), real("exp", real("subtract", product, size)))
    large = real("subtract", large, real("reciprocal", exponent))
    return choose(test("greater", product, largest), large, found)


def _boxcox(logarithm: str) -> Callable[..., tuple[Any, ...]]:
    def transform(x: Any, exponent: Any) -> tuple[Any, ...]:
        log = real(logarithm, x)
        small = test("less", real("absolute", exponent), number(1e-19))
        return (choose(small, log, _scaled_power(log, choose(small, full(1.0, exponent), exponent))),)

    return transform


def _inv_boxcox(exponential: str) -> Callable[..., tuple[Any, ...]]:
    def transform(y: Any, exponent: Any) -> tuple[Any, ...]:
        product = real("multiply", exponent, y)
        found = real(exponential, real("divide", real("log1p", product), exponent))
        return (choose(test("equal", exponent, number(0.0)), real(exponential, y), found),)

    return transform


def _huber(delta: Any, r: Any) -> tuple[Any, ...]:
    size = real("absolute", r)
    line = real("multiply", delta, real("subtract", size, real("multiply", delta, number(0.5))))
    found = choose(test("less_equal", size, delta), real("multiply", real("square", r), number(0.5)), line)
    return (choose(test("less", delta, number(0.0)), number(_INFINITE), found),)


def _pseudo_huber(delta: Any, r: Any) -> tuple[Any, ...]:
    """Compute d² (√(1 + v²) - 1), v = r / d, as r v / (√(1 + v²) + 1) · d, which does not cancel."""
    v = real("divide", r, delta)
    root = real("hypot", full(1.0, v), v)
    slope = choose(test("isinf", v), real("sign", v), real("divide", v, real("add", root, number(1.0))))
    found = real("multiply", real("multiply", r, delta), slope)
    nothing = test("logical_or", test("equal", delta, number(0.0)), test("equal", r, number(0.0)))
    found = choose(nothing, number(0.0), found)
    return (choose(test("less", delta, number(0.0)), number(_INFINITE), found),)


def _kl_div(x: Any, y: Any) -> tuple[Any, ...]:
    zero = number(0.0)
    entropy = real("multiply", x, real("log", real("divide", x, y)))
    found = real("add", real("subtract", entropy, x), y)
    positive = test("logical_and", test("greater", x, zero), test("greater", y, zero))
    edge = test("logical_and", test("equal", x, zero), test("greater_equal", y, zero))
    unknown = test("logical_or", test("isnan", x), test("isnan", y))
    elsewhere = choose(unknown, real("add", x, y), number(_INFINITE))
    return (choose(positive, found, choose(edge, y, elsewhere)),)


def _radian(d: Any, m: Any, s: Any) -> tuple[Any, ...]:
    minutes = real("add", real("multiply", d, number(60.0)), m)
    return (real("multiply", real("add", real("multiply", minutes, number(60.0)), s), number(_DEGREE / 3600.0)),)


def _of_degrees(quarter: int) -> Callable[..., tuple[Any, ...]]:
    """Make sine, or a cosine, which is a quarter ahead, of degrees: less whole quarters, which is exact; SciPy's is 0 from 1e14 on."""

    def function(x: Any) -> tuple[Any, ...]:
        turn = real("fmod", x, number(360.0))
        quarters = real("rint", real("divide", turn, number(90.0)))
        angle = real("multiply", real("subtract", turn, real("multiply", quarters, number(90.0))), number(_DEGREE))
        place = real("fmod", real("add", quarters, number(4.0 + quarter)), number(4.0))
        sine, cosine = real("sin", angle), real("cos", angle)
        odd = test("not_equal", real("fmod", place, number(2.0)), number(0.0))
        found = choose(odd, cosine, sine)
        found = choose(test("greater_equal", place, number(2.0)), real("negative", found), found)
        return (choose(test("greater", real("absolute", x), number(1e14)), number(0.0), found),)

    return function


def _beta(*operands: Any) -> Any:
    """Compute the incomplete beta function."""
    return TAILS["special.betainc"](*operands) if isinstance(operands[-1], tuple) else real("special.betainc", *operands)


def _fdtr(upper: bool) -> Callable[..., Any]:
    """Make the probability of F, or that of what is larger, by the smaller of the fractions of its two terms."""

    def probability(n: Any, m: Any, x: Any) -> tuple[Any, ...]:
        product = real("multiply", n, x)
        total = real("add", m, product)
        halves = [real("multiply", each, number(0.5)) for each in (n, m)]
        lower = _beta(*halves, real("divide", product, total))
        above = _beta(*halves[::-1], real("divide", m, total))
        by_lower = test("less", product, m)
        near, far = (above, lower) if upper else (lower, above)
        rest = real("subtract", number(1.0), far)
        found = choose(by_lower, rest, near) if upper else choose(by_lower, near, rest)
        wrong = test("logical_or", test("less_equal", n, number(0.0)), test("less_equal", m, number(0.0)))
        wrong = test("logical_or", wrong, test("less", x, number(0.0)))
        return (choose(wrong, number(math.nan), found),)

    return probability


def _gamma_function(name: str, *operands: Any) -> Any:
    """Compute a relative of the gamma function."""
    return GAMMA_FUNCTIONS[f"special.{name}"](*operands) if isinstance(operands[0], tuple) else real(f"special.{name}", *operands)


def _loggamma(x: Any) -> tuple[Any, ...]:
    return (choose(test("less", x, number(0.0)), number(math.nan), _gamma_function("gammaln", x)),)


def _any(*tests: Any) -> Any:
    return functools.reduce(functools.partial(test, "logical_or"), tests)


def _bdtr(upper: bool) -> Callable[..., Any]:
    """Make the probability of at most k of n trials, or of more; SciPy truncates n."""

    def probability(k: Any, n: Any, p: Any) -> tuple[Any, ...]:
        k, n, zero, one = real("floor", k), real("trunc", n), number(0.0), number(1.0)
        inside = test("logical_and", test("greater_equal", k, zero), test("less", k, n))
        above = choose(inside, real("subtract", n, k), full(1.0, p))
        below = choose(inside, real("add", k, one), full(1.0, p))
        found = _beta(below, above, p) if upper else _beta(above, below, real("subtract", one, p))
        found = choose(test("equal", k, n), zero if upper else one, found)
        none = test("less", k, zero)
        wrong = _any(test("greater", k, n), test("less", p, zero), test("greater", p, one), *(test("isnan", x) for x in (k, n, p)))
        found, wrong = (choose(none, one, found), wrong) if upper else (found, _any(wrong, none))
        return (choose(wrong, number(math.nan), found),)

    return probability


def _nbdtr(upper: bool) -> Callable[..., Any]:
    """Make the probability of at most k failures before n successes, or of more; SciPy truncates both."""

    def probability(k: Any, n: Any, p: Any) -> tuple[Any, ...]:
        k, n, one = real("trunc", k), real("trunc", n), number(1.0)
        more = real("add", k, one)
        found = _beta(more, n, real("subtract", one, p)) if upper else _beta(n, more, p)
        wrong = _any(test("less", k, number(0.0)), test("less", n, one), test("less", p, number(0.0)), test("greater", p, one))
        return (choose(wrong, number(math.nan), found),)

    return probability


def _binom(n: Any, k: Any) -> tuple[Any, ...]:
    """Compute a coefficient by the beta function; of integers it is one, which is exact where its error is below a half."""
    one = number(1.0)
    beta = _gamma_function("beta", real("add", real("subtract", n, k), one), real("add", k, one))
    found = real("reciprocal", real("multiply", real("add", n, one), beta))
    whole = test("logical_and", test("equal", n, real("rint", n)), test("equal", k, real("rint", k)))
    least = test("logical_and", whole, test("less", real("absolute", found), number(2.0**49 if isinstance(found, tuple) else 2.0**20)))
    found = choose(least, real("rint", found), found)
    return (choose(test("logical_and", test("less", n, number(0.0)), test("equal", n, real("rint", n))), number(math.nan), found),)


_FUNCTIONS: Final[Mapping[str, Callable[..., tuple[Any, ...]]]] = {
    "bdtr": _bdtr(upper=False),
    "bdtrc": _bdtr(upper=True),
    "binom": _binom,
    "boxcox": _boxcox("log"),
    "boxcox1p": _boxcox("log1p"),
    "cosdg": _of_degrees(1),
    "cosm1": _cosm1,
    "exp10": _exp10,
    "exprel": _exprel,
    "fdtr": _fdtr(upper=False),
    "fdtrc": _fdtr(upper=True),
    "huber": _huber,
    "inv_boxcox": _inv_boxcox("exp"),
    "inv_boxcox1p": _inv_boxcox("expm1"),
    "kl_div": _kl_div,
    "log_expit": _log_expit,
    "loggamma": _loggamma,
    "nbdtr": _nbdtr(upper=False),
    "nbdtrc": _nbdtr(upper=True),
    "pseudo_huber": _pseudo_huber,
    "radian": _radian,
    "sindg": _of_degrees(0),
}
LOWERINGS: Final[Lowerings] = {f"special.{name}": of_real_floats(function) for name, function in _FUNCTIONS.items()}
