"""Sums and products of sparse arrays: where the results are the host knows, and the device computes the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ....rules.sparse import is_packed
from ...value import Value
from .. import Builder, Lowerings, NotNativeError
from ..joining import flat
from ..op_calls import call, call_several, converted
from .padded_rows import row_sums
from .rearrangement import Numbers, as_canonical, as_matrix, move, packed_like, scipy_function
from .structure import Structure, find_structure, taken

__all__ = ["align", "multiply_elements", "multiply_sparse"]

_MOST: Final = 1 << 26  # products of stored elements


def align(builder: Builder, left: Any, right: Any) -> tuple[Any, Value, Value]:
    """Give the structure of all elements that one of two arrays stores, as SciPy has it, and the values of both there."""
    shape = left[1]
    matrices = len(shape) <= 2  # SciPy puts sums of others one behind the other
    left, right = as_canonical(builder, [one if matrices else as_matrix(builder, one) for one in (left, right)])
    first, second = Numbers(builder, 1.0 + 0j, 0.0), Numbers(builder, 1j, 0.0)  # both complex, since SciPy adds in place
    found = scipy_function("add")(first.of(left), second.of(right))
    found = found if matrices else found.reshape(shape)
    dtype = builder.promotion.result_type(first.dtype, second.dtype)
    return found, first.take(found.data.real, dtype), second.take(found.data.imag, dtype)


def _plus_zero(builder: Builder, name: str, left: Any, right: Any) -> Any:
    """Add or subtract zero, the only number that SciPy takes there."""
    import scipy.sparse

    packed, number = (left, right) if is_packed(left) else (right, left)
    number = builder.known(number) if isinstance(number, Value) else number
    scipy_function("add")(scipy.sparse.coo_array(packed[1]), number)  # or SciPy's error
    format, shape, (data, *where) = packed
    data = call(builder, "negative", data) if name == "subtract" and packed is right else call(builder, "astype", data, data.dtype)
    return format, shape, (data, *where)


def _added(name: str) -> Callable[..., Any]:
    """Make the lowering of a sum or a difference, of which exact zeros stay stored."""

    def run(builder: Builder, left: Any, right: Any) -> Any:
        if is_packed(left) and is_packed(right):
            found, *parts = align(builder, left, right)
            return packed_like(builder, found, call(builder, name, *parts))
        packed, other = (left, right) if is_packed(left) else (right, left)
        dense = builder.array(other)
        if not dense.ndim:
            return _plus_zero(builder, name, left, right)
        dense = dense.view(np.broadcast_to(dense.shadow, packed[1]))
        return call(builder, name, *(call(builder, "sparse.toarray", one) if one is packed else dense for one in (left, right)))

    return run


def multiply_elements(builder: Builder, name: str, left: Any, right: Any, **options: Any) -> Any:
    """Multiply, for each stored element of a result, one of the left with one of the right operand, which may be dense."""
    function = scipy_function(name)
    left, right = as_canonical(builder, (left, right))

    def of(numbers: Numbers, operand: Any) -> Any:
        return numbers.of_values(operand) if isinstance(operand, Value) else numbers.of(operand)

    def ones() -> Numbers:
        return Numbers(builder, 0.0, 1.0)

    first, second = Numbers(builder, 1.0, 0.0), Numbers(builder, 1.0, 0.0)
    found, other = (function(of(one, left), of(two, right), **options) for one, two in ((first, ones()), (ones(), second)))
    if not hasattr(found, "format"):
        raise NotNativeError("products that are dense are made on the host")
    dtype = builder.promotion.result_type(first.dtype, second.dtype)
    return packed_like(builder, found, call(builder, "multiply", first.take(found.data, dtype), second.take(other.data, dtype)))


def _kron(builder: Builder, left: Any, right: Any, format: str | None = None) -> Any:
    return multiply_elements(builder, "kron", left, right, format=format)


def _kronsum(builder: Builder, left: Any, right: Any, *, format: str | None) -> Any:
    from scipy.sparse import eye_array

    dtype = builder.promotion.result_type(left[2][0].dtype, right[2][0].dtype)

    def identity(size: int) -> Any:
        found = eye_array(size, dtype=dtype)
        return packed_like(builder, found, builder.from_host(found.data, copy=True))

    terms = _kron(builder, identity(right[1][0]), left, "coo"), _kron(builder, right, identity(left[1][0]), "coo")
    return move(builder, "asformat", call_several(builder, "sparse.add", *terms), format)


def multiply_sparse(builder: Builder, left: Any, right: Any) -> Any:
    """
    Multiply two sparse matrices.

    Notes
    -----
    The host lists the products of stored elements, by the element of the result that they are part of; the device gathers both factors,
    multiplies them, and adds them up by segments. An element of L products errs by ``(L + 1) u |A| |B|``.
    """
    import scipy.sparse

    if len(left[1]) != 2 or len(right[1]) != 2:
        raise NotNativeError("sparse arrays of other than two dimensions are multiplied on the host")
    pair = [scipy.sparse.eye_array(*packed[1], format=packed[0]) for packed in (left, right)]
    format = (pair[0] @ pair[1]).format  # or SciPy's error
    a, b = find_structure(builder, left), find_structure(builder, right)
    dtype = builder.promotion.result_type(left[2][0].dtype, right[2][0].dtype)
    counts = b.counts()
    each = counts[a.columns]
    if not 0 < (count := int(each.sum())) <= _MOST:
        raise NotNativeError("products of no or of too many stored elements are made on the host")
    ours = np.repeat(np.arange(len(each)), each)
    theirs = np.repeat((np.cumsum(counts) - counts)[a.columns] - (np.cumsum(each) - each), each) + np.arange(count)
    index = a.rows[ours].astype(np.int64) * b.shape[1] + b.columns[theirs]
    order = np.argsort(index, kind="stable")
    elements, number = np.unique(index[order], return_inverse=True)
    factors = [
        taken(builder, converted(builder, flat(packed[2][0]), dtype), builder.from_host(structure.positions[chosen[order]], copy=True))
        for packed, structure, chosen in ((left, a, ours), (right, b, theirs))
    ]
    segments = Structure((len(elements), 1), number.astype(np.int32), np.zeros(count, np.int32), np.arange(count, dtype=np.int32))
    where = tuple(one.astype(np.int32) for one in np.divmod(elements, b.shape[1]))
    found = scipy.sparse.coo_array((np.ones(len(elements)), where), shape=(a.shape[0], b.shape[1]))
    sums = row_sums(builder, segments, call(builder, "multiply", *factors))
    return move(builder, "asformat", packed_like(builder, found, sums), format)


LOWERINGS: Final[Lowerings] = {
    "sparse.add": _added("add"),
    "sparse.kron": _kron,
    "sparse.kronsum": _kronsum,
    "sparse.sub": _added("subtract"),
}
