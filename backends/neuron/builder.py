"""The builder: what lowerings know of a device, to make values of nodes, numbers and host data."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from ..dtypes import DType
from ..promotion import PromotionTable
from .graph import Graph, Node
from .value import Value

__all__ = ["Builder"]


@dataclass(slots=True, eq=False)
class Builder:
    """
    Makes values on a device. Its engine hands it to lowerings, which see no launcher, planner or memory.

    Parameters
    ----------
    graph : Graph
        Of the device.
    promotion : PromotionTable
        Of the device.
    from_host : callable
        ``from_host(array, copy=True)`` brings host data, as `Engine.from_host`.
    to_host : callable
        ``to_host(value, copy=True)`` computes and fetches, as `Engine.to_host`: for what decides shapes.

    Attributes
    ----------
    sequences : PromotionTable
        Gives the dtypes of sequences of Python numbers beside the operands of the present call.
    constants : dict
        What kernels need and the device keeps, until it has no room.
    """

    graph: Graph
    promotion: PromotionTable
    from_host: Callable[..., Value]
    to_host: Callable[..., Any]
    sequences: PromotionTable = field(init=False)
    constants: dict[Hashable, Value] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.sequences = self.promotion

    def make(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """
        Make a value of nodes.

        Parameters
        ----------
        nodes : tuple of Node
            One for each plane.
        dtype : dtype
            Of the Array.

        Returns
        -------
        Value
            With memory of its own.
        """
        return Value.of_nodes(nodes, dtype, self.graph)

    def result(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """
        Make what a function returns of nodes: as in NumPy, a scalar where there are no axes.

        Parameters
        ----------
        nodes : tuple of Node
            One for each plane.
        dtype : dtype
            Of the Array.

        Returns
        -------
        Value
            With memory of its own; detached if of shape ().
        """
        value = Value.of_nodes(nodes, dtype, self.graph)
        value.detached = nodes[0].shape == ()
        return value
