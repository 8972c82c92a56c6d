"""Conjugate gradients for matrices of constant diagonals, whose vectors stay on the chip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from ....dtypes import FLOAT32
from ....isa import expect, nisa, nl
from ....rules import Signature
from ...costs import Costs
from ...kernel import InvalidCallError, Kernel, Ruling, declare
from ..emission import Emission
from ..sbuf import PARTITIONS, scratch
from ..tile_ring import Ring
from .exchange import copy_columns
from .stencils import Run, Terms, add_up, partition_rows

__all__ = ["iterate_gradients"]

_ROOM: Final = 180 << 10  # bytes of a partition that vectors and pieces of them take
_SCALED: Final = 4
_PRODUCTS: Final = 3
_NEVER: Final = float(1 << 25)  # more than the steps that float32 counts

_Runs: TypeAlias = tuple[tuple[int, int, int], ...]  # as `Run`


def _geometry(rows: int, offsets: tuple[int, ...], runs: Sequence[tuple[int, int, int]]) -> tuple[int, int, int, int]:
    """Give the rows of a partition, those of a piece, and how far products reach to the neighbours on both sides."""
    each, width = partition_rows(rows, runs)
    return each, width, max(0, -offsets[0]), max(0, offsets[-1])


def iterate_gradients(
    emission: Emission, rows: int, coefficients: Any, offsets: tuple[int, ...], runs: tuple[Run, ...], turns: int
) -> None:
    """
    Take steps of conjugate gradients until the residual is small enough, they are many enough, or the method breaks down.

    Notes
    -----
    *Layout.* Four vectors are on the chip: rows in blocks of equal length on each partition, the direction with what its neighbours have of
    the reach of a product, which DMA brings anew in each step while the inner pieces are computed. Scalar products are sums of the Scalar
    Engine along partitions, and of the Tensor Engine over them, by a matrix of ones, so that they are on all partitions at once.

    *Limits.* Vectors that fit, of about 1.1 million elements; products that reach no further than the next partition.

    *Bound.* Vector Engine and GpSimd: a sum of two for each diagonal but one, and four more, in each step. HBM has the vectors before and
    after.

    *Error.* A step rounds as its operations do; the squared norm decides when to stop, and the caller computes the residual anew.

    *Source.* Hestenes and Stiefel (1952); vectors in SBUF and sums by ones: prototypes of this project.
    """
    each, width, left, right = _geometry(rows, offsets, runs)
    used = -(-rows // each)
    solver = _Gradients(used, each, width, (left, right))
    solver.load([emission.source(number, (rows,)) for number in range(3)], emission.source(3, (4,)))
    nisa.dma_copy(solver.table(len(offsets)), coefficients.ap(pattern=[[0, used], [1, len(offsets)]], offset=0))
    goes_on = nisa.register_alloc()
    solver.look(goes_on)

    def turn(_: Any) -> Any:
        solver.turn(rows, offsets, runs)
        solver.look(goes_on)
        return goes_on

    nl.while_loop(expect(goes_on, turns, turns), turn)
    solver.store([emission.result((rows,), number) for number in range(3)], emission.result((4,), 3))


class _Gradients:
    """The vectors, and columns with numbers that are the same on all partitions."""

    def __init__(self, used: int, each: int, width: int, reach: tuple[int, int]) -> None:
        self._used, self._each, self._width, self._reach = used, each, width, reach
        self._x, self._r, self._q = (scratch((used, each), nl.float32) for _ in range(3))
        self._spread = scratch((used, reach[0] + each + reach[1]), nl.float32)
        self._p = self._spread[:, reach[0] : reach[0] + each]
        self._terms = Terms(width, used)
        self._products = Ring(_PRODUCTS, (used, width), nl.float32)
        self._unused = scratch((used, width), nl.float32)
        self._ones = scratch((used, used), nl.float32)
        nisa.memset(self._ones, 1.0)
        self._state = scratch((used, 4), nl.float32)  # before, goal, steps that are left, whether it broke down
        self._square, self._alpha, self._beta = (scratch((used, 1), nl.float32) for _ in range(3))
        self._parts = Ring(2, (used, each // width), nl.float32)
        self._tails = scratch((1, each), nl.float32)
        self._coefficients: Any = None

    def table(self, count: int) -> Any:
        """Make the table of coefficients."""
        self._coefficients = scratch((self._used, count), nl.float32)
        return self._coefficients

    def load(self, vectors: list[Any], state: Any) -> None:
        """Load the solution, the residual and the direction, and compute the squared norm of the residual."""
        nisa.memset(self._spread, 0.0)
        nisa.memset(self._tails, 0.0)
        for vector, tile in zip(vectors, (self._x, self._r, self._p), strict=True):
            if vector.shape[0] < self._used * self._each:
                nisa.memset(tile, 0.0)
            copy_columns(vector, self._each, 0, self._each, tile, store=False)
        nisa.dma_copy(self._state, state.ap(pattern=[[0, self._used], [1, 4]], offset=0))
        self._norm()

    def store(self, vectors: list[Any], state: Any) -> None:
        """Store vectors, and the numbers with the squared norm in the place of the goal."""
        for vector, tile in zip(vectors, (self._x, self._r, self._p), strict=True):
            copy_columns(vector, self._each, 0, self._each, tile, store=True)
        nisa.tensor_copy(self._state[:1, 1:2], self._square[:1])
        nisa.dma_copy(state.expand_dim(0), self._state[:1])

    def look(self, goes_on: Any) -> None:
        """Tell whether there is another step: the squared norm is beyond the goal, some are left, and it did not break down."""
        flags, wide = scratch((1, 2), nl.float32), scratch((1, 1), nl.int32)
        _, goal, left, broken = (self._state[:1, number : number + 1] for number in range(4))
        nisa.tensor_tensor(flags[:, :1], self._square[:1], goal, nl.greater)
        nisa.tensor_tensor(flags[:, 1:], left, broken, nl.greater)  # which is 0 or more than there are
        nisa.tensor_tensor(wide, flags[:, :1], flags[:, 1:], nl.multiply)
        nisa.register_load(goes_on, wide)

    def turn(self, rows: int, offsets: tuple[int, ...], runs: tuple[Run, ...]) -> None:
        """Take a step."""
        before, _, left, _ = (self._state[:, number : number + 1] for number in range(4))
        self._divide(self._beta, self._square, before)
        nisa.tensor_copy(before, self._square)
        nisa.tensor_scalar(left, left, nl.subtract, 1.0)
        begins = range(0, self._each, self._width)
        edges = [begin for begin in begins if begin < self._reach[1] or begin + self._width > self._each - self._reach[0]]
        for begin in edges:
            self._sum(self._p, self._p, self._beta, self._r, begin)
        self._exchange()
        for begin in (begin for begin in begins if begin not in edges):
            self._sum(self._p, self._p, self._beta, self._r, begin)
        parts = self._parts.take()
        near = [begin for begin in begins if begin < self._reach[0] or begin + self._width > self._each - self._reach[1]]
        for begin in (*(one for one in begins if one not in near), *near):
            self._multiply(rows, offsets, runs, begin, parts)
        self._divide(self._alpha, self._square, self._total(parts))
        minus = scratch((self._used, 1), nl.float32)
        nisa.tensor_scalar(minus, self._alpha, nl.multiply, -1.0)
        for begin in begins:
            self._sum(self._r, self._q, minus, self._r, begin)
        self._norm()
        for begin in begins:
            self._sum(self._x, self._p, self._alpha, self._x, begin)

    def _piece(self, vector: Any, begin: int) -> Any:
        return vector[:, begin : begin + self._width]

    def _sum(self, dst: Any, x: Any, coefficient: Any, addend: Any, begin: int) -> None:
        """Compute ``dst = coefficient * x + addend`` of a piece."""
        gpsimd = self._terms.last(1, self._width) > 0
        self._terms.add(self._piece(dst, begin), self._piece(x, begin), coefficient, self._piece(addend, begin), gpsimd=gpsimd)

    def _multiply(self, rows: int, offsets: tuple[int, ...], runs: tuple[Run, ...], begin: int, parts: Any) -> None:
        """Multiply the matrix with a piece of the direction, and add up its product with the result."""
        shifted = [self._piece(self._spread, self._reach[0] + begin + offset) for offset in offsets]
        q, product, number = self._piece(self._q, begin), self._products.take(), begin // self._width
        add_up(self._terms, q, shifted, self._coefficients, runs, begin)
        missing = self._used * self._each - rows
        if (first := max(begin, self._each - missing)) < begin + self._width:  # rows beyond the matrix
            last = self._used - 1
            nisa.dma_copy(self._q[last : last + 1, first : begin + self._width], self._tails[:, first : begin + self._width])
        engine = nisa.engine.gpsimd if self._terms.last(1, self._width) else nisa.engine.vector
        nisa.tensor_tensor(product, self._piece(self._p, begin), q, nl.multiply, engine=engine)
        self._add_up(product, nl.copy, parts[:, number : number + 1])

    def _add_up(self, x: Any, function: Any, column: Any) -> None:
        nisa.activation_reduce(self._unused, function, x, nl.add, column)

    def _norm(self) -> None:
        """Compute the squared norm of the residual."""
        parts = self._parts.take()
        for begin in range(0, self._each, self._width):
            number = begin // self._width
            self._add_up(self._piece(self._r, begin), nl.square, parts[:, number : number + 1])
        nisa.tensor_copy(self._square, self._total(parts))

    def _total(self, parts: Any) -> Any:
        """Add all up, on all partitions."""
        column, bank = scratch((self._used, 1), nl.float32), nl.ndarray((self._used, 1), nl.float32, buffer=nl.psum)
        nisa.tensor_reduce(column, nl.add, parts, axis=1)
        nisa.nc_matmul(bank, self._ones, column)
        total = scratch((self._used, 1), nl.float32)
        nisa.tensor_copy(total, bank)
        return total

    def _divide(self, quotient: Any, a: Any, b: Any) -> None:
        """Divide; where the divisor is 0 or the quotient no number, it is 0, and the method breaks down."""
        safe, failed, good = (scratch((self._used, 1), nl.float32) for _ in range(3))
        nisa.tensor_scalar(failed, b, nl.equal, 0.0)
        nisa.tensor_tensor(safe, b, failed, nl.add)
        nisa.reciprocal(safe, safe)
        nisa.tensor_tensor(quotient, a, safe, nl.multiply)
        nisa.tensor_scalar(good, quotient, nl.multiply, 0.0, op1=nl.equal, operand1=0.0)  # not of infinities and NaN
        nisa.tensor_tensor(good, good, failed, nl.greater)
        wrong = scratch((self._used, 1), nl.uint8)
        nisa.tensor_scalar(wrong, good, nl.equal, 0.0)
        nisa.tensor_copy_predicated(quotient, 0.0, wrong)
        broken = self._state[:, 3:]
        nisa.tensor_scalar(failed, good, nl.equal, 0.0, op1=nl.multiply, operand1=_NEVER)
        nisa.tensor_tensor(broken, broken, failed, nl.maximum)

    def _exchange(self) -> None:
        """Bring what neighbours have of the direction."""
        left, right = self._reach
        if left and self._used > 1:
            nisa.dma_copy(self._spread[1:, :left], self._spread[:-1, self._each : self._each + left])
        if right and self._used > 1:
            nisa.dma_copy(self._spread[:-1, left + self._each :], self._spread[1:, left : left + right])


def _rule(
    x: Signature, r: Signature, p: Signature, state: Signature, coefficients: Signature, *,
    offsets: tuple[int, ...], runs: _Runs, turns: int,
) -> Ruling:  # fmt: skip
    rows = math.prod(x.shape)
    if {one.dtype for one in (x, r, p, state, coefficients)} != {FLOAT32} or not x.shape == r.shape == p.shape or state.shape != (4,):
        raise InvalidCallError(f"gradients of {len(offsets)} constant diagonals do not take {x}, {r}, {p} and {state}")
    each, width, left, right = _geometry(rows, offsets, runs)
    if max(left, right) > each or -(-rows // each) < PARTITIONS // 2:
        raise InvalidCallError(f"products of {rows} rows reach beyond the next partition, or most partitions have none")
    if 4 * (4 * each + left + right + (_SCALED + _PRODUCTS + 4) * width) > _ROOM:
        raise InvalidCallError(f"four vectors of {rows} elements do not fit SBUF")
    return (x, x, x, state), (rows, len(offsets), offsets, runs, turns)


def _emit(emission: Emission, rows: int, count: int, offsets: tuple[int, ...], runs: _Runs, turns: int) -> None:
    iterate_gradients(emission, rows, emission.source(4, (count,)), offsets, tuple(Run(*run) for run in runs), turns)


def _time(
    costs: Costs, _results: tuple[Signature, ...], rows: int, count: int, offsets: tuple[int, ...], runs: _Runs, turns: int
) -> float:
    each, width, _, _ = _geometry(rows, offsets, runs)
    vector = each // width * costs.instruction("scalar_tensor_tensor", width)
    other = each // width * costs.instruction("tensor_tensor", width, "gpsimd") if costs.target.generation >= 3 else math.inf
    return turns * (2 * costs.transfer_waits + (count + 3) * vector / (1 + vector / other)) + costs.moves(0, 0, 24 * rows)


declare(
    Kernel(
        "stencil gradients",
        _rule,
        _emit,
        "conjugate gradients of {1} constant diagonals",
        "{0} rows, at most {4} turns",
        estimate=_time,
    )
)
