"""Choice of variants: the one with the shortest estimate, the same bits whichever it is, and calls that are graphs of others."""

import math

import numpy as np
import pytest

from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.costs import Costs
from trnarray.backends.neuron.graph.build import call, elementwise, fill
from trnarray.backends.neuron.graph.graph import Node
from trnarray.backends.neuron.graph.primitives import Result
from trnarray.backends.neuron.kernel import InvalidCallError, Kernel, Variant, declare, kernel
from trnarray.backends.neuron.plan.assemble import Planner
from trnarray.backends.neuron.plan.choice import Chooser
from trnarray.backends.rules import Signature

from ..variants import preferred_variants

FLOAT32, INT32 = np.dtype(np.float32), np.dtype(np.int32)
NAME, OUTER = "square and its double (of a test)", "square and its double, by way of another (of a test)"


@pytest.fixture(params=["sim:trn1", "sim:trn2", "sim:trn3"])
def engine(request):
    engine = engine_for(Device(request.param))
    engine.flush()
    planner, engine.planner = engine.planner, Planner(engine.launcher.target)
    yield engine
    engine.planner = planner


def _rule(x):
    return (x, x), x.shape


def _by_product(x, *_shape):
    square = elementwise("multiply", x, x, dtype=FLOAT32)
    return square, elementwise("add", square, square, dtype=FLOAT32)


def _by_square(x, *_shape):
    return elementwise("square", x, dtype=FLOAT32), elementwise("multiply", elementwise("square", x, dtype=FLOAT32), two(), dtype=FLOAT32)


def two():
    return fill(2.0, (), FLOAT32)


def _constant(time):
    return lambda *_: time


declare(
    Kernel(
        NAME,
        _rule,
        None,
        variants=(
            Variant("by product", _constant(2.0), expand=_by_product),
            Variant("by square", _constant(1.0), expand=_by_square),
            Variant("never", _constant(math.inf), expand=lambda x, *_shape: (x, x)),
        ),
    )
)
declare(Kernel(OUTER, _rule, None, variants=(Variant("other", _constant(0.0), expand=lambda x, *_shape: call(NAME, x)),)))


def operand(engine, size=300):
    x = np.random.default_rng(5).standard_normal(size).astype(np.float32)
    return x, engine.from_host(x, copy=True).read()[0]


@pytest.mark.parametrize("name", [NAME, OUTER])
def test_a_graph_takes_the_place_of_a_call(engine, name):
    x, node = operand(engine)
    square, double = call(name, node)
    values = [engine.builder.make((one,), FLOAT32) for one in (square, double, elementwise("add", square, double, dtype=FLOAT32))]
    (launch,) = engine.pending_plan()
    assert [(choice.variant, choice.runner_up) for choice in launch.plan.choices][-1] == ("by square", "by product")
    assert [engine.pending_plan()[0].plan == launch.plan for _ in range(2)] == [True, True]  # nothing has changed
    found = [engine.to_host(value, copy=True) for value in values]
    np.testing.assert_array_equal(found, [x * x, 2 * (x * x), x * x + 2 * (x * x)])


def test_equal_calls_that_are_both_wanted_have_memory_of_their_own(engine):
    x, node = operand(engine)
    results = [call(NAME, node)[number] for number in (0, 0, 1, 1)]
    values = [engine.builder.make((one,), FLOAT32) for one in results]
    (launch,) = engine.pending_plan()
    assert [tensor.role for tensor in launch.plan.tensors].count("output") == 4
    np.testing.assert_array_equal([engine.to_host(value, copy=True) for value in values], [x * x, x * x, 2 * (x * x), 2 * (x * x)])


def test_a_result_that_is_written_to_is_copied_where_it_is_kept(engine):
    x, node = operand(engine, 128)
    base = call(NAME, node)[0]
    kept = engine.builder.make((base,), FLOAT32)
    places = engine.from_host(np.arange(4, dtype=np.int32), copy=True).read()[0]
    changed = engine.builder.make(call("scatter rows", base, places, fill(7.0, (4,), FLOAT32), width=1), FLOAT32)
    expected = x * x
    np.testing.assert_array_equal(engine.to_host(changed, copy=True), np.concatenate([np.full(4, 7, np.float32), expected[4:]]))
    np.testing.assert_array_equal(engine.to_host(kept, copy=True), expected)


