"""
Where the coefficients of elementwise functions come from: polynomials that are nearly the best in the sense of the largest error.

`minimax` has the method, `bessel_coefficients` Bessel functions. Print all with ``python -m tests.backends.neuron.kernels.coefficients``.
"""

from functools import partial
from math import comb, factorial

import numpy as np
from numpy.polynomial import polynomial
from scipy.special import (
    ellipe,
    ellipkm1,
    erfcinv,
    erfcx,
    erfinv,
    exp1,
    expi,
    gammaln,
    polygamma,
    psi,
    zeta,
    zetac,
)

from trnarray.backends.neuron.kernels.elementwise import (
    beta,
    complex_power,
    digamma,
    elliptic_integrals,
    error_function,
    exponential,
    exponential_integrals,
    gamma,
    half_turns,
    hyperbolic,
    incomplete_gamma,
    inverse_error_function,
    inverse_trigonometric,
    logarithm,
    power,
    riemann_zeta,
    student_t,
    trigonometric,
)

from .bessel_coefficients import FITS as BESSEL_FITS
from .minimax import WIDE, Fit, derive, errors, powers

LN2 = np.log(2)


def series(terms, near, direct):
    """A power series up to `near`, where the direct formula cancels, and that beyond."""

    def function(x):
        with np.errstate(all="ignore"):
            total = sum(WIDE(term) * x**power for power, term in enumerate(terms))
            return np.where(np.abs(x) < near, total, direct(x))

    return function


def odd(function, terms):
    """(f(r) - r) / r**3 in powers of r**2."""
    return series(terms, 0.02, lambda z: (function(np.sqrt(z)) - np.sqrt(z)) / (z * np.sqrt(z)))


def even(function, terms):
    """(f(r) - 1) / r**2 in powers of r**2."""
    return series(terms, 0.02, lambda z: (function(np.sqrt(z)) - 1) / z)


def alternating(terms):
    return [(-1) ** power * term for power, term in enumerate(terms)]


def tail(t, shift, middle, root):
    """A polynomial F with ``exp(x**2 / root**2) erfc(x / root) = t F(t - middle)`` and ``t = 1 / (x + shift)``."""
    t = np.asarray(t, np.float64) + middle
    return erfcx((1 / t - shift) / root) / t


def opposite(w):
    """1 - x of ``w = -log(1 - x**2)``."""
    return np.exp(-w) / (1 + np.sqrt(-np.expm1(-w)))


def centre(w):
    """erfinv(x) / x by w."""
    w = np.maximum(np.asarray(w, np.float64), 1e-12)
    x = np.sqrt(-np.expm1(-w))
    return np.where(x < 0.5, erfinv(x), erfcinv(opposite(w))) / x


def inverse_tail(of):
    """erfinv(x) / sqrt(w) by 1 / sqrt(w) - middle, from w = 4.95 up."""

    def function(t):
        reciprocal = np.asarray(t, np.float64) + of.middle
        return erfcinv(opposite(reciprocal**-2)) * reciprocal

    return function


def inverse_fit(of, most):
    function = inverse_tail(of)
    return Fit(function, of.coefficients, most**-0.5 - of.middle, 4.95**-0.5 - of.middle, lambda t: 1 / function(t), 2.0**-25)


def log_gamma(x):
    """gammaln(x) / (x - 1) / (x - 2), about its removable singularities by the series of gammaln."""
    one, two = x - 1, x - 2
    about_one = sum((-1) ** k * zeta(k) / k * one ** (k - 1) for k in range(2, 9)) - np.euler_gamma
    about_two = sum((-1) ** k * (zeta(k) - 1) / k * two ** (k - 1) for k in range(2, 9)) + 1 - np.euler_gamma
    with np.errstate(all="ignore"):
        return np.where(np.abs(one) < 0.01, about_one / two, np.where(np.abs(two) < 0.01, about_two / one, gammaln(x) / (one * two)))


def stirling(z):
    """x times what gammaln(x) has beyond the first terms of Stirling's series, in z = 1 / x**2."""
    x = 1 / np.sqrt(np.maximum(z, 1e-8))
    direct = (gammaln(x) - ((x - 0.5) * np.log(x) - x + 0.5 * np.log(2 * np.pi))) * x
    return np.where(z < 2e-3, 1 / 12 - z / 360 + z * z / 1260 - z**3 / 1680, direct)


