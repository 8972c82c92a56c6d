"""Kernels of ours for published times whose kernels are described: those that stream their operands once."""

from __future__ import annotations

from ...backends import simulator
from ...backends.simulator import isa as nisa
from ...backends.simulator import language as nl
from ...backends.simulator.tensor.nkitensor import NkiTensor
from .tiles import Transfers, new_like, new_tile

__all__ = [
    "adamw",
    "add_columns",
    "add_rows",
    "convolve",
    "copy",
    "rotate_halves",
    "rotate_packed",
    "silu",
    "silu_unfused",
    "transpose_tiles",
]


def _like(a: NkiTensor) -> NkiTensor:
    return nl.ndarray(a.shape, a.dtype, nl.shared_hbm)


@simulator.jit
def add_rows(a: NkiTensor, b: NkiTensor) -> NkiTensor:
    """Add vectors tile by tile, each tile the next elements in HBM: two loads, one instruction, one store."""
    out, transfers = _like(a), Transfers(static=False)
    for tile in range(a.shape[0]):
        x, y = transfers.load(a[tile]), transfers.load(b[tile])
        total = new_like(x)
        nisa.tensor_scalar(total, x, nl.add, y, engine=nisa.engine.vector)
        transfers.store(out[tile], total)
    return out


@simulator.jit
def add_columns(a: NkiTensor, b: NkiTensor, columns: int) -> NkiTensor:
    """Add vectors that are cut into one row per partition, some columns at a time."""
    out, transfers = _like(a), Transfers(static=False)
    for start in range(0, a.shape[1], columns):
        here = nl.ds(start, columns)
        x, y = transfers.load(a[:, here]), transfers.load(b[:, here])
        total = new_like(x)
        nisa.tensor_tensor(total, x, y, nl.add, engine=nisa.engine.vector)
        transfers.store(out[:, here], total)
    return out


@simulator.jit
def copy(a: NkiTensor) -> NkiTensor:
    """Copy tiles of 128 rows through SBUF."""
    out, transfers = _like(a), Transfers(static=False)
    for start in range(0, a.shape[0], 128):
        rows = nl.ds(start, 128)
        transfers.store(out[rows], transfers.load(a[rows]))
    return out


@simulator.jit
def transpose_tiles(a: NkiTensor) -> NkiTensor:
    """Transpose a matrix by tiles of 128 x 128, on the Tensor Engine."""
    rows, columns = a.shape
    out, transfers = nl.ndarray((columns, rows), a.dtype, nl.shared_hbm), Transfers(static=False)
    for row in range(0, rows, 128):
        for column in range(0, columns, 128):
            tile = transfers.load(a[nl.ds(row, 128), nl.ds(column, 128)])
            turned, result = new_tile(128, 128, nl.psum, a.dtype), new_tile(128, 128, dtype=a.dtype)
            nisa.nc_transpose(turned, tile, engine=nisa.engine.tensor)
            nisa.tensor_copy(result, turned)
            transfers.store(out[nl.ds(column, 128), nl.ds(row, 128)], result)
    return out


@simulator.jit
def silu(x: NkiTensor, in_place: bool = False) -> NkiTensor:
    """Apply SiLU to tiles (partitions, tiles, columns), an instruction of the Scalar Engine for each."""
    out, transfers = _like(x), Transfers(static=True)
    for index in range(x.shape[1]):
        tile = transfers.load(x[:, index])
        result = tile if in_place else new_like(tile)
        nisa.activation(result, nl.silu, tile)
        transfers.store(out[:, index], result)
    return out


@simulator.jit
def silu_unfused(x: NkiTensor) -> NkiTensor:
    """Compute SiLU as x / (1 + exp(-x)): in halves of a tile, an instruction of the Scalar Engine and three of the Vector Engine."""
    out, transfers = _like(x), Transfers(static=True)
    zeros = new_tile(128, 1)
    nisa.memset(zeros, 0.0)
    half = x.shape[2] // 2
    for index in range(x.shape[1]):
        tile = transfers.load(x[:, index])
        result = new_like(tile)
        for start in (0, half):
            here = nl.ds(start, half)
            power, more, inverse = (new_tile(128, half) for _ in range(3))
            nisa.activation(power, nl.exp, tile[:, here], bias=zeros, scale=-1.0)
            nisa.tensor_scalar(more, power, nl.add, 1.0, engine=nisa.engine.vector)
            nisa.reciprocal(inverse, more)
            nisa.tensor_tensor(result[:, here], tile[:, here], inverse, nl.multiply, engine=nisa.engine.vector)
        transfers.store(out[:, index], result)
    return out


