"""Tests of scipy.signal's that are about what Arrays cannot be or hold, each with its reason, and edits where only a part is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .other_dtypes import OTHER_DTYPES

__all__ = ["EDITS", "EXCLUSIONS"]

_PRIVATE: Final = "a private method of SciPy's, called directly"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/signal/tests/test_short_time_fft.py": {_PRIVATE: r"test_x_slices_padding test_fft_func_roundtrip\[\d\]"},
    "scipy/signal/tests/test_signaltools.py": {
        OTHER_DTYPES: (
            r"TestLinearFilter(Float|Complex)Extended::(?!test_(scalar_input|invalid_params|lfiltic_bad_coeffs)).* "
            r"test_convolve_longdtype_input\[.*c?longdouble\] test_choose_conv_method(_2)?\[.*\]"
        )
    },
}
"""By file and reason, regular expressions of the names of tests."""

EDITS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/signal/tests/test_short_time_fft.py": {
        # What is inside of SciPy's object is in one that ours has, and errors are to come from public methods.
        "SFT._fft_mode = ": "SFT._transform._fft_mode = ",
        "SFT._hop = ": "SFT._transform._hop = ",
        "g = SFT._x_slices(np.zeros(16), k_off=0, p0=0, p1=1, padding='invalid')\n        next(g)": (
            "SFT.stft(np.zeros(16), p0=0, p1=1, padding='invalid')"
        ),
        "SFT._post_padding(3)": "SFT.p_max(3)",
        "SFT._fft_func(np.ones(8))": "SFT.stft(np.ones(8))",
        "SFT._ifft_func(np.ones(8))": "SFT.istft(np.ones((8, 3)))",
        # NumPy's sums of Arrays are Arrays.
        "np.sum(Sxx)": "np.sum(Sxx).item()",
        "np.sum(Sxy)": "np.sum(Sxy).item()",
    },
    # Ours takes a list of coefficients where xp= is given, too.
    "scipy/signal/tests/test_windows.py": {
        "        with pytest.raises(ValueError, match=\"^'general_cosine' does not accept.*\"):\n": "",
        "            windows.get_window(('general cosine', [1, 2]), 5, xp=xp_)\n": "",
        "with pytest.raises(ValueError):\n            get_window(('general_cosine', [0.5, 0.3, 0.2]), 4, xp=xp)": (
            "get_window(('general_cosine', [0.5, 0.3, 0.2]), 4, xp=xp)"
        ),
    },
}
"""By file, the new text for the old."""
