"""What plans hold: which chains share one, what they move, and how many instructions their programs have."""

import sys

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph.graph import ancestors
from trnarray.backends.neuron.launch.prediction import predict
from trnarray.backends.neuron.plan.assemble import Planner
from trnarray.backends.neuron.plan.plan import KernelStage, RowStage
from trnarray.backends.neuron.plan.schedule import schedule

DEVICE = "sim:trn2"


@pytest.fixture
def engine():
    engine = engine_for(Device(DEVICE))
    engine.flush()
    planner, engine.planner = engine.planner, Planner("trn2")
    yield engine
    engine.planner = planner


def array(shape, value=1.0):
    return xp.asarray(np.full(shape, value, np.float32), device=DEVICE)


def plan(engine):
    return engine.planner.plan(engine.graph.pending())


def test_numbers_and_offsets_do_not_make_another_plan(engine):
    x = array((64, 64))
    for i in range(5):
        x[i : i + 2] = x[i + 3 : i + 5] * (0.5 + i)
        engine.flush()
    assert (engine.planner.misses, engine.planner.hits) == (1, 4)


def test_another_function_or_layout_makes_another_plan(engine):
    x, y = array((6, 6)), array((6, 6))
    made = []
    for compute in (lambda: x + y, lambda: x - y, lambda: x + x, lambda: x.T + y, lambda: (x + y) * y, lambda: x + 2.0, lambda: x * 2.0):
        value = compute()
        made.append(plan(engine).plan)
        del value
    assert len(set(made)) == len(made) == engine.planner.misses
    assert len({repr(one) for one in made}) == len(made)


def test_equal_shapes_and_different_plans_are_different_programs(engine):
    x, y = array((8, 8), 3.0), array((8, 8), 5.0)
    for _ in range(2):
        for compute, wanted in ((lambda: x + y, 8.0), (lambda: x * y, 15.0), (lambda: y - x, 2.0), (lambda: x - y, -2.0)):
            assert float(compute()[0, 0]) == wanted


