"""
Transforms of float64 and complex128: exact products of slices with matrices of roots in float64, and steps between them.

Each product rounds its elements once, as each operation with twiddles and chirps does, so that errors are those of few float64 operations.
Steps and convolutions are those of `chains`; here they are expressions, since what lies between products is float64 arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....dtypes import BFLOAT16, COMPLEX128, FLOAT64, DType
from ....precision import Precision, transform_rung
from ....settings import get_config
from ...graph.build import call
from ...value import Value
from .. import Builder, NotNativeError
from ..binary64 import check_setting
from ..composition import Expression, Ops
from . import roots
from .chains import Transform
from .steps import DENSE, steps

__all__ = ["EXACT", "asked_rung", "transform_wide"]

_LONGEST: Final = 128
"""The longest step of a kernel for two."""

_FEWEST: Final = 8
"""Transforms for which that kernel takes less than products do: of 32 in a group, it takes the same time for one."""

_FORWARD: Final = {"ifft": "fft", "ihfft": "rfft", "irfft": "hfft"}


EXACT: Final = ("float32-exact", "float64")
"""Rungs that are computed in float64."""


def asked_rung(dtype: DType, lengths: Sequence[int]) -> Precision:
    """Tell how the settings ask for transforms of a dtype to be computed."""
    asked = get_config()
    return transform_rung(asked.precision, asked.target_forward_error, lengths, dtype)


def transform_wide(builder: Builder, value: Value, transforms: tuple[Transform, ...]) -> Value:
    """Transform float64 or complex128 along axes."""
    check_setting()
    refusal = builder.slices_refusal()
    if refusal:
        raise NotNativeError(f"transforms of {value.dtype} are exact products of slices, and {refusal}")
    ops = Ops(builder)
    x = Expression(ops, value)
    for one in transforms:
        moved = x.moveaxis(one.axis, -1)
        moved = moved[..., : min(moved.shape[-1], one.wanted)]
        x = _along(ops, moved, one).moveaxis(-1, one.axis)
    return x.value


def _along(ops: Ops, x: Expression, one: Transform) -> Expression:
    """Transform along the last axis."""
    kind, n, factor = one.kind, one.n, one.factor
    if not x.size:
        return ops.zeros((*x.shape[:-1], one.length), FLOAT64 if kind in roots.HALVES else COMPLEX128)
    if n <= DENSE:
        return _product(ops, x, (kind, n, factor, x.shape[-1]))
    if kind in _FORWARD:
        if x.is_complex:
            x = x.conj()
        found = _along(ops, x, one._replace(kind=_FORWARD[kind], norm=_OTHER_WAY[one.norm]))
        return found.conj() if found.is_complex else found
    x = ops.lengthened(x, one.wanted)
    if kind == "hfft":
        mirrored = x[..., (n - 1) // 2 : 0 : -1]
        return _complex(ops, ops.concatenate([x, mirrored.conj()]), factor).real
    whole = _complex(ops, x, factor)
    return whole[..., : n // 2 + 1] if kind == "rfft" else whole


_OTHER_WAY: Final = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


def _product(ops: Ops, x: Expression, parameters: tuple[str, int, float, int]) -> Expression:
    """Multiply by a matrix of roots: both parts of complex numbers in one product of real ones."""
    to_real = parameters[0] in roots.HALVES

    def made() -> npt.NDArray[Any]:
        matrix = roots.matrix(*parameters)
        columns = [matrix.real] if to_real else [matrix.real, matrix.imag]
        if not x.is_complex:
            return np.concatenate(columns, axis=1)
        others = [-matrix.imag] if to_real else [-matrix.imag, matrix.real]
        return np.block([columns, others])

    matrix = ops.kept(("roots", *parameters, x.is_complex), made, FLOAT64)
    rows = ops.concatenate([x.real, x.imag]) if x.is_complex else x
    found = rows.reshape(math.prod(x.shape[:-1]), rows.shape[-1]) @ matrix
    length = found.shape[-1] if to_real else found.shape[-1] // 2
    parts = [part.reshape(*x.shape[:-1], length) for part in ([found] if to_real else [found[:, :length], found[:, length:]])]
    return parts[0] if to_real else ops.complex(*parts)


def _complex(ops: Ops, x: Expression, factor: float, lengths: tuple[int, ...] | None = None) -> Expression:
    """Transform forward along the last axis, in steps of these lengths unless it is to choose them."""
    n = x.shape[-1]
    pair = _two_steps(ops, n, x.size // n)
    if pair:
        return _by_digits(ops, x, *pair, factor)
    circle = 0
    if lengths is None:
        lengths, circle = steps(n)
    if len(lengths) == 1 and circle:
        return _convolved(ops, x, circle, factor)
    first, rest = lengths[0], lengths[1:]
    if not rest:
        return _product(ops, x, ("fft", n, factor, n))
    second = n // first
    split = x.reshape(*x.shape[:-1], first, second).moveaxis(-2, -1)
    twiddles = ops.kept(("twiddles", first, second), lambda: roots.twiddles(second, first, second, 1.0), COMPLEX128)
    turned = _product(ops, split, ("fft", first, 1.0, first)) * twiddles
    along = turned.moveaxis(-1, -2)
    found = _complex(ops, along, factor, None if circle else rest)
    return found.moveaxis(-1, -2).reshape(*x.shape[:-1], n)


def _two_steps(ops: Ops, n: int, count: int) -> tuple[int, int] | None:
    """Choose two steps that one kernel does, of transforms for which that pays."""
    if ops.builder.target == "trn1" or count < _FEWEST:
        return None
    pairs = [(first, n // first) for first in range(8, _LONGEST + 1, 8) if n % first == 0 and 8 <= n // first <= _LONGEST]
    return min(pairs, key=sum, default=None)


def _by_digits(ops: Ops, x: Expression, first: int, second: int, factor: float) -> Expression:
    """Transform forward along the last axis by the kernel for two steps."""
    mantissa, exponent = math.frexp(factor)
    matrices = (
        ops.kept(("first digits", first), lambda: roots.first_digits(first), BFLOAT16),
        ops.kept(("second digits", first, second, mantissa), lambda: roots.second_digits(first, second, mantissa), BFLOAT16),
    )
    whole = x if x.is_complex else ops.complex(x, ops.zeros(x.shape, x.dtype))
    rows = whole.reshape(x.size // (first * second), first, second)
    found = call("fourier digits", *rows.value.read(), *[matrix.value.read()[0] for matrix in matrices], exponent=exponent)
    return Expression(ops, ops.builder.make(found, COMPLEX128)).moveaxis(-1, -2).reshape(*x.shape)


def _convolved(ops: Ops, x: Expression, circle: int, factor: float) -> Expression:
    """Transform by a convolution with a chirp."""
    n = x.shape[-1]
    spectrum = _complex(ops, ops.lengthened(x * _chirp(ops, n, 1.0), circle), 1.0)
    product = spectrum * ops.kept(("chirp spectrum", n, circle), lambda: roots.chirp_spectrum(n, circle), COMPLEX128)
    around = _complex(ops, product.conj(), 1.0).conj()
    return around[..., :n] * _chirp(ops, n, factor)


def _chirp(ops: Ops, n: int, factor: float) -> Expression:
    return ops.kept(("chirp", n, factor), lambda: roots.chirp(n, factor), COMPLEX128)
