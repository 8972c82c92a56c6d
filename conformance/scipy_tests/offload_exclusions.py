"""Which of SciPy's tests fail where a device computes the transforms of ndarrays, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["LONG", "OFFLOADED"]

LONG: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/fft/tests/test_basic.py": {"511 lengths have 1022 programs: half an hour on a simulator": ".*::test_identity_extensive.*"},
    "scipy/signal/tests/test_czt.py": {
        "chirps of 20 lengths and more, each with programs of its own": "test_1D",
        "float64 chirps of up to 300,000 points: nine minutes on a simulator": "test_czt_vs_fft",
    },
    "scipy/signal/tests/test_short_time_fft.py": {
        "a program for each of 1000 overlapping segments": "test_roundtrip_windows.*-255.",
        "products with matrices of 1024 rows in float64 for each segment": "test_stft_padding_roundtrip.*-1024.",
    },
}
"""By file, by reason: patterns of names of tests that are skipped."""

OFFLOADED: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/fft/tests/test_basic.py": {
        "new processes, which have no backend installed: SciPy answers there, with zeros that are exact": "test_multiprocess.*"
    },
    "scipy/signal/tests/test_spectral.py": {
        "two inverses of float32 equal to 2e-6, up to 30: one of SciPy's errs by 3.4e-6, ours by 9.6e-6, 1.9e-7 as 2-norms": (
            "TestSTFT::test_roundtrip_float32"
        ),
    },
}
"""By file, by reason: patterns of names."""
