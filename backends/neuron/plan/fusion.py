"""Fusion: pending nodes are gathered into groups, each of which becomes one stage.

Nodes are taken in the order in which they were made. A node joins the group of its inputs where it has the same iteration space: the
elements of the group, or its rows. What a later group needs goes through HBM. Casts, constants and broadcasts of rows are free. Rounding
is not touched: each node rounds to its dtype, fused or not.
"""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections.abc import Mapping
from itertools import chain
from typing import Final, NamedTuple

from ...rules import Signature
from ..graph.graph import Node, changed_inputs
from ..graph.primitives import Buffer, Cast, Elementwise, Fill, Iota, Looped, Read, Reduce, Result, Scalar, Write, is_empty
from ..kernel import Invocation, kernel
from ..layout import Layout
from ..loop import Loop
from .choice import Chooser
from .common_subexpressions import equal_nodes
from .dims import boundaries, divide, is_chain, strides_over
from .epilogue_fusion import attach
from .layout_legalisation import reorder, reorder_write
from .stages import Body, Group, Home, Load, Store

__all__ = ["fuse"]

# A row that a partition can hold together with what is computed of it; a longer one is reduced tile by tile.
_RESIDENT: Final = 4096
_LEAST_ROWS: Final = 16
_SHORT: Final = 512
_PLACED: Final = Elementwise | Cast | Reduce | Write | Result | Looped
# Rows do not become smaller: bytes of SBUF for those that are alive at once, beside scratch.
_ROOM: Final = 128 * 1024


class _Source(NamedTuple):
    """Where an operand comes from: a node, and how it is looked at."""

    node: Node
    layout: Layout

    @property
    def whole(self) -> bool:
        """Whether it is all of the node, in order."""
        return self.layout.is_whole and _size(self.layout) == self.node.size


def _fits(node: Node, primitive: Reduce) -> bool:
    """Tell whether rows can stay on partitions, so that what follows finds them there."""
    return primitive.inner == 1 and primitive.length <= _RESIDENT and (node.size >= _LEAST_ROWS or primitive.length <= _SHORT)


def _reduction(node: Node, primitive: Reduce) -> Invocation:
    """Call the kernel of a reduction that does not stay on partitions."""
    name = "reduce rows" if primitive.inner == 1 else "reduce columns"
    source = node.inputs[0]
    return kernel(name).invoke(
        Signature(source.shape, source.dtype),
        function=primitive.name,
        length=primitive.length,
        inner=primitive.inner,
        results=primitive.results,
    )


def _place(group: Group) -> int:
    return group.place


def _whole(size: int) -> Layout:
    return Layout(0, (size,), (1,))


def _size(layout: Layout) -> int:
    return math.prod(layout.shape)


