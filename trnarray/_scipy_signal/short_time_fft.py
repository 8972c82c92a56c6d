"""The short-time Fourier transform as an object."""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import Any, ClassVar, Final, Literal, Self

import numpy as np
import scipy
import scipy.signal

from .._apply import apply
from .._array import Array
from .._placement import choose_device
from .._typing import ArrayLike
from ..array_conversion import asarray
from ..backends.device import Device
from ..backends.ops.scipy_signal import OPS

__all__ = ["ShortTimeFFT"]

Frequencies = Literal["twosided", "centered", "onesided", "onesided2X"]
Scale = Literal["magnitude", "psd"]
Continuation = Literal["zeros", "edge", "even", "odd"]
Detrending = Callable[[Any], Any] | Literal["linear", "constant"] | None

_STFT: Final = OPS["ShortTimeFFT.stft"]
_STFT_DETREND: Final = OPS["ShortTimeFFT.stft_detrend"]
_SPECTROGRAM: Final = OPS["ShortTimeFFT.spectrogram"]
_ISTFT: Final = OPS["ShortTimeFFT.istft"]


def _parameter(name: str, meaning: str) -> property:
    """Make a property that is SciPy's, which says itself whether it can be set."""

    def get(self: ShortTimeFFT) -> Any:
        return getattr(self._transform, name)

    def set_(self: ShortTimeFFT, value: Any) -> None:
        setattr(self._transform, name, value)

    return property(get, set_, doc=meaning)


