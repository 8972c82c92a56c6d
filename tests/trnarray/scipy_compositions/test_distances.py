"""Distances on devices against SciPy's in float64."""

import numpy as np
import pytest
from scipy.spatial import distance as theirs

import trnarray as xp
from trnarray.scipy.spatial import distance as ours

REAL = ("braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean", "hamming", "minkowski", "sqeuclidean")
BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(5)
A, B, W = rng.standard_normal((5, 7)), rng.standard_normal((6, 7)), rng.random(7)
A[1], A[2, :3], W[2] = B[2], 0, 0


def on(x, device="sim:trn2"):
    return xp.asarray(x, device=device)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


def close(found, expected, dtype, roundings=64):
    """Sums of seven terms, each of a few roundings, and a root, whose error near zero is the root of one: 64 u of the largest."""
    assert found.dtype == dtype
    scale = max(1.0, float(np.nanmax(np.abs(expected))))
    np.testing.assert_allclose(fetched(found), expected, rtol=0, atol=roundings * U[dtype] * scale)


WIDE = ("braycurtis", "chebyshev", "correlation", "sqeuclidean")


@pytest.mark.parametrize(("metric", "dtype"), [*((metric, np.float32) for metric in REAL), *((metric, np.float64) for metric in WIDE)])
def test_metrics(metric, dtype):
    a, b, w = A.astype(dtype), B.astype(dtype), W.astype(dtype)
    options = {"p": 3} if metric == "minkowski" and dtype is np.float32 else {}  # powers of float64 run on the host
    with xp.config(fallback="error"):
        for weights, given in ({}, {}), ({"w": w.astype(float)}, {"w": on(w)}):
            expected = theirs.cdist(a.astype(float), b.astype(float), metric, **weights, **options)
            close(ours.cdist(on(a), on(b), metric, **given, **options), expected, dtype)
        close(ours.pdist(on(a), metric, **options), theirs.pdist(a.astype(float), metric, **options), dtype)
        single = getattr(ours, metric)(on(a[0]), on(b[0]), w=on(w))
        close(single, getattr(theirs, metric)(a[0].astype(float), b[0].astype(float), w=w.astype(float)), dtype)
    assert (single.shape, str(single.device)) == ((), "sim:trn2")


@pytest.mark.parametrize("metric", BOOLEAN)
def test_booleans(metric):
    a, b = A > 0.2, B > 0.1
    with xp.config(fallback="error"):
        close(ours.cdist(on(a), on(b), metric), theirs.cdist(a, b, metric), np.float32)
        close(getattr(ours, metric)(on(a[0]), on(b[0])), getattr(theirs, metric)(a[0], b[0]), np.float32)


def test_distances_between_sets():
    """The inverse of 2 x 2 covariances is computed in float64, and rounded."""
    a, b = A[:, :2].astype(np.float32), B[:, :2].astype(np.float32)
    wide = a.astype(float), b.astype(float)
    with xp.config(fallback="error"):
        close(ours.cdist(on(a), on(b), "mahalanobis"), theirs.cdist(*wide, "mahalanobis"), np.float32)
        close(ours.pdist(on(a), "mahalanobis"), theirs.pdist(wide[0], "mahalanobis"), np.float32)
        for p in (1, 2, 3, np.inf):
            close(xp.scipy.spatial.distance_matrix(on(a), on(b), p), theirs.cdist(*wide, "minkowski", p=p), np.float32)
        found, expected = ours.directed_hausdorff(on(a), on(b)), theirs.directed_hausdorff(*wide)
    close(found[0], expected[0], np.float32)
    assert (int(found[1]), int(found[2])) == expected[1:]


@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn3"])
def test_elsewhere(device):
    a = A.astype(np.float32)
    close(ours.cdist(on(a, device), on(B.astype(np.float32), device)), theirs.cdist(a, B.astype(np.float32)), np.float32)


