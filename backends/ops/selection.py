"""Ops that select elements by position through functions, and write to selected elements."""

from __future__ import annotations

import numpy as np

from ..host import standard
from ..op import FIRST, MOVE, VIEW, Op
from ..rules import Dynamic, indexing, writing
from ..rules.views import View

# Elements by position
take = Op("take", np.take, MOVE, rule=indexing.take)
take_along_axis = Op("take_along_axis", standard.take_along_axis, MOVE, rule=indexing.take_along_axis)
compress = Op("compress", np.compress, FIRST, rule=indexing.compress)
extract = Op("extract", np.extract, FIRST, rule=Dynamic("its length is the number of elements that a mask selects"))
choose = Op("choose", np.choose, FIRST, rule=indexing.choose)
select = Op("select", np.select, rule=indexing.select)
diagonal = Op("diagonal", np.diagonal, VIEW, rule=View(np.diagonal))

# Writes by position
put = Op("put", np.put, VIEW, rule=writing.put, writes=(0,))
put_along_axis = Op("put_along_axis", np.put_along_axis, VIEW, rule=writing.put_along_axis, writes=(0,))
putmask = Op("putmask", np.putmask, VIEW, rule=writing.putmask, writes=(0,))
place = Op("place", np.place, VIEW, rule=writing.putmask, writes=(0,))
fill_diagonal = Op("fill_diagonal", np.fill_diagonal, VIEW, rule=writing.fill_diagonal, writes=(0,))

# Positions
ix_ = Op("ix_", np.ix_, VIEW, rule=indexing.ix_)
diag_indices_from = Op("diag_indices_from", np.diag_indices_from, VIEW, rule=indexing.diag_indices_from)
unravel_index = Op("unravel_index", np.unravel_index, VIEW, rule=indexing.unravel_index)
ravel_multi_index = Op("ravel_multi_index", np.ravel_multi_index, VIEW, rule=indexing.ravel_multi_index)
