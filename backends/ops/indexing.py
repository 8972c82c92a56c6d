"""Ops that select elements by position, and write to selected elements."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import FIRST_EXTRA
from ..host.cast import cast, cast_weak
from ..op import VIEW, Op
from ..rules import indexing, writing

if TYPE_CHECKING:
    import numpy.typing as npt


def _setitem(array: npt.NDArray[Any], key: Any, value: Any) -> None:
    if array.dtype.num >= FIRST_EXTRA:  # ml_dtypes would round twice
        if type(value) in (bool, int, float):
            value = cast_weak(value, array.dtype)
        elif type(value) is not complex:
            value = cast(np.asarray(value), array.dtype, copy=False)
    array[key] = value


getitem = Op("getitem", operator.getitem, VIEW, rule=indexing.getitem)
setitem = Op("setitem", _setitem, VIEW, rule=writing.setitem, writes=(0,))
