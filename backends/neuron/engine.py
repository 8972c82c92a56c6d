"""The engine of Neuron devices: it appends calls to a graph, and computes the graph where values are needed."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..promotion import NEURON, PromotionTable
from .fallback import run_on_host
from .graph import Graph, Node
from .host_call import HostCall, gather
from .launch.launcher import Launcher
from .lowering import NotNativeError
from .plan.assemble import Launch, Planner
from .planes import split
from .primitives import HostStep, Primitive
from .schedule import Step, schedule
from .value import Value

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..device import Device
    from ..dtypes import DType
    from ..op import Op

__all__ = ["NeuronEngine"]

_ASSUMED: Final = object()  # the buffer of a node that is planned with, and not there


class NeuronEngine:
    """
    Holds values on one NeuronCore.

    Parameters
    ----------
    device : Device
        Which.
    launcher : Launcher
        What runs programs there.
    """

    name: Final = "neuron"
    values: Final[tuple[type[Any], ...]] = (Value,)
    promotion: Final[PromotionTable] = NEURON

    def __init__(self, device: Device, launcher: Launcher) -> None:
        self.device = device
        self.launcher = launcher
        self.graph = Graph(device)
        self.planner = Planner()
        self.constants: dict[Hashable, Value] = {}  # what kernels need and the device keeps

    def run(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """
        Append an Op to the graph; see `Engine.run`. What the device has no kernel for runs on the host, which is counted.

        Parameters
        ----------
        op : Op
            The operation.
        args : sequence
            Positional operands.
        kwargs : mapping
            Keyword operands.

        Returns
        -------
        Value, or tuple or list of Values
            As the Op's host implementation returns.
        """
        implementation = op.implementation(self.name)
        with self.graph.lock:
            self.graph.check_process()
            if implementation is None:
                return run_on_host(self, op, "it has no kernel yet", args, kwargs)
            try:
                result = implementation(self, *args, **kwargs)
            except NotNativeError as missing:
                return run_on_host(self, op, missing.reason, args, kwargs)
            op.tick()
            if self.graph.appended > self.graph.capacity:
                self.flush()
            return result

    def from_host(self, array: npt.NDArray[Any] | np.generic, *, copy: bool) -> Value:  # noqa: ARG002  # the protocol's
        """
        Take host data as it is now; see `Engine.from_host`.

        Parameters
        ----------
        array : ndarray or NumPy scalar
            The data; a scalar gives a detached value.
        copy : bool
            Has no meaning here, since devices always copy.

        Returns
        -------
        Value
            Contiguous.
        """
        with self.graph.lock:
            self.graph.check_process()
            host = np.asarray(array)
            nodes = tuple(
                Node.of_buffer(self.launcher.to_device(plane), host.shape, plane.dtype) for plane in split(host)
            )
            value = Value.of_nodes(nodes, host.dtype, self.graph)
            value.detached = isinstance(array, np.generic)
            return value

    def to_host(self, value: Any, *, copy: bool) -> Any:  # noqa: ARG002  # the protocol's
        """
        Compute a value and fetch it; see `Engine.to_host`.

        Parameters
        ----------
        value : Value
            The value.
        copy : bool
            Has no meaning here, since hosts always get a copy.

        Returns
        -------
        ndarray or NumPy scalar
            The latter for a detached value.
        """
        with self.graph.lock:
            self.graph.check_process()
            self.compute(value)
            return gather(self.launcher, [cell.node.buffer for cell in value.cells], value.layout, value.dtype, value.detached)

    def make(self, nodes: tuple[Node, ...], dtype: DType) -> Value:
        """
        Make a value of nodes.

        Parameters
        ----------
        nodes : tuple of Node
            One for each plane.
        dtype : dtype
            Of the Array.

        Returns
        -------
        Value
            With memory of its own.
        """
        return Value.of_nodes(nodes, dtype, self.graph)

    def compute(self, value: Value) -> None:
        """
        See to it that a value is there.

        Parameters
        ----------
        value : Value
            The value.

        Raises
        ------
        Exception
            What went wrong when it, or something it depends on, was computed.
        """
        if any(cell.node.buffer is None for cell in value.cells):
            self.flush(cell.node for cell in value.cells)

    def flush(self, wanted: Iterable[Node] = ()) -> None:
        """
        Compute what is pending.

        Parameters
        ----------
        wanted : iterable of Node, optional
            Nodes that have to be there afterwards, besides those of live Arrays.
        """
        with self.graph.lock:
            roots = dict.fromkeys([*wanted, *self.graph.pending()])
            pending = [node for node in roots if node.buffer is None]
            for node in [node for node in pending if node.size == 0 and type(node.primitive) is not HostStep]:
                node.computed(self.launcher.to_device(np.empty(0, node.dtype)))
            for step in schedule(node for node in pending if node.buffer is None):
                with _held(step.kept):
                    self._run(step)
            self.graph.forget_computed()

    def _run(self, step: Step) -> None:
        """Compute the nodes of a step."""
        if step.call is not None:
            planes = step.call.run([node.buffer for node in step.nodes[0].inputs], self.launcher)
            for node in step.nodes:
                assert isinstance(node.primitive, HostStep)
                node.computed(self.launcher.to_device(planes[node.primitive.place]))
            return
        launch = self.planner.plan(step.nodes)
        results = self.launcher.run(launch.plan, [node.buffer for node in launch.inputs], launch.scalars)
        for output, buffer in zip(launch.outputs, results, strict=True):
            if output is not None:
                output.computed(buffer)

    def pending_plan(self, value: Value | None = None) -> list[Launch | HostCall]:
        """
        Plan what is pending, and compute none of it.

        Parameters
        ----------
        value : Value, optional
            Of which the computation is planned; by default that of all live Arrays.

        Returns
        -------
        list of Launch or HostCall
            Programs and what the host computes between them, in order.
        """
        with self.graph.lock:
            self.graph.check_process()
            roots = self.graph.pending() if value is None else [cell.node for cell in value.cells]
            found: list[Launch | HostCall] = []
            assumed: list[tuple[Node, Primitive, tuple[Node, ...]]] = []
            try:
                for step in schedule(node for node in roots if node.buffer is None and node.size):
                    with _held(step.kept):
                        found.append(step.call or self.planner.plan(step.nodes))
                    for node in step.nodes:  # later steps are planned as if they were there
                        assumed.append((node, node.primitive, node.inputs))
                        node.computed(_ASSUMED)
            finally:
                for node, node.primitive, node.inputs in assumed:
                    node.buffer = None
            return found


@contextmanager
def _held(nodes: Collection[Node]) -> Iterator[None]:
    """Keep the memory of nodes from being written to."""
    for node in nodes:
        node.holders += 1
    try:
        yield
    finally:
        for node in nodes:
            node.holders -= 1
