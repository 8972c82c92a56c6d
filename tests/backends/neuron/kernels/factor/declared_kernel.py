"""Runs a declared kernel alone on the simulator."""

from typing import NamedTuple

import numpy as np

from trnarray.backends import simulator
from trnarray.backends.isa import nl
from trnarray.backends.neuron import kernels  # noqa: F401  # declares them
from trnarray.backends.neuron.dtypes import NKI_NAMES
from trnarray.backends.neuron.kernel import kernel
from trnarray.backends.rules import Signature
from trnarray.backends.simulator.knobs import Knobs


class Alone(NamedTuple):
    """An emission without a plan: operands and results in HBM."""

    operands: tuple
    results: list
    budget: int = 100_000

    def source(self, number, shape):
        return self.operands[number].reshape(shape)

    def result(self, shape, number=0):
        return self.results[number].reshape(shape)


def program(name, *operands, **attributes):
    """Make the program of one call: a function of the operands' elements."""
    found = kernel(name)
    invocation = found.invoke(*[Signature(one.shape, one.dtype) for one in operands], **attributes)

    @simulator.jit
    def run(*tensors):
        out = [nl.ndarray(one.shape, NKI_NAMES[one.dtype], buffer=nl.shared_hbm) for one in invocation.results]
        found.emitter("")(Alone(tensors, out), *invocation.parameters)
        return tuple(out)

    return run


def run(name, *operands, target="trn2", knobs=None, **attributes):
    """Run a call of a kernel on arrays."""
    operands = [np.ascontiguousarray(one) for one in operands]
    with simulator.options(target, knobs=knobs or Knobs(), races="strict"):
        return program(name, *operands, **attributes)(*operands)


def predict(name, *shapes, target="trn2", dtype=np.float32, **attributes):
    """Predict a call of a kernel of operands of one dtype."""
    operands = [np.broadcast_to(np.zeros(1, dtype), shape) for shape in shapes]
    with simulator.options(target, mode="cost"):
        return program(name, *operands, **attributes)(*[simulator.Abstract(shape, NKI_NAMES[np.dtype(dtype)]) for shape in shapes])
