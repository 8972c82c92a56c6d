"""Ops whose stored elements are those of their operands: SciPy moves the numbers of these on the host, and the device takes the values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ....dtypes import DType
from ....nesting import replace
from ....op import get_op
from ....rules.sparse import is_packed
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..concatenation import constant, join
from ..joining import flat
from ..op_calls import call, converted
from .padded_rows import row_sums
from .structure import find_structure, positions_on_device, positions_on_host, taken, with_zero

__all__ = ["Numbers", "as_canonical", "as_matrix", "move", "not_zero", "packed_like", "scipy_function"]

_MOST: Final = 2**31 - 2
_FORMATS: Final = ("csr", "csc", "bsr", "coo", "dia")


class Numbers:
    """
    The numbers of stored values, which SciPy gets in the places of these, from 1 on.

    Parameters
    ----------
    builder : Builder
        Of the graph.
    unit : complex, optional
        By which they are multiplied.
    count : complex, optional
        What is added to each, so that a sum tells of how many it is.
    """

    def __init__(self, builder: Builder, unit: complex = 1.0, count: complex = 1j) -> None:
        self._builder, self._unit, self._count = builder, unit, count
        self._tables: list[Value] = []
        self._size = 0
        self._arrays: list[tuple[Any, Any]] = []

    def of(self, item: Any) -> Any:
        """Make SciPy's operand of one, or of all in sequences."""
        if is_packed(item):
            from ....ops.sparse import unpack

            format, shape, (data, *where) = item
            numbers = self.of_values(data)
            if format == "dia":  # whose zeros are not stored in other formats
                numbers[positions_on_host(self._builder, data) == 0] = 0
            array = unpack((format, shape, (numbers, *(positions_on_host(self._builder, value) for value in where))))
            self._arrays.append((array, item))
            return array
        if isinstance(item, (list, tuple)):
            return type(item)(self.of(one) for one in item) if type(item) in (list, tuple) else item
        return self._builder.known(item) if isinstance(item, Value) else item

    def of_values(self, data: Value) -> npt.NDArray[Any]:
        """Make numbers for values."""
        self._tables.append(data)
        first, self._size = self._size + 1, self._size + data.size
        numbers = np.arange(first, self._size + 1, dtype=np.float64).reshape(data.shape)
        return numbers * self._unit + self._count

    def operand(self, found: Any) -> Any:
        """Give the operand that SciPy gave back."""
        return next((packed for array, packed in self._arrays if array is found), None)

    @property
    def dtype(self) -> DType:
        """The common dtype."""
        if not self._tables:
            raise NotNativeError("arrays that store nothing are made on the host")
        return self._builder.promotion.result_type(*[table.dtype for table in self._tables])

    def take(self, numbers: npt.NDArray[Any], dtype: DType) -> Value:
        """Take the values with some numbers, and zero for 0."""
        builder, at = self._builder, numbers.reshape(-1).astype(np.int64) - 1
        if not at.size:
            return builder.make(constant(0, numbers.shape, dtype), dtype)
        if self._size > _MOST:
            raise NotNativeError("more elements than indices of 32 bits count are moved on the host")
        pieces = [(table.size, converted(builder, flat(table), dtype)) for table in self._tables if table.size]
        planes = [((size,), piece.read()) for size, piece in pieces]
        table = join(builder, planes, 0, dtype) if len(planes) > 1 else builder.make(planes[0][1], dtype)
        if at.size != self._size or np.any(at != np.arange(self._size)):
            if at.min() < 0:
                table, at = with_zero(builder, table), np.where(at < 0, self._size, at)
            table = taken(builder, table, builder.from_host(at.astype(np.int32), copy=True))
        return table.view(table.shadow.reshape(numbers.shape)) if table.shape != numbers.shape else table


def packed_like(builder: Builder, found: Any, data: Value) -> Any:
    """Make a packed array of SciPy's positions and values of the device."""
    from ....ops.sparse import pack

    if found.format not in _FORMATS:
        raise NotNativeError(f"arrays of format {found.format!r} are made on the host")
    format, shape, (_, *where) = pack(found)
    return format, tuple(map(int, shape)), (data, *(positions_on_device(builder, one) for one in where))


def not_zero(builder: Builder, data: Value) -> npt.NDArray[Any]:
    """Bring to the host which values are not zero."""
    return builder.on_host(data if data.dtype.kind == "b" else call(builder, "not_equal", data, 0)).astype(bool)


def as_canonical(builder: Builder, item: Any) -> Any:
    """Add up what a matrix stores in several pieces, and give it in its format; what else there is stays as it is."""
    if isinstance(item, (list, tuple)) and not is_packed(item):
        return type(item)(as_canonical(builder, one) for one in item)
    if not is_packed(item) or not item[2][0].size:
        return item
    structure = find_structure(builder, as_matrix(builder, item))
    rows, elements = structure.distinct()
    if len(elements) == len(structure.rows):
        return item
    from scipy.sparse import coo_array

    where = np.divmod(elements, structure.shape[1])
    found = coo_array((np.ones(len(elements)), tuple(one.astype(np.int32) for one in where)), shape=structure.shape)
    coordinates = packed_like(builder, found, row_sums(builder, rows, item[2][0]))
    coordinates = coordinates if len(item[1]) == 2 else move(builder, "reshape", coordinates, item[1])
    shape = {"blocksize": item[2][0].shape[1:]} if item[0] == "bsr" else {}
    return move(builder, f"to{item[0]}", coordinates, **shape)


