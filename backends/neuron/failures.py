"""Errors that are found when the graph is computed, kept at nodes, and raised where a value is read."""

from __future__ import annotations

import sys
import traceback
from copy import copy
from typing import Final

__all__ = ["came_from_outside", "release_frames", "told"]

_OURS: Final = sys.stdlib_module_names | {__name__.partition(".")[0], "numpy", "ml_dtypes"}


def came_from_outside(error: BaseException) -> bool:
    """Tell whether other code than that of the engine raised an error, as a signal handler does in the middle of it."""
    return any(frame.f_globals.get("__name__", "").partition(".")[0] not in _OURS for frame, _ in traceback.walk_tb(error.__traceback__))


def release_frames(error: BaseException) -> None:
    """Let the variables of finished calls go, which hold arrays: a kept error must not keep alive what it keeps from being computed."""
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next  # the first call is not finished
    found: list[BaseException | None] = [error]
    while found:
        one = found.pop()
        if one is not None:
            traceback.clear_frames(one.__traceback__)
            found += [one.__cause__, one.__context__]


def told(error: Exception) -> Exception:
    """Copy a kept error to raise it: the traceback of one that is raised holds the arrays of its callers."""
    try:
        again = copy(error)
    except TypeError:  # its constructor takes other arguments than it keeps
        return error
    again.__cause__, again.__suppress_context__ = error.__cause__, True
    return again.with_traceback(error.__traceback__)
