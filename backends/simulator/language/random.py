"""Random tiles."""

from __future__ import annotations

from typing import Any

from .. import operators
from ..isa.dma import dma_copy
from ..isa.elementwise import tensor_scalar
from ..isa.move import tensor_copy
from ..isa.random import rng, set_rng_seed
from ..isa.statistics import dropout as drop
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .creation import ndarray

__all__ = ["dropout", "rand", "random_seed"]

_OP = operators.OPERATORS


def random_seed(seed: NkiTensor) -> None:
    """Seed the generators of the Vector Engine. See `nki.language.random_seed`."""
    set_rng_seed(seed)


def rand(shape: Any, dtype: Any, buffer: MemoryRegion = MemoryRegion.sbuf, name: str = "") -> NkiTensor:
    """
    Tensor of uniform random numbers in [0, 1): multiples of 2**-24, rounded to the dtype.

    See `nki.language.rand`.
    """
    bits, result = ndarray(shape, "uint32"), ndarray(shape, dtype, buffer, name)
    tile = result if result.buffer in (MemoryRegion.sbuf, MemoryRegion.psum) else ndarray(shape, dtype)
    rng(bits)
    tensor_scalar(bits, bits, _OP["right_shift"], 8)
    tensor_scalar(tile, bits, _OP["multiply"], 2.0**-24)
    if tile is not result:
        dma_copy(result, tile)
    return result


def dropout(x: NkiTensor, rate: NkiTensor | float, dtype: Any = None) -> NkiTensor:
    """Replace elements by zero at random; the others keep their values. See `nki.language.dropout`."""
    result = ndarray(x.shape, x.dtype)
    drop(result, x, rate)
    if dtype in (None, x.dtype):
        return result
    other = ndarray(x.shape, dtype)
    tensor_copy(other, result)
    return other
