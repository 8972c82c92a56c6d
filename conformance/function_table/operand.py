"""Operands of generated calls: contents from a seed, seen through a view, made alike for NumPy and for a device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ...backends.dtypes import DTYPES, FLOAT8_E8M0FNU, FLOAT32, FLOAT64, KINDS, LOW_PRECISION, DType
from .contents import CONTENTS

__all__ = ["LEAD", "VIEWS", "Lead", "Operand", "Partner", "Weak", "partners"]


class Lead(NamedTuple):
    """Stands for the dtype that a check is about, where a call names one."""

    def __repr__(self) -> str:
        return "LEAD"


LEAD: Final = Lead()


class Partner(NamedTuple):
    """
    Stands for a dtype that the lead dtype meets in one call.

    Attributes
    ----------
    choice : int
        Which of `partners`, counted around.
    """

    choice: int


_PLAIN: Final = tuple(dtype for dtype in DTYPES if dtype not in LOW_PRECISION)
_WITH_LOW: Final = (FLOAT32, FLOAT64)


def partners(lead: DType) -> tuple[DType, ...]:
    """List the dtypes that a lead dtype meets."""
    return (lead, *(_WITH_LOW if lead in LOW_PRECISION else _PLAIN))


class View(NamedTuple):
    """How an array of some shape is seen in a larger or rearranged parent: the parent's shape, and the way to it."""

    parent: Callable[[tuple[int, ...]], tuple[int, ...]]
    look: Callable[[Any], Any]


def _per_axis(key: slice) -> Callable[[Any], Any]:
    return lambda parent: parent[(key,) * parent.ndim] if parent.ndim else parent


VIEWS: Final[Mapping[str, View]] = {
    "contiguous": View(lambda s: s, lambda x: x),
    "reversed": View(lambda s: s, _per_axis(slice(None, None, -1))),
    "transposed": View(lambda s: s[::-1], lambda x: x.T if x.ndim else x),
    "strided": View(lambda s: tuple(2 * n + 1 for n in s), _per_axis(slice(1, None, 2))),
    "window": View(lambda s: tuple(n + 2 for n in s), _per_axis(slice(1, -1))),
    "row of a stack": View(lambda s: (2, *s), lambda x: x[1, ...]),
}
"""The ways to see an array, by name; all are writable."""

_NAMES: Final = tuple(VIEWS)
_PLACE: Final = {dtype: place for place, dtype in enumerate(DTYPES)}


class Operand(NamedTuple):
    """
    An array operand of a generated call.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    view : int
        Which of `VIEWS` it has for the first dtype; the others have the next ones, so that every call meets all views.
    content : str
        A key of `CONTENTS`.
    seed : int
        Where the contents come from.
    dtype : dtype, Partner or None
        Its dtype; None is the lead dtype.
    bounds : tuple of int
        The half-open interval that content ``"index"`` is from.
    """

    shape: tuple[int, ...]
    view: int
    content: str
    seed: int
    dtype: DType | Partner | None = None
    bounds: tuple[int, int] = (0, 1)

    def view_for(self, lead: DType) -> str:
        """Choose the view."""
        return _NAMES[(self.view + _PLACE[lead]) % len(_NAMES)]

    def dtype_for(self, lead: DType) -> DType:
        """Resolve the dtype."""
        if isinstance(self.dtype, Partner):
            choices = partners(lead)
            return choices[self.dtype.choice % len(choices)]
        return lead if self.dtype is None else self.dtype

    def parent(self, lead: DType) -> npt.NDArray[Any]:
        """Make the array that the operand is a view of."""
        view = VIEWS[self.view_for(lead)]
        dtype = self.dtype_for(lead)
        parent = np.ones(view.parent(self.shape), dtype)
        view.look(parent)[...] = CONTENTS[self.content](np.random.default_rng(self.seed), self.shape, dtype, self.bounds)
        return parent

    def look(self, parent: Any, lead: DType) -> Any:
        """See a parent through the view."""
        return VIEWS[self.view_for(lead)].look(parent)


class Weak(NamedTuple):
    """
    A Python scalar of the lead dtype's kind, or of a lower one.

    Attributes
    ----------
    choice : int
        Which scalar, counted around.
    """

    choice: int

    def value(self, lead: DType) -> bool | int | float | complex:
        """Give the scalar."""
        choices = _WEAK[KINDS[lead]]
        if lead == FLOAT8_E8M0FNU:  # powers of two only
            choices = (1, 2, 1.0, 2.0, 0.5)
        return choices[self.choice % len(choices)]


_WEAK: Final[dict[str, tuple[bool | int | float | complex, ...]]] = {
    "bool": (True, False),
    "unsigned integer": (1, 0, 3, 2, True),
    "signed integer": (1, 0, 3, -2, -1, False),
    "real floating": (1, 0, -2, 0.5, -1.5, 0.0, True),
    "complex floating": (1, 0, 0.5, -1.5, 1j, 2 - 0.5j),
}
