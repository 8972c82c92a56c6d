"""Splitting, reordering and merging axes by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import NkiConstraintError
from ..source import calling_line
from .reshaping import merge, permute, split
from .view import V

__all__ = ["rearrange"]


def _groups(pattern: Iterable[Any]) -> list[tuple[str, ...]]:
    return [(part,) if isinstance(part, str) else tuple(part) for part in pattern]


def _split(extent: int, group: tuple[str, ...], sizes: Mapping[str, int]) -> list[int]:
    """Extents of the names of an axis; one may be left to find out."""
    known = math.prod(sizes[name] for name in group if name in sizes)
    unknown = [name for name in group if name not in sizes]
    if len(unknown) > 1 or extent % known or (not unknown and known != extent):
        raise NkiConstraintError(
            "NkiTensor.rearrange",
            "all but one extent of a split axis are given and divide it",
            f"{group} of {extent} with {dict(sizes)}",
            "fixed_sizes",
            "nki.language.NkiTensor",
            calling_line(),
        )
    return [sizes.get(name, extent // known) for name in group]


def rearrange(tensor: V, source: Iterable[Any], target: Iterable[Any], sizes: Mapping[str, int]) -> V:
    """Split, reorder and merge axes."""
    before, after = _groups(source), _groups(target)
    names, wanted = [name for group in before for name in group], [name for group in after for name in group]
    if sorted(names) != sorted(wanted) or len(set(names)) != len(names) or len(before) != tensor.ndim:
        raise NkiConstraintError(
            "NkiTensor.rearrange",
            "both patterns name the same axes once",
            (tuple(source), tuple(target)),
            f"{tensor.ndim} axes",
            "nki.language.NkiTensor",
            calling_line(),
        )
    view = tensor
    for axis in reversed(range(len(before))):
        if len(before[axis]) > 1:
            view = split(view, axis, _split(tensor.shape[axis], before[axis], sizes))
    view = permute(view, [names.index(name) for name in wanted])
    first = len(wanted)
    for group in reversed(after):
        first -= len(group)
        if len(group) > 1:
            view = merge(view, first, first + len(group) - 1)
    return view
