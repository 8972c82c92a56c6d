"""Functions that share work: bit for bit what each gives alone, and together wherever both are wanted."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.neuron.function import FUNCTIONS, PAIRS

from .elementwise_harness import FLUSHED, FUSED, SATURATING, apply, assert_same_bits, operands_of

LOOPS = sorted({(pair.functions, dtype) for pair in PAIRS.values() for dtype in pair.loops})


@pytest.mark.parametrize(("functions", "dtype"), LOOPS)
def test_all_results_have_the_bits_of_each_function(functions, dtype):
    loops = [FUNCTIONS[name].loops[dtype] for name in functions]
    words = functions[0].endswith(".high")  # of one function, which is tested elsewhere: here only whether its words are told apart
    x = [operand.reshape(64, -1) for operand in operands_of(functions[0], dtype, 64 * (4 if words else 50))]
    turn = LOOPS.index((functions, dtype)) % 2
    ways = [{"knobs": FLUSHED}, {"target": "trn1"}, {"knobs": FUSED}, {"knobs": SATURATING, "target": "trn3"}]
    for how in ways[turn :: 4 if words else 2]:
        found = apply(PAIRS[functions[0]].loops[dtype], *x, others=[loop.result for loop in loops[1:]], **how)
        for result, loop in zip(found, loops, strict=True):
            assert_same_bits(result, apply(loop, *x, **how), *x)


def stages(x):
    return [stage for step in xp.explain(x).steps for stage in step.stages]


@pytest.fixture
def draws():
    xp.synchronize("sim:trn2")
    rng = np.random.default_rng(2)
    return rng.standard_normal(1 << 17).astype(np.float32), rng.integers(-(10**9), 10**9, 1 << 17).astype(np.int32)


CALLS = {
    "frexp": lambda m, x, i: m.frexp(x),
    "divmod": lambda m, x, i: m.divmod(i, 77),
    "quotient and remainder": lambda m, x, i: (i // i[::-1], i % i[::-1]),
    "quotient and remainder, the other way round": lambda m, x, i: (i % i[::-1], i // i[::-1]),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("device", ["sim:trn1", "sim:trn2", "sim:trn3"])
def test_what_is_asked_for_beside_each_other_is_computed_together(draws, call, device):
    found = call(xp, *(xp.asarray(x, device=device) for x in draws))
    assert any(name in stages(found[0])[-1].computes.split(", ") for name in ("frexp", "divmod"))
    for one, wanted in zip(found, call(np, *draws), strict=True):
        np.testing.assert_array_equal(np.asarray(one.to_device("cpu")), wanted)


def test_frexp_takes_little_longer_than_its_dearer_half(draws):
    """As predicted, of 2**17 float32."""
    x = xp.asarray(draws[0], device="sim:trn2")
    seconds = []
    for which in (slice(1), slice(1, 2), slice(2)):
        kept = xp.frexp(x)[which]
        seconds.append(xp.explain(kept[0]).seconds)
        del kept
    assert seconds[2] <= 1.2 * max(seconds[:2])


def test_sines_and_cosines_of_complex_functions_are_computed_together(draws):
    x = xp.asarray(draws[0][:1000], device="sim:trn2")
    z = xp.exp(x + 1j * x)
    (stage,) = stages(z)
    assert "sin and cos" in stage.computes
    del z
    (stage,) = stages(xp.sin(x + 1j * x))
    assert {"sin and cos", "sinh and cosh"} <= set(stage.computes.split(", "))
    assert not {"sin", "cos", "sinh", "cosh"} & set(stage.computes.split(", "))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_pairs_after_a_product_and_beside_other_functions(dtype):
    """In an epilogue, with one result used at once and the other written."""
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-3, 4, shape).astype(np.float32) for shape in ((200, 60), (60, 150)))
    x, y = (xp.asarray(value, dtype=getattr(xp, dtype), device="sim:trn2") for value in (a, b))
    fraction, exponent = xp.frexp(x @ y)
    doubled = fraction * 2
    assert [stage.computes for stage in stages(doubled)] == ["matmul, then frexp, multiply"]
    wanted = np.frexp(a @ b)
    np.testing.assert_array_equal(np.asarray(doubled.to_device("cpu")).astype(np.float32), 2 * wanted[0])
    np.testing.assert_array_equal(np.asarray(fraction.to_device("cpu")).astype(np.float32), wanted[0])
    np.testing.assert_array_equal(np.asarray(exponent.to_device("cpu")), wanted[1])
