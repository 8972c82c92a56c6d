"""Folds: two operands of a contraction as matrices, as they lie, so that as little as possible is permuted in memory."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol

__all__ = ["Fold", "FoldCosts", "best_fold", "cost_of_elements", "merged"]


class FoldCosts(Protocol):
    """What a fold costs, in one unit."""

    def multiplied(self, batch: int, rows: int, depth: int, columns: int, moves: Iterable[tuple[int, int]]) -> float:
        """Tell that of a product of matrices, and of its loads and stores: so many rows, of so many elements each."""

    def permutation(self, size: int) -> float:
        """Tell that of a permutation through memory."""

    def turn(self, size: int) -> float:
        """Tell that of transposing an operand on chip as it is loaded."""

    def elements(self, count: int, read: int) -> float:
        """Tell that of multiplying elements one by one and adding them up, of so many that are read."""


class Fold(NamedTuple):
    """
    Two operands as stacks of matrices.

    Attributes
    ----------
    batch, rows, depth, columns : str
        The labels, in the order in which each group becomes one axis.
    turned : tuple of bool
        Whether the first operand lies as (batch, depth, rows), and the second one as (batch, columns, depth).
    permuted : tuple of bool
        Whether they have to be permuted to lie so.
    swapped : bool
        Whether the result is made as (batch, columns, rows).
    """

    batch: str
    rows: str
    depth: str
    columns: str
    turned: tuple[bool, bool]
    permuted: tuple[bool, bool]
    swapped: bool

    def order(self, operand: int, term: str) -> str:
        """Give the order of an operand's labels; of a batch that only the other one has, none."""
        own = "".join(label for label in self.batch if label in term)
        kept = self.columns if operand else self.rows
        first, second = (kept, self.depth) if self.turned[operand] == bool(operand) else (self.depth, kept)
        return own + first + second

    @property
    def result(self) -> str:
        """The order of the result's labels."""
        return self.batch + (self.columns + self.rows if self.swapped else self.rows + self.columns)


def best_fold(
    left: str,
    right: str,
    needed: str,
    extents: Mapping[str, int],
    target: str,
    dense: tuple[bool, bool],
    costs: FoldCosts,
    following: tuple[str, str, str] | None = None,
) -> tuple[Fold, float]:
    """
    Find the cheapest fold of two operands, and what it costs.

    Labels of both that are needed are batches. What comes before the labels that are summed over in one operand alone may be a batch, too,
    for which the other operand serves as a whole. Labels are given in the order of memory, those of the target in the order that the result
    should have, if any; `dense` tells which operands lie without gaps. Of the product that takes the result, `following` has the labels of
    the other operand, those needed, and the target; folds are ranked with the cost of that product, too.
    """
    later: dict[str, float] = {"": 0.0}
    best: tuple[Fold, float] | None = None
    least = math.inf
    for fold in _candidates(left, right, needed, target):
        cost = _cost(fold, left, right, extents, target, dense, costs)
        order = fold.result if following else ""
        if order not in later and following:
            other, needs, wanted = following
            later[order] = best_fold(order, other, needs, extents, wanted, (True, True), costs)[1]
        if cost + later[order] < least:
            best, least = (fold, cost), cost + later[order]
    assert best is not None
    return best


def _candidates(left: str, right: str, needed: str, target: str) -> Iterator[Fold]:
    both = [label for label in left if label in right]
    batch, depth = "".join(one for one in both if one in needed), "".join(one for one in both if one not in needed)
    rows, columns = ("".join(one for one in term if one not in both) for term in (left, right))
    choices = [("", rows, columns)]
    if not batch:
        choices += [(rows[:count], rows[count:], columns) for count in _leading(left, depth)]
        choices += [(columns[:count], rows, columns[count:]) for count in _leading(right, depth)]
    for extra, kept, others in choices:
        stacks = _orders(batch + extra, left, right, target)
        inner = _orders(kept, left, target), _orders(depth, left, right), _orders(others, right, target)
        for stack, first, summed, second in itertools.product(stacks, *inner):
            for one, other, swapped in itertools.product((False, True), repeat=3):
                fold = Fold(stack, first, summed, second, (one, other), (False, False), swapped)
                yield fold._replace(permuted=(fold.order(0, left) != left, fold.order(1, right) != right))


def _leading(term: str, depth: str) -> list[int]:
    """Count the labels before those that are summed over: all of them, where there are any."""
    count = min((term.index(label) for label in depth), default=0)
    return [count] if count else []


def _orders(labels: str, *terms: str) -> list[str]:
    """Order labels as each term does that has all of them."""
    found = ["".join(one for one in term if one in labels) for term in terms]
    return list(dict.fromkeys(one for one in found if len(one) == len(labels))) or [labels]


def _cost(
    fold: Fold, left: str, right: str, extents: Mapping[str, int], target: str, dense: tuple[bool, bool], costs: FoldCosts
) -> float:
    def size(labels: str) -> int:
        return math.prod(extents[label] for label in labels)

    batch, rows, depth, columns = map(size, (fold.batch, fold.rows, fold.depth, fold.columns))
    if fold.swapped:
        rows, columns = columns, rows
    moves = [(batch * rows, columns)]
    for operand, (term, kept) in enumerate(((left, fold.rows), (right, fold.columns))):
        deep = fold.turned[operand] != bool(operand)  # it lies as rows of the labels that are kept
        stack = size("".join(one for one in fold.batch if one in term))
        moves.append((stack * size(fold.depth), size(kept)) if deep else (stack * size(kept), size(fold.depth)))
    total = costs.multiplied(batch, rows, depth, columns, moves)
    for operand, term in enumerate((left, right)):
        if fold.permuted[operand] or not dense[operand]:
            total += costs.permutation(size(term))
        stationary = bool(operand) == fold.swapped  # of which depth comes first on chip, as it does of the other one
        lies_deep = fold.turned[operand] != bool(operand)
        if not lies_deep:
            total += costs.turn(size(term)) * (1.0 if stationary else 1.01)
    if target and fold.result != target:
        total += costs.permutation(size(fold.result))
    return total


def merged(left: str, right: str) -> str:
    """
    Join labels so that those of each operand keep their order, where the operands agree on it.

    Examples
    --------
    >>> merged("jr", "kr"), merged("ij", "ji")
    ('jkr', 'ij')
    """
    found: list[str] = []
    rest = [label for label in right if label not in left]
    for label in left:
        if label in right:
            before = [one for one in rest if right.index(one) < right.index(label)]
            found += before
            rest = [one for one in rest if one not in before]
        found.append(label)
    return "".join(found + rest)


def cost_of_elements(
    left: str, right: str, needed: str, extents: Mapping[str, int], target: str, dense: tuple[bool, bool], costs: FoldCosts
) -> float:
    """Tell what it costs to multiply elements in the operands' joint order and to add up those of the labels that nobody needs."""
    order = merged(left, right)
    depth = [place for place, label in enumerate(order) if label not in needed]
    if depth[-1] - depth[0] + 1 != len(depth):
        return math.inf

    def size(labels: str) -> int:
        return math.prod(extents[label] for label in labels)

    total = costs.elements(size(order), size(left) + size(right))
    if depth[-1] != len(order) - 1:  # sums over other axes than the last ones are a stage of their own
        total += costs.permutation(size(order))
    for term, compact in zip((left, right), dense, strict=True):
        if not compact or "".join(one for one in order if one in term) != term:
            total += costs.permutation(size(term))
    kept = "".join(label for label in order if label in needed)
    return total + costs.permutation(size(kept)) if target and kept != target else total
