"""Constraints of `NkiTensor.indirect`: columns of a tile at run-time offsets, as operands of compute instructions."""

from __future__ import annotations

from typing import Final

from ..dtypes import is_integer
from ..engines import engine
from ..machine.columns import group_of, is_columns
from ..program.instruction import Instruction
from ..program.opcode import GENERIC_RULES, Broken, Rule
from ..tensor.view import View
from .rules import ISA, PSUM, SBUF, first_partition

__all__ = ["INDIRECTION_RULES"]

_QUADRANT: Final = 32
_PE_DTYPES: Final = ("float16", "bfloat16", "float8_e4m3", "float8_e5m2", "float8_e4m3fn")


def _views(i: Instruction) -> list[View]:
    return [view for view in (*i.writes, *i.reads) if view._indirection is not None and is_columns(view)]


def _index(view: View) -> View:
    by = view._indirection
    assert by is not None
    assert isinstance(by.source, View)
    return by.source


def _operands(i: Instruction) -> Broken | None:
    for view in _views(i):
        if i.target.generation < 4:
            return Broken(f"{view!r} on {i.target.name}", "trn3 (NeuronCore-v4)")
        if not any(view is i[name] for name in i.opcode.indirect):
            return Broken(repr(view), f"indirect views as {', '.join(i.opcode.indirect) or 'no operand'} of {i.opcode.name}")
        if i.opcode.indirect_engines is not None and i.engine not in i.opcode.indirect_engines:
            return Broken(i.engine.name, ", ".join(e.name for e in i.opcode.indirect_engines))
        if i.opcode.name == "tensor_scalar" and i["op0"].alu is not None and not i["op0"].alu.bitwise and view.dtype in ("int32", "uint32"):
            return Broken(f"arithmetic on {view!r}", "other dtypes: 32-bit integers may be taken for address arithmetic")
        if i.engine is engine.scalar and any(view is other for other in i.writes) and view.buffer is PSUM:
            return Broken(f"{view!r} written by the Scalar Engine in psum", "sbuf")
    return None


def _layout(i: Instruction) -> Broken | None:
    for view in _views(i):
        index, count, group = _index(view), view.shape[1], group_of(i.engine)
        if index.buffer is not SBUF or not is_integer(index.dtype):
            return Broken(f"{index!r} in {index.buffer.value}", "integers in sbuf")
        held = index.shape[1] * min(group, index.shape[0])
        partial = index.shape[0] % group if index.shape[0] > group else 0
        if count > held or 0 < partial < min(count, group):
            return Broken(
                f"{count} offsets in {index.shape}, groups of {group}", f"at most {held} (num_elem), and whole groups of {group} partitions"
            )
    return None


def _start(i: Instruction) -> Broken | None:
    wrong = next((index for index in map(_index, _views(i)) if first_partition(index) % _QUADRANT), None)
    return Broken(f"{wrong!r} from partition {first_partition(wrong)}", "a multiple of 32") if wrong is not None else None


def _apart(view: View, other: View) -> bool:
    """Whether two views with explicit addresses begin at different partitions; the allocator places the others well."""
    fixed = view._storage.address is not None and other._storage.address is not None
    return fixed and first_partition(view) != first_partition(other)


def _together(i: Instruction) -> Broken | None:
    if not _views(i):
        return None
    for view in i.reads:
        if is_columns(view) and _apart(view, _index(view)):
            return Broken(f"{view!r} from {first_partition(view)}, its offsets from {first_partition(_index(view))}", "the same partition")
    dst, src = (i[name] for name in i.opcode.indirect[:2])
    if not is_columns(dst):
        return None
    place = src if src.buffer is not PSUM else _index(src) if is_columns(src) else None
    if place is not None and _apart(_index(dst), place):
        return Broken(f"offsets of dst from {first_partition(_index(dst))}, {place!r} from {first_partition(place)}", "the same partition")
    return None


def _tensor_engine(i: Instruction) -> Broken | None:
    views = _views(i) if i.engine is engine.tensor else []
    if not views:
        return None
    if any(i["tile_position"] or ()):
        return Broken(f"tile_position={i['tile_position']}", "(0, 0) or none")
    if i.opcode.name == "nc_matmul":
        if i["is_transpose"] and is_columns(i["moving"]):
            return Broken("an indirect moving with is_transpose=True", "another operand")
        wrong = next((view for view in views if view is not i["dst"] and view.dtype not in _PE_DTYPES), None)
        return None if wrong is None else Broken(f"{wrong!r}", ", ".join(_PE_DTYPES))
    for name in ("stationary", "moving"):
        data, scale = i[name], i[f"{name}_scale"]
        if is_columns(data) != is_columns(scale) or (is_columns(data) and _index(data) is not _index(scale)):
            return Broken(f"{name} {data!r} and its scale {scale!r}", "both by one index, or neither")
    return None


_DOCUMENT: Final = f"{ISA}, Tensor indirection"
INDIRECTION_RULES: Final = (
    Rule("indirect operands", "an operand and its engine support tensor indirection", _DOCUMENT, _operands),
    Rule(
        "indirect offsets", "offset i is index[i % G, i // G] of groups of G partitions, 16 or on the Tensor Engine 32", _DOCUMENT, _layout
    ),
    Rule("indirect start", "the index of an indirect view starts on a quadrant boundary", _DOCUMENT, _start),
    Rule("indirect partitions", "an indirect operand starts on the partition of its index", _DOCUMENT, _together),
    Rule(
        "indirect matmul",
        "tensor indirection is not combined with tiling, moving transposes, 32-bit operands or scales by another index",
        _DOCUMENT,
        _tensor_engine,
    ),
)
GENERIC_RULES.extend(INDIRECTION_RULES)
