"""Ops on sparse arrays, by name. Importing this imports scipy.sparse.

On the host an Op is SciPy's method or function of that name, on SciPy's own objects, which look at the memory of our Arrays. Engines
of other devices take sparse arrays as `Packed` tuples of values; the host implementation makes SciPy's objects of these when a
device has no kernel of its own. Ops that write to a sparse array return it, for it may have new components.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import scipy
import scipy.sparse

from ..op import Op
from ..rules import Rule
from ..rules.sparse import ELEMENTWISE, RULES, SPARSE

__all__ = [
    "ELEMENTWISE",
    "FIELDS",
    "FUNCTIONS",
    "METHODS",
    "NEWER_FUNCTIONS",
    "OPERATORS",
    "WRITERS",
    "Packed",
    "SparseOp",
    "pack",
    "unpack",
]

Packed: TypeAlias = tuple[str, tuple[int, ...], tuple[Any, ...]]
"""The format of a sparse array, its shape, and its components: the data and what says where they are."""

FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "coords"),
    "dia": ("data", "offsets"),
}
"""The attributes that hold the components, by format; the coordinates of "coo" are a tuple."""

_METHODS: Final = """
    argmax argmin asformat astype conjugate copy count_nonzero diagonal dot max mean min multiply nanmax nanmin nonzero
    power reshape sorted_indices sum tensordot toarray tobsr tocoo tocsc tocsr todia trace transpose
"""
_PROPERTIES: Final = "has_canonical_format has_sorted_indices imag real"
_WRITERS: Final = "check_format eliminate_zeros prune resize setdiag sort_indices sum_duplicates"
_OPERATORS: Final = "add sub mul truediv matmul pow neg abs eq ne lt le gt ge getitem imul itruediv"
_FUNCTIONS: Final = """
    csr_array csc_array coo_array bsr_array dia_array block_array block_diag diags_array eye_array find hstack kron kronsum
    random_array tril triu vstack
"""
_NEWER_FUNCTIONS: Final = "expand_dims permute_dims swapaxes"


def pack(array: Any) -> Packed:
    """Take one of SciPy's sparse arrays apart."""
    parts: list[Any] = []
    for name in FIELDS[array.format]:
        field = getattr(array, name)
        parts += field if isinstance(field, tuple) else (field,)
    return array.format, array.shape, tuple(parts)


def unpack(packed: Packed) -> Any:
    """Make one of SciPy's sparse arrays."""
    name, shape, (data, *where) = packed
    kind = getattr(scipy.sparse, f"{name}_array")
    return kind((data, tuple(where)) if name == "coo" else (data, *where), shape=shape)


class SparseOp(Op):
    """
    An Op on sparse arrays.

    Parameters
    ----------
    name : str
        Its name in the registry.
    function : callable
        Takes and gives SciPy's sparse arrays.
    plain : callable, optional
        What `function` calls in the end: of SciPy, which takes nothing else. By default that is itself.
    rule : Rule, optional
        Infers dense results; by default it gives sparse arrays.

    Attributes
    ----------
    function : callable
        What the host runs on SciPy's sparse arrays; the host implementation takes packed ones, too.
    plain : callable
        SciPy's own.
    """

    __slots__ = ("function", "plain")

    def __init__(
        self, name: str, function: Callable[..., Any], plain: Callable[..., Any] | None = None, *, rule: Rule | None = None
    ) -> None:
        self.function: Final = function
        self.plain: Final = plain or function

        def host(*args: Any, **kwargs: Any) -> Any:
            return function(*map(_unpack_all, args), **{key: _unpack_all(value) for key, value in kwargs.items()})

        super().__init__(name, host, rule=rule or RULES.get(name.removeprefix("sparse."), SPARSE))


def _unpack_all(value: Any) -> Any:
    """Make SciPy's sparse arrays of what is packed in an operand."""
    kind = type(value)
    if kind is tuple:
        if len(value) == 3 and type(value[0]) is str and value[0] in FIELDS:
            return unpack(value)
        return tuple(map(_unpack_all, value))
    return [_unpack_all(item) for item in value] if kind is list else value


def _method(name: str) -> Callable[..., Any]:
    def call(array: Any, /, *args: Any, **kwargs: Any) -> Any:
        method = getattr(array, name)
        return method(*args, **kwargs) if kwargs else method(*args)

    return call


def _of_one_shape(name: str) -> Callable[..., Any]:
    """Make a method that refuses a sparse operand of another shape: before SciPy 1.14 it reads beyond its end."""

    def call(array: Any, other: Any) -> Any:
        if scipy.sparse.issparse(other) and other.shape != array.shape:
            raise ValueError(f"inconsistent shapes: {array.shape} and {other.shape}; sparse arrays are not broadcast")
        return getattr(array, name)(other)

    return call


def _writer(name: str) -> Callable[..., Any]:
    def call(array: Any, *args: Any, **kwargs: Any) -> Any:
        getattr(array, name)(*args, **kwargs)
        return array

    return call


def _set_item(array: Any, key: Any, value: Any) -> Any:
    array[key] = value
    return array


def _function(name: str) -> Callable[..., Any]:
    """Give SciPy's function of the name, or one that names what is missing in an older SciPy."""
    function: Callable[..., Any] | None = getattr(scipy.sparse, name, None)
    if function is None:

        def missing(*args: Any, **kwargs: Any) -> Any:  # of any signature
            raise NotImplementedError(f"SciPy {scipy.__version__} has no scipy.sparse.{name}; use a newer SciPy")

        return missing
    if name == "random_array" and "rng" not in inspect.signature(function).parameters:  # before SciPy 1.15

        def random_array(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **{"random_state" if name == "rng" else name: value for name, value in kwargs.items()})

        return random_array
    return function


METHODS: Final[Mapping[str, SparseOp]] = {
    **{name: SparseOp(f"sparse.{name}", _method(name)) for name in (*ELEMENTWISE, *_METHODS.split())},
    **{name: SparseOp(f"sparse.{name}", _of_one_shape(name)) for name in ("maximum", "minimum")},
    **{name: SparseOp(f"sparse.{name}", operator.attrgetter(name)) for name in _PROPERTIES.split()},
}
"""Methods and properties that compute."""

WRITERS: Final[Mapping[str, SparseOp]] = {
    **{name: SparseOp(f"sparse.{name}", _writer(name)) for name in _WRITERS.split()},
    "setitem": SparseOp("sparse.setitem", _set_item),
}
"""Methods that write to the array, which they return."""

OPERATORS: Final[Mapping[str, SparseOp]] = {
    **{name: SparseOp(f"sparse.{name}", getattr(operator, name)) for name in _OPERATORS.split()},
    "round": SparseOp("sparse.round", round),
}
"""Operators, by the names of Python's module `operator`."""

FUNCTIONS: Final[Mapping[str, SparseOp]] = {name: SparseOp(f"sparse.{name}", _function(name)) for name in _FUNCTIONS.split()}
"""Functions that make sparse arrays or put them together."""

NEWER_FUNCTIONS: Final[Mapping[str, SparseOp]] = {
    name: SparseOp(f"sparse.{name}", getattr(scipy.sparse, name)) for name in _NEWER_FUNCTIONS.split() if hasattr(scipy.sparse, name)
}
"""Those that not every SciPy has."""
