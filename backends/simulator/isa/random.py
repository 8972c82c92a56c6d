"""
Random numbers.

AWS does not publish the Vector Engine's first polynomial, the word order of an XORWOW state or how one seed becomes many, so
streams are not those of the hardware bit for bit. Here every lane has Marsaglia's xorwow generators, one on GpSimd and four on the
Vector Engine, which take turns. What is documented holds: equal seeds give equal streams, lanes seeded alike run alike, a stored
state continues where it was.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..engines import engine as engines
from ..errors import KernelError
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Opcode
from ..target import PARTITIONS
from ..tensor.nkitensor import NkiTensor
from .rules import SBUF, free_elements, in_dtypes, in_memory, requires, since, vector_of

__all__ = ["draw", "rand2", "rand_get_state", "rand_set_state", "rng", "set_rng_seed"]

_WORDS: Final = 6  # five of xorshift, then the Weyl counter
_WEYL: Final = np.uint32(362437)  # Marsaglia, Xorshift RNGs, J. Stat. Softw. 8(14), 2003
_GENERATORS: Final = {engines.vector: 4, engines.gpsimd: 1}  # per lane
_INTEGERS: Final = ("int8", "int16", "int32", "uint8", "uint16", "uint32")
_UNIFORM: Final = ("float8_e4m3", "float8_e5m2", "float16", "bfloat16", "float32", "tfloat32", *_INTEGERS)


def _seeded(of: engines, *entropy: int) -> NDArray[np.uint32]:
    words = np.random.SeedSequence(entropy).generate_state(PARTITIONS * _GENERATORS[of] * _WORDS, np.uint32).astype(np.uint32)
    return words.reshape(PARTITIONS, _GENERATORS[of], _WORDS)


def _states(run: Run, of: engines) -> NDArray[np.uint32]:
    """Find an engine's states, (lane, generator, word), to be changed in place."""
    key = f"rng {of.name}"
    if key not in run.state:
        run.state[key] = _seeded(of, run.knobs.rng_seed, zlib.crc32(of.name.encode()), run.core, run.state.get("rank", 0))
    found: NDArray[np.uint32] = run.state[key]
    return found


def _lanes(view: NkiTensor) -> slice:
    first = view._partition + (view._storage.address[0] if view._storage.address else 0)
    return slice(first, first + view.shape[0])


