"""Which line of a kernel is being traced."""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

__all__ = ["SourceLine", "calling_line"]

_HERE = str(Path(__file__).parent)


class SourceLine(NamedTuple):
    """
    A line of source code.

    Attributes
    ----------
    file : str
        Path of the file.
    line : int
        Number of the line.
    function : str
        The function it is in.
    """

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"

    @property
    def short(self) -> str:
        """The line without the folder."""
        return f"{Path(self.file).name}:{self.line}"


def calling_line() -> SourceLine:
    """Innermost line outside of the simulator."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    return _line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


@cache
def _is_inside(file: str) -> bool:
    return file.startswith(_HERE)


_line = lru_cache(maxsize=1 << 14)(SourceLine)
