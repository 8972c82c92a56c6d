"""Every elementwise function on every dtype it takes, against NumPy, bit for bit, on all targets and under every reading."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.neuron.kernels.elementwise import EMITTERS

from .elementwise_harness import (
    FLUSHED,
    FUSED,
    ROWS,
    SATURATING,
    WITHOUT_WRAPPING,
    apply,
    assert_same_bits,
    check,
    expected,
    kernel_of,
    operands_of,
    rows,
    storage,
)


@pytest.mark.parametrize(("name", "dtype"), ROWS)
def test_numpy_bit_for_bit(name, dtype):
    check(name, dtype, 128 * max(40, 800 // len(EMITTERS[name].loops)))  # 1e5 elements for each function


@pytest.mark.parametrize(("name", "dtype"), rows("float32", "bfloat16", "int16", "int32"))
def test_fused_operators_on_trn1(name, dtype):
    check(name, dtype, 4992 if dtype == "float32" else 2048, (64, -1), target="trn1", knobs=FUSED)


@pytest.mark.parametrize(("name", "dtype"), rows("float32", "float8_e4m3fn", "uint32"))
def test_fused_operators_on_trn3(name, dtype):
    check(name, dtype, 4992 if dtype == "float32" else 2048, (64, -1), target="trn3", knobs=FUSED)


def without_subnormals(x):
    return np.where(np.abs(x) < np.finfo(np.float32).tiny, np.copysign(np.float32(0), x), x)


PICKS = {"maximum": np.greater, "minimum": np.less, "fmax": np.greater, "fmin": np.less}
SUMS = {"add", "subtract", "multiply", "square"}
VALUES = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "sign", "floor", "ceil"}


def expected_flushed(name, dtype, *operands):
    """The Vector Engine takes subnormal float32 for zeros; functions that look at bits, and quotients and roots, do not."""
    full = expected(name, dtype, *operands)
    if storage(dtype).kind in "iu" or name == "where":
        return full
    wide = [without_subnormals(operand.astype(np.float32)) for operand in operands]
    with np.errstate(all="ignore"):
        if name in SUMS:
            return without_subnormals(getattr(np, name)(*wide)).astype(full.dtype)
        if name in VALUES or name.startswith("logical"):
            return getattr(np, name)(*wide).astype(full.dtype)
    if name in PICKS:
        nan = np.isnan(wide[1] if name.startswith("f") else wide[0])
        return np.where(PICKS[name](*wide) | nan, *operands)
    if name == "clip":
        x, low, high = wide
        raised = np.where((x <= low) | np.isnan(low), operands[1], operands[0])
        x = np.where((x <= low) | np.isnan(low), low, x)
        return np.where((x >= high) | np.isnan(high), operands[2], raised)
    return full


@pytest.mark.parametrize(("name", "dtype"), rows("float32", "bfloat16", "int32"))
def test_flushed_subnormals(name, dtype):
    operands = [operand.reshape(128, -1) for operand in operands_of(name, dtype, 128 * 40, 1)]
    found = apply(EMITTERS[name].loops[dtype], *operands, knobs=FLUSHED)
    assert_same_bits(found, expected_flushed(name, dtype, *operands), *operands)


@pytest.mark.parametrize(("name", "dtype"), rows("float32", "bfloat16", "int16", "int32", least_arity=2))
def test_run_time_scalars(name, dtype):
    arity = EMITTERS[name].arity
    for places in ((0,), tuple(range(1, arity)), (arity - 1,)):
        check(name, dtype, 12 * 30, (12, 30), scalars=places)


@pytest.mark.parametrize(("name", "dtype"), rows("bfloat16", "uint8", "int32", least_arity=2))
def test_scalars_of_float32(name, dtype):
    """A run-time scalar may be float32 with a value of the loop dtype."""
    x, *others = operands_of(name, dtype, 33 * 5)
    others = [np.ascontiguousarray(operand.reshape(33, 5)[:, :1]) for operand in others]
    if dtype in ("int32", "uint32"):
        others = [(operand >> 9).astype(operand.dtype) for operand in others]
    x = x.reshape(33, 5)
    found = apply(EMITTERS[name].loops[dtype], x, *(operand.astype(np.float32) for operand in others))
    assert_same_bits(found, expected(name, dtype, x, *(np.broadcast_to(operand, x.shape).copy() for operand in others)), x, *others)


@pytest.mark.parametrize(("name", "dtype"), rows("float32", "bfloat16", "int8", "int32"))
def test_results_over_operands(name, dtype):
    for place in EMITTERS[name].loops[dtype].may_alias:
        check(name, dtype, 16 * 100, (16, -1), alias=place)


WRAPPING = [name for name in EMITTERS if WITHOUT_WRAPPING + name in EMITTERS]


@pytest.mark.parametrize(("name", "dtype"), [row for row in rows("int16", "uint16", "int32", "uint32") if row[0] not in WRAPPING])
def test_nothing_else_needs_wrapping(name, dtype):
    check(name, dtype, 128 * 80, knobs=SATURATING)


@pytest.mark.parametrize("dtype", ["int32", "uint32"])
@pytest.mark.parametrize("name", WRAPPING)
def test_wrapping_is_needed(name, dtype):
    operands = [operand.reshape(128, -1) for operand in operands_of(name, dtype, 128 * 40)]
    found = apply(EMITTERS[name].loops[dtype], *operands, knobs=SATURATING)
    assert (found != expected(name, dtype, *operands)).any()


ELSEWHERE = [(name, dtype) for name, dtype in ROWS if EMITTERS[name].loops[dtype].with_tiles or EMITTERS[name].loops[dtype].with_scalar]


@pytest.mark.parametrize("target", ["trn2", "trn3"])
@pytest.mark.parametrize(("name", "dtype"), ELSEWHERE)
def test_other_engines_give_the_same_bits(name, dtype, target):
    loop = EMITTERS[name].loops[dtype]
    x, *others = [operand.reshape(128, -1) for operand in operands_of(name, dtype, 128 * 40, 1)]
    cases = [([x, *others], engine) for engine in loop.with_tiles]
    cases += [([x, *[other[:, :1].copy() for other in others]], engine) for engine in loop.with_scalar]
    for operands, engine in cases:
        moved = replace(loop, emit=partial(loop.emit, engine=engine))
        assert_same_bits(apply(moved, *operands, target=target), apply(loop, *operands, target=target), *operands)
        with simulator.options(target):
            used = {i.engine for i in kernel_of(moved).program(*operands).cores[0].nodes}
        assert engine in used
