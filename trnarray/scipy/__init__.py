"""Look-alikes of SciPy's modules for Arrays: `linalg`, `signal`, `sparse`, `special`, and `fft`, which is scipy.fft's backend for them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .._other_names import ScipyFinder, scipy_module

if TYPE_CHECKING:
    from .. import special as special
    from . import fft as fft
    from . import linalg as linalg
    from . import signal as signal
    from . import sparse as sparse

__all__ = ["fft", "linalg", "signal", "sparse", "special"]


def __getattr__(name: str) -> Any:
    """Import a module when it is first asked for."""
    if name in __all__:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if f"scipy.{name}" in sys.modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: {scipy_module(f'scipy.{name}')}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")


if ScipyFinder not in sys.meta_path:
    sys.meta_path.append(ScipyFinder)
