"""How a matrix product is cut into blocks that SBUF, PSUM and the instruction budget hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Blocking", "choose_blocking", "equal_parts", "even_parts", "row_instructions", "transposed_loads"]

_TILE = 128  # rows of the Tensor Engine: of a stationary tile, and of a contraction
_MOVING = 512  # columns of a moving tile, and of a PSUM bank
_SHORT = 1024  # bytes of a row whose DMA takes longer for being short
_WOVEN = 4  # row tiles of short rows that are loaded at once
_OUT_BYTES = 4096  # of a partition of a result tile
_HELD = 6144  # bytes of a partition of tiles of B that wait for transposes
_ROW_TILES = 12
_STREAMED = 16384  # bytes of a partition of a panel that few row tiles are multiplied with

Part = tuple[int, int]


def even_parts(extent: int, most: int, multiple: int = 1) -> list[tuple[int, int]]:
    """
    Cut an extent into the fewest parts, of nearly equal length.

    Examples
    --------
    >>> even_parts(513, 512)
    [(0, 257), (257, 256)]
    >>> even_parts(300, 256, 128)
    [(0, 256), (256, 44)]
    """
    count = -(-extent // most)
    length = -(-extent // (count * multiple)) * multiple
    return equal_parts(extent, length)


def equal_parts(extent: int, length: int) -> list[tuple[int, int]]:
    """
    Cut an extent into parts of one length and a last one of up to that.

    Examples
    --------
    >>> equal_parts(300, 128)
    [(0, 128), (128, 128), (256, 44)]
    """
    return [(first, min(length, extent - first)) for first in range(0, extent, length)]


@dataclass(frozen=True)
class Blocking:
    """
    Blocks of a product of (rows, depth) and (depth, columns).

    Parameters
    ----------
    tiles : tuple of (int, int)
        Row tiles: first row and rows of each, up to 128.
    group : int
        Row tiles that share each block of B before the next one is loaded.
    depths : tuple of (int, int)
        Blocks of the contraction; of more than one, sums are collected in SBUF.
    panels : tuple of (int, int)
        Blocks of columns.
    together : int
        Row tiles that are loaded at once.
    loads : int
        Loads of A that are held at once.
    packed : bool
        Whether stationary tiles are kept in HBM for the panels after the first one.
    looped : bool
        Whether the device counts the groups of row tiles.
    instructions : int
        About how many a program has for it.
    kept : bool
        Whether A is one or two row tiles that stay in SBUF for all panels.
    streamed : bool
        Whether panels are small, and few of them are held.
    woven : bool
        Whether row tiles that are loaded, and stored, at once have every so many-th row, so that a partition's rows lie together.
    """

    tiles: tuple[Part, ...]
    group: int
    depths: tuple[Part, ...]
    panels: tuple[Part, ...]
    together: int
    loads: int
    packed: bool
    looped: bool
    instructions: int
    kept: bool
    streamed: bool
    woven: bool


def _instructions(rows: int, depths: Sequence[Part], panels: Sequence[Part]) -> int:
    """Count what `rows` row tiles and one load of B take."""
    deep = sum(-(-length // _TILE) for _, length in depths)
    wide = sum(-(-length // _MOVING) for _, length in panels)
    per_row = deep * wide + len(panels) * (2 * deep + 2 * len(depths)) + 3 * wide * len(depths)
    return rows * per_row + 2 * deep * len(panels)


def row_instructions(rows: int, blocking: Blocking) -> int:
    """Count what so many row tiles take with one panel."""
    return _instructions(rows, blocking.depths, blocking.panels[:1])


def transposed_loads(nbytes: int) -> int:
    """
    Count the tiles of B that are held until they are transposed: of short rows more, since each load takes its time.

    Examples
    --------
    >>> transposed_loads(512), transposed_loads(2048), transposed_loads(16384)
    (12, 3, 2)
    """
    return max(2, min(_ROW_TILES, _HELD // nbytes))


def _panels(columns: int, free: int, per_column: int, split: bool, looped: bool) -> list[Part]:
    """Cut columns so that one panel of all of them fits, or two of some; none if not even that. Loops of the device hold one at a time."""
    widest = free // per_column
    if widest >= columns and not split:
        return [(0, columns)]
    fits = widest if looped and not split else widest // 2
    if fits < min(_MOVING, columns):
        return []
    return even_parts(columns, _MOVING if split else max(_MOVING, fits // _MOVING * _MOVING), _MOVING)


def choose_blocking(
    extents: tuple[int, int, int],
    sizes: tuple[int, int],
    transposed: tuple[bool, bool],
    sbuf_bytes: int,
    budget: int,
    keep: bool,
    results: int = 1,
    weave: bool = False,
) -> Blocking:
    """
    Cut a product so that HBM traffic is small, tiles are even, and the program is short enough.

    Notes
    -----
    B stays in SBUF while rows of A stream past it: B is read once if it fits, and A as often as there are panels of columns. A panel of 512
    columns gives 1024 flop for each element of A, above the balance of compute and HBM of every generation; two panels fit, so the next
    one arrives while the last one is used.
    """
    even = even_parts(extents[0], _TILE)
    depths, panels, group = _fit(extents, sizes, transposed, sbuf_bytes, len(even), False, results)
    total = -(-len(even) // group) * _instructions(group, depths, panels)
    looped = total > budget and len(even) > 1
    if looped:
        even = equal_parts(extents[0], _TILE)  # equal, for the device to count
        depths, panels, group = _fit(extents, sizes, transposed, sbuf_bytes, len(even), True, results)
        while group > 1 and 2 * _instructions(group, depths, panels) > budget:
            group //= 2
        total = 2 * _instructions(group, depths, panels)
    together, loads = _loads(transposed[0], sizes[0], extents[2], len(even), group, looped)
    deep = -(-depths[0][1] // _TILE)
    width = max(2 * _MOVING, _STREAMED // (deep * sizes[1]) // _MOVING * _MOVING)
    kept = len(even) <= 2 and len(depths) == 1 and not looped
    streamed = kept and not transposed[1] and 3 * width <= panels[0][1]
    if streamed:
        panels = even_parts(extents[2], width, _MOVING)
    packed = keep and len(panels) > 1 and not transposed[0] and not kept
    short = max(extents[1] * sizes[0], extents[2] * sizes[1]) <= _SHORT and len(even) % _WOVEN == extents[0] % _TILE == 0
    woven = weave and short and not transposed[0] and not looped
    if woven:
        together, loads = _WOVEN, 3
    return Blocking(tuple(even), group, tuple(depths), tuple(panels), together, loads, packed, looped, total, kept, streamed, woven)


def _loads(transposed: bool, nbytes: int, columns: int, tiles: int, group: int, looped: bool) -> tuple[int, int]:
    """Choose how many row tiles are loaded at once, and how many loads are held: three of single tiles, since loads are two steps ahead."""
    wide = nbytes < 4 and columns < _MOVING  # DMA takes longer for pieces of less than 2 KiB, and the Tensor Engine waits for it
    together = min(8 if wide else 4, group) if transposed else 1
    return together, 3 if together == 1 or looped or tiles % group == 1 else 2


def _fit(
    extents: tuple[int, int, int],
    sizes: tuple[int, int],
    transposed: tuple[bool, bool],
    sbuf_bytes: int,
    tiles: int,
    looped: bool,
    results: int,
) -> tuple[list[Part], list[Part], int]:
    """Find depths, panels and row tiles of a group such that SBUF holds all."""
    _, depth, columns = extents
    for depth_bytes, most in ((16384, 16), (8192, 16), (8192, 8), (4096, 8), (2048, 8), (1024, 4), (512, 1)):
        depths = even_parts(depth, depth_bytes // max(sizes), _TILE)
        deep, split = -(-depths[0][1] // _TILE), len(depths) > 1
        if depth_bytes == 16384 and (split or not looped):
            continue
        group = min(tiles, most if split else 16) if split or looped else tiles
        together, loads = _loads(transposed[0], sizes[0], columns, tiles, group, looped)
        tile_a, tile_b = deep * _TILE * sizes[0], deep * _TILE * sizes[1]
        held = loads * together * tile_a if transposed[0] else (loads + 3) * tile_a
        held += transposed_loads(tile_b) * tile_b * transposed[1] + 2 * _OUT_BYTES + (results * group * _MOVING * 4 if split else 0)
        panels = _panels(columns, sbuf_bytes - held, deep * sizes[1], split, looped)
        if panels:
            return depths, panels, group
    raise ValueError(f"{sbuf_bytes} bytes of each SBUF partition do not hold blocks of a matrix product; give it at least 32 KiB")
