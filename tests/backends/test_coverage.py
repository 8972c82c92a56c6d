"""Counters: exact under threads, snapshots, tables."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trnarray.backends.coverage import (
    CallCounter,
    Coverage,
    Fallback,
    Transfer,
    claim_warning,
    counter,
    coverage,
    record_fallback,
    record_transfer,
    release_warning,
    reset_coverage,
)

THREADS = 8


@pytest.fixture(autouse=True)
def counts_from_zero():
    reset_coverage()
    yield
    reset_coverage()


def hammer(work, meanwhile):
    """Run work(i) in 8 threads at once and meanwhile() in this one until they are done; return what meanwhile gave."""
    together = threading.Barrier(THREADS + 1)

    def one(i):
        together.wait()
        work(i)

    with ThreadPoolExecutor(THREADS) as pool:
        running = [pool.submit(one, i) for i in range(THREADS)]
        together.wait()
        seen = []
        while not all(each.done() for each in running):
            seen.append(meanwhile())
        for each in running:
            each.result()
    return seen


@given(st.lists(st.sampled_from(["tick", "read", "reset"]), max_size=60))
def test_counter_against_a_model(steps):
    counted, expected = CallCounter(), 0
    for step in steps:
        if step == "tick":
            counted.tick()
            expected += 1
        elif step == "read":
            assert counted.calls == expected
        else:
            assert counted.reset() == expected
            expected = 0
    assert counted.calls == expected


def test_counter_is_exact_under_threads(switching):
    counted, n = CallCounter(), 20_000

    def work(_):
        for _ in range(n):
            counted.tick()

    seen = hammer(work, lambda: counted.calls)
    assert seen == sorted(seen)
    assert counted.calls == counted.calls == THREADS * n


def test_counter_loses_nothing_at_resets(switching):
    counted, n = CallCounter(), 20_000

    def work(i):
        for _ in range(n):
            counted.tick()

    assert sum(hammer(work, counted.reset)) + counted.calls == THREADS * n


def test_one_counter_per_name():
    with ThreadPoolExecutor(THREADS) as pool:
        made = list(pool.map(lambda i: counter(f"test.{i % 40}"), range(4000)))
    assert len({id(each) for each in made}) == 40
    assert made[0] is counter("test.0")


@pytest.mark.parametrize("read", [coverage, reset_coverage])
def test_coverage_is_exact_under_threads(switching, read):
    n, ops = 1500, [counter(f"test.{k}") for k in range(3)]

    def work(i):
        for k in range(n):
            ops[k % 3].tick()
            record_fallback("sort", "float64", f"reason {k % 2}", f"file.py:{i % 2}")
            record_transfer("to host", k, f"file.py:{i % 4}")

    seen = hammer(work, read)
    if read is coverage:
        seen = []
    seen.append(coverage())
    native, fallbacks, transfers = {}, {}, {}
    for each in seen:
        for op, calls in each.native.items():
            native[op] = native.get(op, 0) + calls
        for *key, calls in each.fallbacks:
            fallbacks[*key] = fallbacks.get((*key,), 0) + calls
        for direction, caller, calls, nbytes in each.transfers:
            before = transfers.get((direction, caller), (0, 0))
            transfers[direction, caller] = (before[0] + calls, before[1] + nbytes)
    assert native == {f"test.{k}": THREADS * n // 3 for k in range(3)}
    assert fallbacks == {("sort", "float64", f"reason {r}", f"file.py:{c}"): THREADS // 2 * n // 2 for r in (0, 1) for c in (0, 1)}
    assert transfers == {("to host", f"file.py:{c}"): (THREADS // 4 * n, THREADS // 4 * n * (n - 1) // 2) for c in range(4)}


def test_snapshot():
    counter("test.never")
    counter("test.b").tick()
    counter("test.a").tick()
    for op in ("sort", "eig", "eig"):
        record_fallback(op, op, "why", "f.py:1")
    for nbytes in (8, 0, 16):
        record_transfer("to device", nbytes, "f.py:2")
    record_transfer("to host", 100, "f.py:2")
    taken = coverage()
    expected = Coverage(
        {"test.a": 1, "test.b": 1},
        (Fallback("eig", "eig", "why", "f.py:1", 2), Fallback("sort", "sort", "why", "f.py:1", 1)),
        (Transfer("to host", "f.py:2", 1, 100), Transfer("to device", "f.py:2", 3, 24)),
    )
    assert taken == expected
    counter("test.a").tick()
    record_transfer("to host", 100, "f.py:2")
    assert taken == expected
    assert coverage().native["test.a"] == 2
    with pytest.raises(AttributeError):
        taken.native = {}
    assert pickle.loads(pickle.dumps(taken)) == taken


def test_dtypes_are_named():
    np = pytest.importorskip("numpy")
    record_fallback("sort", np.dtype("float32"), "why", "f.py:1")
    assert coverage().fallbacks[0].dtype == "float32"


def test_reset():
    counter("test.a").tick()
    record_fallback("sort", "float64", "why", "f.py:1")
    record_transfer("to host", 8, "f.py:1")
    before = coverage()
    assert before.native
    assert reset_coverage() == before
    assert coverage() == reset_coverage() == Coverage({}, (), ())


def test_table():
    text = str(
        Coverage(
            {"add": 3, "fft.rfft": 1200},
            (Fallback("sort", "float64", "no 64-bit keys", "model.py:12", 7),),
            (Transfer("to host", "plot.py:3", 2, 4096),),
        )
    )
    assert text.splitlines() == [
        "native calls",
        "  op        calls",
        "  fft.rfft   1200",
        "  add           3",
        "fallbacks",
        "  op    dtype    reason          caller       calls",
        "  sort  float64  no 64-bit keys  model.py:12      7",
        "transfers",
        "  direction  caller     calls  bytes",
        "  to host    plot.py:3      2   4096",
    ]
    assert str(Coverage({}, (), ())) == "native calls: none\nfallbacks: none\ntransfers: none"


def test_warnings_are_claimed_once(switching):
    claims = []

    def work(i):
        claims.extend(site for site in range(200) if claim_warning("sort", f"f.py:{site}"))

    hammer(work, lambda: None)
    assert sorted(claims) == list(range(200))
    assert claim_warning("eig", "f.py:0")
    release_warning("sort", "f.py:0")
    assert claim_warning("sort", "f.py:0")
    assert not claim_warning("sort", "f.py:0")
    reset_coverage()
    assert claim_warning("sort", "f.py:0")
