"""DLPack capsules of host data: NumPy's, and the dtypes that NumPy does not know put in their place.

NumPy can neither export nor import bfloat16 and float8. Their elements travel as unsigned integers of the same width in a
capsule of NumPy's, in which only the code of the dtype is changed: before a consumer sees it on the way out, and while
NumPy reads it on the way in. So all memory stays owned, and all deleters stay called, by those who made them.

The layout is that of dlpack.h 1.2, whose structures grow at their ends only within a major version.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..backends.device import CPU, Device
from ..backends.dtypes import DTYPES, FIRST_EXTRA, DType

if TYPE_CHECKING:
    import numpy.typing as npt


__all__ = ["DL_CPU", "device_of", "export", "take"]

DL_CPU: Final = (1, 0)
"""DLPack's name of the host: kDLCPU."""

_MAX_VERSION: Final = (1, 2)
_HOST_TYPES: Final = frozenset({1, 3, 11, 13})  # kDLCPU, and the memory of CUDA and ROCm that the host reads as well
_TRAINIUM: Final = 18  # kDLTrn
_UNSIGNED: Final = 1
_READ_ONLY: Final = 1  # a flag

# (code, bits) of each dtype
_CODES: Final[dict[DType, tuple[int, int]]] = {
    dtype: (
        {"float8_e3m4": 7, "float8_e4m3": 8, "float8_e4m3fn": 10, "float8_e5m2": 12, "float8_e8m0fnu": 14, "bfloat16": 4, "bool": 6}.get(
            dtype.name
        )
        or {"i": 0, "u": 1, "f": 2, "c": 5}[dtype.kind],
        8 * dtype.itemsize,
    )
    for dtype in DTYPES
}
_DTYPES: Final = {code: dtype for dtype, code in _CODES.items()}


class _Tensor(ctypes.Structure):
    """DLTensor, as far as it is read here."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
    )


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned; the older DLManagedTensor begins with its DLTensor."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager_ctx", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    )


def _open(capsule: Any) -> tuple[_Tensor, bool]:
    """Look at the DLTensor in a capsule that nobody has taken yet, and whether the producer says that it may be written to."""
    api = ctypes.pythonapi
    is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_IsValid", api))
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    if is_valid(capsule, b"dltensor_versioned"):
        managed = _Versioned.from_address(pointer(capsule, b"dltensor_versioned"))
        if managed.major != _MAX_VERSION[0]:
            raise BufferError(f"the producer speaks DLPack {managed.major}.{managed.minor}, and only {_MAX_VERSION[0]}.x is understood")
        return managed.tensor, not managed.flags & _READ_ONLY
    if is_valid(capsule, b"dltensor"):
        return _Tensor.from_address(pointer(capsule, b"dltensor")), False
    raise BufferError(f"__dlpack__ returned {capsule!r}, which is no DLPack capsule, or one that has been taken already")


def device_of(device: Device) -> tuple[int, int]:
    """
    Return DLPack's name of a device.

    Examples
    --------
    >>> from trnarray.backends.device import Device
    >>> device_of(Device("cpu")), device_of(Device("trn:3"))
    ((1, 0), (18, 3))
    """
    return DL_CPU if device is CPU else (_TRAINIUM, device.index or 0)


def export(array: npt.NDArray[Any], max_version: tuple[int, int] | None, copy: bool | None) -> Any:
    """Put host data into a capsule."""
    if array.dtype.num < FIRST_EXTRA:
        return array.__dlpack__(max_version=max_version, copy=copy)
    capsule = array.view(f"u{array.dtype.itemsize}").__dlpack__(max_version=max_version, copy=copy)
    _open(capsule)[0].code = _CODES[array.dtype][0]
    return capsule


class _Carrier:
    """Hands a capsule to `numpy.from_dlpack`."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return DL_CPU


class _Writable:
    """Hands out the memory of what NumPy before 2.2.5 imports as read-only whatever the producer says."""

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array  # keeps the memory

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {**self.array.__array_interface__, "data": (self.array.ctypes.data, False)}


def take(producer: Any, copy: bool | None, move: bool) -> npt.NDArray[Any]:
    """Take host data out of a producer's capsule."""
    device = tuple(producer.__dlpack_device__())
    elsewhere = device[0] not in _HOST_TYPES
    keywords: dict[str, Any] = {"max_version": _MAX_VERSION}
    if elsewhere and not move:
        raise BufferError(f"the data is on DLPack device {device}, which is none of ours; name one to copy it to, as in device='cpu'")
    if elsewhere:
        if copy is False:
            raise ValueError(f"data on DLPack device {device} reaches the host by a copy only, which copy=False forbids")
        keywords["dl_device"] = DL_CPU
    if copy is not None:
        keywords["copy"] = copy
    try:
        capsule = producer.__dlpack__(**keywords)
    except TypeError:
        # A producer of before DLPack 1.0 knows none of the keywords. It shares its memory, wherever that is.
        if elsewhere:
            raise BufferError(f"the data is on DLPack device {device} and its library cannot move it; move it to the host first") from None
        capsule = producer.__dlpack__()
        keywords = {}
    tensor, writable = _open(capsule)
    if tensor.device_type not in _HOST_TYPES:
        found = (tensor.device_type, tensor.device_id)
        raise BufferError(f"the data is on DLPack device {found}, which the host cannot read; move it to the host first")
    code, bits, lanes = tensor.code, tensor.bits, tensor.lanes
    dtype = _DTYPES.get((code, bits))
    if dtype is None or lanes != 1:
        raise BufferError(f"DLPack dtype (code {code}, {bits} bits, {lanes} lanes) has no counterpart here; convert the data first")
    try:
        if dtype.num >= FIRST_EXTRA:
            tensor.code = _UNSIGNED
        array = np.from_dlpack(_Carrier(capsule))
    finally:
        tensor.code = code  # the producer's deleter gets the tensor as it was
    if writable and not array.flags.writeable:
        array = np.asarray(_Writable(array))
    if dtype.num >= FIRST_EXTRA:
        array = array.view(dtype)
    return array.copy() if copy and not keywords else array
