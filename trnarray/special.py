"""Special functions under scipy.special's names and signatures; `trnarray.scipy.special` is this module.

They are the functions of scipy.special that take arrays of other libraries, and scipy.special itself calls them for Arrays
when SCIPY_ARRAY_API is set. float32 results come from float32 operands; float16, bfloat16 and float8 are computed in
float32 and rounded once; integers give the default floating dtype.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._apply import apply, apply_for_tuple
from ._array import Array
from ._scipy_compositions.universal_functions import special_ufunc
from ._special_examples import EXAMPLES
from ._typing import ArrayLike, Axes
from .backends.ops import special as ops
from .backends.ops.ufuncs import ufunc_op
from .mathematical_functions import sinc
from .ufunc import ufunc

__all__ = [
    "bdtr",
    "bdtrc",
    "bdtri",
    "betainc",
    "betaincc",
    "betaincinv",
    "betaln",
    "binom",
    "boxcox",
    "boxcox1p",
    "cbrt",
    "chdtr",
    "chdtrc",
    "chdtri",
    "cosdg",
    "cosm1",
    "cotdg",
    "digamma",
    "ellipk",
    "ellipkm1",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "exp1",
    "exp2",
    "exp10",
    "expi",
    "expit",
    "expn",
    "exprel",
    "fdtr",
    "fdtrc",
    "fdtri",
    "gamma",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "gammasgn",
    "gdtr",
    "gdtrc",
    "huber",
    "hyp1f1",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "inv_boxcox",
    "inv_boxcox1p",
    "j0",
    "j1",
    "k0",
    "k0e",
    "k1",
    "k1e",
    "kl_div",
    "log_ndtr",
    "log_softmax",
    "loggamma",
    "logit",
    "logsumexp",
    "lpmv",
    "multigammaln",
    "nbdtr",
    "nbdtrc",
    "nbdtri",
    "ndtr",
    "ndtri",
    "pdtr",
    "pdtrc",
    "pdtri",
    "poch",
    "polygamma",
    "pseudo_huber",
    "psi",
    "radian",
    "rel_entr",
    "rgamma",
    "sinc",
    "sindg",
    "softmax",
    "spence",
    "stdtr",
    "stdtrit",
    "tandg",
    "xlog1py",
    "xlogy",
    "y0",
    "y1",
    "yn",
    "zeta",
    "zetac",
]


def _function(name: str, summary: str) -> ufunc:
    model = ops.scipy_ufunc(name)
    return special_ufunc(ufunc_op(model), model, name, summary, namespace="xp.special", examples=EXAMPLES)


# Gamma and related functions
gamma = _function("gamma", "Gamma function.")
gammaln = _function("gammaln", "Logarithm of the absolute value of the gamma function.")
loggamma = _function("loggamma", "Principal branch of the logarithm of the gamma function.")
gammasgn = _function("gammasgn", "Sign of the gamma function.")
rgamma = _function("rgamma", "Reciprocal of the gamma function.")
gammainc = _function("gammainc", "Regularized lower incomplete gamma function, gammainc(a, x).")
gammaincc = _function("gammaincc", "Regularized upper incomplete gamma function, gammaincc(a, x).")
gammaincinv = _function("gammaincinv", "Inverse of the lower incomplete gamma function, gammaincinv(a, y).")
gammainccinv = _function("gammainccinv", "Inverse of the upper incomplete gamma function, gammainccinv(a, y).")
betaln = _function("betaln", "Logarithm of the absolute value of the beta function, betaln(a, b).")
betainc = _function("betainc", "Regularized incomplete beta function, betainc(a, b, x).")
betaincc = _function("betaincc", "Complement of the regularized incomplete beta function, betaincc(a, b, x).")
betaincinv = _function("betaincinv", "Inverse of the regularized incomplete beta function, betaincinv(a, b, y).")
psi = _function("psi", "Digamma function, the derivative of the logarithm of the gamma function.")
digamma = psi
poch = _function("poch", "Rising factorial, poch(z, m) = Γ(z + m) / Γ(z).")
binom = _function("binom", "Binomial coefficient for real numbers, binom(n, k).")

# Error functions and the normal distribution
erf = _function("erf", "Error function.")
erfc = _function("erfc", "Complementary error function, 1 - erf(x).")
erfcx = _function("erfcx", "Scaled complementary error function, exp(x²) erfc(x).")
erfinv = _function("erfinv", "Inverse of the error function.")
ndtr = _function("ndtr", "Cumulative distribution function of the standard normal distribution.")
log_ndtr = _function("log_ndtr", "Logarithm of the cumulative distribution function of the standard normal distribution.")
ndtri = _function("ndtri", "Quantiles of the standard normal distribution, the inverse of ndtr.")

# Exponentials, logarithms and entropies
exp2 = _function("exp2", "Power of 2.")
exp10 = _function("exp10", "Power of 10.")
exprel = _function("exprel", "Relative error exponential, (exp(x) - 1) / x.")
expit = _function("expit", "Logistic function, 1 / (1 + exp(-x)).")
logit = _function("logit", "Logarithm of the odds, log(p / (1 - p)).")
xlogy = _function("xlogy", "Product x log(y), 0 where x is 0.")
xlog1py = _function("xlog1py", "Product x log(1 + y), 0 where x is 0.")
entr = _function("entr", "Elementwise entropy, -x log(x).")
rel_entr = _function("rel_entr", "Elementwise relative entropy, x log(x / y).")
kl_div = _function("kl_div", "Elementwise Kullback-Leibler divergence, x log(x / y) - x + y.")
huber = _function("huber", "Huber loss, huber(delta, r).")
pseudo_huber = _function("pseudo_huber", "Pseudo-Huber loss, pseudo_huber(delta, r).")
boxcox = _function("boxcox", "Box-Cox transformation, (x^lmbda - 1) / lmbda or log(x), boxcox(x, lmbda).")
boxcox1p = _function("boxcox1p", "Box-Cox transformation of 1 + x, boxcox1p(x, lmbda).")
inv_boxcox = _function("inv_boxcox", "Inverse of the Box-Cox transformation, inv_boxcox(y, lmbda).")
inv_boxcox1p = _function("inv_boxcox1p", "Inverse of boxcox1p, inv_boxcox1p(y, lmbda).")

# Exponential integrals, zeta functions and Spence's
exp1 = _function("exp1", "Exponential integral E1.")
expi = _function("expi", "Exponential integral Ei.")
expn = _function("expn", "Exponential integral of integer order, expn(n, x).")
spence = _function("spence", "Spence's function, the dilogarithm of 1 - z.")
zetac = _function("zetac", "Riemann zeta function minus 1.")

# Bessel functions
j0 = _function("j0", "Bessel function of the first kind of order 0.")
j1 = _function("j1", "Bessel function of the first kind of order 1.")
y0 = _function("y0", "Bessel function of the second kind of order 0.")
y1 = _function("y1", "Bessel function of the second kind of order 1.")
yn = _function("yn", "Bessel function of the second kind of integer order, yn(n, x).")
i0 = _function("i0", "Modified Bessel function of the first kind of order 0.")
i0e = _function("i0e", "Exponentially scaled modified Bessel function of the first kind of order 0, exp(-abs(x)) i0(x).")
i1 = _function("i1", "Modified Bessel function of the first kind of order 1.")
i1e = _function("i1e", "Exponentially scaled modified Bessel function of the first kind of order 1, exp(-abs(x)) i1(x).")
k0 = _function("k0", "Modified Bessel function of the second kind of order 0.")
k0e = _function("k0e", "Exponentially scaled modified Bessel function of the second kind of order 0, exp(x) k0(x).")
k1 = _function("k1", "Modified Bessel function of the second kind of order 1.")
k1e = _function("k1e", "Exponentially scaled modified Bessel function of the second kind of order 1, exp(x) k1(x).")

# Elliptic, hypergeometric and Legendre functions
ellipk = _function("ellipk", "Complete elliptic integral of the first kind, of the parameter m.")
ellipkm1 = _function("ellipkm1", "Complete elliptic integral of the first kind around m = 1, ellipkm1(p) = ellipk(1 - p).")
hyp1f1 = _function("hyp1f1", "Confluent hypergeometric function, hyp1f1(a, b, x).")
lpmv = _function("lpmv", "Associated Legendre function of integer order and real degree, lpmv(m, v, x).")

# Distributions
bdtr = _function("bdtr", "Sum of the terms 0 to k of the binomial distribution, bdtr(k, n, p).")
bdtrc = _function("bdtrc", "Sum of the terms from k + 1 of the binomial distribution, bdtrc(k, n, p).")
bdtri = _function("bdtri", "Inverse of bdtr in the probability, bdtri(k, n, y): the p of bdtr(k, n, p) = y.")
chdtr = _function("chdtr", "Cumulative distribution function of the chi-square distribution, chdtr(v, x).")
chdtrc = _function("chdtrc", "Survival function of the chi-square distribution, chdtrc(v, x).")
chdtri = _function("chdtri", "Inverse of chdtrc in x, chdtri(v, p).")
fdtr = _function("fdtr", "Cumulative distribution function of the F distribution, fdtr(dfn, dfd, x).")
fdtrc = _function("fdtrc", "Survival function of the F distribution, fdtrc(dfn, dfd, x).")
fdtri = _function("fdtri", "Quantiles of the F distribution, fdtri(dfn, dfd, p): the x of fdtr(dfn, dfd, x) = p.")
gdtr = _function("gdtr", "Cumulative distribution function of the gamma distribution of rate a and shape b, gdtr(a, b, x).")
gdtrc = _function("gdtrc", "Survival function of the gamma distribution of rate a and shape b, gdtrc(a, b, x).")
nbdtr = _function("nbdtr", "Cumulative distribution function of the negative binomial distribution, nbdtr(k, n, p).")
nbdtrc = _function("nbdtrc", "Survival function of the negative binomial distribution, nbdtrc(k, n, p).")
nbdtri = _function("nbdtri", "Inverse of nbdtr in the probability, nbdtri(k, n, y): the p of nbdtr(k, n, p) = y.")
pdtr = _function("pdtr", "Cumulative distribution function of the Poisson distribution, pdtr(k, m).")
pdtrc = _function("pdtrc", "Survival function of the Poisson distribution, pdtrc(k, m).")
pdtri = _function("pdtri", "Inverse of pdtr in the mean, pdtri(k, y): the m of pdtr(k, m) = y.")
stdtr = _function("stdtr", "Cumulative distribution function of Student's t distribution, stdtr(df, t).")
stdtrit = _function("stdtrit", "Quantiles of Student's t distribution, stdtrit(df, p).")

# Angles and convenience
cosdg = _function("cosdg", "Cosine of an angle in degrees.")
sindg = _function("sindg", "Sine of an angle in degrees.")
tandg = _function("tandg", "Tangent of an angle in degrees.")
cotdg = _function("cotdg", "Cotangent of an angle in degrees.")
radian = _function("radian", "Angle of degrees, minutes and seconds in radians, radian(d, m, s).")
cosm1 = _function("cosm1", "Cosine minus 1, accurate where x is small.")
cbrt = _function("cbrt", "Cube root.")


def polygamma(n: ArrayLike, x: ArrayLike) -> Array:
    """Compute the polygamma functions, derivatives of the digamma function. See `scipy.special.polygamma`."""
    return apply(ops.polygamma, n, x)


def multigammaln(a: ArrayLike, d: int) -> Array:
    """Compute the logarithm of the multivariate gamma function. See `scipy.special.multigammaln`."""
    return apply(ops.multigammaln, a, d)


def zeta(x: ArrayLike, q: ArrayLike | None = None, out: Array | None = None) -> Array:
    """Compute the Riemann zeta function, or with `q` the Hurwitz zeta function. See `scipy.special.zeta`."""
    return apply(ops.zeta, x, q) if out is None else apply(ops.zeta, x, q, out=out)


def logsumexp(
    a: ArrayLike, axis: Axes = None, b: ArrayLike | None = None, keepdims: bool = False, return_sign: bool = False
) -> Array | tuple[Array, ...]:
    """Compute the logarithm of the sum of exponentials, without overflow. See `scipy.special.logsumexp`."""
    if return_sign:
        return apply_for_tuple(ops.logsumexp, a, axis, b, keepdims, return_sign)
    return apply(ops.logsumexp, a, axis, b, keepdims)


def softmax(x: ArrayLike, axis: Axes = None) -> Array:
    """Compute exponentials divided by their sum. See `scipy.special.softmax`."""
    return apply(ops.softmax, x, axis)


def log_softmax(x: ArrayLike, axis: Axes = None) -> Array:
    """Compute the logarithm of `softmax`, accurate where softmax is small. See `scipy.special.log_softmax`."""
    return apply(ops.log_softmax, x, axis)


if TYPE_CHECKING:
    from ._passthrough.stubs.special import *
else:
    from ._passthrough.modules import passed_through

    __getattr__, __dir__ = passed_through(__name__, "scipy.special")
