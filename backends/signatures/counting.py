"""Signatures of counts and histograms: samples are a list of arrays, one for each axis, bins and limits one for each of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call, NotNativeError, Reader

__all__ = ["counts", "edges", "histogram", "of_plane", "of_sample"]


def _weights(reader: Reader, weights: Any, size: int) -> Any:
    """Read weights, one for each element."""
    if weights is None:
        return None
    value = reader.array(weights)
    if value.size != size:
        raise ValueError(f"there are {value.size} weights for {size} elements; give as many")
    return value


def counts(reader: Reader, x: Any, /, weights: Any = None, minlength: Any = 0) -> Call:
    """Read ``numpy.bincount``."""
    value = reader.array(x)
    if value.ndim != 1:
        raise ValueError("object of too small depth for desired array" if not value.ndim else "object too deep for desired array")
    if value.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {value.dtype} to integers by the rule 'safe'; convert it with astype")
    if minlength < 0:
        raise ValueError("'minlength' must not be negative")
    return Call((value,), {"weights": _weights(reader, weights, value.size), "minlength": minlength})


def edges(reader: Reader, a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Call:
    """Read ``numpy.histogram_bin_edges``."""
    value = reader.array(a)
    return Call((value, bins), {"range": range, "weights": _weights(reader, weights, value.size)})


def histogram(reader: Reader, a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Call:
    """Read ``numpy.histogram``."""
    value = reader.array(a)
    return Call((value, bins), {"range": range, "density": bool(density), "weights": _weights(reader, weights, value.size)})


def of_sample(reader: Reader, sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Call:
    """Read ``numpy.histogramdd``: the axes of a sample are the columns of a matrix, or arrays."""
    if reader.is_array(sample):
        if sample.ndim not in (1, 2):  # rows are elements
            raise ValueError(f"a sample is a matrix whose rows are elements, and this one has {sample.ndim} axes")
        sample = reader.arrays(sample.view(sample.shadow.T)) if sample.ndim == 2 else [sample]  # columns
    columns = reader.arrays(sample)
    if not columns:
        raise ValueError("object of too small depth for desired array: a sample has at least one axis")
    if len({column.size for column in columns}) > 1:
        raise ValueError("the axes of a sample have different numbers of elements")
    known = reader.known(bins)
    several = list(known) if isinstance(known, (list, tuple)) or (isinstance(known, np.ndarray) and known.ndim) else [known] * len(columns)
    limits = [None] * len(columns) if range is None else list(range)
    for found, what in ((several, "numbers of bins"), (limits, "ranges")):
        if len(found) != len(columns):
            raise ValueError(f"there are {len(found)} {what}, and the sample has {len(columns)} axes; give one for each")
    if any(isinstance(item, str) for item in several):
        raise NotNativeError("bins of several axes that are no numbers are looked at on the host")
    attributes = {"range": limits, "density": bool(density), "weights": _weights(reader, weights, columns[0].size)}
    return Call((columns, several), attributes)


def of_plane(reader: Reader, x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> Call:
    """Read ``numpy.histogram2d``."""
    columns = [reader.array(item) for item in (x, y)]
    if columns[0].shape != columns[1].shape:
        raise ValueError("x and y must have the same length.")
    one = reader.is_array(bins) or (isinstance(bins, (list, tuple)) and len(bins) not in (1, 2))
    (sample, several), attributes, _ = of_sample(reader, columns, [bins, bins] if one else bins, range, density, weights)
    return Call((*sample, several), attributes)
