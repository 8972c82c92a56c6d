"""Kernels that show how a device computes. Each takes tensors in HBM and returns a tuple of them; none judges."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from ...isa import nisa, nki, nl
from ..function import PAIRS
from ..kernels.random.interleaving import Schedule
from ..kernels.random.philox import Philox
from ..kernels.random.threefry import Threefry
from ..kernels.sbuf import load_tables

__all__ = [
    "CASTS",
    "ONE_AND_A_BIT",
    "casts",
    "chained",
    "doubles",
    "duplicates",
    "gathered",
    "integers",
    "nothing",
    "out_of_range",
    "products",
    "random_words",
    "scaled",
    "sums",
    "two_operators",
    "unseeded",
    "whole_sums",
]

ONE_AND_A_BIT: Final = 1 + 2.0**-12
"""Its square is a tie between float32 numbers."""

CASTS: Final = ("bfloat16", "float16", "int32", "int16", "int8", "uint8")
"""What `casts` casts to."""


def _loaded(source: Any) -> Any:
    tile = nl.ndarray(source.shape, source.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=source)
    return tile


def _returned(tile: Any) -> Any:
    out = nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=tile)
    return out


def _evacuated(bank: Any) -> Any:
    tile = nl.ndarray(bank.shape, nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(tile, bank, engine=nisa.engine.vector)
    return tile


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def nothing(x: Any) -> Any:
    """Copy a tensor: what a launch costs."""
    return (_returned(_loaded(x)),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def products(stationary: Any, moving: Any) -> Any:
    """Multiply on the Tensor Engine."""
    bank = nl.ndarray((stationary.shape[1], moving.shape[1]), nl.float32, buffer=nl.psum)
    nisa.nc_matmul(bank, _loaded(stationary), _loaded(moving))
    return (_returned(_evacuated(bank)),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def whole_sums(stationary: Any, moving: Any) -> Any:
    """Multiply on the Tensor Engine, and make integers of the sums on the Scalar Engine."""
    bank = nl.ndarray((stationary.shape[1], moving.shape[1]), nl.float32, buffer=nl.psum)
    whole = nl.ndarray(bank.shape, nl.int32, buffer=nl.sbuf)
    nisa.nc_matmul(bank, _loaded(stationary), _loaded(moving))
    nisa.activation(whole, nl.copy, bank)
    return _returned(_evacuated(bank)), _returned(whole)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def chained(terms: Any, one: Any) -> Any:
    """Add three terms in PSUM, by a matrix product for each."""
    bank = nl.ndarray((terms.shape[2], 1), nl.float32, buffer=nl.psum)
    stationary, moving = _loaded(terms), _loaded(one)
    for term in range(3):
        nisa.nc_matmul(bank, stationary[:, term], moving, accumulate=term > 0)
    return (_returned(_evacuated(bank)),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def sums(x: Any) -> Any:
    """Add along the free axis on the Vector Engine."""
    tile = nl.ndarray((x.shape[0], 1), nl.float32, buffer=nl.sbuf)
    nisa.tensor_reduce(tile, nl.add, _loaded(x), axis=1)
    return (_returned(tile),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def two_operators(x: Any, y: Any) -> Any:
    """Multiply by `ONE_AND_A_BIT` and add, in one instruction of three kinds."""
    data, addend = _loaded(x), _loaded(y)
    made = [nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf) for _ in range(3)]
    nisa.tensor_scalar(made[0], data, nl.multiply, ONE_AND_A_BIT, op1=nl.add, operand1=addend, engine=nisa.engine.vector)
    nisa.scalar_tensor_tensor(made[1], data, nl.multiply, ONE_AND_A_BIT, nl.add, addend)
    nisa.activation(made[2], nl.copy, data, bias=addend, scale=ONE_AND_A_BIT)
    return tuple(map(_returned, made))


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def scaled(x: Any, y: Any) -> Any:
    """Multiply on Vector Engine, GpSimd and Scalar Engine."""
    data, factor = _loaded(x), _loaded(y)
    made = [nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf) for _ in range(3)]
    nisa.tensor_tensor(made[0], data, factor, nl.multiply, engine=nisa.engine.vector)
    nisa.tensor_tensor(made[1], data, factor, nl.multiply, engine=nisa.engine.gpsimd)
    nisa.activation(made[2], nl.copy, data, scale=factor)
    return tuple(map(_returned, made))


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def casts(x: Any) -> Any:
    """Cast on the Vector Engine, and subtract the first cast from what was cast."""
    data, made = _loaded(x), []
    for dtype in CASTS:
        made.append(nl.ndarray(x.shape, getattr(nl, dtype), buffer=nl.sbuf))
        nisa.tensor_copy(made[-1], data, engine=nisa.engine.vector)
    rest = nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf)
    nisa.tensor_tensor(rest, data, made[0], nl.subtract, engine=nisa.engine.vector)
    return tuple(map(_returned, [*made, rest]))


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def integers(x: Any, y: Any) -> Any:
    """Compute with 32-bit integers."""
    left, right = _loaded(x), _loaded(y)
    made = [nl.ndarray(x.shape, nl.int32, buffer=nl.sbuf) for _ in range(7)]
    nisa.tensor_tensor(made[0], left, right, nl.add, engine=nisa.engine.gpsimd)
    nisa.tensor_tensor(made[1], left, right, nl.multiply, engine=nisa.engine.gpsimd)
    nisa.tensor_tensor(made[2], left, right, nl.add, engine=nisa.engine.vector)
    nisa.tensor_tensor(made[3], left, right, nl.bitwise_xor, engine=nisa.engine.vector)
    nisa.tensor_copy(made[4], left, engine=nisa.engine.vector)
    nisa.tensor_scalar(made[5], left, nl.left_shift, 5)
    nisa.tensor_scalar(made[6], left, nl.right_shift, 9)
    return tuple(map(_returned, made))


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def doubles(x_high: Any, x_low: Any, y_high: Any, y_low: Any) -> Any:
    """Compute with words of float64: products, and exponentials of the first operand."""
    x, y, results = [_loaded(x_high), _loaded(x_low)], [_loaded(y_high), _loaded(y_low)], []
    for name, operands in (("multiply", [*x, *y]), ("exp", x)):
        loop = PAIRS[f"float64.{name}.high"].loops["uint32"]
        made = [nl.ndarray(x_high.shape, nl.uint32, buffer=nl.sbuf) for _ in range(2)]
        loop.emit(*made, *operands, *load_tables(loop.tables).values())
        results += made
    return tuple(map(_returned, results))


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def random_words(philox: Any, threefry: Any) -> Any:
    """Compute a block of each function on each partition, from the constants of a call that partitions have of their own."""
    results = []
    for make, table in ((Philox, _loaded(philox)), (partial(Threefry, 2), _loaded(threefry))):
        generator: Any = make([table[:, place : place + 1] for place in range(table.shape[1])])
        schedule = Schedule((table.shape[0], 1))
        tile = nl.ndarray((table.shape[0], generator.words), nl.uint32, buffer=nl.sbuf)
        parts = [partial(tile.__getitem__, (slice(None), slice(place, place + 1))) for place in range(generator.words)]
        first = schedule.then(lambda *_: None)
        first.given = lambda first=generator.first: first
        generator.block(schedule, first, parts)
        schedule.emit()
        results.append(_returned(tile))
    return tuple(results)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def out_of_range(x: Any) -> Any:
    """Take square roots on the Scalar Engine."""
    tile = nl.ndarray(x.shape, nl.float32, buffer=nl.sbuf)
    nisa.activation(tile, nl.sqrt, _loaded(x))
    return (_returned(tile),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def duplicates(x: Any, places: Any) -> Any:
    """Write rows to places of which several are the same."""
    out = nl.ndarray((2, 1), nl.float32, buffer=nl.shared_hbm)
    blank = nl.ndarray((2, 1), nl.float32, buffer=nl.sbuf)
    nisa.memset(blank, 0)
    nisa.dma_copy(dst=out, src=blank)
    nisa.dma_copy(dst=out.ap([[1, x.shape[0]], [1, 1]], vector_offset=_loaded(places)), src=_loaded(x))
    return (out,)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def gathered(x: Any, places: Any) -> Any:
    """Gather columns in an access pattern, where groups of 16 partitions hold different offsets."""
    tile = nl.ndarray((x.shape[0], 16), nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(tile, _loaded(x).indirect(_loaded(places), num_elem=16))
    return (_returned(tile),)


@nki.jit  # type: ignore[untyped-decorator, unused-ignore]  # NKI's
def unseeded(x: Any) -> Any:
    """Draw from the Vector Engine's generator, which nobody seeded."""
    tile = nl.ndarray(x.shape, nl.uint32, buffer=nl.sbuf)
    nisa.rng(tile)
    return (_returned(tile),)
