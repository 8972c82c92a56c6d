"""The value of an Array on a Neuron device: a strided view on cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..dtypes import BOOL, INT32, DType
from ..nesting import check_depth
from ..rules import NeedsValueError, Signature
from .graph.build import bits, call, elementwise, fill, iota, reshape
from .graph.graph import Cell, Graph, Node
from .graph.primitives import Fill, Read, Write
from .kernel import InvalidCallError
from .launch.capacity import check_tensor
from .layout import Layout, contiguous_strides
from .planes import plane_dtypes

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Padding", "Value", "values_among"]


class Padding(NamedTuple):
    """
    Where the elements of a value lie in larger cells of its own.

    Attributes
    ----------
    shape : tuple of int
        Lengths of the cells' array.
    start : tuple of int
        The index of the first element.
    axes : frozenset of int
        Along which the cells may be longer.
    """

    shape: tuple[int, ...]
    start: tuple[int, ...]
    axes: frozenset[int]

    def layout(self, shape: tuple[int, ...]) -> Layout:
        """Tell where so many elements lie."""
        strides = contiguous_strides(self.shape)
        return Layout(sum(first * stride for first, stride in zip(self.start, strides, strict=True)), shape, strides)


class ParameterError(NeedsValueError):
    """
    An array is given where the host looks at a number.

    Parameters
    ----------
    value : Value
        Which.
    """

    def __init__(self, value: Value) -> None:
        super().__init__(
            f"an Array on a device, of shape {value.shape}, is given where a parameter is wanted that the host looks at; write int(x), "
            "float(x) or x.tolist()"
        )
        self.value = value


class Value:
    """
    A strided view on the cells of an array.

    Its geometry is that of a *shadow*, an ndarray of the same dtype and layout whose memory nobody touches: NumPy itself says what
    is a view, what its shape and strides are, and what an index means.

    Parameters
    ----------
    cells : tuple of Cell
        The memory of each plane, flat.
    shape : tuple of int
        The lengths.
    dtype : dtype
        The Array's.
    shadow : np.ndarray, optional
        Its geometry; None where it is all of the cells.
    root : np.ndarray, optional
        The array that the shadow is a view of: it begins where the cells begin, and has the dtype that their elements were made in.

    Attributes
    ----------
    detached : bool
        Whether it stands for a scalar, which has no memory to share.
    of_numbers : bool
        Whether it was made of numbers or a sequence of the caller's, for one call.
    base : Value or None
        Whose memory it looks at, if that is not its own.
    padding : Padding or None
        Where it lies in its cells, if these have more elements, which nobody sees: its first view moves it together, unless it comes first.
    """

    __slots__ = ("_root", "_shadow", "base", "cells", "detached", "dtype", "of_numbers", "padding", "shape")

    def __init__(
        self,
        cells: tuple[Cell, ...],
        shape: tuple[int, ...],
        dtype: DType,
        shadow: npt.NDArray[Any] | None = None,
        root: npt.NDArray[Any] | None = None,
    ) -> None:
        self.cells = cells
        self.shape = shape
        self.dtype = dtype
        self._shadow = shadow
        self._root = root
        self.detached = self.of_numbers = False
        self.base: Value | None = None
        self.padding: Padding | None = None

    @classmethod
    def of_shadow(cls, cells: tuple[Cell, ...], shadow: npt.NDArray[Any], root: npt.NDArray[Any]) -> Value:
        """Look at cells through a shadow."""
        return cls(cells, shadow.shape, shadow.dtype, shadow, root)

    @property
    def shadow(self) -> npt.NDArray[Any]:
        """The geometry."""
        if self._shadow is None:
            with self.cells[0].graph.lock:  # two threads must not give it two
                if self._shadow is None:
                    if self.padding is not None:
                        self._move_together()
                    self._shadow = self._root = np.empty(self.shape, self.dtype)
        shadow = self._shadow
        assert shadow is not None
        return shadow

    def _move_together(self) -> None:
        """Take the elements out of larger cells, as NumPy's array of them would lie, unless they are the first ones of these."""
        layout = self.layout
        if not layout.is_whole:
            for cell in self.cells:
                cell.write(Node(Read(layout), (cell.node,)))
            self.padding = None

    @classmethod
    def of_nodes(cls, nodes: tuple[Node, ...], dtype: DType, graph: Graph, shape: tuple[int, ...] | None = None) -> Value:
        """Make a value with memory of its own."""
        if len(nodes) == 1:
            cells: tuple[Cell, ...] = (Cell(nodes[0], graph),)
        else:
            cells = tuple([Cell(node, graph) for node in nodes])
            if any(node.size != nodes[0].size for node in nodes):
                raise InvalidCallError(f"planes of the shapes {', '.join(str(node.shape) for node in nodes)} make no array")
        return cls(cells, nodes[0].shape if shape is None else shape, dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from one element to the next, as if an element were in one piece."""
        return self.shadow.strides

    @property
    def flags(self) -> Any:
        """How the elements lie, and whether they may be written."""
        return self.shadow.flags

    def setflags(self, **flags: Any) -> None:
        """Protect the value, or allow writes."""
        self.shadow.setflags(**flags)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def _no_parameter(self, *_: Any) -> Any:
        raise ParameterError(self)

    __index__ = __float__ = __iter__ = __getitem__ = __array__ = __lt__ = __gt__ = __neg__ = _no_parameter
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __rmod__ = _no_parameter

    @property
    def layout(self) -> Layout:
        """Where its elements lie in the cells."""
        if self.padding is not None and self._shadow is None:
            return self.padding.layout(self.shape)
        shadow, root = self.shadow, self._root
        assert root is not None
        itemsize = root.itemsize  # twice the dtype's for real and imaginary parts
        offset = (_address(shadow) - _address(root)) // itemsize if shadow.size else 0
        return Layout(offset, shadow.shape, tuple(stride // itemsize for stride in shadow.strides))

    def covers(self, cell: Cell) -> bool:
        """Tell whether the elements are all of a cell's, in their order."""
        shadow, root = self._shadow, self._root
        if shadow is None:
            return self.padding is None or self.padding.shape == self.shape
        assert root is not None
        if shadow.size != cell.node.size:
            return False
        return shadow.flags.c_contiguous if root.itemsize == shadow.itemsize else self.layout.strides == contiguous_strides(self.shape)

    def view(self, shadow: npt.NDArray[Any]) -> Value:
        """Look at the same memory through another shadow."""
        assert isinstance(shadow, np.ndarray), "a scalar has no memory to view"
        self.shadow  # noqa: B018  # there is a root from now on
        assert self._root is not None
        return self._based(Value.of_shadow(self.cells, shadow, self._root))

    def _based(self, view: Value) -> Value:
        view.base = self if self.base is None else self.base
        return view

    def widened(self, shape: tuple[int, ...], start: tuple[int, ...]) -> Value:
        """Look at elements around these, too, by the lengths and the index where these begin: the memory must have them."""
        shadow, root = self._shadow, self._root
        if shadow is None and self.padding is not None:
            root = np.empty(self.padding.shape, self.dtype)
            shadow = root[tuple(slice(first, first + length) for first, length in zip(self.padding.start, self.shape, strict=True))]
        elif shadow is None:
            shadow, root = self.shadow, self._root
        assert root is not None
        turned = tuple(slice(None, None, -1 if first else 1) for first in start)
        words = shadow[turned].view(f"V{self.dtype.itemsize}")  # as_strided does not know all dtypes; it is longer where it begins
        wide = np.lib.stride_tricks.as_strided(words, shape, words.strides)[turned].view(self.dtype)
        return self._based(Value.of_shadow(self.cells, wide, root))

    def with_memory(self) -> Value:
        """Copy to memory that can be written to."""
        graph = self.cells[0].graph
        with graph.lock:
            return Value.of_nodes(self.read(), self.dtype, graph)

    def without_memory(self) -> Value:
        """Copy as a scalar."""
        scalar = self.with_memory()
        scalar.detached = True
        return scalar

    def part(self, place: int) -> Value:
        """View the real or the imaginary parts."""
        shadow, half = self.shadow, len(self.cells) // 2
        part = shadow.imag if place else shadow.real
        assert self._root is not None
        return self._based(Value.of_shadow(self.cells[place * half : (place + 1) * half], part, self._root))

    def restrided(self, shape: tuple[int, ...] | None, strides: tuple[int, ...] | None, *, writeable: bool) -> Value:
        """View the memory by another shape and other strides, as `numpy.lib.stride_tricks.as_strided` does."""
        view = self.view(np.lib.stride_tricks.as_strided(self.shadow, shape, strides, writeable=writeable))
        root = self._root
        assert root is not None
        itemsize = root.itemsize
        if any(stride % itemsize for stride in view.strides):
            raise ValueError(
                f"strides are {view.strides} bytes for elements of {itemsize}; on this device memory consists of whole elements: "
                f"use multiples of {itemsize}"
            )
        if not view.layout.lies_in(root.size):
            raise ValueError(
                f"shape {view.shape} and strides {view.strides} bytes, from element {view.layout.offset} on, lead out of memory that has "
                f"{root.size}; on this device a view has to be within the memory of its array"
            )
        return view

    def read(self) -> tuple[Node, ...]:
        """Take the present value."""
        root = self._root
        if root is None:
            nodes = tuple([cell.node for cell in self.cells])
            return nodes if nodes[0].shape == self.shape else self.held()
        if self.dtype == BOOL and (root.dtype != BOOL or self.cells[0].raw):  # any byte but 0 is true
            (node,) = self.held()
            return (elementwise("not_equal", node, fill(0, (), node.dtype), dtype=BOOL),)
        return self.held()

    def held(self) -> tuple[Node, ...]:
        """Take the present value as the memory has it, to write most of it back: bools that are a view of integers may be any bytes."""
        nodes = tuple([self._read(cell) for cell in self.cells])
        root = self._root
        if root is None or root.dtype is self.dtype:
            return nodes
        return tuple([bits(node, part) for node, part in zip(nodes, plane_dtypes(self.dtype), strict=True)])

    def _read(self, cell: Cell) -> Node:
        node = cell.node
        if self.covers(cell):
            if node.shape == self.shape:
                return node
            layout = Layout(0, self.shape, contiguous_strides(self.shape))
        else:
            layout = self.layout
            _check_direction(layout, node)
        return Node(Read(layout), (node,))

    def write(self, nodes: tuple[Node, ...]) -> None:
        """Replace the elements."""
        self.check_writable()
        if self.size == 0:
            return
        root = self._root
        if root is not None and root.dtype is not self.dtype:
            nodes = tuple([bits(node, cell.node.dtype) for cell, node in zip(self.cells, nodes, strict=True)])
            if root.dtype == BOOL:
                self.cells[0].raw = True
        if not self.covers(self.cells[0]):
            layout = self.layout
            _check_direction(layout, self.cells[0].node)
            if all(_is_look(node, cell.node, layout) for cell, node in zip(self.cells, nodes, strict=True)):
                return  # as the last step of x[key] += y
            if layout.overlaps:
                nodes = self._changed(layout, nodes)
            else:
                nodes = tuple([Node(Write(layout), (cell.node, node)) for cell, node in zip(self.cells, nodes, strict=True)])
        before = [cell.node for cell in self.cells]
        try:
            for cell, node in zip(self.cells, nodes, strict=True):
                cell.write(node)
        except BaseException:  # an interrupt must not leave planes of two values
            for cell, node in zip(self.cells, before, strict=True):
                cell.write(node)
            raise

    def _changed(self, layout: Layout, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """
        Replace elements of which some share memory: the last one of them, in C order, whose bits change stays.

        What does not change is not written, so that a write to some elements is not lost under old values of others.
        """
        flat, changed = (self.size,), None
        for cell, node in zip(self.cells, nodes, strict=True):
            word = np.dtype(f"u{node.dtype.itemsize}")
            differs = elementwise("not_equal", bits(node, word), bits(Node(Read(layout), (cell.node,)), word), dtype=BOOL)
            changed = differs if changed is None else elementwise("logical_or", changed, differs, dtype=BOOL)
        assert changed is not None
        count = self.cells[0].node.size
        index = elementwise("where", changed, Node(Read(layout), (iota(count),)), fill(count, (), INT32), dtype=INT32)
        results = []
        for cell, node in zip(self.cells, nodes, strict=True):
            old = cell.node
            whole = Layout(0, old.shape, contiguous_strides(old.shape))
            longer = Node(Write(whole), (Node(Fill(None, Signature((count + 1,), old.dtype)), ()), old))  # by what takes the unchanged ones
            (written,) = call("scatter rows", longer, reshape(index, flat), reshape(node, flat), width=1)
            results.append(Node(Read(whole), (written,)))
        return tuple(results)

    def check_writable(self) -> None:
        """Refuse to write to what is read-only, even if nothing would be written, and in the body of a loop to what is not its own."""
        trace = self.cells[0].graph.trace
        if trace is not None and self.cells[0].trace is not trace:
            remedy = "let it take and return what changes, or write to a copy"
            raise trace.refusal(f"writes to an Array {self.dtype}{list(self.shape)} from outside of it", remedy)
        if self._shadow is not None and not self._shadow.flags.writeable:
            raise ValueError("assignment destination is read-only; work on a copy, as in x = x.copy()")

    def __repr__(self) -> str:
        return f"<Value {self.dtype}{list(self.shape)}>"


def _is_look(node: Node, held: Node, layout: Layout) -> bool:
    """Tell whether a node is those elements of what a cell holds, so that writing it there changes nothing."""
    primitive = node.primitive
    return isinstance(primitive, Read) and node.inputs[0] is held and primitive.layout == layout


def _check_direction(layout: Layout, node: Node) -> None:
    """Refuse so many elements in reversed order that no tensor holds them, since they are reversed in one."""
    if any(stride < 0 for stride in layout.strides):
        size, dtype = math.prod(layout.shape), node.dtype
        check_tensor(layout.shape, str(dtype), size * dtype.itemsize, "a view that goes backwards is put in order in a tensor of")


def _address(array: npt.NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def values_among(items: Any, depth: int = 0) -> list[Value]:
    """Find the Values in operands, in lists and tuples, too."""
    found = list[Value]()
    for item in items:
        if isinstance(item, Value):
            found.append(item)
        elif isinstance(item, (list, tuple)):
            check_depth(depth)
            found.extend(values_among(item, depth + 1))
    return found
