"""Ops that order elements."""

from __future__ import annotations

import numpy as np

from ..host import sorting, standard
from ..op import Op

sort = Op("sort", standard.sort)
argsort = Op("argsort", standard.argsort)
sort_in_place = Op("sort_in_place", np.ndarray.sort, writes=(0,))
partition = Op("partition", np.partition)
argpartition = Op("argpartition", np.argpartition)
partition_in_place = Op("partition_in_place", np.ndarray.partition, writes=(0,))
lexsort = Op("lexsort", np.lexsort)
topk = Op("topk", sorting.topk)
sort_complex = Op("sort_complex", np.sort_complex)
