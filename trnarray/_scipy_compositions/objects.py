"""Objects that compute on devices and pass for those of SciPy's classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["Composed"]


class Composed:
    """
    An object that passes for one of SciPy's: by `isinstance`, and for attributes that it lacks, which SciPy's own has.

    Parameters
    ----------
    original : callable
        Has SciPy make the object, on the host: a counted fallback, the first time that it is needed.
    """

    def __init__(self, original: Callable[[], Any]) -> None:
        self._original = original
        self._passed: Any = None

    def _pass(self) -> Any:
        """Give the proxy of SciPy's object."""
        if self._passed is None:
            self._passed = self._original()
        return self._passed

    @property
    def scipy(self) -> Any:
        """SciPy's object."""
        return self._pass().scipy

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """SciPy's class."""
        return self._maker()._kind

    def _maker(self) -> Any:
        """Give the class of `trnarray.scipy` that makes such objects."""
        return self._original.func.__self__  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._pass(), name)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        made: Any = self._original
        return _made_again, (made.func.__self__, made.args, made.keywords)


def _made_again(kind: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return kind(*args, **kwargs)
