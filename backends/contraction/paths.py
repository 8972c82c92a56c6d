"""Orders of pairwise products of a contraction: the cheapest one of few operands, and a good one of many, by any cost of a product."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["Cost", "Path", "Step", "checked_path", "find_path", "followers", "multiplications", "steps_of", "sums_first"]

Path: TypeAlias = tuple[tuple[int, ...], ...]
"""NumPy's: which of the present operands are multiplied next; their product becomes the last one."""
Cost: TypeAlias = Callable[[int, int, int, int], float]
"""``cost(batch, rows, depth, columns)`` of a product of matrices of these extents, in any unit."""

_Tree: TypeAlias = Any  # the number of an operand, or a pair of trees
_FEW: Final = 4  # operands, of which those without a common label are multiplied where that is cheaper
_EXACT: Final = 7  # operands of which all orders are compared: at most some thousand pairs
_TRIALS: Final = 16
_ROUNDS: Final = 3
_WINDOW: Final = 7


class Step(NamedTuple):
    """
    A product of two operands, or a sum over one.

    Attributes
    ----------
    operands : tuple of int
        Their indices among those present.
    terms : tuple of str
        Their labels.
    output : str
        The labels that the result or other operands need.
    """

    operands: tuple[int, ...]
    terms: tuple[str, ...]
    output: str


def multiplications(batch: int, rows: int, depth: int, columns: int) -> float:
    """Count the multiplications of elements."""
    return float(batch * rows * depth * columns)


class _Network:
    """Labels as bits, and the cost of a product of sets of operands."""

    def __init__(self, terms: Sequence[str], output: str, sizes: Mapping[str, int], cost: Cost) -> None:
        bits = {label: 1 << number for number, label in enumerate(sorted(set("".join(terms))))}
        self.labels = [functools.reduce(int.__or__, (bits[one] for one in term), 0) for term in terms]
        self.output = functools.reduce(int.__or__, (bits[one] for one in output), 0)
        self.extents = {bit: sizes[label] for label, bit in bits.items()}
        self.cost = cost
        self._sizes: dict[int, int] = {0: 1}

    def size(self, labels: int) -> int:
        """Multiply the extents of labels."""
        found = self._sizes.get(labels)
        if found is None:
            lowest = labels & -labels
            found = self._sizes[labels] = self.extents[lowest] * self.size(labels ^ lowest)
        return found

    def product(self, left: int, right: int, needed: int) -> float:
        """Tell the cost of a product of two operands by their labels, and those that are needed afterwards."""
        both = left & right
        return self.cost(self.size(both & needed), self.size(left & ~both), self.size(both & ~needed), self.size(right & ~both))


def find_path(
    terms: Sequence[str], output: str, sizes: Mapping[str, int], cost: Cost = multiplications, *, thorough: bool = False
) -> Path:
    """
    Find an order of products.

    Of up to seven operands (ten if it is to be thorough) all orders are compared by dynamic programming over sets of operands; orders with
    products of operands that share no label only where there are up to four. Of more, greedy orders, some of them with noise, are improved
    by the same programming on parts of the tree.

    Notes
    -----
    Sources: Pfeifer, Haegeman and Verstraete, Phys. Rev. E 90, 033315 (2014), for sets of operands; Gray and Kourtis, Quantum 5, 410
    (2021), for the noise and for the improvement of subtrees.

    Examples
    --------
    >>> find_path(["mi", "na", "mnP"], "iaP", {"m": 96, "i": 16, "n": 96, "a": 80, "P": 128})
    ((0, 2), (0, 1))
    """
    count = len(terms)
    if count < 3:
        return (tuple(range(count)),)
    network = _Network(terms, output, sizes, cost)
    leaves = [network.labels[number] & _others(network, {number}) for number in range(count)]
    if count <= (_EXACT + 3 if thorough else _EXACT):
        tree, _, _ = _best_tree(network, list(range(count)), leaves, network.output, outer=count <= _FEW or thorough)
        return _as_path(tree, count)
    found = [_improved(network, _greedy(network, leaves, trial), leaves) for trial in range(_TRIALS if count < 64 else 2)]
    return _as_path(min(found, key=lambda one: one[1])[0], count)


def _others(network: _Network, members: set[int]) -> int:
    return functools.reduce(int.__or__, (one for number, one in enumerate(network.labels) if number not in members), network.output)


def _best_tree(
    network: _Network, trees: Sequence[_Tree], labels: Sequence[int], output: int, *, outer: bool
) -> tuple[_Tree, float, int]:
    """Combine trees at the least cost: give the tree, its cost and its labels. Parts that share no label are combined by size."""
    parts = _components(labels) if not outer else [list(range(len(labels)))]
    found = []
    for part in parts:
        rest = functools.reduce(int.__or__, (labels[one] for one in range(len(labels)) if one not in part), output)
        found.append(_best_of_set(network, [trees[one] for one in part], [labels[one] for one in part], rest, outer=outer))
    found.sort(key=lambda one: network.size(one[2]))
    tree, total, held = found[0]
    for other, cost, more in found[1:]:
        tree, total, held = (tree, other), total + cost + network.product(held, more, held | more), held | more
    return tree, total, held


