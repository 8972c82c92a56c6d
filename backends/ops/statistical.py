"""Ops that reduce or accumulate along axes, and the statistics made of them.

The reductions that NumPy makes of ufuncs are those ufuncs' ``reduce``, which is a microsecond faster than NumPy's
function of the name. Its axis is 0 by default, so callers always pass ``axis``; None is all axes.
"""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, Op
from ..rules import Dynamic, Reduction, accumulation, histograms, ordering, statistics

# Reductions
sum = Op("sum", np.add.reduce, rule=Reduction("sum", scalars=True))
prod = Op("prod", np.multiply.reduce, rule=Reduction("sum", scalars=True))
max = Op("max", np.maximum.reduce, rule=Reduction("same", scalars=True, identity=False))
min = Op("min", np.minimum.reduce, rule=Reduction("same", scalars=True, identity=False))
any = Op("any", np.logical_or.reduce, rule=Reduction("bool", scalars=True))
all = Op("all", np.logical_and.reduce, rule=Reduction("bool", scalars=True))
mean = Op("mean", np.mean, rule=Reduction("float", scalars="where"))
var = Op("var", np.var, rule=Reduction("real", scalars="where"))
std = Op("std", np.std, rule=Reduction("real", scalars="where"))
standard_var = Op("standard.var", standard.var, rule=Reduction("real", scalars="where"))
standard_std = Op("standard.std", standard.std, rule=Reduction("real", scalars="where"))
numpy_var = Op("numpy.var", np.var, FIRST, rule=statistics.spread)
numpy_std = Op("numpy.std", np.std, FIRST, rule=statistics.spread)
ptp = Op("ptp", np.ptp, rule=Reduction("same", scalars=True, identity=False, booleans=False))
average = Op("average", np.average, rule=statistics.average)
median = Op("median", np.median, rule=Reduction("float"))
percentile = Op("percentile", np.percentile, FIRST, rule=statistics.Quantile(percents=True))
quantile = Op("quantile", np.quantile, FIRST, rule=statistics.Quantile(percents=False))

# Reductions that skip NaN
nansum = Op("nansum", np.nansum, rule=Reduction("sum", scalars=True))
nanprod = Op("nanprod", np.nanprod, rule=Reduction("sum", scalars=True))
nanmax = Op("nanmax", np.nanmax, rule=Reduction("same", scalars=True, identity=False))
nanmin = Op("nanmin", np.nanmin, rule=Reduction("same", scalars=True, identity=False))
nanmean = Op("nanmean", np.nanmean, rule=Reduction("float", scalars="floats"))
nanvar = Op("nanvar", np.nanvar, rule=Reduction("real", scalars="floats"))
nanstd = Op("nanstd", np.nanstd, rule=Reduction("real", scalars="floats"))
nanmedian = Op("nanmedian", np.nanmedian, rule=Reduction("float"))
nanpercentile = Op("nanpercentile", np.nanpercentile, FIRST, rule=statistics.Quantile(percents=True, skips=True))
nanquantile = Op("nanquantile", np.nanquantile, FIRST, rule=statistics.Quantile(percents=False, skips=True))

# Accumulations and differences
cumsum = Op("cumsum", np.cumsum, rule=accumulation.accumulated)
cumprod = Op("cumprod", np.cumprod, rule=accumulation.accumulated)
nancumsum = Op("nancumsum", np.nancumsum, rule=accumulation.accumulated)
nancumprod = Op("nancumprod", np.nancumprod, rule=accumulation.accumulated)
cumulative_sum = Op("cumulative_sum", np.cumulative_sum, rule=accumulation.cumulative)
cumulative_prod = Op("cumulative_prod", np.cumulative_prod, rule=accumulation.cumulative)
diff = Op("diff", np.diff, rule=accumulation.diff)

# Correlation and counting
corrcoef = Op("corrcoef", np.corrcoef, rule=statistics.corrcoef)
cov = Op("cov", np.cov, rule=statistics.cov)
bincount = Op("bincount", np.bincount, FIRST, rule=Dynamic("its length is up to the largest element"))
digitize = Op("digitize", np.digitize, rule=ordering.digitize)
histogram = Op("histogram", np.histogram, rule=histograms.histogram)
histogram2d = Op("histogram2d", np.histogram2d, rule=histograms.histogram2d)
histogramdd = Op("histogramdd", np.histogramdd, rule=histograms.histogramdd)
histogram_bin_edges = Op("histogram_bin_edges", np.histogram_bin_edges, rule=histograms.histogram_bin_edges)
