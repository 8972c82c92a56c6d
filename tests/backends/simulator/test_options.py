"""Options and knobs: what they take."""

import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs


@pytest.mark.parametrize(
    ("knob", "value"),
    [("two_op", "fuse"), ("pe_product", "bf16"), ("pe_order", "permuted"), ("dve_order", "permuted:x"), ("dma_duplicates", "first")],
)
def test_a_misspelled_knob_is_not_the_default(knob, value):
    with pytest.raises(ValueError, match=f"{knob} is '{value}'; use "):
        Knobs(**{knob: value})


@pytest.mark.parametrize(("option", "value"), [("uninitialized", "nann"), ("races", "strictly"), ("mode", "costs")])
def test_a_misspelled_option_is_not_the_default(option, value):
    with pytest.raises(ValueError, match=f"{option} is '{value}'; use "), simulator.options("trn2", **{option: value}):
        pass
