"""The language, by NKI's names: stands in for ``nki.language``. Operators serve as functions and as `op=`."""

from typing import Final, NoReturn

from ..tensor.indexing import ds
from ..tensor.nkitensor import NkiTensor
from ..tensor.objects import NKIObject
from ..tensor.storage import MemoryRegion
from .composed import ceil, cos, divide, floor, fmod, logical_not, mod, negative, tan, trunc, where
from .creation import full, ndarray, ones, shared_constant, shared_identity_matrix, zeros, zeros_like
from .elementwise import FUNCTIONS
from .grids import NkiBlockGrid, NkiGrid, NkiTileGrid, alloc_blocks, alloc_tiles, blocks, empty_like, tiles
from .loops import affine_range, dynamic_range, fori_loop, no_reorder, sequential_range, static_range, while_loop
from .movement import broadcast_to, expand_dims, gather_flattened, load, load_transpose2d, matmul, store, transpose
from .program_model import _TileSize, device_print, is_hbm, is_on_chip, is_psum, is_sbuf, num_programs, program_id, program_ndim, tile_size
from .random import dropout, rand, random_seed
from .reductions import all, max, mean, min, prod, rms_norm, softmax, sum, var

DType = str
bool_, int8, int16, int32, int64 = "bool_", "int8", "int16", "int32", "int64"
uint8, uint16, uint32 = "uint8", "uint16", "uint32"
float16, bfloat16, tfloat32, float32 = "float16", "bfloat16", "tfloat32", "float32"
float8_e4m3, float8_e4m3fn, float8_e5m2, float8_e8m0fnu = "float8_e4m3", "float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu"
float8_e4m3fn_x4, float8_e5m2_x4, float4_e2m1fn_x4 = "float8_e4m3fn_x4", "float8_e5m2_x4", "float4_e2m1fn_x4"

sbuf, psum = MemoryRegion.sbuf, MemoryRegion.psum
private_hbm, shared_hbm = MemoryRegion.private_hbm, MemoryRegion.shared_hbm
hbm = private_hbm

add, subtract, multiply = FUNCTIONS["add"], FUNCTIONS["subtract"], FUNCTIONS["multiply"]
maximum, minimum, power = FUNCTIONS["maximum"], FUNCTIONS["minimum"], FUNCTIONS["power"]
abs_max, abs_min = FUNCTIONS["abs_max"], FUNCTIONS["abs_min"]
equal, not_equal = FUNCTIONS["equal"], FUNCTIONS["not_equal"]
greater, greater_equal, less, less_equal = FUNCTIONS["greater"], FUNCTIONS["greater_equal"], FUNCTIONS["less"], FUNCTIONS["less_equal"]
logical_and, logical_or, logical_xor = FUNCTIONS["logical_and"], FUNCTIONS["logical_or"], FUNCTIONS["logical_xor"]
bitwise_and, bitwise_or, bitwise_xor = FUNCTIONS["bitwise_and"], FUNCTIONS["bitwise_or"], FUNCTIONS["bitwise_xor"]
left_shift, right_shift, invert = FUNCTIONS["left_shift"], FUNCTIONS["right_shift"], FUNCTIONS["invert"]
abs, square, relu, sign = FUNCTIONS["abs"], FUNCTIONS["square"], FUNCTIONS["relu"], FUNCTIONS["sign"]
rsqrt, reciprocal, sqrt, copy = FUNCTIONS["rsqrt"], FUNCTIONS["reciprocal"], FUNCTIONS["sqrt"], FUNCTIONS["copy"]
exp, log, tanh, sigmoid = FUNCTIONS["exp"], FUNCTIONS["log"], FUNCTIONS["tanh"], FUNCTIONS["sigmoid"]
gelu, gelu_dx, gelu_apprx_tanh = FUNCTIONS["gelu"], FUNCTIONS["gelu_dx"], FUNCTIONS["gelu_apprx_tanh"]
gelu_apprx_sigmoid, gelu_apprx_sigmoid_dx = FUNCTIONS["gelu_apprx_sigmoid"], FUNCTIONS["gelu_apprx_sigmoid_dx"]
silu, silu_dx, erf, erf_dx = FUNCTIONS["silu"], FUNCTIONS["silu_dx"], FUNCTIONS["erf"], FUNCTIONS["erf_dx"]
softplus, mish, arctan, prelu = FUNCTIONS["softplus"], FUNCTIONS["mish"], FUNCTIONS["arctan"], FUNCTIONS["prelu"]
average, bypass, sin = FUNCTIONS["average"], FUNCTIONS["bypass"], FUNCTIONS["sin"]

