"""QR factors with pivoting and in LAPACK's form, products with them, and their updates, against SciPy in double precision."""

from functools import partial

import numpy as np
import pytest
import scipy.linalg

import trnarray as xp
import trnarray.scipy.linalg as ours
from trnarray.backends.neuron.lowering import orthogonal_factors

from . import beside_scipy
from .beside_scipy import wide

U = 2.0**-24
drawn = partial(beside_scipy.drawn, np.random.default_rng(8))

pytestmark = pytest.mark.usefixtures("without_fallbacks")


def fetched(found):
    return tuple(map(fetched, found)) if isinstance(found, tuple) else np.asarray(found.to_device("cpu"))


def near(found, wanted, unit=U):
    """Compare: 64 n u of the largest element covers condition numbers up to 10 in the errors of LAPACK's bounds."""
    if isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            near(one, other, unit)
        return
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=0, atol=320 * unit * np.abs(wanted).max(initial=0))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
def test_pivoting(dtype, shape):
    """The columns that LAPACK chooses, and factors with its signs; `qr_multiply` and the modes are made of the same."""
    a = drawn(*shape, dtype=dtype)
    near(fetched(ours.qr(xp.asarray(a), mode="raw", pivoting=True)), scipy.linalg.qr(wide(a), mode="raw", pivoting=True))
    if shape == (5, 3):
        for mode in ("full", "economic"):
            near(fetched(ours.qr(xp.asarray(a), mode=mode, pivoting=True)), scipy.linalg.qr(wide(a), mode=mode, pivoting=True))
    else:
        c = drawn(2, 3, dtype=dtype)
        found = fetched(ours.qr_multiply(xp.asarray(a), xp.asarray(c), pivoting=True))
        near(found, scipy.linalg.qr_multiply(wide(a), wide(c), pivoting=True))
        near(fetched(ours.qr(xp.asarray(a), mode="r", pivoting=True)), scipy.linalg.qr(wide(a), mode="r", pivoting=True))


@pytest.mark.parametrize("target", ["trn1", "trn3"])
def test_columns_of_equal_length(target):
    """The first one where it stands is chosen: the third took the place of the first, which is behind the second then."""
    a = np.diag(np.float32([1, 1, 2, 1]))
    _, order = ours.qr(xp.asarray(a, device=f"sim:{target}"), mode="r", pivoting=True)
    assert fetched(order).tolist() == scipy.linalg.qr(wide(a), mode="r", pivoting=True)[1].tolist() == [2, 1, 0, 3]


def test_deficient_ranks_in_float64():
    """Factors are orthogonal and exact to n u where columns depend on others, and the diagonal tells the rank."""
    a = drawn(4, 1, dtype=float) @ drawn(1, 3, dtype=float)
    q, r, order = fetched(ours.qr(xp.asarray(a), pivoting=True))
    assert np.abs(q.T @ q - np.eye(4)).max() <= 8 * 2.0**-53
    assert np.abs(q @ r - a[:, order]).max() <= 8 * 2.0**-53 * np.abs(a).max()
    assert (np.abs(np.diag(r)) > 8 * 2.0**-53 * np.abs(a).max()).tolist() == [True, False, False]


def test_form_of_lapack():
    a = drawn(4, 3)
    near(fetched(ours.qr(xp.asarray(a), mode="raw")), scipy.linalg.qr(wide(a), mode="raw"))
    a = drawn(2, 3, dtype=float)
    near(fetched(ours.qr(xp.asarray(a), mode="raw")), scipy.linalg.qr(a, mode="raw"), 2.0**-53)


@pytest.mark.parametrize("shape", [(7, 5), (4, 7)])
def test_panels_of_columns(monkeypatch, shape):
    """More than 128 columns are factored panel by panel, which gives the reflections of LAPACK."""
    monkeypatch.setattr(orthogonal_factors, "_PANEL", 2)
    a = drawn(*shape)
    for mode in ("complete", "raw"):
        near(fetched(tuple(xp.linalg.qr(xp.asarray(a), mode))), tuple(np.linalg.qr(wide(a), mode)))


def test_complex_matrices_that_lanes_do_not_take(monkeypatch):
    takes = orthogonal_factors._takes
    monkeypatch.setattr(orthogonal_factors, "_takes", lambda name, *operands: "lanes" not in name and takes(name, *operands))
    a = drawn(5, 3, dtype=np.complex64)
    near(fetched(tuple(xp.linalg.qr(xp.asarray(a), "complete"))), tuple(np.linalg.qr(wide(a), "complete")))


