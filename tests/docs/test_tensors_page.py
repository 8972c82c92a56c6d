"""What the page on tensors says without an example."""

import re
from pathlib import Path

import numpy as np

import trnarray as xp

ROOT = Path(__file__).parents[2]


def test_several_contractions_are_one_program_with_shared_operands():
    a, b, c = (xp.ones((64, 64), dtype=xp.float32, device="sim:trn2") for _ in range(3))
    xp.synchronize()
    x, y = xp.einsum("ap,bp->ab", a, b), xp.einsum("ap,bp->ab", a, c)
    explained = xp.explain(x + y)
    assert len(explained.steps) == 1
    assert np.array_equal(np.asarray((x + y).to_device("cpu")), np.full((64, 64), 128.0))


def test_scale_and_sum_are_fused_behind_the_product():
    a, b, c = (xp.ones((64, 64), dtype=xp.float32, device="sim:trn2") for _ in range(3))
    xp.synchronize()
    stages = xp.explain(2.0 * xp.einsum("ij,jk->ik", a, b) + 3.0 * c).steps[0].stages
    assert len(stages) == 1


def test_the_tests_that_the_table_names_are_there():
    names = set(re.findall(r"`(test_\w+\.py)`", (ROOT / "docs" / "tensors.md").read_text()))
    assert names
    assert names <= {path.name for path in (ROOT / "tests").rglob("test_*.py")}