@simulator.jit
def adamw(theta: NkiTensor, g: NkiTensor, m: NkiTensor, v: NkiTensor) -> NkiTensor:
    """Take a step of AdamW over tiles (partitions, tiles, columns): four loads, two activations, four of the Vector Engine, a store."""
    out, transfers = _like(theta), Transfers(static=True)
    for index in range(theta.shape[1]):
        weight, slope, first, second = (transfers.load(operand[:, index]) for operand in (theta, g, m, v))
        square, spread, inverse, mixed, term, result = (new_like(weight) for _ in range(6))
        nisa.activation(square, nl.square, slope)
        nisa.scalar_tensor_tensor(spread, second, nl.multiply, 999.0, nl.add, square)
        nisa.activation(inverse, nl.rsqrt, spread)
        nisa.scalar_tensor_tensor(mixed, first, nl.multiply, 9.0, nl.add, slope)
        nisa.scalar_tensor_tensor(term, mixed, nl.multiply, 0.001, nl.multiply, inverse)
        nisa.scalar_tensor_tensor(result, weight, nl.multiply, 0.99999, nl.subtract, term)
        transfers.store(out[:, index], result)
    return out


@simulator.jit
def rotate_halves(x: NkiTensor, cos: NkiTensor, sin: NkiTensor, columns: int) -> NkiTensor:
    """Rotate pairs of rows of two halves of 64 partitions, each half in tiles of its own: six products and sums."""
    out, transfers = _like(x), Transfers(static=True)
    for start in range(0, x.shape[1], columns):
        here = nl.ds(start, columns)
        sources = x[0:64, here], x[64:128, here], cos[:, here], sin[:, here]
        upper, lower, c, s = (transfers.load(source) for source in sources)
        for rows, first, second, last in ((slice(0, 64), c, s, nl.subtract), (slice(64, 128), s, c, nl.add)):
            one, other, result = (new_tile(64, columns) for _ in range(3))
            nisa.tensor_tensor(one, upper, first, nl.multiply, engine=nisa.engine.vector)
            nisa.tensor_tensor(other, lower, second, nl.multiply, engine=nisa.engine.vector)
            nisa.tensor_tensor(result, one, other, last, engine=nisa.engine.vector)
            transfers.store(out[rows, here], result)
    return out


@simulator.jit
def rotate_packed(x: NkiTensor, cos: NkiTensor, sin: NkiTensor, swap: NkiTensor, columns: int, by_product: bool = False) -> NkiTensor:
    """Rotate with both halves in one tile of 128 partitions, its halves exchanged by the Scalar Engine or by a product."""
    out, transfers = _like(x), Transfers(static=True)
    exchange = transfers.load(swap) if by_product else None
    for start in range(0, x.shape[1], columns):
        here = nl.ds(start, columns)
        both, c, s = transfers.load(x[:, here]), new_tile(128, columns), new_tile(128, columns)
        for table, source in ((c, cos), (s, sin)):
            transfers.load(source[:, here], table[0:64])
            nisa.activation(table[64:128], nl.copy, table[0:64])
        if exchange is not None:
            swapped = new_tile(128, columns, nl.psum)
            nisa.nc_matmul(swapped, exchange, both)
        else:
            swapped = new_tile(128, columns)
            nisa.activation(swapped[0:64], nl.copy, both[64:128], scale=-1.0)
            nisa.activation(swapped[64:128], nl.copy, both[0:64])
        one, other, result = (new_tile(128, columns) for _ in range(3))
        nisa.tensor_tensor(one, both, c, nl.multiply, engine=nisa.engine.vector)
        nisa.tensor_tensor(other, swapped, s, nl.multiply, engine=nisa.engine.vector)
        nisa.tensor_tensor(result, one, other, nl.add, engine=nisa.engine.vector)
        transfers.store(out[:, here], result)
    return out


@simulator.jit
def convolve(image: NkiTensor, taps: NkiTensor, together: int, taps_in_psum: bool) -> NkiTensor:
    """Convolve tiles of 128 rows with three taps each: a product and a sum of three per so many elements of the result."""
    columns = image.shape[2]
    out, transfers = _like(image), Transfers(static=False)
    weights = transfers.load(taps)
    if taps_in_psum:
        held = new_tile(128, 3, nl.psum)
        nisa.tensor_copy(held, weights, engine=nisa.engine.vector)
        weights = held
    for tile in range(image.shape[0]):
        padded, result = new_tile(128, columns + 2), new_tile(128, columns)
        nisa.memset(padded, 0.0, engine=nisa.engine.gpsimd)
        transfers.load(image[tile], padded[:, 1 : 1 + columns])
        for start in range(0, columns, together):
            window = padded.ap([[columns + 2, 128], [1, together], [1, 3]], offset=start)
            product = nl.ndarray((128, together, 3), "float32", nl.sbuf)
            spread = weights.expand_dim(1).broadcast(1, together)
            nisa.tensor_tensor(product, window, spread, nl.multiply, engine=nisa.engine.vector)
            nisa.tensor_reduce(result[:, nl.ds(start, together)], nl.add, product, axis=2)
        transfers.store(out[tile], result)
    return out
