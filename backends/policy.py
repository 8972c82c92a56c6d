"""The policy: what happens when an operation or its data would leave the device.

Nothing leaves silently. Every fallback and every implicit transfer comes through here: it is counted by caller
(`trnarray.backends.coverage`), and the settings (`trnarray.backends.settings`) decide whether it passes, warns or raises.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from importlib import import_module
from typing import Final

from .caller import Caller, find_called, find_caller, is_within
from .coverage import claim_warning, record_compilation, record_fallback, record_transfer, release_warning
from .device import Device
from .settings import get_config

__all__ = [
    "FallbackError",
    "FallbackWarning",
    "HostTransferError",
    "HostTransferWarning",
    "LoopError",
    "check_fallback",
    "check_transfer",
    "count_compilation",
    "count_transfer",
    "register_look_alike",
]

# Below the call that a user wrote lie frames of the libraries that pass our arrays on.
_PLUMBING: Final = ("numpy", "scipy")
# These convert for others; who called them is the one who converts.
_CONVERTERS: Final = ("numpy", "scipy._lib", "scipy._external")

_look_alikes: Final[dict[str, str]] = {}
_passed_through: Final[dict[str, str]] = {}


class FallbackWarning(UserWarning):
    """An operation ran on the host because the device has no kernel for it."""


class FallbackError(RuntimeError):
    """An operation would have run on the host, and ``fallback="error"`` forbids it."""


class HostTransferWarning(UserWarning):
    """An array was converted to or from a host array implicitly."""


class HostTransferError(TypeError):
    """An array would have been converted to or from a host array implicitly, which is forbidden."""


class LoopError(TypeError):
    """The body of a loop on a Neuron device, which is one program, asked for what only the host, or a turn after the other, can do."""


def check_fallback(op: str, dtype: object, reason: str, remedy: str = "", *, caller: Caller | None = None) -> Caller:
    """
        Count a call that the device has no kernel for, and let the settings decide about it.

    Examples
    --------
        >>> from trnarray.backends.policy import check_fallback
        >>> from trnarray.backends.settings import config
        >>> with config(fallback="error"):
        ...     check_fallback("sort", "float64", "there is no kernel for 64-bit keys", "use float32")
        Traceback (most recent call last):
        ...
        trnarray.backends.policy.FallbackError: sort on float64 would run on the host: there is no kernel for 64-bit keys; \
    use float32, or allow it with trnarray.config(fallback="allow")
    """
    caller = caller or find_caller(_PLUMBING)
    record_fallback(op, dtype, reason, caller)
    call = f"{op} on {dtype}" if dtype else op
    action = get_config().fallback
    if action == "allow":
        return caller
    remedies = f"{remedy}, or " if remedy else ""
    if action == "error":
        allow = 'allow it with trnarray.config(fallback="allow")'
        raise FallbackError(f"{call} would run on the host: {reason}; {remedies}{allow}")
    allow = 'silence this with trnarray.config(fallback="allow")'
    _warn_once(f"{call} runs on the host: {reason}; {remedies}{allow}", FallbackWarning, op, caller)
    return caller


def check_transfer(direction: str, nbytes: int, device: Device, remedy: str = "") -> None:
    """
        Count an implicit transfer between host and device, and let the settings decide about it.

        A transfer that the device lets pass by default still warns when it is made for a module that trnarray has a
        look-alike of, see `register_look_alike`; ``host_transfer="allow"`` silences that too.

    Examples
    --------
        >>> from trnarray.backends.device import CPU
        >>> from trnarray.backends.policy import check_transfer
        >>> from trnarray.backends.settings import config
        >>> with config(host_transfer="error"):
        ...     check_transfer("to host", 64, CPU, "convert with numpy.from_dlpack(x)")
        Traceback (most recent call last):
        ...
        trnarray.backends.policy.HostTransferError: an array on cpu (64 bytes) would be converted to a host array implicitly; \
    convert with numpy.from_dlpack(x), or allow it with trnarray.config(host_transfer="allow")
    """
    caller = find_caller(_CONVERTERS)
    theirs, ours = _look_alike(caller.module)
    if is_within(caller.module, _PLUMBING):
        caller = find_caller(_PLUMBING)
    record_transfer(direction, nbytes, caller)
    settings = get_config()
    action = settings.host_transfer_on(device)
    if action == "allow" and (settings.host_transfer == "allow" or not ours):
        return
    called = find_called(_PLUMBING)
    counterpart = _named(called, _look_alikes, own=True)
    if counterpart:
        theirs, ours = called, counterpart
    elif called and (not ours or is_within(called, (theirs,))):  # trnarray has no such function
        if action == "allow":
            return
        theirs, ours = called, _named(called, _passed_through)
    source, target = f"an array on {device} ({nbytes} bytes)", "a host array"
    if direction == "to device":
        source, target = f"a host array ({nbytes} bytes)", f"an array on {device}"
        if called:
            source += f", which {called} made or was given,"
            theirs, remedy = "", "give that ndarrays alone, as made by x.to_device('cpu')"
    by = f" for {theirs}" if theirs else ""
    remedies = [f"use {ours}"] if ours else []
    remedies += [remedy] if remedy else []
    if action == "error":
        allow = 'allow it with trnarray.config(host_transfer="allow")'
        raise HostTransferError(f"{source} would be converted to {target} implicitly{by}; {', or '.join([*remedies, allow])}")
    allow = 'silence this with trnarray.config(host_transfer="allow")'
    message = f"{source} is converted to {target} implicitly{by}; {', or '.join([*remedies, allow])}"
    _warn_once(message, HostTransferWarning, direction, caller)


def count_transfer(nbytes: int) -> None:
    """Count a move of host data to a device that the caller asked for by making that device the default."""
    record_transfer("to device", nbytes, find_caller(_PLUMBING))


def count_compilation(device: str) -> None:
    """Count a program that is compiled for the present call."""
    record_compilation(device, find_caller(_PLUMBING))


def register_look_alike(theirs: str, ours: str, *, passed_through: bool = False) -> None:
    """Name the module of trnarray that does what another library's module does, or the function; or passes its functions through."""
    (_passed_through if passed_through else _look_alikes)[theirs] = ours


def _look_alike(module: str) -> tuple[str, str]:
    """Return the registered package that a module is in and our look-alike of it, or two empty strings."""
    name = module
    while name and name not in _look_alikes:
        name = name.rpartition(".")[0]
    return name, _look_alikes.get(name, "")


def _named(called: str, packages: Mapping[str, str], own: bool = False) -> str:
    """Return our name for another library's function, by its package: an empty string if there is none, or none of our `own` making."""
    package, name = called, ""
    while package and package not in packages:
        package, _, last = package.rpartition(".")
        name = f"{last}.{name}" if name else last
    if not package:
        return ""
    ours = packages[package]
    if not name:
        return ours
    found: object = import_module(ours)
    for part in name.split("."):
        if own and part not in getattr(found, "__dict__", {}).get("__all__", (part,)):
            return ""
        found = getattr(found, part, None)
    return "" if found is None else f"{ours}.{name}"


def _warn_once(message: str, category: type[Warning], what: str, caller: Caller) -> None:
    """Warn, at the caller's line, the first time that it does this."""
    if not claim_warning(what, caller):
        return
    try:
        warnings.warn_explicit(message, category, caller.filename, caller.lineno, caller.module or None)
    except category:
        # The filters make it an error. The next call is not the second warning but the second error.
        release_warning(what, caller)
        raise
