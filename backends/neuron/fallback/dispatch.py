"""Fallbacks: an Op that the device has no kernel for runs on the host, in full view.

Where the Op's rule knows the shape and dtype of the result, the call waits in the graph until the result is needed; else it runs at once.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...caller import Caller, find_caller
from ...dtypes import COMPLEX64, COMPLEX128, FLOAT16, FLOAT32, FLOAT64, INT32, INT64, KINDS, UINT32, UINT64, DType
from ...nesting import replace
from ...op import Op
from ...policy import FallbackError, FallbackWarning, check_fallback
from ...rules import NeedsValueError, Reduction, Results, Signature, UfuncRule, broadcast_shapes
from ...settings import config
from ...signatures import Call, NotNativeError
from ..failures import release_frames
from ..graph.builder import dtypes_among
from ..graph.graph import Node, ancestors
from ..graph.primitives import Buffer, HostStep
from ..output import check_target
from ..planes import plane_dtypes
from ..value import Value, values_among
from .host_call import HostCall, Operand, compute, narrowed, warning_at

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["LEFT_TO_HOST", "alternative", "leave_to_host", "results_to_device", "run_on_host"]

_NARROW: Final[dict[DType, DType]] = {FLOAT64: FLOAT32, COMPLEX128: COMPLEX64, INT64: INT32, UINT64: UINT32}
_WIDE: Final = {"f": (FLOAT64, COMPLEX128), "c": (FLOAT64, COMPLEX128), "i": (INT64, UINT64), "u": (INT64, UINT64)}
_UNKNOWN: Final[Results] = []  # of a call that no rule takes
LEFT_TO_HOST: Final = RuntimeError("the device leaves it to the host")
"""The error of nodes that wait for a call on the host in their place."""


def run_on_host(engine: Builder, op: Op, missing: NotNativeError, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an Op on the host: now, where it has no operand on the device or its results need elements, else when a result is needed."""
    reason = missing.reason
    if isinstance(op.rule, UfuncRule):
        args = [_taken(engine, item) for item in args]
    generator = _generator(args)
    waits = id(generator) in engine.graph.draws
    values = values_among([*args, *kwargs.values()])
    results: Results = _UNKNOWN
    why = ""
    if values or waits:
        try:
            results = _results(engine, op, missing.call, args, kwargs)
        except NeedsValueError as needs:
            why = needs.reason
            reason = f"it runs at once: {why}" if why == reason else f"{reason}; it runs at once: {why}"
    dtypes = ", ".join(dict.fromkeys(str(item.dtype) for item in values))
    caller = check_fallback(op.name, dtypes, reason, _remedy(reason, args, kwargs))
    if results is _UNKNOWN:
        if waits:
            engine.flush()
        result = _at_once(engine, op, args, kwargs, caller)
        if why:
            origin = f"{op.name} ran on the host at once, called at {caller}: {why}"
            for cell in [cell for value in values_among([result]) for cell in value.cells]:
                if isinstance(cell.node.primitive, Buffer):
                    cell.node.primitive = Buffer(cell.node.primitive.results, origin)
        return result
    return _deferred(engine, op, reason, args, kwargs, results, caller)


def alternative(engine: Builder, op: Op, reason: str, args: Sequence[Any], kwargs: Mapping[str, Any], results: Results) -> Any:
    """Make a call on the host that takes the place of results if a `Check` asks for it; nothing is counted before that."""
    return _deferred(engine, op, reason, args, kwargs, results, find_caller(("numpy", "scipy")))


def leave_to_host(left: Iterable[Node], roots: Iterable[Node]) -> None:
    """Make calls on the host of nodes whose checks say so, and forget that what depends on them, to compute `roots`, was tried."""
    refused: dict[HostCall, Exception | None] = {}
    for node in left:
        check = node.check
        assert check is not None
        assert check.instead is not None
        primitive = check.instead.primitive
        assert type(primitive) is HostStep
        call = primitive.call
        if call not in refused:
            refused[call] = _refused(call, check.action)
        node.error = refused[call]
        if node.error is None:
            node.primitive, node.inputs, node.check = primitive, check.instead.inputs, None
    for node in ancestors(roots):
        if node.error is LEFT_TO_HOST:
            node.error = None


