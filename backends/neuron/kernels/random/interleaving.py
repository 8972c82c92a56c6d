"""Order of the instructions of independent tiles, by which several engines are busy at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from ....isa import nisa, nl
from ..balance import target_costs

__all__ = ["Schedule", "Step"]

_BANKS: Final = 8


class Step:
    """
    An instruction, with what it reads and what it writes.

    Parameters
    ----------
    engine : engine or None
        Which runs it; None for what is emitted once its inputs are, such as a DMA.
    nanoseconds : float
        How long that takes.
    emit : callable
        ``emit(dst, *tiles)``.
    inputs : sequence of Step
        Whose tiles it reads.
    dtype : str
        Of its tile.
    psum : bool
        Whether that is in PSUM where there is room.
    given : callable or None
        Gives the tile, in the place of a new one.
    """

    __slots__ = ("dtype", "emit", "engine", "given", "inputs", "left", "nanoseconds", "psum", "rank", "ready", "tile", "users", "waiting")

    def __init__(
        self,
        engine: Any,
        nanoseconds: float,
        emit: Callable[..., None],
        inputs: Sequence[Step],
        dtype: str,
        psum: bool,
        given: Callable[[], Any] | None,
    ) -> None:
        self.engine, self.nanoseconds, self.emit, self.inputs = engine, nanoseconds, emit, inputs
        self.dtype, self.psum, self.given = dtype, psum, given
        self.users: list[Step] = []
        self.waiting = len(set(inputs))  # inputs that are not emitted yet
        self.left = 0  # users that are not
        self.ready = self.rank = 0.0
        self.tile: Any = None


class Schedule:
    """
    Instructions of tiles of one shape.

    Parameters
    ----------
    shape : tuple of int
        Partitions and elements of the tiles.

    Notes
    -----
    List scheduling: an engine takes, of the instructions whose operands are there first, the one with the longest path to the end. PSUM has
    eight banks; a tile that finds none is in SBUF, where the Vector Engine takes two cycles for what takes one with an operand in PSUM.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self._costs = target_costs()
        self._steps: list[Step] = []
        self._banks = _BANKS

    def add(
        self,
        engine: Any,
        opcode: str,
        emit: Callable[..., None],
        *inputs: Step,
        dtype: str = nl.uint32,
        psum: bool = False,
        given: Callable[[], Any] | None = None,
        when: str = "",
    ) -> Step:
        """Add an instruction."""
        step = Step(engine, self._costs.instruction(opcode, self.shape[1], engine.name, when), emit, inputs, dtype, psum, given)
        return self._added(step)

    def then(self, emit: Callable[..., None], *inputs: Step) -> Step:
        """Add what is emitted once its inputs are."""
        return self._added(Step(None, 0.0, emit, inputs, "", False, lambda: None))

    def _added(self, step: Step) -> Step:
        for item in dict.fromkeys(step.inputs):
            item.users.append(step)
            item.left += 1
        self._steps.append(step)
        return step

    def emit(self) -> None:
        """Emit all that was added."""
        for step in reversed(self._steps):
            step.rank = step.nanoseconds + max((user.rank for user in step.users), default=0.0)
        free: dict[Any, float] = {}
        ready = [step for step in self._steps if not step.waiting]
        while ready:
            step = min(ready, key=lambda one: (max(free.get(one.engine, 0.0), one.ready), -one.rank))
            ready.remove(step)
            end = max(free.get(step.engine, 0.0), step.ready) + step.nanoseconds
            if step.engine is not None:
                free[step.engine] = end
            step.tile = self._tile(step)
            step.emit(step.tile, *[item.tile for item in step.inputs])
            for item in dict.fromkeys(step.inputs):
                item.left -= 1
                if not item.left and item.psum:
                    self._banks += 1
            for user in step.users:
                user.waiting -= 1
                passes = self._costs.waits(step.engine.name) if step.engine is not None and step.engine is not user.engine else 0.0
                user.ready = max(user.ready, end + passes)
                if not user.waiting:
                    ready.append(user)
        self._steps = []

    def _tile(self, step: Step) -> Any:
        if step.given is not None:
            return step.given()
        step.psum &= self._banks > 0
        self._banks -= step.psum
        return nl.ndarray(self.shape, step.dtype, buffer=nl.psum if step.psum else nl.sbuf)

    # Instructions

    def native(self, op: Any, left: Step, right: Any, given: Callable[[], Any] | None = None) -> Step:
        """Combine 32-bit integers modulo 2**32 on GpSimd, with those of another step or with a column."""
        width = self.shape[1]

        def emit(dst: Any, x: Any, *others: Any) -> None:
            y = others[0] if others else right[: self.shape[0]].broadcast(1, width)
            nisa.tensor_tensor(dst, x, y, op, engine=nisa.engine.gpsimd)

        return self.add(nisa.engine.gpsimd, "tensor_tensor", emit, left, *([right] if isinstance(right, Step) else []), given=given)

    def scalar(
        self, x: Step, scale: float = 1.0, *, half: int | None = None, bias: Any = None, function: Any = nl.copy, dtype: str = nl.float32,
        psum: bool = False, given: Callable[[], Any] | None = None, view: str = "",
    ) -> Step:  # fmt: skip
        """Multiply words, or their low (0) or high (1) halves, on the Scalar Engine, and add a column."""

        def emit(dst: Any, data: Any) -> None:
            data = data.view(nl.uint16)[:, half::2] if half is not None else data.view(view) if view else data
            nisa.activation(dst, function, data, bias=None if bias is None else bias[: self.shape[0]], scale=scale)

        return self.add(nisa.engine.scalar, "activation", emit, x, dtype=dtype, psum=psum, given=given)

    def bits(self, op: Any, x: Step, number: Any, *, psum: bool = False, given: Callable[[], Any] | None = None, view: str = "") -> Step:
        """Combine bits with a constant or a column on the Vector Engine."""

        def emit(dst: Any, data: Any) -> None:
            data = data.view(view) if view else data
            nisa.tensor_scalar(dst, data, op, number if isinstance(number, int) else number[: self.shape[0]])

        return self.add(nisa.engine.vector, "tensor_scalar", emit, x, psum=psum, given=given)

    def vector(
        self, op: Any, left: Step, right: Step, *, dtype: str = nl.float32, psum: bool = False, given: Callable[[], Any] | None = None
    ) -> Step:
        """Combine two tiles on the Vector Engine, one of which is best in PSUM."""

        def emit(dst: Any, x: Any, y: Any) -> None:
            nisa.tensor_tensor(dst, x, y, op, engine=nisa.engine.vector)

        when = "data in PSUM and SBUF" if left.psum != right.psum else ""
        return self.add(nisa.engine.vector, "tensor_tensor", emit, left, right, dtype=dtype, psum=psum, given=given, when=when)
