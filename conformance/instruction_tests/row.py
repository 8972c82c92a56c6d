"""What a row of the table of instructions is, and the settings of knobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ...backends.simulator.target import Target
from .bench import Bench
from .experiment import Trial

__all__ = ["ALTERNATIVES", "Row", "every"]

# One setting of each knob that is not the default.
ALTERNATIVES: Final[dict[str, object]] = {
    "pe_product": "split21",
    "pe_order": "permuted:7",
    "dve_order": "permuted:7",
    "two_op": "fused",
    "denormals_pe": "flush",
    "denormals_dve": "flush",
    "denormals_act": "flush",
    "denormals_pool": "flush",
    "act_out_of_range": "exact",
    "dma_duplicates": "seeded:5",
    "indirect_offsets": "own",
    "gpsimd_overflow": "saturate",
    "nan_to_integer": "smallest",
    "shift_beyond_width": "modulo",
    "rng_seed": 1,
}


def every(*variants: str) -> Callable[[Target], tuple[str, ...]]:
    """Take the same variants on every target."""
    return lambda _: variants


class Row(NamedTuple):
    """
    A way to use an instruction.

    Attributes
    ----------
    name : str
        The opcode and, after a point, which use of it.
    build : callable
        Takes a `Bench`; returns a drawn kernel with its reference.
    variants : callable
        Takes a target; returns what is checked there one by one, as a rule dtypes. None means that the target has no such use.
    knobs : tuple of str
        Those that change results, which is checked, and that others don't.
    since : int
        First generation.
    also : tuple of str
        Other opcodes that it must use.
    """

    name: str
    build: Callable[[Bench], Trial]
    variants: Callable[[Target], tuple[str, ...]]
    knobs: tuple[str, ...] = ()
    since: int = 2
    also: tuple[str, ...] = ()

    @property
    def opcodes(self) -> tuple[str, ...]:
        """Opcodes that the row is for."""
        return (self.name.partition(".")[0], *self.also)
