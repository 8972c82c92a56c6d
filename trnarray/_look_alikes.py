"""The modules of other libraries that convert Arrays to ndarrays, and what of trnarray does the same where the Arrays are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .backends.policy import register_look_alike

__all__ = ["LOOK_ALIKES"]

# numpy.* and the ufuncs of scipy.special need none, as they hand over by protocols. So does scipy.fft, but scipy.fftpack uses
# its inner modules.
LOOK_ALIKES: Final[Mapping[str, str]] = {
    "scipy.fft": "trnarray.scipy.fft",
    "scipy.linalg": "trnarray.scipy.linalg",
    "scipy.sparse": "trnarray.scipy.sparse",
}
"""Theirs and ours: an implicit conversion that is made in one of theirs warns and names ours."""

for _theirs, _ours in LOOK_ALIKES.items():
    register_look_alike(_theirs, _ours)
