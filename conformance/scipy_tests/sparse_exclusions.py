"""The tests of scipy.sparse that are about SciPy itself, each with its reason; and what is edited in others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import scipy
from numpy.lib import NumpyVersion

from .other_dtypes import OTHER_DTYPES

__all__ = ["EDITS", "EXCLUSIONS", "NOT_OURS", "ON_NEURON"]

NOT_OURS: Final = r"Matrix|DOK|LIL|\b(dok|lil)(_|\b)|_matrix\b"
"""The tests of classes that trnarray does not have, the old matrices and two formats of lists and dicts: SciPy's own would run."""

# Arrays are not ndarrays, and detached ones stand where SciPy gives scalars; there are no long doubles, and no matrices of old.
_IMPORTS: Final = "import numpy as np\nimport trnarray\n"
_DTYPES: Final = 'supported_dtypes = [dtype for dtype in supported_dtypes if np.dtype(dtype).char not in "gG"]\n'
_SCALAR: Final = """
def isscalarlike(x):
    return np.isscalar(x) or getattr(x, "ndim", None) == 0
"""
_MATRIX: Final = """
def matrix(*args, **kwargs):
    return np.atleast_2d(np.array(*args, **kwargs))
"""

EDITS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/sparse/tests/test_base.py": {
        "import numpy as np\n": _IMPORTS,
        "def assert_in(member": f"ndarray = trnarray.Array\n{_DTYPES}{_SCALAR}{_MATRIX}\ndef assert_in(member",
        "assert_(np.isscalar(": "assert_(isscalarlike(",
        "assert np.isscalar(": "assert isscalarlike(",
        "isinstance(a, np.ndarray) or": "isinstance(a, (np.ndarray, trnarray.Array)) or",
        "np.ndarray if self.is_array_test": "ndarray if self.is_array_test",
        "x.__dict__.values()": "getattr(x, 'to_scipy', lambda: x)().__dict__.values()",
        "datsp.__dict__": "datsp.to_scipy().__dict__",
        "sploaded.__dict__": "sploaded.to_scipy().__dict__",
        "assert_equal(type(A[1,1]), dtype)": "assert_equal(A[1,1].dtype, dtype)",
        "'dia','dok','lil']": "'dia']",
        "'dia', 'dok', 'lil']": "'dia']",
        "            assert_array_equal(spm.tolil().toarray(), m)\n": "",
        "            assert_array_equal(spm.todok().toarray(), m)\n": "",
    },
    "scipy/sparse/tests/test_common1d.py": {
        "import numpy as np\n": _IMPORTS,
        "from scipy.sparse._sputils import supported_dtypes, matrix\n": (
            f"from scipy.sparse._sputils import supported_dtypes\n{_DTYPES}{_SCALAR}{_MATRIX}"
        ),
        "np.isscalar(datsp": "isscalarlike(datsp",
        ", np.ndarray)": ", (np.ndarray, trnarray.Array))",
    },
    "scipy/sparse/tests/test_arithmetic1d.py": {
        "import numpy as np\n": _IMPORTS,
        "from scipy.sparse._sputils import isscalarlike\n": _SCALAR,
        ", np.ndarray)": ", (np.ndarray, trnarray.Array))",
    },
    "scipy/sparse/tests/test_indexing1d.py": {
        "from .test_arithmetic1d import toarray\n": "\ndef toarray(a):\n    return a.toarray() if hasattr(a, 'toarray') else a\n",
    },
    "scipy/sparse/tests/test_minmax1d.py": {
        "import numpy as np\n": _IMPORTS,
        "from scipy.sparse._sputils import isscalarlike\n": _SCALAR,
        ", np.ndarray)": ", (np.ndarray, trnarray.Array))",
    },
    "scipy/sparse/tests/test_construct.py": {
        "_construct as construct)": ")\nimport scipy.sparse as construct",
        "'dia','lil','dok']": "'dia']",
    },
    "scipy/sparse/tests/test_extract.py": {"from scipy.sparse import _extract\n": "import scipy.sparse as _extract\n"},
    "scipy/sparse/linalg/_isolve/tests/test_iterative.py": {
        "import numpy as np\n": _IMPORTS,
        'match="expected 2-D"': 'match="one matrix at a time"',
        "isinstance(x, np.ndarray)": "isinstance(x, trnarray.Array)",
    },
    "scipy/sparse/linalg/_isolve/tests/test_gcrotmk.py": {"assert_equal(count_1, 3)": "assert count_1 == 2", "2 + len(CU)": "1 + len(CU)"},
    "scipy/sparse/linalg/_isolve/tests/test_lsmr.py": {'match="expected 2-D"': 'match="one matrix at a time"'},
    "scipy/sparse/linalg/_isolve/tests/test_lsqr.py": {'match="expected 2-D"': 'match="one matrix at a time"'},
    "scipy/sparse/linalg/tests/test_expm_multiply.py": {  # devices know the trace that SciPy estimates
        'return pytest.warns(UserWarning, match="Trace of LinearOperator not available")': (
            "import contextlib\n"
            "    import trnarray\n"
            '    warns = pytest.warns(UserWarning, match="Trace of LinearOperator not available")\n'
            '    return warns if str(trnarray.empty(0).device) == "cpu" else contextlib.nullcontext()'
        )
    },
    "scipy/sparse/linalg/tests/test_funm_multiply_krylov.py": {
        "argument 'b' must be a 1D array.": "multiplies one vector",
        "argument 'restart_every_m' must be positive.": "restart_every_m and max_restarts are positive",
        "argument 'max_restarts' must be positive.": "restart_every_m and max_restarts are positive",
        "is not a recognized matrix structure": "assume_a is one of",
    },
    "scipy/sparse/linalg/tests/test_matfuncs.py": {"from scipy.sparse._sputils import matrix\n": _MATRIX},
    "scipy/sparse/linalg/tests/test_interface.py": {
        "import numpy as np\n": _IMPORTS,
        "import scipy.sparse.linalg._interface as interface": "import scipy.sparse.linalg as interface",
        "from scipy.sparse._sputils import matrix\n": _MATRIX,
        "array_object = type(xp.empty(0))": "array_object = trnarray.Array",
        "interface._ScaledLinearOperator": "LinearOperator",
        "interface._SumLinearOperator": "LinearOperator",
        "interface._ProductLinearOperator": "LinearOperator",
        "interface._PowerLinearOperator": "LinearOperator",
        "interface.MatrixLinearOperator, A, xp)": "interface.aslinearoperator, A)",
        "interface.IdentityOperator((3, 3), xp=xp)": "interface.aslinearoperator(xp.eye(3, dtype=int))",
        "Can only divide a linear operator by a scalar.": "divided by scalars only",
        "Dimension mismatch:...": "operand has shape",
        "(D|d)imension mismatch": "operand has shape",
        "Expected at least 2-d...": "operand has shape",
        "Calling `matvec` on 'column vectors'...": "calling matvec on column vectors",
        "Calling `rmatvec` on 'column vectors'...": "calling rmatvec on column vectors",
        "Try wrapping the matrix with": "wrap that with",
    },
}
"""By file, the new text for the old."""

