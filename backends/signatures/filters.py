"""Signatures of filters and of resampling: signals are arrays, coefficients stay as they are given, and have shapes that were checked."""

from __future__ import annotations

import math
from typing import Any, Final

from ..rules import signature_of
from .attributes import check_numbers, index_axis
from .call import Call, NotNativeError, Reader

__all__ = [
    "analytic", "both_ways", "checked_edge", "design", "peaks", "rational_resampling", "resampling", "sections", "sections_both_ways",
    "transfer",
]  # fmt: skip

_CONTINUATIONS: Final = ("odd", "even", "constant", None)
_BACKGROUNDS: Final = frozenset(("mean", "median", "minimum", "maximum", "constant"))
_LOOKED_AT: Final = frozenset(("wrap", "edge", "smooth", "symmetric", "reflect", "antisymmetric", "antireflect", "line"))
"""Continuations that the host makes."""


def _signals(reader: Reader, x: Any, axis: Any) -> tuple[Any, int]:
    value = reader.array(x)
    return value, index_axis(axis, value.ndim)


def _count(reader: Reader, item: Any) -> int:
    """Count the coefficients of a polynomial."""
    shape = signature_of(reader.promotion, item).shape
    if len(shape) > 1 or shape == (0,):
        raise ValueError(f"the coefficients of a filter have one dimension, and are not of shape {shape}")
    return shape[0] if shape else 1


def transfer(reader: Reader, b: Any, a: Any, x: Any, axis: Any = -1, zi: Any = None) -> Call:
    """Read ``lfilter``."""
    value, axis = _signals(reader, x, axis)
    order = max(_count(reader, b), _count(reader, a)) - 1
    state = None if zi is None else reader.array(zi)
    if state is not None and (state.ndim != value.ndim or state.shape[axis] != order):
        raise ValueError(f"the state of {order} delays has shape {state.shape}")
    return Call((b, a, value), {"axis": axis, "zi": state})


def design(reader: Reader, *args: Any, **kwargs: Any) -> Call:
    """Read the design of a filter or a window: constants of parameters, which are no data of the device's."""
    given = [*args, *kwargs.values()]
    check_numbers(reader, *[each for item in given for each in (item if isinstance(item, tuple) else (item,))])
    return Call(args, kwargs)


def checked_edge(padtype: Any, padlen: Any, count: int) -> int:
    """Read by how many samples signals are continued."""
    if padtype not in _CONTINUATIONS or count <= (padlen if padtype else 0) or padlen < 0:
        raise ValueError(
            f"padtype is {padtype!r} and padlen {padlen}, for {count} samples; padtype is 'even', 'odd', 'constant' or None, and padlen is "
            "below the number of samples"
        )
    return int(padlen) if padtype else 0


def both_ways(
    reader: Reader, b: Any, a: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None, method: str = "pad",
    irlen: Any = None,
) -> Call:  # fmt: skip
    """Read ``filtfilt``; `irlen` is of another method."""
    check_numbers(reader, padlen)
    if method == "gust":
        raise NotNativeError("Gustafsson's initial states are found on the host")
    if method != "pad":
        raise ValueError(f"method is {method!r}; it is one of 'pad' and 'gust'")
    value, axis = _signals(reader, x, axis)
    edge = 3 * max(_count(reader, b), _count(reader, a)) if padlen is None else padlen
    return Call((b, a, value), {"axis": axis, "padtype": padtype, "padlen": checked_edge(padtype, edge, value.shape[axis])})


def _check_sections(reader: Reader, sos: Any) -> None:
    shape = signature_of(reader.promotion, sos).shape
    if len(shape) != 2 or shape[1] != 6:
        raise ValueError(f"sections have six coefficients each, and are not of shape {shape}")


def sections(reader: Reader, sos: Any, x: Any, axis: Any = -1, zi: Any = None) -> Call:
    """Read ``sosfilt``."""
    if zi is not None:
        raise NotNativeError("states of sections are looked after on the host")
    _check_sections(reader, sos)
    value, axis = _signals(reader, x, axis)
    return Call((sos, value), {"axis": axis})


