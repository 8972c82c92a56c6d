"""How reports write bytes and times: as those of the simulator."""

from ...simulator.cost.units import bytes_text, duration

__all__ = ["bytes_text", "duration"]
