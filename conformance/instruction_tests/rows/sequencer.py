"""Rows of registers and scalars, with the loops that use them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any, Final

import numpy as np

from ....backends.simulator import Knobs, Options, isa, language
from ....backends.simulator.program.program import Program
from ..bench import Bench
from ..experiment import Experiment, Trial, raw_bits
from ..row import Row, every

__all__ = ["ROWS"]


def _wrap(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def _registers(bench: Bench) -> Trial:
    """Load registers, move them, count by them, store them."""
    memory, constant = bench.choose("sbuf", "hbm"), bench.integer(-(2**31), 2**31 - 1)
    bench.read((1, 1), "int32", memory, raw_bits)
    bench.read((1, 1), "int32", "sbuf", lambda rng, extents, *_: rng.integers(0, 9, extents).astype(np.int32))
    for _ in range(3):
        bench.write((1, 1), "int32", bench.choose("sbuf", "hbm"))

    def body(copy: Any, fixed: Any, total: Any, value: Any, count: Any) -> None:
        first, second = isa.register_alloc(), isa.register_alloc(constant)
        isa.register_load(first, value)
        isa.register_store(copy, first)
        isa.register_store(fixed, second)
        isa.register_move(second, first)
        times = isa.register_alloc()
        isa.register_load(times, count)
        sums = language.zeros((1, 1), language.float32)

        def add(_: Any) -> None:
            isa.tensor_scalar(sums, sums, language.add, 3.0)

        language.fori_loop(0, times, add)
        kept = language.ndarray((1, 1), language.int32)
        isa.tensor_copy(kept, sums)
        isa.dma_copy(total, kept)

    def reference(knobs: Knobs, value: Any, count: Any) -> Any:
        del knobs
        return [value, np.array([[constant]], np.int32), 3 * count]

    return bench.experiment(body, reference, notes=f"constant {constant}")


def _scalars(bench: Bench) -> Trial:
    """Integer arithmetic of the sequencers wraps at its width."""
    dtype = bench.variant
    constant = bench.integer(-(2**15), 2**15)
    wide = dtype == "int64"  # which memset and access patterns of engines do not have
    memory = "hbm" if wide else bench.choose("sbuf", "hbm")
    for _ in range(2):
        bench.read((1, 1), dtype, memory, raw_bits, plain=wide)
    for _ in range(3):
        bench.write((1, 1), dtype, "hbm" if wide else bench.choose("sbuf", "hbm"), plain=wide, prefilled=not wide)

    def body(total: Any, product: Any, other: Any, left: Any, right: Any) -> None:
        a, b = isa.scalar_load(left), isa.scalar_load(right)
        isa.scalar_store(total, a + b)
        isa.scalar_store(product, a * b * constant)
        isa.scalar_store(other, -(constant - a) * 3 - b)

    def reference(knobs: Knobs, left: Any, right: Any) -> Any:
        del knobs
        a, b, bits = int(left.item()), int(right.item()), 8 * left.dtype.itemsize
        return [np.array([[_wrap(v, bits)]], left.dtype) for v in (a + b, a * b * constant, (a - constant) * 3 - b)]

    return bench.experiment(body, reference, notes=f"constant {constant}")


class _Captured(Experiment):
    """An experiment that prints: what it prints is one more output."""

    def run(self, program: Program, data: Sequence[Any], options: Options) -> Sequence[Any]:
        """Run the kernel."""
        with redirect_stdout(StringIO()) as printed:
            found = super().run(program, data, options)
        return [*found, np.frombuffer(printed.getvalue().encode(), np.uint8)]

    def judge(self, data: Sequence[Any], found: Sequence[Any], knobs: Knobs) -> str | None:
        """Compare outputs with the reference; every number must have been printed, after the prefix."""
        text = found[-1].tobytes().decode()
        missing = [str(number) for number in self._views(data)[0].ravel().tolist() if str(number) not in text]
        if missing or not text.startswith("tile"):
            return f"printed {text!r}, without {missing}"
        return super().judge(data, found[:-1], knobs)


def _print(bench: Bench) -> Trial:
    """Print a tile, which changes nothing."""
    shape = (bench.integer(1, 4), bench.integer(1, 4))
    bench.read(shape, bench.variant, "sbuf", lambda rng, extents, kind, _: rng.integers(0, 100, extents).astype(kind))
    bench.write(shape, bench.variant, "sbuf")

    def body(out: Any, data: Any) -> None:
        language.device_print("tile", data)
        isa.tensor_copy(out, data)

    return _Captured(bench.target, bench.inputs, bench.outputs, body, lambda _, data: [data])


ROWS: Final = (
    Row("register_load", _registers, every("int32"), also=("register_move", "register_store")),
    Row("scalar_load", _scalars, every("int32", "int64"), also=("scalar_store",)),
    Row("device_print", _print, every("int32", "uint8")),
)
