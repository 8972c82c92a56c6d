"""Labels of axes as they are given: which arguments are labels, and whether a summation over them gives a view."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

__all__ = ["is_labels", "is_view", "with_listed_labels"]


def with_listed_labels(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Make lists of labels that are given as ndarrays behind each operand: they are no operands."""
    return tuple([
        item.tolist() if isinstance(item, np.ndarray) and is_labels(place, len(operands)) else item for place, item in enumerate(operands)
    ])


def is_labels(place: int, count: int) -> bool:
    """Tell whether an argument is labels, of so many arguments that are operands, each with its labels, and labels of the result."""
    return place % 2 == 1 or (count % 2 == 1 and place == count - 1)


def is_view(subscripts: Any, output: Sequence[Any] | None = None) -> bool:
    """
    Tell whether a summation over one operand sums over nothing, so that the result is a view of it.

    Examples
    --------
    >>> is_view("ii->i"), is_view("ii"), is_view([0, 1], [1, 0])
    (True, False, True)
    """
    if isinstance(subscripts, str):
        subscripts, arrow, result = subscripts.replace(" ", "").replace("...", "…").partition("->")
        output = result if arrow else None
    labels = set(map(_label, subscripts))
    return "," not in labels and (len(labels) == len(subscripts) if output is None else labels == set(map(_label, output)))


def _label(label: Any) -> Any:
    return label if isinstance(label, str) or label is ... else operator.index(label)
