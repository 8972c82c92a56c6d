"""A prediction as a table for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from .units import bytes_text, duration, operations

if TYPE_CHECKING:
    from .critical_path import Step
    from .predicted import Predicted

__all__ = ["report"]

_ENGINES: Final = ("tensor", "vector", "scalar", "gpsimd", "sync", "dma")


class _Part(NamedTuple):
    """Steps of the critical path that are alike."""

    seconds: float
    guessed: float
    times: int
    step: Step


def _parts(prediction: Predicted) -> list[_Part]:
    """Put steps of one line, instruction, queue and cause together, the longest first."""
    found: dict[tuple[str, str, str, str], _Part] = {}
    for step in prediction.critical_path:
        key = str(step.instruction.where), step.instruction.opcode.name, step.queue, step.waited_for
        before = found.get(key, _Part(0.0, 0.0, 0, step))
        found[key] = _Part(before.seconds + step.end - step.start, before.guessed + step.guessed, before.times + 1, before.step)
    return sorted(found.values(), key=lambda part: -part.seconds)


def _rows(prediction: Predicted) -> Iterator[tuple[str, str]]:
    p = prediction
    yield "time", f"{duration(p.seconds)}, between {duration(p.low)} and {duration(p.high)}"
    if p.worst > p.seconds:
        yield "worst data", f"{duration(p.worst)}, if all branches are taken that the kernel says few data take"
    yield "guessed", f"{p.guessed:.0%} of the critical path rests on guesses"
    yield "limit", f"{p.bound}: at least {duration(p.bounds[p.bound])}, {p.roofline:.0%} of the time"
    yield "busy", ", ".join(f"{name} {p.busy[name]:.1%}" for name in _ENGINES if p.busy[name])
    rate = bytes_text((p.hbm_read + p.hbm_written) / p.seconds)
    yield "HBM", f"{bytes_text(p.hbm_read)} read, {bytes_text(p.hbm_written)} written, {rate}/s"
    by_engine = ", ".join(f"{name} {operations(count)}" for name, count in p.arithmetic_of.items() if count)
    yield "arithmetic", f"{operations(p.arithmetic)} ({by_engine or 'none'}), {operations(p.arithmetic / p.seconds, '/s')}"
    yield "peak memory", ", ".join(f"{memory.upper()} {size} B per partition" for memory, size in p.peak.items())
    yield "instructions", str(p.instructions)
    for line in p.unknown_loops:
        yield "unknown loop", f"{line} runs as often as a register says; counted once. Pass trip_counts"
    yield "knobs", str(p.knobs)
    if p.calibration:
        yield "calibration", f"{p.calibration}: {', '.join(p.measured)}"


def report(prediction: Predicted, steps: int = 10) -> str:
    """Lay a prediction out."""
    nature = f"figures of {prediction.calibration}" if prediction.calibration else "predicted, nothing was measured"
    rows = list(_rows(prediction))
    width = max(len(name) for name, _ in rows) + 2
    lines = [f"{prediction.name} on {prediction.target.name} ({nature})", *(f"{name:<{width}}{value}" for name, value in rows)]
    parts = _parts(prediction)
    lines += ["", f"critical path: {min(steps, len(parts))} of {len(parts)} kinds of steps"]
    lines.append(f"    {'share':>5}  {'time':>10}  {'times':>5}  {'guessed':>7}  {'queue':<10}  {'waited for':<10}  step")
    for part in parts[:steps]:
        step = part.step
        share = part.seconds / prediction.seconds if prediction.seconds else 0.0
        guessed = part.guessed / part.seconds if part.seconds else 0.0
        figures = f"{share:5.1%}  {duration(part.seconds):>10}  {part.times:5}  {guessed:7.0%}"
        place = f"{step.instruction.opcode.name} at {step.instruction.where.short}"
        lines.append(f"    {figures}  {step.queue:<10}  {step.waited_for or 'nothing':<10}  {place}")
    return "\n".join(lines)
