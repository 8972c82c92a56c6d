"""Reductions, scans, two-operator instructions and statistics against float64, integers and exact fractions."""

import functools
import operator
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl
from trnarray.backends.simulator.machine.arithmetic import round_once

RNG = np.random.default_rng(11)
U = 2.0**-24  # unit roundoff of float32
CMD = nisa.reduce_cmd


def run(body, *inputs, outs, target="trn3", **knobs):
    """Load the inputs, run the body on (outputs, inputs), store the outputs; each out is (shape, dtype)."""

    def kernel(*inputs):
        loaded, results = [], []
        for x in inputs:
            loaded.append(nl.ndarray(x.shape, x.dtype))
            nisa.dma_copy(loaded[-1], x)
        tiles = [nl.ndarray(shape, dtype) for shape, dtype in outs]
        body(*tiles, *loaded)
        for tile in tiles:
            results.append(nl.ndarray(tile.shape, tile.dtype, buffer=nl.shared_hbm))
            nisa.dma_copy(results[-1], tile)
        return tuple(results) if len(results) > 1 else results[0]

    with simulator.options(target, knobs=Knobs(**knobs)):
        return simulator.jit(kernel)(*inputs)


def normal(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


TILES = arrays(np.float32, st.tuples(st.integers(1, 8), st.integers(1, 4), st.integers(1, 6)), elements=st.floats(-4, 4, width=32))
ORDERS = st.sampled_from(["sequential", "permuted:3"])
REFERENCE = {"add": np.sum, "multiply": np.prod, "maximum": np.max, "minimum": np.min}


@settings(max_examples=30)
@given(TILES, st.sampled_from(sorted(REFERENCE)), st.sampled_from([(2,), (1, 2), -1]), st.booleans(), ORDERS)
def test_tensor_reduce(x, op, axis, negate, order):
    wide = x.astype(np.float64)
    want = REFERENCE[op](wide, axis=axis, keepdims=True) * (-1 if negate else 1)
    found = run(
        lambda out, tile: nisa.tensor_reduce(out, getattr(nl, op), tile, axis, negate=negate, keepdims=True),
        x,
        outs=[(want.shape, "float32")],
        dve_order=order,
    )
    # n - 1 roundings, each of at most u times the sum of magnitudes; a product's underflow is absolute.
    terms = x[0].size
    bound = REFERENCE[op](np.abs(wide), axis=axis, keepdims=True) if op in ("add", "multiply") else 0
    assert (np.abs(found - want) <= 1.01 * terms * U * bound + terms * 4.0**24 * 2.0**-149).all()


def test_tensor_reduce_takes_one_element_after_the_other():
    x = np.array([[1.0] + [2.0**-24] * 64], np.float32)
    outs = [((1, 1), "float32")]
    assert run(lambda out, t: nisa.tensor_reduce(out, nl.add, t, 1), x, outs=outs) == 1
    assert run(lambda out, t: nisa.tensor_reduce(out, nl.add, t, 1), x, outs=outs, dve_order="permuted:1") > 1
    y = np.array([[30.0, *range(7)]], np.float32)
    for order in ("sequential", "permuted:1"):
        assert run(lambda out, t: nisa.tensor_reduce(out, nl.subtract, t, 1), y, outs=outs, dve_order=order) == 9
    tiny = np.full((1, 4), 2.0**-128, np.float32)
    assert run(lambda out, t: nisa.tensor_reduce(out, nl.add, t, 1), tiny, outs=outs) == 2.0**-126
    assert run(lambda out, t: nisa.tensor_reduce(out, nl.add, t, 1), tiny, outs=outs, denormals_dve="flush") == 0


BITS = {"bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor}


@pytest.mark.parametrize("op", ["bitwise_and", "bitwise_or", "bitwise_xor"])
@pytest.mark.parametrize("dtype", ["int32", "uint16", "int8"])
def test_tensor_reduce_of_bits(op, dtype):
    limits = np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, (5, 7), dtype, endpoint=True)
    found = run(lambda out, tile: nisa.tensor_reduce(out, getattr(nl, op), tile, 1), x, outs=[((5, 1), dtype)])
    np.testing.assert_array_equal(found[:, 0], [functools.reduce(BITS[op], row.tolist()) for row in x])


def test_tensor_reduce_of_truth():
    x = np.array([[0, 2, 0], [1, 2, 3], [0, 0, 0]], np.float32)
    for op, want in (("logical_and", [0, 1, 0]), ("logical_or", [1, 1, 0]), ("logical_xor", [1, 1, 0])):
        found = run(lambda out, tile, op=op: nisa.tensor_reduce(out, getattr(nl, op), tile, 1), x, outs=[((3, 1), "bfloat16")])
        np.testing.assert_array_equal(found[:, 0].astype(np.float32), want)


def test_integers_are_reduced_in_float32():
    x = np.array([[2**24, 1, 1]], np.int32)
    assert run(lambda out, tile: nisa.tensor_reduce(out, nl.add, tile, 1), x, outs=[((1, 1), "int32")]) == 2**24


@pytest.mark.parametrize("op", sorted(REFERENCE))
def test_tensor_scalar_reduce_goes_on_over_tiles(op):
    a, b, scale, init = normal(4, 3, 5), normal(4, 15), 1 + normal(4, 1) / 8, normal(4, 1)  # products that stay above denormal numbers
    outs = [((4, 15), "bfloat16"), ((4, 1), "float32"), ((4, 1), "float32"), ((4, 1), "float32")]

    def body(dst, both, negated, loaded, a, b, scale, init):
        nisa.tensor_scalar_reduce(dst, a, nl.multiply, scale, getattr(nl, op))
        nisa.tensor_scalar_reduce(dst, b, nl.multiply, scale, getattr(nl, op), both, reduce_cmd=CMD.reduce)
        nisa.tensor_scalar_reduce(dst, b, nl.multiply, scale, getattr(nl, op), negated, reduce_res_negate=True)
        nisa.tensor_scalar_reduce(dst, b, nl.multiply, scale, getattr(nl, op), loaded, reduce_cmd=CMD.load_reduce, reduce_init=init)

    dst, both, negated, loaded = run(body, a, b, scale, init, outs=outs)
    wide = [v.reshape(4, -1).astype(np.float64) * scale for v in (a, b)]
    np.testing.assert_array_equal(dst, wide[1].astype(np.float32).astype(ml_dtypes.bfloat16))
    for found, terms, sign in ((both, wide, 1), (negated, wide[1:], -1), (loaded, [init, wide[1]], 1)):
        terms = np.concatenate(terms, axis=1)
        # One rounding per product and one per step.
        bound = (2 * terms.shape[1] + 1) * U * (np.prod if op == "multiply" else np.sum)(np.abs(terms), axis=1)
        assert (np.abs(found[:, 0] - sign * REFERENCE[op](terms, axis=1)) <= bound).all()


@given(arrays(np.float32, st.tuples(st.integers(1, 4), st.integers(1, 20)), elements=st.floats(-20, 20, width=32)))
@settings(max_examples=20)
def test_exponential(x):
    largest = x.max(axis=1, keepdims=True)
    outs = [(x.shape, "float32"), ((x.shape[0], 1), "float32"), ((x.shape[0], 1), "float32")]

    def body(dst, total, more, x, largest):
        nisa.exponential(dst, x, largest, total, CMD.reset_reduce)
        nisa.exponential(dst, x, largest, more, CMD.load_reduce, 2.0)

    dst, total, more = run(body, x, largest, outs=outs)
    want = np.exp((x - largest).astype(np.float64))
    # NumPy's float32 exp is within 4 u relative.
    np.testing.assert_allclose(dst, want, rtol=4 * U, atol=2.0**-149)
    for found, start in ((total, 0), (more, 2)):
        np.testing.assert_allclose(found[:, 0], want.sum(axis=1) + start, rtol=(4 + x.shape[1]) * U)


def test_idle_leaves_the_registers_undefined():
    def body(dst, total, x):
        nisa.exponential(dst, x)
        nisa.exponential(dst, x, 0.0, total, CMD.reduce)

    x = normal(2, 3)
    assert np.isnan(run(body, x, outs=[((2, 3), "float32"), ((2, 1), "float32")])[1]).all()


SCAN_OPS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "maximum": max, "greater": operator.gt}


