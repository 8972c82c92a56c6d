"""Constraints that many instructions share, as data: each function makes a `Rule`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from ..dtypes import is_integer, itemsize
from ..engines import engine
from ..errors import shown
from ..operators import Operator
from ..program.instruction import Instruction
from ..program.opcode import GENERIC_RULES, Broken, Rule
from ..target import PATTERN_COUNT_MAX, PATTERN_DIMS, PATTERN_STRIDE_MAX
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from ..tensor.view import View

__all__ = [
    "PSUM",
    "SBUF",
    "equal_dtypes",
    "first_partition",
    "free_elements",
    "in_dtypes",
    "in_memory",
    "integers_for_bits",
    "not_all_in_psum",
    "operator_is",
    "requires",
    "same_elements",
    "since",
    "vector_of",
]

SBUF, PSUM = MemoryRegion.sbuf, MemoryRegion.psum
ISA: Final = "nki.isa API reference"
ARCH: Final = "architecture guide"


def free_elements(view: NkiTensor) -> int:
    """Count the elements per partition."""
    return view.size // view.shape[0]


def _given(i: Instruction, names: Sequence[str]) -> list[tuple[str, NkiTensor]]:
    return [(name, i[name]) for name in names if isinstance(i[name], NkiTensor)]


def requires(
    name: str,
    text: str,
    check: Callable[[Instruction], object],
    allowed: object,
    found: Callable[[Instruction], object],
    document: str = ISA,
) -> Rule:
    """Rule from a condition."""
    return Rule(name, text, document, lambda i: None if check(i) else Broken(found(i), allowed))


def since(generation: int, what: str, uses: Callable[[Instruction], object], document: str = ISA) -> Rule:
    """Rule that something came with a generation."""

    def check(i: Instruction) -> Broken | None:
        return (
            Broken(f"{i.target.name} (NeuronCore-v{i.target.generation})", f"NeuronCore-v{generation} or newer")
            if i.target.generation < generation and uses(i)
            else None
        )

    return Rule(f"{what} since v{generation}", f"{what} needs NeuronCore-v{generation}", document, check)


def in_memory(names: str, *allowed: MemoryRegion, document: str = ISA) -> Rule:
    """Rule that operands are in certain memories."""
    label, parameters = " or ".join(region.value for region in allowed), names.split()

    def check(i: Instruction) -> Broken | None:
        return next(
            (Broken(f"{name} in {view.buffer.value}", label) for name, view in _given(i, parameters) if view.buffer not in allowed), None
        )

    return Rule(f"{names} in {label}", f"{names} in {label}", document, check)


def in_dtypes(names: str, allowed: Iterable[str], document: str = ISA) -> Rule:
    """Rule that operands have certain dtypes."""
    dtypes, parameters = tuple(allowed), names.split()

    def check(i: Instruction) -> Broken | None:
        return next(
            (Broken(f"{name} {view.dtype}", ", ".join(dtypes)) for name, view in _given(i, parameters) if view.dtype not in dtypes), None
        )

    return Rule(f"{names} dtype", f"{names} has one of these dtypes", document, check)


def equal_dtypes(names: str, when: Callable[[Instruction], object] = lambda _: True, document: str = ISA) -> Rule:
    """Rule that operands have one dtype."""
    parameters = names.split()

    def check(i: Instruction) -> Broken | None:
        found = [view.dtype for _, view in _given(i, parameters)]
        return Broken(", ".join(found), "one dtype") if when(i) and len(set(found)) > 1 else None

    return Rule(f"{names} equal dtypes", f"{names} have one dtype", document, check)


def same_elements(names: str, document: str = ISA) -> Rule:
    """Rule that operands have the same partitions and as many elements in each."""
    parameters = names.split()

    def check(i: Instruction) -> Broken | None:
        views = _given(i, parameters)
        shapes = {(view.shape[0], free_elements(view)) for _, view in views}
        return (
            Broken(", ".join(f"{name} {view.shape}" for name, view in views), "equal partitions and elements per partition")
            if len(shapes) > 1
            else None
        )

    return Rule(f"{names} same elements", f"{names} have the same partitions and as many elements in each", document, check)


def vector_of(names: str, data: str, document: str = ISA) -> Rule:
    """Rule that tensor operands hold one value per partition."""
    parameters = names.split()

    def check(i: Instruction) -> Broken | None:
        partitions = i[data].shape[0]
        return next(
            (
                Broken(f"{name} {view.shape}", f"({partitions}, 1)")
                for name, view in _given(i, parameters)
                if view.shape[0] != partitions or free_elements(view) != 1
            ),
            None,
        )

    return Rule(f"{names} per partition", f"{names} is a constant or has shape (partitions of {data}, 1)", document, check)


def not_all_in_psum(names: str, document: str = ISA) -> Rule:
    """Rule that not all of some operands are in PSUM."""
    parameters = names.split()

    def check(i: Instruction) -> Broken | None:
        return Broken("all in psum", "one of them in sbuf") if all(view.buffer is PSUM for _, view in _given(i, parameters)) else None

    return Rule(f"{names} not all in psum", f"{names} are not all in PSUM", document, check)


def operator_is(
    names: str, what: str, check: Callable[[Operator], object], document: str = "nki.api.shared, Supported Math Operators"
) -> Rule:
    """Rule that operators are of a kind; None is no operator."""
    parameters = names.split()

    def holds(i: Instruction) -> Broken | None:
        found: list[Any] = [i[name] for name in parameters]
        return next((Broken(shown(op), what) for op in found if op is not None and not (isinstance(op, Operator) and check(op))), None)

    return Rule(f"{names} {what}", f"{names} is a {what} of nki.language", document, holds)


def integers_for_bits(names: str, operators: str) -> Rule:
    """Rule that bit operators work on integers of one width."""
    parameters, of = names.split(), operators.split()

    def check(i: Instruction) -> Broken | None:
        ops = [i[name] for name in of if i[name] is not None]
        bits = [op.alu is not None and op.alu.bitwise for op in ops]
        if not any(bits):
            return None
        if not all(bits):
            return Broken(", ".join(map(repr, ops)), "bit operators or arithmetic ones")
        dtypes = [view.dtype for _, view in _given(i, parameters)]
        good = all(map(is_integer, dtypes)) and len(set(map(itemsize, dtypes))) == 1
        return None if good else Broken(", ".join(dtypes), f"integer dtypes of one width for {names}")

    return Rule(
        "integers for bits",
        "bit operators are not mixed with others and work on integer dtypes, whose bits they take as they are",
        "nki.api.shared, Supported Math Operators",
        check,
    )


def _engine_views(i: Instruction) -> list[NkiTensor]:
    """List the views that a compute engine (not a DMA) reads and writes."""
    return [] if i.engine in (engine.dma, engine.sync) or engine.dma in i.opcode.engines else [*i.writes, *i.reads]


def first_partition(view: View) -> int:
    """Find where a view begins, its storage's explicit address included."""
    address = view._storage.address
    return view._partition + (address[0] if address else 0)


