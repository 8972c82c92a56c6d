"""Ops that make arrays, and convert them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...dtypes import DType, canonical_dtype
from ...op import get_op
from ...ops import creation as _ops  # noqa: F401  # registers them
from ..build import fill
from ..graph import Node
from ..planes import plane_dtypes, split
from ..primitives import Fill
from ..value import Value
from . import NotNativeError
from .elementwise import broadcast_scalar
from .operands import convert, host_number, operand

if TYPE_CHECKING:
    from ..engine import NeuronEngine

__all__: list[str] = []


def constant(value: complex | None, shape: tuple[int, ...], dtype: DType) -> tuple[Node, ...]:
    """
    Make planes that hold one value, or anything.

    Parameters
    ----------
    value : number or None
        The value; None for memory with nothing in it.
    shape : tuple of int
        Lengths.
    dtype : dtype
        Of an Array.

    Returns
    -------
    tuple of Node
        Its planes.
    """
    planes = plane_dtypes(dtype)
    if value is None:
        return tuple(Node(Fill(None), (), shape, plane) for plane in planes)
    if value == 0:
        return tuple(fill(0, shape, plane) for plane in planes)
    number = host_number(value, dtype)
    words = [plane.reshape(-1)[0] for plane in split(np.asarray(number, dtype))]
    return tuple(
        fill(int(word) if plane.kind in "iu" else float(word), shape, plane) for word, plane in zip(words, planes, strict=True)
    )


def _made(value: int | None) -> Callable[..., Any]:
    def run(engine: NeuronEngine, shape: Any, dtype: Any = None, order: str = "C") -> Any:
        if order not in ("C", "K", "A"):
            raise NotNativeError("memory layouts other than 'C' are made on the host")
        wanted = engine.promotion.default_float if dtype is None else canonical_dtype(dtype)
        lengths = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        return engine.make(constant(value, lengths, wanted), wanted)

    return run


def _made_like(value: int | None) -> Callable[..., Any]:
    def run(engine: NeuronEngine, like: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None) -> Any:
        if order not in ("C", "K", "A") or not isinstance(like, Value):
            raise NotNativeError("memory layouts other than 'C' are made on the host")
        wanted = like.dtype if dtype is None else canonical_dtype(dtype)
        lengths = like.shape if shape is None else tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        return engine.make(constant(value, lengths, wanted), wanted)

    return run


def _full(engine: NeuronEngine, shape: Any, item: Any, dtype: Any = None, order: str = "C") -> Any:
    if order not in ("C", "K", "A") or dtype is None:
        raise NotNativeError("memory layouts other than 'C' are made on the host")
    wanted = canonical_dtype(dtype)
    lengths = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    planes = operand(engine, item, wanted, lengths)
    return engine.make(tuple(p if p.shape == lengths else broadcast_scalar(p, lengths) for p in planes), wanted)


def _full_like(
    engine: NeuronEngine, like: Any, item: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None
) -> Any:
    if not isinstance(like, Value):
        raise NotNativeError("it looks at no array")
    return _full(engine, like.shape if shape is None else shape, item, like.dtype if dtype is None else dtype, order)


def _astype(engine: NeuronEngine, value: Any, dtype: Any, *more: Any, copy: bool = True, **parameters: Any) -> Any:
    if not isinstance(value, Value) or more or parameters:
        raise NotNativeError("casting rules are checked on the host")
    wanted = canonical_dtype(dtype)
    if wanted == value.dtype and not copy:
        return value
    return engine.make(convert(value.read(), value.dtype, wanted), wanted)


def _register() -> None:
    for name, value in {"empty": None, "zeros": 0, "ones": 1}.items():
        get_op(name).implement("neuron", _made(value))
        get_op(f"{name}_like").implement("neuron", _made_like(value))
    get_op("full").implement("neuron", _full)
    get_op("full_like").implement("neuron", _full_like)
    get_op("astype").implement("neuron", _astype)


_register()
