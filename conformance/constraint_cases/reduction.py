"""Constraints of reductions, scans, two-operator instructions and statistics."""

from typing import Final

from ...backends.simulator import language as nl
from ...backends.simulator.engines import reduce_cmd
from .case import Call, Case, psum, sbuf

_I32, _ONE, _HALF = sbuf(128, 64, dtype="int32"), sbuf(128, 1), sbuf(128, 1, dtype="bfloat16")
_PSUM, _DEEP = psum(128, 64), sbuf(128, 2, 2, 2, 2)
_REDUCE = Call("tensor_reduce", dst=sbuf(128, 1), op=nl.add, data=sbuf(128, 64), axis=1)
_OF_BITS = _REDUCE.but(op=nl.bitwise_or, dst=sbuf(128, 1, dtype="int32"), data=_I32)
_TSR = Call("tensor_scalar_reduce", dst=sbuf(128, 64), data=sbuf(128, 64), op0=nl.add, operand0=1.0, reduce_op=nl.add, reduce_res=_ONE)
_EXP = Call("exponential", dst=sbuf(128, 64), src=sbuf(128, 64))
_SCAN = Call("tensor_tensor_scan", dst=sbuf(128, 64), data0=sbuf(128, 64), data1=sbuf(128, 64), initial=0.0, op0=nl.multiply, op1=nl.add)
_RUN = Call("tensor_scalar_cumulative", dst=sbuf(128, 64), src=sbuf(128, 64), op0=nl.multiply, op1=nl.add, imm0=1.0)
_STT = Call(
    "scalar_tensor_tensor", dst=sbuf(128, 64), data=sbuf(128, 64), op0=nl.multiply, operand0=2.0, op1=nl.add, operand1=sbuf(128, 64)
)
_STATS = Call("bn_stats", dst=sbuf(128, 6), data=sbuf(128, 512))
_AGGR = Call("bn_aggr", dst=sbuf(128, 2), data=sbuf(128, 6))
_DROP = Call("dropout", dst=sbuf(128, 64), data=sbuf(128, 64), prob=0.5)
_RECIPROCAL = Call("reciprocal", dst=sbuf(128, 64), data=sbuf(128, 64))
_LOAD, _KEEP = reduce_cmd.load_reduce, reduce_cmd.reduce
_VECTOR_OP = "arithmetic operator of the Vector Engine"