@pytest.mark.parametrize("op0", sorted(SCAN_OPS))
@pytest.mark.parametrize("op1", sorted(SCAN_OPS))
@pytest.mark.parametrize("reverse", [(False, False), (True, True)])
def test_tensor_tensor_scan(op0, op1, reverse):
    a, b, start = (RNG.integers(-1, 2, shape).astype(np.float32) for shape in ((3, 10), (3, 2, 5), (3, 1)))
    found = run(
        lambda dst, *tiles: nisa.tensor_tensor_scan(dst, *tiles, getattr(nl, op0), getattr(nl, op1), *reverse),
        a,
        b,
        start,
        outs=[((3, 10), "float32")],
    )
    for row in range(3):  # small integers: exact
        state = int(start[row, 0])
        for column in range(10):
            left, right = int(a[row, column]), int(b.reshape(3, 10)[row, column])
            between = int(SCAN_OPS[op0](*((state, left) if reverse[0] else (left, state))))
            state = int(SCAN_OPS[op1](*((right, between) if reverse[1] else (between, right))))
            assert found[row, column] == state


def test_a_scan_keeps_its_state_in_float32():
    ones, x = np.ones((1, 300), np.float32), np.ones((1, 300), ml_dtypes.bfloat16)
    found = run(lambda dst, a, b: nisa.tensor_tensor_scan(dst, a, b, 0.0, nl.multiply, nl.add), ones, x, outs=[((1, 300), "bfloat16")])
    np.testing.assert_array_equal(found[0], np.arange(1, 301, dtype=np.float32).astype(ml_dtypes.bfloat16))


