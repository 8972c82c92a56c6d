"""Filters of images under scipy.ndimage's names and signatures."""

from __future__ import annotations

from typing import Any, TypeAlias
from warnings import warn

import numpy as np

from .._array import Array
from .._operand import as_operand
from .._typing import ArrayLike, Axes, DTypeLike
from ..backends.device import CPU
from ..backends.dtypes import canonical_dtype
from ..backends.op import Op
from ..backends.ops.scipy_ndimage import OPS

__all__ = [
    "convolve",
    "convolve1d",
    "correlate",
    "correlate1d",
    "gaussian_filter",
    "gaussian_filter1d",
    "gaussian_gradient_magnitude",
    "gaussian_laplace",
    "laplace",
    "maximum_filter",
    "maximum_filter1d",
    "median_filter",
    "minimum_filter",
    "minimum_filter1d",
    "percentile_filter",
    "prewitt",
    "rank_filter",
    "sobel",
    "uniform_filter",
    "uniform_filter1d",
]

Output: TypeAlias = "Array | DTypeLike | None"


def _filtered(op: Op, image: ArrayLike, output: Output, /, **parameters: Any) -> Array:
    """Filter an image; the result goes to the Array that is given, or has the dtype that is asked for."""
    taken = as_operand(image)
    for name, item in parameters.items():
        on_host = type(item) is np.ndarray and (taken.device is not CPU or name not in {"weights", "footprint"})
        if on_host or (name != "weights" and type(item) is Array and taken.device is not CPU):
            parameters[name] = item.tolist()  # a parameter, and no data that would have to be moved
    if isinstance(output, np.ndarray):
        if taken.device is not CPU:
            raise Array._no_target(op.name, taken.device)
        output = Array._wrap(output)
    weights = parameters.get("weights", 1.0)
    is_complex = taken.dtype.kind == "c" or (weights.dtype.kind == "c" if type(weights) is Array else np.iscomplexobj(weights))
    if type(output) is not Array:
        dtype = None if output is None else canonical_dtype(output)
        if dtype is not None and is_complex and dtype.kind != "c":
            dtype = np.promote_types(dtype, np.complex64)
            warn(f"promoting specified output dtype to complex: {op.name} gives {dtype}", UserWarning, stacklevel=3)
        return Array._applied(op, taken, dtype, **parameters)
    if is_complex and output.dtype.kind != "c":
        raise RuntimeError(f"the dtype of output is {output.dtype}, but the result is complex; give an Array of a complex dtype")
    result = Array._applied(op, taken, output.dtype, **parameters)
    if result.shape != output.shape:
        raise RuntimeError(f"the shape of output is {output.shape}, but the result's is {result.shape}; give an Array of that shape")
    output[...] = result
    return output


