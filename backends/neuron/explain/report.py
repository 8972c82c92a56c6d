"""The explanation: what waits to be computed on a device, as a value for people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from ..dtypes import NKI_NAMES
from ..launch.prediction import Prediction, Program, write_schedules
from ..launch.units import bytes_text, duration

if TYPE_CHECKING:
    from os import PathLike

    from ..plan.plan import Choice, Plan, Role

__all__ = ["ExplainedHostCall", "ExplainedProgram", "ExplainedRound", "ExplainedStage", "Explanation"]

_HEADER: Final = ("stage", "computes", "over", "busy engines", "HBM read", "HBM written", "time alone")
_SHOWN: Final = 0.005  # of the time: engines that are busy for less are not named
_ITEMSIZES: Final = {name: dtype.itemsize for dtype, name in NKI_NAMES.items()}


@dataclass(frozen=True)
class ExplainedStage:
    """
    A stage of a program.

    Parameters
    ----------
    computes : str
        Functions, in order.
    over : str
        Extents and dtypes.
    prediction : Prediction or None
        Of this stage alone, all turns of a loop together; None where there is none.
    stages : tuple of ExplainedStage, optional
        What a turn of a loop computes, in order; a prediction is for one turn.
    turns : int, optional
        How many turns a loop has, or is predicted to have where a condition ends it.
    """

    computes: str
    over: str
    prediction: Prediction | None
    stages: tuple[ExplainedStage, ...] = ()
    turns: int = 0


@dataclass(frozen=True)
class ExplainedProgram:
    """
    A program that will run.

    Parameters
    ----------
    plan : Plan
        What it computes.
    traced : Program or None
        Its instructions, printable; None where they are not known before AWS's compiler runs.
    prediction : Prediction or None
        Of the whole program, in which stages overlap; None where there is none.
    stages : tuple of ExplainedStage
        In order.
    compiled : bool
        Whether the program is there, so that its launch compiles nothing.
    compile_time : tuple of float or None
        Seconds that AWS's compiler takes for it, likeliest, least and most: guesses. None where the program is not traced.
    again : str, optional
        Until when it is launched again and again, if it is the turns of a loop of which the host sees the end.
    """

    plan: Plan
    traced: Program | None
    prediction: Prediction | None
    stages: tuple[ExplainedStage, ...]
    compiled: bool
    compile_time: tuple[float, float, float] | None
    again: str = ""

    def hbm_bytes(self, *roles: Role) -> int:
        """
        Count the bytes of the program's tensors in HBM.

        Parameters
        ----------
        *roles : {'input', 'updated', 'temporary', 'output'}
            Of which tensors.

        Returns
        -------
        int
            Bytes.
        """
        return sum(tensor.size * _ITEMSIZES[tensor.dtype] for tensor in self.plan.tensors if tensor.role in roles)


@dataclass(frozen=True)
class ExplainedHostCall:
    """
    A call that the host will compute between programs.

    Parameters
    ----------
    op : str
        The operation.
    dtypes : str
        Of its operands.
    reason : str
        Why the device does not run it.
    caller : str
        Who called, ``"file:line"``.
    taken, given : int
        Bytes of its operands, and of its results.
    """

    op: str
    dtypes: str
    reason: str
    caller: str
    taken: int
    given: int


@dataclass(frozen=True)
class ExplainedRound:
    """
    Calls that the host will compute between two programs, of which none needs another.

    Parameters
    ----------
    calls : tuple of ExplainedHostCall
        The calls.
    fetched, brought : int
        Bytes that move to the host and to the device. Memory that several calls read moves once, and that of a view as a whole; what calls
        alone read of other calls does not move.
    """

    calls: tuple[ExplainedHostCall, ...]
    fetched: int
    brought: int


class _Section(NamedTuple):
    """A step for people: a title, lines, and a table with its header, or none."""

    title: str
    lines: list[str]
    table: list[tuple[str, ...]]


@dataclass(frozen=True)
class Explanation:
    """
    What has to run before a value is there.

    Printed it is a table; notebooks show it as one. Times are predicted by the simulator's cost model and were measured on no device.

    Parameters
    ----------
    device : str
        Where the value is.
    steps : tuple of ExplainedProgram or ExplainedRound
        In order; empty where nothing waits.
    why_empty : str
        Why there are no steps.
    peak, capacity : int
        Bytes of the device's memory that are taken at most while the steps run, if no Array goes meanwhile, and that it has.
    launch : tuple of float
        Seconds that a launch takes besides its program, likeliest, least and most.

    Examples
    --------
    >>> print(Explanation("cpu", (), "the device 'cpu' computes at once"))
    nothing waits: the device 'cpu' computes at once
    """

    device: str
    steps: tuple[ExplainedProgram | ExplainedRound, ...]
    why_empty: str = ""
    peak: int = 0
    capacity: int = 0
    launch: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def seconds(self) -> float:
        """
        The predicted time of all programs, each figure at its likeliest value.

        Returns
        -------
        float
            Seconds, without launches and without the host's steps; NaN where no time is predicted.
        """
        return sum((math.nan if p is None else p.seconds for p in self._predictions), start=0.0)

    @property
    def low(self) -> float:
        """
        The low end of the predicted time: from there to `high` are stated to be 80 % of programs.

        Returns
        -------
        float
            Seconds, as `seconds`.
        """
        return sum((math.nan if p is None else p.low for p in self._predictions), start=0.0)

    @property
    def high(self) -> float:
        """
        The high end of the predicted time.

        Returns
        -------
        float
            Seconds, as `seconds`.
        """
        return sum((math.nan if p is None else p.high for p in self._predictions), start=0.0)

    def trace(self, path: str | PathLike[str]) -> None:
        """
        Write the predicted schedule for Perfetto (ui.perfetto.dev) or Chrome's tracing page.

        Parameters
        ----------
        path : path-like
            The JSON file: programs one after the other, steps on the host as marks without extent, since their time is not predicted.

        Raises
        ------
        ValueError
            If there is no predicted time to draw.
        """
        if not self._predictions or None in self._predictions:
            raise ValueError(f"there is no schedule to draw: {self.why_empty or _NO_PREDICTION}")
        parts = [
            (f"{number} {'program' if isinstance(step, ExplainedProgram) else _hosted(step)}", getattr(step, "prediction", None))
            for number, step in enumerate(self.steps, 1)
        ]
        write_schedules(path, parts)

    @property
    def _predictions(self) -> list[Prediction | None]:
        return [step.prediction for step in self.steps if isinstance(step, ExplainedProgram)]

    def __str__(self) -> str:
        """Return all of it as a table."""
        lines = [*self._head()]
        for section in self._sections():
            lines += ["", section.title, *(f"   {line}" for line in section.lines)]
            widths = [max(map(len, column)) for column in zip(*section.table, strict=True)]
            for row in section.table:
                cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
                lines.append(f"   {'  '.join(cells)}".rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return the same for notebooks."""
        parts = [f"<p>{escape(line)}</p>" for line in self._head()]
        for section in self._sections():
            parts.append(f"<p><strong>{escape(section.title)}</strong></p>")
            parts += [f"<p>{escape(line)}</p>" for line in section.lines]
            if section.table:
                rows = [
                    f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in row)}</tr>"
                    for tag, row in zip(("th", *["td"] * (len(section.table) - 1)), section.table, strict=True)
                ]
                parts.append(f"<table><thead>{rows[0]}</thead><tbody>{''.join(rows[1:])}</tbody></table>")
        return f"<div>{''.join(parts)}</div>"

    def _head(self) -> Iterator[str]:
        if not self.steps:
            yield f"nothing waits: {self.why_empty}"
            return
        rounds = [step for step in self.steps if isinstance(step, ExplainedRound)]
        programs, hosted = len(self.steps) - len(rounds), sum(len(step.calls) for step in rounds)
        several = f" in {_count(len(rounds), 'round')}" if hosted > 1 else ""
        yield f"waiting on {self.device}: {_count(programs, 'program')}, {_count(hosted, 'call')} on the host{several}; none of it has run"
        if programs and not math.isnan(self.seconds):
            yield f"predicted {_times(self.seconds, self.low, self.high)}; nothing was measured, and launches are not included"
            yield f"launching {_count(programs, 'program')} is predicted to take {_times(*(programs * each for each in self.launch))}"
        elif programs:
            yield _NO_PREDICTION
        if any(isinstance(step, ExplainedProgram) and step.again for step in self.steps):
            yield "loops that a condition ends are counted as one launch, of all the turns that it has at most"
        if hosted:
            yield "of calls on the host no time is predicted"
        new = [step for step in self.steps if isinstance(step, ExplainedProgram) and not step.compiled]
        if programs:
            yield f"{_count(len(new), 'program')} to compile{_compile_time(new)}, {programs - len(new)} cached"
        more = "" if self.peak <= self.capacity else ", which is more than there is: it will be refused"
        yield f"HBM taken at most: {bytes_text(self.peak)} of {bytes_text(self.capacity)}{more}"

    def _sections(self) -> Iterator[_Section]:
        for number, step in enumerate(self.steps, 1):
            section = _round_section(step) if isinstance(step, ExplainedRound) else _program_section(step)
            yield section._replace(title=f"{number}. {section.title}")


