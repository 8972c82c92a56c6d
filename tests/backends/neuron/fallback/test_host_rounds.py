"""Calls on the host that do not need each other share a round: one fetch, one way back, and each its own errors."""

import numpy as np
import pytest
import scipy

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.ops import linalg
from trnarray.backends.rules import Signature
from trnarray.scipy import linalg as scipy_linalg

DEVICE = "sim:trn2"
EPS = float(np.finfo(np.float32).eps)


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch):
    """Take the kernels of these functions away."""
    engine_for(Device(DEVICE))  # has given them theirs
    for op in (linalg.inv, linalg.det, linalg.solve):
        monkeypatch.setattr(op, "neuron", None)
    with xp.config(fallback="allow"):
        yield


@pytest.fixture
def counts(monkeypatch):
    """Count launches, and rounds with the buffers that each fetches and brings."""
    engine = engine_for(Device(DEVICE))
    engine.flush()
    found = {"launches": 0, "rounds": 0, "fetched": [], "brought": []}
    launcher = engine.launcher
    run, to_host, to_device, one_round = launcher.run, launcher.to_host, launcher.to_device, engine._round

    def count_round(step):
        found["rounds"] += 1
        with monkeypatch.context() as patch:
            patch.setattr(launcher, "to_host", lambda buffers, dtypes: found["fetched"].append(len(buffers)) or to_host(buffers, dtypes))
            patch.setattr(launcher, "to_device", lambda planes: found["brought"].append(len(planes)) or to_device(planes))
            one_round(step)

    monkeypatch.setattr(launcher, "run", lambda *args: found.update(launches=found["launches"] + 1) or run(*args))
    monkeypatch.setattr(engine, "_round", count_round)
    return found


def on_device(array):
    return xp.asarray(np.asarray(array, np.float32), device=DEVICE)


def host(x):
    return np.asarray(x.to_device("cpu"))


def matrices(seed, *shape):
    return np.random.default_rng(seed).standard_normal(shape) + 4 * np.eye(shape[-1])


def test_six_inverses_are_one_launch_and_one_round(counts):
    given = matrices(0, 6, 3, 3)
    made = [xp.linalg.inv(on_device(matrix) * 2) for matrix in given]
    for inverse, matrix in zip(made, given, strict=True):
        np.testing.assert_allclose(host(inverse), np.linalg.inv(matrix * 2), rtol=0, atol=64 * EPS)  # LU of 3 x 3, condition below 10
    assert counts == {"launches": 1, "rounds": 1, "fetched": [6], "brought": [6]}


