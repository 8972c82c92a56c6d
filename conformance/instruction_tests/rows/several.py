"""Rows of instructions at which cores of a logical core, or ranks, meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ....backends.simulator import collectives as ncc
from ....backends.simulator import isa, language
from ..arithmetic import summed
from ..bench import Bench
from ..experiment import Near, Trial, ordinary, raw_bits
from ..formats import INTEGERS, decode
from ..launch import Launch
from ..row import Row, every

__all__ = ["ROWS"]


def _tile(source: Any) -> Any:
    tile = language.ndarray(source.shape, source.dtype)
    isa.dma_copy(tile, source)
    return tile


def _output(shape: tuple[int, ...], dtype: str) -> Any:
    return language.ndarray(shape, dtype, language.shared_hbm)


def _values(dtype: str, *shapes: tuple[int, ...], bits: bool = False) -> Callable[[np.random.Generator], list[Any]]:
    return lambda rng: [(raw_bits if bits else ordinary)(rng, shape, dtype, None).copy() for shape in shapes]


def _barrier(bench: Bench) -> Trial:
    """Each core writes its half of a shared tensor, then reads the other's."""
    dtype, half, width = bench.variant, bench.integer(1, 64), bench.integer(1, 8)
    engine = bench.choose(isa.gpsimd_engine, isa.vector_engine, isa.scalar_engine, isa.tensor_engine, isa.engine.sync)
    shape = (2 * half, width)

    def kernel(x: Any) -> Any:
        core, shared, out = language.program_id(0), _output(shape, dtype), _output(shape, dtype)
        mine, other = (slice(c * half, (c + 1) * half) for c in (core, 1 - core))
        isa.dma_copy(shared[mine], _tile(x[mine]))
        isa.core_barrier(shared, (0, 1), engine=engine)
        isa.dma_copy(out[mine], _tile(shared[other]))
        return out

    def reference(data: Any) -> Any:
        return [[np.concatenate([x[half:], x[:half]])] for (x,) in data]

    return Launch(kernel, _values(dtype, shape, bits=True), reference, (dtype,), lnc=2, notes=engine.name)


def _sendrecv(bench: Bench) -> Trial:
    dtype, partitions, width = bench.variant, bench.partitions(), bench.integer(1, 8)
    in_place, by = bool(bench.integer(0, 1)), bench.choose(isa.dma_engine.dma, isa.dma_engine.gpsimd_dma)
    itself = bench.integer(0, 3) == 3  # each core to itself

    def kernel(x: Any) -> Any:
        core, out = language.program_id(0), _output((2, partitions, width), dtype)
        sent = _tile(x[core])
        received = sent if in_place else language.ndarray(sent.shape, dtype)
        peer = core if itself else 1 - core
        isa.sendrecv(sent, received, peer, peer, pipe_id=0, dma_engine=by)
        isa.dma_copy(out[core], received)
        return out

    def reference(data: Any) -> Any:
        return [[x if itself else x[::-1]] for (x,) in data]

    fill = _values(dtype, (2, partitions, width), bits=True)
    return Launch(kernel, fill, reference, (dtype,), lnc=2, notes=f"in place: {in_place}, {by.name}, to itself: {itself}")


def _groups(bench: Bench) -> tuple[Any, list[list[int]]]:
    """Draw groups of 2, 3 or 4 ranks, in any order."""
    size, count = bench.choose((2, 1), (4, 1), (2, 2), (3, 1), (1, 2))
    ranks = np.random.default_rng(bench.integer(0, 100)).permutation(size * count).tolist()
    groups = [ranks[g * size : (g + 1) * size] for g in range(count)]
    return ncc.ReplicaGroup(groups), groups


def _of(groups: list[list[int]], rank: int) -> list[int]:
    return next(group for group in groups if rank in group)


def _between(collective: Callable[[Any, Any], object], shape: tuple[int, ...], dtype: str, on_chip: bool) -> Callable[[Any], Any]:
    """Make a kernel with a collective from its argument to its result, through HBM or SBUF."""

    def kernel(x: Any) -> Any:
        out = _output(shape, dtype)
        if on_chip:
            source, result = _tile(x), language.ndarray(shape, dtype)
            collective([source], [result])
            isa.dma_copy(out, result)
        else:
            collective([x], [out])
        return out

    return kernel


