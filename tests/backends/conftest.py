"""What the tests of several modules share."""

import sys

import pytest


@pytest.fixture
def switching():
    """Switch threads as often as the interpreter can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)
