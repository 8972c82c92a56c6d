"""What a kernel declares of itself: results, variants and what they are predicted to take, what may be fused, and how `explain` names it.

A kernel's module holds its declaration, made with `declare`; a lowering calls it by name with `build.call`. Nothing else names it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from ..rules import Signature
from .costs import Costs
from .declarations import declare_all

__all__ = ["Estimate", "InvalidCallError", "Invocation", "Kernel", "Prologue", "Ruling", "Variant", "declare", "estimate", "kernel"]


Ruling: TypeAlias = tuple[tuple[Signature, ...], tuple[Hashable, ...]]
"""Signatures of the results, and parameters of the stage."""


Estimate: TypeAlias = Callable[..., float]
"""``estimate(costs, results, *parameters)`` gives ns, from the `Costs` and the signatures of the results."""


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


class Variant(NamedTuple):
    """
    One of several ways to compute the results of a kernel. Of those that take a call, all give the same bits: the planner chooses.

    Attributes
    ----------
    name : str
        A word or two that `explain` prints.
    estimate : callable
        An `Estimate` of what it takes, in closed form; infinite for calls that the variant does not take.
    emit : callable or None
        As of `Kernel`.
    expand : callable or None
        In the place of `emit`: ``expand(*operands, *parameters)`` makes the results, as nodes of other kernels and functions, before
        they are fused.
    """

    name: str
    estimate: Estimate
    emit: Callable[..., None] | None = None
    expand: Callable[..., Sequence[Any]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """
    The declaration of a kernel that is a stage of its own, or, by its variants, several.

    Parameters
    ----------
    name : str
        By which lowerings call it.
    rule : callable
        ``rule(*signatures, **attributes)`` gives the signatures of the results and the parameters of the stage; it raises
        `InvalidCallError` for operands that the kernel does not take.
    emit : callable or None
        ``emit(emission, *parameters)`` emits the instructions of a stage; None where variants do.
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
    variants : tuple of Variant, optional
        Ways to compute it, of which the planner takes the one with the shortest predicted time.
    estimate : callable, optional
        An `Estimate` of a kernel that variants of others are made of.
    numbers : bool, optional
        Whether operands that are numbers of the launch reach the kernel as such, and not by way of HBM.
    kept : bool, optional
        Whether programs with it may be kept for other processes: the kernel's source is part of their keys, as that of users is not.
    """

    name: str
    rule: Callable[..., Ruling]
    emit: Callable[..., None] | None
    computes: str = ""
    over: str = ""
    pure: bool = True
    in_place: bool = False
    prologue: Callable[..., Prologue | None] | None = None
    epilogue: Callable[..., int] | None = None
    variants: tuple[Variant, ...] = ()
    estimate: Estimate | None = None
    numbers: bool = False
    kept: bool = True

    def __post_init__(self) -> None:
        if (self.emit is None) == (not self.variants) or any((one.emit is None) == (one.expand is None) for one in self.variants):
            raise ValueError(f"kernel {self.name!r} is emitted by one function, or each of its variants by one or as a graph")
        if len({one.expand is None for one in self.variants}) > 1:
            raise ValueError(f"variants of kernel {self.name!r} are all emitted or all graphs")

    @property
    def expands(self) -> bool:
        """Tell whether variants are graphs of other calls, and the kernel no stage."""
        return bool(self.variants) and self.variants[0].expand is not None

    def emitter(self, variant: str) -> Callable[..., None]:
        """Look up the function that emits a variant; the kernel's own, where the name is empty."""
        found = next((one.emit for one in self.variants if one.name == variant), self.emit)
        if found is None:
            raise InvalidCallError(f"{self.name} emits no variant {variant!r}; it has {', '.join(one.name for one in self.variants)}")
        return found

    def invoke(self, *operands: Signature, **attributes: Any) -> Invocation:
        """Apply the rule."""
        results, parameters = self.rule(*operands, **attributes)
        return Invocation(self, parameters, results)

    def takes(self, *operands: Signature, **attributes: Any) -> bool:
        """Tell whether the rule does."""
        try:
            self.rule(*operands, **attributes)
        except InvalidCallError:
            return False
        return True

    def describe(self, parameters: tuple[Hashable, ...], variant: str = "") -> tuple[str, str]:
        """Say what a stage computes, and over which extents."""
        over = self.over or ", ".join("{}" for _ in parameters)
        computes = (self.computes or self.name).format(*parameters)
        return f"{computes}, {variant}" if variant else computes, over.format(*parameters).removeprefix("1 of ")


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
    if name not in _KERNELS:
        declare_all()
    return _KERNELS[name]


def estimate(name: str, costs: Costs, results: tuple[Signature, ...], *parameters: Hashable) -> float:
    """Estimate what a kernel takes, by its fastest variant, in ns, from the figures, the signatures of its results and its parameters."""
    found = kernel(name)
    ways = [found.estimate] if found.estimate is not None else [variant.estimate for variant in found.variants]
    return min(way(costs, results, *parameters) for way in ways)
