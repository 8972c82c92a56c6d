"""
Products of matrices and vectors under the names of BLAS, with the arguments of `scipy.linalg.blas`, on Arrays.

Names without a letter take operands of any float dtype; those with one, such as ``dgemm``, convert operands to that dtype first.
Results are new Arrays: ``overwrite_*`` is allowed and changes nothing. Of a triangle only the elements on its side are read or written;
products skip the blocks of the other one, but for `symm` and its like, which need both.
Where `beta` is 0, `c` and `y` are not read. On the host, `nrm2`, `asum`, `iamax` and what is more than a
product at level 3 are SciPy's. Increments and offsets of vectors are slices here: ``x[first::step]``.
"""

# ruff: noqa: ARG001  overwrite_* is allowed, as in SciPy

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..._array import Array
from ..._linalg.products import outer
from ..._operand import as_operands
from ..._scipy_linalg.equations import solve_triangular
from ..._typing import ArrayLike
from ...backends.device import CPU
from ...backends.dtypes import COMPLEX64, COMPLEX128, FLOAT32, FLOAT64, INT64, DType
from ...creation_functions import zeros
from ...elementwise_functions import absolute, conj
from ...elementwise_functions import sqrt as square_root
from ...joining_functions import concatenate
from ...matrices import tri
from ...searching_functions import argmax, where
from ...statistical_functions import sum as total

__all__ = [
    "asum", "axpy", "copy", "dot", "dotc", "dotu", "gemm", "gemv", "ger", "gerc", "geru", "hemm", "hemv", "her2k", "herk", "iamax", "nrm2",
    "rot", "rotg", "scal", "swap", "symm", "symv", "syr2k", "syrk", "trmm", "trmv", "trsm", "trsv",
]  # fmt: skip

_STRIPS: Final = 4  # of a triangle: the products are 5/8 of the whole ones
_STRIP: Final = 256  # rows of one at least
_WHOLE: Final = 1024  # rows of a symmetric result that is computed whole, since its strips would have to be put together
_LETTERS: Final[dict[str, DType]] = {"s": FLOAT32, "d": FLOAT64, "c": COMPLEX64, "z": COMPLEX128}
_LETTERS_OF: Final = {dtype: letter for letter, dtype in _LETTERS.items()}
_PARTS: Final = {"s": "s", "d": "d", "c": "sc", "z": "dz"}  # of results that are real
_REAL: Final = frozenset({"dot", "ger"})
_COMPLEX: Final = frozenset({"dotc", "dotu", "gerc", "geru", "hemm", "hemv", "her2k", "herk"})


@functools.cache
def __getattr__(name: str) -> Callable[..., Any]:
    """Look up a function of one dtype."""
    before, letter, rest = ("i", name[1:2], name[2:]) if name.startswith("i") else ("", name[:1], name[1:])
    function = globals().get(before + rest) if rest and before + rest in __all__ else None
    if function is None or letter not in _LETTERS or rest in (_COMPLEX if letter in "sd" else _REAL):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _typed(function, _LETTERS[letter], name)


def _typed(function: Callable[..., Any], dtype: DType, name: str) -> Callable[..., Any]:
    """Convert the Arrays among the operands."""

    def as_dtype(item: Any) -> Any:
        (item,) = as_operands(item)
        return item.astype(dtype) if isinstance(item, Array) and item.ndim and item.dtype != dtype else item

    @functools.wraps(function)
    def run(*operands: Any, **keywords: Any) -> Any:
        return function(*map(as_dtype, operands), **{key: as_dtype(value) for key, value in keywords.items()})

    run.__name__ = run.__qualname__ = name
    return run


