"""Comparisons of integers: a Python integer beyond their dtype is on one side of all of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ...dtypes import BOOL
from ...op import get_op
from ...ops import elementwise as _ops  # noqa: F401  # registers them
from ...rules import Elementwise, broadcast_shapes
from ..build import fill
from .elementwise import delivered, lowered

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []

_BYTE: Final = np.dtype(np.uint8)
_COMPARISONS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}


def _lowered(name: str, compare: Callable[[int, int], bool]) -> Callable[..., Any]:
    op = get_op(name)
    rule = cast(Elementwise, op.rule)
    general = lowered(name, rule)

    def run(engine: NeuronEngine, *operands: Any, **options: Any) -> Any:
        try:
            return general(engine, *operands, **options)
        except OverflowError:
            return _beyond(engine, rule, compare, operands, **options)

    return run


def _beyond(
    engine: NeuronEngine, rule: Elementwise, compare: Callable[[int, int], bool], operands: tuple[Any, ...], out: Any = None,
    where: Any = True, casting: str = "same_kind", dtype: Any = None, **_: Any,
) -> Any:  # fmt: skip
    """Compare with a number that no element can be: they all compare as the least one does."""
    if len(operands) > rule.operands:  # an output given by position
        operands, out = operands[: rule.operands], operands[rule.operands]
    least = int(np.iinfo(rule.loop(engine.promotion, *operands, dtype=dtype, casting=casting).ins[0]).min)
    truth = compare(*(item if type(item) is int else least for item in operands))
    shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in operands))
    return delivered(engine, [(fill(int(truth), shape, _BYTE),)], [BOOL], shape, out, where, casting)


def _register() -> None:
    for name, compare in _COMPARISONS.items():
        get_op(name).implement("neuron", _lowered(name, compare))


_register()
