"""Facts that were found before, in this process or another."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any, Final

from ...device import Device, parse_device
from ...engine import engine_for
from ..launch.fingerprint import DISTRIBUTIONS, installed
from ..launch.launcher import Launcher
from ..launch.store import cache_directory, read_private, write_atomically
from .facts import Facts

__all__ = ["computes_doubles", "draws", "facts", "place", "slices_refusal", "wraps"]

_known: Final[dict[tuple[str, ...], Facts]] = {}
_some: Final[dict[tuple[Any, ...], Facts]] = {}
_refusals: Final[dict[tuple[Any, ...], str]] = {}


def _engine(device: Device | str) -> Any:
    engine = engine_for(parse_device(device))
    if engine.name != "neuron":
        raise ValueError(f"device {str(device)!r} has no self-test; Neuron devices have, such as 'sim:trn2'")
    return engine


def _about(device: Device | str, launcher: Launcher) -> tuple[str, ...]:
    """Gather what facts depend on."""
    versions = (f"{name} {installed(name)}" for name in DISTRIBUTIONS)
    return (str(device), launcher.name, launcher.target, launcher.conditions, *versions)


def place(device: Device | str) -> Path | None:
    """Find where the facts about a device are kept."""
    return _place(_about(device, _engine(device).launcher))


def _place(about: tuple[str, ...]) -> Path | None:
    directory = cache_directory()
    digest = hashlib.sha256("\n".join(about).encode()).hexdigest()[:16]
    return None if directory is None else directory / "selftest" / f"{about[0].replace(':', '-')}-{digest}.json"


def facts(device: Device | str, *, anew: bool = False) -> Facts:
    """Tell how a device computes; runs the self-test if nobody has for this device and these versions."""
    engine = _engine(device)
    about = _about(device, engine.launcher)
    with engine.graph.lock:
        engine.graph.check_idle()
        found = None if anew else _known.get(about) or _read(_place(about))
        if found is None:
            found = _measured(engine.launcher)
            path = _place(about)
            try:
                if path is not None:
                    write_atomically(path, found.to_json().encode())
            except OSError as error:
                warnings.warn(f"what the self-test of {device} found cannot be kept: {error}", RuntimeWarning, stacklevel=2)
        _known[about] = found
    return found


def _measured(launcher: Launcher, some: str = "ALL") -> Facts:
    from . import measure  # and with it kernels

    return measure.measure(launcher, getattr(measure, some))


def wraps(device: Device, launcher: Launcher) -> bool:
    """Tell whether 32-bit integers are known to wrap on GpSimd; runs that probe alone if there has been no self-test."""
    return _of_some(device, launcher, "INTEGERS").gpsimd_overflow == "wrap"


def computes_doubles(device: Device, launcher: Launcher) -> bool:
    """Tell whether kernels of float64 are known to be right; runs that probe alone likewise."""
    return bool(_of_some(device, launcher, "DOUBLES").doubles)


def draws(device: Device, launcher: Launcher) -> bool:
    """Tell whether the words of counter-based random numbers are known to be right; runs these probes alone likewise."""
    found = _of_some(device, launcher, "INTEGERS")
    return bool(found.random_words and found.dve_bits and found.gpsimd_overflow == "wrap")


def _of_some(device: Device, launcher: Launcher, probes: str) -> Facts:
    key = (probes, device, launcher.name, launcher.target, launcher.conditions)
    found = _some.get(key)
    if found is None:
        about = _about(device, launcher)
        found = _some[key] = _known.get(about) or _read(_place(about)) or _measured(launcher, probes)
    return found


def slices_refusal(device: Device, launcher: Launcher) -> str:
    """Tell why products of slices are not exact on a device, or nothing; runs those probes alone if there has been no self-test."""
    key = (device, launcher.name, launcher.target, launcher.conditions)
    if key not in _refusals:
        about = _about(device, launcher)
        found = _known.get(about) or _read(_place(about)) or _measured(launcher, "SLICES")
        exact = "" if found.gpsimd_integers else "the self-test did not find 32-bit integers of GpSimd exact"
        _refusals[key] = found.refusal("bfloat16") or exact
    return _refusals[key]


def _read(path: Path | None) -> Facts | None:
    if path is None:
        return None
    try:
        return Facts.of_json(read_private(path).decode())
    except (OSError, ValueError, RecursionError):  # not there, or another's; or damaged, or of another version, and then measured anew
        return None
