"""Comparing what a kernel gave with its reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .sample import Tolerance

__all__ = ["difference", "to_numpy", "to_torch"]


def to_numpy(value: Any) -> NDArray[Any]:
    """Make an array of a result."""
    if type(value).__module__.partition(".")[0] == "torch":
        value = value.detach()
        value = (value.double() if value.is_floating_point() else value).numpy()
    array = np.asarray(value)
    return array.astype(np.int64 if array.dtype.kind in "iub" else np.float64)


def to_torch(value: Any) -> Any:
    """Make a torch tensor of an array, and leave everything else."""
    import torch  # type: ignore[import-not-found, unused-ignore]

    if isinstance(value, tuple):
        return tuple(map(to_torch, value))
    if not isinstance(value, np.ndarray):
        return value
    if value.dtype.name == "bfloat16":
        return torch.from_numpy(value.view(np.uint16).copy()).view(torch.bfloat16)
    return torch.from_numpy(value.astype(np.float32) if value.dtype.kind == "V" else value.copy())


def difference(got: Any, want: Any, tolerance: Tolerance) -> str:
    """Say how a result differs from its reference."""
    gots, wants = (list(value) if isinstance(value, tuple | list) else [value] for value in (got, want))
    if len(gots) != len(wants):
        return f"{len(gots)} results, not {len(wants)}"
    texts = [_one(to_numpy(a), to_numpy(b), tolerance) for a, b in zip(gots, wants, strict=True)]
    return "; ".join(f"result {i}: {text}" for i, text in enumerate(texts) if text)


def _one(got: NDArray[Any], want: NDArray[Any], tolerance: Tolerance) -> str:
    if got.shape != want.shape:
        return f"shape {got.shape}, not {want.shape}"
    regular = np.isfinite(want)
    if (strange := _first(np.where(regular, ~np.isfinite(got), (got != want) & ~(np.isnan(got) & np.isnan(want))))) is not None:
        return f"{got[strange]} at {strange}, not {want[strange]}"
    error = np.abs(np.where(regular, got, 0).astype(np.float64) - np.where(regular, want, 0))
    allowed = tolerance.relative * float(np.max(np.abs(want[regular]), initial=0))
    if (wrong := _first(error > allowed)) is not None:
        worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(error)), error.shape))
        return (
            f"{int(np.sum(error > allowed))} of {error.size} elements differ by more than {allowed:.3g}, "
            f"first {got[wrong]} at {wrong}, not {want[wrong]}; worst {got[worst]} at {worst}, not {want[worst]}"
        )
    return ""


def _first(mask: NDArray[Any]) -> Sequence[int] | None:
    found = np.argwhere(mask)
    return tuple(int(i) for i in found[0]) if len(found) else None