def draw(run: Run, of: engines, view: NkiTensor) -> NDArray[np.uint32]:
    """Draw 32 bits for each element of a view."""
    states, count = _states(run, of)[_lanes(view)], free_elements(view)
    x, y, z, w, v, d = (states[..., word].copy() for word in range(_WORDS))
    rounds = -(-count // states.shape[1])
    drawn = np.empty((*states.shape[:2], rounds), np.uint32)
    for step in range(rounds):
        t = x ^ (x >> np.uint32(2))
        x, y, z, w, v = y, z, w, v, (v ^ (v << np.uint32(4))) ^ (t ^ (t << np.uint32(1)))
        d = d + _WEYL
        drawn[..., step] = v + d
    states[...] = np.stack([x, y, z, w, v, d], axis=-1)
    return drawn.swapaxes(1, 2).reshape(view.shape[0], -1)[:, :count]


def _rng(run: Run, i: Instruction) -> None:
    dst = i["dst"]
    bits = draw(run, i.engine, dst)
    stored = dst._bytes.dtype
    run.write_bits(dst, bits.astype(f"u{stored.itemsize}").view(stored))  # the low bits


def _seed(run: Run, i: Instruction) -> None:
    word = np.ascontiguousarray(run.read(i["src_seeds"])).view(np.uint32)
    run.state[f"rng {engines.vector.name}"] = _seeded(engines.vector, int(word.item()))


def _set_state(run: Run, i: Instruction) -> None:
    words = i["src_seeds"]
    states = _states(run, i.engine)[_lanes(words)]
    states[...] = run.read(words).reshape(states.shape)


def _get_state(run: Run, i: Instruction) -> None:
    run.write_bits(i["dst"], _states(run, i.engine)[_lanes(i["dst"])])


def _uniform(run: Run, i: Instruction) -> None:
    dst = i["dst"]
    low, high = (np.asarray(run.scalar(i[bound], dst), np.float64).reshape(-1, 1) for bound in ("min", "max"))
    if not (low < high).all():
        raise KernelError(f"rand2: min is below max in every partition; found {low.max()} and {high.min()}", i.where)
    unit = (draw(run, i.engine, dst) >> np.uint32(8)) * 2.0**-24  # the 24 bits of a float32 in [0, 1)
    run.write(dst, (low + unit * (high - low)).astype(np.float32))


def _state_words(name: str) -> Any:
    return requires(
        "state words",
        "a state has 6 words per lane on GpSimd, 24 on the Vector Engine",
        lambda i: i[name].ndim == 2 and i[name].shape[1] == _WORDS * _GENERATORS.get(i.engine, 1),
        "(lanes, 6) on gpsimd, (lanes, 24) on vector",
        lambda i: f"{i[name].shape} on {i.engine.name}",
    )


def _on(of: engines) -> Any:
    return lambda i: i.engine is of


_STATE_ENGINES: Final = (engines.gpsimd, engines.vector)
RNG = Opcode(
    "rng",
    writes=("dst",),
    reads=(),
    engines=(engines.vector, engines.gpsimd),
    execute=_rng,
    rules=(in_dtypes("dst", _INTEGERS), since(3, "rng on gpsimd", _on(engines.gpsimd))),
)
SET_SEED = Opcode(
    "set_rng_seed",
    writes=(),
    reads=("src_seeds",),
    engines=(engines.vector,),
    execute=_seed,
    rules=(
        in_dtypes("src_seeds", ("int32", "uint32", "float32")),
        requires(
            "one seed", "src_seeds has shape (1, 1)", lambda i: i["src_seeds"].shape == (1, 1), (1, 1), lambda i: i["src_seeds"].shape
        ),
    ),
)
SET_STATE = Opcode(
    "rand_set_state",
    writes=(),
    reads=("src_seeds",),
    engines=_STATE_ENGINES,
    execute=_set_state,
    since=3,
    rules=(
        in_memory("src_seeds", SBUF),
        in_dtypes("src_seeds", ("uint32",)),
        _state_words("src_seeds"),
        since(4, "a state of the Vector Engine", _on(engines.vector)),
    ),
)
GET_STATE = Opcode(
    "rand_get_state",
    writes=("dst",),
    reads=(),
    engines=_STATE_ENGINES,
    execute=_get_state,
    since=3,
    rules=(
        in_dtypes("dst", ("uint32",)),
        _state_words("dst"),
        since(4, "a state of the Vector Engine", _on(engines.vector)),
    ),
)
RAND2 = Opcode(
    "rand2",
    writes=("dst",),
    reads=("min", "max"),
    engines=(engines.vector,),
    execute=_uniform,
    since=4,
    rules=(
        in_dtypes("dst", _UNIFORM),
        vector_of("min max", "dst"),
        requires(
            "range",
            "min is below max",
            lambda i: isinstance(i["min"], NkiTensor) or isinstance(i["max"], NkiTensor) or i["min"] < i["max"],
            "min < max",
            lambda i: f"{i['min']} and {i['max']}",
        ),
    ),
)


def rng(dst: NkiTensor, engine: engines = engines.vector, name: str | None = None) -> NkiInstruction:
    """
    Draw random bits: 32 for each element, of which it keeps the low ones. See `nki.isa.rng`.

    Notes
    -----
    Seeded and statistically right, but not the bits that hardware draws. Unseeded generators begin at ``Knobs.rng_seed`` in every launch.
    """
    return RNG.issue(dst=dst, engine=engine, name=name)


def set_rng_seed(src_seeds: NkiTensor, name: str | None = None) -> NkiInstruction:
    """Seed all generators of the Vector Engine. See `nki.isa.set_rng_seed`."""
    return SET_SEED.issue(src_seeds=src_seeds, name=name)


def rand_set_state(src_seeds: NkiTensor, engine: engines = engines.gpsimd, name: str | None = None) -> NkiInstruction:
    """Set the generators of some lanes. See `nki.isa.rand_set_state`."""
    return SET_STATE.issue(src_seeds=src_seeds, engine=engine, name=name)


def rand_get_state(dst: NkiTensor, engine: engines = engines.gpsimd, name: str | None = None) -> NkiInstruction:
    """Store the state of some lanes' generators. See `nki.isa.rand_get_state`."""
    return GET_STATE.issue(dst=dst, engine=engine, name=name)


def rand2(dst: NkiTensor, min: float | NkiTensor, max: float | NkiTensor, name: str | None = None) -> NkiInstruction:
    """
    Draw uniform float32 numbers and cast them; from trn3 on. See `nki.isa.rand2`.

    Notes
    -----
    Seeded and statistically right, but not the numbers that hardware draws.
    """
    return RAND2.issue(dst=dst, min=min, max=max, name=name)
