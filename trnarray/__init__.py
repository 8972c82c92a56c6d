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
import sys
from typing import TYPE_CHECKING, Any

from . import _look_alikes  # noqa: F401  # registers them
from ._array import Array
from ._array.dlpack import from_dlpack
from ._imported_later import MODULES as _MODULES
from ._imported_later import SUBMODULES as _SUBMODULES
from .array_conversion import array, asanyarray, asarray_chkfinite, ascontiguousarray, asfortranarray, copy, require
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
    typecodes,
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
from .device import Device, default_device, devices, get_default_device, set_default_device, synchronize
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
from .numerical_ranges import fromfunction, geomspace, indices, logspace, mgrid, ogrid
from .registrations.on_import import install
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
from .settings import (
    Accuracy,
    Coverage,
    FallbackError,
    FallbackWarning,
    HostTransferError,
    HostTransferWarning,
    LoopError,
    PrecisionError,
    Settings,
    config,
    coverage,
    get_config,
    reset_coverage,
    set_config,
)
from .statistical_functions import amax, amin, max, mean, min, prod, ptp, std, sum, var
from .ufunc import ufunc
from .utility_functions import all, any, diff

if TYPE_CHECKING:
    from numpy import (
        ScalarType,
        base_repr,
        binary_repr,
        dtypes,
        errstate,
        exceptions,
        frompyfunc,
        get_printoptions,
        getbufsize,
        geterr,
        geterrcall,
        index_exp,
        isfortran,
        iterable,
        mintypecode,
        ndindex,
        printoptions,
        s_,
        sctypeDict,
        set_printoptions,
        setbufsize,
        seterr,
        seterrcall,
        typename,
        typing,  # noqa: ICN001
    )

    from . import emath, fft, kernel, lib, linalg, polynomial, random, scipy, testing
    from .array_properties import may_share_memory, ndim, shape, shares_memory, size
    from .binary_operations import packbits, unpackbits
    from .buffers_and_text import frombuffer, fromfile, fromiter, fromstring
    from .calculus_functions import convolve, correlate, gradient, interp, trapezoid, unwrap
    from .cumulative_functions import cumprod, cumsum, cumulative_prod, cumulative_sum, nancumprod, nancumsum
    from .explanation import explain, memory, plan_cache, warm
    from .file_io import load, save, savez, savez_compressed
    from .functional_programming import apply_along_axis, apply_over_axes, piecewise, vectorize
    from .histogram_functions import bincount, corrcoef, cov, digitize, histogram, histogram2d, histogram_bin_edges, histogramdd
    from .index_expressions import c_, r_
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
    from .iteration import broadcast, flatiter, ndenumerate, nditer, nested_iters
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
    from .loops import fori_loop, while_loop
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
    from .matrices import diag, diagflat, tri, vander
    from .nan_functions import nanmax, nanmean, nanmin, nanprod, nanstd, nansum, nanvar
    from .polynomials import poly, poly1d, polyadd, polyder, polydiv, polyfit, polyint, polymul, polysub, polyval, roots
    from .printing_functions import array2string, array_repr, array_str, format_float_positional, format_float_scientific
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
    from .sorting_functions import argpartition, argsort, lexsort, partition, sort, sort_complex, topk
    from .text_io import genfromtxt, loadtxt, savetxt
    from .triangle_indices import diag_indices, mask_indices, tril_indices, tril_indices_from, triu_indices, triu_indices_from
    from .type_testing import iscomplex, iscomplexobj, isneginf, isposinf, isreal, isrealobj, isscalar
    from .window_functions import bartlett, blackman, hamming, hanning, kaiser

ndarray = Array
__version__ = "0.1.0.dev0"
__array_api_version__ = "2025.12"

