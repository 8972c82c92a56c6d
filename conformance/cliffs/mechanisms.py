"""The mechanisms by which a call may take longer than ten times its bound, each with a formula of the stage's extents, in ns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...backends.neuron.costs import Costs
from ...backends.neuron.dtypes import DTYPES_BY_NAME
from ...backends.neuron.function import Work, work_table
from ...backends.neuron.plan.plan import Compute, KernelStage, LoopStage, Plan, RowStage

__all__ = ["MECHANISMS", "allowed"]

Formula = Callable[[Costs, KernelStage, int, int], float]
"""Of the stage, and of the elements and bytes that it reads and writes."""


def _busy(work: Work, costs: Costs, elements: float) -> float:
    return sum(work.times(costs, elements).values())


def _work(compute: Compute) -> Work:
    names = {
        "elementwise": compute.name,
        "pair": f"pair of {compute.name}",
        "cast": f"cast to {compute.dtype}",
        "reduce": f"reduce by {compute.name}",
    }
    return work_table().get((names.get(compute.kind, ""), compute.loop), Work())


def _functions(costs: Costs, stage: RowStage, nbytes: int) -> float:
    """Stated instructions of functions on all partitions, twice for tiles that do not fill them, and what is moved."""
    rows, size = math.prod(stage.dims[: len(stage.dims) - stage.columns]), math.prod(stage.dims)
    each = max(size / costs.partitions, size / max(1, rows) if stage.columns else 0)
    counts = {"full": each, "row": each * rows / size, "one": 1}
    busy = sum(_busy(_work(one), costs, each if one.kind == "reduce" else counts[one.extent]) for one in stage.computes)
    return 2 * (busy + costs.moves(0, 0, nbytes) * 2)


def _network(costs: Costs, _stage: KernelStage, elements: int, _nbytes: int) -> float:
    """Sort network: log2(n) (log2(n) + 1) / 2 steps, each of some twelve instructions for each key."""
    steps = math.log2(max(elements, 2))
    return 12 * steps * (steps + 1) / 2 * costs.instruction("tensor_tensor", max(1, elements / costs.partitions))


def _indirect(costs: Costs, _stage: KernelStage, elements: int, nbytes: int) -> float:
    """Indirect DMA: GpSimd describes each row."""
    return 2 * costs.describes(elements) + costs.moves(elements, 4, nbytes)


def _products(costs: Costs, stage: KernelStage, elements: int, nbytes: int) -> float:
    """Tensor Engine: a column of 128 for each 128 x 128 x 1 products, four passes for float32, half of it used; and what is moved twice."""
    extents = [one for one in stage.parameters if isinstance(one, int) and not isinstance(one, bool)]
    batch, *sides = extents[:4] if len(extents) >= 4 else [1, *extents[:3]]
    tiles = batch * math.prod(math.ceil(side / costs.partitions) * costs.partitions for side in sides) / costs.partitions**2
    return 2 * costs.instruction("nc_matmul", tiles, "tensor", "float32") + 4 * costs.moves(elements / 64, 256, nbytes)


def _moves(costs: Costs, _stage: KernelStage, elements: int, nbytes: int) -> float:
    """Transposition: pieces of 64 bytes at least, in and out."""
    return 2 * costs.moves(nbytes / 64, 64, nbytes) + 4 * costs.instruction("tensor_copy", elements / costs.partitions)


def _running(costs: Costs, stage: KernelStage, elements: int, nbytes: int) -> float:
    """Count running sums: three cycles for each element, on as many partitions as there are rows, and bytes in and out."""
    rows = next((one for one in stage.parameters if isinstance(one, int)), costs.partitions)
    share = min(costs.partitions, rows) if 32 < rows else costs.partitions
    return 4 * costs.instruction("tensor_tensor_scan", elements / share) + 2 * costs.moves(0, 0, nbytes)


def _reductions(costs: Costs, stage: KernelStage, plan: Plan, elements: int, nbytes: int) -> float:
    """
    Stated instructions of reductions, twice, on as many partitions as there are rows, and bytes.

    Columns come in runs of eight rows, and what partitions have turns at the end; those of integers turn first.
    """
    dtype = plan.tensors[stage.read[0]].dtype
    columns = stage.kernel == "reduce columns"
    length = stage.parameters[2] if columns else costs.partitions
    share = min(costs.partitions, length) if isinstance(length, int) else costs.partitions
    work = work_table()[f"reduce by {stage.parameters[0]}", "uint8" if dtype == "bool" else dtype]
    turned = 0.0 if "float" in dtype or not columns else _moves(costs, stage, elements, nbytes)
    inner = stage.parameters[-1] if columns else elements
    run = 8 * inner if isinstance(inner, int) else elements
    moved = costs.moves(elements / run, run * nbytes / elements, nbytes) + 5 * costs.transfer_waits * columns
    return 2 * (_busy(work, costs, elements / share) + moved) + turned


def _short_runs(costs: Costs, stage: RowStage, plan: Plan) -> float:
    """Descriptors of DMA: one for each run of neighbours; what is loaded may come with all that is in between, and be copied on chip."""
    total = 0.0
    for access, loaded in (*((one, True) for one in stage.loads), *((one, False) for _, one in stage.stores)):
        if access.extent != "full" or access.tensor is None:
            continue
        run = 1
        for extent, stride in zip(reversed(stage.dims), reversed(access.strides), strict=True):
            if stride != run:
                break
            run *= extent
        itemsize, size = DTYPES_BY_NAME[plan.tensors[access.tensor].dtype].itemsize, math.prod(stage.dims)
        taken = costs.moves(size / run, run * itemsize, size * itemsize)
        if loaded:
            span = 1 + sum(abs(stride) * (extent - 1) for extent, stride in zip(stage.dims, access.strides, strict=True))
            taken = min(taken, costs.moves(0, 0, span * itemsize) + costs.instruction("tensor_copy", size / costs.partitions))
        total += taken
    return total


MECHANISMS: Final[Mapping[str, tuple[tuple[str, ...], Formula]]] = {
    "sort network": (("sort",), _network),
    "indirect DMA": (("gather", "gather rows", "gather elements", "scatter", "compress", "scatter rows"), _indirect),
    "Tensor Engine": (("matmul", "tall matmul"), _products),
    "transposition": (("permute", "flip"), _moves),
    "running sums": (("scan", "scan columns"), _running),
}
"""By name, kernels and their formula. Four have others: reductions, stated instructions, descriptors, and the start of a stage."""

_OF: Final = {kernel: (name, formula) for name, (kernels, formula) in MECHANISMS.items() for kernel in kernels}


def _attached(costs: Costs, stage: KernelStage, nbytes: int) -> float:
    return sum(_functions(costs, rows, nbytes) for rows in stage.attached)


def allowed(costs: Costs, plan: Plan) -> tuple[float, tuple[str, ...]]:
    """Add up what the stages of a program may take, in ns, and name the mechanisms; infinite where one has none."""
    sizes = [(tensor.size, tensor.size * DTYPES_BY_NAME[tensor.dtype].itemsize) for tensor in plan.tensors]
    total, found = 0.0, dict[str, None]()
    stages: list[Any] = [*plan.stages]
    while stages:
        stage = stages.pop()
        if isinstance(stage, LoopStage):
            stages += stage.stages * (stage.likely or stage.turns)
            continue
        touched = [sizes[number] for number in {*stage.read, *stage.written}]
        elements, nbytes = (sum(one[place] for one in touched) for place in range(2))
        if isinstance(stage, RowStage):
            name, taken, descriptors = "functions", _functions(costs, stage, nbytes), _short_runs(costs, stage, plan)
            if descriptors > taken:
                name, taken = "descriptors", 2 * descriptors
        elif stage.kernel.startswith("reduce "):
            name, taken = "reductions", _reductions(costs, stage, plan, elements, nbytes) + _attached(costs, stage, nbytes)
        else:
            name, formula = _OF.get(stage.kernel, (f"none for {stage.kernel}", lambda *_: math.inf))
            taken = formula(costs, stage, elements, nbytes) + _attached(costs, stage, nbytes)
        found |= {name: None, "start of a stage": None}
        total += taken + 5 * costs.transfer_waits
    return total, tuple(found)
