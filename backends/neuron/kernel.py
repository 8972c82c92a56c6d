"""What a kernel declares of itself: its results, the stage that runs it, what may be fused with it, and how `explain` names it.

A kernel's module holds its declaration, made with `declare`; a lowering calls it by name with `build.call`. Nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from ..rules import Signature

__all__ = ["InvalidCallError", "Invocation", "Kernel", "Prologue", "Ruling", "declare", "kernel"]


Ruling: TypeAlias = tuple[tuple[Signature, ...], tuple[Hashable, ...]]
"""Signatures of the results, and parameters of the stage."""


class InvalidCallError(ValueError):
    """A call in the graph whose operands or attributes its declaration does not allow."""


class Prologue(NamedTuple):
    """
    Elementwise functions that a kernel applies to tiles of an operand as it loads them.

    Attributes
    ----------
    columns : int
        Columns of the matrix that the kernel has tiles of; 0 for a row of all elements.
    most : int or None
        How many functions; None for any number.
    whole : bool
        Whether each operand of the functions is a whole tensor or one element.
    """

    columns: int
    most: int | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """
    The declaration of a kernel that is a stage of its own.

    Parameters
    ----------
    name : str
        By which lowerings call it.
    rule : callable
        ``rule(*signatures, **attributes)`` gives the signatures of the results and the parameters of the stage; it raises
        `InvalidCallError` for operands that the kernel does not take.
    emit : callable
        ``emit(emission, *parameters)`` emits the instructions of a stage.
    computes, over : str, optional
        What `explain` prints, formatted with the parameters; by default the name and all parameters.
    pure : bool, optional
        Whether equal calls have equal results, so that one of them serves.
    in_place : bool, optional
        Whether the first result is the memory of the first operand, of which the kernel changes some elements.
    prologue : callable, optional
        ``prologue(operand, *parameters)`` says which functions of that operand the kernel takes.
    epilogue : callable, optional
        ``epilogue(*parameters)`` gives the columns of the matrix whose tiles the kernel gives to functions of its result; 0 for none.
    """

    name: str
    rule: Callable[..., Ruling]
    emit: Callable[..., None]
    computes: str = ""
    over: str = ""
    pure: bool = True
    in_place: bool = False
    prologue: Callable[..., Prologue | None] | None = None
    epilogue: Callable[..., int] | None = None

    def invoke(self, *operands: Signature, **attributes: Any) -> Invocation:
        """Apply the rule."""
        results, parameters = self.rule(*operands, **attributes)
        return Invocation(self, parameters, results)

    def describe(self, parameters: tuple[Hashable, ...]) -> tuple[str, str]:
        """Say what a stage computes, and over which extents."""
        over = self.over or ", ".join("{}" for _ in parameters)
        return (self.computes or self.name).format(*parameters), over.format(*parameters).removeprefix("1 of ")


class Invocation(NamedTuple):
    """
    A kernel with all that its program depends on.

    Attributes
    ----------
    kernel : Kernel
        Which.
    parameters : tuple
        Extents and names, of which plans are made.
    results : tuple of Signature
        What it gives.
    """

    kernel: Kernel
    parameters: tuple[Hashable, ...]
    results: tuple[Signature, ...]


_KERNELS: Final[dict[str, Kernel]] = {}


def declare(declared: Kernel) -> Kernel:
    """Register a kernel under its name, which must be free."""
    if _KERNELS.setdefault(declared.name, declared) is not declared:
        raise ValueError(f"there is a kernel named {declared.name!r} already; choose another name")
    return declared


def kernel(name: str) -> Kernel:
    """Look a kernel up."""
    return _KERNELS[name]
