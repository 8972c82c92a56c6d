"""Gaussian elimination over partitions, against double precision."""

import numpy as np
import pytest

from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import run

RNG = np.random.default_rng(3)
U = 2.0**-24
SETTINGS = [
    ("trn1", Knobs(pe_product="split21", two_op="fused")),
    ("trn2", Knobs(denormals_dve="flush", denormals_pe="flush", denormals_act="flush", denormals_pool="flush")),
    ("trn3", Knobs(pe_order="permuted:2", dve_order="permuted:1")),
]


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize(
    ("order", "sides", "target", "knobs"), [*((order, 2, *setting) for order in (2, 34) for setting in SETTINGS), (130, 1, "trn2", Knobs())]
)
def test_solutions_and_factors(order, sides, target, knobs):
    """Backward errors: n u, twice as much where products keep 21 bits; factors are at most 1 + 2**-12."""
    a, b = random(1, order, order), random(1, order, sides)
    wide = a[0].astype(float)
    x, regular = run("solve", a, b, target=target, knobs=knobs)
    assert regular == 1
    bound = 2 * order * U
    assert np.abs(wide @ x[0] - b[0]).max() <= bound * np.abs(wide).sum(1).max() * np.abs(x).max()
    packed, places, _ = run("LU", a, target=target, knobs=knobs)
    lower, upper, rows = np.tril(packed[0], -1) + np.eye(order), np.triu(packed[0]), places[0].astype(int)
    assert sorted(rows) == list(range(order))
    assert np.abs(lower).max() <= 1 + 2.0**-12
    assert np.abs(lower.astype(float) @ upper - wide[rows]).max() <= bound * np.abs(upper).max()


def test_inverses_of_a_stack():
    a = random(2, 40, 40)
    a[1] += 10 * np.eye(40, dtype=np.float32)
    inverse, regular = run("solve", a)
    assert regular.all()
    wide = a.astype(float)
    scale = np.abs(wide).sum(2).max(1) * np.abs(inverse).sum(2).max(1)
    assert (np.abs(wide @ inverse - np.eye(40)).max((1, 2)) <= 40 * U * scale).all()


WILKINSON = np.tril(-np.ones((24, 24)), -1) + np.eye(24)
WILKINSON[:, -1] = 1  # whose elements grow to 2**23


@pytest.mark.parametrize(
    "matrix",
    [WILKINSON, np.diag(10.0 ** np.arange(-15, 15)), np.eye(40)[::-1], np.triu(np.ones((34, 34))), np.ones((3, 3)) + np.eye(3) * 1e-6],
    ids=["Wilkinson", "graded", "permutation", "Kahan", "nearly singular"],
)
def test_gallery(matrix):
    a = matrix.astype(np.float32)
    packed, places, regular = run("LU", a[None])
    rows = places[0].astype(int)
    lower, upper = np.tril(packed[0].astype(float), -1) + np.eye(len(a)), np.triu(packed[0])
    assert regular == 1
    assert (np.abs(lower @ upper - a[rows]) <= 2 * len(a) * U * (np.abs(lower) @ np.abs(upper))).all()


def test_singular_matrices():
    a = random(3, 5, 5)
    a[1, 2] = 0
    assert run("LU", a)[2].tolist() == [1, 0, 1]
    x, regular = run("solve", a, random(3, 5, 1))
    assert regular.tolist() == [1, 0, 1]
    assert np.isfinite(x[[0, 2]]).all()
    a[1, 2] = np.nan
    assert np.isnan(run("solve", a, random(3, 5, 1))[0][1]).all()


def test_ties_go_to_the_first_row():
    a = np.asarray([[[1, 1, 0], [-2, 0, 1], [2, 1, 1]]], np.float32)
    assert run("LU", a)[1][0, 0] == 1