def test_metrics_with_matrices_and_probabilities():
    a, b = A.astype(np.float32), B.astype(np.float32)
    v = np.cov(np.concatenate([a, b]).T.astype(float)).astype(np.float32) + np.eye(7, dtype=np.float32)
    p, q = np.abs(a) + np.float32(0.1), np.abs(b) + np.float32(0.1)
    with xp.config(fallback="error"):
        close(ours.cdist(on(a), on(b), "mahalanobis", VI=on(v)), theirs.cdist(a, b, "mahalanobis", VI=v), np.float32)
        close(ours.mahalanobis(on(a[0]), on(b[0]), on(v)), theirs.mahalanobis(a[0], b[0], v), np.float32)
        close(ours.cdist(on(a), on(b), "seuclidean"), theirs.cdist(a, b, "seuclidean"), np.float32)
        close(ours.pdist(on(a), "seuclidean"), theirs.pdist(a, "seuclidean"), np.float32)
        close(ours.seuclidean(on(a[0]), on(b[0]), on(p[0])), theirs.seuclidean(a[0], b[0], p[0]), np.float32)
        close(ours.cdist(on(p), on(q), "jensenshannon"), theirs.cdist(p, q, "jensenshannon"), np.float32, 2048)  # the root of 64 u
        close(ours.jensenshannon(on(p[0]), on(q[0]), 2.0), theirs.jensenshannon(p[0], q[0], 2.0), np.float32, 2048)


@pytest.mark.parametrize(("offset", "dtype"), [(0.0, np.float32), (3.0, np.float32), (1e4, np.float32), (3.0, np.float64)])
def test_squares_by_a_product_keep_close_pairs(dtype, offset):
    """A pair of a product loses 1 / 8 of |x|² + |y|² at most; errors are 8 (k + 3) u of the distance."""
    x = (offset + rng.standard_normal((70, 24))).astype(dtype)
    y = (offset + rng.standard_normal((60, 24))).astype(dtype)
    y[7], y[9] = x[3], x[4] * (1 + 2.0**-12)
    y[11, 0] = np.inf
    expected = theirs.cdist(x.astype(float), y.astype(float), "sqeuclidean")
    with xp.config(fallback="error"):
        found = fetched(ours.cdist(on(x), on(y), "sqeuclidean"))
        np.testing.assert_allclose(found, expected, rtol=8 * 27 * U[dtype], atol=0)
        same = ours.cdist(on(x), on(x))
    assert not np.any(np.diagonal(fetched(same)))


def test_squareform():
    v = rng.standard_normal(15).astype(np.float32)
    with xp.config(fallback="error"):
        square = ours.squareform(on(v))
        np.testing.assert_array_equal(fetched(square), theirs.squareform(v))
        np.testing.assert_array_equal(fetched(ours.squareform(square)), v)
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="symmetric"):
        ours.squareform(on(rng.standard_normal((4, 4)).astype(np.float32)))


def test_what_is_left_to_scipy_is_counted():
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match=r"cdist on float32 would run on the host"):
        ours.cdist(on(A.astype(np.float32)), on(B.astype(np.float32)), lambda u, v: xp.sum(u - v))
    with xp.config(fallback="allow"), pytest.raises(ValueError, match="same number of columns"):
        ours.cdist(on(A), on(B[:, :3]))


def test_float16_is_rounded_once():
    a = A.astype(np.float16)
    with xp.config(fallback="error"):
        found = ours.pdist(on(a), "cityblock")
    assert found.dtype == np.float16
    np.testing.assert_allclose(fetched(found).astype(float), theirs.pdist(a.astype(float), "cityblock"), rtol=2.0**-10)


def test_parameters_of_other_metrics_are_refused():
    x = xp.asarray(np.eye(3, dtype=np.float32), device="sim:trn2")
    with xp.config(fallback="allow"):
        for function, args in ((ours.cdist, (x, x)), (ours.pdist, (x,))):
            for metric, options in (("correlation", {"p": 2.0}), ("euclidean", {"V": [1.0, 1.0, 1.0]}), ("minkowski", {"VI": [1.0]})):
                with pytest.raises(TypeError):
                    function(*args, metric, **options)
