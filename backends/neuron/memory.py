"""The memory of a device: how much of it buffers take, and what is said when it does not suffice."""

from __future__ import annotations

import gc
import weakref
from typing import Any, Final

from .graph import Graph, Node
from .value import Value

__all__ = ["DeviceMemoryError", "Memory", "bytes_text"]

_LISTED: Final = 5
_LOOK: Final = 1024  # nodes that have gone, before they are forgotten


class DeviceMemoryError(MemoryError):
    """An Array, or what has to be computed for it, does not fit into the memory of its device."""


def bytes_text(nbytes: float) -> str:
    """
    Write a number of bytes.

    Parameters
    ----------
    nbytes : float
        The number.

    Returns
    -------
    str
        In the largest unit of which there is at least one.

    Examples
    --------
    >>> bytes_text(3 * 2**29), bytes_text(64)
    ('1.5 GiB', '64 B')
    """
    for unit in ("B", "KiB", "MiB"):
        if nbytes < 1024:
            return f"{nbytes:.4g} {unit}"
        nbytes /= 1024
    return f"{nbytes:.4g} GiB"


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
        """
        Note that a node has got a buffer.

        Parameters
        ----------
        node : Node
            The node.
        """
        self._nodes.append(weakref.ref(node))
        self._bound += node.size * node.dtype.itemsize
        if len(self._nodes) > self._most:
            self.used()

    def used(self) -> int:
        """
        Count the bytes of all buffers.

        Returns
        -------
        int
            Of those that somebody can still use; what several nodes share counts once.
        """
        alive = [node for reference in self._nodes if (node := reference()) is not None and node.buffer is not None]
        self._nodes = [weakref.ref(node) for node in alive]
        self._most = 2 * len(alive) + _LOOK
        self._bound = sum({id(node.buffer): node.size * node.dtype.itemsize for node in alive}.values())
        return self._bound

    def has_room(self, nbytes: int) -> bool:
        """
        Tell whether something fits.

        Parameters
        ----------
        nbytes : int
            Its bytes.

        Returns
        -------
        bool
            Whether it does beside what is there.
        """
        return self._bound + nbytes <= self.capacity or self.used() + nbytes <= self.capacity

    def error(self, nbytes: int) -> DeviceMemoryError:
        """
        Say that something does not fit, and what takes the room.

        Parameters
        ----------
        nbytes : int
            Its bytes.

        Returns
        -------
        DeviceMemoryError
            It lists the largest Arrays.
        """
        used, arrays = self.used(), self._arrays()
        lines = [f"  {value.dtype}{list(value.shape)}, {bytes_text(size)}" for size, value in arrays[:_LISTED]]
        more = [f"  {len(arrays) - _LISTED} smaller ones"] if len(arrays) > _LISTED else []
        listing = "\n".join(["; the largest Arrays there:", *lines, *more]) if arrays else ""
        return DeviceMemoryError(
            f"{bytes_text(nbytes)} more do not fit into the memory of device {str(self._graph.device)!r}, "
            f"of which {bytes_text(used)} of {bytes_text(self.capacity)} are taken; delete Arrays, or work on parts of them{listing}"
        )

    def _arrays(self) -> list[tuple[int, Value]]:
        """Find the Arrays that have memory there, the largest first; views of one are one. Slow: nothing is recorded for it."""
        found: dict[Any, Value] = {}
        for item in gc.get_objects():
            if type(item) is Value and item.cells[0].graph is self._graph and item.cells[0].node.buffer is not None:
                best = found.get(item.cells[0])
                if best is None or item.size > best.size:
                    found[item.cells[0]] = item
        sized = [(sum(cell.node.size * cell.node.dtype.itemsize for cell in value.cells), value) for value in found.values()]
        return sorted(sized, key=lambda each: -each[0])
