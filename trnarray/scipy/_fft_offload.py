"""The backend of scipy.fft that computes transforms of ndarrays on a device, and gives ndarrays."""

from __future__ import annotations

import contextlib
import copyreg
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from .._apply import apply
from .._array import Array
from ..array_conversion import asarray
from ..backends.caller import find_caller
from ..backends.coverage import record_transfer
from ..backends.device import CPU, Device, parse_device
from ..backends.engine import engine_for
from ..backends.op import Op
from ..backends.ops.fft import TRANSFORMS
from ..backends.precision import RUNGS, Precision
from ..backends.settings import config, get_config, get_default_device
from ..backends.shape import checked_axes

__all__ = ["OffloadTimes", "is_global", "offload", "scipys", "with_lists"]

_COMPUTED: Final = {
    **{np.dtype(one): np.dtype(one) for one in "fFdD"},
    np.dtype("e"): np.dtype("f"),
    **dict.fromkeys(map(np.dtype, "?bBhHiIlLqQ"), np.dtype("d")),
}
"""Dtypes that the device computes transforms of, and what it takes for them; SciPy answers for others."""

_HANKEL: Final = ("fht", "ifht")
_SEQUENCES: Final = (list, tuple)
_busy = threading.local()


class OffloadTimes(NamedTuple):
    """
    What a transform is predicted to take on a device, and on the host.

    Attributes
    ----------
    device : float
        Seconds on the device, with the launch; infinite where it does not compute the call.
    transfers : float
        Seconds that the operand and the result take between host and device.
    host : float
        Seconds on the host, from a table that was measured on this machine.

    Examples
    --------
    >>> from trnarray.scipy.fft import OffloadTimes
    >>> print(OffloadTimes(0.002, 0.001, 0.004))
    3.00 ms on the device (of which transfers 1.00 ms), predicted; 4.00 ms on the host, measured: the device computes it
    """

    device: float
    transfers: float
    host: float

    @property
    def pays(self) -> bool:
        """Whether the device is predicted to be faster."""
        return self.device + self.transfers < self.host

    def __str__(self) -> str:
        together, transfers, host = (f"{1e3 * one:.3g}" if one < 1e-3 else f"{1e3 * one:.2f}" for one in (sum(self[:2]), *self[1:]))
        who = "the device computes it" if self.pays else "SciPy answers"
        return f"{together} ms on the device (of which transfers {transfers} ms), predicted; {host} ms on the host, measured: {who}"


