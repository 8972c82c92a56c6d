"""The libraries that the suite `consumers` checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from . import array_api_compat, contraction, cubed, dask_array, einops, marray, xarray
from .check import Consumer

__all__ = ["CONSUMERS"]

_TRIANGULAR: Final = "dask solves triangular systems with scipy.linalg, or with cupyx for the arrays of cupy, and with nothing else"

_REDUCED: Final = "autoray asks libraries that it does not know for svd(x), whose factors are square by the Array API standard"

CONSUMERS: Final[Mapping[str, Consumer]] = {
    "array-api-compat": Consumer("array-api-compat", "array_api_compat", array_api_compat.checks),
    "cotengra": Consumer("cotengra", "cotengra", contraction.cotengra_checks),
    "cubed": Consumer("cubed", "cubed", cubed.checks),
    "dask": Consumer("dask[array]", "dask.array", dask_array.checks, dict.fromkeys(("solve", "inv"), _TRIANGULAR)),
    "einops": Consumer("einops", "einops", einops.checks),
    "marray": Consumer("marray", "marray", marray.checks),
    "opt_einsum": Consumer("opt_einsum", "opt_einsum", contraction.opt_einsum_checks),
    "quimb": Consumer("quimb", "quimb", contraction.quimb_checks, {"svd": _REDUCED}),
    "tensorly": Consumer("tensorly", "tensorly", contraction.tensorly_checks),
    "xarray": Consumer("xarray", "xarray", xarray.checks),
}
"""By the name that reports use."""
