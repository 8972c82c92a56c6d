"""Functions of scipy.special that have a kernel: they become Ops when they are first called."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from ...op import Op, expect
from ...rules import Elementwise
from ..kernels.elementwise import EMITTERS
from . import NotNativeError
from .elementwise import lowered

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_PREFIX: Final = "special."
_FUNCTIONS: Final = ("polygamma", "zeta")
"""Which are no ufuncs; they have two operands, of which the second one may be missing."""
_ALIKE: Final = "betaln"
"""A ufunc with the loops of these for real numbers."""


def _ufunc(op: Op) -> Callable[..., Any]:
    from ...ops.special import scipy_ufunc  # imports scipy.special, as whoever made the Op has

    return lowered(op, Elementwise(scipy_ufunc(op.name.removeprefix(_PREFIX))))


def _function(op: Op) -> Callable[..., Any]:
    from ...ops.special import scipy_ufunc

    run = lowered(op, Elementwise(scipy_ufunc(_ALIKE)))

    def call(engine: NeuronEngine, first: Any, second: Any = None, **options: Any) -> Any:
        if second is None:
            raise NotNativeError("it has no kernel for one operand yet")
        if any(getattr(operand, "dtype", None) is not None and operand.dtype.kind == "c" for operand in (first, second)):
            raise NotNativeError("it has no kernel for complex numbers yet")
        return run(engine, first, second, **options)

    return call


def _register() -> None:
    for name in EMITTERS:
        if name.startswith(_PREFIX):
            expect(name, "neuron", _function if name.removeprefix(_PREFIX) in _FUNCTIONS else _ufunc)


_register()
