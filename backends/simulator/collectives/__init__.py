"""Collectives among ranks, by NKI's names: stands in for ``nki.collectives``. `simulator.execute_ranks` runs the ranks."""

from .exchange import all_gather, all_reduce, all_to_all, collective_permute, reduce_scatter
from .group import ReplicaGroup, rank_id

__all__ = [
    "ReplicaGroup",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "collective_permute",
    "rank_id",
    "reduce_scatter",
]
