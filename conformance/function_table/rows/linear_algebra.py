"""Rows of products, of linear algebra and of the Fourier transforms."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import strategies as st

from .. import template as t
from ..operand import Partner
from ..row import EXACT, PLAIN, REAL_FLOATING, WITH_ZERO, Digest, Row, Tolerance, rows

__all__ = ["ROWS"]

_SUM = Tolerance(256, "a sum of up to 130 products in any order", "absolute")
_NORM = Tolerance(64, "sums of products, in any order", "norm")
_BACKWARD = Tolerance(512, "backward stable: 10 n^2 roundoffs of the norm for n <= 4, times a condition number of about 3", "norm")
_FFT = Tolerance(32, "log2(n) rounded butterflies, whose errors are relative to the norm; Bluestein's doubles them", "norm")
_FACTOR = t.matrix("small", "finite")
_INVERTIBLE = t.matrix("well-conditioned", square=True)
_SEPARATED = t.matrix("separated", square=True)
_DEFINITE = t.matrix("hermitian", square=True)
_ORDERS = t.choice(None, 1, -1, np.inf, -np.inf, 2, -2, "fro", "nuc", 3, "no")
_VECTOR_ORDERS = t.choice(1, 2, np.inf, -np.inf, 0, 3, -1, 0.5)
_MATRIX_ORDERS = t.choice("fro", "nuc", 1, 2, np.inf)


def _right_factor(sketch: t.Sketch) -> Any:
    """Draw what a matmul takes on the right: matched, mostly; with other dtypes and stacks."""
    inner = (sketch.shape or (2,))[-1] + (sketch.draw(st.integers(0, 9)) == 9)
    columns = sketch.draw(st.integers(0, 3))
    shape = sketch.draw(st.sampled_from(((inner,), (inner, columns), (2, inner, columns), (1, inner, columns), ())))
    choice = sketch.draw(st.sampled_from((0, 0, 1, 5, 9)))
    return sketch.operand(shape, t.SMALL, Partner(choice))


def _vector(sketch: t.Sketch) -> Any:
    shape = sketch.shape or (2,)
    return sketch.operand((shape[-1] + (sketch.draw(st.integers(0, 9)) == 9),), t.SMALL)


def _right_hand_side(sketch: t.Sketch) -> Any:
    rows_ = (sketch.shape or (1, 1))[-2]
    shape = sketch.draw(st.sampled_from(((rows_,), (rows_, 2), (rows_, 0), (rows_ + 1, 2))))
    return sketch.operand(shape, t.SMALL)


def _chain(sketch: t.Sketch) -> list[Any]:
    sides = sketch.draw(st.lists(st.integers(1, 4), min_size=3, max_size=5))
    return [sketch.operand(pair, ("small",)) for pair in pairwise(sides)]


def _lengths(sketch: t.Sketch) -> Any:
    return sketch.draw(st.sampled_from((None, 1, 2, 3, 5, 8, 0)))


def _two_axes(**kwargs: Any) -> dict[str, Any]:
    return {"s": t.choice(None, (2, 3), (4, 1)), "axes": t.choice((0, 1), (-1, -2), (-2, -1), (0, 0)), "norm": _NORMS, **kwargs}


def _transposed(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _nothing(leaves: list[Any]) -> list[Any]:
    """Compare no values: the matrices may be singular, and it is the kinds of errors that count."""
    del leaves
    return []


def _svd(leaves: list[Any]) -> list[Any]:
    """Compare singular values, the product, and that the vectors are orthonormal."""
    if len(leaves) == 1:
        return leaves
    u, s, vh = leaves
    k = s.shape[-1]
    return [s, (u[..., :k] * s[..., None, :]) @ vh[..., :k, :], _transposed(u) @ u, vh @ _transposed(vh)]


def _least_squares(leaves: list[Any]) -> list[Any]:
    """Compare squares of residuals beside that of the matrix: what is left of rounding errors is no digit of them."""
    solution, squares, rank, values = leaves
    return [solution, squares + values[:1] ** 2, rank, values]


def _qr(leaves: list[Any]) -> list[Any]:
    if len(leaves) == 1:
        return [np.abs(leaves[0])]
    q, r = leaves
    return [q @ r, _transposed(q) @ q, np.tril(r, -1)]


def _eigh(leaves: list[Any]) -> list[Any]:
    w, v = leaves
    return [w, (v * w[..., None, :]) @ _transposed(v), _transposed(v) @ v]


def _eigenvalues(leaves: list[Any]) -> list[Any]:
    """Compare the sums of the powers of the eigenvalues, which have no order, and what eigenvectors are good for: the matrix."""
    w = leaves[0]
    result = [np.stack([np.sum(w**power, axis=-1) for power in range(1, w.shape[-1] + 1)])]
    if len(leaves) == 2:
        v = leaves[1]
        result.append((v * w[..., None, :]) @ np.linalg.inv(v))
    return result


def _complex(function: Any) -> Any:
    """Make NumPy's eig or eigvals complex always."""

    def reference(x: Any) -> Any:
        x = np.asarray(x)
        wide = np.result_type(x, np.complex64 if x.dtype.kind in "fc" else np.complex128)
        return function(x.astype(wide))

    return reference


