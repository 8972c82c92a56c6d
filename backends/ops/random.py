"""Ops of random draws, which take the generator of the host as their first operand.

An engine may draw from other streams: its implementation has the bit generator of that generator to derive them from. On
the host NumPy reads parameters of every dtype as float64; those that it hands on to linear algebra are widened before. The
Ops that take a ``dtype`` do so themselves, which to the registry is a VIEW. ``legacy.`` are methods that only RandomState has.
"""

from __future__ import annotations

from ..host.random import choice as choice_on_host
from ..host.random import draw_by, draw_in_dtype, round_down
from ..op import COMPUTE, MOVE, VIEW, Op
from ..rules import random as rules

# Numbers of a dtype
random = Op("random.random", draw_in_dtype("random", round_down), VIEW, rule=rules.in_dtype)
standard_normal = Op("random.standard_normal", draw_in_dtype("standard_normal"), VIEW, rule=rules.in_dtype)
standard_exponential = Op("random.standard_exponential", draw_in_dtype("standard_exponential"), VIEW, rule=rules.in_dtype)
standard_gamma = Op("random.standard_gamma", draw_in_dtype("standard_gamma"), VIEW, rule=rules.in_dtype)

# Numbers on the real line
gumbel = Op("random.gumbel", draw_by("gumbel"), VIEW, rule=rules.numbers)
laplace = Op("random.laplace", draw_by("laplace"), VIEW, rule=rules.numbers)
logistic = Op("random.logistic", draw_by("logistic"), VIEW, rule=rules.numbers)
normal = Op("random.normal", draw_by("normal"), VIEW, rule=rules.numbers)
standard_cauchy = Op("random.standard_cauchy", draw_by("standard_cauchy"), VIEW, rule=rules.numbers)
standard_t = Op("random.standard_t", draw_by("standard_t"), VIEW, rule=rules.numbers)
triangular = Op("random.triangular", draw_by("triangular"), VIEW, rule=rules.numbers)
uniform = Op("random.uniform", draw_by("uniform"), VIEW, rule=rules.numbers)
vonmises = Op("random.vonmises", draw_by("vonmises"), VIEW, rule=rules.numbers)

# Positive numbers
beta = Op("random.beta", draw_by("beta"), VIEW, rule=rules.numbers)
chisquare = Op("random.chisquare", draw_by("chisquare"), VIEW, rule=rules.numbers)
exponential = Op("random.exponential", draw_by("exponential"), VIEW, rule=rules.numbers)
f = Op("random.f", draw_by("f"), VIEW, rule=rules.numbers)
gamma = Op("random.gamma", draw_by("gamma"), VIEW, rule=rules.numbers)
lognormal = Op("random.lognormal", draw_by("lognormal"), VIEW, rule=rules.numbers)
noncentral_chisquare = Op("random.noncentral_chisquare", draw_by("noncentral_chisquare"), VIEW, rule=rules.numbers)
noncentral_f = Op("random.noncentral_f", draw_by("noncentral_f"), VIEW, rule=rules.numbers)
pareto = Op("random.pareto", draw_by("pareto"), VIEW, rule=rules.numbers)
power = Op("random.power", draw_by("power"), VIEW, rule=rules.numbers)
rayleigh = Op("random.rayleigh", draw_by("rayleigh"), VIEW, rule=rules.numbers)
wald = Op("random.wald", draw_by("wald"), VIEW, rule=rules.numbers)
weibull = Op("random.weibull", draw_by("weibull"), VIEW, rule=rules.numbers)

# Counts
binomial = Op("random.binomial", draw_by("binomial"), VIEW, rule=rules.counts)
geometric = Op("random.geometric", draw_by("geometric"), VIEW, rule=rules.counts)
hypergeometric = Op("random.hypergeometric", draw_by("hypergeometric"), VIEW, rule=rules.counts)
logseries = Op("random.logseries", draw_by("logseries"), VIEW, rule=rules.counts)
negative_binomial = Op("random.negative_binomial", draw_by("negative_binomial"), VIEW, rule=rules.counts)
poisson = Op("random.poisson", draw_by("poisson"), VIEW, rule=rules.counts)
zipf = Op("random.zipf", draw_by("zipf"), VIEW, rule=rules.counts)

# Integers
integers = Op("random.integers", draw_by("integers"), VIEW, rule=rules.integers)
randint = Op("random.legacy.randint", draw_by("randint"), VIEW, rule=rules.integers)
random_integers = Op("random.legacy.random_integers", draw_by("random_integers"), VIEW, rule=rules.integers)
tomaxint = Op("random.legacy.tomaxint", draw_by("tomaxint"), VIEW, rule=rules.counts)

# Vectors
dirichlet = Op("random.dirichlet", draw_by("dirichlet"), COMPUTE, rule=rules.dirichlet)
multinomial = Op("random.multinomial", draw_by("multinomial"), COMPUTE, rule=rules.multinomial)
multivariate_hypergeometric = Op(
    "random.multivariate_hypergeometric", draw_by("multivariate_hypergeometric"), COMPUTE, rule=rules.multivariate_hypergeometric
)
multivariate_normal = Op("random.multivariate_normal", draw_by("multivariate_normal"), COMPUTE, rule=rules.multivariate_normal)

# Elements of arrays
choice = Op("random.choice", choice_on_host, MOVE, rule=rules.choice)
permutation = Op("random.permutation", draw_by("permutation"), MOVE, rule=rules.permutation)
permuted = Op("random.permuted", draw_by("permuted"), MOVE, rule=rules.permuted)
shuffle = Op("random.shuffle", draw_by("shuffle"), MOVE, writes=(1,), rule=rules.shuffle)
