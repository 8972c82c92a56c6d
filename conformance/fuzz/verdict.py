"""What came of a call on both sides, and whether that may be."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from .arguments import HostileError
from .calls import Call
from .reviewed import review

__all__ = ["Ending", "Finding", "judge"]

_ALLOWED: Final = (
    *(TypeError, ValueError, IndexError, OverflowError, MemoryError, ZeroDivisionError, FloatingPointError, NotImplementedError),
    *(BufferError, OSError, HostileError),
)
_ALLOWED_BY_NAME: Final = frozenset({"FallbackError", "ArpackError", "ArpackNoConvergence", "MatrixRankWarning"})
# What is for users of some functions only: of `numpy.testing`, of iterators, of attributes that cannot be set, of weights.
_ONLY_OF: Final = {AssertionError: ".testing.", StopIteration: "iter", AttributeError: " =", RuntimeError: ".cov"}
_INTERNALS: Final = re.compile(r"'(Value|Node|Buffer|Shadow|Engine)'|<(Value|Node|Buffer)\b|trnarray\.backends\.neuron")


class Ending(NamedTuple):
    """
    What came of one side.

    Attributes
    ----------
    error : BaseException or None
        What was raised.
    """

    error: BaseException | None

    def __str__(self) -> str:
        if self.error is None:
            return "a result"
        try:
            message = " ".join(str(self.error).split())
        except Exception as error:  # noqa: BLE001 - of an exception whose text is hostile
            message = f"no message but {type(error).__name__}"
        return f"{type(self.error).__name__}: {message[:200]}"


class Finding(NamedTuple):
    """
    What may not be.

    Attributes
    ----------
    sort : str
        ``"internal"``: an exception that is none of the documented ones; ``"unclear"``: one without a message, or that names internal
        classes; ``"taken"``: a result where NumPy raises; ``"refused"``: a documented exception where NumPy gives a result.
    what : str
        What came of it.
    reason : str
        Why it may be, where it was reviewed.
    """

    sort: str
    what: str
    reason: str = ""


def judge(call: Call, ours: Ending, theirs: Ending | None) -> Finding | None:
    """Tell whether the ending of a call may be."""
    shown = f"{ours}" if theirs is None else f"{ours}; theirs: {theirs}"
    error, model = ours.error, theirs.error if theirs else None
    if error is None:
        if model is None or isinstance(model, HostileError):
            return None
        return Finding("taken", shown, review(str(call), str(theirs)))
    if model is not None and type(error) is type(model):
        return None
    if not _is_allowed(error, call.target.name):
        return Finding("internal", shown)
    if _is_unclear(error):
        return Finding("unclear", shown)
    if theirs is not None and model is None and not isinstance(error, HostileError):
        return Finding("refused", shown)
    return None


def _is_allowed(error: BaseException, name: str) -> bool:
    if any(isinstance(error, kind) and where in name for kind, where in _ONLY_OF.items()):
        return True
    return isinstance(error, _ALLOWED) or type(error).__name__ in _ALLOWED_BY_NAME


def _is_unclear(error: Any) -> bool:
    text = str(Ending(error)).partition(": ")[2]
    return not isinstance(error, (HostileError, MemoryError, StopIteration)) and (not text or _INTERNALS.search(text) is not None)
