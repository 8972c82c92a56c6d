"""What a rule says, and what rules have in common."""

from __future__ import annotations

import math
import reprlib
from typing import Any, Final, NamedTuple, NoReturn, Protocol, TypeAlias

import numpy as np

from ..dtypes import FLOAT64, DType, is_low_precision, real_of
from ..host.sequences import build, resolve
from ..promotion import PromotionTable

__all__ = [
    "Dynamic",
    "NeedsValueError",
    "Results",
    "Rule",
    "Shape",
    "Signature",
    "broadcast_shapes",
    "double_dtype",
    "float_dtype",
    "meeting_dtype",
    "real_double_dtype",
    "refused",
    "scipy_dtype",
    "signature_of",
]

_WEAK: Final = (bool, int, float, complex)
Shape: TypeAlias = tuple[int, ...]


class Signature(NamedTuple):
    """
    What a rule knows of an array.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    dtype : dtype
        Its dtype.
    """

    shape: Shape
    dtype: DType

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)


Results: TypeAlias = "Signature | tuple[Any, ...] | list[Any] | None"
"""What an Op returns, with a Signature in the place of each array."""


class NeedsValueError(TypeError):
    """
    The results of a call are not known before elements are: the call runs at once.

    Parameters
    ----------
    reason : str
        Why, as a clause that continues "it runs at once: …".
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class RefusedError(NeedsValueError):
    """A call is left to the host, which says what is wrong with it, or finds a meaning."""


def refused() -> NeedsValueError:
    """Leave a call to the host."""
    return RefusedError("what its arguments mean is known to the host alone")


class Dynamic:
    """
    The rule of an Op that always runs at once.

    Parameters
    ----------
    reason : str
        Why, as a clause that continues "it runs at once: …".

    Examples
    --------
    >>> Dynamic("its length is the number of different elements").reason
    'its length is the number of different elements'
    """

    def __init__(self, reason: str) -> None:
        self.reason: Final = reason

    def __call__(self, _promotion: PromotionTable, *_operands: Any, **_parameters: Any) -> NoReturn:
        """Say that elements are needed; see `Rule`."""
        raise NeedsValueError(self.reason)


class Rule(Protocol):
    """Infers the results of an Op."""

    def __call__(self, promotion: PromotionTable, /, *operands: Any, **parameters: Any) -> Results:
        """Infer the results."""


def signature_of(promotion: PromotionTable, operand: Any) -> Signature:
    """
    Tell shape and dtype of an operand: a value, an ndarray, a number, or a nested sequence of them.

    Examples
    --------
    >>> from trnarray.backends.promotion import NEURON
    >>> signature_of(NEURON, [[1, 2.5], [3, 4]])
    Signature(shape=(2, 2), dtype=dtype('float32'))
    """
    if hasattr(operand, "shape") and hasattr(operand, "dtype"):
        return Signature(tuple(operand.shape), operand.dtype)
    if isinstance(operand, (list, tuple, range)):
        made = build(*resolve(operand, _stand_in), None, promotion)
        return Signature(made.shape, made.dtype)
    if isinstance(operand, (bool, int, float, complex)):
        return Signature((), promotion.result_type(operand))
    raise TypeError(f"an operand is an Array, a number or a sequence of numbers, but is {reprlib.repr(operand)}")


def _stand_in(item: Any) -> Any:
    """Stand in for an array in a sequence: its shape and dtype, and no elements."""
    if not hasattr(item, "shape") or not hasattr(item, "dtype"):
        raise TypeError(f"an operand is an Array, a number or a sequence of numbers, but is {reprlib.repr(item)}")
    return np.broadcast_to(np.empty((), item.dtype), item.shape)


def float_dtype(promotion: PromotionTable, *dtypes: DType) -> DType:
    """
    Give the dtype of a function that computes in floats: that in which its operands meet, where integers count as the default float.

    Examples
    --------
    >>> from trnarray.backends.promotion import NUMPY, NEURON
    >>> float_dtype(NUMPY, np.dtype("int8"), np.dtype("float32")), float_dtype(NEURON, np.dtype("int8"))
    (dtype('float64'), dtype('float32'))
    """
    common = promotion.result_type(*dtypes)
    if is_low_precision(common):
        return common
    return promotion.result_type(*[promotion.default_float if dtype.kind in "biu" else dtype for dtype in dtypes])


def double_dtype(promotion: PromotionTable, *dtypes: DType) -> DType:
    """
    Give the dtype of a function that computes in double precision: the default float of the device, or the complex one.

    Examples
    --------
    >>> from trnarray.backends.promotion import NUMPY, NEURON
    >>> double_dtype(NUMPY, np.dtype("float32")), double_dtype(NEURON, np.dtype("complex64"))
    (dtype('float64'), dtype('complex64'))
    """
    return promotion.result_type(promotion.default_float, *[dtype for dtype in dtypes if dtype.kind in "fc"])


def scipy_dtype(promotion: PromotionTable, *operands: Any) -> DType:
    """Give the dtype of a function of SciPy's that computes in floats: that in which operands, some of them None, meet as floats."""
    dtypes = [signature_of(promotion, item).dtype for item in operands if item is not None]
    for dtype in dtypes:
        if dtype.kind == "b" or (dtype.kind in "iu" and dtype.itemsize <= 2 and promotion.default_float == FLOAT64):
            raise NeedsValueError("SciPy computes with bools and short integers in single or in double precision, each function in its own")
    return float_dtype(promotion, *dtypes)


def meeting_dtype(promotion: PromotionTable, *operands: Any) -> DType:
    """Give the dtype in which operands meet, among which Python's numbers are weak."""
    return promotion.result_type(*[item if type(item) in _WEAK else signature_of(promotion, item).dtype for item in operands])


def real_double_dtype(promotion: PromotionTable, *operands: Any) -> DType:
    """Give the dtype of real numbers that are computed of operands in double precision."""
    return real_of(double_dtype(promotion, *[signature_of(promotion, item).dtype for item in operands]))


def broadcast_shapes(*shapes: Shape) -> Shape:
    """
    Broadcast shapes against each other.

    Examples
    --------
    >>> broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    ndim = max(map(len, shapes), default=0)
    result = [1] * ndim
    for shape in shapes:
        for axis, size in enumerate(shape, ndim - len(shape)):
            if size == result[axis] or size == 1:
                continue
            if result[axis] != 1:
                raise ValueError(
                    f"shapes {' and '.join(map(str, shapes))} do not broadcast: "
                    f"axis {axis - ndim} has sizes {result[axis]} and {size}; they must be equal or 1"
                )
            result[axis] = size
    return tuple(result)
