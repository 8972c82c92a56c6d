"""
Hankel transforms of samples at logarithmic steps.

They are products with coefficients between two Fourier transforms: Hamilton, Mon. Not. R. Astron. Soc. 312 (2000). Coefficients come from
what the host's transform makes of a unit impulse.
"""

from __future__ import annotations

import warnings
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....op import get_op
from .. import Lowerings
from ..composition import Expression, Ops, compositions

__all__: list[str] = []


def _weights(name: str, n: int, dln: float, offset: float, bias: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Give what samples are multiplied by before and after."""
    steps = (np.arange(n) - (n - 1) / 2) * dln
    if name == "fft.fht":
        return np.exp(-bias * steps), np.exp(-bias * (steps + offset))
    return np.exp(bias * (steps + offset)), np.exp(bias * steps)


def _transform(ops: Ops, name: str, a: Any, *, dln: float, mu: float, offset: float, bias: float) -> Expression:
    x = ops.floats(a, wide=True)
    n = x.shape[-1]
    key = (name, n, dln, mu, offset, bias)
    before, after = _weights(name, n, dln, offset, bias)

    def coefficients() -> npt.NDArray[np.complex128]:
        with warnings.catch_warnings(action="ignore"):  # each call warns when it is read
            response = get_op(name).host(np.eye(1, n)[0], dln, mu, offset, bias) / (before[0] * after)
        return np.fft.rfft(response[::-1])

    if bias:
        x = x * ops.beside(x, ("before", *key), lambda: before)
    spectrum = ops("fft.rfft", x) * ops.beside(x, key, coefficients, is_complex=True)
    y = ops("fft.irfft", spectrum, n, -1, "backward")[..., ::-1]
    return y * ops.beside(x, ("after", *key), lambda: after) if bias else y


LOWERINGS: Final[Lowerings] = compositions(dict.fromkeys(("fft.fht", "fft.ifht"), _transform))
