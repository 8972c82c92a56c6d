"""What a launcher is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from ...simulator import KernelError
from ..plan.plan import Plan
from .programs import Statistics

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["REFUSALS", "LaunchError", "Launcher"]


class LaunchError(RuntimeError):
    """
    NKI, its compiler or the runtime refused a program; the cause is their own error.

    Parameters
    ----------
    message : str
        What happened and what may help.
    lost : tuple of int, optional
        Places of updated tensors among the inputs whose contents are gone, since the device had begun to write to them.
    """

    def __init__(self, message: str, lost: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.lost = lost


REFUSALS: Final = (LaunchError, KernelError, MemoryError)
"""What launchers raise where a program cannot run."""


class Launcher(Protocol):
    """Keeps buffers and runs programs. It is called by one thread at a time, under the lock of its device."""

    @property
    def name(self) -> str:
        """For reports."""

    @property
    def target(self) -> str:
        """The generation."""

    @property
    def conditions(self) -> str:
        """What results depend on besides programs and versions."""

    @property
    def statistics(self) -> Statistics:
        """How often a program was there."""

    def to_device(self, planes: Sequence[npt.NDArray[Any]]) -> Sequence[Any]:
        """Make buffers, in one transfer."""

    def to_host(self, buffers: Sequence[Any], dtypes: Sequence[DType]) -> Sequence[npt.NDArray[Any]]:
        """Fetch buffers, in one transfer. What they give may be their memory: it is only read."""

    def is_compiled(self, plan: Plan) -> bool:
        """Tell whether a launch of a plan would find its program."""

    def compile(self, plan: Plan) -> None:
        """Compile the program of a plan, and run nothing that changes an array."""

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """Run a program."""

    def call(self, kernel: Any, arrays: Sequence[npt.NDArray[Any]]) -> Sequence[npt.NDArray[Any]]:
        """Run a kernel of its own, such as one of the self-test."""
