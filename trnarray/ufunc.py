"""Universal functions: an elementwise Op with NumPy's calling conventions."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ._apply import apply
from ._array import Array
from ._ufunc_examples import EXAMPLES
from .backends.dtypes import canonical_dtype
from .backends.op import Op
from .backends.ops.ufuncs import ufunc_op
from .backends.rules import check_keywords

if TYPE_CHECKING:
    from ._typing import ArrayLike, Axes, DTypeLike

__all__ = ["ufunc"]


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
    namespace : str, optional
        Where the function is found, for its docstring.
    examples : mapping, optional
        Examples for docstrings by name: the operands, and what they give.

    Attributes
    ----------
    nin, nout, nargs : int
        The number of operands, of results, and of both.
    identity : scalar or None
        What `reduce` gives for no elements, if that is defined.
    signature : str or None
        Which dimensions of the operands belong together, as in ``"(n),(n)->()"``; None where all are alike.
    types : list of str
        NumPy's loops, by the type codes of their operands and results.
    ntypes : int
        Their number.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.add(xp.asarray([1, 2]), 3)
    Array([4, 5], dtype=int64, device='cpu')
    """

    def __init__(
        self,
        op: Op,
        model: np.ufunc,
        name: str,
        summary: str,
        *,
        namespace: str = "xp",
        examples: Mapping[str, tuple[str, str]] = EXAMPLES,
    ) -> None:
        if not isinstance(op, Op):
            raise TypeError(f"ufuncs cannot be made of {type(op).__name__}; make a function of your own one with trnarray.frompyfunc")
        self.op: Final = op
        self.model: Final = model
        self.nin: Final[int] = model.nin
        self.nout: Final[int] = model.nout
        self.__name__ = self.__qualname__ = name
        self.__module__ = sys._getframe(1).f_globals["__name__"]  # where it is made and pickled by name
        self._summary: Final = summary
        self._namespace: Final = namespace
        self._examples: Final = examples

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the function."""
        nin = self.nin
        if not kwargs and len(args) == nin:
            return apply(self.op, *args)
        if len(args) > nin:
            if len(args) > nin + self.nout or "out" in kwargs:
                raise TypeError(f"{self.__name__}() takes {nin} operands and at most {self.nout} out; {len(args)} given")
            outs = args[nin:]
            args = args[:nin]
            if any(out is not None for out in outs):
                kwargs["out"] = outs + (None,) * (self.nout - len(outs)) if self.nout > 1 else outs[0]
        elif type(kwargs.get("out")) is tuple and len(kwargs["out"]) != self.nout:
            raise ValueError(f"out= of {self.__name__}() is a tuple of {self.nout}, one for each result; {len(kwargs['out'])} given")
        if len(args) < nin:
            raise TypeError(f"{self.__name__}() takes {nin} operands; {len(args)} given")
        return apply(self.op, *args, **_asked(kwargs))

    def reduce(
        self,
        array: ArrayLike,
        axis: Axes = 0,
        dtype: DTypeLike = None,
        out: Array | None = None,
        keepdims: bool = False,
        initial: Any = np._NoValue,
        where: ArrayLike = True,
    ) -> Array:
        """
        Combine the elements along axes; see `numpy.ufunc.reduce`. See `numpy.ufunc.reduce`.

        Parameters
        ----------
        keepdims : bool, optional
            Whether to keep the axes, with length 1.
        initial : scalar, optional
            What to start with.
        where : array_like of bool, optional
            Which elements to combine.
        """
        return self._apply_method("reduce", array, axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)

    def accumulate(self, array: ArrayLike, axis: int = 0, dtype: DTypeLike = None, out: Array | None = None) -> Array:
        """
        Combine the elements up to each one along an axis; see `numpy.ufunc.accumulate`.

        See `numpy.ufunc.accumulate`.
        """
        return self._apply_method("accumulate", array, axis=axis, dtype=dtype, out=out)

    def reduceat(self, array: ArrayLike, indices: ArrayLike, axis: int = 0, dtype: DTypeLike = None, out: Array | None = None) -> Array:
        """Combine slices of an axis; see `numpy.ufunc.reduceat`. See `numpy.ufunc.reduceat`."""
        return self._apply_method("reduceat", array, indices, axis=axis, dtype=dtype, out=out)

    def outer(self, A: ArrayLike, B: ArrayLike, /, **kwargs: Any) -> Array:
        """Compute the function for all pairs of elements; see `numpy.ufunc.outer`. See `numpy.ufunc.outer`."""
        return self._apply_method("outer", A, B, **kwargs)

    def at(self, a: Array, indices: Any, b: ArrayLike | None = None, /) -> None:
        """
        Compute the function in place for the elements at some positions; see `numpy.ufunc.at`.

        See `numpy.ufunc.at`.
        """
        self._apply_method("at", a, indices, *(() if b is None else (b,)))

    def _apply_method(self, method: str, /, *args: Any, **kwargs: Any) -> Array:
        return Array._applied(ufunc_op(self.model, method), *args, **_asked(kwargs))

    def __getattr__(self, name: str) -> Any:
        if name in _OF_MODEL:
            return getattr(self.model, name)
        # Not a property: `inspect.signature` would find that on the class and take it for the constructor's.
        if name != "__signature__":
            raise AttributeError(f"ufunc {self.__name__!r} has no attribute {name!r}")
        from inspect import Parameter, Signature

        operands = [Parameter(x, Parameter.POSITIONAL_ONLY) for x in _operand_names(self.model)]
        return Signature(
            [
                *operands,
                Parameter("out", Parameter.POSITIONAL_OR_KEYWORD, default=None if self.nout == 1 else (None,) * self.nout),
                *(Parameter(key, Parameter.KEYWORD_ONLY, default=value) for key, value in _keywords(self.model).items()),
            ]
        )

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __reduce__(self) -> str:
        return self.__name__


def _asked(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is None by default, and check the others."""
    check_keywords(kwargs)
    for key in ("out", "dtype"):
        if key in kwargs and kwargs[key] is None:
            del kwargs[key]
    if "dtype" in kwargs:
        kwargs["dtype"] = canonical_dtype(kwargs["dtype"])
    return kwargs


