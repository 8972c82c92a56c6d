"""Kernels that users bring: what is known of one without a device, and the Op that it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from .dtypes import FLOAT32, canonical_dtype, is_low_precision
from .op import VIEW, Op, all_ops
from .promotion import NUMPY, PromotionTable
from .rules import Results, Signature

__all__ = ["OwnKernel", "OwnRule", "Variant", "check_parameters", "op_of"]

_PREFIX: Final = "kernel."
_NUMBERS: Final = (bool, int, float, complex)


class Variant(NamedTuple):
    """
    One of several ways in which a kernel computes: the planner takes the one that is predicted to be the fastest.

    Attributes
    ----------
    name : str
        A word or two that `trnarray.explain` prints.
    emit : callable
        As of `Kernel`. All variants of a kernel give the same bits.
    estimate : callable
        ``estimate(costs, *operands, **parameters)`` gives the time that it takes, in ns, from the operands' shapes and dtypes and the
        cost model's figures: ``costs.instruction("tensor_tensor", elements, "vector")``, `trnarray.backends.simulator.Costs`. Infinity
        says that the variant does not take the call.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.kernel.Variant("on GpSimd", lambda x, out: None, lambda costs, x: costs.instruction("tensor_copy", x.shape[1], "gpsimd")).name
    'on GpSimd'
    """

    name: str
    emit: Callable[..., object]
    estimate: Callable[..., float]


@dataclass(frozen=True, slots=True, eq=False)
class OwnKernel:
    """
    What a user declares; see `trnarray.kernel.Kernel`.

    Parameters
    ----------
    name : str
        For messages, `explain` and `coverage`.
    rule : callable
        Gives shape and dtype of the result, or a list of them.
    host : callable
        Computes the same of ndarrays.
    emit : callable or None
        Emits the instructions; None where variants do.
    variants : tuple of Variant
        Of which the planner chooses.
    fuse : bool
        Whether functions of operands and results are computed inside of it.
    """

    name: str
    rule: Callable[..., Any]
    host: Callable[..., Any]
    emit: Callable[..., object] | None
    variants: tuple[Variant, ...]
    fuse: bool

    def results(self, operands: Sequence[Signature], parameters: Mapping[str, Hashable]) -> tuple[Signature, ...]:
        """Ask the rule for the signatures of the results."""
        found = self.rule(*operands, **parameters)
        return tuple([_signature(self.name, one) for one in (found if isinstance(found, list) else [found])])

    def compute(self, *arrays: Any, **parameters: Any) -> Any:
        """Compute on the host: low-precision floats in float32, results in the dtypes of the rule."""
        check_parameters(self.name, parameters)
        dtypes = [array.dtype for array in arrays if hasattr(array, "dtype")]
        operands = [np.asarray(item, NUMPY.result_type(*dtypes, item) if type(item) in _NUMBERS else None) for item in arrays]
        results = self.results([Signature(array.shape, array.dtype) for array in operands], parameters)
        wide = [array.astype(FLOAT32) if is_low_precision(array.dtype) else array for array in operands]
        found = self.host(*wide, **parameters)
        if len(results) == 1:
            found = (found,)
        if not isinstance(found, (tuple, list)) or len(found) != len(results):
            raise ValueError(f"the host reference of kernel {self.name!r} has to give {len(results)} results, as its rule does")
        made = []
        for one, (shape, dtype) in zip(found, results, strict=True):
            if np.shape(one) != shape:
                raise ValueError(f"the host reference of kernel {self.name!r} gave the shape {np.shape(one)} where its rule says {shape}")
            made.append(np.array(one).astype(dtype))  # memory of its own
        return made[0] if len(made) == 1 else tuple(made)


class OwnRule:
    """
    The rule of the Op that such a kernel is.

    Parameters
    ----------
    kernel : OwnKernel
        Which.
    """

    def __init__(self, kernel: OwnKernel) -> None:
        self.kernel = kernel

    def __call__(self, promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Results:
        """Infer the results; see `Rule`."""
        results = self.kernel.results(self.operands(promotion, operands), parameters)
        return results[0] if len(results) == 1 else results

    def operands(self, promotion: PromotionTable, operands: Sequence[Any]) -> list[Signature]:
        """Say what the operands are: numbers take the dtype of the arrays, if that is of their kind."""
        dtypes = [item.dtype for item in operands if hasattr(item, "dtype")]
        return [
            Signature(item.shape, item.dtype) if hasattr(item, "dtype") else Signature((), promotion.result_type(*dtypes, item))
            for item in operands
        ]


def check_parameters(name: str, parameters: Mapping[str, Any]) -> None:
    """Refuse parameters that no program can be told apart by."""
    for key, value in parameters.items():
        if not _is_plain(value):
            raise TypeError(
                f"parameter {key} of kernel {name!r} is of type {type(value).__name__}; parameters are numbers, strings, bools, None or "
                "tuples of them, for each of which a program is compiled: pass what changes as an operand"
            )


def _is_plain(value: Any) -> bool:
    return all(map(_is_plain, value)) if type(value) is tuple else value is None or type(value) in (bool, int, float, str)


def _signature(name: str, found: Any) -> Signature:
    """Read what a rule gave: a pair, or anything with a shape and a dtype."""
    try:
        shape, dtype = (found.shape, found.dtype) if hasattr(found, "dtype") else found
        return Signature(tuple(int(length) for length in shape), canonical_dtype(dtype))
    except (TypeError, ValueError) as error:
        raise TypeError(f"the rule of kernel {name!r} gives (shape, dtype), or a list of such pairs, not {found!r}") from error


def op_of(kernel: OwnKernel, implement: Callable[[OwnKernel, Op], Callable[..., Any]]) -> Op:
    """Register the Op that a kernel is, under its name; a second one of that name, as of a cell that ran again, gets a number."""
    taken, name, number = {op.name for op in all_ops()}, f"{_PREFIX}{kernel.name}", 1
    while name in taken:
        number += 1
        name = f"{_PREFIX}{kernel.name} ({number})"
    op = Op(name, kernel.compute, VIEW, rule=OwnRule(kernel))
    op.implement(implement(kernel, op))
    return op
