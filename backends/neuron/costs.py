"""Predicted times of instructions and transfers, by which variants are chosen: from the simulator's cost model on every launcher."""

from __future__ import annotations

from ..simulator import Costs, current_costs

__all__ = ["Costs", "current_costs"]