def test_an_operand_of_several_calls_is_fetched_once(counts):
    matrix = matrices(1, 3, 3)
    x = on_device(matrix)
    inverse, determinant, solution = xp.linalg.inv(x), xp.linalg.det(x), xp.linalg.solve(x, x[0])
    np.testing.assert_allclose(host(determinant), np.linalg.det(matrix), rtol=64 * EPS)
    assert counts == {"launches": 0, "rounds": 1, "fetched": [1], "brought": [3]}
    np.testing.assert_allclose(host(inverse), np.linalg.inv(matrix), rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(host(solution), np.linalg.solve(matrix, matrix[0]), rtol=0, atol=256 * EPS)


def test_what_calls_read_of_calls_stays_on_the_host(counts):
    matrix = matrices(4, 3, 3)
    x = on_device(matrix)
    inner = xp.linalg.inv(x)
    determinant = xp.linalg.det(xp.linalg.solve(x, inner)) + xp.linalg.det(xp.linalg.inv(inner))
    del inner
    steps = xp.explain(determinant).steps
    assert [(step.fetched, step.brought) for step in steps[:-1]] == [(36, 0), (36, 0), (0, 8)]
    np.testing.assert_allclose(host(determinant), np.linalg.det(matrix) + np.linalg.det(np.linalg.inv(matrix)) ** 2, rtol=512 * EPS)
    assert counts == {"launches": 1, "rounds": 3, "fetched": [1, 1], "brought": [2]}


def test_what_a_failed_write_leaves_is_brought_when_a_program_reads_it(counts):
    matrix = matrices(5, 2, 2)
    x, singular = on_device(matrix), on_device(np.ones((2, 2)))
    target = xp.linalg.inv(x)
    other = xp.linalg.det(target)
    target[...] = xp.linalg.inv(singular)
    with pytest.raises(np.linalg.LinAlgError):
        host(target)
    np.testing.assert_allclose(host(target * 2), 2 * np.linalg.inv(matrix), rtol=0, atol=64 * EPS)
    np.testing.assert_allclose(host(other), 1 / np.linalg.det(matrix), rtol=64 * EPS)


def kalman(np, z):
    """Filter positions; every step solves twice and takes a determinant, which only the next step needs."""
    F = np.asarray([[1, 0, 0.1, 0], [0, 1, 0, 0.1], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    H = np.asarray([[1.0, 0, 0, 0], [0, 1, 0, 0]])
    Q, R = 0.05 * np.eye(4), 0.01 * np.eye(2)
    x, P, likelihood, path = np.zeros(4), np.eye(4), 0.0, np.zeros((z.shape[0], 4))
    for k in range(z.shape[0]):
        x = F @ x
        P = F @ P @ F.T + Q
        y = z[k] - H @ x
        S = H @ P @ H.T + R
        K = np.linalg.solve(S, H @ P).T
        x = x + K @ y
        P = (np.eye(4) - K @ H) @ P
        likelihood = likelihood - 0.5 * (y @ np.linalg.solve(S, y) + np.log(np.linalg.det(2 * np.pi * S)))
        path[k] = x
    return path, likelihood


def test_a_filter_of_sixty_steps_is_sixty_rounds(counts):
    t = np.arange(60) * 0.1
    z = np.stack([np.sin(t), np.cos(0.7 * t)], 1) + 0.1 * np.random.default_rng(19).standard_normal((60, 2))
    with xp.default_device(DEVICE):
        path, likelihood = kalman(xp, on_device(z))
    found = host(path)
    assert counts["launches"] <= 61
    assert counts["rounds"] <= 60
    expected, wanted = kalman(np, z)
    np.testing.assert_allclose(found, expected, rtol=0, atol=64 * EPS)  # the filter forgets: errors do not grow with steps
    assert float(likelihood) == pytest.approx(wanted, rel=256 * EPS)  # a sum of 60


def test_a_singular_matrix_leaves_other_steps_unharmed(counts):
    x, singular = on_device(matrices(2, 2, 2)), on_device(np.ones((2, 2)))
    good, bad = xp.linalg.inv(x), xp.linalg.inv(singular)
    target = x * 1
    before = host(target)
    target[0] = bad[0]  # a write that fails leaves its target as it was
    after = good + 1
    np.testing.assert_allclose(host(after), np.linalg.inv(matrices(2, 2, 2)) + 1, rtol=0, atol=64 * EPS)
    for dependent in (bad, bad + 1, target):
        with pytest.raises(np.linalg.LinAlgError, match="Singular") as caught:
            host(dependent)
        assert any(f"linalg.inv was called at {__file__}" in note for note in caught.value.__notes__)
    np.testing.assert_array_equal(host(target), before)
    np.testing.assert_allclose(host(good), np.linalg.inv(matrices(2, 2, 2)), rtol=0, atol=64 * EPS)


def test_errors_in_arguments_are_raised_at_the_call():
    x = on_device(np.ones((2, 3)))
    with pytest.raises(np.linalg.LinAlgError, match="square"):
        xp.linalg.inv(x)
    with pytest.raises(ValueError, match="do not fit"):
        xp.linalg.solve(x[:, :2], x[0])


def test_explain_shows_the_round():
    x = on_device(matrices(3, 2, 2))
    solution = xp.linalg.solve(x, x[0])
    xp.linalg.det(x)
    text = str(xp.explain(solution))
    for part in ("1 call on the host", "linalg.solve of float32", f"called at {__file__}", "reason: it has no kernel", "8 B to the device"):
        assert part in text
    kept = [xp.linalg.det(x), *[xp.linalg.inv(x) for _ in range(3)]]
    text = str(xp.explain(kept[0]))
    assert "5 calls on the host in 1 round" in text
    assert "linalg.inv of float32 ×3" in text
    assert "moves: 16 B to the host" in text  # which all of them read


def test_explain_tells_why_a_call_did_not_wait():
    x = on_device([3.0, -1.0])
    with xp.config(defaults="numpy"):
        roots = xp.roots(xp.asarray([1.0, -3.0, 2.0], device=DEVICE))
    assert "nothing waits: the value is computed: roots ran on the host at once" in str(xp.explain(roots))
    assert f"called at {__file__}" in str(xp.explain(roots))
    assert "leading zeros are not counted" in str(xp.explain(roots))
    (fallback,) = (each for each in xp.coverage().fallbacks if each.op == "roots" and each.caller.startswith(__file__))
    assert fallback.reason.endswith("it runs at once: leading zeros are not counted")
    assert str(xp.explain(x)) == "nothing waits: the value is computed"


@pytest.mark.skipif(np.lib.NumpyVersion(scipy.__version__) < "1.16.0", reason="SciPy before 1.16 takes no stacks, and says so")
def test_a_reason_is_told_once():
    """The kernel and the rule refuse a stack of matrices for the same one."""
    stack = xp.asarray(np.stack([np.eye(3, dtype=np.float32)] * 2), device="sim:trn2")
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="it runs at once") as refused:
        scipy_linalg.cho_factor(stack)
    assert str(refused.value).count("known to the host alone") == 1


def test_pending_calls_on_the_host_are_computed_beyond_the_capacity(counts, monkeypatch):
    monkeypatch.setattr(engine_for(Device(DEVICE)).graph, "capacity", 5)
    x = on_device(matrices(6, 2, 2))
    made = [xp.linalg.inv(x) for _ in range(8)]
    assert counts["rounds"] == 1
    np.testing.assert_array_equal(host(made[0]), host(made[-1]))


@pytest.mark.parametrize("wrong", [((2, 3), np.float64), ((2, 2), np.int64), ((2, 2), np.float32)], ids=["shape", "kind", "width"])
def test_a_rule_that_is_wrong_is_told_and_changes_nothing_silently(monkeypatch, wrong):
    monkeypatch.setattr(linalg.inv, "rule", lambda promotion, a: Signature(wrong[0], np.dtype(wrong[1])))
    inverse = xp.linalg.inv(xp.asarray(np.eye(2), device=DEVICE))
    with pytest.raises(RuntimeError, match="its rule in trnarray says"):
        host(inverse)
