"""
The self-test: how the device in hand computes, simulated or real, as far as results depend on it.

Notes
-----
``probes.py``: kernels; ``measure.py``: their data and what results mean; ``facts.py``: what was found; ``kept.py``: facts that were found
before. Modes that promise exact results ask `facts` and refuse to run where the promise does not hold.
"""

from .facts import Facts
from .kept import facts

__all__ = ["Facts", "facts"]
