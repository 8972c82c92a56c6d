"""The registration of Arrays with einops, which asks the subclasses of its backends which of them knows an array's type."""

from __future__ import annotations

from typing import Any, Final

__all__ = ["register"]

_classes: Final[list[type]] = []  # einops itself has weak references only


def register() -> None:
    """Make a backend for Arrays: that for ndarrays, with trnarray in the place of NumPy."""
    import numpy as np
    from einops._backends import NumpyBackend

    from .._array import Array
    from ..array_conversion import asarray
    from ..creation_functions import empty
    from ..data_type_functions import isdtype

    class ArrayBackend(NumpyBackend):  # type: ignore[misc]  # einops comes without types
        framework_name = "trnarray"

        def __init__(self) -> None:
            self.np = empty(0).__array_namespace__()

        def is_appropriate_type(self, tensor: object) -> bool:
            return isinstance(tensor, Array)

        def from_numpy(self, x: Any) -> Any:
            return asarray(x)

        def to_numpy(self, x: Any) -> Any:
            return np.from_dlpack(x, device="cpu")

        def is_float_type(self, x: Any) -> bool:
            return isdtype(x.dtype, "real floating")

    _classes.append(ArrayBackend)
