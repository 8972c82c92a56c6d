"""Instruction graphs: a function of elements as instructions on tiles, before engines and an order are chosen for them.

A function is written once, on `Word`s; `scheduling` gives the instructions to engines. The float32 arithmetic of the engines is exact on
integers of up to 24 bits; sums and products of 32-bit integers modulo 2**32 are GpSimd's.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from .....isa import nl
from ....function import Table

__all__ = ["Graph", "Step", "Word"]

_ONES: Final = 0xFFFFFFFF
_COMPARISONS: Final = {"less": nl.less, "less_equal": nl.less_equal, "greater": nl.greater, "greater_equal": nl.greater_equal,
                       "equal": nl.equal, "not_equal": nl.not_equal}  # fmt: skip


class Step(NamedTuple):
    """
    An instruction, or an operand.

    Attributes
    ----------
    kind : str
        ``operand``; ``constant``, one number for each partition; ``bits``, one or two bit operators with numbers, or one with a word;
        ``join``, bitwise or of words that have no bit in common, which a sum is, too; ``number``, one or two arithmetic operators with
        numbers; ``arithmetic`` of two words in float32; ``fused``, an operator with a number and then one with a word, in float32;
        ``native``, of 32-bit integers; ``activation``; ``copy``, which converts; ``patch``, which writes over elements that a mask
        selects; ``gather``, which looks a column of a table up; ``sum`` of an activation's results over the free axis.
    inputs : tuple of Word
        Operands.
    dtype : str
        Of the result.
    parameters : tuple
        Operators and numbers.
    """

    kind: str
    inputs: tuple[Word, ...]
    dtype: str
    parameters: tuple[Any, ...] = ()


class Word:
    """
    The result of a step, or a view of it: one element for each element of the function.

    Parameters
    ----------
    graph : Graph
        Where the step is.
    step : int
        Its number.
    dtype : str
        In which its bits are read.
    half : int, optional
        Which 16 bits of each element: 0 or 1, the upper ones.

    Notes
    -----
    ``&``, ``|``, ``^``, ``<<`` and ``>>`` work on bits; ``+``, ``-`` and ``*`` in float32; `add`, `sub` and `mul` modulo 2**32.
    """

    __slots__ = ("dtype", "graph", "half", "step")

    def __init__(self, graph: Graph, step: int, dtype: str, half: int | None = None) -> None:
        self.graph, self.step, self.dtype, self.half = graph, step, dtype, half

    def view(self, dtype: str) -> Word:
        """Read the same bits in another dtype of 32 bits."""
        return Word(self.graph, self.step, dtype)

    def part(self, half: int, dtype: str = nl.uint16) -> Word:
        """Read 16 bits of each element."""
        return Word(self.graph, self.step, dtype, half)

    @property
    def low(self) -> Word:
        """The lower 16 bits."""
        return self.part(0)

    @property
    def high(self) -> Word:
        """The upper 16 bits."""
        return self.part(1)

    def _bits(self, op: Any, other: Word | int) -> Word:
        if isinstance(other, Word):
            return self.graph.step("bits", (self, other), self.dtype, ((op, None),))
        return self.graph.step("bits", (self,), self.dtype, ((op, other),))

    def __and__(self, other: Word | int) -> Word:
        return self._bits(nl.bitwise_and, other)

    def __or__(self, other: Word | int) -> Word:
        return self._bits(nl.bitwise_or, other)

    def joined(self, other: Word) -> Word:
        """Combine with a word of other bits: none is set in both."""
        return self.graph.step("join", (self, other), self.dtype, ((nl.bitwise_or, None),))

    def __xor__(self, other: Word | int) -> Word:
        return self._bits(nl.bitwise_xor, other)

    def __lshift__(self, other: Word | int) -> Word:
        return self._bits(nl.left_shift, other)

    def __rshift__(self, other: Word | int) -> Word:
        return self._bits(nl.right_shift, other)

    def __invert__(self) -> Word:
        return self ^ _ONES

    def _arithmetic(self, op: Any, other: Word | float, dtype: str = nl.float32) -> Word:
        if isinstance(other, Word):
            return self.graph.step("arithmetic", (self, other), dtype, (op,))
        return self.graph.step("number", (self,), dtype, ((op, float(other)),))

    def __add__(self, other: Word | float) -> Word:
        return self._arithmetic(nl.add, other)

    def __sub__(self, other: Word | float) -> Word:
        return self._arithmetic(nl.subtract, other)

    def __mul__(self, other: Word | float) -> Word:
        return self._arithmetic(nl.multiply, other)

    def arithmetic(self, name: str, other: Word | float, dtype: str = nl.float32) -> Word:
        """Combine in float32, and round to a dtype."""
        return self._arithmetic(getattr(nl, name), other, dtype)

    def twice(self, op0: str, first: float, op1: str, second: float, dtype: str = nl.float32) -> Word:
        """Combine ``(self op0 first) op1 second`` in float32, where the first result is exact."""
        return self.graph.step("number", (self,), dtype, ((getattr(nl, op0), float(first)), (getattr(nl, op1), float(second))))

    def fused(self, factor: float, other: Word, dtype: str = nl.float32, op: str = "multiply", then: str = "add") -> Word:
        """Give ``(self op factor) then other`` in float32, where the first is exact, the other one is 0, or the result is an estimate."""
        return self.graph.step("fused", (self, other), dtype, (getattr(nl, op), float(factor), getattr(nl, then)))

    def gathered(self, table: Table, column: int, dtype: str = nl.uint32) -> Word:
        """Look up words of a table by rows, in uint32."""
        return self.graph.step("gather", (self,), dtype, (table, column))

    def _native(self, op: Any, other: Word | int, dtype: str | None) -> Word:
        if not isinstance(other, Word):
            other = self.graph.constant(other)
        return self.graph.step("native", (self, other), dtype or self.dtype, (op,))

    def add(self, other: Word | int, dtype: str | None = None) -> Word:
        """Add modulo 2**32."""
        return self._native(nl.add, other, dtype)

    def sub(self, other: Word | int, dtype: str | None = None) -> Word:
        """Subtract modulo 2**32."""
        return self._native(nl.subtract, other, dtype)

    def mul(self, other: Word | int, dtype: str | None = None) -> Word:
        """Multiply modulo 2**32."""
        return self._native(nl.multiply, other, dtype)

    def test(self, name: str, other: Word | float) -> Word:
        """Compare in float32, which is exact where one side is 0 or both have 24 bits: bytes of 0 and 1."""
        return self._arithmetic(_COMPARISONS[name], other, nl.uint8)

    def scaled(self, scale: float, bias: float = 0.0, dtype: str = nl.float32, function: Any = None) -> Word:
        """Apply a function of the Scalar Engine, by default none, to ``scale self + bias``; integers are rounded to nearest even."""
        return self.graph.step("activation", (self,), dtype, (function or nl.copy, float(scale), float(bias)))

    def positive(self, scale: float = 1.0, bias: float = 0.0, dtype: str = nl.uint32) -> Word:
        """Give ``max(scale self + bias, 0)``."""
        return self.scaled(scale, bias, dtype, nl.relu)

    def sign(self, scale: float = 1.0, bias: float = 0.0, dtype: str = nl.int32) -> Word:
        """Give the sign of ``scale self + bias``: -1, 0 or 1."""
        return self.scaled(scale, bias, dtype, nl.sign)

    def to(self, dtype: str) -> Word:
        """Convert, rounded to nearest even."""
        return self.graph.step("copy", (self,), dtype)

    def patched(self, mask: Word, other: Word | int, reverse: bool = False) -> Word:
        """Take another word, or a number, where a mask is not 0."""
        copied = self.graph.step("copy", (self,), self.dtype)
        inputs = (copied, mask, other) if isinstance(other, Word) else (copied, mask)
        return self.graph.step("patch", inputs, self.dtype, (None if isinstance(other, Word) else other, reverse))


class Graph:
    """
    Steps in the order in which they were written, each after its operands; equal ones are one.

    Attributes
    ----------
    steps : list of Step
        All.
    rare : list of int
        Those whose sum is positive where there are operands that the function is not right for.
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.rare: list[int] = []
        self._places: dict[Any, int] = {}

    def step(self, kind: str, inputs: tuple[Word, ...], dtype: str, parameters: tuple[Any, ...] = ()) -> Word:
        """Append a step."""
        key = kind, tuple((word.step, word.dtype, word.half) for word in inputs), dtype, repr(parameters)
        place = self._places.get(key) if kind not in ("operand", "copy", "patch") else None
        if place is None:
            place = self._places[key] = len(self.steps)
            self.steps.append(Step(kind, inputs, dtype, parameters))
        return Word(self, place, dtype)

    def beyond(self, word: Word, scale: float, limit: float) -> None:
        """Say that the function is not right where ``scale word`` is beyond a limit."""
        self._sum(word, nl.relu, scale, -limit)

    def subnormal(self, number: Word, exponent: Word) -> None:
        """Say that the function is not right where a number is not 0 and its exponent is; neither is negative."""
        self._sum(number, nl.sign, 1.0, 0.0)
        self._sum(exponent, nl.sign, -1.0, 0.0)

    def _sum(self, word: Word, function: Any, scale: float, bias: float) -> None:
        step = self.step("sum", (word,), nl.float32, (function, scale, bias)).step
        if step not in self.rare:  # of an operand that is both
            self.rare.append(step)

    def operand(self, dtype: str) -> Word:
        """Append an operand."""
        return self.step("operand", (), dtype)

    def constant(self, value: float, dtype: str = nl.uint32) -> Word:
        """Make a number that all elements have."""
        return self.step("constant", (), dtype, (value,))
