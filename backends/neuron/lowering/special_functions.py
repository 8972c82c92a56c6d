"""Functions of scipy.special that have a kernel: they become Ops when they are first called."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from ...dtypes import FLOAT32
from ...rules import Elementwise
from ..function import FUNCTIONS
from . import Lowerings, NotNativeError
from .elementwise import lowered

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__: list[str] = []

_PREFIX: Final = "special."
_FUNCTIONS: Final[Mapping[str, Mapping[int, tuple[str, str]]]] = {
    "special.polygamma": {2: ("special.polygamma", "betaln")},
    "special.zeta": {1: ("special.riemann_zeta", "zetac"), 2: ("special.zeta", "betaln")},
}
"""Which are no ufuncs: by the number of operands, their emitter, and a ufunc with the loops of these for real numbers."""

_IN_FLOAT64: Final = frozenset({"special.polygamma"})
"""Of these those that SciPy computes in float64, whatever the operands."""


@functools.cache
def _kernel(name: str, alike: str) -> Callable[..., Any]:
    """Lower a function by the loops of a ufunc."""
    from ...ops.special import scipy_ufunc  # imports scipy.special, as whoever made the Op has

    return lowered(name, Elementwise(scipy_ufunc(alike)))


def _ufunc(name: str) -> Callable[..., Any]:
    def run(builder: Builder, *operands: Any, **options: Any) -> Any:
        return _kernel(name, name.removeprefix(_PREFIX))(builder, *operands, **options)

    return run


def _function(name: str, kernels: Mapping[int, tuple[str, str]]) -> Callable[..., Any]:
    def run(builder: Builder, first: Any, second: Any = None, **options: Any) -> Any:
        operands = (first,) if second is None else (first, second)
        if len(operands) not in kernels:
            raise NotNativeError("it has no kernel for one operand")
        if any(getattr(operand, "dtype", None) is not None and operand.dtype.kind == "c" for operand in operands):
            raise NotNativeError("it has no kernel for complex numbers yet")
        if name in _IN_FLOAT64 and builder.promotion.default_float != FLOAT32:
            raise NotNativeError("SciPy computes it in float64")
        return _kernel(*kernels[len(operands)])(builder, *operands, **options)

    return run


_PARTS: Final = {name for kernels in _FUNCTIONS.values() for name, _ in kernels.values()}
LOWERINGS: Final[Lowerings] = {
    **{name: _ufunc(name) for name in FUNCTIONS if name.startswith(_PREFIX) and name not in _PARTS},
    **{name: _function(name, kernels) for name, kernels in _FUNCTIONS.items()},
}
