"""Coverage: what ran natively, what fell back to the host, what moved between host and device, and what was compiled.

Native calls are counted by operation and nothing else is recorded, because that path is counted in nanoseconds.
Fallbacks and transfers are rare or dear, so they are counted by caller.
"""

from __future__ import annotations

import itertools
import os
from _thread import RLock  # threading itself is not imported by NumPy and costs import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

__all__ = [
    "CallCounter",
    "Compilation",
    "Coverage",
    "Fallback",
    "Transfer",
    "claim_warning",
    "counter",
    "coverage",
    "native_calls",
    "record_compilation",
    "record_fallback",
    "record_transfer",
    "release_warning",
    "reset_coverage",
]

# One for everything that is not a tick; reentrant, because a snapshot reads counters.
_lock: Final = RLock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread holds the lock would wait for it forever.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class CallCounter:
    """
    Counts calls, exactly and without a lock, from any number of threads.

    Its `tick` is the ``__next__`` of an `itertools.count`: one C call, which no other thread can interrupt. Reading
    takes a tick itself, and subtracts the ticks that readings took.

    Attributes
    ----------
    tick : callable
        Counts one call; what it returns has no meaning.

    Examples
    --------
    >>> from trnarray.backends.coverage import CallCounter
    >>> calls = CallCounter()
    >>> for _ in range(3):
    ...     _ = calls.tick()
    >>> calls.calls, calls.calls
    (3, 3)
    """

    __slots__ = ("_uncounted", "tick")

    def __init__(self) -> None:
        self.tick: Final[Callable[[], int]] = itertools.count().__next__
        self._uncounted = 0  # ticks taken by readings, and those before the last reset

    @property
    def calls(self) -> int:
        """How often `tick` was called since the last reset."""
        with _lock:
            calls = self.tick() - self._uncounted
            self._uncounted += 1
            return calls

    def reset(self) -> int:
        """Start again from zero."""
        with _lock:
            ticks = self.tick()
            calls = ticks - self._uncounted
            self._uncounted = ticks + 1
            return calls


class Fallback(NamedTuple):
    """
    Calls of one operation, from one place, that ran on the host because the device has no kernel for them.

    Attributes
    ----------
    op : str
        The operation.
    dtype : str
        Its dtype.
    reason : str
        Why there is no kernel.
    caller : str
        ``"file:line"`` of the code that called trnarray.
    calls : int
        How often.
    """

    op: str
    dtype: str
    reason: str
    caller: str
    calls: int


class Transfer(NamedTuple):
    """
    Transfers between host and device, from one place.

    Attributes
    ----------
    direction : str
        ``"to host"`` or ``"to device"``.
    caller : str
        ``"file:line"`` of the code that called trnarray.
    calls : int
        How often.
    nbytes : int
        Bytes moved, all calls together.
    """

    direction: str
    caller: str
    calls: int
    nbytes: int


class Compilation(NamedTuple):
    """
    Programs that were compiled, because a line needed values of programs that were not there.

    Attributes
    ----------
    device : str
        Where they run.
    caller : str
        ``"file:line"`` of the code that needed a value.
    programs : int
        How many.
    """

    device: str
    caller: str
    programs: int


class Coverage(NamedTuple):
    """
    What was counted, a value that later calls do not change.

    Attributes
    ----------
    native : dict of str to int
        Calls that ran on their own device, by operation; without those that were never called.
    fallbacks : tuple of Fallback
        Calls that ran on the host instead, most frequent first.
    transfers : tuple of Transfer
        Transfers between host and device, largest first.
    compilations : tuple of Compilation
        Programs that were compiled, most first. A line that compiles in every turn of a loop has shapes or functions that change.

    Examples
    --------
    >>> from trnarray.backends.coverage import Coverage, Transfer
    >>> print(Coverage({"add": 12}, (), (Transfer("to host", "fit.py:3", 2, 1600),)))
    native calls
      op   calls
      add     12
    fallbacks: none
    transfers
      direction  caller    calls  bytes
      to host    fit.py:3      2   1600
    """

    native: dict[str, int]
    fallbacks: tuple[Fallback, ...]
    transfers: tuple[Transfer, ...]
    compilations: tuple[Compilation, ...] = ()

    def __str__(self) -> str:
        """Return the counts as tables."""
        native = sorted(self.native.items(), key=lambda item: (-item[1], item[0]))
        tables = [
            _table("native calls", ("op", "calls"), native),
            _table("fallbacks", ("op", "dtype", "reason", "caller", "calls"), self.fallbacks),
            _table("transfers", ("direction", "caller", "calls", "bytes"), self.transfers),
        ]
        if self.compilations:
            tables.append(_table("compiled programs", ("device", "caller", "programs"), self.compilations))
        return "\n".join(tables)