def convolve(
    input: ArrayLike,
    weights: ArrayLike,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Convolve an image with weights. See `scipy.ndimage.convolve`."""
    return _filtered(OPS["convolve"], input, output, weights=weights, mode=mode, cval=cval, origin=origin, axes=axes)


def convolve1d(
    input: ArrayLike, weights: ArrayLike, axis: int = -1, output: Output = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0
) -> Array:
    """Convolve along an axis with weights. See `scipy.ndimage.convolve1d`."""
    return _filtered(OPS["convolve1d"], input, output, weights=weights, axis=axis, mode=mode, cval=cval, origin=origin)


def correlate(
    input: ArrayLike,
    weights: ArrayLike,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Correlate an image with weights. See `scipy.ndimage.correlate`."""
    return _filtered(OPS["correlate"], input, output, weights=weights, mode=mode, cval=cval, origin=origin, axes=axes)


def correlate1d(
    input: ArrayLike, weights: ArrayLike, axis: int = -1, output: Output = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0
) -> Array:
    """Correlate along an axis with weights. See `scipy.ndimage.correlate1d`."""
    return _filtered(OPS["correlate1d"], input, output, weights=weights, axis=axis, mode=mode, cval=cval, origin=origin)


def gaussian_filter(
    input: ArrayLike,
    sigma: Any,
    order: Any = 0,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: Any = None,
    axes: Axes = None,
) -> Array:
    """Filter with a normal density, or derivatives of it. See `scipy.ndimage.gaussian_filter`."""
    return _filtered(
        OPS["gaussian_filter"], input, output, sigma=sigma, order=order, mode=mode, cval=cval, truncate=truncate, radius=radius, axes=axes
    )


def gaussian_filter1d(
    input: ArrayLike,
    sigma: float,
    axis: int = -1,
    order: int = 0,
    output: Output = None,
    mode: str = "reflect",
    cval: float = 0.0,
    truncate: float = 4.0,
    *,
    radius: int | None = None,
) -> Array:
    """Filter along an axis with a normal density, or a derivative of it. See `scipy.ndimage.gaussian_filter1d`."""
    return _filtered(
        OPS["gaussian_filter1d"], input, output, sigma=sigma, axis=axis, order=order, mode=mode, cval=cval, truncate=truncate, radius=radius
    )


def gaussian_gradient_magnitude(
    input: ArrayLike, sigma: Any, output: Output = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Axes = None, **kwargs: Any
) -> Array:
    """Find the length of the gradient by derivatives of a normal density. See `scipy.ndimage.gaussian_gradient_magnitude`."""
    return _filtered(OPS["gaussian_gradient_magnitude"], input, output, sigma=sigma, mode=mode, cval=cval, axes=axes, **kwargs)


def gaussian_laplace(
    input: ArrayLike, sigma: Any, output: Output = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Axes = None, **kwargs: Any
) -> Array:
    """Add second derivatives by those of a normal density. See `scipy.ndimage.gaussian_laplace`."""
    return _filtered(OPS["gaussian_laplace"], input, output, sigma=sigma, mode=mode, cval=cval, axes=axes, **kwargs)


def laplace(input: ArrayLike, output: Output = None, mode: Any = "reflect", cval: float = 0.0, *, axes: Axes = None) -> Array:
    """Add second differences. See `scipy.ndimage.laplace`."""
    return _filtered(OPS["laplace"], input, output, mode=mode, cval=cval, axes=axes)


def maximum_filter(
    input: ArrayLike,
    size: Any = None,
    footprint: ArrayLike | None = None,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Find the maximum of the pixels around each. See `scipy.ndimage.maximum_filter`."""
    return _filtered(OPS["maximum_filter"], input, output, size=size, footprint=footprint, mode=mode, cval=cval, origin=origin, axes=axes)


def maximum_filter1d(
    input: ArrayLike, size: int, axis: int = -1, output: Output = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0
) -> Array:
    """Find the maximum of windows along an axis. See `scipy.ndimage.maximum_filter1d`."""
    return _filtered(OPS["maximum_filter1d"], input, output, size=size, axis=axis, mode=mode, cval=cval, origin=origin)


def median_filter(
    input: ArrayLike,
    size: Any = None,
    footprint: ArrayLike | None = None,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Find the median of the pixels around each. See `scipy.ndimage.median_filter`."""
    return _filtered(OPS["median_filter"], input, output, size=size, footprint=footprint, mode=mode, cval=cval, origin=origin, axes=axes)


def minimum_filter(
    input: ArrayLike,
    size: Any = None,
    footprint: ArrayLike | None = None,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Find the minimum of the pixels around each. See `scipy.ndimage.minimum_filter`."""
    return _filtered(OPS["minimum_filter"], input, output, size=size, footprint=footprint, mode=mode, cval=cval, origin=origin, axes=axes)


def minimum_filter1d(
    input: ArrayLike, size: int, axis: int = -1, output: Output = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0
) -> Array:
    """Find the minimum of windows along an axis. See `scipy.ndimage.minimum_filter1d`."""
    return _filtered(OPS["minimum_filter1d"], input, output, size=size, axis=axis, mode=mode, cval=cval, origin=origin)


def percentile_filter(
    input: ArrayLike,
    percentile: float,
    size: Any = None,
    footprint: ArrayLike | None = None,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Find a percentile of the pixels around each. See `scipy.ndimage.percentile_filter`."""
    return _filtered(
        OPS["percentile_filter"],
        input,
        output,
        percentile=percentile,
        size=size,
        footprint=footprint,
        mode=mode,
        cval=cval,
        origin=origin,
        axes=axes,
    )


def prewitt(input: ArrayLike, axis: int = -1, output: Output = None, mode: Any = "reflect", cval: float = 0.0) -> Array:
    """Find differences along an axis, averaged across it, by Prewitt's weights. See `scipy.ndimage.prewitt`."""
    return _filtered(OPS["prewitt"], input, output, axis=axis, mode=mode, cval=cval)


def rank_filter(
    input: ArrayLike,
    rank: int,
    size: Any = None,
    footprint: ArrayLike | None = None,
    output: Output = None,
    mode: Any = "reflect",
    cval: float = 0.0,
    origin: Any = 0,
    *,
    axes: Axes = None,
) -> Array:
    """Find the pixel of a rank of those around each. See `scipy.ndimage.rank_filter`."""
    return _filtered(
        OPS["rank_filter"], input, output, rank=rank, size=size, footprint=footprint, mode=mode, cval=cval, origin=origin, axes=axes
    )


def sobel(input: ArrayLike, axis: int = -1, output: Output = None, mode: Any = "reflect", cval: float = 0.0) -> Array:
    """Find differences along an axis, averaged across it, by Sobel's weights. See `scipy.ndimage.sobel`."""
    return _filtered(OPS["sobel"], input, output, axis=axis, mode=mode, cval=cval)


def uniform_filter(
    input: ArrayLike, size: Any = 3, output: Output = None, mode: Any = "reflect", cval: float = 0.0, origin: Any = 0, *, axes: Axes = None
) -> Array:
    """Average the pixels around each. See `scipy.ndimage.uniform_filter`."""
    return _filtered(OPS["uniform_filter"], input, output, size=size, mode=mode, cval=cval, origin=origin, axes=axes)


def uniform_filter1d(
    input: ArrayLike, size: int, axis: int = -1, output: Output = None, mode: str = "reflect", cval: float = 0.0, origin: int = 0
) -> Array:
    """Average windows along an axis. See `scipy.ndimage.uniform_filter1d`."""
    return _filtered(OPS["uniform_filter1d"], input, output, size=size, axis=axis, mode=mode, cval=cval, origin=origin)
