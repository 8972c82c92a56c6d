"""Equations with triangular matrices, of any number of right-hand sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from ....dtypes import FLOAT32
from ....isa import nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..evacuation import Evacuation
from ..move.gather import in_loops
from ..move.tile_transpose import TileTransposer
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring, psum_ring
from .diagonal_inverses import Inverses, TriangleMasks

__all__: list[str] = []

_MOST_ROWS: Final = 4096
_TOGETHER: Final = 8  # diagonal blocks that are inverted at once
_RESIDENT: Final = 8  # rows of blocks whose triangle stays in SBUF
_PANEL: Final = 512
_RAW: Final = 8  # blocks of a row that are loaded at once
_BEYOND: Final = 2.0**-10
"""Of ``|T| |y|``: a residual up to which one correction makes a solution as accurate as substitution does."""
_TINY: Final = 2.0**-112
"""Added to y there: elements below 2**-126 may be flushed to zero."""
_INSTRUCTIONS: Final = 24  # of a row of blocks, without products
_VECTOR: Final = nisa.engine.vector

Panel = tuple[Any, int]


class _Triangle:
    """
    A triangle T in HBM, and what the Tensor Engine takes of it: transposes of its blocks, and of inverses of those on the diagonal.

    Parameters
    ----------
    source : tensor
        (order, order) in HBM.
    lower, transposed, unit : bool
        Whether T is a lower triangle, is stored transposed, and has ones on its diagonal.
    several : bool
        Whether it serves several panels of right-hand sides.
    """

    def __init__(self, source: Any, *, lower: bool, transposed: bool, unit: bool, several: bool) -> None:
        self.source, self.lower, self.transposed, self.unit = source, lower, transposed, unit
        self.order: int = source.shape[0]
        self.blocks = -(-self.order // PARTITIONS)
        self.evacuation = Evacuation()
        self.transposer = TileTransposer(2, self.evacuation)
        self.masks = TriangleMasks()
        shape = (PARTITIONS, self.blocks, PARTITIONS)
        self.diagonal, self.inverse = scratch(shape, nl.float32), scratch(shape, nl.float32)
        self.magnitude = scratch(shape, nl.bfloat16)
        self.least = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(self.least, 1.0)
        self.raw = Ring(2, (PARTITIONS, PARTITIONS * min(_RAW, self.blocks)), nl.float32)
        self.packed, self.kept = None, dict[int, Any]()
        self.strips = None
        if self.blocks > _RESIDENT:
            self.strips = Ring(2, (PARTITIONS, self.blocks - 1, PARTITIONS), nl.float32)
            if several:
                self.packed = nl.ndarray((self.blocks, PARTITIONS, self.blocks - 1, PARTITIONS), nl.float32, buffer=nl.private_hbm)

    def height(self, row: int) -> int:
        """Find the rows of a block."""
        return min(PARTITIONS, self.order - row * PARTITIONS)

    def before(self, row: int) -> range:
        """Find the blocks of a row beside the diagonal."""
        return range(row) if self.lower else range(row + 1, self.blocks)

    def prepare(self, banks: Ring) -> None:
        """Load and invert the diagonal blocks."""
        inverses = Inverses(self.masks, self.least, banks, lower=self.lower, unit=self.unit)
        for row in range(self.blocks):
            self._load_diagonal(row)
        for first in range(0, self.blocks, _TOGETHER):
            some = slice(first, min(first + _TOGETHER, self.blocks))
            inverses.invert(self.inverse[:, some], self.diagonal[:, some])
            nisa.activation(self.magnitude[:, some], nl.abs, self.diagonal[:, some])

    def _load_diagonal(self, row: int) -> None:
        """Load a block of the diagonal, transposed; nothing else of the block is read, and what is beyond the order is a unit matrix."""
        some, height = slice(row * PARTITIONS, row * PARTITIONS + self.height(row)), self.height(row)
        given, tile = scratch((PARTITIONS, PARTITIONS), nl.float32), self.diagonal[:, row]
        self._blocks(given.expand_dim(1), some, some)
        nisa.tensor_copy(tile, self.masks.unit, engine=_VECTOR)
        if not self.unit:
            nisa.tensor_copy_predicated(tile[:height, :height], given[:height, :height], self.masks.unit.view(nl.uint32)[:height, :height])
        strictly = self.masks.above if self.lower else self.masks.below
        nisa.tensor_copy_predicated(tile[:height, :height], given[:height, :height], strictly.view(nl.uint32)[:height, :height])

    def _blocks(self, into: Any, rows: slice, columns: slice) -> None:
        """Load blocks of some rows of T, transposed: (up to 128 columns of each, blocks, rows)."""
        height, width = rows.stop - rows.start, columns.stop - columns.start
        whole, rest = divmod(width, PARTITIONS)
        if self.transposed:
            middle = columns.start + whole * PARTITIONS
            if whole:
                source = self.source[columns.start : middle, rows].reshape_dim(0, (whole, PARTITIONS))
                nisa.dma_copy(into[:, :whole, :height], source.permute((1, 0, 2)))
            if rest:
                nisa.dma_copy(into[:rest, whole, :height], self.source[middle : columns.stop, rows])
            return
        for first in range(0, width, PARTITIONS * _RAW):
            count = min(PARTITIONS * _RAW, width - first)
            raw = self.raw.take()[:height, :count]
            nisa.dma_copy(raw, self.source[rows, columns.start + first : columns.start + first + count])
            place = first // PARTITIONS
            self.transposer.blocks(into[:, place : place - (-count // PARTITIONS), :height], raw)

    def strip(self, row: int, *, first: bool) -> Any:
        """Give the transposes of the blocks of a row beside the diagonal; the first panel brings them."""
        before, height = self.before(row), self.height(row)
        count = len(before)
        if not count or row in self.kept:
            return self.kept.get(row)
        tile = scratch((PARTITIONS, count, PARTITIONS), nl.float32) if self.strips is None else self.strips.take()[:, :count]
        if first or self.packed is None:
            columns = slice(before.start * PARTITIONS, min(before.stop * PARTITIONS, self.order))
            self._blocks(tile, slice(row * PARTITIONS, row * PARTITIONS + height), columns)
            if self.packed is not None:
                for some in self._written(before, height):
                    nisa.dma_copy(self.packed[row][some], tile[some])
        else:
            for some in self._written(before, height):
                nisa.dma_copy(tile[some], self.packed[row][some])
        if self.strips is None:
            self.kept[row] = tile
        return tile

    def _written(self, before: range, height: int) -> Iterator[tuple[slice, slice, slice]]:
        """Find what is written of a strip."""
        count, last = len(before), self.height(before[-1])
        whole = count - (last < PARTITIONS)
        if whole:
            yield slice(0, PARTITIONS), slice(0, whole), slice(0, height)
        if whole < count:
            yield slice(0, last), slice(whole, count), slice(0, height)


class _Panels:
    """Solves for panels of right-hand sides."""

    def __init__(self, triangle: _Triangle, given: Any, result: Any, width: int) -> None:
        self.triangle, self.given, self.result = triangle, given, result
        self.sums, self.banks = psum_ring(2), psum_ring(4)
        triangle.prepare(self.banks)
        self.exact = nisa.get_nc_version() >= nisa.nc_version.gen3
        panel = (PARTITIONS, width)
        self.right, self.solved = Ring(4, panel, nl.float32), Ring(triangle.blocks + 4, panel, nl.float32)
        self.work = [Ring(2, panel, nl.float32) for _ in range(3)]
        self.small = Ring(2, panel, nl.bfloat16)
        self.fine = scratch(panel, nl.float32)
        nisa.memset(self.fine, 1.0)
        self.tiny = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(self.tiny, _TINY)

    def solve(self, panel: Panel, *, first: bool) -> None:
        """Solve, block by block. What a row takes of earlier ones is added up while the row before it is solved for."""
        triangle = self.triangle
        rows = [*range(triangle.blocks)] if triangle.lower else [*reversed(range(triangle.blocks))]
        solved: dict[int, Any] = {}
        strips = {rows[0]: triangle.strip(rows[0], first=first)}
        right = {row: self._load(row, panel) for row in rows[:2]}
        taken = None
        for place, row in enumerate(rows):
            for later in rows[place + 2 : place + 3]:
                right[later] = self._load(later, panel)
            coming, following = list[Callable[[], None]](), None
            if place + 1 < len(rows):
                later = rows[place + 1]
                strips[later] = triangle.strip(later, first=first)
                following, coming = self._sums(later, strips[later], solved, rows[:place], panel[1])
            share = -(-len(coming) // 3)
            for number, _ in enumerate(self._row(row, right.pop(row), taken, solved, panel)):
                for product in coming[share * number : share * (number + 1)]:
                    product()
            taken = following
            if following is not None:
                self._add(following, strips[rows[place + 1]], rows[place + 1], row, solved, begun=place > 0)

    def _load(self, row: int, panel: Panel) -> Any:
        height = self.triangle.height(row)
        tile = self.right.take()[:height, : panel[1]]
        nisa.dma_copy(tile, self.given[row * PARTITIONS : row * PARTITIONS + height, nl.ds(*panel)])
        return tile

    def _sums(self, row: int, strip: Any, solved: dict[int, Any], rows: list[int], width: int) -> tuple[Any, list[Callable[[], None]]]:
        """Prepare the products that a row takes of others, but for the last one."""
        bank = self.sums.take()[: self.triangle.height(row), :width]
        return bank, [
            partial(self._add, bank, strip, row, other, solved, begun=place > 0) for place, other in enumerate(rows)
        ]

    def _add(self, bank: Any, strip: Any, row: int, other: int, solved: dict[int, Any], *, begun: bool) -> None:
        place, depth = other - self.triangle.before(row).start, self.triangle.height(other)
        nisa.nc_matmul(bank, strip[:depth, place, : bank.shape[0]], solved[other], accumulate=begun)

    def _row(self, row: int, right: Any, taken: Any, solved: dict[int, Any], panel: Panel) -> Iterator[None]:
        """Solve for a row: y = inv(T) b, r = b - T y, x = y + inv(T) r; yields when the Tensor Engine would wait."""
        triangle = self.triangle
        height, width = right.shape

        def product(stationary: Any, moving: Any) -> Any:
            bank = self.banks.take()[:height, :width]
            nisa.nc_matmul(bank, stationary[:height, row, :height], moving, accumulate=False)
            return bank

        y, rest, size = (ring.take()[:height, :width] for ring in self.work)
        x, magnitude = self.solved.take()[:height, :width], self.small.take()[:height, :width]
        if taken is not None:
            nisa.tensor_tensor(right, right, taken, nl.subtract, engine=_VECTOR)
        bank = product(triangle.inverse, right)
        yield
        self._copy(y, bank)
        bank = product(triangle.diagonal, y)
        yield
        nisa.tensor_tensor(rest, right, bank, nl.subtract, engine=_VECTOR)
        bank = product(triangle.inverse, rest)
        yield
        nisa.tensor_tensor(x, y, bank, nl.add, engine=_VECTOR)
        solved[row] = x
        nisa.dma_copy(self.result[row * PARTITIONS : row * PARTITIONS + height, nl.ds(*panel)], x)
        nisa.activation(magnitude, nl.abs, y, bias=self.tiny[:height])
        nisa.activation(size, nl.abs, rest)
        bank = product(triangle.magnitude, magnitude)
        nisa.scalar_tensor_tensor(size, bank, nl.multiply, _BEYOND, nl.greater_equal, size)
        fine = self.fine[:height, :width]
        nisa.tensor_tensor(fine, fine, size, nl.multiply, engine=nisa.engine.gpsimd)

    def _copy(self, dst: Any, src: Any) -> None:
        nisa.tensor_copy(dst, src, engine=nisa.engine.scalar if self.exact else _VECTOR)

    def flags(self, regular: Any, holds: Any) -> None:
        """Store whether no element of the diagonal is zero, and whether solutions are accurate, or there are none."""
        least, fine = scratch((1, 1), nl.float32), scratch((1, 1), nl.float32)
        smallest = scratch((PARTITIONS, 1), nl.float32)
        nisa.tensor_reduce(smallest, nl.minimum, self.fine, axis=1)
        for flag, column in ((least, self.triangle.least), (fine, smallest)):
            row = scratch((1, PARTITIONS), nl.float32)
            self.triangle.transposer.tile(row, column)
            nisa.tensor_reduce(flag, nl.minimum, row, axis=1)
        nisa.dma_copy(regular, least)
        nisa.tensor_tensor(fine, fine, least, nl.greater_equal, engine=_VECTOR)
        nisa.dma_copy(holds, fine)


def _solve(emission: Emission, count: int, order: int, sides: int, lower: bool, transposed: bool, unit: bool) -> None:
    """
    Solve with triangular matrices by products with inverted diagonal blocks.

    Notes
    -----
    *Layout.* Rows ``128 r + p`` on partition p. Of right-hand sides 512 columns at a time are in SBUF, and all of the solution for them;
    of the triangle two rows of blocks, which the first panel transposes and, for others, keeps in HBM.

    *Bound.* Tensor Engine: n**2 m / 2 products, and four times 128 n m; of few right-hand sides the inverses of the diagonal blocks.

    *Error.* A solution with a diagonal block is corrected once by its residual, so that the backward error is that of substitution,
    ``n u``, where the first residual is below ``2**-10 |T| |y|``; a flag is 0 where it is not.
    """
    matrices, given = emission.source(0, (count, order, order)), emission.source(1, (count, order, sides))
    result = emission.result((count, order, sides))
    regular, holds = emission.result((count, 1, 1), 1), emission.result((count, 1, 1), 2)
    width, blocks = min(_PANEL, sides), -(-order // PARTITIONS)
    panels = -(-sides // width)
    each = blocks * (blocks // 2 + _INSTRUCTIONS)

    def one(part: Any, _count: int) -> None:
        triangle = _Triangle(part(matrices)[0], lower=lower, transposed=transposed, unit=unit, several=panels > 1)
        work = _Panels(triangle, part(given)[0], part(result)[0], width)
        work.solve((0, width), first=True)
        whole = sides // width
        if each * panels > emission.budget // 2:
            nl.fori_loop(1, whole, lambda place: work.solve((place * width, width), first=False))
        else:
            for place in range(1, whole):
                work.solve((place * width, width), first=False)
        if sides % width:
            work.solve((whole * width, sides % width), first=False)
        work.flags(part(regular)[0], part(holds)[0])

    in_loops(count, 1, each * panels + 200 * blocks, one)


def _rule(matrix: Signature, given: Signature, *, lower: bool, transposed: bool = False, unit: bool = False) -> Ruling:
    shape = matrix.shape
    if len(shape) != 3 or shape[1] != shape[2] or not 0 < shape[1] <= _MOST_ROWS or {matrix.dtype, given.dtype} != {FLOAT32}:
        raise InvalidCallError(f"triangular solve takes float32 matrices of 1 to {_MOST_ROWS} rows, not {matrix}")
    if given.shape[:2] != shape[:2] or len(given.shape) != 3 or not given.shape[2]:
        raise InvalidCallError(f"triangular solve of {matrix} has no right-hand sides {given}")
    flags = Signature((shape[0],), FLOAT32)
    return (given, flags, flags), (*shape[:2], given.shape[2], lower, transposed, unit)


def _estimate(costs: Costs, _results: tuple[Signature, ...], count: int, order: int, sides: int, *_: bool) -> float:
    """Estimate inverses of the diagonal blocks, and products."""
    blocks, panels = -(-order // PARTITIONS), -(-sides // _PANEL)
    inverses = 96 * -(-blocks // _TOGETHER) * costs.instruction("tensor_tensor", 16 * min(blocks, _TOGETHER))
    products = blocks * (blocks / 2 + 4) * panels * costs.instruction("nc_matmul", min(sides, _PANEL), "tensor", "float32")
    return 2 * costs.transfer_waits + count * (inverses + products)


declare(
    Kernel("triangular solve", _rule, _solve, "triangular solve", "{0} systems of {1} equations, {2} right-hand sides", estimate=_estimate)
)
