"""Products of matrices of floats with one rounding, or integers modulo 2**64, by exact products of slices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ....rules import Signature
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..elementwise.alu import arithmetic, copy
from ..elementwise.registers import greatest, turns
from ..emission import Emission
from ..epilogue import Span
from ..sbuf import PARTITIONS, scratch
from .exact_tile import ExactTiles
from .operands import row_of
from .sliced_inner import LEAST_DEPTH, InnerProduct
from .sliced_operand import SlicedOperand, each_part, window
from .sliced_product import ProductOfSlices
from .slicing import FAST, FULL, least_average
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
    for each element whether 8 slices keep the error below 2**-53 of the sum of magnitudes. A tile for which they do not is computed again
    with 16 slices, and where those do not, or numbers are not finite, product by product (`exact_tile`). NVIDIA's ADP (Schwarz et al.,
    arXiv 2511.13778) chooses by exponents of blocks instead, and leaves the device.

    *Layout.* Tiles of slices are (128 of the contraction, slices, rows); a tile of the result has 128 rows and 512 columns.

    *Bound.* Tensor Engine: 38 products of bfloat16 for 8 slices. Vector Engine for depths below about 2000: 120 instructions round a tile.

    *Error.* ``|c - a @ b| <= 2**-53 |a @ b| + 2**-53 (|a| @ |b|) + 2**-1075``; the bits depend on operands alone, not on
    tiles or orders, unless orders decide whether 16 slices are enough.
    """
    count, columns = extents[0], extents[3]
    width = min(_WIDEST, columns)
    product = _Product(results, a, b, extents, transposed, batches, floating, width)
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
    ) -> None:
        _, self.rows, self.depth, self.columns = extents
        self.results, self.floating, self.batches, self.width = results, floating, batches, width
        scales = [nl.ndarray((extent,), nl.float32, buffer=nl.private_hbm) if floating else None for extent in (self.rows, self.columns)]
        self.left = SlicedOperand(a, self.rows, self.depth, transposed[0], min(PARTITIONS, self.rows), scales[0])
        self.right = SlicedOperand(b, self.columns, self.depth, not transposed[1], width, scales[1])
        tiles = -(-self.rows // PARTITIONS) * -(-self.columns // width)
        self.across = -(-self.columns // width)
        self.count = FAST if floating else 4 * len(a)
        pairs = self.count * (self.count + 1) // 2
        self.each = -(-self.depth // PARTITIONS) * (pairs + 2 * self.count) + _ROUNDING
        self.instructions = tiles * self.each + self.left.deep * 150 * (1 + self.across)
        self.flags = [nl.ndarray((tiles, 1), nl.int32, buffer=nl.private_hbm) for _ in range(2)] if floating else []
        self.exact = ExactTiles(a, b, extents, transposed) if floating else None
        vectors = self.rows == self.columns == 1 and self.depth >= LEAST_DEPTH
        self.inner = InnerProduct(a, b, self.depth, floating) if vectors else None

    def run(self, batch: Any) -> None:
        """Multiply two matrices."""
        own = [batch if several > 1 else 0 for several in self.batches]
        if self.inner is not None:
            self._run_inner(self.inner, batch, own)
            return
        sides = (self.left, self.right)
        if self.floating:
            for side, number in zip(sides, own, strict=True):
                side.find_scales(number)
        worst = self._pass(batch, own, self.count, None)
        if not self.floating:
            return
        assert self.exact is not None

        def again(_: Any) -> None:
            wrong = self._pass(batch, own, FULL, self.flags[0])
            nl.fori_loop(0, turns(greatest(wrong)), lambda _: self._each_flagged(self.flags[1], self._exactly, batch, own))

        nl.fori_loop(0, turns(greatest(worst)), again)

    def _run_inner(self, inner: InnerProduct, batch: Any, own: list[Any]) -> None:
        """Multiply two vectors."""
        whole = (0, 1), (0, 1)
        if self.floating:
            inner.find_scales(own)
        words, few = inner.multiply(own, self.count, len(self.results))
        self._store(batch, *whole, words)
        if not self.floating:
            return

        def again(_: Any) -> None:
            words, few = inner.multiply(own, FULL, len(self.results))
            self._store(batch, *whole, words)
            nl.fori_loop(0, turns(few), lambda _: self._exactly(None, *whole, batch, own))

        nl.fori_loop(0, turns(few), again)

    def _pass(self, batch: Any, own: list[Any], count: int, flagged: Any) -> Any:
        """Multiply by so many slices all tiles, or those that are flagged; tell whether there are some for which they are not enough."""
        cut = []
        for side, number, weight in zip((self.left, self.right), own, (1.0, -least_average(count) if self.floating else 0.0), strict=True):
            cut.append(side.room(count))
            side.cut(number, cut[-1], count, weight)
        product = ProductOfSlices(count, self.depth, self.floating, self.width)
        worst = scratch((PARTITIONS, 1), nl.float32)
        nisa.memset(worst, 0.0)
        found: Any = self.flags[0 if flagged is None else 1] if self.floating else None

        def tile(place: tuple[Any, Any], rows: Span, columns: Span) -> None:
            planes, total = product.tile(cut[0], cut[1], place, rows[1], columns[1])
            if not self.floating:
                self._store(batch, rows, columns, product.integers(planes))
                return
            scales = self.left.load_scales(*rows), self.right.load_scales(*columns, along=rows[1])
            bias = 1023 if len(self.left.words) == 2 else 127
            self._store(batch, rows, columns, product.rounded(planes, scales, bias, len(self.results)))
            few = product.check(total, scales)
            nisa.tensor_tensor(worst[: rows[1]], worst[: rows[1]], few, nl.maximum, engine=nisa.engine.vector)
            nisa.dma_copy(found.select(0, place[0] * self.across + place[1]).expand_dim(0), _flag(few))

        if flagged is None:
            self._each_tile(tile, self.each, max(1, min(_TOGETHER, _UNROLLED // self.each)))
        else:
            zero = scratch((1, 1), nl.int32)
            nisa.memset(zero, 0)

            def clear(place: tuple[Any, Any], *_: Any) -> None:
                nisa.dma_copy(found.select(0, place[0] * self.across + place[1]).expand_dim(0), zero)

            self._each_tile(clear, 1)
            self._each_tile(lambda *where: self._if(flagged, where[0], lambda: tile(*where)), 4 * self.each)
        return worst

    def _each_flagged(self, flags: Any, body: Any, *others: Any) -> None:
        self._each_tile(lambda *where: self._if(flags, where[0], lambda: body(*where, *others)), 2 * _ROUNDING)

    def _if(self, flags: Any, place: tuple[Any, Any], body: Any) -> None:
        """Do what is for a flagged tile."""
        flag = scratch((1, 1), nl.int32)
        nisa.dma_copy(flag, flags.select(0, place[0] * self.across + place[1]).expand_dim(0))
        number = copy(scratch((1, 1), nl.float32), flag)
        nl.fori_loop(0, turns(number), lambda _: body())

    def _each_tile(self, body: Any, instructions: int, together: int = 1) -> None:
        height = min(PARTITIONS, self.rows)

        def panel(j: Any, first: Any, width: int) -> None:
            def tile(i: Any, at: Any, height: int) -> None:
                body((i, j), (at, height), (first, width))

            each_part(self.rows, height, instructions, tile, budget=_UNROLLED, together=together)

        each_part(self.columns, self.width, instructions * -(-self.rows // height), panel, budget=_UNROLLED)

    def _exactly(self, _: Any, rows: Span, columns: Span, batch: Any, own: list[Any]) -> None:
        assert self.exact is not None
        self._store(batch, rows, columns, self.exact.tile(own, rows, columns, len(self.results)))

    def _store(self, batch: Any, rows: Span, columns: Span, words: Sequence[Any]) -> None:
        for result, word in zip(self.results, words, strict=True):
            place = row_of(batch, self.rows, rows[0]), rows[1]
            nisa.dma_copy(window(result, self.columns, place, columns), word)


def _flag(few: Any) -> Any:
    return arithmetic(nl.greater, greatest(few), 0.0, dtype=nl.int32)


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
    sliced_matmul(results, sources[:half], sources[half:], extents, (left_transposed, right_transposed), (many, others), floating)


declare(Kernel("sliced_matmul", _rule, _emit, "exact matmul of slices", "{0} of {1} × {2} by {2} × {3}"))