_NO_PREDICTION: Final = "kernels are AWS's NKI's here, of which no time is predicted; set TRNARRAY_NKI=simulator and use a 'sim:' device"


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _times(seconds: float, low: float, high: float) -> str:
    return f"{duration(seconds)}, between {duration(low)} and {duration(high)}"


def _compile_time(programs: list[ExplainedProgram]) -> str:
    """Say how long AWS's compiler may take."""
    times = [step.compile_time for step in programs if step.compile_time is not None]
    if not times or len(times) < len(programs):
        return ""
    return f" (AWS's compiler is predicted to take {_times(*map(sum, zip(*times, strict=True)))}: guesses)"


def _hosted(step: ExplainedRound) -> str:
    """Name the calls of a round."""
    counts = Counter(call.op for call in step.calls)
    return f"{', '.join(op if count == 1 else f'{op} ×{count}' for op, count in counts.items())} on the host"


def _round_section(step: ExplainedRound) -> _Section:
    moved = f"moves: {bytes_text(step.fetched)} to the host, {bytes_text(step.brought)} to the device"
    calls = Counter(step.calls)  # a loop calls from one line
    named = [f"{call.op}{f' of {call.dtypes}' if call.dtypes else ''}{f' ×{count}' if count > 1 else ''}" for call, count in calls.items()]
    if len(calls) == 1:
        ((call, _),) = calls.items()
        return _Section(f"on the host: {named[0]}, called at {call.caller}", [f"reason: {call.reason}", moved], [])
    table: list[tuple[str, ...]] = [("call", "called at", "operands", "results", "reason")]
    for name, call in zip(named, calls, strict=True):
        table.append((name, call.caller, bytes_text(call.taken), bytes_text(call.given), call.reason))
    return _Section(f"on the host, in one round: {_count(len(step.calls), 'call')}", [moved], table)


