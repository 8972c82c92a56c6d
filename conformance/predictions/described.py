"""
Published times of kernels that are described: each is predicted by a kernel of ours that does the same.

The tuning logs on trn2 show two physical cores at work: in them the Tensor Engine multiplies 151 Tflop/s of bfloat16 and 38.8 of float32,
the Scalar Engine passes 2.24 elements per ns of a partition, and DMA moves 835 GB/s, each twice what documents give one core. A product of
4096 x 1024 x 2048 in 471 us, which looked like another mode of the compiler, is one of them; it is neither fitted to nor tested. So what is
predicted is one core's half of the tiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple

from ...backends.simulator import Abstract, Kernel
from . import products, streams
from .published import Published

__all__ = ["DESCRIBED"]

_FLOAT: Final = "float32"
_STATIC: Final = "neuronxcc.nki, --disable-dge --logical-nc-config=1"
Arguments = Mapping[str, Abstract | int]


class _Variant(NamedTuple):
    """A variant, its time in us, the kernel that does the same, and how often that repeats."""

    name: str
    time: float
    kernel: Kernel
    arguments: Arguments
    repeats: float = 1.0


def _rows(
    family: str, target: Literal["trn1", "trn2"], source: str, variants: Sequence[_Variant], tools: str = "neuronxcc.nki", cores: int = 1
) -> list[Published]:
    return [
        Published(
            name=f"{family}, {variant.name}, {target}",
            family=family,
            source=source,
            target=target,
            seconds=1e-6 * variant.time,
            kernel=variant.kernel,
            arguments=variant.arguments,
            tools=tools,
            repeats=variant.repeats,
            cores=cores,
        )
        for variant in variants
    ]


def _tuned(family: str, folder: str, variants: Sequence[_Variant]) -> list[Published]:
    source = f"Jerry2423/kda-for-trainium, workspaces/{folder}/benchmark.csv"
    return _rows(family, "trn2", source, variants, _STATIC, cores=2)


def _wide(*shape: int) -> Abstract:
    return Abstract(shape, _FLOAT)


def _adds(by_row: float, tiles: float, pairs: float, whole: float, halves: float, at_once: float) -> list[_Variant]:
    """List additions of 25,600 and 256,000 elements."""
    single, rows, small, large = _wide(640, 1, 1), _wide(200, 128, 1), _wide(128, 200), _wide(128, 2000)
    return [
        _Variant("25,600 as 1 x 1", by_row, streams.add_rows, {"a": single, "b": single}, 40),
        _Variant("25,600 as 128 x 1", tiles, streams.add_rows, {"a": rows, "b": rows}),
        _Variant("25,600 as 128 x 2", pairs, streams.add_columns, {"a": small, "b": small, "columns": 2}),
        _Variant("25,600 as 128 x 200", whole, streams.add_columns, {"a": small, "b": small, "columns": 200}),
        _Variant("256,000 as 128 x 1000", halves, streams.add_columns, {"a": large, "b": large, "columns": 1000}),
        _Variant("256,000 as 128 x 2000", at_once, streams.add_columns, {"a": large, "b": large, "columns": 2000}),
    ]


def _silu(name: str, milliseconds: float, tiles: int, columns: int, repeats: float = 1.0, *, in_place: bool = False) -> _Variant:
    arguments: Arguments = {"x": _wide(128, tiles, columns), "in_place": in_place}
    return _Variant(name, 1e3 * milliseconds, streams.silu, arguments, repeats)


def _adamw(columns: int, milliseconds: float) -> _Variant:
    operand = _wide(128, -(-175104 // columns // 2), columns)
    return _Variant(f"{columns} columns", 1e3 * milliseconds, streams.adamw, dict.fromkeys(("theta", "g", "m", "v"), operand))


def _rope(name: str, milliseconds: float, columns: int, packed: bool, by_product: bool = False) -> _Variant:
    """List a kernel over 2^18 columns: a quarter of one core's half is traced."""
    table = _wide(64, 32768)
    arguments: dict[str, Abstract | int] = {"x": _wide(128, 32768), "cos": table, "sin": table, "columns": columns}
    if packed:
        arguments |= {"swap": _wide(128, 128), "by_product": by_product}
    return _Variant(name, 1e3 * milliseconds, streams.rotate_packed if packed else streams.rotate_halves, arguments, 4)


def _convolution(name: str, milliseconds: float, together: int, taps_in_psum: bool) -> _Variant:
    """List a kernel over 32 tiles of 128 channels by 2048, some of which are traced."""
    tiles = min(2 * together, 8)
    arguments: Arguments = {"image": _wide(tiles, 128, 2048), "taps": _wide(128, 3), "together": together, "taps_in_psum": taps_in_psum}
    return _Variant(name, 1e3 * milliseconds, streams.convolve, arguments, 32 / tiles)


