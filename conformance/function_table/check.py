"""One check: a drawn call, made of NumPy and of trnarray for one lead dtype, and everything that must agree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

import trnarray
from trnarray import Array

from ...backends.device import Device
from ...backends.dtypes import KINDS, LOW_PRECISION, DType, real_of
from ...backends.engine import engine_for
from ...backends.limits import finfo
from ...backends.promotion import PromotionTable
from .comparison import FAMILIES, Mismatch, compare_errors, compare_values, leaves, skeleton
from .operand import Lead, Operand, Weak
from .promise import float_dtype, named_dtypes, promised
from .row import Row
from .template import Call

__all__ = ["check", "check_dtypes", "describe", "on_device"]

_F16, _F32, _F64 = (np.dtype(t) for t in (np.float16, np.float32, np.float64))
_RAISED: Final = (*FAMILIES, StopIteration)


class _Outcome(NamedTuple):
    """What a call came to: its result or its exception, and its operands' memory after it."""

    result: Any
    error: BaseException | None
    parents: list[Any]


def check(row: Row, call: Call, lead: DType, device: Device) -> None:
    """Compare one call on a device with NumPy, or with what counts as well."""
    try:
        _check(row, call, lead, device)
    except Mismatch:
        if row.alternative is None:
            raise
        _check(row._replace(reference=row.alternative), call, lead, device)


def _check(row: Row, call: Call, lead: DType, device: Device) -> None:
    theirs, ours = row.numpy_function(), row.our_function(trnarray)
    if theirs is None or ours is None:
        raise LookupError(f"{row.name} is not in {'NumPy' if theirs is None else 'trnarray'}")
    working = _F64 if lead in LOW_PRECISION else lead
    want = _run(theirs, call, _on_host(lead, working))
    got = _run(_computed(ours), call, on_device(lead, device))
    promotion, named = engine_for(device).promotion, named_dtypes(call, lead)
    if want.error is None and _is_beyond(theirs, call, lead, promotion, named, want):
        want = want._replace(error=OverflowError(f"beyond the default integer of {device}"))
    compare_errors(got.error, want.error, row.alike)
    out = _place_of_out(call)
    for i, (after, wanted) in enumerate(zip(got.parents, want.parents, strict=True)):
        if i == out and "floating" in KINDS[after.dtype]:
            compare_values(_host(after), wanted, row.tolerance, None, after.dtype)
        else:
            _same_memory(_host(after), wanted, f"operand x{i} after the call")
    if want.error is not None:
        return
    want = want._replace(result=_promised_type(want.result, promotion, named))
    dtypes = _result_dtypes(theirs, call, lead, want)
    allowed = [promised(promotion, dtype, named) for dtype in dtypes]
    if any(dtype not in others and "floating" in KINDS[dtype] for dtype, others in zip(dtypes, allowed, strict=True)):
        narrow = real_of(float_dtype(promotion, named))
        rounded = _of_rounded_integers(theirs, call, lead, narrow, _F64 if row.tolerance.rounds else narrow, want)
        try:  # functions convert integers to floats before they compute, or after
            values = _compare(row, call, got.result, rounded.result, allowed, lead, device)
            want = rounded
        except Mismatch:
            values = _compare(row, call, got.result, want.result, allowed, lead, device)
    else:
        values = _compare(row, call, got.result, want.result, allowed, lead, device)
    if call.into is not None and values:
        _compare_out(row, call, lead, device, [(array.dtype,) for array in leaves(got.result, Array)], want)


def check_dtypes(row: Row, call: Call, lead: DType, device: Device) -> None:
    """Compare the dtypes of one call on a device with NumPy's, or with the setting `defaults`; calls with kernels are not computed."""
    theirs, ours = row.numpy_function(), row.our_function(trnarray)
    assert theirs is not None
    assert ours is not None
    want = _run(theirs, call, _on_host(lead, _F64 if lead in LOW_PRECISION else lead))
    got = _run(ours, call, on_device(lead, device))
    if want.error is not None or got.error is not None:
        return
    promotion, named = engine_for(device).promotion, named_dtypes(call, lead)
    dtypes = _result_dtypes(theirs, call, lead, want)
    for array, dtype in zip(leaves(got.result, Array), dtypes, strict=True):
        allowed = promised(promotion, dtype, named)
        if array.dtype not in allowed:
            raise Mismatch(f"gives dtype {array.dtype}, where NumPy gives {dtype} and {device} promises {' or '.join(map(str, allowed))}")


def _run(function: Callable[..., Any], call: Call, make: Callable[[Any, list[Any]], Any]) -> _Outcome:
    parents: list[Any] = []
    args, kwargs = call.realize(lambda item: make(item, parents))
    try:
        result = function(*args, **kwargs)
        if isinstance(result, Iterator):
            result = list(result)
    except _RAISED as error:
        return _Outcome(None, error, parents)
    return _Outcome(result, None, parents)