__all__ = [
    "Accuracy", "Array", "ArrayNamespaceInfo", "ContractExpression", "Coverage", "Device", "FallbackError", "FallbackWarning", "False_",
    "HostTransferError", "HostTransferWarning", "LoopError", "PrecisionError", "ScalarType", "Settings", "True_", "__array_api_version__",
    "__array_namespace_info__", "__version__",
    "abs", "absolute", "acos", "acosh", "add", "all", "allclose", "amax", "amin", "angle", "any", "append", "apply_along_axis",
    "apply_over_axes", "arange", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "argmax", "argmin",
    "argpartition", "argsort", "argwhere", "around", "array", "array2string", "array_equal", "array_equiv", "array_repr",
    "array_split", "array_str", "asanyarray", "asarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "asin",
    "asinh", "astype", "atan", "atan2", "atanh", "atleast_1d", "atleast_2d", "atleast_3d", "average", "bartlett", "base_repr",
    "bfloat16", "binary_repr", "bincount", "bitwise_and", "bitwise_count", "bitwise_invert", "bitwise_left_shift", "bitwise_not",
    "bitwise_or", "bitwise_right_shift", "bitwise_xor", "blackman", "block", "bool", "bool_", "broadcast", "broadcast_arrays",
    "broadcast_shapes", "broadcast_to", "byte", "bytes_", "c_", "can_cast", "cbrt", "cdouble", "ceil", "character", "chemistry", "choose",
    "clip", "clongdouble", "column_stack", "common_type", "complex64", "complex128", "complexfloating", "compress", "concat",
    "concatenate", "config", "conj", "conjugate", "contract_expression", "convolve", "copy", "copysign", "copyto", "corrcoef",
    "correlate", "cos",
    "cosh", "count_nonzero", "cov", "coverage", "cross", "csingle", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum",
    "datetime64", "default_device", "deg2rad", "degrees", "delete", "devices", "diag", "diag_indices", "diag_indices_from",
    "diagflat", "diagonal", "diff", "digitize", "divide", "divmod", "dot", "double", "dsplit", "dstack", "dtype", "dtypes", "e",
    "ediff1d", "einsum", "einsum_path", "emath", "empty", "empty_like", "equal", "errstate", "euler_gamma", "exceptions", "exp",
    "exp2", "expand_dims", "explain", "expm1", "extract", "eye", "fabs", "fft", "fill_diagonal", "finfo", "fix", "flatiter", "flatnonzero",
    "flexible", "flip", "fliplr", "flipud", "float8_e3m4", "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu",
    "float16", "float32", "float64", "float_power", "floating", "floor", "floor_divide", "fmax", "fmin", "fmod", "fori_loop",
    "format_float_positional", "format_float_scientific", "frexp", "from_dlpack", "frombuffer", "fromfile", "fromfunction",
    "fromiter", "frompyfunc", "fromstring", "full", "full_like", "gcd", "generic", "genfromtxt", "geomspace", "get_config",
    "get_default_device", "get_printoptions", "getbufsize", "geterr", "geterrcall", "gradient", "greater", "greater_equal",
    "half", "hamming", "hanning", "heaviside", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd", "hsplit",
    "hstack", "hypot", "i0", "identity", "iinfo", "imag", "index_exp", "indices", "inexact", "inf", "inner", "insert", "int8",
    "int16", "int32", "int64", "int_", "intc", "integer", "interp", "intersect1d", "intp", "invert", "isclose", "iscomplex",
    "iscomplexobj", "isdtype", "isfinite", "isfortran", "isin", "isinf", "isnan", "isnat", "isneginf", "isposinf", "isreal",
    "isrealobj", "isscalar", "issubdtype", "iterable", "ix_", "kaiser", "kernel", "kron", "lcm", "ldexp", "left_shift", "less",
    "less_equal", "lexsort", "lib", "linalg", "linspace", "little_endian", "load", "loadtxt", "log", "log1p", "log2", "log10",
    "logaddexp", "logaddexp2", "logical_and", "logical_not", "logical_or", "logical_xor", "logspace", "long", "longdouble",
    "longlong", "mask_indices", "matmul", "matrix_transpose", "matvec", "max", "maximum", "may_share_memory", "mean", "median",
    "memory", "meshgrid", "mgrid", "min", "min_scalar_type", "minimum", "mintypecode", "mod", "modf", "moveaxis", "multiply", "nan",
    "nan_to_num", "nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian", "nanmin",
    "nanpercentile", "nanprod", "nanquantile", "nanstd", "nansum", "nanvar", "ndarray", "ndenumerate", "ndim", "ndindex",
    "nditer", "negative", "nested_iters", "newaxis", "nextafter", "nonzero", "not_equal", "number", "object_", "ogrid", "ones",
    "ones_like", "outer", "packbits", "pad", "partition", "percentile", "permute_dims", "pi", "piecewise", "place", "plan_cache", "poly",
    "poly1d", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polynomial", "polysub", "polyval", "positive",
    "pow", "power", "printoptions", "prod", "promote_types", "ptp", "put", "put_along_axis", "putmask", "quantile", "r_",
    "rad2deg", "radians", "random", "ravel", "ravel_multi_index", "real", "real_if_close", "reciprocal", "remainder", "repeat",
    "require", "reset_coverage", "reshape", "resize", "result_type", "right_shift", "rint", "roll", "rollaxis", "roots", "rot90",
    "round", "s_", "save", "savetxt", "savez", "savez_compressed", "scipy", "sctypeDict", "searchsorted", "select", "set_config",
    "set_default_device", "set_printoptions", "setbufsize", "setdiff1d", "seterr", "seterrcall", "setxor1d", "shape",
    "shares_memory", "short", "sign", "signbit", "signedinteger", "sin", "sinc", "single", "sinh", "size", "sort", "sort_complex",
    "spacing", "split", "sqrt", "square", "squeeze", "stack", "std", "str_", "subtract", "sum", "swapaxes", "synchronize", "take",
    "take_along_axis", "tan", "tanh", "tensor", "tensordot", "testing", "tile", "timedelta64", "topk", "trace", "transpose", "trapezoid",
    "tri",
    "tril", "tril_indices", "tril_indices_from", "trim_zeros", "triu", "triu_indices", "triu_indices_from", "true_divide",
    "trunc", "typecodes", "typename", "typing", "ubyte", "ufunc", "uint", "uint8", "uint16", "uint32", "uint64", "uintc", "uintp",
    "ulong", "ulonglong", "union1d", "unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "unpackbits",
    "unravel_index", "unsignedinteger", "unstack", "unwrap", "ushort", "vander", "var", "vdot", "vecdot", "vecmat", "vectorize",
    "void", "vsplit", "vstack", "warm", "where", "while_loop", "zeros", "zeros_like",
]

def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return importlib.import_module(f".{name}", __name__)
    if name in _MODULES:
        value = getattr(importlib.import_module(_MODULES[name], __name__), name)
        setattr(sys.modules[__name__], name, value)  # the next time it is found without coming here, 1 us sooner
        return value
    reason = None
    if not name.startswith("_"):
        omitted, others = (importlib.import_module(module, __name__) for module in (".numpy_names", "._other_names"))
        reason = omitted.OMITTED.get(name) or others.FUNCTIONS.get(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}" + (f": {reason}" if reason else ""))


def __dir__() -> list[str]:
    return sorted({*globals(), *_SUBMODULES, *_MODULES})


install()
