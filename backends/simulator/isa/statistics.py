"""Means and variances for batch normalisation, and dropout."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..dtypes import is_float, is_integer
from ..engines import engine as engines
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .accumulator import reduce_values
from .elementwise import flushed
from .random import draw
from .rules import ISA, equal_dtypes, free_elements, requires, same_elements, vector_of

__all__ = ["bn_aggr", "bn_stats", "dropout"]

_MAX: Final = 512


def _partitions(i: Instruction) -> bool:
    return bool(i["dst"].shape[0] == i["data"].shape[0])


def _same_partitions() -> Rule:
    return requires(
        "partitions", "dst and data have the same partitions", _partitions, "equal", lambda i: f"{i['dst'].shape}, {i['data'].shape}"
    )


def _outputs(count: int) -> Rule:
    return requires(
        "outputs", f"dst has {count} elements per partition", lambda i: free_elements(i["dst"]) == count, count, lambda i: i["dst"].shape
    )


def _bn_stats(run: Run, i: Instruction) -> None:
    values = flushed(run, run.float32(i["data"]).reshape(i["data"].shape[0], -1), i.engine)
    result = np.zeros((values.shape[0], 6), np.float32)
    for first, part in enumerate((values[:, ::2], values[:, 1::2])):
        count = np.float32(part.shape[1])
        if count:
            mean = flushed(run, reduce_values(run, "add", part) / count, i.engine)
            squares = reduce_values(run, "add", np.square(flushed(run, part - mean[:, None], i.engine)))
            result[:, 3 * first : 3 * first + 3] = np.stack([np.full_like(mean, count), mean, squares], axis=1)
    run.write(i["dst"], result)


BN_STATS = Opcode(
    "bn_stats",
    writes=("dst",),
    reads=("data",),
    engines=(engines.vector,),
    execute=_bn_stats,
    rules=(
        _same_partitions(),
        _outputs(6),
        requires(
            "elements",
            "data has up to 512 elements per partition",
            lambda i: free_elements(i["data"]) <= _MAX,
            _MAX,
            lambda i: free_elements(i["data"]),
        ),
    ),
)


def bn_stats(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """
    Count, mean and count x variance of the even, then of the odd elements of each partition.

    See `nki.isa.bn_stats`.

    Notes
    -----
    The hardware's algorithm is not documented; here the mean comes first, then the squares around it are added.
    """
    return BN_STATS.issue(dst=dst, data=data, name=name)


def _bn_aggr(run: Run, i: Instruction) -> None:
    values = flushed(run, run.float32(i["data"]).reshape(i["data"].shape[0], -1, 3), i.engine)
    count, mean, squares = values[..., 0], values[..., 1], values[..., 2]

    def total(terms: NDArray[np.float32]) -> NDArray[np.float32]:
        return reduce_values(run, "add", terms)

    elements = total(count)
    middle = total(count * mean) / elements
    variance = total(squares + count * np.square(mean - middle[:, None])) / elements
    run.write(i["dst"], flushed(run, np.stack([middle, variance], axis=1), i.engine))


BN_AGGR = Opcode(
    "bn_aggr",
    writes=("dst",),
    reads=("data",),
    engines=(engines.vector,),
    execute=_bn_aggr,
    rules=(
        _same_partitions(),
        _outputs(2),
        requires(
            "elements",
            "data has triples in each partition",
            lambda i: free_elements(i["data"]) % 3 == 0,
            "a multiple of 3",
            lambda i: free_elements(i["data"]),
        ),
    ),
)


def bn_aggr(dst: NkiTensor, data: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Mean and variance of all that one or several `bn_stats` have seen. See `nki.isa.bn_aggr`."""
    return BN_AGGR.issue(dst=dst, data=data, name=name)


def _dropout(run: Run, i: Instruction) -> None:
    data = i["data"]
    uniform = (draw(run, i.engine, data) >> np.uint32(8)).astype(np.float32) * np.float32(2.0**-24)
    kept = run.read(data).copy()
    dropped = uniform.reshape(kept.shape) < run.scalar(i["prob"], data)
    kept[dropped] = np.zeros(1, kept.dtype)[0]
    run.write_bits(i["dst"], kept)


def _probability_dtype(i: Instruction) -> Broken | None:
    if not isinstance(i["prob"], NkiTensor):
        return None
    dtype = i["prob"].dtype
    good = dtype == "float32" if is_integer(i["data"].dtype) else is_float(dtype)
    return None if good else Broken(f"{dtype} with {i['data'].dtype}", "float32 with integers, a float dtype with floats")


DROPOUT = Opcode(
    "dropout",
    writes=("dst",),
    reads=("data", "prob"),
    engines=(engines.vector,),
    execute=_dropout,
    rules=(
        same_elements("dst data"),
        equal_dtypes("dst data"),
        vector_of("prob", "data"),
        Rule("prob dtype", "prob is float32 with integers, of a float dtype with floats", ISA, _probability_dtype),
        requires(
            "prob",
            "prob is a probability",
            lambda i: isinstance(i["prob"], NkiTensor) or (i["prob"] is not None and 0 <= i["prob"] <= 1),
            "0 to 1",
            lambda i: i["prob"],
        ),
    ),
)


def dropout(dst: NkiTensor, data: NkiTensor, prob: NkiTensor | float, name: str | None = None) -> NkiInstruction:
    """
    Replace elements by zero at random; the others keep their values. See `nki.isa.dropout`.

    Notes
    -----
    Which elements, the Vector Engine's generator decides, which `set_rng_seed` seeds; not bit-exact.
    """
    return DROPOUT.issue(dst=dst, data=data, prob=prob, name=name)
