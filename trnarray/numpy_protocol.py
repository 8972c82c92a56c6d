"""What NumPy's overridable functions do on Arrays: the table behind ``__array_function__``.

`RETURNS` names every function of NumPy that can be overridden, and what it gives. A function runs as trnarray's own of the
same path, whose values are NumPy's; where the standard has trnarray's own give something else (`NUMPY_ONLY`), or where trnarray
has none, NumPy's implementation runs as an Op of its own on the host engine. `REFUSED` lists what raises, with the reason.
"""

from __future__ import annotations

import importlib
from _thread import allocate_lock
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from ._array import Array
from .backends.op import FIRST, Op, all_ops
from .backends.ops import linalg, manipulation, searching, sets, statistical
from .backends.rules import Dynamic, Rule

__all__ = ["CREATING", "NUMPY_ONLY", "REFUSED", "RETURNS", "SUMS", "found", "implementation", "path_of"]

_KINDS: Final[Mapping[str, str]] = {
    "array": """
        all amax amin angle any append apply_along_axis apply_over_axes arange argmax argmin argpartition argsort argwhere around
        array asanyarray asarray ascontiguousarray asfortranarray astype bincount block broadcast_to choose clip
        column_stack compress concatenate convolve copy corrcoef correlate cov cross cumprod cumsum cumulative_prod
        cumulative_sum delete diag diagflat diagonal diff digitize dot dstack ediff1d einsum empty empty_like
        expand_dims extract eye fix flatnonzero flip fliplr flipud frombuffer fromfile fromfunction fromiter fromstring full
        full_like genfromtxt geomspace histogram_bin_edges hstack i0 identity imag in1d inner insert interp
        isclose iscomplex isin isneginf isposinf isreal kron lexsort loadtxt logspace matrix_transpose max
        mean median min moveaxis nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin
        nanpercentile nanprod nanquantile nanstd nansum nanvar ones ones_like outer packbits pad partition percentile
        piecewise poly polyadd polyder polyint polymul polysub polyval prod ptp quantile ravel ravel_multi_index
        real real_if_close repeat require reshape resize roll rollaxis roots rot90 round searchsorted select setdiff1d
        setxor1d sinc sort sort_complex squeeze stack std sum swapaxes take take_along_axis tensordot tile trace transpose
        trapezoid tri tril trim_zeros triu union1d unique_values unpackbits unwrap vander var vdot vstack
        zeros zeros_like

        linalg.cholesky linalg.cond linalg.cross linalg.det linalg.diagonal linalg.eigvals linalg.eigvalsh linalg.inv
        linalg.matmul linalg.matrix_norm linalg.matrix_power linalg.matrix_rank linalg.matrix_transpose linalg.multi_dot
        linalg.norm linalg.outer linalg.pinv linalg.solve linalg.svdvals linalg.tensordot linalg.tensorinv
        linalg.tensorsolve linalg.trace linalg.vecdot linalg.vector_norm

        fft.fft fft.fft2 fft.fftn fft.fftshift fft.hfft fft.ifft fft.ifft2 fft.ifftn fft.ifftshift fft.ihfft fft.irfft
        fft.irfft2 fft.irfftn fft.rfft fft.rfft2 fft.rfftn

        lib.scimath.arccos lib.scimath.arcsin lib.scimath.arctanh lib.scimath.log lib.scimath.log10 lib.scimath.log2
        lib.scimath.logn lib.scimath.power lib.scimath.sqrt lib.stride_tricks.sliding_window_view
        polynomial.polynomial.polygrid2d polynomial.polynomial.polyval2d polynomial.polynomial.polyvalnd
    """,
    "array, or a tuple of arrays": "average gradient intersect1d linspace polyfit unique where",
    "array, or a tuple of arrays for several operands": "atleast_1d atleast_2d atleast_3d",
    "list of arrays": "array_split dsplit hsplit split vsplit",
    "tuple of arrays": """
        broadcast_arrays diag_indices_from histogram histogram2d ix_ meshgrid nonzero polydiv
        tril_indices_from triu_indices_from unravel_index unstack linalg.lstsq
    """,
    "tuple of an array and a list of arrays": "histogramdd",
    "named tuple of arrays": """
        unique_all unique_counts unique_inverse linalg.eig linalg.eigh linalg.slogdet
    """,
    "named tuple of arrays, or a tuple of arrays, or an array": "linalg.qr",
    "named tuple of arrays, or an array": "linalg.svd",
    "bool": "allclose array_equal array_equiv can_cast iscomplexobj isrealobj may_share_memory shares_memory",
    "int, or an array along axes": "count_nonzero",
    "int": "ndim size",
    "tuple of int": "shape",
    "str": "array2string array_repr array_str",
    "dtype": "min_scalar_type result_type",
    "scalar type": "common_type",
    "tuple of a list and a str": "einsum_path",
    "None, writes in place": "copyto fill_diagonal place put put_along_axis putmask",
    "None, writes a file": "save savetxt savez savez_compressed",
}
RETURNS: Final[Mapping[str, str]] = {name: kind for kind, names in _KINDS.items() for name in names.split()}

# NumPy's own implementation, as the standard has trnarray's function of that name give something else (docs/differences.md),
# or, of geomspace, as trnarray's stays in the precision of its operands.
NUMPY_ONLY: Final = frozenset(
    {"count_nonzero", "geomspace", "isin", "repeat", "searchsorted", "std", "var"}
    | {"linalg.eig", "linalg.eigvals", "linalg.matrix_rank", "linalg.pinv"}
)

SUMS: Final = frozenset(
    (np.sum, np.prod, np.cumsum, np.cumprod, np.cumulative_sum, np.cumulative_prod, np.nansum, np.nanprod, np.nancumsum, np.nancumprod)
) | {np.trace, np.linalg.trace}
"""Functions that give sums and products of narrow integers as int64 or uint64, on all devices and whatever their defaults."""

