"""Launching kernels of nki-library, whose arguments are often the library's own enumerations and configurations."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final

from ..draw import Inputs
from ..sample import EXACT, Explanation, Sample, Theirs, Tolerance

__all__ = ["PACKAGE", "Of", "launch", "library", "theirs"]

PACKAGE: Final = "src/nkilib_src/nkilib/"


@dataclass(frozen=True)
class Of:
    """
    Something of the library that an argument needs, found when the kernel is launched.

    Parameters
    ----------
    module : str
        Its module, below the library's package.
    name : str
        Its name there, such as ``"NormType.RMS_NORM"``.
    fields : dict, optional
        Call it with these.
    """

    module: str
    name: str
    fields: Mapping[str, Any] | None = None

    def find(self) -> Any:
        """Import it."""
        thing = attrgetter(self.name)(importlib.import_module(f"nkilib_src.nkilib.{self.module}"))
        return thing if self.fields is None else thing(**{name: _found(value) for name, value in self.fields.items()})


def _found(value: Any) -> Any:
    return value.find() if isinstance(value, Of) else value


def launch(kernel: Callable[..., Any], **arguments: Any) -> Any:
    """Call a kernel with what is `Of` the library found."""
    return kernel(**{name: _found(value) for name, value in arguments.items()})


def _refer(function: Callable[..., Any], **arguments: Any) -> Any:
    """Call a reference in float32; of a dict of results take the values."""
    wide = {name: value.float() if str(getattr(value, "dtype", "")) in _NARROW else _found(value) for name, value in arguments.items()}
    result = function(**wide)
    return list(result.values()) if isinstance(result, dict) else result


_NARROW: Final = ("torch.bfloat16", "torch.float16")


def theirs(name: str, file: str, call: Callable[..., Any] = _refer) -> Theirs:
    """Name a reference of the library."""
    return Theirs(name, PACKAGE + file, call, torch=True)


def library(
    file: str,
    kernel: str,
    inputs: Inputs,
    reference: Callable[..., Any] | Theirs,
    tolerance: Tolerance = EXACT,
    call: Callable[..., Any] = launch,
    explanation: Explanation | None = None,
    targets: tuple[str, ...] = ("trn2", "trn3"),
    **more: Any,
) -> Sample:
    """Make a sample of the library."""
    needs = ("torch",) if isinstance(reference, Theirs) else ()
    return Sample(
        file=PACKAGE + file,
        kernel=kernel,
        inputs=inputs,
        reference=reference,
        tolerance=tolerance,
        root="src",
        call=call,
        needs=needs,
        explanation=explanation,
        targets=targets,
        **more,
    )
