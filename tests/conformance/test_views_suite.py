"""Suite views: that it runs, and that it finds what loses an alias, a flag or the order of elements."""

import random

import numpy as np
import pytest

from trnarray.backends.device import parse_device
from trnarray.backends.neuron.lowering import views
from trnarray.backends.neuron.value import Value
from trnarray.backends.op import get_op
from trnarray.backends.settings import config
from trnarray.conformance import __main__ as command
from trnarray.conformance.suites.views import Chain

DEVICE = "sim:trn2"


@pytest.mark.parametrize(("device", "steps"), [("cpu", 500), ("sim:trn1", 300), (DEVICE, 2000), ("sim:trn3", 300)])
def test_some_chains(device, steps):
    assert command.main(["views", "--device", device, "--max-examples", str(steps), "--seed", "17"]) == 0


def found(most=2000):
    """Look for a difference in the chains that run on every commit."""
    number = 0
    with config(fallback="error"):
        while most > 0:
            chain = Chain(random.Random(f"17 {number}"), parse_device(DEVICE))
            for step in chain.steps(min(most, chain.source.randint(4, 14))):
                most -= 1
                if step.difference:
                    return step
            number += 1
    return None


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("fault", ["part loses the flag", "view copies", "windows copy", "order K is C"])
def test_a_difference_shows(monkeypatch, fault):
    if fault == "part loses the flag":
        part = Value.part

        def writable(self, place):
            view = part(self, place)
            shadow = np.lib.stride_tricks.as_strided(np.empty(1, view.dtype), view.shape, (0,) * len(view.shape))
            view._shadow = np.lib.stride_tricks.as_strided(shadow, view.shape, view.strides)
            view._root = view._shadow
            return view

        monkeypatch.setattr(Value, "part", writable)
    elif fault == "order K is C":
        monkeypatch.setattr(views, "_memory_order", lambda shadow: list(range(shadow.ndim)))
    else:
        name = {"view copies": "ndarray.view", "windows copy": "sliding_window_view"}[fault]
        function = get_op(name).neuron

        def copied(*operands, **parameters):
            result = function(*operands, **parameters)
            return result.without_memory() if result.detached else result.with_memory()

        monkeypatch.setattr(get_op(name), "neuron", copied)
    assert found() is not None
