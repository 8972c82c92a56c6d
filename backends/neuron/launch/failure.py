"""Errors of NKI, its compiler and the Neuron runtime, as trnarray's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from .launcher import LaunchError

__all__ = ["translated"]

_MEMORY: Final = re.compile(r"RESOURCE_EXHAUSTED|NRT_RESOURCE|out of (device )?memory|failed to allocate", re.IGNORECASE)
# What a message of theirs shows, and what helps.
_REMEDIES: Final = (
    (re.compile(r"NCC_IXGM002|NEURON_LOGICAL_NC_CONFIG|logical (neuron ?)?core", re.IGNORECASE), "set NEURON_LOGICAL_NC_CONFIG=1"),
    (re.compile(r"NRT_(INIT|UNINITIALIZED)|in use|device busy", re.IGNORECASE), "see whether another process has the core (neuron-ls)"),
    (re.compile(r"unsupported.*neff|NEFF.*version", re.IGNORECASE), "bring runtime, driver and compiler to one release of the SDK"),
    (re.compile(r"NRT_TIMEOUT|timed? ?out", re.IGNORECASE), "reset the device, and report the program"),
)
_LOOK: Final = "python -m trnarray.backends.neuron.doctor looks further"


@contextmanager
def translated(launcher: str, lost: Callable[[], tuple[int, ...]] = tuple) -> Iterator[None]:
    """Translate errors within a block."""
    try:
        yield
    except (LaunchError, MemoryError):
        raise
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        if _MEMORY.search(text):
            raise MemoryError(f"the device's memory does not suffice for a program ({launcher}): {text}") from error
        remedy = next((said for pattern, said in _REMEDIES if pattern.search(text)), _LOOK)
        raise LaunchError(f"a program failed ({launcher}): {text}; {remedy}", lost()) from error
