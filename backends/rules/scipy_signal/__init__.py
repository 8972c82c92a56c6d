"""Rules of scipy.signal, by the names of its functions and of the methods of `ShortTimeFFT`."""

from collections.abc import Mapping
from typing import Final

from ..signature import Rule
from . import convolution, filters, short_time_fft, spectra

__all__ = ["RULES", "SHORT_TIME_RULES"]

RULES: Final[Mapping[str, Rule]] = {**convolution.RULES, **filters.RULES, **spectra.RULES}
"""By the name of the function."""
SHORT_TIME_RULES: Final[Mapping[str, Rule]] = short_time_fft.RULES
"""By the name of the method."""