def _repeats_rows(layout: Layout, rows: int, length: int) -> bool:
    """Tell whether a layout repeats each of `rows` elements `length` times."""
    if layout.offset or _size(layout) != rows * length or not is_chain(boundaries(layout) | {length}):
        return False
    dims = divide(boundaries(layout) | {length, rows * length})
    inner = 1
    for dim, stride in zip(reversed(dims), reversed(strides_over(layout, dims)), strict=True):
        if dim > 1 and stride != (0 if inner < length else inner // length):
            return False
        inner *= dim
    return True


class _Fuser:
    def __init__(self, order: list[Node], roots: set[Node], chooser: Chooser) -> None:
        self.chooser = chooser
        self.roots = roots
        self.groups: list[Group] = []
        self.spaces: dict[int, list[Group]] = {}  # by the number of their elements and of their rows, in order
        self.group_of: dict[Node, Group] = {}
        self.homes: dict[Node, Home] = {}
        self.places: dict[Node, Home] = {}
        self.placed = set[Node]()
        self.reordered: dict[Node, Node] = {}
        self.called: list[dict[int, Node]] = []  # results of each stage that is a kernel, by their numbers
        self.calls: dict[tuple[object, ...], dict[int, Node]] = {}  # the last one of each call
        self.loops: dict[Loop, Group] = {}
        self.same = equal_nodes(order, roots)
        order = [node for node in order if node not in self.same]
        self.positions = {node: position for position, node in enumerate(order)}  # serials tell nothing where variants made some anew
        self.users: dict[Node, list[Node]] = {}
        for node in order:
            for item in node.inputs:
                self.users.setdefault(self.one(item), []).append(node)
        saved = {(node, base): self.saved(node, base) for node in order for base in changed_inputs(node)}
        self.looks = {key: reads for key, reads in saved.items() if reads is not None}  # by what changes which input in its memory
        early = set(chain.from_iterable(self.looks.values()))
        for node in order:
            if (node in early and node not in self.placed) or isinstance(node.primitive, _PLACED):
                self.place(node)
        for results in self.called:
            self.complete(next(iter(results.values())), results)
        for root in sorted(roots, key=lambda node: (not isinstance(node.primitive, Read), node.serial)):
            home = self.lent(root) or self.home(root)
            home.role = "output" if home.role == "temporary" else home.role

    def complete(self, node: Node, results: Mapping[int, Node]) -> None:
        """Give memory to those results of a call that nobody wants, since the kernel writes all of them."""
        assert isinstance(node.primitive, Result)
        for number in range(len(node.primitive.invocation.results)):
            if number not in results:
                other = Node(node.primitive._replace(number=number), node.inputs)
                self.group_of[other] = self.group_of[node]
                self.home(other)

    # What operands are

    def one(self, node: Node) -> Node:
        """Choose the first of nodes with the same value."""
        return self.same.get(node, node)

    def source(self, node: Node) -> _Source:
        """Look through reads to what has, or will have, memory or a register."""
        node = self.one(node)
        if not isinstance(node.primitive, Read) or node in self.group_of:
            return _Source(node, _whole(node.size))
        if not isinstance(self.one(node.inputs[0]).primitive, Iota):
            node = self.orderly(node, node.primitive.layout)
        if not isinstance(node.primitive, Read):
            return _Source(node, _whole(node.size))
        layout, base = node.primitive.layout, self.one(node.inputs[0])
        while isinstance(base.primitive, Read) and base not in self.group_of:
            below = self.source(base)
            if not below.whole:
                self.place(base)
                break
            base = below.node
        return _Source(base, layout)

    def orderly(self, node: Node, layout: Layout) -> Node:
        """Replace a read whose elements lie backwards or far from each other by one in the order of memory, and kernels that reorder."""
        found = self.reordered.get(node)
        if found is None:
            found = self.reordered[node] = reorder(node, layout, self.chooser)
            made, base = [found], node.inputs[0]  # a chain from the replacement down to the base
            while made[-1] is not base:
                made.append(made[-1].inputs[0])
            for item in reversed(made):
                if item not in self.placed and item not in self.same and isinstance(item.primitive, Result):
                    self.place(item)
        return found

    def home(self, node: Node) -> Home:
        """Give a node memory, which its group writes."""
        found = self.homes.get(node)
        if found is None:
            if isinstance(node.primitive, Buffer):
                found = self.homes[node] = Home(node, "input")
                return found
            found = self.homes[node] = Home(node, "temporary")
            if is_empty(node.primitive):  # memory with nothing in it
                return found
            group = self.group_of.get(node) or self.place(node)
            group.stores.append(Store(node, found, _whole(node.size)))
            found.written = group.place
        return found

    def lent(self, root: Node) -> Home | None:
        """Find the memory of what a root is all of, in order, once all else is placed: nobody writes there any more."""
        if not isinstance(root.primitive, Read) or root in self.homes or root in self.group_of:
            return None
        source = self.source(root)
        if not source.whole or source.node in self.roots or isinstance(source.node.primitive, Buffer | Fill | Read | Scalar):
            return None
        home = self.home(source.node)
        if home.role != "temporary":  # it is another root's
            return None
        self.homes[root] = home
        return home

    def has_room(self, group: Group, node: Node) -> bool:
        """Tell whether SBUF holds the rows of a group and one more value."""
        length = node.primitive.length if isinstance(node.primitive, Reduce) else group.length
        if length is None or length <= _SHORT:
            return True
        bytes_ = node.dtype.itemsize + sum(load.home.node.dtype.itemsize for load in group.loads if _size(load.layout) == group.size)
        for value in group.operands:
            if value.size == group.size and (value in self.roots or any(user not in group.operands for user in self.users.get(value, ()))):
                bytes_ += value.dtype.itemsize
        bytes_ += sum(item.dtype.itemsize for item in node.inputs if item not in group.operands and item.size == group.size)
        return bytes_ * length <= _ROOM

    def in_register(self, source: _Source, group: Group, size: int) -> bool:
        """Tell whether a user of that many elements in a group finds an operand in a register there."""
        node = source.node
        if self.group_of.get(node) is not group or group.is_closed:
            return False
        if source.whole and node.size == size:
            return True
        return (
            group.length is not None
            and size == group.size
            and group.is_row(node.size)
            and _repeats_rows(source.layout, node.size, group.length)
        )

    def earliest(self, source: _Source, size: int) -> int:
        """Find the first group that may use an operand: where it is in a register, or after it is in HBM."""
        node = source.node
        if isinstance(node.primitive, Iota) or (isinstance(node.primitive, Scalar | Fill | Buffer) and node not in self.homes):
            return 0
        group = self.group_of.get(node)
        if group is None:
            return self.homes[node].written + 1
        return group.place if self.in_register(source, group, size) else group.place + 1

    def use(self, group: Group, source: _Source, size: int) -> Node | Load:
        """Give a group an operand."""
        if isinstance(source.node.primitive, Scalar | Fill) or self.in_register(source, group, size):
            return source.node
        if isinstance(source.node.primitive, Iota):
            load = Load(self.places.setdefault(source.node, Home(source.node, "input", made=True)), source.layout)
        else:
            load = Load(self.home(source.node), source.layout)
        load.home.read = max(load.home.read, group.place)
        group.loads[load] = None
        repeat = group.size // size if size else 1
        group.marks |= boundaries(source.layout, repeat) if _size(source.layout) == size else frozenset()
        return load

    def marks(self, sources: list[_Source], size: int) -> frozenset[int]:
        """Collect the boundaries of operands of a user of that many elements."""
        found = frozenset((size,))
        for source in sources:
            if _size(source.layout) == size and not isinstance(source.node.primitive, Scalar | Fill):
                found |= boundaries(source.layout)
        return found

    # Placing nodes

    def place(self, node: Node) -> Group:
        """Put a node into a group."""
        primitive = node.primitive
        self.placed.add(node)
        if isinstance(primitive, Result):
            return self.result(node, primitive)
        if isinstance(primitive, Reduce) and not _fits(node, primitive):
            return self.kernel(node, _reduction(node, primitive))
        if isinstance(primitive, Write):
            return self.write(node, primitive)
        if isinstance(primitive, Looped):
            return self.looped(node, primitive)
        size = node.size * primitive.length if isinstance(primitive, Reduce) else node.size
        sources = [self.source(item) for item in ((node,) if isinstance(primitive, Read | Iota) else node.inputs)]
        marks = self.marks(sources, size)
        if not is_chain(marks):  # no dims serve all operands: all but plain ones are copied first
            for item, source in zip(node.inputs, sources, strict=True):
                if not source.whole:
                    self.place(self.one(item))
            sources = [self.source(item) for item in node.inputs]
            marks = self.marks(sources, size)
        first = max((self.earliest(source, size) for source in sources), default=0)
        candidates = self.spaces.get(size, [])
        for group in candidates[bisect_left(candidates, first, key=_place) :]:
            if group.takes(node, marks) and self.agrees(group, sources, size) and self.has_room(group, node):
                break
        else:
            group = self.open(size)
        if isinstance(primitive, Reduce) and group.length is None:
            group.reduce(primitive.length)
            if node.size != size:
                insort(self.spaces.setdefault(node.size, []), group, key=_place)
        group.operands[node] = tuple(self.use(group, source, size) for source in sources)
        self.group_of[node] = group
        return group

    def open(self, size: int, invocation: Invocation | None = None, sources: tuple[Load, ...] = ()) -> Group:
        """Begin a group."""
        group = Group(len(self.groups), size, invocation, sources)
        self.groups.append(group)
        if invocation is None:
            self.spaces.setdefault(size, []).append(group)
        return group

    def agrees(self, group: Group, sources: list[_Source], size: int) -> bool:
        """Tell whether operands that the group computes are in registers, as they are looked at, and none was overwritten."""
        for source in sources:
            if self.group_of.get(source.node) is group and not self.in_register(source, group, size):
                return False
            home = self.homes.get(source.node)
            if home is not None and any(store.home is home and store.layout != source.layout for store in group.stores):
                return False
        return True

    def result(self, node: Node, primitive: Result) -> Group:
        """Put a result of a kernel into the stage that computes it, with the kernel's other results."""
        invocation, number = primitive
        if invocation.kernel.in_place:
            return self.changed(node, invocation)
        key = (invocation, *map(self.one, node.inputs))
        others = self.calls.get(key)
        if others is None or number in others:
            others = self.calls[key] = {}
            self.called.append(others)
        others[number] = node
        if len(others) == 1:
            return self.kernel(node, invocation)
        group = self.group_of[node] = self.group_of[next(iter(others.values()))]
        return group

    def kernel(self, node: Node, invocation: Invocation) -> Group:
        """Make a stage of its own, of contiguous tensors."""
        numbers = [item for item in node.inputs if invocation.kernel.numbers and isinstance(item.primitive, Scalar)]
        sources = [self.contiguous(item) for item in node.inputs if item not in numbers]
        group = self.group_of[node] = self.stage(node, invocation, sources)
        group.numbers = tuple(numbers)
        return group

    def contiguous(self, item: Node) -> Load:
        """See to it that an operand lies in HBM in its order."""
        source = self.source(item)
        if not source.whole:
            self.place(self.one(item))
            source = self.source(item)
        return Load(self.home(source.node), _whole(item.size))

    def stage(self, node: Node, invocation: Invocation, sources: list[Load]) -> Group:
        """Begin a group that nothing can join."""
        group = self.open(node.size, invocation, tuple(sources))
        for load in sources:
            load.home.read = group.place
        return group

    def changed(self, node: Node, invocation: Invocation) -> Group:
        """Change the memory of the first operand."""
        base = node.inputs[0]
        sources = [self.contiguous(item) for item in node.inputs[1:]]
        home = self.homes[node] = self.updated(node, base, any(load.home is self.homes.get(self.one(base)) for load in sources))
        group = self.stage(node, invocation, [Load(home, _whole(node.size)), *sources])
        group.stores.append(Store(node, home, _whole(node.size)))
        home.written = group.place
        return group

    def write(self, node: Node, primitive: Write) -> Group:
        """Write into memory."""
        value, layout = reorder_write(node.inputs[1], primitive.layout)
        size = _size(layout)
        home = self.homes[node] = self.updated(node, node.inputs[0])
        source = self.source(value)
        if self.homes.get(source.node) is home and source.layout != layout:  # read all of it before any is written
            self.place(value)
            source = self.source(value)
        if not is_chain(boundaries(layout) | self.marks([source], size)):
            self.place(value)
            source = self.source(value)
        group = self.group_of.get(source.node)
        if not (group is not None and self.in_register(source, group, size) and size == group.size and self.is_clear(group, home, layout)):
            group = self.open(size)
        operand = self.use(group, source, size)
        group.marks |= boundaries(layout)
        group.stores.append(Store(operand, home, layout))
        home.written = max(home.written, group.place)
        return group

    def updated(self, node: Node, base: Node, keep: bool = False) -> Home:
        """Find memory with the old value of a node, that of an input, or of a copy where somebody needs all of that still."""
        for look in self.looks.get((node, base), ()):
            if look not in self.placed:
                self.place(look)
        if keep or (node, base) not in self.looks:
            home = Home(base, "temporary")
            if not is_empty(base.primitive):  # memory with nothing in it
                source = self.source(base)
                copy = self.open(base.size)
                operand = self.use(copy, source, base.size)
                copy.stores.append(Store(operand, home, _whole(base.size)))
                home.written = copy.place
        else:
            home = self.home(base)
            if home.role == "input":
                home.role = "updated"
        return home

    def looped(self, node: Node, primitive: Looped) -> Group:
        """Put a result of a loop into the stage that the loop is, with its others."""
        loop = primitive.loop
        assert isinstance(loop, Loop)
        group = self.loops.get(loop)
        if group is None:
            group = self.loops[loop] = self.loop(node, loop)
        self.homes[node] = group.sources[primitive.number].home
        self.group_of[node] = group
        return group

    def loop(self, node: Node, loop: Loop) -> Group:
        """Make a stage of a loop, by stages for a turn, in memory with what the first turn gets."""
        count = len(loop.carried)
        others = [self.contiguous(item) for item in node.inputs[count:]]
        taken = {load.home for load in others}
        memory: list[Home] = []
        for base in node.inputs[:count]:
            memory.append(self.updated(node, base, self.homes.get(self.one(base)) in taken))
            taken.add(memory[-1])
        inner = _Fuser([*loop.order], set(loop.writes), self.chooser)
        apart = [inner.homes[last] is not inner.homes[item] for last, item in zip(loop.writes, loop.carried, strict=True)]
        if any(apart):  # changed in memory of its own, since something else needs what it was
            loop = loop.written_back(apart)
            inner = _Fuser([*loop.order], set(loop.writes), self.chooser)
        outer = [*memory, *(load.home for load in others)]
        given = zip((*loop.carried, *loop.invariants), outer, strict=True)
        homes = {inner.homes[item]: home for item, home in given if item in inner.homes}
        sources = [*(Load(home, _whole(home.size)) for home in memory), *others]
        group = Group(len(self.groups), 0, None, tuple(sources), Body(loop, attach(inner.groups), homes))
        self.groups.append(group)
        for load in sources:
            load.home.read = group.place
        for base, home in zip(node.inputs, memory, strict=False):
            group.stores.append(Store(base, home, _whole(home.size)))
            home.written = group.place
        return group

    def is_clear(self, group: Group, home: Home, layout: Layout) -> bool:
        """Tell whether a group may write to memory: it is the last to touch it, and looks at it in the same way if at all."""
        return (
            home.written < group.place
            and home.read <= group.place
            and all(load.layout == layout for load in group.loads if load.home is home)
            and is_chain(group.marks | boundaries(layout))
        )

    def needing(self, node: Node, by: Node) -> list[Node]:
        """Find the users of a node that need it after `by`, its reads where somebody needs them then."""
        found = []
        for user in self.users.get(node, ()):
            if isinstance(user.primitive, Read):
                if user in self.roots or self.needing(user, by):
                    found.append(user)
            elif self.positions[user] > self.positions[by] and not _same_loop(user, by):
                found.append(user)
        return found

    def saved(self, node: Node, base: Node) -> list[Node] | None:
        """Find the reads of an old value that have to be copied before it is changed; None where all of it has to be."""
        if base.holders or base in self.roots or isinstance(base.primitive, Read | Scalar):
            return None
        needing = self.needing(base, node)
        reads = [user for user in needing if isinstance(user.primitive, Read)]
        return reads if len(reads) == len(needing) and sum(read.size for read in reads) < base.size else None


def _same_loop(one: Node, other: Node) -> bool:
    """Tell whether nodes are results of one loop."""
    a, b = one.primitive, other.primitive
    return isinstance(a, Looped) and isinstance(b, Looped) and a.loop is b.loop


def fuse(order: list[Node], roots: set[Node], chooser: Chooser) -> tuple[list[Group], dict[Node, Home]]:
    """Gather nodes into groups."""
    fuser = _Fuser(order, roots, chooser)
    return fuser.groups, fuser.homes