def test_choices_are_remembered_and_the_first_of_equals_wins():
    asked = []

    def estimate(_costs, _results, *parameters):
        asked.append(parameters)
        return 1.0

    one = Kernel("of a test", _rule, None, variants=tuple(Variant(name, estimate, expand=_by_product) for name in ("a", "b")))
    chooser = Chooser(Costs("trn2"))
    for size in (3, 4, 3, 3, 4):
        variant, choice = chooser.choose(one.invoke(Signature((size,), FLOAT32)))
        assert (variant.name, choice.variant, choice.runner_up, choice.seconds) == ("a", "a", "b", 1e-9)
    assert len(asked) == 4


def test_no_variant():
    one = Kernel("of a test", _rule, None, variants=(Variant("never", _constant(math.inf), expand=_by_product),))
    with pytest.raises(InvalidCallError, match="no variant of of a test takes"):
        Chooser(Costs("trn2")).choose(one.invoke(Signature((3,), FLOAT32)))


def test_a_variant_that_gives_something_else_is_refused(engine):
    declared = Kernel("of a test", _rule, None, variants=(Variant("wrong", _constant(0.0), expand=lambda x, *_: (x, fill(0, (), INT32))),))
    _, node = operand(engine)
    with pytest.raises(InvalidCallError, match="variant wrong of of a test does not give"):
        engine.planner.plan([Node(Result(declared.invoke(Signature(node.shape, node.dtype)), 0), (node,))])


RNG = np.random.default_rng(8)

def _reduced(function, rows, length):
    return {"function": function, "length": length, "inner": 1, "results": Signature((rows,), INT32)}


CALLS = {
    "a gather of numbers": ("gather", lambda: [_floats(900), _index(900, 400)], {"outer": 1, "rows": 900, "shape": (1, 400, 1)}),
    "a gather of rows": ("gather", lambda: [_floats(30 * 7), _index(30, 400)], {"outer": 1, "rows": 30, "shape": (1, 400, 7)}),
    "gathers of tables": ("gather", lambda: [_floats(3, 120), _index(30, (3, 50))], {"outer": 3, "rows": 30, "shape": (3, 50, 4)}),
    "a gather of long rows": ("gather", lambda: [_floats(9 * 4096), _index(9, 5)], {"outer": 1, "rows": 9, "shape": (1, 5, 4096)}),
    "a search by one key": ("search", lambda: [_keys(200), np.sort(_keys(50))], {"side": "left"}),
    "places of extremes": ("reduce rows", lambda: [_keys(3 * 5000).reshape(3, 5000)], _reduced("argmax", 3, 5000)),
    "sums of rows": ("reduce rows", lambda: [_words(40 * 4200).reshape(40, 4200)], _reduced("add", 40, 4200)),
    "a count": ("count", lambda: [_index(40, 600)], {"bins": 40}),
    "sums of integers": ("scatter elements", lambda: [_words(300), _index(300, 500), _words(500)], {"function": "add"}),
}


def _floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def _keys(size):
    return RNG.integers(-20, 20, size).astype(np.float32)


def _words(size):
    return RNG.integers(-(2**31), 2**31, size).astype(np.int32)


def _index(length, shape):
    return RNG.integers(0, length, shape).astype(np.int32)


@pytest.mark.parametrize("label", CALLS)
def test_all_variants_that_take_a_call_give_the_same_bits(engine, label):
    name, make, attributes = CALLS[label]
    arrays = make()
    found = {}

    def results():
        nodes = [engine.from_host(array, copy=True).read()[0] for array in arrays]
        return call(name, *nodes, **attributes)

    for variant in kernel(name).variants:
        with preferred_variants(str(engine.device), **{name: variant.name}):
            values = [engine.builder.make((node,), node.dtype) for node in results()]
            if variant.name in [choice.variant for choice in engine.pending_plan()[0].plan.choices]:  # it takes the call
                found[variant.name] = [engine.to_host(value, copy=True) for value in values]
    assert len(found) > 1
    first, *others = found.values()
    for other in others:
        np.testing.assert_array_equal(first, other)
