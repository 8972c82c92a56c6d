"""Ops that find elements: the positions of extrema, of what is not zero, of a place in a sorted array."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, Op
from ..rules import Dynamic, Reduction, indexing, ordering

argmax = Op("argmax", np.argmax, rule=Reduction("index", scalars=True, identity=False))
argmin = Op("argmin", np.argmin, rule=Reduction("index", scalars=True, identity=False))
nanargmax = Op("nanargmax", np.nanargmax, rule=Reduction("index", scalars=True, identity=False))
nanargmin = Op("nanargmin", np.nanargmin, rule=Reduction("index", scalars=True, identity=False))
count_nonzero = Op("count_nonzero", standard.count_nonzero, rule=Reduction("index", scalars=True))
numpy_count_nonzero = Op("numpy.count_nonzero", np.count_nonzero, FIRST, rule=Reduction("index", scalars=True))
nonzero = Op("nonzero", np.nonzero, rule=Dynamic("it gives as many indices as there are elements that are not zero"))
argwhere = Op("argwhere", np.argwhere, rule=Dynamic("it gives as many indices as there are elements that are not zero"))
flatnonzero = Op("flatnonzero", np.flatnonzero, rule=Dynamic("it gives as many indices as there are elements that are not zero"))
searchsorted = Op("searchsorted", standard.searchsorted, rule=ordering.searchsorted)
numpy_searchsorted = Op("numpy.searchsorted", np.searchsorted, FIRST, rule=ordering.searchsorted)
where = Op("where", np.where, rule=indexing.where)
