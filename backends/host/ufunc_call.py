"""Calls of ufuncs: a result computed apart is handed over as NumPy's ufuncs do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ..rules import check_keywords

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["deliver", "without_mask"]


def deliver(result: npt.NDArray[Any], out: Any, kwargs: Mapping[str, Any]) -> Any:
    """
    Hand over a computed result as a ufunc would.

    Examples
    --------
    >>> import numpy as np
    >>> deliver(np.array(2.0), None, {})
    np.float64(2.0)
    >>> deliver(np.array([True, False]), np.zeros(2), {})
    array([1., 0.])
    """
    if out is None:
        shape = np.broadcast_shapes(result.shape, np.shape(kwargs.get("where", True)))
        return (result if shape == result.shape else np.broadcast_to(result, shape).copy())[()]
    target = out[0] if isinstance(out, tuple) else out
    np.copyto(target, result, casting=kwargs.get("casting", "same_kind"), where=kwargs.get("where", True))
    return target


def without_mask(ufunc: np.ufunc) -> Callable[..., Any]:
    """
    Give a ufunc of another library that computes all elements and writes those that ``where`` wants.

    The loops of SciPy before 1.18 take the stride of a masked operand for another one's: wrong elements, or a crash.

    Examples
    --------
    >>> import numpy as np
    >>> out = np.zeros(3)
    >>> without_mask(np.exp2)(np.asarray([1.0, 2.0, 3.0]), out=out, where=np.asarray([True, False, True]))
    array([2., 0., 8.])
    """

    @wraps(ufunc, assigned=("__name__",))
    def call(*args: Any, **kwargs: Any) -> Any:
        if "where" not in kwargs or kwargs["where"] is True:
            return ufunc(*args, **kwargs)
        check_keywords(kwargs)
        out = kwargs.pop("out", None)
        written = {"where": kwargs.pop("where"), "casting": kwargs.get("casting", "same_kind")}
        results = ufunc(*args, **kwargs)
        if ufunc.nout == 1:
            return deliver(np.asarray(results), out, written)
        outs = out or (None,) * ufunc.nout
        return tuple(deliver(np.asarray(result), one, written) for result, one in zip(results, outs, strict=True))

    return call
