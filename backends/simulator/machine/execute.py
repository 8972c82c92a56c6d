"""Replaying programs: loops, cores that wait for each other, inputs and outputs."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import storage_dtype
from ..errors import KernelError
from ..options import Options, current_options
from ..program.instruction import ForLoop, Instruction, Node
from ..program.program import Program
from ..registers import wrap
from ..tensor.nkitensor import NkiTensor
from ..tensor.storage import Storage
from .memory import Buffer
from .run import Run

__all__ = ["collect", "execute", "execute_ranks", "meet", "run_nodes", "said_with"]

Array = NDArray[Any]


def run_nodes(run: Run, nodes: tuple[Node, ...], last_use: tuple[tuple[Storage, ...], ...] | None = None) -> Generator[Instruction]:
    """Run nodes in order; pause at instructions where cores meet."""
    for position, node in enumerate(nodes):
        if isinstance(node, Instruction):
            run.current = node
            if node.opcode.together is None:
                node.opcode.execute(run, node)
            else:
                yield node
        else:
            yield from _loop(run, node)
        if last_use is not None and last_use[position]:
            run.memories.forget(last_use[position])


def _loop(run: Run, node: Node) -> Generator[Instruction]:
    assert not isinstance(node, Instruction)
    if isinstance(node, ForLoop):
        assert not isinstance(node.register.state, tuple)
        for value in range(run.value(node.lower), run.value(node.upper), node.step):
            run.registers[node.register.state] = wrap(value)
            run.memories.forget(node.made)
            yield from run_nodes(run, node.body)
        return
    value = run.value(node.initial)
    while value:
        run.registers[node.register.state] = value
        run.memories.forget(node.made)
        yield from run_nodes(run, node.body)
        value = run.value(node.result)


def meet(waiting: Sequence[tuple[Run, Generator[Instruction]]]) -> None:
    """Run cores (or ranks) in turn, until each reaches where it must meet the others, and so on to the end."""
    while True:
        reached = [(run, next(nodes, None)) for run, nodes in waiting]
        stopped = [(run, node) for run, node in reached if node is not None]
        if not stopped:
            return
        names = {node.opcode.name for _, node in stopped}
        first = stopped[0][1]
        if len(stopped) < len(reached) or len(names) > 1:
            raise KernelError(
                f"deadlock: {len(stopped)} of {len(reached)} cores wait at {', '.join(sorted(names))}; all must reach the same", first.where
            )
        assert first.opcode.together is not None
        first.opcode.together(stopped)


def _input(storage: Storage, value: object, written: bool) -> tuple[Array, Array | None]:
    """Find the array that holds an input, and the caller's own if that has to be copied back."""
    given = np.asarray(value)
    dtype = storage_dtype(storage.dtype)
    if given.shape != storage.shape or given.dtype.itemsize != dtype.itemsize:
        raise TypeError(
            f"input {storage.name!r} is {storage.shape} {storage.dtype}, not {given.shape} {given.dtype}; trace the kernel for it"
        )
    usable = given.flags.c_contiguous and (given.flags.writeable or not written)
    held = (given if usable else given.copy(order="C")).view(dtype)
    return held, given if written and not usable and given.flags.writeable else None


def execute(program: Program, *arrays: object, options: Options | None = None) -> Any:
    """
    Replay a program on inputs.

    Parameters
    ----------
    program : Program
        From a trace.
    *arrays : array_like
        One for each of `program.inputs`; updated in place where the kernel writes to them.
    options : Options, optional
        By default those in force; the target is the program's.

    Returns
    -------
    np.ndarray, tuple of np.ndarray or None
        What the kernel returns.

    Raises
    ------
    TypeError
        If the inputs are not those the program was traced for.
    """
    return execute_ranks(program, [arrays], options)[0]


def execute_ranks(program: Program, launches: Sequence[Sequence[object]], options: Options | None = None) -> list[Any]:
    """
    Replay a program on several ranks that meet in its collectives.

    Parameters
    ----------
    program : Program
        From a trace.
    launches : sequence of sequence of array_like
        The inputs of each rank, as for `execute`.
    options : Options, optional
        By default those in force; the target is the program's.

    Returns
    -------
    list
        What the kernel returns on each rank.

    Raises
    ------
    TypeError
        If the inputs are not those the program was traced for.
    """
    chosen = replace(options or current_options(), target=program.target)
    ranks, copied_back = [], []
    for rank, arrays in enumerate(launches):
        if len(arrays) != len(program.inputs):
            raise TypeError(f"{program.name} takes {len(program.inputs)} arrays, not {len(arrays)}")
        hbm: dict[Storage, Buffer] = {}
        runs = [Run(chosen, number, hbm) for number in range(len(program.cores))]
        for run in runs:
            run.state["rank"] = rank
        for storage, value in zip(program.inputs, arrays, strict=True):
            held, owner = _input(storage, value, storage in program.written)
            runs[0].memories.bring(storage, held)
            copied_back.append((held, owner))
        ranks.append(runs)
    with np.errstate(all="ignore"), said_with(chosen):  # overflow and NaN are the hardware's, too
        meet([(run, run_nodes(run, core.nodes, core.last_use)) for runs in ranks for run, core in zip(runs, program.cores, strict=True)])
    for held, owner in copied_back:
        if owner is not None:
            owner[...] = held.view(owner.dtype)
    with said_with(chosen):
        return [collect(runs[0], program.outputs) for runs in ranks]


@contextmanager
def said_with(options: Options) -> Iterator[None]:
    """Say with an error of a kernel how it was simulated."""
    try:
        yield
    except KernelError as error:
        error.add_note(f"simulated as {options}")
        raise


def collect(run: Run, outputs: Any) -> Any:
    """Collect what a kernel returns, as arrays."""
    run.current = None
    if isinstance(outputs, NkiTensor):
        return run.read(outputs)
    return None if outputs is None else tuple(collect(run, output) for output in outputs)
