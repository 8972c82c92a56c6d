# Made by `python -m trnarray.conformance scipy-names --write`: the names of SciPy that are passed through.

from types import ModuleType
from typing import Any

alpha: Any
anglit: Any
arcsine: Any
argus: Any
bernoulli: Any
beta: Any
betabinom: Any
betanbinom: Any
betaprime: Any
binom: Any
boltzmann: Any
bradford: Any
burr: Any
burr12: Any
cauchy: Any
chi: Any
chi2: Any
cosine: Any
crystalball: Any
dgamma: Any
dlaplace: Any
dpareto_lognorm: Any
dweibull: Any
def entropy(pk: Any, qk: Any = ..., base: Any = ..., axis: Any = ..., *, nan_policy: Any = ..., keepdims: Any = ...) -> Any: ...
erlang: Any
expon: Any
exponnorm: Any
exponpow: Any
exponweib: Any
f: Any
fatiguelife: Any
fisk: Any
foldcauchy: Any
foldnorm: Any
gamma: Any
gausshyper: Any
genexpon: Any
genextreme: Any
gengamma: Any
genhalflogistic: Any
genhyperbolic: Any
geninvgauss: Any
genlogistic: Any
gennorm: Any
genpareto: Any
geom: Any
gibrat: Any
gompertz: Any
gumbel_l: Any
gumbel_r: Any
halfcauchy: Any
halfgennorm: Any
halflogistic: Any
halfnorm: Any
hypergeom: Any
hypsecant: Any
invgamma: Any
invgauss: Any
invweibull: Any
irwinhall: Any
jf_skew_t: Any
johnsonsb: Any
johnsonsu: Any
kappa3: Any
kappa4: Any
ksone: Any
kstwo: Any
kstwobign: Any
landau: Any
laplace: Any
laplace_asymmetric: Any
levy: Any
levy_l: Any
levy_stable: Any
loggamma: Any
logistic: Any
loglaplace: Any
lognorm: Any
logser: Any
loguniform: Any
lomax: Any
maxwell: Any
mielke: Any
moyal: Any
nakagami: Any
nbinom: Any
ncf: Any
nchypergeom_fisher: Any
nchypergeom_wallenius: Any
nct: Any
ncx2: Any
nhypergeom: Any
norm: Any
norminvgauss: Any
pareto: Any
pearson3: Any
planck: Any
poisson: Any
poisson_binom: Any
powerlaw: Any
powerlognorm: Any
powernorm: Any
randint: Any
rayleigh: Any
rdist: Any
recipinvgauss: Any
reciprocal: Any
rel_breitwigner: Any
rice: Any
class rv_continuous:
    def __init__(self, momtype: Any = ..., a: Any = ..., b: Any = ..., xtol: Any = ..., badvalue: Any = ..., name: Any = ..., longname: Any = ..., shapes: Any = ..., seed: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
class rv_discrete:
    def __init__(self, a: Any = ..., b: Any = ..., name: Any = ..., badvalue: Any = ..., moment_tol: Any = ..., values: Any = ..., inc: Any = ..., longname: Any = ..., shapes: Any = ..., seed: Any = ...) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
class rv_histogram:
    def __init__(self, histogram: Any, *args: Any, density: Any = ..., **kwargs: Any) -> None: ...
    def __getattr__(self, name: str) -> Any: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
semicircular: Any
skellam: Any
skewcauchy: Any
skewnorm: Any
studentized_range: Any
t: Any
trapezoid: Any
triang: Any
truncexpon: Any
truncnorm: Any
truncpareto: Any
truncweibull_min: Any
tukeylambda: Any
uniform: Any
vonmises: Any
vonmises_line: Any
wald: Any
weibull_max: Any
weibull_min: Any
wrapcauchy: Any
yulesimon: Any
zipf: Any
zipfian: Any
