"""Products of matrices of floats with one rounding, or integers modulo 2**64, by exact products of slices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..elementwise.alu import arithmetic, copy
from ..elementwise.registers import greatest, turns
from ..emission import Emission
from ..epilogue import Span
from ..hbm import Hbm
from ..sbuf import PARTITIONS, scratch
from .exact_tile import ExactTiles
from .operands import row_of
from .sliced_inner import LEAST_DEPTH, InnerProduct
from .sliced_operand import Cut, SlicedOperand, each_part, window
from .sliced_product import ProductOfSlices, lacking
from .slicing import FAST, FULL, LEVELS, float_slices, integer_slices, least_average
from .special_values import ProductOfClasses, class_of, put_special
from .stacks import product_extents

__all__ = ["sliced_matmul"]

_WIDEST: Final = 512
_ROUNDING: Final = 150  # instructions
_UNROLLED: Final = 16_000
_TOGETHER: Final = 8  # tiles of a turn, of which one is rounded while the next one is multiplied


def sliced_matmul(
    results: Sequence[Any],
    a: Sequence[Any],
    b: Sequence[Any],
    extents: tuple[int, int, int, int],
    transposed: tuple[bool, bool],
    batches: tuple[int, int],
    floating: bool,
    hbm: Hbm,
) -> None:
    """
    Multiply matrices of numbers in flat words, the high one first, that are stored transposed where that is said.

    Extents are batches, rows, depth and columns; an operand of one batch serves all. Integers are modulo 2**32 for each word.

    Notes
    -----
    *Method.* Error-free products of slices (Ozaki, Ogita, Oishi and Rump 2012). Rows of A and columns of B are scaled by powers of two,
    cut into digits of 8 bits with signs (`slicing`), and kept in HBM. Of digits p and q the products with p + q < s are computed; those
    with one p + q are added in PSUM, exactly and in any order, for 1024 of them; the Scalar Engine makes integers of the sums, GpSimd adds
    these, and each element is rounded once (`wide_rounding`). Two more products add up magnitudes and numbers that are not zero, and tell
    for each element whether 8 slices keep the error below 2**-53 of the sum of magnitudes. For a tile where they do not, the same with
    other magnitudes tells whether 10, 12 or 16 do, with which it is computed again, or product by product (`exact_tile`). Rows and columns
    with NaN or infinities have digits of 0; where there are some, signs, infinities and NaN are multiplied once more (`special_values`).
    NVIDIA's ADP (Schwarz et al., arXiv 2511.13778) chooses by exponents of blocks instead, and leaves the device.

    *Layout.* Tiles of slices are (128 of the contraction, slices, rows); a tile of the result has 128 rows and 512 columns.

    *Bound.* Tensor Engine: 38 products of bfloat16 for 8 slices. Vector Engine for depths below about 2000: 120 instructions round a tile.

    *Error.* ``|c - a @ b| <= 2**-53 |a @ b| + 2**-53 (|a| @ |b|) + 2**-1075``; the bits depend on operands alone, not on
    tiles or orders, unless orders decide whether 16 slices are enough.
    """
    count, columns = extents[0], extents[3]
    width = min(_WIDEST, columns)
    product = _Product(results, a, b, extents, transposed, batches, floating, width, hbm)
    if count > 1 and count * product.instructions > _UNROLLED:
        nl.fori_loop(0, count, product.run)
    else:
        for number in range(count):
            product.run(number)


class _Product:
    """The products of a batch, one after the other."""

    def __init__(
        self,
        results: Sequence[Any],
        a: Sequence[Any],
        b: Sequence[Any],
        extents: tuple[int, int, int, int],
        transposed: tuple[bool, bool],
        batches: tuple[int, int],
        floating: bool,
        width: int,
        hbm: Hbm,
    ) -> None:
        _, self.rows, self.depth, self.columns = extents
        self.results, self.floating, self.batches, self.width = results, floating, batches, width
        scales = [nl.ndarray((extent,), nl.float32, buffer=nl.private_hbm) if floating else None for extent in (self.rows, self.columns)]
        self.left = SlicedOperand(a, self.rows, self.depth, transposed[0], min(PARTITIONS, self.rows), scales[0])
        self.right = SlicedOperand(b, self.columns, self.depth, not transposed[1], width, scales[1])
        tiles = -(-self.rows // PARTITIONS) * -(-self.columns // width)
        self.across = -(-self.columns // width)
        self.count = FAST if floating else 4 * len(a)
        self.bias = 1023 if len(a) == 2 else 127
        pairs = self.count * (self.count + 1) // 2
        self.each = -(-self.depth // PARTITIONS) * (pairs + 2 * self.count) + _ROUNDING
        self.instructions = tiles * self.each + self.left.deep * 150 * (1 + self.across)
        self.flags: Any = nl.ndarray((tiles, 2), nl.int32, buffer=nl.private_hbm) if floating else None  # too few slices, not finite
        self.exact = ExactTiles(a, b, extents, transposed) if floating else None
        vectors = self.rows == self.columns == 1 and self.depth >= LEAST_DEPTH
        self.inner = InnerProduct(a, b, self.depth, floating) if vectors else None
        self.rooms: list[Any] = []  # of the planes that both are cut into, at first and again
        if self.inner is None:
            most = [FULL + len(LEVELS) + weights for weights in (1, len(LEVELS))] if floating else [self.count] * 2
            self.rooms = [hbm.take(side.shape(planes), nl.bfloat16) for side, planes in zip((self.left, self.right), most, strict=True)]

    def run(self, batch: Any) -> None:
        """Multiply two matrices."""
        own = [batch if several > 1 else 0 for several in self.batches]
        if self.inner is not None:
            self._run_inner(self.inner, batch, own)
            return
        if self.floating:
            for side, number in zip((self.left, self.right), own, strict=True):
                side.find_scales(number)
        worst = self._first(batch, own)
        if self.floating:
            worst = greatest(worst)
            nl.fori_loop(0, turns(worst[:, 0:1]), lambda _: self._again(batch, own))
            nl.fori_loop(0, turns(worst[:, 1:2]), lambda _: self._special(batch, own))

    def _run_inner(self, inner: InnerProduct, batch: Any, own: list[Any]) -> None:
        """Multiply two vectors."""
        whole = (0, 1), (0, 1)
        if self.floating:
            inner.find_scales(own)
        words, lacks = inner.multiply(own, self.count, len(self.results))
        self._store(batch, *whole, words)
        if not self.floating:
            return

        def again(_: Any) -> None:
            words, lacks = inner.multiply(own, FULL, len(self.results))
            self._store(batch, *whole, words)
            nl.fori_loop(0, turns(lacks[:, 0:1]), lambda _: self._exactly(*whole, batch, own))

        def special(_: Any) -> None:
            words = self._load(batch, *whole)
            put_special(words, inner.special(own))
            self._store(batch, *whole, words)

        nl.fori_loop(0, turns(lacks[:, 0:1]), again)
        nl.fori_loop(0, turns(lacks[:, 1:2]), special)

    def _cut(self, own: list[Any], count: int, levels: Sequence[int]) -> tuple[Any, Any]:
        """Cut both operands into slices, and what tells whether these are enough for some levels."""
        if not self.floating:
            return self._planes(own, [(count, lambda words, _: integer_slices(words))] * 2)
        weights = [1.0], [-least_average(level) for level in levels]
        return self._planes(
            own, [(count + len(levels) + len(w), partial(float_slices, count=count, levels=levels, weights=w)) for w in weights]
        )

    def _planes(self, own: list[Any], ways: Sequence[tuple[int, Cut]]) -> tuple[Any, Any]:
        """Cut both operands, into so many planes in that way."""
        found = [room[:, :, :planes] for room, (planes, _) in zip(self.rooms, ways, strict=True)]
        for side, batch, into, (_, cut) in zip((self.left, self.right), own, found, ways, strict=True):
            side.cut(batch, into, cut)
        return found[0], found[1]

    def _first(self, batch: Any, own: list[Any]) -> Any:
        """Multiply all tiles by few slices, and flag those that need more work: which kinds there are, of each partition."""
        cut = self._cut(own, self.count, (FAST,))
        product = ProductOfSlices(self.count, self.depth, self.floating, self.width)
        worst = scratch((PARTITIONS, 2), nl.float32)
        nisa.memset(worst, 0.0)

        def tile(place: tuple[Any, Any], rows: Span, columns: Span) -> None:
            planes, total = product.tile(cut, place, rows[1], columns[1])
            if not self.floating:
                self._store(batch, rows, columns, product.integers(planes))
                return
            scales = self._scales(rows, columns)
            self._store(batch, rows, columns, product.rounded(planes, scales, self.bias, len(self.results)))
            lacks = lacking([total], scales)
            nisa.tensor_tensor(worst[: rows[1]], worst[: rows[1]], lacks, nl.maximum, engine=nisa.engine.vector)
            nisa.dma_copy(self._flag(place), copy(scratch((1, 2), nl.int32), greatest(lacks)))

        self._each_tile(tile, self.each, max(1, min(_TOGETHER, _UNROLLED // self.each)))
        return worst

    def _again(self, batch: Any, own: list[Any]) -> None:
        """Multiply tiles for which the first slices were too few by as many as they need, or product by product."""
        cut = self._cut(own, FULL, LEVELS)
        product = ProductOfSlices(FULL, self.depth, True, self.width)

        def tile(place: tuple[Any, Any], rows: Span, columns: Span) -> None:
            scales = self._scales(rows, columns)
            lacks = greatest(lacking(product.verdicts(cut, place, rows[1], columns[1]), scales))

            def multiply(count: int) -> None:
                planes, _ = product.tile(cut, place, rows[1], columns[1], count)
                self._store(batch, rows, columns, product.rounded(planes, scales, self.bias, len(self.results)))

            left: Any = 1.0  # whether none of the counts before was enough
            for number, count in enumerate(LEVELS):
                few = lacks[:, number : number + 1]
                more = arithmetic(nl.multiply, few, left)
                nl.fori_loop(0, turns(arithmetic(nl.subtract, left, more)), lambda _, count=count: multiply(count))
                left = more
            nl.fori_loop(0, turns(left), lambda _: self._exactly(rows, columns, batch, own))

        self._each_flagged(0, tile, 8 * self.each)

    def _special(self, batch: Any, own: list[Any]) -> None:
        """Put NaN and infinities into tiles that meet some."""
        classes = self._planes(own, [(1, lambda words, _: [class_of(words)])] * 2)
        product = ProductOfClasses(self.depth, self.width)

        def tile(place: tuple[Any, Any], rows: Span, columns: Span) -> None:
            words = self._load(batch, rows, columns)
            put_special(words, product.tile(classes, place, rows[1], columns[1]))
            self._store(batch, rows, columns, words)

        self._each_flagged(1, tile, self.each)

    def _scales(self, rows: Span, columns: Span) -> tuple[Any, Any]:
        return self.left.load_scales(*rows), self.right.load_scales(*columns, along=rows[1])

    def _each_flagged(self, column: int, body: Any, instructions: int) -> None:
        self._each_tile(lambda *where: self._if(column, where[0], lambda: body(*where)), instructions)

    def _flag(self, place: tuple[Any, Any]) -> Any:
        return self.flags.select(0, place[0] * self.across + place[1]).expand_dim(0)

    def _if(self, column: int, place: tuple[Any, Any], body: Any) -> None:
        """Do what is for a flagged tile."""
        flag = scratch((1, 2), nl.int32)
        nisa.dma_copy(flag, self._flag(place))
        nl.fori_loop(0, turns(copy(scratch((1, 1), nl.float32), flag[:, column : column + 1])), lambda _: body())

    def _each_tile(self, body: Any, instructions: int, together: int = 1) -> None:
        height = min(PARTITIONS, self.rows)

        def panel(j: Any, first: Any, width: int) -> None:
            def tile(i: Any, at: Any, height: int) -> None:
                body((i, j), (at, height), (first, width))

            each_part(self.rows, height, instructions, tile, budget=_UNROLLED, together=together)

        each_part(self.columns, self.width, instructions * -(-self.rows // height), panel, budget=_UNROLLED)

    def _exactly(self, rows: Span, columns: Span, batch: Any, own: list[Any]) -> None:
        assert self.exact is not None
        self._store(batch, rows, columns, self.exact.tile(own, rows, columns, len(self.results)))

    def _places(self, batch: Any, rows: Span, columns: Span) -> list[Any]:
        place = row_of(batch, self.rows, rows[0]), rows[1]
        return [window(result, self.columns, place, columns) for result in self.results]

    def _store(self, batch: Any, rows: Span, columns: Span, words: Sequence[Any]) -> None:
        for place, word in zip(self._places(batch, rows, columns), words, strict=True):
            nisa.dma_copy(place, word)

    def _load(self, batch: Any, rows: Span, columns: Span) -> list[Any]:
        words = []
        for place in self._places(batch, rows, columns):
            words.append(scratch((rows[1], columns[1]), nl.uint32))
            nisa.dma_copy(words[-1], place)
        return words


def _rule(
    *words: Signature, floating: bool, left_transposed: bool = False, right_transposed: bool = False, results: int | None = None
) -> Ruling:
    """Multiply stacks of matrices, in words of 32 bits: as many for the left ones as for the right ones, and for results unless given."""
    half = len(words) // 2
    first, second = words[:half], words[half:]
    if half not in (1, 2) or len({*first}) + len({*second}) != 2 or any(len(word.shape) != 3 for word in words):
        raise InvalidCallError(f"sliced matmul takes stacks of matrices in one or two words each, not {words}")
    batch, rows, depth, columns, many, others = product_extents("sliced matmul", first[0], second[0], left_transposed, right_transposed)
    parameters = (batch, rows, depth, columns, left_transposed, right_transposed, many, others, floating)
    return (Signature((batch, rows, columns), first[0].dtype),) * (results or half), parameters


def _emit(
    emission: Emission,
    batch: int,
    rows: int,
    depth: int,
    columns: int,
    left_transposed: bool,
    right_transposed: bool,
    many: int,
    others: int,
    floating: bool,
) -> None:
    half = len(emission.stage.sources) // 2
    sizes = many * rows * depth, others * depth * columns
    sources = [emission.source(number, (sizes[number >= half],)) for number in range(2 * half)]
    results = [emission.result((batch * rows * columns,), number) for number in range(len(emission.stage.results))]
    extents = (batch, rows, depth, columns)
    transposed = left_transposed, right_transposed
    sliced_matmul(results, sources[:half], sources[half:], extents, transposed, (many, others), floating, emission.hbm)


declare(Kernel("sliced_matmul", _rule, _emit, "exact matmul of slices", "{0} of {1} × {2} by {2} × {3}"))