def test_plans_of_one_graph_are_equal_in_every_planner(engine):
    x, y = array((32, 32)), array((32, 32))
    value = xp.sum(x * y + 1.0, axis=-1)
    first, second = (Planner("trn2").plan(engine.graph.pending()).plan for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    del value


def test_equal_values_are_computed_once(engine):
    x, y = array((40, 40)), array((40, 40))
    value = xp.sum(x * y, axis=0) + xp.sum(x * y, axis=0)
    stages = plan(engine).plan.stages
    assert sum(isinstance(stage, KernelStage) for stage in stages) == 1
    del value


def test_equal_arrays_do_not_share_memory(engine):
    x, y = array((40, 40), 2.0), array((40, 40), 3.0)
    one, other = x * y, x * y
    engine.flush()
    one += 1.0
    assert (float(one[0, 0]), float(other[0, 0])) == (7.0, 6.0)


def test_numbers_that_happen_to_be_equal_stay_apart(engine):
    x = array((4, 4))
    for second in (2.0, 3.0):
        assert float((x * 2.0 + x * second)[0, 0]) == 2.0 + second
    assert (engine.planner.misses, engine.planner.hits) == (1, 1)


def test_values_that_nobody_has_are_not_computed(engine):
    x = array((40, 40))
    value = x / 3.0
    del value
    other = x + 1.0
    launch = plan(engine)
    assert len(launch.plan.stages) == 1
    del other


def test_a_slice_is_written_in_place(engine):
    x = array((4096, 4096))
    x[2:5] = 0.0
    launch = plan(engine)
    _, predicted = predict(launch.plan, "trn2", keep=False)
    assert predicted.hbm_read + predicted.hbm_written <= 2 * 3 * 4096 * 4
    engine.graph.forget_computed()


def test_a_transposed_operand_is_turned_on_chip(engine):
    x, y = array((4096, 4096)), array((4096, 4096))
    value = x.T + y
    _, turned = predict(plan(engine).plan, "trn2", keep=False)
    value = x + y
    _, plain = predict(plan(engine).plan, "trn2", keep=False)
    assert turned.seconds <= 1.3 * plain.seconds
    assert turned.hbm_read + turned.hbm_written == plain.hbm_read + plain.hbm_written
    del value


def test_a_row_is_read_once_for_all_tiles_of_a_column(engine):
    x, row = array((4096, 4096)), array((4096,))
    value = x + row
    _, predicted = predict(plan(engine).plan, "trn2", keep=False)
    assert predicted.hbm_read <= 4 * (4096 * 4096 + 128 * 4096)
    del value


def test_short_rows_lie_several_on_a_partition(engine):
    x = array((100_000, 3))
    value = xp.sum(x * x, axis=-1)
    traced, predicted = predict(plan(engine).plan, "trn2", keep=False)
    assert len(traced.instructions) < 100
    assert predicted.hbm_read == 4 * 300_000
    del value


@pytest.mark.parametrize("budget", [150, 400])
def test_large_chains_are_loops_within_the_budget(engine, budget):
    engine.planner = Planner("trn2", budget=budget)
    rng = np.random.default_rng(0)
    host = [rng.standard_normal(8_000_001).astype(np.float32) for _ in range(2)]
    x, y = (xp.asarray(one, device=DEVICE) for one in host)
    value = x * y - x
    launch = plan(engine)
    traced, looped = predict(launch.plan, "trn2", keep=False)
    assert len(traced.instructions) <= budget
    engine.planner = Planner("trn2")
    _, unrolled = predict(plan(engine).plan, "trn2", keep=False)
    assert looped.seconds <= 1.25 * unrolled.seconds  # loads and stores still run beside the functions
    with simulator.options("trn2"):
        (found,) = engine.launcher.run(launch.plan, [node.buffer for node in launch.inputs], launch.scalars)
    np.testing.assert_array_equal(np.asarray(found), host[0] * host[1] - host[0])
    del value


def test_the_largest_tensors_are_traced_in_no_time(engine):
    x = xp.zeros(1 << 29, dtype=xp.float32, device=DEVICE)  # 2 GiB, the most that a tensor has
    value = x * 1.5 + 0.5 - x
    (stage,) = plan(engine).plan.stages
    assert isinstance(stage, RowStage)
    traced, predicted = predict(plan(engine).plan, "trn2", keep=False)
    assert len(traced.instructions) < 5000
    assert predicted.seconds < 0.1
    del value, x
    engine.graph.forget_computed()


def test_memory_of_values_that_are_not_needed_any_more_serves_again(engine):
    x = array((300, 300), 0.01)
    value = x
    for _ in range(6):
        value = value @ x
    launch = plan(engine)
    assert sum(tensor.role == "temporary" for tensor in launch.plan.tensors) <= 2
    np.testing.assert_allclose(np.asarray(value.to_device("cpu")), 0.01 * 3.0**6, rtol=1e-5)


def dependent_products(calls):
    x = array((16, 16))
    y = x
    for _ in range(calls):
        y = y @ x
    return [y]


def products_and_functions(calls):
    x, y = array((16, 16)), array((16, 16))
    for _ in range(calls // 4):
        y = xp.exp((y.T @ x) * 0.5) + xp.sum(y, axis=0)
    return [y]


def lengths_of_their_own(calls):
    x = array((calls * calls,))
    return [xp.exp(x[: place * (place + 1) // 2 + 3]) for place in range(calls)]  # by no even steps, of which classes would be computed


def host_calls_in_turn(calls):
    x = xp.asarray(np.ones(3), device=DEVICE)
    with xp.config(fallback="allow"):
        for _ in range(calls // 2):
            x = x * 2.0 + 1.0
    return [x]


@pytest.mark.parametrize("make", [dependent_products, products_and_functions, lengths_of_their_own, host_calls_in_turn])
def test_work_of_planning_grows_with_the_graph_and_no_faster(engine, make):
    """Counts function calls of Python and of C while graphs are planned, which is the same number on every machine."""

    def work(calls):
        results = make(calls)
        roots, count = engine.graph.pending(), 0

        def profile(_frame, event, _argument):
            nonlocal count
            count += event in ("call", "c_call")

        order = ancestors(roots)
        sys.setprofile(profile)
        try:
            steps = schedule(roots, order)
            if len(steps) == 1:
                Planner("trn2").plan(roots)
        finally:
            sys.setprofile(None)
        del results
        engine.graph.forget_computed()
        return count / calls

    assert work(400) <= 1.2 * work(100)
