"""Kernels of one's own: deferred, fused, chosen, explained, predicted, counted, and run on every device as the host reference says."""

import math
import warnings

import ml_dtypes
import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.launch.fingerprint import is_storable
from trnarray.kernel import Kernel, Variant, load, nisa, nl

TARGETS = ["sim:trn1", "sim:trn2", "sim:trn3"]
DEVICES = ["cpu", *TARGETS]
SHAPE = (300, 70)


def matrices(*operands):
    if any(len(x.shape) != 2 for x in operands):
        raise ValueError(f"matrices are wanted, not {[x.shape for x in operands]}")
    return operands[0]


def row_blocks(x):
    return [(first, min(128, x.shape[0] - first)) for first in range(0, x.shape[0], 128)]


def clamped_sum(x, y, *, most=9.0):
    return np.minimum(x + y, most)


def emit_clamped_sum(x, y, out, *, most=9.0):
    for first, count in row_blocks(x):
        a, b = load(x[first : first + count]), load(y[first : first + count])
        nisa.tensor_tensor(a, a, b, nl.add)
        nisa.tensor_scalar(a, a, nl.minimum, most)
        nisa.dma_copy(out[first : first + count], a)


def emit_fused(x, y, store, *, most=9.0):
    for first, count in row_blocks(x):
        a, b = load(x[first : first + count]), load(y[first : first + count])
        nisa.tensor_tensor(a, a, b, nl.add)
        nisa.tensor_scalar(a, a, nl.minimum, most)
        store((first, count), (0, x.shape[1]), a)


CLAMPED = Kernel(emit_clamped_sum, lambda x, y, most=9.0: matrices(x, y), clamped_sum, "clamped sum {of tests}")
FUSED = Kernel(emit_fused, lambda x, y, most=9.0: matrices(x, y), clamped_sum, "fused clamped sum", fuse=True)


def emit_both(engine):
    def emit(x, y, store):
        for first, count in row_blocks(x):
            a, b = load(x[first : first + count]), load(y[first : first + count])
            results = [nl.ndarray(a.shape, a.dtype, buffer=nl.sbuf) for _ in range(2)]
            nisa.tensor_tensor(results[0], a, b, nl.add, engine=engine)
            nisa.tensor_tensor(results[1], a, b, nl.subtract, engine=engine)
            store((first, count), (0, x.shape[1]), *results)

    return emit


def time_on(engine):
    return lambda costs, x, y: 2 * len(row_blocks(x)) * costs.instruction("tensor_tensor", x.shape[1], engine)


BOTH = Kernel(
    None,
    lambda x, y: [x, (x.shape, y.dtype)],
    lambda x, y: (x + y, x - y),
    "sum and difference",
    variants=[
        Variant("on the Vector Engine", emit_both(nisa.engine.vector), time_on("vector")),
        Variant("on GpSimd", emit_both(nisa.engine.gpsimd), time_on("gpsimd")),
        Variant("nowhere", emit_both(nisa.engine.gpsimd), lambda costs, x, y: math.inf),
    ],
    fuse=True,
)
FASTEST = {"sim:trn1": "on GpSimd", "sim:trn2": "on the Vector Engine", "sim:trn3": "on the Vector Engine"}


def draws(count=2, shape=SHAPE):
    """Integers, of which all sums are exact."""
    return [np.random.default_rng(seed).integers(-9, 10, shape).astype(np.float32) for seed in range(count)]


def there(device, *arrays):
    if device != "cpu":
        xp.synchronize(device)
    return [xp.asarray(array, device=device) for array in arrays]


def computes(x):
    return [stage.computes for step in xp.explain(x).steps for stage in step.stages]


def same(found, wanted):
    found = np.asarray(found.to_device("cpu"))
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_gives_what_the_reference_gives(device):
    x, y = draws()
    a, b = there(device, x, y)
    same(CLAMPED(a, b), clamped_sum(x, y))
    same(CLAMPED(a[::-1, 1:], b[:, :-1].copy(), most=3.0), clamped_sum(x[::-1, 1:], y[:, :-1], most=3.0))
    same(FUSED(a * 2, b.T.T + a) - 1, clamped_sum(x * 2, y + x) - 1)
    total, difference = BOTH(a, b)
    same(total * difference, (x + y) * (x - y))


@pytest.mark.parametrize("device", TARGETS)
def test_functions_around_it_are_computed_inside(device):
    x, y = draws()
    a, b = there(device, x, y)
    result = FUSED(a + 3, b) * 2
    assert computes(result) == ["add on operand 1, fused clamped sum, then multiply"]
    assert xp.explain(result).seconds > 0
    same(result, 2 * clamped_sum(x + 3, y))


@pytest.mark.parametrize("device", TARGETS)
def test_the_variant_is_chosen_by_predicted_time(device):
    x, y = draws(shape=(100, 600))
    a, b = there(device, x, y)
    total, difference = BOTH(a, b)
    result = total * difference
    del total, difference
    assert computes(result) == [f"sum and difference, {FASTEST[device]}, then multiply"]
    same(result, (x + y) * (x - y))


def test_equal_calls_are_one_stage_and_names_are_printed_as_they_are():
    x, y = draws()
    a, b = there("sim:trn2", x, y)
    result = CLAMPED(a, b) * CLAMPED(a, b)
    assert computes(result) == ["clamped sum {of tests}", "multiply"]
    assert "300 × 70 and 300 × 70" in str(xp.explain(result))
    same(result, clamped_sum(x, y) ** 2)


