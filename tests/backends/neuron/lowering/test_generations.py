"""What lowering makes on the other generations: the same bits as on the host there, too."""

import numpy as np
import pytest

import trnarray as xp

from .beside_host import assert_same, samples

CALLS = {
    "moves": lambda x: (xp.roll(x, 2, axis=1), xp.tile(x, 2), xp.pad(x, 1), xp.concatenate([x, x[::-1]]), xp.tril(x)),
    "selections": lambda x: (xp.where(x > 1, x, 0), xp.clip(x, 1, 3), xp.eye(3, dtype=x.dtype)),
    "accumulations": lambda x: (xp.cumsum(x, axis=1), xp.sum(x, axis=0), xp.prod(x, axis=1), xp.max(x, axis=0), xp.count_nonzero(x)),
    "products": lambda x: (xp.inner(x, x), xp.outer(x, x), xp.einsum("ij->ji", x)),
}


@pytest.mark.parametrize("generation", ["sim:trn1", "sim:trn3"])
@pytest.mark.parametrize("dtype", ["bfloat16", "int32"])
@pytest.mark.parametrize("name", CALLS)
def test_generations(generation, dtype, name):
    assert_same(CALLS[name], samples((3, 5), xp.zeros(0, dtype=dtype, device="cpu").dtype, special=False), device=generation)


@pytest.mark.parametrize("generation", ["sim:trn1", "sim:trn3"])
def test_complex_numbers_and_carried_words(generation):
    x, y = (samples((4, 6), np.dtype(np.complex64), seed) for seed in (0, 1))
    with np.errstate(all="ignore"):
        assert_same(lambda a, b: (a / b, xp.maximum(a, b), a == b, xp.concatenate([a, b])), x, y, device=generation)
    assert_same(lambda a: (xp.repeat(a, 2, axis=0), a.astype(xp.int16)), samples((4, 6), np.dtype(np.int64)), device=generation)


@pytest.mark.parametrize("dtype", ["uint8", "bool", "int16", "bfloat16", "float32"])
def test_functions_of_transposed_matrices(dtype):
    """Blocks on the way from HBM fit into SBUF for every width of elements: those of one and two bytes did not."""
    a = np.random.default_rng(6).integers(0, 2, (130, 6200)).astype(xp.zeros(0, dtype=dtype, device="cpu").dtype)
    found = xp.asarray(a, device="sim:trn1").T == xp.asarray(a.T[:, :1], device="sim:trn1")
    assert "program of 1 stage" in str(xp.explain(found))  # and not a transpose of its own
    assert np.array_equal(found.to_device("cpu"), a.T == a.T[:, :1])
