"""Which bytes were written, against one bool per byte."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.simulator.machine.memory import Mask
from trnarray.backends.simulator.tensor.geometry import Geometry

NBYTES = 48


@st.composite
def places(draw):
    """Elements of one of three sizes, not always aligned, in rows of 16 bytes."""
    dtype = np.dtype(draw(st.sampled_from(["u1", "<u2", "<u4"])))
    size = dtype.itemsize
    offset = draw(st.integers(0, 3)) * (size if draw(st.booleans()) else 1)
    columns = draw(st.integers(1, (16 - offset) // size))
    rows = draw(st.integers(1, 3))
    return Geometry((rows, columns), dtype, offset, (16, size), False)


def each_byte(at):
    starts = at.offset + sum(np.ix_(*[np.arange(n) * stride for n, stride in zip(at.shape, at.strides, strict=True)]))
    return starts[..., None] + np.arange(at.dtype.itemsize)


@pytest.mark.parametrize("mixed", [False, True])
@given(steps=st.lists(st.tuples(st.sampled_from(["add", "remove", "put", "has_all", "elements"]), places()), max_size=12))
def test_masks(mixed, steps):
    mask, wanted = Mask(NBYTES, mixed=mixed), np.zeros(NBYTES, bool)
    for step, at in steps:
        inside = each_byte(at)
        if step == "put":
            selected = (inside[..., 0] // at.dtype.itemsize) % 2 == 0
            mask.put(at, selected, True)
            wanted[inside[selected]] = True
        elif step in ("add", "remove"):
            getattr(mask, step)(at)
            wanted[inside] = step == "add"
        elif step == "has_all":
            assert mask.has_all(at) == wanted[inside].all()
        else:
            np.testing.assert_array_equal(mask.elements(at), wanted[inside].all(-1))
