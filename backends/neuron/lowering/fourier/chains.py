"""
The graph of a transform along one axis, in steps.

With n = n₁n₂, transforms of length n₁ along the first of two axes, a product with roots of unity, and transforms of length n₂ along the
second one give the element k₁ + n₁k₂ at (k₁, k₂): Cooley and Tukey, Math. Comp. 19 (1965); Bailey's four steps, J. Supercomp. 4 (1990).
Of real numbers, k₁ up to n₁/2 tells all, and of half a spectrum k₁ up to n₁/2 is asked for. A length with a prime divisor that is too
long for a product has a convolution with a chirp as its last step: Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970).

Only transforms in the forward direction are made of steps: backward, real and imaginary plane change places.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy.typing as npt

from ....dtypes import FLOAT32
from ...folding import is_stacked
from ...graph.build import call, elementwise, fill, reshape, transpose
from ...graph.graph import Node
from ...graph.primitives import Read
from ...layout import Layout, contiguous_strides
from ...two_steps import half_steps, plane_steps, steps_from_half, two_steps
from . import roots
from .axes import NARROW, cut, extended, negative, put_together, times_matrices
from .steps import Steps, is_folded, steps

__all__ = ["Constant", "Transform", "several_axes", "stages", "transformed"]

Planes = tuple[Node, ...]
_TALLEST: Final = 128
"""The longest transforms of columns, which have their numbers on partitions."""

_WIDEST: Final = 512
"""The longest transforms of columns: longer ones take less as rows, moved there and back."""

_LONGEST: Final = 64
_SMALLEST: Final = 1 << 15
"""The longest axes of volumes that one kernel transforms, and the points of the smallest ones: others take less by planes and columns."""

_FEW: Final = 32  # numbers beside each other that columns have at least: fewer are slow to load
_FORWARD: Final = {"fft": "fft", "ifft": "fft", "rfft": "rfft", "ihfft": "rfft", "irfft": "hfft", "hfft": "hfft"}


class Transform(NamedTuple):
    """
    A transform along one axis.

    Attributes
    ----------
    kind : str
        The name of SciPy's function.
    axis : int
        The axis.
    n : int
        The length.
    norm : str
        The norm, as SciPy names it.
    """

    kind: str
    axis: int
    n: int
    norm: str

    @property
    def length(self) -> int:
        """Of the result."""
        return self.n // 2 + 1 if self.kind in ("rfft", "ihfft") else self.n

    @property
    def wanted(self) -> int:
        """How many elements it reads at most."""
        return self.n // 2 + 1 if self.kind in roots.HALVES else self.n

    @property
    def factor(self) -> float:
        """Of its norm."""
        return roots.scale(self.n, self.norm, inverse=self.kind in ("ifft", "irfft", "ihfft"))


_OF_ONE_PLANE: Final = (*roots.OF_ROWS, roots.planes, roots.tripled, roots.volume)
"""What makes constants that are real numbers."""


class Constant(NamedTuple):
    """
    Numbers that a transform multiplies by.

    Attributes
    ----------
    make : callable
        A function of `roots`.
    parameters : tuple
        What it is given.
    """

    make: Callable[..., npt.NDArray[Any]]
    parameters: tuple[str | int | float, ...]

    @property
    def planes(self) -> int:
        """How many operands it is."""
        return 1 if self.make in _OF_ONE_PLANE else 2


@functools.lru_cache(maxsize=4096)
def stages(
    transforms: tuple[Transform, ...], shape: tuple[int, ...], planes: int, smallest: int
) -> tuple[tuple[tuple[Transform, ...], tuple[Constant, ...]], ...]:
    """Choose which transforms of an array one kernel does together, and list what each stage multiplies by."""
    found: list[tuple[tuple[Transform, ...], tuple[Constant, ...]]] = []
    waiting = [*transforms]
    while waiting:
        one = waiting.pop(0)
        if planes == 2 and _is_volume((one, *waiting[:2]), shape):
            found.append(((one, *waiting[:2]), (_of_volume((one, *waiting[:2])),)))
            del waiting[:2]
            continue
        if waiting and planes == 2 and _are_planes(one, waiting[0], shape, smallest):
            other = waiting.pop(0)
            found.append(((one, other), (_of_planes(one, other, smallest),)))
            continue
        found.append(((one,), constants(one, shape, planes, smallest)))
        shape = (*shape[: one.axis], one.length, *shape[one.axis + 1 :])
        planes = 1 if one.kind in roots.HALVES else 2
    return tuple(found)


def _are_planes(one: Transform, other: Transform, shape: tuple[int, ...], smallest: int) -> bool:
    """Tell whether two transforms are those along both axes of matrices that lie together in memory."""
    last = max(one.axis, other.axis)
    complex_ = one.kind == other.kind and one.kind in ("fft", "ifft") and abs(one.axis - other.axis) == 1
    if not complex_ or math.prod(shape[last + 1 :]) > 1 or any(shape[each.axis] != each.n for each in (one, other)):
        return False
    return 0 not in shape and plane_steps(*shape[last - 1 : last + 1], smallest) is not None


def _is_volume(some: tuple[Transform, ...], shape: tuple[int, ...]) -> bool:
    """Tell whether transforms are those along the last three axes, as they are, of volumes for which there is a kernel."""
    if [one.axis for one in sorted(some, key=lambda each: each.axis)] != [*range(len(shape) - 3, len(shape))] or 0 in shape:
        return False
    whole = all(one.kind in ("fft", "ifft") and one.kind == some[0].kind and shape[one.axis] == one.n <= _LONGEST for one in some)
    return whole and math.prod(shape[-3:]) >= _SMALLEST


def _of_volume(some: tuple[Transform, ...]) -> Constant:
    x, y, z = (one.n for one in sorted(some, key=lambda each: each.axis))
    return Constant(roots.volume, (x, y, z, math.prod(one.factor for one in some)))


def _of_planes(one: Transform, other: Transform, smallest: int) -> Constant:
    first, second = sorted((one, other), key=lambda each: each.axis)
    return Constant(roots.planes, (first.n, second.n, one.factor * other.factor, smallest))


def several_axes(planes: Planes, transforms: tuple[Transform, ...], matrix: Planes, smallest: int) -> Planes:
    """Transform matrices along both axes, or volumes along all."""
    shape, order = planes[0].shape, -1 if transforms[0].kind == "ifft" else 1
    first, last = min(one.axis for one in transforms), max(one.axis for one in transforms)
    flat = tuple([reshape(plane, (math.prod(shape[:first]), *shape[first : last + 1])) for plane in planes[::order]])
    volumes = len(transforms) == 3
    found = call("fourier volumes", *flat, *matrix) if volumes else call("fourier planes", *flat, *matrix, smallest=smallest)
    return tuple([reshape(plane, shape) for plane in found[::order]])


@functools.lru_cache(maxsize=4096)
def constants(transform: Transform, shape: tuple[int, ...], planes: int, smallest: int) -> tuple[Constant, ...]:
    """
    List what a transform of an array of that shape, in one or two planes, multiplies by, in the order in which `transformed` takes it.

    Tiles of the Tensor Engine have so many rows at least.
    """
    kind, axis, n, _ = transform
    plan, smallest = _planned(transform, shape, smallest)
    if plan.is_one and not smallest:
        return (Constant(roots.matrix, (kind, n, transform.factor, min(shape[axis], transform.wanted))),)
    if plan.is_one and kind in roots.HALVES and is_folded(n):
        return (Constant(roots.folded_half, (n, transform.factor, kind == "irfft")),)
    if plan.is_one and planes == 1 and is_folded(n):
        return (Constant(roots.folded, (n, transform.factor, smallest)),)
    if plan.is_one and _has_half_steps(kind, n, smallest):
        return (Constant(roots.paired_half, (n, transform.factor, kind == "irfft", smallest)),)
    if plan.is_one and _has_real_steps(kind, n, planes, smallest):
        return (Constant(roots.paired_real, (n, transform.factor, smallest)),)
    if plan.is_one:
        return (_of_rows(n, transform.factor, smallest),)
    kind = _FORWARD[kind]
    if kind == "fft" and planes == 1:
        kind = "rfft"
    return tuple(_constants(kind, plan.lengths, plan.circle, transform.factor, smallest))


def _planned(transform: Transform, shape: tuple[int, ...], smallest: int) -> tuple[Steps, int]:
    """Choose steps, and tell how many rows tiles have, or 0 where the last step is not one of rows, as of long real results."""
    if not _are_rows(transform, shape):
        return steps(transform.n), 0
    plan = steps(transform.n, smallest)
    return (plan, smallest) if plan.is_one or transform.kind not in roots.HALVES else (steps(transform.n), 0)


def _has_half_steps(kind: str, n: int, smallest: int) -> bool:
    """Tell whether rows of half spectra have two steps of their own, to real numbers."""
    return kind in roots.HALVES and not is_folded(n) and steps_from_half(n, smallest) is not None


def _has_real_steps(kind: str, n: int, planes: int, smallest: int) -> bool:
    """Tell whether rows of real numbers have two steps of their own, to half spectra."""
    return planes == 1 and kind in ("rfft", "ihfft") and not is_folded(n) and half_steps(n, smallest) is not None


def _of_rows(n: int, factor: float, smallest: int) -> Constant:
    """Give the constants of the kernel for complex rows of a length."""
    if is_stacked(n, smallest):
        return Constant(roots.stacked, (n, factor))
    make = roots.folded if is_folded(n) else roots.paired if two_steps(n, smallest) else roots.tripled
    return Constant(make, (n, factor, smallest))


def _are_rows(transform: Transform, shape: tuple[int, ...]) -> bool:
    """Tell whether what lies along an axis lies together in memory, or is moved there, since it has little beside it."""
    inner = math.prod(shape[transform.axis + 1 :])
    few = _FEW if transform.kind in ("fft", "ifft") and transform.n <= _TALLEST else NARROW
    return inner == 1 or transform.n > _WIDEST or (inner < few and math.prod(shape[: transform.axis]) > 1)


def _constants(kind: str, lengths: tuple[int, ...], circle: int, factor: float, smallest: int) -> Iterator[Constant]:
    first, *rest = lengths
    second = math.prod(rest)
    if rest:
        half = first // 2 + 1
        if kind != "hfft":
            yield Constant(roots.matrix, (kind, first, 1.0, first))
        later = factor if kind == "fft" and first == 2 else 1.0  # only one of two halves has twiddles
        yield Constant(roots.twiddles, (first, second, first if kind == "fft" else half, factor / later))
        yield from _constants("fft", tuple(rest), circle, later, 0 if kind == "hfft" else smallest)
        if kind == "hfft":
            yield Constant(roots.matrix, (kind, first, 1.0, half))
    elif circle:
        inner = steps(circle, smallest).lengths
        yield Constant(roots.chirp, (first, 1.0))
        yield from _constants("fft", inner, 0, 1.0, smallest)
        yield Constant(roots.chirp_spectrum, (first, circle))
        yield from _constants("fft", inner, 0, 1.0, smallest)
        yield Constant(roots.chirp, (first, factor))
    elif smallest:
        yield _of_rows(first, factor, smallest)
    else:
        yield Constant(roots.matrix, ("fft", first, factor, first))


def transformed(planes: Planes, transform: Transform, given: Iterator[Planes], smallest: int) -> Planes:
    """Transform along an axis: two planes, or one of real numbers."""
    kind, axis, n, _ = transform
    shape = planes[0].shape
    before, after = shape[:axis], shape[axis + 1 :]
    outer, inner = math.prod(before), math.prod(after)
    if inner > 1 and _are_rows(transform, shape):
        moved = tuple([transpose(reshape(plane, (outer, shape[axis], inner)), (0, 2, 1)) for plane in planes])
        found = transformed(moved, transform._replace(axis=2), given, smallest)
        return tuple([reshape(transpose(plane, (0, 2, 1)), (*before, transform.length, *after)) for plane in found])
    plan, smallest = _planned(transform, shape, smallest)
    if plan.is_one:
        if not smallest:
            return _dense(planes, kind, axis, next(given))
        flat = tuple([extended(reshape(plane, (outer, shape[axis])), 1, transform.wanted) for plane in planes])
        found = _rows(flat, kind, n, next(given), smallest)
        return tuple([reshape(plane, (*before, transform.length, *after)) for plane in found])
    planes = tuple([extended(plane, axis, transform.wanted) for plane in planes])
    planes = tuple([reshape(plane, (outer, transform.wanted, inner)) for plane in planes])
    chain = _Chain(plan.lengths, plan.circle, given, smallest)
    results: Planes
    if kind in roots.HALVES:
        if len(planes) == 2 and kind == "irfft":
            planes = (planes[0], negative(planes[1]))
        results = (chain.to_real(planes),)
    elif len(planes) == 1:
        results = chain.of_real(planes[0])
        if kind in ("ihfft", "ifft"):
            results = (results[0], negative(results[1]))
        if kind in ("fft", "ifft"):
            results = tuple([_whole(plane, n, sign) for plane, sign in zip(results, (1, -1), strict=True)])
    else:
        results = chain.complex(planes[:: -1 if kind == "ifft" else 1])[:: -1 if kind == "ifft" else 1]
    return tuple([reshape(plane, (*before, plane.shape[1], *after)) for plane in results])


def _dense(planes: Planes, kind: str, axis: int, matrix: Planes) -> Planes:
    """Transform by one product; what is shorter than the transform is multiplied by as many rows of the matrix, as if zeros followed."""
    rows, length = matrix[0].shape
    before, after = planes[0].shape[:axis], planes[0].shape[axis + 1 :]
    if len(planes) == 2 and kind in ("fft", "ifft") and rows <= _TALLEST and length <= _TALLEST and planes[0].size:
        flat = tuple([reshape(cut(plane, axis, rows), (math.prod(before), rows, math.prod(after))) for plane in planes])
        return tuple([reshape(plane, (*before, length, *after)) for plane in call("fourier columns", *flat, *matrix)])
    if kind in roots.HALVES:
        results = [times_matrices((plane,), (part,), axis)[0] for plane, part in zip(planes, matrix, strict=False)]
        return (elementwise("subtract", *results, dtype=FLOAT32),) if len(results) == 2 else tuple(results)
    return tuple(times_matrices(planes, matrix, axis))


def _rows(planes: Planes, kind: str, n: int, matrix: Planes, smallest: int) -> Planes:
    """Transform rows by one kernel; backward transforms of complex numbers have their planes exchanged."""
    if not planes[0].size:
        length, count = n // 2 + 1 if kind in ("rfft", "ihfft") else n, 1 if kind in roots.HALVES else 2
        return tuple([fill(0, (planes[0].shape[0], length), FLOAT32) for _ in range(count)])
    if not is_folded(n):
        return _pairs(planes, kind, n, matrix, smallest)
    if kind in roots.HALVES:
        if len(planes) == 1:
            planes = (*planes, fill(0, planes[0].shape, FLOAT32))
        return call("fourier rows", *planes, *matrix, kind="Hermitian", n=n)
    if len(planes) == 2:
        order = -1 if kind == "ifft" else 1
        return call("fourier rows", *planes[::order], *matrix, kind="stacked" if is_stacked(n, smallest) else "complex", n=n)[::order]
    real, imaginary = call("fourier rows", *planes, *matrix, kind="real" if kind in ("rfft", "ihfft") else "whole", n=n)
    return real, negative(imaginary) if kind in ("ihfft", "ifft") else imaginary


def _pairs(planes: Planes, kind: str, n: int, matrix: Planes, smallest: int) -> Planes:
    """Transform complex rows in two steps or three: of the former, real ones and half spectra as such."""
    kernel = "fourier pairs" if two_steps(n, smallest) else "fourier triples"
    if kind in roots.HALVES:
        both = planes if len(planes) == 2 else (*planes, fill(0, planes[0].shape, FLOAT32))
        if _has_half_steps(kind, n, smallest):
            return call("fourier half pairs", *both, *matrix, n=n, smallest=smallest)
        halves = [reshape(plane, (*plane.shape, 1)) for plane in (both[0], negative(both[1]) if kind == "irfft" else both[1])]
        planes = tuple([reshape(_whole(plane, n, sign), (plane.shape[0], n)) for plane, sign in zip(halves, (1, -1), strict=True)])
        return call(kernel, *planes, *matrix, smallest=smallest)[:1]
    if len(planes) == 2:
        order = -1 if kind == "ifft" else 1
        return call(kernel, *planes[::order], *matrix, smallest=smallest)[::order]
    if _has_real_steps(kind, n, 1, smallest):
        real, imaginary = call("fourier real pairs", *planes, *matrix, smallest=smallest)
        return real, negative(imaginary) if kind == "ihfft" else imaginary
    zeros = (fill(0, planes[0].shape, FLOAT32),) if kernel == "fourier pairs" else ()
    real, imaginary = call(kernel, *planes, *zeros, *matrix, smallest=smallest)
    if kind in ("ihfft", "ifft"):
        imaginary = negative(imaginary)
    length = n // 2 + 1 if kind in ("rfft", "ihfft") else n
    return cut(real, 1, length), cut(imaginary, 1, length)


def _whole(half: Node, n: int, sign: int) -> Node:
    """Append the other half of a Hermitian spectrum to one of its planes: (outer, n, inner)."""
    outer, length, inner = half.shape
    mirrored = Node(Read(Layout((n - length) * inner, (outer, n - length, inner), (length * inner, -inner, 1))), (half,))
    return put_together((outer, n, inner), [((0, 0, 0), half), ((0, length, 0), negative(mirrored) if sign < 0 else mirrored)])


def _product(one: Planes, other: Planes) -> Planes:
    """Multiply complex numbers; the second ones are repeated along the first axis, and along axes of length 1."""
    shape = one[0].shape
    wide = tuple([_spread(plane, shape) for plane in other])

    def times(left: Node, right: Node) -> Node:
        return elementwise("multiply", left, right, dtype=FLOAT32)

    real = elementwise("subtract", times(one[0], wide[0]), times(one[1], wide[1]), dtype=FLOAT32)
    return real, elementwise("add", times(one[0], wide[1]), times(one[1], wide[0]), dtype=FLOAT32)


def _spread(plane: Node, shape: tuple[int, ...]) -> Node:
    """Repeat what has the inner axes of a shape but the last one: (outer, rows..., inner) from (rows...)."""
    own = contiguous_strides(plane.shape)
    return Node(Read(Layout(0, shape, (0, *own, 0))), (plane,))


class _Chain:
    """
    Steps of one transform, of planes of (outer, length, inner).

    Parameters
    ----------
    lengths, circle : tuple of int, int
        As in `Steps`.
    given : iterator
        Constants, in their order.
    smallest : int
        Rows of the smallest tiles, where the last step is of rows, with nothing after them; else 0.
    """

    def __init__(self, lengths: tuple[int, ...], circle: int, given: Iterator[Planes], smallest: int) -> None:
        self.first, self.rest, self.circle, self.given, self.smallest = lengths[0], lengths[1:], circle, given, smallest
        self.second = math.prod(self.rest)

    def _next(self, smallest: int) -> _Chain:
        return _Chain(self.rest, self.circle, self.given, smallest)

    def complex(self, planes: Planes) -> Planes:
        """Transform complex numbers."""
        if not self.rest:
            if self.circle:
                return self._convolved(planes)
            if not self.smallest:
                return tuple(times_matrices(planes, next(self.given), 1))
            flat = tuple([reshape(plane, plane.shape[:2]) for plane in planes])
            results = _rows(flat, "fft", self.first, next(self.given), self.smallest)
            return tuple([reshape(plane, planes[0].shape) for plane in results])
        return tuple([self._in_order(plane) for plane in self._by_classes(planes)])

    def _by_classes(self, planes: Planes) -> Planes:
        """Give the element k₁ + n₁k₂ of each transform at (outer, k₁, k₂, inner), for all k₁ or of real numbers for half of them."""
        outer, _, inner = planes[0].shape
        if self.first == 2 and len(planes) == 2:
            return self._by_halves(planes)
        split = tuple([reshape(plane, (outer, self.first, self.second * inner)) for plane in planes])
        products = times_matrices(split, next(self.given), 1)
        classes = products[0].shape[1]
        twiddled = _product(tuple([reshape(plane, (outer, classes, self.second, inner)) for plane in products]), next(self.given))
        rows = tuple([reshape(plane, (outer * classes, self.second, inner)) for plane in twiddled])
        return tuple([reshape(plane, (outer, classes, self.second, inner)) for plane in self._next(self.smallest).complex(rows)])

    def _by_halves(self, planes: Planes) -> Planes:
        """Give elements as `_by_classes` does, of the sum and the difference of both halves."""
        outer, n, inner = planes[0].shape
        next(self.given)
        shape, strides = (outer, 1, self.second, inner), contiguous_strides((outer, 2, self.second, inner))
        halves = [[Node(Read(Layout(at * strides[1], shape, strides)), (plane,)) for at in range(2)] for plane in planes]
        added = [elementwise("add", *pair, dtype=FLOAT32) for pair in halves]
        below = tuple([elementwise("subtract", *pair, dtype=FLOAT32) for pair in halves])
        turns = tuple([Node(Read(Layout(self.second, (1, self.second), (self.second, 1))), (part,)) for part in next(self.given)])
        parts = zip(added, _product(below, turns), strict=True)
        whole = [put_together((outer, 2, self.second, inner), [((0, 0, 0, 0), one), ((0, 1, 0, 0), other)]) for one, other in parts]
        rows = tuple([reshape(plane, (2 * outer, n // 2, inner)) for plane in whole])
        return tuple([reshape(plane, (outer, 2, self.second, inner)) for plane in self._next(self.smallest).complex(rows)])

    @staticmethod
    def _in_order(plane: Node) -> Node:
        outer, classes, second, inner = plane.shape
        return reshape(transpose(plane, (0, 2, 1, 3)), (outer, classes * second, inner))

    def of_real(self, plane: Node) -> Planes:
        """Transform real numbers: half a spectrum."""
        half = plane.shape[1] // 2 + 1
        if not self.rest:
            whole = self.complex((plane, fill(0, plane.shape, FLOAT32)))
            return tuple([cut(one, 1, half) for one in whole])
        planes = self._by_classes((plane,))
        return tuple([self._half(one, half, sign) for one, sign in zip(planes, (1, -1), strict=True)])

    def _half(self, plane: Node, half: int, sign: int) -> Node:
        """
        Put half a spectrum together of the classes of k₁ up to n₁/2.

        The element (k₁, k₂) of another class is the conjugate of that at (n₁ - k₁, n₂ - 1 - k₂).
        """
        outer, classes, second, inner = plane.shape
        rows, others = -(-half // self.first), self.first - classes
        own = contiguous_strides(plane.shape)
        ours = Node(Read(Layout(0, (outer, rows, classes, inner), (own[0], own[2], own[1], own[3]))), (plane,))
        parts = [((0, 0, 0, 0), ours)]
        if others:
            start = others * own[1] + (second - 1) * own[2]
            mirrored = Node(Read(Layout(start, (outer, rows, others, inner), (own[0], -own[2], -own[1], own[3]))), (plane,))
            parts.append(((0, 0, classes, 0), negative(mirrored) if sign < 0 else mirrored))
        whole = reshape(put_together((outer, rows, self.first, inner), parts), (outer, rows * self.first, inner))
        return cut(whole, 1, half)

    def to_real(self, planes: Planes) -> Node:
        """Transform half a Hermitian spectrum."""
        outer, _, inner = planes[0].shape
        n = self.first * (self.second if self.rest else 1)
        whole = tuple([_whole(plane, n, sign) for plane, sign in zip(planes, (1, -1), strict=False)])
        if len(whole) == 1:
            whole = (*whole, fill(0, whole[0].shape, FLOAT32))
        if not self.rest:
            return self.complex(whole)[0]
        twiddles = next(self.given)
        classes = self.first // 2 + 1
        shape, strides = (outer, self.second, classes, inner), contiguous_strides((outer, self.second, self.first, inner))
        taken = tuple([Node(Read(Layout(0, shape, strides)), (plane,)) for plane in whole])
        along = tuple([reshape(plane, (outer, self.second, classes * inner)) for plane in taken])
        columns = tuple([reshape(plane, shape) for plane in self._next(0).complex(along)])
        twiddled = _product(columns, tuple([transpose(part, (1, 0)) for part in twiddles]))
        (first,) = _dense(twiddled, "hfft", 2, next(self.given))  # (outer, n₂, n₁, inner)
        return reshape(transpose(first, (0, 2, 1, 3)), (outer, n, inner))

    def _convolved(self, planes: Planes) -> Planes:
        """Transform by a convolution with a chirp."""
        n, plan = self.first, steps(self.circle, self.smallest).lengths
        chirped = _product(planes, next(self.given))
        padded = tuple([extended(plane, 1, self.circle) for plane in chirped])
        spectrum = _Chain(plan, 0, self.given, self.smallest).complex(padded)
        product = _product(spectrum, next(self.given))
        circle = _Chain(plan, 0, self.given, self.smallest).complex(product[::-1])[::-1]
        return _product(tuple([cut(plane, 1, n) for plane in circle]), next(self.given))
