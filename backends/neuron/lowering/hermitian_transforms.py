"""Transforms of Hermitian spectra along several axes: the inverse ones of real data, conjugated."""

from __future__ import annotations

from typing import Any, Final

from ...ops import fft as _fft  # noqa: F401  # registers them
from .composition import Expression, Ops, composition
from .fourier import check_workers

__all__: list[str] = []

_LAST_TWO: Final = (-2, -1)
_OTHER_WAY: Final = {None: "forward", "backward": "forward", "forward": "backward"}
"""Norms, by those of the transform in the other direction."""


@composition("fft.hfftn", "fft.hfft2")
def _to_real(
    ops: Ops, name: str, x: Any, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
    *, plan: Any = None,
) -> Expression:  # fmt: skip
    del overwrite_x
    check_workers(workers)
    axes = _LAST_TWO if axes is None and name.endswith("2") else axes
    return ops("fft.irfftn", ops.floats(x).conj(), s, axes, _OTHER_WAY.get(norm, norm), plan=plan)


@composition("fft.ihfftn", "fft.ihfft2")
def _of_real(
    ops: Ops, name: str, x: Any, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
    *, plan: Any = None,
) -> Expression:  # fmt: skip
    del overwrite_x
    check_workers(workers)
    axes = _LAST_TWO if axes is None and name.endswith("2") else axes
    return ops("fft.rfftn", ops.floats(x), s, axes, _OTHER_WAY.get(norm, norm), plan=plan).conj()
