"""The dtypes of every function's results on a Neuron device, under both values of the setting `defaults`, against NumPy's.

Few calls of each function, for few dtypes, of which none is computed where there are kernels: suite `hypothesis` with ``--defaults`` takes
all dtypes, and compares values, too.
"""

import warnings

import hypothesis
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.conformance.function_table.check import check_dtypes, describe
from trnarray.conformance.function_table.comparison import Mismatch
from trnarray.conformance.function_table.rows import ROWS

DEVICE = Device("sim:trn2")
LEADS = {"native": ("u1", "f4"), "numpy": ("i4", "f4")}


def calls_of(row):
    """A few calls, always the same."""
    found = []

    @hypothesis.seed(1)
    @hypothesis.settings(
        max_examples=2, phases=[Phase.generate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @hypothesis.given(row.calls)
    def draw(call):
        found.append(call)

    draw()
    return found


@pytest.fixture(scope="module")
def calls():
    return [(row, call) for row in ROWS if row.numpy_function() is not None for call in calls_of(row)]


@pytest.mark.parametrize("defaults", LEADS)
def test_dtypes_are_those_of_numpy_or_the_devices_own(calls, defaults):
    wrong = []
    with warnings.catch_warnings(), np.errstate(all="ignore"), xp.config(defaults=defaults, fallback="allow", default_device=DEVICE):
        warnings.simplefilter("ignore")
        for number, (row, call) in enumerate(calls):
            for lead in map(np.dtype, LEADS[defaults]):
                if lead in row.dtypes and (lead.kind == "f" or number % 2):
                    try:
                        check_dtypes(row, call, lead, DEVICE)
                    except Mismatch as mismatch:
                        wrong.append(f"{mismatch}\n{describe(row, call, lead)}")
    assert not wrong, "\n".join(wrong)
