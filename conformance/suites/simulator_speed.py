"""What the simulator costs: a tiled matrix product traced and replayed, the overhead of an executed instruction, and predictions.

A benchmark, not a test: run it on a quiet machine. Times are processor seconds of the process, the best of several runs, each beside NumPy
in the same process; those of all threads count, so that they are no less than what a clock on the wall shows.
"""

from __future__ import annotations

import statistics
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

import trnarray as xp

from ...backends import simulator
from ...backends.device import CPU, Device
from ...backends.simulator import isa, language
from ..report import Report
from ..suite import SuiteError

__all__ = ["INSTRUCTIONS", "add_arguments", "matmul", "run"]

Array = NDArray[Any]
_SIZE: Final = 1024
_FIRST_LIMIT, _REPLAY_LIMIT, _OVERHEAD_LIMIT = 1.5, 0.5, 100.0  # seconds, seconds, microseconds
_REPEATS: Final = 200
_STRAIGHT, _SIDE = 100_000, 8192  # instructions of a predicted program, and rows of an explained product
_WIDTH: Final = 40_000  # columns of a tile
_PREDICTION_LIMIT, _EXPLANATION_LIMIT = 15.0, 2.0  # seconds

# One of each kind that kernels use, on tiles so small that nearly all of it is overhead: the instruction and its arguments but for the
# tiles, of which "c" is written.
INSTRUCTIONS: Final[dict[str, tuple[Callable[..., object], str, dict[str, Any]]]] = {
    "dma_copy": (isa.dma_copy, "ca", {}),
    "tensor_copy": (isa.tensor_copy, "ca", {}),
    "memset": (isa.memset, "c", {"value": 0.0}),
    "tensor_tensor": (isa.tensor_tensor, "cab", {"op": language.add}),
    "tensor_scalar": (isa.tensor_scalar, "ca", {"op0": language.multiply, "operand0": 2.0}),
    "tensor_scalar, two operators": (
        isa.tensor_scalar,
        "ca",
        {"op0": language.multiply, "operand0": 2.0, "op1": language.add, "operand1": 1.0},
    ),
    "scalar_tensor_tensor": (
        lambda c, a, b: isa.scalar_tensor_tensor(c, a, language.multiply, 2.0, language.add, b),
        "cab",
        {},
    ),
    "tensor_reduce": (lambda c, a: isa.tensor_reduce(c[:, :1], language.add, a, axis=1), "ca", {}),
    "activation": (lambda c, a: isa.activation(c, language.exp, a), "ca", {}),
    "reciprocal": (isa.reciprocal, "ca", {}),
    "iota": (isa.iota, "c", {"pattern": [[1, 8]]}),
    "tensor_copy of views": (lambda c, a: isa.tensor_copy(c[:, 2:6], a[:, 1:5]), "ca", {}),
    "nc_matmul": (lambda a, b: isa.nc_matmul(language.ndarray((8, 8), language.float32, language.psum), a, b), "ab", {}),
    "nc_transpose": (lambda a: isa.nc_transpose(language.ndarray((8, 128), language.float32, language.psum), a), "a", {}),
    "activation with scale, bias and sum": (
        lambda c, a, b: isa.activation(c, language.exp, a, b[:, :1], 0.5, language.add, None, isa.reduce_cmd.reset_reduce),
        "cab",
        {},
    ),
    "tensor_scalar of a column": (lambda c, a, b: isa.tensor_scalar(c, a, language.multiply, b[:, :1]), "cab", {}),
    "tensor_scalar_reduce": (
        lambda c, a, b: isa.tensor_scalar_reduce(c, a, language.multiply, 2.0, language.add, b[:, :1]),
        "cab",
        {},
    ),
    "tensor_tensor_scan": (lambda c, a, b: isa.tensor_tensor_scan(c, a, b, 0.0, language.multiply, language.add), "cab", {}),
    "tensor_partition_reduce": (lambda c, a: isa.tensor_partition_reduce(c[:1], language.add, a), "ca", {}),
    "bn_stats": (lambda c, a: isa.bn_stats(c[:, :6], a), "ca", {}),
    "tensor_copy_predicated": (lambda c, a, b: isa.tensor_copy_predicated(c, a, b.view(language.uint32)), "cab", {}),
    "affine_select": (
        lambda c, a: isa.affine_select(c, [[1, 8]], 0, a, 0.0, cmp_op=language.greater_equal),
        "ca",
        {},
    ),
    "max8": (isa.max8, "ca", {}),
    "nc_find_index8": (lambda c, a, b: isa.nc_find_index8(c.view(language.uint32), a, b), "cab", {}),
    "nc_stream_shuffle": (isa.nc_stream_shuffle, "ca", {"shuffle_mask": list(range(32))}),
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the suite's own options; see `Suite.add_arguments`."""
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="runs of which the best is taken (default 5)")
    parser.add_argument("--target", metavar="T", default="trn2", help="generation that is simulated (default trn2)")


