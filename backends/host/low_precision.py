"""float16, bfloat16 and the float8 kinds on the host: computed and accumulated in float32, rounded once.

Left to themselves NumPy and ml_dtypes round after every addition: a bfloat16 sum of a thousand ones is 256.

For +, −, ×, ÷ and the square root the result is the correctly rounded one, as if float32 had not been between: that
holds where the wide format has at least 2p + 2 bits (S. A. Figueroa, "When is double rounding innocuous?", SIGNUM
Newsletter 30, 1995), and float32 has 24 for p ≤ 11. Below the normal range, where p shrinks but float32 may be subnormal
itself, sums and products are exact in float32 and quotients stay clear of midpoints by more than it rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ..dtypes import FLOAT32, LAST_PLAIN, DType, real_of
from ..nesting import check_depth
from ..op import ELEMENTWISE, FIRST, MADE, MOVE, NATIVE, VIEW
from ..promotion import NUMPY as PROMOTION
from .cast import cast, cast_weak

if TYPE_CHECKING:
    from ..op import Op

__all__ = ["has_low_precision", "run_low_precision"]

_PLAIN: Final = tuple(np.dtype(char) for char in "?bBhHiIlLqQfdFD")
# Types of operands that are not low-precision whatever their value.
_ATOMS: Final = frozenset(
    {int, float, complex, bool, str, type(None), slice, type(Ellipsis), type(np._NoValue)}
    | {dtype.type for dtype in _PLAIN}
    | {type(dtype) for dtype in _PLAIN}
)
_ARRAYS: Final = (np.ndarray, np.generic)
_NUMBERS: Final = (bool, int, float)


def has_low_precision(values: Iterable[Any], depth: int = 0) -> bool:
    """
    Tell whether a low-precision dtype is among the operands.

    Examples
    --------
    >>> import numpy as np
    >>> has_low_precision([1.5, np.ones(3)]), has_low_precision([[np.float16(1)]])
    (False, True)
    """
    for value in values:
        kind = type(value)
        if kind is np.ndarray:
            if value.dtype.num > LAST_PLAIN:
                return True
        elif kind in _ATOMS:
            continue
        elif kind is list or kind is tuple:
            check_depth(depth)
            if has_low_precision(value, depth + 1):
                return True
        elif isinstance(value, np.generic):
            if value.dtype.num > LAST_PLAIN:
                return True
        elif isinstance(value, np.dtype) and value.num > LAST_PLAIN:
            return True
    return False


def run_low_precision(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an Op's host implementation on operands of which some are low-precision."""
    kind = op.kind
    if kind is VIEW or kind is MADE:
        return op.host(*args, **kwargs)
    if kind is MOVE:
        return op.host(*_joined(args, kwargs), **kwargs)
    if kind is NATIVE:
        if not has_low_precision(args):
            return op.host(*args, **kwargs)
        common = kwargs.get("dtype") or PROMOTION.result_type(*_elements(args))
        return op.host(*(_promoted(arg, common) for arg in args), **kwargs)
    dtype = kwargs.get("dtype")
    common = dtype or _common(kind, args, kwargs)
    target = common if common is not None and common.num > LAST_PLAIN else None
    scratch = _Scratch(op, args, target)
    wide = []
    for place, arg in enumerate(args):
        if place in op.writes:
            arg = scratch.stage(arg)
        elif target is not None:
            if kind is ELEMENTWISE and type(arg) in _NUMBERS:
                arg = cast_weak(arg, target)  # a weak scalar takes the arrays' dtype before it is used
            elif dtype is not None:
                arg = _requested(arg, target, kind, kwargs.get("casting", "same_kind"))
        arg = _widened(arg)
        wide.append(np.asarray(arg) if kind is ELEMENTWISE and isinstance(arg, (list, tuple)) else arg)
    keywords = {key: scratch.stage(arg) if key == "out" or key in op.writes else _widened(arg) for key, arg in kwargs.items()}
    result = op.host(*wide, **keywords)
    scratch.write_back(kwargs.get("where", True), kwargs.get("casting", "same_kind"))
    return scratch.finished(result, target)


