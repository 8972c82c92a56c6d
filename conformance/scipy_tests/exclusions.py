"""The tests of SciPy's that are about SciPy itself, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXCLUSIONS"]

_REFUSED: Final = "that scipy.fft refuses `workers` and `plan` for arrays of other libraries; our backend takes them"
_WORDS: Final = "the words of an error, of which the test knows those of the libraries that SciPy lists"
_DEFAULT: Final = "that SciPy takes arrays on the default device into account where the operands are on another"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/_lib/tests/test__util.py": {"lazy arrays; ours can be asked for their values": r"TestContainsNaN::test_array_api_lazy\[.*\]"},
    "scipy/fft/tests/test_basic.py": {_REFUSED: r"test_non_standard_params\[.*\]"},
    "scipy/ndimage/tests/test_filters.py": {_WORDS: r"TestVectorizedFilter::test_input_validation\[.*\]"},
    "scipy/stats/tests/test_device_dtype.py": {
        _DEFAULT: r"test_hypothesis_tests\[float\d\d-(ttest_rel|ttest_ind|pearsonr|chisquare|power_divergence)-trnarray\]"
    },
}
"""By file and reason, regular expressions of the names of tests."""
