"""Kernels of ours for published times whose kernels are described: matrix products, with what comes before and after them."""

from __future__ import annotations

from ...backends import simulator
from ...backends.simulator import isa as nisa
from ...backends.simulator import language as nl
from ...backends.simulator.tensor.nkitensor import NkiTensor
from .tiles import Transfers, new_like, new_tile, transpose

__all__ = ["batched_product", "blocked_product", "product_normalized", "product_of_normalized", "transposed_product"]

_CHUNK = 512  # columns of a bank of PSUM

Limbs = tuple[NkiTensor, ...]  # a tile in float32, or in two bfloat16 that add up to it


def _copy(dst: NkiTensor, src: NkiTensor) -> None:
    """Copy on the Scalar Engine, where the measured kernels' `nl.copy` runs: the profiles of their like have the Vector Engine idle."""
    nisa.activation(dst, nl.copy, src)


def _limbs(tile: NkiTensor, split: bool) -> Limbs:
    """Cut float32 into two bfloat16, where asked for."""
    if not split:
        return (tile,)
    high, low = new_like(tile, "bfloat16"), new_like(tile, "bfloat16")
    _copy(high, tile)
    nisa.tensor_tensor(low, tile, high, nl.subtract, engine=nisa.engine.vector)
    return high, low


def _multiply(total: NkiTensor, stationary: Limbs, moving: Limbs, first: bool) -> None:
    """Add a product to PSUM: three of limbs, without that of both low ones."""
    for a, x in enumerate(stationary):
        for b, y in enumerate(moving):
            if a + b < 2:
                nisa.nc_matmul(total, x, y, accumulate=not first)
                first = False


def _columns(limbs: Limbs, start: int, count: int) -> Limbs:
    return tuple(limb[:, nl.ds(start, count)] for limb in limbs)


def _stored(out: NkiTensor, total: NkiTensor, transfers: Transfers) -> None:
    result = new_like(total)
    _copy(result, total)
    transfers.store(out, result)


@simulator.jit
def transposed_product(lhs: NkiTensor, rhs: NkiTensor, chunk: int, split: bool = False) -> NkiTensor:
    """Multiply lhs.T @ rhs, both (128, depth tiles, columns): the left block stays, chunks of the right one stream."""
    _, depth, rows = lhs.shape
    columns = rhs.shape[2]
    out, transfers = nl.ndarray((rows, columns), "float32", nl.shared_hbm), Transfers(static=True)
    left = [_limbs(transfers.load(lhs[:, k]), split) for k in range(depth)]
    for start in range(0, columns, chunk):
        right = [_limbs(transfers.load(rhs[:, k, nl.ds(start, chunk)]), split) for k in range(depth)]
        for row in range(0, rows, 128):
            total = new_tile(128, chunk, nl.psum)
            for k in range(depth):
                _multiply(total, _columns(left[k], row, 128), right[k], k == 0)
            _stored(out[nl.ds(row, 128), nl.ds(start, chunk)], total, transfers)
    return out


