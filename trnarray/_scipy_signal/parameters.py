"""What the parameters of the functions of signals mean."""

from __future__ import annotations

from typing import Final

__all__ = ["CONVOLUTION", "FILTER", "SHORT_TIME", "SPECTRUM"]

_AXIS: Final = "int, optional: The axis of time."

CONVOLUTION: Final[dict[str, str]] = {
    "in1": "array_like: The first operand.",
    "in2": "array_like: The second, with as many axes.",
    "mode": (
        "{'full', 'valid', 'same'}, optional: Where the result is given: everywhere, where the operands overlap completely, or in the\n"
        "middle, with the shape of `in1`."
    ),
    "axes": "int or sequence of int, optional: The axes to convolve along; all by default.",
    "method": "{'auto', 'direct', 'fft'}, optional: Whether to sum products or to transform; by default what is estimated to be faster.",
    "measure": "bool, optional: Whether to time both methods rather than to estimate.",
    "in1_len": "int: The length of the first operand.",
    "in2_len": "int: The length of the second.",
}

FILTER: Final[dict[str, str]] = {
    "b": "array_like: The coefficients of the numerator of the transfer function.",
    "a": "array_like: Those of its denominator.",
    "sos": "array_like: The second-order sections of the filter, of shape ``(n_sections, 6)``.",
    "x": "array_like: The signals.",
    "y": "array_like: Outputs before, the latest first.",
    "axis": _AXIS,
    "zi": (
        "array_like, optional: The state of the delays before the first sample, of the shape of `x` but for `axis`, where it has the\n"
        "order of the filter; sections have an axis in front. By default zeros, and the state after the last sample is not returned."
    ),
    "padtype": "{'odd', 'even', 'constant', None}, optional: How the signals are continued beyond their ends.",
    "padlen": "int, optional: By how many samples; by default three times the number of coefficients.",
    "method": "{'pad', 'gust'}, optional: Whether to continue the signals, or to choose initial states by Gustafsson's method.",
    "irlen": "int, optional: The length of the impulse response that Gustafsson's method takes into account; by default all.",
    "numtaps": "int: The number of coefficients.",
    "cutoff": "float or array_like: The edges of the bands, in units of `fs`.",
    "width": "float, optional: The width of the transition, from which a Kaiser window is chosen instead of `window`.",
    "window": "str or tuple, optional: The window; see `get_window`.",
    "pass_zero": "bool or {'bandpass', 'lowpass', 'highpass', 'bandstop'}, optional: Whether the frequency zero passes.",
    "scale": "bool, optional: Whether the gain is exactly one in the middle of the first band that passes.",
    "fs": "float, optional: The sampling frequency; 2 by default.",
}

SPECTRUM: Final[dict[str, str]] = {
    "x": "array_like: The signals.",
    "y": "array_like: The signals that they are compared with.",
    "fs": "float, optional: The sampling frequency.",
    "window": "str, tuple or array_like, optional: The window, by name (see `get_window`) or value.",
    "nperseg": "int, optional: The length of a segment; by default that of the window, or 256.",
    "noverlap": "int, optional: How far segments overlap; half of a segment by default, an eighth in spectrograms.",
    "nfft": "int, optional: The length to which segments are padded; that of a segment by default.",
    "detrend": "str, callable or False, optional: What is taken off segments: 'constant', 'linear', or what a function of ndarrays does.",
    "return_onesided": "bool, optional: Whether the spectrum of real signals is that of positive frequencies.",
    "scaling": "str, optional: What is computed: 'density' or 'spectrum'; for transforms 'spectrum' or 'psd'.",
    "axis": _AXIS,
    "average": "{'mean', 'median'}, optional: How segments are averaged.",
    "mode": "{'psd', 'complex', 'magnitude', 'angle', 'phase'}, optional: What is computed of each segment.",
    "boundary": "str, bool or None, optional: How the signals are continued beyond their ends, or whether they were.",
    "padded": "bool, optional: Whether zeros complete the last segment.",
    "Zxx": "array_like: The transform.",
    "input_onesided": "bool, optional: Whether it has positive frequencies only.",
    "time_axis": "int, optional: Its axis of segments.",
    "freq_axis": "int, optional: Its axis of frequencies.",
}

SHORT_TIME: Final[dict[str, str]] = {
    "x": "array_like: The signals.",
    "y": "array_like, optional: Other signals, for cross-spectrograms.",
    "S": "array_like: The transform.",
    "detr": "str, callable or None, optional: What is taken off each slice: 'constant', 'linear', or what a function of ndarrays does.",
    "p0": "int, optional: The first slice; by default the first that touches the signals.",
    "p1": "int, optional: The end of the range of slices; by default after the last that touches the signals.",
    "k_offset": "int, optional: The index of the first sample.",
    "padding": "{'zeros', 'edge', 'even', 'odd'}, optional: How the signals are continued beyond their ends.",
    "axis": _AXIS,
    "k0": "int, optional: The first sample.",
    "k1": "int, optional: The end of the range of samples; by default after the last that the slices cover.",
    "f_axis": "int, optional: The axis of frequencies.",
    "t_axis": "int, optional: The axis of slices.",
    "n": "int: The number of samples.",
    "k": "int: The index of a sample.",
    "left": "bool, optional: Whether to round down rather than up.",
    "axes_seq": "{'tf', 'ft'}, optional: Whether time or frequency comes first.",
    "center_bins": "bool, optional: Whether the extent is that of the middles of the bins.",
    "scaling": "{'magnitude', 'psd'}: What the values of the transform are to mean.",
    "win": "array_like: The window, of one dimension.",
    "desired_win": "array_like: The window that one is to be near to that equals its dual.",
    "win_param": "str, tuple or float: The window, by name; see `get_window`.",
    "hop": "int: The number of samples from one slice to the next.",
    "fs": "float: The sampling frequency.",
    "nperseg": "int: The length of the window.",
    "noverlap": "int: How far slices overlap.",
    "symmetric_win": "bool, optional: Whether the window is symmetric rather than periodic.",
    "fft_mode": "{'twosided', 'centered', 'onesided', 'onesided2X'}, optional: The frequencies, and their scale.",
    "mfft": "int, optional: The length to which slices are padded; that of the window by default.",
    "dual_win": "array_like, optional: The window of the inverse transform; by default the canonical one.",
    "scale_to": "{'magnitude', 'psd', None}, optional: What the values of the transform are to mean.",
    "phase_shift": "int or None, optional: By how many samples phases are shifted; None leaves the phase of an FFT.",
}
