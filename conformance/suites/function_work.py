"""The instructions of elementwise functions, casts and reductions of rows: those of their traces, beside the table that planning reads.

A new function, or one whose instructions have changed, fails until ``--write`` has written the table.
"""

from __future__ import annotations

import json
import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ...backends import simulator
from ...backends.device import Device
from ...backends.neuron import function
from ...backends.neuron.dtypes import DTYPES_BY_NAME
from ...backends.neuron.function import FLOATS, INTEGERS, PAIRS, DtypeLoop, Table, Work
from ...backends.neuron.kernels.elementwise import EMITTERS, cast
from ...backends.neuron.kernels.reduce.free_axis import REDUCERS, reduce_tile
from ...backends.neuron.kernels.sbuf import load_tables
from ...backends.simulator import isa as nisa
from ...backends.simulator import language as nl
from ..report import Report

__all__ = ["add_arguments", "run", "trace", "traces"]

Emit = Callable[..., None]
_PARTITIONS: Final = 128
_WIDTHS: Final = 64, 512  # elements of a partition: of functions, and of a row that is reduced, or of functions that have rare numbers
_FEW: Final = 16  # share of the elements, below which an instruction does not count
_MOVES: Final = ("dma_copy", "scalar_load", "register_load")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options."""
    parser.add_argument("--write", action="store_true", help="write the table")


def _storage(dtype: str) -> Any:
    return np.dtype(np.uint8) if dtype == "bool" else DTYPES_BY_NAME[dtype]


def trace(emit: Emit, results: Sequence[str], columns: int, *operands: Any, tables: Sequence[Table] = ()) -> Work:
    """Count instructions that work on tiles, in loops of no turns left out, and bytes that are alive at once beside operands and result."""

    @simulator.jit  # type: ignore[untyped-decorator, unused-ignore]
    def kernel(*arrays: Any) -> Any:
        tiles = []
        for array in arrays:
            tiles.append(nl.ndarray(array.shape, array.dtype))
            nisa.dma_copy(tiles[-1], array)
        shape = (arrays[0].shape[0], columns)
        destinations = [nl.ndarray(shape, dtype) for dtype in results]
        emit(*destinations, *tiles, *load_tables(tables).values())
        outs = tuple(nl.ndarray(shape, dtype, buffer=nl.shared_hbm) for dtype in results)
        for out, dst in zip(outs, destinations, strict=True):
            nisa.dma_copy(out, dst)
        return outs

    width = operands[0].shape[1]
    with simulator.options("trn2"):
        core = kernel.program(*operands).cores[0]
    steps = [(node, unused) for node, unused in zip(core.nodes, core.last_use, strict=True) if hasattr(node, "opcode")]
    moved = {step[side]._storage for step, _ in steps if step.opcode.name == "dma_copy" for side in ("dst", "src")}
    own = sum(storage.nbytes for storage in moved if storage.buffer is nl.sbuf)
    most = core.peak["sbuf"] - own if len(steps) < len(core.nodes) else 0  # what a loop's body needs is in the peak
    found: dict[tuple[str, str], float] = {}
    live: dict[Any, int] = {}
    for step, unused in steps:
        passes = max(math.prod(view.shape[1:]) for view in (*step.reads, *step.writes))
        if step.opcode.name not in _MOVES and passes > width // _FEW:
            key = step.engine.name, step.opcode.name
            found[key] = found.get(key, 0) + passes / width
        live.update({view._storage: view._storage.nbytes for view in step.writes if view._storage not in moved})
        most = max(most, sum(live.values()))
        for storage in unused:
            live.pop(storage, None)
    rounded = tuple((*key, round(passes, 3)) for key, passes in sorted(found.items()))
    return Work(rounded, math.ceil(most / width))


def _ones(*dtypes: str, width: int = _WIDTHS[0]) -> list[Any]:
    return [np.ones((_PARTITIONS, width), _storage(dtype)) for dtype in dtypes]


def traces() -> Iterator[tuple[str, str, Callable[[], Work]]]:
    """List what there is to trace."""
    for name, emitter in EMITTERS.items():
        for dtype, loop in emitter.loops.items():
            dtypes = [dtype] * emitter.arity
            if emitter.selects:
                dtypes[0] = "bool"
            yield name, dtype, partial(_function, loop, *dtypes)
    for first, *others in sorted({pair.functions for pair in PAIRS.values()}):
        for dtype, loop in PAIRS[first].loops.items():
            dtypes = [dtype] * EMITTERS[first].arity
            yield f"pair of {first}", dtype, partial(_pair, loop, [EMITTERS[other].loops[dtype].result for other in others], *dtypes)
    for target in (*FLOATS, *INTEGERS, "bool"):
        for source in (*FLOATS, *INTEGERS, "bool"):
            yield f"cast to {target}", source, partial(_cast, target, source)
    for name in REDUCERS:
        for dtype in ("int32", "uint32") if name.startswith("add.") else (*FLOATS, *INTEGERS):
            yield f"reduce by {name}", dtype, partial(_reduction, name, dtype)


def _function(loop: DtypeLoop, *dtypes: str) -> Work:
    return _pair(loop, (), *dtypes)


def _pair(loop: DtypeLoop, others: Sequence[str], *dtypes: str) -> Work:
    width = _WIDTHS[loop.late]
    return trace(loop.emit, (loop.result, *others), width, *_ones(*dtypes, width=width), tables=loop.tables)


def _cast(target: str, source: str) -> Work:
    result = "uint8" if target == "bool" else target
    return trace(lambda dst, x: cast(dst, x, target, source), (result,), _WIDTHS[0], *_ones(source))


def _reduction(name: str, dtype: str) -> Work:
    return trace(partial(reduce_tile, name), (REDUCERS[name].partial(dtype),), 1, *_ones(dtype, width=_WIDTHS[1]))


def _text(found: Mapping[str, Mapping[str, Work]]) -> str:
    """Write a line for each function and the dtypes that have the same work."""
    lines = []
    for name, by_dtype in found.items():
        alike: dict[Work, list[str]] = {}
        for dtype, one in by_dtype.items():
            alike.setdefault(one, []).append(dtype)
        lines += [json.dumps([name, " ".join(dtypes), one.instructions, one.scratch]) for one, dtypes in alike.items()]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def run(report: Report, device: Device, options: Namespace) -> None:  # noqa: ARG001  # the traces are those of trn2
    """Trace every function, and compare."""
    found: dict[str, dict[str, Work]] = {}
    for name, dtype, make in traces():
        found.setdefault(name, {})[dtype] = make()
    if options.write:
        function.WORK_FILE.write_text(_text(found), encoding="utf-8")
        function.work_table.cache_clear()
    table = function.work_table()
    for name, by_dtype in found.items():
        wrong = [dtype for dtype, one in by_dtype.items() if table.get((name, dtype)) != one]
        problem = f"instructions have changed for {', '.join(wrong)}; write the table with --write"
        report.add(name, "failed" if wrong else "passed", problem if wrong else "")
