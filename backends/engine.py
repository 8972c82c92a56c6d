"""The Engine: what holds values on a device and runs Ops on them, and the table of engines."""

from __future__ import annotations

import os
from _thread import RLock
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol

from .device import CPU, Device, neuron_cores, neuron_hardware
from .host.engine import HostEngine

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .op import Op
    from .promotion import PromotionTable

__all__ = ["HOST", "Engine", "available_devices", "engine_for", "opened_engines"]


class Engine(Protocol):
    """
    Holds values on one device and runs Ops on them.

    A *value* is whatever the engine keeps for an Array (the host engine: an ndarray or a NumPy scalar). It has
    ``shape``, ``dtype`` and ``ndim``, ``base`` (the value whose memory it looks at, or None), and ``detached`` (whether it stands for
    a scalar) where it is not the host's; everything else about it is the engine's own business.

    Attributes
    ----------
    name : str
        Of the kind of engine, for reports.
    values : tuple of type
        The types of its values.
    """

    name: str
    values: tuple[type[Any], ...]

    @property
    def promotion(self) -> PromotionTable:
        """Tell by which rules operands get dtypes."""

    def run(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run one Op."""

    def from_host(self, array: npt.NDArray[Any] | np.generic, *, copy: bool) -> Any:
        """Bring host data to the device."""

    def synchronize(self) -> None:
        """Compute what is pending on the device; nothing where nothing waits."""

    def settle(self, generator: object) -> None:
        """Make the draws that wait on the device for a generator of random numbers, before others use it."""

    def compile_pending(self) -> int:
        """Compile the programs of what is pending on the device, and run none of them."""

    def to_host(self, value: Any, *, copy: bool) -> npt.NDArray[Any] | np.generic:
        """Bring a value to the host."""


HOST: Final = HostEngine()
CPU.engine = HOST
_opened: Final[list[Engine]] = [HOST]
_SIMULATED: Final = tuple(Device(f"sim:{target}") for target in ("trn1", "trn2", "trn3"))
_lock: Final = RLock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread holds the lock would wait for it forever.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


def engine_for(device: Device) -> Engine:
    """
    Return the engine of a device, which holds it from then on.

    Examples
    --------
    >>> from trnarray.backends.device import CPU
    >>> engine_for(CPU).name
    'host'
    """
    try:
        engine: Engine = device.engine
    except AttributeError:
        engine = _open(device)
    return engine


def _open(device: Device) -> Engine:
    """Load the engine of a device, when it is first used."""
    with _lock:
        if not hasattr(device, "engine"):
            device.engine = import_module("trnarray.backends.neuron.devices").open_device(device)
            _opened.append(device.engine)
        engine: Engine = device.engine
    return engine


def available_devices() -> tuple[Device, ...]:
    """
    List the devices that can compute here.

    Returns
    -------
    tuple of Device
        The devices, the host first, NeuronCores of this machine last.

    Examples
    --------
    >>> available_devices()[:2]
    (Device('cpu'), Device('sim:trn1'))
    """
    cores = neuron_cores().total if neuron_hardware().usable else 0
    return (CPU, *_SIMULATED, *(Device(f"trn:{core}") for core in range(cores)))


def opened_engines() -> tuple[Engine, ...]:
    """List the engines that are in use."""
    return tuple(_opened)
