"""float16, bfloat16 and the float8 kinds on the host: computed and accumulated in float32, rounded once.

Left to themselves NumPy and ml_dtypes round after every addition: a bfloat16 sum of a thousand ones is 256.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import FLOAT32, LAST_PLAIN
from ..op import COMPUTE, MOVE, NATIVE, VIEW
from ..promotion import HOST as PROMOTION
from .cast import cast

if TYPE_CHECKING:
    from ..op import Op

__all__ = ["ATOMS", "has_low_precision", "run_low_precision"]

ATOMS = frozenset({int, float, complex, bool, str, type(None), slice, type(Ellipsis)})


def has_low_precision(values: Iterable[Any]) -> bool:
    """
    Tell whether a low-precision dtype is among the operands.

    Parameters
    ----------
    values : iterable
        Operands, nested sequences of them, dtypes, and anything else.

    Returns
    -------
    bool
        True if any array, scalar or dtype among them is of a low-precision kind.
    """
    for value in values:
        kind = type(value)
        if kind is np.ndarray:
            if value.dtype.num > LAST_PLAIN:
                return True
        elif kind in ATOMS:
            continue
        elif kind is list or kind is tuple:
            if has_low_precision(value):
                return True
        elif isinstance(value, np.generic):
            if value.dtype.num > LAST_PLAIN:
                return True
        elif isinstance(value, np.dtype) and value.num > LAST_PLAIN:
            return True
    return False


def run_low_precision(op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """
    Run an Op's host implementation on operands of which some are low-precision.

    Parameters
    ----------
    op : Op
        The operation; its kind says which road its elements take.
    args : sequence
        Positional operands.
    kwargs : mapping
        Keyword operands.

    Returns
    -------
    ndarray, NumPy scalar, or tuple or list of them
        As the implementation returns, float32 results rounded to the operands' common dtype.
    """
    if op.kind is VIEW:
        return op.host(*args, **kwargs)
    if op.kind is MOVE:
        first = args[0]
        if type(first) in (list, tuple):
            common = PROMOTION.result_type(*_operands(first))
            first = type(first)(_promoted(item, common) for item in first)
        return op.host(first, *args[1:], **kwargs)
    if op.kind is NATIVE:
        common = PROMOTION.result_type(*_operands(args))
        return op.host(*(_promoted(a, common) for a in args), **kwargs)
    dtype = kwargs.get("dtype")
    if dtype is not None:
        target = dtype if dtype.num > LAST_PLAIN else None
    else:
        operands = list(_operands([args, [v for k, v in kwargs.items() if k != "out"]]))
        if op.kind is not COMPUTE:
            operands = [x for x in operands if x.dtype.kind not in "biu"]
        common = PROMOTION.result_type(*operands)
        target = common if common.num > LAST_PLAIN else None
    staged: list[tuple[Any, Any]] = []
    wide_args = [_widen(a, target if op.kind is COMPUTE else None, staged if i in op.writes else None) for i, a in enumerate(args)]
    wide_kwargs = {
        key: _widen(value, None, staged if key == "out" or key in op.writes else None) for key, value in kwargs.items()
    }
    result = op.host(*wide_args, **wide_kwargs)
    for narrow, wide in staged:
        narrow[...] = wide.astype(narrow.dtype)
    originals = {id(wide): narrow for narrow, wide in staged}
    return _narrow(result, target, originals)


def _operands(values: Iterable[Any]) -> Iterable[Any]:
    """Yield the arrays and NumPy scalars among nested operands."""
    for value in values:
        if type(value) is list or type(value) is tuple:
            yield from _operands(value)
        elif isinstance(value, (np.ndarray, np.generic)):
            yield value


def _promoted(value: Any, dtype: np.dtype[Any]) -> Any:
    return cast(value, dtype, copy=False) if isinstance(value, (np.ndarray, np.generic)) else value


def _widen(value: Any, scalars: np.dtype[Any] | None, staged: list[tuple[Any, Any]] | None) -> Any:
    """Bring low-precision operands to float32; arrays that will be written to are noted in `staged`."""
    if type(value) is list or type(value) is tuple:
        return type(value)(_widen(item, None, staged) for item in value)
    if isinstance(value, np.dtype):
        return FLOAT32 if value.num > LAST_PLAIN else value
    if type(value) is float and scalars is not None:  # a weak scalar takes the array's dtype before it is used
        return cast(np.float64(value), scalars).astype(FLOAT32)
    if not isinstance(value, (np.ndarray, np.generic)) or value.dtype.num <= LAST_PLAIN:
        return value
    wide = value.astype(FLOAT32)
    if staged is not None and isinstance(value, np.ndarray):
        staged.append((value, wide))
    return wide


def _narrow(result: Any, target: np.dtype[Any] | None, originals: Mapping[int, Any]) -> Any:
    """Round float32 results to the target; give back the array that was asked to be written to."""
    if isinstance(result, (tuple, list)):
        items = [_narrow(item, target, originals) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    if id(result) in originals:
        return originals[id(result)]
    if target is not None and isinstance(result, (np.ndarray, np.generic)) and result.dtype == FLOAT32:
        return result.astype(target)
    return result
