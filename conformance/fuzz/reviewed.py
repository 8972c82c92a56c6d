"""What is taken though NumPy or SciPy refuse it, and why: each line was looked at by a person."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["REVIEWED", "review"]


class Reviewed(NamedTuple):
    """
    A sort of call that is taken.

    Attributes
    ----------
    call : re.Pattern
        Found in the call as it is written.
    theirs : re.Pattern
        Found in what NumPy or SciPy raise.
    reason : str
        Why it is taken.
    """

    call: re.Pattern[str]
    theirs: re.Pattern[str]
    reason: str


_TABLE: Final = r"""
. | unexpected keyword argument|device parameter is not supported | a parameter that only ours has
. | AttributeError|descriptor '__getitem__' | NumPy looks at an attribute of an array; ours makes an Array first
. | SystemError|dispatcher for __array_function__ did not return | NumPy's own error is an internal one
. | MemoryError | what the host has no memory for is deferred on a device
clip\( | missing 1 required positional argument | one bound may be left out, as the standard has it
subok= | . | has no effect, as Array has no subclasses
keepdims=|lexsort | None|too large|numpy\.bool | None is the default, and integers and bools of NumPy are truth values
size=|shape|andom|Generat|empty|zeros|ones|full | sequence of integers|integer is required | bools are integers in a shape
a namespace | . | NumPy calls functions of a namespace that it takes for an array; ours looks at arrays only
flatiter\(|SuperLU\( | cannot create | a class to test for; what it is made of is looked at when it is used
vectorize\(|fromfunction\( | . | looked at when the function is called, where NumPy does it before
numpy\.|__array__|a\.dtype | Cannot construct a dtype from|invalid data-type | NumPy itself takes the dtype of an object that is no ndarray
casting= | Cannot cast|cannot cast | numbers take the default floats of a device, which are float32
\d{12}|inf | has no callable|not supported for|dtype\('O'\)|int too large | Python's integers take the dtype of floats, however large
where= | cannot broadcast a non-scalar|more dimensions than allowed | a number is broadcast to its mask
sparse | instantiation from a scalar|invalid input format|must be 2-D|cannot be negative | numbers and rows are matrices
block_diag | not enough values|at least one array | what has no axes, or is an iterator, is looked at, too
aslinearoperator | type not understood | a list of rows is a matrix
LaplacianNd | . | the lengths are what a sequence has, of bytes, too
random_array | iterable argument is empty | a shape may be an iterator
refcheck= | . | has no effect, as nothing counts references here
fft\. | NoneType|not supported for the input types | None is NaN in SciPy's transforms
where=memoryview | . | bytes are numbers
sparse\.eq | . | what cannot be compared is not equal
fftshift | not enough values to unpack | a number has no axis to be shifted along
BadLength | __len__ | a length is asked for where one is needed
shares?_memory|share_memory | inhomogeneous | what is no array shares no memory
rowvar=|stable=|equal_nan=|suppress|density=|check_format|nan_to_num | ambiguous|not allowed for 'copy' | a flag is what is true of it
[fi]info\(|issubdtype\( | . | an array stands for its dtype, as the standard has it
result_type\( | Field elements | a sequence is an operand
_like\( | interpreted as an integer | subok by place has no effect
indices\( | not iterable | one length is a shape of one axis
sign\(a sparse | ambiguous | sparse arrays have signs
argsort\( | can't be provided at the same time | descending=False says what is so by default
spbandwidth | . | a matrix without elements has no diagonals but the main one
percentile\( | scalar or 1d | any number of axes is taken
searchsorted | not supported between instances of 'complex' | complex numbers are in order
vector_norm\( | out of bounds for array of dimension 0 | the last axis of a number is none, as for ufuncs
detrend | infs or NaNs | what waits on a device is not looked at
trim_zeros | list indices | a list is made an array first
softmax\( | 'list' object cannot | no axes are none to sum along
full_like\( | could not broadcast | nothing is filled where there are no elements
roll\( | scalars or 1D | nothing is rolled by no numbers
resample\( | boolean subtract | times that are bools are numbers
a generator | wrong shape | a generator is used up once
"""


def _rows() -> tuple[Reviewed, ...]:
    rows = (line.split(" | ") for line in _TABLE.strip().splitlines())
    return tuple(Reviewed(re.compile(call), re.compile(theirs), reason) for call, theirs, reason in rows)


REVIEWED: Final = _rows()


def review(call: str, theirs: str) -> str:
    """Tell why a call is taken that NumPy refuses."""
    return next((row.reason for row in REVIEWED if row.call.search(call) and row.theirs.search(theirs)), "")
