"""Values of the engines' sequencers: registers, which can be written, and scalars, which are expressions over loaded values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, NoReturn, TypeVar

__all__ = ["NkiScalar", "RuntimeValue", "Turns", "VirtualRegister", "evaluate", "expect", "registers_of", "wrap"]

_REMEDY = "its value is not known while the kernel is traced; use nl.fori_loop or nl.while_loop for loops and predication for choices"


class Turns(NamedTuple):
    """
    How often a loop runs whose bound only data tell, as the kernel states it.

    Attributes
    ----------
    likely : int
        For ordinary data: what predictions count.
    most : int
        For the worst data.
    """

    likely: int
    most: int


class _NotKnown:
    """What cannot be done with a value that exists only on the device."""

    __slots__ = ()

    def _refuse(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be used in Python control flow or converted: {_REMEDY}")

    def __bool__(self) -> bool:  # noqa: PLE0304  refuses
        self._refuse()

    def __int__(self) -> int:
        self._refuse()

    def __index__(self) -> int:  # noqa: PLE0305  refuses
        self._refuse()

    def __float__(self) -> float:
        self._refuse()


class VirtualRegister(_NotKnown):
    """
    A 32-bit register.

    Parameters
    ----------
    state : int, optional
        Number of the register within its program.
    frozen : bool, optional
        Whether it cannot be written, as a loop's index.
    """

    __slots__ = ("frozen", "state", "turns")

    def __init__(self, state: Any = None, frozen: bool = False) -> None:
        self.state, self.frozen = state, frozen
        self.turns: Turns | None = None  # what `expect` stated

    def __repr__(self) -> str:
        return f"r{self.state}"


_SYMBOLS: Final = {"add": "+", "subtract": "-", "multiply": "*"}


class NkiScalar(_NotKnown):
    """
    An integer computed on the device.

    Parameters
    ----------
    state : object
        Number of the register it was loaded into, or ``(operator, left, right)``.
    dtype : str, optional
        ``"int32"``, which wraps, or ``"int64"``.
    is_comparison : bool, optional
        Whether it is the result of a comparison, which cannot be used.
    """

    __slots__ = ("dtype", "is_comparison", "state", "turns")

    def __init__(self, state: Any, dtype: str | None = None, is_comparison: bool = False) -> None:
        self.state, self.dtype, self.is_comparison = state, dtype or "int32", is_comparison
        self.turns: Turns | None = None  # what `expect` stated

    def _combine(self, operator: str, left: NkiScalar | int, right: NkiScalar | int) -> NkiScalar:
        for side in (left, right):
            if isinstance(side, NkiScalar) and (side.dtype != self.dtype or side.is_comparison):
                raise TypeError(f"cannot {operator} {left!r} and {right!r}: dtypes must match and comparisons cannot be used")
        return NkiScalar((operator, left, right), self.dtype)

    def __add__(self, other: NkiScalar | int) -> NkiScalar:
        return self._combine("add", self, other)

    def __radd__(self, other: int) -> NkiScalar:
        return self._combine("add", other, self)

    def __sub__(self, other: NkiScalar | int) -> NkiScalar:
        return self._combine("subtract", self, other)

    def __rsub__(self, other: int) -> NkiScalar:
        return self._combine("subtract", other, self)

    def __mul__(self, other: NkiScalar | int) -> NkiScalar:
        return self._combine("multiply", self, other)

    def __rmul__(self, other: int) -> NkiScalar:
        return self._combine("multiply", other, self)

    def __neg__(self) -> NkiScalar:
        return self._combine("subtract", 0, self)

    def _compare(self, operator: str, other: object) -> NkiScalar:
        if self.dtype == "int64":
            raise TypeError("64-bit scalars have no comparisons")
        return NkiScalar((operator, self, other), self.dtype, is_comparison=True)

    def __lt__(self, other: object) -> NkiScalar:
        return self._compare("less", other)

    def __le__(self, other: object) -> NkiScalar:
        return self._compare("less_equal", other)

    def __gt__(self, other: object) -> NkiScalar:
        return self._compare("greater", other)

    def __ge__(self, other: object) -> NkiScalar:
        return self._compare("greater_equal", other)

    def __eq__(self, other: object) -> NkiScalar:  # type: ignore[override]
        return self._compare("equal", other)

    def __ne__(self, other: object) -> NkiScalar:  # type: ignore[override]
        return self._compare("not_equal", other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if isinstance(self.state, tuple):
            operator, left, right = self.state
            return f"({left!r} {_SYMBOLS.get(operator, operator)} {right!r})"
        return f"s{self.state}"


RuntimeValue = VirtualRegister | NkiScalar
_Bound = TypeVar("_Bound")


def expect(bound: _Bound, likely: int, most: int) -> _Bound:
    """
    State how often a loop will run whose bound, or condition, only data tell. It changes predictions and no result.

    Parameters
    ----------
    bound : NkiScalar, VirtualRegister or int
        The upper bound of a counted loop that begins at 0, or the first condition of ``nl.while_loop``.
    likely, most : int
        Turns for ordinary data, and for the worst.

    Returns
    -------
    NkiScalar, VirtualRegister or int
        `bound` itself.
    """
    if isinstance(bound, VirtualRegister | NkiScalar):
        bound.turns = Turns(likely, most)
    return bound


def wrap(value: int, bits: int = 32) -> int:
    """
    Wrap into two's complement.

    Examples
    --------
    >>> wrap(100000 * 100000)
    1410065408
    """
    half = 1 << (bits - 1)
    return ((value + half) & ((1 << bits) - 1)) - half


def evaluate(value: RuntimeValue | int, registers: Mapping[int, int]) -> int:
    """Evaluate a register or an expression."""
    if isinstance(value, int):
        return value
    if not isinstance(value.state, tuple):
        return registers[value.state]
    operator, left, right = value.state
    a, b = evaluate(left, registers), evaluate(right, registers)
    result = a + b if operator == "add" else a - b if operator == "subtract" else a * b
    return wrap(result, 64 if isinstance(value, NkiScalar) and value.dtype == "int64" else 32)


def registers_of(value: object) -> set[int]:
    """Collect the registers that an expression reads."""
    if not isinstance(value, _REGISTERS):
        return set()
    if isinstance(value.state, tuple):
        return registers_of(value.state[1]) | registers_of(value.state[2])
    return {value.state}


_REGISTERS: Final = (VirtualRegister, NkiScalar)
