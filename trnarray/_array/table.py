"""The table of ndarray's public attributes: which of them Array has, and why it has not the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["NDARRAY_ATTRIBUTES", "RAISES"]

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
