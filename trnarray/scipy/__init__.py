"""SciPy's modules for Arrays. What has no implementation of ours is passed through to SciPy on the host, in full view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .. import special as special
    from . import cluster as cluster
    from . import constants as constants
    from . import datasets as datasets
    from . import differentiate as differentiate
    from . import fft as fft
    from . import fftpack as fftpack
    from . import integrate as integrate
    from . import interpolate as interpolate
    from . import io as io
    from . import linalg as linalg
    from . import ndimage as ndimage
    from . import optimize as optimize
    from . import signal as signal
    from . import sparse as sparse
    from . import spatial as spatial
    from . import stats as stats

__all__ = [
    "cluster",
    "constants",
    "datasets",
    "differentiate",
    "fft",
    "fftpack",
    "integrate",
    "interpolate",
    "io",
    "linalg",
    "ndimage",
    "optimize",
    "signal",
    "sparse",
    "spatial",
    "special",
    "stats",
]


def __getattr__(name: str) -> Any:
    """Import a module when it is first asked for."""
    if name in __all__:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name == "odr":
        raise AttributeError(f"module {__name__!r} has no attribute 'odr': SciPy is dropping it; use the package odrpack")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
