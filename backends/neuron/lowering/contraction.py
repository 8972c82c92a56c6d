"""Sums over products of elements by labels of axes (`einsum`): an order of products, and each as a product of matrices as they lie."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final, NamedTuple

import numpy as np

from ...contraction.layouts import Fold, best_fold, cost_of_elements, merged
from ...contraction.notation import extents_of
from ...contraction.paths import Path, find_path, followers, steps_of, sums_first
from ...dtypes import COMPLEX64, FLOAT32, DType, is_low_precision
from ...host.einstein import view
from ...op import get_op
from ...settings import config, get_config
from ..costs import Costs
from ..graph.build import reshape
from ..graph.graph import Node
from ..value import Value
from . import Builder, Lowerings
from .contraction_costs import ProductCosts
from .matrix_stacks import as_it_lies, multiply_matrices
from .op_calls import call, converted
from .products import multiplied

__all__: list[str] = []

_BY_ELEMENTS: Final = (FLOAT32, COMPLEX64)


class _Term(NamedTuple):
    """An operand and its labels, no axis of which has one element."""

    labels: str
    value: Value


def _einsum(
    builder: Builder,
    subscripts: str,
    *operands: Value,
    dtype: DType | None = None,
    optimize: Any = (),
    order: str = "K",
    **checked: Any,
) -> Value:
    """Contract operands pair by pair; low-precision floats in float32 where there is more than one product, rounded once."""
    inputs, _, output = subscripts.partition("->")
    labels = inputs.split(",")
    extents = extents_of(labels, [value.shape for value in operands])
    common = dtype or builder.promotion.result_type(*[value.dtype for value in operands])
    inner = FLOAT32 if is_low_precision(common) and (len(labels) > 2 or sums_first(labels, output)) else common
    values = [converted(builder, value, common) for value in operands]
    terms = [_without_ones(label, value, extents) for label, value in zip(labels, values, strict=True)]
    wanted = "".join(label for label in (_as_operands_lie(terms, output) if order == "K" else output) if extents[label] != 1)
    costs = _product_costs(builder.costs, inner)
    path: Path = optimize[1:] or _path(tuple(term.labels for term in terms), wanted, tuple(extents.items()), costs)
    steps = steps_of([term.labels for term in terms], wanted, path)
    plan, after = _Plan(extents, costs, inner), followers(steps, len(terms), wanted)
    with _divided(len(steps)):
        for number, step in enumerate(steps):
            taken = [terms[place] for place in step.operands]
            for place in sorted(step.operands, reverse=True):
                del terms[place]
            needed = set(step.output)
            reduced = [
                _summed(builder, term, needed.union(*(other.labels for other in taken if other is not term)), inner) for term in taken
            ]
            last = wanted if number == len(steps) - 1 else ""
            if len(reduced) == 1:
                terms += reduced
            else:
                terms.append(_pair(builder, reduced[0], reduced[1], step.output, plan, last, after[number]))
    (found,), gone = terms, set("".join(labels)) - set(output)
    added = bool(gone) and common.kind in "fc" and all(extents[label] == 1 for label in gone)
    if added:  # a sum of one element, which begins with 0: -0 becomes 0
        found = _Term(found.labels, call(builder, "add", found.value, 0.0))
    return _finished(builder, found, output, extents, common, order, fresh=added or len(steps) > 1 or len(steps[0].operands) > 1)


class _Plan(NamedTuple):
    """The extents of all labels, what products cost, and the dtype of their results."""

    extents: Mapping[str, int]
    costs: ProductCosts
    dtype: DType


def _as_operands_lie(terms: Sequence[_Term], output: str) -> str:
    """Order the result's labels in memory: as NumPy's iterator does where no operand lies in C order, else as they are."""
    several = [term for term in terms if term.value.ndim > 1]
    if len(output) < 2 or not several or any(term.value.shadow.flags.c_contiguous for term in several):
        return output
    labels = "".join(dict.fromkeys(output + "".join(term.labels for term in terms)))
    strides = [
        [sum(step for one, step in zip(term.labels, term.value.shadow.strides, strict=True) if one == label) for label in labels]
        for term in terms
    ]
    shape = (2,) * len(labels)
    operands: list[Any] = [np.lib.stride_tricks.as_strided(np.empty(1), shape, steps, writeable=False) for steps in strides]
    axes: list[Any] = [None] * len(operands) + [[place if label in output else -1 for place, label in enumerate(labels)]]
    flags: list[Any] = [*(["readonly"] for _ in operands), ["readwrite", "allocate"]]
    made = np.nditer([*operands, None], ["reduce_ok"], flags, op_axes=axes).operands[-1]
    return "".join(sorted(output, key=lambda label: -made.strides[output.index(label)]))


def _divided(steps: int) -> AbstractContextManager[object]:
    """Divide the error that was asked for among products: errors relative to the sum of magnitudes multiply."""
    target = get_config().target_forward_error
    return nullcontext() if target is None or steps < 2 else config(target_forward_error=math.expm1(math.log1p(target) / steps))


def _finished(builder: Builder, term: _Term, output: str, extents: Mapping[str, int], dtype: DType, order: str, *, fresh: bool) -> Value:
    """Order the axes, those of one element among them: a view of memory that nobody else has, unless an order of memory is asked for."""
    value = converted(builder, term.value, dtype)
    fresh = fresh or value is not term.value
    moved = np.transpose(value.shadow, [term.labels.index(label) for label in output if extents[label] != 1])
    shadow = moved[tuple(np.newaxis if extents[label] == 1 else slice(None) for label in output) or ...]
    if fresh and output and order in ("K", "A"):
        return value.view(shadow) if shadow.ndim != value.ndim or not shadow.flags.c_contiguous else value
    if order == "F" and output:
        made = builder.make(value.view(shadow.T).read(), dtype)
        return made.view(made.shadow.T)
    return builder.result(value.view(shadow).read(), dtype)


def _einsum_view(builder: Builder, operand: Value, subscripts: Any, *output: Any) -> Any:
    found = view(operand.shadow, subscripts, *output)
    return operand.view(found) if isinstance(found, np.ndarray) else operand.without_memory()  # of no axes, NumPy makes a scalar


def _without_ones(labels: str, value: Value, extents: Mapping[str, int]) -> _Term:
    """Drop axes of one element; where other operands have more of that label, the element is repeated along them."""
    if 1 not in value.shape:
        return _Term(labels, value)
    kept = [axis for axis, extent in enumerate(value.shape) if extent != 1]
    shadow = value.shadow[tuple(0 if extent == 1 else slice(None) for extent in value.shape)]
    return _Term("".join(labels[axis] for axis in kept), value.view(np.asarray(shadow) if kept else value.shadow.reshape(())))


def _summed(builder: Builder, term: _Term, needed: set[str], dtype: DType) -> _Term:
    """Take diagonals of axes of one label, and sum over labels that nobody else needs, with a result of that dtype."""
    label, value = term
    unique = "".join(dict.fromkeys(label))
    if unique != label:
        value = value.view(np.einsum(f"{label}->{unique}", value.shadow))
    gone = tuple(axis for axis, one in enumerate(unique) if one not in needed)
    if gone:
        value = call(builder, "sum", converted(builder, value, dtype), gone, dtype=dtype)
    return _Term("".join(one for one in unique if one in needed), value)


def _pair(
    builder: Builder, left: _Term, right: _Term, needed: str, plan: _Plan, target: str, following: tuple[str, str, str] | None
) -> _Term:
    """Contract two operands: labels that both have and are needed are batches, others that both have are summed over."""
    depth = [one for one in left.labels if one in right.labels and one not in needed]
    (first, dense), (second, compact) = map(_in_memory, (left, right))
    if not depth:
        return _multiplied(builder, left, right, target or merged(first, second), plan.dtype)
    extents, costs, inner = plan
    labels = dict.fromkeys(left.labels + right.labels + (following[0] if following else ""))
    sizes = tuple((label, extents[label]) for label in labels)
    setting = get_config()
    by_elements = left.value.dtype in _BY_ELEMENTS and setting.precision is None and setting.target_forward_error is None
    fold = _fold(first, second, needed, sizes, target, (dense, compact), costs, by_elements, following)
    if fold is None:
        order, product = _multiplied(builder, left, right, merged(first, second), inner)
        total = call(builder, "sum", product, tuple(order.index(label) for label in depth), dtype=product.dtype)
        return _Term("".join(label for label in order if label not in depth), total)
    a, b = (_matrices(builder, term, fold, number, extents) for number, term in enumerate((left, right)))
    if fold.swapped:
        a, b = (value.view(np.swapaxes(value.shadow, -1, -2)) for value in (b, a))
    planes, dtype = _product(builder, a, b, plan.dtype)
    shape = tuple(extents[one] for one in fold.result)
    return _Term(fold.result, builder.make(tuple(reshape(plane, shape) for plane in planes), dtype))


def _product(builder: Builder, a: Value, b: Value, dtype: DType) -> tuple[tuple[Node, ...], DType]:
    """Multiply matrices; low-precision ones exactly, with sums of float32 that are not rounded where these are wanted."""
    if a.dtype == b.dtype and a.dtype.name in ("bfloat16", "float16") and dtype == FLOAT32:
        one, other = as_it_lies(a, a.dtype), as_it_lies(b, b.dtype)
        return multiply_matrices(one.planes, other.planes, one.transposed, other.transposed, FLOAT32), FLOAT32
    return multiplied(builder, a, b, dtype)


def _multiplied(builder: Builder, left: _Term, right: _Term, order: str, dtype: DType) -> _Term:
    """Multiply element by element, in an order of labels."""
    views = []
    for label, value in ((label, converted(builder, value, dtype)) for label, value in (left, right)):
        moved = np.transpose(value.shadow, [label.index(one) for one in order if one in label])
        views.append(value.view(moved[tuple(slice(None) if one in label else np.newaxis for one in order) or ...]))
    return _Term(order, call(builder, "multiply", *views))


def _in_memory(term: _Term) -> tuple[str, bool]:
    """Give the labels in the order in which axes lie in memory, and whether they lie without gaps."""
    strides = term.value.shadow.strides
    axes = sorted(range(len(strides)), key=lambda axis: -abs(strides[axis]))
    return "".join(term.labels[axis] for axis in axes), bool(np.transpose(term.value.shadow, axes).flags.c_contiguous)


def _matrices(builder: Builder, term: _Term, fold: Fold, number: int, extents: Mapping[str, int]) -> Value:
    """See an operand as (batch, rows, depth), or (batch, depth, columns): a view where it lies so or transposed."""
    order = fold.order(number, term.labels)
    moved = term.value.view(np.transpose(term.value.shadow, [term.labels.index(one) for one in order]))
    batch = "".join(one for one in fold.batch if one in term.labels)
    kept = fold.columns if number else fold.rows
    groups = [kept, fold.depth] if fold.turned[number] == bool(number) else [fold.depth, kept]
    shape = tuple(_size(part, extents) for part in ([batch] if batch else []) + groups)
    try:
        value = moved.view(np.reshape(moved.shadow, shape, copy=False))
    except ValueError:
        value = builder.make(tuple(reshape(plane, shape) for plane in moved.read()), moved.dtype)
    return value.view(np.swapaxes(value.shadow, -1, -2)) if fold.turned[number] else value


def _size(labels: Iterable[str], extents: Mapping[str, int]) -> int:
    return math.prod(extents[label] for label in labels)


@functools.lru_cache(maxsize=64)
def _product_costs(costs: Costs, dtype: DType) -> ProductCosts:
    return ProductCosts(costs, dtype)


@functools.lru_cache(maxsize=1024)
def _path(terms: tuple[str, ...], output: str, extents: tuple[tuple[str, int], ...], costs: ProductCosts) -> Path:
    return find_path(terms, output, dict(extents), costs.product)


@functools.lru_cache(maxsize=4096)
def _fold(
    left: str,
    right: str,
    needed: str,
    extents: tuple[tuple[str, int], ...],
    target: str,
    dense: tuple[bool, bool],
    costs: ProductCosts,
    by_elements: bool,
    following: tuple[str, str, str] | None,
) -> Fold | None:
    """Find how to multiply matrices; None where to multiply elements and to add them up is predicted to be faster."""
    sizes = dict(extents)
    fold, predicted = best_fold(left, right, needed, sizes, target, dense, costs, following)
    return None if by_elements and cost_of_elements(left, right, needed, sizes, target, dense, costs) < predicted else fold


def _einsum_path(builder: Builder, *operands: Any, **parameters: Any) -> Any:
    return get_op("einsum_path").host(*(item.shadow if isinstance(item, Value) else item for item in operands), **parameters)


LOWERINGS: Final[Lowerings] = {"einsum": _einsum, "einsum_view": _einsum_view, "einsum_path": _einsum_path}
