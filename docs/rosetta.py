"""The table from CUDA's libraries to trnarray's names: `rosetta.csv`, and how it is shown."""

import csv
from collections.abc import Iterator
from functools import reduce
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

TABLE: Final = Path(__file__).parent / "rosetta.csv"
_PLANNED: Final = "planned"
_HEADER: Final = ("In {library}", "in trnarray", "in NumPy or SciPy", "in trnsci")


class Row(NamedTuple):
    """Entry points of one of CUDA's libraries, and their counterparts; a dash where there is none."""

    library: str
    entry_points: str
    computes: str
    trnsci: str
    reference: str
    trnarray: str

    @property
    def planned(self) -> bool:
        """Whether trnarray has no counterpart yet."""
        return self.trnarray.split()[0] == _PLANNED

    @property
    def names(self) -> list[str]:
        """The dotted names of trnarray, those that are planned included."""
        return [name for name in self.trnarray.split() if name != _PLANNED]

    @property
    def reference_names(self) -> list[str]:
        """The dotted names of NumPy and SciPy."""
        return [] if self.reference == "-" else self.reference.split()


def rows() -> list[Row]:
    """Read the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [Row(*row) for row in list(csv.reader(file))[1:]]


def resolve(name: str) -> Any:
    """Give what a dotted name stands for."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
        else:
            return reduce(getattr, parts[length:], module)
    raise ModuleNotFoundError(f"nothing of {name!r} can be imported")


def markdown() -> str:
    """Give the table in Markdown, a section for each library."""
    lines = list[str]()
    for library, group in groupby(rows(), key=lambda row: row.library):
        header = [cell.format(library=library) for cell in _HEADER]
        lines += [f"## {library}", "", f"| {' | '.join(header)} |", "|---" * len(header) + "|", *map(_line, group), ""]
    return "\n".join(lines)


def _line(row: Row) -> str:
    ours = "planned" if row.planned and not row.names else ", ".join(_cells(row))
    names = ", ".join(f"`{name}`" for name in row.reference_names) or "–"
    trnsci = "–" if row.trnsci == "-" else row.trnsci
    entry_points = row.entry_points.replace("<t", "\\<t")
    return f"| {entry_points}<br>*{row.computes}* | {ours} | {names} | {trnsci} |"


def _cells(row: Row) -> Iterator[str]:
    for name in row.names:
        yield f"planned: `{name}`" if row.planned else f"{{py:obj}}`{name}`"