def sections_both_ways(reader: Reader, sos: Any, x: Any, axis: Any = -1, padtype: Any = "odd", padlen: Any = None) -> Call:
    """Read ``sosfiltfilt``, whose edge depends on zeros among the coefficients if nobody gives one."""
    check_numbers(reader, padlen)
    _check_sections(reader, sos)
    value, axis = _signals(reader, x, axis)
    edge = checked_edge(padtype, padlen or 0, value.shape[axis])
    return Call((sos, value), {"axis": axis, "padtype": padtype, "padlen": None if padlen is None else edge})


def analytic(reader: Reader, x: Any, N: Any = None, axis: Any = -1) -> Call:
    """Read ``hilbert``."""
    check_numbers(reader, N)
    value, axis = _signals(reader, x, axis)
    if value.dtype.kind == "c" or (N is not None and N <= 0):
        raise ValueError(f"analytic signals of N samples are made of real ones; x is {value.dtype}, and N is {N}, which must be positive")
    return Call((value,), {"N": value.shape[axis] if N is None else N, "axis": axis})


def resampling(reader: Reader, x: Any, num: Any, t: Any = None, axis: Any = 0, window: Any = None, domain: Any = "time") -> Call:
    """Read ``resample``."""
    check_numbers(reader, num)
    if reader.is_array(window):
        raise NotNativeError("windows of transforms that are Arrays are looked after on the host")
    if domain not in ("time", "freq"):
        raise ValueError(f"domain is {domain!r}; it is one of 'time' and 'freq'")
    value, axis = _signals(reader, x, axis)
    times = None if t is None else reader.array(t)
    return Call((value, int(num)), {"t": times, "axis": axis, "window": window, "domain": domain})


def rational_resampling(
    reader: Reader, x: Any, up: Any, down: Any, axis: Any = 0, window: Any = ("kaiser", 5.0), padtype: Any = "constant", cval: Any = None
) -> Call:
    """Read ``resample_poly``: the factors have no divisor in common."""
    check_numbers(reader, up, down)
    if reader.is_array(window) or padtype in _LOOKED_AT or (padtype == "constant" and cval):
        raise NotNativeError("filters that are Arrays, and signals continued otherwise than by a background, are looked after on the host")
    if padtype not in _BACKGROUNDS:
        raise ValueError(f"padtype is {padtype!r}; it is one of {', '.join(sorted(_BACKGROUNDS | _LOOKED_AT))}")
    if up != int(up) or down != int(down) or min(up, down) < 1 or (cval is not None and padtype != "constant"):
        raise ValueError(f"up is {up}, down {down} and cval {cval}; up and down are integers from 1 on, cval goes with padtype='constant'")
    value, axis = _signals(reader, x, axis)
    common = math.gcd(int(up), int(down))
    return Call((value, int(up) // common, int(down) // common), {"axis": axis, "window": window, "padtype": padtype})


def _limits(reader: Reader, interval: Any, count: int) -> Any:
    """Read a condition as two limits, each of which may be None, a number, or an array with one for each sample."""
    if interval is None:
        return None
    if reader.is_array(interval):
        interval = tuple(reader.arrays(interval)) if interval.shape == (2,) else interval
    limits = tuple(interval) if isinstance(interval, (list, tuple)) and len(interval) == 2 else (interval, None)
    for one in limits:
        if getattr(one, "shape", ()) and math.prod(one.shape) != count:
            raise ValueError(f"limits are {math.prod(one.shape)} in an array, for a signal of {count} samples; give one for each")
    return limits


def peaks(
    reader: Reader, x: Any, height: Any = None, threshold: Any = None, distance: Any = None, prominence: Any = None, width: Any = None,
    wlen: Any = None, rel_height: float = 0.5, plateau_size: Any = None,
) -> Call:  # fmt: skip
    """Read ``find_peaks``; `wlen` and `rel_height` are of prominences and widths."""
    check_numbers(reader, distance)
    value = reader.array(x)
    if value.ndim != 1:
        raise ValueError(f"find_peaks takes a signal of one dimension, and this one has {value.ndim}")
    if distance is not None and not distance >= 1:
        raise ValueError(f"distance is {distance}; it must be 1 or more")
    if not (distance is None and prominence is None and width is None) or value.dtype.kind == "c":
        raise NotNativeError("peaks that give way to others, and what they rise above, are found one after the other on the host")
    conditions = {"height": height, "threshold": threshold, "plateau_size": plateau_size}
    return Call((value,), {name: _limits(reader, interval, value.shape[0]) for name, interval in conditions.items()})