CASES: Final = (
    Case("tensor_reduce:op reduction operator", _REDUCE.but(op=nl.greater), _REDUCE.but(op=nl.logical_xor)),
    Case("tensor_reduce:axis", _REDUCE.but(axis=0), _REDUCE.but(axis=(1,))),
    Case(
        "tensor_reduce:axis",
        _REDUCE.but(data=sbuf(128, 2, 32), axis=1, dst=sbuf(128, 32)),
        _REDUCE.but(data=sbuf(128, 2, 32), axis=[2], dst=sbuf(128, 2, 1), keepdims=True),
    ),
    Case("tensor_reduce:dst elements", _REDUCE.but(dst=sbuf(128, 2)), _REDUCE.but(dst=psum(128, 1))),
    Case("tensor_reduce:integers for bits", _OF_BITS.but(dst=_ONE), _OF_BITS),
    Case("tensor_reduce:integers for bits", _OF_BITS.but(dst=sbuf(128, 1, dtype="int16")), _OF_BITS),
    Case("tensor_reduce:negate", _OF_BITS.but(negate=True), _REDUCE.but(negate=True)),
    Case(f"tensor_scalar_reduce:op0 {_VECTOR_OP}", _TSR.but(op0=nl.rsqrt), _TSR.but(op0=nl.abs, operand0=0)),
    Case(
        "tensor_scalar_reduce:reduce_op add, multiply, maximum or minimum", _TSR.but(reduce_op=nl.subtract), _TSR.but(reduce_op=nl.minimum)
    ),
    Case("tensor_scalar_reduce:dst data same elements", _TSR.but(dst=sbuf(128, 63)), _TSR.but(dst=sbuf(128, 8, 8))),
    Case(
        "tensor_scalar_reduce:operand0 reduce_res reduce_init per partition",
        _TSR.but(reduce_res=sbuf(128, 2)),
        _TSR.but(reduce_res=psum(128, 1), operand0=_ONE),
    ),
    Case("tensor_scalar_reduce:float operands", _TSR.but(operand0=_HALF), _TSR.but(reduce_res=_HALF)),
    Case("tensor_scalar_reduce:operand", _TSR.but(operand0=None), _TSR.but(op0=nl.abs, operand0=None)),
    Case("tensor_scalar_reduce:reduce command", _TSR.but(reduce_cmd=reduce_cmd.idle), _TSR.but(reduce_cmd=_KEEP, reduce_res=None)),
    Case("tensor_scalar_reduce:reduce_init is loaded", _TSR.but(reduce_init=1.0), _TSR.but(reduce_init=1.0, reduce_cmd=_LOAD)),
    Case("tensor_scalar_reduce:reduce_init is loaded", _TSR.but(reduce_cmd=_LOAD), _TSR.but(reduce_init=_ONE, reduce_cmd=_LOAD)),
    Case("tensor_scalar_reduce:reverse0", _TSR.but(reverse0=True), _TSR),
    Case("tensor_scalar_reduce:rank", _TSR.but(dst=_DEEP, data=_DEEP), _TSR.but(dst=_DEEP, data=sbuf(128, 2, 2, 4))),
    Case("*:available", _EXP, _EXP, "trn2", "trn3"),
    Case("exponential:dst src same elements", _EXP.but(dst=sbuf(64, 64)), _EXP.but(dst=psum(128, 64)), "trn3"),
    Case(
        "exponential:max_value reduce_res reduce_init per partition", _EXP.but(max_value=sbuf(128, 2)), _EXP.but(max_value=_ONE), "trn3"
    ),
    Case("exponential:dst dtype", _EXP.but(dst=sbuf(128, 64, dtype="uint32")), _EXP.but(dst=sbuf(128, 64, dtype="tfloat32")), "trn3"),
    Case("exponential:src dtype", _EXP.but(src=sbuf(128, 64, dtype="tfloat32")), _EXP.but(src=sbuf(128, 64, dtype="uint32")), "trn3"),
    Case(
        "exponential:reduce_res dtype",
        _EXP.but(reduce_res=sbuf(128, 1, dtype="int32"), reduce_cmd=reduce_cmd.reset_reduce),
        _EXP.but(reduce_res=_HALF, reduce_cmd=reduce_cmd.reset_reduce),
        "trn3",
    ),
    Case("exponential:float operands", _EXP.but(max_value=_HALF), _EXP.but(max_value=_ONE), "trn3"),
    Case("exponential:reduce command", _EXP.but(reduce_cmd=reduce_cmd.reset), _EXP.but(reduce_cmd=_KEEP), "trn3"),
    Case("exponential:reduce_init is loaded", _EXP.but(reduce_init=1.0), _EXP.but(reduce_init=1.0, reduce_cmd=_LOAD), "trn3"),
    Case(
        "exponential:reduce result",
        _EXP.but(reduce_res=_ONE),
        _EXP.but(reduce_res=_ONE, reduce_cmd=reduce_cmd.reset_reduce),
        "trn3",
    ),
    Case("exponential:rank", _EXP.but(dst=_DEEP, src=_DEEP), _EXP.but(dst=sbuf(128, 4, 4, 4)), "trn3"),
    Case(f"tensor_tensor_scan:op0 op1 binary {_VECTOR_OP}", _SCAN.but(op0=nl.abs), _SCAN.but(op0=nl.subtract)),
    Case("tensor_tensor_scan:dst data0 data1 same elements", _SCAN.but(data1=sbuf(128, 63)), _SCAN.but(data1=sbuf(128, 8, 8))),
    Case("tensor_tensor_scan:initial per partition", _SCAN.but(initial=sbuf(64, 1)), _SCAN.but(initial=_HALF)),
    Case("tensor_tensor_scan:data0 data1 not all in psum", _SCAN.but(data0=_PSUM, data1=_PSUM), _SCAN.but(data1=_PSUM)),
    Case(f"tensor_scalar_cumulative:op0 {_VECTOR_OP}", _RUN.but(op0=nl.bitwise_or), _RUN.but(op0=nl.greater)),
    Case(
        "tensor_scalar_cumulative:op1 add, subtract, multiply, maximum or minimum", _RUN.but(op1=nl.greater), _RUN.but(op1=nl.subtract)
    ),
    Case("tensor_scalar_cumulative:dst src same elements", _RUN.but(dst=sbuf(128, 63)), _RUN.but(dst=psum(128, 64))),
    Case("tensor_scalar_cumulative:imm0 imm1 per partition", _RUN.but(imm0=sbuf(64, 1)), _RUN.but(imm0=_ONE)),
    Case("tensor_scalar_cumulative:dst src dtype", _RUN.but(src=_I32), _RUN.but(src=sbuf(128, 64, dtype="uint16"))),
    Case("tensor_scalar_cumulative:float operands", _RUN.but(imm0=_HALF), _RUN.but(imm0=_ONE)),
    Case("tensor_scalar_cumulative:operand", _RUN.but(imm0=None), _RUN.but(op0=nl.abs, imm0=None)),
    Case("tensor_scalar_cumulative:reduce command", _RUN.but(reduce_cmd=reduce_cmd.idle), _RUN.but(reduce_cmd=_KEEP)),
    Case("tensor_scalar_cumulative:imm1 is loaded", _RUN.but(imm1=1.0), _RUN.but(imm1=_ONE, reduce_cmd=_LOAD)),
    Case(f"scalar_tensor_tensor:op0 {_VECTOR_OP}", _STT.but(op0=nl.left_shift), _STT.but(op0=nl.abs)),
    Case(f"scalar_tensor_tensor:op1 binary {_VECTOR_OP}", _STT.but(op1=nl.power), _STT.but(op1=nl.less)),
    Case("scalar_tensor_tensor:dst data operand1 same elements", _STT.but(operand1=_ONE), _STT.but(operand1=sbuf(128, 8, 8))),
    Case("scalar_tensor_tensor:operand0 per partition", _STT.but(operand0=sbuf(128, 64)), _STT.but(operand0=_HALF)),
    Case("scalar_tensor_tensor:data operand1 not all in psum", _STT.but(data=_PSUM, operand1=_PSUM), _STT.but(data=_PSUM)),
    Case("scalar_tensor_tensor:first operand", _STT.but(operand0=None), _STT.but(op0=nl.abs, operand0=None)),
    Case("reciprocal:dst data same elements", _RECIPROCAL.but(dst=sbuf(128, 63)), _RECIPROCAL.but(dst=psum(128, 64))),
    Case("bn_stats:partitions", _STATS.but(dst=sbuf(64, 6)), _STATS.but(dst=psum(128, 6))),
    Case("bn_stats:outputs", _STATS.but(dst=sbuf(128, 5)), _STATS.but(dst=sbuf(128, 2, 3))),
    Case("bn_stats:elements", _STATS.but(data=sbuf(128, 513)), _STATS),
    Case("bn_aggr:partitions", _AGGR.but(dst=sbuf(64, 2)), _AGGR),
    Case("bn_aggr:outputs", _AGGR.but(dst=sbuf(128, 6)), _AGGR),
    Case("bn_aggr:elements", _AGGR.but(data=sbuf(128, 7)), _AGGR.but(data=sbuf(128, 9))),
    Case("dropout:dst data same elements", _DROP.but(dst=sbuf(128, 63)), _DROP.but(dst=psum(128, 64))),
    Case("dropout:dst data equal dtypes", _DROP.but(dst=_I32), _DROP.but(dst=_I32, data=_I32)),
    Case("dropout:prob per partition", _DROP.but(prob=sbuf(64, 1)), _DROP.but(prob=_ONE)),
    Case("dropout:prob dtype", _DROP.but(dst=_I32, data=_I32, prob=_HALF), _DROP.but(prob=_HALF)),
    Case("dropout:prob", _DROP.but(prob=1.5), _DROP.but(prob=1.0)),
)
