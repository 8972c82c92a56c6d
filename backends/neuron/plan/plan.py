"""The plan: what one program computes, as a frozen value that is the program's argument."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

__all__ = ["Access", "Attached", "Choice", "Compute", "Extent", "KernelStage", "LoopStage", "Plan", "Role", "RowStage", "Stage", "Tensor"]

Extent = Literal["full", "row", "one"]
Role = Literal["input", "updated", "temporary", "output"]


@dataclass(frozen=True, slots=True)
class Tensor:
    """
    A flat tensor in HBM.

    Parameters
    ----------
    size : int
        Elements.
    dtype : str
        NKI's name.
    role : {'input', 'updated', 'temporary', 'output'}
        Whether the launch brings it, brings it to be written in place, or the program makes it, for itself or to return it.
    """

    size: int
    dtype: str
    role: Role


@dataclass(frozen=True, slots=True)
class Access:
    """
    Elements of a tensor.

    Parameters
    ----------
    tensor : int or None
        Which one of the plan's; None for the numbers 0, 1, …, which programs make.
    offset : int
        Of the first element; where the launch brings one, from there on.
    strides : tuple of int
        Elements from one to the next, for each of the stage's dims.
    extent : {'full', 'row', 'one'}
        Elements: one for each of the stage's, one for each row, or one.
    slot : int, optional
        Where in the table of scalars the launch's offset is, so that one program serves all of them.
    """

    tensor: int | None
    offset: int
    strides: tuple[int, ...]
    extent: Extent
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class Compute:
    """
    One step of a stage: registers are numbered in the order of loads, then of computes.

    Parameters
    ----------
    kind : {'elementwise', 'pair', 'second', 'cast', 'fill', 'scalar', 'reduce'}
        What sort. A pair computes two functions or more; other results than the first are the next steps'.
    name : str
        The function; of a pair its first one; of a cast ``"bits"`` where they stay and are read in another dtype.
    inputs : tuple of int
        Registers.
    dtype : str
        Of the result, by NKI's name.
    extent : {'full', 'row', 'one'}
        Elements of the result: all of the stage's, one for each row, or one.
    value : bool, int, float or None
        Of a fill; of a scalar its place in the table.
    loop : str
        Dtype of the operands, by NKI's name; of `where`, of the second and third one.
    """

    kind: Literal["elementwise", "pair", "second", "cast", "fill", "scalar", "reduce"]
    name: str
    inputs: tuple[int, ...]
    dtype: str
    extent: Extent
    value: float | None = field(default=None, compare=False)
    loop: str = ""
    _told_apart: str = field(init=False, repr=False)  # 0.0 and -0.0 are two constants, and NaN is one

    def __post_init__(self) -> None:
        object.__setattr__(self, "_told_apart", repr(self.value))


@dataclass(frozen=True, slots=True)
class RowStage:
    """
    Elementwise functions and reductions over rows, tile by tile.

    Parameters
    ----------
    dims : tuple of int
        Lengths; the last `columns` of them are a row.
    columns : int
        How many dims are reduced over; 0 where nothing is.
    loads : tuple of Access
        What is read; registers 0, 1, ….
    computes : tuple of Compute
        In order.
    stores : tuple of (int, Access)
        Registers, and where they go.
    given : tuple of str, optional
        Dtypes of registers that are there already, and come before those of the loads.
    """

    dims: tuple[int, ...]
    columns: int
    loads: tuple[Access, ...]
    computes: tuple[Compute, ...]
    stores: tuple[tuple[int, Access], ...]
    given: tuple[str, ...] = ()

    @property
    def accesses(self) -> tuple[Access, ...]:
        """What is read and written, in order."""
        return (*self.loads, *(access for _, access in self.stores))

    @property
    def read(self) -> tuple[int, ...]:
        """Tensors that it reads."""
        return tuple(access.tensor for access in self.loads if access.tensor is not None)

    @property
    def written(self) -> tuple[int, ...]:
        """Tensors that it writes."""
        return tuple(access.tensor for _, access in self.stores if access.tensor is not None)

    def mapped(self, change: Callable[[Access], Access]) -> RowStage:
        """Change accesses."""
        stores = tuple((register, change(access)) for register, access in self.stores)
        return replace(self, loads=tuple(map(change, self.loads)), stores=stores)


@dataclass(frozen=True, slots=True)
class Attached:
    """
    Functions of elements that a kernel applies to its tiles.

    Parameters
    ----------
    rows : RowStage
        The functions, of registers that are given, over a matrix.
    results : tuple of int, optional
        The registers that the kernel goes on with in place of the given ones: those of its operand; after the kernel there are none.
    """

    rows: RowStage
    results: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """
    Which variant of a kernel a plan has.

    Parameters
    ----------
    computes, over : str
        The kernel, and over which extents, as `explain` prints it.
    variant : str
        The one that was chosen.
    seconds : float
        Its estimate.
    runner_up : str
        The variant with the next estimate; empty where no other takes the call.
    runner_up_seconds : float
        That estimate.
    """

    computes: str
    over: str
    variant: str
    seconds: float = field(compare=False, repr=False)
    runner_up: str = field(compare=False, repr=False)
    runner_up_seconds: float = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KernelStage:
    """
    A kernel on contiguous tensors.

    Parameters
    ----------
    kernel : str
        The name of its declaration.
    parameters : tuple
        Extents and names, as the kernel wants them.
    sources : tuple of int
        Tensors that it reads.
    results : tuple of int
        The tensors that it writes; none where an epilogue writes.
    prologues : tuple of (Attached or None), optional
        What happens to each source before.
    epilogue : Attached, optional
        What happens to the results, and where that is written.
    variant : str, optional
        Which of the kernel's variants; empty where it has none.
    numbers : tuple of (int, str), optional
        Which numbers of the launch it takes, and their dtypes.
    """

    kernel: str
    parameters: tuple[Hashable, ...]
    sources: tuple[int, ...]
    results: tuple[int, ...]
    prologues: tuple[Attached | None, ...] = ()
    epilogue: Attached | None = None
    variant: str = ""
    numbers: tuple[tuple[int, str], ...] = ()

    @property
    def attached(self) -> tuple[RowStage, ...]:
        """Functions before and after."""
        return tuple(one.rows for one in (*self.prologues, self.epilogue) if one is not None)

    @property
    def read(self) -> tuple[int, ...]:
        """Tensors that it reads."""
        return (*self.sources, *(number for rows in self.attached for number in rows.read))

    @property
    def written(self) -> tuple[int, ...]:
        """Tensors that it writes."""
        return (*self.results, *(number for rows in self.attached for number in rows.written))

    def mapped(self, change: Callable[[Access], Access]) -> KernelStage:
        """Change accesses of what is attached."""
        prologues = tuple(None if one is None else replace(one, rows=one.rows.mapped(change)) for one in self.prologues)
        epilogue = None if self.epilogue is None else replace(self.epilogue, rows=self.epilogue.rows.mapped(change))
        return replace(self, prologues=prologues, epilogue=epilogue)


@dataclass(frozen=True, slots=True)
class LoopStage:
    """
    Stages that are computed again and again.

    Parameters
    ----------
    turns : int
        How often; at most, where a condition ends it.
    stages : tuple of Stage
        A turn.
    counter : int or None
        Which number of the launch counts the turns, from its value on.
    condition : int or None
        The tensor of one element that is not zero as long as there is another turn.
    likely : int, optional
        How often, where a condition ends it: what predictions count.
    """

    turns: int
    stages: tuple[Stage, ...]
    counter: int | None = None
    condition: int | None = None
    likely: int = 0

    @property
    def read(self) -> tuple[int, ...]:
        """Tensors that it reads."""
        return tuple(number for stage in self.stages for number in stage.read)

    @property
    def written(self) -> tuple[int, ...]:
        """Tensors that it writes."""
        return tuple(number for stage in self.stages for number in stage.written)

    def mapped(self, change: Callable[[Access], Access]) -> LoopStage:
        """Change accesses."""
        return replace(self, stages=tuple(stage.mapped(change) for stage in self.stages))


Stage: TypeAlias = "RowStage | KernelStage | LoopStage"


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What one program computes. Programs are cached by it, so it holds no numbers that change between launches.

    Parameters
    ----------
    tensors : tuple of Tensor
        All of HBM that the program touches, but the table of scalars.
    scalars : int
        Entries of the table of scalars, 32-bit words that the launch brings: numbers, then offsets.
    stages : tuple of Stage
        In order.
    budget : int, optional
        Instructions that the program may have: beyond its share of it, and where tracing would take long, a stage is a loop.
    choices : tuple of Choice, optional
        Variants that were chosen by predicted time.
    measured : str, optional
        A digest of the measured figures by which the program shares out work among engines; empty if there are none.
    """

    tensors: tuple[Tensor, ...]
    scalars: int
    stages: tuple[Stage, ...]
    budget: int = 100_000
    choices: tuple[Choice, ...] = ()
    measured: str = ""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Programs are looked up by their plan at each launch, and a plan is a large value.
        object.__setattr__(self, "_hash", hash((self.tensors, self.scalars, self.stages, self.budget, self.choices, self.measured)))

    @property
    def brought(self) -> tuple[Tensor, ...]:
        """Tensors that a launch brings."""
        return tuple(tensor for tensor in self.tensors if tensor.role in ("input", "updated"))

    @property
    def returned(self) -> tuple[Tensor, ...]:
        """Tensors that a launch gives."""
        return tuple(tensor for tensor in self.tensors if tensor.role in ("output", "updated"))

    @property
    def kernels(self) -> Iterator[KernelStage]:
        """Stages that are kernels, those in loops, too."""
        stages = [*self.stages]
        while stages:
            stage = stages.pop()
            if isinstance(stage, KernelStage):
                yield stage
            elif isinstance(stage, LoopStage):
                stages += stage.stages

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Plan], tuple[Hashable, ...]]:
        # Hashes differ between processes.
        return Plan, (self.tensors, self.scalars, self.stages, self.budget, self.choices, self.measured)
