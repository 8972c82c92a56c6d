"""What a NeuronCore has, from the table of targets."""

from __future__ import annotations

from ...simulator import find_target

__all__ = ["hbm_share"]


def hbm_share(target: str) -> int:
    """
    Return the HBM that one NeuronCore has for itself.

    Parameters
    ----------
    target : str
        The generation.

    Returns
    -------
    int
        Bytes: the chip's, divided among its cores.

    Examples
    --------
    >>> hbm_share("trn2") == 12 * 2**30
    True
    """
    found = find_target(target)
    return found.hbm_bytes // found.cores
