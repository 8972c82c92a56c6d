"""A drawn kernel with its inputs and what they must give."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...backends.simulator import Knobs, Options, execute, isa, jit, language
from ...backends.simulator.program.program import Program
from ...backends.simulator.target import Target
from .formats import FLOATS, INTEGERS, encode, fits, stored
from .layout import Layout

__all__ = ["SENTINEL", "Experiment", "Fill", "Near", "Operand", "Trial", "compare", "ordinary", "raw_bits"]

Array = NDArray[Any]
Fill = Callable[[np.random.Generator, tuple[int, ...], str, str | None], Array]
SENTINEL = 77  # what is around results


class Near(NamedTuple):
    """
    A result that is rounded from a float32 near an exact number.

    Attributes
    ----------
    value : np.ndarray
        The exact result, or where a setting fixes each rounding the float32.
    bound : np.ndarray or float
        How far the float32 may be from it.
    """

    value: Array
    bound: Any = 0.0


class Trial(Protocol):
    """What a row of the table builds: something that is traced once, run on data, and judged."""

    def trace(self) -> Program:
        """Trace the kernel anew."""

    def data(self, rng: np.random.Generator, stress: str | None) -> Any:
        """Make inputs."""

    def run(self, program: Program, data: Any, options: Options) -> Sequence[Array]:
        """Run the kernel."""

    def judge(self, data: Any, found: Sequence[Array], knobs: Knobs) -> str | None:
        """Compare with the reference."""


def raw_bits(rng: np.random.Generator, shape: tuple[int, ...], dtype: str, _: str | None = None) -> Array:
    """Fill with any bits, NaN of every kind among them."""
    kind = stored(dtype)
    return np.frombuffer(rng.bytes(int(np.prod(shape)) * kind.itemsize), kind).reshape(shape)


def ordinary(rng: np.random.Generator, shape: tuple[int, ...], dtype: str, stress: str | None) -> Array:
    """Fill with numbers of middling size, some alike, some zero; with denormals where those are asked for."""
    if dtype in INTEGERS:
        limits = np.iinfo(INTEGERS[dtype])
        bound = (1 << 24) - 1 if rng.integers(4) == 0 else 12
        return rng.integers(max(limits.min, -bound), min(limits.max, bound), shape, endpoint=True).astype(limits.dtype)
    values = rng.standard_normal(shape) * np.exp2(rng.integers(-3, 4, shape))
    values = np.where(rng.random(shape) < 0.1, rng.integers(-2, 3, shape), values)
    if stress is not None and stress.startswith("denormals"):
        values = values * np.exp2(rng.integers(-140, -121, shape))
    return encode(values, dtype)


@dataclass(eq=False)
class Operand:
    """
    An operand of the kernel.

    Parameters
    ----------
    dtype : str
        NKI's name.
    memory : str
        ``"sbuf"``, ``"psum"`` or ``"hbm"``.
    layout : Layout
        The view.
    fill : callable, optional
        Values of an input; an output has none.
    prefilled : bool, optional
        Whether an output holds `SENTINEL` before.
    """

    dtype: str
    memory: str
    layout: Layout
    fill: Fill | None = None
    prefilled: bool = True

    def __str__(self) -> str:
        return f"{self.dtype} {self.memory} {self.layout}"

    def make(self, source: Any) -> tuple[Any, Any]:
        """Make the operand in a kernel."""
        if self.memory == "hbm" and source is not None:
            whole = source if source.dtype == self.dtype else source.view(self.dtype)
            return whole, self.layout.of_tensor(whole)
        shape = self.layout.container
        if self.memory == "hbm":
            container = language.ndarray(shape, self.dtype, language.shared_hbm)
            if self.prefilled:
                _write(container, _filled(shape, self.dtype))
        elif self.memory == "sbuf" and source is not None:
            container = language.ndarray(shape, self.dtype)
            _write(container, source)
        else:
            container = language.ndarray(shape, self.dtype, language.psum if self.memory == "psum" else language.sbuf)
            if source is not None:
                staged = language.ndarray(shape, self.dtype)
                _write(staged, source)
                isa.tensor_copy(container, staged, engine=isa.vector_engine)
            elif self.prefilled:
                isa.memset(container, SENTINEL)
        return container, self.layout.of_tensor(container)


def _filled(shape: tuple[int, ...], dtype: str) -> Any:
    """Fill a tile with as many elements as something in HBM, whose first axis may be longer than there are partitions."""
    size = math.prod(shape)
    partitions = max(count for count in range(1, 129) if not size % count)
    tile = language.ndarray((partitions, size // partitions), dtype)
    isa.memset(tile, SENTINEL)
    return tile


def _write(container: Any, source: Any) -> None:
    """Copy bits; an array in HBM may have another name for them."""
    isa.dma_copy(container if container.dtype == source.dtype else container.view(source.dtype), source)


def _returned(container: Any, memory: str, dtype: str) -> Any:
    if memory == "hbm":
        return container
    if memory == "psum":
        staged = language.ndarray(container.shape, dtype)
        isa.tensor_copy(staged, container, engine=isa.vector_engine)
        container = staged
    carried = (
        dtype if dtype in INTEGERS or (dtype in FLOATS and dtype != "tfloat32") else {"tfloat32": "float32", "bool_": "uint8"}.get(dtype)
    )
    out = language.ndarray(container.shape, carried or dtype, language.shared_hbm)
    isa.dma_copy(out, container if carried in (None, dtype) else container.view(carried))
    return out


def compare(found: Array, dtype: str, want: Any) -> str | None:
    """Compare a result with what it must be."""
    if callable(want):
        return want(found)  # type: ignore[no-any-return]
    if isinstance(want, Near):
        value = np.asarray(want.value, np.float64).reshape(found.shape)
        bound = np.broadcast_to(np.asarray(want.bound, np.float64), value.shape if np.ndim(want.bound) == 0 else np.shape(want.bound))
        good = fits(found, dtype, value, bound.reshape(found.shape))
        shown = value
    else:
        shown = np.ascontiguousarray(np.asarray(want, found.dtype).reshape(found.shape))
        bits = f"u{found.dtype.itemsize}"
        good = np.ascontiguousarray(found).view(bits) == shown.view(bits)
    if good.all():
        return None
    at = tuple(int(i) for i in np.argwhere(~good)[0])
    return f"{int((~good).sum())} of {good.size} elements differ, the first at {at}: {found[at]!r} where the reference has {shown[at]!r}"


@dataclass
class Experiment:
    """
    A kernel of one core that loads inputs, does something, and stores outputs.

    Parameters
    ----------
    target : Target
        The generation.
    inputs, outputs : list of Operand
        Operands.
    body : callable
        Takes the views of outputs and inputs, in that order.
    reference : callable
        Takes the knobs and the inputs as arrays; returns for each output what `compare` takes, or None where anything will do.
    adjust : callable, optional
        Changes the arrays in place once all are filled, with the generator.
    """

    target: Target
    inputs: list[Operand]
    outputs: list[Operand]
    body: Callable[..., object]
    reference: Callable[..., Sequence[Any]]
    adjust: Callable[..., object] | None = None
    notes: str = ""

    def __str__(self) -> str:
        lines = [f"output {number}: {operand}" for number, operand in enumerate(self.outputs)]
        return "\n".join([*lines, *(f"input {number}: {operand}" for number, operand in enumerate(self.inputs)), self.notes]).strip()

    def _function(self, *sources: Any) -> Any:
        made = [operand.make(source) for operand, source in zip(self.inputs, sources, strict=True)]
        results = [operand.make(None) for operand in self.outputs]
        self.body(*(view for _, view in results), *(view for _, view in made))
        return tuple(_returned(container, o.memory, o.dtype) for o, (container, _) in zip(self.outputs, results, strict=True))

    def trace(self) -> Program:
        """Trace the kernel anew."""

        def kernel(sources: tuple[Any, ...]) -> Any:
            return self._function(*sources)

        samples = tuple(np.zeros(operand.layout.container, stored(operand.dtype)) for operand in self.inputs)
        traced: Program = jit(kernel).program(samples)
        return traced

    def data(self, rng: np.random.Generator, stress: str | None) -> list[Array]:
        """Fill the inputs."""
        arrays = [
            (operand.fill or ordinary)(rng, operand.layout.container, operand.dtype, stress).astype(stored(operand.dtype))
            for operand in self.inputs
        ]
        if self.adjust is not None:
            self.adjust(rng, *self._views(arrays))
        return arrays

    def _views(self, arrays: Sequence[Array]) -> list[Array]:
        return [operand.layout.of_array(array) for operand, array in zip(self.inputs, arrays, strict=True)]

    def run(self, program: Program, data: Sequence[Array], options: Options) -> Sequence[Array]:
        """Run the kernel."""
        result: Sequence[Array] = execute(program, *(array.copy() for array in data), options=options)
        return result

    def judge(self, data: Sequence[Array], found: Sequence[Array], knobs: Knobs) -> str | None:
        """Compare with the reference, and what is around the results with what was there."""
        with np.errstate(all="ignore"):
            wanted = self.reference(knobs, *(view.copy() for view in self._views(data)))
        for number, (operand, array, want) in enumerate(zip(self.outputs, found, wanted, strict=True)):
            if want is not None:
                problem = compare(operand.layout.of_array(array), operand.dtype, want)
                if problem is not None:
                    return f"output {number}: {problem}"
            rest = np.ones(array.shape, np.bool_)
            operand.layout.of_array(rest)[...] = False
            if rest.any() and (array[rest] != encode(SENTINEL, operand.dtype)).any():
                return f"output {number}: elements outside the view were written"
        return None
