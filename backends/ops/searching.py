"""Ops that find elements: the positions of extrema, of what is not zero, of a place in a sorted array."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, Op
from ..rules import Reduction

argmax = Op("argmax", np.argmax, rule=Reduction("index"))
argmin = Op("argmin", np.argmin, rule=Reduction("index"))
nanargmax = Op("nanargmax", np.nanargmax)
nanargmin = Op("nanargmin", np.nanargmin)
count_nonzero = Op("count_nonzero", standard.count_nonzero, rule=Reduction("index"))
numpy_count_nonzero = Op("numpy.count_nonzero", np.count_nonzero, FIRST)
nonzero = Op("nonzero", np.nonzero)
argwhere = Op("argwhere", np.argwhere)
flatnonzero = Op("flatnonzero", np.flatnonzero)
searchsorted = Op("searchsorted", standard.searchsorted)
numpy_searchsorted = Op("numpy.searchsorted", np.searchsorted, FIRST)
where = Op("where", np.where)