def as_matrix(builder: Builder, packed: Any) -> Any:
    """Give an array of other than two dimensions as a matrix, whose rows are along its last axis."""
    format, shape, parts = packed
    if format == "csr":
        return format, (1, *shape) if len(shape) == 1 else shape, parts
    return packed if len(shape) == 2 else move(builder, "reshape", packed, (math.prod(shape[:-1]), shape[-1]))


def scipy_function(name: str) -> Callable[..., Any]:
    """Give the method or function of SciPy's that an Op of sparse arrays calls."""
    from ....ops.sparse import SparseOp

    op = get_op(f"sparse.{name}")
    assert isinstance(op, SparseOp)
    return op.function


def move(builder: Builder, name: str, *operands: Any, **options: Any) -> Any:
    """Run SciPy's method or function with numbers for values, and take these."""
    from ....ops.sparse import WRITERS

    function, wanted = scipy_function(name), options.pop("dtype", None)
    for given in (operands, None):
        numbers = Numbers(builder)
        found = function(*numbers.of(as_canonical(builder, operands) if given is None else given), **options)
        if isinstance(found, (bool, int, str, type(None))):
            return found
        marks = np.asarray(found.data if hasattr(found, "format") else found)
        if marks.dtype.kind != "c":
            raise NotNativeError("what does not depend on stored values alone is computed on the host")
        if not np.any(marks.imag > 1):
            break
    else:
        raise NotNativeError("elements that are sums are computed on the host")
    dtype = numbers.dtype if wanted is None else wanted
    same = numbers.operand(found)
    if same is not None and name not in WRITERS and dtype == same[2][0].dtype:
        return same
    data = numbers.take(marks.real, dtype)
    return packed_like(builder, found, data) if hasattr(found, "format") else builder.result(data.read(), dtype)


def _moved(name: str) -> Callable[..., Any]:
    """Make the lowering of an Op that moves stored elements."""

    def run(builder: Builder, *operands: Any, **options: Any) -> Any:
        return move(builder, name, *operands, **options)

    return run


def _getitem(builder: Builder, packed: Any, key: Any) -> Any:
    if is_packed(key) and key[2][0].dtype.kind == "b" and key[1] == packed[1]:
        mask = Numbers(builder, 1.0, 0.0).of(key)
        if mask.data.size:
            mask.data[~not_zero(builder, key[2][0])] = 0
        return move(builder, "getitem", packed, mask.nonzero())
    if any(is_packed(item) for item in (key, *(key if isinstance(key, tuple) else ()))):
        raise NotNativeError("sparse arrays as indices are read on the host")
    return move(builder, "getitem", packed, key)


def _made(format: str) -> Callable[..., Any]:
    """Make the lowering of a class: of components, or of another sparse array."""

    def run(builder: Builder, given: Any, **options: Any) -> Any:
        if is_packed(given):
            return move(builder, f"{format}_array", given, **options)
        if isinstance(given, Value) and given.size:
            wanted = options.pop("dtype", None) or given.dtype
            numbers = Numbers(builder, 1.0, 0.0)
            found = scipy_function(f"{format}_array")(numbers.of_values(given) * not_zero(builder, given), **options)
            return packed_like(builder, found, numbers.take(found.data, wanted))
        if not isinstance(given, tuple) or len(given) < 2 or not all(isinstance(one, (Value, tuple, list)) for one in given):
            raise NotNativeError("sparse arrays of shapes, of sequences and of arrays without elements are made on the host")
        first = "coo" if isinstance(given[1], (tuple, list)) and format != "dia" else format
        kept = {name: value for name, value in options.items() if name != "dtype" and (first == format or name == "shape")}
        numbers = Numbers(builder)
        where = replace(given[1:], Value, lambda value: positions_on_host(builder, value))
        found = scipy_function(f"{first}_array")((numbers.of_values(builder.array(given[0])), *where), **kept)
        wanted = options.get("dtype") or numbers.dtype
        made = packed_like(builder, found, numbers.take(found.data.real, wanted))
        return made if first == format else move(builder, f"{format}_array", made, **options)

    return run


_MOVERS: Final = (
    *("asformat", "copy", "reshape", "sorted_indices", "tobsr", "tocoo", "tocsc", "tocsr", "todia"),
    *("block_array", "block_diag", "hstack", "tril", "triu", "vstack", "expand_dims", "permute_dims", "swapaxes"),
    *("check_format", "has_canonical_format", "has_sorted_indices", "prune", "resize", "sort_indices", "sum_duplicates"),
)

LOWERINGS: Final[Lowerings] = {
    **{f"sparse.{name}": _moved(name) for name in _MOVERS},
    "sparse.getitem": _getitem,
    **{f"sparse.{format}_array": _made(format) for format in _FORMATS},
}
