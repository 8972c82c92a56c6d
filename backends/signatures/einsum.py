"""The signature of ``numpy.einsum``: labels for the axes of each operand and of the result, and an order of products if one is given."""

from __future__ import annotations

from typing import Any

from ..contraction.labels import is_labels
from ..contraction.notation import as_string, extents_of, read
from ..contraction.optimizers import path_asked
from .attributes import asked_dtype, check_cast, output
from .call import Call, Reader

__all__ = ["einsum"]


def einsum(
    reader: Reader,
    *operands: Any,
    out: Any = None,
    optimize: Any = False,
    dtype: Any = None,
    order: str = "K",
    casting: str = "safe",
) -> Call:
    """Read ``numpy.einsum``; the engine chooses the order of products where `optimize` names none."""
    if len(operands) < 2:
        raise ValueError("einsum takes a string of subscripts and at least one operand, or operands each with its labels")
    if not isinstance(operands[0], str):
        count = len(operands)
        operands = as_string([reader.known(item) if is_labels(place, count) else item for place, item in enumerate(operands)])
    values = reader.arrays(list(operands[1:]))
    strict = optimize is False  # by a path, NumPy sums over an ellipsis that the output lacks
    subscripts = read(operands[0], [value.ndim for value in values], strict=strict)
    shapes = [value.shape for value in values]
    extents_of(subscripts.terms, shapes)
    attributes: dict[str, Any] = {}
    path = path_asked(optimize, subscripts, shapes)
    if path:
        attributes["optimize"] = ("einsum_path", *path)
    wanted = asked_dtype(dtype)
    if wanted is not None:
        for value in values:
            check_cast(value.dtype, wanted, casting)
        attributes |= {"dtype": wanted, "casting": casting}
    if order.upper() not in ("K", "C", "F", "A"):
        raise ValueError(f"einsum: order is {order!r}; give 'C', 'F', 'A' or 'K'")
    if order.upper() == "A":
        order = "F" if all(value.flags.f_contiguous for value in values) else "C"
    if order.upper() in ("C", "F"):
        attributes["order"] = order.upper()
    alone = optimize is not False and getattr(out, "shape", None) == ()  # to which NumPy assigns, if it has a path
    return Call((str(subscripts), *values), attributes, output(out, "unsafe" if alone else casting))