def _hosted(name: str, numbers: tuple[Any, ...], *operands: Array | None) -> Callable[..., Array] | None:
    """Find SciPy's routine for Arrays on the host of one dtype that it knows, and plain numbers."""
    arrays = [item for item in operands if item is not None]
    dtype = arrays[0].dtype
    letter = _LETTERS_OF.get(dtype)
    plain = (int, float, complex) if dtype.kind == "c" and not name.startswith("her") else (int, float)
    for one in arrays:  # a loop takes half of the time of `all`
        if one.device is not CPU or one.dtype != dtype or one.ndim > 2 or not one.size:
            return None
    if letter is None or not all(isinstance(number, plain) for number in numbers):
        return None
    routine, made = _routine(name, letter)

    def run(*args: Any, **keywords: Any) -> Array:
        values = [item._host() if isinstance(item, Array) else item for item in args]
        found = routine(*values, **{key: item._host() if isinstance(item, Array) else item for key, item in keywords.items()})
        return Array._wrap(found if isinstance(found, np.ndarray) else np.asarray(found, made))

    return run


@functools.cache
def _routine(name: str, letter: str) -> tuple[Callable[..., Any], DType]:
    """Find SciPy's routine of a dtype, and the dtype of its result."""
    from scipy.linalg import blas

    parts = {"asum": _PARTS, "nrm2": _PARTS, "iamax": {letter: f"i{letter}"}}.get(name, {letter: letter})
    made = INT64 if name == "iamax" else _LETTERS[parts[letter][0]]
    return getattr(blas, parts[letter] + name.removeprefix("i")), made


def _one(item: ArrayLike) -> Array:
    """Make an Array of an operand."""
    (made,) = as_operands(item)
    array: Array = made
    return array


def _given(item: ArrayLike | None) -> Array | None:
    return None if item is None else _one(item)


def _chosen(mask: Array, one: Any, other: Any) -> Array:
    """Take elements of one where a mask is true, else of the other, without reading those that are not taken."""
    chosen: Array = where(mask, one, other)  # type: ignore[assignment]  # of three arguments
    return chosen


def _turned(a: Array, trans: int) -> Array:
    """Transpose, or conjugate and transpose."""
    if trans not in (0, 1, 2):
        raise ValueError(f"trans is {trans!r}; use 0, 1 (transposed) or 2 (conjugated and transposed)")
    return a if trans == 0 else a.T if trans == 1 else conj(a).T


def _scaled(alpha: Any, product: Array) -> Array:
    return product if isinstance(alpha, (int, float, complex)) and alpha == 1 else alpha * product


