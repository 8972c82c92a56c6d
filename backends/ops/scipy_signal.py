"""Ops of scipy.signal, by name. Importing this imports scipy.signal."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Final

import scipy
import scipy.signal

from ..op import Op
from ..rules.scipy_signal import RULES, SHORT_TIME_RULES

__all__ = ["OPS", "known_window"]

_NAMES: Final = """
    choose_conv_method convolve correlate detrend fftconvolve filtfilt firwin get_window hilbert lfilter
    oaconvolve resample resample_poly sosfilt sosfiltfilt
"""
_NAMES_WITH_WINDOWS: Final = "coherence csd istft periodogram spectrogram stft welch"
_SUFFIX: Final = "_periodic"
_SUFFIX_SINCE: Final = (1, 17)  # before, the name without it means the same in these functions
_SCIPY: Final = tuple(map(int, scipy.__version__.split(".")[:2]))


def _with_window(name: str) -> Callable[..., Any]:
    """Give a function that takes the names of windows that the newest SciPy knows."""
    function: Callable[..., Any] = getattr(scipy.signal, name)
    if _SCIPY >= _SUFFIX_SINCE:
        return function
    place = [*inspect.signature(function).parameters].index("window")

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place:
            args = (*args[:place], known_window(args[place]), *args[place + 1 :])
        elif "window" in kwargs:
            kwargs["window"] = known_window(kwargs["window"])
        return function(*args, **kwargs)

    return call


def known_window(window: Any) -> Any:
    """Give the name of a window as this SciPy knows it in functions of spectra."""
    if _SCIPY >= _SUFFIX_SINCE:
        return window
    if isinstance(window, tuple) and window:
        return (known_window(window[0]), *window[1:])
    return window.removesuffix(_SUFFIX) if isinstance(window, str) else window


def _find_peaks(x: Any, *conditions: Any, **named: Any) -> tuple[Any, tuple[str, ...], tuple[Any, ...]]:
    """Find peaks: their places, the names of their properties, and these."""
    peaks, properties = scipy.signal.find_peaks(x, *conditions, **named)
    return peaks, tuple(properties), tuple(properties.values())


def _short_time(method: str) -> Callable[..., Any]:
    """Give a method of scipy.signal.ShortTimeFFT that has the transform after the first signal."""
    function: Callable[..., Any] = getattr(scipy.signal.ShortTimeFFT, method)

    @wraps(function)
    def call(x: Any, transform: scipy.signal.ShortTimeFFT, *args: Any, **kwargs: Any) -> Any:
        return function(transform, x, *args, **kwargs)

    return call


OPS: Final[Mapping[str, Op]] = {
    **{name: Op(f"scipy.signal.{name}", getattr(scipy.signal, name), rule=RULES[name]) for name in _NAMES.split()},
    **{name: Op(f"scipy.signal.{name}", _with_window(name), rule=RULES[name]) for name in _NAMES_WITH_WINDOWS.split()},
    "find_peaks": Op("scipy.signal.find_peaks", _find_peaks, rule=RULES["find_peaks"]),
    **{
        f"ShortTimeFFT.{method}": Op(f"scipy.signal.ShortTimeFFT.{method}", _short_time(method), rule=SHORT_TIME_RULES[method])
        for method in ("stft", "stft_detrend", "spectrogram", "istft")
    },
}
"""The functions that take or give signals, by name."""
