"""Einstein summation without a sum: subscripts that only pick or permute axes give a view."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["is_view", "view"]


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


def view(operand: npt.NDArray[Any], subscripts: Any, *output: Any) -> Any:
    """Give the view that a summation over nothing is."""
    result = np.einsum(subscripts, operand) if isinstance(subscripts, str) else np.einsum(operand, subscripts, *output)
    if result.size > operand.size:
        raise ValueError(f"einsum: axes of shape {operand.shape} have one label and different lengths; give them one length")
    return result
