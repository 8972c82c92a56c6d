"""
The cost table: for each instruction, what it costs on the engine that runs it.

An instruction's cycles are ``max(least, stream * N) + extra``: the time until the engine can begin the next one. N is what `counts` says
(`conditions.COUNTS`). Of an instruction's rows the first one counts whose engine, target and condition (`conditions.CONDITIONS`) hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from ..program.instruction import Instruction
from .conditions import CONDITIONS
from .figure import Figure, exact, fitted, guess

__all__ = ["ROWS", "Kind", "Row", "find_row", "rows_of"]

Kind = Literal["compute", "tensor", "dma", "sequencer", "meeting"]
_ALL: Final = ("trn1", "trn2", "trn3")
_OLD: Final = ("trn1",)
_NEW: Final = ("trn2", "trn3")
_STUBS = "docstrings of NKI 2.26"
_ARCH2 = "trainium_inferentia2 architecture guide"
_ARCH3 = "trainium2 architecture guide"
_ARCH4 = "trainium3 architecture guide"
_ISA = "nki.isa reference of 2.32"
_NONE = "not documented"


class Row(NamedTuple):
    """
    A row of the cost table.

    Attributes
    ----------
    opcode : str
        The instruction.
    kind : {'compute', 'tensor', 'dma', 'sequencer', 'meeting'}
        How it is scheduled.
    engine : str
        On which engine the row holds; empty for any.
    when : str
        Condition, a key of `conditions.CONDITIONS`.
    counts : str
        What N is: a key of `conditions.COUNTS`, or a parameter whose elements per partition count.
    stream : Figure
        Cycles per element.
    extra : Figure
        Cycles beyond the stream.
    least : float
        Cycles at least, for the stream.
    flop : int
        Operations per element.
    targets : tuple of str
        Where it holds.
    figure : str
        For DMA, sequencer and meetings: the row of `hardware.HARDWARE` that has the cost.
    """

    opcode: str
    kind: Kind
    engine: str
    when: str
    counts: str
    stream: Figure
    extra: Figure
    least: float
    flop: int
    targets: tuple[str, ...]
    figure: str

    @property
    def name(self) -> str:
        """What a calibration calls it."""
        return f"{self.opcode}/{self.engine}/{self.when}".rstrip("/")


def _published(
    opcode: str,
    engine: str,
    counts: str,
    stream: float,
    extra: float = 0,
    least: float = 64,
    *,
    when: str = "",
    flop: int = 1,
    source: str = _STUBS,
    targets: tuple[str, ...] = _ALL,
    kind: Kind = "compute",
    span: tuple[float, float] | None = None,
) -> Row:
    low, high = span or (stream, stream)
    figures = guess(stream, low, high, "cycles/element", source, "published"), exact(extra, "cycles", source)
    return Row(opcode, kind, engine, when, counts, *figures, least, flop, targets, "")


def _derived(opcode: str, engine: str, counts: str, stream: float, extra: float = 0, least: float = 64, **others: Any) -> Row:
    row = _published(opcode, engine, counts, stream, extra, least, **others)
    return row._replace(stream=row.stream._replace(status="derived"), extra=row.extra._replace(status="derived"))


def _fitted(
    opcode: str,
    counts: str,
    stream: tuple[float, float, float],
    rows: tuple[str, ...],
    *,
    flop: int = 1,
    source: str,
    targets: tuple[str, ...],
) -> Row:
    """Make a row of the Vector Engine whose stream published times determine."""
    figures = fitted(*stream, "cycles/element", source, *rows), exact(0, "cycles", source)
    return Row(opcode, "compute", "vector", "", counts, *figures, 64, flop, targets, "")


def _guess(
    opcode: str,
    engine: str,
    counts: str,
    stream: tuple[float, float, float],
    extra: tuple[float, float, float] = (0, 0, 0),
    *,
    source: str = _NONE,
    flop: int = 1,
    targets: tuple[str, ...] = _ALL,
    when: str = "",
) -> Row:
    figures = guess(*stream, "cycles/element", source), guess(*extra, "cycles", source)
    return Row(opcode, "compute", engine, when, counts, *figures, 64, flop, targets, "")


def _other(opcode: str, kind: Kind, figure: str) -> Row:
    nothing = exact(0, "cycles", f"hardware figure {figure}")
    return Row(opcode, kind, "", "", "none", nothing, nothing, 0, 0, _ALL, figure)


def _matmul(when: str, stream: float, source: str, span: tuple[float, float] | None = None, to: tuple[str, ...] = _ALL) -> Row:
    columns = "moving columns"
    return _published(
        "nc_matmul", "tensor", columns, stream, 0, 64 * stream, when=when, flop=2, source=source, targets=to, kind="tensor", span=span
    )


_DVE, _ACT, _POOL, _PE = "vector", "scalar", "gpsimd", "tensor"
_WIDE = f"{_ARCH3}: 256 elements per cycle of other data types, but its list of instructions that are faster than N names 16-bit ones alone"
_TWO_STREAMS = f"two inputs at 2N: {_ARCH2}; twice the width on later generations may halve it"
_TWICE = f"twice as fast as on NeuronCore-v2: {_ARCH3}"
_WIDE = f"256 elements per cycle: {_ARCH4}"
_TWO_OPERANDS = ("adamw", "silu", "rmsnorm product")  # determine what both instructions take, which documents tell alike
_ROWS = "partitions of data"
_SELECTIONS = f"two inputs, as tensor_tensor: {_NONE}"

ROWS: Final[tuple[Row, ...]] = (
    # Tensor Engine: cycles per column that moves
    _matmul("float32 transpose", 2, f"{_ARCH3}: transposes of float32 twice as fast", to=_NEW),
    _matmul("float32 of zeros and ones", 2, "onezero hints speed float32 up by up to 2x", span=(2, 4)),
    _matmul("float32", 4, f"{_ARCH2}: four times the cost"),
    _matmul("", 1, f"{_ARCH2}: max(N, 64)"),
    _derived("nc_matmul_mx", _PE, "moving columns", 1, flop=8, kind="tensor", source=f"{_ARCH4}: four times the products of bf16"),
    _derived("nc_transpose", _PE, _ROWS, 2, 0, 128, when="float32", flop=0, kind="tensor", targets=_NEW, source=_ARCH3),
    _derived("nc_transpose", _PE, _ROWS, 4, 0, 256, when="float32", flop=0, kind="tensor", targets=_OLD, source=_ARCH2),
    _published("nc_transpose", _PE, _ROWS, 1, flop=0, kind="tensor"),
    # Vector Engine
    _published("nc_transpose", _DVE, "data", 1, flop=0),
    _published("tensor_copy", _DVE, "dst", 0.25, when="16-bit contiguous in SBUF", flop=0, source=_ARCH3, targets=_NEW),
    _published("tensor_copy", _DVE, "dst", 0.5, when="16-bit strided, or half in PSUM", flop=0, source=_ARCH3, targets=_NEW),
    _published("tensor_copy", _DVE, "dst", 1, flop=0, targets=_OLD),
    _fitted("tensor_copy", "dst", (1, 0.5, 1), ("tutorial product",), flop=0, targets=_NEW, source=_WIDE),
    _published("tensor_scalar", _DVE, "dst", 0.25, when="16-bit contiguous in SBUF", flop=2, source=_ARCH3, targets=_NEW),
    _published("tensor_scalar", _DVE, "dst", 0.5, when="16-bit strided, or half in PSUM", flop=2, source=_ARCH3, targets=_NEW),
    _published("tensor_scalar", _DVE, "dst", 1, flop=2, targets=_OLD),
    _fitted("tensor_scalar", "dst", (1, 0.5, 1), ("rmsnorm quantize",), flop=2, targets=_NEW, source=_WIDE),
    _derived("tensor_tensor", _DVE, "dst", 0.5, when="bf16 arithmetic in SBUF", source=_TWICE, targets=_NEW, span=(0.5, 1)),
    _derived("tensor_tensor", _DVE, "dst", 1, when="16-bit pair in SBUF", source=_TWICE, targets=_NEW),
    _published("tensor_tensor", _DVE, "dst", 1, when="bf16 arithmetic in SBUF", targets=_OLD),
    _published("tensor_tensor", _DVE, "dst", 1, when="data in PSUM and SBUF"),
    _published("tensor_tensor", _DVE, "dst", 2, targets=_OLD),
    _fitted("tensor_tensor", "dst", (1, 1, 2), _TWO_OPERANDS, targets=_NEW, source=_TWO_STREAMS),
    _published("scalar_tensor_tensor", _DVE, "dst", 1, when="bf16 sub and mul", flop=2),
    _published("scalar_tensor_tensor", _DVE, "dst", 2, flop=2, targets=_OLD),
    _fitted("scalar_tensor_tensor", "dst", (1, 1, 2), _TWO_OPERANDS, flop=2, targets=_NEW, source=_TWO_STREAMS),
    _published("tensor_reduce", _DVE, "data", 0.5, when="bf16 sum or maximum"),
    _published("tensor_reduce", _DVE, "data", 1),
    _published("tensor_scalar_reduce", _DVE, "data", 1, 64, flop=2),
    _guess("tensor_scalar_cumulative", _DVE, "src", (2, 1, 2), source="as tensor_tensor_scan, or one stream", flop=2),
    _published("tensor_tensor_scan", _DVE, "data0", 2, flop=2),
    _fitted("reciprocal", "data", (3.3, 1, 8), ("silu",), targets=_OLD, source=f"8N in the {_STUBS}, N on the Scalar Engine"),
    _fitted("reciprocal", "data", (5.75, 1, 8), ("silu",), targets=_NEW, source=f"8N in the {_STUBS}, N on the Scalar Engine"),
    _derived("exponential", _DVE, "src", 0.25, flop=2, source=f"{_ARCH4}: four times the rate of activation"),
    _published("bn_stats", _DVE, "data", 1, flop=4),
    _published("bn_aggr", _DVE, "data", 13 / 3, flop=4),
    _published("dropout", _DVE, "data", 1),
    _published("memset", _DVE, "dst", 0.5, when="16-bit zeros", flop=0),
    _published("memset", _DVE, "dst", 1, flop=0),
    _published("tensor_copy_predicated", _DVE, "dst", 1, when="source and predicate in PSUM and SBUF", flop=0),
    _published("tensor_copy_predicated", _DVE, "dst", 2, flop=0),
    _guess("select_reduce", _DVE, "dst", (2, 1, 2), source=_SELECTIONS),
    _published("range_select", _DVE, "dst", 1, flop=2),
    _published("max8", _DVE, "src", 1),
    _published("nc_find_index8", _DVE, "data", 1),
    _derived("nc_match_replace8", _DVE, "data", 1, source=f"{_STUBS}, which print min(M0, N)"),
    _published("nc_stream_shuffle", _DVE, "dst", 1, flop=0),
    _published("quantize_mx", _DVE, "src", 0.25, source=f"{_ARCH4}: four elements per cycle"),
    _guess("rng", _DVE, "dst", (1, 0.25, 1), source="one stream; four draws per cycle on NeuronCore-v4"),
    _derived("rand2", _DVE, "dst", 0.25, source=f"{_ARCH4}: four draws per cycle"),
    _guess("set_rng_seed", _DVE, "none", (0, 0, 0), (100, 64, 1000), flop=0),
    _guess("rand_set_state", "", "src_seeds", (1, 1, 4), (100, 64, 1000), flop=0),
    _guess("rand_get_state", "", "dst", (1, 1, 4), (100, 64, 1000), flop=0),
    # Scalar Engine
    _derived("activation", _ACT, "data", 0.5, when="16-bit", flop=3, source=_WIDE, targets=("trn3",), span=(0.5, 1)),
    _published("activation", _ACT, "data", 1, flop=3),
    _published("activation_reduce", _ACT, "data", 1, 64, flop=4),
    _derived("activate2", _ACT, "data", 1, flop=3, source="as activation", span=(0.5, 1)),
    _published("tensor_copy", _ACT, "dst", 0.5, when="16-bit", flop=0, source=_ARCH4, targets=("trn3",)),
    _derived("tensor_copy", _ACT, "dst", 1, flop=0, source=_ARCH3),
    _published("tensor_scalar", _ACT, "dst", 0.5, when="16-bit", flop=2, source=_ARCH4, targets=("trn3",)),
    _derived("tensor_scalar", _ACT, "dst", 1, flop=2, source=f"as activation: {_ARCH2}"),
    # GpSimd
    _guess("tensor_tensor", _POOL, "dst", (2, 1, 4), (64, 0, 150), source="two inputs over one 512-bit interface"),
    _guess("tensor_scalar", _POOL, "dst", (2, 1, 8), (64, 0, 150), flop=2),
    _guess("tensor_copy", _POOL, "dst", (1, 1, 2), (64, 0, 150), flop=0),
    _guess("activation", _POOL, "data", (2, 1, 8), (64, 0, 150), flop=3),
    _guess("activate2", _POOL, "data", (2, 1, 8), (64, 0, 150), flop=3),
    _guess("memset", _POOL, "dst", (1, 0.5, 1), (64, 0, 150), flop=0),
    _guess("tensor_partition_reduce", _POOL, "all", (1, 0.25, 4), (150, 64, 300), source="said to be slow; every element passes"),
    _published("iota", _POOL, "dst", 1, 150, 0),
    _published("affine_select", _POOL, "dst", 1, 150, 0),
    _guess("nc_n_gather", _POOL, "dst", (2, 1, 8), (150, 64, 600), flop=0),
    _published("local_gather", _POOL, "local_gather", 1, 150, 0, flop=0),
    _guess("nonzero_with_count", _POOL, "src", (4, 1, 16), (150, 64, 600), flop=0),
    _published("topk", _POOL, "topk", 1, 0, 0, source=_ISA),
    _guess("sequence_bounds", _POOL, "segment_ids", (4, 1, 16), (150, 64, 600), flop=0),
    _guess("rng", _POOL, "dst", (8, 2, 16), (150, 64, 300), source="XORWOW in software"),
    # DMA: a factor of a copy's time
    _other("dma_copy", "dma", ""),
    _other("dma_compute", "dma", "dma_compute"),
    _other("dma_transpose", "dma", "dma_transpose"),
    _other("device_print", "dma", ""),
    _other("sendrecv", "meeting", "core_barrier"),
    _other("core_barrier", "meeting", "core_barrier"),
    # Sequencers
    _other("register_move", "sequencer", "register"),
    _other("register_load", "sequencer", "register_sbuf"),
    _other("register_store", "sequencer", "register_sbuf"),
    _other("scalar_load", "sequencer", "register_sbuf"),
    _other("scalar_store", "sequencer", "register_sbuf"),
    _other("rank_id", "sequencer", "register"),
    _other("collective_permute_implicit_current_processing_rank_id", "sequencer", "register"),
    # Among chips
    _other("all_reduce", "meeting", "collective"),
    _other("all_gather", "meeting", "collective"),
    _other("reduce_scatter", "meeting", "collective"),
    _other("all_to_all", "meeting", "collective"),
    _other("collective_permute", "meeting", "collective"),
    _other("collective_permute_implicit", "meeting", "collective"),
    _other("collective_permute_implicit_reduce", "meeting", "collective"),
    _other("all_gather_v", "meeting", "collective"),
    _other("all_to_all_v", "meeting", "collective"),
)

_BY_OPCODE: Final[dict[str, list[Row]]] = {}
for _row in ROWS:
    _BY_OPCODE.setdefault(_row.opcode, []).append(_row)


def rows_of(opcode: str) -> Sequence[Row]:
    """List the rows of an instruction, in order."""
    return _BY_OPCODE.get(opcode, ())


def find_row(i: Instruction) -> Row:
    """Look up what an instruction costs."""
    for row in rows_of(i.opcode.name):
        if row.engine in ("", i.engine.name) and i.target.name in row.targets and CONDITIONS[row.when](i):
            return row
    raise KeyError(f"the cost table has no row for {i.opcode.name} on {i.engine.name} of {i.target.name}")
