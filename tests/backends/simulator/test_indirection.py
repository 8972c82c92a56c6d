"""Columns at run-time offsets against NumPy's indexing, on every instruction that takes them."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends import simulator
from trnarray.backends.simulator import Knobs, isa, language
from trnarray.backends.simulator.errors import KernelError, NkiConstraintError, OutOfBoundsError, UninitializedReadError

RNG = np.random.default_rng(4)
F32 = language.float32


@pytest.fixture(autouse=True)
def on_trn3():
    with simulator.options("trn3"):
        yield


def snake(offsets, partitions, group=16):
    """Index tensor with the same offsets in each group of partitions: offset i in row i % group, column i // group."""
    index = np.zeros((partitions, -(-len(offsets) // group)), np.uint16)
    for i, offset in enumerate(offsets):
        index[i % group :: group, i // group] = offset
    return index


def tile(array, buffer=language.sbuf):
    held = language.ndarray(array.shape, array.dtype, language.sbuf)
    isa.dma_copy(held, array)
    if buffer is language.sbuf:
        return held
    moved = language.ndarray(array.shape, array.dtype, buffer)
    isa.tensor_copy(moved, held)
    return moved


def out(held):
    result = language.ndarray(held.shape, held.dtype, language.shared_hbm)
    if held.buffer is language.psum:
        staged = language.ndarray(held.shape, held.dtype)
        isa.tensor_copy(staged, held)
        held = staged
    isa.dma_copy(result, held)
    return result


def gathering(issue):
    """Kernel that gathers columns of its first argument as the source of an instruction."""

    @simulator.jit
    def kernel(data, index, count):
        dst = language.ndarray((data.shape[0], count), F32)
        issue(dst, tile(data).indirect(tile(index), num_elem=count))
        return out(dst)

    return kernel


def scattering(issue):
    """Kernel that scatters the result of an instruction into columns of its second argument."""

    @simulator.jit
    def kernel(data, into, index):
        target = tile(into)
        issue(target.indirect(tile(index), num_elem=data.shape[1]), tile(data))
        return out(target)

    return kernel


UNARY = {
    "copy": (isa.tensor_copy, lambda x: x),
    "copy on act": (lambda dst, src: isa.tensor_copy(dst, src, engine=isa.engine.scalar), lambda x: x),
    "tensor_scalar": (lambda dst, src: isa.tensor_scalar(dst, src, language.multiply, 2.0), lambda x: 2 * x),
    "activation": (lambda dst, src: isa.activation(dst, language.relu, src), lambda x: np.maximum(x, 0)),
    "activate2": (
        lambda dst, src: isa.activate2(dst, language.copy, src, 2.0, 1.0, language.multiply, language.add),
        lambda x: np.float32(2) * x + np.float32(1),
    ),
    "tensor_tensor": (lambda dst, src: isa.tensor_tensor(dst, src, other(src), language.add), lambda x: x + np.float32(3)),
}


def other(like):
    held = language.ndarray(like.shape, F32)
    isa.memset(held, 3.0)
    return held


@pytest.mark.parametrize("name", UNARY)
def test_gather(name):
    issue, reference = UNARY[name]
    data, offsets = RNG.standard_normal((128, 64), np.float32), RNG.permutation(64)[:20]
    found = gathering(issue)(data, snake(offsets, 128), 20)
    np.testing.assert_array_equal(found, reference(data[:, offsets]))


@pytest.mark.parametrize("name", UNARY)
def test_scatter(name):
    issue, reference = UNARY[name]
    data, into, offsets = RNG.standard_normal((64, 20), np.float32), RNG.standard_normal((64, 50), np.float32), RNG.permutation(50)[:20]
    expected = into.copy()
    expected[:, offsets] = reference(data)
    np.testing.assert_array_equal(scattering(issue)(data, into, snake(offsets, 64)), expected)


def test_reductions_and_scans():
    data, offsets = RNG.integers(-8, 8, (32, 40)).astype(np.float32), RNG.integers(0, 40, 16)
    chosen = data[:, offsets].astype(np.float64)

    @simulator.jit
    def kernel(data, index):
        source = tile(data).indirect(tile(index), num_elem=16)
        total, running, sums = language.ndarray((32, 1), F32), language.ndarray((32, 16), F32), language.ndarray((32, 1), F32)
        isa.tensor_reduce(total, language.add, source, axis=1)
        isa.tensor_scalar_cumulative(running, source, language.multiply, language.add, 2.0)
        shifted = language.ndarray((32, 16), F32)
        isa.tensor_scalar_reduce(shifted, source, language.add, 1.0, language.add, reduce_res=sums)
        return out(total), out(running), out(sums)

    total, running, sums = kernel(data, snake(offsets, 32))
    np.testing.assert_array_equal(total, chosen.sum(1, keepdims=True))
    np.testing.assert_array_equal(running, np.cumsum(2 * chosen, 1))
    np.testing.assert_array_equal(sums, (chosen + 1).sum(1, keepdims=True))


def test_predicated_copy():
    data, into, offsets = RNG.standard_normal((32, 10), np.float32), RNG.standard_normal((32, 30), np.float32), RNG.permutation(30)[:10]
    flags = RNG.integers(0, 2, (32, 10), dtype=np.uint8)

    @simulator.jit
    def kernel(data, into, index, flags):
        target = tile(into)
        isa.tensor_copy_predicated(target.indirect(tile(index), num_elem=10), tile(data), tile(flags))
        return out(target)

    expected = into.copy()
    expected[:, offsets] = np.where(flags != 0, data, into[:, offsets])
    np.testing.assert_array_equal(kernel(data, into, snake(offsets, 32), flags), expected)


def test_matmul_gathers_and_scatters_in_groups_of_32():
    left, right = (RNG.integers(-4, 4, shape).astype(ml_dtypes.bfloat16) for shape in ((64, 80), (64, 100)))
    rows, columns, places = RNG.permutation(80)[:64], RNG.integers(0, 100, 40), RNG.permutation(50)[:40]

    @simulator.jit
    def kernel(left, right, rows, columns, places):
        dst = language.ndarray((64, 50), F32, language.psum)
        zero = language.ndarray((64, 64), language.bfloat16)
        isa.memset(zero, 0.0)
        wide = language.ndarray((64, 50), language.bfloat16)
        isa.memset(wide, 0.0)
        isa.nc_matmul(dst, zero, wide)
        for _ in range(2):
            isa.nc_matmul(
                dst.indirect(tile(places), num_elem=40),
                tile(left).indirect(tile(rows), num_elem=64),
                tile(right).indirect(tile(columns), num_elem=40),
            )
        return out(dst)

    found = kernel(left, right, snake(rows, 64, 32), snake(columns, 64, 32), snake(places, 64, 32))
    expected = np.zeros((64, 50))
    expected[:, places] = 2 * left[:, rows].astype(np.float64).T @ right[:, columns].astype(np.float64)
    np.testing.assert_array_equal(found, expected)


def test_matmul_adds_to_one_place_once():
    @simulator.jit
    def kernel(data, places, accumulate):
        dst, held = language.ndarray((32, 50), F32, language.psum), tile(data)
        isa.nc_matmul(dst.indirect(tile(places), num_elem=4), held, held[:, :4], accumulate=accumulate)
        return out(dst[:, 7:8])

    data, places = np.eye(32).astype(ml_dtypes.bfloat16), snake([1, 7, 7, 3], 32, 32)
    np.testing.assert_array_equal(kernel(data, places, False)[:, 0], np.eye(32)[2])  # the last of equal offsets
    with pytest.raises(KernelError, match="undocumented"):
        kernel(data, places, None)


def test_microscaled_matmul_gathers_scales_too():
    offsets = RNG.permutation(40)[:16]
    source, weights = (RNG.standard_normal(shape).astype(ml_dtypes.bfloat16) for shape in ((32, 160), (32, 64)))

    @simulator.jit
    def kernel(source, weights, index, gathered):
        held = language.ndarray((32, 40), language.float8_e4m3fn_x4), language.ndarray((32, 40), language.uint8)
        fixed = language.ndarray((32, 16), language.float8_e4m3fn_x4), language.ndarray((32, 16), language.uint8)
        isa.quantize_mx(held[0], tile(source), held[1])
        isa.quantize_mx(fixed[0], tile(weights), fixed[1])
        at = tile(index)
        moving = tuple(t.indirect(at, num_elem=16) for t in held) if gathered else held
        dst = language.ndarray((16, 16 if gathered else 40), F32, language.psum)
        isa.nc_matmul_mx(dst, fixed[0], moving[0], fixed[1], moving[1])
        return out(dst)

    index = snake(offsets, 32, 32)
    np.testing.assert_array_equal(kernel(source, weights, index, True), kernel(source, weights, index, False)[:, offsets])


@given(st.lists(st.integers(0, 8), min_size=1, max_size=32), st.sampled_from([16, 32, 128]), st.integers(0, 5))
def test_any_offsets_of_a_part_of_a_tile(offsets, partitions, first):
    data, index = np.arange(partitions * 16, dtype=np.float32).reshape(partitions, 16), snake(offsets, partitions)

    @simulator.jit
    def kernel(data, index):
        dst = language.ndarray((partitions, len(offsets)), F32)
        isa.tensor_copy(dst, tile(data)[:, first : first + 9].indirect(tile(index), num_elem=len(offsets)))
        return out(dst)

    with simulator.options("trn3"):
        np.testing.assert_array_equal(kernel(data, index), data[:, first : first + 9][:, offsets])


def test_groups_of_partitions_are_a_knob():
    data, index = RNG.standard_normal((32, 64), np.float32), RNG.permutation(32)[:, None].astype(np.int32)
    copy = gathering(isa.tensor_copy)
    with pytest.raises(KernelError, match="indirect_offsets"):
        copy(data, index, 16)
    with simulator.options(knobs=Knobs(indirect_offsets="first")):
        np.testing.assert_array_equal(copy(data, index, 16), data[:, index[:16, 0]])
    with simulator.options(knobs=Knobs(indirect_offsets="own")):
        np.testing.assert_array_equal(copy(data, index, 16), np.concatenate([data[:16, index[:16, 0]], data[16:, index[16:, 0]]]))


def test_unwritten_and_out_of_bounds():
    data = RNG.standard_normal((16, 8), np.float32)
    copy = gathering(isa.tensor_copy)
    with pytest.raises(OutOfBoundsError, match="offset 8"):
        copy(data, snake([0, 8], 16), 2)

    @simulator.jit
    def half(data, index, written):
        held, dst = language.ndarray((16, 8), F32), language.ndarray((16, 4), F32)
        isa.dma_copy(held[:, :4], data[:, :4])
        at = language.ndarray((16, 1), language.uint16)
        isa.dma_copy(at[:written, :], index[:written, :])
        isa.tensor_copy(dst, held.indirect(at, num_elem=4))
        return out(dst)

    np.testing.assert_array_equal(half(data, snake([3, 1, 0, 2], 16), 4), data[:, [3, 1, 0, 2]])
    with pytest.raises(UninitializedReadError, match=r"element \(0, 2\)"):
        half(data, snake([3, 1, 4, 2], 16), 4)
    with pytest.raises(UninitializedReadError, match="uint16"):
        half(data, snake([3, 1, 0, 2], 16), 3)


def test_scattered_elements_count_as_written():
    @simulator.jit
    def kernel(data, index, columns):
        held = language.ndarray((16, 8), F32)
        isa.tensor_copy(held.indirect(tile(index), num_elem=2), tile(data))
        return out(held[:, 2 : 2 + columns])

    data = RNG.standard_normal((16, 2), np.float32)
    np.testing.assert_array_equal(kernel(data, snake([3, 2], 16), 2), data[:, ::-1])
    with pytest.raises(UninitializedReadError):
        kernel(data, snake([3, 2], 16), 3)


def test_an_indirect_view_goes_to_an_instruction_as_it_is():
    @simulator.jit
    def kernel(data, index):
        tile(data).indirect(tile(index))[:, :2]

    with pytest.raises(NkiConstraintError, match="goes to an instruction"):
        kernel(np.zeros((16, 8), np.float32), np.zeros((16, 1), np.uint16))
