"""Einstein summation: by NumPy, with an order of products that is found once; what finds one is loaded by the first call."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["einsum", "einsum_path", "view"]

_FEW: Final = 1 << 14
"""Products of elements, up to which NumPy's loop over all labels at once takes no longer than it takes to prepare products of matrices."""
_NAMED: Final = ("greedy", "optimal")


def einsum(*operands: Any, out: Any = None, optimize: Any = False, **parameters: Any) -> Any:
    """Sum products: small ones in one loop, others by products of matrices in the cheapest order, if none is asked for."""
    if out is not None:
        parameters["out"] = out
    if not operands or parameters or not (optimize is False or optimize is True or optimize in _NAMED):
        return np.einsum(*operands, optimize=_numpy_path(operands, optimize), **parameters)
    if not isinstance(operands[0], str):
        from ..contraction.notation import as_string

        operands = as_string(operands)
    subscripts, *arrays = operands
    if len(arrays) > 1:
        arrays = list(map(np.asarray, arrays))
        if math.prod([array.size for array in arrays]) <= _FEW:  # an import would be a sixth of the time
            return np.einsum(subscripts, *arrays, optimize="..." in subscripts and optimize)
        from .contraction import contracted, recipe

        found = recipe(subscripts, *[array.shape for array in arrays], strict=optimize is False, few=_FEW)
        if found is not None:
            return contracted(found, _of_one_dtype(arrays))
    return np.einsum(subscripts, *arrays, optimize="..." in subscripts and optimize)


def _of_one_dtype(arrays: list[Any]) -> list[Any]:
    dtype = arrays[0].dtype
    if all(array.dtype == dtype for array in arrays):
        return arrays
    common = np.result_type(*arrays)
    return [array.astype(common, copy=False) for array in arrays]


def einsum_path(*operands: Any, optimize: Any = "greedy", einsum_call: Any = False) -> Any:
    """Find an order of products, by NumPy, or by an optimizer of opt_einsum's or cotengra's."""
    return np.einsum_path(*operands, optimize=_numpy_path(operands, optimize), einsum_call=einsum_call)


def _numpy_path(operands: Sequence[Any], optimize: Any) -> Any:
    """Leave to NumPy what it knows, and find other orders for it."""
    if not callable(optimize) and (not isinstance(optimize, str) or optimize in _NAMED):
        return optimize
    from ..contraction.notation import as_string, extents_of, read
    from ..contraction.optimizers import path_asked
    from ..contraction.paths import find_path

    if not isinstance(operands[0], str):
        operands = as_string(operands)
    shapes = [np.shape(operand) for operand in operands[1:]]
    subscripts = read(operands[0], [len(shape) for shape in shapes], strict=False)
    path = path_asked(optimize, subscripts, shapes) or find_path(*subscripts, extents_of(subscripts.terms, shapes))
    return ["einsum_path", *path]


def view(operand: npt.NDArray[Any], subscripts: Any, *output: Any) -> Any:
    """Give the view that a summation over nothing is."""
    result = np.einsum(subscripts, operand) if isinstance(subscripts, str) else np.einsum(operand, subscripts, *output)
    if result.size > operand.size:
        raise ValueError(f"einsum: axes of shape {operand.shape} have one label and different lengths; give them one length")
    return result
