"""The modules of other libraries that convert Arrays to ndarrays, and what of trnarray does the same where the Arrays are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .backends.policy import register_look_alike

__all__ = ["LOOK_ALIKES"]

# Most of numpy and the ufuncs of scipy.special hand over by protocols, but not where Arrays are in a list, or an argument is none of
# theirs. So does scipy.fft, but scipy.fftpack uses its inner modules.
LOOK_ALIKES: Final[Mapping[str, str]] = {
    "numpy": "trnarray",
    "scipy.fft": "trnarray.scipy.fft",
    "scipy.linalg": "trnarray.scipy.linalg",
    "scipy.signal": "trnarray.scipy.signal",
    "scipy.sparse": "trnarray.scipy.sparse",
    "scipy.special": "trnarray.scipy.special",
    # Matrices, and what makes them
    **{f"scipy.sparse.{name}_matrix": f"trnarray.scipy.sparse.{name}_array" for name in ("bsr", "coo", "csc", "csr", "dia")},
    **{f"scipy.sparse.{name}": f"trnarray.scipy.sparse.{name}_array" for name in ("diags", "eye", "random")},
    "scipy.sparse.bmat": "trnarray.scipy.sparse.block_array",
}
"""Modules and functions of theirs, and ours: an implicit conversion that is made in one of theirs warns and names ours."""

for _theirs, _ours in LOOK_ALIKES.items():
    register_look_alike(_theirs, _ours)
register_look_alike("scipy", "trnarray.scipy", passed_through=True)  # all the rest, on the host
