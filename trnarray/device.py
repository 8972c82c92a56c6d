"""Devices: their names, which of them can compute here, and where arrays are created."""

from .backends.device import Device
from .backends.engine import available_devices as devices
from .backends.settings import default_device, get_default_device, set_default_device

__all__ = ["Device", "default_device", "devices", "get_default_device", "set_default_device"]
