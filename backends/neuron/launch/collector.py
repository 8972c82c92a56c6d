"""Pausing the cycle collector while a plan is made, as the simulator does while it traces: passes over the graph took up to a third."""

from ...simulator.collector import without_collector

__all__ = ["without_collector"]