def _transposed(name: str, milliseconds: float, rows: int, split: bool, repeats: float) -> _Variant:
    arguments: Arguments = {"lhs": _wide(128, 16, rows), "rhs": _wide(128, 16, 10944), "chunk": 456, "split": split}
    return _Variant(name, 1e3 * milliseconds, products.transposed_product, arguments, repeats)


def _blocked(tiles: int, milliseconds: float) -> _Variant:
    """List a kernel by blocks of so many row tiles; one core has 16 of the 32."""
    arguments: Arguments = {"lhs": _wide(tiles, 128, 5120), "rhs": _wide(40, 128, 12288), "identity": _wide(128, 128)}
    return _Variant(f"blocks of {tiles}", 1e3 * milliseconds, products.blocked_product, arguments, 16 / tiles)


def _low_rank(name: str, milliseconds: float, tiles: int, chunk: int, split: bool = False) -> _Variant:
    """List a product with one of rank 128 added to it, by blocks of so many row tiles; one core has 16 of the 32."""
    operands = {"lhs": _wide(tiles, 128, 5120), "rhs": _wide(40, 128, 12288), "identity": _wide(128, 128)}
    more = {"down": _wide(40, 128, 128), "up": _wide(128, 12288)}
    arguments: Arguments = {**operands, **more, "chunk": chunk, "split": split}
    return _Variant(name, 1e3 * milliseconds, products.blocked_product, arguments, 16 / tiles)


def _batched(name: str, milliseconds: float, ahead: int, wide: int = 1, softmax: bool = False) -> _Variant:
    """List a kernel over 16 batches: two of one core's 8 are traced."""
    operands = {"lhs": _wide(2, 4096, 64), "rhs": _wide(2, 64, 4096), "identity": _wide(128, 128)}
    arguments: Arguments = {**operands, "ahead": ahead, "wide": wide, "softmax": softmax}
    return _Variant(name, 1e3 * milliseconds, products.batched_product, arguments, 4)


def _of_normalized(name: str, milliseconds: float, split: bool, more: bool = False) -> _Variant:
    x = _wide(2048, 1024)
    arguments: dict[str, Abstract | int] = {"x": x, "w": _wide(8, 128, 2048), "identity": _wide(128, 128), "split": split}
    return _Variant(name, 1e3 * milliseconds, products.product_of_normalized, arguments | ({"more": x} if more else {}))


def _normalized(name: str, milliseconds: float, split: bool) -> _Variant:
    square = _wide(2048, 2048)
    operands = {"x": square, "w": _wide(16, 128, 2048), "z": square, "g": _wide(128, 2048), "identity": _wide(128, 128)}
    return _Variant(name, 1e3 * milliseconds, products.product_normalized, {**operands, "split": split})


def _copied(rows: int, columns: int, microseconds: float) -> _Variant:
    return _Variant(f"{rows} x {columns}", microseconds, streams.copy, {"a": Abstract((rows, columns), "bfloat16")})


_UNFUSED: Final = "seven chunks of 1024 columns, four instructions"
_CS149: Final = "Stanford CS149, assignment 4 of {}"

