"""Basic indexing of tensors, turned into a chain of slices and selections."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..errors import NkiConstraintError
from ..registers import NkiScalar, VirtualRegister
from ..source import calling_line
from .access_pattern import by_row, from_row
from .slicing import part, pick
from .view import V

__all__ = ["DynamicSlice", "ds", "index"]

_REGISTERS: Final = (VirtualRegister, NkiScalar)
_DOCUMENT = "NKI language guide, Tensor Indexing"


class DynamicSlice(NamedTuple):
    """
    A slice of fixed size.

    Attributes
    ----------
    start : int, VirtualRegister or NkiScalar
        First index.
    size : int
        How many.
    """

    start: int | VirtualRegister | NkiScalar
    size: int


def ds(start: int | VirtualRegister | NkiScalar, size: int) -> DynamicSlice:
    """Slice of fixed size from a start that may be known at run time only. See `nki.language.ds`."""
    return DynamicSlice(start, size)


def _bounds(key: slice, extent: int) -> tuple[int, int, int]:
    """Start, end and step of a slice; NumPy would clamp what is out of range, the hardware would not."""
    if isinstance(key.start, _REGISTERS) or isinstance(key.stop, _REGISTERS) or isinstance(key.step, _REGISTERS):
        raise NkiConstraintError(
            "NkiTensor[]", "slices have compile-time bounds", key, "nl.ds(start, size) for a run-time start", _DOCUMENT, calling_line()
        )
    start, stop = (0 if key.start is None else key.start), (extent if key.stop is None else key.stop)
    step = 1 if key.step is None else key.step
    start, stop = start + extent * (start < 0), stop + extent * (stop < 0)
    if not 0 <= start < stop <= extent or step < 1:
        raise NkiConstraintError(
            "NkiTensor[]",
            "a slice is within the axis, not empty and not reversed",
            f"{start}:{stop}:{step} of {extent}",
            f"0 <= start < stop <= {extent}, step >= 1",
            _DOCUMENT,
            calling_line(),
        )
    return start, stop, step


def index(tensor: V, key: object) -> V:
    """Index with integers, slices and an ellipsis."""
    keys = list(key) if isinstance(key, tuple) and not isinstance(key, DynamicSlice) else [key]
    spread = [place for place, entry in enumerate(keys) if entry is Ellipsis] or [len(keys)]
    missing = tensor.ndim - (len(keys) - (spread[0] < len(keys)))
    if len(spread) > 1 or missing < 0:
        raise NkiConstraintError(
            "NkiTensor[]", "one index per axis and one ellipsis", key, f"{tensor.ndim} axes", _DOCUMENT, calling_line()
        )
    keys[spread[0] : spread[0] + 1] = [slice(None)] * missing

    # From the last axis to the first, so that dropped axes do not renumber those to come.
    view, on_chip = tensor, tensor._storage.on_chip
    for axis in reversed(range(tensor.ndim)):
        entry = keys[axis]
        if isinstance(entry, slice):
            if entry != slice(None):
                view = part(view, axis, *_bounds(entry, view.shape[axis]))
        elif isinstance(entry, DynamicSlice):
            if isinstance(entry.start, int):
                view = part(view, axis, entry.start, entry.start + entry.size)
            else:
                view = from_row(view, axis, entry.start, entry.size)
        elif isinstance(entry, int) and not isinstance(entry, bool):
            position = entry + view.shape[axis] * (entry < 0)
            keep = (on_chip and (axis == 0 or view.ndim == 2)) or view.ndim == 1
            if not 0 <= position < view.shape[axis]:
                raise NkiConstraintError(
                    "NkiTensor[]", "an index is within the axis", entry, f"extent {view.shape[axis]}", _DOCUMENT, calling_line()
                )
            view = part(view, axis, position, position + 1) if keep else pick(view, axis, position)
        elif isinstance(entry, _REGISTERS):
            view = by_row(view, axis, entry)
        else:
            raise NkiConstraintError(
                "NkiTensor[]",
                "an index is an integer, a slice, nl.ds or an ellipsis",
                repr(entry),
                "nisa gathers or .ap(vector_offset=) for index tensors",
                _DOCUMENT,
                calling_line(),
            )
    return view
