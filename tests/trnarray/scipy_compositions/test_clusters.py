"""Vector quantization on devices against SciPy's in float64."""

import inspect

import numpy as np
import pytest
from scipy.cluster import vq as theirs

import trnarray as xp
from trnarray.scipy.cluster import vq as ours

U = {np.float32: 2.0**-24, np.float64: 2.0**-53}
rng = np.random.default_rng(8)
MIDDLES = np.repeat([[0.0, 0, 0], [4, 0, -3], [6, 6, 6]], [20, 18, 9], axis=0)
POINTS = MIDDLES + rng.standard_normal((47, 3))
GUESS = np.array([[0.0, 0, 0], [4, 1, -3], [5, 5, 5], [90, 90, 90]])


def on(x, dtype=np.float32, device="sim:trn2"):
    return xp.asarray(np.asarray(x).astype(dtype), device=device)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


DRAWS = "rng" if "rng" in inspect.signature(theirs.kmeans).parameters else "seed"
CASES = [(np.float32, "sim:trn1"), (np.float32, "sim:trn2"), (np.float64, "sim:trn2"), (np.float32, "sim:trn3")]


@pytest.mark.parametrize(("dtype", "device"), CASES)
def test_codes(dtype, device):
    """Averages of 20 rows, and roots of sums of three squares: 64 u of the largest."""
    x, guess = POINTS.astype(dtype), GUESS.astype(dtype)
    with xp.config(fallback="error"):
        index, distances = ours.vq(on(x, dtype, device), on(guess, dtype, device))
        white = ours.whiten(on(x, dtype, device))
    expected = theirs.vq(x.astype(float), guess.astype(float))
    np.testing.assert_array_equal(fetched(index), expected[0])
    assert index.dtype == np.int32
    np.testing.assert_allclose(fetched(distances), expected[1], rtol=0, atol=64 * U[dtype] * 8)
    np.testing.assert_allclose(fetched(white), theirs.whiten(x.astype(float)), rtol=0, atol=64 * U[dtype] * 4)


def test_kmeans():
    x = POINTS.astype(np.float32)
    with xp.config(fallback="error"):
        codes, distance = ours.kmeans(on(x), on(GUESS))
        drawn, least = ours.kmeans(on(x), 3, iter=3, **{DRAWS: np.random.default_rng(1)})
        single, _ = ours.kmeans(on(x[:, 0]), on(GUESS[:3, 0]))
    expected = theirs.kmeans(x.astype(float), GUESS)  # the code that no row is near to is dropped
    assert codes.shape == (3, 3)
    np.testing.assert_allclose(fetched(codes), expected[0], rtol=0, atol=64 * U[np.float32] * 8)
    assert float(distance) == pytest.approx(expected[1], rel=1e-6)
    np.testing.assert_allclose(fetched(single), theirs.kmeans(x[:, 0].astype(float), GUESS[:3, 0])[0], rtol=0, atol=64 * U[np.float32] * 8)
    wanted = theirs.kmeans(x.astype(float), 3, iter=3, **{DRAWS: np.random.default_rng(1)})
    np.testing.assert_allclose(fetched(drawn), wanted[0], rtol=0, atol=64 * U[np.float32] * 8)
    assert float(least) == pytest.approx(wanted[1], rel=1e-6)


def test_what_is_left_to_scipy():
    bad = POINTS.astype(np.float32)
    bad[0, 0] = np.nan
    with xp.config(fallback="allow"):
        with pytest.raises(ValueError, match="infs or NaNs"):
            ours.vq(on(bad), on(GUESS))
        with pytest.warns(RuntimeWarning, match="standard deviation zero"):
            ours.whiten(on(np.ones((4, 2))))


@pytest.mark.parametrize("minit", ["matrix", "points", "++"])
def test_kmeans2(minit):
    """Ten turns end at the same clusters; draws are those of SciPy's generator, which is left where SciPy leaves it."""
    x, start = POINTS.astype(np.float32), GUESS[:3] if minit == "matrix" else 3
    generators = np.random.default_rng(5), np.random.default_rng(5)
    options = [{} if minit == "matrix" else {DRAWS: generator} for generator in generators]
    with xp.config(fallback="error"):
        codes, index = ours.kmeans2(on(x), on(start) if minit == "matrix" else start, minit=minit, **options[0])
    expected = theirs.kmeans2(x.astype(float), start, minit=minit, **options[1])
    np.testing.assert_allclose(fetched(codes), expected[0], rtol=0, atol=64 * U[np.float32] * 8)
    np.testing.assert_array_equal(fetched(index), expected[1])
    assert index.dtype == np.int32
    assert generators[0].random() == generators[1].random()


def test_centroids_without_rows_are_scipys():
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError):
        ours.kmeans2(on(POINTS), on(GUESS), minit="matrix")