_FORMATS: Final = "the formats of lists and dicts and the old matrices, which no device holds"
_PRIVATE: Final = "a private method, function or class of SciPy's, called directly"
_OBJECT: Final = "that a component is one object: an Array is made when a component is asked for"
_TYPES: Final = "that results are ndarrays and NumPy's scalars; ours are Arrays"
_IN_PLACE: Final = "that `ndarray *= sparse array` makes the name one of a sparse array; with ours it is an error that asks for a new name"
_REFERENCES: Final = "the count of references to a component of SciPy's object; ours makes an Array when the component is asked for"
_BEFORE_1_18: Final = NumpyVersion(scipy.__version__) < "1.18.0"
_OLDER: Final = "private classes, results that are ndarrays, and words of errors; with SciPy 1.18 these tests are edited instead"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/sparse/tests/test_base.py": {
        _FORMATS: r"TestCOO(NonCanonical)?::test_todok_duplicates",
        _OBJECT: r"TestCOO(NonCanonical)?::test_reshape_copy",
        _PRIVATE: r"TestDIA::test_getnnz test_broadcast_to",
        _IN_PLACE: r"Test(CSR|CSC|COO|BSR)(NonCanonical)?::test_inplace_dense TestDIA::test_inplace_dense",
    },
    "scipy/sparse/tests/test_coo.py": {
        _FORMATS: "test_1d_toformats",
        _PRIVATE: r"test_broadcast_to\[.*\]",
        _TYPES: r"test_1d_(add_dense|matmul_multivector) test_min_max\[shape(0-None|1-0|4-None|7-None|14-axis14|25-axis25)\]",
    },
    "scipy/sparse/tests/test_csr.py": {_PRIVATE: r"test_broadcast_to"},
    "scipy/sparse/tests/test_matrix_io.py": {
        _FORMATS: r"test_save_and_load_(random|empty|one_entry) test_sparray_vs_spmatrix test_implemented_error"
    },
    "scipy/sparse/linalg/_dsolve/tests/test_linsolve.py": {_PRIVATE: "TestGstrsErrors::.*", _REFERENCES: "TestSplu::test_lu_refcount"},
    "scipy/sparse/linalg/_eigen/arpack/tests/test_arpack.py": {_PRIVATE: "test_linearoperator_deallocation"},
    "scipy/sparse/linalg/_eigen/lobpcg/tests/test_lobpcg.py": {OTHER_DTYPES: r"test_(b_orthonormalize|dtypes)\[.*longdouble.*\]"},
    "scipy/sparse/linalg/_eigen/tests/test_svds.py": {OTHER_DTYPES: r"Test_SVDS_\w+::test_svds_input_validation_A\[args1\]"},
    "scipy/sparse/linalg/tests/test_expm_multiply.py": {
        _PRIVATE: r"TestExpmActionSimple::test_scaled_expm_multiply(_single_timepoint)?",
        OTHER_DTYPES: r"test_expm_multiply_dtype\[.*longdouble.*\]",
    },
    "scipy/sparse/linalg/tests/test_matfuncs.py": {
        _PRIVATE: "TestExpM::test_padecases_dtype_sparse_float",
        _FORMATS: "TestExpM::test_matrix_input",
    },
    "scipy/sparse/linalg/tests/test_interface.py": {
        OTHER_DTYPES: r"test_determine_lo_dtype_from_matvec\[.*longdouble.*\]",
        **({_OLDER: "TestLinearOperator::test_matvec test_identity test_sparse_matmat_exception"} if _BEFORE_1_18 else {}),
    },
    "scipy/sparse/tests/test_construct.py": {
        _FORMATS: (
            r"TestConstructUtils::test_((v|h)stack\[coo_array\]|(v|h)stack_matrix_or_array|block_creation\[bmat\]|bmat_return_type) "
            r"TestConstructUtils::test_(kron|kron_ndim_exceptions|block_diag_return_type) "
            r"test_deprecated_warnings_output_defaults_switch_from_spmatrix"
        ),
    },
    "scipy/sparse/tests/test_extract.py": {_FORMATS: r"test_\w*(deprecat|warn|default)\w*"},
}
"""By file and reason, regular expressions of the names of tests."""

ON_NEURON: Final[Mapping[str, Mapping[str, str]]] = {
    "scipy/sparse/linalg/_isolve/tests/test_iterative.py": {
        "a solution to 1e-8 for a tolerance of 1e-5; steps on devices are float32, and end 1.1e-7 from it": r"TestGMRES::test_atol_legacy"
    }
}
"""The same, on Neuron devices only."""