@pytest.mark.parametrize("op1", ["add", "subtract", "multiply", "maximum", "minimum"])
def test_tensor_scalar_cumulative(op1):
    x, y = (RNG.integers(-3, 4, (2, 6)).astype(np.float32) for _ in range(2))

    def body(first, second, third, x, y):
        nisa.tensor_scalar_cumulative(first, x, nl.add, getattr(nl, op1), 1.0)
        nisa.tensor_scalar_cumulative(second, y, nl.add, getattr(nl, op1), 1.0, reduce_cmd=CMD.reduce)
        nisa.tensor_scalar_cumulative(third, y, nl.add, getattr(nl, op1), 1.0, 5.0, CMD.load_reduce)

    first, second, third = run(body, x, y, outs=[((2, 6), "float32")] * 3)
    function = {**SCAN_OPS, "minimum": min}[op1]
    for row in range(2):
        state = {"multiply": 1, "maximum": -np.inf, "minimum": np.inf}.get(op1, 0)
        for value, got in zip([*x[row], *y[row]], [*first[row], *second[row]], strict=True):
            state = function(float(value) + 1, state)
            assert got == state
        state = 5.0
        for value, got in zip(y[row], third[row], strict=True):
            state = function(float(value) + 1, state)
            assert got == state


def nearest(exact):
    """The float32 nearest to a fraction, ties to even."""
    near = np.float32(float(exact))
    around = [np.nextafter(near, np.float32(-np.inf)), near, np.nextafter(near, np.float32(np.inf))]
    return min(around, key=lambda v: (abs(Fraction(float(v)) - exact), int(v.view(np.uint32)) & 1))


@given(*[st.floats(-100, 100, width=32)] * 3, st.booleans())
def test_a_fused_multiply_add_rounds_once(a, b, c, subtract):
    found = round_once(np.array([a * b]), np.array([c]), subtract)[0]  # a product of two float32 is exact
    assert found == nearest(Fraction(a) * Fraction(b) + (-Fraction(c) if subtract else Fraction(c)))


