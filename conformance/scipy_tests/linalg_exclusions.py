"""Tests of scipy.linalg's that are about what Arrays cannot be or hold, each with its reason, and edits where only a part is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .other_dtypes import OTHER_DTYPES

__all__ = ["EDITS", "EXCLUSIONS", "ON_NEURON", "VERSIONS"]

_HALF: Final = "that SciPy's result for float16 is float32; ours is rounded to float16"
_MATRIX: Final = "numpy.matrix, a subclass of ndarray, which ours refuse"
_SPARSE: Final = "that sparse arrays are refused by ValueError; ours refuse them by TypeError, as all foreign arrays"
_NOISE: Final = "an element that is 0 but for rounding, to seven digits of what LAPACK leaves of it; devices round it otherwise"
_OVERWRITTEN: Final = "that operands are overwritten where they may be; devices never do it"
_WORDS: Final = "the words of an error, which are other ones on devices"
_WARNED: Final = "parameters that SciPy takes away: until 1.17 disp and blocksize, from 1.18 lwork=None, with warnings before"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/linalg/tests/test_basic.py": {
        OTHER_DTYPES: (
            r"TestDTypes::test_inv\[[gGSUVOMm]\] TestDTypes::test_solve\[([?bhilqnpBHILQNPefdFD]-[gGSUO]|[?bhilqnpBHI]-m)\] "
            r"TestDTypes::test_solve\[([gGSU]-[?bhilqnpBHILQNPefdgFDGSUO]|V-[VO]|O-.|M-[OMm]|m-[?bhilqnpBHIOMm])\] "
            r"TestInv::test_dtypes\[c?longdouble\] TestDet::test_incompatible_dtype_input"
        ),
        _HALF: r"TestInv::test_dtypes\[float16\]",
    },
    "scipy/linalg/tests/test_decomp.py": {_WARNED: "TestQR::test_lwork", _SPARSE: "TestEigh::test_eigh_of_sparse"},
    "scipy/linalg/tests/test_decomp_update.py": {OTHER_DTYPES: r"TestQR(delete|insert|update)_[fdFD]::test_unsupported_dtypes"},
    "scipy/linalg/tests/test_matfuncs.py": {
        _HALF: "TestSqrtM::test_data_size_preservation_float_in_float_out",
        _WARNED: r"test_disp_dep\[.*\] test_blocksize_dep",
    },
    "scipy/linalg/tests/test_procrustes.py": {_MATRIX: r"(TestOrthogonalProcrustes::)?test_orthogonal_procrustes_array_conversion"},
    "scipy/linalg/tests/test_solvers.py": {_MATRIX: "TestSolveLyapunov::test_cases"},
    "scipy/linalg/tests/test_special_matrices.py": {
        OTHER_DTYPES: "TestInvHilbert::test_basic TestPascal::test_(big|threshold) test_invpascal"
    },
}
"""By file and reason, regular expressions of the names of tests."""

ON_NEURON: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/linalg/tests/test_decomp_cholesky.py": {
        _WORDS: r"TestCho(lesky|Factor)::test_non_posdef\[.*\]",
        _OVERWRITTEN: r"TestCho(lesky|Factor)::test_overwrite_(args\[.*float-True\]|cleaning\[.*\])",
    },
    "scipy/linalg/tests/test_decomp_lu.py": {_NOISE: r"TestLUFactor::test_hrectangular(_complex)?"},
}
"""The same, on Neuron devices only."""

VERSIONS: Final = frozenset({_NOISE, _OVERWRITTEN, _WARNED, _WORDS})
"""Reasons that hold with some versions of SciPy, or some dtypes of devices, only."""

_NOT_OVERWRITTEN: Final = {
    # It hands over objects with `__array_interface__` and `__array__`, too.
    "from scipy.linalg._testutils import assert_no_overwrite": (
        "from scipy.linalg import _testutils\n"
        "_testutils._FakeMatrix = _testutils._FakeMatrix2 = _testutils._id\n"
        "assert_no_overwrite = _testutils.assert_no_overwrite"
    )
}

EDITS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/linalg/tests/test_basic.py": {
        **_NOT_OVERWRITTEN,
        "(np.float32, np.float64, np.longdouble)": "(np.float32, np.float64)",
        "(np.complex64, np.complex128, np.clongdouble)": "(np.complex64, np.complex128)",
        "np.typecodes['AllFloat']": "'efdFD'",
        "np.typecodes['Complex']": "'FD'",
    },
    "scipy/linalg/tests/test_decomp.py": _NOT_OVERWRITTEN,
    "scipy/linalg/tests/test_decomp_cholesky.py": _NOT_OVERWRITTEN,
    "scipy/linalg/tests/test_matfuncs.py": {"if hasattr(np, 'float128')": "if False", "if hasattr(np, 'complex256')": "if False"},
}
"""By file, the new text for the old."""