def test_a_number_is_an_operand_that_compiles_no_program():
    scaled = Kernel(emit_scaled, lambda x, factor: x, np.multiply)
    (x,) = draws(1)
    (a,) = there("sim:trn2", x)
    planner = engine_for(Device("sim:trn2")).planner
    before = planner.misses
    for factor in (2, 3.0, np.float32(4)):
        same(scaled(a, factor), x * np.float32(factor))
    assert planner.misses - before <= 2  # numbers of NumPy's are of their own dtype


def emit_scaled(x, factor, out):
    for first, count in row_blocks(x):
        tile = load(x[first : first + count])
        by = nl.ndarray((count, 1), factor.dtype, buffer=nl.sbuf)
        nisa.dma_copy(by, factor.ap(pattern=[[0, count], [1, 1]], offset=0))
        nisa.tensor_scalar(tile, tile, nl.multiply, by)
        nisa.dma_copy(out[first : first + count], tile)


def test_calls_are_counted_and_what_a_device_lacks_runs_the_reference_in_full_view():
    x, y = draws()
    a, b = there("sim:trn2", x, y)
    before = xp.coverage().native.get("kernel.clamped sum {of tests}", 0)
    same(CLAMPED(a, b), clamped_sum(x, y))
    assert xp.coverage().native["kernel.clamped sum {of tests}"] == before + 1
    wide = xp.asarray(x.astype(np.float64), device="sim:trn2")
    with pytest.warns(xp.FallbackWarning, match="does not compute with float64"):
        same(CLAMPED(wide, wide), clamped_sum(x, x).astype(np.float64))
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="clamped sum"):
        CLAMPED(wide, wide)
    with xp.config(fallback="allow"):
        same(CLAMPED(a[:0], b[:0]), clamped_sum(x[:0], y[:0]))
        total, _ = BOTH(wide, wide)
        same(total, 2 * x.astype(np.float64))


@pytest.mark.parametrize("device", DEVICES)
def test_the_rule_refuses_at_the_call(device):
    (a,) = there(device, draws(1)[0])
    with pytest.raises(ValueError, match="matrices are wanted"):
        CLAMPED(a, a[0])
    with pytest.raises(TypeError, match="unexpected keyword"):
        CLAMPED(a, a, least=3)
    with pytest.raises(TypeError, match="pass what changes as an operand"):
        CLAMPED(a, a, most=a)
    with pytest.raises(TypeError, match=r"gives \(shape, dtype\)"):
        Kernel(emit_scaled, lambda x: x.shape[0], np.sum)(a)


@pytest.mark.parametrize("device", DEVICES)
def test_low_precision_and_other_dtypes_are_those_of_the_rule(device):
    x = draws(1)[0].astype(ml_dtypes.bfloat16)
    (a,) = there(device, x)
    near = Kernel(emit_near, lambda x: [(x.shape, np.bool_), (x.shape, np.float32)], lambda x: (x > 0, x * 1.5), "near")
    positive, more = near(a)
    same(positive, x > 0)
    same(more, x.astype(np.float32) * np.float32(1.5))


def emit_near(x, positive, more):
    for first, count in row_blocks(x):
        tile = load(x[first : first + count])
        results = nl.ndarray(tile.shape, nl.uint8, buffer=nl.sbuf), nl.ndarray(tile.shape, nl.float32, buffer=nl.sbuf)
        nisa.tensor_scalar(results[0], tile, nl.greater, 0.0)
        nisa.tensor_scalar(results[1], tile, nl.multiply, 1.5)
        for out, result in zip((positive, more), results, strict=True):
            nisa.dma_copy(out[first : first + count], result)


def test_a_reference_that_contradicts_its_rule_is_refused():
    (x,) = draws(1)
    for rule, host in [(lambda x: ((2, 2), x.dtype), np.copy), (lambda x: [x, x], np.copy), (lambda x: [x, x], lambda x: (x, x, x))]:
        with pytest.raises(ValueError, match="host reference of kernel"):
            Kernel(emit_scaled, rule, host)(x)


def test_results_are_no_views_of_operands():
    x = xp.ones((3, 4))
    y = Kernel(emit_scaled, lambda x: x, lambda x: x)(x)
    y[0] = 5
    assert float(x.sum()) == 12


def test_two_kernels_may_have_one_name():
    x, y = draws()
    a, b = there("sim:trn2", x, y)
    other = Kernel(emit_scaled, lambda x, y: x, np.multiply, "clamped sum {of tests}")
    same(CLAMPED(a, b), clamped_sum(x, y))
    same(other(a, b[0, 0]), x * y[0, 0])


def test_ndarrays_go_where_those_of_other_functions_go():
    x, y = draws()
    (a,) = there("sim:trn2", x)
    with pytest.raises(xp.HostTransferError):
        CLAMPED(a, y)
    with xp.default_device("sim:trn2"), warnings.catch_warnings():
        warnings.simplefilter("error")
        assert CLAMPED(x, y).device == "sim:trn2"


def test_programs_do_not_outlive_the_process():
    x, y = draws()
    a, b = there("sim:trn2", x, y)
    engine, result = engine_for(Device("sim:trn2")), CLAMPED(a, b)
    (launch,) = engine.pending_plan()
    assert not is_storable(launch.plan)
    del result
    kept = a + b
    (launch,) = engine.pending_plan()
    assert is_storable(launch.plan)
    del kept


def test_a_kernel_is_emitted_in_one_way_or_by_variants():
    with pytest.raises(ValueError, match="give emit, or None and variants"):
        Kernel(None, matrices, np.copy)
    with pytest.raises(ValueError, match="give emit, or None and variants"):
        Kernel(emit_scaled, matrices, np.copy, variants=[Variant("one", emit_scaled, lambda costs, x: 1.0)])
    assert repr(CLAMPED) == "<Kernel 'clamped sum {of tests}'>"
