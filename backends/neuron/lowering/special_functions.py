"""Functions of scipy.special that have a kernel: they become Ops when they are first called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ...dtypes import FLOAT32
from ...op import Op, expect
from ...rules import Elementwise
from ..function import FUNCTIONS
from . import NotNativeError
from .elementwise import lowered

if TYPE_CHECKING:
    from ..builder import Builder

__all__: list[str] = []

_PREFIX: Final = "special."
_FUNCTIONS: Final[Mapping[str, Mapping[int, tuple[str, str]]]] = {
    "special.polygamma": {2: ("special.polygamma", "betaln")},
    "special.zeta": {1: ("special.riemann_zeta", "zetac"), 2: ("special.zeta", "betaln")},
}
"""Which are no ufuncs: by the number of operands, their emitter, and a ufunc with the loops of these for real numbers."""

_IN_FLOAT64: Final = frozenset({"special.polygamma"})
"""Of these those that SciPy computes in float64, whatever the operands."""


def _ufunc(op: Op) -> Callable[..., Any]:
    from ...ops.special import scipy_ufunc  # imports scipy.special, as whoever made the Op has

    return lowered(op.name, Elementwise(scipy_ufunc(op.name.removeprefix(_PREFIX))))


def _function(op: Op) -> Callable[..., Any]:
    from ...ops.special import scipy_ufunc

    runs = {count: lowered(name, Elementwise(scipy_ufunc(alike))) for count, (name, alike) in _FUNCTIONS[op.name].items()}

    def call(engine: Builder, first: Any, second: Any = None, **options: Any) -> Any:
        operands = (first,) if second is None else (first, second)
        if len(operands) not in runs:
            raise NotNativeError("it has no kernel for one operand")
        if any(getattr(operand, "dtype", None) is not None and operand.dtype.kind == "c" for operand in operands):
            raise NotNativeError("it has no kernel for complex numbers yet")
        if op.name in _IN_FLOAT64 and engine.promotion.default_float != FLOAT32:
            raise NotNativeError("SciPy computes it in float64")
        return runs[len(operands)](engine, *operands, **options)

    return call


def _register() -> None:
    parts = {name for calls in _FUNCTIONS.values() for name, _ in calls.values()}
    for name in FUNCTIONS:
        if name.startswith(_PREFIX) and name not in parts:
            expect(name, "neuron", _ufunc)
    for name in _FUNCTIONS:
        expect(name, "neuron", _function)


_register()
