"""The registration of Arrays with other libraries: once per process, whichever is imported first.

`import trnarray` must not import other libraries, so a finder on ``sys.meta_path`` waits for the modules of a table and registers
when one of them has run. The finder finds nothing itself: it asks the other finders and wraps the loader that they give for
these modules. Importing takes a module's lock, so that no thread sees it without the registration.
"""

from __future__ import annotations

import sys
from _thread import allocate_lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__all__ = ["install"]

_REGISTRATIONS: Final = {"scipy.fft": "scipy_fft", "dask.array.backends": "dask_array", "einops._backends": "einops"}
"""From the module of another library to ours whose function `register` tells it about Arrays."""
_lock: Final = allocate_lock()
_registered: Final[set[str]] = set()


def install() -> None:
    """Register now with the modules that are imported already, and with the others as soon as they are."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    for target in _REGISTRATIONS:
        if sys.modules.get(target) is not None:
            from importlib import import_module

            import_module(target)  # another thread may be in the middle of that import: this waits for it
            _register(target)


def _register(target: str) -> None:
    """Register with a module, unless that has been done."""
    from importlib import import_module

    ours = import_module(f".{_REGISTRATIONS[target]}", __package__)
    with _lock:
        if target not in _registered:
            ours.register()
            _registered.add(target)


class _Finder:
    """Wraps the loaders of the modules of the table, whichever of the finders behind this one finds them."""

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None, /) -> ModuleSpec | None:
        if fullname in _REGISTRATIONS:
            finders = tuple(sys.meta_path)
            for finder in finders[finders.index(self) + 1 :]:
                spec = finder.find_spec(fullname, path, target)
                if spec is not None:
                    if spec.loader is not None:
                        spec.loader = _RegisteringLoader(spec.loader)  # type: ignore[assignment]  # a Loader in all it does
                    return spec
        return None


class _RegisteringLoader:
    """Runs a module with its own loader, then registers with it; in everything else, it is that loader."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader  # what looks at the module sees the loader that it has without us
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _register(module.__name__)
