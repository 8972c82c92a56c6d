"""Ops of the Fourier chapter: the standard's transforms, scipy.fft's others, and the helpers around them.

``numpy.`` names are those of numpy.fft, which read some arguments otherwise than SciPy's and take ``out``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from ..host import fft as host
from ..host import standard
from ..op import MOVE, Op
from ..rules import fft as rules

__all__ = ["NUMPY", "TRANSFORMS", "fftfreq", "fftshift", "ifftshift", "rfftfreq"]

_LAST_TWO: Final = (-2, -1)
_MULTIDIMENSIONAL: Final[Mapping[str, tuple[int, int] | None]] = {
    **dict.fromkeys(("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")),
    **dict.fromkeys(("fft2", "ifft2", "rfft2", "irfft2", "hfft2", "ihfft2"), _LAST_TWO),
}

TRANSFORMS: Final[Mapping[str, Op]] = {
    name: Op(f"fft.{name}", implementation, rule=rule)
    for name, (implementation, rule) in {
        **{name: (host.one_dimensional(name), rules.one_dimensional(name)) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
        **{name: (host.multidimensional(name, axes), rules.multidimensional(name, axes)) for name, axes in _MULTIDIMENSIONAL.items()},
        **{name: (host.real_one_dimensional(name), rules.real_one_dimensional) for name in ("dct", "idct", "dst", "idst")},
        **{name: (host.real_multidimensional(name), rules.real_multidimensional) for name in ("dctn", "idctn", "dstn", "idstn")},
        **{name: (host.hankel(name), rules.hankel) for name in ("fht", "ifht")},
    }.items()
}
"""The 28 transforms of scipy.fft, by name."""

NUMPY: Final[Mapping[str, Op]] = {
    name: Op(f"numpy.fft.{name}", host.of_numpy(name), rule=rules.of_numpy(name))
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2")
}
"""NumPy's transforms, by name."""

fftfreq = Op("fft.fftfreq", standard.fftfreq, MOVE, rule=rules.fftfreq)
rfftfreq = Op("fft.rfftfreq", standard.rfftfreq, MOVE, rule=rules.rfftfreq)
fftshift = Op("fft.fftshift", np.fft.fftshift, MOVE, rule=rules.fftshift)
ifftshift = Op("fft.ifftshift", np.fft.ifftshift, MOVE, rule=rules.fftshift)
