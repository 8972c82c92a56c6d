"""The graph: calls on a device that are not computed yet, with their results."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet, ref

import numpy as np

from ...policy import LoopError
from ...rules import Signature
from .primitives import STEPS, Buffer, HostStep, Looped, Primitive, Result, Write

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...caller import Caller
    from ...dtypes import DType

__all__ = [
    "Cell", "Check", "DeviceBusyError", "ForkedDeviceError", "Graph", "Node", "Trace", "ancestors", "changed_inputs",
    "computed_operands", "dependents", "held", "inherited_error", "needs",
]  # fmt: skip

_serial: Final = itertools.count().__next__


class ForkedDeviceError(RuntimeError):
    """A device was used in a forked child, where its runtime does not work."""


class DeviceBusyError(RuntimeError):
    """A signal handler, or other code that interrupts a thread, used a device in the middle of a call of that thread."""


class Node:
    """
    One value of one native dtype; never changed, only computed.

    Parameters
    ----------
    primitive : Primitive
        What it is.
    inputs : tuple of Node
        Of what.
    check : Check, optional
        Whether its operands are what they have to be, where only their elements tell.

    Attributes
    ----------
    shape : tuple of int
        Its shape, by the primitive; its elements are in C order.
    dtype : dtype
        A native one, by the primitive.

    Raises
    ------
    InvalidCallError
        If the primitive does not take the inputs.
    """

    __slots__ = (
        "__weakref__", "buffer", "check", "dtype", "error", "fallible", "holders", "inputs", "primitive", "serial", "shape", "size",
    )  # fmt: skip

    def __init__(self, primitive: Primitive, inputs: tuple[Node, ...], check: Check | None = None) -> None:
        self.primitive, self.inputs, self.check = primitive, inputs, check
        shape, dtype = primitive.signature(inputs)
        self.shape: tuple[int, ...] = shape
        self.dtype: DType = dtype
        self.size = prod(shape)
        # Whether a check, the host or a launch of a loop, at the node or at one of its pending inputs, may refuse it.
        self.fallible = check is not None or type(primitive) in STEPS
        for item in inputs:
            if item.fallible:
                self.fallible = True
        self.buffer: Any = None  # the launcher's, once it is computed
        self.error: Exception | None = None  # why it is not, where that has been tried
        self.holders = 0  # cells that have this value: while there are any, its memory is not written to
        self.serial = _serial()

    def demand(self, check: Check) -> None:
        """Add a check, before anything uses the node."""
        self.check, self.fallible = check, True

    @classmethod
    def of_buffer(cls, buffer: Any, shape: tuple[int, ...], dtype: DType) -> Node:
        """Make a node of memory that holds its value."""
        node = cls(Buffer(Signature(shape, dtype)), ())
        node.buffer = buffer
        return node

    def computed(self, buffer: Any) -> None:
        """Take the value, and let the inputs go."""
        self.fallible = False
        self.buffer, self.inputs, self.primitive, self.check = buffer, (), Buffer(Signature(self.shape, self.dtype)), None

    def __repr__(self) -> str:
        return f"<{self.primitive} {self.dtype}{list(self.shape)}>"


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """
    What a call demands of the elements of its operands, which the device finds out when it computes.

    Parameters
    ----------
    holds : Node
        Of one element: zero where they are not as they have to be.
    error : callable
        Makes the exception, of a message; if that is a warning, those who need the result get it all the same.
    message : str
        What is wrong, what is allowed, and the remedy.
    caller : Caller
        Whose call.
    flags : Node, optional
        Of each item of a stack, zero where it is not as it has to be: fetched to name the first one.
    instead : Node, optional
        A plane of a call on the host that gives the value then, as a fallback.
    action : str, optional
        What the setting ``fallback`` was when that was called.
    """

    holds: Node
    error: Callable[[str], Exception]
    message: str
    caller: Caller
    flags: Node | None = None
    instead: Node | None = None
    action: str = ""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """What the check reads."""
        return (self.holds,) if self.flags is None else (self.holds, self.flags)

    def failure(self, flags: npt.NDArray[Any] | None = None) -> Exception:
        """Make the exception."""
        where = ""
        if flags is not None and self.flags is not None:
            index = tuple(map(int, np.unravel_index(np.argmin(flags != 0), self.flags.shape)))
            where = f", at index {index if len(index) > 1 else index[0]} of the stack"
        return self.error(f"{self.message}{where} (in the call at {self.caller})")


class Cell:
    """
    A plane's memory as the user sees it: its node is replaced at every write.

    Parameters
    ----------
    node : Node
        The present value.
    graph : Graph
        Of the device.

    Attributes
    ----------
    raw : bool
        Whether bytes other than 0 and 1 may have been written to memory of bools, through a view of another dtype.
    trace : Trace or None
        The body of a loop that was traced when it was made: that alone may write to it while it is traced.
    """

    __slots__ = ("__weakref__", "_before", "graph", "node", "raw", "trace")

    def __init__(self, node: Node, graph: Graph) -> None:
        self.graph = graph
        self.raw = False
        self.trace = graph.trace
        self.node = node
        self._before: Node | None = None  # the value before a write that may fail, until that is computed
        node.holders += 1
        if node.buffer is None:
            graph.waiting.append(ref(self))

    def write(self, node: Node) -> None:
        """Replace the present value."""
        if node.buffer is None:
            self.graph.waiting.append(ref(self))
        # From here on nothing is called, so that no interrupt comes in between.
        old, before = self.node, self._before
        node.holders += 1
        self.node = node
        if node.fallible and before is None:
            self._before = old
            return
        old.holders -= 1
        if not node.fallible and before is not None:
            before.holders -= 1
            self._before = None

    def settle(self) -> None:
        """Let the value before a write go, which has not failed."""
        if self._before is not None:
            self._before.holders -= 1
            self._before = None

    def restore(self) -> None:
        """Take the value before the first write that failed."""
        before = self._before
        if before is not None:
            if before.buffer is None:
                self.graph.waiting.append(ref(self))
            self.node.holders -= 1
            self.node, self._before = before, None

    def __del__(self) -> None:
        try:
            self.node.holders -= 1
            if self._before is not None:
                self._before.holders -= 1
        except AttributeError:  # an interrupt came before it was made
            return


class Trace:
    """
    The body of a loop while it is traced.

    Parameters
    ----------
    name : str
        The function that wants it, for messages.
    caller : Caller
        Whose call of that.

    Attributes
    ----------
    error : LoopError
        Why what it computes has no value; kept at the nodes that stand for its operands.
    """

    __slots__ = ("caller", "error", "name")

    def __init__(self, name: str, caller: Caller) -> None:
        self.name, self.caller = name, caller
        self.error: Final = self.refusal("wants the value of an Array that a turn computes")

    def refusal(self, what: str, remedy: str = "") -> LoopError:
        """Say what it cannot do."""
        remedy = remedy or f"compute with Arrays, write a Python loop in the place of {self.name}, or use the device 'cpu'"
        return LoopError(f"the body of {self.name} at {self.caller} {what}, and is one program that runs on the device: {remedy}")


class Graph:
    """
    The pending calls of one device. Its lock is held wherever its nodes, cells or buffers change.

    Parameters
    ----------
    device : str
        For messages.
    capacity : int, optional
        Pending values above which it is computed without being asked for.

    Attributes
    ----------
    calling : bool
        Whether the thread that holds the lock is appending a call. Another one must not be appended until it is there.
    computing : bool
        Whether that thread is computing, or plans it. Nothing else can be done meanwhile.
    draws : dict of int to Node
        Of each generator of random numbers, by its id, the last draw that waits: it is made even if nobody can see it any more.
    trace : Trace or None
        The body of a loop that the thread traces.
    waiting : list of weak references
        The cells that got values which were not computed, since the last computation.
    """

    def __init__(self, device: str, capacity: int = 2000) -> None:
        self.device: Final = device
        self.capacity: Final = capacity
        self.lock = threading.RLock()
        self.forked = self.calling = self.computing = False
        self.draws: dict[int, Node] = {}
        self.trace: Trace | None = None
        self.waiting: list[ref[Cell]] = []
        _graphs.add(self)

    def check_idle(self) -> None:
        """Refuse to work in a forked child, and in code that interrupts a computation: the thread that holds the lock is its own."""
        if self.forked:
            raise ForkedDeviceError(
                f"device {self.device!r} was used before this process was forked, and does not work in the child; "
                "start processes with multiprocessing's 'spawn', or use the device in the child only"
            )
        if self.computing:
            raise self.busy()

    def busy(self) -> DeviceBusyError:
        """Say that the device cannot be used by code that interrupts its thread."""
        return DeviceBusyError(
            f"device {self.device!r} is in the middle of a call that this code, such as a signal handler or a __del__ method, interrupts "
            "in the same thread, and cannot be used before that call has returned; let this code set a flag, and do the work after it"
        )

    def pending(self) -> list[Node]:
        """Find the values that somebody can still see, and draws, that are not computed."""
        found = {cell.node: None for reference in self.waiting if (cell := reference()) is not None}
        if self.draws:
            found |= dict.fromkeys(self.draws.values())
        return [node for node in found if node.buffer is None]

    def is_full(self) -> bool:
        """Tell whether so much is pending that it is to be computed. What nobody can see any more is dropped, and does not count."""
        count = len(self.waiting)
        if count <= self.capacity:
            return False
        self.waiting[:count] = [reference for reference in self.waiting[:count] if reference() is not None]
        return len(self.waiting) > self.capacity or len(ancestors(self.pending())) > self.capacity

    def forget(self, nodes: set[Node]) -> None:
        """Drop the cells that have certain values, which will never be computed."""
        self.waiting = [reference for reference in self.waiting if (cell := reference()) is not None and cell.node not in nodes]

    def forget_computed(self) -> None:
        """Drop the cells whose value is there, or whom nobody can see any more, and draws that were tried."""
        if self.draws:
            self.draws = {key: node for key, node in self.draws.items() if node.buffer is None and node.error is None}
        kept = []
        count = len(self.waiting)
        for reference in self.waiting[:count]:
            cell = reference()
            if cell is None:
                continue
            if cell.node.buffer is None:
                kept.append(reference)
            else:
                cell.settle()
        self.waiting[:count] = kept

    def restore(self, error: Exception) -> None:
        """Give the targets of writes that an error ended their values before."""
        for reference in list(self.waiting):
            cell = reference()
            if cell is not None and cell.node.error is error:
                cell.restore()


_graphs: Final[WeakSet[Graph]] = WeakSet()


def _mark_forked() -> None:
    for graph in list(_graphs):
        graph.forked = True
        graph.calling = graph.computing = False
        graph.trace = None
        graph.lock = threading.RLock()  # another thread may have held it, which is not there


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_mark_forked)


def ancestors(roots: Iterable[Node], *, draws: bool = True) -> list[Node]:
    """Walk what has to be computed for some nodes; without `draws`, what their values depend on."""
    found = dict[int, Node]()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.buffer is None and node.serial not in found:
            found[node.serial] = node
            stack += node.inputs if not node.fallible else needs(node) if draws else _operands(node)
    return [found[serial] for serial in sorted(found)]


def needs(node: Node) -> tuple[Node, ...]:
    """List what has to be there for a node: operands, and the draw before."""
    if type(node.primitive) is HostStep and node.primitive.call.after is not None:
        return (*node.inputs, node.primitive.call.after)
    return _operands(node)


def _operands(node: Node) -> tuple[Node, ...]:
    return node.inputs if node.check is None else (*node.inputs, *node.check.nodes)


def changed_inputs(node: Node) -> tuple[Node, ...]:
    """Find the inputs into whose memory a node is written, if that is free; of a loop's results one for each."""
    primitive = node.primitive
    if isinstance(primitive, Write) or (isinstance(primitive, Result) and primitive.invocation.kernel.in_place):
        return node.inputs[:1]
    return node.inputs[: len(primitive.loop.results)] if isinstance(primitive, Looped) else ()


def dependents(order: Sequence[Node], of: Collection[Node]) -> set[Node]:
    """Find those of some nodes, in order, that cannot be computed without others; the others are among them."""
    found = set(of)
    for node in order:
        if not found.isdisjoint(needs(node)):
            found.add(node)
    return found


def inherited_error(node: Node) -> Exception | None:
    """Find out why a node cannot be computed, if something that it depends on could not."""
    errors = [item.error for item in ancestors([node], draws=False) if item.error is not None]
    if not errors:
        return None
    node.error = errors[0]
    return errors[0]


def computed_operands(nodes: Iterable[Node]) -> frozenset[Node]:
    """Find what is there of that on which nodes depend."""
    return frozenset(item for node in ancestors(nodes) for item in node.inputs if item.buffer is not None)


@contextmanager
def held(nodes: Collection[Node]) -> Iterator[None]:
    """Keep the memory that nodes have by now from being written to; what is in between them is made anew by another try."""
    kept = [node for node in nodes if node.buffer is not None]
    for node in kept:
        node.holders += 1
    try:
        yield
    finally:
        for node in kept:
            node.holders -= 1
