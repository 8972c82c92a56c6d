"""Threads: shared Arrays, views and settings give what one thread after the other gives, and every call is counted."""

import random
import threading

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.policy import FallbackError

DEVICE = "sim:trn2"
THREADS = 8
STEPS = 30
WIDTH = 12


class Worker:
    """One thread's steps, all of them on its own rows of what is shared: the same on an ndarray and on an Array."""

    def __init__(self, number):
        self.number = number
        self.plan = [random.Random(1000 * number + step).randrange(8 if step % 3 else 7) for step in range(STEPS)]
        self.error = None
        self.seen = []

    def run(self, base, common):
        row = base[self.number]
        for step, choice in enumerate(self.plan):
            if choice == 0:
                row += 1
            elif choice == 1:
                row[::-1][1:5] = step
            elif choice == 2:
                row[...] = row[::-1]
            elif choice == 3:
                row -= common[step % 3] * 2
            elif choice == 4:
                base.T[step % WIDTH, self.number] = self.number
            elif choice == 5:
                row[1:] = row[:-1]
            elif choice == 6:
                self.seen.append(base[self.number : self.number + 1].sum(axis=1) + common[0, 0])
            elif isinstance(row, np.ndarray):
                self.seen.append(row.copy())
            else:
                self.seen.append(row.to_device("cpu"))

    def run_in_thread(self, start, base, common):
        try:
            start.wait()
            self.run(base, common)
        except BaseException as error:  # noqa: BLE001  # told to the test
            self.error = error


def run_all(targets):
    threads = [threading.Thread(target=target) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()


def test_shared_arrays(switching):
    start = np.arange(THREADS * WIDTH, dtype=np.float32).reshape(THREADS, WIDTH)
    expected, common = start.copy(), np.ones((3, WIDTH), np.float32)
    base, shared = xp.asarray(start, device=DEVICE), xp.asarray(common, device=DEVICE)
    ours, theirs = [Worker(number) for number in range(THREADS)], [Worker(number) for number in range(THREADS)]
    xp.synchronize()
    xp.reset_coverage()
    barrier = threading.Barrier(THREADS)
    run_all([lambda worker=worker: worker.run_in_thread(barrier, base, shared) for worker in ours])
    native = xp.coverage().native
    for worker in theirs:
        worker.run(expected, common)
    for worker, reference in zip(ours, theirs, strict=True):
        assert worker.error is None
        for got, wanted in zip(worker.seen, reference.seen, strict=True):
            np.testing.assert_array_equal(got.to_device("cpu"), wanted)
    np.testing.assert_array_equal(base.to_device("cpu"), expected)
    chosen = [choice for worker in ours for choice in worker.plan]
    assert native["add"] == chosen.count(0) + chosen.count(6)
    assert native["subtract"] == chosen.count(3)
    assert native["sum"] == chosen.count(6)
    assert native["transpose"] == chosen.count(4)
    assert native["setitem"] == sum(map(chosen.count, (1, 2, 4, 5)))


def test_one_array_for_all(switching):
    x = xp.zeros(5, dtype=xp.int32, device=DEVICE)

    def add():
        for step in range(40):
            xp.add(x, 1, out=x)
            if step % 8 == 7:
                x.to_device("cpu")

    run_all([add] * THREADS)
    np.testing.assert_array_equal(x.to_device("cpu"), 40 * THREADS)


def test_settings_are_each_threads_own(switching):
    x = xp.asarray(np.arange(3.0), device=DEVICE)
    xp.reset_coverage()
    outcomes = [None] * THREADS

    def work(number):
        def inner():
            refused = 0
            for _ in range(15):
                with xp.config(fallback="error" if number % 2 else "allow", float64="host"):
                    try:
                        y = x + number
                    except FallbackError:
                        refused += 1
                    else:
                        assert float(y[1].to_device("cpu")) == number + 1
            outcomes[number] = refused

        return inner

    run_all([work(number) for number in range(THREADS)])
    assert outcomes == [15 * (number % 2) for number in range(THREADS)]
    assert sum(each.calls for each in xp.coverage().fallbacks if each.op == "add") == 15 * THREADS


def test_views_are_made_by_several_threads_at_once(switching):
    for _ in range(20):
        x = xp.asarray(np.arange(24, dtype=np.int32).reshape(4, 6), device=DEVICE) + 0  # whose geometry nobody has looked at
        barrier, found = threading.Barrier(THREADS), [None] * THREADS

        def look(number, x=x, barrier=barrier, found=found):
            barrier.wait()
            if number % 2:
                assert x.strides == (24, 4)
            found[number] = x[1 + number % 3, number % 6 :]

        run_all([lambda number=number: look(number) for number in range(THREADS)])
        for number, view in enumerate(found):
            np.testing.assert_array_equal(view.to_device("cpu"), np.arange(24).reshape(4, 6)[1 + number % 3, number % 6 :])


@pytest.fixture(autouse=True)
def counts():
    yield
    xp.reset_coverage()
