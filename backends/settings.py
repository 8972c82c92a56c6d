"""Settings: what may leave the device, where arrays are created, how accurate functions are, and which dtypes are the default.

`config` changes them in a context (a `contextvars` context: a thread and an asyncio task have their own), `set_config`
for the whole process. A context's changes lie over the process's settings, one setting at a time.
"""

from __future__ import annotations

import contextvars
import os
from _thread import allocate_lock  # threading itself is not imported by NumPy and costs import time
from collections.abc import Callable
from contextlib import ContextDecorator
from typing import Any, Final, Literal, NamedTuple, TypedDict, TypeVar, Unpack, get_args

from .device import Device, detected_default_device, parse_device

__all__ = [
    "Action",
    "Settings",
    "config",
    "default_device",
    "get_config",
    "get_default_device",
    "set_config",
    "set_default_device",
]

Action = Literal["warn", "error", "allow"]
Math = Literal["accurate", "table"]
Defaults = Literal["native", "numpy"]
Random = Literal["native", "counter"]
Precision = Literal["bfloat16", "bfloat16x3", "float32", "float32-exact", "float64"]
Float64 = Literal["device", "host"]
_ACTIONS: Final[tuple[str, ...]] = get_args(Action)
_VALUES: Final[dict[str, tuple[str | None, ...]]] = {
    "fallback": _ACTIONS,
    "host_transfer": (*_ACTIONS, None),
    "math": get_args(Math),
    "defaults": get_args(Defaults),
    "random": get_args(Random),
    "precision": (*get_args(Precision), None),
    "float64": get_args(Float64),
}
_F = TypeVar("_F", bound=Callable[..., Any])


class Settings(NamedTuple):
    """
    The settings in force, a frozen value.

    Attributes
    ----------
    fallback : {"warn", "error", "allow"}
        What to do when the device has no kernel for an operation, so that it would run on the host.
    host_transfer : {"warn", "error", "allow"} or None
        What to do when data would be converted to or from a host array implicitly. None is the device's own default:
        ``"error"`` on Neuron devices, ``"allow"`` on the cpu.
    default_device : Device or None
        Where arrays are created. None is the detected one, see `detected_default_device`.
    math : {"accurate", "table"}
        Whether Neuron devices compute functions within their stated errors, or some of them by tables of the Scalar Engine.
    defaults : {"native", "numpy"}
        By which rules operands get dtypes on Neuron devices: their own, of 32 bits, or NumPy's. The cpu always has NumPy's.
    random : {"native", "counter"}
        Whether `random.default_rng` takes the default bit generator of the device, which on the cpu is NumPy's, or the counter-based one
        everywhere, so that one program has one stream on every device.
    precision : str or None
        How products of float32 and complex64 matrices are computed on Neuron devices: ``"bfloat16"``, ``"bfloat16x3"``, ``"float32"``,
        ``"float32-exact"`` or ``"float64"``. None is ``"float32"``. Fourier transforms are of float64, rounded once, for the last two,
        and of float32 but for ``"bfloat16"``.
    target_forward_error : float or None
        What these products may err by, relative to the sums of magnitudes, transforms, relative to their norm, and solutions of
        equations, relative to their largest element; the cheapest way whose bound meets it is taken.
    float64 : {"device", "host"}
        Where calls on float64 and complex128 are computed: on a Neuron device, from 32-bit arithmetic, or on the host, as fallbacks.

    Examples
    --------
    >>> from trnarray.backends.settings import Settings
    >>> Settings().fallback
    'warn'
    """

    fallback: Action = "warn"
    host_transfer: Action | None = None
    default_device: Device | None = None
    math: Math = "accurate"
    defaults: Defaults = "native"
    random: Random = "native"
    precision: Precision | None = None
    target_forward_error: float | None = None
    float64: Float64 = "device"

    def host_transfer_on(self, device: Device) -> Action:
        """
        Return what to do about implicit transfers from and to a device.

        Parameters
        ----------
        device : Device
            The device of the array.

        Returns
        -------
        str
            ``"warn"``, ``"error"`` or ``"allow"``.

        Examples
        --------
        >>> from trnarray.backends.device import Device
        >>> from trnarray.backends.settings import Settings
        >>> Settings().host_transfer_on(Device("cpu")), Settings().host_transfer_on(Device("trn:0"))
        ('allow', 'error')
        """
        if self.host_transfer is not None:
            return self.host_transfer
        return "allow" if device.kind == "cpu" else "error"


