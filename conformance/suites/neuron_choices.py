"""Variants of kernels on a Neuron device: the one that its estimate chooses, beside what the cost model predicts of traces of all.

Nothing runs: programs are traced and predicted. A choice fails where another variant is predicted to take less by more than a third.
"""

from __future__ import annotations

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from ...backends.device import Device
from ...backends.dtypes import FLOAT32, INT32, DType
from ...backends.engine import engine_for
from ...backends.neuron.engine import NeuronEngine
from ...backends.neuron.graph.build import call
from ...backends.neuron.graph.graph import Node
from ...backends.neuron.kernel import kernel
from ...backends.neuron.launch.prediction import predict
from ...backends.neuron.plan.assemble import Planner
from ...backends.neuron.plan.plan import Choice
from ...backends.rules import Signature
from ..report import Report
from ..suite import SuiteError

__all__ = ["CALLS", "Call", "add_arguments", "run"]

_REGRET: Final = 4 / 3


class Call(NamedTuple):
    """
    A call of a kernel with variants.

    Attributes
    ----------
    kernel : str
        Its name.
    operands : tuple of (tuple of int, dtype)
        Shapes and dtypes.
    attributes : mapping
        The rest.
    """

    kernel: str
    operands: tuple[tuple[tuple[int, ...], DType], ...]
    attributes: Mapping[str, Any]


def _gather(rows: int, width: int, count: int) -> Call:
    return Call("gather", (((rows * width,), FLOAT32), ((count,), INT32)), {"outer": 1, "rows": rows, "shape": (1, count, width)})


def _search(planes: int, numbers: int, entries: int) -> Call:
    return Call("search", (*[((numbers,), FLOAT32)] * planes, *[((entries,), FLOAT32)] * planes), {"side": "left"})


def _count(places: int, bins: int) -> Call:
    return Call("count", (((places,), INT32),), {"bins": bins})


def _sum(size: int, count: int) -> Call:
    return Call("scatter elements", (((size,), INT32), ((count,), INT32), ((count,), INT32)), {"function": "add"})


def _reduce(function: str, dtype: DType, rows: int, length: int) -> Call:
    attributes = {"function": function, "length": length, "inner": 1, "results": Signature((rows,), INT32)}
    return Call("reduce rows", (((rows, length), dtype),), attributes)


def _permute(shape: tuple[int, ...], axes: tuple[int, ...]) -> Call:
    return Call("permute", ((shape, FLOAT32),), {"shape": shape, "axes": axes})


CALLS: Final = (
    *(_gather(1000, 1, count) for count in (100, 5000, 100_000)),
    *(_gather(20_000, 1, count) for count in (5000, 100_000)),
    *(_gather(*extents) for extents in ((100, 16, 5000), (300, 16, 1000), (200_000, 1, 5000), (20, 5000, 500), (4, 1 << 18, 3))),
    *(_search(2, *extents) for extents in ((100, 100), (1000, 1000), (10_000, 300), (3000, 3000), (100, 10_000))),
    *(_search(1, count, count) for count in (1000, 3000)),
    *(_count(*extents) for extents in ((1000, 50), (100_000, 50), (100_000, 3000), (2000, 8000))),
    *(_reduce("argmax", FLOAT32, rows, 20_000) for rows in (8, 33, 128)),
    *(_reduce("add", INT32, rows, 20_000) for rows in (1, 64)),
    *(_permute(shape, (1, 0)) for shape in ((512, 512), (1000, 3), (16, 100_000))),
    *(_permute(*one) for one in (((64, 64, 64), (2, 1, 0)), ((100, 20, 20), (0, 2, 1)), ((32, 32, 256), (1, 0, 2)))),
    *(_sum(*extents) for extents in ((100, 300), (4096, 300), (4096, 3000))),
)


def add_arguments(parser: ArgumentParser) -> None:
    """Declare no options of its own."""


def _planned(engine: NeuronEngine, one: Call, preferred: Mapping[str, str]) -> tuple[Choice, float]:
    """Plan a call, and predict the plan."""
    target = engine.launcher.target
    buffers = engine.launcher.to_device([np.zeros(math.prod(shape), dtype) for shape, dtype in one.operands])
    operands = [Node.of_buffer(buffer, shape, dtype) for buffer, (shape, dtype) in zip(buffers, one.operands, strict=True)]
    launch = Planner(target, preferred=preferred).plan(call(one.kernel, *operands, **one.attributes))
    predicted = predict(launch.plan, target, keep=False)
    if predicted is None:
        raise SuiteError("suite 'neuron-choices' traces programs, and kernels are AWS's NKI's here; set TRNARRAY_NKI=simulator")
    return launch.plan.choices[0], predicted[1].seconds


def run(report: Report, device: Device, options: Namespace) -> None:  # noqa: ARG001  # there are none
    """Choose, and compare with all variants."""
    engine = engine_for(device)
    if not isinstance(engine, NeuronEngine):
        raise SuiteError(f"suite 'neuron-choices' is about Neuron devices; name one instead of {str(device)!r}, as --device sim:trn2")
    for one in CALLS:
        chosen = _planned(engine, one, {})[0].variant
        found: dict[str, tuple[float, float]] = {}
        for variant in kernel(one.kernel).variants:
            choice, seconds = _planned(engine, one, {one.kernel: variant.name})
            if choice.variant == variant.name:  # it takes the call
                found[variant.name] = choice.seconds, seconds
        best = min(seconds for _, seconds in found.values())
        regret = found[chosen][1] / best
        name = f"{choice.computes} over {choice.over}"
        if regret <= _REGRET:
            report.add(name)
        else:
            report.add(name, "failed", f"{chosen} is predicted to take {regret:.2f} times what the best takes")
        report.figures[name] = ", ".join(
            f"{'chosen ' if variant == chosen else ''}{variant} {1e6 * seconds:.1f} us (estimated {1e6 * estimated:.1f})"
            for variant, (estimated, seconds) in found.items()
        )
