"""The value of an Array on a Neuron device: a strided view on cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import DType
from .graph import Cell, Graph, Node
from .primitives import Layout, Read, Write

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Value", "contiguous_strides"]


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """
    Return the strides of C order, in elements.

    Parameters
    ----------
    shape : tuple of int
        Lengths.

    Returns
    -------
    tuple of int
        Elements from one to the next, by axis.

    Examples
    --------
    >>> contiguous_strides((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


class Value:
    """
    A strided view on the cells of an array.

    Its geometry is that of a *shadow*, an ndarray of the same dtype and layout whose memory nobody touches: NumPy itself says what
    is a view, what its shape and strides are, and what an index means.

    Parameters
    ----------
    cells : tuple of Cell
        The memory of each plane, flat.
    shadow : np.ndarray or None
        Its geometry; None where it is all of the cells, which the maker then gives its shape and dtype.
    root : np.ndarray or None
        Of which the shadow is a view: it begins where the cells begin.

    Attributes
    ----------
    shape : tuple of int
        The lengths.
    dtype : dtype
        The Array's.
    detached : bool
        Whether it stands for a scalar, which has no memory to share.
    base : Value or None
        Whose memory it looks at, if that is not its own.
    """

    __slots__ = ("_root", "_shadow", "base", "cells", "detached", "dtype", "shape")

    def __init__(self, cells: tuple[Cell, ...], shadow: npt.NDArray[Any] | None, root: npt.NDArray[Any] | None) -> None:
        self.cells, self._shadow, self._root, self.detached = cells, shadow, root, False
        self.base: Value | None = None
        self.shape: tuple[int, ...]
        self.dtype: DType
        if shadow is not None:
            self.shape, self.dtype = shadow.shape, shadow.dtype

    @property
    def shadow(self) -> npt.NDArray[Any]:
        """
        The geometry.

        Returns
        -------
        np.ndarray
            Made when it is first asked for.
        """
        if self._shadow is None:
            with self.cells[0].graph.lock:  # two threads must not give it two
                if self._shadow is None:
                    self._shadow = self._root = np.empty(self.shape, self.dtype)
        shadow = self._shadow
        assert shadow is not None
        return shadow

    @classmethod
    def of_nodes(cls, nodes: tuple[Node, ...], dtype: DType, graph: Graph, shape: tuple[int, ...] | None = None) -> Value:
        """
        Make a value with memory of its own.

        Parameters
        ----------
        nodes : tuple of Node
            What its planes hold.
        dtype : dtype
            Of the Array.
        graph : Graph
            Of the device.
        shape : tuple of int, optional
            By default the nodes'.

        Returns
        -------
        Value
            Contiguous.
        """
        first = nodes[0]
        cells = (Cell(first, graph),) if len(nodes) == 1 else tuple([Cell(node, graph) for node in nodes])
        value = cls(cells, None, None)
        value.shape = first.shape if shape is None else shape
        value.dtype = dtype
        return value

    @property
    def ndim(self) -> int:
        """
        The number of axes.

        Returns
        -------
        int
            The number.
        """
        return len(self.shape)

    @property
    def size(self) -> int:
        """
        The number of elements.

        Returns
        -------
        int
            The number.
        """
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """
        The bytes of all elements.

        Returns
        -------
        int
            The number.
        """
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        """
        Bytes from one element to the next, as if an element were in one piece.

        Returns
        -------
        tuple of int
            By axis.
        """
        return self.shadow.strides

    @property
    def flags(self) -> Any:
        """
        How the elements lie, and whether they may be written.

        Returns
        -------
        numpy.flagsobj
            The shadow's.
        """
        return self.shadow.flags

    def setflags(self, **flags: Any) -> None:
        """
        Protect the value, or allow writes.

        Parameters
        ----------
        **flags
            As for `numpy.ndarray.setflags`.
        """
        self.shadow.setflags(**flags)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    @property
    def layout(self) -> Layout:
        """
        Where its elements lie in the cells.

        Returns
        -------
        Layout
            In elements.
        """
        itemsize, shadow, root = self.dtype.itemsize, self.shadow, self._root
        assert root is not None
        offset = (_address(shadow) - _address(root)) // itemsize if shadow.size else 0
        return Layout(offset, shadow.shape, tuple(stride // itemsize for stride in shadow.strides))

    def covers(self, cell: Cell) -> bool:
        """
        Tell whether the elements are all of a cell's, in their order.

        Parameters
        ----------
        cell : Cell
            One of its cells.

        Returns
        -------
        bool
            True where no access pattern is needed.
        """
        shadow = self._shadow
        return shadow is None or (shadow.size == cell.node.size and shadow.flags.c_contiguous)

    def view(self, shadow: npt.NDArray[Any]) -> Value:
        """
        Look at the same memory through another shadow.

        Parameters
        ----------
        shadow : np.ndarray
            A view of this one's.

        Returns
        -------
        Value
            On the same cells.
        """
        self.shadow  # noqa: B018  # there is a root from now on
        return self._based(Value(self.cells, shadow, self._root))

    def _based(self, view: Value) -> Value:
        view.base = self if self.base is None else self.base
        return view

    def with_memory(self) -> Value:
        """
        Copy to memory that can be written to.

        Returns
        -------
        Value
            Not detached.
        """
        graph = self.cells[0].graph
        with graph.lock:
            return Value.of_nodes(self.read(), self.dtype, graph)

    def without_memory(self) -> Value:
        """
        Copy as a scalar.

        Returns
        -------
        Value
            Detached.
        """
        scalar = self.with_memory()
        scalar.detached = True
        return scalar

    def part(self, place: int, dtype: DType) -> Value:
        """
        Look at one plane, as an array of its own.

        Parameters
        ----------
        place : int
            Which plane.
        dtype : dtype
            Of the result, which has one plane.

        Returns
        -------
        Value
            On that plane's cell: writes through it are seen here.
        """
        cell, layout = self.cells[place], self.layout
        memory = np.empty(cell.node.size, dtype)
        shadow = np.lib.stride_tricks.as_strided(
            memory[layout.offset :], layout.shape, tuple(stride * dtype.itemsize for stride in layout.strides)
        )
        if not self.shadow.flags.writeable:
            shadow.flags.writeable = False
        return self._based(Value((cell,), shadow, memory))

    def read(self) -> tuple[Node, ...]:
        """
        Take the present value.

        Returns
        -------
        tuple of Node
            One for each plane, of this shape.
        """
        if self._shadow is None:
            nodes = tuple([cell.node for cell in self.cells])
            if nodes[0].shape == self.shape:
                return nodes
        return tuple([self._read(cell) for cell in self.cells])

    def _read(self, cell: Cell) -> Node:
        node = cell.node
        if self.covers(cell):
            if node.shape == self.shape:
                return node
            layout = Layout(0, self.shape, contiguous_strides(self.shape))
        else:
            layout = self.layout
        return Node(Read(layout), (node,))

    def write(self, nodes: tuple[Node, ...]) -> None:
        """
        Replace the elements.

        Parameters
        ----------
        nodes : tuple of Node
            The new value of each plane, of this shape and the planes' dtypes.

        Raises
        ------
        ValueError
            If it is read-only.
        """
        self.check_writable()
        for cell, node in zip(self.cells, nodes, strict=True):
            if self.size == 0:
                continue
            if self.covers(cell):
                cell.node = node
            else:
                old = cell.node
                cell.node = Node(Write(self.layout), (old, node))

    def check_writable(self) -> None:
        """
        Refuse to write to what is read-only, even if nothing would be written.

        Raises
        ------
        ValueError
            If it is.
        """
        if self._shadow is not None and not self._shadow.flags.writeable:
            raise ValueError("assignment destination is read-only; work on a copy, as in x = x.copy()")

    def __repr__(self) -> str:
        return f"<Value {self.dtype}{list(self.shape)}>"


def _address(array: npt.NDArray[Any]) -> int:
    address: int = array.__array_interface__["data"][0]
    return address
