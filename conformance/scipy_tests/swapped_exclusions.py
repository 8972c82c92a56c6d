"""The tests of SciPy's that are about SciPy itself, not what a module of the same functions for Arrays does, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from . import linalg_exclusions as linalg
from . import passed_through_exclusions as passed_through
from . import signal_exclusions as signal
from . import sparse_exclusions as sparse

__all__ = ["EDITS", "EXCLUSIONS", "ON_NEURON", "VERSIONS"]

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    **linalg.EXCLUSIONS,
    **signal.EXCLUSIONS,
    **sparse.EXCLUSIONS,
    **passed_through.EXCLUSIONS,
}
"""By file and reason, regular expressions of the names of tests."""

ON_NEURON: Final[Mapping[str, Mapping[str, str]]] = {**linalg.ON_NEURON, **sparse.ON_NEURON}
"""The same, on Neuron devices only."""

EDITS: Final[Mapping[str, Mapping[str, str]]] = {**linalg.EDITS, **signal.EDITS, **sparse.EDITS, **passed_through.EDITS}
"""By file, the new text for the old: what arrays cannot have or be, where it stands among other things in one test."""

VERSIONS: Final = linalg.VERSIONS
"""Reasons that hold with some versions of SciPy only."""
