"""What a launcher is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from ..plan.plan import Plan

if TYPE_CHECKING:
    from ...dtypes import DType

__all__ = ["Launcher"]


class Launcher(Protocol):
    """Keeps buffers and runs programs."""

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
            Buffers of its outputs and updated tensors. If it fails, `inputs` are as they were.
        """
