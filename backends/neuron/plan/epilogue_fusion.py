"""Attaching groups of elementwise functions to the kernels before and after them, so that what is in between stays on chip."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from typing import Final

from ..graph.graph import Node
from ..graph.primitives import Elementwise
from ..launch.capacity import is_large
from ..layout import Layout
from .dims import boundaries
from .stages import Attachment, Group, Home, Load, Store

__all__ = ["attach"]

# Bytes of SBUF for each element of a kernel's tiles that attached functions may need.
_BYTES: Final = 32


def attach(groups: list[Group]) -> list[Group]:
    """Let kernels take the functions of their operands and of their results."""
    flow = _Flow([part for group in groups for part in _parts(group)])
    for kernel in [group for group in flow.groups if group.invocation is not None]:
        _take_operands(flow, kernel)
        _take_results(flow, kernel)
    return [group for group in flow.groups if group in flow.positions]


class _Flow:
    """The groups in the order in which they run, and for each tensor the groups that read and write it, kept up to date as groups merge."""

    def __init__(self, groups: list[Group]) -> None:
        self.groups = groups
        self.positions = {group: position for position, group in enumerate(groups)}  # a group that a kernel has taken is not in it
        self._readers: dict[Home, dict[Group, None]] = {}
        self._writers: dict[Home, list[int]] = {}  # positions, ascending
        for group in groups:
            self._add(group)

    def _add(self, group: Group) -> None:
        for home in _reads(group):
            self._readers.setdefault(home, {})[group] = None
        for home in _writes(group):
            insort(self._writers.setdefault(home, []), self.positions[group])

    def _remove(self, group: Group) -> None:
        for home in _reads(group):
            del self._readers[home][group]
        for home in _writes(group):
            self._writers[home].remove(self.positions[group])

    def take(self, kernel: Group, taken: Group, attachment: Attachment, position: int, operand: int | None = None) -> None:
        """Attach a group to an operand of a kernel, else to its result; the kernel then runs at that position."""
        self._remove(taken)
        self._remove(kernel)
        if operand is None:
            kernel.epilogue = attachment
        else:
            kernel.prologues[operand] = attachment
        self.groups[self.positions[kernel]], self.groups[position] = self.groups[position], kernel
        del self.positions[taken]
        self.positions[kernel] = position
        self._add(kernel)

    def merge(self, parts: list[Group]) -> Group:
        """Put parts of a group together again, which run where the last one does."""
        (merged, *others) = sorted(parts, key=self.positions.__getitem__, reverse=True)
        for part in parts:
            self._remove(part)
        for part in others:
            merged.operands |= part.operands
            merged.loads |= part.loads
            merged.stores += part.stores
            merged.marks |= part.marks
            del self.positions[part]
        self._add(merged)
        return merged

    def between(self, home: Home) -> tuple[Group, Group] | None:
        """Find the one group that writes a temporary tensor and the one other that reads it, where there is one of each."""
        writers, readers = self._writers.get(home, ()), self._readers.get(home, ())
        if home.role != "temporary" or len(writers) != 1 or len(readers) != 1:
            return None
        return self.groups[writers[0]], next(iter(readers))

    def is_undisturbed(self, moved: Group, to: Group) -> bool:
        """Tell whether a group can run later, with another: neither that one nor anything in between writes what it reads."""
        first, last = self.positions[moved] + 1, self.positions[to]
        for home in _reads(moved):
            writers = self._writers.get(home, ())
            found = bisect_left(writers, first)
            if found < len(writers) and writers[found] <= last:
                return False
        return True


def _parts(group: Group) -> list[Group]:
    """Take a group apart whose functions have nothing to do with each other."""
    if group.is_closed or group.length is not None or len(group.stores) < 2:
        return [group]
    root: dict[Node | Load | Home, Node | Load | Home] = {}

    def find(item: Node | Load | Home) -> Node | Load | Home:
        while root.setdefault(item, item) is not item:
            item = root[item]
        return item

    def join(*items: Node | Load | Home) -> None:
        for item in items[1:]:
            root[find(items[0])] = find(item)

    for load in group.loads:
        join(load, load.home)
    for node, operands in group.operands.items():
        join(node, *(item for item in operands if isinstance(item, Load) or item in group.operands))
    for store in group.stores:
        join(store.home, store.operand)
    parts: dict[Node | Load | Home, Group] = {}
    for store in group.stores:
        parts.setdefault(find(store.home), Group(group.place, group.size)).stores.append(store)
    if len(parts) == 1:
        return [group]
    for load in group.loads:
        if find(load) in parts:
            parts[find(load)].loads[load] = None
    for node, operands in group.operands.items():
        if find(node) in parts:
            parts[find(node)].operands[node] = operands
    for part in parts.values():
        layouts = [*(load.layout for load in part.loads), *(store.layout for store in part.stores)]
        part.marks = part.marks.union(*(boundaries(layout) for layout in layouts if math.prod(layout.shape) == group.size))
    return list(parts.values())


def _reads(group: Group) -> set[Home]:
    found = {load.home for load in (*group.loads, *group.sources)}
    for one in group.prologues.values():
        found |= {load.home for load in one.group.loads}
    if group.epilogue is not None:
        found |= {load.home for load in group.epilogue.group.loads if load not in group.epilogue.mains}
    return found


def _writes(group: Group) -> set[Home]:
    stores = [*group.stores, *(group.epilogue.group.stores if group.epilogue else [])]
    return {store.home for store in stores}


def _is_whole(layout: Layout, home: Home) -> bool:
    return layout.is_whole and math.prod(layout.shape) == home.size


def _is_large(access: Load | Store) -> bool:
    """Tell whether memory takes several tensors, of which a kernel takes none."""
    return is_large(access.home.size, access.home.node.dtype.itemsize)


def _fits(group: Group, columns: int) -> bool:
    """Tell whether all that a group reads and writes is strided over the rows and the columns of a matrix, and SBUF has room."""
    allowed = {columns, group.size}
    for layout, home in [(load.layout, load.home) for load in group.loads] + [(store.layout, store.home) for store in group.stores]:
        size = math.prod(layout.shape)
        if home.made:
            return False
        if size > 1 and (size != group.size or not boundaries(layout) <= allowed):
            return False
    return _bytes(group) <= _BYTES


def _bytes(group: Group) -> int:
    """Count the bytes that are alive at once for each element."""
    last: dict[Node | Load, int] = {}
    for place, operands in enumerate(group.operands.values()):
        last.update(dict.fromkeys(operands, place))
    last.update({store.operand: len(group.operands) for store in group.stores})
    alive = most = sum(load.home.node.dtype.itemsize for load in group.loads if math.prod(load.layout.shape) == group.size)
    for place, (node, operands) in enumerate(group.operands.items()):
        alive += node.dtype.itemsize if node.size == group.size else 0
        most = max(most, alive)
        for item in dict.fromkeys(operands):
            if last[item] == place and isinstance(item, Node) and item.size == group.size:
                alive -= item.dtype.itemsize
    return most


def _take_operands(flow: _Flow, group: Group) -> None:
    """Take the groups that make operands of a kernel."""
    assert group.invocation is not None
    kernel, parameters, _ = group.invocation
    for number, operand in enumerate(group.sources):
        prologue = None if kernel.prologue is None else kernel.prologue(number, *parameters)
        found = flow.between(operand.home)
        if prologue is None or group.sources.count(operand) > 1 or found is None:
            continue
        maker, _ = found
        if maker.is_closed or maker.length is not None:
            continue
        if len(maker.stores) != 1 or maker.stores[0].operand not in maker.operands:
            continue
        columns = prologue.columns or maker.size
        if any(_is_large(load) for load in maker.loads) or not _fits(maker, columns) or not flow.is_undisturbed(maker, group):
            continue
        whole = [load for load in maker.loads if load.home.size == maker.size and _is_whole(load.layout, load.home)]
        if not whole or (prologue.whole and any(load not in whole and math.prod(load.layout.shape) > 1 for load in maker.loads)):
            continue
        if prologue.most is not None and sum(isinstance(one.primitive, Elementwise) for one in maker.operands) > prologue.most:
            continue
        flow.take(group, maker, Attachment(maker, (whole[0],), (maker.stores[0],), columns), flow.positions[group], number)


def _take_results(flow: _Flow, group: Group) -> None:
    """Take the group that uses the results of a kernel, which then runs in its place."""
    assert group.invocation is not None
    kernel, parameters, results = group.invocation
    columns = 0 if kernel.epilogue is None else kernel.epilogue(*parameters)
    between = [flow.between(store.home) for store in group.stores]
    if not columns or None in between or len(between) != len(results):
        return
    users = list(dict.fromkeys(found[1] for found in between if found is not None))
    if any(user.is_closed or user.length is not None or user.size != group.size for user in users):
        return
    if len(users) > 1:
        if len({user.place for user in users}) > 1:
            return
        users = [flow.merge(users)]
    (user,), mains = users, []
    for result in sorted(group.stores, key=lambda store: store.number):
        loads = [load for load in user.loads if load.home is result.home]
        if len(loads) != 1 or not _is_whole(loads[0].layout, result.home):
            return
        mains += loads
    accesses: list[Load | Store] = [*user.loads, *user.stores]
    if any(map(_is_large, accesses)) or not _fits(user, columns) or not flow.is_undisturbed(group, user):
        return
    flow.take(group, user, Attachment(user, tuple(mains), (), columns), flow.positions[user])
