"""The examples of the guide to Neuron devices run as they are printed."""

import doctest
import gc
from pathlib import Path

import trnarray as xp

GUIDE = Path(__file__).parents[3] / "docs" / "neuron.md"


def test_the_examples_run():
    gc.collect()  # what other tests left behind would run with the first example, and be explained with it
    xp.synchronize()
    found = doctest.testfile(str(GUIDE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert found.attempted > 20
    assert not found.failed


def test_the_settings_are_the_ones_there_are():
    text = GUIDE.read_text()
    assert all(f"`{name}`" in text for name in xp.Settings._fields if name != "default_device")
