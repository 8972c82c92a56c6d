"""Elementwise Ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import c_float
from typing import Any, Final, NamedTuple

from ...dtypes import BOOL, COMPLEX128, FLOAT32, FLOAT64, DType, is_low_precision
from ...op import Op
from ...ops import elementwise as elementwise_ops
from ...rules import UfuncLoop, UfuncRule, broadcast_shapes
from ...settings import get_config
from ..dtypes import NKI_NAMES, nki_name
from ..function import FUNCTIONS
from ..graph.build import elementwise, spread
from ..graph.graph import Node
from ..graph.primitives import Elementwise, Scalar
from ..value import Value
from . import Builder, Lowerings, NotNativeError
from .binary64_functions import FUNCTIONS64
from .complex_elementwise import COMPLEX, OF_COMPLEX128
from .operands import computes, host_number, operand
from .wide_integers import function_of_words

__all__ = ["composed", "float_dtype", "lowered"]

_ON_BOOL: Final[Mapping[str, str]] = {
    "add": "logical_or",
    "maximum": "logical_or",
    "fmax": "logical_or",
    "multiply": "logical_and",
    "minimum": "logical_and",
    "fmin": "logical_and",
    "invert": "logical_not",
    "absolute": "positive",
    "square": "positive",
}
"""What a function is on bool, where it is another one's."""

