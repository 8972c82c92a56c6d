"""Suite products: that it runs, and that it finds a bound that does not hold, and a class that is not IEEE's."""

import itertools

import numpy as np
import pytest

from trnarray.conformance import __main__ as command
from trnarray.conformance.suites import products

SEED = 1
ROUND = 4 * 9 + 15  # rungs by operands, of which float64 has more


def test_drawn_cases_of_every_pair_of_factors(monkeypatch, capsys):
    """On each generation a round of all rungs and operands, small ones; two readings each, by the seed, which failures print."""
    monkeypatch.setattr(products, "_MOST", 1 << 14)
    monkeypatch.setattr(products, "_SLOW", 1 << 10)
    pairs = set()
    for number, target in enumerate(("trn1", "trn2", "trn3")):
        seed = SEED + 2 * number
        assert command.main(["products", "--device", f"sim:{target}", "--max-examples", str(ROUND), "--seed", str(seed)]) == 0
        assert "largest error, float64, of the bound" in capsys.readouterr().out
        for rung, case, readings in (products.factors(example, seed) for example in range(ROUND)):
            for reading in readings:
                pairs |= set(itertools.combinations((target, rung, case, reading), 2))
    assert len(pairs) == 3 * (5 + 15 + 5) + ROUND + 5 * 5 + 15 * 5


def test_it_finds_a_bound_that_does_not_hold(monkeypatch, capsys):
    monkeypatch.setattr(products, "product_bound", lambda *_: 2.0**-60)
    assert command.main(["products", "--device", "sim:trn2", "--max-examples", "4", "--seed", "1"]) == 1
    assert "exceeds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("found", "error"), [([[np.nan, 1]], 0), ([[np.inf, 1]], np.inf), ([[np.nan, np.inf]], np.inf), ([[np.nan, 2]], 1)]
)
def test_it_finds_what_is_no_ieee_arithmetic(found, error):
    a, b = np.array([[0.0, 1.0]]), np.array([[np.inf, 0.0], [1.0, 1.0]])  # 0 times infinity is NaN, and the second sum is 1
    assert products.error_of(a, b, np.array(found), np.random.default_rng(0)) == error