def _refused(call: HostCall, action: Any) -> Exception | None:
    """Count a call that the device has tried, under the setting of its time; give the error where that forbids it."""
    dtypes = ", ".join(dict.fromkeys(str(operand.dtype) for operand in call.operands))
    try:
        with config(fallback=action):
            check_fallback(call.name, dtypes, call.reason, caller=call.caller)
    except (FallbackError, FallbackWarning) as error:  # by a filter of warnings
        release_frames(error)
        return error
    return None


def _taken(engine: Builder, item: Any) -> Any:
    """Make a value of an operand; sequences of Arrays are put together on the host, with the others."""
    try:
        return item if item is None else engine.operand(item)  # clip need not have bounds
    except NotNativeError:
        return item


def _remedy(reason: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Name what makes a call compute in 64 bits beside Arrays that have fewer: a scalar of NumPy, a dtype, or another Array."""
    operands = [("operand", item) for item in args] + [(f"{key}=", item) for key, item in kwargs.items()]
    dtypes = [item.dtype for item in values_among([item for _, item in operands])]
    wide = [dtype for dtype in dtypes if dtype in _NARROW]
    if len(wide) == len(dtypes):
        return ""
    for what, item in operands:
        if isinstance(item, np.generic) and item.dtype in _NARROW and not wide:
            python = {"f": "float", "c": "complex"}.get(item.dtype.kind, "int")
            return f"its {what} numpy.{item.dtype}({item}) makes it so: write {python}(s), which takes the dtype of the Array"
        if isinstance(item, np.dtype) and item in _NARROW and not wide:
            return f"the dtype that it names makes it so: write {_NARROW[item]}, unless 64 bits are meant"
        if isinstance(item, Value) and item.dtype in _NARROW and str(item.dtype) in reason:
            narrow = f"x.astype({str(_NARROW[item.dtype])!r})"
            return f"its {what} {item.dtype}{list(item.shape)} makes it so: write {narrow}, unless 64 bits are meant"
    return ""


def _results(engine: Builder, op: Op, call: Call | None, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Results:
    """Infer the results by the Op's rule, of arguments as they were read; `_UNKNOWN` where there is none that takes the call."""
    rule = op.rule
    if rule is None:
        return _UNKNOWN
    plain = isinstance(rule, (UfuncRule, Reduction))
    promotion = engine.promotion if plain else engine.promotion.beside(dtypes_among([*args, *kwargs.values()]))
    if call is None:
        return _UNKNOWN if plain else rule(promotion, *args, **kwargs)
    operands, attributes, output = call
    results = rule(promotion, *operands, **attributes)
    if output is None:
        return results
    arrays: Any = results if isinstance(results, tuple) and type(results) is not Signature else (results,)
    if output.where is not True:
        shape = getattr(output.where, "shape", ())
        arrays = [array._replace(shape=broadcast_shapes(array.shape, shape)) for array in arrays]
    for array, target in zip(arrays, output.targets, strict=True):
        if target is not None and kwargs.get("out") is None:  # given by position
            return _UNKNOWN
        if target is not None:
            check_target(array, target, output)
    return tuple(arrays) if len(arrays) > 1 else arrays[0]


def _deferred(
    engine: Builder,
    op: Op,
    reason: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    results: Results,
    caller: Caller,
) -> Any:
    """Append a call on the host to the graph."""
    targets = _targets(op, args, kwargs)
    for target in targets:
        target.check_writable()
    inputs: list[Node] = []
    noted: dict[int, Operand] = {}

    def note(item: Any) -> Any:
        if isinstance(item, np.ndarray):  # which the caller may change before it is read
            return item.copy()
        if id(item) not in noted:
            noted[id(item)] = Operand(len(inputs), item.layout, item.dtype, item.detached)
            inputs.extend(cell.node for cell in item.cells)
        return noted[id(item)]

    kinds = (Value, np.ndarray)
    hosted, keywords = tuple(replace(item, kinds, note) for item in args), {key: replace(item, kinds, note) for key, item in kwargs.items()}
    written = tuple([noted[id(target)] for target in targets])
    out = kwargs.get("out")
    if isinstance(out, tuple) and isinstance(results, tuple):
        results = tuple([result if given is None else None for result, given in zip(results, out, strict=True)])
    elif out is not None:
        results = None
    draws, generator = engine.graph.draws, _generator(args)
    conditions = engine.promotion, np.geterr(), tuple(warnings.filters)
    call = HostCall(op, hosted, keywords, results, written, reason, caller, *conditions, draws.get(id(generator)))
    sources, nodes = tuple(inputs), list[Node]()

    def wait(result: Signature) -> Value:
        planes = tuple([Node(HostStep(call, len(nodes) + place), sources) for place in range(len(plane_dtypes(result.dtype)))])
        nodes.extend(planes)
        return engine.result(planes, result.dtype)

    found = replace(results, Signature, wait)
    for target in targets:
        target.write(wait(Signature(target.shape, target.dtype)).read())
    if generator is not None:
        draws[id(generator)] = nodes[0]
    if isinstance(out, tuple) and isinstance(found, tuple):
        return tuple([made if given is None else given for given, made in zip(out, found, strict=True)])
    return found if out is None else out[0] if isinstance(out, tuple) else out


def _generator(args: Sequence[Any]) -> Any:
    """Find the generator of random numbers that an Op draws from."""
    return args[0] if args and hasattr(args[0], "_bit_generator") else None


def _targets(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Value]:
    """List what an Op writes to, each once."""
    written = [(args[place] if place < len(args) else None) if isinstance(place, int) else kwargs.get(place) for place in op.writes]
    return list({id(value): value for value in values_among([*written, kwargs.get("out")])}.values())


def _at_once(engine: Builder, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any], caller: Caller) -> Any:
    """Fetch the operands, run the Op, and bring its results to the device."""
    fetched: list[tuple[Value, Any]] = []

    def fetch(item: Value) -> Any:
        host = engine.to_host(item, copy=True)
        fetched.append((item, host))
        return host

    hosted, keywords = [replace(item, Value, fetch) for item in args], {key: replace(item, Value, fetch) for key, item in kwargs.items()}
    engine.graph.calling = False  # what it calls back may use the device
    try:
        with warning_at(caller):
            result = compute(engine.promotion, op, hosted, keywords)
    finally:
        engine.graph.calling = True
    targets = {id(value) for value in _targets(op, args, kwargs)}
    changed = [(value, host) for value, host in fetched if id(value) in targets]
    for value, host in changed:
        value.write(engine.from_host(np.asarray(host), copy=True).read())
    dtypes = [*dtypes_among([*args, *kwargs.values()]), *(item for item in (*args, *kwargs.values()) if isinstance(item, np.dtype))]
    return results_to_device(engine, op, result, hosted, dtypes, keywords, changed)


