"""Loops: unrolled while tracing, or run by the device."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from ..errors import KernelError, NkiConstraintError
from ..program.instruction import ForLoop, WhileLoop
from ..program.trace import Trace, current_trace
from ..registers import NkiScalar, RuntimeValue, VirtualRegister
from ..source import calling_line

__all__ = ["affine_range", "dynamic_range", "fori_loop", "no_reorder", "sequential_range", "static_range", "while_loop"]

_DOCUMENT = "NKI loops guide"


def _range(start: int, stop: int | None, step: int) -> range:
    return range(start) if stop is None else range(start, stop, step)


def affine_range(start: int, stop: int | None = None, step: int = 1) -> range:
    """Loop that is unrolled while tracing; the same as `range`. See `nki.language.affine_range`."""
    return _range(start, stop, step)


def sequential_range(start: int, stop: int | None = None, step: int = 1) -> range:
    """Loop that is unrolled while tracing; the same as `range`. See `nki.language.sequential_range`."""
    return _range(start, stop, step)


def static_range(start: int, stop: int | None = None, step: int = 1) -> range:
    """Loop that is unrolled while tracing; the same as `range`. See `nki.language.static_range`."""
    return _range(start, stop, step)


def _check(lower: object, upper: object, step: object) -> None:
    for bound in (lower, upper):
        if not isinstance(bound, int | VirtualRegister | NkiScalar) or (
            isinstance(bound, NkiScalar) and (bound.dtype != "int32" or bound.is_comparison)
        ):
            raise NkiConstraintError(
                "nl.fori_loop", "bounds are 32-bit", repr(bound), "int, VirtualRegister or int32 NkiScalar", _DOCUMENT, calling_line()
            )
    if not isinstance(step, int) or step < 1:
        raise NkiConstraintError(
            "nl.fori_loop", "the step is a positive compile-time integer", repr(step), ">= 1", _DOCUMENT, calling_line()
        )


def _counted(trace: Trace, lower: int | RuntimeValue, upper: int | RuntimeValue, step: int) -> Iterator[RuntimeValue]:
    """Trace a body once: what happens while this generator is suspended is the body."""
    _check(lower, upper, step)
    register, where = trace.index((lower, upper)), calling_line()
    done = False
    with trace.body() as (nodes, made):
        try:
            yield register
            done = True
        finally:
            if not done:  # a generator that is closed cannot raise; the end of the trace does
                trace.broken = KernelError("a device loop has no break, return or exception inside its body", where)
    trace.nodes.append(ForLoop(register, lower, upper, step, tuple(nodes), tuple(made), where))


def fori_loop(lower: int | RuntimeValue, upper: int | RuntimeValue, body_fun: Callable[[RuntimeValue], object], step: int = 1) -> None:
    """Loop that the device counts. See `nki.language.fori_loop`."""
    trace = current_trace("nl.fori_loop")
    _check(lower, upper, step)
    register, where = trace.index((lower, upper)), calling_line()
    if trace.run is not None:
        _eager_for(trace, register, lower, upper, step, body_fun)
        return
    with trace.body() as (nodes, made):
        result = body_fun(register)
    if result is not None:
        raise KernelError("nl.fori_loop: the body returns None; carry state in SBUF or HBM tensors", where)
    trace.nodes.append(ForLoop(register, lower, upper, step, tuple(nodes), tuple(made), where))


def _eager_for(
    trace: Trace,
    register: RuntimeValue,
    lower: int | RuntimeValue,
    upper: int | RuntimeValue,
    step: int,
    body_fun: Callable[[RuntimeValue], object],
) -> None:
    """In the eager mode the body runs once per iteration, with its values at hand."""
    assert trace.run is not None
    for value in range(trace.run.value(lower), trace.run.value(upper), step):
        trace.run.registers[register.state] = value
        body_fun(register)


def while_loop(init: VirtualRegister, body_fun: Callable[[VirtualRegister], VirtualRegister]) -> None:
    """Loop while a register is not zero. See `nki.language.while_loop`."""
    trace, where = current_trace("nl.while_loop"), calling_line()
    register = VirtualRegister(trace.register())
    if trace.run is not None:
        condition = init
        while trace.run.value(condition):
            trace.run.registers[register.state] = trace.run.value(condition)
            condition = body_fun(register)
        return
    with trace.body() as (nodes, made):
        result = body_fun(register)
    if not isinstance(result, VirtualRegister):
        raise KernelError("nl.while_loop: the body returns the register of the next condition", where)
    trace.nodes.append(WhileLoop(register, init, result, tuple(nodes), tuple(made), where))


def dynamic_range(start: int | RuntimeValue, stop: int | RuntimeValue | None = None, step: int = 1) -> Iterator[RuntimeValue]:
    """
    Loop that the device counts, written as a ``for`` statement (NKI up to 0.6).

    See `nki.language.dynamic_range`.
    """
    trace = current_trace("nl.dynamic_range")
    lower, upper = (0, start) if stop is None else (start, stop)
    if trace.run is not None:
        raise KernelError("nl.dynamic_range is not available in the eager mode; use nl.fori_loop", calling_line())
    return _counted(trace, lower, upper, step)


def no_reorder() -> AbstractContextManager[None]:
    """Keep the instructions of a block in order. See `nki.language.no_reorder`."""
    return current_trace("nl.no_reorder").region()
