"""Constraints of random numbers."""

from typing import Final

from ...backends.simulator.engines import engine
from .case import Call, Case, psum, sbuf

_RNG = Call("rng", dst=sbuf(128, 64, dtype="uint32"))
_SEED = Call("set_rng_seed", src_seeds=sbuf(1, 1, dtype="int32"))
_SET = Call("rand_set_state", src_seeds=sbuf(128, 6, dtype="uint32"))
_GET = Call("rand_get_state", dst=sbuf(128, 6, dtype="uint32"))
_ON_VECTOR: Final = sbuf(128, 24, dtype="uint32")
_RAND2 = Call("rand2", dst=sbuf(128, 64), min=0.0, max=1.0)

CASES: Final = (
    Case("rng:dst dtype", _RNG.but(dst=sbuf(128, 64)), _RNG.but(dst=sbuf(128, 64, dtype="int8"))),
    Case("rng:rng on gpsimd since v3", _RNG.but(engine=engine.gpsimd), _RNG.but(engine=engine.gpsimd), "trn1", "trn2"),
    Case("set_rng_seed:src_seeds dtype", _SEED.but(src_seeds=sbuf(1, 1, dtype="int16")), _SEED),
    Case("set_rng_seed:one seed", _SEED.but(src_seeds=sbuf(1, 2, dtype="int32")), _SEED),
    Case("*:available", _SET, _SET, "trn1", "trn2"),
    Case(
        "rand_set_state:src_seeds in sbuf",
        _SET.but(src_seeds=psum(128, 24, dtype="uint32"), engine=engine.vector),
        _SET.but(src_seeds=_ON_VECTOR, engine=engine.vector),
        "trn3",
    ),
    Case("rand_set_state:src_seeds dtype", _SET.but(src_seeds=sbuf(128, 6, dtype="int32")), _SET),
    Case("rand_set_state:state words", _SET.but(src_seeds=_ON_VECTOR), _SET),
    Case(
        "rand_set_state:a state of the Vector Engine since v4",
        _SET.but(src_seeds=_ON_VECTOR, engine=engine.vector),
        _SET.but(src_seeds=_ON_VECTOR, engine=engine.vector),
        "trn2",
        "trn3",
    ),
    Case("rand_get_state:dst dtype", _GET.but(dst=sbuf(128, 6, dtype="int32")), _GET),
    Case("rand_get_state:state words", _GET.but(dst=_ON_VECTOR), _GET),
    Case(
        "rand_get_state:a state of the Vector Engine since v4",
        _GET.but(dst=_ON_VECTOR, engine=engine.vector),
        _GET.but(dst=psum(128, 24, dtype="uint32"), engine=engine.vector),
        "trn2",
        "trn3",
    ),
    Case("rand2:dst dtype", _RAND2.but(dst=sbuf(128, 64, dtype="float8_e4m3fn")), _RAND2.but(dst=sbuf(128, 64, dtype="int8")), "trn3"),
    Case("rand2:min max per partition", _RAND2.but(min=sbuf(128, 2)), _RAND2.but(min=sbuf(128, 1)), "trn3"),
    Case("rand2:range", _RAND2.but(min=1.0), _RAND2.but(min=0.999), "trn3"),
)
