"""The registration of `trnarray.scipy.fft` as a backend of scipy.fft: once per process, whichever is imported first.

`import trnarray` must not import SciPy, so a finder on ``sys.meta_path`` waits for scipy.fft and registers the backend when
that module has run. The finder finds nothing itself: it asks the other finders and wraps the loader that they give for this
one module. Importing takes the module's lock, so that no thread sees scipy.fft without the backend.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__all__ = ["install"]

_TARGET: Final = "scipy.fft"
_lock: Final = allocate_lock()
_registered = False


def install() -> None:
    """Register the backend now if scipy.fft is imported already, else as soon as it is."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    if sys.modules.get(_TARGET) is not None:
        from importlib import import_module

        # Another thread may be in the middle of that import: this waits for it.
        _register(import_module(_TARGET))


def _register(scipy_fft: ModuleType) -> None:
    """Register the backend, unless that has been done."""
    from . import fft as backend

    global _registered
    with _lock:
        if not _registered:
            scipy_fft.register_backend(backend)
            _registered = True


class _Finder:
    """Wraps the loader of scipy.fft, whichever of the finders behind this one finds it."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None, /) -> ModuleSpec | None:
        if fullname == _TARGET:
            finders = tuple(sys.meta_path)
            for finder in finders[finders.index(self) + 1 :]:
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    if spec.loader is not None:
                        spec.loader = _RegisteringLoader(spec.loader)  # type: ignore[assignment]  # a Loader in all it does
                    return spec
        return None


class _RegisteringLoader:
    """Runs a module with its own loader, then registers the backend; in everything else, it is that loader."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader  # what looks at the module sees the loader that it has without us
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _register(module)
