"""Arrays that numbers alone give: windows, positions, frequencies.

The host computes them, in float64 and rounded once, and brings them: no data of the device is needed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...op import get_op
from ..value import Value
from . import Builder, Lowerings

__all__ = ["brought"]

_NAMES: Final = (
    *("bartlett", "blackman", "hamming", "hanning", "kaiser"),
    *("tril_indices", "triu_indices"),
    *("fft.fftfreq", "fft.rfftfreq"),
    *("scipy.linalg.dft", "scipy.linalg.helmert", "scipy.linalg.hilbert"),
)


def brought(builder: Builder, item: Any, *, narrow: bool = True) -> Any:
    """Bring what the host has computed."""
    if isinstance(item, (tuple, list)):
        return type(item)(brought(builder, one, narrow=narrow) for one in item)
    host = np.asarray(item)
    defaults = {"f": builder.promotion.default_float, "c": builder.promotion.default_complex, "i": builder.promotion.default_int}
    wanted = defaults.get(host.dtype.kind)
    if narrow and wanted is not None and host.dtype.itemsize > wanted.itemsize:
        host = host.astype(wanted)
    return builder.from_host(host if isinstance(item, np.ndarray) else host[()], copy=True)


def _on_host(name: str) -> Callable[..., Any]:
    def run(builder: Builder, *numbers: Any, **parameters: Any) -> Any:
        return brought(builder, get_op(name).host(*numbers, **parameters), narrow=parameters.get("dtype") is None)

    return run


def _diag_indices_from(builder: Builder, arr: Value) -> Any:
    return brought(builder, get_op("diag_indices_from").host(arr.shadow))


LOWERINGS: Final[Lowerings] = {**{name: _on_host(name) for name in _NAMES}, "diag_indices_from": _diag_indices_from}
