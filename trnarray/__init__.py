"""An array type for AWS Trainium that behaves like a NumPy array.

``import trnarray as xp`` is the Python Array API standard and ``import trnarray as np`` the main namespace of NumPy, on whichever
device the arrays are. See `trnarray.config` for what may leave a device, and `trnarray.coverage` for what ran where.

Examples
--------
>>> import trnarray as xp
>>> x = xp.linspace(0, 1, 5)
>>> xp.sum(x * x)
Array(1.875, dtype=float64, device='cpu')
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from ._array import Array
from ._array.dlpack import from_dlpack
from .calculus_functions import convolve, correlate, gradient, interp, trapezoid, unwrap
from .constants import False_, True_, e, euler_gamma, inf, little_endian, nan, newaxis, pi
from .creation_functions import (
    arange,
    asarray,
    empty,
    empty_like,
    eye,
    full,
    full_like,
    identity,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
from .cumulative_functions import cumprod, cumsum, cumulative_prod, cumulative_sum, nancumprod, nancumsum
from .data_type_functions import (
    astype,
    can_cast,
    common_type,
    finfo,
    iinfo,
    isdtype,
    issubdtype,
    min_scalar_type,
    promote_types,
    result_type,
)
from .data_types import (
    bfloat16,
    bool,
    bool_,
    byte,
    bytes_,
    cdouble,
    character,
    clongdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    datetime64,
    double,
    dtype,
    flexible,
    float8_e3m4,
    float8_e4m3,
    float8_e4m3fn,
    float8_e5m2,
    float8_e8m0fnu,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    inexact,
    int8,
    int16,
    int32,
    int64,
    int_,
    intc,
    integer,
    intp,
    long,
    longdouble,
    longlong,
    number,
    object_,
    short,
    signedinteger,
    single,
    str_,
    timedelta64,
    ubyte,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintc,
    uintp,
    ulong,
    ulonglong,
    unsignedinteger,
    ushort,
    void,
)
from .device import Device, default_device, devices, get_default_device, set_default_device
from .elementwise_functions import (
    abs,
    absolute,
    acos,
    acosh,
    add,
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctan2,
    arctanh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_count,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_not,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    cbrt,
    ceil,
    conj,
    conjugate,
    copysign,
    cos,
    cosh,
    deg2rad,
    degrees,
    divide,
    divmod,
    equal,
    exp,
    exp2,
    expm1,
    fabs,
    float_power,
    floor,
    floor_divide,
    fmax,
    fmin,
    fmod,
    frexp,
    gcd,
    greater,
    greater_equal,
    heaviside,
    hypot,
    invert,
    isfinite,
    isinf,
    isnan,
    isnat,
    lcm,
    ldexp,
    left_shift,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logaddexp2,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    matmul,
    matvec,
    maximum,
    minimum,
    mod,
    modf,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    power,
    rad2deg,
    radians,
    reciprocal,
    remainder,
    right_shift,
    rint,
    sign,
    signbit,
    sin,
    sinh,
    spacing,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    true_divide,
    trunc,
    vecdot,
    vecmat,
)
from .existing_data import array, asanyarray, asarray_chkfinite, ascontiguousarray, asfortranarray, copy, require
from .external_data import frombuffer, fromfile, fromiter, fromstring
from .histogram_functions import bincount, corrcoef, cov, digitize, histogram, histogram2d, histogram_bin_edges, histogramdd
from .indexing_functions import (
    choose,
    compress,
    diag_indices_from,
    diagonal,
    extract,
    fill_diagonal,
    ix_,
    place,
    put,
    put_along_axis,
    putmask,
    ravel_multi_index,
    select,
    take,
    take_along_axis,
    unravel_index,
)
from .inspection import ArrayNamespaceInfo, __array_namespace_info__
from .joining_functions import (
    array_split,
    block,
    column_stack,
    concat,
    concatenate,
    dsplit,
    dstack,
    hsplit,
    hstack,
    split,
    stack,
    unstack,
    vsplit,
    vstack,
)
from .linear_algebra_functions import (
    cross,
    dot,
    einsum,
    einsum_path,
    inner,
    kron,
    matrix_transpose,
    outer,
    tensordot,
    trace,
    vdot,
)
from .manipulation_functions import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    broadcast_arrays,
    broadcast_shapes,
    broadcast_to,
    expand_dims,
    moveaxis,
    permute_dims,
    ravel,
    reshape,
    resize,
    rollaxis,
    squeeze,
    swapaxes,
    transpose,
)
from .mathematical_functions import (
    allclose,
    angle,
    around,
    array_equal,
    array_equiv,
    clip,
    fix,
    i0,
    imag,
    isclose,
    nan_to_num,
    real,
    real_if_close,
    round,
    sinc,
)
from .matrix_building import diag, diagflat, tri, vander
from .nan_functions import nanmax, nanmean, nanmin, nanprod, nanstd, nansum, nanvar
from .numerical_ranges import fromfunction, geomspace, indices, logspace, mgrid, ogrid
from .quantile_functions import average, median, nanmedian, nanpercentile, nanquantile, percentile, quantile
from .rearrangement_functions import (
    append,
    copyto,
    delete,
    flip,
    fliplr,
    flipud,
    insert,
    pad,
    repeat,
    roll,
    rot90,
    tile,
    trim_zeros,
)
from .scipy.registration import install
from .searching_functions import (
    argmax,
    argmin,
    argwhere,
    count_nonzero,
    flatnonzero,
    nanargmax,
    nanargmin,
    nonzero,
    searchsorted,
    where,
)
from .set_functions import (
    ediff1d,
    intersect1d,
    isin,
    setdiff1d,
    setxor1d,
    union1d,
    unique,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
)
from .settings import (
    Coverage,
    FallbackError,
    FallbackWarning,
    HostTransferError,
    HostTransferWarning,
    Settings,
    config,
    coverage,
    get_config,
    reset_coverage,
    set_config,
)
from .sorting_functions import argpartition, argsort, lexsort, partition, sort, sort_complex
from .statistical_functions import amax, amin, max, mean, min, prod, ptp, std, sum, var
from .ufunc import ufunc
from .utility_functions import all, any, diff

if TYPE_CHECKING:
    from . import fft, linalg, scipy

ndarray = Array
__version__ = "0.1.0.dev0"
__array_api_version__ = "2025.12"

__all__ = [
    "Array", "ArrayNamespaceInfo", "Coverage", "Device", "FallbackError", "FallbackWarning", "False_", "HostTransferError",
    "HostTransferWarning", "Settings", "True_", "__array_api_version__", "__array_namespace_info__", "__version__", "abs",
    "absolute", "acos", "acosh", "add", "all", "allclose", "amax", "amin", "angle", "any", "append", "arange", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin", "argpartition", "argsort", "argwhere",
    "around", "array", "array_equal", "array_equiv", "array_split", "asanyarray", "asarray", "asarray_chkfinite",
    "ascontiguousarray", "asfortranarray", "asin", "asinh", "astype", "atan", "atan2", "atanh", "atleast_1d", "atleast_2d",
    "atleast_3d", "average", "bfloat16", "bincount", "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift",
    "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "block", "bool", "bool_", "broadcast_arrays",
    "broadcast_shapes", "broadcast_to", "byte", "bytes_", "can_cast", "cbrt", "cdouble", "ceil", "character", "choose", "clip",
    "clongdouble", "column_stack", "common_type", "complex64", "complex128", "complexfloating", "compress", "concat",
    "concatenate", "config", "conj", "conjugate", "convolve", "copy", "copysign", "copyto", "corrcoef", "correlate", "cos",
    "cosh", "count_nonzero", "cov", "coverage", "cross", "csingle", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum",
    "datetime64", "default_device", "deg2rad", "degrees", "delete", "devices", "diag", "diag_indices_from", "diagflat",
    "diagonal", "diff", "digitize", "divide", "divmod", "dot", "double", "dsplit", "dstack", "dtype", "e", "ediff1d", "einsum",
    "einsum_path", "empty", "empty_like", "equal", "euler_gamma", "exp", "exp2", "expand_dims", "expm1", "extract", "eye", "fabs",
    "fft", "fill_diagonal", "finfo", "fix", "flatnonzero", "flexible", "flip", "fliplr", "flipud", "float8_e3m4", "float8_e4m3",
    "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "float16", "float32", "float64", "float_power", "floating", "floor",
    "floor_divide", "fmax", "fmin", "fmod", "frexp", "from_dlpack", "frombuffer", "fromfile", "fromfunction", "fromiter",
    "fromstring", "full", "full_like", "gcd", "generic", "geomspace", "get_config", "get_default_device", "gradient", "greater",
    "greater_equal", "half", "heaviside", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hsplit", "hstack",
    "hypot", "i0", "identity", "iinfo", "imag", "indices", "inexact", "inf", "inner", "insert", "int8", "int16", "int32", "int64",
    "int_", "intc", "integer", "interp", "intersect1d", "intp", "invert", "isclose", "isdtype", "isfinite", "isin", "isinf",
    "isnan", "isnat", "issubdtype", "ix_", "kron", "lcm", "ldexp", "left_shift", "less", "less_equal", "lexsort", "linalg",
    "linspace", "little_endian", "log", "log1p", "log2", "log10", "logaddexp", "logaddexp2", "logical_and", "logical_not",
    "logical_or", "logical_xor", "logspace", "long", "longdouble", "longlong", "matmul", "matrix_transpose", "matvec", "max",
    "maximum", "mean", "median", "meshgrid", "mgrid", "min", "min_scalar_type", "minimum", "mod", "modf", "moveaxis", "multiply",
    "nan", "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
    "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "ndarray", "negative", "newaxis", "nextafter",
    "nonzero", "not_equal", "number", "object_", "ogrid", "ones", "ones_like", "outer", "pad", "partition", "percentile",
    "permute_dims", "pi", "place", "positive", "pow", "power", "prod", "promote_types", "ptp", "put", "put_along_axis", "putmask",
    "quantile", "rad2deg", "radians", "ravel", "ravel_multi_index", "real", "real_if_close", "reciprocal", "remainder", "repeat",
    "require", "reset_coverage", "reshape", "resize", "result_type", "right_shift", "rint", "roll", "rollaxis", "rot90", "round",
    "scipy", "searchsorted", "select", "set_config", "set_default_device", "setdiff1d", "setxor1d", "short", "sign", "signbit",
    "signedinteger", "sin", "sinc", "single", "sinh", "sort", "sort_complex", "spacing", "split", "sqrt", "square", "squeeze",
    "stack", "std", "str_", "subtract", "sum", "swapaxes", "take", "take_along_axis", "tan", "tanh", "tensordot", "tile",
    "timedelta64", "trace", "transpose", "trapezoid", "tri", "tril", "trim_zeros", "triu", "true_divide", "trunc", "ubyte",
    "ufunc", "uint", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp", "ulong", "ulonglong", "union1d", "unique",
    "unique_all", "unique_counts", "unique_inverse", "unique_values", "unravel_index", "unsignedinteger", "unstack", "unwrap",
    "ushort", "vander", "var", "vdot", "vecdot", "vecmat", "void", "vsplit", "vstack", "where", "zeros", "zeros_like",
]

# Submodules that are imported when they are first named, to keep `import trnarray` fast.
_LAZY: Final = frozenset({"fft", "linalg", "scipy"})


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


install()
