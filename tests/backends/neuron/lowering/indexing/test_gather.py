"""Which kernel moves elements by position: the one that is predicted to take the least time."""

import pytest

import trnarray as xp

from ..beside_host import DEVICE


def zeros(*shape, dtype=xp.float32):
    return xp.zeros(shape, dtype=dtype, device=DEVICE)


def explained(value):
    return str(xp.explain(value))


@pytest.mark.parametrize(
    ("shape", "count", "kernel"),
    [
        ((1000,), 5000, "gather of elements"),  # a table that fits a partition
        ((100, 16), 5000, "gather of elements"),
        ((20000, 64), 5000, "gather of rows"),
        ((20, 5000), 5000, "gather of rows"),  # long rows
    ],
)
def test_gathers(shape, count, kernel):
    assert kernel in explained(xp.take(zeros(*shape), zeros(count, dtype=xp.int32), axis=0))


@pytest.mark.parametrize(
    ("size", "dtype", "kernel"),
    [
        (4096, xp.float32, "scatter of elements by add, as products"),
        (100, xp.int32, "scatter of elements by add, as products"),
        (4097, xp.float32, "scatter of elements by add"),  # more places than products have room for
        (100, xp.float16, "scatter of elements by add"),  # sums are rounded one by one
    ],
)
def test_sums(size, dtype, kernel):
    base = zeros(size, dtype=dtype)
    xp.add.at(base, zeros(300, dtype=xp.int32), zeros(300, dtype=dtype))
    text = explained(base)
    assert kernel in text
    assert ("as products" in text) == ("as products" in kernel)
