"""Methods of ufuncs: reductions, accumulations and outer products, as those Ops that have the same meaning."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...op import all_ops, get_op
from ...ops.ufuncs import ufunc_op
from ...rules import Elementwise
from .calls import call
from .cumulative import accumulation
from .joining import values_of
from .reductions import folding

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_REDUCTIONS: Final[Mapping[np.ufunc, str]] = {
    np.add: "sum",
    np.multiply: "prod",
    np.maximum: "max",
    np.minimum: "min",
    np.logical_or: "any",
    np.logical_and: "all",
}
_FOLDS: Final = (np.bitwise_or, np.bitwise_and, np.bitwise_xor, np.logical_xor, np.fmax, np.fmin)
"""What else is reduced."""


def _accumulated(ufunc: np.ufunc) -> Callable[..., Any]:
    accumulate = accumulation(ufunc.__name__, widen=ufunc in (np.add, np.multiply))

    def run(engine: NeuronEngine, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        return accumulate(engine, array, axis, dtype, out[0] if isinstance(out, tuple) else out)

    return run


def _outer(name: str) -> Callable[..., Any]:
    def run(engine: NeuronEngine, left: Any, right: Any, **parameters: Any) -> Any:
        a, b = values_of(engine, [left, right])
        spread = a.view(a.shadow[(..., *(np.newaxis,) * b.ndim)])
        return call(engine, name, spread, b, **parameters)

    return run


def _register() -> None:
    for ufunc, name in _REDUCTIONS.items():
        implementation = get_op(name).implementation("neuron")
        assert implementation is not None
        ufunc_op(ufunc, "reduce").implement("neuron", implementation)
    for ufunc in _FOLDS:
        ufunc_op(ufunc, "reduce").implement("neuron", folding(ufunc.__name__))
    for ufunc in (*_REDUCTIONS, *_FOLDS):
        ufunc_op(ufunc, "accumulate").implement("neuron", _accumulated(ufunc))
    for op in list(all_ops()):
        if isinstance(op.rule, Elementwise) and isinstance(op.host, np.ufunc) and op.host.nin == 2 and op.host.signature is None:
            ufunc_op(op.host, "outer").implement("neuron", _outer(op.name))


_register()
