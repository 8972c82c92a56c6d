"""Kernels that run on several ranks, each with a part of the data."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from ....backends import simulator
from ..draw import Array, Inputs, integers, with_values
from ..sample import Sample
from .launch import library

__all__ = ["SAMPLES"]

_RANKS: Final = 4


def _on_ranks(kernel: Any, **arguments: Any) -> list[Array]:
    """Run on all ranks; of arrays, each has its part of the first axis. A tuple of ranks becomes a group."""
    group = importlib.import_module("nki.collectives").ReplicaGroup
    values = {name: group([list(value)]) if isinstance(value, tuple) else value for name, value in arguments.items()}
    parts = [{name: value[rank] for name, value in values.items() if isinstance(value, np.ndarray)} for rank in range(_RANKS)]
    program = kernel.program(**(values | parts[0]))
    results = simulator.execute_ranks(program, [tuple(part.values()) for part in parts])
    return [result.reshape(-1, result.shape[-1]) for result in results]  # some leave the rows in tiles


def _gathered_columns(inp: Array, **_: Any) -> list[Array]:
    return [np.concatenate(list(inp), axis=1)] * _RANKS


def _gathered_rows(lhs: Array, **_: Any) -> list[Array]:
    return [np.concatenate(list(lhs))] * _RANKS


def _gathered_product(lhs: Array, rhs: Array, **_: Any) -> list[Array]:
    return [np.concatenate(list(lhs)).astype(np.float64) @ part for part in rhs]


def _ring(hbm: bool, **shapes: tuple[int, ...]) -> Inputs:
    return with_values(integers(np.float32, **shapes), tp_degree=_RANKS, num_groups=1, force_hbm_cc=hbm)


def _sample(file: str, kernel: str, inputs: Inputs, reference: Callable[..., list[Array]], lnc: int, case: str = "") -> Sample:
    return library(f"experimental/collectives/{file}.py", kernel, inputs, reference, call=_on_ranks, lnc=lnc, case=case)


SAMPLES: Final[Sequence[Sample]] = (
    *(
        _sample(
            "sb2sb_allgather",
            kernel,
            with_values(integers(np.float32, inp=(_RANKS, rows, 64)), replica_groups=tuple(range(_RANKS)), tp_degree=_RANKS),
            _gathered_columns,
            lnc,
        )
        for kernel, rows, lnc in (("allgather_sb2sb", 128, 1), ("allgather_sb2sb_tiled", 256, 2))
    ),
    *(
        sample
        for memory in ("hbm", "sbuf")
        for sample in (
            _sample(
                "fg_allgather",
                "fine_grained_allgather",
                _ring(memory == "hbm", lhs=(_RANKS, 256, 512)),
                _gathered_rows,
                2,
                memory,
            ),
            _sample(
                "fgcc",
                "allgather_compute_matmul",
                _ring(memory == "hbm", lhs=(_RANKS, 256, 512), rhs=(_RANKS, 512, 128)),
                _gathered_product,
                2,
                memory,
            ),
        )
    ),
)
