"""Ops that treat an array as a set of values."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..host import searching, standard
from ..op import FIRST, Op
from ..rules import Dynamic, accumulation, per_element

_DIFFERENT: Final = "its length is the number of different elements"

unique = Op("unique", np.unique, rule=Dynamic(_DIFFERENT))
unique_all = Op("unique_all", np.unique_all, rule=Dynamic(_DIFFERENT))
unique_counts = Op("unique_counts", np.unique_counts, rule=Dynamic(_DIFFERENT))
unique_inverse = Op("unique_inverse", np.unique_inverse, rule=Dynamic(_DIFFERENT))
unique_values = Op("unique_values", searching.unique_values, rule=Dynamic(_DIFFERENT))
isin = Op("isin", np.isin, rule=per_element.isin)
numpy_isin = Op("numpy.isin", np.isin, FIRST, rule=per_element.isin)
standard_isin = Op("standard.isin", standard.isin, rule=per_element.isin)
intersect1d = Op("intersect1d", np.intersect1d, rule=Dynamic(_DIFFERENT))
setdiff1d = Op("setdiff1d", np.setdiff1d, rule=Dynamic(_DIFFERENT))
setxor1d = Op("setxor1d", np.setxor1d, rule=Dynamic(_DIFFERENT))
union1d = Op("union1d", np.union1d, rule=Dynamic(_DIFFERENT))
ediff1d = Op("ediff1d", np.ediff1d, rule=accumulation.ediff1d)
