"""The kernels that are stages of their own, by name."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from ...isa import nl
from ..plan.plan import Attached, KernelStage
from .attached import Functions, Fused
from .compress import compress
from .flip import flip
from .gather import gather_elements, gather_rows
from .matmul import MatmulOperand, matmul
from .one_hot import add_by_products
from .reduce_tensor import reduce_columns, reduce_rows
from .scalars import Scalars
from .scan import scan_rows
from .scatter import scatter_elements, scatter_rows
from .sort import sort_rows
from .transpose import permute
from .transpose_tile import itemsize
from .transposed import transposed

__all__ = ["LIBRARY", "Call"]

_MATMUL_ROWS: Final = 1024  # elements of a partition that functions of a product work on, at most
_SCRATCH: Final = 24 * 1024


class Call(NamedTuple):
    """
    What a kernel works on.

    Attributes
    ----------
    stage : KernelStage
        Which kernel, and what is attached to it.
    tensors : list of NkiTensor
        Flat tensors in HBM, by their numbers in the plan.
    scalars : Scalars
        Numbers.
    budget : int
        Instructions that it may have.
    """

    stage: KernelStage
    tensors: list[Any]
    scalars: Scalars
    budget: int

    @property
    def result(self) -> Any:
        """
        Where the result goes.

        Returns
        -------
        NkiTensor
            Flat.
        """
        return self.tensors[self.stage.result]

    def source(self, number: int, shape: tuple[int, ...]) -> Any:
        """
        Look at an operand.

        Parameters
        ----------
        number : int
            Which.
        shape : tuple of int
            Its shape.

        Returns
        -------
        NkiTensor or Fused
            In HBM, or functions of what is there.
        """
        attached = self.prologue(number)
        tensor = self.tensors[self.stage.sources[number]].reshape(shape)
        if attached is None:
            return tensor
        functions = self.functions(attached)
        loads = [access for access in attached.rows.loads if not functions.is_common(access)]
        others = [self.tensors[access.tensor].reshape(shape) for access in loads if access.tensor is not None]
        return Fused(functions, _dtype(attached), tensor, *others)

    def prologue(self, number: int) -> Attached | None:
        """
        Look up the functions of an operand.

        Parameters
        ----------
        number : int
            Which.

        Returns
        -------
        Attached or None
            If there are any.
        """
        return self.stage.prologues[number] if self.stage.prologues else None

    def functions(self, attached: Attached) -> Functions:
        """
        Prepare attached functions.

        Parameters
        ----------
        attached : Attached
            Which.

        Returns
        -------
        Functions
            For the kernel's tiles.
        """
        return Functions(attached, self.tensors, self.scalars)


def _dtype(attached: Attached) -> str:
    """Find the dtype of what takes the place of the given register."""
    place = attached.result - len(attached.rows.given) - len(attached.rows.loads)
    return attached.rows.computes[place].dtype


def _reduce_rows(call: Call, name: str, outer: int, length: int) -> None:
    reduce_rows(name, call.result, call.source(0, (outer, length)))


def _reduce_columns(call: Call, name: str, outer: int, length: int, inner: int) -> None:
    reduce_columns(name, call.result.reshape((outer, inner)), call.source(0, (outer, length, inner)))


def _scan(call: Call, name: str, rows: int, length: int) -> None:
    scan_rows(name, call.result.reshape((rows, length)), call.source(0, (rows, length)))


def _sort(call: Call, keys: int, rows: int, length: int) -> None:
    result = call.result.reshape((keys, rows, length))
    sort_rows([result[key] for key in range(keys)], [call.source(key, (rows, length)) for key in range(keys)])


def _permute(call: Call, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    after = call.stage.epilogue
    if after is None:
        permute(call.result, call.source(0, shape), axes, budget=call.budget)
        return
    rows, columns = shape[-2:]
    batch = math.prod(shape[:-2])
    transposed(call.result.reshape((batch, columns, rows)), call.source(0, (batch, rows, columns)), call.functions(after).on_tile)


def _flip(call: Call, *shape: int) -> None:
    flip(call.result.reshape(shape), call.source(0, shape))


def _gather_rows(call: Call, rows: int, count: int, width: int) -> None:
    gather_rows(call.result.reshape((count, width)), call.source(0, (rows, width)), call.source(1, (count,)))


def _gather_elements(call: Call, batch: int, length: int, count: int) -> None:
    gather_elements(call.result.reshape((batch, count)), call.source(0, (batch, length)), call.source(1, (batch, count)))


def _compress(call: Call, size: int) -> None:
    compress(call.result, call.source(0, (size,)), call.source(1, (size,)))


def _scatter_rows(call: Call, rows: int, count: int, width: int) -> None:
    scatter_rows(call.source(0, (rows, width)), call.source(1, (count,)), call.source(2, (count, width)))


def _scatter_elements(call: Call, name: str, size: int, count: int) -> None:
    scatter_elements(name, call.source(0, (size,)), call.source(1, (count,)), call.source(2, (count,)))


def _add_by_products(call: Call, size: int, count: int) -> None:
    add_by_products(call.source(0, (size,)), call.source(1, (count,)), call.source(2, (count,)))


def _matmul(call: Call, batch: int, rows: int, depth: int, columns: int, left_transposed: bool, right_transposed: bool) -> None:
    left = (batch, depth, rows) if left_transposed else (batch, rows, depth)
    right = (batch, columns, depth) if right_transposed else (batch, depth, columns)
    operands = []
    for number, (shape, turned) in enumerate(((left, left_transposed), (right, right_transposed))):
        tensor = _matrices(call.tensors[call.stage.sources[number]], shape)
        attached = call.prologue(number)
        if attached is None:
            operands.append(MatmulOperand(tensor, turned))
        else:
            operands.append(MatmulOperand(tensor, turned, call.functions(attached).on_tile, _dtype(attached)))
    after = call.stage.epilogue
    room = nl.tile_size.sbuf_fmax_bytes - 12288 - sum(map(_bytes, call.stage.attached))
    matmul(
        _matrices(call.result, (batch, rows, columns)),
        *operands,
        epilogue=None if after is None else call.functions(after).on_tile,
        dtype=None if after is None else after.rows.given[0],
        sbuf_bytes=room,
        budget=call.budget,
    )


def _bytes(rows: Any) -> int:
    """Estimate what attached functions take of a partition: tiles that are loaded, twice, and computed, and scratch."""
    common = sum(16 * 1024 for access in rows.loads if access.strides[0] == 0)
    full = sum(8 for access in rows.loads if access.extent == "full") + sum(
        itemsize(compute.dtype) for compute in rows.computes if compute.extent == "full"
    )
    return min(96 * 1024, common + _SCRATCH + _MATMUL_ROWS * full)


def _matrices(tensor: Any, shape: tuple[int, ...]) -> Any:
    """Shape a flat tensor; it may hold one batch for all."""
    if shape[0] == 1 or math.prod(shape) != tensor.size:
        shape = shape[1:]
    return tensor.reshape(shape)


LIBRARY: Final[Mapping[str, Callable[..., None]]] = {
    "reduce rows": _reduce_rows,
    "reduce columns": _reduce_columns,
    "scan": _scan,
    "permute": _permute,
    "sort": _sort,
    "flip": _flip,
    "gather rows": _gather_rows,
    "gather elements": _gather_elements,
    "compress": _compress,
    "scatter rows": _scatter_rows,
    "scatter elements": _scatter_elements,
    "add by products": _add_by_products,
    "matmul": _matmul,
}
"""Functions of (call, *parameters): what they work on, and what `plan.assemble` gives the stage."""
