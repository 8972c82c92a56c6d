"""The table of ndarray's public attributes: which of them Array has, and what to use for the rest, and for other libraries'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["NDARRAY_ATTRIBUTES", "OTHER_ATTRIBUTES", "RAISES"]

_TO_HOST: Final = "use x.to_device('cpu'), and numpy.asarray of that for an ndarray"
_MOVES: Final = "use x.to_device(device), with one of trnarray.devices(), and x.astype(dtype) for another dtype"
_GRADIENT: Final = "trnarray does not differentiate"

RAISES: Final[Mapping[str, str]] = {
    # What could be had on the host only, or for structured dtypes only
    "ctypes": "memory of a device has no address on the host; use numpy.asarray(x).ctypes",
    "data": "memory of a device has no buffer on the host; use numpy.asarray(x).data",
    "dump": "it would need an open file of this process; use pickle.dump(x, file) or numpy.save(file, numpy.asarray(x))",
    "dumps": "it is pickle by another name; use pickle.dumps(x)",
    "getfield": "Arrays have no structured dtypes, hence no fields; use x.view(dtype) and slices of it",
    "setfield": "Arrays have no structured dtypes, hence no fields; use x.view(dtype)[...] = values",
    "tofile": "it loses shape, dtype and byte order; use numpy.save(file, numpy.asarray(x))",
    # What NumPy 2 has taken away itself; NumPy 2.2 still lists the names
    "itemset": "NumPy 2 has no such method either; use x[index] = value",
    "newbyteorder": "NumPy 2 has no such method either; Arrays are in native byte order always",
    "ptp": "NumPy 2 has no such method either; use trnarray.ptp(x)",
    "tostring": "NumPy 2.3 has no such method either; use x.tobytes()",
}
"""The attributes that raise AttributeError, with the reason and the remedy."""

_IMPLEMENTED: Final = """
    T all any argmax argmin argpartition argsort astype base byteswap choose clip compress conj conjugate copy cumprod cumsum
    device diagonal dot dtype fill flags flat flatten imag item itemsize mT max mean min nbytes ndim nonzero partition prod put
    ravel real repeat reshape resize round searchsorted setflags shape size sort squeeze std strides sum swapaxes take to_device
    tobytes tolist trace transpose var view
""".split()  # noqa: SIM905

NDARRAY_ATTRIBUTES: Final[Mapping[str, str]] = {
    name: RAISES.get(name, "implemented") for name in sorted([*_IMPLEMENTED, *RAISES], key=str.lower)
}
"""Every public attribute of ndarray, and ``"implemented"`` or why it raises."""

OTHER_ATTRIBUTES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("asnumpy", "cpu", "get", "numpy"), _TO_HOST),
    **dict.fromkeys(("cuda", "to"), _MOVES),
    **dict.fromkeys(("backward", "detach", "grad", "requires_grad"), _GRADIENT),
    **dict.fromkeys(("block_until_ready", "wait"), "use trnarray.synchronize()"),
    "at": "Arrays can be written to: use x[index] = value, or trnarray.add.at(x, index, value)",
    "clone": "use x.copy()",
    "contiguous": "use trnarray.ascontiguousarray(x)",
    "dim": "use x.ndim",
    "is_cuda": "use x.device",
    "numel": "use x.size",
    "permute": "use x.transpose(axes)",
    "ptr": "memory of a device has no address on the host",
    "set": "use x[...] = values",
    "toDlpack": "use trnarray's x.__dlpack__(), or from_dlpack(x) of the other library",
    "unsqueeze": "use trnarray.expand_dims(x, axis=axis)",
}
"""Attributes of other libraries' arrays, and what to use instead."""
