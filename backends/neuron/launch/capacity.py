"""What a NeuronCore has, from the table of targets."""

from __future__ import annotations

from typing import Final

from ...simulator import find_target
from ...simulator.target import HBM_TENSOR_MAX

__all__ = ["TENSOR_BYTES", "hbm_share"]

TENSOR_BYTES: Final = HBM_TENSOR_MAX
"""What a tensor in HBM may have: a plane of an Array, or what a program makes on the way."""


def hbm_share(target: str) -> int:
    """
    Return the HBM that one NeuronCore has for itself.

    Examples
    --------
    >>> hbm_share("trn2") == 12 * 2**30
    True
    """
    found = find_target(target)
    return found.hbm_bytes // found.cores