def _strips(rows: int) -> list[tuple[int, int]]:
    """Cut the rows of a triangle into parts of equal height, of which each ends at the diagonal."""
    count = min(_STRIPS, max(1, rows // _STRIP))
    return list(itertools.pairwise(rows * place // count for place in range(count + 1)))


def _half_product(alpha: Any, left: Array, right: Array, beta: Any, c: ArrayLike | None, lower: int) -> Array:
    """Compute a triangle of ``alpha left right + beta c``, by strips of columns; the other one stays what it is in `c`, or 0."""
    rows, parts = left.shape[0], []
    strips = _strips(rows) if rows > _WHOLE else [(0, rows)]
    for low, high in strips[::2] + strips[1::2]:  # lengths that change by one step again and again would be taken for slices that grow
        some = slice(low, None) if lower else slice(None, high)
        part = _scaled(alpha, left[some] @ right[:, low:high])
        below = tri(part.shape[0], part.shape[1], 0 if lower else -low - 1, "bool", like=left)
        parts.append((some, slice(low, high), _chosen(below, part, 0) if lower else _chosen(below, 0, part)))
    if len(parts) == 1:
        result = parts[0][2]
    else:
        result = zeros((rows, rows), dtype=parts[0][2].dtype, device=left.device)
        for some, strip, part in parts:
            result[some, strip] = part
    return result if c is None else _into_triangle(result, beta, c, lower)


def _triangle_times(a: Array, b: Array, lower: bool, diag: int) -> Array:
    """Multiply a triangle of a matrix with another one, or a vector."""
    parts = []
    for low, high in _strips(a.shape[0]):
        part = _triangular(a[low:high, low:high], lower, diag) @ b[low:high]
        some = slice(None, low) if lower else slice(high, None)
        parts.append(part + a[low:high, some] @ b[some] if b[some].size else part)
    product: Array = concatenate(parts)
    return product


def _times_triangle(b: Array, a: Array, lower: bool, diag: int) -> Array:
    """Multiply a matrix with a triangle of another one."""
    parts = []
    for low, high in _strips(a.shape[0]):
        part = b[:, low:high] @ _triangular(a[low:high, low:high], lower, diag)
        some = slice(high, None) if lower else slice(None, low)
        parts.append(part + b[:, some] @ a[some, low:high] if a[some].size else part)
    product: Array = concatenate(parts, axis=1)
    return product


def _added(product: Array, beta: Any, c: ArrayLike | None) -> Array:
    """Add ``beta * c``, which is not read where `beta` is 0."""
    return product if c is None or (isinstance(beta, (int, float, complex)) and beta == 0) else product + _scaled(beta, _one(c))


def _triangle(a: Array, lower: int) -> Array:
    """Mask the triangle of a square matrix, with its diagonal."""
    rows, columns = a.shape
    if rows != columns:
        raise ValueError(f"a matrix of one triangle is square, not of shape {a.shape}")
    below = tri(rows, rows, 0, "bool", like=a)
    return below if lower else below.T


def _triangular(a: Array, lower: int, diag: int) -> Array:
    """Make what a triangle stands for, with ones on the diagonal where those are not stored."""
    mask = _triangle(a, lower)
    if not diag:
        return _chosen(mask, a, 0)
    diagonal = mask & mask.T
    return _chosen(diagonal, 1, _chosen(mask, a, 0))


def _completed(a: Array, lower: int, hermitian: bool) -> Array:
    """Make a symmetric or Hermitian matrix of a triangle of it."""
    if not hermitian:
        return _chosen(_triangle(a, lower), a, a.T)
    mask = _triangle(a, lower)
    whole = _chosen(mask, a, conj(a).T)
    return _chosen(mask & mask.T, a.real, whole)


def _triangle_fits(a: Array, b: Array, side: int) -> bool:
    """Tell whether a square matrix can be multiplied with another matrix from that side."""
    return b.ndim == 2 and a.shape == (b.shape[side],) * 2


def _symmetric(name: str, alpha: Any, operands: tuple[Array, ...], beta: Any, c: Array | None, trans: int, lower: int) -> Array | None:
    """Compute a triangle of a symmetric product on the host, if SciPy takes the operands."""
    a = operands[0]
    hermitian = name.startswith("her") and a.dtype.kind == "c"
    wanted = (a.shape[bool(trans)],) * 2 if a.ndim == 2 else ()
    if not wanted or any(one.shape != a.shape for one in operands) or (c is not None and c.shape != wanted):
        return None
    routine = _hosted(name if hermitian else name.replace("her", "syr"), (alpha, beta), *operands, c)
    return None if routine is None else routine(alpha, *operands, beta, c, 2 * bool(trans) if hermitian else bool(trans), lower)


def _into_triangle(product: Array, beta: Any, c: ArrayLike | None, lower: int) -> Array:
    """Write a triangle of a symmetric result; the other one stays what it is in `c`, or 0."""
    mask = _triangle(product, lower)
    return _chosen(mask, _added(product, beta, c), 0 if c is None else _one(c))


def gemm(
    alpha: Any, a: ArrayLike, b: ArrayLike, beta: Any = 0, c: ArrayLike | None = None,
    trans_a: int = 0, trans_b: int = 0, overwrite_c: int = 0,
) -> Array:  # fmt: skip
    """Compute ``alpha op(a) op(b) + beta c``. See `scipy.linalg.blas.dgemm`."""
    a, b, c = _one(a), _one(b), _given(c)
    left, right = _turned(a, trans_a), _turned(b, trans_b)
    fits = c is not None and c.shape == (*left.shape[:1], *right.shape[-1:]) and left.shape[-1:] == right.shape[:1]
    if fits and (routine := _hosted("gemm", (alpha, beta), a, b, c)):
        return routine(alpha, a, b, beta, c, trans_a, trans_b)
    return _added(_scaled(alpha, left @ right), beta, c)


def gemv(
    alpha: Any, a: ArrayLike, x: ArrayLike, beta: Any = 0, y: ArrayLike | None = None, *, trans: int = 0, overwrite_y: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha op(a) x + beta y``. See `scipy.linalg.blas.dgemv`."""
    a, x = _one(a), _one(x)
    return _added(_scaled(alpha, _turned(a, trans) @ x), beta, y)


def ger(alpha: Any, x: ArrayLike, y: ArrayLike, *, a: ArrayLike | None = None, overwrite_a: int = 0) -> Array:
    """Compute ``alpha x y^T + a``. See `scipy.linalg.blas.dger`."""
    x, y = _one(x), _one(y)
    return _added(_scaled(alpha, outer(x, y)), 1, a)


geru = ger


def gerc(alpha: Any, x: ArrayLike, y: ArrayLike, *, a: ArrayLike | None = None, overwrite_a: int = 0) -> Array:
    """Compute ``alpha x conj(y)^T + a``. See `scipy.linalg.blas.zgerc`."""
    return ger(alpha, x, conj(_one(y)), a=a, overwrite_a=overwrite_a)


def symm(
    alpha: Any, a: ArrayLike, b: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, side: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha a b + beta c``, or b a, with a triangle of a symmetric a. See `scipy.linalg.blas.dsymm`."""
    return _of_half(alpha, a, b, (beta, c), side, lower, hermitian=False)


def hemm(
    alpha: Any, a: ArrayLike, b: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, side: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha a b + beta c``, or b a, with a triangle of a Hermitian a. See `scipy.linalg.blas.zhemm`."""
    return _of_half(alpha, a, b, (beta, c), side, lower, hermitian=True)


def _of_half(alpha: Any, a: ArrayLike, b: ArrayLike, added: tuple[Any, Any], side: int, lower: int, *, hermitian: bool) -> Array:
    a, b, beta, c = _one(a), _one(b), added[0], _given(added[1])
    name = "hem" if hermitian and a.dtype.kind == "c" else "sym"
    if c is not None and c.shape != b.shape:
        pass
    elif _triangle_fits(a, b, side) and (routine := _hosted(name + "m", (alpha, beta), a, b, c)):
        return routine(alpha, a, b, beta, c, side, lower)
    elif b.ndim != 1 or a.shape != b.shape * 2 or (name == "sym" and a.dtype.kind == "c"):
        pass
    elif routine := _hosted(name + "v", (alpha, beta), a, b, c):
        return routine(alpha, a, b, beta, c, lower=lower)
    whole = _completed(a, lower, hermitian)
    return _added(_scaled(alpha, b @ whole if side else whole @ b), beta, c)


def symv(
    alpha: Any, a: ArrayLike, x: ArrayLike, beta: Any = 0, y: ArrayLike | None = None, *, lower: int = 0, overwrite_y: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha a x + beta y`` with a triangle of a symmetric a. See `scipy.linalg.blas.dsymv`."""
    return _of_half(alpha, a, x, (beta, y), 0, lower, hermitian=False)


def hemv(
    alpha: Any, a: ArrayLike, x: ArrayLike, beta: Any = 0, y: ArrayLike | None = None, *, lower: int = 0, overwrite_y: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha a x + beta y`` with a triangle of a Hermitian a. See `scipy.linalg.blas.zhemv`."""
    return _of_half(alpha, a, x, (beta, y), 0, lower, hermitian=True)


def syrk(
    alpha: Any, a: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, trans: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute a triangle of ``alpha a a^T + beta c``, or a^T a. See `scipy.linalg.blas.dsyrk`."""
    a, c = _one(a), _given(c)
    if (found := _symmetric("syrk", alpha, (a,), beta, c, trans, lower)) is not None:
        return found
    return _half_product(alpha, a.T if trans else a, a if trans else a.T, beta, c, lower)


def herk(
    alpha: Any, a: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, trans: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute a triangle of ``alpha a a^H + beta c``, or a^H a. See `scipy.linalg.blas.zherk`."""
    a, c = _one(a), _given(c)
    if (found := _symmetric("herk", alpha, (a,), beta, c, trans, lower)) is not None:
        return found
    other = conj(a).T
    return _half_product(alpha, other if trans else a, a if trans else other, beta, c, lower)


def syr2k(
    alpha: Any, a: ArrayLike, b: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, trans: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute a triangle of ``alpha (a b^T + b a^T) + beta c``, or of transposes. See `scipy.linalg.blas.dsyr2k`."""
    a, b, c = _one(a), _one(b), _given(c)
    if (found := _symmetric("syr2k", alpha, (a, b), beta, c, trans, lower)) is not None:
        return found
    product = a.T @ b if trans else a @ b.T
    return _into_triangle(_scaled(alpha, product + product.T), beta, c, lower)


def her2k(
    alpha: Any, a: ArrayLike, b: ArrayLike, beta: Any = 0, c: ArrayLike | None = None, trans: int = 0, lower: int = 0, overwrite_c: int = 0
) -> Array:  # fmt: skip
    """Compute a triangle of ``alpha a b^H + conj(alpha) b a^H + beta c``, or of transposes. See `scipy.linalg.blas.zher2k`."""
    a, b, c = _one(a), _one(b), _given(c)
    if (found := _symmetric("her2k", alpha, (a, b), beta, c, trans, lower)) is not None:
        return found
    product = _scaled(alpha, conj(a).T @ b if trans else a @ conj(b).T)
    return _into_triangle(product + conj(product).T, beta, c, lower)


def trmm(
    alpha: Any, a: ArrayLike, b: ArrayLike, side: int = 0, lower: int = 0, trans_a: int = 0, diag: int = 0, overwrite_b: int = 0
) -> Array:  # fmt: skip
    """Compute ``alpha op(a) b``, or b op(a), with a triangular a. See `scipy.linalg.blas.dtrmm`."""
    a, b = _one(a), _one(b)
    if _triangle_fits(a, b, side) and (routine := _hosted("trmm", (alpha,), a, b)):
        return routine(alpha, a, b, side, lower, trans_a, diag)
    a = _turned(a, trans_a)
    _triangle(a, lower)
    below = bool(lower) != (trans_a != 0)
    return _scaled(alpha, _times_triangle(b, a, below, diag) if side else _triangle_times(a, b, below, diag))


def trsm(
    alpha: Any, a: ArrayLike, b: ArrayLike, side: int = 0, lower: int = 0, trans_a: int = 0, diag: int = 0, overwrite_b: int = 0
) -> Array:  # fmt: skip
    """Solve ``op(a) x = alpha b``, or x op(a), with a triangular a. See `scipy.linalg.blas.dtrsm`."""
    a, right = _one(a), _scaled(alpha, _one(b))
    _turned(a, trans_a)
    ways: dict[str, bool] = {"lower": bool(lower), "unit_diagonal": bool(diag), "check_finite": False}
    if not side:
        return solve_triangular(a, right, trans_a, **ways)
    whole, turned = (conj(a), 0) if trans_a == 2 else (a, 1 - trans_a)
    return solve_triangular(whole, right.T, turned, **ways).T


def trmv(a: ArrayLike, x: ArrayLike, *, lower: int = 0, trans: int = 0, diag: int = 0, overwrite_x: int = 0) -> Array:
    """Compute ``op(a) x`` with a triangular a. See `scipy.linalg.blas.dtrmv`."""
    a, x = _one(a), _one(x)
    if a.shape == x.shape * 2 and x.ndim == 1 and (routine := _hosted("trmv", (), a, x)):
        return routine(a, x, lower=lower, trans=trans, diag=diag)
    return trmm(1, a, x, 0, lower, trans, diag, overwrite_x)


def trsv(a: ArrayLike, x: ArrayLike, *, lower: int = 0, trans: int = 0, diag: int = 0, overwrite_x: int = 0) -> Array:
    """Solve ``op(a) y = x`` with a triangular a. See `scipy.linalg.blas.dtrsv`."""
    return trsm(1, a, x, 0, lower, trans, diag, overwrite_x)


def axpy(x: ArrayLike, y: ArrayLike, *, a: Any = 1) -> Array:
    """Compute ``a x + y``. See `scipy.linalg.blas.daxpy`."""
    x, y = _one(x), _one(y)
    added: Array = _scaled(a, x) + y
    return added


def scal(a: Any, x: ArrayLike) -> Array:
    """Compute ``a x``. See `scipy.linalg.blas.dscal`."""
    product: Array = a * _one(x)
    return product


def copy(x: ArrayLike) -> Array:
    """Copy a vector. See `scipy.linalg.blas.dcopy`."""
    made: Array = _one(x).copy()
    return made


def swap(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    """Give copies of both vectors, the second one first. See `scipy.linalg.blas.dswap`."""
    return copy(y), copy(x)


def dot(x: ArrayLike, y: ArrayLike) -> Array:
    """Add products of elements. See `scipy.linalg.blas.ddot`."""
    product: Array = _one(x) @ _one(y)
    return product


dotu = dot


def dotc(x: ArrayLike, y: ArrayLike) -> Array:
    """Add products of conjugated elements with others. See `scipy.linalg.blas.zdotc`."""
    x, y = _one(x), _one(y)
    product: Array = conj(x) @ y
    return product


def nrm2(x: ArrayLike) -> Array:
    """Compute the length of a vector, scaled against overflow. See `scipy.linalg.blas.dnrm2`."""
    x = _one(x)
    if x.ndim == 1 and (routine := _hosted("nrm2", (), x)):
        return routine(x)
    sizes = absolute(x)
    largest = sizes.max(initial=0)
    scale = _chosen(largest > 0, largest, 1)
    length: Array = scale * square_root(total((sizes / scale) ** 2))
    return length


def asum(x: ArrayLike) -> Array:
    """Add magnitudes, of complex numbers those of their parts. See `scipy.linalg.blas.dasum`."""
    x = _one(x)
    if x.ndim == 1 and (routine := _hosted("asum", (), x)):
        return routine(x)
    if x.dtype.kind != "c":
        return total(absolute(x))
    both: Array = total(absolute(x.real)) + total(absolute(x.imag))
    return both


def iamax(x: ArrayLike) -> Array:
    """Find the first of the largest magnitudes, of complex numbers the sums of those of their parts. See `scipy.linalg.blas.idamax`."""
    x = _one(x)
    if x.ndim == 1 and (routine := _hosted("iamax", (), x)):
        return routine(x)
    sizes: Array = absolute(x) if x.dtype.kind != "c" else absolute(x.real) + absolute(x.imag)
    return argmax(sizes)


def rot(x: ArrayLike, y: ArrayLike, c: Any, s: Any) -> tuple[Array, Array]:
    """Rotate pairs of elements. See `scipy.linalg.blas.drot`."""
    x, y = _one(x), _one(y)
    return c * x + s * y, c * y - (s.conjugate() if isinstance(s, complex) else s) * x


def rotg(a: float, b: float) -> tuple[float, float]:
    """Compute cosine and sine of a rotation that makes the second number 0, on the host. See `scipy.linalg.blas.drotg`."""
    from scipy.linalg import blas

    cosine, sine = (blas.zrotg if isinstance(a, complex) or isinstance(b, complex) else blas.drotg)(a, b)
    return cosine, sine
