"""Random Arrays, as numpy.random has them: Generators, bit generators and the legacy functions.

`default_rng` on the cpu draws from NumPy's PCG64, with NumPy's stream; on Neuron devices, and everywhere under
``config(random="counter")``, from the counter-based `Philox4x32`, whose numbers are the same on every device. No version promises the
bits of another one yet, only the distributions.

Results are Arrays; what NumPy gives as a scalar, also as a Python float or int, is a detached 0-d Array of the dtype that
was drawn. Seeds, states and bit generators are on the host: the bit generators are NumPy's own classes. The legacy
functions share one `RandomState` with those of `numpy.random`, so that `seed` governs libraries that draw from NumPy too.

Examples
--------
>>> import trnarray as xp
>>> rng = xp.random.default_rng(0)
>>> rng.normal(size=(2, 3)).shape
(2, 3)
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.random import MT19937, PCG64, PCG64DXSM, SFC64, BitGenerator, Philox, SeedSequence

from ._random.bit_generators import Philox4x32, Threefry2x32, Threefry4x32
from ._random.generator import Generator, default_rng
from ._random.random_state import RandomState
from ._random.source import on_host

__all__ = [
    "MT19937",
    "PCG64",
    "PCG64DXSM",
    "SFC64",
    "BitGenerator",
    "Generator",
    "Philox",
    "Philox4x32",
    "RandomState",
    "SeedSequence",
    "Threefry2x32",
    "Threefry4x32",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rand",
    "randint",
    "randn",
    "random",
    "random_integers",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
]

_rand: Final = RandomState._around(np.random.mtrand._rand)  # NumPy's own, which set_bit_generator changes in place


beta = _rand.beta
binomial = _rand.binomial
bytes = _rand.bytes
chisquare = _rand.chisquare
choice = _rand.choice
dirichlet = _rand.dirichlet
exponential = _rand.exponential
f = _rand.f
gamma = _rand.gamma
geometric = _rand.geometric
get_state = _rand.get_state
gumbel = _rand.gumbel
hypergeometric = _rand.hypergeometric
laplace = _rand.laplace
logistic = _rand.logistic
lognormal = _rand.lognormal
logseries = _rand.logseries
multinomial = _rand.multinomial
multivariate_normal = _rand.multivariate_normal
negative_binomial = _rand.negative_binomial
noncentral_chisquare = _rand.noncentral_chisquare
noncentral_f = _rand.noncentral_f
normal = _rand.normal
pareto = _rand.pareto
permutation = _rand.permutation
poisson = _rand.poisson
power = _rand.power
rand = _rand.rand
randint = _rand.randint
randn = _rand.randn
random = _rand.random
random_integers = _rand.random_integers
random_sample = _rand.random_sample
ranf = _rand.random_sample
rayleigh = _rand.rayleigh
sample = _rand.random_sample
set_state = _rand.set_state
shuffle = _rand.shuffle
standard_cauchy = _rand.standard_cauchy
standard_exponential = _rand.standard_exponential
standard_gamma = _rand.standard_gamma
standard_normal = _rand.standard_normal
standard_t = _rand.standard_t
triangular = _rand.triangular
uniform = _rand.uniform
vonmises = _rand.vonmises
wald = _rand.wald
weibull = _rand.weibull
zipf = _rand.zipf


def seed(seed: Any = None) -> None:
    """Start the stream of the legacy functions again, here and in `numpy.random`. See `numpy.random.seed`."""
    np.random.seed(on_host(seed))  # noqa: NPY002  # the very state that is shared
