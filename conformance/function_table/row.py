"""A row of the table: how a function is called, what it is compared with, and how closely."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from ...backends.dtypes import DTYPES, FLOAT8_E8M0FNU, KINDS, LOW_PRECISION, DType
from .template import Call

__all__ = [
    "ALL",
    "COMPLEX",
    "CORRECT",
    "EXACT",
    "FLOATING",
    "INTEGRAL",
    "PLAIN",
    "REAL",
    "REAL_FLOATING",
    "WITH_ZERO",
    "Digest",
    "Row",
    "Tolerance",
    "rows",
]

ALL: Final = DTYPES
PLAIN: Final = tuple(dtype for dtype in DTYPES if dtype not in LOW_PRECISION)
FLOATING: Final = tuple(dtype for dtype, kind in KINDS.items() if "floating" in kind)
REAL: Final = tuple(dtype for dtype, kind in KINDS.items() if kind != "complex floating")
REAL_FLOATING: Final = tuple(dtype for dtype, kind in KINDS.items() if kind == "real floating")
WITH_ZERO: Final = tuple(dtype for dtype in DTYPES if dtype != FLOAT8_E8M0FNU)  # which holds powers of two, without sign
INTEGRAL: Final = tuple(dtype for dtype, kind in KINDS.items() if "integer" in kind)
COMPLEX: Final = tuple(dtype for dtype, kind in KINDS.items() if kind == "complex floating")

Digest: TypeAlias = Callable[[list[npt.NDArray[Any]]], Sequence[npt.NDArray[Any]]]


class Tolerance(NamedTuple):
    """
    How far a floating result may be from NumPy's.

    Where the dtype is a low-precision one, the reference is computed in float64; ours is computed in float32 and
    rounded once, which may move it to the neighbour: one spacing of the dtype is allowed on top of `roundoffs` of float32.

    Attributes
    ----------
    roundoffs : float
        The distance in unit roundoffs of the dtype that is computed in, times the scale.
    reason : str
        Why so many.
    scale : str or callable
        What the roundoffs are relative to: ``"value"``, each value; ``"norm"``, the largest of the result;
        ``"absolute"``, what the function gives for the operands' absolute values (the condition of a sum), or what another
        function gives for them.
    rounds : bool
        False where elements are only moved, so that low-precision ones are exact too.
    """

    roundoffs: float
    reason: str
    scale: str | Callable[..., Any] = "value"
    rounds: bool = True


EXACT: Final = Tolerance(0, "elements are moved or compared, not computed", rounds=False)
CORRECT: Final = Tolerance(
    0, "correctly rounded; so is a low-precision result, since float32 has more than twice its digits and two more", rounds=False
)


class Row(NamedTuple):
    """
    One function of the table.

    Attributes
    ----------
    name : str
        Its name below trnarray, as ``"linalg.qr"``.
    calls : SearchStrategy
        Draws a `Call`.
    tolerance : Tolerance
        How close results must be.
    dtypes : tuple of dtype
        The lead dtypes.
    reference : callable or str or None
        What NumPy computes in its place: a function, or the name of NumPy's; None where the names agree.
    digest : callable or None
        What is compared of the result's arrays where they are not unique, as those of a decomposition.
    function : callable or None
        Calls ours, given the namespace, where that is more than a call by name.
    alike : tuple of type
        Kinds of exceptions that count as one here.
    alternative : callable or None
        Gives what counts as well, in each element, where NumPy's result depends on the CPU or is less accurate; it is masked where there
        are no digits.
    difference : str
        In what the standard differs from NumPy here, which `reference` takes into account.
    """

    name: str
    calls: st.SearchStrategy[Call]
    tolerance: Tolerance = EXACT
    dtypes: tuple[DType, ...] = ALL
    reference: Callable[..., Any] | str | None = None
    digest: Digest | None = None
    function: Callable[..., Any] | None = None
    alike: tuple[type[BaseException], ...] = ()
    alternative: Callable[..., Any] | None = None
    difference: str = ""

    def numpy_function(self) -> Callable[..., Any] | None:
        """Find the reference."""
        if callable(self.reference):
            return self.reference
        found: Callable[..., Any] | None = _attribute(np, self.reference or self.name)
        return found

    def our_function(self, namespace: Any) -> Callable[..., Any] | None:
        """Find the function under test."""
        found: Callable[..., Any] | None = _attribute(namespace, self.name)
        function = self.function
        if found is None or function is None:
            return found
        return lambda *args, **kwargs: function(namespace, *args, **kwargs)


def _attribute(namespace: Any, name: str) -> Any:
    for part in name.split("."):
        namespace = getattr(namespace, part, None)
    return namespace


def rows(names: str, calls: st.SearchStrategy[Call], tolerance: Tolerance = EXACT, **kwargs: Any) -> tuple[Row, ...]:
    """Make the rows of functions that are called alike."""
    return tuple(Row(name, calls, tolerance, **kwargs) for name in names.split())
