"""Python functions applied to arrays: along an axis, over axes, piece by piece, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ._array import Array
from ._operand import as_operand, as_operands
from ._typing import ArrayLike
from .array_conversion import asarray
from .array_properties import ndim
from .backends.device import CPU, Device
from .creation_functions import empty, zeros_like
from .joining_functions import concatenate
from .manipulation_functions import expand_dims, moveaxis
from .type_testing import isscalar
from .utility_functions import any as any_

__all__ = ["apply_along_axis", "apply_over_axes", "piecewise", "vectorize"]


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Array:
    """Call a function with each row along an axis, and put its results together. See `numpy.apply_along_axis`."""
    array = as_operand(arr)
    place = normalize_axis_index(axis, array.ndim)
    rows = moveaxis(array, place, -1)
    shape = rows.shape[:-1]
    if 0 in shape:
        raise ValueError(f"there is no row along axis {axis} of an array of shape {array.shape}; the result's dtype cannot be known")
    result = None
    for index in np.ndindex(shape):
        item = asarray(func1d(rows[*index, ...], *args, **kwargs))
        if result is None:
            result = empty((*shape, *item.shape), item.dtype, device=item.device)
        result[*index, ...] = item
    assert result is not None  # as there is a row
    added = result.ndim - len(shape)
    return moveaxis(result, tuple(range(-added, 0)), tuple(range(place, place + added)))


def apply_over_axes(func: Callable[[Array, int], Any], a: ArrayLike, axes: int | Iterable[int]) -> Array:
    """Call a function, such as a reduction, for one axis after the other. See `numpy.apply_over_axes`."""
    result = as_operand(a)
    ndim = result.ndim
    for axis in np.atleast_1d(np.asarray(axes)).tolist():
        place = axis + ndim if axis < 0 else axis
        item = asarray(func(result, place))
        result = item if item.ndim == ndim else expand_dims(item, place)
        if result.ndim != ndim:
            raise ValueError(f"the function gave {item.ndim} dimensions of {ndim}; it has to keep them, or drop the axis it is given")
    return result


def piecewise(x: ArrayLike, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """Compute a function that is defined piece by piece. See `numpy.piecewise`."""
    single = isscalar(condlist) or (ndim(x) > 0 and not _is_nested(condlist))
    x, conditions = as_operands(x, [condlist] if single else condlist)
    x, conditions = as_operand(x), as_operand(conditions).astype(bool)
    count = len(conditions)
    if len(funclist) == count + 1:
        conditions = concatenate([conditions, ~any_(conditions, axis=0, keepdims=True)])
    elif len(funclist) != count:
        raise ValueError(f"with {count} condition(s), either {count} or {count + 1} functions are expected, not {len(funclist)}")
    result = zeros_like(x)
    for condition, piece in zip(conditions, funclist, strict=True):
        if callable(piece):
            values = x[condition]
            if values.size:
                result[condition] = piece(values, *args, **kw)
        else:
            result[condition] = piece
    return result


def _is_nested(condlist: Any) -> bool:
    """Tell whether conditions are a sequence of conditions, and not one of them."""
    first = condlist[0]
    return isinstance(first, (list, tuple, np.ndarray)) or (type(first) is Array and first.ndim > 0)


def _setting(name: str, doc: str) -> property:
    return property(lambda self: getattr(self._loop, name), lambda self, value: setattr(self._loop, name, value), doc=doc)


class vectorize:  # noqa: N801  # NumPy's name for it
    """
    Make a function of scalars work on arrays, element by element: a loop in Python, on the host, for convenience.

    Parameters
    ----------
    pyfunc : callable, optional
        The function; left out where this is used as a decorator with parameters.
    otypes : str or sequence of dtype, optional
        The dtypes of the results; by default those of a first call.
    doc : str, optional
        The docstring; that of the function by default.
    excluded : set of str or int, optional
        The parameters, by name or position, that are passed on as they are.
    cache : bool, optional
        Whether to keep the result of the first call, so that each element is computed once only.
    signature : str, optional
        What the function takes and gives where that is more than scalars, as ``"(m,n),(n)->(m)"``.

    Attributes
    ----------
    pyfunc : callable
        The function.

    See Also
    --------
    numpy.vectorize : NumPy's, which does the work.

    Examples
    --------
    >>> import trnarray as xp
    >>> clipped = xp.vectorize(lambda a, b: a if a < b else b)
    >>> clipped(xp.asarray([1, 5, 2]), 3)
    Array([1, 3, 2], dtype=int64, device='cpu')
    """

    otypes = _setting("otypes", "The dtypes of the results, by their characters.")
    cache = _setting("cache", "Whether the first result is kept, so that the function is called once less.")
    signature = _setting("signature", "The core dimensions.")

    def __init__(
        self,
        pyfunc: Any = np._NoValue,
        otypes: Any = None,
        doc: str | None = None,
        excluded: Iterable[int | str] | None = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        self.pyfunc: Final = pyfunc
        self._excluded: Final = frozenset(excluded or ())
        self._parameters: Final = {"otypes": otypes, "doc": doc, "excluded": excluded, "cache": cache, "signature": signature}
        if pyfunc is not np._NoValue:
            if not callable(pyfunc):
                raise TypeError(f"vectorize takes a function, but got {type(pyfunc).__name__}; give otypes= and the like by name")
            self._loop: Final = np.vectorize(_on_host(pyfunc), **{**self._parameters, "excluded": set(self._excluded)})
            self.__name__ = getattr(pyfunc, "__name__", type(pyfunc).__name__)
            self.__doc__ = pyfunc.__doc__ if doc is None else doc

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function with each element."""
        if self.pyfunc is np._NoValue:
            return vectorize(*args, **{**self._parameters, **kwargs})
        devices: set[Device] = set()

        def host(key: int | str, value: Any) -> Any:
            if key in self._excluded or type(value) is not Array:
                return value
            devices.add(value.device)
            return value._host()

        result = self._loop(*(host(place, x) for place, x in enumerate(args)), **{key: host(key, x) for key, x in kwargs.items()})
        if len(devices) > 1:
            raise ValueError(f"the operands are on {len(devices)} devices; move them to one of them first with x.to_device")
        device = next(iter(devices), CPU)
        return tuple(asarray(r, device=device) for r in result) if isinstance(result, tuple) else asarray(result, device=device)


def _on_host(pyfunc: Callable[..., Any]) -> Callable[..., Any]:
    """Show a function's array operands to it as Arrays, and give its results as NumPy has them."""

    def function(*args: Any, **kwargs: Any) -> Any:
        result = pyfunc(*(Array._wrap(x) if type(x) is np.ndarray else x for x in args), **kwargs)
        if isinstance(result, tuple):
            return tuple(x._host() if type(x) is Array else x for x in result)
        return result._host() if type(result) is Array else result

    return function
