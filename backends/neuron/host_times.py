"""What Fourier transforms take on this machine's host: measured at first use, and kept beside compiled programs."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import platform
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

import numpy as np

from .launch.store import UnsafePathError, cache_directory, read_private, write_atomically

__all__ = ["host_seconds", "measured"]

_POINTS: Final = (1 << 8, 1 << 12, 1 << 16, 1 << 20)
_ROW: Final = 1024
_REPEATS: Final = 3


def host_seconds(points: int, *, real: bool) -> float:
    """Tell what a transform of so many points takes there, between those that were measured by powers, and beyond them in proportion."""
    table = measured()
    sizes = np.log([size for size, _ in table])
    place = math.log(max(points, 1))
    seconds = math.exp(np.interp(place, sizes, np.log([seconds for _, seconds in table]))) * math.exp(max(0.0, place - sizes[-1]))
    return seconds / 2 if real else seconds


@functools.lru_cache(maxsize=1)
def measured() -> tuple[tuple[int, float], ...]:
    """Look up points and seconds of complex64 transforms on the host, or measure them."""
    path = _path()
    if path is not None:
        with suppress(OSError, UnsafePathError, ValueError):
            return tuple((int(points), float(seconds)) for points, seconds in json.loads(read_private(path)))
    table = tuple((points, _seconds(points)) for points in _POINTS)
    if path is not None:
        with suppress(OSError, UnsafePathError):
            write_atomically(path, json.dumps(table).encode())
    return table


def _path() -> Path | None:
    import scipy

    about = (platform.node(), platform.processor(), platform.python_version(), np.__version__, scipy.__version__)
    directory = cache_directory()
    return None if directory is None else directory / "host" / f"fft-{hashlib.sha256(' '.join(about).encode()).hexdigest()[:16]}.json"


def _seconds(points: int) -> float:
    from ..ops.fft import TRANSFORMS

    x = np.ones((max(1, points // _ROW), min(points, _ROW)), np.complex64)
    fft, best = TRANSFORMS["fft"].host, math.inf
    for _ in range(_REPEATS):
        start = time.perf_counter()
        fft(x)
        best = min(best, time.perf_counter() - start)
    return best