class _Changes(TypedDict, total=False):
    fallback: Action
    host_transfer: Action | None
    default_device: Device | str | None
    math: Math
    defaults: Defaults
    random: Random
    precision: Precision | None
    target_forward_error: float | None
    float64: Float64


def _checked(changes: _Changes) -> dict[str, Any]:
    """Return the changes, each one checked."""
    checked: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in Settings._fields:
            raise TypeError(f"there is no setting {name!r}; allowed are {', '.join(Settings._fields)}")
        if name == "default_device":
            checked[name] = None if value is None else parse_device(value)
        elif name == "target_forward_error":
            checked[name] = _checked_error(value)
        elif value in _VALUES[name]:
            checked[name] = value
        else:
            raise ValueError(f"{name} is one of {', '.join(map(repr, _VALUES[name]))}; got {value!r}")
    return checked


def _checked_error(value: Any) -> float | None:
    if value is None or (isinstance(value, (int, float)) and value > 0):
        return value
    raise ValueError(f"target_forward_error is a positive number or None; got {value!r}")


class _Layer:
    """The changes of one entered `config`, over those of the layers below, with the merged settings cached."""

    __slots__ = ("below", "changes", "merged", "owner")

    def __init__(self, owner: config, below: _Layer | None) -> None:
        self.owner: Final = owner
        self.below: Final = below
        self.changes: Final[dict[str, Any]] = owner._changes if below is None else {**below.changes, **owner._changes}
        # (process-wide settings, these with the changes): one attribute, so that threads see a matching pair.
        process = _process
        self.merged: tuple[Settings, Settings] = (process, process._replace(**self.changes))

    def without(self, owner: config) -> _Layer | None:
        """Return the layers with the topmost one of `owner` removed.

        It is not always the top one: a generator can leave a config while its caller is inside another.
        """
        if self.owner is owner:
            return self.below
        if self.below is None:
            return self
        below = self.below.without(owner)
        return self if below is self.below else _Layer(self.owner, below)


def _initial() -> Settings:
    """Return the settings of a new process, which the environment has a word in."""
    name = "TRNARRAY_DEFAULTS"
    value: Any = os.environ.get(name)
    if not value:
        return Settings()
    try:
        return Settings(**_checked({"defaults": value}))
    except ValueError as error:
        raise ValueError(f"environment variable {name}: {error}") from None


_process = _initial()
_process_lock: Final = allocate_lock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread holds the lock would wait for it forever.
    os.register_at_fork(before=_process_lock.acquire, after_in_parent=_process_lock.release, after_in_child=_process_lock.release)
_layer: Final[contextvars.ContextVar[_Layer | None]] = contextvars.ContextVar("trnarray_settings", default=None)


def get_config() -> Settings:
    """
    Return the settings in force in the current context.

    Returns
    -------
    Settings
        The process-wide settings, under the changes of every `config` that the context is in.

    Examples
    --------
    >>> from trnarray.backends.settings import config, get_config
    >>> with config(fallback="error"):
    ...     get_config().fallback
    'error'
    """
    layer = _layer.get()
    if layer is None:
        return _process
    process, merged = layer.merged
    if process is not _process:
        process = _process
        merged = process._replace(**layer.changes)
        layer.merged = process, merged
    return merged


