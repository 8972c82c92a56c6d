"""What AWS's documents leave open, as knobs, so that a kernel can be tested under every reading of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Final, Literal, get_args, get_type_hints

__all__ = ["Knobs", "check_choice"]

_ORDERS: Final = {"pe_order": ("sequential", "permuted"), "dve_order": ("sequential", "permuted"), "dma_duplicates": ("last", "seeded")}


def check_choice(name: str, value: object, allowed: Collection[object]) -> None:
    """Refuse a value that is none of those an option has."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; use {', '.join(map(repr, allowed))}")


@dataclass(frozen=True)
class Knobs:
    """
    One reading of the documents.

    Parameters
    ----------
    pe_product : {'exact', 'split21'}
        How the Tensor Engine multiplies two float32: exactly, or as the three products of a high (12-bit) and a low (12-bit) half
        without low x low, which keeps 21 bits.
    pe_order, dve_order : str
        Order of a summation over a column of the Tensor Engine, and along the free axis on Vector and Scalar Engine:
        ``"sequential"`` or ``"permuted:SEED"``.
    two_op : {'rounded', 'fused'}
        Whether two-operator instructions (and activations with scale and bias) round to float32 between the operators.
    denormals_pe, denormals_dve, denormals_act, denormals_pool : {'keep', 'flush'}
        Whether an engine's arithmetic keeps float32 denormals, as operands and as results. Copies, casts and selections always do.
    act_out_of_range : {'nan', 'exact'}
        What the Scalar Engine gives for input outside a function's valid range, where hardware gives garbage; sin a known cubic.
    dma_duplicates : str
        Which of several writes to one place stays: ``"last"`` or ``"seeded:SEED"``.
    indirect_offsets : {'same', 'own', 'first'}
        Which offsets a group of partitions uses with `NkiTensor.indirect`: its own, or those of the first group. ``"same"`` refuses
        programs in which that makes a difference.
    gpsimd_overflow : {'wrap', 'saturate'}
        What native 32-bit integer arithmetic does.
    nan_to_integer : {'zero', 'largest', 'smallest'}
        What NaN becomes in an integer dtype.
    shift_beyond_width : {'zero', 'modulo'}
        What a shift by the width of its dtype or more gives: no bit of the operand, or a shift by the remainder.
    rng_seed : int
        Where hardware random generators start before a kernel seeds them.

    Raises
    ------
    ValueError
        If a knob has no such setting.
    """

    pe_product: Literal["exact", "split21"] = "exact"
    pe_order: str = "sequential"
    dve_order: str = "sequential"
    two_op: Literal["rounded", "fused"] = "rounded"
    denormals_pe: Literal["keep", "flush"] = "keep"
    denormals_dve: Literal["keep", "flush"] = "keep"
    denormals_act: Literal["keep", "flush"] = "keep"
    denormals_pool: Literal["keep", "flush"] = "keep"
    act_out_of_range: Literal["nan", "exact"] = "nan"
    dma_duplicates: str = "last"
    indirect_offsets: Literal["same", "own", "first"] = "same"
    gpsimd_overflow: Literal["wrap", "saturate"] = "wrap"
    nan_to_integer: Literal["zero", "largest", "smallest"] = "zero"
    shift_beyond_width: Literal["zero", "modulo"] = "zero"
    rng_seed: int = 0

    def __post_init__(self) -> None:
        for name, choices in _choices().items():
            check_choice(name, getattr(self, name), choices)
        for name, (fixed, seeded) in _ORDERS.items():
            if not re.fullmatch(rf"{fixed}|{seeded}:\d+", getattr(self, name)):
                raise ValueError(f"{name} is {getattr(self, name)!r}; use {fixed!r}, or '{seeded}:SEED' with an integer")

    def __str__(self) -> str:
        return ", ".join(f"{field.name}={getattr(self, field.name)}" for field in fields(self))


@cache
def _choices() -> Mapping[str, tuple[object, ...]]:
    return {name: choices for name, hint in get_type_hints(Knobs).items() if (choices := get_args(hint))}
