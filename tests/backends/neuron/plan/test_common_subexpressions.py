"""Which nodes have the same value."""

import numpy as np
import pytest

from trnarray.backends.neuron.graph.build import broadcast, cast, elementwise, fill, reduce, scalar
from trnarray.backends.neuron.graph.graph import Node, ancestors
from trnarray.backends.neuron.graph.primitives import Write
from trnarray.backends.neuron.layout import Layout
from trnarray.backends.neuron.plan.common_subexpressions import equal_nodes

FLOAT, HALF = np.dtype(np.float32), np.dtype(np.float16)


def arrays(count=2):
    return [Node.of_buffer(object(), (4, 6), FLOAT) for _ in range(count)]


def found(*roots):
    return equal_nodes(ancestors(roots), set(roots))


def difference(x, y):
    return elementwise("subtract", x, y, dtype=FLOAT)


def test_the_same_function_of_equal_inputs_is_computed_once():
    x, y = arrays()
    one, other = difference(x, y), difference(x, y)
    first, second = elementwise("sqrt", one, dtype=FLOAT), elementwise("sqrt", other, dtype=FLOAT)
    assert found(elementwise("add", first, second, dtype=FLOAT)) == {other: one, second: first}


PAIRS = {
    "operands the other way round": lambda x, y: (difference(x, y), difference(y, x)),
    "functions": lambda x, y: (elementwise("maximum", x, y, dtype=FLOAT), elementwise("minimum", x, y, dtype=FLOAT)),
    "dtypes": lambda x, y: (cast(x, HALF), cast(x, np.dtype(np.int16))),
    "shapes of a constant": lambda x, y: (fill(0.0, (4,), FLOAT), fill(0.0, (6,), FLOAT)),
    "zeros": lambda x, y: (fill(0.0, (), FLOAT), fill(-0.0, (), FLOAT)),
    "axes": lambda x, y: (reduce("add", x, (0,), FLOAT), reduce("add", x, (1,), FLOAT)),
    "reductions": lambda x, y: (reduce("add", x, (1,), FLOAT), reduce("maximum", x, (1,), FLOAT)),
    "layouts": lambda x, y: (broadcast(reduce("add", x, (0,), FLOAT), (4, 6)), x),
    "numbers that a launch brings": lambda x, y: (scalar(1.0, FLOAT), scalar(1.0, FLOAT)),
    "memory with nothing in it": lambda x, y: (fill(None, (4, 6), FLOAT), fill(None, (4, 6), FLOAT)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_what_looks_alike_and_differs_is_told_apart(name):
    one, other = PAIRS[name](*arrays())
    top = [elementwise("positive", node, dtype=node.dtype) for node in (one, other)]
    top = [elementwise("positive", node, dtype=node.dtype) for node in top]
    same = found(*top)
    assert one not in same
    assert other not in same


def test_what_is_wanted_or_written_over_keeps_its_own_node():
    x, y = arrays()
    one, other, third = (difference(x, y) for _ in range(3))
    changed = Node(Write(Layout(0, (1, 6), (6, 1))), (third, fill(1.0, (1, 6), FLOAT)))
    assert found(one, other, changed) == {}