def with_lists(args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Give the arguments of a transform with lists for the ndarrays among its parameters, which are no operands."""
    return (*args[:1], *map(checked_axes, args[1:])), {key: item if key == "x" else checked_axes(item) for key, item in kwargs.items()}


def is_global(backend: object) -> bool:
    """Tell whether a backend was installed with `scipy.fft.set_global_backend`, which displaces SciPy's own."""
    from scipy.fft import _backend

    state = _backend.ua.get_state()
    pickled: Any = copyreg.dispatch_table[type(state)](state)
    entry = pickled[1][0].get("numpy.scipy.fft")
    return entry is not None and entry[0] is not None and entry[0][0] is backend


def scipys(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Have SciPy's own implementation answer."""
    import scipy.fft

    for module in ("_basic_backend", "_realtransforms_backend", "_fftlog_backend"):
        function = getattr(getattr(scipy.fft, module, None), name, None)
        if callable(function):
            return function(*args, **kwargs)
    with scipy.fft.set_backend("scipy", only=True):
        return getattr(scipy.fft, name)(*args, **kwargs)


class offload:  # noqa: N801  # it is called like a function
    """
    Backend of scipy.fft that computes transforms of ndarrays on a device and gives ndarrays, for programs that keep theirs.

    Use it with ``scipy.fft.set_backend``, ``set_global_backend`` or ``register_backend``; libraries that call scipy.fft, as scipy.signal
    does, then use the device. Each call copies the operand there, computes, and copies the result back: two transfers, which `coverage`
    counts.

    Parameters
    ----------
    device : str or Device, optional
        Where; the default device at each call unless given. If that is ``"cpu"``, SciPy answers.
    always : bool, optional
        Whether to compute all that the device can there. By default only what is predicted to be faster so, transfers and launch
        included.
    precision : {"bfloat16", "bfloat16x3", "float32", "float32-exact", "float64"}, optional
        With which precision float32 and complex64 are computed there, as `config` takes it; that in force at each call unless given.

    Raises
    ------
    ValueError
        If there is no such device or precision.

    See Also
    --------
    trnarray.scipy.fft.fft : Transforms of Arrays, which need no backend and no copies.

    Notes
    -----
    float16, float32 and complex64 are computed in float32 unless `precision` says otherwise, float64, complex128 and integers in float64,
    each with SciPy's dtypes. SciPy answers for longdouble, objects and subclasses of ndarray, and for float64 under
    ``config(float64="host")``; for sequences, too, unless the backend is global, which makes ndarrays of them. An error of the device is
    raised, unless ``config(fallback="allow")`` has SciPy answer then. Arrays are computed where they are.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.fft
    >>> import trnarray as xp
    >>> x = np.ones((4, 8), np.float32)
    >>> with scipy.fft.set_backend(xp.scipy.fft.offload("sim:trn2", always=True)):
    ...     y = scipy.fft.rfft(x)
    >>> type(y).__name__, y.dtype.name, float(y[0, 0].real)
    ('ndarray', 'complex64', 8.0)
    >>> xp.scipy.fft.offload("sim:trn2").explain(x).pays  # one launch takes longer than the host
    False
    """

    __ua_domain__: ClassVar[str] = "numpy.scipy.fft"

    def __init__(self, device: str | Device | None = None, *, always: bool = False, precision: Precision | None = None) -> None:
        if device is not None:
            parse_device(device)
        if precision not in (None, *RUNGS):
            raise ValueError(f"precision is {precision!r}; it is None or one of {', '.join(RUNGS)}")
        self.device, self.always, self.precision = device, bool(always), precision

    def __repr__(self) -> str:
        return f"offload({self.device!r}, always={self.always}, precision={self.precision!r})"

    def __eq__(self, other: object) -> bool:
        return type(other) is offload and self._parameters() == other._parameters()

    def __hash__(self) -> int:
        return hash(self._parameters())

    def __reduce__(self) -> tuple[Any, ...]:  # without what uarray keeps at it
        return _remade, self._parameters()

    def _parameters(self) -> tuple[Any, ...]:
        return self.device, self.always, self.precision

    def __ua_convert__(self, dispatchables: Sequence[Any], coerce: bool) -> Any:
        """Take Arrays and ndarrays; other operands where nobody is asked after this backend."""
        (operand,) = dispatchables
        value = operand.value
        if type(value) is Array or type(value) is np.ndarray or is_global(self):
            return (value,)
        return NotImplemented

    def __ua_function__(self, method: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Compute a transform that scipy.fft was called for."""
        name = method.__name__
        op = TRANSFORMS.get(name)
        args, kwargs = with_lists(args, kwargs)
        operand = args[0] if args else next(iter(kwargs.values()), None)
        if op is not None and type(operand) is Array:
            return apply(op, *args, **kwargs)
        device = self._device()
        if type(operand) in _SEQUENCES and args:
            args = (np.asarray(operand), *args[1:])
        refused = not args or name in _HANKEL or kwargs.get("plan") is not None
        if op is None or refused or not _is_computed(args[0], device) or getattr(_busy, "now", False):
            return scipys(name, args, kwargs)
        with self._settings():
            if not self.always and not self._times(op, device, args, kwargs).pays:
                return scipys(name, args, kwargs)
        _busy.now = True
        try:
            with self._settings():
                return _on_device(op, device, args, kwargs)
        except (MemoryError, RuntimeError):
            if get_config().fallback != "allow":
                raise
            return scipys(name, args, kwargs)
        finally:
            _busy.now = False

    def explain(self, x: npt.NDArray[Any], name: str = "fft", /, *args: Any, **kwargs: Any) -> OffloadTimes:
        """
        Predict what a transform takes on the device and on the host.

        Parameters
        ----------
        x : ndarray
            The operand.
        name : str, optional
            The function of scipy.fft.
        *args, **kwargs
            Its other arguments.

        Returns
        -------
        OffloadTimes
            The times, which print.

        Raises
        ------
        ValueError
            If scipy.fft has no such transform.

        Examples
        --------
        >>> import numpy as np
        >>> import trnarray as xp
        >>> xp.scipy.fft.offload("sim:trn2").explain(np.ones(64, np.float32), "rfft", norm="ortho").pays
        False
        """
        op, device = TRANSFORMS.get(name), self._device()
        if op is None:
            raise ValueError(f"scipy.fft dispatches no function {name!r}; it is one of {', '.join(TRANSFORMS)}")
        if name in _HANKEL or not _is_computed(x, device):
            return OffloadTimes(float("inf"), 0.0, _host_seconds(np.asarray(x)))
        with self._settings():
            return self._times(op, device, (x, *args), kwargs, least=False)

    def _settings(self) -> AbstractContextManager[object]:
        return contextlib.nullcontext() if self.precision is None else config(precision=self.precision)

    def _device(self) -> Device:
        return get_default_device() if self.device is None else parse_device(self.device)

    @staticmethod
    def _times(op: Op, device: Device, args: Sequence[Any], kwargs: Mapping[str, Any], *, least: bool = True) -> OffloadTimes:
        """Predict; with `least` no more than what is needed to know that the device does not pay."""
        from ..backends.neuron.launch.prediction import predict, predict_launch, predict_transfer

        x = args[0]
        engine: Any = engine_for(device)
        target = engine.launcher.target
        host, transfers = _host_seconds(x), predict_transfer(target, 2 * x.nbytes)
        launch = predict_launch(target)[0]
        now = get_config()
        asked = now.precision, now.target_forward_error
        key = (op.name, device, x.shape, x.dtype, repr(args[1:]), repr(sorted(kwargs.items())), asked)
        found = _predicted.get(key)
        if found is None and least and launch + transfers >= host:
            return OffloadTimes(launch, transfers, host)
        if found is None:
            _busy.now = True
            try:
                pending = engine.pending_plan(apply(op, _taken(x, device), *args[1:], **kwargs)._value)
            finally:
                _busy.now = False
            plans = [getattr(step, "plan", None) for step in pending]
            predictions = [None if plan is None else predict(plan, target, keep=False) for plan in plans]
            found = sum(float("inf") if one is None else one[1].seconds + launch for one in predictions)
            if len(_predicted) >= _KEPT:
                _predicted.clear()
            _predicted[key] = found
        return OffloadTimes(found, transfers, host)


def _remade(device: str | Device | None, always: bool, precision: Precision | None) -> offload:
    return offload(device, always=always, precision=precision)


_KEPT: Final = 1024
_predicted: Final[dict[tuple[Any, ...], float]] = {}


def _is_computed(x: Any, device: Device) -> bool:
    """Tell whether a device computes transforms of an operand."""
    if type(x) is not np.ndarray or device == CPU:
        return False
    taken = _COMPUTED.get(x.dtype.newbyteorder("="))
    return taken is not None and (taken.char in "fF" or get_config().float64 != "host")


def _taken(x: npt.NDArray[Any], device: Device) -> Array:
    return asarray(x.astype(_COMPUTED[x.dtype.newbyteorder("=")], copy=False), device=device)


def _on_device(op: Op, device: Device, args: Sequence[Any], kwargs: Mapping[str, Any]) -> npt.NDArray[Any]:
    """Copy the operand to the device, compute, and copy the result back; both are counted."""
    caller = find_caller(("numpy", "scipy"))
    record_transfer("to device", args[0].nbytes, caller)
    result = np.ascontiguousarray(apply(op, _taken(args[0], device), *args[1:], **kwargs).to_device("cpu")._value)
    record_transfer("to host", result.nbytes, caller)
    return result


def _host_seconds(x: npt.NDArray[Any]) -> float:
    from ..backends.neuron.host_times import host_seconds

    return host_seconds(x.size, real=x.dtype.kind != "c") * (2 if x.dtype.itemsize // (2 if x.dtype.kind == "c" else 1) > 4 else 1)
