"""Elements at computed places: gathers within partitions and within GpSimd's cores, shuffles of partitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..engines import engine as engines
from ..errors import OutOfBoundsError
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, equal_dtypes, free_elements, in_dtypes, requires, same_elements

__all__ = ["local_gather", "nc_n_gather", "nc_stream_shuffle"]

Array = NDArray[Any]

_QUADRANT: Final = 32  # partitions that a shuffle stays in
_KEEP: Final = 255
_CORE: Final = 16  # partitions of a GpSimd core
_INDICES_MAX: Final = 4096


def _within(i: Instruction, indices: Array, last: int) -> None:
    """Refuse indices that lead out of a partition: hardware reads something there."""
    if indices.size and (wrong := int(indices.max())) > last:
        raise OutOfBoundsError(f"{i.opcode.name}: index {wrong} leads out of a partition; indices are from 0 to {last}", i.where)


def _stream_shuffle(run: Run, i: Instruction) -> None:
    dst, mask = i["dst"], np.array(i["shuffle_mask"])
    partition = np.arange(dst.shape[0])
    of = mask[partition % _QUADRANT]
    kept = of == _KEEP
    source = np.where(kept, 0, partition // _QUADRANT * _QUADRANT + of)
    rows = run.read(i["src"]).reshape(i["src"].shape[0], -1)
    selected = np.broadcast_to(~kept.reshape(-1, *[1] * (dst.ndim - 1)), dst.shape)
    run.write_where(dst, rows[source].reshape(dst.shape), selected)


def _mask(i: Instruction) -> Broken | None:
    mask = list(i["shuffle_mask"])
    good = len(mask) == _QUADRANT and all(isinstance(m, int | np.integer) and (0 <= m < _QUADRANT or m == _KEEP) for m in mask)
    return None if good else Broken(mask, f"{_QUADRANT} of 0 to {_QUADRANT - 1} or {_KEEP}")


def _sources(i: Instruction) -> Broken | None:
    count, mask = i["src"].shape[0], i["shuffle_mask"]
    wanted = (p // _QUADRANT * _QUADRANT + mask[p % _QUADRANT] for p in range(i["dst"].shape[0]) if mask[p % _QUADRANT] != _KEEP)
    wrong = next((source for source in wanted if source >= count), None)
    return None if wrong is None else Broken(f"partition {wrong}", f"below {count}")


NC_STREAM_SHUFFLE = Opcode(
    "nc_stream_shuffle",
    writes=("dst",),
    reads=("src",),
    engines=(engines.vector,),
    execute=_stream_shuffle,
    rules=(
        equal_dtypes("dst src"),
        requires(
            "elements",
            "dst and src have as many elements per partition",
            lambda i: free_elements(i["dst"]) == free_elements(i["src"]),
            "equal elements per partition",
            lambda i: f"{i['dst'].shape} and {i['src'].shape}",
        ),
        Rule("mask", "a mask has 32 partitions of a quadrant, or 255 to keep what is there", ISA, _mask),
        Rule("sources", "partitions that are copied are in src", ISA, _sources),
    ),
)


def nc_stream_shuffle(dst: NkiTensor, src: NkiTensor, shuffle_mask: Sequence[int], name: str | None = None) -> NkiInstruction:
    """Copy partitions to others of their quadrant. See `nki.isa.nc_stream_shuffle`."""
    return NC_STREAM_SHUFFLE.issue(dst=dst, src=src, shuffle_mask=shuffle_mask, name=name)


def _n_gather(run: Run, i: Instruction) -> None:
    data = run.read(i["data"]).reshape(i["data"].shape[0], -1)
    indices = run.read(i["indices"]).reshape(data.shape[0], -1)
    _within(i, indices, data.shape[1] - 1)
    run.write_bits(i["dst"], np.take_along_axis(data, indices.astype(np.intp), axis=1))


NC_N_GATHER = Opcode(
    "nc_n_gather",
    writes=("dst",),
    reads=("data", "indices"),
    engines=(engines.gpsimd,),
    execute=_n_gather,
    rules=(
        equal_dtypes("dst data"),
        in_dtypes("indices", ("uint32",)),
        same_elements("dst indices"),
        requires(
            "partitions",
            "data and indices have the same partitions",
            lambda i: i["data"].shape[0] == i["indices"].shape[0],
            "equal partitions",
            lambda i: f"{i['data'].shape} and {i['indices'].shape}",
        ),
    ),
)


def nc_n_gather(dst: NkiTensor, data: NkiTensor, indices: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Gather elements of each partition. See `nki.isa.nc_n_gather`."""
    return NC_N_GATHER.issue(dst=dst, data=data, indices=indices, name=name)


