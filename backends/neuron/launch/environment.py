"""What the Neuron SDK reads from the environment, and programs depend on."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal

__all__ = ["LNC", "TARGET", "Target", "chosen_target", "compiler_flags", "prepare", "select_core", "targeting"]

Target = Literal["trn1", "trn2", "trn3"]

TARGET: Final = "NEURON_PLATFORM_TARGET_OVERRIDE"
_FLAGS: Final = "NEURON_CC_FLAGS"
_CORES: Final = "NEURON_LOGICAL_NC_CONFIG"
_VISIBLE: Final = "NEURON_RT_VISIBLE_CORES"
_STOCHASTIC: Final = "NEURON_RT_STOCHASTIC_ROUNDING_EN"
_NAMES: Final[dict[str, Target]] = {
    **dict.fromkeys(("trn1", "inf2", "gen2"), "trn1"),
    **dict.fromkeys(("trn2", "gen3"), "trn2"),
    **dict.fromkeys(("trn3", "gen4"), "trn3"),
}
_AUTO_CAST: Final = re.compile(r"--auto-cast(?:=|\s+)(\S+)")

LNC: Final = 1
"""Physical cores of the logical core that programs run on. A program drives the engines of one."""

_lock: Final = threading.Lock()


def chosen_target() -> Target | None:
    """
    Find the generation that the environment chooses.

    Examples
    --------
    >>> chosen_target() in (None, "trn1", "trn2", "trn3")
    True
    """
    said = os.environ.get(TARGET)
    if not said:
        return None
    if said not in _NAMES:
        raise ValueError(f"environment variable {TARGET} is one of {', '.join(_NAMES)}; got {said!r}")
    return _NAMES[said]


def compiler_flags(said: str) -> str:
    """
    Have the compiler leave dtypes alone: by default it may compute float32 products in bfloat16.

    Examples
    --------
    >>> compiler_flags("--optlevel=1")
    '--optlevel=1 --auto-cast=none'
    """
    found = _AUTO_CAST.findall(said)
    if any(value != "none" for value in found):
        raise ValueError(f"environment variable {_FLAGS} has --auto-cast={found[-1]}, which changes results; take it out, or say none")
    return said if found else f"{said} --auto-cast=none".strip()


def prepare(target: Target) -> None:
    """Set the environment of this process for programs on hardware, before the runtime starts."""
    with _lock:
        flags = compiler_flags(os.environ.get(_FLAGS, ""))
        if os.environ.get(_CORES, str(LNC)) != str(LNC):
            raise ValueError(
                f"environment variable {_CORES} is {os.environ[_CORES]!r}, but programs run on one physical core; set it to {LNC}"
            )
        if os.environ.get(_STOCHASTIC, "0") not in ("", "0"):
            raise ValueError(f"environment variable {_STOCHASTIC} is set, which makes casts random; unset it")
        if chosen_target() not in (None, target):
            raise ValueError(f"environment variable {TARGET} is {os.environ[TARGET]!r}, but the device is of {target}; unset it")
        os.environ.update({_FLAGS: flags, _CORES: str(LNC), TARGET: target})


def select_core(core: int) -> None:
    """Have the runtime use one NeuronCore, before it starts."""
    with _lock:
        if os.environ.setdefault(_VISIBLE, str(core)) != str(core):
            raise ValueError(
                f"NeuronCore {core} cannot be opened while environment variable {_VISIBLE} is {os.environ[_VISIBLE]!r}: without JAX a "
                "process has one; install jax with libneuronxla for several"
            )


@contextmanager
def targeting(target: Target) -> Iterator[None]:
    """Compile for a generation within a block; one block at a time, since the environment is the process's."""
    with _lock:
        before = os.environ.get(TARGET)
        os.environ[TARGET] = target
        try:
            yield
        finally:
            if before is None:
                del os.environ[TARGET]
            else:
                os.environ[TARGET] = before
