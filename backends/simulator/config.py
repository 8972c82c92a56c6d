"""What ``nki.jit`` is told about the compiler, and what of it matters to a simulator."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, NamedTuple

__all__ = ["DEFAULT_CONFIGS", "AddressRotation", "CompileConfig", "Configs", "SpecializationConfig"]


class AddressRotation(Enum):
    """Whether the back end may move tensors to other addresses. No result depends on it, so the simulator does not look at it."""

    AUTO = "auto"
    ENABLE = "enable"
    DISABLE = "disable"


@dataclass(frozen=True)
class CompileConfig:
    """
    What ``nki.jit(compile_config=...)`` takes.

    Parameters
    ----------
    address_rotation : AddressRotation, optional
        Changes no result.
    non_ssa_legalization, dead_code_elim : bool, optional
        Passes of the back end, which change no result; None is its default.
    barrier_check : bool, optional
        The simulator always checks that cores meet at their barriers.
    prefetch_auto : bool, optional
        Reserves part of SBUF for a ring of prefetched tiles, which the simulator's allocation does not model: true is refused.
    nki_alloc_fallback : bool, optional
        Whether another allocator is tried where NKI's own fails. The simulator has one and raises `OutOfMemoryError`.

    Raises
    ------
    NotImplementedError
        For `prefetch_auto`.

    Examples
    --------
    >>> CompileConfig().address_rotation
    <AddressRotation.AUTO: 'auto'>
    """

    address_rotation: AddressRotation = AddressRotation.AUTO
    non_ssa_legalization: bool | None = None
    dead_code_elim: bool | None = None
    barrier_check: bool = False
    prefetch_auto: bool = False
    nki_alloc_fallback: bool = True

    def __post_init__(self) -> None:
        if self.prefetch_auto:
            raise NotImplementedError("the simulator does not model the prefetch ring of prefetch_auto=True; leave it out to simulate")


@dataclass(frozen=True)
class SpecializationConfig:
    """
    What ``nki.jit(specialization_config=...)`` takes.

    Parameters
    ----------
    allow_nested_config_override : bool, optional
        Warn, rather than raise, where a kernel calls one that is configured differently.
    """

    allow_nested_config_override: bool = False


class Configs(NamedTuple):
    """
    Both configurations of a kernel.

    Attributes
    ----------
    compiling : CompileConfig or None
        None has no opinion.
    specializing : SpecializationConfig
        How kernels that it calls may differ.
    """

    compiling: CompileConfig | None = None
    specializing: SpecializationConfig = SpecializationConfig()

    @staticmethod
    def of(options: Mapping[str, Any]) -> Configs:
        """Take the configurations from the options of ``nki.jit``."""
        compiling, specializing = options.get("compile_config"), options.get("specialization_config")
        for value, wanted in ((compiling, CompileConfig), (specializing, SpecializationConfig)):
            if not isinstance(value, wanted | None):
                raise TypeError(f"nki.jit: a configuration is a {wanted.__name__}, not {value!r}")
        return Configs(compiling, specializing or SpecializationConfig())

    def check_within(self, kernel: str, outer: Configs) -> None:
        """Check that a kernel may be called by another."""
        if self.compiling is None or self.compiling == (outer.compiling or CompileConfig()):
            return
        message = f"{kernel} is compiled within a kernel of another compile_config: {self.compiling} in {outer.compiling}"
        if not outer.specializing.allow_nested_config_override:
            raise ValueError(f"{message}; use one, or SpecializationConfig(allow_nested_config_override=True)")
        warnings.warn(message, stacklevel=3)


DEFAULT_CONFIGS: Final = Configs()
