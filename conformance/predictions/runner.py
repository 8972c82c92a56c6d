"""Predicting published kernels, and holding the predictions against the published times."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from ...backends import simulator
from ...backends.simulator import Program
from ...backends.simulator.cost.hardware import HARDWARE
from ...backends.simulator.cost.spread import SPREADS
from ...backends.simulator.cost.units import duration
from ..foreign_kernels.checkout import isolated, load, locate
from ..report import Report
from ..suite import SuiteError
from .described import DESCRIBED
from .published import Launch, Published
from .table import PUBLISHED

__all__ = ["ALL", "TOLERANCE", "Comparison", "compare", "run", "traces"]

TOLERANCE: Final = 0.2
_WIDER: Final = 0.5
_WIDEST: Final = 2.5
_ALIKE: Final = 0.05  # published times closer than this have no order
ALL: Final[Sequence[Published]] = (*PUBLISHED, *DESCRIBED)


class Comparison(NamedTuple):
    """
    A published time beside its prediction.

    Attributes
    ----------
    published : Published
        The figure.
    seconds, low, high : float
        The prediction: the sum over the launches, each with the start of its kernel.
    guessed : float
        Share of the critical path that rests on guesses.
    bound : str
        What bounds the longest launch.
    busy : dict
        Share of the time that each engine is predicted active, for those that the document tells.
    predictions : tuple of Prediction
        One per launch, as `Published.launches`.
    """

    published: Published
    seconds: float
    low: float
    high: float
    guessed: float
    bound: str
    busy: dict[str, float]
    predictions: tuple[simulator.cost.Prediction, ...]

    @property
    def error(self) -> float:
        """How far the prediction is off."""
        return self.seconds / self.published.seconds - 1

    @property
    def covers(self) -> bool:
        """Whether the interval has the published time in it."""
        return self.low <= self.published.seconds <= self.high

    def __str__(self) -> str:
        engines = "; ".join(f"{name} {self.busy[name]:.1%} for {share:.1%}" for name, share in self.published.busy.items())
        between = f"[{duration(self.low)}, {duration(self.high)}]"
        return (
            f"published {duration(self.published.seconds)}, predicted {duration(self.seconds)} {between}, "
            f"{self.error:+.1%}, bound by {self.bound}, {self.guessed:.0%} guessed" + (f"; busy: {engines}" if engines else "")
        )


def traces(published: Published, directory: Path) -> Iterator[tuple[int, Program]]:
    """Trace what a published time covers: each program, and how often it runs."""
    for launch in published.launches:
        yield launch.times, _trace(published, directory, launch)


def _trace(published: Published, directory: Path, launch: Launch) -> Program:
    if isinstance(published.kernel, simulator.Kernel):
        with simulator.options(published.target):
            return published.kernel[published.lnc].program(**published.arguments)
    checkout = locate(directory, published.file)
    if checkout is None:
        raise FileNotFoundError(f"no checkout below {directory.name} has {published.file}")
    with isolated(), simulator.as_nki(target=published.target):
        module = load(checkout, published.file, published.root, kernel=published.kernel, occurrence=published.occurrence)
        for name, value in launch.settings.items():
            setattr(module, name, value)
        kernel = simulator.simulate(getattr(module, published.kernel))
        return kernel[published.lnc].program(**{name: _argument(module, value) for name, value in published.arguments.items()})


def _argument(module: Any, value: simulator.Abstract | str | int) -> Any:
    return getattr(module, value.removeprefix("module:"))() if isinstance(value, str) else value


def compare(published: Published, directory: Path) -> Comparison:
    """Predict a published kernel."""
    found = [(times, simulator.predict(program, keep=False)) for times, program in traces(published, directory)]
    start = 1e-9 * HARDWARE["kernel_start"][published.target].value * published.starts
    repeats = published.repeats

    starting, running = start * sum(times for times, _ in found), repeats * sum(times * one.seconds for times, one in found)
    seconds = starting + running
    uncertain = repeats * sum(times * one.seconds * math.log(one.high / one.seconds) for times, one in found)
    width = math.exp(math.hypot(starting * SPREADS["start"], uncertain) / seconds)
    weights = [times * one.seconds for times, one in found]
    guessed = sum(weight * one.guessed for weight, (_, one) in zip(weights, found, strict=True)) / sum(weights)
    busy = {name: sum(repeats * times * one.seconds * one.busy[name] for times, one in found) / seconds for name in published.busy}
    longest = max((one for _, one in found), key=lambda one: one.seconds)
    return Comparison(published, seconds, seconds / width, seconds * width, guessed, longest.bound, busy, tuple(one for _, one in found))


def run(directory: Path | None, report: Report, only: Sequence[str] = ("*",), published: Sequence[Published] = ALL) -> None:
    """Compare every published time with its prediction: the rows of the fit, and those that were held out."""
    if directory is not None and not directory.is_dir():
        raise SuiteError(f"{directory} is not a folder; name the one that holds the checkouts")
    chosen = [item for item in published if any(fnmatchcase(item.name, pattern) for pattern in only)]
    if not chosen:
        raise SuiteError(f"no published time is named {' or '.join(only)}; name one as in --only '*mamba*'")
    rows: dict[str, list[Comparison]] = {"fit": [], "test": []}
    for item in chosen:
        side = ("test" if item.held_out else "fit") if item.counts else "not counted"
        try:
            if item.file and directory is None:
                raise FileNotFoundError("needs --samples DIR, the folder that holds the checkout of its kernel")
            comparison = compare(item, directory or Path())
        except FileNotFoundError as error:
            report.add(item.name, "skipped", str(error))
            continue
        except (simulator.NkiConstraintError, simulator.OutOfMemoryError) as error:
            refused = bool(item.refused) and item.refused in str(error)
            report.add(item.name, "xfailed" if refused else "failed", item.explanation if refused else f"{type(error).__name__}: {error}")
            report.figures[item.name] = f"published {duration(item.seconds)}, not predicted: the simulator refuses the kernel"
            continue
        report.figures[f"{side}: {item.name}"] = str(comparison)
        if side in rows:
            rows[side].append(comparison)
        if item.refused:
            report.add(item.name, "failed", f"{comparison.error:+.1%}, though the simulator is said to refuse it: {item.refused}")
        elif not item.counts or comparison.covers or abs(comparison.error) <= TOLERANCE:
            report.add(item.name)
        else:
            reason = item.explanation or f"beyond its interval; source: {item.source}"
            report.add(item.name, "xfailed", f"{comparison.error:+.1%}: {reason}")
    for side, found in rows.items():
        if found:
            report.figures[f"{side} rows"] = _summary(found)
            report.figures[f"{side} rows, order of variants"] = _order(found)
    if rows["test"] and list(only) == ["*"]:
        _hold(report, rows["test"])


def _hold(report: Report, found: Sequence[Comparison]) -> None:
    """Hold the test rows to what the cost model promises."""
    count = len(found)
    promises = (
        ("within 20%", sum(abs(one.error) <= TOLERANCE for one in found) / count, 0.5),
        ("within 50%", sum(abs(one.error) <= _WIDER for one in found) / count, 0.85),
        ("inside their intervals", sum(one.covers for one in found) / count, 0.75),
    )
    for what, share, least in promises:
        kept = share >= least
        report.add(f"test rows {what}", "passed" if kept else "failed", "" if kept else f"{share:.0%} of {count}, promised are {least:.0%}")
    width = median(one.high / one.low for one in found)
    narrow = width <= _WIDEST
    report.add("width of intervals", "passed" if narrow else "failed", "" if narrow else f"a factor of {width:.2f}, promised {_WIDEST}")


def _summary(found: Sequence[Comparison]) -> str:
    count = len(found)
    near = [sum(abs(one.error) <= limit for one in found) for limit in (TOLERANCE, _WIDER)]
    inside, width = sum(one.covers for one in found), median(one.high / one.low for one in found)
    families = len({one.published.family for one in found})
    return (
        f"{count} of {families} families: within {TOLERANCE:.0%} {near[0]} ({near[0] / count:.0%}), within {_WIDER:.0%} {near[1]} "
        f"({near[1] / count:.0%}), inside the interval {inside} ({inside / count:.0%}), median width x {width:.2f}"
    )


def _order(found: Sequence[Comparison]) -> str:
    """Tell of how many pairs of variants the faster one is predicted the faster."""
    parts = []
    for (family, target), rows in itertools.groupby(found, key=lambda one: (one.published.family, one.published.target)):
        pairs = [
            (one, other)
            for one, other in itertools.combinations(list(rows), 2)
            if max(one.published.seconds, other.published.seconds) > (1 + _ALIKE) * min(one.published.seconds, other.published.seconds)
        ]
        right = sum((one.seconds < other.seconds) == (one.published.seconds < other.published.seconds) for one, other in pairs)
        if pairs:
            parts.append(f"{family} on {target} {right} of {len(pairs)}")
    return ", ".join(parts)
