"""Gaussian elimination, Cholesky factors and triangular systems over partitions, against double precision."""

import numpy as np
import pytest

from trnarray.backends.neuron.kernels.factor import substitution
from trnarray.backends.simulator.knobs import Knobs

from .declared_kernel import predict, run

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
    ("order", "sides", "target", "knobs"), [(2, 2, *SETTINGS[0]), (34, 2, *SETTINGS[1]), (34, 1, *SETTINGS[2]), (34, 1, *SETTINGS[0])]
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


@pytest.mark.parametrize(("height", "order"), [(9, 4), (150, 34)])
def test_factors_of_more_rows_than_columns(height, order):
    """Rows that are no pivots stay where they are, with factors of at most 1 + 2**-12, and are marked."""
    a = random(2, height, order)
    packed, places, regular, rows, alive = run("LU", a)
    assert regular.all()
    for matrix, top, pivots, whole, flags in zip(a.astype(float), packed, places.astype(int), rows, alive, strict=True):
        others = np.flatnonzero(flags)
        assert sorted([*pivots, *others]) == list(range(height))
        lower = np.concatenate([np.tril(top, -1) + np.eye(order), whole[others]]).astype(float)
        assert np.abs(lower).max() <= 1 + 2.0**-12
        rest = np.abs(lower @ np.triu(top) - matrix[[*pivots, *others]]).max()
        assert rest <= 2 * order * U * np.abs(top).max()


def test_rows_on_more_than_128_partitions():
    a, b = random(1, 130, 130), random(1, 130, 1)
    x, _ = run("solve", a, b)
    assert np.abs(a[0].astype(float) @ x[0] - b[0]).max() <= 130 * U * np.abs(a).sum(2).max() * np.abs(x).max()


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


@pytest.mark.parametrize(
    ("order", "target", "knobs"), [*((order, *setting) for order in (2, 34) for setting in SETTINGS), (200, "trn2", Knobs())]
)
def test_cholesky(order, target, knobs):
    """Backward errors: n u."""
    a = random(order, order).astype(float)
    scale = np.float32(2.0**90) if order == 2 else np.float32(1)
    a = (a @ a.T + order * np.eye(order)).astype(np.float32) * scale
    upper = np.triu(a) + np.tril(np.full_like(a, np.nan), -1)  # which is not read
    factor, definite = run("Cholesky", np.stack([upper, np.eye(order, dtype=np.float32)]), target=target, knobs=knobs)
    assert definite.tolist() == [1, 1]
    assert not np.tril(factor, -1).any()
    wide = factor[0].astype(float)
    assert np.abs(wide.T @ wide - a).max() <= max(order, 4) * U * np.abs(a).max()
    np.testing.assert_allclose(factor[1], np.eye(order), rtol=0, atol=2 * U)


def test_cholesky_of_what_is_not_definite():
    """Pivots of 0 and below it are told of, as LAPACK's are; NaN is not."""
    unit = np.eye(40, dtype=np.float32)
    a = np.stack([unit, unit, unit, unit])
    a[1, 39, 39], a[2, 33, 33], a[3, 0, 1] = 0, np.nan, 2
    assert run("Cholesky", a)[1].tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(("lower", "unit"), [(True, False), (False, False), (True, True), (False, True)])
def test_triangular_systems(lower, unit, streamed, monkeypatch):
    """Backward errors: n u. Panels of few right-hand sides and a triangle that is packed in HBM stand for large ones."""
    cases = [(2, 1), (40, 3), (130, 1)]
    if streamed:
        cases = [(290, 7)] if lower != unit else [(257, 5)]
        monkeypatch.setattr(substitution, "_PANEL", 2)
        monkeypatch.setattr(substitution, "_RESIDENT", 1)
        monkeypatch.setattr(substitution, "_INSTRUCTIONS", 1 if unit else 50_000)  # of many, panels are a loop of the device
    for (order, sides), (target, knobs) in zip(cases, SETTINGS[streamed + unit :] + SETTINGS, strict=False):
        a = random(order, order) / np.float32(np.sqrt(order)) + 2 * np.eye(order, dtype=np.float32)
        b = random(1, order, sides)
        other = np.full_like(a, np.nan)  # which is not read
        given = (np.tril(a, -unit) + np.triu(other, 1 - unit)) if lower else (np.triu(a, unit) + np.tril(other, unit - 1))
        transposed = (order + unit) % 2 == 0
        matrix = given.T if transposed else given
        ways = {"lower": lower, "transposed": transposed, "unit": unit}
        x, regular, holds = run("triangular solve", matrix[None], b, **ways, target=target, knobs=knobs)
        assert regular == holds == 1
        triangle = (np.tril if lower else np.triu)(a.astype(float))
        triangle += unit * (np.eye(order) - np.diag(np.diag(triangle)))
        bound = max(order, 4) * U * np.abs(triangle).sum(1).max() * np.abs(x).max()
        assert np.abs(triangle @ x[0] - b[0]).max() <= bound


def test_triangles_whose_solutions_are_not_accurate():
    """A zero on the diagonal is one thing, blocks with inverses that overflow, or spoil what they multiply, and NaN are another."""
    order = 40
    zero, grown, tiny = (np.eye(order, dtype=np.float32) for _ in range(3))
    zero[35, 35] = 0
    grown[np.tril_indices(order, -1)] = -8
    tiny *= np.float32(2.0**100)  # solutions are flushed to zero
    b = random(4, order, 1)
    b[1] = grown.sum(1, keepdims=True)
    b[2, 3] = np.nan
    x, regular, holds = run("triangular solve", np.stack([zero, grown, np.eye(order, dtype=np.float32), tiny]), b, lower=True)
    assert regular.tolist() == [0, 1, 1, 1]
    assert holds.tolist() == [1, 0, 0, 1]
    assert np.abs(x[3]).max() <= 4 * 2.0**-100


def test_predicted_times():
    """The figures of the documentation, on trn2."""
    assert predict("Cholesky", (1, 128, 128)).seconds <= 85e-6
    assert predict("Cholesky", (1, 1024, 1024)).seconds <= 0.78e-3
    assert predict("triangular solve", (1, 1024, 1024), (1, 1024, 512), lower=True).seconds <= 135e-6
