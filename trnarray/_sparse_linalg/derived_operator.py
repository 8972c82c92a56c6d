"""Operators made of others: what each has as its operands and its shape, and how it is applied.

They know operators by what these do only, so that the class of operators can make them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from .._sparse.base import is_scalar
from ..manipulation_functions import broadcast_to

__all__ = ["Adjoint", "Derivation", "Power", "Product", "Scaled", "Sum", "Transpose"]


class Derivation:
    """
    How an operator is made of others.

    Parameters
    ----------
    args : tuple
        Its operands.
    shape : tuple of int
        Its shape.

    Attributes
    ----------
    scalars : tuple
        The operands beside operators that its dtype depends on.
    """

    scalars: tuple[Any, ...] = ()

    def __init__(self, args: tuple[Any, ...], shape: Iterable[int]) -> None:
        self.args: Final = args
        self.shape: Final = tuple(shape)

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Multiply by the operator."""
        raise NotImplementedError

    def adjoint(self) -> Any:
        """Make the adjoint of the adjoints of the operands."""
        raise NotImplementedError


def _turned(A: Any) -> tuple[int, ...]:
    """Give the shape of the transpose."""
    return (*A.shape[:-2], A.shape[-1], A.shape[-2])


def _conjugate(x: Any) -> Any:
    return x.conjugate() if hasattr(x, "conjugate") else x


class Adjoint(Derivation):
    """The conjugate transpose of an operator."""

    def __init__(self, A: Any) -> None:
        super().__init__((A,), _turned(A))

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Multiply by the operand's adjoint."""
        return self.args[0]._apply(x, not adjoint, matrix)

    def adjoint(self) -> Any:
        """Give the operand."""
        return self.args[0]


class Transpose(Derivation):
    """The transpose of an operator."""

    def __init__(self, A: Any) -> None:
        super().__init__((A,), _turned(A))

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Conjugate the product of the operand's adjoint with what is conjugate."""
        return self.args[0]._apply(x.conj(), not adjoint, matrix).conj()

    def adjoint(self) -> Any:
        """Give the transpose of the adjoint, which is the same."""
        return self.args[0].H.T


class Sum(Derivation):
    """The sum of two operators."""

    def __init__(self, A: Any, B: Any) -> None:
        if A.shape[-2:] != B.shape[-2:]:
            raise ValueError(f"operators of shapes {A.shape} and {B.shape} cannot be added; their shapes must be the same")
        super().__init__((A, B), (*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), *A.shape[-2:]))

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Add the products with both."""
        A, B = self.args
        return A._apply(x, adjoint, matrix) + B._apply(x, adjoint, matrix)

    def adjoint(self) -> Any:
        """Add the adjoints."""
        A, B = self.args
        return A.H + B.H


class Product(Derivation):
    """The product of two operators."""

    def __init__(self, A: Any, B: Any) -> None:
        if A.shape[-1] != B.shape[-2]:
            raise ValueError(f"operators of shapes {A.shape} and {B.shape} cannot be multiplied; the inner lengths must be the same")
        super().__init__((A, B), (*np.broadcast_shapes(A.shape[:-2], B.shape[:-2]), A.shape[-2], B.shape[-1]))

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Multiply by one after the other."""
        first, second = self.args if adjoint else self.args[::-1]
        return second._apply(first._apply(x, adjoint, matrix), adjoint, matrix)

    def adjoint(self) -> Any:
        """Multiply the adjoints in the other order."""
        A, B = self.args
        return B.H @ A.H


class Scaled(Derivation):
    """A multiple of an operator."""

    def __init__(self, A: Any, alpha: Any) -> None:
        if not is_scalar(alpha):
            raise ValueError(f"an operator is scaled by a scalar, and not by {type(alpha).__name__}")
        inner = A._derivation
        if isinstance(inner, Scaled):
            A, alpha = inner.args[0], inner.args[1] * alpha
        super().__init__((A, alpha), A.shape)
        self.scalars = (alpha,)

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Scale the product."""
        A, alpha = self.args
        return (_conjugate(alpha) if adjoint else alpha) * A._apply(x, adjoint, matrix)

    def adjoint(self) -> Any:
        """Scale the adjoint by the conjugate."""
        A, alpha = self.args
        return A.H * _conjugate(alpha)


class Power(Derivation):
    """A power of an operator."""

    def __init__(self, A: Any, p: Any) -> None:
        if A.shape[-2] != A.shape[-1]:
            raise ValueError(f"powers are those of square operators, and this one has shape {A.shape}")
        if not hasattr(p, "__index__") or p < 0:
            raise ValueError(f"the exponent of an operator is an integer of 0 or more, but is {p!r}")
        super().__init__((A, int(p)), A.shape)

    def apply(self, x: Any, adjoint: bool, matrix: bool) -> Any:
        """Multiply as often as the exponent says."""
        A, p = self.args
        if p == 0:
            core = -2 if matrix else -1
            shape = (*np.broadcast_shapes(A.shape[:-2], x.shape[:core]), *x.shape[core:])
            return x.copy() if shape == x.shape else broadcast_to(x, shape).copy()
        for _ in range(p):
            x = A._apply(x, adjoint, matrix)
        return x

    def adjoint(self) -> Any:
        """Raise the adjoint to the power."""
        A, p = self.args
        return A.H**p
