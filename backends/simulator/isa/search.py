"""Searches: the eight largest, where values are, which elements are nonzero, the K largest, where segments begin and end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import storage_dtype
from ..engines import engine as engines
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, free_elements, in_dtypes, requires, same_elements

__all__ = ["max8", "nc_find_index8", "nc_match_replace8", "nonzero_with_count", "sequence_bounds", "topk"]

Array = NDArray[Any]
Positions = NDArray[np.int64]

_SEARCHED: Final = (8, 16384)
_POSITIONS: Final = ("uint16", "uint32")
_CORE: Final = 16  # partitions of a GpSimd core


def _rows(values: Array) -> Array:
    return values.reshape(values.shape[0], -1)


def _searched(name: str) -> tuple[Rule, Rule]:
    low, high = _SEARCHED
    return (
        requires(
            "searched elements",
            f"{name} has {low} to {high} elements per partition",
            lambda i: low <= free_elements(i[name]) <= high,
            f"{low} to {high}",
            lambda i: free_elements(i[name]),
        ),
        requires(f"{name} dims", f"{name} has up to three dims", lambda i: i[name].ndim <= 3, "2 or 3", lambda i: i[name].ndim),
    )


def _eight(names: str, data: str) -> Rule:
    """Rule that operands are eight values for each partition of the data; results are 2-D."""

    def check(i: Instruction) -> Broken | None:
        partitions = i[data].shape[0]
        for name in names.split():
            view = i[name]
            if view is not None and (view.shape[0] != partitions or free_elements(view) != 8 or view.ndim > (3 if name == "vals" else 2)):
                return Broken(f"{name} {view.shape}", f"({partitions}, 8)")
        return None

    return Rule(f"{names} eight", f"{names} has eight elements for each partition of {data}", ISA, check)


def _max8(run: Run, i: Instruction) -> None:
    run.write(i["dst"], np.sort(_rows(run.float32(i["src"])), axis=1)[:, :-9:-1])


MAX8 = Opcode(
    "max8", writes=("dst",), reads=("src",), engines=(engines.vector,), execute=_max8, rules=(*_searched("src"), _eight("dst", "src"))
)


def max8(dst: NkiTensor, src: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Find the eight largest values of each partition. See `nki.isa.max8`."""
    return MAX8.issue(dst=dst, src=src, name=name)


def _match(run: Run, i: Instruction, order: Iterable[int]) -> tuple[Positions, NDArray[np.bool_]]:
    """Pair each value with its first position that no value before it in that order took; -1 where none is left."""
    data, values = _rows(run.float32(i["data"])), _rows(run.float32(i["vals"]))
    taken, positions, rows = np.zeros(data.shape, np.bool_), np.empty(values.shape, np.int64), np.arange(len(data))
    for column in order:
        hits = (data == values[:, column : column + 1]) & ~taken
        found, first = hits.any(axis=1), hits.argmax(axis=1)
        taken[rows[found], first[found]] = True
        positions[:, column] = np.where(found, first, -1)
    return positions, taken


def _find_index8(run: Run, i: Instruction) -> None:
    positions, _ = _match(run, i, range(8))
    run.write_bits(i["dst"], positions.astype(storage_dtype(i["dst"].dtype)))  # -1 becomes all ones


NC_FIND_INDEX8 = Opcode(
    "nc_find_index8",
    writes=("dst",),
    reads=("data", "vals"),
    engines=(engines.vector,),
    execute=_find_index8,
    rules=(*_searched("data"), _eight("dst vals", "data"), in_dtypes("dst", _POSITIONS)),
)


