"""The helpers of array-api-compat on Arrays."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from .check import Call, numbers

__all__ = ["checks"]


def checks() -> Mapping[str, Call]:
    """Import array-api-compat and list the calls."""
    import array_api_compat as compat

    others = (compat.is_torch_array, compat.is_cupy_array, compat.is_jax_array, compat.is_dask_array)
    return {
        "array_namespace": lambda xp: compat.array_namespace(numbers(xp, 3)).arange(3),
        "array_namespace_of_two": lambda xp: compat.array_namespace(numbers(xp, 3), xp.arange(3), 1.0).arange(3),
        "device": lambda xp: xp.asarray([1, 2], device=compat.device(numbers(xp, 3))),
        "to_device": lambda xp: compat.to_device(numbers(xp, 3), compat.device(numbers(xp, 3))),
        "size": lambda xp: xp.asarray(compat.size(numbers(xp, 3, 4))),
        "is_array_api_obj": lambda xp: xp.asarray(compat.is_array_api_obj(numbers(xp, 3))),
        "is_writeable_array": lambda xp: xp.asarray(compat.is_writeable_array(numbers(xp, 3))),
        "is_lazy_array": lambda xp: xp.asarray(compat.is_lazy_array(numbers(xp, 3))),
        "is_numpy_array": lambda xp: xp.asarray(compat.is_numpy_array(numbers(xp, 3)) == (xp is np)),
        "is_no_other_array": lambda xp: xp.asarray([known(numbers(xp, 3)) for known in others]),
    }