_CREATING: Final = """
    arange array asanyarray asarray ascontiguousarray asfortranarray empty eye frombuffer fromfile fromfunction fromiter fromstring full
    genfromtxt identity loadtxt ones require tri zeros apply_along_axis apply_over_axes piecewise
"""
CREATING: Final = frozenset(_CREATING.split())
"""Functions that create arrays where another one is: by ``like=``, or in functions of the caller's."""

_STRINGS: Final = "Arrays hold numbers, not strings"
_DATES: Final = "Arrays hold numbers, not dates"
_RECORDS: Final = "Arrays hold numbers, not records: keep one Array per field"
_REASONS: Final[Mapping[str, str]] = {
    _STRINGS: """
        strings._join strings._rsplit strings._split strings._splitlines strings.capitalize strings.center strings.decode
        strings.encode strings.expandtabs strings.ljust strings.lower strings.mod strings.multiply strings.partition
        strings.replace strings.rjust strings.rpartition strings.swapcase strings.title strings.translate strings.upper
        strings.zfill char.equal char.greater char.greater_equal char.less char.less_equal char.not_equal
    """,
    _DATES: "busday_count busday_offset is_busday datetime_as_string",
    _RECORDS: """
        lib.recfunctions.append_fields lib.recfunctions.apply_along_fields lib.recfunctions.assign_fields_by_name
        lib.recfunctions.drop_fields lib.recfunctions.find_duplicates lib.recfunctions.join_by lib.recfunctions.merge_arrays
        lib.recfunctions.rec_append_fields lib.recfunctions.rec_drop_fields lib.recfunctions.rec_join
        lib.recfunctions.recursive_fill_fields lib.recfunctions.rename_fields lib.recfunctions.repack_fields
        lib.recfunctions.require_fields lib.recfunctions.stack_arrays lib.recfunctions.structured_to_unstructured
        lib.recfunctions.unstructured_to_structured
    """,
}
REFUSED: Final[Mapping[str, str]] = {name: reason for reason, names in _REASONS.items() for name in names.split()}


def _astype(x: Array, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Array:
    """Convert as NumPy does, which drops imaginary parts."""
    if type(x) is not Array:
        raise TypeError(f"astype takes an Array, but got {type(x).__name__}; make it one with trnarray.asarray")
    if device is not None and device != x.device:
        raise ValueError(f"astype leaves arrays where they are, on {str(x.device)!r}, and not on {device!r}; use x.to_device")
    return x.astype(dtype, copy=copy)


_METHODS: Final[Mapping[str, Callable[..., Any]]] = {"astype": _astype}

_OPS: Final = {
    "count_nonzero": searching.numpy_count_nonzero,
    "isin": sets.numpy_isin,
    "linalg.matrix_rank": linalg.matrix_rank,
    "linalg.pinv": linalg.pinv,
    "repeat": manipulation.repeat,
    "searchsorted": searching.numpy_searchsorted,
    "std": statistical.numpy_std,
    "var": statistical.numpy_var,
}
"""Ops of `NUMPY_ONLY` that a Neuron device has kernels for."""

_lock: Final = allocate_lock()
_found: Final[dict[Callable[..., Any], tuple[Callable[..., Any], bool]]] = {}


def path_of(func: Callable[..., Any]) -> str:
    """
    Give the name of a function of NumPy below ``numpy``.

    Examples
    --------
    >>> import numpy as np
    >>> path_of(np.linalg.svd)
    'linalg.svd'
    """
    return f"{func.__module__}.{func.__name__}".removeprefix("numpy.")


def implementation(func: Callable[..., Any]) -> Callable[..., Any]:
    """
    Find what runs in the place of one of NumPy's functions.

    Examples
    --------
    >>> import numpy as np, trnarray as xp
    >>> implementation(np.roll) is xp.roll
    True
    """
    return found(func)[0]


def found(func: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """Find what runs in the place of one of NumPy's functions, and whether it creates arrays, for which the device has to be set."""
    entry = _found.get(func)
    if entry is None:
        with _lock:
            if func not in _found:
                _found[func] = _find(func), path_of(func) in CREATING
            entry = _found[func]
    return entry


def _find(func: Callable[..., Any]) -> Callable[..., Any]:
    path = path_of(func)
    if path not in RETURNS:
        return _refusal(path, REFUSED.get(path, "trnarray does not know it"))
    module, _, name = f"trnarray.{path}".rpartition(".")
    if path not in NUMPY_ONLY:
        own = _METHODS.get(path) or getattr(_module(module), name, None)
        if own is not None:
            return own
    op = _OPS.get(path) or Op(f"numpy.{path}", func, FIRST, rule=_rule(func))

    def numpy_function(*args: Any, **kwargs: Any) -> Any:
        return Array._apply(op, *args, **kwargs)

    return numpy_function


def _rule(func: Callable[..., Any]) -> Rule:
    """Give the rule of the Op that has a function of NumPy for its host implementation."""
    from .backends.ops import emath, linalg  # noqa: F401  # registers them

    rules = (op.rule for op in all_ops() if op.host is func)
    return next((rule for rule in rules if rule is not None), Dynamic("NumPy's own function runs as it is"))


def _module(name: str) -> Any:
    """Import trnarray's module, or give None where it has none of that name."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not name.startswith(error.name):
            raise
        return None


def _refusal(path: str, reason: str) -> Callable[..., Any]:
    def refuse(*_args: Any, **_kwargs: Any) -> Any:
        raise TypeError(f"numpy.{path} is not available on Arrays ({reason}); convert them first, as in numpy.asarray(x)")

    return refuse