def _pinv(x: Any, **kwargs: Any) -> Any:
    if "rtol" not in kwargs and x.ndim >= 2:
        dtype = x.dtype if x.dtype.kind in "fc" else np.float64
        kwargs["rtol"] = max(x.shape[-2:]) * np.finfo(dtype).eps
    return np.linalg.pinv(x, **kwargs)


def _rank(x: Any, **kwargs: Any) -> Any:
    x = np.asarray(x)
    if x.ndim >= 2 and not x.size:
        return np.zeros(x.shape[:-2], np.int64)[()]
    return np.linalg.matrix_rank(x, **kwargs)


def _norm_of_nothing(x: Any, **kwargs: Any) -> Any:
    del kwargs
    return np.linalg.norm(x, axis=(-2, -1))  # the Frobenius norm, which NumPy has always given


def _vector_norm(x: Any, **kwargs: Any) -> Any:
    if x.size == 0 and kwargs.get("ord") == np.inf:
        kwargs["ord"] = 1
    return np.linalg.vector_norm(x, **kwargs)


def _frequencies(name: str) -> Any:
    function = getattr(np.fft, name)

    def reference(n: int, d: float = 1.0, dtype: Any = None) -> Any:
        return function(n, d=d) if dtype is None else function(n, d=d).astype(dtype)

    return reference


def _decomposition(name: str, calls: Any, digest: Digest | None = None, **kwargs: Any) -> tuple[Row, ...]:
    return rows(name, calls, _BACKWARD, digest=digest, **{"dtypes": WITH_ZERO} | kwargs)


_SCIPY_ERRORS = (ValueError, IndexError, TypeError)  # SciPy's kinds of errors, and its order of checks, which differ from NumPy's
_NORMS = t.choice(None, "backward", "ortho", "forward", "no")
_TRANSFORMED = t.array("finite", "small", dims=(0, 3))
_PLANES = t.array("finite", "small", dims=(1, 3))
_LONGER = t.array("finite", "small", dims=(1, 3), least=2)
_ONE_POINT = "a last axis of length 1 gives 1 point, as in SciPy; NumPy raises"
_FLAT = {"n": t.computed(_lengths), "axis": t.axis(), "norm": _NORMS}
_EINSUM: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...] = (
    ("ij->ji", ((2, 3),)),
    ("ii", ((3, 3),)),
    ("ii->i", ((2, 2),)),
    ("ijk->", ((2, 3, 2),)),
    ("i,i", ((4,), (4,))),
    ("i,j->ij", ((2,), (3,))),
    ("ij,jk", ((2, 3), (3, 4))),
    ("ij,jk->ik", ((2, 3), (3, 4))),
    ("ij,ij->j", ((2, 3), (3, 2))),  # which does not fit
    ("...ij,...jk->...ik", ((2, 2, 3), (3, 1))),
    ("ij,jk,kl->il", ((2, 3), (3, 2), (2, 4))),
)


def _einsum(sketch: t.Sketch) -> list[Any]:
    subscripts, shapes = sketch.draw(st.sampled_from(_EINSUM))
    return [subscripts, *(sketch.operand(shape, ("small",)) for shape in shapes)]


