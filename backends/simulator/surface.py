"""Letting code that imports ``nki`` run on the simulator."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from . import collectives, compiler, experimental, isa, language, typing
from .errors import NkiValidationError
from .jit import Kernel, jit, simulate
from .options import Options, options

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

__all__ = ["as_nki", "modules"]

_REMOVED: Final = {
    "simulate_kernel": "use nki.simulate(kernel)(...)",
    **dict.fromkeys(
        ("baremetal", "benchmark", "profile"),
        "gone since NKI 0.1 (SDK 2.27); use nki.jit, and Neuron Explorer for times, or the simulator's predict(kernel, ...)",
    ),
}


def modules() -> dict[str, ModuleType]:
    """Gather the simulator's modules by NKI's names."""
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

    def missing(name: str) -> NoReturn:
        remedy = _REMOVED.get(name)
        raise AttributeError(f"module 'nki' has no attribute {name!r}" + (f": {remedy}" if remedy else ""))

    nki.__getattr__ = missing  # type: ignore[method-assign]
    nki.__path__ = []
    nki.__version__ = "0.7.0"  # type: ignore[attr-defined]
    inner = {"nki.isa.constants": isa.constants, "nki.compiler.kernel_builder": compiler.kernel_builder}
    return {"nki": nki, **{f"nki.{name}": module for name, module in parts.items()}, **inner}


class _NeuronxccFinder:
    """Says what the old package is called now."""

    @staticmethod
    def find_spec(fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None, /) -> ModuleSpec | None:  # noqa: ARG004
        if fullname.partition(".")[0] == "neuronxcc":
            raise ModuleNotFoundError(
                f"No module named {fullname!r}: it had NKI up to SDK 2.26; since NKI 0.1 (SDK 2.27) import nki, nki.language and nki.isa",
                name=fullname,
            )
        return None


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
    finder = _NeuronxccFinder()
    sys.meta_path.append(finder)
    try:
        with options(target, **changes) as chosen:
            yield chosen
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == "nki" or name.startswith("nki.")]:
            del sys.modules[name]
        sys.modules.update(before)
