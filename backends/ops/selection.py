"""Ops that select elements by position through functions, and write to selected elements."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, MOVE, VIEW, Op

# Elements by position
take = Op("take", np.take, MOVE)
take_along_axis = Op("take_along_axis", standard.take_along_axis, MOVE)
compress = Op("compress", np.compress, FIRST)
extract = Op("extract", np.extract, FIRST)
choose = Op("choose", np.choose, FIRST)
select = Op("select", np.select)
diagonal = Op("diagonal", np.diagonal, VIEW)

# Writes by position
put = Op("put", np.put, VIEW, writes=(0,))
put_along_axis = Op("put_along_axis", np.put_along_axis, VIEW, writes=(0,))
putmask = Op("putmask", np.putmask, VIEW, writes=(0,))
place = Op("place", np.place, VIEW, writes=(0,))
fill_diagonal = Op("fill_diagonal", np.fill_diagonal, VIEW, writes=(0,))

# Positions
ix_ = Op("ix_", np.ix_, VIEW)
diag_indices_from = Op("diag_indices_from", np.diag_indices_from, VIEW)
unravel_index = Op("unravel_index", np.unravel_index, VIEW)
ravel_multi_index = Op("ravel_multi_index", np.ravel_multi_index, VIEW)
