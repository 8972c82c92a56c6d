"""A predicted schedule in the Trace Event format, which Perfetto and Chrome's tracing page open."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from ..tensor.storage import MemoryRegion, Storage
from .profile import QUEUES

if TYPE_CHECKING:
    from .critical_path import Step
    from .predicted import Interval, Predicted

__all__ = ["sequence", "trace"]

Event = dict[str, Any]
_Critical: TypeAlias = "dict[tuple[int, int], list[Step]]"  # by core and serial number
_MEMORIES: Final = (MemoryRegion.sbuf, MemoryRegion.psum)
_MICRO: Final = 1e6  # the format counts microseconds
_PLACES: Final = 6
_INSIDE: Final = 0.001  # an arrow belongs to the slice that its time lies in, which a slice's end does not


def _micro(seconds: float) -> float:
    return round(seconds * _MICRO, _PLACES)


def _meta(kind: str, process: int, thread: int | None, value: str | int) -> Event:
    key = "sort_index" if kind.endswith("sort_index") else "name"
    return {"name": kind, "ph": "M", "pid": process, "args": {key: value}} | ({} if thread is None else {"tid": thread})


def _process(number: int, name: str) -> Iterator[Event]:
    yield _meta("process_name", number, None, name)
    yield _meta("process_sort_index", number, None, number)


def _thread(process: int, thread: int, name: str) -> Iterator[Event]:
    yield _meta("thread_name", process, thread, name)
    yield _meta("thread_sort_index", process, thread, thread)


def _lines(intervals: Sequence[Interval]) -> list[int]:
    """Give each interval the uppermost line that is free when it starts: slices of one line must not overlap."""
    free: list[int] = []
    busy: list[tuple[float, int]] = []
    found = []
    for interval in intervals:
        while busy and busy[0][0] <= interval.start:
            heapq.heappush(free, heapq.heappop(busy)[1])
        line = heapq.heappop(free) if free else len(busy)
        heapq.heappush(busy, (interval.end, line))
        found.append(line)
    return found


def _slice(interval: Interval, process: int, thread: int, critical: _Critical) -> Event:
    instruction = interval.instruction
    arguments: Event = {"instruction": str(instruction), "serial": instruction.serial, "source": str(instruction.where)}
    steps = critical.get((interval.core, instruction.serial), ())
    step = next((step for step in steps if interval.start <= step.start <= interval.end), None)
    if step is not None:
        arguments |= {"critical path": "yes", "waited for": step.waited_for or "nothing"}
    start, end = _micro(interval.start), _micro(interval.end)
    return {
        "name": instruction.name or instruction.opcode.name,
        "cat": f"{interval.queue}{',critical' if step is not None else ''}",
        "ph": "X",
        "ts": start,
        "dur": round(end - start, _PLACES),
        "pid": process,
        "tid": thread,
        "args": arguments,
    }


def _occupancy(intervals: Iterable[Interval], memory: MemoryRegion) -> Iterator[tuple[float, int]]:
    """When the bytes per partition that are in use change, and to what; a tile counts from its first use to its last."""
    first: dict[Storage, float] = {}
    last: dict[Storage, float] = {}
    for interval in intervals:
        for view in interval.instruction.touched():
            storage = view._storage
            if storage.buffer is memory:
                first.setdefault(storage, interval.start)
                last[storage] = max(last.get(storage, 0.0), interval.end)
    changes: dict[float, int] = defaultdict(int)
    for storage, start in first.items():
        changes[_micro(start)] += storage.nbytes
        changes[_micro(last[storage])] -= storage.nbytes
    used = 0
    for at in sorted(changes):
        used += changes[at]
        yield at, used


def _core(prediction: Predicted, core: int, critical: _Critical) -> Iterator[Event]:
    mine = [interval for interval in prediction.intervals if interval.core == core]
    engines, queues, memory = 3 * core + 1, 3 * core + 2, 3 * core + 3
    yield from _process(engines, f"core {core}: engines")
    yield from _process(queues, f"core {core}: DMA queues")
    first = 0
    for queue in QUEUES:
        own = [interval for interval in mine if interval.queue == queue]
        if not own:
            continue
        process = queues if queue.startswith("dma") else engines
        lines = _lines(own)  # transfers that overlap go on lines below each other
        for line in range(max(lines) + 1):
            yield from _thread(process, first + line, queue if line == 0 else f"{queue} ({line + 1})")
        for interval, line in zip(own, lines, strict=True):
            yield _slice(interval, process, first + line, critical)
        first += max(lines) + 1
    skipped = [skip for skip in prediction.skipped if skip.core == core]
    if skipped:
        yield from _thread(engines, first, "iterations like those before")
        for skip in skipped:
            start, end = _micro(skip.start), _micro(skip.end)
            arguments = {"iterations": skip.iterations, "source": str(skip.loop.where)}
            name = f"{skip.iterations} iterations of {skip.loop.where.short}"
            place = {"ts": start, "dur": round(end - start, _PLACES), "pid": engines, "tid": first}
            yield {"name": name, "cat": "loop", "ph": "X", **place, "args": arguments}
    yield from _process(memory, f"core {core}: memory")
    for region in _MEMORIES:
        for at, used in _occupancy(mine, region):
            yield {"name": f"{region.value.upper()} bytes per partition", "ph": "C", "ts": at, "pid": memory, "args": {"in use": used}}


def _hand_overs(events: Sequence[Event]) -> Iterator[Event]:
    """Arrows from each slice of the critical path to the next."""
    path = sorted((event for event in events if event["ph"] == "X" and "critical path" in event["args"]), key=lambda event: event["ts"])
    for number, (before, after) in enumerate(pairwise(path)):
        common = {"name": "critical path", "cat": "critical", "id": number}
        leaving = max(before["ts"], min(before["ts"] + before["dur"] - _INSIDE, after["ts"]))
        yield {**common, "ph": "s", "ts": leaving, "pid": before["pid"], "tid": before["tid"]}
        yield {**common, "ph": "f", "bp": "e", "ts": after["ts"], "pid": after["pid"], "tid": after["tid"]}


def trace(prediction: Predicted) -> Mapping[str, Any]:
    """Lay a schedule out for Perfetto."""
    if not prediction.intervals:
        raise ValueError(f"the prediction of {prediction.name} has no intervals; predict with keep=True")
    critical: _Critical = defaultdict(list)
    for step in prediction.critical_path:
        critical[step.core, step.instruction.serial].append(step)
    cores = 1 + max(interval.core for interval in prediction.intervals)
    events = [event for core in range(cores) for event in _core(prediction, core, critical)]
    return {
        "traceEvents": [*events, *_hand_overs(events)],
        "displayTimeUnit": "ns",
        "otherData": {
            "kernel": prediction.name,
            "target": prediction.target.name,
            "predicted seconds": prediction.seconds,
            "range": f"{prediction.low} to {prediction.high} seconds",
            "nature": f"figures of {prediction.calibration}" if prediction.calibration else "predicted; nothing was measured",
            "knobs": str(prediction.knobs),
        },
    }


def sequence(parts: Sequence[tuple[str, Predicted | None]]) -> Mapping[str, Any]:
    """Lay schedules out one after the other."""
    events: list[Event] = []
    other: dict[str, Any] = {}
    begin, processes, arrows = 0.0, 0, 0
    for title, prediction in parts:
        if prediction is None:
            events.append({"name": title, "ph": "i", "s": "g", "ts": _micro(begin), "pid": processes, "tid": 0})
            continue
        laid = trace(prediction)
        other[title] = laid["otherData"]
        for event in laid["traceEvents"]:
            event["pid"] += processes
            if "ts" in event:
                event["ts"] = round(event["ts"] + begin * _MICRO, _PLACES)
            if event["ph"] in "sf":
                event["id"] += arrows
            if event["name"] == "process_name":
                event["args"]["name"] = f"{title}, {event['args']['name']}"
            elif event["name"] == "process_sort_index":
                event["args"]["sort_index"] += processes
            events.append(event)
        begin += prediction.seconds
        processes = max(event["pid"] for event in events)
        arrows = 1 + max((event["id"] for event in events if event["ph"] == "s"), default=arrows - 1)
    return {"traceEvents": events, "displayTimeUnit": "ns", "otherData": other}
