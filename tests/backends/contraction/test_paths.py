"""Orders of products, beside all orders of few operands and the best known ones of networks of twenty."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.contraction.paths import checked_path, find_path, multiplications, steps_of


def work(terms, output, sizes, path):
    """Count multiplications by sets of labels, step by step."""
    present, total = [set(term) for term in terms], 0
    for pair in path:
        taken = [present[place] for place in pair]
        present = [own for place, own in enumerate(present) if place not in pair]
        needed = set(output).union(*present)
        own = [one & (needed | other) for one, other in (taken, taken[::-1])]
        total += math.prod(sizes[label] for label in own[0] | own[1])
        present.append((own[0] | own[1]) & needed)
    return total


def all_paths(count):
    if count == 1:
        yield ()
        return
    for pair in itertools.combinations(range(count), 2):
        for rest in all_paths(count - 1):
            yield (pair, *rest)


@given(
    st.lists(st.text("abcdef", min_size=0, max_size=3), min_size=2, max_size=4),
    st.sets(st.sampled_from("abcdef")),
    st.lists(st.integers(1, 9), min_size=6, max_size=6),
)
def test_the_order_of_few_operands_is_the_best_of_all(terms, kept, extents):
    sizes = dict(zip("abcdef", extents, strict=True))
    output = "".join(sorted(kept & set("".join(terms))))
    terms = ["".join(dict.fromkeys(term)) for term in terms]
    path = find_path(terms, output, sizes)
    if len(terms) > 2:
        assert work(terms, output, sizes, path) == min(work(terms, output, sizes, one) for one in all_paths(len(terms)))


# Networks of random regular graphs, by the number of their vertices and edges at each, and the multiplications of the best order that
# cotengra 0.8.3 found by 64 greedy trials with reconfiguration of subtrees.
NETWORKS = {(10, 3): 4_764, (20, 3): 7_087, (20, 4): 459_516}


def network(vertices, degree):
    """Draw the edges of a regular graph by pairing ends at random, a label for each, of 2 to 5 elements."""
    state = vertices * 7919 + degree

    def draw(bound):
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (state >> 33) % bound

    while True:
        ends = [vertex for vertex in range(vertices) for _ in range(degree)]
        edges = set()
        while ends:
            one, other = (ends.pop(draw(len(ends))) for _ in range(2))
            edges.add((min(one, other), max(one, other)))
        if len(edges) == vertices * degree // 2 and all(one != other for one, other in edges):
            break
    terms, sizes = [""] * vertices, {}
    for number, edge in enumerate(sorted(edges)):
        label = chr(0x100 + number)
        sizes[label] = 2 + draw(4)
        for vertex in edge:
            terms[vertex] += label
    return terms, "", sizes


@pytest.mark.parametrize("graph", NETWORKS, ids=str)
def test_networks_take_at_most_a_fifth_more_than_the_best_order_known(graph):
    terms, output, sizes = network(*graph)
    path = find_path(terms, output, sizes)
    assert work(terms, output, sizes, path) <= 1.2 * NETWORKS[graph]


def test_parts_that_share_no_label_are_contracted_apart():
    sizes = dict.fromkeys("abcdefgh", 9)
    path = find_path(["ab", "bc", "cd", "ef", "fg", "gh", "he"], "ad", sizes)
    assert work(["ab", "bc", "cd", "ef", "fg", "gh", "he"], "ad", sizes, path) <= 2 * 9**3 + 3 * 9**3 + 9**2
    for thorough in (False, True):
        path = find_path(["ab", "ab", "cd", "cd", "ef", "ef"], "", sizes, thorough=thorough)
        assert work(["ab", "ab", "cd", "cd", "ef", "ef"], "", sizes, path) == 3 * 9**2 + 2


def test_the_cost_decides():
    terms, sizes = ["ij", "jk", "kl"], {"i": 100, "j": 2, "k": 100, "l": 2}
    assert find_path(terms, "il", sizes) == ((1, 2), (0, 1))
    assert find_path(terms, "il", sizes, lambda *extents: -multiplications(*extents)) != ((1, 2), (0, 1))


def test_paths_that_a_caller_gives_are_checked():
    assert checked_path([(0, 1, 2)], 3) == ((0, 1, 2),)
    with pytest.raises(ValueError, match="takes \\(0, 3\\) of 3 operands"):
        checked_path([(0, 3)], 3)
    with pytest.raises(RuntimeError, match="leaves 2 operands"):
        checked_path([(0, 1)], 3)


def test_steps_of_more_than_two_operands_go_from_left_to_right():
    steps = steps_of(["ab", "bc", "cd", "de"], "ae", ((0, 2, 3), (0, 1)))
    assert [step.terms for step in steps] == [("ab", "cd"), ("abcd", "de"), ("bc", "abce")]
    assert steps[-1].output == "ae"
