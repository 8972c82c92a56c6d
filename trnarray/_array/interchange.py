"""How an Array becomes something else: an ndarray, a pickle, a copy, a DLPack capsule."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from ..backends.device import CPU, Device
from ..backends.dtypes import FIRST_EXTRA, canonical_dtype
from ..backends.engine import engine_for
from ..backends.host.cast import cast
from ..backends.ops import methods
from ..backends.policy import HostTransferWarning, check_transfer
from . import capsule
from .base import ArrayBase

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

__all__ = ["Interchange"]

_BY_STRIDES: Final = np.lib.stride_tricks.as_strided.__code__


class Interchange(ArrayBase):
    """The protocols by which other libraries and Python's own modules take an Array."""

    __slots__ = ()

    def __array__(self, dtype: npt.DTypeLike | None = None, /, *, copy: bool | None = None) -> npt.NDArray[Any]:
        if self._device is not CPU and sys._getframe(1).f_code is _BY_STRIDES:  # strides of another memory, beyond which it would read
            raise TypeError(
                f"numpy's as_strided would apply strides of {str(self._device)!r} to a copy on the host, and read beyond it; "
                "use trnarray.lib.stride_tricks.as_strided, trnarray.scipy.linalg for functions of SciPy's, or x.to_device('cpu')"
            )
        remedy = "convert with numpy.from_dlpack(x)" if self._device is CPU else "convert with x.to_device('cpu')"
        check_transfer("to host", self._value.nbytes, self._device, remedy)
        value = self._host()
        array = np.asarray(value)
        target = array.dtype if dtype is None else np.dtype(dtype)
        if copy is False and (array is not self._value or target != array.dtype):
            cause = (
                f"it is on {str(self._device)!r}"
                if self._device is not CPU
                else "it is detached, a scalar without memory"
                if array is not value
                else f"{array.dtype} is to become {target}"
            )
            raise ValueError(f"copy=False cannot be had for this Array, as {cause}; allow the copy with copy=None")
        if target != array.dtype:
            return cast(array, target)
        return array.copy("K") if copy and array is self._value else array

    def __bytes__(self) -> bytes:
        value = self._host()
        return bytes(value) if value.dtype.num < FIRST_EXTRA else value.tobytes()

    def __copy__(self) -> Self:
        return self._applied(methods.copy, self, "K")

    def __deepcopy__(self, memo: dict[int, Any], /) -> Self:
        return self._applied(methods.copy, self, "K")

    def __reduce_ex__(self, protocol: Any, /) -> tuple[Callable[..., Self], tuple[Any, ...]]:
        value = self._host()
        detached = isinstance(value, np.generic)
        array = np.asarray(value)
        name = array.dtype.name
        if array.dtype.num >= FIRST_EXTRA:  # NumPy neither pickles these by name nor hands their buffers out
            array = array.view(f"u{array.dtype.itemsize}")
        return self._unpickled, (array, name, str(self._device), detached)

    @classmethod
    def _unpickled(cls, array: npt.NDArray[Any], name: str, device_name: str, detached: bool) -> Self:
        value: Any = array if array.dtype.name == name else array.view(canonical_dtype(name))
        if detached:
            value = value[()]
        device = Device(device_name)
        try:
            engine = engine_for(device)
        except ValueError as error:
            warnings.warn(f"an Array pickled on {device_name!r} is now on 'cpu': {error}", HostTransferWarning, stacklevel=2)
            return cls._wrap(value)
        return cls._wrap(engine.from_host(value, copy=False), device)

    def __dlpack_device__(self) -> tuple[int, int]:
        return capsule.device_of(self._device)

    def __dlpack__(
        self,
        *,
        stream: None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        if stream is not None:
            raise ValueError(f"stream must be None, since no device has streams; got {stream!r}")
        own = capsule.device_of(self._device)
        if dl_device not in (None, own, capsule.DL_CPU):
            raise BufferError(f"an Array on {str(self._device)!r} has no DLPack device {dl_device}; ask for {capsule.DL_CPU}")
        if self._device is not CPU:
            if dl_device != capsule.DL_CPU:
                raise BufferError(f"the memory of {str(self._device)!r} cannot be shared; ask for a copy with dl_device={capsule.DL_CPU}")
            if copy is False:
                raise BufferError(f"an Array on {str(self._device)!r} reaches the host by a copy only, which copy=False forbids")
        value = self._host()
        if isinstance(value, np.generic):
            if copy is False:
                raise BufferError("copy=False cannot be had as this Array is detached, a scalar without memory; allow it with copy=None")
            value = np.array(value)
        return capsule.export(value, max_version, copy)