def _program_section(step: ExplainedProgram) -> _Section:
    kept = "cached" if step.compiled else "new"
    title, lines, p = f"{kept} program of {_count(len(step.stages), 'stage')}", [step.again] if step.again else [], step.prediction
    if p is not None:
        title += f": predicted {_times(p.seconds, p.low, p.high)}"
        guessed = f"{p.guessed:.0%} of the critical path rests on guesses"
        lines.append(f"most wanted: {p.bound}, for at least {p.roofline:.0%} of the predicted time; {guessed}")
        if p.worst > p.seconds:
            lines.append(f"predicted {duration(p.worst)} where data take every branch that few data take")
        lines.append(f"HBM traffic: {bytes_text(p.hbm_read)} read, {bytes_text(p.hbm_written)} written")
    roles = (("inputs", ("input",)), ("updated in place", ("updated",)), ("temporaries", ("temporary",)), ("outputs", ("output",)))
    held = [f"{name} {bytes_text(size)}" for name, kinds in roles if (size := step.hbm_bytes(*kinds))]  # type: ignore[arg-type]
    lines.append(f"HBM tensors: {', '.join(held)}")
    if p is not None:
        lines.append(f"on chip, per partition: {', '.join(f'{memory.upper()} {size} B' for memory, size in p.peak.items())}")
    lines += [_choice(choice) for choice in step.plan.choices]
    return _Section(title, lines, [_HEADER, *_rows(step.stages)])


def _rows(stages: Iterable[ExplainedStage], before: str = "") -> Iterator[tuple[str, ...]]:
    """Give the lines of stages, after that of a loop those of a turn."""
    for number, stage in enumerate(stages, 1):
        yield _row(f"{before}{number}", stage)
        yield from _rows(stage.stages, f"{before}{number}.")


def _choice(choice: Choice) -> str:
    """Say which variant was chosen, and what the next one would take."""
    chosen = f"variant of {choice.computes} over {choice.over}: {choice.variant}, estimated at {duration(choice.seconds)}"
    if not choice.runner_up:
        return f"{chosen}; no other takes it"
    return f"{chosen}; next is {choice.runner_up}, at {duration(choice.runner_up_seconds)}"


def _row(number: str, stage: ExplainedStage) -> tuple[str, ...]:
    first, p = (number, stage.computes, stage.over), stage.prediction
    if p is None:
        return (*first, "", "", "", "")
    engines = sorted(((share, name) for name, share in p.busy.items() if not name[-1].isdigit() and share >= _SHOWN), reverse=True)
    busy = ", ".join(f"{name} {share:.0%}" for share, name in engines)
    each = f", {duration(p.seconds / stage.turns)} a turn" if stage.turns else ""
    return (*first, busy, bytes_text(p.hbm_read), bytes_text(p.hbm_written), f"predicted {duration(p.seconds)}{each}")