def beyond_stirling(u):
    """What gammaln(x) has beyond the first terms of Stirling's series, over ``u = 1 / (x + 1 / 2)``."""
    u = np.maximum(np.asarray(u, np.float64), 1e-5)
    x = 1 / u - 0.5
    return stirling(x**-2.0) / (x * u)


def over_zero(x):
    """psi(x) over the distance from its zero, about which it is its Taylor series."""
    zero = sum(digamma.ZERO)
    distance = np.asarray(x, np.float64) - zero
    terms = [polygamma(k, zero) / factorial(k) for k in range(1, 5)]
    with np.errstate(all="ignore"):
        return np.where(np.abs(distance) < 1e-3, polynomial.polyval(distance, terms), psi(distance + zero) / distance)


def digamma_series(z):
    """(log(x) - 1 / (2 x) - psi(x)) x**2 in z = 1 / x**2."""
    z = np.asarray(z, np.float64)
    x = 1 / np.sqrt(np.maximum(z, 1e-4))
    direct = (np.log(x) - 0.5 / x - psi(x)) * x * x
    return np.where(z < 4e-3, 1 / 12 - z / 120 + z**2 / 252 - z**3 / 240 + z**4 / 132, direct)


def gamma_quotient(u):
    """``(gamma(a + 1) / gamma(a + 1/2))**2 - a`` of ``u = 1 / (a + 1)``."""
    a = np.asarray(1 / np.maximum(u, 1e-4) - 1, np.float64)
    series = np.polynomial.polynomial.polyval(1 / np.maximum(a, 30), [1 / 4, 1 / 32, -1 / 128, -5 / 2048, 23 / 8192])
    return np.where(a > 30, series, np.exp(2 * (gammaln(a + 1) - gammaln(a + 0.5))) - a)


def student_g(q):
    """``((sinh(s / 2) / (s / 2))**(-1/2) - 1) / s**2`` of ``q = s**2``."""
    terms = (-1 / 48, 1 / 2560, -61 / 7741440)
    return series(terms, 0.02, lambda q: ((np.sinh(np.sqrt(q) / 2) * 2 / np.sqrt(q)) ** -0.5 - 1) / q)(q)