_OF_MODEL: Final = frozenset({"identity", "nargs", "ntypes", "resolve_dtypes", "signature", "types"})

# The keywords of ufuncs: what they are, and what they mean.
_KEYWORDS: Final = {
    "where": ("array_like of bool, optional", "Where to compute; elsewhere `out` keeps its elements."),
    "casting": ("str, optional", "Which casts of operands and results are allowed."),
    "order": ("str, optional", "The memory layout of a new result."),
    "dtype": ("dtype, optional", "The dtype to compute in."),
    "subok": ("bool, optional", "Without effect: Array has no subclasses."),
    "signature": ("str or tuple of dtype, optional", "The loop to use."),
    "axes": ("list of tuple of int, optional", "The axes of the operands and of the result."),
    "axis": ("int, optional", "The axis of the vectors."),
    "keepdims": ("bool, optional", "Whether to keep the axis of the vectors, with length 1; not of matrices."),
}


_OF_VECTORS: Final = {"axes": None, "axis": None, "keepdims": False}


def _keywords(model: np.ufunc) -> dict[str, Any]:
    """Return the keywords that a ufunc takes besides ``out``, and their defaults."""
    common = {"casting": "same_kind", "order": "K", "dtype": None, "subok": True, "signature": None}
    return {"where": True, **common} if model.signature is None else {**common, **_OF_VECTORS}


def _operand_names(model: np.ufunc) -> list[str]:
    return ["x"] if model.nin == 1 else [f"x{i + 1}" for i in range(model.nin)]


def _docstring(of: ufunc) -> str:
    model, name = of.model, of.__name__
    names = ", ".join(_operand_names(model))
    several = model.nin > 1 and model.signature is None
    results = "Array" if model.nout == 1 else f"tuple of {model.nout} Arrays"
    operands, outcome = of._examples.get(name, ("xp.asarray(1.0)", ""))
    keywords = "\n    ".join(line for key in _keywords(model) for line in (f"{key} : {_KEYWORDS[key][0]}", f"    {_KEYWORDS[key][1]}"))
    return f"""
    {of._summary}

    Parameters
    ----------
    {names} : array_like
        The operand{"s, which broadcast against each other" if several else "s" if model.nin > 1 else ""}.
    out : Array or tuple of Arrays, optional
        Where to write the result.
    {keywords}

    Returns
    -------
    {results}
        The result; 0-d and detached where all operands are 0-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> {of._namespace}.{name}({operands})
    {outcome}
    """


class _Docstring:
    """Builds the docstring of a ufunc when it is read, which importing trnarray does not do."""

    def __init__(self, of_class: str | None) -> None:
        self.of_class = of_class

    def __get__(self, instance: ufunc | None, owner: type[ufunc]) -> str | None:
        return self.of_class if instance is None else _docstring(instance)


ufunc.__doc__ = _Docstring(ufunc.__doc__)  # type: ignore[assignment]  # a descriptor is as good as a str
