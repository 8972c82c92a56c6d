"""Ops of random draws, which take the generator of the host as their first operand.

An engine may draw from other streams: its implementation has the bit generator of that generator to derive them from. On
the host NumPy reads parameters of every dtype as float64; those that it hands on to linear algebra are widened before. The
Ops that take a ``dtype`` do so themselves, as all that is MADE. ``legacy.`` are methods that only RandomState has.
"""

from __future__ import annotations

from ..host.random import choice as choice_on_host
from ..host.random import draw_by, draw_in_dtype, round_down
from ..op import COMPUTE, MADE, MOVE, Op
from ..rules import random as rules

# Numbers of a dtype
random = Op("random.random", draw_in_dtype("random", round_down), MADE, rule=rules.in_dtype)
standard_normal = Op("random.standard_normal", draw_in_dtype("standard_normal"), MADE, rule=rules.in_dtype)
standard_exponential = Op("random.standard_exponential", draw_in_dtype("standard_exponential"), MADE, rule=rules.in_dtype)
standard_gamma = Op("random.standard_gamma", draw_in_dtype("standard_gamma"), MADE, rule=rules.in_dtype)

# Numbers on the real line
gumbel = Op("random.gumbel", draw_by("gumbel"), MADE, rule=rules.numbers)
laplace = Op("random.laplace", draw_by("laplace"), MADE, rule=rules.numbers)
logistic = Op("random.logistic", draw_by("logistic"), MADE, rule=rules.numbers)
normal = Op("random.normal", draw_by("normal"), MADE, rule=rules.numbers)
standard_cauchy = Op("random.standard_cauchy", draw_by("standard_cauchy"), MADE, rule=rules.numbers)
standard_t = Op("random.standard_t", draw_by("standard_t"), MADE, rule=rules.numbers)
triangular = Op("random.triangular", draw_by("triangular"), MADE, rule=rules.numbers)
uniform = Op("random.uniform", draw_by("uniform"), MADE, rule=rules.numbers)
vonmises = Op("random.vonmises", draw_by("vonmises"), MADE, rule=rules.numbers)

# Positive numbers
beta = Op("random.beta", draw_by("beta"), MADE, rule=rules.numbers)
chisquare = Op("random.chisquare", draw_by("chisquare"), MADE, rule=rules.numbers)
exponential = Op("random.exponential", draw_by("exponential"), MADE, rule=rules.numbers)
f = Op("random.f", draw_by("f"), MADE, rule=rules.numbers)
gamma = Op("random.gamma", draw_by("gamma"), MADE, rule=rules.numbers)
lognormal = Op("random.lognormal", draw_by("lognormal"), MADE, rule=rules.numbers)
noncentral_chisquare = Op("random.noncentral_chisquare", draw_by("noncentral_chisquare"), MADE, rule=rules.numbers)
noncentral_f = Op("random.noncentral_f", draw_by("noncentral_f"), MADE, rule=rules.numbers)
pareto = Op("random.pareto", draw_by("pareto"), MADE, rule=rules.numbers)
power = Op("random.power", draw_by("power"), MADE, rule=rules.numbers)
rayleigh = Op("random.rayleigh", draw_by("rayleigh"), MADE, rule=rules.numbers)
wald = Op("random.wald", draw_by("wald"), MADE, rule=rules.numbers)
weibull = Op("random.weibull", draw_by("weibull"), MADE, rule=rules.numbers)

# Counts
binomial = Op("random.binomial", draw_by("binomial"), MADE, rule=rules.counts)
geometric = Op("random.geometric", draw_by("geometric"), MADE, rule=rules.counts)
hypergeometric = Op("random.hypergeometric", draw_by("hypergeometric"), MADE, rule=rules.counts)
logseries = Op("random.logseries", draw_by("logseries"), MADE, rule=rules.counts)
negative_binomial = Op("random.negative_binomial", draw_by("negative_binomial"), MADE, rule=rules.counts)
poisson = Op("random.poisson", draw_by("poisson"), MADE, rule=rules.counts)
zipf = Op("random.zipf", draw_by("zipf"), MADE, rule=rules.counts)

# Integers
integers = Op("random.integers", draw_by("integers"), MADE, rule=rules.integers)
randint = Op("random.legacy.randint", draw_by("randint"), MADE, rule=rules.integers)
random_integers = Op("random.legacy.random_integers", draw_by("random_integers"), MADE, rule=rules.integers)
tomaxint = Op("random.legacy.tomaxint", draw_by("tomaxint"), MADE, rule=rules.counts)

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
