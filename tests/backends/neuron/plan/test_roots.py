"""Values that are all of something else, in order: their memory is that of the other, unless somebody else wants it."""

import numpy as np
import pytest

import trnarray as xp

A = np.random.default_rng(1).standard_normal((40, 300, 3)).astype(np.float32)


@pytest.fixture
def x():
    xp.synchronize("sim:trn2")
    return xp.asarray(A, device="sim:trn2")


def agree(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(one.to_device("cpu")), other)


def test_a_reshaped_permutation_is_written_once(x):
    y = xp.reshape(xp.permute_dims(x, (0, 2, 1)), (120, 300)).copy()
    (step,) = xp.explain(y).steps
    assert [stage.computes.partition(",")[0] for stage in step.stages] == ["permutation of axes"]
    assert step.hbm_bytes("temporary") == 0
    assert step.prediction.hbm_written == A.nbytes
    agree([y], [A.transpose(0, 2, 1).reshape(120, 300)])


def test_two_copies_of_one_value_have_memory_of_their_own(x):
    source = xp.permute_dims(x, (0, 2, 1))
    flat, pairs = xp.reshape(source, (-1,)).copy(), xp.reshape(source, (-1, 2)).copy()
    flat[0] = 7
    pairs[1] = 8
    expected = A.transpose(0, 2, 1)
    first, second = expected.ravel().copy(), expected.reshape(-1, 2).copy()
    first[0], second[1] = 7, 8
    agree([pairs, flat], [second, first])


def test_what_is_kept_beside_its_copies_is_computed_with_them(x):
    doubled = x * 2
    flat, turned = xp.reshape(doubled, (-1,)).copy(), xp.reshape(doubled, (300, 40, 3)).copy()
    (step,) = xp.explain(flat).steps
    assert len(step.stages) == 1
    assert step.prediction.hbm_read < 1.1 * A.nbytes
    agree([flat, turned, doubled], [2 * A.ravel(), 2 * A.reshape(300, 40, 3), 2 * A])


def test_a_copy_does_not_see_later_writes_to_its_source(x):
    moved = xp.permute_dims(x, (2, 0, 1)).copy()
    before = xp.reshape(moved, (-1,)).copy()
    moved += 1
    between = xp.reshape(moved, (6, -1)).copy()
    moved[1:] = 0
    after = xp.reshape(moved, (-1,)).copy()
    del moved
    expected = A.transpose(2, 0, 1)
    last = expected + 1
    last[1:] = 0
    agree([after, before, between], [last.ravel(), expected.ravel(), (expected + 1).reshape(6, -1)])


def test_a_copy_of_what_is_updated_in_place(x):
    x[3] = 1
    first = xp.reshape(x, (-1,)).copy()
    x[4] = 2
    second = xp.reshape(x, (-1,)).copy()
    del x
    expected = A.copy()
    expected[3] = 1
    before = expected.ravel().copy()
    expected[4] = 2
    agree([second, first], [expected.ravel(), before])
