"""Race patterns: programs whose accesses nothing orders, each with the same program in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from ...backends.simulator import RaceError, isa, jit, language, options

__all__ = ["PATTERNS", "Pattern", "is_refused"]


class Pattern(NamedTuple):
    """
    Two accesses that overlap, at least one of them a write.

    Attributes
    ----------
    name : str
        Between what, and what puts them in order.
    launch : callable
        Takes whether they are in order; runs the program.
    since : int
        First generation that has it.
    """

    name: str
    launch: Callable[[bool], object]
    since: int = 2


def is_refused(pattern: Pattern, ordered: bool, target: str) -> bool:
    """Run one side of a pattern."""
    with options(target):
        try:
            pattern.launch(ordered)
        except RaceError:
            return True
    return False


def _zeros(*shape: int) -> Any:
    return np.zeros(shape or (32, 8), np.float32)


def _placed(byte: int = 0) -> Any:
    return language.ndarray((32, 8), language.float32, address=(0, byte))


def _written_twice(order: str) -> Callable[[bool], object]:
    """Two engines write one place through two tensors that are both in use."""

    def launch(ordered: bool) -> object:
        def kernel(_: Any) -> None:
            kept, first, second = (
                language.ndarray((32, 8), language.float32),
                _placed(),
                _placed(32 if ordered and order == "bytes" else 28 if order == "bytes" else 0),
            )
            other = isa.vector_engine if ordered and order == "engine" else isa.gpsimd_engine
            if ordered and order == "region":
                with language.no_reorder():
                    isa.memset(first, 0.0, engine=isa.vector_engine)
                    isa.memset(second, 1.0, engine=other)
                isa.tensor_copy(kept, first, engine=other)
                return
            one = isa.memset(first, 0.0, engine=isa.vector_engine, name="one")
            two = isa.memset(second, 1.0, engine=other, name="two")
            if ordered and order == "depends_on":
                two.depends_on(one)
            isa.tensor_copy(kept, first, engine=other)

        made = jit(kernel)
        return (made.with_schedule([("two", "one")]) if ordered and order == "schedule" else made)(_zeros())

    return launch


def _read_then_written(ordered: bool) -> object:
    """Let a write pass an earlier read, unless a third tensor that both touch puts them in order."""

    def kernel(_: Any) -> None:
        first, second, kept = _placed(), _placed(), language.ndarray((32, 8), language.float32)
        other = kept if ordered else language.zeros((32, 8), language.float32)
        isa.memset(first, 0.0, engine=isa.vector_engine)
        isa.tensor_copy(kept, first, engine=isa.vector_engine)
        isa.tensor_copy(second, other, engine=isa.gpsimd_engine)
        isa.tensor_copy(language.ndarray((32, 8), language.float32), first, engine=isa.gpsimd_engine)

    return jit(kernel)(_zeros())


def _written_then_read(ordered: bool) -> object:
    def kernel(_: Any) -> None:
        first, second, kept = _placed(), _placed(), language.ndarray((32, 8), language.float32)
        isa.memset(second, 1.0, engine=isa.gpsimd_engine)
        copy = isa.tensor_copy(kept, second, engine=isa.gpsimd_engine)
        write = isa.memset(first, 0.0, engine=isa.vector_engine)
        if ordered:
            write.depends_on(copy)
        isa.tensor_copy(language.ndarray((32, 8), language.float32), second, engine=isa.vector_engine)

    return jit(kernel)(_zeros())


def _passed_twice(ordered: bool) -> object:
    """One buffer in HBM under two names."""

    def kernel(x: Any, y: Any) -> None:
        tile, other = (language.ndarray(x.shape, x.dtype) for _ in range(2))
        isa.memset(tile, 0.0)
        isa.dma_copy(x, tile)
        isa.dma_copy(other, y, dge_mode=isa.dge_mode.hwdge, engine=isa.engine.sync)

    x = _zeros()
    return jit(kernel)(x, _zeros() if ordered else x)


def _cores(order: str, second_writes: bool) -> Callable[[bool], object]:
    """Core 0 writes shared memory, core 1 reads or writes the same."""

    def launch(ordered: bool) -> object:
        def kernel(x: Any) -> None:
            shared, tile = language.ndarray(x.shape, x.dtype, language.shared_hbm), language.ndarray((16, 8), x.dtype)
            isa.memset(tile, 0.0)
            if language.program_id(0) == 0:
                isa.dma_copy(shared[:16], tile)
            if ordered and order == "barrier":
                isa.core_barrier(shared, (0, 1))
            if language.program_id(0) == 1:
                part = shared[16:] if ordered and order == "parts" else shared[:16]
                if second_writes:
                    isa.dma_copy(part, tile)
                else:
                    isa.dma_copy(tile, part)

        with options(uninitialized="off"):
            return jit(kernel)[2](_zeros())

    return launch


PATTERNS: Final = (
    Pattern("write and write through addresses; bytes that do not overlap", _written_twice("bytes")),
    Pattern("write and write through addresses; one engine", _written_twice("engine")),
    Pattern("write and write through addresses; depends_on", _written_twice("depends_on")),
    Pattern("write and write through addresses; with_schedule", _written_twice("schedule")),
    Pattern("write and write through addresses; no_reorder", _written_twice("region")),
    Pattern("write after read through addresses; a third tensor that both touch", _read_then_written),
    Pattern("read before write through addresses; depends_on", _written_then_read),
    Pattern("one HBM buffer passed twice; two buffers", _passed_twice, 3),
    Pattern("write and read on two cores; core_barrier", _cores("barrier", False), 3),
    Pattern("write and write on two cores; core_barrier", _cores("barrier", True), 3),
    Pattern("write and read on two cores; parts that do not overlap", _cores("parts", False), 3),
)
