"""Series in orthogonal polynomials on Neuron devices, beside NumPy's in float64."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
FAMILIES = {"chebyshev": "cheb", "hermite": "herm", "hermite_e": "herme", "laguerre": "lag", "legendre": "leg", "polynomial": "poly"}
X, Y = np.linspace(-0.5, 0.75, 6), np.linspace(-1, 0.9, 6)
C = np.asarray([[1.0, 2.0, 0.5, -1.0], [0.25, -1.0, 3.0, 0.5], [0.5, 0.0, 1.0, 2.0]])
CALLS = {
    "val": (X, C[0]), "val2d": (X, Y, C), "grid2d": (X, Y[:4], C), "vander": (X, 4), "vander2d": (X, Y, [1, 2]), "weight": (X,),
    "fit": (X, Y**2, 2),
}  # fmt: skip


def there(item):
    return xp.asarray(item, device=DEVICE) if isinstance(item, np.ndarray) else item


def check(got, want, roundoffs):
    """Sums of at most five terms, of which the largest is some times the result: fits solve systems of condition below 100, too."""
    for one, other in zip(got if isinstance(got, tuple) else (got,), want if isinstance(want, tuple) else (want,), strict=True):
        one = np.asarray(one.to_device("cpu"))
        assert one.shape == other.shape
        unit = 2.0 ** (-24 if one.dtype == np.float32 else -53)
        assert np.abs(one - other).max(initial=0.0) <= roundoffs * unit * np.abs(other).max(initial=1.0)


@pytest.mark.parametrize(("name", "dtype"), [*((name, "float32") for name in FAMILIES), ("legendre", "float64")])
def test_series_on_devices(name, dtype):
    ours, theirs = getattr(xp.polynomial, name), getattr(np.polynomial, name)
    with xp.config(fallback="error"):
        for kind, arguments in CALLS.items():
            if dtype == "float64" and kind not in {"val", "vander"}:  # the others are made of these
                continue
            function = FAMILIES[name] + kind
            if hasattr(theirs, function):
                given = [item.astype(dtype) if isinstance(item, np.ndarray) else item for item in arguments]
                got = getattr(ours, function)(*map(there, given))
                assert all(one.dtype == dtype for one in (got if isinstance(got, tuple) else (got,)))
                exact = [item.astype(float) if isinstance(item, np.ndarray) else item for item in given]
                check(got, getattr(theirs, function)(*exact), 400)


def test_lists_and_numbers_are_coefficients():
    x = there(X.astype(np.float32))
    with xp.config(fallback="error"):
        check(xp.polynomial.legendre.legval(x, [1, 2, 3]), np.polynomial.legendre.legval(X.astype(np.float32), [1, 2, 3]), 40)
        check(xp.polynomial.hermite.hermval(x, 2), np.full(6, 2.0), 0)
        check(xp.polynomial.chebyshev.chebval(x, there(C)), np.polynomial.chebyshev.chebval(X.astype(np.float32), C), 40)
        check(xp.polynomial.chebyshev.chebval(x[:4], there(C), tensor=False), np.polynomial.chebyshev.chebval(X[:4], C, tensor=False), 40)


def test_objects_compute_where_data_are():
    x = there(X.astype(np.float32))
    with xp.config(fallback="error"):
        fitted = xp.polynomial.Chebyshev.fit(x, xp.sin(x), 3)
        assert fitted(x).dtype == np.float32
        check(fitted(x), np.polynomial.Chebyshev.fit(X, np.sin(X), 3)(X), 400)
        check(fitted.deriv()(x), np.polynomial.Chebyshev.fit(X, np.sin(X), 3).deriv()(X), 400)
        with pytest.raises(xp.FallbackError, match=r"Chebyshev\.fit"):
            xp.polynomial.Chebyshev.fit(x, x, 2, full=True)
        with pytest.warns(np.exceptions.RankWarning):
            xp.polynomial.Polynomial.fit(x[:2], x[:2], 3)


def test_nodes_are_constants():
    with xp.config(fallback="error", default_device=DEVICE):
        nodes, weights = xp.polynomial.legendre.leggauss(5)
        assert nodes.device == weights.device == xp.asarray(0).device
        assert nodes.dtype == np.float32
        check((nodes, weights), np.polynomial.legendre.leggauss(5), 1)
        assert xp.polynomial.polynomial.polyline(1, 2).tolist() == [1, 2]
    assert xp.polynomial.legendre.leggauss(5)[0].dtype == np.float64