@simulator.jit
def blocked_product(
    lhs: NkiTensor,
    rhs: NkiTensor,
    identity: NkiTensor,
    down: NkiTensor | None = None,
    up: NkiTensor | None = None,
    chunk: int = _CHUNK,
    split: bool = False,
) -> NkiTensor:
    """
    Multiply lhs (row tiles, 128, depth) @ rhs (depth tiles, 128, columns): each tile of the right side serves all row tiles.

    lhs @ down (depth tiles, 128, rank) @ up (rank, columns) is added in the same bank, in float32, and results are then stored 128 columns
    at a time.
    """
    tiles, _, length = lhs.shape
    depth, _, columns = rhs.shape
    out, transfers = nl.ndarray((tiles, 128, columns), "float32", nl.shared_hbm), Transfers(static=True)
    ones = transfers.load(identity)
    narrow = [] if down is None else [transfers.load(down[k]) for k in range(depth)]
    left: list[list[Limbs]] = []
    middle = []
    for tile in range(tiles):
        left.append([])
        part = new_tile(narrow[0].shape[1], 128, nl.psum) if narrow else None
        for k in range(length // 128):
            turned = new_tile(128, 128)
            _copy(turned, transpose(transfers.load(lhs[tile, :, nl.ds(128 * k, 128)]), ones))
            if part is not None:
                nisa.nc_matmul(part, narrow[k], turned, accumulate=k > 0)
            left[-1].append(_limbs(turned, split))
        if part is not None:
            middle.append(new_like(part))
            _copy(middle[-1], part)
    for start in range(0, columns, chunk):
        here = nl.ds(start, chunk)
        totals = [new_tile(128, chunk, nl.psum) for _ in range(tiles)]
        for k in range(depth):
            right = _limbs(transfers.load(rhs[k, :, here]), split)
            for tile in range(tiles):
                _multiply(totals[tile], left[tile][k], right, k == 0)
        if up is not None:
            last = transfers.load(up[:, here])
            for total, of in zip(totals, middle, strict=True):
                nisa.nc_matmul(total, of, last, accumulate=True)
        width = chunk if up is None else 128
        for tile in range(tiles):
            result = new_like(totals[tile])
            _copy(result, totals[tile])
            for column in range(0, chunk, width):
                transfers.store(out[tile, :, nl.ds(start + column, width)], result[:, nl.ds(column, width)])
    return out


@simulator.jit
def batched_product(lhs: NkiTensor, rhs: NkiTensor, identity: NkiTensor, ahead: int, wide: int = 1, softmax: bool = False) -> NkiTensor:
    """Multiply batches of depth 64: so many tiles are transposed ahead of their products; the rows may pass through a softmax."""
    batches, rows, depth = lhs.shape
    columns = rhs.shape[2]
    out, transfers = nl.ndarray((batches, rows, columns), "float32", nl.shared_hbm), Transfers(static=True)
    ones = transfers.load(identity)
    for batch in range(batches):
        right = transfers.load(rhs[batch])
        for block in range(0, rows // 128, ahead):
            turned = new_tile(depth, 128 * ahead)
            for tile in range(ahead):
                loaded = transfers.load(lhs[batch, nl.ds(128 * (block + tile), 128)])
                _copy(turned[:, nl.ds(128 * tile, 128)], transpose(loaded, ones))
            for tile in range(ahead):
                here = nl.ds(128 * (block + tile), 128)
                left = turned[:, nl.ds(128 * tile, 128)]
                width = columns if softmax else wide * _CHUNK
                for start in range(0, columns, width):
                    row = new_tile(128, width)
                    for chunk in range(0, width, _CHUNK):
                        total = new_tile(128, _CHUNK, nl.psum)
                        nisa.nc_matmul(total, left, right[:, nl.ds(start + chunk, _CHUNK)])
                        _copy(row[:, nl.ds(chunk, _CHUNK)], total)
                    transfers.store(out[batch, here, nl.ds(start, width)], _softmax(row) if softmax else row)
    return out


def _softmax(row: NkiTensor) -> NkiTensor:
    least, total, inverse = (new_tile(128, 1) for _ in range(3))
    power, result = new_like(row), new_like(row)
    nisa.tensor_reduce(least, nl.maximum, row, axis=1, negate=True)
    nisa.activation(power, nl.exp, row, bias=least)
    nisa.tensor_reduce(total, nl.add, power, axis=1)
    nisa.reciprocal(inverse, total)
    nisa.tensor_scalar(result, power, nl.multiply, inverse, engine=nisa.engine.vector)
    return result


def _inverse_norm(row: NkiTensor) -> NkiTensor:
    zeros, total, inverse, square = new_tile(128, 1), new_tile(128, 1), new_tile(128, 1), new_like(row)
    nisa.memset(zeros, 0.0, engine=nisa.engine.gpsimd)
    nisa.activation(square, nl.square, row, bias=zeros)
    nisa.tensor_reduce(total, nl.add, square, axis=1)
    nisa.activation(inverse, nl.rsqrt, total, bias=zeros, scale=1.0 / row.shape[1])
    return inverse


def _weights(source: NkiTensor, transfers: Transfers, split: bool) -> list[Limbs]:
    return [_limbs(transfers.load(source[k]), split) for k in range(source.shape[0])]


def _turned(row: NkiTensor, identity: NkiTensor, split: bool) -> list[Limbs]:
    """Transpose the columns of a row of tiles, 128 at a time."""
    found = []
    for start in range(0, row.shape[1], 128):
        tile = new_tile(128, 128)
        _copy(tile, transpose(row[:, nl.ds(start, 128)], identity))
        found.append(_limbs(tile, split))
    return found


@simulator.jit
def product_of_normalized(x: NkiTensor, w: NkiTensor, identity: NkiTensor, more: NkiTensor | None = None, split: bool = False) -> NkiTensor:
    """Multiply rmsnorm(x) @ w, w (depth tiles, 128, columns) resident; `more` is added to x before. Limbs are scaled after the product."""
    rows, columns = x.shape[0], w.shape[2]
    out, transfers = nl.ndarray((rows, columns), "float32", nl.shared_hbm), Transfers(static=True)
    ones, weights = transfers.load(identity), _weights(w, transfers, split)
    for start in range(0, rows, 128):
        here = nl.ds(start, 128)
        row = transfers.load(x[here])
        if more is not None:
            total = new_like(row)
            nisa.tensor_tensor(total, row, transfers.load(more[here]), nl.add, engine=nisa.engine.vector)
            row = total
        inverse = _inverse_norm(row)
        if not split:
            scaled = new_like(row)
            nisa.tensor_scalar(scaled, row, nl.multiply, inverse, engine=nisa.engine.vector)
            row = scaled
        left = _turned(row, ones, split)
        for column in range(0, columns, _CHUNK):
            total, result = new_tile(128, _CHUNK, nl.psum), new_tile(128, _CHUNK)
            for k, limbs in enumerate(left):
                _multiply(total, limbs, _columns(weights[k], column, _CHUNK), k == 0)
            if split:
                nisa.tensor_scalar(result, total, nl.multiply, inverse, engine=nisa.engine.vector)
            else:
                _copy(result, total)
            transfers.store(out[here, nl.ds(column, _CHUNK)], result)
    return out


@simulator.jit
def product_normalized(x: NkiTensor, w: NkiTensor, z: NkiTensor, g: NkiTensor, identity: NkiTensor, split: bool = False) -> NkiTensor:
    """Compute rmsnorm(x @ w + z) * g, w (depth tiles, 128, columns) resident, whole rows stored at once."""
    rows, columns = z.shape
    out, transfers = nl.ndarray((rows, columns), "float32", nl.shared_hbm), Transfers(static=True)
    ones, weights, gains = transfers.load(identity), _weights(w, transfers, split), transfers.load(g)
    for start in range(0, rows, 128):
        here = nl.ds(start, 128)
        left = _turned(transfers.load(x[here]), ones, split)
        row, result = new_tile(128, columns), new_tile(128, columns)
        for column in range(0, columns, _CHUNK):
            part = nl.ds(column, _CHUNK)
            total = new_tile(128, _CHUNK, nl.psum)
            for k, limbs in enumerate(left):
                _multiply(total, limbs, _columns(weights[k], column, _CHUNK), k == 0)
            nisa.tensor_tensor(row[:, part], total, transfers.load(z[here, part]), nl.add, engine=nisa.engine.vector)
        nisa.tensor_scalar(result, row, nl.multiply, _inverse_norm(row), engine=nisa.engine.vector)
        nisa.tensor_tensor(result, result, gains, nl.multiply, engine=nisa.engine.vector)
        transfers.store(out[here], result)
    return out