def _start(i: Instruction) -> Broken | None:
    elsewhere = [i[name] for name in i.opcode.anywhere]
    for view in _engine_views(i):
        first, count = first_partition(view), view.shape[0]
        allowed = (0,) if count > 64 else (0, 64) if count > 32 else (0, 32, 64, 96)
        if view._storage.on_chip and first not in allowed and not any(view is other for other in elsewhere):
            return Broken(f"{view!r}: {count} partitions from {first}", f"start at {', '.join(map(str, allowed))}")
    return None


def _pattern(i: Instruction) -> Broken | None:
    for view in _engine_views(i):
        if not view._storage.on_chip:
            continue
        pairs = [[s, c] for s, c in zip(view.strides[1:], view.shape[1:], strict=True) if c > 1]
        merged: list[list[int]] = []
        for stride, count in pairs:  # axes one within the other are one dim to the hardware
            if merged and merged[-1][0] == stride * count:
                merged[-1] = [stride, merged[-1][1] * count]
            else:
                merged.append([stride, count])
        if len(merged) > PATTERN_DIMS or any(
            c > PATTERN_COUNT_MAX or not -PATTERN_STRIDE_MAX - 1 <= s <= PATTERN_STRIDE_MAX for s, c in merged
        ):
            return Broken(f"{view!r}: {merged}", f"{PATTERN_DIMS} dims, counts to {PATTERN_COUNT_MAX}, strides to {PATTERN_STRIDE_MAX}")
    return None


def _available(i: Instruction) -> Broken | None:
    return Broken(i.target.name, f"NeuronCore-v{i.opcode.since} or newer") if i.target.generation < i.opcode.since else None


def _engine_allowed(i: Instruction) -> Broken | None:
    return Broken(i.engine.name, ", ".join(e.name for e in i.opcode.engines)) if i.engine not in i.opcode.engines else None


def _reaches(i: Instruction) -> Broken | None:
    for view in _engine_views(i):
        if not view._storage.on_chip or (i.engine is engine.gpsimd and view.buffer is PSUM):
            return Broken(f"{view!r} in {view.buffer.value} on {i.engine.name}", "sbuf" if i.engine is engine.gpsimd else "sbuf or psum")
    return None


def _no_int64(i: Instruction) -> Broken | None:
    return next(
        (
            Broken(repr(view), "int32; 64 bits are for nisa.scalar_load, scalar_store and DMA")
            for view in _engine_views(i)
            if view.dtype == "int64"
        ),
        None,
    )


def _operators(i: Instruction) -> Broken | None:
    for name, op in i.arguments.items():
        # An operator that is a function of the Scalar Engine, too, is that except where two operators follow each other.
        alu = op.alu if isinstance(op, Operator) and (name in ("op0", "op1") or op.activation is None) else None
        if alu is not None and i.target.generation < alu.since:
            return Broken(f"{name}={op!r} on {i.target.name}", f"NeuronCore-v{alu.since} or newer")
        if alu is not None and alu.first_only and (i.opcode.name, name) != ("tensor_scalar", "op0"):
            return Broken(f"{name}={op!r} of {i.opcode.name}", "op0 of tensor_scalar")
    return None


GENERIC_RULES.extend(
    [
        Rule("available", "the instruction exists on the target", ISA, _available),
        Rule("engine", "the instruction runs on the engine", ISA, _engine_allowed),
        Rule("operators", "the target has the operators, where they are", "nki.api.shared, Supported Math Operators", _operators),
        Rule("reaches", "engines reach SBUF and PSUM, GpSimd only SBUF; HBM is for DMA", ARCH, _reaches),
        Rule("no int64", "compute instructions have no 64-bit operands", ISA, _no_int64),
        Rule("start partition", "an access begins at partition 0, from 64 partitions down at 64, from 32 down at 32 or 96", ARCH, _start),
        Rule(
            "access pattern",
            "a free access pattern has four dims, 16-bit counts and signed 16-bit strides",
            "access-pattern guide",
            _pattern,
        ),
    ]
)
