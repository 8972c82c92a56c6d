"""Running programs on the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from ...simulator import Kernel, current_options, options
from ..plan.plan import Plan
from ..program import program

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["SimulatedLauncher"]


class SimulatedLauncher:
    """
    Runs programs on a simulated NeuronCore; buffers are ndarrays.

    Parameters
    ----------
    target : str
        The generation.
    """

    name: Final = "simulator"

    def __init__(self, target: str) -> None:
        self.target = target
        self._kernel: Kernel = program

    def to_device(self, plane: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """
        Take a plane as it is; see `Launcher.to_device`.

        Parameters
        ----------
        plane : ndarray
            The plane.

        Returns
        -------
        ndarray
            Flat.
        """
        return plane.reshape(-1)

    def to_host(self, buffer: Any, dtype: DType) -> npt.NDArray[Any]:
        """
        Give the memory itself; see `Launcher.to_host`.

        Parameters
        ----------
        buffer : ndarray
            The buffer.
        dtype : dtype
            Of the plane.

        Returns
        -------
        ndarray
            Flat.
        """
        result: npt.NDArray[Any] = buffer.view(dtype)
        return result

    def run(self, plan: Plan, inputs: Sequence[Any], scalars: npt.NDArray[np.uint32]) -> Sequence[Any]:
        """
        Trace the program if it is new, and execute it; see `Launcher.run`.

        Parameters
        ----------
        plan : Plan
            Which.
        inputs : sequence of ndarray
            Buffers.
        scalars : ndarray
            The table.

        Returns
        -------
        sequence of ndarray
            Buffers.
        """
        roles = [tensor.role for tensor in plan.tensors if tensor.role in ("input", "updated")]
        # A program that fails leaves what it was to update as it was: it is given a copy.
        given = [buffer.copy() if role == "updated" else buffer for buffer, role in zip(inputs, roles, strict=True)]
        with options(self.target, knobs=current_options().knobs):
            results: Sequence[Any] = self._kernel(plan, scalars if plan.scalars else None, *given)
        return results
