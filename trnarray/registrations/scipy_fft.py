"""The registration of `trnarray.scipy.fft` as a backend of scipy.fft."""

from __future__ import annotations

__all__ = ["register"]


def register() -> None:
    """Register the backend."""
    import scipy.fft

    from ..scipy import fft as backend

    scipy.fft.register_backend(backend)
