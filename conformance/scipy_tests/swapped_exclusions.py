"""The tests of SciPy's that are about SciPy itself, not what a module of the same functions for Arrays does, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..pytest_process import find_reason
from . import linalg_exclusions as linalg
from . import signal_exclusions as signal
from . import sparse_exclusions as sparse

__all__ = ["EDITS", "EXCLUSIONS", "VERSIONS", "reason_for"]

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {**linalg.EXCLUSIONS, **signal.EXCLUSIONS, **sparse.EXCLUSIONS}
"""By file and reason, regular expressions of the names of tests."""

EDITS: Final[Mapping[str, Mapping[str, str]]] = {**linalg.EDITS, **sparse.EDITS}
"""By file, the new text for the old: what arrays cannot have or be, where it stands among other things in one test."""

VERSIONS: Final = linalg.VERSIONS | signal.VERSIONS
"""Reasons that hold with some versions of SciPy only."""


def reason_for(file: str, name: str) -> str | None:
    """
    Tell why a test is excluded.

    Parameters
    ----------
    file : str
        The path of the file it is in, from the folder of SciPy.
    name : str
        Its name, as ``"TestEig::test_simple"``.

    Returns
    -------
    str or None
        The reason, None if it is not excluded.

    Examples
    --------
    >>> reason_for("scipy/linalg/tests/test_decomp.py", "TestEig::test_simple")
    """
    return find_reason(EXCLUSIONS.get(file, {}), name)
