"""Declarations of kernels: what the graph, the planner and `explain` know of a kernel that they have never seen."""

import math
from dataclasses import replace

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.isa import nisa, nl
from trnarray.backends.neuron.explain.collect import explain
from trnarray.backends.neuron.graph.build import call, cast, elementwise, fill, reduce
from trnarray.backends.neuron.graph.graph import Node
from trnarray.backends.neuron.graph.primitives import Cast, Elementwise, Read, Reduce, Write
from trnarray.backends.neuron.kernel import InvalidCallError, Kernel, Variant, declare, kernel
from trnarray.backends.neuron.launch.fingerprint import fingerprint
from trnarray.backends.neuron.layout import Layout
from trnarray.backends.rules import Signature

FLOAT32, INT8 = np.dtype(np.float32), np.dtype(np.int8)
NAME = "sum and difference (of a test)"
SHAPE = (100, 600)
FASTEST = {"trn1": "on GpSimd", "trn2": "on the Vector Engine", "trn3": "on the Vector Engine"}  # which reads two streams at once there


def _rule(x, y):
    if x != y or len(x.shape) != 2 or x.shape[0] > 128:
        raise InvalidCallError(f"{NAME} takes two equal matrices of at most 128 rows, not {x} and {y}")
    return (x, y), x.shape


def _emit_on(engine):
    def emit(emission, rows, columns):
        shape = (rows, columns)
        x, y, *results = (nl.ndarray(shape, nl.float32, buffer=nl.sbuf) for _ in range(4))
        for tile, number in ((x, 0), (y, 1)):
            nisa.dma_copy(tile, emission.source(number, shape))
        for result, op in zip(results, (nl.add, nl.subtract), strict=True):
            nisa.tensor_tensor(result, x, y, op, engine=engine)
        if emission.stage.epilogue is not None:  # which stores what it makes of them
            emission.functions(emission.stage.epilogue).on_tiles((0, rows), (0, columns))(results)
            return
        for number, result in enumerate(results):
            nisa.dma_copy(emission.result(shape, number), result)

    return emit


def _time_on(engine):
    return lambda costs, _results, _rows, columns: 2 * costs.instruction("tensor_tensor", columns, engine)


declare(
    Kernel(
        NAME,
        _rule,
        None,
        "sum and difference",
        "{0} rows of {1}",
        epilogue=lambda _rows, columns: columns,
        variants=(
            Variant("on the Vector Engine", _time_on("vector"), _emit_on(nisa.engine.vector)),
            Variant("on GpSimd", _time_on("gpsimd"), _emit_on(nisa.engine.gpsimd)),
        ),
    )
)


@pytest.fixture(params=["sim:trn1", "sim:trn2", "sim:trn3"])
def engine(request):
    engine = engine_for(Device(request.param))
    engine.flush()
    return engine


def operands(engine, shape=SHAPE):
    x, y = np.random.default_rng(3).standard_normal((2, *shape)).astype(np.float32)
    nodes = [engine.from_host(array, copy=True).read()[0] for array in (x, y)]
    return x, y, nodes


def values(engine, *nodes):
    return [engine.builder.make((node,), node.dtype) for node in nodes]


def stages(engine):
    (launch,) = engine.pending_plan()
    return launch.plan.stages


def test_both_results_are_computed_in_one_stage(engine):
    x, y, nodes = operands(engine)
    results = values(engine, *call(NAME, *nodes))
    assert [stage.kernel for stage in stages(engine)] == [NAME]
    found = [engine.to_host(value, copy=True) for value in results]
    np.testing.assert_array_equal(found, [x + y, x - y])


@pytest.mark.parametrize("number", [0, 1])
def test_a_result_that_nobody_wants_is_no_output(engine, number):
    x, y, nodes = operands(engine)
    (result,) = values(engine, call(NAME, *nodes)[number])
    (launch,) = engine.pending_plan()
    assert [tensor.role for tensor in launch.plan.tensors].count("output") == 1
    np.testing.assert_array_equal(engine.to_host(result, copy=True), (x + y, x - y)[number])


