"""Functions of scipy.special that have a kernel: they become Ops when they are first called."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...dtypes import FLOAT32, FLOAT64
from ...rules import UfuncRule
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .elementwise import lowered
from .op_calls import converted

__all__: list[str] = []

_UFUNCS: Final = """
    beta betainc betaincc betaln chdtr chdtrc ellipe ellipk ellipkm1 entr erf erfc erfcinv erfinv exp1 expi expit gamma gammainc gammaincc
    gammaln gdtr gdtrc i0 i0e i1 i1e j0 j1 k0 k0e k1 k1e log_ndtr logit ndtr ndtri pdtr pdtrc psi rel_entr rgamma stdtr xlog1py xlogy y0 y1
"""
_NUMPYS: Final[Mapping[str, str]] = {"cbrt": "cbrt", "exp2": "exp2", "expm1": "expm1", "log1p": "log1p", "round": "rint"}
"""Which are NumPy's under another name."""
_FUNCTIONS: Final[Mapping[str, Mapping[int, tuple[str, str]]]] = {
    "special.polygamma": {2: ("special.polygamma", "betaln")},
    "special.zeta": {1: ("special.riemann_zeta", "zetac"), 2: ("special.zeta", "betaln")},
}
"""Which are no ufuncs: by the number of operands, their emitter, and a ufunc with the loops of these for real numbers."""

_IN_FLOAT64: Final = frozenset({"special.polygamma"})
"""Of these those that SciPy computes in float64, whatever the operands, as is done under its defaults."""


@functools.cache
def _loops(ufunc: str) -> UfuncRule:
    from ...ops.special import scipy_ufunc  # imports scipy.special, as whoever made the Op has

    return UfuncRule(scipy_ufunc(ufunc))


def _function(name: str, kernels: Mapping[int, tuple[str, str]]) -> Callable[..., Any]:
    lowerings = {count: (lowered(emitter), alike) for count, (emitter, alike) in kernels.items()}

    def run(builder: Builder, first: Any, second: Any) -> Any:
        operands: tuple[Any, ...] = (first,) if second is None else (first, second)
        if len(operands) not in lowerings:
            raise NotNativeError("it has no kernel for one operand")
        if any(getattr(operand, "dtype", None) is not None and operand.dtype.kind == "c" for operand in operands):
            raise NotNativeError("it has no kernel for complex numbers yet")
        if name in _IN_FLOAT64 and builder.promotion.default_float != FLOAT32:
            operands = tuple([converted(builder, item, FLOAT64) if isinstance(item, Value) else item for item in operands])
        lowering, alike = lowerings[len(operands)]
        return lowering(builder, *operands, loop=_loops(alike).loop(builder.promotion, *operands))

    return run


LOWERINGS: Final[Lowerings] = {
    **{name: lowered(name) for name in map("special.{}".format, _UFUNCS.split())},
    **{f"special.{name}": lowered(numpys) for name, numpys in _NUMPYS.items()},
    **{name: _function(name, kernels) for name, kernels in _FUNCTIONS.items()},
}
