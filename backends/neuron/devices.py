"""Opening a Neuron device: its engine, with the launcher that this machine has for it."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from .. import isa
from ..device import Device, neuron_cores, neuron_hardware
from ..op import expect
from .engine import NeuronEngine
from .launch.environment import TARGET, Target, chosen_target, prepare, select_core
from .launch.launcher import Launcher
from .lowering.table import LOWERINGS

for _name, _lowering in LOWERINGS.items():
    expect(_name, _lowering)

__all__ = ["launcher_for", "launcher_name", "open_device"]

_NEEDED: Final = (0, 7)  # NKI whose front end traces


def launcher_name(device: Device) -> str:
    """
    Tell which launcher runs programs on a device; opens nothing.

    Examples
    --------
    >>> from trnarray.backends.device import Device
    >>> launcher_name(Device("sim:trn2")) in ("simulator", "nki.simulate")
    True
    """
    if device.kind == "sim":
        return "nki.simulate" if isa.is_real() else "simulator"
    _hardware_target(device)
    return "nki.jit on JAX" if _has_jax() else "nki.jit on NumPy"


def launcher_for(device: Device) -> Launcher:
    """Make the launcher of a device."""
    name = launcher_name(device)
    if name == "simulator":
        from .launch.simulated import SimulatedLauncher

        assert device.target is not None
        return SimulatedLauncher(device.target)
    from .launch import numpy_arrays

    if device.target is not None:
        return numpy_arrays.simulated_by_nki(isa.nki, device.target)
    target = _hardware_target(device)
    prepare(target)
    assert device.index is not None
    if name == "nki.jit on NumPy":
        select_core(device.index)
        return numpy_arrays.compiled(target)
    from .launch.jax_arrays import JaxLauncher
    from .launch.store import Store, cache_directory, size_limit

    found = import_module("jax").devices("neuron")
    if device.index >= len(found):
        raise ValueError(f"device {str(device)!r} is none of the {len(found)} that JAX finds; see NEURON_RT_VISIBLE_CORES")
    directory = cache_directory()
    store = None if directory is None else Store(directory / "programs", size_limit())
    return JaxLauncher(target, found[device.index], store)


def open_device(device: Device) -> NeuronEngine:
    """Make the engine of a device."""
    return NeuronEngine(device, launcher_for(device))


def _has_jax() -> bool:
    """Whether JAX is installed with the plug-in for Neuron devices."""
    return find_spec("jax") is not None and find_spec("libneuronxla") is not None


def _hardware_target(device: Device) -> Target:
    """Find the generation of a NeuronCore that this machine has and can use."""
    hardware, cores = neuron_hardware(), neuron_cores()
    refusal = f"device {str(device)!r} cannot be opened"
    if not hardware.usable:
        raise ValueError(f"{refusal}: {hardware.reason}")
    if not isa.is_real():
        raise ValueError(f"{refusal}: environment variable TRNARRAY_NKI has kernels written against the simulator; unset it")
    numbers = re.findall(r"[0-9]+", hardware.nki or "")[:2]
    if tuple(map(int, numbers)) < _NEEDED:
        raise ValueError(f"{refusal}: nki is {hardware.nki}, kernels need {'.'.join(map(str, _NEEDED))} or newer; upgrade the Neuron SDK")
    target = cores.target or chosen_target()
    if target is None:
        raise ValueError(f"{refusal}: the driver does not tell the generation of its chips; set {TARGET} to trn1, trn2 or trn3")
    assert device.index is not None
    if cores.total and device.index >= cores.total:
        raise ValueError(f"{refusal}: this machine has NeuronCores 0 to {cores.total - 1}")
    return target
