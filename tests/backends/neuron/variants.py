"""Variants in the place of those that are predicted to be the fastest."""

from contextlib import contextmanager

from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.plan.assemble import Planner


@contextmanager
def preferred_variants(device, **names):
    """Take a variant of each kernel, for the calls that it takes."""
    engine = engine_for(Device(device))
    planner = engine.planner
    engine.planner = Planner(engine.launcher.target, wraps=planner._wraps, preferred=names)
    try:
        yield
    finally:
        engine.planner = planner