def _valid(i: Instruction) -> int:
    given = i["num_valid_indices"]
    return int(_CORE * free_elements(i["index"]) if given is None else given)


def _local_gather(run: Run, i: Instruction) -> None:
    src = run.read(i["src_buffer"]).reshape(i["src_buffer"].shape[0] // _CORE, _CORE, -1)
    index = run.read(i["index"]).reshape(len(src), _CORE, -1)
    first = index.transpose(0, 2, 1).reshape(len(src), -1)[:, : _valid(i)].astype(np.intp)  # down the partitions, then along
    places = (first[:, :, None] + np.arange(i["num_elem_per_idx"])).reshape(len(src), 1, -1)
    _within(i, places, src.shape[2] - 1)
    run.write_bits(i["dst"], np.take_along_axis(src, np.broadcast_to(places, (len(src), _CORE, places.shape[2])), axis=2))


LOCAL_GATHER = Opcode(
    "local_gather",
    writes=("dst",),
    reads=("src_buffer", "index"),
    engines=(engines.gpsimd,),
    execute=_local_gather,
    rules=(
        equal_dtypes("dst src_buffer"),
        in_dtypes("index", ("uint16",)),
        requires(
            "partitions",
            "operands have the same partitions, a multiple of 16",
            lambda i: i["dst"].shape[0] == i["src_buffer"].shape[0] == i["index"].shape[0] and i["index"].shape[0] % _CORE == 0,
            "equal multiples of 16",
            lambda i: f"{i['dst'].shape}, {i['src_buffer'].shape}, {i['index'].shape}",
        ),
        requires(
            "num_elem_per_idx",
            "an index stands for 1, 2, 4, 8, 16 or 32 elements",
            lambda i: i["num_elem_per_idx"] in (1, 2, 4, 8, 16, 32),
            "1, 2, 4, 8, 16 or 32",
            lambda i: i["num_elem_per_idx"],
        ),
        requires(
            "num_valid_indices",
            "valid indices are in 16 partitions of index",
            lambda i: 1 <= _valid(i) <= _CORE * free_elements(i["index"]),
            "1 to those in 16 partitions",
            _valid,
        ),
        requires("indices", "a core gathers at up to 4096 indices", lambda i: _valid(i) <= _INDICES_MAX, f"up to {_INDICES_MAX}", _valid),
        requires(
            "elements",
            "a partition of dst has num_elem_per_idx elements for each valid index",
            lambda i: free_elements(i["dst"]) == _valid(i) * i["num_elem_per_idx"],
            "indices x num_elem_per_idx",
            lambda i: f"{free_elements(i['dst'])} for {_valid(i)} x {i['num_elem_per_idx']}",
        ),
    ),
)


def local_gather(
    dst: NkiTensor,
    src_buffer: NkiTensor,
    index: NkiTensor,
    num_elem_per_idx: int = 1,
    num_valid_indices: int | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """Gather columns of each 16 partitions. See `nki.isa.local_gather`."""
    return LOCAL_GATHER.issue(
        dst=dst, src_buffer=src_buffer, index=index, num_elem_per_idx=num_elem_per_idx, num_valid_indices=num_valid_indices, name=name
    )
