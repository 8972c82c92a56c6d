"""Devices: their names, which of them can compute here, and where arrays are created."""

from .backends.device import Device
from .backends.engine import available_devices as devices
from .backends.engine import engine_for, opened_engines
from .backends.settings import default_device, get_default_device, set_default_device

__all__ = ["Device", "default_device", "devices", "get_default_device", "set_default_device", "synchronize"]


def synchronize(device: Device | str | None = None) -> None:
    """
    Wait until everything that was asked of a device is computed.

    Calls on a Neuron device are gathered and computed when a value is needed. This needs all of them, which is what
    measurements of time want.

    Parameters
    ----------
    device : Device or str, optional
        Which; by default all that are in use.

    Raises
    ------
    Exception
        What went wrong, if something did: for example an index that was out of range. The message tells which call it was.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.ones(3, device="sim:trn2") + 1
    >>> xp.synchronize("sim:trn2")
    """
    for engine in opened_engines() if device is None else (engine_for(Device(device)),):
        engine.synchronize()
