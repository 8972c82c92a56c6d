"""What a Published is: a time that somebody measured, of a kernel that can be had; and which of them the cost model is fitted to."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from ...backends.simulator import Abstract, Kernel

__all__ = ["KNOWN", "Launch", "Published", "is_test"]

# Families whose times had been read when this table was made, and from which the form of the DMA model comes: never test rows.
KNOWN: Final = frozenset(
    {"vector add", "tiled copy", "silu", "adamw", "tutorial product", "selective scan", "turbulence step", "rmsnorm quantize"}
)


def is_test(family: str) -> bool:
    """Decide whether a family of kernels is held out: by a hash of its name, fixed before anything was fitted."""
    return family not in KNOWN and hashlib.sha256(family.encode()).digest()[0] % 2 == 1


class Launch(NamedTuple):
    """
    A program that the figure covers, and how often it runs.

    Attributes
    ----------
    times : int
        Runs.
    settings : mapping
        Globals of the kernel's module, set before it is traced.
    """

    times: int = 1
    settings: Mapping[str, Any] = {}


@dataclass(frozen=True, kw_only=True)
class Published:
    """
    A published time of a kernel.

    Parameters
    ----------
    name : str
        For tables.
    family : str
        What its variants have in common; all of them are fitted to, or none.
    source : str
        The document, and where in it.
    target : {'trn1', 'trn2', 'trn3'}
        What it was measured on.
    seconds : float
        The time on the device.
    kernel : str or Kernel
        Its name; or a kernel of ours that follows the published description, where the measured one cannot be had.
    arguments : mapping
        By parameter: an array without data, or a compile-time value; ``module:NAME`` is ``NAME()`` of the kernel's module.
    file : str, optional
        Where it is, relative to its repository.
    busy : mapping, optional
        Share of that time that an engine was active, where the document tells it.
    launches : tuple of Launch, optional
        What runs within the time.
    lnc : int, optional
        Cores of the logical core.
    root : str, optional
        The folder that the file's absolute imports start from.
    occurrence : int, optional
        Which code block of a document that defines the kernel, from 0.
    tools : str, optional
        The compiler, where the source tells it.
    repeats : float, optional
        How often the kernel repeats what is traced: long kernels are predicted by a part of them.
    cores : int, optional
        Physical cores that shared the kernel's independent tiles; the traced program is what one of them does.
    starts : bool, optional
        Whether the figure has a kernel's start and end in it.
    same : bool, optional
        Whether what is predicted is what was measured; rows of another program are shown, and neither fitted to nor counted.
    kind : {'measured', 'target'}
        A measurement, or what its authors aim at; an aim counts for nothing.
    includes : str, optional
        What the figure covers beyond the kernel's instructions.
    explanation : str, optional
        Why the prediction misses it by more than the tolerance; `docs/predictions.md` has the evidence.
    refused : str, optional
        Part of the error by which the simulator refuses the kernel at this size, with the reason in `explanation`.
    """

    name: str
    family: str
    source: str
    target: Literal["trn1", "trn2", "trn3"]
    seconds: float
    kernel: str | Kernel
    arguments: Mapping[str, Abstract | str | int]
    file: str = ""
    busy: Mapping[str, float] = field(default_factory=dict)
    launches: tuple[Launch, ...] = (Launch(),)
    lnc: int = 1
    root: str | None = None
    occurrence: int = 0
    tools: str = ""
    repeats: float = 1.0
    cores: int = 1
    starts: bool = True
    same: bool = True
    kind: Literal["measured", "target"] = "measured"
    includes: str = ""
    explanation: str = ""
    refused: str = ""

    @property
    def counts(self) -> bool:
        """Whether the row is one to fit to or to be tested with."""
        return self.kind == "measured" and self.same and not self.refused

    @property
    def held_out(self) -> bool:
        """Whether it is a test row."""
        return is_test(self.family)

    def __post_init__(self) -> None:
        if not (self.seconds > 0 and math.isfinite(self.seconds)):
            raise ValueError(f"{self.name}: published time {self.seconds} is not a positive number of seconds")
        if isinstance(self.kernel, str) != bool(self.file):
            raise ValueError(f"{self.name} needs either the file of a published kernel and its name, or a kernel of ours")
        if self.refused and not self.explanation:
            raise ValueError(f"{self.name} is refused without an explanation; say why")
