"""Writes among reads of the same memory, which fusion must not reorder: arrays of many tiles, all of it one program."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
N = 600_000


FAR = 2 * N // 5  # more than the tiles that are on their way at once, and less than half


def shifted_up(m, x, a):
    x[FAR:] = x[:-FAR]
    return [x]


def shifted_down(m, x, a):
    x[:-FAR] = x[FAR:]
    return [x]


def shifted_and_doubled(m, x, a):
    x[FAR:] = x[:-FAR] * 2
    return [x]


def copy_used_after(m, x, a):
    part = x[: N // 2].copy()
    x[0:7] = 7
    result = part + 1
    del part
    return [result, x]


def read_where_it_was_written(m, x, a):
    x[1 : N - 1] = a[: N - 2] * 2
    same, across = x[1 : N - 1] * 3, x[: N - 2] * 3
    return [x, same, across]


def read_before_it_is_written(m, x, a):
    value = a[1:] * 2
    tripled = x * 3  # another iteration space than that of the value, which is made before
    x[1:] = value
    return [x, tripled]


def reduced_before_it_is_written(m, x, a):
    value = a[1:] * 2
    largest = m.max(x)
    x[1:] = value + 100
    return [x, m.reshape(largest, (1,))]


def multiplied_before_it_is_written(m, x, a):
    value = a[:250] * 2
    matrix = m.reshape(x[: 500 * 600], (500, 600))
    product = matrix[:, :3].T @ matrix[:, :2]
    x[1:251] = value
    return [x, product]


def written_twice(m, x, a):
    x[10:100] = a[10:100]
    first = x[5:105] + 0
    x[50:150] = first + 1
    return [x, first]


def alike_and_written_apart(m, x, a):
    one, other = x * a, x * a
    one[5:9] = 1
    third = other + 1
    del other
    return [one, third]


def parts_of_what_is_computed(m, x, a):
    doubled = x * 2
    return [doubled[3:9].copy(), doubled[: N // 2].copy(), m.reshape(doubled, (2, -1)).copy()]


def turned_again_and_again(m, x, a):
    matrix = m.reshape(m.tile(x, 5), (1200, 2500))  # more than the tiles of a transpose hold
    for _ in range(4):
        matrix = m.reshape(m.permute_dims(matrix + 1, (1, 0)), (1200, 2500))
    return [matrix.copy()]


def written_by_a_search_after_a_copy(m, x, a):
    doubled = a * 2
    found = m.searchsorted(m.sort(x[:50]), x[:200]).astype(m.float32)  # a graph of its variant's, whose nodes are made anew
    copy = doubled.copy()
    doubled[:200] = found
    sums = m.sum(m.reshape(copy, (600, 1000)), axis=0)
    del copy
    return [sums, doubled]


PROGRAMS = [
    shifted_up, shifted_down, shifted_and_doubled, copy_used_after, read_where_it_was_written, read_before_it_is_written,
    reduced_before_it_is_written, multiplied_before_it_is_written, written_twice, alike_and_written_apart, parts_of_what_is_computed,
    turned_again_and_again, written_by_a_search_after_a_copy,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS)
def test_reads_and_writes_keep_their_order(program):
    rng = np.random.default_rng(1)
    x, a = (rng.integers(-9, 9, N).astype(np.float32) for _ in range(2))
    found = program(xp, xp.asarray(x, device=DEVICE), xp.asarray(a, device=DEVICE))
    for mine, theirs in zip(found, program(np, x, a), strict=True):
        np.testing.assert_array_equal(np.asarray(mine.to_device("cpu")), theirs)


def written_beside(kept, wanted):
    """Write to what a copy may need, before the write or of a value that is computed with it."""
    x = xp.asarray(np.arange(12, dtype=np.float32), device=DEVICE)
    xp.synchronize(DEVICE)
    before, doubled = x.copy(), x * 2
    copy = doubled.copy()
    x[2:5] = -1
    doubled[2:5] = -2
    if not kept:
        del before
    if not wanted:
        del copy
    xp.synchronize(DEVICE)
    rest = ([before] if kept else []) + ([copy / 2] if wanted else [])
    return [np.asarray(array.to_device("cpu")).tolist() for array in (x, doubled / 2, *rest)]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0)])
def test_plans_of_graphs_that_differ_in_what_is_kept_are_others(order):
    plain = np.arange(12, dtype=np.float32)
    changed = plain.copy()
    changed[2:5] = -1
    for number in order:
        kept, wanted = bool(number & 1), bool(number & 2)
        expected = [changed.tolist()] * 2 + [plain.tolist()] * (kept + wanted)
        assert written_beside(kept, wanted) == expected
