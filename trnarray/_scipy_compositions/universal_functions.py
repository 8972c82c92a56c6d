"""Universal functions of scipy.special, of which some are composed on devices."""

from __future__ import annotations

from typing import Any

from .._array import Array
from ..backends.device import CPU
from ..backends.settings import get_default_device
from ..ufunc import ufunc
from .composition import composition_of, run

__all__ = ["composed_call", "special_ufunc"]


def composed_call(name: str, args: tuple[Any, ...]) -> Any:
    """Call what composes a universal function of scipy.special; NotImplemented where its Op computes."""
    devices = [item._device for item in args if type(item) is Array]
    if CPU in devices or (not devices and get_default_device() is CPU):  # before compositions are imported
        return NotImplemented
    compose = composition_of("special", name)
    return NotImplemented if compose is None else run(compose, args, {})


class special_ufunc(ufunc):  # noqa: N801  # as NumPy's
    """A universal function of scipy.special."""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the function."""
        found = NotImplemented if kwargs or len(args) != self.nin else composed_call(self.model.__name__, args)
        return super().__call__(*args, **kwargs) if found is NotImplemented else found


special_ufunc.__doc__ = vars(ufunc)["__doc__"]  # which describes each function
