"""The primitives: what a node of the graph computes from its inputs, each a frozen value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "Buffer",
    "Cast",
    "Elementwise",
    "Fill",
    "HostStep",
    "Iota",
    "Layout",
    "Matmul",
    "Primitive",
    "Read",
    "Reduce",
    "Scalar",
    "Scan",
    "Write",
]


@dataclass(frozen=True, slots=True)
class Layout:
    """
    Where the elements of an array lie in a flat tensor.

    Parameters
    ----------
    offset : int
        Of the first element, in elements.
    shape : tuple of int
        Lengths.
    strides : tuple of int
        Elements from one to the next, by axis; 0 and negative ones included.
    """

    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory of the device that holds the value already."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """
    A number that the launch brings, of shape (): programs do not depend on it.

    Parameters
    ----------
    value : bool, int or float
        The number, exact in the node's dtype.
    """

    value: float


@dataclass(frozen=True, slots=True)
class Fill:
    """
    A constant that belongs to the program.

    Parameters
    ----------
    value : bool, int or float
        The constant, exact in the node's dtype.
    """

    value: float


@dataclass(frozen=True, slots=True)
class Iota:
    """0, 1, 2, … in the order of the elements, as int32."""


@dataclass(frozen=True, slots=True)
class Elementwise:
    """
    A function of each element. Inputs have the node's shape, or none: (), or one that differs by leading axes of length 1.

    Parameters
    ----------
    name : str
        A key of `kernels.elementwise.EMITTERS`.
    """

    name: str


@dataclass(frozen=True, slots=True)
class Cast:
    """The input in the node's dtype, as NumPy casts."""


@dataclass(frozen=True, slots=True)
class Read:
    """
    A strided look at the input, taken for flat.

    Parameters
    ----------
    layout : Layout
        Which elements; its shape is the node's.
    """

    layout: Layout


@dataclass(frozen=True, slots=True)
class Write:
    """
    The first input, flat, with the second one written over some of its elements.

    Parameters
    ----------
    layout : Layout
        Which elements; of no two the same. Its shape is that of the second input.
    """

    layout: Layout


@dataclass(frozen=True, slots=True)
class Reduce:
    """
    One value for each row: the input has the node's elements times a row's.

    Parameters
    ----------
    name : str
        A key of `kernels.reduce.REDUCERS`.
    length : int
        Elements of a row, which are the fastest ones of the input.
    """

    name: str
    length: int


@dataclass(frozen=True, slots=True)
class Scan:
    """
    Running values along each row.

    Parameters
    ----------
    name : str
        ``"add"`` or ``"multiply"``.
    length : int
        Elements of a row, the fastest ones.
    """

    name: str
    length: int


@dataclass(frozen=True, slots=True)
class Matmul:
    """Products of matrices: (batch, M, K) and (batch, K, N) give (batch, M, N)."""


@dataclass(frozen=True, slots=True)
class HostStep:
    """
    Something that the host computes, between two programs.

    Parameters
    ----------
    name : str
        The Op.
    reason : str
        Why the device does not.
    compute : callable
        Takes the inputs as ndarrays; returns the ndarray of this node.
    """

    name: str
    reason: str
    compute: Callable[..., Any] = field(compare=False)
    parameters: Mapping[str, Any] = field(default_factory=dict, compare=False)


Primitive = Buffer | Scalar | Fill | Iota | Elementwise | Cast | Read | Write | Reduce | Scan | Matmul | HostStep