def _table(title: str, header: tuple[str, ...], rows: Sequence[Iterable[str | int]]) -> str:
    """Return a titled table; numbers stand to the right."""
    if not rows:
        return f"{title}: none"
    cells = [header, *(tuple(map(str, row)) for row in rows)]
    numeric = [isinstance(cell, int) for cell in rows[0]]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(row, widths, numeric, strict=True))
        for row in cells
    )
    return "\n".join([title, *(f"  {line}".rstrip() for line in lines)])


_counters: Final[dict[str, CallCounter]] = {}
_fallbacks: Final[dict[tuple[str, str, str, str], int]] = {}
_transfers: Final[dict[tuple[str, str], tuple[int, int]]] = {}
_compilations: Final[dict[tuple[str, str], int]] = {}
_warned: Final[set[tuple[str, str]]] = set()


def counter(name: str) -> CallCounter:
    """
    Return the counter of native calls of an operation, made at its first mention.

    Examples
    --------
    >>> from trnarray.backends.coverage import counter
    >>> counter("add") is counter("add")
    True
    """
    return _counters.get(name) or _counters.setdefault(name, CallCounter())


def record_fallback(op: str, dtype: object, reason: str, caller: str) -> None:
    """Count one call that runs on the host because the device has no kernel for it."""
    key = (op, str(dtype), reason, str(caller))
    with _lock:
        _fallbacks[key] = _fallbacks.get(key, 0) + 1


def record_transfer(direction: str, nbytes: int, caller: str) -> None:
    """Count one transfer between host and device."""
    key = (direction, str(caller))
    with _lock:
        calls, total = _transfers.get(key, (0, 0))
        _transfers[key] = calls + 1, total + nbytes


def record_compilation(device: str, caller: str) -> None:
    """Count one program that is compiled."""
    key = (device, str(caller))
    with _lock:
        _compilations[key] = _compilations.get(key, 0) + 1


def claim_warning(what: str, caller: str) -> bool:
    """Take the right to warn of something at a call site, which is given once until the counts are reset."""
    with _lock:
        first = (what, caller) not in _warned
        _warned.add((what, caller))
    return first


def release_warning(what: str, caller: str) -> None:
    """Give the right to warn back, because no warning was given."""
    with _lock:
        _warned.discard((what, caller))


def coverage() -> Coverage:
    """
    Return what was counted since the last reset.

    Every count is exact: with no operation under way, it is the number of calls made, by all threads together.

    Returns
    -------
    Coverage
        The native calls, fallbacks, transfers and compiled programs; ``print`` shows them as tables.

    Examples
    --------
    >>> from trnarray.backends.coverage import coverage
    >>> isinstance(coverage().native, dict)
    True
    """
    with _lock:
        return _snapshot({name: each.calls for name, each in _counters.copy().items()})


def native_calls() -> int:
    """
    Return how many calls ran on their own device since the last reset: what `coverage` counts, added up.

    Examples
    --------
    >>> from trnarray.backends.coverage import coverage, native_calls
    >>> native_calls() == sum(coverage().native.values())
    True
    """
    with _lock:
        return sum(each.calls for each in _counters.copy().values())


def reset_coverage() -> Coverage:
    """
    Start all counts again from zero, and let every call site warn again.

    Returns
    -------
    Coverage
        What was counted until now: no call is lost between reading and resetting.

    Examples
    --------
    >>> from trnarray.backends.coverage import coverage, reset_coverage
    >>> _ = reset_coverage()
    >>> print(coverage())
    native calls: none
    fallbacks: none
    transfers: none
    """
    with _lock:
        dropped = _snapshot({name: each.reset() for name, each in _counters.copy().items()})
        _fallbacks.clear()
        _transfers.clear()
        _compilations.clear()
        _warned.clear()
    return dropped


def _snapshot(native: dict[str, int]) -> Coverage:
    fallbacks = [Fallback(*key, calls) for key, calls in _fallbacks.items()]
    transfers = [Transfer(*key, calls, nbytes) for key, (calls, nbytes) in _transfers.items()]
    compilations = [Compilation(*key, programs) for key, programs in _compilations.items()]
    return Coverage(
        {name: calls for name, calls in sorted(native.items()) if calls},
        tuple(sorted(fallbacks, key=lambda each: (-each.calls, each))),
        tuple(sorted(transfers, key=lambda each: (-each.nbytes, each))),
        tuple(sorted(compilations, key=lambda each: (-each.programs, each))),
    )