_PRODUCT_ROWS = (
    *rows("matmul", t.call_into(t.array(*t.SMALL, dims=(0, 3)), t.computed(_right_factor)), _SUM),
    *rows("dot", t.call(t.array(*t.SMALL, dims=(0, 2)), t.computed(_right_factor)), _SUM),
    *rows("linalg.matmul", t.call(t.array(*t.SMALL, dims=(0, 3)), t.computed(_right_factor)), _SUM),
    *rows("inner vdot", t.call(t.array(*t.SMALL, dims=(0, 2)), t.other(*t.SMALL)), _SUM),
    *rows("inner", t.call(t.array(*t.SMALL, dims=(0, 3)), t.computed(_vector)), _SUM),
    *rows("vecdot", t.call(t.array(*t.SMALL, dims=(0, 3)), t.partner(*t.SMALL, scalars=False), axis=t.axis()), _SUM),
    *rows("linalg.vecdot", t.call(t.array(*t.SMALL, dims=(1, 3)), t.partner(*t.SMALL, scalars=False), axis=t.axis()), _SUM),
    *rows("matvec", t.call(t.array(*t.SMALL, dims=(0, 3)), t.computed(_vector)), _SUM),
    *rows("vecmat", t.call(t.array(*t.SMALL, dims=(1, 1)), t.computed(_right_factor)), _SUM),
    *rows("outer kron", t.call(t.array(*t.SMALL, dims=(0, 2), long=False), t.partner(*t.SMALL, scalars=False)), _NORM),
    *rows("linalg.outer", t.call(t.array(*t.SMALL, dims=(0, 2)), t.computed(_vector)), _NORM),
    *rows(
        "tensordot linalg.tensordot",
        t.call(
            t.array(*t.SMALL, dims=(0, 3), long=False),
            t.other(*t.SMALL),
            axes=t.always(t.choice(0, 1, 2, (0, 0), ((0,), (0,)), ([0, 1], [0, 1]), ((-1,), (-1,)), ((0,), (1,)))),
        ),
        _SUM,
    ),
    *rows(
        "cross linalg.cross",
        t.call(
            t.array("small", dims=(1, 3), last=3, long=False),
            t.computed(lambda s: s.operand((*(s.shape or (3,))[:-1], s.draw(st.sampled_from((3, 3, 2)))), ("small",))),
            axis=t.choice(-1),
        ),
        _NORM,
    ),
    *rows("einsum", t.call(t.spread(_einsum), optimize=t.choice(True, "greedy")), _SUM),
    *rows("einsum_path", t.call("ij,jk,kl->il", t.array("small", dims=(2, 2), last=2, long=False), t.other("small"), t.other("small"))),
    *rows("trace linalg.trace", t.call(t.array(*t.SMALL, dims=(1, 3)), offset=t.integers(-2, 2), dtype=t.lead()), _SUM),
    *rows("trace", t.call(t.array(*t.SMALL, dims=(2, 3)), axis1=t.always(t.axis()), axis2=t.always(t.axis())), _SUM),
    *rows("linalg.diagonal", t.call(t.array(*t.ANY, dims=(1, 3)), offset=t.integers(-2, 2)), EXACT),
    *rows("linalg.matrix_transpose", t.call(t.array(*t.ANY, dims=(0, 3))), EXACT),
    *rows("linalg.multi_dot", t.call(t.computed(_chain)), _SUM),
    *rows("linalg.matrix_power", t.call(t.matrix("small", square=True), t.integers(0, 4)), _SUM),
    *rows("linalg.matrix_power", t.call(_INVERTIBLE, t.choice(-1, -2)), _BACKWARD, dtypes=PLAIN),
)

