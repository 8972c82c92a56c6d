"""Arrays that numbers alone give: windows, positions, frequencies.

The host computes them, in float64 and rounded once, and brings them: no data of the device is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...op import Op, get_op
from ...ops import fft as _fft  # noqa: F401  # registers them
from ...ops import positions as _positions  # noqa: F401
from ...ops import selection as _selection  # noqa: F401
from ...ops import windows as _windows  # noqa: F401
from ..value import Value
from . import NotNativeError

if TYPE_CHECKING:
    from ..builder import Builder

__all__ = ["brought"]

_NAMES: Final = (
    *("bartlett", "blackman", "hamming", "hanning", "kaiser"),
    *("tril_indices", "triu_indices"),
    *("fft.fftfreq", "fft.rfftfreq"),
)


def brought(engine: Builder, item: Any, *, narrow: bool = True) -> Any:
    """Bring what the host has computed."""
    if isinstance(item, (tuple, list)):
        return type(item)(brought(engine, one, narrow=narrow) for one in item)
    host = np.asarray(item)
    defaults = {"f": engine.promotion.default_float, "c": engine.promotion.default_complex, "i": engine.promotion.default_int}
    wanted = defaults.get(host.dtype.kind)
    if narrow and wanted is not None and host.dtype.itemsize > wanted.itemsize:
        host = host.astype(wanted)
    return engine.from_host(host if isinstance(item, np.ndarray) else host[()], copy=True)


def _on_host(op: Op) -> Callable[..., Any]:
    def run(engine: Builder, *numbers: Any, **parameters: Any) -> Any:
        if any(isinstance(item, Value) for item in numbers):
            raise NotNativeError("parameters that are arrays are looked at on the host")
        asked = parameters.get("dtype") is not None or any(isinstance(item, np.dtype) for item in numbers)
        return brought(engine, op.host(*numbers, **parameters), narrow=not asked)

    return run


def _diag_indices_from(engine: Builder, arr: Any) -> Any:
    if not isinstance(arr, Value):
        raise NotNativeError("it has no array")
    return brought(engine, get_op("diag_indices_from").host(arr.shadow))


def _register() -> None:
    for name in _NAMES:
        get_op(name).implement("neuron", _on_host(get_op(name)))
    get_op("diag_indices_from").implement("neuron", _diag_indices_from)


_register()
