"""Fixtures of the tests of public functions."""

import pytest

from trnarray.backends.device import parse_device
from trnarray.backends.engine import engine_for


@pytest.fixture
def launches(monkeypatch):
    """The plans that sim:trn2 launches."""
    launcher, found = engine_for(parse_device("sim:trn2")).launcher, []
    run = launcher.run

    def counted(plan, *rest):
        found.append(plan)
        return run(plan, *rest)

    monkeypatch.setattr(launcher, "run", counted)
    return found
