"""Products of binary64 numbers."""

from __future__ import annotations

from .....isa import nl
from .frame import SIGN, Frame, Number, classes, finished, unpacked
from .instruction_graph import Graph, Word

__all__ = ["multiply", "square"]


def _estimated_carry(small: Word, large: Word, low: Word) -> Word:
    """Find what a sum of products is beyond its lower 32 bits, from an estimate that errs by less than 2**31."""
    return ((small - low) + large).scaled(2.0**-32, dtype=nl.uint32)


def _product(a: Number, b: Number) -> Frame:
    """
    Multiply significands: 56 bits of 106, and in the last one whether there was anything below.

    Products modulo 2**32 are exact, and what they are beyond that follows from float32 products of halves. Of the terms of 2**32 the
    float32 sum errs by less than three quarters of 2**31.
    """
    low = a.low.mul(b.low)
    inner = (a.low.high * b.low.low) + (a.low.low * b.low.high)
    carry = _estimated_carry(a.low.low * b.low.low, inner.scaled(2.0**16), low)
    upper = a.low.high.to(nl.uint32).mul(b.low.high.to(nl.uint32)).add(carry)
    middle = a.high.mul(b.low).add(a.low.mul(b.high)).add(upper)
    small = ((a.high * b.low.low) + (b.high * a.low.low)) + upper
    carry = _estimated_carry(small, ((a.high * b.low.high) + (b.high * a.low.high)).scaled(2.0**16), middle)
    top = a.high.mul(b.high).add(carry)
    above = _estimated_carry(carry, a.high * b.high, top)  # 10 bits
    high = (top >> 14).add(above.scaled(2.0**18, dtype=nl.uint32))
    lost = ((middle << 14) | low).sign(dtype=nl.uint32)
    return Frame(high, (((top << 14) & 0x0FFFFFFF).joined(middle >> 18)) | lost)


def _multiplied(a: tuple[Word, Word], b: tuple[Word, Word]) -> tuple[Word, Word]:
    (first, zero), (second, other_zero) = unpacked(*a), unpacked(*b)
    (special, nan), (other_special, other_nan) = classes(*a), classes(*b)
    none = zero.arithmetic("maximum", other_zero)
    beyond = special.arithmetic("maximum", other_special).arithmetic("greater_equal", 0.0)
    limit = (first.exponent + second.exponent).scaled(1.0, -1020.0)
    limit = limit + (beyond - none).scaled(8192.0)
    invalid = (nan.arithmetic("maximum", other_nan)).arithmetic("maximum", none * beyond).test("greater", 0.0)
    return finished(_product(first, second), limit, (a[0] ^ b[0]) & SIGN, invalid)


def multiply(graph: Graph, a_high: Word, a_low: Word, b_high: Word, b_low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Multiply."""
    return _multiplied((a_high, a_low), (b_high, b_low))


def square(graph: Graph, high: Word, low: Word) -> tuple[Word, Word]:  # noqa: ARG001
    """Multiply by itself."""
    return _multiplied((high, low), (high, low))
