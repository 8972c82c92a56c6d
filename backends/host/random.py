"""Random draws on the host: the methods of NumPy's generators, under trnarray's conventions for scalars and dtypes.

The first operand of each is the generator, a `numpy.random.Generator` or `numpy.random.RandomState`: it is the bit
generator together with what else the streams depend on (a RandomState keeps every second normal draw for later). Its lock
makes draws by several threads safe. `numpy.random` itself is not imported here.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import FIRST_EXTRA, FLOAT8_E8M0FNU, FLOAT32, FLOAT64, LAST_PLAIN, DType
from ..limits import finfo
from .cast import cast

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["choice", "draw_by", "draw_in_dtype", "round_down"]

_SCALARS: Final = {float: np.float64, int: np.int64, bool: np.bool_}  # NumPy gives Python's own


def _as_value(result: Any) -> Any:
    scalar = _SCALARS.get(type(result))
    return result if scalar is None else scalar(result)


def draw_by(name: str) -> Callable[..., Any]:
    """
    Make the implementation that calls a method of the generator.

    Examples
    --------
    >>> import numpy as np
    >>> type(draw_by("poisson")(np.random.default_rng(0), 3.0)).__name__
    'int64'
    """

    def draw(generator: Any, *parameters: Any, **keywords: Any) -> Any:
        return _as_value(getattr(generator, name)(*parameters, **keywords))

    return draw


def draw_in_dtype(name: str, rounded: Callable[[Any, DType], Any] = cast) -> Callable[..., Any]:
    """
    Make the implementation that calls a method which takes a floating dtype.

    Low-precision dtypes are drawn in float32 and rounded once.

    Examples
    --------
    >>> import numpy as np
    >>> type(draw_in_dtype("random")(np.random.default_rng(0), dtype=np.dtype(np.float16))).__name__
    'float16'
    """

    def draw(generator: Any, *parameters: Any, dtype: DType | None = None, out: Any = None, **keywords: Any) -> Any:
        method = getattr(generator, name)
        if dtype is None and out is None:
            return _as_value(method(*parameters, **keywords))
        dtype = FLOAT64 if dtype is None else dtype
        if out is not None and out.dtype != dtype:
            raise TypeError(f"out is of dtype {out.dtype}, but draws are of dtype {dtype}; give dtype={out.dtype} too")
        if dtype.num <= LAST_PLAIN:
            result = method(*parameters, dtype=dtype, out=out, **keywords)
            return dtype.type(result) if type(result) is float else result
        if dtype == FLOAT8_E8M0FNU:
            raise TypeError("float8_e8m0fnu holds powers of two, neither zero nor signs; draw in another dtype")
        wide = method(*parameters, dtype=FLOAT32, out=None if out is None else np.empty_like(out, FLOAT32), **keywords)
        result = rounded(np.float32(wide) if type(wide) is float else wide, dtype)
        if out is None:
            return result
        np.copyto(out, result)
        return out

    return draw


def round_down(x: Any, dtype: DType) -> Any:
    """
    Round numbers that are 0 or more towards 0, so that those below 1 stay below 1.

    Examples
    --------
    >>> import ml_dtypes, numpy as np
    >>> print(round_down(np.float32(0.9999), np.dtype(ml_dtypes.bfloat16)))
    0.996094
    """
    nearest: Any = cast(x, dtype)
    # The bits of positive numbers are in the order of the numbers.
    bits: npt.NDArray[Any] = nearest.view(f"u{dtype.itemsize}") - (nearest.astype(FLOAT32) > x)
    return bits.view(dtype)


def choice(generator: Any, a: Any, p: Any = None, **keywords: Any) -> Any:
    """
    Choose elements; see `numpy.random.Generator.choice`.

    NumPy takes probabilities whose sum is as far from 1 as the root of their dtype's spacing; here that holds for the
    dtypes that it does not know, too.
    """
    if isinstance(p, np.ndarray) and p.dtype.num >= FIRST_EXTRA:
        wide = p.astype(FLOAT64)
        total = wide.sum()
        if abs(total - 1) > sqrt(finfo(p.dtype).eps):
            raise ValueError(f"probabilities of dtype {p.dtype} sum to {total:.6g}, not to 1; divide them by their sum")
        p = wide / total
    return _as_value(generator.choice(a, p=p, **keywords))
