"""What several modules of tests share."""

import pytest

import trnarray as xp


@pytest.fixture
def without_fallbacks():
    with xp.config(fallback="error"), xp.default_device("sim:trn2"):
        yield
