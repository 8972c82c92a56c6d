"""Sine and cosine transforms: products with the matrix that the host's transform makes of the identity in float64, rounded once."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...op import get_op
from . import Lowerings, NotNativeError
from .composition import Expression, Ops, compositions
from .fourier import LONGEST

__all__: list[str] = []


_KRONECKER: Final = 128
"""
Elements of neighbouring axes that one product transforms, by the Kronecker product of their matrices: rows of fewer are slow to move.

Results round by it, which must not depend on predicted times.
"""


def _kronecker(left: Any, right: Any) -> Any:
    return np.kron(left, right)


class _Kind(NamedTuple):
    """What makes the matrix of a transform, besides its length: that of complex numbers does not heed `orthogonalize` in SciPy."""

    name: str
    type: Any
    norm: Any
    orthogonalize: Any
    is_complex: bool

    def matrix(self, n: int) -> npt.NDArray[np.float64]:
        """Transform the identity; errors in the parameters are the transform's."""
        identity = np.eye(n, dtype=np.complex128 if self.is_complex else np.float64)
        transform = get_op(self.name).host
        matrix: npt.NDArray[np.float64] = transform(identity, self.type, None, -1, self.norm, False, None, self.orthogonalize).real
        return matrix

    def along(self, ops: Ops, x: Expression, axis: int, lengths: Sequence[int]) -> Expression:
        """Transform along an axis, which is several of the lengths of the transforms after one another."""
        if max(lengths) > LONGEST:
            raise NotNativeError(f"transforms longer than {LONGEST} have no kernel yet")
        rows = min(x.shape[axis], math.prod(lengths))
        matrix = ops.kept((*self, *lengths, rows), lambda: functools.reduce(_kronecker, map(self.matrix, lengths))[:rows])
        return ops.transformed(x, matrix, axis)


def _one(ops: Ops, name: str, x: Any, *, type: Any, n: int, axis: int, norm: Any, orthogonalize: Any) -> Expression:
    values = ops.floats(x)
    return _Kind(name, type, norm, orthogonalize, values.is_complex).along(ops, values, axis, [n])


def _many(
    ops: Ops, name: str, x: Any, *, type: Any, s: tuple[int, ...], axes: tuple[int, ...], norm: Any, orthogonalize: Any
) -> Expression:
    values = ops.floats(x)
    kind = _Kind(name[:-1], type, norm, orthogonalize, values.is_complex)
    groups: dict[int, list[int]] = {}  # by their first axis, neighbours that keep their lengths
    first = None
    for place, length in sorted(zip(axes, s, strict=True)):
        kept = length == values.shape[place]
        if kept and first is not None and first + len(groups[first]) == place and math.prod(groups[first]) * length <= _KRONECKER:
            groups[first].append(length)
        else:
            groups[place] = [length]
            first = place if kept else None
    for place, group in groups.items():
        before, after = values.shape[:place], values.shape[place + len(group) :]
        merged = values.reshape(*before, math.prod(group), *after) if len(group) > 1 else values
        values = kind.along(ops, merged, place, group)
        values = values.reshape(*before, *group, *after)
    return values


_NAMES: Final = ("fft.dct", "fft.idct", "fft.dst", "fft.idst")
LOWERINGS: Final[Lowerings] = compositions({**dict.fromkeys(_NAMES, _one), **{f"{name}n": _many for name in _NAMES}})
