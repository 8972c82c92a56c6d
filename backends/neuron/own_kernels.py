"""Kernels that users bring, as declarations and calls of this engine."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from ..isa import nisa, nl
from ..op import Op
from ..own_kernel import OwnKernel, OwnRule, check_parameters
from ..own_kernel import Variant as OwnVariant
from ..rules import Signature
from .graph.build import call
from .graph.builder import Builder
from .kernel import Kernel, Prologue, Ruling, Variant, declare
from .kernels.emission import Emission
from .lowering import NotNativeError
from .lowering.operands import computes, operand
from .planes import plane_dtypes
from .value import Value

__all__ = ["declared", "implementation"]

_serials: Final = itertools.count()

Shape = tuple[int, ...]


def declared(own: OwnKernel) -> str:
    """Declare a kernel, and give the name by which it is called: one of its own, since two may have the same."""
    name = f"{own.name} (kernel {next(_serials)} of the user)"
    declare(
        Kernel(
            name,
            _rule,
            None if own.emit is None else partial(_emit, own, own.emit),
            own.name.replace("{", "{{").replace("}", "}}"),
            "{0}",
            prologue=_prologue if own.fuse else None,
            epilogue=_epilogue if own.fuse else None,
            variants=tuple(Variant(way.name, partial(_estimate, way), partial(_emit, own, way.emit)) for way in own.variants),
            kept=False,
        )
    )
    return name


def implementation(own: OwnKernel, op: Op) -> Callable[..., Any]:
    """Give the engine's implementation of the Op of a kernel, which declares it when it is first called."""
    names: list[str] = []

    def run(builder: Builder, *operands: Any, **parameters: Any) -> Any:
        check_parameters(own.name, parameters)
        taken = [builder.operand(item) for item in operands]
        assert isinstance(op.rule, OwnRule)
        signatures = op.rule.operands(builder.promotion, taken)
        results = own.results(signatures, parameters)
        foreign = [one.dtype for one in (*signatures, *results) if not computes(one.dtype)]
        if foreign:
            raise NotNativeError(f"a NeuronCore does not compute with {', '.join(dict.fromkeys(map(str, foreign)))}")
        if any(0 in shape for shape, _ in (*signatures, *results)):
            raise NotNativeError("it has operands or results without elements")
        if not any(isinstance(item, Value) for item in taken):
            raise NotNativeError("it has no array")
        nodes = [operand(builder, item, one.dtype, one.shape)[0] for item, one in zip(taken, signatures, strict=True)]
        if not names:
            names.append(declared(own))
        native = tuple([Signature(shape, plane_dtypes(dtype)[0]) for shape, dtype in results])
        made = call(names[0], *nodes, results=native, items=tuple(sorted(parameters.items())))
        values = [builder.make((node,), dtype) for node, (_, dtype) in zip(made, results, strict=True)]
        return values[0] if len(values) == 1 else tuple(values)

    return run


def _rule(*operands: Signature, results: tuple[Signature, ...], items: tuple[tuple[str, Hashable], ...]) -> Ruling:
    """Take all operands: the user's rule has been asked. Programs are told apart by signatures and the user's parameters."""
    text = " and ".join(" × ".join(map(str, shape)) or "1" for shape, _ in operands)
    return results, (text, tuple((shape, str(dtype)) for shape, dtype in operands), tuple(shape for shape, _ in results), items)


def _prologue(number: int, _text: str, operands: Sequence[tuple[Shape, str]], _results: Sequence[Shape], _items: object) -> Prologue:
    return Prologue((operands[number][0] or (1,))[-1], whole=True)


def _epilogue(_text: str, _operands: Sequence[object], results: Sequence[Shape], _items: object) -> int:
    """Functions follow results of one shape."""
    return (results[0] or (1,))[-1] if len(set(results)) == 1 else 0


def _estimate(
    way: OwnVariant,
    costs: object,
    _signatures: object,
    _text: str,
    operands: Sequence[tuple[Shape, str]],
    _results: object,
    items: Sequence[tuple[str, Any]],
) -> float:
    return way.estimate(costs, *[Signature(shape, np.dtype(dtype)) for shape, dtype in operands], **dict(items))


def _emit(
    own: OwnKernel,
    emit: Callable[..., object],
    emission: Emission,
    _text: str,
    operands: Sequence[tuple[Shape, str]],
    results: Sequence[Shape],
    items: Sequence[tuple[str, Any]],
) -> None:
    """Give the user's function its operands and results in HBM, or, where functions may be inside, what loads and stores."""
    given = [emission.source(number, shape or (1,)) for number, (shape, _) in enumerate(operands)]
    written = [_store(emission, results)] if own.fuse else [emission.result(shape or (1,), number) for number, shape in enumerate(results)]
    emit(*given, *written, **dict(items))


def _store(emission: Emission, results: Sequence[Shape]) -> Callable[..., None]:
    """Make the function by which a kernel stores tiles: functions of them first, where there are any."""
    after = emission.stage.epilogue
    functions = None if after is None else emission.functions(after)
    matrices = []
    if after is None:
        for number, shape in enumerate(results):
            width = (shape or (1,))[-1]
            matrices.append(emission.result((math.prod(shape) // width, width), number))

    def store(rows: tuple[Any, int], columns: tuple[Any, int], *tiles: Any) -> None:
        if len(tiles) != len(results):
            raise TypeError(f"store takes one tile for each of {len(results)} results, not {len(tiles)}")
        if functions is not None:
            functions.on_tiles(rows, columns)(list(tiles))
            return
        for matrix, tile in zip(matrices, tiles, strict=True):
            nisa.dma_copy(matrix[nl.ds(*rows), nl.ds(*columns)], tile)

    return store
