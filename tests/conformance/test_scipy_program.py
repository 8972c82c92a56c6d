"""The program of twelve modules runs; that it is typed, mypy checks with the package."""

import math

import pytest

from trnarray.conformance.scipy_calls.program import measure


def test_a_typed_program():
    found = measure()
    assert found["frequency"] == pytest.approx(2.0, abs=0.05)
    assert found["area"] == pytest.approx((1 - math.cos(8.0)) / 2, abs=1e-2)
    assert found["middle"] == pytest.approx(math.sin(4.0), abs=0.1)
    assert found["error function"] == pytest.approx(math.erf(0.5))
    assert (found["solution"], found["product"], found["columns"]) == (0.25, 2.0, 2.0)
    assert 0 < found["probability"] <= 1
