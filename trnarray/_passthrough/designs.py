"""
Designs of filters as polynomials, whose poles are lost where their coefficients are rounded to float32.

Poles that lie close together move by a root of the roundoff: a band-pass filter of eighth order becomes unstable.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

__all__ = ["is_lost_in_float32"]

_NAMES: Final = (
    "bessel bilinear butter cheby1 cheby2 ellip gammatone iircomb iirdesign iirfilter iirnotch iirpeak sos2tf zpk2tf"
)
_DESIGNS: Final = frozenset(f"scipy.signal.{name}" for name in _NAMES.split())
_CHANGED: Final = 2.0**-13  # of the largest response
_POINTS: Final = 512


def is_lost_in_float32(name: str, result: Any, analog: bool) -> bool:
    """Tell whether a function designed a numerator and a denominator whose response, or stability, float32 does not keep."""
    if name not in _DESIGNS or type(result) is not tuple or len(result) != 2:
        return False
    if not all(isinstance(part, np.ndarray) and part.ndim == 1 and part.size for part in result):
        return False
    exact = [np.asarray(part) for part in result]
    with np.errstate(all="ignore"):
        rounded = [part.astype(np.complex64 if part.dtype.kind == "c" else np.float32).astype(part.dtype) for part in exact]
        if not all(np.isfinite(part).all() and (part != 0).any() for part in rounded):
            return True
        poles = np.roots(exact[1])
        if analog:
            at = 1j * np.concatenate([np.abs(poles), np.abs(poles.imag), [0.0]])
        else:
            at = np.exp(1j * np.concatenate([np.linspace(0.0, np.pi, _POINTS), np.abs(np.angle(poles))]))
        responses = [_quotient(pair[0], pair[1], at) for pair in (exact, rounded)]
        known = np.isfinite(responses[0])
        stable = [np.all(roots.real < 0) if analog else np.all(np.abs(roots) < 1) for roots in (poles, np.roots(rounded[1]))]
        change = np.abs(responses[1] - responses[0])[known].max(initial=0.0)
    return bool(stable[0] and not stable[1]) or not change <= _CHANGED * np.abs(responses[0][known]).max(initial=0.0)


def _quotient(numerator: npt.NDArray[Any], denominator: npt.NDArray[Any], at: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Evaluate a response; both polynomials have the highest power first."""
    found: npt.NDArray[Any] = np.polyval(numerator, at) / np.polyval(denominator, at)
    return found
