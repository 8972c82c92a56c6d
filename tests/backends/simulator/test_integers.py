"""Integers where the documents are silent: each setting of the knobs against Python's integers."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import KernelError, Knobs, isa, language

RNG = np.random.default_rng(4)


def run(body, *arrays, dtype, target="trn3", **knobs):
    @simulator.jit
    def kernel(inputs):
        tiles = []
        for source in inputs:
            tiles.append(language.ndarray(source.shape, source.dtype))
            isa.dma_copy(tiles[-1], source)
        out = language.ndarray(tiles[0].shape, dtype)
        result = language.ndarray(tiles[0].shape, dtype, language.shared_hbm)
        body(out, *tiles)
        isa.dma_copy(result, out)
        return result

    with simulator.options(target, knobs=Knobs(**knobs)):
        return kernel(arrays)


WRITERS = {
    "tensor_copy": isa.tensor_copy,
    "dma_copy": isa.dma_copy,
    "tensor_scalar": lambda out, x: isa.tensor_scalar(out, x, language.add, 0.0),
    "activation": lambda out, x: isa.activation(out, language.copy, x),
    "affine_select": lambda out, x: isa.affine_select(out, [[1, 4]], 0, x, 0.0, cmp_op=language.greater_equal),
}


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
def test_nan(write, dtype):
    """Other numbers are to nearest even and saturate, whatever the knob."""
    x, limits = np.array([[np.nan, -1e20, 2.5, 1e20]], np.float32), np.iinfo(dtype)
    for reading, want in (("zero", 0), ("largest", limits.max), ("smallest", limits.min)):
        found = run(WRITERS[write], x, dtype=dtype, nan_to_integer=reading)
        assert found.tolist() == [[want, limits.min, 2, limits.max]]


@pytest.mark.parametrize("write", ["tensor_copy", "dma_copy", "tensor_scalar", "activation"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32"])
def test_numbers_near_the_limits(write, dtype):
    """Alone and all together: what holds all numbers of a tile is converted otherwise than what does not."""
    limits = np.iinfo(dtype)
    near = np.array([limits.min, limits.max // 2, limits.max // 2 + 1, limits.max, 2.5], np.float32)
    numbers = np.concatenate([near, np.nextafter(near, np.float32(-np.inf)), np.nextafter(near, np.float32(np.inf))])
    wanted = [min(max(round(float(x)), limits.min), limits.max) for x in numbers]
    for x, want in zip(numbers, wanted, strict=True):
        assert run(WRITERS[write], np.array([[x]]), dtype=dtype).tolist() == [[want]]
    assert run(WRITERS[write], numbers[None], dtype=dtype).tolist() == [wanted]


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "uint32"])
def test_shifts(dtype):
    width, limits = 8 * np.dtype(dtype).itemsize, np.iinfo(dtype)
    x = RNG.integers(limits.min, limits.max, (4, 40), dtype=dtype)
    counts = np.arange(160).reshape(4, 40) % (2 * width + 3)
    pattern = x.astype(object) & (2**width - 1)
    for reading, n in (("zero", counts), ("modulo", counts % width)):
        for op, want in ((language.left_shift, (pattern << n) & (2**width - 1)), (language.right_shift, pattern >> n)):
            body = lambda out, a, b: isa.tensor_tensor(out, a, b, op)  # noqa: B023, E731
            found = run(body, x, counts.astype(dtype), dtype=dtype, shift_beyond_width=reading)
            np.testing.assert_array_equal(found.astype(object) & (2**width - 1), want)
        amount = width + 1
        found = run(lambda out, a: isa.tensor_scalar(out, a, language.right_shift, amount), x, dtype=dtype, shift_beyond_width=reading)  # noqa: B023
        np.testing.assert_array_equal(found.astype(object) & (2**width - 1), pattern >> (amount if reading == "zero" else 1))


def test_powers():
    def body(out, a, b):
        isa.tensor_tensor(out, a, b, language.power)

    a, b = np.array([[-3, 2, 0, -1, -2, 7]], np.int32), np.array([[3, 31, 0, 2**31 - 1, 2**31 - 2, 2**30]], np.int32)
    wrapped = [(pow(int(x), int(y), 2**32) + 2**31) % 2**32 - 2**31 for x, y in zip(a[0], b[0], strict=True)]
    assert run(body, a, b, dtype="int32").tolist() == [wrapped]
    limit = 2**31 - 1
    assert run(body, a, b, dtype="int32", gpsimd_overflow="saturate").tolist() == [[-27, limit, 1, -1, limit, limit]]
    with pytest.raises(KernelError, match="negative power"):
        run(body, a, -b, dtype="int32")
