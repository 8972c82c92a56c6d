"""Signals themselves: analytic, resampled, without trend; their peaks; and windows."""

from __future__ import annotations

from functools import partial
from types import ModuleType
from typing import Any, Literal

import scipy.signal

from .._apply import apply, direct, short_way
from .._array import Array
from .._placement import choose_device, create
from .._typing import ArrayLike, DeviceLike
from ..backends.device import Device
from ..backends.ops.scipy_signal import OPS

__all__ = ["detrend", "find_peaks", "get_window", "hilbert", "resample", "resample_poly"]


@direct(OPS)
def hilbert(x: ArrayLike, N: int | None = None, axis: int = -1) -> Array:
    """
    Compute the analytic signal by the Hilbert transform.

    Parameters
    ----------
    x : array_like
        The signals; real.
    N : int, optional
        The length to which they are cut or padded; by default their own.
    axis : int, optional
        The axis of time.

    Returns
    -------
    Array
        The analytic signals, whose real part they are.

    Examples
    --------
    >>> import trnarray as xp
    >>> abs(xp.scipy.signal.hilbert(xp.asarray([1.0, 0.0, -1.0, 0.0])))
    Array([1., 1., 1., 1.], dtype=float64, device='cpu')
    """
    return apply(OPS["hilbert"], x, N, axis)


@direct(OPS)
def resample(
    x: ArrayLike,
    num: int,
    t: ArrayLike | None = None,
    axis: int = 0,
    window: Any = None,
    domain: Literal["time", "freq"] = "time",
) -> Any:
    """
    Resample periodic signals by transforms.

    Parameters
    ----------
    x : array_like
        The signals, or their transforms.
    num : int
        The number of samples to make.
    t : array_like, optional
        When the samples of `x` were taken, equally spaced.
    axis : int, optional
        The axis of time.
    window : str, tuple, float, array_like or callable, optional
        What the transform is multiplied by; a function takes frequencies as an ndarray.
    domain : {'time', 'freq'}, optional
        Whether `x` is the signals or their transforms.

    Returns
    -------
    Array, or tuple of Arrays
        The signals; if `t` is given also when their samples are taken.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.round(xp.scipy.signal.resample(xp.asarray([1.0, 0.0, -1.0, 0.0]), 8), 3)
    Array([ 1.   ,  0.707,  0.   , -0.707, -1.   , -0.707,  0.   ,  0.707], dtype=float64, device='cpu')
    """
    return apply(OPS["resample"], x, num, t, axis, window, domain)


@direct(OPS)
def resample_poly(
    x: ArrayLike,
    up: int,
    down: int,
    axis: int = 0,
    window: Any = ("kaiser", 5.0),
    padtype: str = "constant",
    cval: float | None = None,
) -> Array:
    """
    Resample signals by a filter in several phases.

    Parameters
    ----------
    x : array_like
        The signals.
    up : int
        By what the sampling frequency is multiplied.
    down : int
        By what it is divided.
    axis : int, optional
        The axis of time.
    window : str, tuple or array_like, optional
        The window that the filter is designed by, or its coefficients.
    padtype : str, optional
        How the signals are continued beyond their ends: 'constant', 'line', 'mean', 'median', 'maximum', 'minimum', or a mode of `pad`.
    cval : float, optional
        The value that 'constant' continues with; 0 by default.

    Returns
    -------
    Array
        The signals.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.resample_poly(xp.ones(6), 1, 2).shape
    (3,)
    """
    return apply(OPS["resample_poly"], x, up, down, axis, window, padtype, cval)


@direct(OPS)
def detrend(
    data: ArrayLike, axis: int = -1, type: Literal["linear", "constant"] = "linear", bp: ArrayLike = 0, overwrite_data: bool = False
) -> Array:
    """
    Take the trend off signals.

    Parameters
    ----------
    data : array_like
        The signals.
    axis : int, optional
        The axis of time.
    type : {'linear', 'constant'}, optional
        Whether to subtract a line fitted by least squares, or the mean.
    bp : array_like, optional
        Indices of the samples where one line ends and the next begins.
    overwrite_data : bool, optional
        Whether SciPy may use the memory of the operand, whose elements are then undefined.

    Returns
    -------
    Array
        The signals without it.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.detrend(xp.asarray([1.0, 2.0, 6.0]), type="constant")
    Array([-2., -1.,  3.], dtype=float64, device='cpu')
    """
    return apply(OPS["detrend"], data, axis, type, bp, overwrite_data)


def _wrap_peaks(found: Any, device: Device) -> tuple[Array, dict[str, Array]]:
    """Wrap what SciPy gives: peaks, and their properties by name."""
    peaks, properties = found
    return Array._wrap(peaks, device), {name: Array._wrap(values, device) for name, values in properties.items()}


@partial(short_way, host=scipy.signal.find_peaks, tick=OPS["find_peaks"].tick, unwrap=Array._plain_values, wrap=_wrap_peaks)
def find_peaks(
    x: ArrayLike,
    height: Any = None,
    threshold: Any = None,
    distance: float | None = None,
    prominence: Any = None,
    width: Any = None,
    wlen: int | None = None,
    rel_height: float = 0.5,
    plateau_size: Any = None,
) -> tuple[Array, dict[str, Array]]:
    """
    Find peaks, which are higher than their neighbours, and properties of theirs.

    Parameters
    ----------
    x : array_like
        The signal, of one dimension.
    height : float, array_like or pair, optional
        The least height, or the least and the largest; None is no limit.
    threshold : float, array_like or pair, optional
        How far above its neighbours, alike.
    distance : float, optional
        The least distance between peaks, in samples; lower ones give way.
    prominence : float, array_like or pair, optional
        The prominence, alike.
    width : float, array_like or pair, optional
        The width in samples, alike.
    wlen : int, optional
        The length of the window in which prominences are found; by default all.
    rel_height : float, optional
        At which share of the prominence the width is measured.
    plateau_size : float, array_like or pair, optional
        The size of the flat top in samples, alike.

    Returns
    -------
    peaks : Array
        Their indices.
    properties : dict of str to Array
        Their properties that conditions are about.

    Examples
    --------
    >>> import trnarray as xp
    >>> peaks, properties = xp.scipy.signal.find_peaks(xp.asarray([0.0, 2.0, 1.0, 3.0, 0.0]), height=2.5)
    >>> peaks, properties["peak_heights"]
    (Array([3], dtype=int64, device='cpu'), Array([3.], dtype=float64, device='cpu'))
    """
    found: Any = apply(OPS["find_peaks"], x, height, threshold, distance, prominence, width, wlen, rel_height, plateau_size)
    peaks, names, properties = found
    return peaks, dict(zip(names, properties, strict=True))


def get_window(
    window: Any, Nx: int, fftbins: bool = True, *, xp: ModuleType | None = None, device: DeviceLike = None
) -> Any:
    """
    Make a window.

    Parameters
    ----------
    window : str, float or tuple
        Its name, with its parameters in a tuple; a number is the parameter of a Kaiser window.
    Nx : int
        The number of samples.
    fftbins : bool, optional
        Whether the window is periodic, for transforms, rather than symmetric, for filters.
    xp : namespace, optional
        Whose array to make; by default an Array.
    device : Device or str, optional
        Where to put it; by default on the default device.

    Returns
    -------
    Array
        The window.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.signal.get_window("hann", 4)
    Array([0. , 0.5, 1. , 0.5], dtype=float64, device='cpu')
    """
    made = create(OPS["get_window"], choose_device(device if xp is None else "cpu"), window, Nx, fftbins)
    return made if xp is None else xp.asarray(made, device=device)