DESCRIBED: Final[Sequence[Published]] = (
    *_rows(
        "vector add",
        "trn2",
        f"xaviergonzalez/asst4-trainium2, writeup.md ({_CS149.format(2025)})",
        _adds(37308, 378, 186, 15, 26, 28),
    ),
    *_rows("vector add", "trn1", f"robertpare17/asst4-trainium, writeup ({_CS149.format(2024)})", _adds(27404, 206, 53, 19, 30, 34)),
    *_rows(
        "tiled transpose",
        "trn2",
        f"xaviergonzalez/asst4-trainium2, writeup.md ({_CS149.format(2025)})",
        [_Variant("1024 x 1024", 86, streams.transpose_tiles, {"a": _wide(1024, 1024)})],
    ),
    *_rows(
        "tiled copy",
        "trn2",
        "docstring of a bandwidth floor (copy_floor.py) beside RMSNorm kernels; the instance is not named",
        [_copied(4096, 128, 51.6), _copied(256, 4096, 20.5)],
        "nki 0.x",
    ),
    *_tuned(
        "silu",
        "silu",
        [
            _silu("whole slices", 0.3009, 16, 7168),
            _silu("two slices", 0.3350, 8, 2 * 7168),
            _silu("three slices", 0.7729, 5, 3 * 7168, 16 / 15),
            _silu("four slices in place", 0.3971, 4, 4 * 7168, in_place=True),
            _silu("half slices", 0.3001, 32, 3584),
            _silu("quarters", 0.2981, 64, 1792),
            _silu("sevenths", 0.2940, 112, 1024),
            _silu("eighths", 0.3105, 128, 896),
        ],
    ),
    *_rows(
        "silu",
        "trn1",
        "zhang677/AccelOpt, experiments/full_complete_local/profile_results.csv",
        [_Variant(_UNFUSED, 1333.2, streams.silu_unfused, {"x": _wide(128, 112, 1024)}, 2)],
        _STATIC,
    ),
    *_rows(
        "silu",
        "trn2",
        "Jerry2423/kda-for-trainium, baselines.json",
        [_Variant(_UNFUSED, 1022.4, streams.silu_unfused, {"x": _wide(128, 112, 1024)})],
        _STATIC,
        2,
    ),
    *_tuned(
        "adamw",
        "adamw",
        [
            _adamw(512, 0.7768),
            _adamw(576, 0.5839),
            _adamw(608, 0.5860),
            _adamw(684, 0.6390),
            _adamw(768, 0.7517),
            _adamw(912, 0.5606),
            _adamw(1024, 0.5921),
            _adamw(1152, 0.6834),
            _adamw(1216, 0.5601),
            _adamw(1368, 0.5825),
            _adamw(1536, 0.6515),
            _adamw(1824, 0.5474),
            _adamw(2304, 0.6105),
        ],
    ),
    *_tuned(
        "rotary embedding",
        "rope_single_freq_apply",
        [
            _rope("halves, 512 columns", 1.0335, 512, packed=False),
            _rope("halves, 1024 columns", 1.0350, 1024, packed=False),
            _rope("halves, 2048 columns", 0.9445, 2048, packed=False),
            _rope("halves, 4096 columns", 1.0223, 4096, packed=False),
            _rope("packed, 256 columns", 0.7335, 256, packed=True),
            _rope("packed, 512 columns", 0.7337, 512, packed=True),
            _rope("packed, 1024 columns", 0.7931, 1024, packed=True),
            _rope("packed, 2048 columns", 0.7801, 2048, packed=True),
            _rope("packed, 4096 columns", 0.7812, 4096, packed=True),
            _rope("packed by a product, 128 columns", 0.6986, 128, packed=True, by_product=True),
            _rope("packed by a product, 256 columns", 0.6870, 256, packed=True, by_product=True),
            _rope("packed by a product, 512 columns", 0.6960, 512, packed=True, by_product=True),
        ],
    ),
    *_rows(
        "depthwise convolution",
        "trn1",
        "ucb-bar/autocomp, examples/trn-advanced/4_conv1d_trace.py, and its authors' post on conv1d of November 2025",
        [
            _convolution("element by element", 8.007, 1, taps_in_psum=False),
            _convolution("taps in PSUM", 4.955, 1, taps_in_psum=True),
            _convolution("64 elements at once", 0.461, 64, taps_in_psum=True),
        ],
    ),
    *_tuned(
        "transposed product",
        "transpose_matmul",
        [
            _transposed("float32, blocks of 1024 rows", 4.7274, 1024, split=False, repeats=2),
            _transposed("limbs, blocks of 1024 rows", 3.8699, 1024, split=True, repeats=2),
            _transposed("limbs, blocks of 2048 rows", 3.6338, 2048, split=True, repeats=1),
        ],
    ),
    *_tuned(
        "rmsnorm product",
        "rmsnorm_matmul and add_rmsnorm_matmul",
        [
            _of_normalized("limbs", 0.3688, split=True),
            _of_normalized("with a residual, float32", 0.4953, split=False, more=True),
            _of_normalized("with a residual, limbs", 0.4014, split=True, more=True),
        ],
    ),
    *_tuned(
        "product rmsnorm",
        "matmul_add_rmsnorm",
        [_normalized("float32", 0.9612, split=False), _normalized("limbs", 0.7724, split=True)],
    ),
    *_tuned(
        "blocked product",
        "matmul",
        [_blocked(1, 15.8853), _blocked(2, 13.8084), _blocked(4, 13.3517), _blocked(8, 14.0214)],
    ),
    *_tuned(
        "lora",
        "lora",
        [
            _low_rank("blocks of 1, chunks of 128 columns", 38.3562, 1, 128),
            _low_rank("blocks of 4, float32", 14.8385, 4, 512),
            _low_rank("blocks of 4, limbs", 11.3034, 4, 512, split=True),
        ],
    ),
    *_tuned(
        "batched product",
        "bmm",
        [
            _batched("tile by tile", 3.8477, 1),
            _batched("8 tiles ahead", 3.4920, 8, 2),
            _batched("16 tiles ahead", 3.1046, 16, 2),
            _batched("32 tiles ahead", 2.0353, 32, 2),
        ],
    ),
    *_tuned(
        "product softmax",
        "bmm_softmax",
        [
            _batched("tile by tile", 4.5995, 1, softmax=True),
            _batched("8 tiles ahead", 3.8233, 8, softmax=True),
            _batched("16 tiles ahead", 3.7460, 16, softmax=True),
            _batched("32 tiles ahead", 3.7715, 32, softmax=True),
        ],
    ),
)
