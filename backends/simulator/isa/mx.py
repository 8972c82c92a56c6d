"""Microscaled matrices: small floats, four in an element, and a power of two for each 8 partitions of them."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ..dtypes import from_float32, to_float32
from ..engines import engine as engines
from ..machine.arithmetic import flush_denormals, multiply_accumulate
from ..machine.columns import is_columns
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, PSUM, SBUF, first_partition, free_elements, in_dtypes, in_memory, requires
from .tensor_engine import store_product

__all__ = ["nc_matmul_mx", "quantize_mx"]

Float32 = NDArray[np.float32]

_ELEMENT: Final[dict[str, Any]] = {"float8_e5m2_x4": ml_dtypes.float8_e5m2, "float8_e4m3fn_x4": ml_dtypes.float8_e4m3fn}
_PACKED: Final = (*_ELEMENT, "float4_e2m1fn_x4")
_EXPONENT_MAX: Final = {"float8_e5m2_x4": 15, "float8_e4m3fn_x4": 8}
_SCALES: Final = ("float8_e8m0fnu", "uint8")
_FLOAT4: Final = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6], np.float32)
_QUADRANT, _BLOCK, _BIAS, _NAN = 32, 8, 127, 255


def _columns(view: NkiTensor) -> int:
    return free_elements(view)


def _scale_shape(i: Instruction, data: str, scale: str, most: int | None = None) -> Broken | None:
    """Scales of blocks are in the quadrant of their partitions: in the first four of it. A matmul does not look at more partitions."""
    rows, found = i[data].shape[0], i[scale].shape[0]
    good = rows - _QUADRANT + 4 <= found <= (most or rows) and _columns(i[scale]) == _columns(i[data])
    return None if good else Broken(i[scale].shape, f"({rows}, {_columns(i[data])}); of 32 partitions 4 are enough")


def _scale_start(i: Instruction) -> Broken | None:
    """Scales of several tiles share quadrants, four partitions each."""
    found = {name: first_partition(i[name]) for name in i.opcode.anywhere}
    wrong = [f"{name} from {first}" for name, first in found.items() if first % _QUADRANT not in (0, 4, 8, 12)]
    return Broken(", ".join(wrong), "0, 4, 8 or 12 within a quadrant") if wrong else None


def _quadrants(data: NkiTensor, scale: NkiTensor) -> list[NkiTensor]:
    return [scale.slice(0, start, start + _QUADRANT // _BLOCK) for start in range(0, data.shape[0], _QUADRANT)]


def _unpack(bits: NDArray[Any], dtype: str) -> Float32:
    """Float32 of shape (partitions, columns, 4); the first of four is in the low bits."""
    if dtype in _ELEMENT:
        small: NDArray[Any] = np.ascontiguousarray(bits).view(np.uint8).view(_ELEMENT[dtype]).reshape(*bits.shape, 4)
        return to_float32(small)
    nibbles = (bits[..., None] >> np.arange(0, 16, 4, dtype=np.uint16)) & np.uint16(15)
    sizes: Float32 = _FLOAT4[nibbles & 7]
    return np.where(nibbles & 8, -sizes, sizes)


def _dequantized(run: Run, i: Instruction, name: str) -> Float32:
    data, scale = i[name], i[f"{name}_scale"]
    values = _unpack(run.read(data).reshape(data.shape[0], -1), data.dtype)
    stored = _stored_scales(run, data, scale) if is_columns(scale) else [run.read(part) for part in _quadrants(data, scale)]
    bits = np.concatenate([np.ascontiguousarray(part).view(np.uint8).reshape(4, -1) for part in stored])
    powers = np.repeat(bits.astype(np.int32), _BLOCK, axis=0)[..., None]
    with np.errstate(over="ignore"):
        values = np.where(powers == _NAN, np.float32(np.nan), np.ldexp(values, powers - _BIAS))
    return np.ascontiguousarray(values.transpose(0, 2, 1)).reshape(-1, values.shape[1])


def _stored_scales(run: Run, data: NkiTensor, scale: NkiTensor) -> list[NDArray[Any]]:
    """Gather the scales of the columns that are gathered; the offsets are read once for both."""
    tile, offsets = scale.without_indirection(), np.broadcast_to(run.offsets(data), data.shape)
    starts = range(0, data.shape[0], _QUADRANT)
    return [run.gather(part, offsets[start : start + 4]) for start, part in zip(starts, _quadrants(data, tile), strict=True)]


def _matmul(run: Run, i: Instruction) -> None:
    operands = _dequantized(run, i, "stationary"), _dequantized(run, i, "moving")
    store_product(run, i, multiply_accumulate(*operands, run.knobs, bits=4))


def _rows(i: Instruction) -> Broken | None:
    found, limit = (i["stationary"].shape[0], i["moving"].shape[0]), (i["tile_size"] or (128, 128))[0]
    good = found[0] == found[1] and not found[0] % _QUADRANT and found[0] <= limit
    return None if good else Broken(found, f"equal, multiples of 32, at most {limit}")


def _moving(i: Instruction) -> Broken | None:
    limit = i.target.moving_max * (2 if i["dst"].dtype == "bfloat16" else 1)
    return Broken(_columns(i["moving"]), f"at most {limit}") if _columns(i["moving"]) > limit else None


def _tiling(i: Instruction) -> Broken | None:
    size, position = tuple(i["tile_size"] or ()), tuple(i["tile_position"] or ())
    rows = size[0] if size else 0
    good = rows in (32, 64, 128) and size[1:] == (128,) and position[1:] == (0,)
    if (not size and not position) or (good and not position[0] % rows and 0 <= position[0] < 128):
        return None
    return Broken(f"tile_size={size}, tile_position={position}", "(32, 64 or 128, 128) and (a multiple of that, 0)")


MATMUL_MX = Opcode(
    "nc_matmul_mx",
    writes=("dst",),
    reads=("stationary", "moving", "stationary_scale", "moving_scale"),
    engines=(engines.tensor,),
    execute=_matmul,
    since=4,
    anywhere=("stationary_scale", "moving_scale"),
    indirect=("dst", "stationary", "moving", "stationary_scale", "moving_scale"),
    rules=(
        in_memory("stationary moving stationary_scale moving_scale", SBUF),
        in_memory("dst", PSUM),
        in_dtypes("stationary moving", _PACKED),
        in_dtypes("stationary_scale moving_scale", _SCALES),
        in_dtypes("dst", ("float32", "bfloat16")),
        Rule("contraction", "stationary and moving have the same partitions, whole quadrants", ISA, _rows),
        requires(
            "stationary columns",
            "stationary has an even number of columns",
            lambda i: not _columns(i["stationary"]) % 2 and _columns(i["stationary"]) <= 128,
            "even, at most 128",
            lambda i: _columns(i["stationary"]),
        ),
        Rule("moving columns", "moving fits into PSUM", ISA, _moving),
        requires(
            "dst shape",
            "dst is (columns of stationary, columns of moving)",
            lambda i: (i["dst"].shape[0], _columns(i["dst"])) == (_columns(i["stationary"]), _columns(i["moving"])),
            "that",
            lambda i: i["dst"].shape,
        ),
        *(
            Rule(
                f"{name} scales",
                "scales lie as quantize_mx writes",
                ISA,
                partial(_scale_shape, data=name, scale=f"{name}_scale", most=128),
            )
            for name in ("stationary", "moving")
        ),
        Rule("scale start", "scales begin at the fours of a quadrant's first half", ISA, _scale_start),
        Rule("tiling", "tile_size and tile_position are set together and divide rows only", ISA, _tiling),
    ),
)


def nc_matmul_mx(
    dst: NkiTensor,
    stationary: NkiTensor,
    moving: NkiTensor,
    stationary_scale: NkiTensor,
    moving_scale: NkiTensor,
    tile_position: tuple[int, ...] | None = None,
    tile_size: tuple[int, ...] | None = None,
    accumulate: bool | None = None,
    name: str | None = None,
) -> NkiInstruction:
    """
    Multiply microscaled matrices: ``dst (+)= stationary.T @ moving`` over partitions and the four parts of an element.

    See `nki.isa.nc_matmul_mx`.

    Notes
    -----
    Values are scaled in float32 before they are multiplied. AWS does not say where the engine applies the scales.
    """
    return MATMUL_MX.issue(
        dst=dst,
        stationary=stationary,
        moving=moving,
        stationary_scale=stationary_scale,
        moving_scale=moving_scale,
        tile_position=tile_position,
        tile_size=tile_size,
        accumulate=accumulate,
        name=name,
    )


def _quantize(run: Run, i: Instruction) -> None:
    dst, src, scale = i["dst"], i["src"], i["dst_scale"]
    values = run.float32(src).reshape(src.shape[0] // _BLOCK, _BLOCK, -1, 4)
    if run.knobs.denormals_dve == "flush":
        values = flush_denormals(values.copy())
    largest = np.abs(values).max(axis=(1, 3), keepdims=True)
    good = np.isfinite(largest)
    exponent = np.frexp(np.where(good, largest, 1))[1] - 1 - (_EXPONENT_MAX[dst.dtype] - 1)
    exponent = np.where(largest == 0, -_BIAS, np.maximum(exponent, -_BIAS))
    small = np.where(good, np.ldexp(values, -exponent), np.float32(np.nan))
    packed = from_float32(small.astype(np.float32), dst.dtype.removesuffix("_x4"))
    run.write_bits(dst, np.ascontiguousarray(packed).view(np.uint32))
    bits = np.where(good, exponent + _BIAS, _NAN).astype(np.uint8).reshape(src.shape[0] // _BLOCK, -1)
    for quadrant, part in enumerate(_quadrants(src, scale)):
        stored = bits[4 * quadrant : 4 * quadrant + 4]
        run.write_bits(part, stored if scale.dtype == "uint8" else stored.view(ml_dtypes.float8_e8m0fnu))


QUANTIZE_MX = Opcode(
    "quantize_mx",
    writes=("dst", "dst_scale"),
    reads=("src",),
    engines=(engines.vector,),
    execute=_quantize,
    since=4,
    anywhere=("dst_scale",),
    rules=(
        in_memory("dst src dst_scale", SBUF),
        in_dtypes("src", ("float16", "bfloat16")),
        in_dtypes("dst", _ELEMENT),
        in_dtypes("dst_scale", _SCALES),
        requires(
            "src shape",
            "src has whole quadrants, and four columns for each of dst",
            lambda i: not i["src"].shape[0] % _QUADRANT and not _columns(i["src"]) % 4,
            "partitions a multiple of 32, columns of 4",
            lambda i: i["src"].shape,
        ),
        requires(
            "dst shape",
            "dst has the partitions of src and a quarter of its columns",
            lambda i: (i["dst"].shape[0], 4 * _columns(i["dst"])) == (i["src"].shape[0], _columns(i["src"])),
            "that",
            lambda i: i["dst"].shape,
        ),
        Rule("scale shape", "dst_scale has a scale in the quadrant of its block", ISA, lambda i: _scale_shape(i, "dst", "dst_scale")),
        Rule("scale start", "scales begin at the fours of a quadrant's first half", ISA, _scale_start),
    ),
)


def quantize_mx(dst: NkiTensor, src: NkiTensor, dst_scale: NkiTensor, name: str | None = None) -> NkiInstruction:
    """
    Quantize blocks of 8 partitions and 4 columns to small floats and a power of two.

    See `nki.isa.quantize_mx`.

    Notes
    -----
    The power is ``floor(log2(largest)) - (Emax - 1)``, at least -127. A block with NaN or infinity, which AWS does not
    describe, becomes NaN with the scale NaN, as OCP has it.
    """
    return QUANTIZE_MX.issue(dst=dst, src=src, dst_scale=dst_scale, name=name)
