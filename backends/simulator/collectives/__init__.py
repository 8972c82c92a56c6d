"""Collectives among ranks, by NKI's names: stands in for ``nki.collectives``. `simulator.execute_ranks` runs the ranks."""

from .exchange import all_gather, all_reduce, all_to_all, collective_permute, reduce_scatter
from .group import ReplicaGroup, rank_id, rg_partition_op
from .ring import (
    collective_permute_implicit,
    collective_permute_implicit_current_processing_rank_id,
    collective_permute_implicit_reduce,
)
from .split import all_gather_v_prepare, all_gather_v_trigger, all_to_all_v_prepare, all_to_all_v_trigger
from .variable import all_gather_v, all_to_all_v

__all__ = [
    "ReplicaGroup",
    "all_gather",
    "all_gather_v",
    "all_gather_v_prepare",
    "all_gather_v_trigger",
    "all_reduce",
    "all_to_all",
    "all_to_all_v",
    "all_to_all_v_prepare",
    "all_to_all_v_trigger",
    "collective_permute",
    "collective_permute_implicit",
    "collective_permute_implicit_current_processing_rank_id",
    "collective_permute_implicit_reduce",
    "rank_id",
    "reduce_scatter",
    "rg_partition_op",
]
