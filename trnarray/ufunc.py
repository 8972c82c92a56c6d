"""Universal functions: an elementwise Op with NumPy's calling conventions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._array import Array
from .backends.device import CPU
from .backends.dtypes import LAST_PLAIN, canonical_dtype
from .backends.op import Op

if TYPE_CHECKING:
    from inspect import Signature

__all__ = ["ufunc"]

_new: Final = object.__new__
_SCALARS: Final = frozenset({bool, int, float, complex})


class ufunc:  # noqa: N801  # NumPy's name for it
    """
    A function that works element by element, with broadcasting.

    Parameters
    ----------
    op : Op
        The operation: one of NumPy's ufuncs, or the standard's reading of it.
    model : numpy.ufunc
        NumPy's ufunc, which knows the number of operands, the identity and the loops.
    name : str
        The function's name.
    summary : str
        What it computes, the first line of its docstring.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.add(xp.asarray([1, 2]), 3)
    Array([4, 5], dtype=int64, device='cpu')
    """

    def __init__(self, op: Op, model: np.ufunc, name: str, summary: str) -> None:
        self.op: Final = op
        self.model: Final = model
        self.nin: Final[int] = model.nin
        self.nout: Final[int] = model.nout
        self._host: Final = op.host
        self._tick: Final = op.tick
        self._single: Final = model.nout == 1
        self.__name__ = self.__qualname__ = name
        self.__doc__ = _docstring(model, summary)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """
        Compute the function.

        Parameters
        ----------
        *args : array_like
            The operands, and after them optionally what ``out`` names.
        **kwargs
            ``out``, ``where``, ``dtype`` and ``casting``, as NumPy's ufuncs take them.

        Returns
        -------
        Array or tuple of Arrays
            The result.
        """
        # The common call first: Arrays of plain dtypes on the host. Everything it skips, `_call` does.
        if not kwargs and len(args) == self.nin and self._single:
            values = []
            scalars = 0
            for arg in args:
                kind = type(arg)
                if kind is Array:
                    if arg._device is not CPU:
                        break
                    value = arg._data
                    if value.dtype.num > LAST_PLAIN:
                        break
                    values.append(value)
                elif kind in _SCALARS:
                    scalars += 1
                    values.append(arg)
                else:
                    break
            else:
                if scalars == len(args):
                    return self._call(args, kwargs)
                self._tick()
                result = _new(Array)
                result._data = self._host(*values)
                result._device = CPU
                result._base = None
                return result
        return self._call(args, kwargs)

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        nin = self.nin
        if len(args) > nin:
            if len(args) > nin + self.nout or "out" in kwargs:
                raise TypeError(f"{self.__name__}() takes {nin} operands and at most {self.nout} out; {len(args)} given")
            outs = args[nin:]
            args = args[:nin]
            if any(out is not None for out in outs):
                kwargs["out"] = outs if self.nout > 1 else outs[0]
        if len(args) < nin:
            raise TypeError(f"{self.__name__}() takes {nin} operands; {len(args)} given")
        if kwargs:
            if kwargs.get("dtype") is not None:
                kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
            kwargs = {key: value for key, value in kwargs.items() if value is not None}
        return Array._apply(self.op, *args, **kwargs)

    @property
    def __signature__(self) -> Signature:
        from inspect import Parameter, Signature

        operands = [Parameter(x, Parameter.POSITIONAL_ONLY) for x in _operand_names(self.model)]
        keywords = {"where": True, "casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None}
        if self.model.signature is not None:
            del keywords["where"]
            keywords |= {"axes": None, "axis": None} | ({"keepdims": False} if self.nout and self.nin == 1 else {})
        return Signature(
            [
                *operands,
                Parameter("out", Parameter.POSITIONAL_OR_KEYWORD, default=None),
                *(Parameter(key, Parameter.KEYWORD_ONLY, default=value) for key, value in keywords.items()),
            ]
        )

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __reduce__(self) -> str:
        return self.__name__


def _operand_names(model: np.ufunc) -> list[str]:
    return ["x"] if model.nin == 1 else [f"x{i + 1}" for i in range(model.nin)]


def _docstring(model: np.ufunc, summary: str) -> str:
    names = ", ".join(_operand_names(model))
    results = "Array" if model.nout == 1 else f"tuple of {model.nout} Arrays"
    return f"""
    {summary}

    Parameters
    ----------
    {names} : array_like
        The operand{"s, which broadcast against each other" if model.nin > 1 else ""}.
    out : Array or tuple of Arrays, optional
        Where to write the result.
    **kwargs
        ``where``, ``dtype`` and ``casting``, as NumPy's ufuncs take them.

    Returns
    -------
    {results}
        The result; 0-d and detached where all operands are 0-d.
    """
