"""The dtypes that a NeuronCore computes with, and the calls that it makes in them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...backends.dtypes import BOOL, COMPLEX64, DTYPES, DType
from ...backends.neuron.dtypes import NKI_NAMES
from ...backends.promotion import NEURON
from .operand import Lead, Operand, Weak
from .template import Call

__all__ = ["NATIVE", "is_native"]

NATIVE: Final = tuple(dtype for dtype in DTYPES if dtype in NKI_NAMES or dtype in (BOOL, COMPLEX64))
"""The dtypes that a NeuronCore computes with."""
_NUMBERS: Final = frozenset({bool, int, float, complex} | {dtype.type for dtype in DTYPES})


def is_native(call: Call, lead: DType) -> bool:
    """
    Tell whether all dtypes of a call, and the one in which they meet, are native.

    Parameters
    ----------
    call : Call
        The call.
    lead : dtype
        The dtype that stands for the placeholder.

    Returns
    -------
    bool
        True, too, where dtypes do not meet, which is for the function to say.
    """
    dtypes: list[Any] = [lead]

    def note(item: Operand | Weak | Lead) -> Any:
        if isinstance(item, Operand):
            dtypes.append(item.dtype_for(lead))
        return item

    args, kwargs = call.realize(note)
    named = [item for item in [*args, *kwargs.values()] if isinstance(item, np.dtype) or (isinstance(item, type) and item in _NUMBERS)]
    if not all(np.dtype(dtype) in NATIVE for dtype in [*dtypes, *named]):
        return False
    meeting = [*dtypes[1:], *named]
    try:
        return not meeting or NEURON.result_type(*meeting) in NATIVE
    except TypeError:
        return True