@pytest.mark.parametrize("shape", [(5, 3), (3, 5)])
def test_rq_factors(shape):
    a = drawn(*shape)
    for mode in ("full", "economic"):
        near(fetched(ours.rq(xp.asarray(a), mode=mode)), scipy.linalg.rq(wide(a), mode=mode))
    near(fetched(ours.rq(xp.asarray(a), mode="r")), scipy.linalg.rq(wide(a), mode="r"))


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_updates(dtype):
    """Factors that are updated are those of the changed matrix, whatever their signs."""
    a, u, v = (drawn(*shape, dtype=dtype) for shape in ((4, 3), (4,), (3,)))
    q, r = (part.astype(dtype) for part in scipy.linalg.qr(wide(a)))
    given = [xp.asarray(part) for part in (q, r)]
    start = wide(q) @ wide(r)
    changed = [
        (ours.qr_delete(*given, 1), np.delete(start, 1, 0)),
        (ours.qr_delete(*given, -2, 2, "col"), start[:, :1]),
        (ours.qr_insert(*given, xp.asarray(v), 2), np.insert(start, 2, v, 0)),
        (ours.qr_insert(*given, xp.asarray(np.stack([u, 2 * u + 1], 1)), -1, "col"), np.insert(start, [2], np.stack([u, 2 * u + 1], 1), 1)),
        (ours.qr_update(*given, xp.asarray(u), xp.asarray(v)), start + np.outer(u, v.conj())),
    ]
    for found, wanted in changed:
        q, r = map(wide, fetched(found))
        assert q.shape == (wanted.shape[0],) * 2
        assert np.abs(np.tril(r, -1)).max() == 0
        np.testing.assert_allclose(q.conj().T @ q, np.eye(len(q)), rtol=0, atol=64 * U)
        np.testing.assert_allclose(q @ r, wanted, rtol=0, atol=64 * U * np.abs(wanted).max())


@pytest.mark.parametrize("rows", [120, 131, 400])  # of blocks of 64: as many in each, zeros under the last one, and several levels
def test_blocks_of_rows(rows, monkeypatch):
    """
    Factors of matrices that no kernel takes as a whole, against the properties that define them, and what is made of them.

    Householder's reflections are orthogonal within 10 n u, and their triangle is backward stable within as much, on each of the levels.
    """
    monkeypatch.setattr(orthogonal_factors, "_most_rows", lambda columns: 64)
    a, b = drawn(rows, 24), drawn(rows, 2)
    x, y = xp.asarray(a), xp.asarray(b)
    basis, triangle = fetched(xp.linalg.qr(x))
    assert (basis.shape, triangle.shape) == ((rows, 24), (24, 24))
    assert not np.tril(triangle, -1).any()
    assert np.abs(wide(basis).T @ wide(basis) - np.eye(24)).max() <= 10 * 24 * U
    assert np.linalg.norm(wide(basis) @ wide(triangle) - wide(a)) <= 10 * 24 * U * np.linalg.norm(a)
    near(np.abs(fetched(xp.linalg.qr(x, mode="r"))), np.abs(np.linalg.qr(wide(a), mode="r")))
    solution, squares, rank, values = fetched(tuple(xp.linalg.lstsq(x, y, rcond=None)))
    wanted = np.linalg.lstsq(wide(a), wide(b), rcond=None)
    for one, place in ((solution, 0), (squares, 1), (values, 3)):
        near(one, wanted[place], 4 * U)
    assert rank == 24
    with pytest.raises(xp.FallbackError, match="factored by blocks of rows"):
        xp.linalg.qr(x, mode="complete")


def test_float64_factors_of_blocks_of_rows(monkeypatch):
    """Of which float32 factors, made by blocks, give the signs; orthogonal within 4 (n + 8) u, as those of few rows."""
    monkeypatch.setattr(orthogonal_factors, "_most_rows", lambda columns: 128)
    a = np.random.default_rng(3).standard_normal((300, 4))
    basis, triangle = (np.asarray(part.to_device("cpu")) for part in xp.linalg.qr(xp.asarray(a)))
    bound = 4 * 12 * 2.0**-53
    assert np.abs(basis.T @ basis - np.eye(4)).max() <= bound
    assert np.abs(basis @ triangle - a).max() <= bound * np.abs(a).max()


@pytest.mark.parametrize("columns", [1, 16, 100, 128, 129, 200, 256, 300, 512])
@pytest.mark.parametrize("rows", [8193, 32768, (1 << 18) + 1])
def test_matrices_of_any_rows_are_factored(rows, columns):
    for mode in ("r", "reduced"):
        xp.linalg.qr(xp.zeros((rows, columns), dtype=xp.float32, device="sim:trn2"), mode=mode)


@pytest.mark.parametrize("shape", [(9000, 513), (9000, 9000)])
def test_wide_ones_of_many_rows_are_refused(shape):
    with pytest.raises(xp.FallbackError, match="513 columns"):
        xp.linalg.qr(xp.zeros(shape, dtype=xp.float32, device="sim:trn2"), mode="r")


@pytest.mark.parametrize("dtype", [np.float32, np.complex64, np.float64, np.complex128])
def test_hessenberg_forms(dtype):
    """Reflections are LAPACK's, with its signs; of complex matrices the last element beside the diagonal is real, too."""
    unit = float(np.finfo(dtype).eps) / 2
    a = drawn(4, 4, dtype=dtype)
    form, basis = fetched(ours.hessenberg(xp.asarray(a), calc_q=True))
    assert form.dtype == basis.dtype == dtype
    near((form, basis), scipy.linalg.hessenberg(wide(a), calc_q=True), unit)
    assert (np.tril(form, -2) == 0).all()
    np.testing.assert_array_equal(fetched(ours.hessenberg(xp.asarray(a))), form)
    near(fetched(ours.hessenberg(xp.asarray(np.ldexp(a.real, 70)))), scipy.linalg.hessenberg(np.ldexp(wide(a.real), 70)), unit)


def test_hessenberg_form_of_what_is_one():
    a = np.triu(drawn(4, 4), -1)
    np.testing.assert_array_equal(fetched(ours.hessenberg(xp.asarray(a))), a)