@simulator.jit
def matmul(lhs_t: Any, rhs: Any) -> Any:
    """Multiply matrices in tiles of 128 x 128 and 128 x 512, accumulating in PSUM: `lhs_t` is transposed."""
    (k, m), n = lhs_t.shape, rhs.shape[1]
    result = language.ndarray((m, n), lhs_t.dtype, language.shared_hbm)
    for i in range(m // 128):
        for j in range(n // 512):
            sums = language.ndarray((128, 512), language.float32, language.psum)
            for p in range(k // 128):
                left, right = language.ndarray((128, 128), lhs_t.dtype), language.ndarray((128, 512), rhs.dtype)
                isa.dma_copy(left, lhs_t[p * 128 : (p + 1) * 128, i * 128 : (i + 1) * 128])
                isa.dma_copy(right, rhs[p * 128 : (p + 1) * 128, j * 512 : (j + 1) * 512])
                isa.nc_matmul(sums, left, right)
            out = language.ndarray((128, 512), lhs_t.dtype)
            isa.tensor_copy(out, sums)
            isa.dma_copy(result[i * 128 : (i + 1) * 128, j * 512 : (j + 1) * 512], out)
    return result


def run(report: Report, device: Device, options: Namespace) -> None:
    """Measure, and hold each figure against its limit."""
    if device is not CPU:
        raise SuiteError(f"suite 'simulator-speed' measures the host, and the device is {str(device)!r}; leave --device out")
    with simulator.options(options.target) as chosen:
        report.figures["simulated as"] = str(chosen)
        _product(report, options.runs)
        _overheads(report, options.runs)
        _loops(report)
        _predictions(report)
    _explanations(report, options.target)


def _judge(report: Report, name: str, value: float, limit: float, unit: str) -> None:
    report.figures[f"{name}, {unit}"] = round(value, 3)
    if value <= limit:
        report.add(name)
    else:
        report.add(name, "failed", f"{value:.3f} {unit}, and the limit is {limit} {unit}")


def _best(call: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        start = process_time()
        call()
        times.append(process_time() - start)
    return min(times)


def _product(report: Report, runs: int) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((_SIZE, _SIZE)).astype(ml_dtypes.bfloat16) for _ in range(2))
    program = matmul.program(a, b)
    simulator.execute(program, a, b)  # finds out once per process how this machine's BLAS adds
    numpy = _best(lambda: a.astype(np.float32).T @ b.astype(np.float32), runs)
    first = _best(lambda: simulator.jit(matmul.function)(a, b), runs)
    replay = _best(lambda: simulator.execute(program, a, b), runs)
    _judge(report, f"{_SIZE}^3 bfloat16 product, traced and executed", first, _FIRST_LIMIT, "s")
    _judge(report, f"{_SIZE}^3 bfloat16 product, replayed", replay, _REPLAY_LIMIT, "s")
    report.figures[f"{_SIZE}^3 product, traced and executed, to NumPy's float32"] = round(first / numpy, 1)
    report.figures[f"{_SIZE}^3 product, replayed, to NumPy's float32"] = round(replay / numpy, 1)


def _repeated(name: str, count: int) -> simulator.Kernel:
    def kernel(x: Any) -> None:
        issue, tiles, arguments = INSTRUCTIONS[name]
        made = {tile: language.ndarray(x.shape, x.dtype) for tile in "abc"}
        for tile in made.values():
            isa.dma_copy(tile, x)
        for _ in range(count):
            issue(*(made[tile] for tile in tiles), **arguments)

    return simulator.Kernel(kernel)


def _overheads(report: Report, runs: int) -> None:
    x = np.ones((128, 8), np.float32)
    found = {}
    for name in INSTRUCTIONS:
        long, short = (_best(partial(simulator.execute, _repeated(name, count).program(x), x), runs) for count in (_REPEATS, 0))
        found[name] = 1e6 * (long - short) / _REPEATS
        report.figures[f"{name} of (128, 8), µs"] = round(found[name], 1)
    start = process_time()
    for _ in range(1000):
        np.add(x, x)
    report.figures["numpy.add of (128, 8), µs"] = round(1e3 * (process_time() - start), 1)
    _judge(report, "an executed instruction, median of kinds", statistics.median(found.values()), _OVERHEAD_LIMIT, "µs")


def _loops(report: Report) -> None:
    """Count how often the body of a loop is traced."""
    traced = []

    def kernel(x: Any) -> Any:
        out = language.ndarray(x.shape, x.dtype, language.shared_hbm)
        tile = language.ndarray(x.shape, x.dtype)
        isa.dma_copy(tile, x)

        def body(_: Any) -> None:
            traced.append(True)
            isa.tensor_scalar(tile, tile, language.add, 1.0)

        language.fori_loop(0, 1000, body)
        isa.dma_copy(out, tile)
        return out

    result = simulator.Kernel(kernel)(np.zeros((128, 8), np.float32))
    report.figures["times that the body of a loop of 1000 turns is traced"] = len(traced)
    right = len(traced) == 1 and bool((result == 1000).all())
    report.add("loops are traced once", *(() if right else ("failed", f"traced {len(traced)} times, result {result[0, 0]}")))


def _streamed(x: Any) -> None:
    """Tiles that are loaded, computed with and stored back: x has five instructions for each."""
    for row in range(0, x.shape[0], 128):
        tile = language.ndarray((128, x.shape[1]), x.dtype)
        isa.dma_copy(tile, x[row : row + 128])
        for _ in range(3):
            isa.activation(tile, language.exp, tile)
        isa.dma_copy(x[row : row + 128], tile)


def _columns(x: Any) -> None:
    """Columns of one tile, each computed with by two engines: x has two instructions for each."""
    tile = language.ndarray((128, _WIDTH), x.dtype)
    for number in range(x.shape[0]):
        column = tile[:, number % _WIDTH : number % _WIDTH + 1]
        isa.activation(column, language.exp, column)
        isa.tensor_scalar(column, column, language.add, 1.0)


def _predictions(report: Report) -> None:
    """Predict straight code: an operation's time must not grow with the program."""
    for name, kernel, shape in (
        ("tiles that are streamed", _streamed, (128 * (_STRAIGHT // 5), 16)),
        ("columns of one tile", _columns, (_STRAIGHT // 2, 1)),
    ):
        program = simulator.Kernel(kernel).program(simulator.Abstract(shape, "float32"))
        seconds = _best(partial(simulator.predict, program), 1)
        _judge(report, f"{_STRAIGHT} instructions predicted, {name}", seconds, _PREDICTION_LIMIT, "s")


def _explanations(report: Report, target: str) -> None:
    def explain(dtype: str) -> None:
        a, b = (xp.ones((_SIDE, _SIDE), dtype=getattr(xp, dtype), device=f"sim:{target}") for _ in range(2))
        str(xp.explain(a @ b))

    for dtype in ("float32", "bfloat16"):
        _judge(report, f"{_SIDE}^3 {dtype} product explained", _best(partial(explain, dtype), 1), _EXPLANATION_LIMIT, "s")
