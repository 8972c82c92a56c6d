"""Functions that round the exact result but for a stated error, over all exponents and special values, and their coefficients."""

import ml_dtypes
import numpy as np
import pytest
import scipy.special

from trnarray.backends.neuron.kernels.elementwise import EMITTERS, incomplete_beta
from trnarray.conformance.suites.ulp import distance, least, reference

from .coefficients import FITS, beta_terms, derive, errors
from .elementwise_harness import FLUSHED, FUSED, adversarial, apply, related

NAMES = [name for name, emitter in EMITTERS.items() if 0 < emitter.error < np.inf]
SUMS = ("logaddexp", "logaddexp2")
BETAS = ("special.beta", "special.betaln")
"""Of which the sum of operands is a part."""
PRODUCTS = ("special.xlogy", "special.xlog1py", "special.entr", "special.rel_entr", "special.gammaincc", "special.chdtrc", *BETAS,
    "special.betainc", "special.betaincc", "special.gdtrc")  # fmt: skip
"""Where subnormal numbers are flushed, terms of sums and operands of products count as zeros."""
SCALED = ("special.gdtr", "special.gdtrc")
"""Whose last operand is about the quotient of the others."""
WHOLE = ("special.zeta", "special.polygamma")
"""Whose first operand has to be an integer, that of zeta where the second one is negative."""
TINY = float(np.finfo(np.float32).tiny)
EDGES = [88.72, 88.73, 89, -87.3, -103.9, -103.98, -104, 127.99, 128, -126, -149, -149.5, -150, -151, 0.5, 1, 2, 10, 1000, 3215.9, 3216]
WIDTHS = {
    "special.zeta": 20, "special.polygamma": 20, "special.riemann_zeta": 70, "special.stdtr": 20, "special.pdtr": 60, "special.pdtrc": 60,
    "special.erf": 5, "special.erfc": 11, "special.ndtr": 15, "special.log_ndtr": 15, "special.expit": 105,
    "special.gamma": 50, "special.rgamma": 50, "special.psi": 20, "special.i0": 95, "special.i1": 95, "special.k0": 107,
    "special.k1": 107, "special.exp1": 107, "special.expi": 107,
    **{f"special.{name}": 4000 for name in ("j0", "j1", "y0", "y1")},
    "exp": 110, "exp2": 155, "expm1": 110, "sinh": 91, "cosh": 91, "sin": 4000, "cos": 4000, "tan": 4000, "tanh": 12,
}  # fmt: skip
"""Where results are neither constant nor infinite, of functions for which that is a small part of all numbers."""


