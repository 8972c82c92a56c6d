"""Kernels that look for values: cumulative sums, largest values, positions of nonzero elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..draw import BFLOAT16, Array, double, floats
from ..sample import Arguments, Sample, Tolerance
from .launch import Of, library

__all__ = ["SAMPLES"]

_TOPK: Final = "core.topk.rotational_topk_utils"


def _cumulative(x: Array) -> Array:
    return np.cumsum(double(x), axis=-1)


def _largest(input_tensor: Array) -> tuple[Array, Array]:
    return input_tensor.max(-1, keepdims=True), input_tensor.argmax(-1)[..., None]


def _topk_inputs(rng: np.random.Generator) -> Arguments:
    rows, columns, count = 40, 1024, 64
    of = {"inp_shape": (rows, columns), "inp_dtype": "float32", "k": count, "sorted": True, "num_programs": 2}
    config = Of(_TOPK, "create_rotational_topk_config", {"inp_shape": (rows, columns), "topk_config": Of(_TOPK, "create_topk_config", of)})
    prepared = Of("core.topk.rotational_topk", "prepare_rotational_constants", {"config": config})
    return {"inp": rng.permutation(rows * columns).astype(np.float32).reshape(rows, columns), "config": prepared}


def _topk(inp: Array, **_: Any) -> tuple[Array, Array]:
    order = np.argsort(-inp, axis=-1, kind="stable")[:, :64]
    return np.take_along_axis(inp, order, -1), order


def _sparse(rng: np.random.Generator, shape: tuple[int, int], dtype: Any) -> Array:
    return (rng.integers(1, 9, shape) * (rng.random(shape) < 0.2)).astype(dtype)


def _nonzero(rng: np.random.Generator) -> Arguments:
    return {"input_tensor": _sparse(rng, (512, 16), np.int32), "chunk_size": 256}


def _nonzero_columns(rng: np.random.Generator) -> Arguments:
    return {"input_tensor": _sparse(rng, (512, 16), np.float32), "col_start_id": np.array([3], np.int32), "n_cols": 8}


def _positions(input_tensor: Array, col_start_id: Array | None = None, n_cols: int | None = None, **_: Any) -> tuple[Array, Array]:
    first = 0 if col_start_id is None else int(col_start_id[0])
    columns = input_tensor.T[first : None if n_cols is None else first + n_cols]
    found = [np.flatnonzero(column) for column in columns]
    indices = np.array([np.pad(places, (0, columns.shape[1] - len(places)), constant_values=-1) for places in found])
    return indices, np.array([len(places) for places in found])


def _row(rng: np.random.Generator) -> Arguments:
    return {"input_tensor": _sparse(rng, (1, 256), np.float32)}


def _counted(input_tensor: Array) -> Array:
    (indices,), count = _positions(input_tensor.T)
    return np.concatenate([indices, count])[None]


def _flatten_inputs(rng: np.random.Generator) -> Arguments:
    blocks = np.array([48, 0, 999, 32], np.int32)  # the third is out of bounds, and is skipped
    data = rng.integers(0, 1000, (4, 2048)).astype(np.int32)
    return {"input_tensor": data, "f_len": 128, "output_len": 64 * 128, "row_offsets": blocks}


def _flatten(input_tensor: Array, f_len: int, output_len: int, row_offsets: Array) -> Array:
    out = np.full(output_len, -1)
    for row, block in zip(input_tensor, row_offsets, strict=True):
        if block * f_len < output_len:
            out[block * f_len : block * f_len + len(row)] = row
    return out


def _reduce_inputs(rng: np.random.Generator) -> Arguments:
    """Rows of scattered tokens; the last two elements of each hold its token as an int32."""
    tokens, experts, width, rows = 16, 4, 256, 128
    data = rng.standard_normal((rows, width + 2)).astype(BFLOAT16)
    places = np.full((rows, 1), -1, np.int32)
    places[rng.permutation(rows)[: tokens * experts], 0] = np.repeat(np.arange(tokens), experts)
    data[:, width:] = places.view(BFLOAT16)
    return {"input": data, "T": tokens, "K": experts}


def _reduce(input: Array, T: int, **_: Any) -> Array:
    places = np.ascontiguousarray(input[:, -2:]).view(np.int32)[:, 0]
    return np.array([double(input[places == token, :-2]).sum(0) for token in range(T)])


def _add_inputs(rng: np.random.Generator) -> Arguments:
    return floats(BFLOAT16, input_a=(256, 512), input_b=(256, 512))(rng) | {"num_m_tiles": np.array([[2]], np.int32)}


def _add(input_a: Array, input_b: Array, **_: Any) -> Array:
    return double(input_a) + double(input_b)


SAMPLES: Final[Sequence[Sample]] = (
    library(
        "core/cumsum/cumsum.py",
        "cumsum",
        floats(x=(2, 3, 2100)),
        _cumulative,
        Tolerance(2100, "float32", "each of 2100 additions rounds"),
        targets=("trn1", "trn2", "trn3"),
    ),
    *(
        library("core/max/cascaded_max.py", "cascaded_max", floats(input_tensor=(8, 5, 3168)), _largest, case=f"lnc{lnc}", lnc=lnc)
        for lnc in (1, 2)
    ),
    library("core/topk/rotational_topk.py", "rotational_topk", _topk_inputs, _topk, lnc=2),
    *(
        library(
            "core/subkernels/find_nonzero_indices.py",
            "find_nonzero_indices",
            inputs,
            _positions,
            case=case,
            lnc=2,
            options={"uninitialized": "nan", "races": False},
        )
        for case, inputs in (("chunks", _nonzero), ("columns", _nonzero_columns))
    ),
    library(
        "experimental/benchmark/find_nonzero_indices_with_count.py",
        "find_nonzero_indices_with_count",
        _row,
        _counted,
        options={"uninitialized": "nan"},
    ),
    library("core/subkernels/indexed_flatten.py", "indexed_flatten", _flatten_inputs, _flatten, lnc=2),
    library(
        "experimental/collectives/topk_reduce.py",
        "topk_reduce",
        _reduce_inputs,
        _reduce,
        Tolerance(4, "bfloat16", "three additions round to bfloat16"),
        lnc=2,
    ),
    library(
        "experimental/dynamic_shapes/dynamic_elementwise_add.py",
        "dynamic_elementwise_add",
        _add_inputs,
        _add,
        Tolerance(1.01, "bfloat16", "a sum is rounded to bfloat16"),
    ),
)
