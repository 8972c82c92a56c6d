"""The Tensor Engine: matrix products into PSUM, and transposes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import is_float, to_float32
from ..engines import engine as engines
from ..engines import matmul_perf_mode
from ..errors import KernelError, NkiConstraintError
from ..machine.arithmetic import multiply_accumulate
from ..machine.columns import is_columns
from ..machine.memory import Mask
from ..machine.run import Run
from ..program.instruction import Instruction, NkiInstruction
from ..program.opcode import Broken, Opcode, Rule
from ..tensor.nkitensor import NkiTensor
from .rules import ISA, PSUM, SBUF, equal_dtypes, free_elements, in_dtypes, in_memory, requires, since

__all__ = ["nc_matmul", "nc_transpose", "store_product"]

# Bits of significand, the hidden one included; products of fewer than 13 are exact in float32.
_SIGNIFICAND = {
    "float8_e4m3": 4,
    "float8_e4m3fn": 4,
    "float8_e5m2": 3,
    "bfloat16": 8,
    "float16": 11,
    "tfloat32": 11,
    "float32": 24,
}
_WIDE = ("float32", "tfloat32")
_FP8 = ("float8_e4m3", "float8_e5m2", "float8_e4m3fn")


def _tile(i: Instruction) -> tuple[int, int]:
    return i["tile_size"] or (128, 128)


def _double(i: Instruction) -> bool:
    return i["perf_mode"] is matmul_perf_mode.double_row


def _columns(i: Instruction, name: str) -> int:
    return free_elements(i[name]) // (2 if _double(i) else 1)


def _moving_limit(i: Instruction) -> Broken | None:
    limit = i.target.moving_max * (2 if i.target.generation >= 4 and i["dst"].dtype == "bfloat16" else 1)
    return Broken(_columns(i, "moving"), f"at most {limit}") if _columns(i, "moving") > limit else None


def _destination(i: Instruction) -> Broken | None:
    wanted = (_columns(i, "stationary"), _columns(i, "moving"))
    found = (i["dst"].shape[0], free_elements(i["dst"]))
    return Broken(found, wanted) if found != wanted else None


def _destination_dtype(i: Instruction) -> Broken | None:
    if i["is_transpose"]:
        data = i["stationary"].dtype
        allowed: tuple[str, ...] = (data, "float32") if i.target.generation == 2 else (data,)
    else:
        allowed = ("float32", "bfloat16") if i.target.generation >= 4 else ("float32",)
    return Broken(i["dst"].dtype, " or ".join(allowed)) if i["dst"].dtype not in allowed else None


def _pair(i: Instruction) -> tuple[str, str]:
    return i["stationary"].dtype, i["moving"].dtype


def _tiling(i: Instruction) -> Broken | None:
    size, position = i["tile_size"], i["tile_position"]
    if not size and not position:
        return None
    smallest = 64 if i.target.generation == 2 else 32
    good = (
        len(size) == 2
        and len(position) == 2
        and all(s in (32, 64, 128) and s >= smallest and not p % s and 0 <= p < 128 for s, p in zip(size, position, strict=False))
    )
    return (
        None if good else Broken(f"tile_size={size}, tile_position={position}", f"both, of {smallest}, 64 or 128, at multiples of the size")
    )


_MATMUL_RULES = (
    in_memory("stationary moving", SBUF),
    in_memory("dst", PSUM),
    in_dtypes("stationary moving", _SIGNIFICAND),
    since(4, "float8_e4m3fn", lambda i: "float8_e4m3fn" in _pair(i)),
    requires(
        "fp8 kinds",
        "legacy float8_e4m3 and float8_e4m3fn are not mixed",
        lambda i: set(_pair(i)) != {"float8_e4m3", "float8_e4m3fn"},
        "one of them",
        _pair,
    ),
    requires(
        "wide pair",
        "float32 and tfloat32 are multiplied with each other only",
        lambda i: len({d in _WIDE for d in _pair(i)}) == 1,
        "both or neither of float32/tfloat32",
        _pair,
    ),
    requires(
        "contraction",
        "stationary and moving have the same partitions, at most the tile's rows",
        lambda i: i["stationary"].shape[0] == i["moving"].shape[0] <= _tile(i)[0],
        "equal, at most the row size",
        lambda i: (i["stationary"].shape[0], i["moving"].shape[0]),
    ),
    requires(
        "stationary columns",
        "stationary has at most the tile's columns",
        lambda i: _columns(i, "stationary") <= _tile(i)[1],
        "at most 128, or the column size",
        lambda i: _columns(i, "stationary"),
    ),
    Rule("moving columns", "moving fits into PSUM", ISA, _moving_limit),
    Rule("dst shape", "dst is (columns of stationary, columns of moving)", ISA, _destination),
    Rule("dst dtype", "dst is float32, on NeuronCore-v4 also bfloat16; for a transpose the dtype of the data", ISA, _destination_dtype),
    Rule("tiling", "tile_size and tile_position are set together", ISA, _tiling),
    since(3, "double_row", _double),
    requires("double_row fp8", "double_row multiplies fp8", lambda i: not _double(i) or all(d in _FP8 for d in _pair(i)), _FP8, _pair),
    requires(
        "double_row shape",
        "with double_row the first free axis is 2",
        lambda i: not _double(i) or all(i[n].ndim == 3 and i[n].shape[1] == 2 for n in ("stationary", "moving")),
        "(K, 2, columns)",
        lambda i: (i["stationary"].shape, i["moving"].shape),
    ),
    requires(
        "double_row columns", "double_row has no column tiling", lambda i: not _double(i) or _tile(i)[1] == 128, "column size 128", _tile
    ),
)


def _operand(run: Run, i: Instruction, name: str) -> NDArray[np.float32]:
    """Read an operand as (K, columns); of double_row as (2 K, columns)."""
    values = run.float32(i[name])
    if _double(i):
        return np.ascontiguousarray(values.transpose(1, 0, 2)).reshape(2 * values.shape[0], -1)
    return values.reshape(values.shape[0], -1)


def _matmul(run: Run, i: Instruction) -> None:
    dst: NkiTensor = i["dst"]
    if i["is_transpose"] and i.target.generation >= 3:
        _pass_through(run, i)
        return
    bits = min(_SIGNIFICAND[i["stationary"].dtype], 24), min(_SIGNIFICAND[i["moving"].dtype], 24)
    result = multiply_accumulate(_operand(run, i, "stationary"), _operand(run, i, "moving"), run.knobs, max(bits))
    store_product(run, i, result.reshape(dst.shape))


def _pass_through(run: Run, i: Instruction) -> None:
    """Transpose bit for bit: the data are stationary, the identity that moves selects them."""
    values = run.read(i["stationary"]).reshape(i["stationary"].shape[0], -1)
    chosen = to_float32(run.read(i["moving"])).reshape(values.shape[0], -1)
    if not np.isin(chosen, (0, 1)).all() or not (chosen.sum(0) == 1).all():
        raise NkiConstraintError(
            "nc_matmul",
            "with is_transpose an identity (or permutation) matrix moves",
            "other values",
            "one 1 in each column",
            "trainium2 architecture guide",
            i.where,
        )
    store_product(run, i, values[chosen.argmax(0)].T)


def store_product(run: Run, i: Instruction, result: NDArray[Any]) -> None:
    """Overwrite PSUM, or add to what matmuls left there."""
    dst, accumulate, cells = i["dst"], i["accumulate"], run.columns(i["dst"]) if is_columns(i["dst"]) else None
    buffer, at = (cells.buffer, cells.table) if cells is not None else run.locate(dst)
    written, multiplied = buffer.written, buffer.multiplied
    assert multiplied is not None

    def members(mask: Mask) -> NDArray[np.bool_]:
        return mask.elements(at) if cells is None else cells.members(mask)

    result = result.reshape(dst.shape)
    add: bool | NDArray[np.bool_] = False
    if accumulate is None:
        add = True if multiplied.has_all(at) else members(multiplied).copy()
        if not np.any(add):
            add = False
        if add is not True and written is not None and i.target.generation < 4:
            others = members(written) & ~members(multiplied)
            # To overwrite zeros and to add to them is the same.
            if others.any() and (buffer.array(at) if cells is None else cells.values())[others].any():
                raise NkiConstraintError(
                    i.opcode.name,
                    "the first matmul overwrites (accumulation mode) or adds to what was written before (parameter accumulate)",
                    "accumulate=None onto values of another instruction that are not zero",
                    "accumulate=False, or zeros there",
                    ISA,
                    i.where,
                )
    elif accumulate:
        if not members(multiplied).all() and (i.target.generation < 4 or (written is not None and not members(written).all())):
            raise NkiConstraintError(
                i.opcode.name,
                "accumulate=True adds to what a matmul with accumulate=False wrote",
                "a location that no matmul wrote",
                "accumulate=False first",
                ISA,
                i.where,
            )
        add = True
    if cells is not None and accumulate is not False and cells.repeats():
        raise KernelError(
            f"{i.opcode.name}: two offsets of {dst!r} are equal, and what adding to one place twice gives is undocumented; "
            "use accumulate=False or different offsets",
            i.where,
        )
    if add is not False:
        values = buffer.array(at) if cells is None else cells.values()
        result = values + result if add is True else np.where(add, values + result, result)
    run.write(dst, result) if dst.dtype != "float32" else run.write_bits(dst, result)
    if cells is None:
        multiplied.add(at)
    else:
        cells.put(multiplied, True, True)


MATMUL = Opcode(
    "nc_matmul",
    writes=("dst",),
    reads=("stationary", "moving"),
    engines=(engines.tensor,),
    execute=_matmul,
    indirect=("dst", "stationary", "moving"),
    rules=_MATMUL_RULES,
)


def nc_matmul(
    dst: NkiTensor,
    stationary: NkiTensor,
    moving: NkiTensor,
    is_stationary_onezero: bool = False,
    is_moving_onezero: bool = False,
    is_transpose: bool = False,
    accumulate: bool | None = None,
    tile_position: tuple[int, ...] = (),
    tile_size: tuple[int, ...] = (),
    perf_mode: matmul_perf_mode = matmul_perf_mode.none,
    name: str | None = None,
) -> NkiInstruction:
    """Multiply matrices: ``dst (+)= stationary.T @ moving``. See `nki.isa.nc_matmul`."""
    return MATMUL.issue(
        dst=dst,
        stationary=stationary,
        moving=moving,
        is_stationary_onezero=is_stationary_onezero,
        is_moving_onezero=is_moving_onezero,
        is_transpose=is_transpose,
        accumulate=accumulate,
        tile_position=tile_position,
        tile_size=tile_size,
        perf_mode=perf_mode,
        name=name,
    )


def _transpose_engine(i: Instruction) -> engines:
    data, dst = i["data"], i["dst"]
    fits = data.shape[0] <= 32 and free_elements(data) <= 32
    return engines.vector if fits or dst.buffer is not PSUM or data.buffer is not SBUF else engines.tensor


def _transposed(i: Instruction) -> Broken | None:
    found, wanted = (i["dst"].shape[0], free_elements(i["dst"])), (free_elements(i["data"]), i["data"].shape[0])
    return Broken(found, wanted) if found != wanted else None


def _transpose_size(i: Instruction) -> Broken | None:
    limit = 128 if i.engine is engines.tensor else 32
    found = (i["data"].shape[0], free_elements(i["data"]))
    return Broken(found, f"at most ({limit}, {limit}) on the {i.engine.name} engine") if max(found) > limit else None


def _transpose_memory(i: Instruction) -> Broken | None:
    found = (i["data"].buffer, i["dst"].buffer)
    return Broken(f"{found[0].value} to {found[1].value}", "sbuf to psum") if i.engine is engines.tensor and found != (SBUF, PSUM) else None


def _transpose(run: Run, i: Instruction) -> None:
    data: NkiTensor = i["data"]
    values = run.read(data).reshape(data.shape[0], -1)
    result = values.T
    if i.engine is engines.tensor and i.target.generation == 2 and is_float(data.dtype):
        # A product with the identity: NaN and Inf times zero spoil the others in their row of the result.
        bad = ~np.isfinite(to_float32(np.ascontiguousarray(values))).T
        result = np.where(bad.sum(axis=1, keepdims=True) > bad, np.array(np.nan, result.dtype), result)
    run.write_bits(i["dst"], result.reshape(i["dst"].shape))


TRANSPOSE = Opcode(
    "nc_transpose",
    writes=("dst",),
    reads=("data",),
    engines=(engines.tensor, engines.vector),
    execute=_transpose,
    choose=_transpose_engine,
    rules=(
        equal_dtypes("dst data"),
        Rule("dst shape", "dst is (elements per partition, partitions) of data", ISA, _transposed),
        Rule("tile size", "a tile fits the engine", ISA, _transpose_size),
        Rule("memories", "the Tensor Engine transposes from SBUF to PSUM", ISA, _transpose_memory),
    ),
)


def nc_transpose(dst: NkiTensor, data: NkiTensor, engine: engines = engines.unknown, name: str | None = None) -> NkiInstruction:
    """Swap the partition axis and the free axes. See `nki.isa.nc_transpose`."""
    return TRANSPOSE.issue(dst=dst, data=data, engine=engine, name=name)