def values(name, rng, size):
    """Bits of all kinds, the range in which results are finite, the neighbourhood of 0, of 1 and of -1."""
    width = WIDTHS.get(name)
    signs = rng.choice([-1, 1], size)
    finite = signs * np.exp2(rng.uniform(-149, 128, size)) if width is None else rng.uniform(-width, width, size)
    near = rng.uniform(-1, 1, size) ** 9
    wide = np.concatenate([finite, near, rng.uniform(-5, 5, size), signs * (1 + near / 2), EDGES]).astype(np.float32)
    found = np.concatenate([adversarial("float32", rng, size), wide])
    return np.resize(found, (128, -(-found.size // 128)))


def operands(name, seed, size):
    rng = np.random.default_rng(seed)
    first = values(name, rng, size)
    if EMITTERS[name].arity == 1:
        return (first,)
    if name in WHOLE:
        first[:, ::2] = np.rint(first[:, ::2], where=np.isfinite(first[:, ::2]), out=first[:, ::2])
    second = values(name, rng, size)
    with np.errstate(all="ignore"):
        close = (first * np.exp2(rng.integers(-3, 4, first.shape)) * rng.uniform(-1, 1, first.shape)).astype(np.float32)
    second = np.where(rng.random(first.shape) < 0.3, close, second)
    second = np.where(rng.random(first.shape) < 0.3, related(first.ravel(), rng, "float32").reshape(first.shape), second)
    if EMITTERS[name].arity == 2:
        return first, second
    shapes = [np.where(rng.random(first.shape) < 0.7, np.abs(operand), operand) for operand in (first, second)]
    with np.errstate(all="ignore"):
        mean = shapes[1] / shapes[0] if name in SCALED else shapes[0] / (shapes[0] + shapes[1])
        width = np.exp2(-rng.integers(0, 30, first.shape))
        near = (mean * (1 + width * rng.uniform(-0.5, 0.5, first.shape))).astype(np.float32)
    third = np.where(rng.random(first.shape) < 0.5, near, rng.uniform(0, 1, first.shape).astype(np.float32))
    return *shapes, np.where(rng.random(first.shape) < 0.1, first, third)


@pytest.mark.parametrize("name", NAMES)
def test_within_the_stated_units(name):
    x = operands(name, len(name), 3000)
    exact = reference(name, *x)
    for target, knobs in (("trn1", FUSED), ("trn3", None)):
        found = apply(EMITTERS[name].loops["float32"], *x, target=target, knobs=knobs)
        assert distance(found, exact, least(name, *x)).max() <= EMITTERS[name].error


@pytest.mark.parametrize("name", NAMES)
def test_flushing_makes_subnormal_results_zero(name):
    x = operands(name, 3, 3000)
    if name in PRODUCTS:
        x = tuple(np.where(np.abs(operand) < TINY, np.copysign(np.float32(0), operand), operand) for operand in x)
    if name in BETAS:
        with np.errstate(all="ignore"):
            x = x[0], np.where(np.abs(np.add(*x)) < TINY, x[0], x[1])
    exact, found = reference(name, *x), apply(EMITTERS[name].loops["float32"], *x, knobs=FLUSHED)
    zero = (found == 0) & (np.abs(exact) < TINY) & (np.signbit(found) == np.signbit(exact))
    error = distance(found, exact, np.maximum(least(name, *x), np.float32(TINY * 2**25 if name in SUMS else 0)))
    assert error[~zero].max() <= EMITTERS[name].error


ONE = [name for name in NAMES if EMITTERS[name].arity == 1]


@pytest.mark.parametrize(("name", "dtype"), [(name, "bfloat16") for name in ONE] + [("exp", "float16"), ("sin", "float8_e5m2")])
def test_low_precision_rounds_once(name, dtype):
    """Every number: within half a unit of the dtype, and what the float32 result's error can add to that."""
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    x = np.arange(2 ** (8 * kind.itemsize), dtype=f"u{kind.itemsize}").view(kind)
    x = x.reshape(min(128, x.size), -1)
    exact = reference(name, x.astype(np.float32))
    with np.errstate(all="ignore"):
        right = exact.astype(np.float32).astype(kind).astype(np.float32)
    found = apply(EMITTERS[name].loops[dtype], x).astype(np.float32)
    same = (found == right) | (np.isnan(found) & np.isnan(right))
    with np.errstate(all="ignore"):
        size = np.maximum(np.abs(exact), least(name, x.astype(np.float32)))
        near = np.abs(found - exact) <= np.abs(right - exact) + 2.0**-21 * size  # a tie that either rounds to
    assert np.all(same | near)


@pytest.mark.parametrize("name", [name for name in NAMES if EMITTERS[name].arity == 2])
def test_scalars_of_two(name):
    first, second = (operand[:12, :200].copy() for operand in operands(name, 5, 3000))
    loop = EMITTERS[name].loops["float32"]
    for pair in ((first, second[:, :1].copy()), (first[:, :1].copy(), second)):
        wide = np.broadcast_arrays(*pair)
        assert distance(apply(loop, *pair), reference(name, *wide), least(name, *wide)).max() <= EMITTERS[name].error


def test_beta_is_zero_where_its_divisor_has_a_pole():
    """And where an operand is infinite: zeros to the bit, since subnormal numbers pass for zero elsewhere."""
    a, b = np.float32([[0.5, -2.5, 1.25, np.inf, 3.0], [-1.5, 0.5, -4.25, 2.0, np.inf]])[..., None]
    found = apply(EMITTERS["special.beta"].loops["float32"], a, b)
    np.testing.assert_array_equal(found.view(np.uint32) << 1, 0)
    np.testing.assert_array_equal(scipy.special.beta(a.astype(np.float64), b), 0)


def test_polygamma_and_zeta_where_both_sides_of_zero_cancel():
    """About negative halves the difference may be finite where the terms are not, and 1 - q has more bits than float32."""
    orders = np.float32([26, 28, 30, 32])
    at = np.float32([-0.4999913, -0.5, -1.4999999, -1.5, -1.5129084587097168, -2.5])
    about = (at.view(np.int32) + np.arange(-2, 3, dtype=np.int32)[:, None]).view(np.float32).ravel()
    first, second = (operand.ravel()[:, None] for operand in np.meshgrid(orders, about))
    for name, x in (("special.polygamma", (first, second)), ("special.zeta", (first + np.float32(109), second))):
        found, exact = apply(EMITTERS[name].loops["float32"], *x), reference(name, *x)
        assert np.isfinite(found).any()
        assert distance(found, exact, least(name, *x)).max() <= EMITTERS[name].error


@pytest.mark.parametrize("name", FITS)
def test_coefficients(name):
    fit = FITS[name]
    ours = errors(fit, fit.kept).max()
    assert ours < fit.error  # of what is added to the leading terms
    assert ours < max(2 * errors(fit, derive(fit)).max(), fit.error / 8)  # coefficients of few digits are good enough


@pytest.mark.parametrize("skew", [-1.5, 0.0, 0.75])
def test_terms_around_the_normal_distribution(skew):
    for rows, wanted in zip((incomplete_beta.FIRST_TERM, incomplete_beta.SECOND_TERM), beta_terms(skew), strict=True):
        found = [skew ** (place % 2 == 0) * np.polyval(row, skew**2) for place, row in enumerate(rows)]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2.0**-44)  # the series recur eight times, with terms up to 10 that cancel
