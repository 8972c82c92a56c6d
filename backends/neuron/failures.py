"""Errors that are found when the graph is computed, kept at nodes, and raised where a value is read."""

from __future__ import annotations

import traceback
from copy import copy

__all__ = ["release_frames", "told"]


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
