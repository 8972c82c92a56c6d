"""Elementwise Ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from ctypes import c_float
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...dtypes import BOOL, FLOAT32, DType, is_low_precision
from ...op import Op
from ...ops import elementwise as elementwise_ops
from ...promotion import HOST
from ...rules import Elementwise, Loop, broadcast_shapes
from ...settings import get_config
from ..dtypes import NKI_NAMES, nki_name
from ..function import FUNCTIONS
from ..graph.build import broadcast, broadcast_scalar, elementwise
from ..graph.graph import Node
from ..graph.primitives import Elementwise as Elementwise_
from ..graph.primitives import Scalar
from ..planes import plane_dtypes
from ..value import Value
from . import Lowerings, NotNativeError
from .complex_elementwise import COMPLEX
from .operands import computes, convert, host_number, operand, take
from .wide_integers import function_of_words

if TYPE_CHECKING:
    from ..graph.builder import Builder

__all__ = ["delivered", "float_loop", "lowered", "store", "write_out", "write_result"]

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
    """What a call on operands of certain dtypes becomes: one node, with no cast."""

    primitive: Elementwise_
    scalars: tuple[Callable[[Any], float] | None, ...]
    scalar_dtype: DType
    plane: DType
    result: DType


def lowered(name: str, rule: Elementwise) -> Callable[..., Any]:
    """Lower a universal function."""
    recipes: dict[tuple[object, ...], _Recipe | None] = {}

    def run(builder: Builder, *operands: Any, **options: Any) -> Any:
        if not options:
            settings = get_config()
            key = (settings.defaults, settings.math, *[x.dtype if type(x) is Value else type(x) for x in operands])
            try:
                recipe = recipes[key]
            except KeyError:
                recipe = recipes[key] = _recipe(builder, name, rule, operands)
            if recipe is not None:
                value = _cooked(builder, recipe, operands)
                if value is not None:
                    return value
        return _called(builder, name, rule, *operands, **options)

    return run


def _recipe(builder: Builder, name: str, rule: Elementwise, operands: tuple[Any, ...]) -> _Recipe | None:
    """Find out whether a call is one node: of native dtypes that need no cast, and Python numbers."""
    if len(operands) != rule.operands or not all(type(item) is Value or type(item) in (int, float) for item in operands):
        return None
    loop = rule.loop(builder.promotion, *operands)
    ins = _taken(loop)
    (dtype, *others) = dict.fromkeys(ins)
    if others or len(loop.outs) != 1 or dtype not in NKI_NAMES or dtype == BOOL:
        return None
    if {item.dtype for item in operands if type(item) is Value} != {dtype}:
        return None
    name = _by_setting(_SAME.get(name, name))
    if name not in FUNCTIONS or nki_name(dtype) not in FUNCTIONS[name].loops:
        return None
    scalars = tuple(None if type(item) is Value else _converter(dtype) for item in operands)
    (plane,) = plane_dtypes(loop.outs[0])
    return _Recipe(Elementwise_(name), scalars, dtype, plane, loop.outs[0])


def _taken(loop: Loop) -> list[DType]:
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


def _cooked(builder: Builder, recipe: _Recipe, operands: tuple[Any, ...]) -> Value | None:
    """Append the node, if the shapes are the same."""
    shape, nodes = None, []
    for item, convert_scalar in zip(operands, recipe.scalars, strict=True):
        if convert_scalar is not None:
            nodes.append(Node(Scalar(convert_scalar(item), recipe.scalar_dtype), ()))
            continue
        if shape is None:
            shape = item.shape
        elif shape != item.shape:
            return None
        nodes += item.read()
    assert shape is not None
    return builder.result((Node(recipe.primitive, tuple(nodes)),), recipe.result)


def _called(
    builder: Builder, name: str, rule: Elementwise, *operands: Any, out: Any = None, where: Any = True, dtype: DType | None = None,
    casting: str = "same_kind", order: str = "K", subok: bool = True, **parameters: Any,
) -> Any:  # fmt: skip
    if parameters:
        raise NotNativeError("it has parameters that are looked after on the host")
    if len(operands) > rule.operands:  # an output given by position
        operands, out = operands[: rule.operands], operands[rule.operands]
    taken = [take(builder, item) for item in operands]
    loop = rule.loop(builder.promotion, *taken, dtype=dtype, casting=casting)
    if len(loop.outs) != 1:
        raise NotNativeError("it has no kernel yet")
    if order not in ("K", "C", "A") or not subok:
        raise NotNativeError("memory layouts other than 'C' are made on the host")
    shape, result = broadcast_shapes(*(getattr(item, "shape", ()) for item in taken)), loop.outs[0]
    ins = _taken(loop)
    planes = _compute(builder, name, taken, ins, shape, result)
    return delivered(builder, [planes], [result], shape, out, where, casting)


def _compute(
    builder: Builder, name: str, operands: list[Any], ins: list[DType], shape: tuple[int, ...], result: DType
) -> tuple[Node, ...]:
    if any(dtype.kind == "c" for dtype in ins):
        function = COMPLEX.get(name) or COMPLEX.get(_ALIASES.get(name, name))
        if function is None or any(len(plane_dtypes(dtype)) > 2 for dtype in ins):
            raise NotNativeError(f"it has no kernel for {ins[0]} yet")
        results: tuple[Node, ...] = function(*(operand(builder, item, dtype, shape) for item, dtype in zip(operands, ins, strict=True)))
        return results
    name = _SAME.get(name, name)
    of_words = function_of_words(name, ins)
    if of_words is not None:
        planes: tuple[Node, ...] = of_words(*(operand(builder, item, dtype, shape) for item, dtype in zip(operands, ins, strict=True)))
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
    nodes = [operand(builder, item, dtype, shape)[0] for item, dtype in zip(operands, ins, strict=True)]
    if nki_name(nodes[-1].dtype) not in emitter.loops:
        raise NotNativeError(f"it has no kernel for {ins[0]} yet")
    return (elementwise(name, *nodes, dtype=result),)


def float_loop(
    builder: Builder, rule: Elementwise, taken: Sequence[Any], casting: str, parameters: dict[str, Any]
) -> tuple[Loop, DType]:
    """Find the loop of a function that is made of operations of real floats."""
    dtype: DType | None = parameters.pop("dtype", None)
    if parameters or len(taken) != rule.operands:
        raise NotNativeError("it has parameters that are looked after on the host")
    loop = rule.loop(builder.promotion, *taken, dtype=dtype, casting=casting)
    need = loop.exact if is_low_precision(loop.exact) else loop.ins[0]
    if not computes(need) or (need != FLOAT32 and not is_low_precision(need)):
        raise NotNativeError(f"it has no kernel for {need}")
    return loop, need


def delivered(
    builder: Builder, results: Sequence[tuple[Node, ...]], dtypes: Sequence[DType], shape: tuple[int, ...], out: Any, where: Any,
    casting: str,
) -> Any:  # fmt: skip
    """Give the caller of a universal function its results: in memory of their own, or in `out`."""
    if out is None and where is True:
        full = [tuple(broadcast(plane, shape) for plane in planes) for planes in results]
        values = [builder.result(planes, dtype) for planes, dtype in zip(full, dtypes, strict=True)]
    else:
        targets = out if isinstance(out, tuple) else (out,) * len(results)
        values = [
            write_out(builder, planes, dtype, shape, target, where, casting)
            for planes, dtype, target in zip(results, dtypes, targets, strict=True)
        ]
    return values[0] if len(values) == 1 else tuple(values)


def write_out(
    builder: Builder, planes: tuple[Node, ...], dtype: DType, shape: tuple[int, ...], out: Any, where: Any, casting: str
) -> Value:
    """Write a result where the caller wants it."""
    target: Value | None = out[0] if isinstance(out, tuple) else out
    if target is None:
        shape = broadcast_shapes(shape, getattr(where, "shape", ()))
        target = builder.make(tuple(broadcast(plane, shape) for plane in planes), dtype)
        return target if where is True else _masked(builder, target, target.read(), where)
    if broadcast_shapes(shape, target.shape) != target.shape:
        raise ValueError(f"the result has shape {shape}, which does not broadcast to that of out, {target.shape}")
    if not HOST.can_cast(dtype, target.dtype, casting):
        raise TypeError(
            f"the result is {dtype} and out is {target.dtype}, to which casting={casting!r} does not lead; allow it with casting='unsafe'"
        )
    planes = tuple(broadcast(plane, target.shape) for plane in convert(planes, dtype, target.dtype))
    if where is True:
        store(target, planes)
        return target
    return _masked(builder, target, planes, where)


def write_result(
    builder: Builder, planes: tuple[Node, ...], dtype: DType, shape: tuple[int, ...], out: Any, casting: str = "same_kind"
) -> Value:
    """Write a result that is no universal function's where the caller wants it, which is memory of its shape."""
    target: Value = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    if not isinstance(target, Value):
        raise TypeError("out of a function with one result is an Array or a tuple of one; give it so")
    if target.shape != shape:
        raise ValueError(f"the result has shape {shape} and out has {target.shape}; give memory of the result's shape")
    return write_out(builder, planes, dtype, shape, target, True, casting)


def _masked(builder: Builder, target: Value, planes: tuple[Node, ...], where: Any) -> Value:
    given = take(builder, where)
    if broadcast_shapes(getattr(given, "shape", ()), target.shape) != target.shape:
        raise ValueError(f"where has shape {given.shape}, which does not broadcast to that of out, {target.shape}")
    (mask,) = operand(builder, given, BOOL, target.shape)
    old = target.held()
    store(target, tuple(elementwise("where", mask, new, kept, dtype=new.dtype) for new, kept in zip(planes, old, strict=True)))
    return target


def store(target: Value, planes: tuple[Node, ...]) -> None:
    """Replace the elements of a value; planes of shape () fill it."""
    target.write(tuple(_filled(plane, target.shape) for plane in planes))


def _filled(plane: Node, shape: tuple[int, ...]) -> Node:
    return plane if plane.shape == shape else elementwise("positive", broadcast_scalar(plane, shape), dtype=plane.dtype)


LOWERINGS: Final[Lowerings] = {
    op.name: lowered(op.name, op.rule)
    for op in vars(elementwise_ops).values()
    if isinstance(op, Op) and isinstance(op.rule, Elementwise) and op.name not in _ELSEWHERE
}