def test_equal_calls_are_one_and_functions_of_results_follow(engine):
    x, y, nodes = operands(engine)
    first, second = call(NAME, *nodes), call(NAME, *nodes)
    result = elementwise("multiply", first[0], second[1], dtype=FLOAT32)
    (value,) = values(engine, result)
    (stage,) = stages(engine)
    assert (stage.kernel, stage.epilogue is not None) == (NAME, True)
    np.testing.assert_array_equal(engine.to_host(value, copy=True), (x + y) * (x - y))


def test_equal_calls_whose_results_are_both_wanted_have_memory_of_their_own(engine):
    x, y, nodes = operands(engine)
    results = values(engine, *call(NAME, *nodes), *call(NAME, *nodes)[:1])
    found = [engine.to_host(value, copy=True) for value in results]
    np.testing.assert_array_equal(found, [x + y, x - y, x + y])


def test_explain_names_and_predicts_it(engine):
    *_, nodes = operands(engine)
    results = values(engine, *call(NAME, *nodes))
    explanation = explain(engine, results[0])
    (program,) = explanation.steps
    (stage,) = program.stages
    chosen = FASTEST[engine.launcher.target]
    assert (stage.computes, stage.over.split(",")[0]) == (f"sum and difference, {chosen}", "100 rows of 600")
    (choice,) = program.plan.choices
    assert {choice.variant, choice.runner_up} == set(FASTEST.values())
    assert 0 < choice.seconds < choice.runner_up_seconds
    assert explanation.seconds > choice.seconds
    assert f"variant of sum and difference over 100 rows of 600: {chosen}, estimated at" in str(explanation)
    assert NAME not in str(explanation)


def plan_of(engine):
    *_, nodes = operands(engine)
    _results = values(engine, *call(NAME, *nodes))
    (launch,) = engine.pending_plan()
    return launch.plan


def test_the_variant_is_chosen_by_target_and_part_of_the_plan(engine):
    plan = plan_of(engine)
    (stage,) = plan.stages
    assert stage.variant == plan.choices[0].variant == FASTEST[engine.launcher.target]
    other = next(name for name in FASTEST.values() if name != stage.variant)
    assert replace(plan, stages=(replace(stage, variant=other),)) != plan
    assert fingerprint(replace(plan, stages=(replace(stage, variant=other),)), "trn2") != fingerprint(plan, "trn2")


@pytest.mark.parametrize(("cycles", "chosen"), [(0.5, "on GpSimd"), (4.0, "on the Vector Engine")])
def test_measured_figures_choose_anew(engine, cycles, chosen):
    target = engine.launcher.target
    figures = {"tensor_tensor/gpsimd:stream": cycles}
    calibration = simulator.Calibration.parse({"format": 1, "target": target, "source": "a test", "figures": figures})
    with simulator.options(calibration=calibration):
        measured = plan_of(engine)
        assert measured.stages[0].variant == chosen
        x, y, nodes = operands(engine)
        results = values(engine, *call(NAME, *nodes))
        np.testing.assert_array_equal([engine.to_host(value, copy=True) for value in results], [x + y, x - y])
    plan = plan_of(engine)
    assert plan.stages[0].variant == FASTEST[target]
    assert replace(measured, stages=plan.stages, choices=plan.choices) != plan  # engines share out work by other figures


def test_variants_are_chosen_and_told_where_kernels_are_those_of_aws(engine, monkeypatch):
    """Kernels for AWS's NKI cannot be traced here: estimates need no trace, and predictions are left out."""
    monkeypatch.setattr("trnarray.backends.neuron.launch.prediction.program", lambda *_: None)
    *_, nodes = operands(engine)
    results = values(engine, *call(NAME, *nodes))
    explanation = explain(engine, results[0])
    assert math.isnan(explanation.seconds)
    assert f"{FASTEST[engine.launcher.target]}, estimated at" in str(explanation)


