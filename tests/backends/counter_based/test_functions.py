"""Words of counters: known answers, and a plain reference in Python's integers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.counter_based.functions import FUNCTIONS, blocks

from .known_answers import WORDS, known_answers

MASK = 0xFFFFFFFF


@pytest.mark.parametrize(("name", "rounds", "counter", "key", "words"), list(known_answers()))
def test_known_answers(name, rounds, counter, key, words):
    function = FUNCTIONS[name]._replace(rounds=rounds)
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
