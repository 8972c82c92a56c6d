"""Generators: their state, streams that are spawned, threads, and which one is the default."""

import copy
import inspect
import pickle
import threading

import numpy as np
import pytest

import trnarray as xp
from trnarray.random import Generator, Philox4x32, Threefry2x32, Threefry4x32

BITS = (Philox4x32, Threefry4x32, Threefry2x32)


def fetched(x):
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize("bits", BITS)
def test_state(bits):
    source = bits(5)
    rng = Generator(source)
    saved = source.state
    first = np.asarray(rng.normal(size=7))
    assert source.state["state"]["counter"].tolist()[0] == -(-7 // bits._function.words)
    source.state = saved
    np.testing.assert_array_equal(np.asarray(rng.normal(size=7)), first)
    for twin in (pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)):
        np.testing.assert_array_equal(np.asarray(twin.random(5)), np.asarray(copy.deepcopy(rng).random(5)))
    assert bits(5).advance(10).advance(-10).state["state"]["counter"].tolist() == bits(5).state["state"]["counter"].tolist()
    jumped, further = bits(5).jumped(), bits(5).advance(1 << (64 if bits is not Threefry2x32 else 40))
    assert jumped.state["state"]["counter"].tolist() == further.state["state"]["counter"].tolist()
    key = saved["state"]["key"]
    np.testing.assert_array_equal(bits(key=key).random_raw(4), bits(5).random_raw(4))
    assert bits(key=key).seed_seq is None
    assert isinstance(bits(5).seed_seq, np.random.SeedSequence)
    with pytest.raises(ValueError, match="bit_generator"):
        source.state = {"bit_generator": "PCG64"}
    with pytest.raises(ValueError, match="bits"):
        bits(counter=1 << 127)
    with pytest.raises(ValueError, match="not both"):
        bits(1, key=2)


def test_spawned_streams_differ_and_keep_the_device():
    rng = Generator(Philox4x32(5), device="sim:trn2")
    children = rng.spawn(3)
    for child, seed in zip(children, np.random.SeedSequence(5).spawn(3), strict=True):
        drawn = child.random(5)
        assert drawn.device == "sim:trn2"
        np.testing.assert_array_equal(fetched(drawn), np.asarray(Generator(Philox4x32(seed)).random(5, dtype=xp.float32)))
    with pytest.raises(TypeError, match="no seed"):
        Philox4x32(key=3).spawn(2)


def test_threads_share_a_generator():
    rng, found = Generator(Philox4x32(5)), []

    def draw():
        found.extend(np.asarray(rng.integers(2**62, size=4)).tobytes() for _ in range(50))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 200


def test_a_draw_begins_at_a_multiple_of_what_counters_carry():
    source = Philox4x32(5, counter=(1 << 32) - 1)
    rng = Generator(source)
    rng.random(8)  # two blocks
    assert source.state["state"]["counter"].tolist() == [2, 1, 0, 0]
    with pytest.raises(ValueError, match="draw parts"):
        Generator(Philox4x32(5), device="sim:trn2").random(1 << 35)


def test_default_rng_chooses_by_device_and_setting():
    assert str(xp.random.default_rng(3)) == "Generator(PCG64)"
    assert str(xp.random.default_rng(3, device="sim:trn2")) == "Generator(Philox4x32)"
    with xp.default_device("sim:trn2"):
        rng = xp.random.default_rng(3)
        assert str(rng) == "Generator(Philox4x32)"
        assert rng.random(3).device == "sim:trn2"
    with xp.config(random="counter"):
        counted = xp.random.default_rng(3)
        np.testing.assert_array_equal(np.asarray(counted.random(5)), np.asarray(Generator(Philox4x32(3)).random(5)))
        assert str(xp.random.default_rng(np.random.PCG64(3))) == "Generator(PCG64)"
    assert xp.random.default_rng(counted) is counted
    assert xp.random.default_rng(counted.bit_generator).bit_generator is counted.bit_generator
    np.testing.assert_array_equal(np.asarray(xp.random.default_rng(3).random(4)), np.random.default_rng(3).random(4))
    with pytest.raises(ValueError, match="random is one of"):
        xp.set_config(random="yes")


def test_numpys_bit_generators_draw_on_the_host():
    rng = Generator(np.random.PCG64(3), device="sim:trn2")
    with xp.config(fallback="error"), pytest.raises(xp.FallbackError, match="Philox4x32"):
        rng.random(3)
    with xp.config(fallback="allow"):
        np.testing.assert_array_equal(fetched(rng.random(3)), np.random.default_rng(3).random(3).astype(np.float32))


def test_draws_in_the_body_of_a_loop_are_refused():
    rng = Generator(Philox4x32(3), device="sim:trn2")
    with pytest.raises(xp.LoopError, match="before the loop"):
        xp.fori_loop(0, 3, lambda i, x: x + rng.random(4), xp.zeros(4, device="sim:trn2"))


def test_every_method_draws_by_counters():
    for name in dir(np.random.Generator):
        if not name.startswith("_") and name not in ("bit_generator", "spawn"):
            assert inspect.signature(getattr(Generator, name))
    rng = Generator(Philox4x32(3))
    assert len(rng.bytes(7)) == 7
    assert rng.multivariate_normal([0, 1], np.eye(2), size=3).shape == (3, 2)
    assert rng.multivariate_hypergeometric([5, 3, 8], 6).shape == (3,)
    assert rng.multinomial(20, [0.2, 0.8]).shape == (2,)
    assert rng.dirichlet([1.0, 2.0, 3.0]).shape == (3,)
    assert rng.noncentral_f(3, 20, 1.5).shape == ()
    assert repr(rng).startswith("Generator(Philox4x32) at 0x")
