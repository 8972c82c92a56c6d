"""
Sine and cosine transforms: products with the matrix that the host's transform makes of the identity, or Fourier transforms of real numbers.

Long ones follow Makhoul, IEEE Trans. ASSP 28 (1980): a cosine transform of type 2 is a Fourier transform of as many reordered numbers,
times roots of unity. Type 3 is its inverse, type 4 takes half as many complex numbers, and type 1 an even continuation. Sine transforms
change signs and turn orders around.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ....dtypes import COMPLEX128, FLOAT32, FLOAT64, DType, is_double
from ....op import get_op
from ...graph.build import call, reshape
from ...mirroring import mirrored_matrix
from ...two_steps import cosine_steps
from .. import Lowerings
from ..binary64 import check_setting
from ..composition import Expression, Ops, compositions
from .axes import rows_times, times_matrix
from .roots import cosine_pairs, powers
from .steps import DENSE, row_factors, smallest_tile
from .wide_transforms import EXACT, asked_rung

__all__: list[str] = []


_KRONECKER: Final = 128
"""
Elements of neighbouring axes that one product transforms, by the Kronecker product of their matrices: rows of fewer are slow to move.

Results round by it, which must not depend on predicted times.
"""

_LONGEST_ROW: Final = 2048
"""The longest rows that are one product by a symmetric matrix, which is half as high as the row is long."""

_INVERSES: Final = {1: 1, 2: 3, 3: 2, 4: 4}
_ROMAN: Final = {1: "I", 2: "II", 3: "III", 4: "IV"}


def _are_rows(x: Expression, axis: int) -> bool:
    """Tell whether nothing follows an axis in memory."""
    return bool(x.size) and math.prod(x.shape[axis % x.ndim + 1 :]) == 1


def _factors(ops: Ops, x: Expression, axis: int, lengths: Sequence[int]) -> DType:
    """Tell which dtype the numbers have that transforms are multiplied by."""
    if is_double(x.dtype):
        return FLOAT64
    return row_factors(ops.builder.target, asked_rung(x.dtype, lengths)) if _are_rows(x, axis) else FLOAT32


def _kronecker(left: Any, right: Any) -> Any:
    return np.kron(left, right)


class _Kind(NamedTuple):
    """What makes the matrix of a transform, besides its length: that of complex numbers does not heed `orthogonalize` in SciPy."""

    name: str
    type: int
    norm: str
    orthogonalize: Any
    is_complex: bool

    def matrix(self, n: int) -> npt.NDArray[np.float64]:
        """Transform the identity."""
        identity = np.eye(n, dtype=np.complex128 if self.is_complex else np.float64)
        transform = get_op(self.name).host
        matrix: npt.NDArray[np.float64] = transform(identity, self.type, None, -1, self.norm, False, None, self.orthogonalize).real
        return matrix

    @property
    def number(self) -> int:
        """The type of the transform that this one is, which is not that of its inverse."""
        return _INVERSES[self.type] if self.name.startswith("fft.i") else self.type

    @property
    def symmetric(self) -> str:
        """How transforms are named that may have symmetric matrices."""
        return f"{self.name[-3:].upper()}-{_ROMAN[self.number]}"

    def along(self, ops: Ops, x: Expression, axis: int, lengths: Sequence[int]) -> Expression:
        """Transform along an axis, which is several of the lengths of the transforms after one another."""
        if max(lengths) > DENSE:
            return self.by_fourier_transforms(ops, x, axis, lengths[0])
        rows, dtype = min(x.shape[axis], math.prod(lengths)), _factors(ops, x, axis, lengths)
        if lengths == [rows] and rows > _KRONECKER and not is_double(x.dtype) and _are_rows(x, axis):
            return self._symmetric(ops, x, axis)

        def made() -> npt.NDArray[np.float64]:
            whole: npt.NDArray[np.float64] = functools.reduce(_kronecker, map(self.matrix, lengths))
            return whole[:rows]

        matrix = ops.kept((*self, *lengths, rows, dtype), made, dtype)
        if is_double(x.dtype):
            return _product(ops, x.moveaxis(axis, -1), matrix).moveaxis(-1, axis)
        planes = times_matrix(x.value.read(), matrix.value.read()[0], axis % x.ndim)
        return Expression(ops, ops.builder.make(planes, x.dtype))

    def by_fourier_transforms(self, ops: Ops, x: Expression, axis: int, n: int) -> Expression:
        """Transform each plane of real numbers."""
        moved = ops.lengthened(x.moveaxis(axis, -1), n)
        if not moved.is_complex:
            return self._real(ops, moved).moveaxis(-1, axis)
        return ops.complex(self._real(ops, moved.real), self._real(ops, moved.imag)).moveaxis(-1, axis)

    def _symmetric(self, ops: Ops, x: Expression, axis: int) -> Expression:
        """Transform rows by a symmetric matrix."""
        n, dtype = x.shape[axis], _factors(ops, x, axis, [x.shape[axis]])
        turned = ops.kept((*self, n, "symmetric", dtype), lambda: mirrored_matrix(self.symmetric, self.matrix(n)), dtype)
        planes = rows_times(x.value.read(), turned.value.read()[0], axis % x.ndim, self.symmetric, n)
        return Expression(ops, ops.builder.make(planes, x.dtype))

    def _real(self, ops: Ops, x: Expression) -> Expression:
        """Transform along the last axis."""
        n, inverse, family, number = x.shape[-1], self.name.startswith("fft.i"), self.name[-3:], self.number
        if n <= _LONGEST_ROW and not is_double(x.dtype) and x.size and (number < 4 or n % 2 == 0):
            return self._symmetric(ops, x, -1)
        twice = 2 * (n + (_ENDS[family] if number == 1 else 0))
        factor = {"backward": 1.0, "forward": 1.0 / twice, "ortho": 1.0 / math.sqrt(twice)}[
            {"backward": "forward", "forward": "backward", "ortho": "ortho"}[self.norm] if inverse else self.norm
        ]
        orthogonal = self.norm == "ortho" if self.orthogonalize is None or self.is_complex else bool(self.orthogonalize)
        smallest = smallest_tile(ops.builder.target)
        if not is_double(x.dtype) and x.size and cosine_steps(self.symmetric, n, smallest) is not None:
            edge = {2: 1 / _ROOT if orthogonal else 1.0, 3: 1 / _ROOT if orthogonal else 0.5}.get(number, 1.0)
            parameters = (self.symmetric, n, 2 * factor, edge, smallest)
            dtype = _factors(ops, x, -1, [n])
            constant = ops.kept(("pairs", *parameters, dtype), lambda: cosine_pairs(*parameters), dtype)
            planes = (reshape(x.value.read()[0], (x.size // n, n)), constant.value.read()[0])
            (found,) = call("fourier cosine pairs", *planes, kind=self.symmetric, n=n, edge=edge != 1.0, smallest=smallest)
            return Expression(ops, ops.builder.make((reshape(found, x.shape),), FLOAT32))
        before, after = np.ones(n), np.full(n, factor)
        if orthogonal:
            for place, ends, by in _ORTHOGONAL[family].get(number, ()):
                (before if place == "before" else after)[ends] *= by
        if (before != 1.0).any():
            x = x * ops.beside(x, ("weights", before.tobytes()), lambda: before)
        y = _REAL[family](ops, x, number)
        return y * ops.beside(x, ("weights", after.tobytes()), lambda: after) if (after != 1.0).any() else y


_ENDS: Final = {"dct": -1, "dst": 1}
_ROOT: Final = math.sqrt(2.0)
_ORTHOGONAL: Final[Mapping[str, Mapping[int, tuple[tuple[str, list[int], float], ...]]]] = {
    "dct": {1: (("before", [0, -1], _ROOT), ("after", [0, -1], 1 / _ROOT)), 2: (("after", [0], 1 / _ROOT),), 3: (("before", [0], _ROOT),)},
    "dst": {2: (("after", [-1], 1 / _ROOT),), 3: (("before", [-1], _ROOT),)},
}
"""What makes transforms orthogonal, by their families and types: factors of some elements before or after."""


def _cosines(ops: Ops, x: Expression, number: int) -> Expression:
    """Transform by cosines, without factors."""
    return _COSINES[number](ops, x, x.shape[-1])


def _sines(ops: Ops, x: Expression, number: int) -> Expression:
    """Transform by sines, without factors."""
    n = x.shape[-1]
    if number == 1:
        none = ops.zeros((*x.shape[:-1], 1), x.dtype)
        odd = ops.concatenate([none, x, none, -_turned(x)])
        return -ops("fft.rfft", odd).imag[..., 1 : n + 1]
    signs = ops.beside(x, ("signs", n), lambda: 1.0 - 2.0 * (np.arange(n) % 2))
    if number == 2:
        return _turned(_cosines(ops, x * signs, 2))
    return _cosines(ops, _turned(x), number) * signs


def _first(ops: Ops, x: Expression, n: int) -> Expression:
    return ops("fft.rfft", ops.concatenate([x, _turned(x[..., 1 : n - 1])])).real


def _second(ops: Ops, x: Expression, n: int) -> Expression:
    reordered = ops.concatenate([x[..., ::2], _turned(x[..., 1::2])])
    product = ops("fft.rfft", reordered) * _quarter_turns(ops, x, "second", lambda: 2.0 * powers(4 * n, np.arange(n // 2 + 1)))
    return ops.concatenate([product.real, -_turned(product.imag[..., 1 : (n + 1) // 2])])


def _third(ops: Ops, x: Expression, n: int) -> Expression:
    half = n // 2 + 1
    other = ops.concatenate([ops.zeros((*x.shape[:-1], 1), x.dtype), _turned(x[..., n - half + 1 :])])
    spectrum = ops.complex(x[..., :half], -other)
    spectrum = spectrum * _quarter_turns(ops, x, "third", lambda: powers(4 * n, np.arange(half)).conj())
    reordered = ops("fft.irfft", spectrum, n, -1, "forward")
    even = (n + 1) // 2
    odd = _turned(reordered[..., even:])
    if n % 2:
        odd = ops.lengthened(odd, even)
    together = ops.concatenate([part.viewed(lambda shadow: shadow[..., np.newaxis]) for part in (reordered[..., :even], odd)])
    return together.reshape(*x.shape[:-1], 2 * even)[..., :n]


def _fourth(ops: Ops, x: Expression, n: int) -> Expression:
    if n % 2:
        turned = ops.complex(x, ops.zeros(x.shape, x.dtype)) * _quarter_turns(ops, x, "odd", lambda: powers(4 * n, np.arange(n)))
        spectrum = ops("fft.fft", turned, 2 * n)[..., :n]
        return (spectrum * _quarter_turns(ops, x, "odd after", lambda: 2.0 * powers(8 * n, 2 * np.arange(n) + 1))).real
    pairs = ops.complex(x[..., ::2], _turned(x[..., 1::2]))
    turns = _quarter_turns(ops, x, "fourth", lambda: powers(2 * n, np.arange(n // 2)))
    spectrum = ops("fft.fft", pairs * turns)
    spectrum = spectrum * _quarter_turns(ops, x, "fourth after", lambda: 2.0 * powers(8 * n, 4 * np.arange(n // 2) + 1))
    parts = (spectrum.real, -_turned(spectrum.imag))
    return ops.concatenate([part.viewed(lambda shadow: shadow[..., np.newaxis]) for part in parts]).reshape(*x.shape)


_COSINES: Final[Mapping[int, Callable[[Ops, Expression, int], Expression]]] = {1: _first, 2: _second, 3: _third, 4: _fourth}
_REAL: Final[Mapping[str, Callable[[Ops, Expression, int], Expression]]] = {"dct": _cosines, "dst": _sines}


def _turned(x: Expression) -> Expression:
    """View the last axis from its end."""
    return x[..., ::-1]


def _quarter_turns(ops: Ops, x: Expression, which: str, make: Callable[[], npt.NDArray[np.complex128]]) -> Expression:
    return ops.beside(x, ("quarter turns", x.shape[-1], which), make, is_complex=True)


def _product(ops: Ops, x: Expression, matrix: Expression) -> Expression:
    """Multiply what lies along the last axis by a real matrix of float64."""
    check_setting()
    parts = [
        (part.reshape(math.prod(x.shape[:-1]), x.shape[-1])[:, : matrix.shape[0]] @ matrix).reshape(*x.shape[:-1], matrix.shape[1])
        for part in ((x.real, x.imag) if x.is_complex else (x,))
    ]
    return ops.complex(*parts) if x.is_complex else parts[0]


def _one(ops: Ops, name: str, x: Any, *, type: int, n: int, axis: int, norm: str, orthogonalize: Any) -> Expression:
    values = ops.floats(x, wide=True)
    kind = _Kind(name, type, norm, orthogonalize, values.is_complex)
    return _precisely(values, [n], lambda values: kind.along(ops, values, axis, [n]))


def _precisely(x: Expression, lengths: Sequence[int], transform: Callable[[Expression], Expression]) -> Expression:
    """Transform in float64 where the settings ask for that."""
    if asked_rung(x.dtype, lengths) not in EXACT or is_double(x.dtype):
        return transform(x)
    return transform(x.astype(COMPLEX128 if x.is_complex else FLOAT64)).astype(x.dtype)


def _many(
    ops: Ops, name: str, x: Any, *, type: int, s: tuple[int, ...], axes: tuple[int, ...], norm: str, orthogonalize: Any
) -> Expression:
    values = ops.floats(x, wide=True)
    kind = _Kind(name[:-1], type, norm, orthogonalize, values.is_complex)
    return _precisely(values, [1, *s], lambda values: _along_several(ops, kind, values, s, axes))


def _along_several(ops: Ops, kind: _Kind, values: Expression, s: tuple[int, ...], axes: tuple[int, ...]) -> Expression:
    """Transform along axes, neighbours together."""
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
