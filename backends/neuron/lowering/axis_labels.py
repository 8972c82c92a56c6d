"""Labels of axes: which axes of a call's operands and results belong together, and over which it sums."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from ...contraction.notation import extents_of
from ...dtypes import DType
from ...op import Op
from ...rules import UfuncRule, broadcast_shapes
from .neutral_elements import identity, outermost

__all__ = ["Labelled", "labels_of", "of_elements", "positive_zero"]


def positive_zero(dtype: DType) -> Any:
    """Give the number whose bits are zero."""
    return dtype.type(0)


class Labelled(NamedTuple):
    """
    The axes of a call.

    Attributes
    ----------
    operands : tuple
        For each operand a label of each axis; None where one element is repeated.
    result : tuple
        Labels of the axes of results; None for an axis of one element. What they do not have is summed over.
    neutral : callable or None
        Gives, of a dtype, an element that adds nothing along axes that are summed over; `positive_zero` where that is any zero. None where
        the call takes a mask of what counts.
    ordered : bool
        Whether results tell how many elements are before one.
    square : bool
        Whether the last two axes of the first operand are one, whose matrices become block-diagonal ones with a unit matrix beyond: of any
        axis elements beyond are replaced, and checks of the call tell nothing of these.
    """

    operands: tuple[tuple[Hashable, ...], ...]
    result: tuple[Hashable, ...]
    neutral: Callable[[DType], Any] | None = positive_zero
    ordered: bool = False
    square: bool = False


_Labels: TypeAlias = Callable[[Sequence[Any], Mapping[str, Any]], Labelled | None]


def _broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[list[tuple[int | None, ...]], tuple[int, ...]]:
    """Label axes that broadcast from the last one on, each by a negative number."""
    shape = broadcast_shapes(*shapes)
    labels = [
        tuple([axis if length == shape[axis] else None for axis, length in zip(range(-len(own), 0), own, strict=True)]) for own in shapes
    ]
    return labels, tuple(range(-len(shape), 0))


def of_elements(operands: Sequence[Any], _attributes: Mapping[str, Any]) -> Labelled:
    """Label the axes of a function of elements."""
    labels, result = _broadcast([getattr(item, "shape", ()) for item in operands])
    return Labelled(tuple(labels), result)


def _reduction(neutral: Callable[[DType], Any] | None, *, ordered: bool = False, complex_too: bool = True) -> _Labels:
    def label(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Labelled | None:
        (value,) = operands
        if value.dtype.kind == "c" and not complex_too:
            return None
        labels, axis = tuple(range(value.ndim)), attributes["axis"]
        axes = labels if axis is None else (axis,) if isinstance(axis, int) else axis
        if attributes.get("keepdims"):
            result = tuple(None if one in axes else one for one in labels)
        else:
            result = tuple(one for one in labels if one not in axes)
        return Labelled((labels,), result, neutral, ordered)

    return label


def _accumulation(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Labelled | None:
    if (attributes["axis"] is None and operands[0].ndim > 1) or attributes.get("include_initial"):
        return None
    labels = tuple(range(operands[0].ndim))
    return Labelled((labels,), labels, ordered=True)


def _matrices(first: bool = False, second: bool = False) -> _Labels:
    """Label stacks of matrices or, as the first or the second operand, of vectors."""

    def label(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Labelled | None:
        if attributes.get("axis", -1) != -1:
            return None
        left, right = operands
        ours = ("k",) if first or left.ndim == 1 else ("m", "k")
        theirs = ("k",) if second or right.ndim == 1 else ("k", "n")
        batches, batch = _broadcast([left.shape[: left.ndim - len(ours)], right.shape[: right.ndim - len(theirs)]])
        return Labelled(((*batches[0], *ours), (*batches[1], *theirs)), (*batch, *ours[:-1], *theirs[1:]))

    return label


def _tensors(operands: Sequence[Any], attributes: Mapping[str, Any]) -> Labelled:
    ours, theirs = attributes["axes"]
    left, right = (list[Hashable]([(side, axis) for axis in range(value.ndim)]) for side, value in enumerate(operands))
    result = [label for label in (*left, *right) if label not in {(side, one) for side, axes in enumerate((ours, theirs)) for one in axes}]
    for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
        left[one] = right[other] = place
    return Labelled((tuple(left), tuple(right)), tuple(result))


def _subscripts(operands: Sequence[Any], _attributes: Mapping[str, Any]) -> Labelled | None:
    inputs, arrow, output = operands[0].partition("->")
    terms = inputs.split(",")
    shapes = [value.shape for value in operands[1:]]
    if not arrow or any(len(set(term)) < len(term) or len(term) != len(shape) for term, shape in zip(terms, shapes, strict=True)):
        return None
    extents = extents_of(terms, shapes)
    labels = [
        tuple([one if length == extents[one] else None for one, length in zip(term, shape, strict=True)])
        for term, shape in zip(terms, shapes, strict=True)
    ]
    return Labelled(((), *labels), tuple(output))


def _equations(*result: str) -> _Labels:
    """Label square matrices and right-hand sides; parameters may follow these."""

    def label(operands: Sequence[Any], _attributes: Mapping[str, Any]) -> Labelled | None:
        matrix, *sides = operands
        sides = [item for item in sides if hasattr(item, "shape")]
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or any(item.ndim not in (1, 2) for item in sides):
            return None
        known = [("k", "n")[: item.ndim] for item in sides]
        parameters = [()] * (len(operands) - 1 - len(sides))
        return Labelled((("k", "k"), *known, *parameters), (*result, *(known[0][1:] if known else ())), square=True)

    return label


_LABELS: Final[Mapping[str, _Labels]] = {
    **dict.fromkeys(("where", "clip", "astype", "ndarray.astype"), of_elements),
    **dict.fromkeys(("sum", "count_nonzero", "numpy.count_nonzero"), _reduction(partial(identity, "add"))),
    "prod": _reduction(partial(identity, "multiply")),
    "any": _reduction(partial(identity, "logical_or")),
    "all": _reduction(partial(identity, "logical_and")),
    "max": _reduction(partial(outermost, "max"), complex_too=False),
    "min": _reduction(partial(outermost, "min"), complex_too=False),
    "argmax": _reduction(partial(outermost, "max"), ordered=True, complex_too=False),
    "argmin": _reduction(partial(outermost, "min"), ordered=True, complex_too=False),
    **dict.fromkeys(("mean", "var", "standard.var", "numpy.var", "std", "standard.std", "numpy.std"), _reduction(None)),
    **dict.fromkeys(("cumsum", "cumprod", "cumulative_sum", "cumulative_prod"), _accumulation),
    "matmul": _matrices(),
    "vecdot": _matrices(first=True, second=True),
    "matvec": _matrices(second=True),
    "vecmat": _matrices(first=True),
    "tensordot": _tensors,
    "einsum": _subscripts,
    **dict.fromkeys(("linalg.solve", "scipy.linalg.solve_triangular"), _equations("k")),
    **dict.fromkeys(("linalg.inv", "linalg.cholesky"), _equations("k", "k")),
    "linalg.det": _equations(),
}


def labels_of(op: Op) -> _Labels | None:
    """Find what labels the axes of an Op's calls; None where elements depend on others in more ways."""
    return _LABELS.get(op.name) or (of_elements if isinstance(op.rule, UfuncRule) else None)
