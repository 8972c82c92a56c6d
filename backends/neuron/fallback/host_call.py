"""Deferred fallbacks: calls on the host that wait in the graph, since their rule gives shape and dtype of the results."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...dtypes import FLOAT64, is_double, is_low_precision
from ...engine import HOST
from ...nesting import replace
from ...rules import Results, Signature, UfuncRule
from ..layout import Layout
from ..planes import join, plane_dtypes, split

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...caller import Caller
    from ...dtypes import DType
    from ...op import Op
    from ...promotion import PromotionTable

__all__ = ["HostCall", "Operand", "compute", "gather", "narrowed", "warning_at"]


# The ends that draws stay below, by the operands: the generator, then the parameters.
_ENDS: Final[Mapping[str, Callable[[Sequence[Any]], Any]]] = {"random.random": lambda _: 1.0, "random.uniform": lambda args: args[2]}
# Ops whose results may have more than 64 bits.
_PRODUCTS: Final = frozenset(("cumprod", "cumulative_prod", "multiply.accumulate", "multiply.reduce", "multiply.reduceat")) | frozenset(
    ("nancumprod", "nanprod", "prod")
)


@dataclass(frozen=True, slots=True)
class Operand:
    """
    Where a call finds an array.

    Parameters
    ----------
    place : int
        Of its first plane among the inputs of the call's nodes.
    layout : Layout
        Its elements in each plane.
    dtype : dtype
        The Array's.
    detached : bool
        Whether the host gets a scalar.
    """

    place: int
    layout: Layout
    dtype: DType
    detached: bool


@dataclass(frozen=True, slots=True, eq=False)
class HostCall:
    """
    A call on the host, waiting for its operands.

    Parameters
    ----------
    op : Op
        The operation.
    args : tuple
        Its operands: `Operand` for Arrays, what the caller gave for others.
    kwargs : dict
        Its parameters, likewise.
    results : Results
        What it gives, by its rule.
    written : tuple of Operand
        Those of its operands that it writes to, whose values after it are further results.
    reason : str
        Why the device does not run it.
    caller : Caller
        Who called.
    promotion : PromotionTable
        The device's.
    errors : dict
        What NumPy was to do about floating-point errors when the call was made.
    filters : tuple
        What Python was to do about warnings then.
    after : Node or None
        The draw from the same generator that comes before.
    """

    op: Op
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    results: Results
    written: tuple[Operand, ...]
    reason: str
    caller: Caller
    promotion: PromotionTable
    errors: Mapping[str, Any]
    filters: tuple[Any, ...]
    after: Any

    @property
    def name(self) -> str:
        """The operation's."""
        return self.op.name

    @property
    def planes(self) -> tuple[Signature, ...]:
        """Tell shape and dtype of each plane of the results."""
        return tuple(Signature(shape, part) for shape, dtype in self.signatures for part in plane_dtypes(dtype))

    @property
    def signatures(self) -> list[Signature]:
        """List the arrays that it gives: what its rule says, and what it writes to."""
        written = [Signature(operand.layout.shape, operand.dtype) for operand in self.written]
        return [*(signature for signature, _ in _pairs(self.results, self.results)), *written]

    @property
    def operands(self) -> tuple[Operand, ...]:
        """List the Arrays that it takes."""
        found: list[Operand] = []
        replace(self.args, Operand, found.append)
        replace(tuple(self.kwargs.values()), Operand, found.append)
        return tuple(found)

    def run(self, inputs: Sequence[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
        """Compute, from the flat memory of the inputs' planes."""
        hosted: dict[int, Any] = {}

        def fetch(operand: Operand) -> Any:
            if id(operand) not in hosted:
                count = len(plane_dtypes(operand.dtype))
                planes = inputs[operand.place : operand.place + count]
                hosted[id(operand)] = gather(planes, operand.layout, operand.dtype, operand.detached)
            return hosted[id(operand)]

        args = [replace(item, Operand, fetch) for item in self.args]
        kwargs = {key: replace(item, Operand, fetch) for key, item in self.kwargs.items()}
        with np.errstate(**self.errors), warning_at(self.caller, self.filters):
            result = compute(self.promotion, self.op, args, kwargs)
        # The device's narrower defaults stand for NumPy's, unless 64 bits were asked for.
        exact = self.promotion.default_float == FLOAT64 or any(is_double(operand.dtype) for operand in self.operands)
        planes: list[npt.NDArray[Any]] = []
        for signature, item in _pairs(self.results, result):
            host = np.asarray(item)
            if host.shape != signature.shape or not _fits(host.dtype, signature.dtype, exact):
                raise RuntimeError(
                    f"{self.op.name} gave {host.dtype} of shape {host.shape} on the host, and its rule in trnarray says {signature.dtype} "
                    f"of shape {signature.shape}, which is an error in trnarray; please report the call"
                )
            planes += split(np.asarray(narrowed(self.op, host, signature.dtype, args, kwargs)))
        for operand in self.written:
            planes += split(hosted[id(operand)])
        return planes


@contextmanager
def warning_at(caller: Caller, filters: Sequence[Any] | None = None) -> Iterator[None]:
    """Have what warns, on behalf of a call, warn at the caller's line; by the filters of the time of the call, where they are given."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    with warnings.catch_warnings():
        if filters is not None:
            warnings.filters = list(filters)
        for each in caught:
            warnings.warn_explicit(each.message, each.category, caller.filename, caller.lineno, caller.module or None)


def _pairs(results: Results, found: Any) -> Iterator[tuple[Signature, Any]]:
    """Go through what a rule says and what the host gave."""
    if isinstance(results, Signature):
        yield results, found
    elif isinstance(results, (tuple, list)):
        for each, item in zip(results, found, strict=True):
            yield from _pairs(each, item)


def _fits(found: DType, wanted: DType, exact: bool) -> bool:
    """Tell whether a dtype differs by its width alone, and, where it is to be exact, floats by no less than they have."""
    kinds = ["f" if is_low_precision(dtype) else "i" if dtype.kind in "iuO" else dtype.kind for dtype in (found, wanted)]
    return kinds[0] == kinds[1] and not (exact and found.kind in "fc" and found.itemsize > wanted.itemsize)


def narrowed(op: Op, item: Any, dtype: DType, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Give what the host has computed of operands the dtype that the device gives it."""
    if item.dtype == dtype:
        return item
    if op.name in _ENDS:
        return _below(item, dtype, _ENDS[op.name](args))
    if dtype.kind not in "iu":
        return item.astype(dtype)
    exact = np.asarray(op.host(*args, **{**kwargs, "dtype": object})) if op.name in _PRODUCTS else item
    if exact.dtype.kind in "iuO" and exact.size:
        info, low, high = np.iinfo(dtype), exact.min(), exact.max()
        if low < info.min or high > info.max:
            raise OverflowError(
                f"{op.name} gives integers from {low} to {high}, beyond {dtype} ({info.min} to {info.max}), the default integer of the "
                f"device; give dtype=numpy.{'u' * (dtype.kind == 'u')}int64, or set trnarray.config(defaults='numpy')"
            )
    return item.astype(dtype)


def _below(item: Any, dtype: DType, end: Any) -> Any:
    """Round draws to the nearest number, or to the one below where that would be the end that they stay below."""
    nearest = item.astype(dtype)
    reached = (nearest >= np.asarray(end).astype(dtype)) & (item < end)
    return np.nextafter(nearest, dtype.type(-np.inf), out=np.array(nearest), where=reached)[() if item.ndim == 0 else ...]


def compute(promotion: PromotionTable, op: Op, args: list[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an Op on the host in the dtypes that the device would use."""
    if isinstance(op.rule, UfuncRule) and kwargs.get("dtype") is None and "out" not in kwargs:
        args = [np.asarray(item) if isinstance(item, (list, tuple)) else item for item in args]
        operands = args[: op.rule.operands]
        if any(item is None for item in operands):  # clip need not have bounds
            return HOST.compute(op, args, kwargs)
        loop = op.rule.loop(promotion, *operands)
        args = [_as(item, dtype, loop.exact) for item, dtype in zip(args, loop.ins, strict=False)] + args[op.rule.operands :]
    return HOST.compute(op, args, kwargs)


def _as(item: Any, dtype: DType, exact: DType) -> Any:
    """Cast an operand to its loop's dtype; low-precision ones stay, as the host engine widens and rounds them itself."""
    if isinstance(item, (np.ndarray, np.generic)):
        return item if item.dtype == dtype or (item.dtype == exact and is_low_precision(exact)) else item.astype(dtype)
    return item


def gather(memory: Sequence[npt.NDArray[Any]], layout: Layout, dtype: DType, detached: bool) -> Any:
    """Copy an array out of the flat memory of its planes."""
    planes = []
    for flat, part in zip(memory, plane_dtypes(dtype), strict=True):
        strides = tuple(stride * part.itemsize for stride in layout.strides)
        words = flat.view(f"u{part.itemsize}")  # whose dtype as_strided knows
        planes.append(np.lib.stride_tricks.as_strided(words[layout.offset :], layout.shape, strides))
    host = join(tuple(planes), dtype)
    return host[()] if detached else host
