"""Look-alikes of SciPy's modules for Arrays: `linalg`, `signal`, `sparse`, `special`, and `fft`, which is scipy.fft's backend for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
