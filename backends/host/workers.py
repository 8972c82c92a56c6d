"""How many threads a large transform gets: one for each CPU that the process may use, unless the user chose otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Final

import numpy as np

from ..threads import available_cpus

__all__ = ["THRESHOLD", "default_workers", "is_large"]

# Elements from which on threads pay, measured on 2 CPUs with SciPy 1.17 and 1.18, complex128: at 2**14 two threads are up to
# twice slower, at 2**16 even, at 2**18 1.6 times faster.
THRESHOLD: Final = 1 << 17


def default_workers(x: Any, lengths: int | Sequence[int] | None, axes: int | Sequence[int] | None) -> int | None:
    """
    Choose the number of threads for a transform for which the caller asked for none.

    ``scipy.fft.set_workers`` is obeyed, and so is the 1 that it leaves behind in its thread.
    """
    if not is_large(x, lengths, axes) or _chosen_by_user():
        return None
    return available_cpus()


def is_large(x: Any, lengths: int | Sequence[int] | None, axes: int | Sequence[int] | None) -> bool:
    """Tell whether threads pay for a transform."""
    size = x.size if isinstance(x, np.ndarray) else np.size(x)
    if lengths is not None:
        size = _resized(np.shape(x), lengths, axes)
    return size >= THRESHOLD


def _resized(shape: tuple[int, ...], lengths: Any, axes: Any) -> int:
    """Count the elements after cutting and filling up; arguments that make no sense are SciPy's to refuse."""
    where = range(-np.size(lengths), 0) if axes is None else np.atleast_1d(axes)
    resized = dict(enumerate(shape))
    for axis, length in zip(where, np.atleast_1d(lengths), strict=False):
        if length != -1:
            resized[int(axis) % max(len(shape), 1)] = int(length)
    return prod(resized.values())


def _chosen_by_user() -> bool:
    """Tell whether ``set_workers`` was used in this thread.

    ``get_workers`` gives 1 both for "1 was set" and for "nothing was set"; SciPy's thread-local settings know the difference.
    """
    from scipy.fft import get_workers

    settings: Any = getattr(get_workers, "__globals__", {}).get("_config")
    return hasattr(settings, "default_workers") or get_workers() != 1