_ELSEWHERE: Final = frozenset(
    {"clip", "floor_divide", "standard.floor_divide", "remainder", "fmod", "divmod", "gcd", "lcm", "frexp", "ldexp"}
    | {"degrees", "radians", "deg2rad", "rad2deg", "heaviside", "modf", "power"}
    | {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
)
"""What is more than one kernel, in modules of its own."""

_ALIASES: Final[Mapping[str, str]] = {
    "float_power": "power",
    **{f"standard.{name}": name for name in ("sign", "expm1", "log1p", "tanh", "arccosh")},
}
"""Ops by the name of another that computes the same."""
_SAME: Final[Mapping[str, str]] = {"conjugate": "positive", "fabs": "absolute", **_ALIASES}
"""Ops of real numbers by the name of another's emitter."""
_TABLE: Final = "table."


class _Recipe(NamedTuple):
    """What a call on Values of one shape, and numbers of Python's, becomes: one node, with no cast."""

    primitive: Elementwise
    number: Callable[[Any], float]
    dtype: DType
    result: DType


def lowered(name: str) -> Callable[..., Value]:
    """Lower a universal function of one result."""
    recipes: dict[tuple[object, ...], _Recipe | None] = {}

    def run(builder: Builder, *operands: Any, loop: UfuncLoop) -> Value:
        key = loop, get_config().math
        try:
            recipe = recipes[key]
        except KeyError:
            recipe = recipes[key] = _recipe(name, loop)
        if recipe is not None:
            nodes = _uniform(recipe, operands)
            if nodes is not None:
                return builder.result((Node(recipe.primitive, nodes),), recipe.result)
        if len(loop.outs) != 1:
            raise NotNativeError("it has no kernel yet")
        shape, result = broadcast_shapes(*(getattr(item, "shape", ()) for item in operands)), loop.outs[0]
        planes = _compute(builder, name, operands, _taken(loop), shape, result)
        return builder.result(spread(planes, shape), result)

    return run


def _recipe(name: str, loop: UfuncLoop) -> _Recipe | None:
    """Find out whether calls may be one node: of one native dtype."""
    (dtype, *others) = dict.fromkeys(_taken(loop))
    if others or len(loop.outs) != 1 or dtype not in NKI_NAMES or dtype == BOOL:
        return None
    name = _by_setting(_SAME.get(name, name))
    if name not in FUNCTIONS or nki_name(dtype) not in FUNCTIONS[name].loops:
        return None
    return _Recipe(Elementwise(name), _converter(dtype), dtype, loop.outs[0])


def _taken(loop: UfuncLoop) -> list[DType]:
    """Give the dtypes that operands are converted to: kernels round low-precision results themselves."""
    return [loop.exact if is_low_precision(loop.exact) and item == FLOAT32 else item for item in loop.ins]


def _by_setting(name: str) -> str:
    """Name the emitter that the setting `math` asks for."""
    return _TABLE + name if get_config().math == "table" and _TABLE + name in FUNCTIONS else name


def _converter(dtype: DType) -> Callable[[Any], float]:
    if dtype == FLOAT32:
        return lambda item: c_float(item).value
    if dtype.kind in "iu":
        return lambda item: int(host_number(item, dtype))
    return lambda item: float(host_number(item, dtype))


def _uniform(recipe: _Recipe, operands: tuple[Any, ...]) -> tuple[Node, ...] | None:
    """Give the inputs of the node, if the shapes are the same, and no operand needs a cast."""
    nodes: tuple[Node, ...] = ()
    shape = None
    for item in operands:
        if type(item) is Value:
            if item.dtype is not recipe.dtype or (shape is not None and shape != item.shape):
                return None
            shape = item.shape
            nodes += item.read()
        elif type(item) is float or type(item) is int:
            nodes += (Node(Scalar(recipe.number(item), recipe.dtype), ()),)
        else:
            return None
    return None if shape is None else nodes


def _compute(
    builder: Builder, name: str, operands: Sequence[Any], ins: list[DType], shape: tuple[int, ...], result: DType
) -> tuple[Node, ...]:
    taken = (operand(builder, item, dtype, shape) for item, dtype in zip(operands, ins, strict=True))
    if any(dtype.kind == "c" for dtype in ins):
        wide = any(dtype == COMPLEX128 for dtype in ins)
        functions = OF_COMPLEX128 if wide else COMPLEX
        function = functions.get(name) or functions.get(_ALIASES.get(name, name))
        if function is None or (wide and any(dtype != COMPLEX128 for dtype in ins)):
            raise NotNativeError(f"it has no kernel for {ins[0]} yet")
    else:
        name = _SAME.get(name, name)
        function = FUNCTIONS64.get(name) if all(dtype == FLOAT64 for dtype in ins) else function_of_words(name, ins)
    if function is not None:
        planes: tuple[Node, ...] = function(*taken)
        return planes
    for dtype in ins:
        if not computes(dtype):
            raise NotNativeError(f"it has no kernel for {dtype}")
    if ins[0] == BOOL:
        name = _ON_BOOL.get(name, name)
    name = _by_setting(name)
    emitter = FUNCTIONS.get(name)
    if emitter is None:
        raise NotNativeError("it has no kernel yet")
    nodes = [planes[0] for planes in taken]
    if nki_name(nodes[-1].dtype) not in emitter.loops:
        raise NotNativeError(f"it has no kernel for {ins[0]} yet")
    return (elementwise(name, *nodes, dtype=result),)


def composed(function: Callable[..., Sequence[tuple[Node, ...]]]) -> Callable[..., Any]:
    """Lower a universal function by one that gives the planes of its results: ``function(builder, operands, loop, shape)``."""

    def run(builder: Builder, *operands: Any, loop: UfuncLoop) -> Any:
        shape = broadcast_shapes(*(getattr(item, "shape", ()) for item in operands))
        results = function(builder, operands, loop, shape)
        values = [builder.result(spread(planes, shape), dtype) for planes, dtype in zip(results, loop.outs, strict=True)]
        return values[0] if len(values) == 1 else tuple(values)

    return run


def float_dtype(loop: UfuncLoop) -> DType:
    """Give the dtype in which a function that is made of operations of real floats takes its first operand."""
    need = loop.exact if is_low_precision(loop.exact) else loop.ins[0]
    if not computes(need) or (need != FLOAT32 and not is_low_precision(need)):
        raise NotNativeError(f"it has no kernel for {need}")
    return need


LOWERINGS: Final[Lowerings] = {
    op.name: lowered(op.name)
    for op in vars(elementwise_ops).values()
    if isinstance(op, Op) and isinstance(op.rule, UfuncRule) and op.name not in _ELSEWHERE
}
