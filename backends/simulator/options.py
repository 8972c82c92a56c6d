"""How kernels are simulated: target, knobs, what a read of unwritten memory does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from .knobs import Knobs, check_choice
from .target import Target, find_target

if TYPE_CHECKING:
    from .cost.calibration import Calibration

__all__ = ["Options", "Races", "current_calibration", "current_options", "options"]

Uninitialized = Literal["error", "nan", "off"]
Races = Literal["strict"] | bool
Mode = Literal["execute", "cost"]
_UNINITIALIZED: Final = get_args(Uninitialized)
_MODES: Final = get_args(Mode)
_KNOBS: Final = Knobs()


def _default_target() -> Target:
    """NKI's own rule without a device: the environment's, else trn3."""
    return find_target(os.environ.get("NEURON_PLATFORM_TARGET_OVERRIDE") or "trn3")


@dataclass(frozen=True)
class Options:
    """
    How kernels are simulated.

    Parameters
    ----------
    target : Target
        The generation.
    knobs : Knobs
        The reading of what the documents leave open.
    uninitialized : {'error', 'nan', 'off'}
        A read of an element that was never written raises; or reads NaN (4 from integers); or is not looked at and memory is zero.
    races : bool or 'strict'
        Refuse kernels whose accesses may race; strictly, also those that reuse an explicit address without anything that orders it.
    eager : bool
        Execute instructions while tracing, for debuggers and prints of tiles.
    mode : {'execute', 'cost'}
        Whether a call of a kernel computes its results, or predicts its time and touches no data.
    calibration : Calibration, optional
        Measured figures for predictions.

    Raises
    ------
    ValueError
        If an option has no such value.
    """

    target: Target = field(default_factory=_default_target)
    knobs: Knobs = _KNOBS
    uninitialized: Uninitialized = "error"
    races: Races = True
    eager: bool = False
    mode: Mode = "execute"
    calibration: Calibration | None = None

    def __post_init__(self) -> None:
        check_choice("uninitialized", self.uninitialized, _UNINITIALIZED)
        check_choice("races", self.races, (True, False, "strict"))
        check_choice("mode", self.mode, _MODES)

    def __str__(self) -> str:
        return f"{self.target.name}, uninitialized={self.uninitialized}, races={self.races}, {self.knobs}"


_OPTIONS: ContextVar[Options | None] = ContextVar("trnarray.simulator.options", default=None)


def current_options(default: Options | None = None) -> Options:
    """
    Find the options in force.

    Parameters
    ----------
    default : Options, optional
        What is in force outside of all blocks; by default those of the environment.

    Returns
    -------
    Options
        Those of the innermost `options` block, else the defaults.
    """
    return _OPTIONS.get() or default or Options()


def current_calibration() -> Calibration | None:
    """Find the measured figures in force."""
    found = _OPTIONS.get()
    return None if found is None else found.calibration


@contextmanager
def options(target: str | Target | None = None, **changes: Any) -> Iterator[Options]:
    """
    Simulate differently within a block.

    Parameters
    ----------
    target : str or Target, optional
        The generation.
    **changes
        Other fields of `Options`.

    Yields
    ------
    Options
        What is in force.

    Examples
    --------
    >>> with options("trn2", uninitialized="nan") as chosen:
    ...     chosen.target.generation
    3
    """
    if target is not None:
        changes["target"] = find_target(target) if isinstance(target, str) else target
    token = _OPTIONS.set(replace(current_options(), **changes))
    try:
        yield current_options()
    finally:
        _OPTIONS.reset(token)
