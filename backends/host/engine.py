"""The host engine: NumPy and SciPy on ndarrays, eager, no copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..op import ELEMENTWISE
from ..promotion import NUMPY, PromotionTable
from .low_precision import has_low_precision, run_low_precision

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..op import Op

__all__ = ["HostEngine"]


class HostEngine:
    """
    Runs the host implementation of an Op on ndarrays and NumPy scalars.

    It is the reference of every other engine. float16, bfloat16 and the float8 kinds take the road through float32.
    """

    name = "host"
    values: tuple[type[Any], ...] = (np.ndarray, np.generic)
    promotion: PromotionTable = NUMPY

    def run(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run an Op's host implementation; see `Engine.run`."""
        op.tick()
        return self.compute(op, args, kwargs)

    @staticmethod
    def compute(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run an Op's host implementation for a device that has none of its own: the call is not one of the host's."""
        if has_low_precision(args) or (kwargs and has_low_precision(kwargs.values())):
            return run_low_precision(op, args, kwargs)
        if op.kind is ELEMENTWISE:
            args = [np.asarray(arg) if isinstance(arg, (list, tuple)) else arg for arg in args]
        return op.host(*args, **kwargs)

    def synchronize(self) -> None:
        """Do nothing: the host computes at once."""

    def settle(self, generator: object) -> None:
        """Do nothing: the host draws at once."""

    def compile_pending(self) -> int:
        """Do nothing: the host compiles nothing."""
        return 0

    def from_host(self, array: npt.NDArray[Any] | np.generic, *, copy: bool) -> npt.NDArray[Any] | np.generic:
        """Take host data as it is; see `Engine.from_host`."""
        return np.array(array, copy=True) if copy and isinstance(array, np.ndarray) else array

    def to_host(self, value: npt.NDArray[Any] | np.generic, *, copy: bool) -> npt.NDArray[Any] | np.generic:
        """Give the value itself; see `Engine.to_host`."""
        return self.from_host(value, copy=copy)
