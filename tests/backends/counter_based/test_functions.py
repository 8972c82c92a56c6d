"""Words of counters: known answers, and a plain reference in Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.counter_based import functions
from trnarray.backends.counter_based.functions import FUNCTIONS, blocks, successive
from trnarray.backends.counter_based.stream import Stream

from .known_answers import WORDS, known_answers

MASK = 0xFFFFFFFF


@pytest.mark.parametrize(("name", "rounds", "counter", "key", "words"), list(known_answers()))
def test_known_answers(name, rounds, counter, key, words):
    function = FUNCTIONS[name]
    if rounds != function.rounds:
        function = function._replace(rounds=rounds, compiled="")
    assert tuple(blocks(function, key, counter, 1)[0].tolist()) == words


def philox(counter, key):
    c, (k0, k1) = list(counter), key
    for _ in range(10):
        p, q = c[0] * 0xD2511F53, c[2] * 0xCD9E8D57
        c = [(q >> 32) ^ c[1] ^ k0, q & MASK, (p >> 32) ^ c[3] ^ k1, p & MASK]
        k0, k1 = (k0 + 0x9E3779B9) & MASK, (k1 + 0xBB67AE85) & MASK
    return c


@given(st.integers(0, 2**120 - 1), st.tuples(*[st.integers(0, MASK)] * 2), st.integers(1, 5))
def test_philox_is_the_function_of_its_paper(counter, key, count):
    got = blocks(FUNCTIONS["Philox4x32"], key, counter, count)
    for place in range(count):  # the first word alone counts
        words = [(counter + place) & MASK, *((counter >> 32 * word) & MASK for word in (1, 2, 3))]
        assert got[place].tolist() == philox(words, key)


@given(st.sampled_from(sorted(WORDS)), st.integers(0, 2**50), st.lists(st.integers(0, 20000), min_size=1, max_size=9))
def test_some_blocks_are_those_of_a_range(name, counter, places):
    function, key = FUNCTIONS[name], (1, 2, 3, 4)[: WORDS[name][1]]
    np.testing.assert_array_equal(
        blocks(function, key, counter, np.array(places)), blocks(function, key, counter, max(places) + 1)[places]
    )


@given(st.sampled_from(sorted(WORDS)), st.integers(0, 2**56 - 1), st.lists(st.integers(0, 40), max_size=4))
def test_randomgen_has_the_same_words(name, counter, counts):
    pytest.importorskip("randomgen")
    function, key = FUNCTIONS[name], (1, 2, 3, MASK)[: WORDS[name][1]]
    draw = successive(function, key, counter, sum(counts))
    got = [draw(count) for count in counts]
    stream = Stream(function, key, counter)
    uniform = stream.random(sum(counts), np.float32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(functions, "_randomgen", lambda: None)
        draw = successive(function, key, counter, sum(counts))
        for words, count in zip(got, counts, strict=True):
            np.testing.assert_array_equal(words, draw(count))
        np.testing.assert_array_equal(uniform, stream.random(sum(counts), np.float32))


@pytest.mark.parametrize("count", [3, 4, 5])
def test_the_first_word_of_a_counter_does_not_carry(count):
    got = blocks(FUNCTIONS["Philox4x32"], (1, 2), MASK - 3, count)
    assert got[-1].tolist() == philox([(MASK - 4 + count) & MASK, 0, 0, 0], (1, 2))
