"""Fused chains give the bits of the same chains computed call by call, and NumPy's where it computes in the same order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends import simulator
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.graph.build import elementwise
from trnarray.backends.neuron.graph.graph import Node
from trnarray.backends.neuron.graph.primitives import Read
from trnarray.backends.neuron.layout import Layout
from trnarray.backends.simulator.knobs import Knobs

SHAPES = [(5, 7), (130, 12), (3, 600), (37, 33), (1, 40), (300, 1)]
UNARY = ["abs", "negative", "square", "floor", "sqrt", "sign"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "divide"]
COMPARISONS = ["less", "greater_equal", "not_equal"]
DTYPES = ["float32", "bfloat16", "float16", "int32", "uint8"]
READINGS = [Knobs(), Knobs(two_op="fused", dve_order="permuted:3", pe_order="permuted:1")]


@st.composite
def steps(draw, names, most=9):
    """Calls as (name, places of operands in the list of values, extra)."""
    found = []
    for count in range(4, 4 + draw(st.integers(2, most))):
        name = draw(st.sampled_from(names))
        places = tuple(draw(st.integers(0, count - 1)) for _ in range(3))
        found.append((name, places, draw(st.sampled_from(DTYPES)), draw(st.integers(-3, 3))))
    return found


def evaluate(namespace, values, calls, after=lambda: None):
    """Run calls; what does not apply to its operands (integers have no square root) is left out, for all alike."""
    values = list(values)
    for name, (one, two, three), dtype, number in calls:
        x, y, z = values[one], values[two], values[three]
        floats = "float" in str(x.dtype) and x.dtype == y.dtype
        if name in UNARY:
            plain = name in ("abs", "negative", "square") or floats
            result = getattr(namespace, name)(x) if plain and not (name == "negative" and str(x.dtype) == "bool") else x
        elif name in BINARY:
            result = getattr(namespace, name)(x, y) if floats or (x.dtype == y.dtype and name in ("add", "multiply", "maximum")) else x
        elif name == "largest":  # of zeros, whose order is anybody's, the positive one
            result = namespace.maximum(x, y) + 0 if x.dtype == y.dtype != "bool" else x
        elif name in COMPARISONS:
            result = getattr(namespace, name)(x, y) if x.dtype == y.dtype else x
        elif name == "where":
            result = namespace.where(namespace.less(x, y), y, z) if x.dtype == y.dtype == z.dtype else x
        elif name == "number":
            result = x * abs(number) + abs(number) if str(x.dtype) != "bool" else x
        elif name == "cast":
            result = namespace.astype(x, getattr(namespace, dtype)) if "float" in str(x.dtype) or dtype not in ("uint8", "int32") else x
        elif name == "max":  # as the larger of two
            result = namespace.max(x, axis=-1 if number else 0, keepdims=True) + 0 if "float" in str(x.dtype) else x
        elif name in ("sum", "mean"):
            result = getattr(namespace, name)(x, axis=-1 if number else 0, keepdims=True) if "float" in str(x.dtype) else x
        elif name == "softmax":
            result = namespace.abs(x - namespace.max(x, axis=-1, keepdims=True)) if "float" in str(x.dtype) else x
        elif name == "normalized":
            result = x
            if floats:
                deviation = x - namespace.mean(x, axis=-1, keepdims=True)
                result = deviation * namespace.mean(namespace.square(deviation), axis=-1, keepdims=True)
        else:
            raise AssertionError(name)
        values.append(result)
        after()
    return values[4:]


def operands(shape, dtype, seed):
    """A full array, a row, a column and another full one."""
    rng = np.random.default_rng(seed)
    return [
        np.asarray(rng.integers(-9, 9, size) * (0.37 if "float" in dtype else 1), np.float32).astype(dtype if dtype != "bfloat16" else "f4")
        for size in (shape, (1, shape[1]), (shape[0], 1), shape)
    ]


def assert_same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert one.shape == other.shape
        assert one.dtype == other.dtype
        nan = (one != one) & (other != other)
        assert one[~nan].tobytes() == other[~nan].tobytes()


def to_host(values):
    return [np.asarray(value.to_device("cpu")) for value in values]


ALL = [*UNARY, *BINARY, *COMPARISONS, "where", "number", "cast", "sum", "max", "mean", "softmax", "normalized"]


@pytest.mark.parametrize("target", ["trn1", "trn2", "trn3"])
@settings(max_examples=25, deadline=None)
@given(
    calls=steps(ALL), shape=st.sampled_from(SHAPES), dtype=st.sampled_from(DTYPES), seed=st.integers(0, 99),
    knobs=st.sampled_from(READINGS), kept=st.integers(0, 255),
)  # fmt: skip
def test_fused_as_call_by_call(target, calls, shape, dtype, seed, knobs, kept):
    device = f"sim:{target}"
    engine = engine_for(Device(device))
    with simulator.options(target, knobs=knobs), xp.config(fallback="allow"), np.errstate(all="ignore"):
        arrays = [xp.astype(xp.asarray(a, device=device), getattr(xp, dtype)) for a in operands(shape, dtype, seed)]
        engine.flush()
        one_by_one = to_host(evaluate(xp, arrays, calls, engine.flush))
        fused = evaluate(xp, arrays, calls)
        wanted = [place for place in range(len(fused)) if kept >> place % 8 & 1 or place == len(fused) - 1]
        fused = [fused[place] for place in wanted]  # the others need no memory
        assert_same(to_host(fused), [one_by_one[place] for place in wanted])


NUMPY = [*UNARY, "add", "subtract", "multiply", "largest", "divide", *COMPARISONS, "where", "max", "softmax"]


@pytest.mark.parametrize("target", ["trn2", "trn1"])
@settings(max_examples=25, deadline=None)
@given(calls=steps(NUMPY), shape=st.sampled_from(SHAPES), dtype=st.sampled_from(["float32", "float16", "int32"]), seed=st.integers(0, 99))
def test_fused_as_numpy(target, calls, shape, dtype, seed):
    device = f"sim:{target}"
    with np.errstate(all="ignore"), xp.config(fallback="allow"):
        host = operands(shape, dtype, seed)
        found = evaluate(xp, [xp.asarray(a, device=device) for a in host], calls)
        assert_same(to_host(found), evaluate(np, host, calls))


PROLOGUES = {
    "none": lambda x, y: x,
    "product": lambda x, y: x * y,
    "scaled": lambda x, y: x * 0.37,
    "cast": lambda x, y: xp.astype(x, xp.bfloat16),
    "twice": lambda x, y: xp.abs(x * y) - y,
}
EPILOGUES = {
    "none": lambda p, row, column, full: p,
    "bias": lambda p, row, column, full: p + row,
    "relu": lambda p, row, column, full: xp.maximum(p * 0.5 + column, 0.0),
    "residual": lambda p, row, column, full: p * 2.0 + full,
    "cast": lambda p, row, column, full: xp.astype(p, xp.float16),
    "both": lambda p, row, column, full: (p + full) * p,
}


@settings(max_examples=25, deadline=None)
@given(
    before=st.tuples(st.sampled_from(sorted(PROLOGUES)), st.sampled_from(sorted(PROLOGUES))),
    after=st.sampled_from(sorted(EPILOGUES)), target=st.sampled_from(["trn1", "trn2", "trn3"]), batch=st.sampled_from([(), (3,)]),
    kept=st.booleans(), knobs=st.sampled_from(READINGS), in_place=st.booleans(), transposed=st.booleans(),
)  # fmt: skip
def test_products_with_what_is_around_them(before, after, target, batch, kept, knobs, in_place, transposed):
    device, (m, k, n) = f"sim:{target}", (130, 70, 140)
    engine, rng = engine_for(Device(device)), np.random.default_rng(5)

    def draw(*shape):
        return xp.asarray(rng.standard_normal(shape).astype(np.float32), device=device)

    x, y, z, w = draw(*batch, m, k), draw(*batch, m, k), draw(*batch, k, n), draw(*batch, k, n)
    row, column, full = draw(n), draw(m, 1), draw(*batch, m, n)
    engine.flush()

    def compute(flush):
        done = full.copy()
        left = PROLOGUES[before[0]](x, y)
        flush()
        right = PROLOGUES[before[1]](z, w)
        flush()
        if transposed:
            right = right.mT.copy().mT
            flush()
        product = left @ right
        flush()
        if in_place:
            done += EPILOGUES[after](xp.astype(product, xp.float32), row, column, done)
            return [done, product] if kept else [done]
        result = EPILOGUES[after](product, row, column, done)
        flush()
        return [result, product] if kept else [result]

    with simulator.options(target, knobs=knobs):
        one_by_one = to_host(compute(engine.flush))
        assert_same(to_host(compute(lambda: None)), one_by_one)


def test_a_product_takes_functions_of_operands_and_results():
    """Of both planes, here."""
    x, y = (xp.asarray(np.ones((256, 256), np.complex64), device="sim:trn2") for _ in range(2))
    (product,) = [stage.computes for stage in xp.explain((x + 1) @ y + 1).steps[0].stages if "matmul" in stage.computes]
    assert product == "add on operand 1, add on operand 2, matmul, then add ×2"


def test_a_number_before_an_operand_of_a_product_is_no_operand():
    """The number comes first, and is as whole as the operand that it scales."""
    m, p = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32), np.array([7.0, 11.0], np.float32)
    a, b = (xp.asarray(each, device="sim:trn2") for each in (m, p))
    number = xp.asarray(2.0, dtype=xp.float32, device="sim:trn2")
    assert np.asarray((a @ (number * b)).to_device("cpu")).tolist() == (m @ (2 * p)).tolist()
    assert np.asarray((a @ (b + number * b)).to_device("cpu")).tolist() == (m @ (3 * p)).tolist()


@settings(max_examples=25, deadline=None)
@given(
    before=st.sampled_from(sorted(PROLOGUES)), shape=st.sampled_from([(3000, 3), (7, 5000), (40, 5000), (300, 77), (7, 30), (130000,)]),
    axis=st.sampled_from([0, -1, None]), name=st.sampled_from(["sum", "max", "prod", "mean"]),
    target=st.sampled_from(["trn1", "trn2", "trn3"]),
)  # fmt: skip
def test_reductions_of_functions(before, shape, axis, name, target):
    device = f"sim:{target}"
    engine, rng = engine_for(Device(device)), np.random.default_rng(6)
    x, y = (xp.asarray(rng.uniform(0.5, 1.5, shape).astype(np.float32), device=device) for _ in range(2))
    value = PROLOGUES[before](x, y)
    fused = getattr(xp, name)(value, axis=axis)
    del value
    (found,) = to_host([fused])
    value = PROLOGUES[before](x, y)
    engine.flush()
    (wanted,) = to_host([getattr(xp, name)(value, axis=axis)])
    assert_same([found], [wanted])
    if name == "sum":
        exact = np.asarray(value.to_device("cpu")).astype(np.float64)
        length = exact.size if axis is None else exact.shape[axis]
        unit = 2.0**-24 if before != "cast" else 2.0**-8
        bound = (8 + np.log2(length)) * 2.0**-24 * np.abs(exact).sum(axis) + unit * np.abs(exact.sum(axis))
        assert np.all(np.abs(found.astype(np.float64) - exact.sum(axis)) <= bound)


def test_operands_that_are_written_over_before_the_functions_of_a_result():
    rng = np.random.default_rng(7)
    a, b = rng.standard_normal((2, 140, 140)).astype(np.float32)
    x, y = (xp.asarray(one, device="sim:trn2") for one in (a, b))
    product = x @ y
    x[1:3] = 0.0
    result = product + 1.0
    del product
    plain = to_host([xp.asarray(a, device="sim:trn2") @ y])[0]
    assert_same(to_host([result]), [plain + np.float32(1)])
    a[1:3] = 0
    assert_same(to_host([x]), [a])


def test_operands_of_functions_that_are_written_over_before_their_reduction():
    rng = np.random.default_rng(8)
    a, b = rng.standard_normal((2, 7, 5000)).astype(np.float32)
    x, y = (xp.asarray(one, device="sim:trn2") for one in (a, b))
    product = x * y
    x[1:3] = 0.0
    largest = xp.max(product, axis=-1)
    del product
    assert_same(to_host([largest]), [(a * b).max(-1)])


def test_functions_of_numbers_in_the_midst_of_others():
    # The imaginary part is a number, of which the exponential function asks whether it is finite, for each element.
    x = xp.asarray(np.array([2, 1], np.float32), device="sim:trn2")
    total = xp.sum(xp.exp(x.astype(xp.complex64)))
    assert complex(total) == pytest.approx(np.exp(2) + np.exp(1), rel=1e-6)


def test_operands_that_no_dims_serve_are_read_before():
    """Nodes of one size and other shapes, whose strides change after 6 and after 8 elements."""
    a = np.arange(100, dtype=np.float32)
    engine = engine_for(Device("sim:trn2"))
    (node,) = engine.from_host(a, copy=True).read()
    sixes, eights = Node(Read(Layout(3, (4, 6), (9, 1))), (node,)), Node(Read(Layout(1, (3, 8), (20, 2))), (node,))
    look = np.lib.stride_tricks.as_strided
    expected = look(a[3:], (4, 6), (36, 4)).ravel() + look(a[1:], (3, 8), (80, 8)).ravel()
    for operands in ((sixes, eights), (eights, sixes)):
        total = engine.builder.make((elementwise("add", *operands, dtype=node.dtype),), node.dtype)
        np.testing.assert_array_equal(engine.to_host(total, copy=True).ravel(), expected)


@pytest.mark.parametrize("target", ["trn2", "trn1"])
def test_rare_quotients_are_replaced_before_an_operand_is_written_over(target):
    """Zeros are rare divisors: all of their tile is divided again, when floors had taken the place of the operand."""
    host = np.arange(-17, 18, dtype=np.float32).reshape(5, 7) / 4
    x = xp.asarray(host, device=f"sim:{target}")
    with np.errstate(all="ignore"):
        assert_same(to_host([x / x, xp.floor(x)]), [host / host, np.floor(host)])
