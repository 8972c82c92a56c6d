"""A state machine of views, writes, swaps, augmented assignment and iteration: Arrays beside ndarrays, step by step.

Every step is taken twice, on an Array and on its NumPy counterpart. After each one all arrays that are alive must agree in
values, dtype, shape and strides, in being detached or not, in having a base or not, and in who shares memory with whom.
"""

import operator

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from trnarray._array import Array

wrap = Array._wrap
SLOTS = 7
DTYPES = [np.dtype(name) for name in ("bool", "int8", "uint8", "int64", "float32", "float64", "complex64", "complex128")]
AUGMENTED = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "&=": operator.iand,
    "|=": operator.ior,
    "^=": operator.ixor,
}
VIEWS = {
    "T": lambda x: x.T,
    "mT": lambda x: x.mT,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "ravel": lambda x: x.ravel(),
    "ravel K": lambda x: x.ravel("K"),
    "reshape": lambda x: x.reshape(-1),
    "reshape F": lambda x: x.reshape((-1, 1), order="F"),
    "reshape in place": lambda x: x.reshape(x.shape[::-1], copy=False),
    "swapaxes": lambda x: x.swapaxes(0, -1),
    "squeeze": lambda x: x.squeeze(),
    "diagonal": lambda x: x.diagonal(),
    "view": lambda x: x.view(),
    "bytes": lambda x: x.view("u1"),
    "ellipsis": lambda x: x[...],
    "new axis": lambda x: x[:, None],
    "row": lambda x: x[-1],
    "row as view": lambda x: x[-1, ...],
    "reversed": lambda x: x[::-1],
    "iteration": lambda x: next(iter(x), None),
    "flat iteration": lambda x: list(x.flat)[-1],
}
COPIES = {
    "copy": lambda x: x.copy(),
    "flatten": lambda x: x.flatten(),
    "sum": lambda x: x.sum(),
    "sum of columns": lambda x: x.sum(axis=0),
    "max": lambda x: x.max(),
    "negative": lambda x: -x,
    "double": lambda x: x + x,
    "positive": lambda x: x[x != 0],
    "fancy": lambda x: x[[0, -1]],
    "flat slice": lambda x: x.flat[1:],
    "sorted indices": lambda x: x.argsort(kind="stable"),
    "take": lambda x: x.take([0, -1]),
    "repeat": lambda x: x.repeat(2),
    "astype": lambda x: x.astype("f8") if x.dtype.kind != "c" else x.astype("c16"),
}
WRITES = {
    "fill": lambda x: x.fill(1),
    "sort": lambda x: x.sort(),
    "put": lambda x: x.put([0, -1], [1, 0]),
    "partition": lambda x: x.partition(x.shape[-1] // 2) if x.shape[-1] < 3 else x.sort(0),
    "byteswap": lambda x: x.byteswap(True) if x.dtype.kind in "iu" else None,
    "write-protect": lambda x: x.setflags(write=False),
    "mask": lambda x: x.__setitem__(x == 0, 1),
    "fancy": lambda x: x.__setitem__([0, -1], x[[-1, 0]]),
    "reverse over itself": lambda x: x.__setitem__(slice(None), x[::-1]),
    "real": lambda x: setattr(x, "real", 1),
    "flat": lambda x: setattr(x, "flat", [1, 0, 1]),
    "flat of itself": lambda x: setattr(x, "flat", x.T.copy()),
    "flat item": lambda x: x.flat.__setitem__(-1, 1),
    "flat slice": lambda x: x.flat.__setitem__(slice(None, None, 2), [1, 2]),
    "sum into itself": lambda x: x.sum(axis=0, out=x[-1, ...]),
}
ERRORS = (ValueError, TypeError, IndexError, OverflowError, DeprecationWarning)  # NumPy 2.2 only deprecates what later raises
SCALARS = st.sampled_from([0, 1, -1, 3, True, 2.5, -0.5, 1j, 1000])


def running_best(x):
    best = x[0]
    for item in x.ravel():
        if item > best:
            best = item
            item += 1  # must leave `best` alone
    return best


def swap(x, i, j):
    held = x[i]
    x[i] = x[j]
    x[j] = held


class Arrays(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.ours, self.numpys = [], []

    def _keep(self, ours, numpys):
        """Put a pair of results into a new slot, and forget the oldest pair but the first, which are arrays."""
        if not isinstance(numpys, (np.ndarray, np.generic)):
            return
        self.ours.append(ours)
        self.numpys.append(numpys)
        if len(self.ours) > SLOTS:
            del self.ours[1], self.numpys[1]

    def _both(self, step, *slots):
        """Take a step on both sides; where NumPy raises, ours must, and neither side goes on."""
        with np.errstate(all="ignore"):
            error = expected = None
            try:
                expected = step(*(self.numpys[slot] for slot in slots))
            except ERRORS as raised:
                error = raised
            if error is None:
                return step(*(self.ours[slot] for slot in slots)), expected
            kinds = tuple(kind for kind in ERRORS if isinstance(error, kind))
            with pytest.raises(kinds):
                step(*(self.ours[slot] for slot in slots))
            return None, None

    def _slot(self, data, array_only=False):
        choices = [i for i, a in enumerate(self.numpys) if isinstance(a, np.ndarray) or not array_only]
        return data.draw(st.sampled_from(choices), label="slot")

    @initialize(dtype=st.sampled_from(DTYPES))
    def start(self, dtype):
        self.create(dtype, (2, 3), "C", 0)

    @rule(
        dtype=st.sampled_from(DTYPES),
        shape=npst.array_shapes(min_dims=0, max_dims=3, max_side=3),
        order=st.sampled_from("CF"),
        seed=st.integers(0, 2**16),
    )
    def create(self, dtype, shape, order, seed):
        a = np.random.default_rng(seed).integers(0, 9, shape).astype(dtype)
        self._keep(wrap(a.copy(order)), a.copy(order))

    @rule(data=st.data(), names=st.lists(st.sampled_from(sorted(VIEWS)), min_size=1, max_size=4))
    def view(self, data, names):
        for name in names:
            self._keep(*self._both(VIEWS[name], self._slot(data, array_only=True)))

    @rule(data=st.data(), name=st.sampled_from(sorted(COPIES)))
    def copy(self, data, name):
        self._keep(*self._both(COPIES[name], self._slot(data, array_only=True)))

    @rule(data=st.data())
    def index(self, data):
        slot = self._slot(data, array_only=True)
        key = data.draw(npst.basic_indices(self.numpys[slot].shape, allow_newaxis=True, max_dims=4), label="key")
        self._keep(*self._both(lambda x: x[key], slot))

    @rule(data=st.data(), value=SCALARS)
    def assign_scalar(self, data, value):
        slot = self._slot(data, array_only=True)
        key = data.draw(npst.basic_indices(self.numpys[slot].shape), label="key")
        if isinstance(value, complex) and self.numpys[slot].dtype.kind != "c":
            return  # NumPy's TypeError is about float(), ours is the same by way of NumPy
        self._both(lambda x: x.__setitem__(key, value), slot)

    @rule(data=st.data())
    def assign_array(self, data):
        slot, source = self._slot(data, array_only=True), self._slot(data)
        if self.numpys[source].dtype.kind == "c" and self.numpys[slot].dtype.kind != "c":
            return  # NumPy warns
        key = data.draw(npst.basic_indices(self.numpys[slot].shape), label="key")
        self._both(lambda x, y: x.__setitem__(key, y), slot, source)

    @rule(data=st.data(), names=st.lists(st.sampled_from(sorted(WRITES)), min_size=1, max_size=4))
    def write(self, data, names):
        for name in names:
            self._both(WRITES[name], self._slot(data, array_only=True))

    @rule(data=st.data(), name=st.sampled_from(sorted(AUGMENTED)), value=SCALARS)
    def augment_by_scalar(self, data, name, value):
        slot = self._slot(data)
        ours, numpys = self._both(lambda x: AUGMENTED[name](x, value), slot)
        if numpys is not None:
            self.ours[slot], self.numpys[slot] = ours, numpys  # as `x += value` binds x

    @rule(data=st.data(), name=st.sampled_from(sorted(AUGMENTED)))
    def augment_by_array(self, data, name):
        slot, operand = self._slot(data), self._slot(data)
        was = self.ours[slot]
        ours, numpys = self._both(AUGMENTED[name], slot, operand)
        if numpys is not None:
            assert (ours is was) == (numpys is self.numpys[slot] and isinstance(numpys, np.ndarray))
            self.ours[slot], self.numpys[slot] = ours, numpys

    @rule(data=st.data())
    def bind_again(self, data):
        slot = self._slot(data)
        self._keep(self.ours[slot], self.numpys[slot])

    @rule(data=st.data())
    def swap_through_a_temporary(self, data):
        slot = self._slot(data, array_only=True)
        shape = self.numpys[slot].shape
        if not shape or not shape[0]:
            return
        whole = st.integers(0, shape[0] - 1)
        full = st.tuples(*(st.integers(0, n - 1) for n in shape)) if all(shape) else whole
        keys = data.draw(st.tuples(full, full) | st.tuples(whole, whole), label="keys")
        self._both(lambda x: swap(x, *keys), slot)

    @precondition(lambda self: any(a.ndim == 1 and a.dtype.kind != "c" for a in self.numpys))
    @rule(data=st.data())
    def find_running_best(self, data):
        slot = data.draw(st.sampled_from([i for i, a in enumerate(self.numpys) if a.ndim == 1 and a.dtype.kind != "c"]), label="slot")
        self._keep(*self._both(running_best, slot))

    @rule(data=st.data(), flip=st.booleans())
    def set_shape(self, data, flip):
        slot = self._slot(data, array_only=True)
        shape = self.numpys[slot].shape[::-1] if flip else (-1,)
        try:
            # NumPy deprecates the assignment, so its side gets a view, in all places where the array is bound.
            view = self.numpys[slot].reshape(shape, copy=False)
        except ValueError:
            with pytest.raises(ValueError, match="reshape|copy"):
                self.ours[slot].shape = shape
            return
        original = self.numpys[slot]
        self.ours[slot].shape = shape
        self.numpys = [view if a is original else a for a in self.numpys]

    @rule(data=st.data())
    def forget(self, data):
        if len(self.ours) > 1:
            slot = data.draw(st.integers(1, len(self.ours) - 1), label="slot")
            del self.ours[slot], self.numpys[slot]

    @invariant()
    def agree(self):
        for x, a in zip(self.ours, self.numpys, strict=True):
            value = x._value
            assert isinstance(value, np.ndarray) == isinstance(a, np.ndarray)
            assert (x.dtype, x.shape) == (a.dtype, a.shape)
            assert value.tobytes() == a.tobytes()
            assert x.strides == a.strides
            assert x.flags.writeable == a.flags.writeable
            assert (x.base is None) == (a.base is None)

    @invariant()
    def alias_alike(self):
        for i, (x, a) in enumerate(zip(self.ours, self.numpys, strict=True)):
            for y, b in zip(self.ours[:i], self.numpys[:i], strict=True):
                assert np.shares_memory(x._value, y._value) == np.shares_memory(a, b)
                assert (x is y) == (a is b) or isinstance(a, np.bool)  # of which there are two
                if y.base is x:
                    assert np.shares_memory(a, b) or not b.size


Arrays.TestCase.settings = settings(max_examples=200, stateful_step_count=50, deadline=None)
TestArrays = Arrays.TestCase