def _components(labels: Sequence[int]) -> list[list[int]]:
    """Group operands that share labels, directly or through others."""
    groups: list[tuple[int, list[int]]] = []
    for number, own in enumerate(labels):
        joined, members = own, [number]
        rest = []
        for held, group in groups:
            if held & own:
                joined, members = joined | held, group + members
            else:
                rest.append((held, group))
        groups = [*rest, (joined, members)]
    return [sorted(group) for _, group in groups]


def _best_of_set(
    network: _Network, trees: Sequence[_Tree], labels: Sequence[int], output: int, *, outer: bool
) -> tuple[_Tree, float, int]:
    """Find the cheapest tree by that of each set of operands, from small to large ones; of more than four, sets that share labels."""
    count = len(trees)
    full, outer = (1 << count) - 1, outer or count <= _FEW
    unions = [0] * (full + 1)
    for members in range(1, full + 1):
        lowest = members & -members
        unions[members] = unions[members ^ lowest] | labels[lowest.bit_length() - 1]
    best: dict[int, tuple[_Tree, float, int]] = {1 << number: (trees[number], 0.0, labels[number]) for number in range(count)}
    levels: list[list[int]] = [[], [1 << number for number in range(count)]]
    for size in range(2, count + 1):
        level: dict[int, tuple[_Tree, float, int]] = {}
        for one, other in _pairs(levels, size):
            if one & other:
                continue
            (left, spent, mine), (right, more, theirs) = best[one], best[other]
            if not outer and not mine & theirs:
                continue
            members = one | other
            needed = unions[full ^ members] | output
            total = spent + more + network.product(mine, theirs, needed)
            held = level.get(members)
            if held is None or total < held[1]:
                level[members] = (left, right), total, (mine | theirs) & needed
        best.update(level)
        levels.append(list(level))
    return best[full]


