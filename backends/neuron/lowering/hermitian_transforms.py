"""Transforms of Hermitian spectra along several axes: the inverse ones of real data, conjugated."""

from __future__ import annotations

from typing import Any, Final

from ...signatures.fourier import check_workers
from . import Lowerings
from .composition import Expression, Ops, compositions

__all__: list[str] = []

_LAST_TWO: Final = (-2, -1)
_OTHER_WAY: Final = {None: "forward", "backward": "forward", "forward": "backward"}
"""Norms, by those of the transform in the other direction."""


def _axes_and_norm(name: str, axes: Any, norm: Any, workers: Any) -> tuple[Any, Any]:
    """Give what the transform in the other direction takes for axes and norm; check what has no meaning on a device."""
    check_workers(workers)
    return _LAST_TWO if axes is None and name.endswith("2") else axes, _OTHER_WAY.get(norm, norm)


def _to_real(
    ops: Ops, name: str, x: Any, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
    *, plan: Any = None,
) -> Expression:  # fmt: skip
    del overwrite_x
    axes, norm = _axes_and_norm(name, axes, norm, workers)
    return ops("fft.irfftn", ops.floats(x).conj(), s, axes, norm, plan=plan)


def _of_real(
    ops: Ops, name: str, x: Any, s: Any = None, axes: Any = None, norm: Any = None, overwrite_x: bool = False, workers: Any = None,
    *, plan: Any = None,
) -> Expression:  # fmt: skip
    del overwrite_x
    axes, norm = _axes_and_norm(name, axes, norm, workers)
    return ops("fft.rfftn", ops.floats(x), s, axes, norm, plan=plan).conj()


LOWERINGS: Final[Lowerings] = compositions(
    {
        "fft.hfftn": _to_real,
        "fft.hfft2": _to_real,
        "fft.ihfftn": _of_real,
        "fft.ihfft2": _of_real,
    }
)
