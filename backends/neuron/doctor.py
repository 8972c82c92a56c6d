"""
What this machine has for Neuron devices, what is missing and where to get it, and how its devices compute.

``python -m trnarray.backends.neuron.doctor`` prints it.
"""

from __future__ import annotations

import argparse
import dataclasses
import glob
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..device import Device, neuron_cores, neuron_hardware
from ..engine import available_devices, engine_for
from .devices import launcher_name
from .launch.fingerprint import installed
from .launch.store import cache_directory, size_limit
from .launch.units import bytes_text
from .selftest import facts
from .selftest.kept import place

__all__ = ["Finding", "devices", "environment", "main", "parts", "report"]

State = Literal["ok", "placeholder", "missing"]

_INDEX: Final = "install it from the Neuron package index"
_SYSTEM: Final = "install it from the Neuron repository of your distribution"
_VARIABLES: Final = (
    "TRNARRAY_DEVICE",
    "TRNARRAY_DEFAULTS",
    "TRNARRAY_NKI",
    "TRNARRAY_CACHE_DIR",
    "TRNARRAY_CACHE_SIZE",
    "NEURON_PLATFORM_TARGET_OVERRIDE",
    "NEURON_CC_FLAGS",
    "NEURON_LOGICAL_NC_CONFIG",
    "NEURON_RT_VISIBLE_CORES",
    "NEURON_RT_STOCHASTIC_ROUNDING_EN",
)
_DRIVER: Final = "/sys/module/neuron/version"
_RUNTIME: Final = "/opt/aws/neuron/lib/libnrt.so*"
_DEFAULT: Final = "sim:trn2"


@dataclass(frozen=True)
class Finding:
    """
    Something that is there or not.

    Parameters
    ----------
    name : str
        What.
    state : {'ok', 'placeholder', 'missing'}
        Whether it is there, or something else by its name.
    text : str
        Its version, or what it is needed for and how to get it.
    """

    name: str
    state: State
    text: str


# Distribution, what it is for, and how to get it.
_PARTS: Final = (
    ("nki", "kernels on NeuronCores and AWS's simulator need it", _INDEX),
    ("neuronx-cc", "compiling for NeuronCores needs it", _INDEX),
    ("jax", "buffers that stay in HBM between programs need it", "install it with the release that the Neuron SDK names"),
    ("jaxlib", "jax needs it", "it comes with jax"),
    ("libneuronxla", "jax needs it to see NeuronCores", _INDEX),
)


def parts() -> list[Finding]:
    """
    Look for the parts of the Neuron SDK, without importing or running any.

    Examples
    --------
    >>> [finding.name for finding in parts()][:2]
    ['nki', 'neuronx-cc']
    """
    hardware, cores = neuron_hardware(), neuron_cores()
    found = []
    for name, purpose, remedy in _PARTS:
        version = installed(name)
        if version is None:
            found.append(Finding(name, "missing", f"{purpose}; {remedy}"))
        elif version.startswith("0.0.") or (name == "nki" and hardware.nki is None):
            found.append(Finding(name, "placeholder", f"{version} is a placeholder of the public index; uninstall it, and {remedy}"))
        else:
            found.append(Finding(name, "ok", version))
    libraries = sorted(glob.glob(_RUNTIME))
    runtime = f"running on NeuronCores needs it; {_SYSTEM} (aws-neuronx-runtime-lib)"
    found.append(Finding("runtime", "ok", libraries[-1]) if libraries else Finding("runtime", "missing", runtime))
    try:
        with open(_DRIVER, encoding="ascii", errors="replace") as file:
            found.append(Finding("driver", "ok", file.read().strip()))
    except OSError:
        found.append(Finding("driver", "missing", f"NeuronCores need it; {_SYSTEM} (aws-neuronx-dkms)"))
    if hardware.chips:
        total, generation = cores.total or "an unknown number of", cores.target or "an unknown generation"
        said = f"{len(hardware.chips)} chips, {total} NeuronCores of {generation}"
        found.append(Finding("chips", "ok", said))
    else:
        found.append(Finding("chips", "missing", "no /dev/neuron*; use an EC2 Trn instance, or the simulated devices"))
    return found


