"""Letting code that imports ``nki`` run on the simulator."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from . import collectives, compiler, experimental, isa, language, typing
from .errors import NkiValidationError
from .jit import Kernel, jit, simulate
from .options import Options, options

__all__ = ["as_nki", "modules"]


def modules() -> dict[str, ModuleType]:
    """
    Gather the simulator's modules by NKI's names.

    Returns
    -------
    dict
        From name to module.
    """
    nki = ModuleType("nki", "NKI, as the simulator has it.")
    parts = {
        "language": language,
        "isa": isa,
        "collectives": collectives,
        "compiler": compiler,
        "experimental": experimental,
        "typing": typing,
    }
    entries = {"jit": jit, "simulate": simulate, "Kernel": Kernel, "NkiValidationError": NkiValidationError, "dtype": language.DType}
    for name, value in {**parts, **entries}.items():
        setattr(nki, name, value)
    nki.__path__ = []
    nki.__version__ = "0.7.0"  # type: ignore[attr-defined]
    inner = {"nki.isa.constants": isa.constants, "nki.compiler.kernel_builder": compiler.kernel_builder}
    return {"nki": nki, **{f"nki.{name}": module for name, module in parts.items()}, **inner}


@contextmanager
def as_nki(target: str | None = None, **changes: Any) -> Iterator[Options]:
    """
    Make ``import nki`` import the simulator within a block.

    Parameters
    ----------
    target : str, optional
        The generation.
    **changes
        Other fields of `Options`.

    Yields
    ------
    Options
        What is in force.

    Examples
    --------
    >>> with as_nki(target="trn2"):
    ...     import nki.isa as nisa
    >>> nisa.__name__
    'trnarray.backends.simulator.isa'
    """
    before = {name: module for name, module in sys.modules.items() if name == "nki" or name.startswith("nki.")}
    for name in before:
        del sys.modules[name]
    sys.modules.update(modules())
    try:
        with options(target, **changes) as chosen:
            yield chosen
    finally:
        for name in [name for name in sys.modules if name == "nki" or name.startswith("nki.")]:
            del sys.modules[name]
        sys.modules.update(before)
