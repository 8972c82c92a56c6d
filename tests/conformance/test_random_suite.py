"""Suite random: that it runs on every kind of device, and that it finds numbers that are not what they should be."""

import numpy as np
import pytest

from trnarray.backends.counter_based.stream import Stream
from trnarray.conformance import __main__ as command


@pytest.mark.parametrize(
    ("only", "device"), [("geometric", "sim:trn2"), ("standard_normal", "sim:trn2"), ("vectors", "cpu"), ("words", "cpu")]
)
def test_draws_of_a_device(only, device):
    assert command.main(["random", "--device", device, "--max-examples", "8000", "--seed", "3", "--only", only]) == 0


FAULTS = {
    "one bit is stuck": lambda words: words | np.uint32(1 << 27),
    "neighbours are equal": lambda words: np.repeat(words[::2], 2)[: len(words)],
    "the top bit is lost": lambda words: words >> np.uint32(1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_shows(monkeypatch, fault):
    right = Stream._successive

    def wrong(self, begin, count, number):
        blocks = right(self, begin, count, number)
        return lambda count: FAULTS[fault](blocks(count).reshape(-1)).reshape(count, -1)

    monkeypatch.setattr(Stream, "_successive", wrong)
    assert command.main(["random", "--device", "cpu", "--max-examples", "20000", "--only", "standard_normal"]) == 1
