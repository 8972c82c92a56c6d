"""The names of the devices, and which of them this machine has.

Only names live here: what computes on a device is the engine that it holds (`trnarray.backends.engine`). Detection looks and runs
nothing: it lists ``/dev``, asks the import system where ``nki`` is, and reads the metadata of its distribution.
"""

from __future__ import annotations

import functools
import os
import re
import reprlib
from typing import Any, Final, Literal, NamedTuple, final

__all__ = [
    "CPU",
    "Device",
    "NeuronCores",
    "NeuronHardware",
    "detected_default_device",
    "neuron_cores",
    "neuron_hardware",
    "parse_device",
]

_FORMS: Final = "'cpu', 'trn:K' with K = 0, 1, … or 'sim:trn1', 'sim:trn2', 'sim:trn3'"
_VALID: Final = re.compile(r"cpu|trn:(?:0|[1-9][0-9]*)|sim:trn[123]")
_interned: Final[dict[str, Device]] = {}


@final
class Device(str):
    """
    The name of a device: a string, checked and interned.

    Parameters
    ----------
    name : str
        ``"cpu"`` (the host), ``"trn:K"`` (NeuronCore K) or ``"sim:trn1"``, ``"sim:trn2"``, ``"sim:trn3"`` (a simulated
        NeuronCore of that generation).

    Raises
    ------
    ValueError
        If there is no such name.
    TypeError
        If `name` is no string.

    Examples
    --------
    >>> from trnarray.backends.device import Device
    >>> Device("trn:1")
    Device('trn:1')
    >>> Device("trn:1") is Device("trn:1"), Device("trn:1") == "trn:1"
    (True, True)
    """

    __slots__ = ("engine",)

    engine: Any  # what computes there, from the first use on: see `trnarray.backends.engine`

    def __new__(cls, name: str) -> Device:
        """Check the name and return the one Device that has it."""
        if not isinstance(name, str):
            raise TypeError(f"a device is a string, one of {_FORMS}; got {reprlib.repr(name)} of type {type(name).__name__}")
        found = _interned.get(name)
        if found is None:
            if not _VALID.fullmatch(name):
                hint = "; name the NeuronCore: 'trn:0'" if name == "trn" else ""
                raise ValueError(f"there is no device {str(name)!r}; allowed are {_FORMS}{hint}")
            # setdefault is atomic, so threads that create the same Device at once agree on one.
            found = _interned.setdefault(str(name), str.__new__(cls, name))
        return found

    @property
    def kind(self) -> Literal["cpu", "trn", "sim"]:
        """
        What sort of device it is.

        Returns
        -------
        str
            ``"cpu"``, ``"trn"`` or ``"sim"``.
        """
        return self[:3]  # type: ignore[return-value]  # _VALID admits no other

    @property
    def index(self) -> int | None:  # type: ignore[override]  # str.index has no use on a name
        """
        Which NeuronCore it is.

        Returns
        -------
        int or None
            K of ``"trn:K"``, None for the other devices.
        """
        return int(self[4:]) if self.kind == "trn" else None

    @property
    def target(self) -> Literal["trn1", "trn2", "trn3"] | None:
        """
        Which generation is simulated.

        Returns
        -------
        str or None
            ``"trn1"``, ``"trn2"`` or ``"trn3"`` for a simulated device, None for the others.
        """
        return self[4:] if self.kind == "sim" else None  # type: ignore[return-value]  # _VALID admits no other

    def __repr__(self) -> str:
        """Return ``Device('name')``."""
        return f"Device({str(self)!r})"

    def __reduce__(self) -> tuple[type[Device], tuple[str]]:
        """Pickle and copy by name, so that the copy is the interned Device."""
        return Device, (str(self),)


CPU: Final = Device("cpu")
"""The host, the device that is always there."""


def parse_device(obj: object) -> Device:
    """
    Return the Device that `obj` names.

    Examples
    --------
    >>> from trnarray.backends.device import parse_device
    >>> parse_device("sim:trn2").target
    'trn2'
    >>> parse_device("gpu")
    Traceback (most recent call last):
    ...
    ValueError: there is no device 'gpu'; allowed are 'cpu', 'trn:K' with K = 0, 1, … or 'sim:trn1', 'sim:trn2', 'sim:trn3'
    """
    return obj if type(obj) is Device else Device(obj)  # type: ignore[arg-type]  # Device raises the TypeError


class NeuronHardware(NamedTuple):
    """
    What detection found.

    Attributes
    ----------
    chips : tuple of int
        Numbers of the Neuron devices that the driver shows as ``/dev/neuronN``.
    nki : str or None
        Version of AWS's ``nki`` package, None if it is not installed.
    reason : str
        Why ``trn:`` devices cannot be used, with the remedy; empty if they can.
    """

    chips: tuple[int, ...]
    nki: str | None
    reason: str

    @property
    def usable(self) -> bool:
        """Whether ``trn:`` devices can be used."""
        return not self.reason


