"""Constraints of every instruction."""

from typing import Final

from ...backends.simulator import language as nl
from ...backends.simulator.engines import engine
from .case import Call, Case, hbm, psum, sbuf

_COPY = Call("tensor_copy", dst=sbuf(128, 64), src=sbuf(128, 64))
_ADD = Call("tensor_tensor", dst=sbuf(128, 64), data1=sbuf(128, 64), data2=sbuf(128, 64), op=nl.add)
_SQUARE = Call("tensor_scalar", dst=sbuf(128, 64), data=sbuf(128, 64), op0=nl.square, operand0=0.0)

CASES: Final = (
    Case("*:engine", _ADD.but(engine=engine.scalar), _ADD.but(engine=engine.gpsimd)),
    Case("*:operators", _ADD.but(op=nl.abs_max), _ADD.but(op=nl.abs_max), "trn2", "trn3"),
    Case("*:operators", _SQUARE, _SQUARE, "trn2", "trn3"),
    Case("*:operators", _SQUARE.but(op0=nl.abs, op1=nl.relu), _SQUARE.but(op1=nl.abs), "trn3"),
    Case("*:reaches", _ADD.but(engine=engine.gpsimd, data2=psum(128, 64)), _ADD.but(engine=engine.vector, data2=psum(128, 64))),
    Case("*:reaches", _COPY.but(src=hbm(128, 64)), _COPY.but(src=psum(128, 64))),
    Case("*:no int64", _COPY.but(dst=sbuf(128, 64, dtype="int64")), _COPY.but(dst=sbuf(128, 64, dtype="int32"))),
    Case(
        "*:start partition",
        _COPY.but(dst=sbuf(33, 4), src=sbuf(128, 4, view=lambda t: t[32:65])),
        _COPY.but(dst=sbuf(32, 4), src=sbuf(128, 4, view=lambda t: t[32:64])),
    ),
    Case(
        "*:start partition",
        _COPY.but(dst=sbuf(64, 4), src=sbuf(128, 4, view=lambda t: t[48:112])),
        _COPY.but(dst=sbuf(64, 4), src=sbuf(128, 4, view=lambda t: t[64:128])),
    ),
    Case(
        "*:access pattern",
        _COPY.but(dst=sbuf(128, 32), src=sbuf(128, 3, 3, 3, 3, 3, view=lambda t: t[:, :2, :2, :2, :2, :2])),
        _COPY.but(dst=sbuf(128, 16), src=sbuf(128, 3, 3, 3, 3, view=lambda t: t[:, :2, :2, :2, :2])),
    ),
)
