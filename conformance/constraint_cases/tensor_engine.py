"""Constraints of the Tensor Engine."""

from typing import Final

from ...backends.simulator.engines import engine, matmul_perf_mode
from .case import Call, Case, psum, sbuf

_F8 = "float8_e4m3"
_MATMUL = Call("nc_matmul", dst=psum(128, 512), stationary=sbuf(128, 128), moving=sbuf(128, 512))
_DOUBLE = Call(
    "nc_matmul",
    dst=psum(64, 32),
    stationary=sbuf(128, 2, 64, dtype=_F8),
    moving=sbuf(128, 2, 32, dtype=_F8),
    perf_mode=matmul_perf_mode.double_row,
)
_TRANSPOSE = Call("nc_transpose", dst=psum(64, 128), data=sbuf(128, 64))


def _pair(left: str, right: str) -> Call:
    return _MATMUL.but(stationary=sbuf(128, 128, dtype=left), moving=sbuf(128, 512, dtype=right))


CASES: Final = (
    Case("nc_matmul:stationary moving in sbuf", _MATMUL.but(moving=psum(128, 512)), _MATMUL),
    Case("nc_matmul:dst in psum", _MATMUL.but(dst=sbuf(128, 512)), _MATMUL),
    Case("nc_matmul:stationary moving dtype", _pair("int32", "int32"), _pair("float8_e5m2", "float16")),
    Case("nc_matmul:float8_e4m3fn since v4", _pair("float8_e4m3fn", "bfloat16"), _pair("float8_e4m3fn", "bfloat16"), "trn2", "trn3"),
    Case("nc_matmul:fp8 kinds", _pair("float8_e4m3fn", "float8_e4m3"), _pair("float8_e4m3fn", "float8_e5m2"), "trn3"),
    Case("nc_matmul:wide pair", _pair("float32", "bfloat16"), _pair("float32", "tfloat32")),
    Case("nc_matmul:contraction", _MATMUL.but(moving=sbuf(64, 512)), _MATMUL.but(stationary=sbuf(64, 128), moving=sbuf(64, 512))),
    Case("nc_matmul:stationary columns", _MATMUL.but(stationary=sbuf(128, 129)), _MATMUL),
    Case("nc_matmul:moving columns", _MATMUL.but(dst=psum(128, 513), moving=sbuf(128, 513)), _MATMUL),
    Case(
        "nc_matmul:moving columns",
        _MATMUL.but(dst=psum(128, 4097), moving=sbuf(128, 4097)),
        _MATMUL.but(dst=psum(128, 4096), moving=sbuf(128, 4096)),
        "trn3",
    ),
    Case("nc_matmul:dst shape", _MATMUL.but(dst=psum(128, 511)), _MATMUL),
    Case(
        "nc_matmul:dst dtype",
        _MATMUL.but(dst=psum(128, 512, dtype="bfloat16")),
        _MATMUL.but(dst=psum(128, 512, dtype="bfloat16")),
        "trn2",
        "trn3",
    ),
    Case(
        "nc_matmul:tiling",
        _MATMUL.but(stationary=sbuf(32, 128), moving=sbuf(32, 512), tile_size=(32, 128), tile_position=(48, 0)),
        _MATMUL.but(stationary=sbuf(32, 128), moving=sbuf(32, 512), tile_size=(32, 128), tile_position=(96, 0)),
    ),
    Case("nc_matmul:double_row since v3", _DOUBLE, _DOUBLE, "trn1", "trn2"),
    Case("nc_matmul:double_row fp8", _DOUBLE.but(stationary=sbuf(128, 2, 64, dtype="bfloat16")), _DOUBLE),
    Case("nc_matmul:double_row shape", _DOUBLE.but(stationary=sbuf(128, 128, dtype=_F8)), _DOUBLE),
    Case(
        "nc_matmul:double_row columns",
        _DOUBLE.but(tile_size=(128, 64), tile_position=(0, 0)),
        _DOUBLE.but(tile_size=(128, 128), tile_position=(0, 0)),
    ),
    Case("nc_transpose:dst data equal dtypes", _TRANSPOSE.but(dst=psum(64, 128, dtype="bfloat16")), _TRANSPOSE),
    Case("nc_transpose:dst shape", _TRANSPOSE.but(dst=psum(128, 64)), _TRANSPOSE),
    Case(
        "nc_transpose:tile size",
        _TRANSPOSE.but(engine=engine.vector),
        _TRANSPOSE.but(dst=sbuf(32, 32), data=sbuf(32, 32), engine=engine.vector),
    ),
    Case("nc_transpose:memories", _TRANSPOSE.but(dst=sbuf(64, 128), engine=engine.tensor), _TRANSPOSE.but(engine=engine.tensor)),
)
