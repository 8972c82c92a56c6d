"""Where the coefficients of Bessel functions come from; `coefficients` prints them with the others."""

from functools import partial
from math import factorial

import numpy as np
from numpy.polynomial import polynomial
from scipy.special import i0e, i1e, j0, j1, k0e, k1e, y0, y1

from trnarray.backends.neuron.kernels.elementwise import bessel, bessel_jy, bessel_k

from .minimax import Fit


def bessel_far(function):
    """``function(x) sqrt(x)`` by 1 / x - 1 / 8."""

    def scaled(t):
        x = 1 / (np.asarray(t, np.float64) + 0.125)
        return function(x) * np.sqrt(x)

    return Fit(
        scaled, (bessel.ZEROTH if function is i0e else bessel.FIRST).far, 1e-9 - 0.125, 1 / 3.24 - 0.125, lambda t: 1 / scaled(t), 2.0**-25
    )


def bessel_near(order):
    """Q in ``I(x) = (x / 2)**order (1 + slope t (1 + t Q(t)))`` with ``t = x**2 / 4``."""
    slope = 1 / factorial(order + 1)
    terms = [1 / (factorial(k + 2) * factorial(k + 2 + order) * slope) for k in range(20)]
    kept = (bessel.FIRST if order else bessel.ZEROTH).near

    def function(t):
        return polynomial.polyval(np.asarray(t, np.float64), terms)

    return Fit(function, kept, 1e-12, 3.51**2 / 4, lambda t: t * t * slope / (1 + t * slope * (1 + t * function(t))))


def bessel_k_far(function):
    """``function(x) sqrt(x)`` by 1 / x - 1 / 2."""

    def scaled(t):
        x = 1 / (np.asarray(t, np.float64) + 0.5)
        return function(x) * np.sqrt(x)

    return Fit(scaled, (bessel_k.ZEROTH if function is k0e else bessel_k.FIRST).far, 1e-9 - 0.5, 0.505, lambda t: 1 / scaled(t), 2.0**-26)


def bessel_series(of, times_logarithm, low, high):
    """What ``log(2 / x) - gamma`` is multiplied by, or what is added to that, in powers of x**2 / 4."""
    sums = np.append(0, np.cumsum(1 / np.arange(1.0, 24)))
    if of.first:
        terms = [(1 if times_logarithm else (sums[k] + sums[k + 1]) / 2) / (factorial(k) * factorial(k + 1)) for k in range(20)]
    else:
        terms = [(1 if times_logarithm else sums[k + 1]) / factorial(k + 1) ** 2 for k in range(20)]
    return Fit(partial(polynomial.polyval, c=terms), of.times_logarithm if times_logarithm else of.beside, low, high, error=2.0**-27)


def bessel_phase(x, mu):
    """What the phase of Bessel functions has beyond x and a multiple of pi, for large x (Digital Library, 10.18)."""
    y = 1 / (4 * x)
    return y * (mu - 1) * polynomial.polyval(y * y, [
        0.5, (mu - 25) / 6, (mu * mu - 114 * mu + 1073) / 5, (5 * mu**3 - 1535 * mu**2 + 54703 * mu - 375733) / 14,
    ])  # fmt: skip


def bessel_modulus(x, mu):
    """The modulus times sqrt(x), for large x (Digital Library, 10.18)."""
    factors = np.cumprod([1.0, *((2 * k - 1) / (2 * k) * (mu - (2 * k - 1) ** 2) for k in range(1, 5))])
    return np.sqrt(2 / np.pi * polynomial.polyval(1 / (2 * x) ** 2, factors))


def bessel_far_fit(of, phase):
    """Of modulus and phase, times sqrt(x) and x, by 1 / x - 1 / 5."""
    first, second, mu = (j1, y1, 4) if of.near.first else (j0, y0, 0)

    def function(t):
        x = 1 / (np.asarray(t, np.float64) + 0.2)
        near, far = np.minimum(x, 30), np.maximum(x, 30)
        turned = (first(near) + 1j * second(near)) * np.exp(-1j * (near - (np.pi / 4 if mu == 0 else 3 * np.pi / 4)))
        if phase:
            return x * np.where(x > 30, bessel_phase(far, mu), np.angle(turned))
        return np.where(x > 30, bessel_modulus(far, mu), np.abs(turned) * np.sqrt(near))

    def weight(t):
        return np.asarray(t, np.float64) + 0.2 if phase else 1 / function(t)

    return Fit(function, of.phase if phase else of.modulus, 1e-9 - 0.2, 0.2, weight, 2.0**-26)


FITS = {
    "i0": bessel_near(0),
    "i1": bessel_near(1),
    "i0 far": bessel_far(i0e),
    "i1 far": bessel_far(i1e),
    **{
        f"{name}{of.near.first:d} {'logarithm' if times else 'beside'}": bessel_series(of.near, times, low, high)
        for name, module, low, high in (("k", bessel_k, 0, 0.2525), ("j", bessel_jy, -1.5625, 0))
        for of in (module.ZEROTH, module.FIRST)
        for times in (True, False)
    },
    **{
        f"j{of.near.first:d} {'phase' if phase else 'modulus'}": bessel_far_fit(of, phase)
        for of in (bessel_jy.ZEROTH, bessel_jy.FIRST)
        for phase in (True, False)
    },
    "k0 far": bessel_k_far(k0e),
    "k1 far": bessel_k_far(k1e),
}
