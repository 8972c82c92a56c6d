"""The rules of universal functions and reductions."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..dtypes import (
    DTYPES,
    FIRST_EXTRA,
    FLOAT32,
    FLOAT64,
    INT64,
    SINGLE_OF,
    UINT64,
    DType,
    canonical_dtype,
    is_double,
    is_low_precision,
    real_of,
)
from ..promotion import CASTINGS, PromotionTable
from .signature import Results, Signature, broadcast_shapes

__all__ = ["POSITIONS", "UfuncLoop", "UfuncRule", "check_keywords", "is_true"]

_WEAK: Final = frozenset({bool, int, float, complex})
_BY_CHAR: Final[Mapping[str, DType]] = {str(dtype.char): dtype for dtype in DTYPES if dtype.num < FIRST_EXTRA} | {
    "q": INT64,
    "Q": UINT64,
}

POSITIONS: Final[Mapping[str, int]] = {
    **dict.fromkeys(("argmax", "argmin", "argpartition", "argsort", "argwhere", "bincount", "count_nonzero", "digitize", "flatnonzero"), 0),
    **dict.fromkeys(("lexsort", "nanargmax", "nanargmin", "nonzero", "searchsorted"), 0),
    **dict.fromkeys(("intersect1d", "topk", "unique", "unique_all", "unique_counts", "unique_inverse"), 1),
}
"""Ops of which results, from the first or the second one on, are positions or counts: of the default index dtype, whatever operands are."""


class UfuncLoop:  # no dataclass: importing those would take a tenth of NumPy's own import
    """
    A loop of a universal function, one for each tuple of dtypes of operands.

    Parameters
    ----------
    ins : tuple of dtype
        What the operands are cast to.
    exact : dtype
        The operands' common dtype.
    outs : tuple of dtype
        The results; where `exact` is a low-precision dtype and the loop gives float32, that is rounded to it.
    """

    __slots__ = ("exact", "ins", "outs")

    def __init__(self, ins: tuple[DType, ...], exact: DType, outs: tuple[DType, ...]) -> None:
        self.ins: Final = ins
        self.exact: Final = exact
        self.outs: Final = outs


def is_true(flag: Any) -> bool:
    """Tell what a flag such as `keepdims` is: an integer is a truth value, as in NumPy, and None is False."""
    if flag is None or flag is np._NoValue or isinstance(flag, (bool, np.bool)):
        return flag is not np._NoValue and bool(flag)
    several: Any = getattr(flag, "shape", None)
    if not hasattr(flag, "__index__") or several:
        raise TypeError(f"a flag such as keepdims is True or False, but one is {reprlib.repr(flag)}")
    return operator.index(flag) != 0


def check_keywords(keywords: Mapping[str, Any]) -> None:
    """Check what universal functions and their methods take by keyword, as NumPy does before it looks at operands."""
    casting, subok, where = (keywords.get(name, default) for name, default in (("casting", "no"), ("subok", True), ("where", True)))
    if not isinstance(casting, str):
        raise TypeError(f"casting is a str, one of {', '.join(CASTINGS)}, but is of type {type(casting).__name__}")
    if casting not in CASTINGS:
        raise ValueError(f"casting {reprlib.repr(casting)} is unknown; use one of {', '.join(CASTINGS)}")
    if not isinstance(subok, (bool, np.bool)):
        raise TypeError(f"subok is True or False, but is of type {type(subok).__name__}")
    is_true(keywords.get("keepdims"))
    if isinstance(keywords.get("initial"), (list, tuple, range)):
        raise TypeError(f"initial is a number, but is of type {type(keywords['initial']).__name__}")
    signature = keywords.get("signature")
    if signature is not None and not isinstance(signature, (str, tuple, np.dtype, type)):
        raise TypeError(f"signature is a str or a tuple of dtypes, but is of type {type(signature).__name__}")
    dtype = getattr(where, "dtype", None)
    if isinstance(dtype, np.dtype) and dtype.kind != "b":
        raise TypeError(f"where= is an Array of bool, and is of {dtype}; compare its elements, as in where=mask != 0")


class UfuncRule:
    """
    The rule of a universal function: broadcast, and the first of its loops that holds the operands.

    Low-precision operands use the float32 loop, and a float32 result is rounded back to their common dtype.

    Parameters
    ----------
    ufunc : numpy.ufunc
        Whose table of loops to use.
    operands : int, optional
        The number of operands, where it is not that of `ufunc`.
    booleans : bool, optional
        False where bool is refused, which the table does not show.
    integers : bool, optional
        False where integers are taken for the default float, which the table does not show either.
    narrow : UfuncRule, optional
        The rule on devices whose default float is narrower than float64, where the table has double precision alone.
    """

    __slots__ = ("_booleans", "_chosen", "_integers", "_loops", "_narrow", "_ufunc", "operands")

    def __init__(
        self,
        ufunc: np.ufunc,
        operands: int | None = None,
        *,
        booleans: bool = True,
        integers: bool = True,
        narrow: UfuncRule | None = None,
    ) -> None:
        self._ufunc: Final = ufunc
        self._narrow: Final = narrow
        self._booleans: Final = booleans
        self._integers: Final = integers
        self.operands: Final = operands or ufunc.nin
        self._loops: list[tuple[tuple[DType, ...], tuple[DType, ...]]] | None = None
        self._chosen: dict[tuple[object, ...], UfuncLoop] = {}

    def _table(self) -> list[tuple[tuple[DType, ...], tuple[DType, ...]]]:
        if self._loops is None:  # on first use, to keep the import fast
            loops = []
            for row in self._ufunc.types:
                ins, outs = row.split("->")
                if all(char in _BY_CHAR for char in ins + outs):
                    taken = (ins[0] * self.operands) if self.operands != self._ufunc.nin else ins
                    loops.append((tuple(_BY_CHAR[c] for c in taken), tuple(_BY_CHAR[c] for c in outs)))
            self._loops = loops
        return self._loops

    def __call__(self, promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Results:
        """Infer the results; see `Rule`."""
        loop: UfuncLoop | None = parameters.get("loop")  # of a canonical call
        if loop is None:
            if self.operands > self._ufunc.nin:  # clip need not have bounds
                given = [x for x in operands if x is not None]
                if len(given) == 1:
                    return _COPY(promotion, *given)
                operands = (*given, *given[: self.operands - len(given)])
            loop = self.loop(promotion, *operands, dtype=parameters.get("dtype"), casting=parameters.get("casting", "same_kind"))
        shape = broadcast_shapes(*(getattr(x, "shape", ()) for x in operands))  # after the loop, as NumPy
        results = tuple([Signature(shape, out) for out in loop.outs])
        return results[0] if len(results) == 1 else results

    def loop(self, promotion: PromotionTable, *operands: Any, dtype: DType | None = None, casting: str = "same_kind") -> UfuncLoop:
        """Find the loop that runs on operands."""
        if dtype is not None:
            dtype = canonical_dtype(dtype)
        key = (promotion, dtype, casting, *[type(x) if type(x) in _WEAK else x.dtype for x in operands])
        try:
            return self._chosen[key]
        except KeyError:
            found = self._chosen[key] = self._choose(promotion, operands, dtype, casting)
            return found

    def _choose(self, promotion: PromotionTable, operands: Sequence[Any], dtype: DType | None, casting: str) -> UfuncLoop:
        if self._narrow is not None and promotion.default_float != FLOAT64:
            return self._narrow.loop(promotion, *operands, dtype=dtype, casting=casting)
        rows = self._table() if dtype is None else self._giving(dtype)
        common = promotion.result_type(*operands)
        single = dtype is None and promotion.default_float != FLOAT64 and not is_double(common)
        if single:
            # Double precision only where it is given.
            rows = [row for row in rows if SINGLE_OF.keys().isdisjoint((*row[0], *row[1]))] or rows
        # Numbers of Python's go with any loop of their kind, where loops are not told by one dtype.
        free = [type(x) in _WEAK and not self._alike() for x in operands]
        wanted = [self._wanted(promotion, x, common) for x in operands]
        # Where no loop takes integers, and no float holds them, they become the default float: all, or all but exponents or orders.
        floats = [promotion.default_float if need.kind in "biu" else need for need in wanted]
        # Real numbers of Python's stay real where a loop takes no complex number there.
        numbers = [type(x) in (bool, int, float) for x in operands]
        reals = [real_of(need) if number else need for need, number in zip(wanted, numbers, strict=True)]
        safely = [(needs, "safe") for needs in (wanted, floats, [floats[0], *wanted[1:]], [wanted[0], *floats[1:]], reals)]
        for needs, rule in safely if dtype is None else (*safely, (wanted, casting)):
            same = [row for row in rows if row[0] == tuple(needs)]  # SciPy's tables may have wider loops first
            for ins, outs in (*same, *rows):
                if all(
                    promotion.promote_weak(need, type(x)) == need if weak else promotion.can_cast(have, need, rule)
                    for have, need, x, weak in zip(needs, ins, operands, free, strict=True)
                ):
                    if dtype is not None and {*ins} == {*outs}:
                        exact = dtype
                    else:
                        exact = common if len({*ins}) == 1 else promotion.result_type(operands[0])
                    low = is_low_precision(exact)
                    outs = tuple(SINGLE_OF.get(out, out) for out in outs) if single else outs
                    return UfuncLoop(ins, exact, tuple(exact if low and out == FLOAT32 else out for out in outs))
        named = ", ".join(str(promotion.result_type(x)) for x in operands)
        if rows and dtype is not None:
            raise TypeError(
                f"{self._ufunc.__name__} with dtype={dtype} would cast {named}, which casting={casting!r} does not allow; "
                "leave dtype out, or allow it with casting='unsafe'"
            )
        raise TypeError(f"{self._ufunc.__name__} is not defined for {named}; cast the operands with astype first")

    def _giving(self, dtype: DType) -> list[tuple[tuple[DType, ...], tuple[DType, ...]]]:
        """Find the loops that give a dtype."""
        if is_low_precision(dtype):
            rows = [row for row in self._table() if {*row[0], *row[1]} == {FLOAT32}]
        else:
            rows = [row for row in self._table() if {*row[1]} == {dtype}]
        if not rows:
            raise TypeError(f"{self._ufunc.__name__} has no loop that gives {dtype}; leave dtype out, and cast the result with astype")
        return rows

    def _alike(self) -> bool:
        """Tell whether loops take all operands in one dtype."""
        return all(len({*ins}) == 1 for ins, _ in self._table()[:1])

    def _wanted(self, promotion: PromotionTable, operand: Any, common: DType) -> DType:
        """Give the dtype in which an operand looks for its loop."""
        dtype = common if type(operand) in _WEAK and self._alike() else promotion.result_type(operand)
        if dtype.kind == "b" and not self._booleans and common.kind == "b":
            raise TypeError(f"{self._ufunc.__name__} is not defined for bool; use logical or bitwise functions, or cast with astype")
        if dtype.kind in "biu" and not self._integers:
            return promotion.default_float if common.kind in "biu" else common
        return FLOAT32 if is_low_precision(dtype) else dtype


_COPY: Final = UfuncRule(np.positive, booleans=False)
