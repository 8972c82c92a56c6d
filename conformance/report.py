"""The Report of a suite: counts, figures, and a reason for everything that did not pass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

__all__ = ["STATUSES", "Outcome", "Report", "Status"]

Status = Literal["passed", "failed", "errors", "skipped", "xfailed"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)


class Outcome(NamedTuple):
    """
    What one check of a suite came to.

    Attributes
    ----------
    name : str
        Which check.
    status : str
        One of `STATUSES`.
    reason : str
        Why it did not pass.
    """

    name: str
    status: Status
    reason: str


class Report:
    """
    The result of one run of a suite.

    Parameters
    ----------
    suite : str
        The suite's name.
    device : str
        The device it ran on.

    Attributes
    ----------
    counts : dict
        The number of checks by status.
    notes : list of Outcome
        Every check that did not pass, in the order they ran.
    seconds : float
        The duration of the run.
    figures : dict
        The suite's own measurements by name.

    Examples
    --------
    >>> report = Report("hypothesis", "cpu")
    >>> report.add("add[float32]")
    >>> report.add("sub[float32]", "failed", "1 is not 2")
    >>> report.ok, report.counts["passed"]
    (False, 1)
    """

    def __init__(self, suite: str, device: str) -> None:
        self.suite: Final = suite
        self.device: Final = device
        self.counts: Final[dict[Status, int]] = dict.fromkeys(STATUSES, 0)
        self.notes: Final[list[Outcome]] = []
        self.seconds = 0.0
        self.figures: Final[dict[str, Any]] = {}

    def add(self, name: str, status: Status = "passed", reason: str = "") -> None:
        """Count one check."""
        self.counts[status] += 1
        if status != "passed":
            if not reason.strip():
                raise ValueError(f"check {name!r} is {status} without a reason; say why")
            self.notes.append(Outcome(name, status, reason))

    def hold(self, name: str, value: float, limit: float, unit: str) -> None:
        """
        Keep a figure, and count the check that it is within its limit.

        Examples
        --------
        >>> report = Report("overhead", "cpu")
        >>> report.hold("add", 1.23456, 1.0, "µs")
        >>> report.figures, report.notes[0].reason
        ({'add': 1.235}, '1.235 µs, and the limit is 1.0 µs')
        """
        self.figures[name] = round(value, 3)
        if value <= limit:
            self.add(name)
        else:
            self.add(name, "failed", f"{value:.3f} {unit}, and the limit is {limit} {unit}")

    @property
    def ok(self) -> bool:
        """Whether something ran, and nothing failed or could not be run."""
        ran = self.counts["passed"] + self.counts["xfailed"]
        return ran > 0 and not self.counts["failed"] and not self.counts["errors"]

    def to_json(self) -> Mapping[str, Any]:
        """Give the report in the form that every suite shares."""
        return {
            "suite": self.suite,
            "device": self.device,
            **{str(status): count for status, count in self.counts.items()},
            "seconds": round(self.seconds, 3),
            "figures": self.figures,
        }

    def table(self) -> str:
        """Lay the report out for people."""
        lines = []
        for status in STATUSES[1:]:
            by_reason: dict[str, list[str]] = {}
            for note in self.notes:
                if note.status == status:
                    by_reason.setdefault(note.reason, []).append(note.name)
            for reason, names in by_reason.items():
                lines += [f"{status:<8}{name}" for name in names]
                lines += [f"        {line}" for line in reason.strip().splitlines()]
        if lines:
            lines.append("")
        rows = [("suite", self.suite), ("device", self.device), *self.counts.items(), ("seconds", f"{self.seconds:.1f}")]
        rows += list(self.figures.items())
        width = max(len(key) for key, _ in rows) + 2
        lines += [f"{key:<{width}}{value}" for key, value in rows]
        if not any(self.counts[status] for status in STATUSES if status != "skipped"):
            lines.append("nothing ran")
        return "\n".join(lines)