def _combined(op: str, dtype: str, parts: list[Any]) -> Any:
    """Exact for maxima, minima and integers, which wrap; sums of floats in any order."""
    if dtype in INTEGERS:
        reduce: Any = {"add": sum, "maximum": np.maximum.reduce, "minimum": np.minimum.reduce}[op]
        exact = reduce([p.astype(object) for p in parts])
        bits = 8 * parts[0].dtype.itemsize
        return (np.asarray(exact, object) & ((1 << bits) - 1)).astype(np.uint64).astype(f"u{bits // 8}").view(parts[0].dtype)
    values = np.stack([decode(p, dtype) for p in parts])
    return summed(values, axis=0) if op == "add" else Near((np.max if op == "maximum" else np.min)(values, axis=0))


def _collective(bench: Bench, kind: str) -> Trial:
    dtype, (group, groups) = bench.variant, _groups(bench)
    size, ranks = len(groups[0]), sum(map(len, groups))
    rows, width = size * bench.integer(1, 4), bench.integer(1, 6)
    op = bench.choose("add", "maximum", "minimum")
    on_chip, dim = bool(bench.integer(0, 1)) and kind != "all_to_all", 0
    if kind == "all_gather" and on_chip:
        dim = bench.integer(0, 1)
    shape = {
        "all_reduce": (rows, width),
        "reduce_scatter": (rows // size, width),
        "all_gather": (rows * size, width) if dim == 0 else (rows, width * size),
        "all_to_all": (rows, width),
    }[kind]
    operator = getattr(language, op)
    calls: dict[str, Callable[[Any, Any], object]] = {
        "all_reduce": lambda s, d: ncc.all_reduce(s, d, group, operator),
        "reduce_scatter": lambda s, d: ncc.reduce_scatter(s, d, group, 0, operator),
        "all_gather": lambda s, d: ncc.all_gather(s, d, group, dim),
        "all_to_all": lambda s, d: ncc.all_to_all(s, d, group, 0),
    }

    def reference(data: Any) -> Any:
        outputs = []
        for rank in range(ranks):
            members = _of(groups, rank)
            parts, place = [data[m][0] for m in members], members.index(rank)
            piece = slice(place * rows // size, (place + 1) * rows // size)
            if kind == "all_gather":
                want: Any = np.concatenate(parts, axis=dim)
            elif kind == "all_to_all":
                want = np.concatenate([part[piece] for part in parts])
            else:
                want = _combined(op, dtype, [part[piece] if kind == "reduce_scatter" else part for part in parts])
            outputs.append([want])
        return outputs

    fill = _values(dtype, (rows, width), bits="gather" in kind or kind == "all_to_all" or dtype in INTEGERS)
    notes = f"{groups}, {op}, in SBUF: {on_chip}, axis {dim}"
    return Launch(_between(calls[kind], shape, dtype, on_chip), fill, reference, (dtype,), ranks=ranks, notes=notes)


def _permute(bench: Bench) -> Trial:
    dtype, ranks, shape = bench.variant, bench.integer(1, 4), (bench.integer(1, 8), bench.integer(1, 6))
    to = np.random.default_rng(bench.integer(0, 100)).permutation(ranks).tolist()

    def reference(data: Any) -> Any:
        return [[data[to.index(rank)][0]] for rank in range(ranks)]

    kernel = _between(lambda s, d: ncc.collective_permute(s, d, list(enumerate(to))), shape, dtype, False)
    return Launch(kernel, _values(dtype, shape, bits=True), reference, (dtype,), ranks=ranks, notes=f"to {to}")


def _ring(bench: Bench) -> Trial:
    """All-gather by steps round a ring: each chunk is put where the rank says that it is from."""
    dtype, ranks, shape = bench.variant, bench.integer(2, 4), (bench.integer(1, 8), bench.integer(1, 6))
    order = np.random.default_rng(bench.integer(0, 100)).permutation(ranks).tolist()
    group = ncc.ReplicaGroup([order])

    def kernel(x: Any) -> Any:
        out = _output((ranks, *shape), dtype)
        chunks = [[x], [language.ndarray(shape, dtype, language.private_hbm)]]
        for step in range(ranks):
            owner = ncc.collective_permute_implicit_current_processing_rank_id(step, group)
            isa.dma_copy(out[owner], chunks[step % 2][0])
            ncc.collective_permute_implicit([chunks[step % 2]], [chunks[1 - step % 2]], group)
        return out

    def reference(data: Any) -> Any:
        return [[np.stack([arrays[0] for arrays in data])] for _ in range(ranks)]

    return Launch(kernel, _values(dtype, shape, bits=True), reference, (dtype,), ranks=ranks, notes=f"ring {order}")


def _ring_reduce(bench: Bench) -> Trial:
    """One step: what the rank before sends is its own two operands combined."""
    dtype, ranks, shape = bench.variant, bench.integer(2, 4), (bench.integer(1, 8), bench.integer(1, 6))
    order = np.random.default_rng(bench.integer(0, 100)).permutation(ranks).tolist()
    op = bench.choose("add", "maximum", "minimum")

    def kernel(x: Any, y: Any) -> Any:
        out = _output(shape, dtype)
        ncc.collective_permute_implicit_reduce([[x]], [[y]], [[out]], ncc.ReplicaGroup([order]), getattr(language, op))
        return out

    def reference(data: Any) -> Any:
        before = {rank: order[order.index(rank) - 1] for rank in order}
        return [[_combined(op, dtype, data[before[rank]])] for rank in range(ranks)]

    return Launch(kernel, _values(dtype, shape, shape), reference, (dtype,), ranks=ranks, notes=f"ring {order}, {op}")


def _variable(bench: Bench, each: bool) -> Trial:
    """Chunks of sizes that a table in memory gives, one table for each rank."""
    dtype, ranks, room = bench.variant, bench.integer(1, 4), bench.integer(1, 5)
    known, placed, on_chip = (bool(bench.integer(0, 1)) for _ in range(3))
    placed = placed and bench.target.generation > 3
    group, length = ncc.ReplicaGroup([list(range(ranks))]), room + 7
    call = ncc.all_to_all_v if each else ncc.all_gather_v

    def fill(rng: np.random.Generator) -> list[Any]:
        counts, first = rng.integers(0, room + 1, ranks), rng.integers(0, 8, ranks)
        places = np.arange(ranks)[::-1] * room
        table = np.stack([counts, first, np.full(ranks, 99), places][: 3 + placed]).astype(np.uint32)
        return [raw_bits(rng, (length,), dtype).copy(), table]

    def kernel(x: Any, table: Any) -> Any:
        out, tile = _output((ranks * room,), dtype), language.ndarray((1, ranks * room), dtype)
        isa.memset(tile, 3)
        isa.dma_copy(out, tile)
        meta = _tile(table.reshape((1, *table.shape))) if on_chip else table
        call([x], [out], group, meta, recv_counts_known=known, has_rdispls=placed)
        counts = _output(table.shape, "uint32")
        isa.dma_copy(counts, meta)
        return out, counts

    def reference(data: Any) -> Any:
        outputs = []
        for rank in range(ranks):
            want, table = np.full(ranks * room, 3, data[0][0].dtype), data[rank][1].copy()
            for source, (x, of) in enumerate(data):
                column = rank if each else 0
                count, first = int(of[0, column]), int(of[1, column])
                begin = int(data[rank][1][3, source]) if placed else room * source
                want[begin : begin + count] = x[first : first + count]
                if not known:
                    table[2, source] = count
            outputs.append([want, table])
        return outputs

    notes = f"counts known: {known}, places given: {placed}, table in SBUF: {on_chip}"
    return Launch(kernel, fill, reference, (dtype, "uint32"), ranks=ranks, notes=notes)


def _rank(bench: Bench) -> Trial:
    ranks, factor = bench.integer(1, 4), bench.integer(-100, 100)

    def kernel(x: Any) -> Any:
        del x
        out = _output((1, 1), "int32")
        isa.scalar_store(out, ncc.rank_id() * factor + 1)
        return out

    def reference(_: Any) -> Any:
        return [[np.array([[rank * factor + 1]], np.int32)] for rank in range(ranks)]

    return Launch(kernel, _values("int32", (1, 1)), reference, ("int32",), ranks=ranks)


_BITS: Final = every("float32", "bfloat16", "int32", "uint8")
ROWS: Final = (
    Row("core_barrier", _barrier, _BITS, since=3),
    Row("sendrecv", _sendrecv, _BITS, since=3),
    Row("all_reduce", lambda bench: _collective(bench, "all_reduce"), _BITS),
    Row("reduce_scatter", lambda bench: _collective(bench, "reduce_scatter"), _BITS),
    Row("all_gather", lambda bench: _collective(bench, "all_gather"), _BITS),
    Row("all_to_all", lambda bench: _collective(bench, "all_to_all"), _BITS),
    Row("collective_permute", _permute, _BITS),
    Row(
        "collective_permute_implicit",
        _ring,
        _BITS,
        also=("collective_permute_implicit_current_processing_rank_id",),
    ),
    Row("collective_permute_implicit_reduce", _ring_reduce, _BITS),
    Row("all_gather_v", lambda bench: _variable(bench, False), every("float32", "int32")),
    Row("all_to_all_v", lambda bench: _variable(bench, True), every("float32", "int32")),
    Row("rank_id", _rank, every("int32")),
)
