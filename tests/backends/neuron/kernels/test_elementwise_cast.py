"""Casts between all pairs of native dtypes, against the host engine's."""

import ml_dtypes
import numpy as np
import pytest

from trnarray.backends.host.cast import cast as host_cast
from trnarray.backends.neuron.function import FLOATS, INTEGERS
from trnarray.backends.neuron.kernels.elementwise import DtypeLoop, cast

from .elementwise_harness import FLUSHED, FUSED, adversarial, apply, assert_same_bits, storage

DTYPES = (*FLOATS, *INTEGERS, "bool")
RNG = np.random.default_rng(3)


def loop_of(to, source):
    return DtypeLoop(lambda dst, x: cast(dst, x, to, source), "uint8" if to == "bool" else to)


def converted(to, source, x, **how):
    return apply(loop_of(to, source), x, **how)


@np.errstate(all="ignore")
def expected(to, source, x):
    if to == "bool":
        return (x != 0).view(np.uint8)
    if storage(source).kind not in "iu" and to in INTEGERS:  # towards zero, modulo the range; C leaves open what is beyond
        wide = np.trunc(x.astype(np.float64))
        low, high = -(2.0**31), 2.0**32 - 1 if to == "uint32" else 2.0**31 - 1
        return np.nan_to_num(np.clip(wide, low, high), nan=0.0).astype(np.int64).astype(storage(to))
    return np.asarray(host_cast(x, storage(to)))


@pytest.mark.parametrize("to", DTYPES)
@pytest.mark.parametrize("source", DTYPES)
def test_host_bit_for_bit(source, to):
    x = adversarial(source, RNG, 64 * 200).reshape(64, -1)
    assert_same_bits(converted(to, source, x), expected(to, source, x), x)


@pytest.mark.parametrize("target", ["trn1", "trn3"])
@pytest.mark.parametrize(("source", "to"), [("float32", "int8"), ("float32", "uint32"), ("uint32", "bfloat16"), ("int32", "uint16")])
def test_targets_and_readings(source, to, target):
    x = adversarial(source, RNG, 4992).reshape(64, -1)
    for knobs in (FUSED, FLUSHED):
        assert_same_bits(converted(to, source, x, target=target, knobs=knobs), expected(to, source, x), x)


@pytest.mark.parametrize("source", ["int32", "uint32"])
def test_integers_round_once_to_bfloat16(source):
    """Integers whose float32 is in the middle of two bfloat16, and their neighbours, around every power of two."""
    limits = np.iinfo(source)
    middles = [(2 * (128 + i) + 1) << shift for shift in range(24) for i in range(128)]
    near = {sign * (m + d) for m in (*middles, 2**24) for d in (-257, -256, -129, -128, -65, -1, 0, 1, 63, 64, 65, 128) for sign in (-1, 1)}
    x = np.array(sorted(v for v in near if limits.min <= v <= limits.max), source)
    x = np.resize(x, (64, -(-x.size // 64)))
    exact = x.astype(np.float64)
    assert (x.astype(np.float32).astype(ml_dtypes.bfloat16) != np.asarray(host_cast(exact, storage("bfloat16")))).any()
    assert_same_bits(converted("bfloat16", source, x, knobs=FUSED), np.asarray(host_cast(exact, storage("bfloat16"))), x)


def test_a_scalar_is_spread():
    x = np.arange(12, dtype=np.float32).reshape(12, 1) - 6.5
    loop = DtypeLoop(lambda dst, x, y: cast(dst, x, "int8", "float32"), "int8")
    assert_same_bits(apply(loop, x, np.ones((12, 7), np.int8)), np.repeat(np.trunc(x).astype(np.int8), 7, 1), x)
