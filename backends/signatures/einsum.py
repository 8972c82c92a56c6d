"""The signature of ``numpy.einsum``: each operand with a string of labels, one for each of its axes, and the labels of the result."""

from __future__ import annotations

import string
from typing import Any, Final

from .attributes import output
from .call import Call, NotNativeError, Reader

__all__ = ["einsum"]

_LABELS: Final = string.ascii_uppercase + string.ascii_lowercase


def einsum(
    reader: Reader, *operands: Any, out: Any = None, optimize: Any = False, order: str = "K", casting: str = "safe", **others: Any
) -> Call:
    """Read ``numpy.einsum``."""
    if others or order not in ("K", "C", "A"):
        raise NotNativeError("it has parameters that are looked after on the host")
    if not isinstance(operands[0], str):
        operands = _as_string(operands)
    values = reader.arrays(list(operands[1:]))
    strict = optimize is False  # by a path, NumPy sums over an ellipsis that the output lacks
    subscripts = _with_labels(operands[0].replace(" ", ""), [value.ndim for value in values], strict)
    inputs, arrow, result = subscripts.partition("->")
    labels = inputs.split(",")
    if len(labels) != len(values) or any(len(label) != value.ndim for label, value in zip(labels, values, strict=False)):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of shapes {[value.shape for value in values]}")
    if not arrow:
        joined = "".join(labels)
        result = "".join(sorted(label for label in set(joined) if joined.count(label) == 1))
    if len(set(result)) != len(result) or not set(result) <= set("".join(labels)):
        raise ValueError(f"einsum: output labels {result!r} must be different ones of the operands'")
    return Call((f"{','.join(labels)}->{result}", *values), {}, output(out, casting))


def _as_string(operands: tuple[Any, ...]) -> tuple[Any, ...]:
    """Write labels that are given as lists of numbers as letters, in their order."""

    def letters(labels: Any) -> str:
        return "".join("..." if label is Ellipsis else _LABELS[label] for label in labels)

    output = f"->{letters(operands[-1])}" if len(operands) % 2 else ""
    pairs = len(operands) // 2 * 2
    return ",".join(map(letters, operands[1:pairs:2])) + output, *operands[0:pairs:2]


def _with_labels(subscripts: str, ndims: list[int], strict: bool) -> str:
    """Give the axes that an ellipsis stands for labels, the last ones of all operands the same; where strict, the output has them."""
    if "." not in subscripts:
        return subscripts
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    if any(term.replace("...", "", 1).count(".") for term in (*terms, output)) or len(terms) != len(ndims):
        raise ValueError(f"einsum: subscripts {subscripts!r} do not fit operands of {ndims} axes, or have dots that are no ellipsis")
    free = [label for label in _LABELS if label not in subscripts]
    counts = [ndim - len(term) + 3 if "..." in term else 0 for term, ndim in zip(terms, ndims, strict=True)]
    most = max(counts)
    if min(counts) < 0 or (strict and arrow and most and "..." not in output):
        raise ValueError(
            f"einsum: subscripts {subscripts!r} do not fit operands of {ndims} axes, or the output has no ellipsis, over which "
            "optimize=True sums"
        )
    labels = "".join(free[:most])
    joined = ",".join(term.replace("...", labels[most - count :]) for term, count in zip(terms, counts, strict=True))
    if arrow:
        return f"{joined}->{output.replace('...', labels)}"
    named = inputs.replace("...", "").replace(",", "")
    return f"{joined}->{labels}{''.join(sorted(label for label in set(named) if named.count(label) == 1))}"
