"""The tests of SciPy's that are about SciPy itself, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXCLUSIONS", "ON_NEURON"]

_REFUSED: Final = "that scipy.fft refuses `workers` and `plan` for arrays of other libraries; our backend takes them"
_WORDS: Final = "the words of an error, of which the test knows those of the libraries that SciPy lists"
_DEFAULT: Final = "that SciPy takes arrays on the default device into account where the operands are on another"
_NARROW: Final = "that integers, alone or with float32, become float64, as NumPy's; on a Neuron device they become float32"
_WRAPPED: Final = "a number of trials beyond 2**31, which SciPy makes a C int of"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/_lib/tests/test__util.py": {"lazy arrays; ours can be asked for their values": r"TestContainsNaN::test_array_api_lazy\[.*\]"},
    "scipy/fft/tests/test_basic.py": {_REFUSED: r"test_non_standard_params\[.*\]"},
    "scipy/ndimage/tests/test_filters.py": {_WORDS: r"TestVectorizedFilter::test_input_validation\[.*\]"},
    "scipy/stats/tests/test_device_dtype.py": {
        _DEFAULT: r"test_hypothesis_tests\[float\d\d-(ttest_rel|ttest_ind|pearsonr|chisquare|power_divergence)-trnarray\]"
    },
}
"""By file and reason, regular expressions of the names of tests."""

ON_NEURON: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/special/tests/test_logsumexp.py": {
        _NARROW: r"TestLogSumExp::test_dtypes_ab\[int\d\d-int\d\d-trnarray\]",
    },
    "scipy/special/tests/test_support_alternative_backends.py": {
        _NARROW: (
            r"test_support_alternative_backends\[\w+-intp-shapes\d-trnarray\] "
            r"test_support_alternative_backends"
            r"\[(bdtr|bdtrc|bdtri|expn|nbdtr|nbdtrc|nbdtri|pdtri|polygamma|yn)-float32-shapes\d-trnarray\] "
            r"test_support_alternative_backends_mismatched_dtypes"
            r"\[(?!(betainc|betaincc|betaincinv|fdtr|fdtrc|fdtri|gdtr|gdtrc|hyp1f1|lpmv|radian)-)\w+-trnarray\]"
        ),
        _WRAPPED: r"test_support_alternative_backends\[(bdtr|bdtrc)-float64-shapes[23]-trnarray\]",
    },
    "scipy/stats/tests/test_rank.py": {_NARROW: r"TestRankData::test_basic\[trnarray\]"},
}
"""The same for what is so on Neuron devices only."""