_LINALG_ROWS = (
    *rows("linalg.norm", t.call(t.array("finite", "small", dims=(0, 3)), keepdims=t.flag()), _SUM),
    *rows("linalg.norm", t.call(t.array("finite", "small", dims=(1, 2), long=False), _ORDERS, keepdims=t.flag()), _NORM, dtypes=WITH_ZERO),
    *rows(
        "linalg.norm", t.call(t.array("finite", "small", dims=(2, 3)), _VECTOR_ORDERS, axis=t.always(t.axis()), keepdims=t.flag()), _NORM
    ),
    *rows("linalg.matrix_norm", t.call(_FACTOR, keepdims=t.flag(), ord=_ORDERS), _NORM),
    *rows(
        "linalg.matrix_norm",
        t.call(t.computed(lambda s: s.operand(s.draw(st.sampled_from(((0, 0), (0, 3), (2, 0), (2, 0, 3)))), t.SMALL)), ord=_MATRIX_ORDERS),
        dtypes=WITH_ZERO,
        reference=_norm_of_nothing,
        difference="a matrix without elements has norm 0",
    ),
    *rows(
        "linalg.vector_norm",
        t.call(t.array("finite", "small", dims=(1, 3)), axis=t.axes(), keepdims=t.flag(), ord=_VECTOR_ORDERS),
        _NORM,
        reference=_vector_norm,
        difference="a vector without elements has norm 0 also for ord=inf",
    ),
    *rows("linalg.cond", t.call(_INVERTIBLE, _ORDERS), _BACKWARD),
    *rows("linalg.det", t.call(_INVERTIBLE), _BACKWARD),
    *rows(
        "linalg.det linalg.inv linalg.slogdet linalg.cholesky linalg.eigvalsh",
        t.call(t.array("finite", dims=(0, 3), long=False)),
        _NORM,
        digest=_nothing,
    ),
    *rows("linalg.slogdet", t.call(_INVERTIBLE), _BACKWARD),
    *rows("linalg.inv", t.call(_INVERTIBLE), _BACKWARD),
    *rows(
        "linalg.pinv",
        t.call(_INVERTIBLE, rtol=t.choice(1e-3)),
        _BACKWARD,
        dtypes=WITH_ZERO,
        reference=_pinv,
        difference="the default rtol is max(M, N) * eps and not 1e-15",
    ),
    *rows("linalg.matrix_rank", t.call(_FACTOR), reference=_rank, dtypes=PLAIN, difference="matrices without elements have rank 0"),
    *rows("linalg.solve", t.call(_INVERTIBLE, t.computed(_right_hand_side)), _BACKWARD),
    *rows(
        "linalg.lstsq",
        t.call(t.matrix("well-conditioned", stack=0, sides=(2, 4)), t.computed(_right_hand_side)),
        _BACKWARD,
        dtypes=PLAIN,
        digest=_least_squares,
    ),
    *_decomposition("linalg.cholesky", t.call(_DEFINITE, upper=t.flag())),
    *_decomposition("linalg.qr", t.call(_FACTOR, mode=t.choice("reduced", "complete", "no")), _qr),
    *_decomposition("linalg.qr", t.call(_FACTOR, mode=t.always(t.choice("r"))), _qr),
    *_decomposition("linalg.svd", t.call(_FACTOR, full_matrices=t.flag(), compute_uv=t.flag()), _svd),
    *_decomposition("linalg.svdvals", t.call(_FACTOR)),
    *_decomposition("linalg.eigh", t.call(_DEFINITE, UPLO=t.choice("L", "U", "X")), _eigh),
    *_decomposition("linalg.eigvalsh", t.call(_DEFINITE, UPLO=t.choice("L", "U"))),
    *_decomposition(
        "linalg.eig",
        t.call(_SEPARATED),
        _eigenvalues,
        reference=_complex(np.linalg.eig),
        dtypes=WITH_ZERO[1:],
        difference="complex always",
    ),
    *_decomposition(
        "linalg.eigvals",
        t.call(_SEPARATED),
        _eigenvalues,
        reference=_complex(np.linalg.eigvals),
        dtypes=WITH_ZERO[1:],
        difference="complex always",
    ),
    *rows(
        "linalg.tensorinv",
        t.call(t.computed(lambda s: s.operand((3, 3), ("well-conditioned",))), ind=t.always(t.choice(1, 0, -1))),
        _BACKWARD,
    ),
    *rows(
        "linalg.tensorsolve",
        t.call(t.computed(lambda s: s.operand((3, 3), ("well-conditioned",))), t.computed(lambda s: s.operand((3,), ("small",)))),
        _BACKWARD,
    ),
)

_FFT_ROWS = (
    *rows("fft.fft fft.ifft", t.call(_TRANSFORMED, **_FLAT), _FFT, alike=_SCIPY_ERRORS),
    *rows("fft.rfft fft.ihfft", t.call(_TRANSFORMED, **_FLAT), _FFT, alike=_SCIPY_ERRORS),
    *rows("fft.irfft fft.hfft", t.call(_TRANSFORMED, **_FLAT), _FFT, dtypes=PLAIN, alike=_SCIPY_ERRORS),
    *rows("fft.fft2 fft.ifft2 fft.rfft2", t.call(_PLANES, **_two_axes()), _FFT, dtypes=PLAIN, alike=_SCIPY_ERRORS),
    *rows("fft.fftn fft.ifftn fft.rfftn", t.call(_TRANSFORMED, norm=_NORMS), _FFT, dtypes=PLAIN, alike=_SCIPY_ERRORS),
    *rows("fft.fftn fft.ifftn fft.rfftn", t.call(_PLANES, **_two_axes()), _FFT, dtypes=PLAIN, alike=_SCIPY_ERRORS),
    *rows("fft.irfft2 fft.irfftn", t.call(_LONGER, **_two_axes()), _FFT, dtypes=PLAIN, alike=_SCIPY_ERRORS, difference=_ONE_POINT),
    *rows("fft.fftshift fft.ifftshift", t.call(t.array(*t.ANY, dims=(1, 3)), axes=t.axes()), EXACT),
    *rows(
        "fft.fftfreq",
        t.call(t.choice(1, 2, 5, 8), d=t.choice(0.1, 2, 1.0), dtype=t.lead()),
        Tolerance(2, "a quotient, rounded once or twice"),
        dtypes=REAL_FLOATING,
        reference=_frequencies("fftfreq"),
        difference="takes a dtype",
    ),
    *rows(
        "fft.rfftfreq",
        t.call(t.choice(1, 2, 5, 8), d=t.choice(0.1, 2, 1.0), dtype=t.lead()),
        Tolerance(2, "a quotient, rounded once or twice"),
        dtypes=REAL_FLOATING,
        reference=_frequencies("rfftfreq"),
        difference="takes a dtype",
    ),
)

ROWS: tuple[Row, ...] = (*_PRODUCT_ROWS, *_LINALG_ROWS, *_FFT_ROWS)