def test_a_kernel_is_emitted_in_one_way_or_by_variants():
    variant = Variant("one", _time_on("vector"), _emit_on(nisa.engine.vector))
    graph = Variant("other", _time_on("vector"), expand=lambda *nodes: nodes)
    for emit, variants in [(None, ()), (variant.emit, (variant,)), (None, (variant._replace(emit=None),)), (None, (variant, graph))]:
        with pytest.raises(ValueError, match="of a test"):
            Kernel(NAME, _rule, emit, variants=variants)


def test_operands_that_the_rule_refuses_make_no_node():
    one, other = fill(1.0, (4,), FLOAT32), fill(1.0, (5,), FLOAT32)
    with pytest.raises(InvalidCallError, match="two equal matrices"):
        call(NAME, one, other)


def test_a_name_is_declared_once():
    with pytest.raises(ValueError, match="named 'matmul' already"):
        declare(Kernel("matmul", _rule, _emit_on(nisa.engine.vector)))
    assert kernel("matmul").rule is not _rule


SIX = fill(1.0, (6,), FLOAT32)
CONTRADICTIONS = {
    "a reduction of other elements": lambda: Node(Reduce("add", 4, Signature((), FLOAT32)), (SIX,)),
    "a reduction to a dtype it does not give": lambda: Node(Reduce("argmax", 6, Signature((), FLOAT32)), (SIX,)),
    "an addition of another dtype": lambda: elementwise("add", SIX, SIX, dtype=INT8),
    "an addition of two dtypes": lambda: Node(Elementwise("add"), (SIX, cast(SIX, INT8))),
    "an addition of one operand": lambda: Node(Elementwise("add"), (SIX,)),
    "an addition of two shapes": lambda: Node(Elementwise("add"), (SIX, fill(1.0, (5,), FLOAT32))),
    "a function without a loop": lambda: Node(Elementwise("bitwise_and"), (SIX, SIX)),
    "a read beyond the end": lambda: Node(Read(Layout(3, (4,), (1,))), (SIX,)),
    "a read before the beginning": lambda: Node(Read(Layout(2, (4,), (-1,))), (SIX,)),
    "a write of another length": lambda: Node(Write(Layout(0, (3,), (1,))), (SIX, fill(1.0, (2,), FLOAT32))),
    "a write of another dtype": lambda: Node(Write(Layout(0, (6,), (1,))), (SIX, cast(SIX, INT8))),
    "a product of matrices that do not fit": lambda: call("matmul", fill(1.0, (1, 2, 3), FLOAT32), fill(1.0, (1, 4, 5), FLOAT32)),
    "a permutation by no order of axes": lambda: call("permute", SIX, shape=(2, 3), axes=(0, 0)),
    "a gather at floats": lambda: call("gather rows", SIX, SIX, width=1, shape=(6,)),
    "a sort of another dtype": lambda: call("sort", cast(fill(1.0, (2, 3), FLOAT32), INT8)),
}


@pytest.mark.parametrize("make", CONTRADICTIONS.values(), ids=CONTRADICTIONS.keys())
def test_a_contradictory_node_cannot_be_made(make):
    with pytest.raises(InvalidCallError):
        make()


def test_dtypes_and_shapes_follow_from_the_declaration():
    assert (Node(Elementwise("less"), (SIX, SIX)).dtype, Node(Cast(INT8), (SIX,)).dtype) == (np.uint8, INT8)
    assert reduce("argmax", fill(1.0, (2, 3), FLOAT32), (1,), np.dtype(np.int32)).shape == (2,)
    assert [node.shape for node in call("sort", *[fill(1.0, (2, 3), FLOAT32)] * 2)] == [(2, 3)] * 2
