"""
Elementwise functions on tiles in SBUF.

`EMITTERS` has a row for each function and `cast` converts; both emit instructions within a kernel, tile by tile. Results are NumPy's
bit for bit (NaN payloads aside) under every reading of the documents that the simulator's knobs have, but for two. Where the Vector
Engine flushes subnormal float32, those of float32 and bfloat16 count as zeros of their sign in sums, differences, products and squares
and for the comparisons, also those within logical functions, sign, floor, ceil, maximum and the like, and casts to bool; quotients,
roots, rint, trunc and whatever copies or looks at bits are not affected. And 32-bit sums, differences, products and squares, and
powers of integers, need GpSimd to wrap; those whose names begin with ``without_wrapping.`` do not.

Notes
-----
One module per family. Exact are arithmetic, integer, division (with the square root), remainder, floating_point, sign, comparison,
logical, bitwise, rounding, predicates, selection and cast; the others are within the error that an `Emitter` tells. `tile` has the
instructions, `significand` takes float32 apart, `pairs` keeps what rounding loses, `pair_arithmetic` goes on with it, `polynomial`
evaluates, `angle_reduction` takes whole
turns away, `sequencer` counts the turns of loops, and `widening` makes a function of float32 one of floats with fewer bits. Nearly all is
work of the Vector Engine, bound by its two cycles per element where two operands are tiles; 32-bit integers, and much else that is a sum,
difference or product of two tiles, go to GpSimd, estimates of quotients and roots to the Scalar Engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...function import DtypeLoop, Emitter, declare_functions, declare_pairs
from .activation_tables import ACTIVATION_TABLES
from .arithmetic import ARITHMETIC
from .bessel import BESSEL
from .bessel_jy import BESSEL_JY
from .bessel_k import BESSEL_K
from .beta import BETAS
from .binary64 import BINARY64, BINARY64_PAIRS
from .bitwise import BITWISE
from .cast import cast, reinterpret
from .comparison import COMPARISONS
from .complex_power import COMPLEX_POWERS
from .digamma import DIGAMMAS
from .digits import DIGITS
from .division import DIVISION
from .divisors import DIVISORS
from .elliptic_integrals import ELLIPTIC_INTEGRALS
from .entropy import ENTROPIES
from .error_function import ERROR_FUNCTIONS
from .exponential import EXPONENTIALS
from .exponential_integrals import EXPONENTIAL_INTEGRALS
from .floating_point import FLOATING_POINT, FREXP
from .gamma import GAMMAS
from .hyperbolic import HYPERBOLIC, SINH_AND_COSH
from .incomplete_beta import INCOMPLETE_BETAS
from .incomplete_gamma import INCOMPLETE_GAMMAS
from .integer import MODULAR
from .integer_power import INTEGER_POWERS
from .inverse_error_function import INVERSE_ERROR_FUNCTIONS
from .inverse_trigonometric import INVERSE_TRIGONOMETRIC
from .log_sum import LOG_SUMS
from .logarithm import LOGARITHMS
from .logical import LOGICAL
from .power import POWERS
from .predicates import PREDICATES
from .remainder import DIVMOD, REMAINDERS
from .riemann_zeta import RIEMANN_ZETA
from .roots import ROOTS
from .rounding import ROUNDING
from .selection import SELECTION
from .sign import SIGNS
from .sort_keys import ORDER
from .student_t import STUDENT_T
from .trigonometric import SIN_AND_COS, TRIGONOMETRIC
from .wide_division import WIDE_DIVISION, WIDE_DIVISION_PAIRS
from .wide_loops import WIDE_LOOP_PAIRS, WIDE_LOOPS
from .zeta import ZETAS

__all__ = ["EMITTERS", "DtypeLoop", "Emitter", "cast", "reinterpret"]

EMITTERS: Final[Mapping[str, Emitter]] = {
    emitter.name: emitter
    for table in (
        ARITHMETIC, DIVISION, SIGNS, COMPARISONS, LOGICAL, BITWISE, ROUNDING, PREDICATES, SELECTION, REMAINDERS, FLOATING_POINT,
        EXPONENTIALS, LOGARITHMS, TRIGONOMETRIC, INVERSE_TRIGONOMETRIC, HYPERBOLIC, ROOTS, POWERS, COMPLEX_POWERS,
        LOG_SUMS, ENTROPIES, ERROR_FUNCTIONS, INVERSE_ERROR_FUNCTIONS, GAMMAS, DIGAMMAS, BESSEL, BESSEL_JY, BESSEL_K,
        ELLIPTIC_INTEGRALS, EXPONENTIAL_INTEGRALS, INCOMPLETE_GAMMAS, BETAS, ZETAS, RIEMANN_ZETA, INCOMPLETE_BETAS, STUDENT_T, ORDER,
        INTEGER_POWERS, MODULAR, DIVISORS, DIGITS, ACTIVATION_TABLES, BINARY64, WIDE_DIVISION, WIDE_LOOPS,
    )
    for emitter in table
}
"""
By NumPy's name, or SciPy's behind ``special.``; of functions with two results there are two. Behind ``without_wrapping.`` is what to emit
where nobody knows that GpSimd's 32-bit integers wrap, and behind ``table.`` where the Scalar Engine's own functions are asked for.
"""

declare_functions(EMITTERS)
declare_pairs((FREXP, DIVMOD, SIN_AND_COS, SINH_AND_COSH, *BINARY64_PAIRS, *WIDE_DIVISION_PAIRS, *WIDE_LOOP_PAIRS))
