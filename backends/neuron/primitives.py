"""The primitives: what a node of the graph computes from its inputs, each a frozen value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .host_call import HostCall

__all__ = [
    "Buffer",
    "Cast",
    "Compress",
    "Elementwise",
    "Fill",
    "Flip",
    "GatherElements",
    "GatherRows",
    "HostStep",
    "Iota",
    "Layout",
    "Matmul",
    "Permute",
    "Primitive",
    "Read",
    "Reduce",
    "Scalar",
    "Scan",
    "Scatter",
    "Sort",
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

    @property
    def lowest(self) -> int:
        """
        Find the element that lies first in memory.

        Returns
        -------
        int
            Its offset: that of the first one, unless strides are negative.
        """
        back = sum(stride * (length - 1) for length, stride in zip(self.shape, self.strides, strict=True) if stride < 0)
        return self.offset + back

    def varies(self, size: int) -> bool:
        """
        Tell whether the same elements could lie elsewhere.

        Parameters
        ----------
        size : int
            Elements of the tensor.

        Returns
        -------
        bool
            Whether the offset is one of several.
        """
        span = 1
        for length, stride in zip(self.shape, self.strides, strict=True):
            span += abs(stride) * (length - 1)
        return span < size


@dataclass(frozen=True, slots=True)
class Buffer:
    """Memory of the device that holds the value already."""


class Scalar(NamedTuple):  # of which many are made
    """
    A number that the launch brings, of shape (): programs do not depend on it.

    Attributes
    ----------
    value : int or float
        The number, exact in the node's dtype.
    """

    value: float


@dataclass(frozen=True, slots=True)
class Fill:
    """
    A constant that belongs to the program.

    Parameters
    ----------
    value : int, float or None
        The constant, exact in the node's dtype; None for memory with nothing in it.
    """

    value: float | None = field(compare=False)
    _told_apart: str = field(init=False, repr=False)  # 0.0 and -0.0 are two constants, and NaN is one

    def __post_init__(self) -> None:
        object.__setattr__(self, "_told_apart", repr(self.value))


@dataclass(frozen=True, slots=True)
class Iota:
    """0, 1, …: a vector each of whose elements is its own place. It needs no memory; programs make of it what they look at."""


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
    One value of many: the input is (outer, length, inner), the result (outer, inner).

    Parameters
    ----------
    name : str
        A key of `kernels.reduce.REDUCERS`.
    length : int
        Elements that make one.
    inner : int, optional
        Elements beside each other; 1 where those that make one are the fastest, which is a row.
    """

    name: str
    length: int
    inner: int = 1


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
    """
    Products of matrices: (batch, M, K) and (batch, K, N) give (batch, M, N).

    Parameters
    ----------
    left_transposed, right_transposed : bool, optional
        Whether the matrices of an input lie transposed: (batch, K, M), (batch, N, K).
    """

    left_transposed: bool = False
    right_transposed: bool = False


@dataclass(frozen=True, slots=True)
class Permute:
    """
    Axes in another order. The planner makes it of a `Read` whose elements are no neighbours in memory.

    Parameters
    ----------
    shape : tuple of int
        The input's.
    axes : tuple of int
        Axis of the input for each axis of the node.
    """

    shape: tuple[int, ...]
    axes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """
    The middle axis reversed. The planner makes it of a `Read` that steps backwards.

    Parameters
    ----------
    shape : tuple of int
        (outer, length, inner).
    """

    shape: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class GatherRows:
    """
    Rows of the first input, which is (rows, width), at places that the second input tells, int32 from 0 to rows - 1.

    Parameters
    ----------
    width : int
        Elements of a row.
    """

    width: int


@dataclass(frozen=True, slots=True)
class GatherElements:
    """
    Elements of each row of the first input, (batch, length).

    The second input tells their places: (batch, count) of int32 from 0 to length - 1.

    Parameters
    ----------
    batch : int
        Rows.
    """

    batch: int


@dataclass(frozen=True, slots=True)
class Compress:
    """The elements of the second input, (n,), that the first one, a mask, keeps, in their order; zeros follow."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """
    The first input, (rows, width), with rows of the third one, (count, width).

    The second input tells their places: (count,) of int32 from 0 to rows - 1.

    Parameters
    ----------
    width : int
        Elements of a row.
    function : str, optional
        A key of `kernels.scatter.COMBINERS`, by which elements are combined with those that are there, where the width is 1; without, they
        are written over, and of several rows that go to one place the last one stays.
    products : bool, optional
        Whether elements are added by products with rows of zeros and a one, as `kernels.one_hot` does.
    """

    width: int
    function: str = ""
    products: bool = False


@dataclass(frozen=True, slots=True)
class Sort:
    """
    Rows in ascending order: of the input, or by its elements and where they are equal by those of a second one.

    Inputs are (rows, length) of float32, as `kernels.sort.sort_rows` takes them; the result is (inputs, rows, length).

    Parameters
    ----------
    length : int
        Elements of a row.
    """

    length: int


@dataclass(frozen=True, slots=True)
class HostStep:
    """
    A plane of what the host computes. No program has it: it stands between programs.

    Parameters
    ----------
    call : HostCall
        The call, of which there may be other planes.
    place : int
        Which plane, of all its results.
    """

    call: HostCall
    place: int


Primitive = (
    Buffer | Scalar | Fill | Iota | Elementwise | Cast | Read | Write | Reduce | Scan | Matmul | Permute | Flip
    | GatherRows | GatherElements | Compress | Scatter | Sort | HostStep
)
