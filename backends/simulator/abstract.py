"""Arguments without data: enough to trace a kernel."""

from __future__ import annotations

from dataclasses import dataclass

from .dtypes import canonical

__all__ = ["Abstract"]


@dataclass(frozen=True)
class Abstract:
    """
    An array without data.

    Parameters
    ----------
    shape : tuple of int
        Extents, all positive.
    dtype : str or dtype-like
        One of NKI's dtypes.

    Examples
    --------
    >>> Abstract((128, 512), "bfloat16")
    Abstract(shape=(128, 512), dtype='bfloat16')
    """

    shape: tuple[int, ...]
    dtype: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", tuple(self.shape))
        object.__setattr__(self, "dtype", canonical(self.dtype))
