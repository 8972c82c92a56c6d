"""Ops that find elements: the positions of extrema, of what is not zero, of a place in a sorted array."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import Op
from ..rules import Reduction

argmax = Op("argmax", np.argmax, rule=Reduction("index"))
argmin = Op("argmin", np.argmin, rule=Reduction("index"))
nanargmax = Op("nanargmax", np.nanargmax)
nanargmin = Op("nanargmin", np.nanargmin)
count_nonzero = Op("count_nonzero", standard.count_nonzero, rule=Reduction("index"))
nonzero = Op("nonzero", np.nonzero)
argwhere = Op("argwhere", np.argwhere)
flatnonzero = Op("flatnonzero", np.flatnonzero)
searchsorted = Op("searchsorted", standard.searchsorted)
where = Op("where", np.where)
