"""The examples of the simulator's guide run as they are printed."""

import doctest
from pathlib import Path

from trnarray.backends import simulator

GUIDE = Path(__file__).parents[3] / "docs" / "simulator.md"


def test_the_examples_run():
    found = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.attempted > 12
    assert not found.failed


def test_every_knob_is_shown():
    assert all(name in GUIDE.read_text() for name in simulator.Knobs.__dataclass_fields__)
