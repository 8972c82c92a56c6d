"""Opening a Neuron device: its engine, with the launcher that this machine has for it."""

from __future__ import annotations

from ..device import Device
from .engine import NeuronEngine
from .launch.simulated import SimulatedLauncher
from .lowering import (  # noqa: F401  # they register what Ops mean here
    casting,
    creation,
    cumulative,
    elementwise,
    fourier,
    indexing,
    joining,
    products,
    reductions,
    repeating,
    selection,
    views,
)

__all__ = ["open_device"]


def open_device(device: Device) -> NeuronEngine:
    """
    Make the engine of a device.

    Parameters
    ----------
    device : Device
        A simulated NeuronCore.

    Returns
    -------
    NeuronEngine
        Its engine.

    Raises
    ------
    ValueError
        If it is not simulated.
    """
    if device.target is None:
        raise ValueError(f"device {str(device)!r} has no launcher in this version of trnarray; use 'sim:trn2', a simulated one")
    return NeuronEngine(device, SimulatedLauncher(device.target))