class _Scratch:
    """What stands in for arrays that are written to: wide copies, which are rounded back in the end."""

    def __init__(self, op: Op, args: Sequence[Any], target: DType | None) -> None:
        # An elementwise result is of the operands' dtype, whatever it is written to; other Ops round only to what they
        # write to. Where operands are wide, the copies are too, so that there is but one rounding.
        self._rounded: Final = target if op.kind is ELEMENTWISE else None
        dtypes = [x.dtype for x in _arrays(args) if x.dtype.num <= LAST_PLAIN and (x.dtype.kind in "fc" or not op.writes)]
        self._wide: Final = FLOAT32 if self._rounded else real_of(PROMOTION.result_type(FLOAT32, *dtypes))
        self._staged: Final[list[tuple[Any, Any]]] = []
        self._kept: Final[list[Any]] = []

    def stage(self, array: Any) -> Any:
        """Give the array, or each of several, its stand-in; one that needs none stands for itself."""
        if type(array) is tuple:
            return tuple(map(self.stage, array))
        if not isinstance(array, np.ndarray):
            return array
        if array.dtype.num <= LAST_PLAIN and (self._rounded is None or array.dtype.kind in "biu"):
            self._kept.append(array)
            return array
        wide = np.zeros(array.shape, self._wide) if self._rounded else array.astype(self._wide)
        self._staged.append((array, wide))
        return wide

    def write_back(self, where: Any, casting: str) -> None:
        """Round the stand-ins back to the arrays."""
        for array, wide in self._staged:
            value = wide if self._rounded is None else cast(wide, self._rounded)
            if not PROMOTION.can_cast(value.dtype, array.dtype, casting):
                raise TypeError(
                    f"a result of dtype {value.dtype} is not written to an out of dtype {array.dtype} by the rule {casting!r}; "
                    "allow it with casting='same_kind'"
                )
            np.copyto(array, cast(value, array.dtype, copy=False), where=True if self._rounded is None else where)

    def finished(self, result: Any, target: DType | None) -> Any:
        """Round float32 results to the target, and give back the arrays themselves that were written to."""
        if isinstance(result, (tuple, list)):
            items = [self.finished(item, target) for item in result]
            return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
        for array, wide in self._staged:
            if result is wide:
                return array
        if any(result is array for array in self._kept):
            return result
        if target is not None and isinstance(result, _ARRAYS) and result.dtype == FLOAT32:
            return cast(result, target)
        return result


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the operands, and what is in nested sequences one by one."""
    for value in values:
        if type(value) is list or type(value) is tuple:
            yield from _flat(value)
        else:
            yield value


def _arrays(values: Iterable[Any]) -> list[Any]:
    """List the arrays and NumPy scalars among operands."""
    return [value for value in _flat(values) if isinstance(value, _ARRAYS)]


def _elements(args: Sequence[Any]) -> list[Any]:
    """List the operands that are elements: arrays, and Python scalars, which in sequences are strong as they are in NumPy."""
    elements: list[Any] = []
    for arg in args:
        if type(arg) is list or type(arg) is tuple:
            elements += map(np.asarray, _flat(arg))
        elif isinstance(arg, _ARRAYS) or type(arg) in _NUMBERS or type(arg) is complex:
            elements.append(arg)
    return elements


def _common(kind: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> DType | None:
    """Find the dtype to which results are rounded, None if there are no operands that could say."""
    if kind is ELEMENTWISE:
        operands = _elements(args)
    else:
        operands = _arrays([args, [value for key, value in kwargs.items() if key not in ("out", "where")]])
        operands = [x for x in operands if x.dtype.kind != "b"] or operands  # conditions say nothing about dtypes
    if kind is FIRST:
        operands = [x for x in operands if x.dtype.kind not in "biu"]
    return PROMOTION.result_type(*operands) if operands else None


def _joined(args: Sequence[Any], kwargs: Mapping[str, Any]) -> Sequence[Any]:
    """Promote what is to be joined, a leading sequence of arrays: NumPy cannot promote all low-precision dtypes."""
    if not args or type(args[0]) not in (list, tuple):
        return args
    first = args[0]
    operands = _arrays(first)
    if not operands:
        return args
    common = kwargs.get("dtype") or PROMOTION.result_type(*operands)
    return [type(first)(_promoted(item, common) for item in first), *args[1:]]


def _promoted(value: Any, dtype: DType) -> Any:
    """Cast an operand, unless that would drop its imaginary part, which is for NumPy to refuse."""
    if isinstance(value, _ARRAYS) and (value.dtype.kind != "c" or dtype.kind == "c"):
        return cast(value, dtype, copy=False)
    return cast_weak(value, dtype) if type(value) in _NUMBERS else value


def _requested(value: Any, dtype: DType, kind: str, casting: str) -> Any:
    """Cast an operand to the dtype that the caller asks for; NumPy refuses what is left as it is."""
    if not isinstance(value, _ARRAYS) or value.dtype.kind == "c" or (kind is FIRST and value.dtype.kind in "biu"):
        return value
    if not PROMOTION.can_cast(value.dtype, dtype, casting):
        raise TypeError(
            f"an operand of dtype {value.dtype} is not cast to {dtype} by the rule {casting!r}; allow it with casting='same_kind'"
        )
    return cast(value, dtype, copy=False)


def _widened(value: Any) -> Any:
    """Bring low-precision operands, and requests for them, to float32."""
    if type(value) is list or type(value) is tuple:
        return type(value)(map(_widened, value))
    if isinstance(value, _ARRAYS):
        return value.astype(FLOAT32) if value.dtype.num > LAST_PLAIN else value
    return FLOAT32 if isinstance(value, np.dtype) and value.num > LAST_PLAIN else value
