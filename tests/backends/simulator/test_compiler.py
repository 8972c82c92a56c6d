"""Configuration of kernels, and the parts of NKI that a simulator has to decline."""

import importlib

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import collectives, isa, language
from trnarray.backends.simulator.compiler import AddressRotation, CompileConfig, SpecializationConfig

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def double(x):
    tile, out = language.ndarray(x.shape, x.dtype), language.ndarray(x.shape, x.dtype, language.shared_hbm)
    isa.dma_copy(tile, x)
    isa.tensor_scalar(tile, tile, language.multiply, 2.0)
    isa.dma_copy(out, tile)
    return out


def test_configurations_change_no_result():
    config = CompileConfig(address_rotation=AddressRotation.DISABLE, dead_code_elim=False, barrier_check=True)
    kernel = simulator.jit(compile_config=config, specialization_config=SpecializationConfig(), mode="trace")(double)
    np.testing.assert_array_equal(kernel(X), 2 * X)


def test_what_the_simulator_cannot_do_says_so():
    with pytest.raises(NotImplementedError, match="prefetch"):
        CompileConfig(prefetch_auto=True)
    with pytest.raises(TypeError, match="CompileConfig"):
        simulator.jit(double, compile_config={"prefetch_auto": True})
    with pytest.raises(TypeError, match="platform_target"):
        simulator.jit(double, platform_target="trn2")
    with simulator.as_nki(target="trn2"):
        builder = importlib.import_module("nki.compiler.kernel_builder")
        with pytest.raises(NotImplementedError, match=r"kernel\.program"):
            builder.compile_kernel(double, inputs={"x": X}, outputs={}, compile_opts=None, scale=2)


def test_a_kernel_within_another_agrees_with_it():
    inner = simulator.jit(double, compile_config=CompileConfig(dead_code_elim=False))

    def outer(x):
        return inner(x)

    def plain(x):
        return simulator.jit(double)(x)

    for config in (None, CompileConfig(dead_code_elim=True)):
        with pytest.raises(ValueError, match="allow_nested_config_override"):
            simulator.jit(outer, compile_config=config)(X)
    np.testing.assert_array_equal(simulator.jit(outer, compile_config=CompileConfig(dead_code_elim=False))(X), 2 * X)
    np.testing.assert_array_equal(simulator.jit(plain, compile_config=CompileConfig())(X), 2 * X)
    lenient = simulator.jit(outer, specialization_config=SpecializationConfig(allow_nested_config_override=True))
    with pytest.warns(UserWarning, match="another compile_config"):
        np.testing.assert_array_equal(lenient(X), 2 * X)


def test_every_module_is_imported_by_its_name():
    with simulator.as_nki(target="trn2"):
        for name in ("nki.compiler", "nki.experimental", "nki.isa.constants", "nki.typing", "nki.collectives"):
            importlib.import_module(name)
        assert importlib.import_module("nki.experimental").while_loop is language.while_loop


@pytest.mark.parametrize(
    ("op", "operand", "lists"),
    [("bitwise_and", 0, [list(range(8))]), ("bitwise_and", 1, [[0, 2, 4, 6], [1, 3, 5, 7]]), ("div", 4, [[0, 1, 2, 3], [4, 5, 6, 7]])],
)
def test_replica_groups_by_partition(op, operand, lists):
    found = collectives.ReplicaGroup.from_partition_op(8, collectives.rg_partition_op[op], operand)
    assert repr(found) == f"ReplicaGroup({lists})"


def test_replica_groups_need_a_positive_operand():
    with pytest.raises(ValueError, match="positive"):
        collectives.ReplicaGroup.from_partition_op(8, collectives.rg_partition_op.mod, 0)
