"""In what trnarray's names and signatures differ from those of NumPy, and why.

Every other name in ``numpy.__all__``, and in those of `numpy.linalg` and `numpy.fft`, is there and takes every call that
NumPy's takes. ``tests/trnarray/test_numpy_namespace.py`` holds the namespace to this.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["DEPRECATED_PARAMETERS", "OMITTED", "OTHER_SIGNATURES"]


def _by_name(groups: Mapping[str, str]) -> dict[str, str]:
    return {name: reason for reason, names in groups.items() for name in names.split()}


OMITTED: Final[Mapping[str, str]] = _by_name(
    {
        "arrays hold numbers; use numpy's on the host for text": "char strings",
        "arrays hold numbers; use numpy's on the host for dates, and take a number of them first, as in x.astype('int64')": (
            "busday_count busday_offset busdaycalendar datetime_as_string datetime_data is_busday"
        ),
        "arrays have no fields; use one array for each": "fromregex rec recarray record",
        "there are no masked arrays; use nan, the functions that skip it, or where=": "ma",
        "there are no matrices; use 2-d arrays and @": "asmatrix bmat matrix",
        "use load(file, mmap_mode=...), or asarray(numpy.asarray(memmap))": "memmap",
        "it is longdouble or clongdouble, of which there are no arrays; use float64 or complex128": "complex256 float128",
        "it is for building on numpy itself; use numpy's": "ctypeslib f2py get_include",
        "it is about numpy itself; use numpy's": "info show_config show_runtime test",
        "it is private to numpy": "core",
        "it is deprecated, and gone from newer numpy; use isin": "in1d",
        "it is deprecated, and gone from newer numpy; use vstack": "row_stack",
        "it is deprecated, and gone from newer numpy; use trapezoid": "trapz",
    }
)
"""The names that trnarray leaves out, and why or what to use."""

OTHER_SIGNATURES: Final[Mapping[str, str]] = _by_name(
    {
        "dtype=None stands for the device's default dtype, which on the cpu is NumPy's": "eye fromfunction indices tri",
        "a type that users do not call; NumPy's cannot be called": "flatiter ufunc",
    }
)
"""The functions whose signatures are not a superset of NumPy's, and why."""

DEPRECATED_PARAMETERS: Final[Mapping[str, str]] = {
    "array2string": "style",
    "corrcoef": "bias ddof",
    "nanpercentile": "interpolation",
    "nanquantile": "interpolation",
    "percentile": "interpolation",
    "quantile": "interpolation",
    "reshape": "newshape",
    "save": "fix_imports",
}
"""The parameters that NumPy 2.2 deprecates and newer NumPy does not have: trnarray does not have them either."""
