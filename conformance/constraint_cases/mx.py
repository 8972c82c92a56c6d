"""Constraints of microscaled matrices."""

from typing import Final

from .case import Call, Case, Operand, psum, sbuf

_X4 = "float8_e4m3fn_x4"


def _data(rows: int, columns: int, dtype: str = _X4) -> Operand:
    return sbuf(rows, columns, dtype=dtype)


def _scales(rows: int, columns: int, dtype: str = "float8_e8m0fnu") -> Operand:
    return sbuf(rows, columns, dtype=dtype)


def _scales_from(first: int) -> Operand:
    """Scales of 32 partitions and 64 columns that share their tile."""
    return sbuf(32, 64, dtype="uint8", view=lambda tensor: tensor[first : first + 4])


def _product(rows: int, m: int, n: int, scales: int | None = None) -> Call:
    """Product of tiles, by default with as many partitions of scales."""
    scales = rows if scales is None else scales
    return Call(
        "nc_matmul_mx",
        dst=psum(m, n),
        stationary=_data(rows, m),
        moving=_data(rows, n),
        stationary_scale=_scales(scales, m),
        moving_scale=_scales(scales, n),
    )


_MM = _product(128, 128, 512)
_ROWS = _product(32, 128, 512).but(tile_size=(32, 128), tile_position=(96, 0))
_Q = Call("quantize_mx", dst=_data(128, 64), src=sbuf(128, 256, dtype="bfloat16"), dst_scale=_scales(128, 64))
_Q32 = Call("quantize_mx", dst=_data(32, 64), src=sbuf(32, 256, dtype="bfloat16"), dst_scale=_scales(32, 64))

CASES: Final = (
    Case("*:available", _MM, _MM, "trn2", "trn3"),
    Case("*:available", _Q, _Q, "trn2", "trn3"),
    Case("nc_matmul_mx:stationary moving stationary_scale moving_scale in sbuf", _MM.but(moving=psum(128, 512, dtype=_X4)), _MM, "trn3"),
    Case("nc_matmul_mx:dst in psum", _MM.but(dst=sbuf(128, 512)), _MM, "trn3"),
    Case(
        "nc_matmul_mx:stationary moving dtype",
        _MM.but(moving=_data(128, 512, "float8_e4m3fn")),
        _MM.but(moving=_data(128, 512, "float4_e2m1fn_x4")),
        "trn3",
    ),
    Case(
        "nc_matmul_mx:stationary_scale moving_scale dtype",
        _MM.but(moving_scale=_scales(128, 512, "int8")),
        _MM.but(moving_scale=_scales(128, 512, "uint8")),
        "trn3",
    ),
    Case("nc_matmul_mx:dst dtype", _MM.but(dst=psum(128, 512, dtype="float16")), _MM.but(dst=psum(128, 512, dtype="bfloat16")), "trn3"),
    Case("nc_matmul_mx:contraction", _product(16, 128, 512), _product(96, 128, 512), "trn3"),
    Case("nc_matmul_mx:stationary columns", _product(128, 127, 512), _product(128, 126, 512), "trn3"),
    Case("nc_matmul_mx:moving columns", _product(128, 128, 4097), _product(128, 128, 4096), "trn3"),
    Case("nc_matmul_mx:dst shape", _MM.but(dst=psum(128, 511)), _MM, "trn3"),
    Case("nc_matmul_mx:stationary scales", _MM.but(stationary_scale=_scales(16, 128)), _MM.but(stationary_scale=_scales(100, 128)), "trn3"),
    Case("nc_matmul_mx:moving scales", _product(32, 64, 64, 128).but(moving_scale=_scales(128, 63)), _product(32, 64, 64, 128), "trn3"),
    Case("nc_matmul_mx:moving scales", _product(32, 128, 512).but(moving_scale=_scales(3, 512)), _product(32, 128, 512, 4), "trn3"),
    Case("nc_matmul_mx:tiling", _ROWS.but(tile_position=(80, 0)), _ROWS, "trn3"),
    Case("nc_matmul_mx:tiling", _ROWS.but(tile_size=(32, 64)), _ROWS, "trn3"),
    Case("quantize_mx:dst src dst_scale in sbuf", _Q.but(src=psum(128, 256, dtype="bfloat16")), _Q, "trn3"),
    Case("quantize_mx:src dtype", _Q.but(src=sbuf(128, 256)), _Q.but(src=sbuf(128, 256, dtype="float16")), "trn3"),
    Case("quantize_mx:dst dtype", _Q.but(dst=_data(128, 64, "float4_e2m1fn_x4")), _Q.but(dst=_data(128, 64, "float8_e5m2_x4")), "trn3"),
    Case("quantize_mx:dst_scale dtype", _Q.but(dst_scale=_scales(128, 64, "int8")), _Q.but(dst_scale=_scales(128, 64, "uint8")), "trn3"),
    Case("quantize_mx:src shape", _Q.but(src=sbuf(128, 255, dtype="bfloat16")), _Q, "trn3"),
    Case("quantize_mx:dst shape", _Q.but(dst=_data(128, 63)), _Q, "trn3"),
    Case("quantize_mx:scale shape", _Q.but(dst_scale=_scales(99, 64)), _Q.but(dst_scale=_scales(100, 64)), "trn3"),
    Case(
        "nc_matmul_mx:scale start",
        _product(32, 64, 64).but(moving_scale=_scales_from(2)),
        _product(32, 64, 64).but(moving_scale=_scales_from(12)),
        "trn3",
    ),
    Case("quantize_mx:scale start", _Q32.but(dst_scale=_scales_from(16)), _Q32.but(dst_scale=_scales_from(12)), "trn3"),
)
