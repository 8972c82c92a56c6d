"""
A state machine of views, writes, copies and reductions: a Neuron device beside NumPy and the host engine, step by step.

Nothing is compared before a tenth of the steps, drawn at random, and the end, so that reads stay pending across later writes.
"""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import trnarray as xp

SLOTS = 8
LARGEST = 2**20  # beyond it float32 sums of integers begin to round, and depend on the order
SHAPES = [(4,), (3, 4), (2, 3, 4), (5, 1), (1,), (7, 2), (0, 3), (2, 2, 2)]
ITEMS = [
    *(slice(None), slice(1, None), slice(None, -1), slice(None, None, -1), slice(None, None, 2), slice(-2, None, -2), slice(3, 0, -1)),
    *(slice(1, 2), slice(2, 2), slice(-1, None), slice(None, None, 3), 0, -1, 1, None, Ellipsis),
]
KEYS = st.lists(st.sampled_from(ITEMS), max_size=3).map(tuple)
SLOT = st.integers(0, SLOTS - 1)
NUMBERS = st.integers(0, 5)
ERRORS = (ValueError, IndexError, TypeError)
VIEWS = {
    "transpose": lambda m, x: x.T,
    "swap axes": lambda m, x: x.swapaxes(0, -1),
    "real": lambda m, x: x.real,
    "imag": lambda m, x: x.imag if x.dtype.kind == "c" else x[...],
    "ravel": lambda m, x: x.reshape(-1),
    "halves": lambda m, x: x.reshape((2, -1)),
    "columns": lambda m, x: x.reshape((-1, 1)),
    "squeeze": lambda m, x: x.squeeze(),
    "diagonal": lambda m, x: x.diagonal(),
    "broadcast": lambda m, x: m.broadcast_to(x, (2, *x.shape)),
    "flip": lambda m, x: x[::-1, ...],
}
# NumPy's results lie in memory as their operands do, a device's in C order; copies do on both sides, so that reshaping gives views alike.
DERIVED = {
    "copy": lambda m, x, y: x,
    "difference": lambda m, x, y: m.not_equal(x, y) if x.dtype.kind == "b" else m.subtract(x, y),
    "negative": lambda m, x, y: m.logical_not(x) if x.dtype.kind == "b" else m.negative(x),
    "chosen": lambda m, x, y: m.where(m.not_equal(x, y), x, y),
    "any": lambda m, x, y: m.any(x, axis=0),
    "sum": lambda m, x, y: m.any(x, axis=-1) if x.dtype.kind == "b" else m.sum(x, axis=-1, dtype=x.dtype),
    "first sum": lambda m, x, y: m.all(x, axis=0) if x.dtype.kind == "b" else m.sum(x, axis=0, dtype=x.dtype),
    "largest": lambda m, x, y: m.max(x, axis=-1) if x.dtype.kind != "c" else m.sum(x, axis=0, dtype=x.dtype),
    "outer sums": lambda m, x, y: m.sum(x, axis=(0, -1) if x.ndim > 1 else 0, keepdims=True, dtype=x.dtype),
    "running sums": lambda m, x, y: m.cumulative_sum(x, axis=-1, dtype=x.dtype),
    "counts": lambda m, x, y: m.astype(m.count_nonzero(x, axis=0), x.dtype),
    "by way of bytes": lambda m, x, y: m.astype(m.astype(m.real(x), m.int8), x.dtype),
    "side by side": lambda m, x, y: m.concat([x, y], axis=0),
    "picked": lambda m, x, y: x[[0, -1, 0]],
    "rolled": lambda m, x, y: m.roll(x, 1, axis=-1),
}
PRODUCTS = {
    "matrix": lambda m, x, y: m.matmul(x, m.matrix_transpose(y)),
    "Gram": lambda m, x, y: m.matmul(m.matrix_transpose(x), x),
    "vector": lambda m, x, y: m.matmul(x, y[-1]),
}
FANCY = {
    "rows": lambda x, y: ([0, -1],),
    "repeated rows": lambda x, y: ([-1, 0, -1],),
    "pairs": lambda x, y: ([0, -1], [-1, 0]),
    "mask": lambda x, y: (x != y,) if x.shape == y.shape else (x == 0,),
    "columns": lambda x, y: (..., [0, -1]),
}
# An output and two operands that look at the same memory.
OVERLAPPING = {
    "itself": lambda x: (x, x, x),
    "ahead": lambda x: (x[1:], x[:-1], x[1:]),
    "behind": lambda x: (x[:-1], x[1:], x[:-1]),
    "backwards": lambda x: (x, x[::-1], x),
    "turned": lambda x: (x, x.T, x),
    "spread": lambda x: (x, x[:1], x[-1:]),
}


