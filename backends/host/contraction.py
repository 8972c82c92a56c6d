"""Contractions on the host: products of matrices by BLAS, in an order and in folds that are found once for subscripts and shapes."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ..contraction.layouts import best_fold
from ..contraction.notation import extents_of, read
from ..contraction.paths import find_path, steps_of

__all__ = ["contracted", "recipe"]

_Array: TypeAlias = "npt.NDArray[Any]"
_Recipe: TypeAlias = tuple[tuple[tuple[int, ...], Callable[..., _Array]], ...]


class _Costs:
    """Times of the host, in units of a move of one element through memory."""

    def product(self, batch: int, rows: int, depth: int, columns: int) -> float:
        """Tell that of a product: some 16 multiplications in the time of a move, if it is no sum of a few."""
        return batch * (rows * depth * columns / 16 + rows * depth + depth * columns + rows * columns + 512)

    def multiplied(self, batch: int, rows: int, depth: int, columns: int, moves: Iterable[tuple[int, int]]) -> float:  # noqa: ARG002
        """Tell the same, however operands lie."""
        return self.product(batch, rows, depth, columns)

    def permutation(self, size: int) -> float:
        """Tell that of a copy."""
        return 4.0 * size

    def turn(self, size: int) -> float:
        """Tell that of a transposed operand, which BLAS packs like any other."""
        return 0.01 * size

    def elements(self, count: int, read: int) -> float:
        """Tell that of products of elements."""
        return float(count + read)


_COSTS: Final = _Costs()


@functools.lru_cache(maxsize=1024)
def recipe(subscripts: str, *shapes: tuple[int, ...], strict: bool, few: int) -> _Recipe | None:
    """Find how to contract operands of these shapes; None where products of elements are few, or an axis of one element is repeated."""
    found = read(subscripts, [len(shape) for shape in shapes], strict=strict)
    extents = extents_of(found.terms, shapes)
    if math.prod(extents.values()) <= few or any(
        extents[label] != extent for term, shape in zip(found.terms, shapes, strict=True) for label, extent in zip(term, shape, strict=True)
    ):
        return None
    path = find_path(found.terms, found.output, extents, _COSTS.product)
    return _with_orders(found.terms, found.output, path, extents)


def _with_orders(terms: Sequence[str], output: str, path: Any, extents: dict[str, int]) -> _Recipe:
    """Follow a path with the orders of labels that each product gives."""
    present, made = list(terms), []
    for step in steps_of(terms, output, path):
        taken = [present[place] for place in step.operands]
        for place in sorted(step.operands, reverse=True):
            del present[place]
        function, order = _product(taken, step.output, extents, "" if present else output)
        present.append(order)
        made.append((step.operands, function))
    return tuple(made)


def _product(terms: Sequence[str], needed: str, extents: dict[str, int], target: str) -> tuple[Callable[..., _Array], str]:
    """Make the function of a product, and give the order of its result's labels."""
    first, second = (
        "".join(dict.fromkeys(one for one in term if one in needed or one in other)) for term, other in (terms, terms[::-1])
    )
    summed = [None if own == term else f"{term}->{own}" for own, term in zip((first, second), terms, strict=True)]
    depth = [one for one in first if one in second and one not in needed]
    if not depth:
        order = target or first + "".join(one for one in second if one not in first)
        function = functools.partial(_multiplied, summed, _aligned(first, order), _aligned(second, order))
        return function, order
    fold, _ = best_fold(first, second, needed, extents, target, (True, True), _COSTS)
    views = []
    for number, term in enumerate((first, second)):
        order = fold.order(number, term)
        batch = "".join(one for one in fold.batch if one in term)
        kept = fold.columns if number else fold.rows
        groups = [kept, fold.depth] if fold.turned[number] == bool(number) else [fold.depth, kept]
        shape = tuple(math.prod(extents[one] for one in part) for part in ([batch] if batch else []) + groups)
        views.append((tuple(term.index(one) for one in order), shape, fold.turned[number]))
    made = fold.result
    shape = tuple(extents[one] for one in made)
    axes = tuple(made.index(one) for one in target) if target and made != target else None
    return functools.partial(_matmul, summed, views, fold.swapped, shape, axes), target or made


def _aligned(term: str, order: str) -> tuple[tuple[int, ...], tuple[Any, ...]]:
    return tuple(term.index(one) for one in order if one in term), tuple(slice(None) if one in term else np.newaxis for one in order)


def _multiplied(summed: Sequence[str | None], first: Any, second: Any, a: Any, b: Any) -> _Array:
    a, b = (one if how is None else np.einsum(how, one) for how, one in zip(summed, (a, b), strict=True))
    product: _Array = np.multiply(a.transpose(first[0])[first[1]], b.transpose(second[0])[second[1]])
    return product


def _matmul(summed: Sequence[str | None], views: Any, swapped: bool, shape: tuple[int, ...], axes: Any, *operands: _Array) -> _Array:
    matrices = []
    for how, (order, extents, turned), operand in zip(summed, views, operands, strict=True):
        matrix = (operand if how is None else np.einsum(how, operand)).transpose(order).reshape(extents)
        matrices.append(matrix.swapaxes(-1, -2) if turned else matrix)
    a, b = matrices
    product: _Array = (np.matmul(b.swapaxes(-1, -2), a.swapaxes(-1, -2)) if swapped else np.matmul(a, b)).reshape(shape)
    return product if axes is None else product.transpose(axes)


def contracted(found: _Recipe, operands: Sequence[_Array]) -> _Array:
    """Follow a recipe, with operands of one dtype."""
    present = list(operands)
    for places, function in found:
        taken = [present[place] for place in places]
        for place in sorted(places, reverse=True):
            del present[place]
        present.append(function(*taken))
    return present[0]
