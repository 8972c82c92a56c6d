"""Ops of scipy.ndimage, by name: filters of images. Importing this imports scipy.ndimage."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import scipy.ndimage

from ..op import Op
from ..rules.scipy_ndimage import filter_rule

__all__ = ["OPS"]

_NAMES: Final = """
    convolve convolve1d correlate correlate1d gaussian_filter gaussian_filter1d gaussian_gradient_magnitude gaussian_laplace laplace
    maximum_filter maximum_filter1d median_filter minimum_filter minimum_filter1d percentile_filter prewitt rank_filter sobel
    uniform_filter uniform_filter1d
"""


def _host(name: str) -> Callable[..., Any]:
    """Give a filter that is told its result's dtype after its image, and all else by name."""
    function: Callable[..., Any] = getattr(scipy.ndimage, name)
    known = inspect.signature(function).parameters

    def call(image: Any, dtype: Any = None, **parameters: Any) -> Any:
        if "axes" not in known and parameters.get("axes") == tuple(range(np.ndim(image))):
            parameters["axes"] = None
        parameters = {key: item for key, item in parameters.items() if key in known or item is not None}  # older SciPy has fewer
        return function(image, output=dtype, **parameters)

    return call


OPS: Final[Mapping[str, Op]] = {
    name: Op(f"scipy.ndimage.{name}", host, rule=filter_rule(host)) for name in _NAMES.split() for host in [_host(name)]
}
"""The filters that have a rule, by name."""
