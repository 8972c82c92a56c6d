"""Matrices of constant diagonals, which the host looks up once for stored values: products, and steps of conjugate gradients."""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ....dtypes import FLOAT32
from ....rules import Signature
from ...costs import Costs
from ...graph.build import call
from ...kernel import estimate, kernel
from ...value import Value
from .. import Builder, Lowerings
from .diagonals import Diagonals, find_diagonals
from .structure import Structure, find_structure

__all__ = ["Stencil", "find_stencil", "multiply_stencil", "time"]


_Run: TypeAlias = tuple[int, int, int]  # rows of a period, or 0 for all rows; the first one with an element; how many have one


class Stencil(NamedTuple):
    """
    Diagonals of one value each.

    Attributes
    ----------
    offsets : tuple of int
        Columns from the main one, ascending.
    runs : tuple of (int, int, int)
        The rows in which a diagonal has an element, as the kernel's `Run`.
    coefficients : Value
        Their values.
    """

    offsets: tuple[int, ...]
    runs: tuple[_Run, ...]
    coefficients: Value


def find_stencil(builder: Builder, structure: Structure, found: Diagonals, data: Value, x: Value) -> Stencil | None:
    """
    Find the constant diagonals of a matrix, if the kernel takes a product with them.

    Values are brought to the host once for each Array of them, which is counted as a transfer; pending ones only as a structure's first.
    """
    rows = structure.shape[0]
    runs = structure.kept("runs", lambda: _runs(structure, found))
    if runs is None or x.ndim != 1 or x.dtype != FLOAT32 or data.dtype != FLOAT32:
        return None
    operands = Signature(x.shape, x.dtype), Signature((len(runs),), FLOAT32)
    if not kernel("stencil product").takes(*operands, rows=rows, offsets=found.offsets, runs=runs):
        return None
    looked: list[bool] = structure.kept("values looked at", list)
    if not data.covers(data.cells[0]) or (data.cells[0].node.buffer is None and looked):
        return None
    looked.append(True)
    coefficients = structure.arranged("coefficients", data, lambda: _coefficients(builder, structure, found, data))
    return None if coefficients is None else Stencil(found.offsets, runs, coefficients)


def _runs(structure: Structure, found: Diagonals) -> tuple[_Run, ...] | None:
    rows, columns = structure.shape
    runs = []
    for offset, sources in zip(found.offsets, found.sources, strict=True):
        first, last = max(0, -offset), min(rows, columns - offset)
        run = _run(sources[first:last] < len(structure.rows), first)
        if run is None:
            return None
        runs.append(run)
    return tuple(runs)


def _run(stored: npt.NDArray[np.bool], first: int) -> _Run | None:
    """Find the rows of a diagonal, of which those within the matrix are given: the first or the last ones of all periods."""
    (missing,) = np.nonzero(~stored)
    if not len(missing):
        return 0, 0, 0
    missing += first
    begins = missing[np.append(True, np.diff(missing) > 1)]
    if len(begins) < 2:
        return None
    period, size = int(begins[-1] - begins[-2]), int(np.sum(missing >= begins[-2]) - np.sum(missing >= begins[-1]))
    at = int(begins[-2]) % period
    begin, most = (size, period - size) if at == 0 else (0, at)
    place = np.arange(first, first + len(stored)) % period
    within = (place >= begin) & (place < begin + most)
    return (period, begin, most) if np.array_equal(within, stored) else None


def _coefficients(builder: Builder, structure: Structure, found: Diagonals, data: Value) -> Value | None:
    """Look the values of diagonals up, if each has one, which is finite."""
    values = np.append(builder.on_host(data).reshape(-1)[structure.positions], np.float32(0))
    least, most = (reduce(np.where(found.sources < len(structure.rows), values[found.sources], rest), axis=1) for reduce, rest in _EXTREMA)
    return builder.from_host(least.astype(np.float32), copy=True) if np.array_equal(least, most) and np.all(np.isfinite(least)) else None


_EXTREMA: Any = ((np.min, np.float32(math.inf)), (np.max, np.float32(-math.inf)))


def multiply_stencil(builder: Builder, stencil: Stencil, rows: int, x: Value) -> Value:
    """Multiply constant diagonals with a vector of float32."""
    nodes = (*x.read(), *stencil.coefficients.read())
    return builder.make(call("stencil product", *nodes, rows=rows, offsets=stencil.offsets, runs=stencil.runs), x.dtype)


def time(costs: Costs, stencil: Stencil, rows: int, x: Value) -> float:
    """Estimate a product, in ns."""
    parameters = (rows, x.shape[0]), len(stencil.offsets), stencil.offsets, stencil.runs
    return estimate("stencil product", costs, (Signature((rows,), FLOAT32),), *parameters)


def _product(
    builder: Builder, x: Value, offsets: tuple[int, ...], runs: tuple[_Run, ...], coefficients: tuple[float, ...]
) -> Value | None:
    """Multiply constant diagonals that are known with a vector, if the kernel takes it."""
    operands = Signature(x.shape, x.dtype), Signature((len(runs),), FLOAT32)
    if not kernel("stencil product").takes(*operands, rows=x.shape[0], offsets=offsets, runs=runs):
        return None
    stencil = Stencil(offsets, runs, builder.from_host(np.array(coefficients, np.float32), copy=True))
    return builder.result(multiply_stencil(builder, stencil, x.shape[0], x).read(), FLOAT32)


def _gradient_turns(builder: Builder, packed: Any, x: Value, r: Value, p: Value, state: Value, turns: int) -> tuple[Value, ...] | None:
    """Take steps of conjugate gradients, if the matrix has constant diagonals and the vectors fit the chip."""
    if not packed[2][0].size:
        return None
    structure = find_structure(builder, packed)
    found = find_diagonals(structure)
    stencil = None if found is None else find_stencil(builder, structure, found, packed[2][0], r)
    if stencil is None:
        return None
    operands = *(Signature(one.shape, one.dtype) for one in (x, r, p, state)), Signature((len(stencil.runs),), FLOAT32)
    attributes: dict[str, Any] = {"offsets": stencil.offsets, "runs": stencil.runs, "turns": turns}
    if not kernel("stencil gradients").takes(*operands, **attributes):
        return None
    nodes = call("stencil gradients", *(node for one in (x, r, p, state, stencil.coefficients) for node in one.read()), **attributes)
    return tuple(builder.make((node,), FLOAT32) for node in nodes)


LOWERINGS: Final[Lowerings] = {"sparse.linalg.cg_turns": _gradient_turns, "sparse.linalg.stencil_product": _product}
