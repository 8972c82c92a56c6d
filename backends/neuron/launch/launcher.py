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
        """
        For reports.

        Returns
        -------
        str
            A word.
        """

    @property
    def target(self) -> str:
        """
        The generation.

        Returns
        -------
        str
            ``"trn1"``, ``"trn2"`` or ``"trn3"``.
        """

    @property
    def conditions(self) -> str:
        """
        What results depend on besides programs and versions.

        Returns
        -------
        str
            Empty if on nothing; such as the knobs of a simulator.
        """

    @property
    def statistics(self) -> Statistics:
        """
        How often a program was there.

        Returns
        -------
        Statistics
            Since the device was opened.
        """

    def to_device(self, plane: npt.NDArray[Any]) -> Any:
        """
        Make a buffer.

        Parameters
        ----------
        plane : ndarray
            A contiguous plane, not used by anybody else.

        Returns
        -------
        object
            The buffer: flat.
        """

    def to_host(self, buffer: Any, dtype: DType) -> npt.NDArray[Any]:
        """
        Fetch a buffer.

        Parameters
        ----------
        buffer : object
            From `to_device` or `run`.
        dtype : dtype
            Of the plane.

        Returns
        -------
        ndarray
            Flat; it may be the buffer's own memory and is not to be written to.
        """

    def is_compiled(self, plan: Plan) -> bool:
        """
        Tell whether a launch of a plan would find its program.

        Parameters
        ----------
        plan : Plan
            Which.

        Returns
        -------
        bool
            Whether this process has it, or a store that outlives processes.
        """

    def compile(self, plan: Plan) -> None:
        """
        Compile the program of a plan, and run nothing that changes an array.

        Parameters
        ----------
        plan : Plan
            Which.

        Raises
        ------
        LaunchError
            If it is refused.
        """

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """
        Run a program.

        Parameters
        ----------
        plan : Plan
            Which.
        inputs : sequence of object
            Buffers of its inputs and updated tensors.
        scalars : ndarray
            The table.

        Returns
        -------
        sequence of object
            Buffers of its outputs and updated tensors; those that are updated may be written in place, and are not to be used again. If it
            fails, `inputs` are as they were, but for those that `LaunchError.lost` names.
        """

    def call(self, kernel: Any, arrays: Sequence[npt.NDArray[Any]]) -> Sequence[npt.NDArray[Any]]:
        """
        Run a kernel of its own, such as one of the self-test.

        Parameters
        ----------
        kernel : kernel
            Decorated with ``nki.jit``; returns a tuple.
        arrays : sequence of ndarray
            What it takes; they stay as they are.

        Returns
        -------
        sequence of ndarray
            What it returns.

        Raises
        ------
        LaunchError
            If the kernel is refused.
        """
