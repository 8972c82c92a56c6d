"""Signatures of covariances and correlations: the rows of matrices are variables."""

from __future__ import annotations

from typing import Any

from .attributes import asked_dtype
from .call import Call, Reader

__all__ = ["correlation", "covariance"]


def _variables(reader: Reader, item: Any, rowvar: Any) -> Any:
    value = reader.array(item)
    if value.ndim > 2:  # variables and observations
        raise ValueError("m has more than 2 dimensions")
    if value.ndim < 2:
        return value.view(value.shadow.reshape(1, -1))
    return value if rowvar else value.view(value.shadow.T)


def covariance(
    reader: Reader, m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None, fweights: Any = None,
    aweights: Any = None, *, dtype: Any = None,
) -> Call:  # fmt: skip
    """Read ``numpy.cov``: weights are one for each observation."""
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    rows = [_variables(reader, item, rowvar) for item in (m, y) if item is not None]
    given = {name: None if one is None else reader.array(one) for name, one in (("fweights", fweights), ("aweights", aweights))}
    count = rows[0].shape[1]
    for one in given.values() if rows[0].shape[0] else ():
        if one is not None and one.ndim > 1:
            raise RuntimeError(f"weights are one for each observation, and these have {one.ndim} axes")
        if one is not None and one.size != count:
            raise RuntimeError(f"there are {one.size} weights for {count} observations; give as many")
    if given["fweights"] is not None and given["fweights"].dtype.kind not in "biu":
        raise TypeError("fweights must be integer")
    return Call(tuple(rows), {"ddof": (0 if bias else 1) if ddof is None else ddof, "dtype": asked_dtype(dtype), **given})


def correlation(reader: Reader, x: Any, y: Any = None, rowvar: Any = True, *, dtype: Any = None) -> Call:
    """Read ``numpy.corrcoef``."""
    return Call(covariance(reader, x, y, rowvar).operands, {"dtype": asked_dtype(dtype)})
