"""The last step of a ufunc: a result computed apart is handed over as NumPy's ufuncs do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["deliver"]


def deliver(result: npt.NDArray[Any], out: Any, kwargs: Mapping[str, Any]) -> Any:
    """
    Hand over a computed result as a ufunc would.

    Parameters
    ----------
    result : ndarray
        All elements, computed where ``where`` holds.
    out : ndarray, tuple of ndarray or None
        Where to write them.
    kwargs : mapping
        The ufunc's other keywords; ``where`` and ``casting`` say what is written, and how.

    Returns
    -------
    ndarray or NumPy scalar
        `out` if given, else the result: a scalar if it is 0-d.

    Examples
    --------
    >>> import numpy as np
    >>> deliver(np.array(2.0), None, {})
    np.float64(2.0)
    """
    if out is None:
        return result[()]
    return np.positive(result, out=out, **kwargs)