def devices() -> list[tuple[Device, str, str]]:
    """
    Tell how each device would be opened.

    Examples
    --------
    >>> [str(device) for device, _, _ in devices()][:3]
    ['sim:trn1', 'sim:trn2', 'sim:trn3']
    """
    found = []
    for device in dict.fromkeys([*available_devices(), Device("trn:0")]):
        if device.kind != "cpu":
            try:
                found.append((device, launcher_name(device), ""))
            except ValueError as error:
                found.append((device, "", str(error)))
    return found


def environment() -> dict[str, str]:
    """Read the environment variables that count."""
    return {name: os.environ[name] for name in _VARIABLES if name in os.environ}


def report(device: Device | None, *, anew: bool = False) -> dict[str, Any]:
    """Gather everything."""
    directory = cache_directory()
    entries = [os.path.getsize(path) for path in glob.glob(os.path.join(glob.escape(str(directory)), "programs", "entries", "*.bin"))]
    found: dict[str, Any] = {
        "trnarray": installed("trnarray"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "parts": {finding.name: {"state": finding.state, "text": finding.text} for finding in parts()},
        "environment": environment(),
        "devices": {str(name): {"launcher": launcher, "reason": reason} for name, launcher, reason in devices()},
        "cache": {"directory": str(directory), "programs": len(entries), "bytes": sum(entries), "limit": size_limit()},
    }
    if device is not None:
        measured = facts(device, anew=anew)
        launcher = engine_for(device).launcher  # type: ignore[attr-defined]  # facts has none for other engines
        found["self-test"] = {
            "device": str(device),
            "launcher": launcher.name,
            "conditions": launcher.conditions,
            "kept in": str(place(device)),
            "facts": dataclasses.asdict(measured),
            "refusals": {slices: measured.refusal(slices) for slices in ("bfloat16", "float16")},
        }
    return found


def _written(found: dict[str, Any]) -> str:
    """Write a report for people."""
    lines = [f"trnarray {found['trnarray']}, Python {found['python']}, {found['machine']}", "", "Neuron SDK"]
    lines += [f"  {name:14}{part['state']:13}{part['text']}" for name, part in found["parts"].items()]
    lines += ["", "Environment", *(f"  {name}={value}" for name, value in found["environment"].items())]
    lines += [] if found["environment"] else ["  nothing is set"]
    lines += ["", "Devices", f"  {'cpu':14}opens"]
    for name, device in found["devices"].items():
        lines.append(f"  {name:14}" + (f"opens with the launcher {device['launcher']}" if device["launcher"] else device["reason"]))
    cache = found["cache"]
    taken, limit = bytes_text(cache["bytes"]), bytes_text(cache["limit"])
    lines += ["", f"Cache: {cache['programs']} compiled programs, {taken} of {limit}, in {cache['directory']}"]
    if "self-test" in found:
        tested = found["self-test"]
        lines += ["", f"Self-test of {tested['device']} ({tested['launcher']})"]
        lines += [f"  simulated with {tested['conditions']}"] if tested["conditions"] else []
        values: dict[str, Any] = dict(tested["facts"])
        missing = values.pop("missing")
        if values["launch_seconds"] is not None:
            values["launch_seconds"] = f"{values['launch_seconds']:.2g}"
        lines += [f"  {name:30}{'not measured' if value is None else value}" for name, value in values.items()]
        lines += [f"  probe {name}: {reason}" for name, reason in missing.items()]
        for slices, refusal in tested["refusals"].items():
            lines.append(f"  exact products by {slices} slices: " + (f"refused, since {refusal}" if refusal else "yes"))
        lines.append(f"  kept in {tested['kept in']}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser("python -m trnarray.backends.neuron.doctor", description=str(__doc__).strip().partition("\n")[0])
    parser.add_argument("--device", help="run the self-test there (trn:0 where it can be used, else sim:trn2)")
    parser.add_argument("--no-selftest", action="store_true", help="open no device")
    parser.add_argument("--anew", action="store_true", help="run the self-test even if it ran before")
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args(arguments)
    try:
        device = None if chosen.no_selftest else Device(chosen.device or ("trn:0" if neuron_hardware().usable else _DEFAULT))
        found = report(device, anew=chosen.anew)
    except ValueError as error:
        sys.stdout.write(_written(report(None)))
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(json.dumps(found, indent=1) + "\n" if chosen.json else _written(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