__all__ = [
    "DType",
    "MemoryRegion",
    "NKIObject",
    "NkiBlockGrid",
    "NkiGrid",
    "NkiTensor",
    "NkiTileGrid",
    "_TileSize",
    "abs",
    "abs_max",
    "abs_min",
    "add",
    "affine_range",
    "all",
    "alloc_blocks",
    "alloc_tiles",
    "arctan",
    "average",
    "bfloat16",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "blocks",
    "bool_",
    "broadcast_to",
    "bypass",
    "ceil",
    "copy",
    "cos",
    "device_print",
    "divide",
    "dropout",
    "ds",
    "dynamic_range",
    "empty_like",
    "equal",
    "erf",
    "erf_dx",
    "exp",
    "expand_dims",
    "float4_e2m1fn_x4",
    "float8_e4m3",
    "float8_e4m3fn",
    "float8_e4m3fn_x4",
    "float8_e5m2",
    "float8_e5m2_x4",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "floor",
    "fmod",
    "fori_loop",
    "full",
    "gather_flattened",
    "gelu",
    "gelu_apprx_sigmoid",
    "gelu_apprx_sigmoid_dx",
    "gelu_apprx_tanh",
    "gelu_dx",
    "greater",
    "greater_equal",
    "hbm",
    "int8",
    "int16",
    "int32",
    "int64",
    "invert",
    "is_hbm",
    "is_on_chip",
    "is_psum",
    "is_sbuf",
    "left_shift",
    "less",
    "less_equal",
    "load",
    "load_transpose2d",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "matmul",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mish",
    "mod",
    "multiply",
    "ndarray",
    "negative",
    "no_reorder",
    "not_equal",
    "num_programs",
    "ones",
    "power",
    "prelu",
    "private_hbm",
    "prod",
    "program_id",
    "program_ndim",
    "psum",
    "rand",
    "random_seed",
    "reciprocal",
    "relu",
    "right_shift",
    "rms_norm",
    "rsqrt",
    "sbuf",
    "sequential_range",
    "shared_constant",
    "shared_hbm",
    "shared_identity_matrix",
    "sigmoid",
    "sign",
    "silu",
    "silu_dx",
    "sin",
    "softmax",
    "softplus",
    "sqrt",
    "square",
    "static_range",
    "store",
    "subtract",
    "sum",
    "tan",
    "tanh",
    "tfloat32",
    "tile_size",
    "tiles",
    "transpose",
    "trunc",
    "uint8",
    "uint16",
    "uint32",
    "var",
    "where",
    "while_loop",
    "zeros",
    "zeros_like",
]

# Names of Beta 1 (neuronxcc.nki, SDK 2.26 and before)
_REMOVED: Final = {
    **dict.fromkeys(
        ("arange", "mgrid"), "index grids are gone since NKI 0.1 (SDK 2.27); slice tensors, as in x[:, 0:512], or use their method ap()"
    ),
    "par_dim": "the first axis is the partition axis since NKI 0.1 (SDK 2.27); write the shape without it, as in (128, 512)",
}


def __getattr__(name: str) -> NoReturn:
    """Say what replaces a name that NKI does not have any more."""
    reason = _REMOVED.get(name)
    raise AttributeError(f"module 'nki.language' has no attribute {name!r}" + (f": {reason}" if reason else ""))
