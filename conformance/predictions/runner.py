"""Predicting published kernels, and holding the predictions against the published times."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, NamedTuple

from ...backends import simulator
from ...backends.simulator.cost.units import duration
from ..foreign_kernels.checkout import isolated, load, locate
from ..report import Report
from ..suite import SuiteError
from .published import Launch, Published
from .table import PUBLISHED

__all__ = ["TOLERANCE", "Comparison", "compare", "run"]

TOLERANCE: Final = 0.2


class Comparison(NamedTuple):
    """
    A published time beside its prediction.

    Attributes
    ----------
    published : Published
        The figure.
    seconds, low, high : float
        The prediction: the sum over the launches.
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

    def __str__(self) -> str:
        engines = "; ".join(f"{name} {self.busy[name]:.1%} for {share:.1%}" for name, share in self.published.busy.items())
        between = f"[{duration(self.low)}, {duration(self.high)}]"
        return (
            f"published {duration(self.published.seconds)}, predicted {duration(self.seconds)} {between}, "
            f"{self.error:+.1%}, bound by {self.bound}, {self.guessed:.0%} guessed" + (f"; busy: {engines}" if engines else "")
        )


def compare(published: Published, directory: Path) -> Comparison:
    """Predict a published kernel."""
    predictions = tuple(_predict(published, directory, launch) for launch in published.launches)
    runs = [prediction for launch, prediction in zip(published.launches, predictions, strict=True) for _ in range(launch.times)]
    seconds = sum(run.seconds for run in runs)
    guessed = sum(run.seconds * run.guessed for run in runs) / seconds
    busy = {name: sum(run.seconds * run.busy[name] for run in runs) / seconds for name in published.busy}
    longest = max(predictions, key=lambda prediction: prediction.seconds)
    low, high = sum(run.low for run in runs), sum(run.high for run in runs)
    return Comparison(published, seconds, low, high, guessed, longest.bound, busy, predictions)


def _predict(published: Published, directory: Path, launch: Launch) -> simulator.cost.Prediction:
    if isinstance(published.kernel, simulator.Kernel):
        with simulator.options(published.target):
            return published.kernel[published.lnc].predict(**published.arguments)
    checkout = locate(directory, published.file)
    if checkout is None:
        raise FileNotFoundError(f"no checkout below {directory.name} has {published.file}")
    with isolated(), simulator.as_nki(target=published.target):
        module = load(checkout, published.file, published.root, kernel=published.kernel, occurrence=published.occurrence)
        for name, value in launch.settings.items():
            setattr(module, name, value)
        kernel = simulator.simulate(getattr(module, published.kernel))
        return kernel[published.lnc].predict(**{name: _argument(module, value) for name, value in published.arguments.items()})


def _argument(module: Any, value: simulator.Abstract | str | int) -> Any:
    return getattr(module, value.removeprefix("module:"))() if isinstance(value, str) else value


def run(directory: Path, report: Report, only: Sequence[str] = ("*",), published: Sequence[Published] = PUBLISHED) -> None:
    """Compare every published time with its prediction."""
    if not directory.is_dir():
        raise SuiteError(f"{directory} is not a folder; name the one that holds the checkouts")
    chosen = [item for item in published if any(fnmatchcase(item.name, pattern) for pattern in only)]
    if not chosen:
        raise SuiteError(f"no published time is named {' or '.join(only)}; name one as in --only '*mamba*'")
    within = inside = 0
    for item in chosen:
        try:
            comparison = compare(item, directory)
        except FileNotFoundError as error:
            report.add(item.name, "skipped", str(error))
            continue
        except (simulator.NkiConstraintError, simulator.OutOfMemoryError) as error:
            refused = bool(item.refused) and item.refused in str(error)
            report.add(item.name, "xfailed" if refused else "failed", item.explanation if refused else f"{type(error).__name__}: {error}")
            report.figures[item.name] = f"published {duration(item.seconds)}, not predicted: the simulator refuses the kernel"
            continue
        report.figures[item.name] = str(comparison)
        inside += comparison.low <= item.seconds <= comparison.high
        if abs(comparison.error) <= TOLERANCE:
            within += 1
            report.add(item.name)
        elif item.explanation and not item.refused:
            report.add(item.name, "xfailed", f"{comparison.error:+.1%}: {item.explanation}")
        else:
            report.add(item.name, "failed", f"{comparison.error:+.1%} is beyond {TOLERANCE:.0%}; source: {item.source}")
    report.figures[f"within {TOLERANCE:.0%}"] = f"{within} of {len(chosen)}"
    report.figures["within the predicted range"] = f"{inside} of {len(chosen)}"
