"""Equations and eigenproblems of banded and Toeplitz matrices, by dense ones that are made of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ...dtypes import FLOAT32
from ...limits import finfo
from ...rules import Signature, is_true
from . import NotNativeError
from .composition import Expression, Ops, expressed
from .matrices import Achieved, all_of, demand
from .op_calls import call_several

__all__ = ["FUNCTIONS"]

_MOST_ROWS: Final = 1024
_MOST_ELEMENTS: Final = 1 << 22
"""Of Toeplitz matrices that are multiplied as dense ones."""
_NEARLY: Final = "circulant matrices that are nearly singular are solved on the host"


def _toeplitz_of(ops: Ops, column: Expression, row: Expression) -> Expression:
    """Make a matrix of its first column, and of its first row but for its first element."""
    rows, columns = column.shape[0], row.shape[0]
    line = ops.concatenate([column.viewed(lambda shadow: shadow[::-1]), row[1:]])

    def strided(shadow: Any) -> Any:
        (step,) = shadow.strides
        return np.lib.stride_tricks.as_strided(shadow[rows - 1 :], (rows, columns), (-step, step))

    return line.viewed(strided)


def _pair(ops: Ops, c_or_cr: Any, dtype: Any) -> list[Expression]:
    """Take the first column and the first row."""
    pair = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, c_or_cr.conj())
    return [ops.array(part).astype(dtype) for part in pair]


def _of_pair(ops: Ops, c_or_cr: Any, dtype: Any) -> Expression:
    return _toeplitz_of(ops, *_pair(ops, c_or_cr, dtype))


def _toeplitz(ops: Ops, result: Signature, c: Expression, r: Any = None) -> Expression:
    return _toeplitz_of(ops, c.astype(result.dtype), (c.conj() if r is None else r).astype(result.dtype)) + 0


def _circulant(ops: Ops, result: Signature, c: Expression) -> Expression:
    return _toeplitz_of(ops, c, ops.concatenate([c[:1], c[1:].viewed(lambda shadow: shadow[::-1])]))


def _block_diag(ops: Ops, result: Signature, *given: Any) -> Expression:
    blocks = [ops.array(block) for block in given]
    if not all(block.size for block in blocks):
        raise NotNativeError("blocks without elements are put together on the host")
    rows, first = [], 0
    for block in blocks:
        matrix = block.astype(result.dtype).reshape(*(1,) * (2 - block.ndim), *block.shape)
        width = matrix.shape[1]
        rows.append(ops("pad", matrix, [(0, 0), (first, result.shape[1] - first - width)]))
        first += width
    return ops.concatenate(rows, 0)


def _hankel(ops: Ops, result: Signature, c: Expression, r: Any = None) -> Expression:
    column = c.astype(result.dtype)
    last = ops.zeros(c.shape, result.dtype) if r is None else r.astype(result.dtype)
    return ops.concatenate([column, last[1:]]).frames(last.shape[0])


def _convolution_matrix(ops: Ops, result: Signature, a: Expression, n: int, mode: str = "full") -> Expression:
    more = [(0, n - 1)]
    column, row = ops("pad", a, more), ops("pad", a.viewed(lambda shadow: shadow[::-1]), more)
    cut = 0 if mode == "full" else min(n, a.shape[0]) - 1
    first, last = (cut, cut) if mode == "valid" else (cut // 2, cut - cut // 2)
    begin = row.shape[0] - n - first
    return _toeplitz_of(ops, column[first : column.shape[0] - last], row[begin : begin + n]) + 0


def _fiedler(ops: Ops, result: Signature, a: Expression) -> Expression:
    return abs(a[:, None] - a[None, :])


def _leslie(ops: Ops, result: Signature, f: Expression, s: Expression) -> Expression:
    below = ops("pad", ops("diag", s.astype(result.dtype)), [(0, 0), (0, 1)])
    return ops.concatenate([f.astype(result.dtype)[None, :], below], 0)


def _monic(ops: Ops, result: Signature, a: Expression) -> Expression:
    """Divide the coefficients of a polynomial after the first by that one, which must not be zero, and negate them."""
    given = a.astype(result.dtype)
    planes = (-given[1:] / given[:1]).value.read()
    (flags,) = ops("not_equal", given[:1], 0).astype(FLOAT32).value.read()
    demand(planes, flags, (), "the first coefficient is zero, and has to be another number", ValueError)
    return Expression(ops, ops.builder.make(planes, result.dtype))


def _companion(ops: Ops, result: Signature, a: Expression) -> Expression:
    order = result.shape[0]
    return ops.concatenate([_monic(ops, result, a)[None, :], ops("eye", order - 1, order, 0, result.dtype)], 0)


def _fiedler_companion(ops: Ops, result: Signature, a: Expression) -> Expression:
    """Coefficients stand beside the diagonal, and in the first place of it, in rows of even numbers."""
    order, found = result.shape[0], _monic(ops, result, a)

    def places() -> Any:
        row, column = np.indices((order, order))
        even = row % 2 == 0
        kinds = np.where(even & (column == row + 1), 1, np.where(even & (column == np.maximum(row - 1, 0)), 2, 0))
        return kinds + 3 * (np.where(even, column == row + 2, column == np.maximum(row - 2, 0)) & (kinds == 0))

    kinds = ops.kept(("Fiedler's companion", order), places)
    above = ops.concatenate([found[1:], found[:1]])[:, None]
    return ops("where", kinds == 1.0, above, ops("where", kinds == 2.0, found[:, None], (kinds == 3.0).astype(result.dtype)))


def _solve_toeplitz(ops: Ops, result: Signature, c_or_cr: Any, b: Expression) -> Expression:
    matrix = _of_pair(ops, c_or_cr, result.dtype)
    _few(matrix.shape[0])
    return ops("linalg.solve", matrix, b.astype(result.dtype))


def _solve_circulant(
    ops: Ops, result: Signature, c: Expression, b: Expression, singular: str = "raise", tol: Any = None, **axes: Any
) -> Achieved:
    """Divide transforms along the axes that are axes by default; eigenvalues that SciPy takes for zero are left to it."""
    from ...ops import fft as _  # noqa: F401  # which makes Ops of transforms known

    first, sides = ops("fft.fft", c.astype(result.dtype)), ops("fft.fft", b.astype(result.dtype), axis=0)
    sizes, eps = abs(first), float(finfo(result.dtype).eps)
    limit = sizes.max(-1) * (c.shape[0] * eps) if tol is None else float(tol)
    found = ops("fft.ifft", sides / first.reshape(c.shape[0], *(1,) * (b.ndim - 1)), axis=0)
    return Achieved(found.value if result.dtype.kind == "c" else (found.real + 0.0).value, all_of(sizes > limit), _NEARLY)


def _matmul_toeplitz(ops: Ops, result: Signature, c_or_cr: Any, x: Expression, workers: Any = None) -> Expression:
    """Multiply; large matrices by the transform of a circulant matrix that has theirs in its corner."""
    from ...ops import fft as _  # noqa: F401  # which makes Ops of transforms known

    column, row = _pair(ops, c_or_cr, result.dtype)
    x, rows, columns = x.astype(result.dtype), column.shape[0], row.shape[0]
    if rows * columns <= _MOST_ELEMENTS:
        return _toeplitz_of(ops, column, row) @ x
    size = 1 << (rows + columns - 1).bit_length()
    line = ops.concatenate([column, ops.zeros((size - rows - columns + 1,), result.dtype), row[1:].viewed(lambda shadow: shadow[::-1])])
    forward, back = ("fft.fft", "fft.ifft") if result.dtype.kind == "c" else ("fft.rfft", "fft.irfft")
    product = ops(forward, x, size, 0) * ops(forward, line).reshape(-1, *(1,) * (x.ndim - 1))
    return ops(back, product, size, 0)[:rows]


def _few(rows: int) -> None:
    if rows > _MOST_ROWS:
        raise NotNativeError(f"banded and Toeplitz matrices of more than {_MOST_ROWS} rows are solved on the host")


def _dense(ops: Ops, bands: Expression, upper: int) -> Expression:
    """Make a matrix of its diagonals, of which `upper` lie above the main one: a[i, j] is bands[upper + i - j, j]."""
    if bands.ndim != 2:
        raise NotNativeError("stacks of banded matrices are left to the host")
    order = bands.shape[1]
    _few(order)
    whole = ops("pad", bands, [(order, order), (0, 0)])

    def strided(shadow: Any) -> Any:
        down, right = shadow.strides
        return np.lib.stride_tricks.as_strided(shadow[order + upper :], (order, order), (down, right - down))

    return whole.viewed(strided) + 0


def _solve_banded(ops: Ops, result: Signature, l_and_u: Any, ab: Expression, b: Expression) -> Expression:
    matrix = _dense(ops, ab.astype(result.dtype), l_and_u[1])
    return ops("linalg.solve", matrix, b.astype(result.dtype))


def _triangle(ops: Ops, ab: Expression, lower: Any) -> Expression:
    """Make a triangle of its diagonals; elements of `ab` outside of it are ignored."""
    return ops("tril", _dense(ops, ab, 0)) if is_true(lower) else ops("triu", _dense(ops, ab, ab.shape[0] - 1))


def _solveh_banded(ops: Ops, result: Signature, ab: Expression, b: Expression, lower: Any = False) -> Expression:
    triangle = _triangle(ops, ab.astype(result.dtype), lower)
    factor = ops("linalg.cholesky", triangle, upper=not is_true(lower))
    sides = b.astype(result.dtype)
    return ops("scipy.linalg.cho_solve", (factor, is_true(lower)), sides, False, False)


def _cholesky_banded(ops: Ops, result: Signature, ab: Expression, lower: Any = False) -> Expression:
    """Take the diagonals of the factor; elements outside of it stay, as LAPACK leaves them."""
    bands, width, order = ab.astype(result.dtype), ab.shape[0] - 1, ab.shape[-1]
    is_lower = is_true(lower)
    factor = ops("linalg.cholesky", _triangle(ops, bands, lower), upper=not is_lower)
    whole = ops("pad", factor, [(0, width) if is_lower else (width, 0), (0, 0)])

    def diagonals(shadow: Any) -> Any:
        down, right = shadow.strides
        return np.lib.stride_tricks.as_strided(shadow, (width + 1, order), (down, down + right))

    places = np.arange(width + 1)[:, None] + np.arange(order)
    inside = ops.kept(("diagonals", width, order, is_lower), lambda: places < order if is_lower else places >= width)
    return ops("where", inside > 0.0, whole.viewed(diagonals), bands)


def _diagsvd(ops: Ops, result: Signature, s: Expression, M: int, N: int) -> Expression:
    square = ops("where", ops.unit(s.shape[0]) > 0.0, s[:, None], 0).astype(result.dtype)
    return ops("pad", square, [(0, M - s.shape[0]), (0, N - s.shape[0])])


def _cho_solve_banded(ops: Ops, result: Signature, cb_and_lower: Any, b: Expression) -> Expression:
    bands, lower = cb_and_lower
    factor = _triangle(ops, bands.astype(result.dtype), lower)
    return ops("scipy.linalg.cho_solve", (factor, is_true(lower)), b.astype(result.dtype), False, False)


def _eigenproblem(ops: Ops, matrix: Expression, values_only: Any, select: Any, select_range: Any) -> Any:
    """Solve that of which the lower triangle is given, and take the eigenvalues that are selected by their places."""
    some = slice(None) if select in ("a", "all", 0) else slice(select_range[0], select_range[1] + 1)
    if values_only:
        return ops("linalg.eigvalsh", matrix)[..., some]
    return tuple(Expression(ops, part)[..., some] for part in call_several(ops.builder, "linalg.eigh", matrix.value))


def _dtype(results: Any) -> Any:
    return (results if isinstance(results, Signature) else results[1]).dtype


def _eig_banded(
    ops: Ops, results: Any, a_band: Expression, lower: Any = False, eigvals_only: Any = False, select: Any = "a", select_range: Any = None,
    max_ev: Any = 0,
) -> Any:  # fmt: skip
    triangle = _triangle(ops, a_band, lower)
    return _eigenproblem(ops, triangle if is_true(lower) else triangle.adjoint(), eigvals_only, select, select_range)


def _eigvals_banded(
    ops: Ops, result: Signature, a_band: Expression, lower: Any = False, select: Any = "a", select_range: Any = None
) -> Any:
    return _eig_banded(ops, result, a_band, lower, True, select, select_range)


def _eigh_tridiagonal(
    ops: Ops, results: Any, d: Expression, e: Expression, eigvals_only: Any = False, select: Any = "a", select_range: Any = None, tol: Any =
    0.0, lapack_driver: Any = "auto",
) -> Any:  # fmt: skip
    dtype = _dtype(results)
    below = ops("pad", e.astype(dtype), [(0, 1)])
    bands = ops("stack", [d.astype(dtype), below])
    return _eigenproblem(ops, _triangle(ops, bands, True), eigvals_only, select, select_range)


def _eigvalsh_tridiagonal(
    ops: Ops, result: Signature, d: Expression, e: Expression, select: Any = "a", select_range: Any = None, tol: Any = 0.0, lapack_driver:
    Any = "auto",
) -> Any:  # fmt: skip
    return _eigh_tridiagonal(ops, result, d, e, True, select, select_range)


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "block_diag": _block_diag,
    "cho_solve_banded": _cho_solve_banded,
    "cholesky_banded": _cholesky_banded,
    "circulant": _circulant,
    "companion": _companion,
    "convolution_matrix": _convolution_matrix,
    "diagsvd": _diagsvd,
    "eig_banded": _eig_banded,
    "eigh_tridiagonal": _eigh_tridiagonal,
    "eigvals_banded": _eigvals_banded,
    "eigvalsh_tridiagonal": _eigvalsh_tridiagonal,
    "fiedler": _fiedler,
    "fiedler_companion": _fiedler_companion,
    "hankel": _hankel,
    "leslie": _leslie,
    "matmul_toeplitz": _matmul_toeplitz,
    "solve_banded": _solve_banded,
    "solve_circulant": _solve_circulant,
    "solve_toeplitz": _solve_toeplitz,
    "solveh_banded": _solveh_banded,
    "toeplitz": _toeplitz,
}
FUNCTIONS: Final = {f"scipy.linalg.{name}": expressed(function) for name, function in _FUNCTIONS.items()}
"""Of all dtypes."""
