"""The machine in time: when engines, ports, banks, DMA engines and HBM are free, and what an operation makes of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import MemoryRegion
from .hardware import DMA_ENGINES
from .operation import Operation
from .profile import QUEUES
from .rates import Rates

__all__ = ["Machine"]

_LATENCIES: Final = ("tensor_latency", "vector_latency", "scalar_latency", "gpsimd_latency")
_OVERHEADS: Final = ("", "vector_overhead", "scalar_overhead", "gpsimd_overhead")
_CELLS: Final = 4  # the Tensor Engine's array is divided into 4 x 4 tiles of 32 x 32


class _Resource:
    """Something that one operation uses at a time."""

    __slots__ = ("free", "last")

    def __init__(self) -> None:
        self.free = 0.0
        self.last: Operation | None = None


class Machine:
    """
    One core in time.

    Parameters
    ----------
    rates : Rates
        Figures of the target.
    bank : callable
        Takes a view in PSUM; returns the numbers of its banks.

    Attributes
    ----------
    busy : list of float
        By queue; ns.
    dma_busy : list of float
        By DMA engine; ns.
    hbm_read, hbm_written, moved : float
        Bytes; the last of all DMA.
    flop : list of float
        By queue.
    product_time : float
        What the Tensor Engine's arithmetic takes at least; ns.
    """

    def __init__(self, rates: Rates, bank: Callable[[NkiTensor], tuple[int, ...]]) -> None:
        self.rates, self._bank = rates, bank
        self.queues = [_Resource() for _ in QUEUES]
        self.engines = [_Resource() for _ in range(DMA_ENGINES)]
        self.hbm, self.port = _Resource(), _Resource()
        self.banks = [_Resource() for _ in range(8)]
        self.generators = {2: _Resource(), 4: _Resource()}
        self.issue = _Resource()
        self.cells: list[_Resource] | None = None  # once a matmul uses part of the array
        self.weights = _Resource()
        self.weights_from = 0.0
        self.busy, self.dma_busy, self.flop = [0.0] * len(QUEUES), [0.0] * DMA_ENGINES, [0.0] * len(QUEUES)
        self.hbm_read = self.hbm_written = self.moved = self.product_time = 0.0
        self.instructions = 0

    def resources(self) -> list[_Resource]:
        """Everything that has a time."""
        generators = list(self.generators.values())
        return [*self.queues, *self.engines, self.hbm, self.port, *self.banks, *generators, self.issue, self.weights, *(self.cells or ())]

    def earliest(self, op: Operation) -> float:
        """Find out when an operation could begin."""
        start, cause, why = op.ready, op.cause, op.why
        queue = self.queues[op.queue]
        if queue.free >= start:
            start, cause, why = queue.free, queue.last, "queue"
        profile = op.profile
        if profile.shared_port and self.port.free > start:
            start, cause, why = self.port.free, self.port.last, "port"
        for view in profile.psum:
            for number in self._banks(view):
                if self.banks[number].free > start:
                    start, cause, why = self.banks[number].free, self.banks[number].last, "bank"
        if profile.row.kind == "tensor" and (profile.tile or self.cells):
            for cell in self._tile(profile.tile):
                if cell.free > start:
                    start, cause, why = cell.free, cell.last, "queue"
        op.start, op.cause, op.why = start, cause, why
        return start

    def _banks(self, view: NkiTensor) -> tuple[int, ...]:
        """On NeuronCore-v2 Vector and Scalar Engine do not access PSUM together at all."""
        return tuple(range(8)) if self.rates.target.generation == 2 else self._bank(view)

    def _tile(self, tile: tuple[int, ...]) -> list[_Resource]:
        if self.cells is None:
            self.cells = [_Resource() for _ in range(_CELLS * _CELLS)]
            for cell in self.cells:
                cell.free, cell.last = self.queues[0].free, self.queues[0].last
        if not tile:
            return self.cells
        row, rows, column, columns = tile
        return [self.cells[_CELLS * r + c] for r in range(row, row + rows) for c in range(column, column + columns)]

    def place(self, op: Operation) -> None:
        """Let an operation begin."""
        kind, op.since = op.profile.row.kind, op.start
        if kind == "compute":
            self._compute(op)
        elif kind == "tensor":
            self._product(op)
        elif kind == "dma":
            self._transfer(op)
        else:
            self._sequence(op)
        queue = self.queues[op.queue]
        queue.free, queue.last = op.free, op
        self.busy[op.queue] += op.free - op.start
        self.flop[op.queue] += op.profile.flop
        self.instructions += 1

    def _addressing(self, op: Operation) -> tuple[float, float]:
        """Cycles at least, and cycles more, for an address that is known at run time only."""
        address = op.profile.address
        return (self.rates["dynamic_address"] if address == "tensor" else 0.0), (self.rates["register_address"] if address else 0.0)

    def _compute(self, op: Operation) -> None:
        profile, rates = op.profile, self.rates
        stream, stream_guessed, extra, extra_guessed = rates.row(profile.row)
        cycle, name = 1 / rates.clock[op.queue], _LATENCIES[op.queue]
        streaming = stream * profile.elements * (rates["stride"] if profile.wide else 1.0)
        least, more = self._addressing(op) if profile.address else (0.0, 0.0)
        occupied = max(streaming, profile.row.least, least) + extra + more + rates[_OVERHEADS[op.queue]]
        op.free = op.start + occupied * cycle
        op.complete = max(op.free, op.start + (max(streaming, least) + extra + more + rates[name]) * cycle)
        op.guess_free = (occupied if stream_guessed else extra * extra_guessed + more) * cycle
        op.guess_complete = op.guess_free + rates.guessed(name) * rates[name] * cycle
        if profile.shared_port:
            self.port.free, self.port.last = op.free, op
        for view in profile.psum:
            for number in self._banks(view):
                self.banks[number].free, self.banks[number].last = op.free, op

    def _product(self, op: Operation) -> None:
        """Weights are loaded while the multiplication before goes on, one set ahead."""
        profile, rates = op.profile, self.rates
        stream, _, _, _ = rates.row(profile.row)
        cycle, wide = 1 / rates.clock[0], rates["stride"] if profile.wide else 1.0
        load = rates["weights"] * profile.weights * (rates["weights_float32"] if profile.passes > 1 else 1.0) * cycle
        ready = max(op.ready, self.weights_from, self.weights.free)
        self.weights.free, self.weights.last = ready + load, op
        begin = max(op.start, self.weights.free)
        self.weights_from = begin
        least, more = self._addressing(op) if profile.address else (0.0, 0.0)
        streaming = stream * profile.elements * wide
        op.free = begin + (max(streaming, profile.row.least, least) + more) * cycle
        op.complete = begin + (max(streaming, least) + more + rates["tensor_latency"]) * cycle
        op.guess_free = more * cycle
        op.guess_complete = (more + rates["tensor_latency"] * rates.guessed("tensor_latency")) * cycle
        self.product_time += profile.flop * profile.passes / (profile.row.flop * 128 * 128) * cycle if profile.flop else 0.0
        if profile.tile or self.cells:
            for cell in self._tile(profile.tile):
                cell.free, cell.last = op.free, op
        if profile.tile:
            op.free = min(op.free, begin + rates["tile_issue"] * cycle)

    def _transfer(self, op: Operation) -> None:
        traffic, rates = op.profile.traffic, self.rates
        assert traffic is not None
        issued = self._issue(op)
        start = issued + rates["dma_start"]
        op.guess_complete += rates["dma_finish"] * rates.guessed("dma_finish")
        piece = rates["dma_descriptor"] + traffic.piece_bytes / rates["dma_rate"]
        for name in traffic.factors:
            piece *= rates[name]
        each, end, binding = piece * traffic.pieces * traffic.multiple, 0.0, None
        op.moving = each * max(rows for _, rows in traffic.shares)
        if rates.guessed("dma_descriptor") or any(rates.guessed(name) for name in traffic.factors):
            op.guess_moving = op.moving
            op.guess_complete += op.moving
        row_bytes = traffic.pieces * traffic.piece_bytes * traffic.multiple
        for number, rows in traffic.shares:
            engine, work = self.engines[number], each * rows
            self.moved += row_bytes * rows
            self.dma_busy[number] += work
            begin = engine.free if engine.free > start else start
            if begin + work > end:
                end, binding = begin + work, (engine.last, begin) if engine.free > start else None
            engine.free, engine.last = begin + work, op
        why = "DMA engine"
        through_hbm = traffic.hbm_read + traffic.hbm_written
        if through_hbm:
            begin = max(self.hbm.free, start)
            finished = begin + through_hbm / rates["hbm_rate"]
            op.moving = max(op.moving, finished - begin)
            if finished > end:
                end, binding, why = finished, (self.hbm.last, begin) if self.hbm.free > start else None, "HBM"
            self.hbm.free, self.hbm.last = finished, op
            self.hbm_read += traffic.hbm_read
            self.hbm_written += traffic.hbm_written
        op.complete = end + rates["dma_finish"]
        if binding is not None and binding[0] is not None:
            op.cause, op.since, op.why = *binding, why

    def _issue(self, op: Operation) -> float:
        """Make a DMA's descriptors, or start those that exist: one DMA after the other, loads and stores alike."""
        traffic, rates = op.profile.traffic, self.rates
        assert traffic is not None
        if traffic.trigger == "software":
            names, cost, issuer = ("swdge",), rates["swdge"] + rates["swdge_descriptor"] * traffic.descriptors, self.queues[op.queue]
        elif traffic.trigger == "ring":
            names, cost, issuer = ("dma_trigger",), rates["dma_trigger"], self.issue
        else:
            names, cost = ("dge",), rates["dge"] + rates["dge_descriptor"] * traffic.descriptors
            issuer = self.generators[op.queue] if traffic.trigger == "hardware" else self.issue
        begin = max(op.start, issuer.free)
        if begin > op.start:
            op.cause, op.since, op.why = issuer.last, begin, "queue"
        op.free = issuer.free = begin + cost
        issuer.last = op
        if traffic.trigger == "hardware":  # its generator makes them while the engine goes on
            op.free = op.start + rates["dma_trigger"]
        op.guess_free = op.guess_complete = cost * any(rates.guessed(name) for name in names)
        return begin + cost

    def _sequence(self, op: Operation) -> None:
        rates, name = self.rates, op.profile.row.figure
        views = (*op.instruction.reads, *op.instruction.writes)
        if name == "register_sbuf" and any(view.buffer not in (MemoryRegion.sbuf, MemoryRegion.psum) for view in views):
            name = "register_hbm"
        op.free = op.complete = op.start + rates[name]
        op.guess_free = op.guess_complete = rates[name] * rates.guessed(name)

    def meet(self, op: Operation, at: float) -> None:
        """Let an operation happen at which cores or chips meet."""
        rates, name = self.rates, op.profile.row.figure
        moved = sum(view.size * view._bytes.dtype.itemsize for view in op.instruction.writes)
        rate = rates["collective_rate"] if name == "collective" else DMA_ENGINES * rates["dma_rate"]
        if at > op.start:
            op.why = "core"
        op.start = op.since = at
        op.free = op.complete = at + rates[name] + moved / rate
        op.guess_free = op.guess_complete = rates[name] * rates.guessed(name) + (moved / rate if name == "collective" else 0.0)
        queue = self.queues[op.queue]
        queue.free, queue.last = op.free, op
        self.busy[op.queue] += op.free - op.start
        self.instructions += 1
