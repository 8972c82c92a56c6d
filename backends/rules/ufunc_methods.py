"""Rules of products of vectors and matrices, and of the methods of universal functions."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ..dtypes import DType
from ..promotion import PromotionTable
from ..shape import checked_axis
from .elementwise import UfuncRule
from .reduction import Reduction, sum_dtype
from .signature import Dynamic, Results, Rule, Shape, Signature, broadcast_shapes, signature_of
from .writing import at

__all__ = ["Outer", "Products", "method_rule"]

_SUMS: Final = (np.add, np.multiply)


class Products:
    """
    The rule of a ufunc of vectors and matrices: some axes of the operands belong together, the others broadcast.

    Parameters
    ----------
    ufunc : numpy.ufunc
        Which, with its signature and loops.
    """

    __slots__ = ("_loops", "_results", "_ufunc", "_vectors")

    def __init__(self, ufunc: np.ufunc) -> None:
        self._ufunc: Final = ufunc
        self._loops: Final = UfuncRule(ufunc)
        operands, results = (ufunc.signature or "").split("->")
        self._vectors: Final = [part.strip("()").split(",") for part in operands.split("),(")]
        self._results: Final = [name for name in results.strip("()").split(",") if name]

    def __call__(
        self, promotion: PromotionTable, /, x1: Any, x2: Any, out: Any = None, *, axis: int | None = None, axes: Any = None,
        keepdims: bool = False, dtype: DType | None = None, casting: str = "same_kind", **_: Any,
    ) -> Results:  # fmt: skip
        """Infer the result; see `Rule`."""
        operands = [signature_of(promotion, item) for item in (x1, x2)]
        shapes = [operand.shape for operand in operands]
        places = [tuple(range(-len(names), 0)) for names in self._vectors]
        target: tuple[int, ...] = tuple(range(-len(self._results), 0))
        if axis is not None:
            places, target = [(axis,)] * len(places), (axis,) if keepdims else ()
        elif axes is not None:
            listed = [item if isinstance(item, tuple) else (item,) for item in axes]
            places = listed[:2]
            target = listed[2] if len(listed) > 2 else target if self._results else listed[0] if keepdims else ()
        elif keepdims:
            target = (-1,)
        sides: dict[str, int] = {}
        batches: list[Shape] = []
        missing: set[str] = set()
        for shape, names, found in zip(shapes, self._vectors, places, strict=True):
            if len(shape) < len(names):
                optional = [name for name in names if name.endswith("?")]
                if len(shape) + len(optional) < len(names) or not shape:
                    raise ValueError(f"{self._ufunc.__name__} takes operands of {len(names)} axes or more, and one has the shape {shape}")
                missing.update(optional)
                names = [name for name in names if name not in optional]
                found = (-1,)
            chosen = [checked_axis(one, len(shape)) for one in found]
            for name, one in zip(names, chosen, strict=True):
                if sides.setdefault(name, shape[one]) != shape[one]:
                    raise ValueError(
                        f"{self._ufunc.__name__}: operands of shapes {shapes[0]} and {shapes[1]} have a mismatch in a core dimension: "
                        f"size {shape[one]} is different from {sides[name]}"
                    )
            batches.append(tuple([side for one, side in enumerate(shape) if one not in chosen]))
        kept = [sides[name] for name in self._results if name not in missing] or [1] * (keepdims and not self._results)
        batch = list(broadcast_shapes(*batches))
        ndim = len(batch) + len(kept)
        if kept:
            at = [checked_axis(one, ndim) for one in target[len(target) - len(kept) :]]
            result = dict(zip(at, kept, strict=True))
            rest = iter(batch)
            shape = tuple([result[one] if one in result else next(rest) for one in range(ndim)])
        else:
            shape = tuple(batch)
        return Signature(shape, self._loops.loop(promotion, *operands, dtype=dtype, casting=casting).outs[0])


def method_rule(ufunc: np.ufunc, method: str, called: Rule | None) -> Rule:
    """Give the rule of a method of a ufunc, by that of calling it."""
    if method == "at":
        return at
    if ufunc.signature is not None:
        return Dynamic("functions of vectors and matrices have no such method")
    loops = called if isinstance(called, UfuncRule) else UfuncRule(ufunc)
    if method == "outer":
        return Outer(loops)
    if method == "reduce":
        return _Reduce(ufunc, loops)
    return _Accumulate(ufunc, loops) if method == "accumulate" else _ReduceAt(ufunc, loops)


class Outer:
    """
    The rule of `numpy.ufunc.outer`.

    Parameters
    ----------
    loops : UfuncRule
        Of the universal function.
    """

    __slots__ = ("loops",)

    def __init__(self, loops: UfuncRule) -> None:
        self.loops: Final = loops

    def __call__(self, promotion: PromotionTable, /, A: Any, B: Any, **parameters: Any) -> Results:  # NumPy's
        """Infer the results; see `Rule`."""
        one, other = (signature_of(promotion, item) for item in (A, B))
        first = Signature(one.shape + (1,) * other.ndim, one.dtype)
        return self.loops(promotion, first, other, **parameters)


class _Combining:
    """What the methods that combine the elements of an array have in common: the dtype in which they do."""

    __slots__ = ("_loops", "_ufunc")

    def __init__(self, ufunc: np.ufunc, loops: UfuncRule) -> None:
        if ufunc.nin != 2 or ufunc.nout != 1:
            raise ValueError(f"{ufunc.__name__} does not combine two elements to one, so it has no such method")
        self._ufunc: Final = ufunc
        self._loops: Final = loops

    def _dtype(self, promotion: PromotionTable, operand: Signature, dtype: DType | None) -> DType:
        if dtype is not None:
            return dtype
        if self._ufunc in _SUMS:
            return sum_dtype(promotion, operand.dtype)
        return self._loops.loop(promotion, operand, operand).outs[0]


class _Reduce(_Combining):
    """The rule of `numpy.ufunc.reduce`."""

    __slots__ = ()

    def __call__(
        self, promotion: PromotionTable, /, array: Any, axis: Any = 0, dtype: DType | None = None, out: Any = None, keepdims: Any = False,
        initial: Any = np._NoValue, where: Any = True,
    ) -> Signature:  # fmt: skip
        """Infer the result; see `Rule`."""
        operand = signature_of(promotion, array)
        rule = _REDUCED if self._ufunc.identity is None else _REDUCED_FROM_IDENTITY
        combined = Signature(operand.shape, self._dtype(promotion, operand, dtype))
        return rule(promotion, combined, axis=axis, keepdims=keepdims, initial=initial)


_REDUCED: Final = Reduction("same", scalars=True, identity=False)
_REDUCED_FROM_IDENTITY: Final = Reduction("same", scalars=True)


class _Accumulate(_Combining):
    """The rule of `numpy.ufunc.accumulate`."""

    __slots__ = ()

    def __call__(self, promotion: PromotionTable, /, array: Any, axis: int = 0, dtype: DType | None = None, out: Any = None) -> Signature:
        """Infer the result; see `Rule`."""
        operand = signature_of(promotion, array)
        if not operand.shape:
            raise TypeError("cannot accumulate on a scalar")
        checked_axis(axis, operand.ndim)
        return Signature(operand.shape, self._dtype(promotion, operand, dtype))


class _ReduceAt(_Combining):
    """The rule of `numpy.ufunc.reduceat`."""

    __slots__ = ()

    def __call__(
        self, promotion: PromotionTable, /, array: Any, indices: Any, axis: int = 0, dtype: DType | None = None, out: Any = None
    ) -> Signature:
        """Infer the result; see `Rule`."""
        operand, places = signature_of(promotion, array), signature_of(promotion, indices)
        if not operand.shape:
            raise TypeError("cannot reduceat on a scalar")
        if places.ndim != 1:
            raise ValueError(f"reduceat takes a vector of indices, and these have the shape {places.shape}")
        if hasattr(indices, "dtype") and places.dtype.kind not in "biu" and places.shape[0]:
            raise TypeError(f"indices are integers, and these are of {places.dtype}; cast them with astype")
        axis = checked_axis(axis, operand.ndim)
        return Signature((*operand.shape[:axis], *places.shape, *operand.shape[axis + 1 :]), self._dtype(promotion, operand, dtype))
