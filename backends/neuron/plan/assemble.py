"""From groups to a plan: numbers for tensors, registers and scalars."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from struct import Struct
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..costs import current_costs
from ..dtypes import nki_name
from ..function import FUNCTIONS, PAIRS
from ..graph.graph import Node, ancestors
from ..graph.primitives import Cast, Elementwise, Fill, Iota, Read, Reduce, Scalar
from ..launch.capacity import check_bytes, hbm_share
from ..launch.collector import without_collector
from ..layout import Layout
from .choice import Chooser, expand
from .dims import divide, strides_over
from .epilogue_fusion import attach
from .form import Form, form_of, is_brought
from .fusion import fuse
from .pieces import in_pieces
from .plan import Access, Attached, Choice, Compute, Extent, KernelStage, LoopStage, Plan, RowStage, Stage, Tensor
from .stages import Attachment, Body, Group, Home, Load

__all__ = ["Launch", "Planner"]

_WITHOUT_WRAPPING: Final = "without_wrapping."
"""What names of functions begin with that do not need GpSimd to wrap."""


class Launch(NamedTuple):
    """
    A plan with what a launch brings and gives.

    Attributes
    ----------
    plan : Plan
        What to compute.
    inputs : list of Node
        Computed ones, whose buffers are the plan's tensors that are inputs or updated, in order; several tensors for a buffer in pieces.
    scalars : np.ndarray
        The table of scalars, words of 32 bits.
    outputs : list of Node or None
        Whose values the plan's outputs and updated tensors are, in order; None where nobody wants one.
    counts : tuple of int
        In how many tensors each of these lies.
    nbytes : int
        That the program takes of HBM while it runs, besides its inputs.
    """

    plan: Plan
    inputs: list[Node]
    scalars: npt.NDArray[np.uint32]
    outputs: list[Node | None]
    counts: tuple[int, ...]
    nbytes: int


class _Blueprint(NamedTuple):
    """
    A plan, where in a graph of its form the nodes and the numbers are that a launch is about, and how numbers and offsets are packed.

    It is made for a GpSimd whose integers wrap, or do not, where that matters.
    """

    plan: Plan
    inputs: tuple[int, ...]
    numbers: tuple[int, ...]
    table: Struct
    outputs: tuple[int | None, ...]
    counts: tuple[int, ...]
    nbytes: int
    wraps: bool | None


class Planner:
    """
    Plans, and keeps the plans of graphs that differ in numbers and memory only.

    Parameters
    ----------
    target : str
        The generation, by whose figures variants are chosen.
    capacity : int, optional
        How many it keeps; the oldest go first.
    budget : int, optional
        Instructions that a program may have.
    wraps : callable, optional
        Tells whether the device's GpSimd is known to compute with 32-bit integers modulo 2**32; asked where it matters.
    computes_doubles : callable, optional
        Tells whether the device's float64 is known to be right, likewise.
    preferred : mapping, optional
        As of `Chooser`.

    Attributes
    ----------
    hits, misses : int
        Graphs that had a plan, and that had not.
    """

    def __init__(
        self,
        target: str,
        capacity: int = 1024,
        budget: int = 100_000,
        wraps: Callable[[], bool] = lambda: True,
        computes_doubles: Callable[[], bool] = lambda: True,
        preferred: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.hits = self.misses = 0
        self._target, self._preferred = target, preferred
        self._chooser = Chooser(current_costs(target), preferred)
        self._capacity, self._budget, self._wraps = capacity, budget, wraps
        self._computes_doubles = computes_doubles
        self._blueprints: dict[Hashable, _Blueprint] = {}

    def plan(self, roots: Iterable[Node], order: list[Node] | None = None) -> Launch:
        """Plan the computation of nodes."""
        costs = current_costs(self._target)
        if costs is not self._chooser.costs:  # others were measured
            self._chooser = Chooser(costs, self._preferred)
            self._blueprints.clear()
        wanted = dict.fromkeys(roots)
        order, instead, choices = expand(ancestors(wanted) if order is None else order, wanted, self._chooser)
        returned = {instead.get(node, node): node for node in wanted}
        form = form_of(order, returned)
        found = self._blueprints.get(form.key)
        if found is None or (found.wraps is not None and found.wraps is not self._wraps()):
            self.misses += 1
            while len(self._blueprints) >= self._capacity:
                self._blueprints.pop(next(iter(self._blueprints)))
            found = self._blueprints[form.key] = self._planned(order, returned, form, choices)
        else:
            self.hits += 1
        nodes = form.nodes
        table = np.empty(found.plan.scalars, np.uint32)
        found.table.pack_into(table.data, 0, *[form.numbers[place] for place in found.numbers], *form.offsets)
        outputs = [None if place is None else returned[nodes[place]] for place in found.outputs]
        return Launch(found.plan, [nodes[place] for place in found.inputs], table, outputs, found.counts, found.nbytes)

    @without_collector()
    def _planned(self, order: list[Node], wanted: Mapping[Node, Node], form: Form, choices: Iterable[Choice]) -> _Blueprint:
        groups, homes = fuse(order, set(wanted), self._chooser)
        assembly = _Assembly(groups, homes, form, self._chooser, choices, _wrapping(form.nodes, self._wraps, self._computes_doubles))
        _check_sizes(assembly.memory, hbm_share(self._target))
        return assembly.blueprint(form.nodes, wanted, self._budget)


def _check_sizes(memory: Sequence[Home], limit: int) -> None:
    """Refuse a program with a tensor beyond all of HBM."""
    for home in memory:
        node = home.node
        check_bytes(node.shape, str(node.dtype), node.size * node.dtype.itemsize, limit, "a NeuronCore has")


class _Assembly:
    def __init__(
        self,
        groups: list[Group],
        homes: dict[Node, Home],
        form: Form,
        chooser: Chooser,
        choices: Iterable[Choice],
        wraps: bool | None,
    ) -> None:
        groups = attach(groups)
        self.chooser, self.choices = chooser, dict.fromkeys(choices)
        self.homes, self.offsets, self.near, self.wraps = homes, form.offsets, form.near, wraps
        self.tensors: dict[Home, int] = {}
        self.memory: list[Home] = []  # of each tensor, the first that it holds
        self.scalars: dict[Node, int] = {}
        self.number(groups)
        self.stages = self.stages_of(groups)

    def number(self, groups: list[Group]) -> None:
        """Give numbers to memory; temporary memory that is not needed any more serves again."""
        last = _last_places(groups)
        used = [*last, *(home for home in self.homes.values() if home.role != "temporary")]
        for home in sorted(dict.fromkeys(used), key=lambda home: home.role not in ("input", "updated")):
            if home.role != "temporary":
                self.tensors[home] = len(self.memory)
                self.memory.append(home)
        self.share(groups, last, {})

    def share(self, groups: list[Group], last: Mapping[Home, int], until: dict[int, int]) -> None:
        """Give numbers to temporary memory, of tensors whose last place is known in the place of those that are not needed any more."""
        for place, group in enumerate(groups):
            for home in _used(group):
                if home in self.tensors:
                    continue
                free = (number for number, end in until.items() if end < place and _is_alike(self.memory[number], home))
                number = next(free, len(self.memory))
                if number == len(self.memory):
                    self.memory.append(home)
                self.tensors[home], until[number] = number, last[home]
            if group.body is not None:
                self.tensors |= {home: self.tensors[outer] for home, outer in group.body.homes.items()}
                within = {number: -1 for number, end in until.items() if end < place}
                self.share(group.body.groups, _last_places(group.body.groups), within)
                until |= dict.fromkeys(within, place)

    def blueprint(self, nodes: list[Node], wanted: Iterable[Node], budget: int) -> _Blueprint:
        """Make the plan, and find the nodes that a launch is about."""
        places = {node: place for place, node in enumerate(nodes)}
        numbers = {node: place for place, node in enumerate(node for node in nodes if isinstance(node.primitive, Scalar))}
        tensors = tuple(Tensor(home.size, nki_name(home.node.dtype), home.role) for home in self.memory)
        owners = {self.homes[node]: node for node in wanted}
        returned = [owners.get(home) for home in self.memory if home.role in ("updated", "output")]
        pieces = in_pieces(tensors, [self._with_slots(stage) for stage in self.stages])
        return _Blueprint(
            Plan(
                pieces.tensors,
                len(self.scalars) + len(self.offsets),
                pieces.stages,
                budget,
                tuple(self.choices),
                self.chooser.costs.measured,
            ),
            tuple(places[home.node] for home in self.memory if home.role in ("input", "updated")),
            tuple(numbers[node] for node in self.scalars),
            Struct("=" + "".join(map(_packed, self.scalars)) + len(self.offsets) * "I"),
            tuple(None if node is None else places[node] for node in returned),
            tuple(count for count, home in zip(pieces.counts, self.memory, strict=True) if home.role in ("updated", "output")),
            sum(home.size * home.node.dtype.itemsize for home in self.memory if home.role in ("temporary", "output")),
            self.wraps,
        )

    def stages_of(self, groups: list[Group]) -> tuple[Stage, ...]:
        """Convert groups."""
        return tuple([self.stage(group) for group in groups])

    def stage(self, group: Group) -> Stage:
        """Convert a group."""
        if group.body is not None:
            return self.repeated(group, group.body)
        if group.invocation is None:
            return self.rows(group)
        kernel, parameters, _ = group.invocation
        mains = [group.prologues[number].mains[0] if number in group.prologues else item for number, item in enumerate(group.sources)]
        written = {store.number: self.tensors[store.home] for store in group.stores} if group.epilogue is None else {}
        variant = ""
        if kernel.variants:
            _, choice = self.chooser.choose(group.invocation)
            self.choices[choice], variant = None, choice.variant
        return KernelStage(
            kernel.name,
            parameters,
            tuple(self.tensors[item.home] for item in mains),
            tuple(written[number] for number in range(len(written))),
            tuple(self.attached(group.prologues[number]) if number in group.prologues else None for number in range(len(mains))),
            None if group.epilogue is None else self.attached(group.epilogue),
            variant,
            tuple([(self.scalars.setdefault(item, len(self.scalars)), nki_name(item.dtype)) for item in group.numbers]),
        )

    def repeated(self, group: Group, body: Body) -> LoopStage:
        """Convert a loop."""
        loop = body.loop
        counter = None if loop.index is None else self.scalars.setdefault(loop.index, len(self.scalars))
        condition = self.tensors[group.stores[-1].home] if loop.conditional else None
        return LoopStage(loop.turns, self.stages_of(body.groups), counter, condition, loop.likely)

    def attached(self, attachment: Attachment) -> Attached:
        """Convert a group that a kernel takes."""
        group, mains, results, columns = attachment
        others = [load for load in group.loads if load not in mains]
        stores = [store for store in group.stores if store not in results]
        dims = (group.size // columns, columns)
        registers, computes = self.computes(group, [*mains, *others])
        rows = RowStage(
            dims,
            0,
            tuple(self.access(load.home, load.layout, dims, 0, group) for load in others),
            tuple(computes),
            tuple((registers[store.operand], self.access(store.home, store.layout, dims, 0, group)) for store in stores),
            tuple(nki_name(main.home.node.dtype) for main in mains),
        )
        return Attached(rows, tuple(registers[result.operand] for result in results))

    def rows(self, group: Group) -> RowStage:
        """Convert a group of elementwise functions and reductions."""
        dims = divide(group.marks)
        columns, length = 0, 1
        while group.length is not None and length < group.length:
            columns += 1
            length *= dims[-columns]
        registers, computes = self.computes(group, list(group.loads))
        loads = [self.access(load.home, load.layout, dims, columns, group) for load in group.loads]
        loads = self.beside([load.layout.offset for load in group.loads], loads)
        stores = tuple((registers[s.operand], self.access(s.home, s.layout, dims, columns, group)) for s in group.stores)
        return RowStage(dims, columns, tuple(loads), tuple(computes), stores)

    def beside(self, starts: list[int], loads: list[Access]) -> list[Access]:
        """Tell of loads near each other how far they are apart, where that is the same in all launches."""
        found = [*loads]
        leaders: dict[tuple[object, ...], int] = {}
        for place in sorted(range(len(loads)), key=starts.__getitem__):
            load = loads[place]
            if load.slot is None or load.tensor is None:
                continue
            key = load.tensor, load.strides, load.extent
            leader = leaders.get(key)
            if leader is not None and (starts[leader], starts[place]) in self.near:
                found[place] = replace(load, offset=starts[place] - starts[leader], slot=loads[leader].slot)
            else:
                leaders[key] = place
        return found

    def computes(self, group: Group, first: list[Load]) -> tuple[dict[Node | Load, int], list[Compute]]:
        """Give numbers to the registers of a group: what is loaded, then what is computed."""
        registers: dict[Node | Load, int] = {load: place for place, load in enumerate(first)}
        computes: list[Compute] = []

        def extent(size: int) -> Extent:
            return "full" if size == group.size else "row" if group.is_row(size) else "one"

        def register(item: Node | Load) -> int:
            if item not in registers:
                assert isinstance(item, Node)
                compute = self.constant(item, "one")
                registers[item] = len(first) + len(computes)
                computes.append(compute)
            return registers[item]

        pairs = _pairs(group)
        for node, operands in group.operands.items():
            if node in registers:  # with the others of its pair
                continue
            if isinstance(node.primitive, Read | Iota):
                registers[node] = register(operands[0])
                continue
            if isinstance(node.primitive, Fill | Scalar):
                compute = self.constant(node, extent(node.size))
            else:
                inputs = tuple(map(register, operands))
                loop = nki_name(node.inputs[-1].dtype)
                if node in pairs:
                    name, (one, *others) = pairs[node]
                    registers[one] = place = len(first) + len(computes)
                    computes.append(Compute("pair", name, inputs, nki_name(one.dtype), extent(one.size), loop=loop))
                    for other in others:
                        registers[other] = len(first) + len(computes)
                        computes.append(Compute("second", "", (place,), nki_name(other.dtype), extent(other.size)))
                    continue
                compute = Compute(*_function(node, loop, self.wraps), inputs, nki_name(node.dtype), extent(node.size), loop=loop)
            registers[node] = len(first) + len(computes)
            computes.append(compute)
        for store in group.stores:
            register(store.operand)
        return registers, computes

    def constant(self, node: Node, extent: Extent) -> Compute:
        """Convert a number."""
        if isinstance(node.primitive, Scalar):
            return Compute("scalar", "", (), nki_name(node.dtype), extent, self.scalars.setdefault(node, len(self.scalars)))
        assert isinstance(node.primitive, Fill)
        return Compute("fill", "", (), nki_name(node.dtype), extent, node.primitive.value)

    def access(self, home: Home, layout: Layout, dims: tuple[int, ...], columns: int, group: Group) -> Access:
        """Convert a layout."""
        size = 1
        for length in layout.shape:
            size *= length
        extent: Extent = "one"
        strides = (0,) * len(dims)
        if size == group.size:
            extent, strides = "full", strides_over(layout, dims)
        elif group.is_row(size):
            rows = dims[: len(dims) - columns] or (1,)
            extent, strides = "row", (*strides_over(layout, rows), *(0,) * columns)[-len(dims) :]
        tensor = None if home.made else self.tensors[home]
        if not is_brought(layout, home.node):
            return Access(tensor, layout.offset, strides, extent)
        return Access(tensor, 0, strides, extent, self.offsets[layout.offset])

    def _with_slots(self, stage: Stage) -> Stage:
        """Give the offsets the numbers after those of the scalars, of which there are none to come."""

        def numbered(access: Access) -> Access:
            return access if access.slot is None else replace(access, slot=access.slot + len(self.scalars))

        return stage.mapped(numbered)


def _wrapping(nodes: Iterable[Node], wraps: Callable[[], bool], computes_doubles: Callable[[], bool]) -> bool | None:
    """Find out whether 32-bit integers of GpSimd wrap, where that matters to some nodes, and refuse float64 that is not right."""
    functions = {(node.primitive.name, node.dtype.kind in "iu") for node in nodes if isinstance(node.primitive, Elementwise)}
    needed = any(FUNCTIONS[name].needs_wrapping for name, _ in functions)
    if not needed and not any(integer and _WITHOUT_WRAPPING + name in FUNCTIONS for name, integer in functions):
        return None
    found = wraps()
    if needed and not found:
        raise RuntimeError(
            "the self-test did not find that 32-bit integers of GpSimd wrap, from which float64 is computed; "
            'use config(float64="host"), or float32'
        )
    if needed and not computes_doubles():
        raise RuntimeError(
            "the self-test did not find products and exponentials of float64 right, which integers, shifts, sums and tables of the device "
            'give; use config(float64="host"), or float32'
        )
    return found


def _used(group: Group) -> list[Home]:
    """List the memory that a group reads and writes; places are in none."""
    found: list[Home] = []
    for number, item in enumerate(group.sources):
        taken = group.prologues.get(number)
        if taken is not None:
            found += [load.home for load in taken.group.loads]
        else:
            found.append(item.home)
    found += [load.home for load in group.loads]
    if group.epilogue is None:
        found += [store.home for store in group.stores]
    else:
        after = group.epilogue
        found += [load.home for load in after.group.loads if load not in after.mains] + [store.home for store in after.group.stores]
    return [home for home in found if not home.made]


def _last_places(groups: list[Group]) -> dict[Home, int]:
    """Find where memory is used last."""
    return {home: place for place, group in enumerate(groups) for home in _used(group)}


def _pairs(group: Group) -> dict[Node, tuple[str, list[Node]]]:
    """Find functions of the same operands that share work: the name of the first one and all of them, under each."""
    alike: dict[Hashable, dict[str, Node]] = {}
    for node, operands in group.operands.items():
        name = node.primitive.name if isinstance(node.primitive, Elementwise) else ""
        if name in PAIRS and nki_name(node.inputs[-1].dtype) in PAIRS[name].loops:
            alike.setdefault((PAIRS[name].functions, operands), {})[name] = node
    found: dict[Node, tuple[str, list[Node]]] = {}
    for nodes in alike.values():
        functions = PAIRS[next(iter(nodes))].functions
        if len(nodes) == len(functions):
            found.update(dict.fromkeys(nodes.values(), (functions[0], [nodes[name] for name in functions])))
    return found


def _packed(scalar: Node) -> str:
    """Tell how 32 bits carry a scalar: integers as int32 or uint32, floats as float32."""
    return {"i": "i", "u": "I"}.get(scalar.dtype.kind, "f")


def _is_alike(one: Home, other: Home) -> bool:
    return (one.size, one.node.dtype) == (other.size, other.node.dtype)


def _function(node: Node, loop: str, wraps: bool | None) -> tuple[Literal["elementwise", "cast", "reduce"], str]:
    primitive = node.primitive
    if isinstance(primitive, Elementwise):
        modular = FUNCTIONS.get(_WITHOUT_WRAPPING + primitive.name) if wraps is False else None
        return "elementwise", modular.name if modular is not None and loop in modular.loops else primitive.name
    if isinstance(primitive, Cast):
        return "cast", "bits" if primitive.bits else ""
    assert isinstance(primitive, Reduce)
    return "reduce", primitive.name
