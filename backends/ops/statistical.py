"""Ops that reduce or accumulate along axes, and the statistics made of them.

The reductions that NumPy makes of ufuncs are those ufuncs' ``reduce``, which is a microsecond faster than NumPy's
function of the name. Its axis is 0 by default, so callers always pass ``axis``; None is all axes.
"""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, Op
from ..rules import Reduction

# Reductions
sum = Op("sum", np.add.reduce, rule=Reduction("sum"))
prod = Op("prod", np.multiply.reduce, rule=Reduction("sum"))
max = Op("max", np.maximum.reduce, rule=Reduction("same"))
min = Op("min", np.minimum.reduce, rule=Reduction("same"))
any = Op("any", np.logical_or.reduce, rule=Reduction("bool"))
all = Op("all", np.logical_and.reduce, rule=Reduction("bool"))
mean = Op("mean", np.mean, rule=Reduction("float"))
var = Op("var", np.var, rule=Reduction("real"))
std = Op("std", np.std, rule=Reduction("real"))
standard_var = Op("standard.var", standard.var, rule=Reduction("real"))
standard_std = Op("standard.std", standard.std, rule=Reduction("real"))
numpy_var = Op("numpy.var", np.var, FIRST)
numpy_std = Op("numpy.std", np.std, FIRST)
ptp = Op("ptp", np.ptp)
average = Op("average", np.average)
median = Op("median", np.median)
percentile = Op("percentile", np.percentile, FIRST)
quantile = Op("quantile", np.quantile, FIRST)

# Reductions that skip NaN
nansum = Op("nansum", np.nansum, rule=Reduction("sum"))
nanprod = Op("nanprod", np.nanprod, rule=Reduction("sum"))
nanmax = Op("nanmax", np.nanmax, rule=Reduction("same"))
nanmin = Op("nanmin", np.nanmin, rule=Reduction("same"))
nanmean = Op("nanmean", np.nanmean, rule=Reduction("float"))
nanvar = Op("nanvar", np.nanvar, rule=Reduction("real"))
nanstd = Op("nanstd", np.nanstd, rule=Reduction("real"))
nanmedian = Op("nanmedian", np.nanmedian)
nanpercentile = Op("nanpercentile", np.nanpercentile, FIRST)
nanquantile = Op("nanquantile", np.nanquantile, FIRST)

# Accumulations and differences
cumsum = Op("cumsum", np.cumsum)
cumprod = Op("cumprod", np.cumprod)
nancumsum = Op("nancumsum", np.nancumsum)
nancumprod = Op("nancumprod", np.nancumprod)
cumulative_sum = Op("cumulative_sum", np.cumulative_sum)
cumulative_prod = Op("cumulative_prod", np.cumulative_prod)
diff = Op("diff", np.diff)

# Correlation and counting
corrcoef = Op("corrcoef", np.corrcoef)
cov = Op("cov", np.cov)
bincount = Op("bincount", np.bincount, FIRST)
digitize = Op("digitize", np.digitize)
histogram = Op("histogram", np.histogram)
histogram2d = Op("histogram2d", np.histogram2d)
histogramdd = Op("histogramdd", np.histogramdd)
histogram_bin_edges = Op("histogram_bin_edges", np.histogram_bin_edges)
