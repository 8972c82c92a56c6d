"""What a NeuronCore has, from the table of targets, and the error where that does not suffice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...simulator import find_target
from ...simulator.cost.units import bytes_text
from ...simulator.target import HBM_TENSOR_MAX

__all__ = ["DeviceMemoryError", "TensorSizeError", "check_bytes", "check_tensor", "hbm_share", "is_large", "piece_length"]

TENSOR_BYTES: Final = HBM_TENSOR_MAX
"""What a tensor in HBM may have. What takes more, a plane of an Array or what a program makes on the way, lies in several."""


class DeviceMemoryError(MemoryError):
    """An Array, or what has to be computed for it, does not fit into the memory of its device, or into one tensor where it has to."""


class TensorSizeError(DeviceMemoryError):
    """Elements do not fit into one tensor where they have to; the engine puts the name of the Op before what a lowering says."""


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


def piece_length(itemsize: int) -> int:
    """
    Return how many elements each tensor has, but for the last, of those that hold one plane together.

    Examples
    --------
    >>> piece_length(4) == 2**29
    True
    """
    return TENSOR_BYTES // itemsize


def is_large(size: int, itemsize: int) -> bool:
    """
    Tell whether elements take several tensors.

    Examples
    --------
    >>> is_large(2**29, 4), is_large(2**29 + 1, 4)
    (False, True)
    """
    return size * itemsize > TENSOR_BYTES


def check_tensor(shape: Sequence[int], dtype: str, nbytes: int, has: str) -> None:
    """Refuse what does not fit into one tensor where it has to; see `check_bytes`."""
    check_bytes(shape, dtype, nbytes, TENSOR_BYTES, has)


def check_bytes(shape: Sequence[int], dtype: str, nbytes: int, limit: int, has: str) -> None:
    """Refuse what is too large for something, which `has` names."""
    if nbytes > limit:
        raise TensorSizeError(
            f"{dtype} elements of shape {tuple(shape)} take {bytes_text(nbytes)} ({nbytes} bytes), and {has} at most "
            f"{bytes_text(limit)}: work on parts of the Arrays"
        )
