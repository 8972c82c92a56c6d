"""What a compiled program depends on, as a key for stores."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
from pathlib import Path
from typing import Final

from ..kernel import kernel
from ..plan.plan import Plan
from .environment import LNC

__all__ = ["DISTRIBUTIONS", "fingerprint", "installed", "is_storable"]

DISTRIBUTIONS: Final = ("trnarray", "numpy", "nki", "neuronx-cc", "jax", "jaxlib", "libneuronxla", "jax-neuronx", "nrtpy")
"""What programs are made and run by, by the names of the distributions."""


def installed(distribution: str) -> str | None:
    """
    Find the version of a distribution, without importing it.

    Examples
    --------
    >>> import numpy
    >>> installed("numpy") == numpy.__version__
    True
    """
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


@functools.cache
def _kernels() -> str:
    """Digest the kernels' sources, which change more often than versions where trnarray is developed."""
    digest = hashlib.sha256()
    package = Path(__file__).parents[1]
    for path in sorted([package / "program.py", *(package / "plan").rglob("*.py"), *(package / "kernels").rglob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _versions() -> tuple[tuple[str, str | None], ...]:
    return tuple((name, installed(name)) for name in DISTRIBUTIONS)


def is_storable(plan: Plan) -> bool:
    """Tell whether the key of a program says all that it depends on, which it does not of kernels that users bring."""
    return all(kernel(stage.kernel).kept for stage in plan.kernels)


def fingerprint(plan: Plan, target: str) -> str:
    """Make the key of a compiled program."""
    parts = (repr(plan), target, LNC, os.environ.get("NEURON_CC_FLAGS", ""), _versions(), _kernels())
    return hashlib.sha256(repr(parts).encode()).hexdigest()