class ShortTimeFFT:
    """
    The short-time Fourier transform of signals, and its inverse.

    What depends on windows and lengths alone is computed on the host when the object is made; signals are transformed where
    they are.

    Examples
    --------
    >>> import trnarray as xp
    >>> transform = xp.scipy.signal.ShortTimeFFT(xp.ones(4), hop=2, fs=1.0)
    >>> x = xp.arange(8.0)
    >>> transform.stft(x).shape
    (3, 5)
    >>> xp.allclose(transform.istft(transform.stft(x), k1=8), x)
    True
    """

    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)
    _transform: scipy.signal.ShortTimeFFT
    _device: Device

    def __init__(
        self,
        win: ArrayLike,
        hop: int,
        fs: float,
        *,
        fft_mode: Frequencies = "onesided",
        mfft: int | None = None,
        dual_win: ArrayLike | None = None,
        scale_to: Scale | None = None,
        phase_shift: int | None = 0,
    ) -> None:
        self._device = choose_device(None, like=win if type(win) is Array else None)
        self._transform = scipy.signal.ShortTimeFFT(
            _host(win),
            hop,
            fs,
            fft_mode=fft_mode,
            mfft=mfft,
            dual_win=None if dual_win is None else _host(dual_win),
            scale_to=scale_to,
            phase_shift=phase_shift,
        )

    @classmethod
    def _of(cls, transform: scipy.signal.ShortTimeFFT, window: Any = None) -> Self:
        made = object.__new__(cls)
        made._transform = transform
        made._device = choose_device(None, like=window if type(window) is Array else None)
        return made

    @classmethod
    def from_dual(
        cls,
        dual_win: ArrayLike,
        hop: int,
        fs: float,
        *,
        fft_mode: Frequencies = "onesided",
        mfft: int | None = None,
        scale_to: Scale | None = None,
        phase_shift: int | None = 0,
    ) -> Self:
        """Make a transform from the window of its inverse. See `scipy.signal.ShortTimeFFT.from_dual`."""
        transform = scipy.signal.ShortTimeFFT.from_dual(
            _host(dual_win), hop, fs, fft_mode=fft_mode, mfft=mfft, scale_to=scale_to, phase_shift=phase_shift
        )
        return cls._of(transform, dual_win)

    @classmethod
    def from_window(
        cls,
        win_param: Any,
        fs: float,
        nperseg: int,
        noverlap: int,
        *,
        symmetric_win: bool = False,
        fft_mode: Frequencies = "onesided",
        mfft: int | None = None,
        scale_to: Scale | None = None,
        phase_shift: int | None = 0,
    ) -> Self:
        """
        Make a transform from the name of a window and the overlap of slices.

        See `scipy.signal.ShortTimeFFT.from_window`.
        """
        transform = scipy.signal.ShortTimeFFT.from_window(
            win_param,
            fs,
            nperseg,
            noverlap,
            symmetric_win=symmetric_win,
            fft_mode=fft_mode,
            mfft=mfft,
            scale_to=scale_to,
            phase_shift=phase_shift,
        )
        return cls._of(transform)

    @classmethod
    def from_win_equals_dual(
        cls,
        desired_win: ArrayLike,
        hop: int,
        fs: float,
        *,
        fft_mode: Frequencies = "onesided",
        mfft: int | None = None,
        scale_to: Literal["magnitude", "psd", "unitary"] | None = None,
        phase_shift: int | None = 0,
    ) -> Self:
        """
        Make a transform whose window equals its dual up to a factor.

        See `scipy.signal.ShortTimeFFT.from_win_equals_dual`.
        """
        if not hasattr(scipy.signal.ShortTimeFFT, "from_win_equals_dual"):
            raise NotImplementedError(f"SciPy {scipy.__version__} finds no windows that equal their duals; use SciPy 1.16 or newer")
        transform = scipy.signal.ShortTimeFFT.from_win_equals_dual(
            _host(desired_win), hop, fs, fft_mode=fft_mode, mfft=mfft, scale_to=scale_to, phase_shift=phase_shift
        )
        return cls._of(transform, desired_win)

    T = _parameter("T", "The sampling interval.")
    fs = _parameter("fs", "The sampling frequency.")
    hop = _parameter("hop", "The number of samples from one slice to the next.")
    fft_mode = _parameter("fft_mode", "The frequencies, and their scale.")
    mfft = _parameter("mfft", "The length to which slices are padded.")
    scaling = _parameter("scaling", "What the values of the transform mean.")
    phase_shift = _parameter("phase_shift", "By how many samples phases are shifted.")
    invertible = _parameter("invertible", "Whether there is an inverse.")
    fac_magnitude = _parameter("fac_magnitude", "The factor that makes the values magnitudes.")
    fac_psd = _parameter("fac_psd", "The factor that makes the values roots of power spectral densities.")
    m_num = _parameter("m_num", "The length of the window.")
    m_num_mid = _parameter("m_num_mid", "The index of its middle.")
    k_min = _parameter("k_min", "The first sample that a slice touches.")
    p_min = _parameter("p_min", "The first slice that touches a sample.")
    lower_border_end = _parameter("lower_border_end", "The first sample and slice that the beginning does not affect.")
    delta_t = _parameter("delta_t", "The time from one slice to the next.")
    delta_f = _parameter("delta_f", "The width of frequency bins.")
    f_pts = _parameter("f_pts", "The number of frequencies.")
    onesided_fft = _parameter("onesided_fft", "Whether there are positive frequencies only.")

    @property
    def win(self) -> Array:
        """The window."""
        return self._array(self._transform.win)

    @property
    def dual_win(self) -> Array:
        """The window of the inverse transform."""
        return self._array(self._transform.dual_win)

    @property
    def f(self) -> Array:
        """The frequencies."""
        return self._array(self._transform.f)

    def _array(self, values: Any) -> Array:
        return asarray(values, device=self._device)

    def t(self, n: int, p0: int | None = None, p1: int | None = None, k_offset: int = 0) -> Array:
        """List the times of slices. See `scipy.signal.ShortTimeFFT.t`."""
        return self._array(self._transform.t(n, p0, p1, k_offset))

    def scale_to(self, scaling: Scale) -> None:
        """Scale windows so that the transform's values mean something else. See `scipy.signal.ShortTimeFFT.scale_to`."""
        self._transform.scale_to(scaling)

    def stft(
        self,
        x: ArrayLike,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: Continuation = "zeros",
        axis: int = -1,
    ) -> Array:
        """Transform signals. See `scipy.signal.ShortTimeFFT.stft`."""
        return apply(_STFT, x, self._transform, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    def stft_detrend(
        self,
        x: ArrayLike,
        detr: Detrending,
        p0: int | None = None,
        p1: int | None = None,
        *,
        k_offset: int = 0,
        padding: Continuation = "zeros",
        axis: int = -1,
    ) -> Array:
        """Transform signals, after taking a trend off each slice. See `scipy.signal.ShortTimeFFT.stft_detrend`."""
        return apply(_STFT_DETREND, x, self._transform, detr, p0, p1, k_offset=k_offset, padding=padding, axis=axis)

    def spectrogram(
        self,
        x: ArrayLike,
        y: ArrayLike | None = None,
        detr: Detrending = None,
        *,
        p0: int | None = None,
        p1: int | None = None,
        k_offset: int = 0,
        padding: Continuation = "zeros",
        axis: int = -1,
    ) -> Array:
        """
        Compute the squared magnitudes of transforms, or the products with the conjugate ones of other signals.

        See `scipy.signal.ShortTimeFFT.spectrogram`.
        """
        return apply(_SPECTROGRAM, x, self._transform, y, detr, p0=p0, p1=p1, k_offset=k_offset, padding=padding, axis=axis)

    def istft(self, S: ArrayLike, k0: int = 0, k1: int | None = None, *, f_axis: int = -2, t_axis: int = -1) -> Array:
        """Compute signals from their transform. See `scipy.signal.ShortTimeFFT.istft`."""
        return apply(_ISTFT, S, self._transform, k0, k1, f_axis=f_axis, t_axis=t_axis)

    def k_max(self, n: int) -> int:
        """Tell after which sample no slice touches signals. See `scipy.signal.ShortTimeFFT.k_max`."""
        return int(self._transform.k_max(n))

    def p_max(self, n: int) -> int:
        """Tell the end of the range of slices that touch signals. See `scipy.signal.ShortTimeFFT.p_max`."""
        return int(self._transform.p_max(n))

    def p_num(self, n: int) -> int:
        """Count the slices that touch signals. See `scipy.signal.ShortTimeFFT.p_num`."""
        return int(self._transform.p_num(n))

    def p_range(self, n: int, p0: int | None = None, p1: int | None = None) -> tuple[int, int]:
        """Give a range of slices, and check it. See `scipy.signal.ShortTimeFFT.p_range`."""
        first, end = self._transform.p_range(n, p0, p1)
        return first, end

    def upper_border_begin(self, n: int) -> tuple[int, int]:
        """
        Tell where the end of signals begins to affect slices.

        See `scipy.signal.ShortTimeFFT.upper_border_begin`.
        """
        sample, slice_ = self._transform.upper_border_begin(n)
        return sample, slice_

    def nearest_k_p(self, k: int, left: bool = True) -> int:
        """
        Find the sample in the middle of a slice that is nearest to a sample.

        See `scipy.signal.ShortTimeFFT.nearest_k_p`.
        """
        return int(self._transform.nearest_k_p(k, left))

    def extent(
        self, n: int, axes_seq: Literal["tf", "ft"] = "tf", center_bins: bool = False
    ) -> tuple[float, float, float, float]:
        """Give the ranges of times and frequencies, for pictures. See `scipy.signal.ShortTimeFFT.extent`."""
        extent: tuple[float, float, float, float] = self._transform.extent(n, axes_seq, center_bins)
        return extent


def _host(window: ArrayLike) -> Any:
    return window._host() if type(window) is Array else np.asarray(window)
