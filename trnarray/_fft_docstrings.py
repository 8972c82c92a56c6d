"""The docstrings of Fourier transforms and their kin, which two modules make from one table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

__all__ = ["document"]

_KINDS: Final[Mapping[str, str]] = {
    "fft": "discrete Fourier transform",
    "ifft": "inverse discrete Fourier transform",
    "rfft": "discrete Fourier transform of real data",
    "irfft": "inverse discrete Fourier transform to real data",
    "hfft": "discrete Fourier transform of Hermitian data",
    "ihfft": "inverse discrete Fourier transform to Hermitian data",
    "dct": "discrete cosine transform",
    "idct": "inverse discrete cosine transform",
    "dst": "discrete sine transform",
    "idst": "inverse discrete sine transform",
}
_AXES: Final[Mapping[str, str]] = {"2": "two axes", "n": "several axes"}


def document(transform: Callable[..., Any], name: str, package: str) -> None:
    """Give a transform made from a table its name and its docstring; `package` has the function that it mirrors."""
    axes = _AXES.get(name[-1], "one axis")
    transform.__name__ = transform.__qualname__ = name
    more = " `precision` to `return_info` are those of `trnarray.linalg.matmul`." if package == "numpy.fft" else ""
    transform.__doc__ = f"Compute the {_KINDS[name.rstrip('n2')]} along {axes}. See `{package}.{name}`.{more}"