def results_to_device(
    engine: Builder, op: Op, result: Any, hosted: Sequence[Any], dtypes: Sequence[DType], keywords: Mapping[str, Any],
    written: Sequence[tuple[Value, Any]] = (),
) -> Any:  # fmt: skip
    """Bring what an Op gave on the host to the device, in the device's default dtypes."""
    promotion, first = engine.promotion, sys.maxsize if op.positions is None else op.positions
    integers = [dtype for dtype in dtypes if dtype.kind in "iu" and dtype.itemsize <= 4]
    if integers:  # those of 32 bits with and without a sign meet in 64
        dtypes = [*dtypes, promotion.result_type(*integers)]

    def bring(item: Any, narrow: bool) -> Any:
        for value, host in written:
            if item is host:
                return value
        if isinstance(item, (np.ndarray, np.generic)):
            if item.dtype not in KINDS:  # as integers of any size: wrapping the results refuses them
                return item
            if promotion.default_float == FLOAT64:  # as NumPy's
                return engine.from_host(item, copy=True)
            narrower = _NARROW.get(item.dtype)
            counts = narrow and item.dtype.kind in "iu"  # a sum of weights is none
            if narrower is not None and (counts or not any(dtype in _WIDE[item.dtype.kind] for dtype in dtypes)):
                item = narrowed(op, item, narrower, hosted, keywords)
            elif item.dtype == FLOAT16 and dtypes and all(dtype.kind in "biu" for dtype in dtypes):  # as NumPy makes of short integers
                item = item.astype(promotion.default_float)
            return engine.from_host(item, copy=True)
        if isinstance(item, (list, tuple)):
            items = [bring(each, narrow or place >= first) for place, each in enumerate(item)]
            return type(item)(*items) if hasattr(item, "_fields") else type(item)(items)
        return item

    return bring(result, first == 0)
