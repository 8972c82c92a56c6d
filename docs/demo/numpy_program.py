"""Calls of NumPy's own functions, which know nothing of trnarray: NumPy hands them to the arrays that it is given."""

from collections.abc import Iterator
from typing import Any

import numpy as np


def calls(a: Any, b: Any) -> Iterator[tuple[str, Any]]:
    """Call functions with two square matrices, and give each call as it is written and what it gave."""
    yield "np.linalg.norm(a, axis=1)", np.linalg.norm(a, axis=1)
    yield "np.linalg.solve(a, b)", np.linalg.solve(a, b)
    yield "np.einsum('ij,jk,lk->il', a, b, b)", np.einsum("ij,jk,lk->il", a, b, b)
    yield "np.tensordot(a, b, axes=1)", np.tensordot(a, b, axes=1)
    yield "np.add.reduce(a, axis=0)", np.add.reduce(a, axis=0)
    yield "np.maximum.accumulate(b)", np.maximum.accumulate(b)
    yield "np.multiply.outer(a[0], b[:, 0])", np.multiply.outer(a[0], b[:, 0])
    yield "np.hypot(a @ b, 1).mean()", np.hypot(a @ b, 1).mean()
    yield "np.concatenate([b, b.T])", np.concatenate([b, b.T])
    yield "np.fft.fft(b, axis=0)", np.fft.fft(b, axis=0)
