"""The bijection that orders many elements: a permutation for every number of elements, and random by what a few tests can tell."""

import numpy as np
import pytest
from scipy import stats

from trnarray.backends.counter_based.orders import ROUNDS, keys_of, order


def keys(seed):
    return keys_of(np.random.default_rng(seed).integers(0, 2**32, 2 * ROUNDS).tolist())


@pytest.mark.parametrize("count", [2, 3, 5, 64, 100, 127, 128, 1000, 65536, 65537, 100_003])
def test_orders_are_permutations(count):
    np.testing.assert_array_equal(np.sort(order(count, keys(count))), np.arange(count))


def test_orders_are_random():
    """First elements, distances of neighbours, ascents and fixed points of many orders."""
    count, orders = 1024, np.array([order(1024, keys(seed)) for seed in range(1500)]).astype(np.int64)
    assert stats.chisquare(np.bincount(orders[:, 0] // 32, minlength=32)).pvalue > 1e-3
    distances = (orders[:, 1] - orders[:, 0]) % count  # 1 to 1023, each as often
    assert stats.chisquare(np.bincount((distances - 1) // 33, minlength=31)).pvalue > 1e-3
    ascents = (np.diff(orders, axis=1) > 0).sum(axis=1)  # normal, of mean (n - 1) / 2 and variance (n + 1) / 12
    assert stats.kstest((ascents - (count - 1) / 2) / np.sqrt((count + 1) / 12), "norm").pvalue > 1e-3
    fixed = np.bincount((orders == np.arange(count)).sum(axis=1), minlength=6)[:6]
    expected = 1500 * np.append(stats.poisson.pmf(range(4), 1), stats.poisson.sf(3, 1))
    assert stats.chisquare([*fixed[:4], 1500 - fixed[:4].sum()], expected).pvalue > 1e-3
