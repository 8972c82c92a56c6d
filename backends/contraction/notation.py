"""The notation of Einstein summations: each operand with a string of labels, one for each of its axes, and the labels of the result."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

__all__ = ["Subscripts", "as_string", "extents_of", "read"]

_LABELS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Subscripts(NamedTuple):
    """
    Labels of a contraction.

    Attributes
    ----------
    terms : tuple of str
        Of each operand.
    output : str
        Of the result.
    """

    terms: tuple[str, ...]
    output: str

    def __str__(self) -> str:
        return f"{','.join(self.terms)}->{self.output}"


def as_string(operands: Sequence[Any]) -> tuple[Any, ...]:
    """Write labels that are given as lists of numbers behind each operand as letters, in their order, before all operands."""
    output = f"->{_letters(operands[-1])}" if len(operands) % 2 else ""
    pairs = len(operands) // 2 * 2
    return ",".join(map(_letters, operands[1:pairs:2])) + output, *operands[0:pairs:2]


def _letters(labels: Any) -> str:
    found = []
    for label in labels:
        number = None if label is Ellipsis else operator.index(label)
        if number is not None and not 0 <= number < len(_LABELS):
            raise ValueError(f"einsum: the label {number} is not within 0 to {len(_LABELS) - 1}")
        found.append("..." if number is None else _LABELS[number])
    return "".join(found)


def read(subscripts: str, ndims: Sequence[int], *, strict: bool = True) -> Subscripts:
    """
    Read subscripts for operands of so many axes; ellipses get labels, and an implicit result its own.

    Examples
    --------
    >>> read("i...,...->...", [3, 1]), str(read("ij,jk", [2, 2]))
    (Subscripts(terms=('iAB', 'B'), output='AB'), 'ij,jk->ik')
    """
    labels = _with_labels(subscripts.replace(" ", ""), ndims, strict)
    inputs, arrow, output = labels.partition("->")
    terms = tuple(inputs.split(","))
    if len(terms) != len(ndims) or any(len(term) != ndim for term, ndim in zip(terms, ndims, strict=True)):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of {list(ndims)} axes")
    if not set(_LABELS).issuperset("".join(terms)):
        raise ValueError(f"einsum: subscripts {subscripts!r} have characters that are not letters")
    if not arrow:
        joined = "".join(terms)
        output = "".join(sorted(label for label in set(joined) if joined.count(label) == 1))
    if len(set(output)) != len(output) or not set(output) <= set("".join(terms)):
        raise ValueError(f"einsum: output labels {output!r} must be different ones of the operands'")
    return Subscripts(terms, output)


def _with_labels(subscripts: str, ndims: Sequence[int], strict: bool) -> str:
    """Give the axes that an ellipsis stands for labels, the last ones of all operands the same; where strict, the output has them."""
    if "." not in subscripts:
        return subscripts
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    if any(term.replace("...", "", 1).count(".") for term in (*terms, output)) or len(terms) != len(ndims):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of {list(ndims)} axes, or have dots that are no ellipsis")
    free = [label for label in _LABELS if label not in subscripts]
    counts = [ndim - len(term) + 3 if "..." in term else 0 for term, ndim in zip(terms, ndims, strict=True)]
    most = max(counts)
    if min(counts) < 0 or (strict and arrow and most and "..." not in output):
        raise ValueError(
            f"einsum: subscripts {subscripts!r} do not fit operands of {list(ndims)} axes, or the output has no ellipsis, over which "
            "optimize=True sums"
        )
    if most > len(free):
        raise ValueError(f"einsum: {most} axes of an ellipsis and the labels of {subscripts!r} are more than {len(_LABELS)} letters")
    labels = "".join(free[:most])
    joined = ",".join(term.replace("...", labels[most - count :]) for term, count in zip(terms, counts, strict=True))
    if arrow:
        return f"{joined}->{output.replace('...', labels)}"
    named = inputs.replace("...", "").replace(",", "")
    return f"{joined}->{labels}{''.join(sorted(label for label in set(named) if named.count(label) == 1))}"


def extents_of(terms: Sequence[str], shapes: Sequence[Sequence[int]]) -> dict[str, int]:
    """
    Find the extents of labels; an axis of one element is repeated along the others of its label.

    Examples
    --------
    >>> extents_of(["ij", "jk"], [(2, 3), (1, 4)])
    {'i': 2, 'j': 3, 'k': 4}
    """
    extents: dict[str, int] = {}
    for number, (term, shape) in enumerate(zip(terms, shapes, strict=True)):
        own: dict[str, int] = {}
        for label, extent in zip(term, shape, strict=True):
            if own.setdefault(label, extent) != extent:
                raise ValueError(f"einsum: label {label!r} of operand {number} has {own[label]} and {extent} elements")
            known = extents.get(label, 1)
            if known != 1 and extent not in (1, known):
                raise ValueError(f"einsum: label {label!r} has {known} and {extent} elements")
            extents[label] = extent if known == 1 else known
    return extents
