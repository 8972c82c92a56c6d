"""Rules of random draws against NumPy."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.op import all_ops
from trnarray.backends.ops import random as _random  # noqa: F401  # registers the ops

from . import agreement
from .agreement import disagreements, waits

P, Q, N = np.asarray([0.25, 0.5, 0.25]), np.asarray([2.0, 3.0, 4.0]), np.asarray([5, 6, 7])
SIZES = (None, (2, 3), (3,), (4,), ())
TABLE, SQUARE, THREE = np.arange(12.0).reshape(4, 3), np.eye(3), np.stack([P, P, P])

NUMBERS = {
    **dict.fromkeys(("standard_t", "chisquare", "exponential", "pareto", "power", "rayleigh", "weibull"), (Q,)),
    **dict.fromkeys(("gumbel", "laplace", "logistic", "normal", "vonmises", "beta", "f", "gamma", "lognormal", "wald"), (Q, P)),
    **dict.fromkeys(("noncentral_chisquare", "negative_binomial"), (Q, P)),
    **dict.fromkeys(("geometric", "logseries", "poisson"), (P,)),
    "binomial": (N, P),
    "hypergeometric": (N, N, 4),
    "noncentral_f": (Q, Q, P),
    "standard_cauchy": (),
    "triangular": (P, Q, Q + 1),
    "uniform": (P, Q),
    "zipf": (Q,),
}
ARRAYS = [
    *[("dirichlet", (alpha,), {"size": size}) for alpha in (Q, TABLE) for size in (None, (2,), ())],
    *[("multinomial", (n, p), {"size": size}) for n, p in ((5, P), (N, P), (N, THREE), (5, TABLE)) for size in (None, (2, 3), (4,))],
    *[("multivariate_hypergeometric", (N, n), {"size": size}) for n in (4, 4.5) for size in (None, (2,))],
    *[("multivariate_normal", (Q, cov), {"size": size}) for cov in (SQUARE, TABLE) for size in (None, (2,))],
    ("multivariate_normal", (Q, SQUARE), {"method": "no method"}),
    *[("choice", (a,), {"size": size, "axis": axis}) for a in (7, Q, TABLE, [1, 2, 3]) for size in (None, (2, 3)) for axis in (0, -1, 4)],
    *[("choice", (Q, p), {"size": (2,), "replace": replace}) for p in (P, TABLE[0] * 0 + 1 / 3, P[:2]) for replace in (True, False)],
    ("choice", (Q,), {"size": (4,), "replace": False}),
    *[("permutation", (x,), {"axis": axis}) for x in (7, Q, TABLE, [1, 2, 3]) for axis in (0, 1)],
    *[("permuted", (TABLE,), {"axis": axis}) for axis in (None, 1, 4)],
    *[("integers", ends, {"size": size, "dtype": dtype})
      for ends in ((5,), (0, N), (N, N + 9)) for size in SIZES for dtype in (None, np.dtype("i"), np.dtype("?"), np.dtype("f"))],
]  # fmt: skip


@pytest.fixture(autouse=True)
def warned():
    with xp.config(fallback="allow"):
        yield


def found(name, parameters, kwargs, generator, dtypes=agreement.FLOATS):
    real = [dtype for dtype in dtypes if dtype.kind != "c" or not parameters]
    given = {key: value for key, value in kwargs.items() if value is not None}
    return disagreements(f"random.{name}", (generator, *parameters), given, real)


@pytest.mark.parametrize("generator", [np.random.default_rng(0), np.random.RandomState(0)], ids=["Generator", "RandomState"])
def test_numbers(generator):
    for name, parameters in NUMBERS.items():
        assert [line for size in SIZES for line in found(name, parameters, {"size": size}, generator, [np.dtype("f"), np.dtype("d")])] == []
        assert waits(f"random.{name}", (generator, *parameters), {"size": (2, 3)})
    first = NUMBERS["normal"][0]
    assert found("normal", (first.reshape(3, 1), first), {}, generator, agreement.DTYPES) == []
    assert found("normal", (first, np.ones(2)), {}, generator) == []


def test_numbers_of_a_dtype():
    generator = np.random.default_rng(0)
    for name, parameters in (("random", ()), ("standard_normal", ()), ("standard_exponential", ()), ("standard_gamma", (Q,))):
        for kwargs in ({}, {"size": (2, 3)}, *({"size": (3,), "dtype": dtype} for dtype in [*agreement.DTYPES, np.dtype("d")])):
            assert found(name, parameters, kwargs, generator, [np.dtype("f")]) == []


def test_arrays_and_elements():
    generator = np.random.default_rng(0)
    assert [line for name, args, kwargs in ARRAYS for line in found(name, args, kwargs, generator, [np.dtype("f"), np.dtype("d")])] == []
    legacy = [(name, args, kwargs) for name, args, kwargs in ARRAYS if name in ("multinomial", "dirichlet", "multivariate_normal")]
    legacy = [(name, args, {k: v for k, v in kwargs.items() if k != "method"}) for name, args, kwargs in legacy]
    assert [line for call in legacy for line in found(*call, np.random.RandomState(0), [np.dtype("f")])] == []


def test_every_draw_has_a_rule():
    assert [op.name for op in all_ops() if op.name.startswith("random.") and op.rule is None] == []


@pytest.mark.parametrize("defaults", ["native", "numpy"])
def test_draws_that_wait_are_those_of_numpy(defaults):
    with xp.config(defaults=defaults):
        rng, theirs = xp.random.default_rng(3), np.random.default_rng(3)
        x = xp.asarray(Q, dtype="float32", device="sim:trn2") * 1
        drawn = [rng.gamma(x), rng.poisson(x), rng.choice(x, 2), rng.multivariate_normal(x, xp.eye(3, device="sim:trn2"))]
        wanted = [theirs.gamma(Q), theirs.poisson(Q), theirs.choice(Q, 2), theirs.multivariate_normal(Q, SQUARE)]
        for got, value in zip(reversed(drawn), reversed(wanted), strict=True):
            np.testing.assert_allclose(got.to_device("cpu"), value, rtol=2**-23)  # rounded once


def test_parameters_are_refused_at_the_call():
    rng, x = xp.random.default_rng(0), xp.asarray(Q, dtype="float32", device="sim:trn2")
    for call in (lambda: rng.normal(x, size=4), lambda: rng.choice(x, 9, replace=False), lambda: rng.dirichlet(x.reshape(1, 3))):
        with pytest.raises(ValueError, match="."):
            call()
