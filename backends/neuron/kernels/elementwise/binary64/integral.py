"""Binary64 numbers without their fractions: floor, ceil, trunc and rint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from .....isa import nl
from .frame import EXPONENT, MAGNITUDE, SIGN, UNIT
from .instruction_graph import Graph, Word

__all__ = ["INTEGRAL"]

Words = tuple[Word, Word]
_ONE: Final = 0x3FF00000
_HALF: Final = 0x3FE00000


def _integral(high: Word, low: Word, up: Word | None, nearest: bool) -> Words:
    """
    Round magnitudes to integers: cut the bits of the fraction off, after something was added to them.

    `up` is all ones where magnitudes are rounded up; `nearest` asks for the nearest one, and of two the even one.
    """
    size = high & MAGNITUDE
    count = (high & EXPONENT).scaled(-1.0 / UNIT, 1075.0)  # bits of the fraction
    within = count.arithmetic("minimum", 52.0).arithmetic("maximum", 0.0)
    near, last = within.arithmetic("minimum", 31.0, nl.uint32), within.positive(1.0, -31.0).arithmetic("minimum", 1.0, nl.uint32)
    far = within.positive(1.0, -32.0)
    ones = high.graph.constant(0xFFFFFFFF)
    mask_high, mask_low = ones << far, (ones << near) << last
    upper, lower = size, low
    if nearest or up is not None:
        if up is None:
            # Half of the last place, less one bit where it is even.
            odd = (((low >> near) >> last).patched(within.test("greater_equal", 32.0), size >> far)) & 1
            odd = odd.patched(within.test("equal", 0.0), 0)
            more_high, more_low = ~mask_high >> 1, (~mask_low >> 1) | (~mask_high << 31)
        else:
            more_high, more_low = ~mask_high & up, ~mask_low & up
        lower = low.add(more_low) if up is not None else low.add(more_low).add(odd)
        carry = ((low + more_low) - lower).scaled(2.0**-32, dtype=nl.uint32)
        upper = size.add(more_high).add(carry)
    upper, lower = upper & mask_high, lower & mask_low
    below = count.test("greater", 52.0)  # 1 in magnitude
    if up is not None:
        inside = ((size | low).sign(dtype=nl.int32).view(nl.uint32).mul(_ONE)) & up
    elif nearest:
        inside = (size.sub(_HALF, nl.int32) + low.sign(dtype=nl.float32)).arithmetic("greater", 0.0, nl.uint32).mul(_ONE)
    else:
        inside = size.sub(size)
    return upper.patched(below, inside) | (high & SIGN), lower.patched(below, 0)


def _trunc(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    return _integral(high, low, None, False)


def _rint(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
    return _integral(high, low, None, True)


def _directed(negative: bool) -> Callable[[Graph, Word, Word], Words]:
    """Round up in magnitude the numbers of one sign."""

    def build(graph: Graph, high: Word, low: Word) -> Words:  # noqa: ARG001
        ones = high.part(1, nl.int16).twice("less" if negative else "greater_equal", 0.0, "multiply", -1.0, nl.int32)
        return _integral(high, low, ones.view(nl.uint32), False)

    return build


INTEGRAL: Final = {"trunc": _trunc, "rint": _rint, "floor": _directed(True), "ceil": _directed(False)}
