"""Tests of scipy.signal's that are about what Arrays cannot be or hold, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXCLUSIONS", "VERSIONS"]

_LONG: Final = "long doubles, which arrays cannot have"
_COEFFICIENTS: Final = "that SciPy refuses a list of coefficients of a window where xp= is given; ours takes it"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/signal/tests/test_signaltools.py": {
        _LONG: (
            r"TestLinearFilter(Float|Complex)Extended::(?!test_(scalar_input|invalid_params|lfiltic_bad_coeffs)).* "
            r"test_convolve_longdtype_input\[.*c?longdouble\] test_choose_conv_method(_2)?\[.*\]"
        )
    },
    "scipy/signal/tests/test_windows.py": {_COEFFICIENTS: r"TestGetWindow::test_general_cosine\[.*\]"},
}
"""By file and reason, regular expressions of the names of tests."""

VERSIONS: Final = frozenset({_COEFFICIENTS})
"""Reasons that hold with some versions of SciPy only."""