def with_logarithm(root, count):
    """Of ``p = root**2`` the powers, of which the first is p, and fewer of them times -log(p)."""
    p = np.asarray(root, np.float64) ** 2
    beside = p[:, None] * powers(p, count - count // 2)
    return np.hstack([beside, -np.log(p)[:, None] * beside[:, : count // 2]])


def elliptic(kind, whole):
    """What an integral has beyond its first terms, by the square root of p."""
    first = kind is elliptic_integrals.FIRST

    def function(root):
        p = np.asarray(root, np.float64) ** 2
        return whole(p) - (np.log(4) - np.log(p) / 2 if first else 1)

    kept = (*kind.beside, *kind.times_logarithm)
    return Fit(function, kept, 1e-5, 1, lambda root: 1 / whole(np.asarray(root, np.float64) ** 2), 2.0**-28, with_logarithm)


def exponential_integral(function, sign, shift, kept, low, high):
    """``(x + shift) exp(sign x) function(x)`` by 1 / (x + shift) less a centre, from `low` to `high`."""

    middle = {0.4: 0.2, 1 / 6: 0.125, 1 / 12: 0.046875}[high]

    def scaled(t):
        x = np.asarray(1 / (np.asarray(t, np.float64) + middle) - shift)
        near = np.minimum(x, 100)
        terms = polynomial.polyval(-sign / np.maximum(x, 50), [factorial(k) for k in range(12)]) / x
        return np.where(x > 50, terms, function(near) * np.exp(sign * near)) * (x + shift)

    return Fit(scaled, kept, low - middle, high - middle, lambda t: 1 / scaled(t), 2.0**-25)


def over_zero_of_ei(t):
    """Ei(x) over the distance from its zero, about which it is its Taylor series, by x - 3 / 8."""
    zero = sum(exponential_integrals.ZERO)
    distance = np.asarray(t, np.float64) + 0.375 - zero
    slopes = [1 / zero, (zero - 1) / zero**2, (zero**2 - 2 * zero + 2) / zero**3, (zero**3 - 3 * zero**2 + 6 * zero - 6) / zero**4]
    terms = [np.exp(zero) * slope / factorial(k + 1) for k, slope in enumerate(slopes)]
    with np.errstate(all="ignore"):
        return np.where(np.abs(distance) < 1e-3, polynomial.polyval(distance, terms), expi(distance + zero) / distance)


def zeta_without_pole(x):
    """(x - 1) zeta(x), about 1 by the series of zeta."""
    x = np.asarray(x, np.float64)
    near = 1 + (x - 1) * polynomial.polyval(x - 1, STIELTJES)
    return np.where(np.abs(x - 1) < 0.02, near, (x - 1) * zeta(np.where(x == 1, 2, x)))


def zeta_beyond_one(root):
    """(zeta(x) - 1) 2**x in root = 2**(-x / 2)."""
    x = -2 * np.log2(np.asarray(root, np.float64))
    return zetac(x) * np.exp2(x)


def uniform_terms(count=34):
    """
    The power series in eta of what Temme's expansion has with each power of 1 / a.

    With ``mu - log(1 + mu) = eta**2 / 2`` the first is ``1 / mu - 1 / eta``; the others are ``(c' + g / mu) / eta`` of the one before.
    """
    mu = [0.0, 1.0]
    for n in range(2, count + 2):
        mu.append((mu[n - 1] - sum(mu[i] * (n + 1 - i) * mu[n + 1 - i] for i in range(2, n))) / (n + 1))
    reciprocal = [1.0]
    for k in range(1, count):
        reciprocal.append(-sum(mu[i + 1] * reciprocal[k - i] for i in range(1, k + 1)))
    terms = [reciprocal[1:]]
    for g in (-1 / 12, 1 / 288):
        slopes = [(j + 1) * value for j, value in enumerate(terms[-1][1:])]
        terms.append([slope + g * value for slope, value in zip(slopes[1:], reciprocal[1:], strict=False)])
    return terms


def uniform_fits():
    for place, (terms, error) in enumerate(zip(uniform_terms(), (2.0**-24, 2.0**-18, 2.0**-14), strict=True)):
        yield (
            f"gammainc {place}",
            Fit(partial(polynomial.polyval, c=terms), incomplete_gamma.UNIFORM[place], -0.52, 0.52, np.ones_like, error),
        )


def beta_terms(skew, count=8):
    """
    The power series, in standard deviations below the mean, of the first two terms around the normal distribution of incomplete beta
    functions, for ``a + b = 1``: by the integrand over ``exp(-z**2 / 2)`` as a function of z, which the Lagrange inversion theorem gives.
    """

    def times(x, y):
        return np.convolve(x, y)[:count]

    def inverse(x):
        result = np.zeros(count)
        for place in range(count):
            result[place] = (place == 0) - result[:place] @ x[place:0:-1]
        return result

    moments = [1.0, 0.0]
    for _ in range(count):
        moments.append(skew * moments[-1] + moments[-2])
    square = [2 * (-1) ** k / k * moments[k] for k in range(2, count + 2)]
    root = np.eye(1, count)[0]
    for place in range(1, count):
        root[place] = (square[place] - root[1:place] @ root[place - 1 : 0 : -1]) / 2
    integrand, powers = inverse(np.array([1, skew, -1, *[0] * (count - 3)])), inverse(root)
    f = []
    for place in range(count):
        integrand = times(integrand, powers)
        f.append(integrand[place])
    signs = [(-1) ** j for j in range(count)]
    return [-sign * f[j + 1] for j, sign in enumerate(signs[:4])], [signs[j] * (f[2] * f[j + 1] - (j + 2) * f[j + 3]) for j in range(3)]


def erf_terms(factor):
    """(erf(x) / x - its value at 0) / x**2, in powers of ``factor x**2``."""
    return [(-1) ** n * factor**n / (factorial(n) * (2 * n + 1)) for n in range(1, 24)]


SINE = [1 / factorial(2 * k + 3) for k in range(7)]
COSINE = [1 / factorial(2 * k + 2) for k in range(7)]
TANGENT = [1 / 3, 2 / 15, 17 / 315, 62 / 2835, 1382 / 155925, 21844 / 6081075, 929569 / 638512875, 6404582 / 10854718875]
ARCSINE = [comb(2 * k, k) / 4**k / (2 * k + 1) for k in range(1, 14)]
ARCTANGENT = [1 / (2 * k + 3) for k in range(14)]
STIELTJES = [0.5772156649015329, 0.0728158454836767, -0.00484518159643616, -0.000342305736717224, 9.68904193944708e-05]
EXPONENTIAL = [1 / factorial(k + 2) for k in range(12)]
ENTIRE = [1 / ((k + 2) * factorial(k + 2)) for k in range(40)]
QUARTER, HALF_LN2 = (np.pi / 4) ** 2, (LN2 / 2) ** 2

FITS = {
    "exp": Fit(
        series(EXPONENTIAL, 0.1, lambda r: (np.expm1(r) - r) / r**2), exponential.EXP, -LN2 / 2, LN2 / 2, np.square
    ),
    "exp2": Fit(
        series([LN2 ** (k + 2) * c for k, c in enumerate(EXPONENTIAL)], 0.1, lambda r: (np.expm1(r * LN2) - r * LN2) / r**2),
        exponential.EXP2[1:], -0.5, 0.5, np.square,
    ),
    "log": Fit(
        series(alternating([1 / (k + 3) for k in range(20)]), 0.05, lambda f: (np.log1p(f) - f + f * f / 2) / f**3),
        logarithm.LOG, np.sqrt(0.5) - 1, np.sqrt(2) - 1, np.square,
    ),
    "sin": Fit(odd(np.sin, [-c for c in alternating(SINE)]), trigonometric.SINE, 0, QUARTER),
    "cos": Fit(even(np.cos, [-c for c in alternating(COSINE)]), trigonometric.COSINE, 0, QUARTER),
    "tan": Fit(odd(np.tan, TANGENT), trigonometric.TANGENT, 0, QUARTER),
    "arctan": Fit(odd(np.arctan, [-c for c in alternating(ARCTANGENT)]), inverse_trigonometric.ARCTANGENT, 0, 1),
    "arcsin": Fit(odd(np.arcsin, ARCSINE), inverse_trigonometric.ARCSINE, 0, 0.25),
    "sinh": Fit(odd(np.sinh, SINE), hyperbolic.SINH, 0, HALF_LN2),
    "cosh": Fit(even(np.cosh, COSINE), hyperbolic.COSH, 0, HALF_LN2),
    "tanh": Fit(odd(np.tanh, [-c for c in alternating(TANGENT)]), hyperbolic.TANH, 0, 0.65**2),
    "arcsinh": Fit(odd(np.arcsinh, [-c for c in alternating(ARCSINE)]), hyperbolic.ARCSINH, 0, 0.25),
    "erf": Fit(series([2 / np.pi**0.5 * c for c in erf_terms(1)], 2, np.zeros_like), error_function.ERF, 0, 1),
    "erfc": Fit(
        lambda q: tail(q, 2, 0.21875, 1), error_function.ERFC, 1 / 12.1 - 0.21875, 1 / 2.72 - 0.21875,
        lambda q: 1 / tail(q, 2, 0.21875, 1),
    ),
    "ndtr": Fit(series([(2 * np.pi) ** -0.5 * c for c in erf_terms(0.5)], 2, np.zeros_like), error_function.NORMAL, 0, 1),
    "ndtr tail": Fit(
        lambda q: tail(q, 2.5, 0.15625, 2**0.5), error_function.NORMAL_TAIL, 1e-9 - 0.15625, 1 / 3.3 - 0.15625,
        lambda q: 1 / tail(q, 2.5, 0.15625, 2**0.5),
    ),
    "whole ndtr tail": Fit(
        lambda q: tail(q, 3, 0.140625, 2**0.5), error_function.WHOLE_TAIL, 1 / 17.5 - 0.140625, 1 / 3 - 0.140625,
        lambda q: 1 / tail(q, 3, 0.140625, 2**0.5),
    ),
    "erfinv": Fit(centre, inverse_error_function.CENTRE, 0, 5, lambda w: 1 / centre(w)),
    "erfinv tail": inverse_fit(inverse_error_function.TAIL, 16.8),
    "ndtri tail": inverse_fit(inverse_error_function.FAR_TAIL, 104.5),
    "gammaln": Fit(
        lambda q: log_gamma(np.asarray(q, np.float64) + 1.75), gamma.LOG_GAMMA, -0.75, 0.75, lambda q: 1 / log_gamma(q + 1.75), 2.0**-25,
    ),
    "stirling": Fit(lambda z: stirling(np.asarray(z, np.float64)), gamma.STIRLING, 1e-9, 0.16, np.sqrt, 2.0**-26),
    "beyond stirling": Fit(beyond_stirling, beta.BEYOND_STIRLING, 1e-9, 2 / 3, error=2.0**-29),
    "stdtr": Fit(
        lambda u: (gamma_quotient(u) - 0.25) / u, student_t.GAMMA_QUOTIENT, 1e-4, 1,
        lambda u: u / (1 / u - 1 + gamma_quotient(u)), 2.0**-28,
    ),
    "stdtr remainder": Fit(student_g, student_t.NEARLY_ONE, 1e-9, 30, lambda q: q * np.exp(-4 * np.sqrt(q)), 2.0**-27),
    "sin pi": Fit(
        series([(-1) ** k * np.pi ** (2 * k) / factorial(2 * k + 1) for k in range(1, 14)], 2, np.zeros_like), half_turns.SINE_PI, 0, 0.25,
    ),
    "cos pi": Fit(
        series([(-1) ** k * np.pi ** (2 * k) / factorial(2 * k) for k in range(1, 14)], 2, np.zeros_like), half_turns.COSINE_PI, 0, 0.25,
    ),
    "digamma": Fit(lambda q: over_zero(q + 1.5), digamma.ABOUT_ZERO, -0.5, 0.5, lambda q: 1 / over_zero(q + 1.5)),
    "digamma series": Fit(digamma_series, digamma.SERIES, 1e-9, 0.25),
    "ellipk": elliptic(elliptic_integrals.FIRST, ellipkm1),
    "ellipe": elliptic(elliptic_integrals.SECOND, lambda p: ellipe(1 - p)),
    "exp1": Fit(
        lambda x: polynomial.polyval(np.asarray(x, np.float64), alternating(ENTIRE)) * -1, exponential_integrals.SERIES, 0, 1,
        lambda x: x * x / exp1(x), 2.0**-26,
    ),
    "exp1 tail": exponential_integral(exp1, 1, 1.5, exponential_integrals.TAIL, 1e-9, 0.4),
    "expi": Fit(
        lambda x: polynomial.polyval(np.asarray(x, np.float64), ENTIRE), exponential_integrals.SERIES_OF_EI, -1, 6,
        lambda x: x * x / np.maximum(np.abs(expi(x)), 0.2), 2.0**-25,
    ),
    "expi about zero": Fit(
        over_zero_of_ei, exponential_integrals.ABOUT_ZERO, -0.09375, 0.09375, lambda t: 1 / over_zero_of_ei(t),
    ),
    "expi middle": exponential_integral(expi, -1, 0, exponential_integrals.MIDDLE, 1 / 12, 1 / 6),
    "expi far": exponential_integral(expi, -1, 0, exponential_integrals.FAR, 1e-9, 1 / 12),
    **BESSEL_FITS,
    "arctanh near": Fit(
        lambda z: polynomial.polyval(np.asarray(z, np.float64), ARCTANGENT), incomplete_gamma.ARCTANH_NEAR, 0, 0.076, np.sqrt, 2.0**-28
    ),
    **dict(uniform_fits()),
    "zeta": Fit(zeta_without_pole, riemann_zeta.ABOUT_ONE, *riemann_zeta.REACH, lambda x: 1 / zeta_without_pole(x)),
    "zeta beyond": Fit(
        zeta_beyond_one, riemann_zeta.BEYOND_ONE, 2.0**-13, 2.0 ** (-riemann_zeta.REACH[1] / 2), lambda root: root**2 / (1 + root**2),
    ),
    "power": Fit(lambda w: sum(w**k / WIDE(2 * k + 5) for k in range(14)), power.LOG2, 0, 0.1716**2, np.square, 2.0**-36),
    "complex power": Fit(
        lambda w: sum((-w) ** k / WIDE(2 * k + 5) for k in range(14)), complex_power.ARCTANGENT, 0, 0.25**2, np.square, 2.0**-36,
    ),
    "arctanh": Fit(odd(np.arctanh, ARCTANGENT), hyperbolic.ARCTANH, 0, 0.25),
}  # fmt: skip


if __name__ == "__main__":
    for name, fit in FITS.items():
        found = derive(fit, 200, 3000)
        print(f"{name}: 2**{np.log2(errors(fit, found).max()):.2f}, kept 2**{np.log2(errors(fit, fit.kept).max()):.2f}")
        print("   ", ", ".join(f"{value:.9g}" for value in found))
