"""What elementwise functions and reductions declare: dtypes of operands and results, what emits them, and which instructions those are.

Kernels fill the tables; the graph, lowerings and the planner read them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .costs import Costs
from .declarations import Declared

__all__ = [
    "FLOATS",
    "FUNCTIONS",
    "INTEGERS",
    "LOW_FLOATS",
    "NARROW_INTEGERS",
    "PAIRS",
    "REDUCTIONS",
    "WIDE_INTEGERS",
    "WORK_FILE",
    "DtypeLoop",
    "Emit",
    "Emitter",
    "Pair",
    "Table",
    "Tile",
    "Work",
    "declare_functions",
    "declare_pairs",
    "declare_reductions",
    "loops",
    "work_table",
]  # fmt: skip

Tile: TypeAlias = Any
"""An NkiTensor in SBUF."""
Emit: TypeAlias = Callable[..., None]
"""``emit(dst, *operands)``."""

LOW_FLOATS: Final = ("bfloat16", "float16", "float8_e4m3", "float8_e4m3fn", "float8_e5m2")
FLOATS: Final = ("float32", *LOW_FLOATS)
NARROW_INTEGERS: Final = ("int8", "uint8", "int16", "uint16")
WIDE_INTEGERS: Final = ("int32", "uint32")
INTEGERS: Final = (*NARROW_INTEGERS, *WIDE_INTEGERS)


class Work(NamedTuple):
    """
    What a function asks of the engines, as its trace has it.

    Attributes
    ----------
    instructions : tuple of (str, str, float)
        Engine, instruction, and how often it goes over the elements.
    scratch : int
        Bytes of SBUF for each element, beside operands and result.
    """

    instructions: tuple[tuple[str, str, float], ...] = ()
    scratch: int = 0

    @property
    def passes(self) -> float:
        """How many instructions there are for a tile, about."""
        return sum(passes for _, _, passes in self.instructions)

    def times(self, costs: Costs, elements: float) -> dict[str, float]:
        """Predict how long engines are busy."""
        found: dict[str, float] = {}
        for engine, opcode, passes in self.instructions:
            found[engine] = found.get(engine, 0.0) + passes * costs.instruction(opcode, elements, engine)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """
    Words of 32 bits that a function looks up.

    Parameters
    ----------
    rows : int
        How many there are in a column.
    columns : int
        How many columns follow each other.
    make : callable
        Makes the words, when they are needed.
    """

    rows: int
    columns: int
    make: Callable[[], NDArray[np.uint32]]

    @property
    def nbytes(self) -> int:
        """What it takes of each partition."""
        return 4 * self.rows * self.columns


@dataclass(frozen=True, slots=True)
class DtypeLoop:
    """
    A function on one dtype.

    Parameters
    ----------
    emit : callable
        Takes the destination and the operands. The destination has shape (P, F) and dtype `result`; an operand has the loop dtype
        and shape (P, F), or is a run-time scalar: shape (P, 1), of the loop dtype or of float32 with a value of the loop dtype. All
        are contiguous along F.
    result : str
        Dtype of the destination.
    may_alias : tuple of int, optional
        Operands that may be the same view as the destination; no other may share memory with it.
    with_tiles, with_scalar : tuple of engine, optional
        Engines that can do the Vector Engine's work, with the same bits, where operands are tiles, or all but one are run-time scalars;
        the keyword `engine` of `emit` chooses.
    tables : tuple of Table, optional
        What it looks up; their tiles follow the operands.
    late : bool, optional
        Whether the last that `emit` does is to replace rare numbers (``kernels/elementwise/registers.rarely``), which may come after
        the same function of other tiles.
    """

    emit: Emit
    result: str
    may_alias: tuple[int, ...] = ()
    with_tiles: tuple[Any, ...] = ()
    with_scalar: tuple[Any, ...] = ()
    late: bool = False
    tables: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Emitter:
    """
    An elementwise function.

    Parameters
    ----------
    name : str
        NumPy's name.
    arity : int
        Number of operands.
    loops : mapping
        By the dtype of the operands; of `where`, of the second and third one.
    error : float, optional
        How far a float32 result may be from the exact one, in units in the last place; 0 where results are NumPy's bit for bit, infinity
        where nobody knows, or where it is a part of something larger that has a bound.
    needs_wrapping : bool, optional
        Whether 32-bit integers of GpSimd have to wrap, with no other way where the self-test did not find that they do.
    """

    name: str
    arity: int
    loops: Mapping[str, DtypeLoop]
    error: float = 0.0
    needs_wrapping: bool = False

    @property
    def selects(self) -> bool:
        """Whether the first operand is a mask, of bytes, that selects elements of the others."""
        return self.name == "where"


@dataclass(frozen=True, slots=True)
class Pair:
    """
    Elementwise functions, two or more, that share work: a stage that has all of them on the same operands computes them at once.

    Parameters
    ----------
    name : str
        What `explain` prints.
    functions : tuple of str
        Their names.
    loops : mapping
        By the dtype of the operands; ``emit(first, second, *operands)`` takes all destinations, which share no memory with operands.
    """

    name: str
    functions: tuple[str, ...]
    loops: Mapping[str, DtypeLoop]


def loops(dtypes: Iterable[str], emit: Emit, result: str | None = None, may_alias: tuple[int, ...] = ()) -> dict[str, DtypeLoop]:
    """Make the same loop for several dtypes."""
    return {dtype: DtypeLoop(emit, result or dtype, may_alias) for dtype in dtypes}


_functions: Final[dict[str, Emitter]] = {}
_pairs: Final[dict[str, Pair]] = {}
_reductions: Final[dict[str, Callable[[str], str]]] = {}
FUNCTIONS: Final[Mapping[str, Emitter]] = Declared(_functions)
"""Elementwise functions by name."""
PAIRS: Final[Mapping[str, Pair]] = Declared(_pairs)
"""Pairs by the names of their functions; a function is in one at most."""
REDUCTIONS: Final[Mapping[str, Callable[[str], str]]] = Declared(_reductions)
"""Reductions by name: from the dtype of the elements to that of results; sums and extremes may also be rounded to that of the elements."""


WORK_FILE: Final = Path(__file__).with_name("function_work.json")
"""Made by ``python -m trnarray.conformance function-work --write``: lines of name, dtypes, instructions and scratch."""


@cache
def work_table() -> Mapping[tuple[str, str], Work]:
    """Read the work of functions, "pair of" one and its partner, "cast to" a dtype, "reduce by" a function; by name and operands' dtype."""
    return {
        (name, dtype): Work(tuple(map(tuple, instructions)), scratch)
        for name, dtypes, instructions, scratch in json.loads(WORK_FILE.read_text(encoding="utf-8"))
        for dtype in dtypes.split()
    }


def declare_functions(table: Mapping[str, Emitter]) -> None:
    """Register elementwise functions."""
    _functions.update(table)


def declare_pairs(pairs: Iterable[Pair]) -> None:
    """Register pairs of elementwise functions."""
    _pairs.update((name, pair) for pair in pairs for name in pair.functions)


def declare_reductions(table: Mapping[str, Callable[[str], str]]) -> None:
    """Register reductions."""
    _reductions.update(table)