class config(ContextDecorator):  # noqa: N801  # used like a function, as numpy.errstate is
    """
    Change settings in a context: in a ``with`` block, or in a function that it decorates.

    Threads started inside do not inherit the change, asyncio tasks do; `set_config` is for all threads. The same object
    can be entered again, also while it is entered and by several threads at once.

    Parameters
    ----------
    fallback : {"warn", "error", "allow"}, optional
        What to do when the device has no kernel for an operation, so that it would run on the host.
    host_transfer : {"warn", "error", "allow"} or None, optional
        What to do when data would be converted to or from a host array implicitly; None is the device's own default.
    default_device : Device, str or None, optional
        Where arrays are created; None is the detected one.
    math : {"accurate", "table"}, optional
        Whether Neuron devices compute functions within their stated errors, or some of them by tables of the Scalar Engine.
    defaults : {"native", "numpy"}, optional
        By which rules operands get dtypes on Neuron devices: their own, of 32 bits, or NumPy's. The cpu always has NumPy's.
    random : {"native", "counter"}, optional
        Whether `random.default_rng` takes the default bit generator of the device or the counter-based one everywhere.
    precision : str or None, optional
        How products of float32 and complex64 matrices are computed on Neuron devices.
    target_forward_error : float or None, optional
        What these products may err by; the cheapest way whose bound meets it is taken, at or above `precision`.
    float64 : {"device", "host"}, optional
        Where calls on float64 and complex128 are computed: on a Neuron device, from 32-bit arithmetic, or on the host, as fallbacks.

    Raises
    ------
    TypeError
        If there is no such setting.
    ValueError
        If a setting cannot have the value.

    Examples
    --------
    >>> from trnarray.backends.settings import config, get_config
    >>> with config(fallback="allow", host_transfer="warn"):
    ...     get_config()
    Settings(fallback='allow', host_transfer='warn', default_device=None, math='accurate', defaults='native', random='native', \
precision=None, target_forward_error=None, float64='device')
    >>> @config(host_transfer="error")
    ... def strict():
    ...     return get_config().host_transfer
    >>> strict()
    'error'
    """

    def __init__(self, **changes: Unpack[_Changes]) -> None:
        self._changes: Final = _checked(changes)

    def __enter__(self) -> Settings:
        """Put the changes in force and return the settings."""
        _layer.set(_Layer(self, _layer.get()))
        return get_config()

    def __exit__(self, *exc_info: object) -> None:
        """Put the changes out of force."""
        layer = _layer.get()
        if layer is not None:
            _layer.set(layer.without(self))

    def __call__(self, func: _F) -> _F:
        """Return the function with the changes in force while it runs."""
        import inspect

        if inspect.iscoroutinefunction(func) or inspect.isgeneratorfunction(func) or inspect.isasyncgenfunction(func):
            name = getattr(func, "__qualname__", repr(func))
            raise TypeError(
                f"config cannot decorate {name}, which is a generator or coroutine: its body runs after the call "
                "returns; write 'with config(...)' inside it"
            )
        return super().__call__(func)


def set_config(**changes: Unpack[_Changes]) -> None:
    """
    Change settings for the whole process.

    All threads see it, running and new ones, except where a `config` that they are in says otherwise.

    Parameters
    ----------
    **changes
        The settings and their values, as for `config`.

    Raises
    ------
    TypeError
        If there is no such setting.
    ValueError
        If a setting cannot have the value.

    Examples
    --------
    >>> from trnarray.backends.settings import get_config, set_config
    >>> set_config(fallback="allow")
    >>> get_config().fallback
    'allow'
    >>> set_config(fallback="warn")
    """
    global _process
    checked = _checked(changes)
    with _process_lock:
        _process = _process._replace(**checked)


def get_default_device() -> Device:
    """
    Return the device on which arrays are created in the current context.

    Returns
    -------
    Device
        The one that was set, else the detected one.

    Raises
    ------
    ValueError
        If none is set and the environment variable ``TRNARRAY_DEVICE`` names no device.

    Examples
    --------
    >>> from trnarray.backends.settings import default_device, get_default_device
    >>> with default_device("cpu"):
    ...     get_default_device()
    Device('cpu')
    """
    return get_config().default_device or detected_default_device()


def set_default_device(device: Device | str | None) -> None:
    """
    Choose the device on which arrays are created, for the whole process.

    Parameters
    ----------
    device : Device, str or None
        The device; None goes back to the detected one.

    Raises
    ------
    ValueError
        If there is no such device.
    TypeError
        If `device` is no string.

    Examples
    --------
    >>> from trnarray.backends.settings import get_default_device, set_default_device
    >>> set_default_device("cpu")
    >>> get_default_device()
    Device('cpu')
    >>> set_default_device(None)
    """
    set_config(default_device=device)


def default_device(device: Device | str | None) -> config:
    """
    Choose the device on which arrays are created, in a context.

    Parameters
    ----------
    device : Device, str or None
        The device; None is the detected one.

    Returns
    -------
    config
        The context manager and decorator.

    Raises
    ------
    ValueError
        If there is no such device.
    TypeError
        If `device` is no string.

    Examples
    --------
    >>> from trnarray.backends.settings import default_device, get_default_device
    >>> with default_device("sim:trn2"):
    ...     get_default_device()
    Device('sim:trn2')
    """
    return config(default_device=device)
