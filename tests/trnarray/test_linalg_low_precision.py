"""Linear algebra of float16, bfloat16 and float8: computed in float32, rounded once."""

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp

from .linalg_reference import host, positive

LOW = (np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(ml_dtypes.float8_e4m3fn))


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize(
    "name",
    [
        *("cholesky", "cond", "det", "eigh", "eigvalsh", "inv", "matrix_norm", "norm", "pinv", "qr", "slogdet", "svd", "svdvals"),
        "vector_norm",
    ],
)
def test_low_precision_is_float32_rounded_once(name, dtype):
    a = positive((2, 2), np.float32).astype(dtype)
    arguments = {"norm": (2, (0, 1))}.get(name, ())
    found = getattr(xp.linalg, name)(xp.asarray(a), *arguments)
    parts = found if isinstance(found, tuple) else (found,)
    wide = getattr(xp.linalg, name)(xp.asarray(a.astype(np.float32)), *arguments)
    expected = wide if isinstance(wide, tuple) else (wide,)
    for part, whole in zip(parts, expected, strict=True):
        assert part.dtype == dtype
        np.testing.assert_array_equal(host(part), host(whole).astype(dtype))
    assert xp.linalg.eigvals(xp.asarray(a)).dtype == xp.complex64


@pytest.mark.parametrize("dtype", LOW[:2])
def test_low_precision_products_accumulate_in_float32(dtype):
    ones = xp.ones(1000, dtype=dtype)  # added up in bfloat16 they stop at 256
    for product in (xp.dot, xp.inner, xp.vdot, xp.linalg.vecdot, xp.linalg.matmul, lambda a, b: xp.einsum("i,i", a, b)):
        found = product(ones, ones)
        assert found.dtype == dtype
        assert float(host(found)) == 1000
    assert float(host(xp.trace(xp.ones((1000, 1000), dtype=dtype)))) == 1000
    out = xp.zeros((), dtype=dtype)
    assert xp.dot(ones, ones, out=out) is out
    assert float(host(out)) == 1000
