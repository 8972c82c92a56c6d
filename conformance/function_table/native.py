"""The dtypes that a NeuronCore computes with, and the calls that it makes in them: indices, too, which are of int64 else."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...backends.dtypes import BOOL, COMPLEX64, DTYPES, INT32, INT64, DType
from ...backends.neuron.dtypes import NKI_NAMES
from ...backends.promotion import NEURON
from .operand import Lead, Operand, Weak
from .row import Row
from .template import Call

__all__ = ["NATIVE", "is_native", "leads_of", "with_default_integers"]

NATIVE: Final = tuple(dtype for dtype in DTYPES if dtype in NKI_NAMES or dtype in (BOOL, COMPLEX64))
"""The dtypes that a NeuronCore computes with."""
_PLACES: Final = ("index", "sorting")
"""Contents that are indices, which meet no elements."""
_NUMBERS: Final = frozenset({bool, int, float, complex} | {dtype.type for dtype in DTYPES})


def leads_of(row: Row) -> tuple[DType, ...]:
    """List the native dtypes that a function is called for."""
    return tuple(dtype for dtype in row.dtypes if dtype in NATIVE) or ((INT32,) if row.dtypes == (INT64,) else ())


def with_default_integers(call: Call) -> Call:
    """Give indices the default dtype of a NeuronCore, int32."""

    def narrow(item: Operand | Weak | Lead) -> Any:
        return item._replace(dtype=INT32) if isinstance(item, Operand) and item.dtype == INT64 else item

    args, kwargs = call.realize(narrow)
    return call._replace(args=tuple(args), kwargs=kwargs)


def is_native(call: Call, lead: DType) -> bool:
    """Tell whether all dtypes of a call, and the one in which those of its elements meet, are native."""
    meeting: list[Any] = []
    indices: list[Any] = []

    def note(item: Operand | Weak | Lead) -> Any:
        if isinstance(item, Operand):
            (indices if item.content in _PLACES else meeting).append(item.dtype_for(lead))
        return item

    args, kwargs = call.realize(note)
    meeting += [item for item in [*args, *kwargs.values()] if isinstance(item, np.dtype) or (isinstance(item, type) and item in _NUMBERS)]
    if not all(np.dtype(dtype) in NATIVE for dtype in [lead, *indices, *meeting]):
        return False
    try:
        return not meeting or NEURON.result_type(*meeting) in NATIVE
    except TypeError:
        return True
