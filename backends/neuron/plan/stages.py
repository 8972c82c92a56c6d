"""Groups of nodes, each of which becomes one stage, with what they read from HBM and write to it."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..graph.graph import Node
from ..graph.primitives import Reduce, Result
from ..kernel import Invocation
from ..layout import Layout
from ..loop import Loop
from .dims import is_chain
from .plan import Role

__all__ = ["Attachment", "Body", "Group", "Home", "Load", "Store"]

# Values of a group, all of which have registers: tiles are the smaller, the more there are.
_MOST: Final = 64


class Load(NamedTuple):
    """
    What a group reads from HBM.

    Attributes
    ----------
    home : Home
        Whose memory.
    layout : Layout
        Which elements.
    """

    home: Home
    layout: Layout


class Store(NamedTuple):
    """
    What a group writes to HBM.

    Attributes
    ----------
    operand : Node or Load
        The value.
    home : Home
        Whose memory.
    layout : Layout
        Where.
    """

    operand: Node | Load
    home: Home
    layout: Layout

    @property
    def number(self) -> int:
        """Which result of a kernel it is, where the operand is one."""
        primitive = self.operand.primitive if isinstance(self.operand, Node) else None
        return primitive.number if isinstance(primitive, Result) else 0


class Home:
    """
    A tensor in HBM.

    Parameters
    ----------
    node : Node
        Whose value it holds first.
    role : str
        As in `plan.Tensor`.
    made : bool, optional
        Whether there is no such tensor, since programs make what they read of it: each element is its own place.
    """

    __slots__ = ("made", "node", "read", "role", "size", "written")

    def __init__(self, node: Node, role: Role, made: bool = False) -> None:
        self.node, self.size, self.made = node, node.size, made
        self.role: Role = role
        self.read = self.written = -1  # the last group that does


class Attachment(NamedTuple):
    """
    A group that a kernel applies to its tiles.

    Attributes
    ----------
    group : Group
        Elementwise functions.
    mains : tuple of Load
        What the kernel brings.
    results : tuple of Store
        What takes their place in an operand; after a kernel, where all is stored, none.
    columns : int
        Of the matrix that the kernel has tiles of.
    """

    group: Group
    mains: tuple[Load, ...]
    results: tuple[Store, ...]
    columns: int


class Body(NamedTuple):
    """
    What a loop repeats.

    Attributes
    ----------
    loop : Loop
        Which.
    groups : list of Group
        A turn, with memory of its own.
    homes : dict
        From that memory to what it is outside of the loop, where it is something there.
    """

    loop: Loop
    groups: list[Group]
    homes: dict[Home, Home]


class Group:
    """
    What becomes one stage.

    Parameters
    ----------
    place : int
        Its place among the stages.
    size : int
        Elements of its iteration space.
    invocation : Invocation, optional
        Of the kernel that the stage is; nothing can join it.
    sources : tuple of Load, optional
        The operands of a kernel or a loop.
    body : Body, optional
        Of the loop that the stage is; nothing can join it, either.
    """

    def __init__(
        self, place: int, size: int, invocation: Invocation | None = None, sources: tuple[Load, ...] = (), body: Body | None = None
    ) -> None:
        self.place, self.size, self.invocation, self.sources, self.body = place, size, invocation, sources, body
        self.length: int | None = None  # of a row, if there are rows
        self.marks: frozenset[int] = frozenset((size,))
        self.operands: dict[Node, tuple[Node | Load, ...]] = {}
        self.loads: dict[Load, None] = {}
        self.stores: list[Store] = []
        self.numbers: tuple[Node, ...] = ()  # of the launch, which a kernel takes as such
        self.prologues: dict[int, Attachment] = {}  # by operand
        self.epilogue: Attachment | None = None

    @property
    def is_closed(self) -> bool:
        """Tell whether nothing can join it."""
        return self.invocation is not None or self.body is not None

    def is_row(self, size: int) -> bool:
        """Tell whether a node is one of the rows'."""
        return size != self.size and self.length is not None and size * self.length == self.size

    def takes(self, node: Node, marks: frozenset[int]) -> bool:
        """Tell whether a node has this group's iteration space."""
        primitive = node.primitive
        if self.is_closed or len(self.operands) + len(self.loads) > _MOST:
            return False
        if isinstance(primitive, Reduce):
            fits = node.size * primitive.length == self.size and self.length in (None, primitive.length)
            return fits and is_chain(self.marks | marks | {primitive.length})
        if self.is_row(node.size):
            assert self.length is not None
            return is_chain(self.marks | {mark * self.length for mark in marks})
        return node.size == self.size and is_chain(self.marks | marks)

    def reduce(self, length: int) -> None:
        """Take the elements for rows."""
        self.length = length
        self.marks |= {length}
