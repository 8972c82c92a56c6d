"""
The NKI that kernels are written against: AWS's where it is truly installed, else the simulator's.

With it `expect`, by which kernels state how often loops will run whose bounds only data tell, which changes predictions alone; and
`repeated`, by which the simulator traces the same instructions on other tensors once.
"""

from __future__ import annotations

import os
from importlib import import_module
from types import ModuleType

from .device import neuron_hardware
from .simulator.program.repetition import Recordings, repeated
from .simulator.registers import expect

__all__ = ["Recordings", "expect", "is_real", "ncc", "nisa", "nki", "nl", "repeated"]


def is_real() -> bool:
    """Whether AWS's NKI is installed."""
    return os.environ.get("TRNARRAY_NKI") != "simulator" and neuron_hardware().nki is not None


def _modules() -> tuple[ModuleType, ModuleType, ModuleType, ModuleType]:
    if is_real():
        return import_module("nki"), import_module("nki.language"), import_module("nki.isa"), import_module("nki.collectives")
    from .simulator.surface import modules

    table = modules()
    return table["nki"], table["nki.language"], table["nki.isa"], table["nki.collectives"]


nki, nl, nisa, ncc = _modules()
