"""Orthogonal factors of polar decompositions, by products."""

from __future__ import annotations

from typing import Final

from .composition import Expression, Ops

__all__ = ["orthonormal", "polar_factor"]

_TINY: Final = 2.0**-60
# Of a x + b x**3 + c x**5, each the nearest to 1 on what those before it make of [4.05**-n / 30, 1], for n of the second, and beyond.
_FIRST: Final = (8.09337, -23.62043, 17.44615)
_NEXT: Final = (4.04668, -2.95255, 0.54519)
_LAST: Final = (
    (3.90453, -2.81249, 0.51736),
    (3.28886, -2.42095, 0.48701),
    (2.29018, -1.6368, 0.40346),
    (1.88283, -1.24911, 0.3666),
    (1.875, -1.25, 0.375),  # after which errors are cubes of those before
)


def polar_factor(ops: Ops, x: Expression, *, steps: int) -> Expression:
    """
    Make singular values 1 that are from 4**-steps / 300 to 1 of the largest one, and smaller ones at most as large.

    Polynomials of degree 5 that are composed (N. Amsel, D. Persson, C. Musco, R. M. Gower, "The Polar Express", 2025).
    """
    one = ops.unit(x.shape[-1])
    gram = x.adjoint() @ x
    # A little more than its norm.
    size = ops("sqrt", ops("maximum", abs(gram).sum(-1).max(-1), _TINY) * 1.01)
    x = x / size[..., None, None].astype(x.real.dtype)
    for a, b, c in (_FIRST, *[_NEXT] * steps, *_LAST):
        gram = x.adjoint() @ x
        x = x @ (one * a + gram * b + (gram @ gram) * c)
    return x


def orthonormal(ops: Ops, v: Expression) -> Expression:
    """Make columns orthonormal that are so to three digits: V + V (I - V* V) / 2."""
    one = ops.unit(v.shape[-1])
    return v + v @ ((one - v.adjoint() @ v) * 0.5)
