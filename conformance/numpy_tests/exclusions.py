"""The tests of NumPy's that are about NumPy itself, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["EXCLUSIONS", "NOT_RUN", "VERSIONS"]

_LONGDOUBLE: Final = "dtype longdouble, which arrays cannot have"
_OBJECT: Final = "dtype object, which arrays cannot have"
_DATES: Final = "dates and time spans, which arrays cannot hold"
_TEXT: Final = "text, records and void, which arrays cannot hold"
_SUBCLASS: Final = "subclasses of ndarray: MaskedArray, memmap, or the machinery of making one"
_SCALARS: Final = "the types of NumPy's scalars: here they are detached 0-d Arrays"
_LAPACK_LITE: Final = "a module in C of numpy.linalg, called directly"
_PRIVATE: Final = "a private function of NumPy, called directly"
_BUFFER: Final = "the buffer protocol or `__array_interface__` of ndarray, which lead past every setting about transfers"
_WORDS: Final = "the words of an error"
_DEPRECATED: Final = "parameters that NumPy has deprecated and removed"
_REAL: Final = "that eigenvalues are real where they happen to be, which the standard and NumPy from 2.5 forbid"
_ROUNDING: Final = "rounding: SciPy from 1.18 takes axes in the order of their strides, and the tolerance is for one order"

EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "test_linalg.py": {
        _LONGDOUBLE: (
            r"TestMatrixPower::test_(large|power_is_(zero|one|two)|exceptions_(bad|non))\w*\[dt1[25]\] "
            r"TestNorm_NonSystematic::test_(longdouble_norm|complex_high_ord)"
        ),
        _OBJECT: r"TestMatrixPower::test_(large|power_is_(zero|one|two)|exceptions_(bad|non))\w*\[dt16\]",
        _SCALARS: "TestCond::test_nan TestDet::test_zero",
        _LAPACK_LITE: "test_xerbla_override test_blas64_geqrf_lwork_smoketest",
        "byte orders other than the machine's": "test_byteorder_check",
        "that NumPy has no float16 here; ours computes in float32": "test_unsupported_commontype",
        _REAL: (
            r"Test(Eig|Eigvals)::test_(0_size|types\[float\d\d\])"
        ),
    },
    "test_pocketfft.py": {
        _LONGDOUBLE: r"TestFFT1D::test_identity_long_short(_reversed)?\[longdouble\]",
        _WORDS: r"TestFFT1D::test_fft_bad_out",
        _ROUNDING: (
            r"test_fft_with_order\[fftn-F-complex128\]"
        ),
    },
    "test_helper.py": {},
    "test_function_base.py": {
        _LONGDOUBLE: (
            r"Test(CorrCoef|Cov|Sinc|SortComplex)::\w+\[(longdouble|g-G)\] Test(Percentile|Quantile)::test_complex "
            r"TestPercentile::test_linear_interpolation\[.*longdouble.*\]"
        ),
        _OBJECT: (
            r"TestFilterwindows::\w+\[\d+-O\] TestPercentile::test_linear_interpolation\[.*input_dtype18.*\] "
            r"TestPercentile::test_(lower_higher|midpoint|nearest)\[O\] TestQuantile::test_(inf_zeroes|nan)_err\[.*O-.*\] "
            r"TestAverage::test_(object_dtype|object_no_weights|average_class_without_dtype) TestDelete::test_single_item_array_non_int "
            r"TestMedian::test_object Test(Percentile|Quantile)::test_(weibull_)?fraction "
            r"TestPercentile::test_percentile_gh_29003_Fraction TestTrimZeros::test_(no_trim|overflow\[None\]) "
            r"TestVectorize::test_otypes_object_28624 TestLeaks::test_frompyfunc_leaks\[.*\] test_any_and_all_result_dtype\[object\]"
        ),
        _DATES: (
            r"TestDiff::test_times TestGradient::test_(datetime64|timedelta64) TestVectorize::test_datetime_conversion "
            r"TestPercentile::test_nat_basic\[.*\] TestMedian::test_nat_behavior\[.*\] test_any_and_all_result_dtype\[datetime64.*\]"
        ),
        _TEXT: (
            r"TestExtins::test_place TestInsert::test_structured_array TestUnique::test_simple TestVectorize::test_string_ticket_1892 "
            r"test_any_and_all_result_dtype\[U10\]"
        ),
        _SUBCLASS: (
            r"Test(Angle|Diff|Median)::test_subclass Test(Gradient|Trapezoid)::test_masked TestCopy::test_subok "
            r"TestDigitize::test_return_type"
        ),
        _SCALARS: "TestInterp::test_zero_dimensional_interpolation_point TestQuantile::test_correct_quantile_value",
        _BUFFER: "Test_I0::test_non_array TestBincount::test_gh_28354_array_like",
        _PRIVATE: "TestLerp::test_linear_interpolation_formula_0d_inputs",
        _DEPRECATED: "TestCorrCoef::test_(bias|ddof)",
        "that diff(a, n=0) gives a list back as it came; here it becomes an Array": "TestDiff::test_n",
    },
    "test_einsum.py": {
        _LONGDOUBLE: r"TestEinsum::test_einsum_sums_c?longdouble",
        _OBJECT: r"TestEinsum::test_(einsum_sums_object|einsum_object_errors|object_loop)",
    },
    "test_nanfunctions.py": {
        _LONGDOUBLE: r"TestNanFunctions_(Percentile|Quantile)::test_complex",
        _OBJECT: r"TestNanFunctions_NumberTypes::\w+\[.*-O\] TestNanFunctions_MinMax::test_object_array",
        _DATES: r"TestNanFunctions_Median::test_allnans\[m8.*\]",
        _SUBCLASS: "TestNanFunctions_MinMax::test_masked test_memmap_takes_fast_route",
        _PRIVATE: "test__replace_nan",
    },
    "test_indexing.py": {
        _OBJECT: "TestIndexing::test_boolean_assignment_needs_api",
        _TEXT: (
            r"TestIndexing::test_(void_scalar_empty_tuple|character_assignment) "
            r"TestIndexing::test_structured_advanced_indexing TestFieldIndexing::test_scalar_return_type "
            r"TestFlatiterIndexing::test_(non)?empty_string_flat_index_on_flatiter"
        ),
        _SUBCLASS: r"TestIndexing::test_nonbaseclass_values TestSubclasses::test_(basic|finalize_gets_full_info)",
        _SCALARS: "TestIndexing::test_scalar_return_type",
    },
}
"""By file and reason, regular expressions of the names of tests."""

NOT_RUN: Final = frozenset({_LAPACK_LITE})
"""The reasons why a test is not even run."""

VERSIONS: Final = frozenset({_REAL, _ROUNDING, _DEPRECATED})
"""The reasons that hold for some versions of NumPy and SciPy; for the others an excluded test must fail, or it is out of date."""
