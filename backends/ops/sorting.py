"""Ops that order elements."""

from __future__ import annotations

import numpy as np

from ..host import sorting, standard
from ..op import Op
from ..rules import ordering, writing

sort = Op("sort", standard.sort, rule=ordering.Ordered(indices=False))
argsort = Op("argsort", standard.argsort, rule=ordering.Ordered(indices=True))
sort_in_place = Op("sort_in_place", np.ndarray.sort, rule=writing.sort, writes=(0,))
partition = Op("partition", np.partition, rule=ordering.Partitioned(indices=False))
argpartition = Op("argpartition", np.argpartition, rule=ordering.Partitioned(indices=True))
partition_in_place = Op("partition_in_place", np.ndarray.partition, rule=writing.partition, writes=(0,))
lexsort = Op("lexsort", np.lexsort, rule=ordering.lexsort)
topk = Op("topk", sorting.topk, rule=ordering.topk)
sort_complex = Op("sort_complex", np.sort_complex, rule=ordering.sort_complex)