class Machine(RuleBasedStateMachine):
    device = "sim:trn2"
    steps = 0  # of all runs

    def __init__(self):
        super().__init__()
        self.sides = (np, xp, xp)
        self.slots = []

    @initialize(name=st.sampled_from(["float32", "float32", "int32", "complex64", "bool", "float64", "int64"]), seed=st.integers(0, 2**16))
    def begin(self, name, seed):
        self.dtype, self.random = np.dtype(name), random.Random(seed)
        self.create(SHAPES[1], 0)
        self.create(SHAPES[0], 1)

    def keep(self, results):
        if not isinstance(results[0], np.ndarray):
            return
        if results[0].dtype.kind != "b" and results[0].size and np.abs(results[0]).max() > LARGEST:
            return
        self.slots.append(results)
        if len(self.slots) > SLOTS:
            self.slots.pop(0)

    def slot(self, number):
        return self.slots[number % len(self.slots)]

    def take(self, step, *operands):
        """Take a step on all sides; where NumPy raises, the others must, and nobody goes on."""
        try:
            results = [step(np, *(operand[0] for operand in operands))]
        except ERRORS:
            for side in (1, 2):
                with pytest.raises(ERRORS):
                    step(xp, *(operand[side] for operand in operands))
            return
        self.keep([*results, *(step(xp, *(operand[side] for operand in operands)) for side in (1, 2))])

    def compare(self, arrays):
        expected = arrays[0]
        for side in (1, 2):
            x = arrays[side]
            got = np.asarray(x.to_device("cpu"))
            assert (x.shape, x.dtype) == (got.shape, got.dtype) == (expected.shape, expected.dtype)
            np.testing.assert_array_equal(got, expected)

    @rule(shape=st.sampled_from(SHAPES), seed=st.integers(0, 9))
    def create(self, shape, seed):
        rng = np.random.default_rng(seed)
        values = rng.integers(-3, 4, shape)
        if self.dtype.kind == "c":
            values = values + 1j * rng.integers(-3, 4, shape)
        array = values.astype(self.dtype)
        self.keep([array.copy(), xp.asarray(array, device="cpu", copy=True), xp.asarray(array, device=self.device)])

    @rule(number=SLOT, key=KEYS)
    def index(self, number, key):
        self.take(lambda m, x: x[key], self.slot(number))

    @rule(number=SLOT, name=st.sampled_from(sorted(VIEWS)))
    def view(self, number, name):
        self.take(VIEWS[name], self.slot(number))

    @rule(number=SLOT, other=SLOT, name=st.sampled_from(sorted(DERIVED)))
    def derive(self, number, other, name):
        x, y = self.slot(number), self.slot(other)
        if x[0].dtype != y[0].dtype or max(x[0].size, y[0].size) > 64:
            y = x
        self.take(lambda m, x, y: DERIVED[name](m, x, y).copy(), x, y)

    @rule(number=SLOT, key=KEYS, value=NUMBERS)
    def assign_number(self, number, key, value):
        self.take(lambda m, x: x.__setitem__(key, value), self.slot(number))

    @rule(number=SLOT, start=NUMBERS, value=NUMBERS, into_copy=st.booleans())
    def copy_and_write(self, number, start, value, into_copy):
        def write(m, x):
            made = x.copy()
            target = made if into_copy else x
            target.reshape(-1)[start:] = value
            return made

        self.take(write, self.slot(number))

    def small(self, x, y, terms):
        """Whether sums of products can be told exactly."""
        return terms * int(np.abs(x).max(initial=0)) * int(np.abs(y).max(initial=0)) < LARGEST

    @rule(number=SLOT, other=SLOT, name=st.sampled_from(sorted(PRODUCTS)))
    def multiply_matrices(self, number, other, name):
        x, y = self.slot(number), self.slot(other)
        if y[0].ndim < 2 or y[0].shape[-2:] != x[0].shape[-2:]:
            y = x
        if x[0].ndim > 1 and max(x[0].shape) < 32 and (x[0].dtype.kind == "b" or self.small(x[0], y[0], 32)):
            self.take(lambda m, x, y: PRODUCTS[name](m, x, y).copy(), x, y)

    @rule(number=SLOT, other=SLOT)
    def multiply_into(self, number, other):
        x, y = self.slot(number), self.slot(other)
        if x[0].ndim == 2 and y[0].ndim == 2 and x[0].dtype == y[0].dtype and self.small(y[0], y[0], y[0].shape[1]):
            self.take(lambda m, x, y: m.matmul(y, y.T, out=x[: len(y), : len(y)]), x, y)

    @rule(number=SLOT, other=SLOT)
    def sum_into(self, number, other):
        x, y = self.slot(number), self.slot(other)
        if x[0].dtype == y[0].dtype and y[0].ndim:
            reduce = "any" if x[0].dtype.kind == "b" else "sum"
            self.take(lambda m, x, y: getattr(np, reduce)(y, axis=0, out=x[0, ...]) is None, x, y)

    @rule(number=SLOT, name=st.sampled_from(sorted(OVERLAPPING)))
    def add_over_operands(self, number, name):
        def add(m, x):
            out, one, other = OVERLAPPING[name](x)
            (m.logical_xor if x.dtype.kind == "b" else m.add)(one, other, out=out)

        self.take(add, self.slot(number))

    @rule(number=SLOT, other=SLOT, dtype=st.sampled_from(["int8", "float32", "bool"]))
    def assign_cast(self, number, other, dtype):
        def assign(m, x, y):
            x[...] = m.astype(m.real(y), getattr(m, dtype))

        self.take(assign, self.slot(number), self.slot(other))

    @rule(number=SLOT, other=SLOT)
    def copy_where(self, number, other):
        x, y = self.slot(number), self.slot(other)
        if x[0].flags.writeable:  # NumPy lets what is read-only be copied over itself
            self.take(lambda m, x, y: m.copyto(x, y, where=m.not_equal(y, 0)), x, y)

    @rule(number=SLOT, other=SLOT, key=KEYS)
    def assign_array(self, number, other, key):
        x, y = self.slot(number), self.slot(other)
        if x[0].dtype == y[0].dtype:
            whole = key if Ellipsis in key else (*key, ...)  # of one element, which versions of NumPy set differently
            self.take(lambda m, x, y: x.__setitem__(whole, y), x, y)

    @rule(number=SLOT)
    def shift_over_itself(self, number):
        def shift(m, x):
            x[1:] = x[:-1]

        self.take(shift, self.slot(number))

    @rule(number=SLOT)
    def reverse_over_itself(self, number):
        def reverse(m, x):
            x[...] = x[::-1]

        self.take(reverse, self.slot(number))

    @rule(number=SLOT, other=SLOT, name=st.sampled_from(sorted(FANCY)), value=NUMBERS)
    def assign_fancy(self, number, other, name, value):
        x, y = self.slot(number), self.slot(other)
        self.take(lambda m, x, y: x.__setitem__(FANCY[name](x, y), value), x, y)

    @rule(number=SLOT, other=SLOT, name=st.sampled_from(["rows", "pairs", "columns"]))
    def assign_fancy_array(self, number, other, name):
        x, y = self.slot(number), self.slot(other)
        if x[0].dtype == y[0].dtype and min((*x[0].shape, 9)) > 1:  # of no element twice, since then any may stay
            self.take(lambda m, x, y: x.__setitem__(FANCY[name](x, y), x[FANCY[name](x, y)] * 0 + y[:1] if y.ndim else y), x, y)

    @rule(number=SLOT)
    def increase_in_place(self, number):
        def add(m, x):
            if x.dtype.kind == "b":
                x ^= True
            else:
                x += 1

        self.take(add, self.slot(number))

    @rule(number=SLOT, other=SLOT)
    def subtract_in_place(self, number, other):
        def subtract(m, x, y):
            if x.dtype.kind == "b":
                x |= y
            else:
                x -= y

        x, y = self.slot(number), self.slot(other)
        if x[0].dtype == y[0].dtype and abs(int(np.abs(x[0]).max(initial=0))) + int(np.abs(y[0]).max(initial=0)) < LARGEST:
            self.take(subtract, x, y)

    @rule(number=SLOT, other=SLOT)
    def add_into(self, number, other):
        x, y = self.slot(number), self.slot(other)
        if x[0].dtype == y[0].dtype:
            self.take(lambda m, x, y: (m.logical_or if x.dtype.kind == "b" else m.add)(y, 1, out=x) is x, x, y)

    @rule(number=SLOT)
    def add_where(self, number):
        def masked(m, x):
            add = m.logical_xor if x.dtype.kind == "b" else m.add
            add(x, 1, out=x, where=m.not_equal(x, 0))

        self.take(masked, self.slot(number))

    @rule(number=SLOT)
    def forget(self, number):
        if len(self.slots) > 2:
            self.slots.pop(number % len(self.slots))

    @invariant()
    def look(self):
        Machine.steps += 1
        if self.slots and self.random.random() < 0.1:
            self.compare(self.random.choice(self.slots))

    def teardown(self):
        xp.synchronize(self.device)  # a write that spoils what is there already does so now
        for arrays in self.slots:
            self.compare(arrays)


@pytest.fixture(autouse=True, scope="module")
def allowed():
    with xp.config(fallback="allow"):
        yield


@pytest.mark.slow
class TestMachine(Machine.TestCase):
    settings = settings(stateful_step_count=100, deadline=None, suppress_health_check=list(HealthCheck))

    def runTest(self):  # noqa: N802  # unittest's
        super().runTest()
        assert Machine.steps >= 70 * self.settings.max_examples
