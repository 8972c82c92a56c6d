"""List scheduling of instruction graphs: two parts of a tile at once, each instruction on the engine that is predicted to end it first.

Source of the method: T. C. Hu, "Parallel sequencing and assembly line problems", Operations Research 9, 1961: of the instructions that can
begin, the one with the longest way to the end is next.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .....isa import nisa, nl
from ....costs import Costs
from ....function import DtypeLoop, Emit, Table, Tile
from ...balance import target_costs
from ..alu import arithmetic
from ..registers import greatest, rarely, turns
from .instruction_graph import Graph, Step, Word

__all__ = ["Function", "one_of_two"]

_DIVIDED: Final = 256  # elements from which on a tile is computed in two parts
_LOOKED_AT: Final = 32  # of the instructions that can begin, those with the longest ways to the end
_OPCODES: Final = {"bits": "tensor_tensor", "join": "tensor_tensor", "arithmetic": "tensor_tensor", "native": "tensor_tensor",
                   "number": "tensor_scalar", "activation": "activation", "copy": "tensor_copy",
                   "patch": "tensor_copy_predicated", "constant": "memset", "fused": "scalar_tensor_tensor",
                   "gather": "nc_n_gather", "sum": "activation"}  # fmt: skip
_FLOAT: Final = frozenset({nl.add, nl.subtract, nl.multiply})
_OF_32_BITS: Final = frozenset({nl.uint32, nl.int32, nl.float32})
_SCARCE: Final = 1.5  # for how much the time of the Vector Engine counts where another one would do
_HALF: Final = 16  # bits
_V, _P, _A = "vector", "gpsimd", "scalar"


def one_of_two(emit: Emit, place: int) -> Emit:
    """Emit one of two words, the other one to a tile that nobody reads."""

    def run(dst: Tile, *operands: Tile) -> None:
        other = nl.ndarray(dst.shape, dst.dtype, buffer=nl.sbuf)
        emit(*((dst, other) if place == 0 else (other, dst)), *operands)

    return run


class _Job(NamedTuple):
    """An instruction of a schedule: its step, the part of the tile, and its engine."""

    step: int
    part: int
    engine: str


class _Compiled(NamedTuple):
    """
    What is left of a graph for some of its results.

    Attributes
    ----------
    steps : dict
        Steps that are needed, by their numbers; two bit operators with numbers are one step.
    memory : dict
        The step whose tile a step writes: another one's where that needs it no longer.
    results : tuple of int
        Steps that make results.
    rare : tuple of int
        Sums that say whether the results are wrong.
    """

    steps: dict[int, Step]
    memory: dict[int, int]
    results: tuple[int, ...]
    rare: tuple[int, ...]


class Function:
    """
    A function as an instruction graph.

    Parameters
    ----------
    build : callable
        ``build(graph, *operands)`` gives the word of each result.
    operands : sequence of str
        Dtypes.
    results : sequence of str
        Dtypes.
    tables : sequence of Table, optional
        What it looks up, whose tiles follow the operands.
    usual : callable, optional
        ``usual(graph, *operands)`` gives them by fewer instructions, and says of which operands it does not. Long tiles are computed so,
        from NeuronCore-v3 on; where one has others, a loop of the device turns once and computes all of it again.
    """

    def __init__(
        self,
        build: Callable[..., Sequence[Word]],
        operands: Sequence[str],
        results: Sequence[str],
        tables: Sequence[Table] = (),
        usual: Callable[..., Sequence[Word]] | None = None,
    ) -> None:
        self._build, self.operands, self.results, self.tables = build, tuple(operands), tuple(results), tuple(tables)
        self._usual = usual
        self._compiled: dict[tuple[Any, tuple[int, ...]], _Compiled] = {}
        self._orders: dict[Any, list[_Job]] = {}

    def emit(self, *wanted: int) -> Emit:
        """Give what emits some of the results."""

        def emit(*tiles: Tile) -> None:
            first = len(wanted) + len(self.operands)
            tables = dict(zip(self.tables, tiles[first:], strict=True))
            self._emit(wanted, tiles[: len(wanted)], tiles[len(wanted) : first], tables)

        return emit

    def loop(self, number: int = 0) -> DtypeLoop:
        """Declare one result."""
        return self.declared(number)

    def declared(self, *wanted: int) -> DtypeLoop:
        """Declare some results, computed at once."""
        return DtypeLoop(self.emit(*wanted), self.results[wanted[0]], late=self._usual is not None, tables=self.tables)

    def _emit(self, wanted: tuple[int, ...], destinations: Sequence[Tile], operands: Sequence[Tile], tables: Mapping[Table, Tile]) -> None:
        def again(_: Any) -> None:
            self._run(self._build, wanted, destinations, operands, tables)

        if self._usual is None or destinations[0].shape[1] < _DIVIDED or nisa.get_nc_version() < nisa.nc_version.gen3:
            again(None)
            return
        others = self._run(self._usual, wanted, destinations, operands, tables)
        rarely(turns(arithmetic(nl.greater, greatest(others), 0.0)), again, lambda: None)

    def _run(
        self,
        build: Callable[..., Sequence[Word]],
        wanted: tuple[int, ...],
        destinations: Sequence[Tile],
        operands: Sequence[Tile],
        tables: Mapping[Table, Tile],
    ) -> Tile:
        """Emit one way to compute; give what is positive where it is wrong."""
        if (build, wanted) not in self._compiled:
            self._compiled[build, wanted] = _compile(build, self.operands, wanted)
        compiled, width = self._compiled[build, wanted], destinations[0].shape[1]
        narrow = tuple(operand.shape[1] != width for operand in operands)
        spans = [(0, width)] if width < _DIVIDED else [(0, width // 2), (width // 2, width)]
        costs = target_costs()
        key = build, wanted, narrow, width, costs.target.name, costs.measured
        order = self._orders.get(key)
        if order is None:
            order = self._orders[key] = _schedule(compiled, narrow, [last - first for first, last in spans], costs)
        return _Emission(compiled, narrow, spans, destinations, operands, tables).run(order)


def _compile(build: Callable[..., Sequence[Word]], dtypes: Sequence[str], wanted: Sequence[int]) -> _Compiled:
    graph = Graph()
    words = build(graph, *(graph.operand(dtype) for dtype in dtypes))
    chosen = [words[number] for number in wanted]
    results = []
    for word in chosen:
        made = graph.steps[word.step]
        same = word.dtype == made.dtype or {word.dtype, made.dtype} <= _OF_32_BITS
        plain = word.half is None and same and made.kind not in ("operand", "constant") and word.step not in results
        results.append(word.step if plain else graph.step("copy", (word,), word.dtype).step)
    steps: dict[int, Step] = {}
    roots = [*results, *graph.rare]
    uses: dict[int, int] = dict.fromkeys(roots, 2)  # what is returned is not merged into another step
    for number in range(len(graph.steps) - 1, -1, -1):
        if number in uses or graph.steps[number].kind == "operand":
            steps[number] = graph.steps[number]
            for word in steps[number].inputs:
                uses[word.step] = uses.get(word.step, 0) + 1
    steps = dict(sorted(steps.items()))
    for number, step in [*steps.items()]:
        steps[number] = _merged(steps, step, uses)
    used = {word.step for step in steps.values() for word in step.inputs} | set(roots)
    steps = {number: step for number, step in steps.items() if number in used or step.kind == "operand"}
    memory = {number: number for number in steps}
    for number, step in [*steps.items()]:
        if step.kind != "patch":
            continue
        copied = step.inputs[0].step
        source = steps[copied].inputs[0]
        whole = source.half is None and steps[source.step].kind not in ("operand", "constant") and steps[source.step].dtype == step.dtype
        if whole and uses[source.step] == 1 and source.step not in results:  # nobody else reads what was copied
            del steps[copied]
            steps[number] = step._replace(inputs=(source, *step.inputs[1:]))
            copied = source.step
        memory[number] = memory[copied]
    return _Compiled(steps, memory, tuple(results), tuple(graph.rare))


def _merged(steps: dict[int, Step], step: Step, uses: dict[int, int]) -> Step:
    """Combine a bit operator with the one before it, which nothing else needs."""
    if step.kind != "bits" or len(step.inputs) != 1 or len(step.parameters) != 1:
        return step
    (word,) = step.inputs
    before = steps[word.step]
    if before.kind == "bits" and len(before.inputs) == 1 and len(before.parameters) == 1 and uses[word.step] == 1 and word.half is None:
        return step._replace(inputs=before.inputs, parameters=before.parameters + step.parameters)
    return step


def _engines(step: Step, wide: Sequence[bool]) -> tuple[str, ...]:
    """List the engines that can run an instruction on the present target."""
    later = nisa.get_nc_version() >= nisa.nc_version.gen3
    if step.kind in ("native", "gather"):
        return (_P,)
    if step.kind == "join":
        return (_V, _P) if all(wide) and later else (_V,)
    other = _other_unit(step) if later else None
    if other is not None:
        return (_V, other)
    if step.kind in ("activation", "sum"):
        return (_A,)
    if step.kind == "copy":
        return (_V, _P, _A) if later else (_V, _P)
    if step.kind == "constant":
        return (_V, _P)
    if step.kind == "arithmetic" and step.parameters[0] in _FLOAT and all(wide):
        real = step.dtype == nl.float32 or any(word.dtype == nl.float32 or word.half is not None for word in step.inputs)
        return (_V, _P) if real else (_V,)  # of integers of 32 bits alone GpSimd does not make float32
    if step.kind == "number" and later and _on_scalar_engine(step):
        return (_V, _A)
    return (_V,)


def _other_unit(step: Step) -> str | None:
    """
    Find an engine that does a single operator with a number by arithmetic, exactly.

    Shifts to the left are products modulo 2**32. Shifts of the upper 16 bits to the right are quotients, rounded down by rounding to
    nearest what is less by almost 1/2. Comparisons of integers are signs, of which a byte holds no negative ones. The smaller of two
    integers is the limit less what is missing to it.
    """
    if step.kind not in ("bits", "number") or len(step.inputs) != 1 or len(step.parameters) != 1:
        return None
    (word,), ((op, value),) = step.inputs, step.parameters
    if step.kind == "bits" and word.half is None and word.dtype == step.dtype == nl.uint32:
        return _P if op is nl.left_shift else _A if op is nl.right_shift and value >= _HALF else None
    if step.kind == "number" and step.dtype == nl.uint8:
        if word.dtype == nl.float32:  # which NaN may be in
            return None
        return _A if (op is nl.greater_equal and word.half is not None) or (op in (nl.less, nl.greater) and value == 0) else None
    return _A if step.kind == "number" and step.dtype == nl.uint32 and op is nl.minimum else None


def _on_scalar_engine(step: Step) -> bool:
    names = tuple(op.__name__ for op, _ in step.parameters)
    return names in (("multiply",), ("add",), ("multiply", "add"))


def _opcode(step: Step, wide: Sequence[bool], engine: str) -> str:
    if step.kind == "bits" and engine != _V:
        return "tensor_tensor" if engine == _P else "activation"
    if step.kind in ("bits", "join", "arithmetic") and sum(wide) < 2:
        return "tensor_scalar"
    if step.kind == "number" and engine == _A and _other_unit(step) == _A:
        return "activation"
    return _OPCODES[step.kind]


def _instructions(step: Step, engine: str) -> int:
    return 2 if engine == _A and step.kind == "number" and step.parameters[0][0] is nl.minimum else 1


def _wide(compiled: _Compiled, narrow: Sequence[bool]) -> dict[int, bool]:
    """Find the steps that have a result for each element, and not one for each partition."""
    given = iter(narrow)
    found: dict[int, bool] = {}
    for number, step in compiled.steps.items():
        found[number] = not next(given) if step.kind == "operand" else any(found[word.step] for word in step.inputs)
    widened = {compiled.memory[number] for number in found if found[number]}
    return {number: found[number] or compiled.memory[number] in widened for number in found}


def _schedule(compiled: _Compiled, narrow: Sequence[bool], widths: Sequence[int], costs: Costs) -> list[_Job]:
    """Order instructions, and choose their engines."""
    wide, steps = _wide(compiled, narrow), compiled.steps
    made = [number for number, step in steps.items() if step.kind != "operand"]
    jobs = [(number, part) for part in range(len(widths)) for number in made if wide[number] or not part]

    def origin(word: Word, part: int) -> tuple[int, int]:
        return word.step, part if wide[word.step] else 0

    before: dict[tuple[int, int], list[tuple[int, int]]] = {}
    after: dict[tuple[int, int], list[tuple[int, int]]] = {job: [] for job in jobs}
    for job in jobs:
        number, part = job
        needed = {origin(word, part) for word in steps[number].inputs if steps[word.step].kind != "operand"}
        before[job] = [*needed]
        for item in needed:
            after[item].append(job)
    times: dict[tuple[int, int], dict[str, float]] = {}
    for job in jobs:
        number, part = job
        step = steps[number]
        flags = [wide[word.step] for word in step.inputs]
        elements = widths[part] if wide[number] else 1
        times[job] = {
            engine: _instructions(step, engine) * costs.instruction(_opcode(step, flags, engine), elements, engine)
            for engine in _engines(step, flags)
        }
    length: dict[tuple[int, int], float] = {}
    for job in reversed(jobs):
        length[job] = min(times[job].values()) + max((length[item] for item in after[job]), default=0.0)
    free = dict.fromkeys((_V, _P, _A), 0.0)
    waiting = {job: len(before[job]) for job in jobs}
    known = dict.fromkeys(jobs, 0.0)  # when the last operand is there

    def urgency(job: tuple[int, int]) -> float:
        return -length[job]

    ready = sorted((job for job in jobs if not waiting[job]), key=urgency)
    order = []
    while ready:
        best: tuple[float, float, int] | None = None
        for place, job in enumerate(ready[:_LOOKED_AT]):
            engines = times[job]
            least = min(engines.values()) if len(engines) > 1 else None
            for engine, time in engines.items():
                begins = max(known[job], free[engine])
                # of several engines, the one on which it ends first; others have more time to spare than the Vector Engine
                key = begins if least is None else begins + (_SCARCE if engine == _V else 1.0) * time - least, -length[job], place
                if best is None or key < best:
                    best, chosen, on, done = key, job, engine, begins + time
        ready.remove(chosen)
        free[on] = done
        order.append(_Job(*chosen, on))
        for item in after[chosen]:
            waiting[item] -= 1
            known[item] = max(known[item], done)
            if not waiting[item]:
                insort(ready, item, key=urgency)
    return order


class _Emission:
    """Instructions of a schedule, on tiles."""

    def __init__(
        self,
        compiled: _Compiled,
        narrow: Sequence[bool],
        spans: Sequence[tuple[int, int]],
        destinations: Sequence[Tile],
        operands: Sequence[Tile],
        tables: Mapping[Table, Tile],
    ) -> None:
        self.tables = tables
        self.steps, self.memory, self.results, rare = compiled
        self.wide, self.spans = _wide(compiled, narrow), spans
        self.tiles: dict[tuple[int, int], Tile] = {}
        self.columns: dict[tuple[str, float], Tile] = {}
        self.rows = destinations[0].shape[0]
        jobs = ((number, part) for number in rare for part in range(len(spans) if self.wide[number] else 1))
        self.places = {job: place for place, job in enumerate(jobs)}
        self.sums = nl.ndarray((self.rows, len(self.places)), nl.float32, buffer=nl.sbuf) if rare else None
        given = iter(operands)
        self.copies: list[tuple[Tile, int]] = []
        self.targets: dict[tuple[int, int], Tile] = {}
        for number, step in self.steps.items():
            if step.kind == "operand":
                operand = next(given)
                for part, (first, last) in enumerate(spans):
                    self.tiles[number, part] = operand[:, first:last] if self.wide[number] else operand
        for number, dst in zip(self.results, destinations, strict=True):
            if self.wide[number]:
                for part, (first, last) in enumerate(spans):
                    target = dst[:, first:last]
                    dtype = self.steps[number].dtype
                    self.targets[self.memory[number], part] = target if target.dtype == dtype else target.view(dtype)
            else:
                self.copies.append((dst, number))

    def run(self, order: Sequence[_Job]) -> Tile:
        """Emit all; give the sum of what says that results are wrong."""
        for job in order:
            self.issue(job)
        for dst, number in self.copies:
            nisa.tensor_copy(dst, self.tiles[number, 0].broadcast(1, dst.shape[1]))
        if self.sums is None:
            return None
        total = nl.ndarray((self.rows, 1), nl.float32, buffer=nl.sbuf)
        nisa.tensor_reduce(total, nl.add, self.sums, axis=1)
        return total

    def read(self, word: Word, part: int, width: int) -> Tile:
        """Look at an operand of an instruction."""
        tile = self.tiles[self.memory[word.step], part if self.wide[word.step] else 0]
        if word.half is not None:
            tile = tile.view(word.dtype)[:, word.half :: 2]
        elif tile.dtype != word.dtype:
            tile = tile.view(word.dtype)
        return tile if tile.shape[1] == width else tile.broadcast(1, width)

    def issue(self, job: _Job) -> None:
        """Emit one instruction."""
        step = self.steps[job.step]
        part = job.part if self.wide[job.step] else 0
        first, last = self.spans[part]
        width = last - first if self.wide[job.step] else 1
        if step.kind == "sum":
            self.add_up(self.places[job.step, part], self.read(step.inputs[0], part, width), *step.parameters)
            return
        own = self.memory[job.step], part
        if own not in self.tiles:
            dtype = self.steps[job.step].dtype
            self.tiles[own] = self.targets.get(own) if own in self.targets else nl.ndarray((self.rows, width), dtype, buffer=nl.sbuf)
        dst, engine = self.tiles[own], getattr(nisa.engine, job.engine)
        if step.kind == "patch":
            number, reverse = step.parameters
            source = number if number is not None else self.read(step.inputs[2], part, width)
            nisa.tensor_copy_predicated(dst, source, self.read(step.inputs[1], part, width), reverse_pred=reverse)
            return
        if step.kind == "constant":
            nisa.memset(dst, step.parameters[0], engine=engine)
            return
        words = [self.read(word, part, width) for word in step.inputs]
        if step.kind in ("bits", "number") and job.engine != _V and _other_unit(step) == job.engine:
            self.replace(dst, step, words[0], part)
        elif step.kind == "copy":
            nisa.tensor_copy(dst, words[0], engine=engine)
        elif step.kind == "gather":
            table, column = step.parameters
            values = self.tables[table][: self.rows, column * table.rows : (column + 1) * table.rows]
            nisa.nc_n_gather(dst, values if values.dtype == dst.dtype else values.view(dst.dtype), words[0])
        elif step.kind == "fused":
            op0, factor, op1 = step.parameters
            nisa.scalar_tensor_tensor(dst, words[0], op0, factor, op1, words[1])
        elif step.kind == "activation":
            self.activate(dst, words[0], *step.parameters)
        elif step.kind == "native" or (step.kind == "join" and job.engine == _P):
            nisa.tensor_tensor(dst, *words, step.parameters[0] if step.kind == "native" else nl.add, engine=engine)
        elif step.kind == "number" or len(words) == 1:
            (op, value), *more = step.parameters
            second = {"op1": more[0][0], "operand1": more[0][1]} if more else {}
            nisa.tensor_scalar(dst, words[0], op, value, engine=engine, **second)
        else:
            self.combine(dst, step, words, part, engine)

    def replace(self, dst: Tile, step: Step, data: Tile, part: int) -> None:
        """Emit an operator with a number on another engine than the Vector Engine; see `_other_unit`."""
        op, value = step.parameters[0]
        if op is nl.minimum:
            less = nl.ndarray(dst.shape, nl.float32, buffer=nl.sbuf)
            self.activate(less, data, nl.relu, -1.0, value)
            self.activate(dst, less, nl.copy, -1.0, value)
        elif step.kind == "number":
            self.activate(dst, data, nl.sign, -1.0 if op is nl.less else 1.0, 0.5 - value if op is nl.greater_equal else 0.0)
        elif op is nl.left_shift:
            factor = self.column(nl.uint32, 1 << value).broadcast(1, data.shape[1])
            nisa.tensor_tensor(dst, data, factor, nl.multiply, engine=nisa.engine.gpsimd)
        else:
            quotient = 2.0 ** (_HALF - value)
            self.activate(dst, self.read(step.inputs[0].high, part, data.shape[1]), nl.copy, quotient, quotient / 2 - 0.5)

    def column(self, dtype: str, value: float) -> Tile:
        """Make a number for each partition, once."""
        if (dtype, value) not in self.columns:
            self.columns[dtype, value] = nl.ndarray((self.rows, 1), dtype, buffer=nl.sbuf)
            nisa.memset(self.columns[dtype, value], value)
        return self.columns[dtype, value]

    def combine(self, dst: Tile, step: Step, words: list[Tile], part: int, engine: Any) -> None:
        """Emit an operator of two words; one of which may be a number for each partition."""
        op = step.parameters[0] if step.kind == "arithmetic" else step.parameters[0][0]
        wide = [self.wide[word.step] for word in step.inputs]
        for side in (1, 0):
            narrow = self.read(step.inputs[side], part, 1) if not wide[side] else None
            if narrow is None or not wide[1 - side] or (step.kind == "arithmetic" and narrow.dtype != nl.float32):
                continue
            if step.kind in ("bits", "join") and side == 0:
                continue
            nisa.tensor_scalar(dst, words[1 - side], op, narrow, reverse0=side == 0, engine=nisa.engine.vector)
            return
        nisa.tensor_tensor(dst, *words, op, engine=engine)

    def add_up(self, place: int, data: Tile, function: Any, scale: float, bias: float) -> None:
        """Sum what the Scalar Engine gives."""
        assert self.sums is not None
        terms, column = nl.ndarray(data.shape, nl.bfloat16, buffer=nl.sbuf), self.sums[:, place : place + 1]
        nisa.activation(terms, function, data, bias, scale, reduce_op=nl.add, reduce_res=column, reduce_cmd=nisa.reduce_cmd.reset_reduce)

    def activate(self, dst: Tile, data: Tile, function: Any, scale: float, bias: float) -> None:
        """Emit a function of the Scalar Engine, whose constant bias is a tile on NeuronCore-v2."""
        if not bias:
            nisa.activation(dst, function, data, scale=scale)
        elif nisa.get_nc_version() >= nisa.nc_version.gen3:
            nisa.activation(dst, function, data, bias=bias, scale=scale)
        else:
            nisa.activation(dst, function, data, bias=self.column(nl.float32, bias), scale=scale)