def nc_find_index8(dst: NkiTensor, data: NkiTensor, vals: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Find the first positions of eight values. See `nki.isa.nc_find_index8`."""
    return NC_FIND_INDEX8.issue(dst=dst, data=data, vals=vals, name=name)


def _match_replace8(run: Run, i: Instruction) -> None:
    positions, taken = _match(run, i, range(7, -1, -1))
    run.write(i["dst"], np.where(taken, np.float32(i["imm"]), _rows(run.float32(i["data"]))))
    if i["dst_idx"] is not None:
        run.write_bits(i["dst_idx"], positions.astype(storage_dtype(i["dst_idx"].dtype)))


NC_MATCH_REPLACE8 = Opcode(
    "nc_match_replace8",
    writes=("dst", "dst_idx"),
    reads=("data", "vals"),
    engines=(engines.vector,),
    execute=_match_replace8,
    rules=(same_elements("dst data"), _eight("vals dst_idx", "data"), in_dtypes("dst_idx", _POSITIONS)),
)


def nc_match_replace8(
    dst: NkiTensor, data: NkiTensor, vals: NkiTensor, imm: float, dst_idx: NkiTensor | None = None, name: str | None = None
) -> NkiInstruction:
    """Replace the first occurrences of eight values. See `nki.isa.nc_match_replace8`."""
    return NC_MATCH_REPLACE8.issue(dst=dst, data=data, vals=vals, imm=imm, dst_idx=dst_idx, name=name)


def _nonzero_with_count(run: Run, i: Instruction) -> None:
    dst, src = i["dst"], i["src"]
    for partition in range(0, src.shape[0], _CORE):  # a core reads and writes its first partition only
        values = run.read(src[partition : partition + 1]).reshape(-1)
        found = np.flatnonzero(values) + i["index_offset"]
        padding = np.full(values.size - found.size, i["padding_val"])
        run.write_bits(dst[partition : partition + 1], np.concatenate([found, padding, [found.size]]).astype(np.int32))


def _int32(*names: str) -> Rule:
    def check(i: Instruction) -> Broken | None:
        wrong = [i[name] for name in names if not (isinstance(i[name], int) and -(2**31) <= i[name] < 2**31)]
        return Broken(repr(wrong[0]), "an int32") if wrong else None

    return Rule("int32", f"{' and '.join(names)} are int32", ISA, check)


NONZERO_WITH_COUNT = Opcode(
    "nonzero_with_count",
    writes=("dst",),
    reads=("src",),
    engines=(engines.gpsimd,),
    execute=_nonzero_with_count,
    since=3,
    rules=(
        in_dtypes("src", ("float32", "int32")),
        in_dtypes("dst", ("int32",)),
        requires(
            "elements",
            "dst has the partitions of src and one element more in each",
            lambda i: (i["dst"].shape[0], free_elements(i["dst"])) == (i["src"].shape[0], free_elements(i["src"]) + 1),
            "(P, N + 1) for (P, N)",
            lambda i: f"{i['dst'].shape} for {i['src'].shape}",
        ),
        _int32("index_offset", "padding_val"),
    ),
)


def nonzero_with_count(
    dst: NkiTensor, src: NkiTensor, index_offset: int = 0, padding_val: int = -1, name: str | None = None
) -> NkiInstruction:
    """Find the nonzero elements of partitions 0, 16, 32, ... and count them. See `nki.isa.nonzero_with_count`."""
    return NONZERO_WITH_COUNT.issue(dst=dst, src=src, index_offset=index_offset, padding_val=padding_val, name=name)


def _topk(run: Run, i: Instruction) -> None:
    src, n, count = run.read(i["src"]), i["n"], free_elements(i["val_dst"])
    groups = src.reshape(src.shape[0] // _CORE, _CORE, -1).transpose(0, 2, 1)  # a snake: down the partitions, then along
    snakes = groups.reshape(len(groups), -1)[:, :n]
    # Largest last; of equal values the earlier are chosen, since reversed they sort behind.
    order = n - 1 - np.argsort(snakes[:, ::-1].astype(np.float32), axis=1, kind="stable")[:, n - count :]
    place = np.arange(count)
    for name, found in (("val_dst", np.take_along_axis(snakes, order, axis=1)), ("idx_dst", order.astype(np.uint32))):
        written, values = np.zeros(i[name].shape, np.bool_), np.zeros(i[name].shape, found.dtype)
        for group, row in enumerate(found):
            at = group * _CORE + place % _CORE, place // _CORE
            written[at], values[at] = True, row
        run.write_where(i[name], values, written)


def _topk_shapes(i: Instruction) -> Broken | None:
    partitions = i["src"].shape[0]
    found = (i["val_dst"].shape, i["idx_dst"].shape)
    good = partitions % _CORE == 0 and found[0] == found[1] and len(found[0]) == 2 and found[0][0] == partitions
    return None if good else Broken(f"{found[0]}, {found[1]} for {i['src'].shape}", "(P, K) and (P, K), P a multiple of 16")


TOPK = Opcode(
    "topk",
    writes=("val_dst", "idx_dst"),
    reads=("src",),
    engines=(engines.gpsimd,),
    execute=_topk,
    rules=(
        in_dtypes("val_dst src", ("bfloat16",)),
        in_dtypes("idx_dst", ("uint32",)),
        Rule("shapes", "results have shape (P, K), P being the partitions of src, a multiple of 16", ISA, _topk_shapes),
        requires("n", "n is from 8 to 65535", lambda i: 8 <= i["n"] < 65536, "8 to 65535", lambda i: i["n"]),
        requires(
            "k",
            "K is from 1 to 32767 and at most n",
            lambda i: 1 <= free_elements(i["val_dst"]) <= min(32767, i["n"]),
            "1 to n, below 32768",
            lambda i: free_elements(i["val_dst"]),
        ),
        requires(
            "snake",
            "16 partitions of src hold n elements",
            lambda i: free_elements(i["src"]) * _CORE >= i["n"],
            "n / 16 elements per partition",
            lambda i: free_elements(i["src"]),
        ),
    ),
)


def topk(val_dst: NkiTensor, idx_dst: NkiTensor, src: NkiTensor, n: int, name: str | None = None) -> NkiInstruction:
    """
    Find the K largest of n elements that lie in 16 partitions, first down the partitions, then along them.

    See `nki.isa.topk`.

    Notes
    -----
    The reference does not say how results lie; kernels of the field read them so. Other elements stay.
    Of equal values the earlier are chosen; no document says so.
    """
    return TOPK.issue(val_dst=val_dst, idx_dst=idx_dst, src=src, n=n, name=name)


def _sequence_bounds(run: Run, i: Instruction) -> None:
    ids = run.read(i["segment_ids"]).reshape(-1)
    edges = np.flatnonzero(np.diff(ids)) + 1
    starts, ends = np.r_[0, edges], np.r_[edges, ids.size]
    bounds = np.repeat([starts, ends], ends - starts, axis=1)
    run.write(i["dst"], np.where(ids == 0, [[ids.size], [-1]], bounds).astype(np.float32))


SEQUENCE_BOUNDS = Opcode(
    "sequence_bounds",
    writes=("dst",),
    reads=("segment_ids",),
    engines=(engines.gpsimd,),
    execute=_sequence_bounds,
    rules=(
        in_dtypes("dst segment_ids", ("float32", "int32")),
        requires(
            "shapes",
            "segment_ids has shape (1, N) and dst (1, 2, N)",
            lambda i: i["segment_ids"].shape[0] == 1 and i["dst"].shape == (1, 2, free_elements(i["segment_ids"])),
            "(1, N) and (1, 2, N)",
            lambda i: f"{i['segment_ids'].shape} and {i['dst'].shape}",
        ),
    ),
)


def sequence_bounds(dst: NkiTensor, segment_ids: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Find where the segment of each element begins and ends. See `nki.isa.sequence_bounds`."""
    return SEQUENCE_BOUNDS.issue(dst=dst, segment_ids=segment_ids, name=name)
