"""The memory of a device: the bytes of its buffers, the Arrays that hold them, and the error where memory runs out."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .graph.graph import Graph, Node
from .launch.capacity import DeviceMemoryError
from .launch.units import bytes_text
from .value import Value

if TYPE_CHECKING:
    from ..dtypes import DType

__all__ = ["HeldArray", "Memory", "MemoryUse"]

_LISTED: Final = 5
_LOOK: Final = 1024  # nodes that have gone, before they are forgotten


class HeldArray(NamedTuple):
    """
    An Array that holds memory of a device; views of one count with it.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    dtype : dtype
        Its dtype.
    nbytes : int
        The bytes that it holds.
    """

    shape: tuple[int, ...]
    dtype: DType
    nbytes: int

    def __str__(self) -> str:
        """Return dtype, shape and size."""
        return f"{self.dtype}{list(self.shape)}, {bytes_text(self.nbytes)}"


class MemoryUse(NamedTuple):
    """
    How much of a device's memory is taken, and by what.

    Attributes
    ----------
    device : str
        Which.
    capacity : int
        Bytes that the device has for Arrays; 0 for ``cpu``, whose memory is the operating system's.
    used : int
        Bytes that computed values take. Calls that wait take none yet.
    arrays : tuple of HeldArray
        The live Arrays that hold memory, largest first. What `used` has beyond their sum are constants of kernels and operands of
        calls that wait.

    Examples
    --------
    >>> print(MemoryUse("sim:trn2", 12 << 30, 3 << 20, (HeldArray((512, 1024), "float32", 2 << 20),)))
    sim:trn2: 3.15 MB of 12.9 GB taken
      float32[512, 1024], 2.10 MB
    """

    device: str
    capacity: int
    used: int
    arrays: tuple[HeldArray, ...]

    @property
    def free(self) -> int:
        """The bytes that are not taken."""
        return self.capacity - self.used

    def __str__(self) -> str:
        """Return the sums and the largest Arrays, a line each."""
        return "\n".join([f"{self.device}: {bytes_text(self.used)} of {bytes_text(self.capacity)} taken", *_listed(self.arrays)])


def _listed(arrays: tuple[HeldArray, ...]) -> list[str]:
    """List the largest Arrays, and how many others there are."""
    more = [f"  {len(arrays) - _LISTED} smaller ones"] if len(arrays) > _LISTED else []
    return [*(f"  {array}" for array in arrays[:_LISTED]), *more]


class Memory:
    """
    The HBM that one device has.

    Nothing is counted when buffers go: a bound is kept, and buffers are only looked at where the bound exceeds the capacity.

    Parameters
    ----------
    graph : Graph
        Of the device.
    capacity : int
        Bytes.
    """

    def __init__(self, graph: Graph, capacity: int) -> None:
        self.capacity: Final = capacity
        self._graph = graph
        self._nodes: list[weakref.ref[Node]] = []
        self._bound, self._most = 0, _LOOK

    def take(self, node: Node) -> None:
        """Note that a node has got a buffer."""
        self._nodes.append(weakref.ref(node))
        self._bound += node.size * node.dtype.itemsize
        if len(self._nodes) > self._most:
            self.used()

    def used(self) -> int:
        """Count the bytes of all buffers."""
        alive = [node for reference in self._nodes if (node := reference()) is not None and node.buffer is not None]
        self._nodes = [weakref.ref(node) for node in alive]
        self._most = 2 * len(alive) + _LOOK
        self._bound = sum({id(node.buffer): node.size * node.dtype.itemsize for node in alive}.values())
        return self._bound

    def has_room(self, nbytes: int) -> bool:
        """Tell whether something fits."""
        return self._bound + nbytes <= self.capacity or self.used() + nbytes <= self.capacity

    def error(self, nbytes: int) -> DeviceMemoryError:
        """Say that something does not fit, and what takes the room."""
        use = self.use()
        listing = "\n".join(["; the largest Arrays there:", *_listed(use.arrays)]) if use.arrays else ""
        return DeviceMemoryError(
            f"{bytes_text(nbytes)} more do not fit into the memory of device {use.device!r}, of which {bytes_text(use.free)} of "
            f"{bytes_text(use.capacity)} are free; delete Arrays, or work on parts of them{listing}"
        )

    def use(self) -> MemoryUse:
        """Find what takes the memory. Slow: nothing is recorded for it."""
        found: dict[Any, Value] = {}
        for item in gc.get_objects():
            if type(item) is Value and item.cells[0].graph is self._graph and item.cells[0].node.buffer is not None:
                best = found.get(item.cells[0])
                if best is None or item.size > best.size:
                    found[item.cells[0]] = item
        held = [
            HeldArray(value.shape, value.dtype, sum(cell.node.size * cell.node.dtype.itemsize for cell in value.cells))
            for value in found.values()
        ]
        return MemoryUse(self._graph.device, self.capacity, self.used(), tuple(sorted(held, key=lambda array: -array.nbytes)))