@functools.cache
def neuron_hardware() -> NeuronHardware:
    """
    Look for Neuron devices and AWS's ``nki``, without running anything foreign.

    The answer is found once per process; ``neuron_hardware.cache_clear()`` makes the next call look again.

    Examples
    --------
    >>> from trnarray.backends.device import neuron_hardware
    >>> found = neuron_hardware()
    >>> found.usable == bool(found.chips and found.nki)
    True
    """
    chips = _chips()
    version, reason = _nki()
    if not chips:
        reason = "this machine shows no Neuron device (/dev/neuron0); use 'cpu' or a simulated device, 'sim:trn2'"
    return NeuronHardware(chips, version, reason)


def _chips() -> tuple[int, ...]:
    try:
        names = os.listdir("/dev")
    except OSError:  # no /dev (Windows), or none that we may list
        return ()
    return tuple(sorted(int(name[6:]) for name in names if re.fullmatch(r"neuron[0-9]+", name, re.ASCII)))


class NeuronCores(NamedTuple):
    """
    What the Neuron driver says of the chips.

    Attributes
    ----------
    total : int
        Physical NeuronCores of all chips; 0 if the driver does not say it.
    target : str or None
        Their generation, ``"trn1"``, ``"trn2"`` or ``"trn3"``; None if the driver names another, none, or several.
    """

    total: int
    target: Literal["trn1", "trn2", "trn3"] | None


_SYSFS: Final = "/sys/devices/virtual/neuron_device"
_GENERATIONS: Final[dict[str, Literal["trn1", "trn2", "trn3"]]] = {"v2": "trn1", "v3": "trn2", "v4": "trn3"}


@functools.cache
def neuron_cores() -> NeuronCores:
    """
    Read how many NeuronCores there are, and of which generation, from the driver's files.

    The answer is found once per process; ``neuron_cores.cache_clear()`` makes the next call look again.

    Examples
    --------
    >>> from trnarray.backends.device import neuron_cores
    >>> neuron_cores().total >= 0
    True
    """
    count, versions = 0, set()
    for chip in neuron_hardware().chips:
        number = _said(f"neuron{chip}/core_count")
        count += int(number) if number.isdecimal() else 0
        versions.add(_said(f"neuron{chip}/info/architecture/arch_type")[-2:].lower())  # "v2", "NCv2"
    return NeuronCores(count, _GENERATIONS.get(versions.pop()) if len(versions) == 1 else None)


def _said(path: str) -> str:
    try:
        with open(f"{_SYSFS}/{path}", encoding="ascii", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def _nki() -> tuple[str | None, str]:
    """Return the version of AWS's nki (None if it is not there) and what is wrong.

    AWS publishes nki on the Neuron package index only. On the public index the same name is a placeholder, also
    AWS's by its metadata, whose import raises. Two facts tell them apart, and both must speak for the real one: it
    contains the modules that kernels are written against, and its version is not 0.0.x.
    """
    import importlib.metadata
    import importlib.util

    try:
        spec = importlib.util.find_spec("nki")
    except ValueError:  # a module put into sys.modules by hand, with no spec
        spec = None
    if spec is None:
        return None, "AWS's nki is not installed; install it from the Neuron package index"
    try:
        metadata = importlib.metadata.distribution("nki").metadata
    except importlib.metadata.PackageNotFoundError:
        return None, "a module named nki is found but no distribution of it; install AWS's from the Neuron package index"
    version = (metadata.get_all("Version") or ["0.0.unknown"])[0]
    inside = {name.partition(".")[0] for folder in spec.submodule_search_locations or () for name in _names(folder)}
    if version.startswith("0.0.") or not {"isa", "language"} <= inside:
        return None, f"nki {version} is not AWS's compiler but a placeholder; install it from the Neuron package index"
    return version, ""


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:  # inside a zip file: not how nki is installed
        return []


@functools.cache
def detected_default_device() -> Device:
    """
    Return the device on which arrays are created if nothing else is said.

    That is the environment variable ``TRNARRAY_DEVICE``, else ``"trn:0"`` where Neuron hardware and AWS's ``nki`` are
    found, else ``"cpu"``. The answer is found once per process.

    Examples
    --------
    >>> from trnarray.backends.device import detected_default_device
    >>> detected_default_device().kind in ("cpu", "trn", "sim")
    True
    """
    name = os.environ.get("TRNARRAY_DEVICE")
    if name:
        try:
            return Device(name)
        except ValueError as error:
            raise ValueError(f"environment variable TRNARRAY_DEVICE: {error}") from None
    return Device("trn:0") if neuron_hardware().usable else CPU
