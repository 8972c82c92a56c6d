"""Ops of random draws, which take the generator of the host as their first operand.

An engine may draw from other streams: its implementation has the bit generator of that generator to derive them from. On
the host NumPy reads parameters of every dtype as float64; those that it hands on to linear algebra are widened before. The
Ops that take a ``dtype`` do so themselves, which to the registry is a VIEW. ``legacy.`` are methods that only RandomState has.
"""

from __future__ import annotations

from ..host.random import choice as choice_on_host
from ..host.random import draw_by, draw_in_dtype, round_down
from ..op import COMPUTE, MOVE, VIEW, Op

# Numbers of a dtype
random = Op("random.random", draw_in_dtype("random", round_down), VIEW)
standard_normal = Op("random.standard_normal", draw_in_dtype("standard_normal"), VIEW)
standard_exponential = Op("random.standard_exponential", draw_in_dtype("standard_exponential"), VIEW)
standard_gamma = Op("random.standard_gamma", draw_in_dtype("standard_gamma"), VIEW)

# Numbers on the real line
gumbel = Op("random.gumbel", draw_by("gumbel"), VIEW)
laplace = Op("random.laplace", draw_by("laplace"), VIEW)
logistic = Op("random.logistic", draw_by("logistic"), VIEW)
normal = Op("random.normal", draw_by("normal"), VIEW)
standard_cauchy = Op("random.standard_cauchy", draw_by("standard_cauchy"), VIEW)
standard_t = Op("random.standard_t", draw_by("standard_t"), VIEW)
triangular = Op("random.triangular", draw_by("triangular"), VIEW)
uniform = Op("random.uniform", draw_by("uniform"), VIEW)
vonmises = Op("random.vonmises", draw_by("vonmises"), VIEW)

# Positive numbers
beta = Op("random.beta", draw_by("beta"), VIEW)
chisquare = Op("random.chisquare", draw_by("chisquare"), VIEW)
exponential = Op("random.exponential", draw_by("exponential"), VIEW)
f = Op("random.f", draw_by("f"), VIEW)
gamma = Op("random.gamma", draw_by("gamma"), VIEW)
lognormal = Op("random.lognormal", draw_by("lognormal"), VIEW)
noncentral_chisquare = Op("random.noncentral_chisquare", draw_by("noncentral_chisquare"), VIEW)
noncentral_f = Op("random.noncentral_f", draw_by("noncentral_f"), VIEW)
pareto = Op("random.pareto", draw_by("pareto"), VIEW)
power = Op("random.power", draw_by("power"), VIEW)
rayleigh = Op("random.rayleigh", draw_by("rayleigh"), VIEW)
wald = Op("random.wald", draw_by("wald"), VIEW)
weibull = Op("random.weibull", draw_by("weibull"), VIEW)

# Counts
binomial = Op("random.binomial", draw_by("binomial"), VIEW)
geometric = Op("random.geometric", draw_by("geometric"), VIEW)
hypergeometric = Op("random.hypergeometric", draw_by("hypergeometric"), VIEW)
logseries = Op("random.logseries", draw_by("logseries"), VIEW)
negative_binomial = Op("random.negative_binomial", draw_by("negative_binomial"), VIEW)
poisson = Op("random.poisson", draw_by("poisson"), VIEW)
zipf = Op("random.zipf", draw_by("zipf"), VIEW)

# Integers
integers = Op("random.integers", draw_by("integers"), VIEW)
randint = Op("random.legacy.randint", draw_by("randint"), VIEW)
random_integers = Op("random.legacy.random_integers", draw_by("random_integers"), VIEW)
tomaxint = Op("random.legacy.tomaxint", draw_by("tomaxint"), VIEW)

# Vectors
dirichlet = Op("random.dirichlet", draw_by("dirichlet"), COMPUTE)
multinomial = Op("random.multinomial", draw_by("multinomial"), COMPUTE)
multivariate_hypergeometric = Op("random.multivariate_hypergeometric", draw_by("multivariate_hypergeometric"), COMPUTE)
multivariate_normal = Op("random.multivariate_normal", draw_by("multivariate_normal"), COMPUTE)

# Elements of arrays
choice = Op("random.choice", choice_on_host, MOVE)
permutation = Op("random.permutation", draw_by("permutation"), MOVE)
permuted = Op("random.permuted", draw_by("permuted"), MOVE)
shuffle = Op("random.shuffle", draw_by("shuffle"), MOVE, writes=(1,))
