"""Transforms of Hermitian spectra along several axes: the inverse ones of real data, conjugated."""

from __future__ import annotations

from typing import Any, Final

from .. import Lowerings
from ..composition import Expression, Ops, compositions

__all__: list[str] = []

_OTHER_WAY: Final = {"backward": "forward", "forward": "backward", "ortho": "ortho"}
"""Norms, by those of the transform in the other direction."""


def _to_real(ops: Ops, _: str, x: Any, *, s: Any, axes: Any, norm: str) -> Expression:
    return ops("fft.irfftn", ops.floats(x, wide=True).conj(), s, axes, _OTHER_WAY[norm])


def _of_real(ops: Ops, _: str, x: Any, *, s: Any, axes: Any, norm: str) -> Expression:
    return ops("fft.rfftn", ops.floats(x, wide=True), s, axes, _OTHER_WAY[norm]).conj()


LOWERINGS: Final[Lowerings] = compositions(
    {**dict.fromkeys(("fft.hfftn", "fft.hfft2"), _to_real), **dict.fromkeys(("fft.ihfftn", "fft.ihfft2"), _of_real)}
)
