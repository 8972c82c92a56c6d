"""Ops that order elements."""

from __future__ import annotations

import numpy as np

from ..host import sorting, standard
from ..op import Op
from ..rules import sequences, writing

sort = Op("sort", standard.sort, rule=sequences.Ordered(indices=False))
argsort = Op("argsort", standard.argsort, rule=sequences.Ordered(indices=True))
sort_in_place = Op("sort_in_place", np.ndarray.sort, rule=writing.sort, writes=(0,))
partition = Op("partition", np.partition, rule=sequences.Partitioned(indices=False))
argpartition = Op("argpartition", np.argpartition, rule=sequences.Partitioned(indices=True))
partition_in_place = Op("partition_in_place", np.ndarray.partition, rule=writing.partition, writes=(0,))
lexsort = Op("lexsort", np.lexsort, rule=sequences.lexsort)
topk = Op("topk", sorting.topk, rule=sequences.topk)
sort_complex = Op("sort_complex", np.sort_complex, rule=sequences.sort_complex)
