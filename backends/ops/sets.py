"""Ops that treat an array as a set of values."""

from __future__ import annotations

import numpy as np

from ..host import searching, standard
from ..op import FIRST, Op

unique = Op("unique", np.unique)
unique_all = Op("unique_all", np.unique_all)
unique_counts = Op("unique_counts", np.unique_counts)
unique_inverse = Op("unique_inverse", np.unique_inverse)
unique_values = Op("unique_values", searching.unique_values)
isin = Op("isin", np.isin)
numpy_isin = Op("numpy.isin", np.isin, FIRST)
standard_isin = Op("standard.isin", standard.isin)
intersect1d = Op("intersect1d", np.intersect1d)
setdiff1d = Op("setdiff1d", np.setdiff1d)
setxor1d = Op("setxor1d", np.setxor1d)
union1d = Op("union1d", np.union1d)
ediff1d = Op("ediff1d", np.ediff1d)
