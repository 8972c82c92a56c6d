"""What the tests of several modules of the simulator share."""

import pytest

from trnarray.backends import simulator


@pytest.fixture
def on_trn2():
    """Run the test's instructions on trn2."""
    with simulator.options("trn2"):
        yield
