"""The builder: what lowerings know of a device, to make values of nodes, numbers and host data."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from ...dtypes import DType
from ...promotion import TABLES, PromotionTable
from ...settings import get_config
from ..costs import Costs, current_costs
from ..value import Value
from .graph import Graph, Node

__all__ = ["Builder"]


@dataclass(slots=True, eq=False)
class Builder:
    """
    Makes values on a device. Its engine hands it to lowerings, which see no launcher, planner or memory.

    Parameters
    ----------
    graph : Graph
        Of the device.
    target : str
        The generation.
    from_host : callable
        ``from_host(array, copy=True)`` brings host data, as `Engine.from_host`.
    to_host : callable
        ``to_host(value, copy=True)`` computes and fetches, as `Engine.to_host`: for what decides shapes.
    flush : callable
        Computes what is pending.

    Attributes
    ----------
    beside : PromotionTable or None
        By which sequences of Python numbers get dtypes beside the operands of the present call, if there are any.
    constants : dict
        What kernels need and the device keeps, until it has no room.
    """

    graph: Graph
    target: str
    from_host: Callable[..., Value]
    to_host: Callable[..., Any]
    flush: Callable[[], None]
    beside: PromotionTable | None = field(init=False, default=None)
    constants: dict[Hashable, Value] = field(init=False, default_factory=dict)

    @property
    def costs(self) -> Costs:
        """Tell what instructions and transfers are predicted to take."""
        return current_costs(self.target)

    @property
    def promotion(self) -> PromotionTable:
        """Tell by which rules operands get dtypes."""
        return TABLES[get_config().defaults]

    @property
    def sequences(self) -> PromotionTable:
        """Tell by which rules sequences of Python numbers get dtypes."""
        return self.beside or self.promotion

    def make(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """Make a value of nodes."""
        return Value.of_nodes(nodes, dtype, self.graph)

    def result(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """Make what a function returns of nodes: as in NumPy, a scalar where there are no axes."""
        value = Value.of_nodes(nodes, dtype, self.graph)
        value.detached = nodes[0].shape == ()
        return value
