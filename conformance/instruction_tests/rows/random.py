"""Rows of random numbers: hardware's bits are not published, so streams are tested as distributions and for what repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from scipy import stats

from ....backends.simulator import Knobs, isa
from ....backends.simulator.target import Target
from ..bench import Bench
from ..experiment import Trial, raw_bits
from ..formats import BITS, FLOATS, decode, encode
from ..row import Row, every

__all__ = ["ROWS"]

# The chance that a good generator is refused; a run makes a few hundred tests.
_REFUSED: Final = 1e-9


def _uniform(counts: Any) -> str | None:
    """Chi-square test that all bins are equally likely."""
    expected = counts.sum() / counts.size
    probability = float(stats.chi2.sf(((counts - expected) ** 2 / expected).sum(), counts.size - 1))
    return None if _REFUSED < probability < 1 - _REFUSED else f"uniform bins are as uneven with probability {probability:.2g}"


def _fair_bytes(found: Any) -> str | None:
    return _uniform(np.bincount(np.frombuffer(np.ascontiguousarray(found).tobytes(), np.uint8), minlength=256))


def _engine(bench: Bench) -> Any:
    return bench.choose(isa.vector_engine, *[isa.gpsimd_engine] * (bench.target.generation > 2))


def _draw(bench: Bench) -> Trial:
    """Unseeded: fair bits, other ones in each draw."""
    dtype, engine, columns = bench.variant, _engine(bench), bench.integer(32, 64)
    shape = (128, columns)
    for _ in range(2):
        bench.write(shape, dtype, "sbuf" if engine is isa.gpsimd_engine else "any")

    def body(first: Any, second: Any) -> None:
        isa.rng(first, engine=engine)
        isa.rng(second, engine=engine)

    return bench.experiment(body, lambda _: [_fair_bytes, _fair_bytes], notes=f"on {engine.name}")


def _halves(test: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """Of three parts the first two are equal, the last is not."""

    def judge(found: Any) -> str | None:
        first, again, other = np.split(found, 3, axis=1)
        if first.tobytes() != again.tobytes():
            return "the same seed does not repeat the stream"
        return "another seed repeats the stream" if first.tobytes() == other.tobytes() else test(first)

    return judge


def _seeded(bench: Bench) -> Trial:
    dtype, columns = bench.variant, bench.integer(32, 64)
    bench.write((128, 3 * columns), dtype, "sbuf", plain=True)
    for _ in range(2):
        bench.read((1, 1), bench.choose("uint32", "int32"), fill=raw_bits)

    def body(out: Any, seed: Any, other: Any) -> None:
        for part, word in enumerate((seed, seed, other)):
            isa.set_rng_seed(word)
            isa.rng(out[:, part * columns : (part + 1) * columns], engine=isa.vector_engine)

    return bench.experiment(body, lambda *_: [_halves(_fair_bytes)])


def _states(bench: Bench) -> Trial:
    """Set and read states: what is drawn after equal ones is equal, and lanes with one state run alike."""
    vector = bench.variant == "vector"
    engine, words, columns = (isa.vector_engine, 24, 48) if vector else (isa.gpsimd_engine, 6, 48)
    lanes = bench.choose(64, 128)

    def fill(rng: Any, extents: Any, *_: Any) -> Any:
        seeds = rng.integers(1, 2**32, extents, dtype=np.uint32)
        seeds[7] = seeds[3]
        return seeds

    bench.read((lanes, words), "uint32", "sbuf", fill, plain=True)
    bench.write((lanes, 4 * columns), "uint32", "sbuf", plain=True)
    bench.write((lanes, words), "uint32", "sbuf", plain=True)

    def body(out: Any, state: Any, seeds: Any) -> None:
        parts = [out[:, part * columns : (part + 1) * columns] for part in range(4)]
        for part in parts[:2]:
            isa.rand_set_state(seeds, engine=engine)
            isa.rng(part, engine=engine)
        isa.rand_get_state(state, engine=engine)
        isa.rng(parts[2], engine=engine)
        isa.rand_set_state(state, engine=engine)
        isa.rng(parts[3], engine=engine)

    def reference(knobs: Knobs, seeds: Any) -> Any:
        del knobs

        def judge(found: Any) -> str | None:
            first, again, later, resumed = (part.tobytes() for part in np.split(found, 4, axis=1))
            if first != again or later != resumed:
                return "the same state does not repeat the stream"
            return "a later state repeats the stream" if first == later else None if (found[3] == found[7]).all() else "equal lanes differ"

        def moved(state: Any) -> str | None:
            return "drawing leaves the state as it was" if (state == seeds).all() else None

        return [judge, moved]

    return bench.experiment(body, reference)


def _constant(value: float) -> Any:
    return lambda _, extents, kind, __: encode(np.full(extents, value), kind)


def _rand2(bench: Bench) -> Trial:
    dtype, columns = bench.variant, bench.integer(40, 64)
    constant = bool(bench.integer(0, 1))
    low, high = bench.choose((0.0, 1.0), (-3.0, 5.0), (16.0, 116.0))
    bench.write((128, columns), dtype)
    for value in (low, high):
        bench.read((128, 1), "float32", fill=_constant(value))

    def body(out: Any, least: Any, most: Any) -> None:
        isa.rand2(out, *((low, high) if constant else (least, most)))

    def reference(knobs: Knobs, *_: Any) -> Any:
        del knobs

        def judge(found: Any) -> str | None:
            values, ends = decode(found, dtype), decode(encode(np.array([low, high]), dtype), dtype)
            if (values < ends[0]).any() or (values > ends[1]).any():
                return f"values from {values.min()} to {values.max()}"
            if dtype == "float32":
                return _uniform(np.histogram(values, 16, (low, high))[0])
            middle, spread = values.mean() - (low + high) / 2, (high - low) / np.sqrt(12 * values.size)
            slack = 0.0 if dtype in FLOATS else (0.5 if high - low < 2 else 0.02 * (high - low))
            return None if abs(middle) < 7 * spread + slack + (high - low) * 2.0**-5 else f"the mean is off by {middle:.3g}"

        return [judge]

    return bench.experiment(body, reference, notes=f"{low} to {high}, constants: {constant}")


def _dropout(bench: Bench) -> Trial:
    dtype, columns = bench.variant, bench.integer(16, 40)
    constant, probability = bool(bench.integer(0, 1)), bench.choose(0.25, 0.0, 1.0, 0.75)
    narrow = bench.choose("float32", "bfloat16") if dtype in FLOATS else "float32"
    bench.read((128, columns), dtype, fill=lambda rng, extents, kind, _: encode(rng.integers(1, 100, extents), kind))
    bench.read((128, 1), narrow, fill=lambda _, extents, kind, __: encode(np.full(extents, probability), kind))
    bench.write((128, columns), dtype)

    def reference(knobs: Knobs, data: Any, _: Any) -> Any:
        del knobs

        def judge(found: Any) -> str | None:
            zero = found == np.zeros((), found.dtype)
            if (found[~zero] != data[~zero]).any():
                return "an element that is kept changes"
            off = zero.mean() - probability
            return (
                None
                if abs(off) <= 7 * np.sqrt(probability * (1 - probability) / zero.size)
                else f"{zero.mean():.4f} of the elements are zero"
            )

        return [judge]

    def body(out: Any, data: Any, column: Any) -> None:
        isa.dropout(out, data, probability if constant else column)

    return bench.experiment(body, reference, notes=f"probability {probability}, constant: {constant}")


def _state_engines(target: Target) -> tuple[str, ...]:
    return ("gpsimd", "vector") if target.generation > 3 else ("gpsimd",)


_ROWS_SEED: Final = ("rng_seed",)
ROWS: Final = (
    Row("rng.unseeded", _draw, every(*BITS), _ROWS_SEED),
    Row("set_rng_seed", _seeded, every("uint32", "int16", "uint8"), also=("rng",)),
    Row("rand_set_state", _states, _state_engines, since=3, also=("rng", "rand_get_state")),
    Row("rand2", _rand2, every("float32", "bfloat16", "float16", "int16", "uint8", "float8_e4m3"), _ROWS_SEED, 4),
    Row("dropout", _dropout, every("float32", "bfloat16", "float16", "int32", "uint8"), _ROWS_SEED),
)
