"""Constraints of predicated instructions."""

from typing import Final

from ...backends.simulator import language as nl
from ...backends.simulator.engines import reduce_cmd
from .case import Call, Case, psum, sbuf

_U8 = sbuf(128, 64, dtype="uint8")
_PRED = Call("tensor_copy_predicated", dst=sbuf(128, 64), src=sbuf(128, 64), predicate=_U8)
_SEL = Call("select_reduce", dst=sbuf(128, 64), predicate=_U8, on_true=sbuf(128, 64), on_false=0.0)
_RED = _SEL.but(reduce_cmd=reduce_cmd.reset_reduce, reduce_res=sbuf(128, 1))
_RANGE = Call(
    "range_select",
    dst=sbuf(128, 64),
    on_true_tile=sbuf(128, 64),
    comp_op0=nl.greater_equal,
    comp_op1=nl.less,
    bound0=sbuf(128, 1),
    bound1=sbuf(128, 1),
    reduce_res=sbuf(128, 1),
)
_AFFINE = Call(
    "affine_select", dst=sbuf(128, 64), pattern=[[-1, 64]], channel_multiplier=1, on_true_tile=sbuf(128, 64), on_false_value=0.0
)

CASES: Final = (
    Case("tensor_copy_predicated:dst src predicate same elements", _PRED.but(src=sbuf(128, 63)), _PRED.but(src=sbuf(128, 8, 8))),
    Case("tensor_copy_predicated:predicate dtype", _PRED.but(predicate=sbuf(128, 64)), _PRED.but(predicate=sbuf(128, 64, dtype="uint32"))),
    Case("tensor_copy_predicated:dst src equal dtypes", _PRED.but(src=sbuf(128, 64, dtype="float16")), _PRED.but(src=1)),
    Case(
        "tensor_copy_predicated:src predicate not both in psum",
        _PRED.but(src=psum(128, 64), predicate=psum(128, 64, dtype="uint8")),
        _PRED.but(src=1.0, predicate=psum(128, 64, dtype="uint8")),
    ),
    Case(
        "tensor_copy_predicated:number",
        _PRED.but(dst=sbuf(128, 64, dtype="int8"), src=128),
        _PRED.but(dst=sbuf(128, 64, dtype="int8"), src=-128.0),
    ),
    Case("select_reduce:dst predicate on_true same elements", _SEL.but(dst=sbuf(128, 63)), _SEL.but(dst=psum(128, 64))),
    Case(
        "select_reduce:predicate dtype",
        _SEL.but(predicate=sbuf(128, 64, dtype="uint32")),
        _SEL.but(predicate=sbuf(128, 64, dtype="int16")),
    ),
    Case("select_reduce:on_true dtype", _SEL.but(on_true=sbuf(128, 64, dtype="int32")), _SEL.but(on_true=sbuf(128, 64, dtype="int16"))),
    Case("select_reduce:on_false reduce_res per partition", _SEL.but(on_false=sbuf(128, 64)), _SEL.but(on_false=sbuf(128, 1))),
    Case(
        "select_reduce:on_true predicate not both in psum",
        _SEL.but(on_true=psum(128, 64), predicate=psum(128, 64, dtype="uint8")),
        _SEL.but(on_true=psum(128, 64)),
    ),
    Case("select_reduce:reduce command", _RED.but(reduce_cmd=reduce_cmd.reset), _RED.but(reduce_cmd=reduce_cmd.reduce)),
    Case("select_reduce:reduce operator", _RED.but(reduce_op=nl.minimum), _RED.but(reduce_op=nl.maximum)),
    Case("select_reduce:reduce result", _RED.but(reduce_cmd=reduce_cmd.idle), _RED.but(reduce_res=None, reduce_cmd=reduce_cmd.idle)),
    Case(
        "select_reduce:reduce_res dtype",
        _RED.but(reduce_res=sbuf(128, 1, dtype="int32")),
        _RED.but(reduce_res=sbuf(128, 1, dtype="bfloat16")),
    ),
    Case("*:available", _RANGE, _RANGE, "trn1", "trn2"),
    Case(
        "range_select:comp_op0 comp_op1 comparison operator, but not not_equal",
        _RANGE.but(comp_op0=nl.not_equal),
        _RANGE.but(comp_op0=nl.equal),
    ),
    Case("range_select:dst on_true_tile same elements", _RANGE.but(dst=sbuf(128, 63)), _RANGE.but(dst=sbuf(128, 8, 8))),
    Case(
        "range_select:on_true_tile dtype",
        _RANGE.but(on_true_tile=sbuf(128, 64, dtype="int8")),
        _RANGE.but(on_true_tile=sbuf(128, 64, dtype="bfloat16")),
    ),
    Case("range_select:bound0 bound1 dtype", _RANGE.but(bound1=sbuf(128, 1, dtype="bfloat16")), _RANGE.but(bound1=psum(128, 1))),
    Case("range_select:bound0 bound1 reduce_res per partition", _RANGE.but(bound0=sbuf(128, 2)), _RANGE.but(bound0=sbuf(128, 1, 1))),
    Case("range_select:range", _RANGE.but(range_start=2**24 - 62), _RANGE.but(range_start=2**24 - 63)),
    Case("range_select:on_false_value", _RANGE.but(on_false_value=0.0), _RANGE.but(on_false_value=-3.4028235e38)),
    Case("range_select:reduce command", _RANGE.but(reduce_cmd=reduce_cmd.load_reduce), _RANGE.but(reduce_cmd=reduce_cmd.reset)),
    Case("range_select:reduce operator", _RANGE.but(reduce_op=nl.add), _RANGE.but(reduce_op=nl.maximum)),
    Case("range_select:reduce result", _RANGE.but(reduce_cmd=reduce_cmd.idle), _RANGE.but(reduce_cmd=reduce_cmd.idle, reduce_res=None)),
    Case(
        "range_select:reduce_res dtype",
        _RANGE.but(reduce_res=sbuf(128, 1, dtype="int32")),
        _RANGE.but(reduce_res=sbuf(128, 1, dtype="float16")),
    ),
    Case("affine_select:dst on_true_tile same elements", _AFFINE.but(on_true_tile=sbuf(64, 64)), _AFFINE.but(on_true_tile=sbuf(128, 8, 8))),
    Case("affine_select:cmp_op comparison operator", _AFFINE.but(cmp_op=nl.add), _AFFINE.but(cmp_op=nl.not_equal)),
    Case("affine_select:pattern", _AFFINE.but(pattern=[[1, 1]] * 4 + [[1, 64]]), _AFFINE.but(pattern=[[1, 1]] * 3 + [[1, 64]])),
    Case("affine_select:elements", _AFFINE.but(pattern=[[1, 63]]), _AFFINE.but(pattern=[[0, 2], [5, 32]])),
    Case("affine_select:on_false_value", _AFFINE.but(on_false_value="-inf"), _AFFINE.but(on_false_value=-float("inf"))),
)