def test_a_fused_multiply_add_meets_no_false_tie():
    a, b, c = 1 + 2.0**-12, 1 + 2.0**-13, 2.0**-60
    x = np.float32(a) * np.float64(b)
    tie = np.float32(x).astype(np.float64) + 2.0**-24  # half a unit beyond a float32
    assert round_once(np.array([tie]), np.array([c]))[0] == nearest(Fraction(tie) + Fraction(c))
    assert round_once(np.array([tie]), np.array([-c]))[0] == nearest(Fraction(tie) - Fraction(c))


@pytest.mark.parametrize("two_op", ["rounded", "fused"])
@pytest.mark.parametrize("reverse", [(False, False), (True, True)])
@pytest.mark.parametrize("op1", ["add", "subtract"])
def test_two_operators(two_op, reverse, op1):
    a, b, c = normal(4, 9), normal(4, 1), normal(4, 9)
    c = (c * 1e-3 - a * b).astype(np.float32)  # cancels, so that the rounding between shows

    def body(first, second, a, b, c, column):
        nisa.scalar_tensor_tensor(first, a, nl.multiply, b, getattr(nl, op1), c, *reverse)
        nisa.tensor_scalar(second, a, nl.multiply, b, reverse[0], getattr(nl, op1), column, reverse[1])

    found, other = run(body, a, b, c, c[:, :1].copy(), outs=[((4, 9), "float32")] * 2, two_op=two_op)
    sign = -1 if op1 == "subtract" else 1
    for index in np.ndindex(4, 9):
        product = Fraction(float(a[index])) * Fraction(float(b[index[0], 0]))
        between = product if two_op == "fused" else Fraction(float(nearest(product)))
        for got, third in ((found, c[index]), (other, c[index[0], 0])):
            third = Fraction(float(third))
            want = third + sign * between if reverse[1] else between + sign * third
            assert got[index] == nearest(want)


def on_vector(dst, x):
    nisa.tensor_scalar(dst, x, nl.multiply, FACTOR, False, nl.add, 2.0**-80)


def activated(dst, x):
    nisa.activation(dst, nl.copy, x, bias=2.0**-80, scale=FACTOR)


def activated_twice(dst, x):
    nisa.activate2(dst, nl.copy, x, FACTOR, 2.0**-80, nl.multiply, nl.add)


FACTOR = 1 + 2.0**-12  # its square lies half-way between two float32


@pytest.mark.parametrize("body", [on_vector, activated, activated_twice])
def test_fused_instructions_meet_no_false_tie(body):
    x, outs = np.full((1, 1), FACTOR, np.float32), [((1, 1), "float32")]
    assert run(body, x, outs=outs) == 1 + 2.0**-11
    assert run(body, x, outs=outs, two_op="fused") == 1 + 2.0**-11 + 2.0**-23


@pytest.mark.parametrize("two_op", ["rounded", "fused"])
@pytest.mark.parametrize("op0", ["add", "subtract", "multiply", "maximum"])
@pytest.mark.parametrize("op1", ["multiply", "maximum", "less"])
def test_two_operators_of_other_kinds(two_op, op0, op1):
    a, c = normal(4, 9), normal(4, 9, dtype=ml_dtypes.bfloat16)
    functions = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "less": np.less}

    def body(dst, a, c):
        nisa.scalar_tensor_tensor(dst, a, getattr(nl, op0), 0.3, getattr(nl, op1), c)

    found = run(body, a, c, outs=[((4, 9), "float32")], two_op=two_op)
    between = functions[op0](a.astype(np.float64), np.float64(np.float32(0.3)))
    want = functions[op1](between, c.astype(np.float64)).astype(np.float64)
    np.testing.assert_allclose(found, want, rtol=2 * U)


