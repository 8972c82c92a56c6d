"""Numerical programs as loops, against the same loops of NumPy in float64."""

import numpy as np
import pytest

import trnarray as xp

DEVICES = ["cpu", "sim:trn1", "sim:trn2", "sim:trn3"]
NEURON = "sim:trn2"
RNG = np.random.default_rng(7)
U = 2.0**-24  # unit roundoff of float32


def host(x):
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize("device", DEVICES)
def test_jacobi_sweeps_in_place(device):
    grid = RNG.standard_normal((40, 50))
    expected = grid.copy()
    for _ in range(12):
        expected[1:-1, 1:-1] = (expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:]) / 4

    def sweep(i, x):
        x[1:-1, 1:-1] = (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]) / 4
        return x

    x = xp.asarray(grid.astype(np.float32), device=device)
    found = xp.fori_loop(0, 12, sweep, x)
    # A sweep averages, so that errors do not grow: 12 of them, each of three sums.
    np.testing.assert_allclose(host(found), expected, atol=12 * 4 * U * np.abs(grid).max())
    np.testing.assert_array_equal(host(x), grid.astype(np.float32))


@pytest.mark.parametrize("device", DEVICES)
def test_power_iteration(device):
    matrix = RNG.standard_normal((60, 60))
    matrix = matrix @ matrix.T / 60 + 5 * np.outer(*2 * [np.ones(60)]) / 60
    vector = np.ones(60)
    for _ in range(30):
        vector = matrix @ vector
        vector /= np.linalg.norm(vector)
    a = xp.asarray(matrix.astype(np.float32), device=device)

    def turn(i, state):
        product = a @ state["vector"]
        norm = xp.sqrt(xp.vecdot(product, product))
        return {"vector": product / norm, "value": norm}

    found = xp.fori_loop(0, 30, turn, {"vector": xp.ones(60, dtype=xp.float32, device=device), "value": xp.float32(0)})
    # The direction contracts, so that the last product counts: 60 terms, and as many again for the norm.
    np.testing.assert_allclose(host(found["vector"]), vector, atol=200 * U)
    np.testing.assert_allclose(host(found["value"]), np.linalg.eigvalsh(matrix)[-1], rtol=1e-5)


@pytest.mark.parametrize("device", DEVICES)
def test_runge_kutta_steps_that_know_their_number(device):
    step = 1 / 32

    def slope(m, t, y):
        return m.cos(t) * y

    y = np.array([1.0, 2.0, 0.5])
    for i in range(32):
        t = i * step
        a = slope(np, t, y)
        b = slope(np, t + step / 2, y + step / 2 * a)
        c = slope(np, t + step / 2, y + step / 2 * b)
        y = y + step / 6 * (a + 2 * b + 2 * c + slope(np, t + step, y + step * c))

    def turn(i, y):
        t = i.astype(xp.float32) * step
        a = slope(xp, t, y)
        b = slope(xp, t + step / 2, y + step / 2 * a)
        c = slope(xp, t + step / 2, y + step / 2 * b)
        return y + step / 6 * (a + 2 * b + 2 * c + slope(xp, t + step, y + step * c))

    found = xp.fori_loop(0, 32, turn, xp.asarray([1.0, 2.0, 0.5], dtype=xp.float32, device=device))
    np.testing.assert_allclose(host(found), y, rtol=32 * 4 * U)  # some four roundings of the size of y in each step


@pytest.mark.parametrize("device", DEVICES)
def test_steps_are_kept_in_a_row_each(device):
    forces = RNG.standard_normal((9, 5)).astype(np.float32)
    expected, y = np.zeros((9, 5)), np.ones(5)
    for i in range(1, 9):
        y = 0.5 * y + forces[i - 1]
        expected[i] = y
    force = xp.asarray(forces, device=device)

    def turn(i, state):
        path, y = state
        y = 0.5 * y + force[i - 1]
        path[i] = y
        return path, y

    path, y = xp.fori_loop(1, 9, turn, (xp.zeros_like(force), xp.ones(5, dtype=xp.float32, device=device)))
    if device != "cpu":
        (loop,) = (stage for step in xp.explain(path).steps for stage in step.stages if stage.stages)
        assert sum("scatter" in stage.computes for stage in loop.stages) == 1
        assert loop.prediction.hbm_written < 8 * forces.nbytes  # no turn copies the path
    np.testing.assert_allclose(host(path), expected, atol=4 * 3 * U * np.abs(forces).max())  # errors halve: some 2 steps of 2 roundings
    np.testing.assert_allclose(host(y), expected[-1], atol=4 * 3 * U * np.abs(forces).max())


def conjugate_gradients(m, a, b, tolerance, loop):
    residual = b * 1

    def turn(state):
        x, r, p, square, count = state
        product = a @ p
        alpha = square / m.vecdot(p, product)
        r = r - alpha * product
        following = m.vecdot(r, r)
        return x + alpha * p, r, r + following / square * p, following, count + 1

    return loop(lambda state: state[3] > tolerance, turn, (m.zeros_like(b), residual, residual * 1, m.vecdot(residual, residual), 0))


def python_loop(condition, body, state):
    while condition(state):
        state = body(state)
    return state


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("every", [8, 3])
def test_conjugate_gradients_take_a_launch_for_some_turns(device, every, launches):
    matrix = RNG.standard_normal((96, 96))
    matrix = matrix @ matrix.T / 96 + np.eye(96)
    right = RNG.standard_normal(96)
    tolerance = float(1e-8 * right @ right)
    expected = conjugate_gradients(np, matrix, right, tolerance, python_loop)
    a, b = (xp.asarray(x.astype(np.float32), device=device) for x in (matrix, right))
    found = conjugate_gradients(xp, a, b, tolerance, lambda *parts: xp.while_loop(*parts, every=every))
    del launches[:]
    x, turns = host(found[0]), int(host(found[4]))
    assert abs(turns - expected[4]) <= 1
    assert np.linalg.norm(matrix @ x - right) < 2e-4 * np.linalg.norm(right)  # twice the square root of the tolerance
    if device == NEURON:
        assert len(launches) <= turns / every + 2
        assert len(set(launches)) == 2
