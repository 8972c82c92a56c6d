"""The engine of Neuron devices: it appends calls to a graph, and computes the graph where values are needed."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from functools import wraps as wrapping
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar

import numpy as np

from ..coverage import counter
from ..policy import LoopError, count_compilation
from ..rules import check_keywords
from .failures import came_from_outside, release_frames, told, warned
from .fallback.dispatch import LEFT_TO_HOST, leave_to_host, run_on_host
from .fallback.host_call import HostCall, gather
from .graph.builder import Builder
from .graph.graph import Check, Graph, Node, Trace, ancestors, computed_operands, held, inherited_error
from .graph.primitives import Buffer, HostStep, LoopStep, Primitive
from .launch.buffers import OnHost, apart, fetch, pieces, store, together
from .launch.capacity import TensorSizeError, hbm_share
from .launch.launcher import REFUSALS, Launcher, LaunchError
from .loop import Loop, looped, repeat
from .lowering import NotNativeError
from .lowering.op_calls import as_positions, lower
from .memory import Memory
from .plan.assemble import Launch, Planner
from .plan.schedule import Relaunch, Round, Step, schedule
from .planes import split
from .selftest.kept import computes_doubles, draws, slices_refusal, wraps
from .value import Value, values_among

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..device import Device
    from ..op import Op
    from ..promotion import PromotionTable

__all__ = ["NeuronEngine"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_ASSUMED: Final = object()  # the buffer of a node that is planned with, and not there


def _computing(method: Callable[Concatenate[NeuronEngine, _P], _R]) -> Callable[Concatenate[NeuronEngine, _P], _R]:
    """Run a method while nothing else is computed, neither by other threads nor by code that interrupts this one."""

    @wrapping(method)
    def alone(self: NeuronEngine, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        graph = self.graph
        with graph.lock:
            graph.check_idle()
            try:
                graph.computing = True
                return method(self, *args, **kwargs)
            finally:
                graph.computing = False

    return alone


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

    def __init__(self, device: Device, launcher: Launcher) -> None:
        self.device = device
        self.launcher = launcher
        self.graph = Graph(str(device))
        self.planner = Planner(
            launcher.target,
            wraps=lambda: wraps(self.device, self.launcher),
            computes_doubles=lambda: computes_doubles(self.device, self.launcher),
        )
        self.memory = Memory(self.graph, hbm_share(launcher.target))
        self._hosted: dict[Node, npt.NDArray[Any]] = {}  # what the host has computed since the graph is being computed
        self._failed = False  # whether something did that was last to be computed
        self._left: list[Node] = []  # what the device could not compute as it was to, and the host will
        refusal = partial(slices_refusal, device, launcher)
        draw = partial(draws, device, launcher)
        self.builder = Builder(self.graph, launcher.target, self.from_host, self.to_host, self.flush, refusal, draw)

    @property
    def promotion(self) -> PromotionTable:
        """Tell by which rules operands get dtypes."""
        return self.builder.promotion

    def run(self, op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Append an Op to the graph; see `Engine.run`. What the device has no kernel for runs on the host, which is counted."""
        graph, builder = self.graph, self.builder
        with graph.lock:
            if graph.forked or graph.computing:
                graph.check_idle()
            if graph.calling:
                raise graph.busy()
            try:
                graph.calling = True
                if kwargs:
                    check_keywords(kwargs)
                builder.present = op, args, kwargs
                result = lower(builder, op, args, kwargs)
                op.tick()
                if op.positions is not None:
                    result = as_positions(builder, result, op.positions)
            except NotNativeError as missing:
                if graph.trace is not None:
                    self._check_traced(graph.trace, op, missing.reason, values_among([*args, *kwargs.values()]))
                result = run_on_host(builder, op, missing, args, kwargs)
            except TensorSizeError as error:
                raise TensorSizeError(f"{op.name}: {error}") from None
            finally:
                builder.present = None
                graph.calling = False
            if graph.trace is None and graph.is_full():
                self.flush()
            return result

    def _check_traced(self, trace: Trace, op: Op, reason: str, operands: Iterable[Value]) -> None:
        """Refuse a call on the host in the body of a loop, unless it gives the same in all turns."""
        if op.name.startswith("random."):
            raise trace.refusal("draws random numbers", "draw those of all turns before the loop, and take a row in each of them")
        pending = ancestors(cell.node for value in operands for cell in value.cells)
        if any(isinstance(node.error, LoopError) for node in pending):
            dtypes = ", ".join(dict.fromkeys(str(value.dtype) for value in operands))
            raise trace.refusal(f"calls {op.name} of {dtypes}, which runs on the host ({reason})")

    def repeat(
        self,
        states: Sequence[Value],
        body: Callable[..., Sequence[Value]],
        *,
        turns: int,
        first: int | None = None,
        condition: Callable[..., Value] | None = None,
    ) -> list[Value]:
        """Append a loop to the graph; see `loop.repeat`. Other threads wait while its body is traced."""
        with self.graph.lock:
            self.graph.check_idle()
            if self.graph.calling:
                raise self.graph.busy()
            counter("fori_loop" if condition is None else "while_loop").tick()
            return repeat(self.graph, states, body, turns=turns, first=first, condition=condition)

    def from_host(self, array: npt.NDArray[Any] | np.generic, *, copy: bool) -> Value:  # noqa: ARG002  # the protocol's
        """Take host data as it is now; see `Engine.from_host`."""
        with self.graph.lock:
            self.graph.check_idle()
            host = np.asarray(array)
            planes = split(host)
            nbytes = sum(plane.nbytes for plane in planes)
            if not self.memory.has_room(nbytes):
                self.flush()  # pending calls keep their operands
            self._reserve(nbytes)
            nodes = tuple([self._stored(plane, host.shape) for plane in planes])
            value = Value.of_nodes(nodes, host.dtype, self.graph)
            value.detached = isinstance(array, np.generic)
            return value

    @_computing
    def to_host(self, value: Any, *, copy: bool) -> Any:  # noqa: ARG002  # the protocol's
        """Compute a value and fetch it; see `Engine.to_host`."""
        self._demand([cell.node for cell in value.cells if cell.node.buffer is None])
        nodes = [cell.node for cell in value.cells]
        planes = fetch(self.launcher, [node.buffer for node in nodes], [node.dtype for node in nodes])
        return gather(planes, value.layout, value.dtype, value.detached)

    @_computing
    def synchronize(self) -> None:
        """See to it that the values of all Arrays are there. What failed before is tried again."""
        self._demand(self.graph.pending())

    @_computing
    def flush(self) -> None:
        """Compute what is pending. What fails is told to those who need it: its value, or one that depends on it."""
        self._compute(self.graph.pending())
        self.graph.forget_computed()

    def settle(self, generator: object) -> None:
        """Make the draws that wait for a generator of random numbers; see `Engine.settle`."""
        if id(generator) in self.graph.draws:
            self.flush()

    def _demand(self, nodes: list[Node]) -> None:
        """Compute nodes, and all that is pending with them, or raise what went wrong."""
        if not nodes:
            return
        if self._failed:
            for node in ancestors(nodes):
                if not isinstance(node.primitive, Buffer):  # whose memory is lost
                    node.error = None
        self._compute(dict.fromkeys([*nodes, *self.graph.pending()]))
        self.graph.forget_computed()
        error = next((node.error for node in nodes if node.error is not None), None)
        if error is not None:
            self.graph.restore(error)
            raise told(error)

    def _compute(self, roots: Iterable[Node]) -> None:
        """Compute pending nodes, and again what turns out to be left to the host."""
        roots = [*roots]
        self._compute_once(roots)
        while self._left:
            left, self._left = self._left, []
            leave_to_host(left, roots)
            self._compute_once(roots)

    def _compute_once(self, roots: Iterable[Node]) -> None:
        """Compute pending nodes, step by step; a step that fails leaves an error at its nodes, and others go on."""
        pending = [node for node in roots if node.buffer is None]
        order = ancestors(pending)
        empty = [node for node in order if not node.size and type(node.primitive) is not HostStep]
        if empty:  # which no program computes; calls on the host may read them
            for node in empty:
                node.computed(self.launcher.to_device([np.empty(0, node.dtype)])[0])
            pending = [node for node in pending if node.buffer is None]
            order = ancestors(pending)
        failed = [node for node in order if node.error is not None]  # of memory that is lost, or before, where it is not tried again
        self._failed = bool(failed)
        if not failed and not [node for node in pending if node.fallible]:  # as what depends on such a node is
            self._run(Step(pending), order)
            return
        intact = frozenset[Node]()  # what is needed to try again
        if self._failed:
            intact = computed_operands(node for node in pending if inherited_error(node) is not None)
            order = ancestors(node for node in pending if node.error is None)
        try:
            for step in schedule(pending, order):
                wanted = [node for node in step.nodes if inherited_error(node) is None] if self._failed else step.nodes
                if wanted:
                    with held(step.kept | intact):
                        self._run(step._replace(nodes=wanted))
                    if any(node.buffer is None for node in wanted):
                        intact |= computed_operands(wanted)
        finally:
            self._hosted.clear()

    def _run(self, step: Step, order: list[Node] | None = None, *, alone: bool = False) -> None:
        """Compute the nodes of a step, or the only one that is left of it."""
        if not step.nodes:
            return
        if step.calls:
            self._round(step)
            return
        if step.loop is not None:
            with self._blaming([(step.loop, step.nodes)]):
                self._relaunch(step.loop, step.nodes)
            return
        try:
            self._launch(step, order)
        except Exception as error:  # it is raised where a value is needed
            self._failed = True
            refused = isinstance(error, REFUSALS)
            if not alone and (len(step.nodes) > 1 or not refused):  # one by one, to find those that are to blame
                with held(computed_operands(step.nodes)):
                    for node in step.nodes:
                        if inherited_error(node) is None:
                            self._run(step._replace(nodes=[node]), alone=True)
                if not refused and all(node.buffer is not None for node in step.nodes):
                    if came_from_outside(error):
                        raise
                    warnings.warn(
                        f"{len(step.nodes)} results on {str(self.device)!r} were computed one by one, more slowly than together, since "
                        f"trnarray failed to make one program of them ({type(error).__name__}: {error}); please report it",
                        RuntimeWarning,
                        stacklevel=2,
                    )
                return
            release_frames(error)
            for node in step.nodes:
                node.error = error

    def _round(self, step: Step) -> None:
        """Compute a round of calls on the host: operands are fetched once for all of them, and what fails leaves the others unharmed."""
        wanted = set(step.nodes)
        calls = {call: kept for call, nodes in step.calls.items() if (kept := [node for node in nodes if node in wanted])}
        operands = list(dict.fromkeys(item for node in step.nodes for item in node.inputs))
        host: dict[Node, npt.NDArray[Any]] = {}
        found: dict[Node, npt.NDArray[Any]] = {}
        with self._blaming(calls.items()):
            away = [node for node in operands if node not in self._hosted]
            planes = fetch(self.launcher, [node.buffer for node in away], [node.dtype for node in away])
            host = {**self._hosted, **dict(zip(away, planes, strict=True))}
        if not host and operands:
            return
        nbytes = 0
        for call, nodes in calls.items():
            with self._blaming([(call, nodes)]):
                results = call.run([host[item] for item in nodes[0].inputs])
                taken = {node: results[node.primitive.place] for node in nodes if isinstance(node.primitive, HostStep)}
                nbytes += sum(plane.nbytes for node, plane in taken.items() if node in step.brought)
                self._reserve(nbytes)
                found.update(taken)
        brought = [node for node in found if node in step.brought]
        buffers = dict(zip(brought, store(self.launcher, [found[node] for node in brought]), strict=True))
        for node, plane in found.items():
            self._hosted[node] = plane.reshape(-1)
            node.computed(buffers[node] if node in buffers else OnHost(plane.reshape(-1)))
        for node in brought:
            self.memory.take(node)

    @contextmanager
    def _blaming(self, calls: Iterable[tuple[HostCall | Loop, list[Node]]]) -> Iterator[None]:
        """Leave what goes wrong at the nodes of calls on the host, or of a loop: it is raised where a value is needed."""
        try:
            yield
        except Exception as error:  # noqa: BLE001
            self._failed = True
            for call, nodes in calls:
                error.add_note(f"{call.name} was called at {call.caller}")
                for node in nodes:
                    node.error = error
            release_frames(error)

    def _relaunch(self, loop: Loop, nodes: Sequence[Node]) -> None:
        """Launch some turns of a loop, until its condition does not hold. Another try goes on where an error ended this."""
        inputs, count, goes_on = nodes[0].inputs, len(loop.carried), True
        while goes_on:
            results = looped(loop, inputs)
            try:
                self._launch(Step([*results]), None)
            finally:
                if all(node.buffer is not None for node in results):
                    inputs = (*results, *inputs[count:])
                    for node in nodes:
                        node.inputs = inputs
            (flag,) = fetch(self.launcher, [results[-1].buffer], [results[-1].dtype])
            goes_on = bool(flag[0])
        for node in nodes:
            assert isinstance(node.primitive, LoopStep)
            node.computed(results[node.primitive.number].buffer)
            self.memory.take(node)

    def _launch(self, step: Step, order: list[Node] | None) -> None:
        """Compute on the device, and look at the checks."""
        launch = self.planner.plan(step.nodes, order)
        results: Sequence[Any] | None = None
        try:
            results = self._results(launch)
            self._take(launch, results, step.checked)
        except BaseException:
            if results is not None:  # an interrupt, after the program has written to memory in place, which it must not do again
                self._take(launch, results, step.checked)
            raise

    def _take(self, launch: Launch, results: Sequence[Any], checked: Sequence[Node]) -> None:
        """Give nodes what a program computed, where their checks hold."""
        computed = {output: buffer for output, buffer in zip(launch.outputs, results, strict=True) if output is not None}
        failed = False
        failures: dict[Check, Exception | None] = {}  # the planes of a value share a check
        for node in checked:
            assert node.check is not None
            holds = node.check.holds
            buffer = computed.get(holds, holds.buffer)
            if buffer is not None and not self.launcher.to_host([buffer], [holds.dtype])[0][0]:
                if node.check.instead is not None:
                    self._left.append(node)
                    node.error, self._failed, failed = LEFT_TO_HOST, True, True
                    continue
                if node.check not in failures:
                    flags = node.check.flags
                    fetched = None if flags is None else self.launcher.to_host([computed.get(flags, flags.buffer)], [flags.dtype])[0]
                    failures[node.check] = warned(node.check.failure(fetched), node.check.caller)
                node.error = failures[node.check]
                self._failed = failed = failed or node.error is not None
        for output, buffer in computed.items():
            error = inherited_error(output) if failed else None
            if error is None:
                output.computed(buffer)
                self.memory.take(output)
            else:
                output.error = error

    def _results(self, launch: Launch) -> Sequence[Any]:
        """Run a program; a second time, with more room, where the device finds none."""
        self._reserve(launch.nbytes)
        if not self.launcher.is_compiled(launch.plan):
            count_compilation(str(self.device))
        for node in launch.inputs:
            if type(node.buffer) is OnHost:
                (node.buffer,) = store(self.launcher, [node.buffer.plane])
                self.memory.take(node)
        buffers = apart([node.buffer for node in launch.inputs])
        try:
            return together(self.launcher.run(launch.plan, buffers, launch.scalars), launch.counts)
        except MemoryError:
            self._release()
        except LaunchError as error:
            owners = [node for node in launch.inputs for _ in pieces(node.buffer)]
            for place in error.lost:
                owners[place].buffer, owners[place].error = None, error
            raise
        try:
            return together(self.launcher.run(launch.plan, buffers, launch.scalars), launch.counts)
        except MemoryError as error:
            raise self.memory.error(launch.nbytes) from error

    def _reserve(self, nbytes: int) -> None:
        """Make room, or say what takes it."""
        if not self.memory.has_room(nbytes):
            self._release()
            if not self.memory.has_room(nbytes):
                raise self.memory.error(nbytes)

    def _release(self) -> None:
        """Let go of what can be made again, and of what nobody can reach."""
        self.builder.constants.clear()
        self.builder.recordings.clear()
        self.builder.structures.clear()
        gc.collect()

    def _stored(self, plane: npt.NDArray[Any], shape: tuple[int, ...]) -> Node:
        """Bring a plane to the device."""
        node = Node.of_buffer(store(self.launcher, [plane])[0], shape, plane.dtype)
        self.memory.take(node)
        return node

    @_computing
    def compile_pending(self) -> int:
        """Compile the programs of what is pending, and run none of them."""
        steps = [step.launch if isinstance(step, Relaunch) else step for step in self._pending_plan(None)]
        plans = dict.fromkeys(step.plan for step in steps if isinstance(step, Launch))
        missing = [plan for plan in plans if not self.launcher.is_compiled(plan)]
        for plan in missing:
            count_compilation(str(self.device))
            self.launcher.compile(plan)
        return len(missing)

    @_computing
    def pending_plan(self, value: Value | None = None) -> list[Launch | Relaunch | Round]:
        """Plan what is pending, programs and rounds of calls on the host, and compute none of it."""
        return self._pending_plan(value)

    def _planned(self, step: Step) -> Launch | Relaunch | Round:
        if step.calls:
            return Round.of(step)
        if step.loop is not None:
            return Relaunch(step.loop, self.planner.plan(looped(step.loop, step.nodes[0].inputs)))
        return self.planner.plan(step.nodes)

    def _pending_plan(self, value: Value | None) -> list[Launch | Relaunch | Round]:
        roots = self.graph.pending() if value is None else [cell.node for cell in value.cells]
        roots = [node for node in roots if node.buffer is None and node.size]
        found: list[Launch | Relaunch | Round] = []
        assumed: list[tuple[Node, Primitive, tuple[Node, ...], Check | None, bool]] = []

        def undo() -> None:
            for node, primitive, inputs, check, fallible in assumed:
                node.buffer, node.primitive, node.inputs, node.check, node.fallible = None, primitive, inputs, check, fallible

        try:
            for step in schedule(roots, ancestors(roots)):
                with held(step.kept):
                    found.append(self._planned(step))
                for node in step.nodes:  # later steps are planned as if they were there
                    assumed.append((node, node.primitive, node.inputs, node.check, node.fallible))
                    node.computed(_ASSUMED)
        finally:
            try:
                undo()
            except BaseException:  # an interrupt, and nodes must not be left as if they were there
                undo()
                raise
        return found
