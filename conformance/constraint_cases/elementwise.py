"""Constraints of elementwise instructions, copies and fills, activations, DMA and patterns."""

from typing import Final

from ...backends.simulator import language as nl
from ...backends.simulator.engines import dge_mode, engine, reduce_cmd
from .case import Call, Case, hbm, psum, sbuf

_TT = Call("tensor_tensor", dst=sbuf(128, 64), data1=sbuf(128, 64), data2=sbuf(128, 64), op=nl.add)
_TS = Call("tensor_scalar", dst=sbuf(128, 64), data=sbuf(128, 64), op0=nl.multiply, operand0=2.0)
_I32 = sbuf(128, 64, dtype="int32")
_ACT = Call("activation", dst=sbuf(128, 64), op=nl.exp, data=sbuf(128, 64))
_DMA = Call("dma_copy", dst=sbuf(128, 64), src=hbm(128, 64))
_IOTA = Call("iota", dst=sbuf(128, 64, dtype="int32"), pattern=[[1, 64]])
_COPY = Call("tensor_copy", dst=sbuf(128, 64), src=sbuf(128, 64))
_SET = Call("memset", dst=sbuf(128, 64, dtype="int8"), value=127)

CASES: Final = (
    Case("tensor_tensor:op binary operator", _TT.but(op=nl.exp), _TT.but(op=nl.logical_xor)),
    Case("tensor_tensor:dst data1 data2 same elements", _TT.but(data2=sbuf(128, 63)), _TT.but(data2=sbuf(128, 8, 8))),
    Case("tensor_tensor:data1 data2 not all in psum", _TT.but(data1=psum(128, 64), data2=psum(128, 64)), _TT.but(data1=psum(128, 64))),
    Case(
        "tensor_tensor:integers for bits",
        _TT.but(op=nl.bitwise_or, data1=_I32, data2=_I32),
        _TT.but(op=nl.bitwise_or, dst=_I32, data1=_I32, data2=_I32),
    ),
    Case(
        "tensor_tensor:integers for bits",
        _TT.but(op=nl.bitwise_or, dst=_I32, data1=_I32, data2=sbuf(128, 64, dtype="uint8")),
        _TT.but(op=nl.bitwise_or, dst=_I32, data1=_I32, data2=sbuf(128, 64, dtype="uint32")),
    ),
    Case("tensor_tensor:power", _TT.but(op=nl.power, engine=engine.vector), _TT.but(op=nl.power)),
    Case("tensor_scalar:op0 op1 ALU operator", _TS.but(op0=nl.tanh), _TS.but(op0=nl.abs, operand0=0)),
    Case("tensor_scalar:dst data same elements", _TS.but(dst=sbuf(64, 64)), _TS.but(dst=psum(128, 64))),
    Case("tensor_scalar:operand0 operand1 per partition", _TS.but(operand0=sbuf(128, 2)), _TS.but(operand0=psum(128, 1))),
    Case("tensor_scalar:second operator", _TS.but(op1=nl.add), _TS.but(op1=nl.add, operand1=1.0)),
    Case(
        "tensor_scalar:integers for bits",
        _TS.but(op0=nl.bitwise_and, operand0=1),
        _TS.but(op0=nl.bitwise_and, operand0=1, dst=_I32, data=_I32),
    ),
    Case(
        "tensor_scalar:float operands", _TS.but(operand0=sbuf(128, 1, dtype="int32")), _TS.but(operand0=sbuf(128, 1), data=_I32, dst=_I32)
    ),
    Case(
        "tensor_scalar:bit operands",
        _TS.but(op0=nl.bitwise_and, operand0=1.0, dst=_I32, data=_I32),
        _TS.but(op0=nl.bitwise_and, operand0=sbuf(128, 1, dtype="int32"), dst=_I32, data=_I32),
    ),
    Case(
        "tensor_scalar:bit operands",
        _TS.but(op0=nl.bitwise_and, operand0=2**32, dst=_I32, data=_I32),
        _TS.but(op0=nl.bitwise_and, operand0=2**32 - 1, dst=_I32, data=_I32),
    ),
    Case(
        "tensor_scalar:act operators",
        _TS.but(op0=nl.subtract, engine=engine.scalar),
        _TS.but(op1=nl.add, operand1=1.0, engine=engine.scalar),
    ),
    Case("tensor_scalar:gpsimd operators", _TS.but(engine=engine.gpsimd), _TS.but(op0=nl.rsqrt, operand0=0.0, engine=engine.gpsimd)),
    Case("tensor_copy:dst src same elements", _COPY.but(src=sbuf(128, 63)), _COPY.but(src=sbuf(128, 4, 16))),
    Case(
        "tensor_copy:tensor_copy on the Scalar Engine since v3",
        _COPY.but(engine=engine.scalar),
        _COPY.but(engine=engine.scalar),
        "trn1",
        "trn2",
    ),
    Case("memset:value", _SET.but(value=128), _SET),
    Case("memset:value", _SET.but(value=0.5), _SET.but(value=-128.0)),
    Case(
        "memset:packed zero",
        _SET.but(dst=sbuf(128, 4, dtype="float8_e5m2_x4"), value=1),
        _SET.but(dst=sbuf(128, 4, dtype="float8_e5m2_x4"), value=0),
    ),
    Case("activation:op activation function", _ACT.but(op=nl.add), _ACT.but(op=nl.copy)),
    Case("activation:dst data same elements", _ACT.but(dst=sbuf(128, 65)), _ACT.but(dst=psum(128, 64))),
    Case("activation:bias scale reduce_res per partition", _ACT.but(scale=sbuf(128, 64)), _ACT.but(scale=sbuf(128, 1), bias=sbuf(128, 1))),
    Case("activation:scale dtype", _ACT.but(scale=sbuf(128, 1, dtype="bfloat16")), _ACT.but(bias=sbuf(128, 1, dtype="bfloat16"))),
    Case("activation:bias dtype", _ACT.but(bias=sbuf(128, 1, dtype="tfloat32")), _ACT.but(bias=sbuf(128, 1, dtype="float16"))),
    Case("activation:a constant bias since v3", _ACT.but(bias=1.0), _ACT.but(bias=1.0), "trn1", "trn2"),
    Case("activation:reciprocal bias", _ACT.but(op=nl.reciprocal, bias=sbuf(128, 1)), _ACT.but(op=nl.reciprocal), "trn1"),
    Case(
        "activation:reduce operator",
        _ACT.but(reduce_op=nl.maximum),
        _ACT.but(reduce_op=nl.add, reduce_res=sbuf(128, 1), reduce_cmd=reduce_cmd.reset_reduce),
    ),
    Case("activation:reduce command", _ACT.but(reduce_cmd=reduce_cmd.load_reduce), _ACT.but(reduce_cmd=reduce_cmd.reset)),
    Case("dma_copy:dst src in sbuf or private_hbm or shared_hbm", _DMA.but(dst=psum(128, 64)), _DMA.but(src=sbuf(128, 64))),
    Case("dma_copy:elements", _DMA.but(src=hbm(128, 63)), _DMA.but(src=hbm(64, 128))),
    Case(
        "dma_copy:no negative strides",
        _DMA.but(src=hbm(128, 64, view=lambda t: t.ap([[64, 128], [-1, 64]], offset=63))),
        _DMA.but(src=hbm(128, 64, view=lambda t: t.ap([[64, 128], [0, 64]]))),
    ),
    Case("dma_copy:hwdge since v3", _DMA.but(dge_mode=dge_mode.hwdge), _DMA.but(dge_mode=dge_mode.hwdge), "trn1", "trn2"),
    Case(
        "dma_copy:dst src equal dtypes",
        _DMA.but(dge_mode=dge_mode.hwdge, dst=sbuf(128, 64, dtype="bfloat16")),
        _DMA.but(dst=sbuf(128, 64, dtype="bfloat16")),
    ),
    Case("dma_copy:queue", _DMA.but(engine=engine.sync), _DMA.but(engine=engine.sync, dge_mode=dge_mode.hwdge)),
    Case("dma_copy:DMA priority since v4", _DMA.but(priority=3), _DMA.but(priority=3), "trn2", "trn3"),
    Case("dma_copy:priority", _DMA.but(priority=4), _DMA.but(priority=0), "trn3"),
    Case("*:reaches", _IOTA.but(dst=psum(128, 64)), _IOTA),
    Case("iota:pattern", _IOTA.but(pattern=[[1, 1]] * 4 + [[1, 64]]), _IOTA.but(pattern=[[1, 1]] * 3 + [[1, 64]])),
    Case("iota:elements", _IOTA.but(pattern=[[1, 63]]), _IOTA.but(pattern=[[0, 2], [5, 32]])),
)