def test_scans_can_be_fused():
    a, b = normal(2, 30), normal(2, 30)
    call = lambda dst, a, b: nisa.tensor_tensor_scan(dst, a, b, 1.0, nl.multiply, nl.add)  # noqa: E731
    rounded, fused = (run(call, a, b, outs=[((2, 30), "float32")], two_op=way) for way in ("rounded", "fused"))
    assert (rounded != fused).any()
    for row in range(2):
        state = Fraction(1)
        for column in range(30):
            state = Fraction(float(nearest(Fraction(float(a[row, column])) * state + Fraction(float(b[row, column])))))
            assert fused[row, column] == state


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.float16, np.int32])
def test_reciprocal(dtype):
    x = (RNG.uniform(1, 50, (4, 6)) * RNG.choice([-1, 1], (4, 6))).astype(dtype)
    found = run(nisa.reciprocal, x, outs=[((4, 6), "float32")])
    np.testing.assert_array_equal(found, (1 / x.astype(np.float64)).astype(np.float32))
    zero = np.array([[0.0, -0.0, np.inf]], np.float32)
    np.testing.assert_array_equal(run(nisa.reciprocal, zero, outs=[((1, 3), "float32")]), [[np.inf, -np.inf, 0]])


@pytest.mark.parametrize("n", [1, 2, 7, 512])
def test_bn_stats(n):
    x = (normal(3, n) + 5).astype(np.float32)
    found = run(nisa.bn_stats, x, outs=[((3, 6), "float32")])
    for half in range(2):
        part = x[:, half::2].astype(np.float64)
        count = part.shape[1]
        if not count:
            np.testing.assert_array_equal(found[:, 3:], 0)
            continue
        assert (found[:, 3 * half] == count).all()
        bound = (count + 1) * U * np.abs(part).mean(axis=1)
        assert (np.abs(found[:, 3 * half + 1] - part.mean(axis=1)) <= bound).all()
        squares = part.var(axis=1) * count
        # The sum's roundings, and the error of the mean, which shifts every difference.
        allowed = (count + 4) * U * squares + count * (4 * bound**2 + 2 * bound * part.std(axis=1))
        assert (np.abs(found[:, 3 * half + 2] - squares) <= allowed).all()


def test_bn_aggr_joins_tiles():
    x = (3 * normal(4, 1100) + 2).astype(np.float32)

    def body(dst, tile):
        stats = nl.ndarray((4, 3, 6), nl.float32)
        for part, (start, stop) in enumerate([(0, 512), (512, 1024), (1024, 1100)]):
            nisa.bn_stats(stats[:, part], tile[:, start:stop])
        nisa.bn_aggr(dst, stats.reshape((4, 18)))

    found = run(body, x, outs=[((4, 2), "float32")])
    wide = x.astype(np.float64)
    # Sums of at most 256 terms, then of 6.
    np.testing.assert_allclose(found[:, 0], wide.mean(axis=1), atol=270 * U * np.abs(wide).mean())
    np.testing.assert_allclose(found[:, 1], wide.var(axis=1), rtol=600 * U)


@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.int32, np.uint8])
def test_dropout(dtype):
    x, prob = RNG.integers(1, 100, (128, 400)).astype(dtype), np.linspace(0, 1, 128, dtype=np.float32)[:, None]
    name = "bfloat16" if dtype is ml_dtypes.bfloat16 else np.dtype(dtype).name

    def body(each, none, every, tile, prob):
        nisa.dropout(each, tile, prob)
        nisa.dropout(none, tile, 0.0)
        nisa.dropout(every, tile, 1.0)

    each, none, every = run(body, x, prob, outs=[(x.shape, name)] * 3)
    np.testing.assert_array_equal(none, x)
    assert not every.any()
    dropped = each == 0
    np.testing.assert_array_equal(each[~dropped], x[~dropped])
    # Each row is binomial: five standard deviations over 128 rows.
    assert (np.abs(dropped.mean(axis=1) - prob[:, 0]) <= 5 * np.sqrt(prob[:, 0] * (1 - prob[:, 0]) / 400)).all()
    again = run(body, x, prob, outs=[(x.shape, name)] * 3)[0]
    np.testing.assert_array_equal(each, again)
    assert (run(body, x, prob, outs=[(x.shape, name)] * 3, rng_seed=1)[0] != each).any()