def _pairs(levels: list[list[int]], size: int) -> Iterator[tuple[int, int]]:
    for small in range(1, size // 2 + 1):
        for one in levels[small]:
            for other in levels[size - small]:
                if 2 * small < size or one < other:
                    yield one, other


def _greedy(network: _Network, leaves: Sequence[int], trial: int) -> _Tree:
    """Multiply the pair whose result is smallest beside its operands, again and again; all trials but the first choose with noise."""
    noise = random.Random(trial)
    held: dict[int, tuple[_Tree, int]] = dict(enumerate((number, own) for number, own in enumerate(leaves)))
    counts = {bit: sum(1 for own in leaves if own & bit) + bool(network.output & bit) for bit in network.extents}

    def result(one: int, other: int) -> int:
        both = one & other
        gone = functools.reduce(int.__or__, (bit for bit in _bits(both) if counts[bit] <= 2), 0)
        return (one | other) & ~gone

    while len(held) > 1:
        best, chosen = math.inf, (-1, -1)
        keys = list(held)
        pairs = [(a, b) for place, a in enumerate(keys) for b in keys[place + 1 :] if held[a][1] & held[b][1]]
        for a, b in pairs or _smallest(network, held):
            one, other = held[a][1], held[b][1]
            value = network.size(result(one, other)) - float(network.size(one) + network.size(other))
            if trial:
                value = math.copysign(math.log1p(abs(value)), value) + noise.gauss(0, 1)
            if value < best:
                best, chosen = value, (a, b)
        (left, one), (right, other) = held.pop(chosen[0]), held.pop(chosen[1])
        made = result(one, other)
        for bit in _bits(one & other):
            counts[bit] -= 1 if made & bit else 2
        held[max(*keys, len(leaves)) + 1] = (left, right), made
    return next(iter(held.values()))[0]


def _smallest(network: _Network, held: Mapping[int, tuple[_Tree, int]]) -> list[tuple[int, int]]:
    one, other, *_ = sorted(held, key=lambda key: network.size(held[key][1]))
    return [(one, other)]


def _bits(labels: int) -> Iterator[int]:
    while labels:
        lowest = labels & -labels
        yield lowest
        labels ^= lowest


def _improved(network: _Network, tree: _Tree, leaves: Sequence[int]) -> tuple[_Tree, float]:
    """Replace parts of a tree, of up to seven subtrees each, by the cheapest combinations of these."""
    cost = math.inf
    for _ in range(_ROUNDS):
        tree, total, _, _ = _renewed(network, tree, leaves)
        if total >= cost:
            break
        cost = total
    return tree, total


def _renewed(network: _Network, tree: _Tree, leaves: Sequence[int]) -> tuple[_Tree, float, int, int]:
    """Improve from the leaves on: give the tree, its cost, its labels, and its operands as bits."""
    if isinstance(tree, int):
        return tree, 0.0, leaves[tree], 1 << tree
    (left, spent, one, mine), (right, more, other, theirs) = (_renewed(network, part, leaves) for part in tree)
    members = mine | theirs
    needed = _others(network, {number for number in range(len(leaves)) if members >> number & 1})
    total, held = spent + more + network.product(one, other, needed), (one | other) & needed
    parts = _frontier((left, right))
    known = [_renewed_labels(network, part, leaves) for part in parts]
    inner = sum(_tree_cost(network, part, leaves)[0] for part in parts)
    better, cost, _ = _best_tree(network, parts, known, needed, outer=False)
    return (better, cost + inner, held, members) if cost + inner < total else ((left, right), total, held, members)


def _frontier(tree: _Tree) -> list[_Tree]:
    """Open subtrees, those with most operands first, until there are seven."""
    parts = list(tree)
    while len(parts) < _WINDOW:
        largest = max(parts, key=_leaf_count)
        if isinstance(largest, int):
            break
        parts.remove(largest)
        parts += largest
    return parts


def _leaf_count(tree: _Tree) -> int:
    return 1 if isinstance(tree, int) else sum(map(_leaf_count, tree))


def _members(tree: _Tree) -> set[int]:
    return {tree} if isinstance(tree, int) else set().union(*map(_members, tree))


def _renewed_labels(network: _Network, tree: _Tree, leaves: Sequence[int]) -> int:
    members = _members(tree)
    return functools.reduce(int.__or__, (leaves[one] for one in members), 0) & _others(network, members)


def _tree_cost(network: _Network, tree: _Tree, leaves: Sequence[int]) -> tuple[float, int]:
    if isinstance(tree, int):
        return 0.0, leaves[tree]
    (spent, one), (more, other) = (_tree_cost(network, part, leaves) for part in tree)
    needed = _others(network, _members(tree))
    return spent + more + network.product(one, other, needed), (one | other) & needed


def _as_path(tree: _Tree, count: int) -> Path:
    """Write a tree as NumPy does: indices among the operands that are left."""
    present = list(range(count))
    path: list[tuple[int, ...]] = []

    def visit(node: _Tree) -> int:
        if isinstance(node, int):
            return node
        pair = [visit(part) for part in node]
        places = tuple(sorted(present.index(one) for one in pair))
        for place in reversed(places):
            del present[place]
        made = count + len(path)
        present.append(made)
        path.append(places)
        return made

    visit(tree)
    return tuple(path)


def checked_path(path: Sequence[Any], count: int) -> Path:
    """
    Check an order that a caller gave.

    Examples
    --------
    >>> checked_path([(0, 1), (0, 1)], 3)
    ((0, 1), (0, 1))
    """
    left, found = count, []
    for step in path:
        places = tuple(int(place) for place in step)
        if len(set(places)) != len(places) or any(not 0 <= place < left for place in places) or not places:
            raise ValueError(f"einsum: the path takes {places} of {left} operands")
        left -= len(places) - 1
        found.append(places)
    if left != 1:
        raise RuntimeError(f"einsum: the path leaves {left} operands, not one; {left - 1} more have to be contracted")
    return tuple(found)


def steps_of(terms: Sequence[str], output: str, path: Path) -> tuple[Step, ...]:
    """
    Say what the products of a path have and give; where a path takes more than two at once, they are multiplied from left to right.

    Examples
    --------
    >>> [f"{','.join(step.terms)}->{step.output}" for step in steps_of(["mi", "na", "mnP"], "iaP", ((0, 2), (0, 1)))]
    ['mi,mnP->inP', 'na,inP->iaP']
    """
    present, steps = list(terms), []
    for places in path:
        rest = list(places)
        while True:
            pair = tuple(rest[:2])
            taken = tuple(present[place] for place in pair)
            for place in sorted(pair, reverse=True):
                del present[place]
            others = set(output).union(*present)
            made = output if not present else "".join(one for one in dict.fromkeys("".join(taken)) if one in others)
            steps.append(Step(pair, taken, made))
            present.append(made)
            moved = [place - sum(one < place for one in pair) for place in rest[2:]]
            if not moved:
                break
            rest = [len(present) - 1, *moved]
    return tuple(steps)


def followers(steps: Sequence[Step], count: int, output: str) -> list[tuple[str, str, str] | None]:
    """Find, for each product, the one that takes its result: the other operand's labels, the labels that it needs, and its target."""
    present: list[int] = [-1] * count  # by which step it was made
    found: list[tuple[str, str, str] | None] = [None] * len(steps)
    for number, step in enumerate(steps):
        for place, term in zip(step.operands, reversed(step.terms), strict=True):
            made, sums = present[place], set(step.terms[0]) & set(step.terms[-1]) - set(step.output)
            if len(step.operands) == 2 and made >= 0 and sums:
                other = "".join(one for one in dict.fromkeys(term) if one in step.output or one in sums)
                found[made] = other, step.output, output if number == len(steps) - 1 else ""
        for place in sorted(step.operands, reverse=True):
            del present[place]
        present.append(number)
    return found


def sums_first(labels: Sequence[str], output: str) -> bool:
    """Tell whether an operand of two has a label of its own that is summed over before the product."""
    return len(labels) == 2 and any(set(own) - set(other) - set(output) for own, other in (labels, labels[::-1]))
