"""The tests of SciPy's that are about SciPy itself, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..pytest_process import find_reason

__all__ = ["EXCLUSIONS", "reason_for"]

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


def reason_for(file: str, name: str) -> str | None:
    """
    Tell why a test is excluded.

    Parameters
    ----------
    file : str
        The path of the file it is in, from the folder of SciPy.
    name : str
        Its name, as ``"TestFFT::test_fft"``.

    Returns
    -------
    str or None
        The reason, None if it is not excluded.

    Examples
    --------
    >>> reason_for("scipy/fft/tests/test_basic.py", "test_non_standard_params[fft-trnarray]")
    'that scipy.fft refuses `workers` and `plan` for arrays of other libraries; our backend takes them'
    >>> reason_for("scipy/fft/tests/test_basic.py", "TestFFT::test_fft[trnarray]")
    """
    return find_reason(EXCLUSIONS.get(file, {}), name)
