"""Suite indexing: what it draws, that it runs, and that it finds differences."""

import random

import numpy as np
import pytest

from trnarray.backends.device import parse_device
from trnarray.backends.neuron.lowering.indexing import items
from trnarray.conformance import __main__ as command
from trnarray.conformance.suites.indexing import Example, check, draw

DEVICE = "sim:trn2"


def test_some_expressions():
    for device, seed in (("sim:trn1", 1), (DEVICE, 2), ("sim:trn3", 3)):
        assert command.main(["indexing", "--device", device, "--max-examples", "12", "--seed", str(seed)]) == 0


def test_examples_are_drawn_again():
    one, other = (draw(random.Random("1 2")) for _ in range(2))
    assert repr(one) == repr(other)
    assert len({repr(draw(random.Random(f"0 {number}")).key) for number in range(50)}) > 35


@pytest.mark.parametrize(
    ("key", "part"), [(np.array([0, 2]), "read of int32"), (np.array([True, False, True]), "read of int32"), ((1, 0), "")]
)
def test_a_difference_shows(monkeypatch, key, part):
    base = np.arange(6, dtype=np.int32).reshape(3, 2)
    example = Example(base, "", key, np.zeros((), np.int32))
    assert not check(example, parse_device(DEVICE))
    gathered = items.gathered
    monkeypatch.setattr(items, "gathered", lambda engine, selection: gathered(engine, selection._replace(arrays=[np.array([0, 0])])))
    assert check(example, parse_device(DEVICE)).startswith(part)
