"""The Engine: what holds values on a device and runs Ops on them, and the table of engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from .device import CPU, Device
from .host.engine import HostEngine

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .op import Op

__all__ = ["HOST", "Engine", "available_devices", "engine_for"]


class Engine(Protocol):
    """
    Holds values on one device and runs Ops on them.

    A *value* is whatever the engine keeps for an Array (the host engine: an ndarray or a NumPy scalar). It has
    ``shape``, ``dtype`` and ``ndim``; everything else about it is the engine's own business.

    Attributes
    ----------
    name : str
        The name under which Ops hold the engine's implementations.
    values : tuple of type
        The types of its values.
    """

    name: str
    values: tuple[type[Any], ...]

    def run(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """
        Run one Op.

        Parameters
        ----------
        op : Op
            The operation.
        args : sequence
            Positional operands: values of this engine, host scalars, and whatever else the Op takes.
        kwargs : mapping
            Keyword operands; ``out`` is a value to write to.

        Returns
        -------
        value, or tuple or list of values
            As the Op's host implementation returns.
        """

    def from_host(self, array: npt.NDArray[Any] | np.generic, *, copy: bool) -> Any:
        """
        Bring host data to the device.

        Parameters
        ----------
        array : ndarray or NumPy scalar
            Of a supported dtype.
        copy : bool
            Whether the value must own its data.

        Returns
        -------
        value
            The data on the device.
        """

    def to_host(self, value: Any, *, copy: bool) -> npt.NDArray[Any]:
        """
        Bring a value to the host.

        Parameters
        ----------
        value : value
            A value of this engine.
        copy : bool
            Whether the ndarray must own its data.

        Returns
        -------
        ndarray
            The data on the host.
        """


HOST: Final[Engine] = HostEngine()
_ENGINES: Final[dict[str, Engine]] = {"cpu": HOST}


def engine_for(device: Device) -> Engine:
    """
    Return the engine of a device.

    Parameters
    ----------
    device : Device
        The device.

    Returns
    -------
    Engine
        Its engine.

    Raises
    ------
    ValueError
        If this version of trnarray cannot compute there.

    Examples
    --------
    >>> from trnarray.backends.device import CPU
    >>> engine_for(CPU).name
    'host'
    """
    engine = _ENGINES.get(device)
    if engine is None:
        allowed = ", ".join(repr(str(d)) for d in available_devices())
        raise ValueError(f"device {str(device)!r} has no engine in this version of trnarray; use one of: {allowed}")
    return engine


def available_devices() -> tuple[Device, ...]:
    """
    List the devices that can compute here.

    Returns
    -------
    tuple of Device
        The devices, the host first.

    Examples
    --------
    >>> available_devices()
    (Device('cpu'),)
    """
    return (CPU,)
