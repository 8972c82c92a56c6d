"""Matrices and operators as operands of what SciPy computes on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._array import Array
from .._sparse.base import common_device
from ..array_conversion import asarray
from ..backends.device import CPU
from ..backends.ops.sparse_linalg import HostProducts
from .linear_operator import LinearOperator

__all__ = ["given", "operand"]


def operand(A: Any, like: Any = None) -> Any:
    """Make an Op's operand of a matrix: operators go by their products."""
    if not isinstance(A, LinearOperator):
        return A
    device = common_device((like, A)) or CPU
    assert A.dtype is not None

    def vectors(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: _on_host(product(asarray(x.reshape(-1), device=device)))  # SciPy before 1.18 gives columns, too

    def matrices(product: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: _on_host(product(asarray(x, device=device)))

    return HostProducts(A.shape, A.dtype, vectors(A.matvec), vectors(A.rmatvec), matrices(A.matmat), matrices(A.rmatmat))


def _on_host(x: Any) -> Any:
    return x._host() if type(x) is Array else x.toarray()._host()


def given(**parameters: Any) -> dict[str, Any]:
    """Keep the parameters that are given: not every version of SciPy has each of them."""
    return {name: operand(value) for name, value in parameters.items() if value is not None}
