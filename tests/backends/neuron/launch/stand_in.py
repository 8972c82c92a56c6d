"""Stand-ins for AWS's NKI and for JAX that record what they are asked, and compute it on the simulator."""

import os
import types

import numpy as np

from trnarray.backends import simulator
from trnarray.backends.neuron.launch import numpy_arrays


class Nki:
    """``nki``, of which launchers use `simulate`; and a program that records its calls."""

    def __init__(self):
        self.calls = []

    def simulate(self, kernel):
        self.calls.append(("simulate", kernel.lnc))
        return kernel


class Program:
    """The program as NKI's decorator would make it: called with a plan, a table or None, and arrays."""

    def __init__(self, function, calls, lnc=None, fail=None):
        self.function, self.calls, self.lnc, self.fail = function, calls, lnc, fail

    def __getitem__(self, lnc):
        return Program(self.function, self.calls, lnc, self.fail)

    def __call__(self, plan, table, *arrays):
        target = os.environ["NEURON_PLATFORM_TARGET_OVERRIDE"]
        self.calls.append((self.lnc, target, plan, None if table is None else np.asarray(table).tolist(), len(arrays)))
        if self.fail is not None:
            raise self.fail
        hosts = [array.data if isinstance(array, Array) else array for array in arrays]
        with simulator.options(target):
            results = self.function(plan, None if table is None else np.asarray(table), *hosts)
        return tuple(Array(result) for result in results) if any(isinstance(array, Array) for array in arrays) else results


class Array:
    """A jax.Array: immutable, until it is donated."""

    def __init__(self, data):
        self.data, self.deleted = data, False

    def is_deleted(self):
        return self.deleted

    @property
    def size(self):
        return self.data.size

    def __array__(self, dtype=None, copy=None):
        assert not self.deleted
        return self.data


class Jax:
    """``jax`` and ``jax.experimental.serialize_executable``."""

    def __init__(self, serializable=True):
        self.calls, self.fail, self.serializable, self.functions = [], None, serializable, {}
        self.tree_util = types.SimpleNamespace(tree_structure=lambda tree: ("tree", _form(tree)))
        self.sharding = types.SimpleNamespace(SingleDeviceSharding=lambda device: ("on", device.id))
        self.found = [types.SimpleNamespace(client="client", id=number) for number in range(2)]

    def devices(self, platform):
        assert platform == "neuron"
        return self.found

    def device_put(self, arrays, device):
        self.calls += [("put", array.shape, array.dtype.name, device.id) for array in arrays]
        return [Array(array.copy()) for array in arrays]

    def device_get(self, arrays):
        return [np.asarray(array) for array in arrays]

    def ShapeDtypeStruct(self, shape, dtype, *, sharding):  # noqa: N802  # JAX's name
        self.calls.append(("abstract", shape, dtype.name, sharding))
        return "abstract"

    def block_until_ready(self, arrays):
        if self.fail is not None:
            raise self.fail
        return arrays

    def jit(self, function, donate_argnums):
        def lower(*args):
            self.calls.append(("compile", donate_argnums))
            return types.SimpleNamespace(compile=lambda: self._executable(function, donate_argnums))

        return types.SimpleNamespace(lower=lower)

    def _executable(self, function, donated):
        def run(*args):
            results = function(*args)
            for place in donated:
                args[place].deleted = True
            return results

        run.name = f"executable {len(self.functions)}".encode()
        self.functions[run.name] = run
        return run

    def serialize(self, executable):
        if not self.serializable:
            raise AttributeError("Compilation does not support serialization")
        return executable.name, "in", "out"

    def deserialize_and_load(self, payload, in_tree, out_tree, *, backend, execution_devices):
        self.calls.append(("load", payload, in_tree, out_tree, backend, execution_devices[0].id))
        if payload not in self.functions:
            raise RuntimeError("INTERNAL: no such executable")
        return self.functions[payload]


def _form(tree):
    if isinstance(tree, tuple):
        return tuple(map(_form, tree))
    return tree if tree is None or isinstance(tree, dict) else "*"


def recording(monkeypatch, *modules, fail=None):
    """Put a recording program into launchers, and return its calls."""
    calls = []
    stand_in = Program(numpy_arrays.program, calls, fail=fail)
    for module in modules:
        monkeypatch.setattr(module, "program", stand_in)
    return calls