def _computed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function wait for the values of its result: devices raise errors that only values show where these are needed."""

    def run(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        for array in leaves(result, Array):
            _host(array)
        return result

    return run


def _place_of_out(call: Call) -> int | None:
    """Find the operand that the result is written to, among all arrays."""
    found: list[Any] = []
    call.realize(lambda item: found.append(item) if isinstance(item, Operand) else None)
    out = call.kwargs.get("out")
    return next((place for place, item in enumerate(found) if item is out), None)


def _promised_type(result: Any, promotion: PromotionTable, named: Collection[DType]) -> Any:
    """Give the dtype that the device promises where a function answers with a dtype, and any other result as it is."""
    if isinstance(result, np.dtype):
        return promised(promotion, result, named)[0]
    if isinstance(result, type) and issubclass(result, np.generic):
        return promised(promotion, np.dtype(result), named)[0].type
    return result


def _of_rounded_integers(
    function: Callable[..., Any], call: Call, lead: DType, narrow: DType, computed: DType, want: _Outcome
) -> _Outcome:
    """Call NumPy with integers as the device sees them, where they become floats of fewer digits than NumPy makes of them."""
    made = _on_host(lead, _F64 if lead in LOW_PRECISION else lead)

    def make(item: Operand | Weak | Lead, parents: list[Any]) -> Any:
        value = made(item, parents)
        return value.astype(narrow).astype(computed) if isinstance(item, Operand) and value.dtype.kind in "biu" else value

    rounded = _run(function, call, make)
    return rounded if rounded.error is None and skeleton(rounded.result, Array) == skeleton(want.result, Array) else want


def _is_beyond(
    function: Callable[..., Any], call: Call, lead: DType, promotion: PromotionTable, named: Collection[DType], want: _Outcome
) -> bool:
    """Tell whether sums or products of integers are beyond the dtype that the device promises, and NumPy's, which wrap, are not."""
    arrays = leaves(want.result, Array)
    narrow = [promised(promotion, array.dtype, named)[0] if array.dtype.kind in "iu" else array.dtype for array in arrays]
    if narrow == [array.dtype for array in arrays]:
        return False
    made = _on_host(lead, lead)

    def make(item: Operand | Weak | Lead, parents: list[Any]) -> Any:
        value = made(item, parents)
        return value.astype(_F64) if isinstance(item, Operand) and value.dtype.kind in "iu" else value

    exact = leaves(_run(function, call, make).result, Array)
    return any(
        dtype.kind in "iu" and array.dtype == _F64 and np.any((array < np.iinfo(dtype).min) | (array > np.iinfo(dtype).max))
        for array, dtype in zip(exact, narrow, strict=False)
    )


def _on_host(lead: DType, working: DType) -> Callable[[Any, list[Any]], Any]:
    """Make operands for NumPy: those of the lead dtype in the working dtype."""

    def make(item: Operand | Weak | Lead, parents: list[Any]) -> Any:
        if isinstance(item, Lead):
            return working
        if isinstance(item, Weak):
            return item.value(lead)
        parent = item.parent(lead)
        if working != lead and parent.dtype == lead:
            parent = parent.astype(working)
        parents.append(parent)
        return item.look(parent, lead)

    return make


def on_device(lead: DType, device: Device) -> Callable[[Any, list[Any]], Any]:
    """Make operands on a device."""

    def make(item: Operand | Weak | Lead, parents: list[Any]) -> Any:
        if isinstance(item, Lead):
            return lead
        if isinstance(item, Weak):
            return item.value(lead)
        parent = trnarray.asarray(item.parent(lead), device=device, copy=True)
        parents.append(parent)
        return item.look(parent, lead)

    return make


def _host(array: Any) -> npt.NDArray[Any]:
    return np.asarray(array.to_device("cpu") if isinstance(array, Array) else array)


def _same_memory(got: npt.NDArray[Any], want: npt.NDArray[Any], what: str) -> None:
    if got.dtype != want.dtype:
        with np.errstate(all="ignore"):
            want = want.astype(got.dtype)
    if got.tobytes() != want.tobytes():
        same = (got == want) | (got != got) & (want != want)
        if not same.all():
            raise Mismatch(f"{what} is {got!r}, where NumPy leaves {want!r}")


def _result_dtypes(function: Callable[..., Any], call: Call, lead: DType, want: _Outcome) -> list[DType]:
    """Give the dtypes that a result's arrays should have: NumPy's, for which float16 stands in for dtypes it does not know."""
    if lead not in LOW_PRECISION:
        return [array.dtype for array in leaves(want.result, Array)]
    for standin in (_F16, _F32):  # float32 where NumPy refuses float16
        probe = _run(function, call, _on_host(lead, standin))
        if probe.error is None:
            return [lead if array.dtype == standin else array.dtype for array in leaves(probe.result, Array)]
    return [{_F64: lead, np.dtype(np.complex128): np.dtype(np.complex64)}.get(a.dtype, a.dtype) for a in leaves(want.result, Array)]


