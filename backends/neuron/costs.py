"""What instructions and transfers are predicted to take, for choices: of the simulator's cost model, also where kernels are AWS's NKI's."""

from __future__ import annotations

from ..simulator import Costs, current_costs

__all__ = ["Costs", "current_costs"]
