"""What a case is, and how it is traced."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...backends.simulator import isa, language
from ...backends.simulator.jit import Kernel
from ...backends.simulator.options import options
from ...backends.simulator.program.program import Program
from ...backends.simulator.tensor.nkitensor import NkiTensor
from ...backends.simulator.tensor.storage import MemoryRegion

__all__ = ["Call", "Case", "Operand", "all_cases", "hbm", "psum", "sbuf", "trace_case"]


@dataclass(frozen=True)
class Operand:
    """
    A tensor that a case makes.

    Parameters
    ----------
    shape : tuple of int
        Extents.
    dtype : str
        NKI dtype.
    buffer : MemoryRegion
        Where.
    view : callable, optional
        Takes the tensor; returns the view to pass.
    """

    shape: tuple[int, ...]
    dtype: str
    buffer: MemoryRegion
    view: Callable[[NkiTensor], NkiTensor] | None = None

    def make(self) -> NkiTensor:
        """Make the tensor."""
        tensor = language.ndarray(self.shape, self.dtype, self.buffer)
        return tensor if self.view is None else self.view(tensor)


def sbuf(*shape: int, dtype: str = "float32", view: Callable[[NkiTensor], NkiTensor] | None = None) -> Operand:
    """Tensor in SBUF."""
    return Operand(shape, dtype, MemoryRegion.sbuf, view)


def psum(*shape: int, dtype: str = "float32", view: Callable[[NkiTensor], NkiTensor] | None = None) -> Operand:
    """Tensor in PSUM."""
    return Operand(shape, dtype, MemoryRegion.psum, view)


def hbm(*shape: int, dtype: str = "float32", view: Callable[[NkiTensor], NkiTensor] | None = None) -> Operand:
    """Tensor in HBM."""
    return Operand(shape, dtype, MemoryRegion.private_hbm, view)


class Call:
    """
    One instruction.

    Parameters
    ----------
    name : str
        In nki.isa.
    **arguments
        Its arguments; operands are made.
    """

    def __init__(self, name: str, **arguments: Any) -> None:
        self.name, self.arguments = name, arguments

    def but(self, **changes: Any) -> Call:
        """Change arguments."""
        return Call(self.name, **{**self.arguments, **changes})

    def __call__(self) -> None:
        """Make the operands and issue the instruction."""
        values = {key: value.make() if isinstance(value, Operand) else value for key, value in self.arguments.items()}
        getattr(isa, self.name)(**values)


class Case(NamedTuple):
    """
    A constraint with both sides of it.

    Attributes
    ----------
    rule : str
        ``"opcode:rule"``, or ``"*:rule"``.
    breaks : callable
        A program, as a function of no arguments, that breaks the rule.
    holds : callable
        One that barely does not.
    target : str
        Where the first is traced.
    holds_on : str, optional
        Where the second is traced, if elsewhere.
    cores : tuple of int
        Cores of the logical core for the first and for the second.
    """

    rule: str
    breaks: Callable[[], object]
    holds: Callable[[], object]
    target: str = "trn2"
    holds_on: str | None = None
    cores: tuple[int, int] = (1, 1)


def trace_case(body: Callable[[], object], target: str, cores: int = 1) -> Program:
    """Trace a side of a case."""

    def case() -> None:
        body()

    with options(target):
        return Kernel(case, cores).program()


def all_cases() -> Iterator[Case]:
    """Every case."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(importlib.import_module(package).__path__, package + "."):
        yield from getattr(importlib.import_module(module.name), "CASES", ())