def _compare(row: Row, call: Call, got: Any, want: Any, allowed: list[tuple[DType, ...]], lead: DType, device: Device) -> bool:
    """Compare results; tell whether there are arrays in them."""
    found, expected = skeleton(got, Array), skeleton(want, Array)
    if found != expected:
        raise Mismatch(f"gives {found}, where NumPy gives {expected}")
    arrays, wanted = leaves(got, Array), leaves(want, Array)
    host = []
    for array, model, others in zip(arrays, wanted, allowed, strict=True):
        if type(array) is not Array:
            raise Mismatch(f"gives a {type(array).__module__}.{type(array).__qualname__} and not an Array")
        if array.device != device:
            raise Mismatch(f"gives an Array on {array.device}")
        if array.dtype not in others:
            promise = " or ".join(map(str, others))
            raise Mismatch(f"gives dtype {array.dtype}, where NumPy gives {model.dtype} and {device} promises {promise}")
        if array.shape != model.shape:
            raise Mismatch(f"gives shape {array.shape}, where NumPy gives {model.shape}")
        host.append(_host(array))
    tolerance, dtypes = row.tolerance, [array.dtype for array in arrays]
    if row.digest is not None and arrays:
        narrow, wide = real_of(dtypes[0]), real_of(wanted[0].dtype)
        if narrow != wide and "floating" in KINDS[narrow]:
            # The parts are of fewer digits than NumPy's, and so is what is made of them in double precision
            tolerance = tolerance._replace(roundoffs=tolerance.roundoffs * finfo(narrow).eps / finfo(wide).eps)
        host = list(row.digest([x.astype(_F64) if x.dtype in LOW_PRECISION else x for x in host]))
        wanted = list(row.digest([np.asarray(x) for x in wanted]))
        dtypes = [x.dtype for x in wanted]
    magnitudes = _magnitudes(row, call, lead, len(wanted))
    for array, model, dtype, magnitude in zip(host, wanted, dtypes, magnitudes, strict=True):
        if isinstance(model, np.ma.MaskedArray):  # of which some elements have no digits
            array, model = np.where(model.mask, 0, array), np.where(model.mask, 0, np.asarray(model))
        compare_values(array, np.asarray(model), tolerance, magnitude, dtype)
    return bool(arrays)


def _magnitudes(row: Row, call: Call, lead: DType, count: int) -> list[Any]:
    """Compute what the tolerance is relative to, for the absolute values of its operands, in double precision."""
    scale = row.tolerance.scale
    function = row.numpy_function() if scale == "absolute" else scale if callable(scale) else None
    if function is None or row.digest is not None:
        return [None] * count

    def make(item: Operand | Weak | Lead, parents: list[Any]) -> Any:
        del parents
        if isinstance(item, Lead):
            return _F64
        if isinstance(item, Weak):
            return abs(item.value(lead))
        values = item.look(item.parent(lead), lead)
        return values if values.dtype.kind in "biu" else np.abs(values.astype(np.complex128))

    outcome = _run(function, call, make)
    arrays = leaves(outcome.result, Array)
    return arrays if len(arrays) == count else [None] * count


def _compare_out(row: Row, call: Call, lead: DType, device: Device, allowed: list[tuple[DType, ...]], want: _Outcome) -> None:
    """Call again with ``out=``: the very object must come back, with the result in it."""
    models = leaves(want.result, Array)
    outs = []
    seed = call.into or 0
    for i, (model, (dtype, *_)) in enumerate(zip(models, allowed, strict=True)):
        operand = Operand(model.shape, seed % 6 + i, "small", seed, dtype)
        outs.append(operand.look(trnarray.asarray(operand.parent(lead), device=device, copy=True), lead))
    out = outs[0] if len(outs) == 1 else tuple(outs)
    ours = row.our_function(trnarray)
    assert ours is not None
    got = _run(lambda *args, **kwargs: ours(*args, out=out, **kwargs), call, on_device(lead, device))
    if got.error is not None:
        raise Mismatch(f"with out= of its own result's dtype: raises {type(got.error).__name__}({got.error})")
    if got.result is not out and not (isinstance(out, tuple) and all(a is b for a, b in zip(got.result, out, strict=True))):
        raise Mismatch("with out=: gives another object than that")
    try:
        _compare(row, call, got.result, want.result, allowed, lead, device)
    except Mismatch as mismatch:
        raise Mismatch(f"with out=: {mismatch}") from None


def describe(row: Row, call: Call, lead: DType) -> str:
    """Write a call down, with the values of its operands."""
    names: list[str] = []
    lines: list[str] = []

    class Name(str):
        __slots__ = ()

        def __repr__(self) -> str:
            return str(self)

    def make(item: Operand | Weak | Lead) -> Any:
        if isinstance(item, Lead):
            return Name(f"xp.{lead.name}")
        if isinstance(item, Weak):
            return item.value(lead)
        name = Name(f"x{len(names)}")
        names.append(name)
        values = item.look(item.parent(lead), lead)
        view = item.view_for(lead)
        text = np.array2string(values, separator=", ", threshold=40).replace("\n", "")
        lines.append(f"{name} = {text}  # shape {values.shape}, {values.dtype}, {view}")
        return name

    args, kwargs = call.realize(make)
    inside = ", ".join([*map(repr, args), *(f"{key}={value!r}" for key, value in kwargs.items())])
    return "\n".join([f"xp.{row.name}({inside})", *lines])
