"""
Elementwise functions on tiles in SBUF.

`EMITTERS` has a row for each function and `cast` converts; both emit instructions within a kernel, tile by tile. Results are NumPy's
bit for bit (NaN payloads aside) under every reading of the documents that the simulator's knobs have, but for two. Where the Vector
Engine flushes subnormal float32, those of float32 and bfloat16 count as zeros of their sign in sums, differences, products and squares
and for the comparisons, also those within logical functions, sign, floor, ceil, maximum and the like, and casts to bool; quotients,
roots, rint, trunc and whatever copies or looks at bits are not affected. And 32-bit sums, differences, products and squares need
GpSimd to wrap, or else `WITHOUT_WRAPPING`.

Notes
-----
One module per family: arithmetic, integer, division (with the square root), sign, comparison, logical, bitwise, rounding, predicates,
selection, cast, exponential (with logarithms, whose error an `Emitter` tells); `tile` has the instructions, `significand` takes float32
apart. Nearly all is work of the Vector Engine, bound by its two cycles per element where two operands are tiles; 32-bit integers go to
GpSimd, estimates of quotients and roots to the Scalar Engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .arithmetic import ARITHMETIC
from .bitwise import BITWISE
from .cast import cast, cast_cost
from .comparison import COMPARISONS
from .division import DIVISION
from .emitter import Cost, Emitter, Loop
from .exponential import EXPONENTIALS
from .integer import WITHOUT_WRAPPING
from .logical import LOGICAL
from .predicates import PREDICATES
from .rounding import ROUNDING
from .selection import SELECTION
from .sign import SIGNS

__all__ = ["EMITTERS", "WITHOUT_WRAPPING", "Cost", "Emitter", "Loop", "cast", "cast_cost"]

EMITTERS: Final[Mapping[str, Emitter]] = {
    emitter.name: emitter
    for table in (ARITHMETIC, DIVISION, SIGNS, COMPARISONS, LOGICAL, BITWISE, ROUNDING, PREDICATES, SELECTION, EXPONENTIALS)
    for emitter in table
}
"""By NumPy's name."""
