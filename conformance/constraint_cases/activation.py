"""Constraints of the Scalar Engine's functions beside those of `activation`."""

from typing import Final

from ...backends.simulator import language as nl
from ...backends.simulator.engines import engine, reduce_cmd
from .case import Call, Case, psum, sbuf

_SUM = Call("activation_reduce", dst=sbuf(128, 64), op=nl.exp, data=sbuf(128, 64), reduce_op=nl.add, reduce_res=sbuf(128, 1))
_TWO = Call(
    "activate2", dst=sbuf(128, 64), op=nl.prelu, data=sbuf(128, 64), imm0=2.0, imm1=1.0, op0=nl.multiply, op1=nl.add, relu_param=0.25
)
_BF16 = sbuf(128, 1, dtype="bfloat16")
_ONE = Call("activation", dst=sbuf(128, 64), op=nl.exp, data=sbuf(128, 64))
_ON_POOL = _ONE.but(engine=engine.gpsimd)

CASES: Final = (
    Case("activation_reduce:op activation function", _SUM.but(op=nl.bypass), _SUM.but(op=nl.copy)),
    Case("activation_reduce:dst data same elements", _SUM.but(dst=sbuf(128, 65)), _SUM.but(dst=psum(128, 8, 8))),
    Case("activation_reduce:bias scale reduce_res per partition", _SUM.but(reduce_res=sbuf(128, 2)), _SUM.but(reduce_res=None)),
    Case("activation_reduce:scale dtype", _SUM.but(scale=_BF16), _SUM.but(bias=_BF16)),
    Case("activation_reduce:bias dtype", _SUM.but(bias=sbuf(128, 1, dtype="tfloat32")), _SUM.but(bias=sbuf(128, 1))),
    Case("activation_reduce:a constant bias since v3", _SUM.but(bias=1.0), _SUM.but(bias=1.0), "trn1", "trn2"),
    Case("activation_reduce:reciprocal bias", _SUM.but(op=nl.reciprocal, bias=sbuf(128, 1)), _SUM.but(op=nl.reciprocal), "trn1"),
    Case("activation_reduce:reduce operator", _SUM.but(reduce_op=nl.maximum), _SUM),
    Case("activation:the function on GpSimd since v4", _ON_POOL, _ON_POOL, "trn2", "trn3"),
    Case("activation:accumulator", _ON_POOL.but(reduce_res=sbuf(128, 1)), _ONE.but(reduce_res=sbuf(128, 1)), "trn3"),
    Case("activate2:accumulator", _TWO.but(engine=engine.gpsimd, reduce_res=sbuf(128, 1)), _TWO.but(reduce_res=sbuf(128, 1)), "trn3"),
    Case("*:available", _TWO, _TWO, "trn2", "trn3"),
    Case("activate2:op activation function", _TWO.but(op=nl.add), _TWO.but(op=nl.mish), "trn3"),
    Case("activate2:dst data same elements", _TWO.but(dst=sbuf(128, 63)), _TWO.but(dst=psum(128, 64)), "trn3"),
    Case("activate2:imm0 imm1 relu_param reduce_res per partition", _TWO.but(imm0=sbuf(64, 1)), _TWO.but(imm0=sbuf(128, 1)), "trn3"),
    Case("activate2:imm0 imm1 equal dtypes", _TWO.but(imm0=sbuf(128, 1), imm1=_BF16), _TWO.but(imm0=_BF16, imm1=_BF16), "trn3"),
    Case("activate2:stages", _TWO.but(op0=nl.bypass), _TWO.but(op0=nl.bypass, op1=nl.bypass), "trn3"),
    Case("activate2:reversed stages", _TWO.but(op1=nl.bypass, reverse1=True), _TWO.but(op1=nl.bypass, reverse0=True), "trn3"),
    Case(
        "activate2:reduce operator",
        _TWO.but(reduce_op=nl.multiply, reduce_cmd=reduce_cmd.reduce),
        _TWO.but(reduce_op=nl.abs_min, reduce_cmd=reduce_cmd.reduce),
        "trn3",
    ),
    Case("activate2:reduction", _TWO.but(reduce_cmd=reduce_cmd.reset), _TWO.but(reduce_res=sbuf(128, 1)), "trn3"),
    Case(
        "activate2:reduce command",
        _TWO.but(reduce_op=nl.add, reduce_cmd=reduce_cmd.load_reduce),
        _TWO.but(reduce_op=nl.add, reduce_cmd=reduce_cmd.reset),
        "trn3",
    ),
)
