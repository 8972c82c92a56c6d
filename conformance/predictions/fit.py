"""
Fitting the open figures of the cost model to published times, within the limits that documents allow.

The open figures are those of status ``"fitted"``; their limits are in the tables. Coordinate descent, without chance: each figure in turn
takes the best of a few values between its limits, and the steps are halved. What is made small is the mean over the families of the mean
size of the logarithm of predicted over published time; a family counts once, however many variants it has. Test rows are not looked at.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ...backends.simulator.cost.figure import Figure
from ...backends.simulator.cost.hardware import HARDWARE
from ...backends.simulator.cost.spread import CLASSES, SPREADS, spread
from ...backends.simulator.cost.table import ROWS
from .published import Published
from .replay import Replay

__all__ = ["Open", "fit", "fit_spreads", "open_figures"]

_NARROWEST: Final = 0.25  # half the width of an interval, as a logarithm: variants of one kernel scatter by a fifth about what is smooth
_WIDER: Final = 1.2  # by so much in each of
_WIDTHS: Final = 11  # steps
_LAPLACE: Final = math.log(5)  # within so many scales of it lie 80 % of a Laplace distribution
_STEPS: Final = (1, 1, 1)  # values on either side of the present one, by round


class Open(NamedTuple):
    """
    A figure to be fitted.

    Attributes
    ----------
    names : tuple of str
        As calibrations name it: more than one where documents tell rows of the cost table alike.
    targets : tuple of str
        Where it holds.
    figure : Figure
        As it is in the tables.
    """

    names: tuple[str, ...]
    targets: tuple[str, ...]
    figure: Figure


def open_figures() -> Iterator[Open]:
    """List the figures to be fitted; one that several targets or rows share is one."""
    for name, row in HARDWARE.items():
        for figure in dict.fromkeys(row.values()):
            if figure.status == "fitted":
                yield Open((name,), tuple(target for target, other in row.items() if other == figure), figure)
    shared: dict[tuple[Figure, tuple[str, ...]], list[str]] = {}
    for of in ROWS:
        for part, figure in (("stream", of.stream), ("extra", of.extra)):
            if figure.status == "fitted":
                shared.setdefault((figure, of.targets), []).append(f"{of.name}:{part}")
    for (figure, targets), names in shared.items():
        yield Open(tuple(names), targets, figure)


Values = Mapping[Open, float]


def _figures(values: Values, target: str) -> Mapping[str, Figure]:
    return {name: one.figure._replace(value=value) for one, value in values.items() if target in one.targets for name in one.names}


def _residuals(replays: Sequence[Replay], values: Values) -> list[float]:
    """Logarithms of predicted over published times."""
    figures = {target: _figures(values, target) for target in ("trn1", "trn2", "trn3")}
    return [math.log(replay.seconds(figures[replay.published.target]) / replay.published.seconds) for replay in replays]


def _loss(replays: Sequence[Replay], found: Sequence[float]) -> float:
    families: dict[str, list[float]] = {}
    for replay, residual in zip(replays, found, strict=True):
        families.setdefault(f"{replay.published.family} {replay.published.target}", []).append(abs(residual))
    return sum(sum(sizes) / len(sizes) for sizes in families.values()) / len(families)


def replays_of(rows: Sequence[Published], directory: Path) -> list[Replay]:
    """Trace the rows to fit to; rows whose checkout is not there are left out."""
    found = []
    for row in rows:
        if row.counts and not row.held_out:
            try:
                found.append(Replay(row, directory))
            except FileNotFoundError:
                print(f"left out: {row.name}, whose checkout is not there")
    return found


def fit(replays: Sequence[Replay], log: bool = True) -> dict[Open, float]:
    """Find the values of the open figures; the same for the same rows, always."""
    gc.freeze()  # what is kept need not be looked through while schedules come and go
    values = {one: one.figure.value for one in open_figures()}
    now = _residuals(replays, values)
    best = _loss(replays, now)
    concern: dict[Open, list[int]] = {}
    for round_number, steps in enumerate(_STEPS):
        for one, centre in list(values.items()):
            low, high = one.figure.low, one.figure.high
            if one not in concern:  # rows that it changes
                there = [number for number, replay in enumerate(replays) if replay.published.target in one.targets]
                ends = [_residuals([replays[number] for number in there], {**values, one: end}) for end in (low, high)]
                concern[one] = [number for number, a, b in zip(there, *ends, strict=True) if a != b]
            concerned = concern[one]
            step = (high - low) / 4 / 2**round_number
            for value in sorted({min(high, max(low, centre + k * step)) for k in range(-steps, steps + 1) if k}):
                tried = {**values, one: value}
                changed = _residuals([replays[number] for number in concerned], tried)
                candidate = list(now)
                for number, residual in zip(concerned, changed, strict=True):
                    candidate[number] = residual
                loss = _loss(replays, candidate)
                if loss < best * (1 - 1e-4):
                    best, now, values = loss, candidate, tried
            if log:
                where = "/".join(one.targets)
                what = " and ".join(one.names)
                print(f"round {round_number + 1}: {what} on {where} = {values[one]:.4g}, mean |log| {best:.4f}", flush=True)
    return values


def fit_spreads(replays: Sequence[Replay], values: Values) -> dict[str, float]:
    """Find how far each class of work spreads: the likeliest scales of the residuals, of those that occur on critical paths."""
    figures = {target: _figures(values, target) for target in ("trn1", "trn2", "trn3")}
    sizes = [abs(residual) for residual in _residuals(replays, values)]
    parts = [replay.shares(figures[replay.published.target]) for replay in replays]
    families = [f"{replay.published.family} {replay.published.target}" for replay in replays]
    weights = [1 / families.count(family) for family in families]

    def unlikely(spreads: Mapping[str, float]) -> float:
        widths = [spread(part, spreads) for part in parts]
        terms = [math.log(width) + _LAPLACE * size / width for width, size in zip(widths, sizes, strict=True)]
        return sum(weight * term for weight, term in zip(weights, terms, strict=True))

    spreads = dict(SPREADS)
    seen = [name for name in CLASSES if sum(weight * part.get(name, 0.0) for weight, part in zip(weights, parts, strict=True)) > 0.5]
    for _ in _STEPS:
        for name in seen:
            tried = ({**spreads, name: _NARROWEST * _WIDER**step} for step in range(_WIDTHS))
            spreads = min((spreads, *tried), key=unlikely)
    return spreads
