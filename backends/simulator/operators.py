"""The operators that `op=` parameters take: what each does on the engines' arithmetic units and on the Scalar Engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import activation_functions as functions

__all__ = ["OPERATORS", "Activation", "Alu", "Operator"]

Array = NDArray[Any]


class Alu(NamedTuple):
    """
    What an operator does on the engines' arithmetic units.

    Attributes
    ----------
    compute : callable
        Of one or two arrays: float32 for arithmetic, stored integers for bit operators. It computes into `out`, if that is given.
    arity : int
        1 or 2.
    bitwise : bool
        Whether it works on bit patterns of integers.
    reduces : bool
        Whether it is legal in reductions.
    pool_only : bool
        Whether only GpSimd has it.
    since : int
        First generation that has it.
    first_only : bool
        Whether it is only the first operator of a tensor_scalar.
    shifts : bool
        Whether the right operand is a count of bits.
    truth : bool
        Whether results are 0 and 1, so that `out` may be of any dtype.
    """

    compute: Callable[..., Array]
    arity: int = 2
    bitwise: bool = False
    reduces: bool = False
    pool_only: bool = False
    since: int = 2
    first_only: bool = False
    shifts: bool = False
    truth: bool = False


class Activation(NamedTuple):
    """
    What an operator does on the Scalar Engine.

    Attributes
    ----------
    compute : callable
        Of a float32 array, and of a slope if it takes one.
    low, high : float
        Magnitudes outside are not valid input.
    takes_slope : bool
        Whether activate2's `relu_param` matters.
    """

    compute: Callable[..., Array]
    low: float = 0.0
    high: float = np.inf
    takes_slope: bool = False


class Operator:
    """
    An operator.

    Parameters
    ----------
    name : str
        In nki.language.
    alu : Alu, optional
        What it does on arithmetic units.
    activation : Activation, optional
        What it does on the Scalar Engine.
    """

    def __init__(self, name: str, alu: Alu | None = None, activation: Activation | None = None) -> None:
        self.name = self.__name__ = name
        self.alu, self.activation = alu, activation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operator) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


def _truth(found: Array, out: Array | None) -> Array:
    """Give 1 for true and 0 for false, which every dtype holds."""
    if out is None:
        return found.astype(np.float32)
    out[...] = found
    return out


def _compare(compute: Callable[[Array, Array], Array]) -> Alu:
    return Alu(lambda a, b, out=None: _truth(compute(a, b), out), truth=True)


def _logical(compute: Callable[[Array, Array], Array]) -> Alu:
    return Alu(lambda a, b, out=None: _truth(compute(a != 0, b != 0), out), reduces=True, truth=True)


def _logical_shift(compute: Callable[..., Array]) -> Callable[..., Array]:
    """Shifts of the bit pattern; all bits leave it when the count reaches the width."""

    def shift(a: Array, b: Array, out: Array | None = None) -> Array:
        unsigned = np.dtype(f"u{a.dtype.itemsize}")
        bits, width = a.view(unsigned), 8 * unsigned.itemsize
        count = b.view(f"u{b.dtype.itemsize}")
        inside = count < width
        if not inside.all():
            bits, count = np.where(inside, bits, unsigned.type(0)), np.minimum(count, width - 1)
        return compute(bits, count.astype(unsigned, copy=False), out=None if out is None else out.view(unsigned)).view(a.dtype)

    return shift


def _extreme(select: np.ufunc) -> Callable[..., Array]:
    """Repeat a constant along the last axis: of two rows NumPy selects faster."""

    def compute(a: Array, b: Array, out: Array | None = None) -> Array:
        if np.ndim(a) != np.ndim(b):
            a, b = (item if np.ndim(item) else np.full(other.shape[-1:], item) for item, other in ((a, b), (b, a)))
        return np.asarray(select(a, b, out=out))

    return compute


def _by_magnitude(compare: Callable[[Array, Array], Array]) -> Callable[..., Array]:
    """Select the signed value; the second of equal magnitudes, and NaN."""

    def select(a: Array, b: Array, out: Array | None = None) -> Array:
        return np.positive(np.where(compare(np.abs(a), np.abs(b)) | np.isnan(a), a, b), out=out)

    return select


_maximum, _minimum = _extreme(np.maximum), _extreme(np.minimum)


def _relu(x: Array, out: Array | None = None) -> Array:
    return np.maximum(x, np.zeros(x.shape[-1:], np.float32), out=out)


def _sign(x: Array) -> Array:
    """Compare twice: NumPy's sign has branches."""
    found = np.subtract(np.greater(x, 0).view(np.int8), np.less(x, 0).view(np.int8)).astype(np.float32)
    unknown = np.isnan(x)
    if unknown.any():
        found[unknown] = x[unknown]
    return found


def _rsqrt(x: Array, out: Array | None = None) -> Array:
    return np.divide(1, np.sqrt(x), out=out)


_BINARY: Final = {
    "add": Alu(np.add, reduces=True),
    "subtract": Alu(np.subtract, reduces=True),
    "multiply": Alu(np.multiply, reduces=True),
    "maximum": Alu(_maximum, reduces=True),
    "minimum": Alu(_minimum, reduces=True),
    "power": Alu(np.power, pool_only=True),
    "abs_max": Alu(_by_magnitude(np.greater), since=4),
    "abs_min": Alu(_by_magnitude(np.less), since=4),
    "equal": _compare(np.equal),
    "not_equal": _compare(np.not_equal),
    "greater": _compare(np.greater),
    "greater_equal": _compare(np.greater_equal),
    "less": _compare(np.less),
    "less_equal": _compare(np.less_equal),
    "logical_and": _logical(np.logical_and),
    "logical_or": _logical(np.logical_or),
    "logical_xor": _logical(np.logical_xor),
    "bitwise_and": Alu(np.bitwise_and, bitwise=True, reduces=True),
    "bitwise_or": Alu(np.bitwise_or, bitwise=True, reduces=True),
    "bitwise_xor": Alu(np.bitwise_xor, bitwise=True, reduces=True),
    "left_shift": Alu(_logical_shift(np.left_shift), bitwise=True, shifts=True),
    "right_shift": Alu(_logical_shift(np.right_shift), bitwise=True, shifts=True),
}
_UNARY: Final[dict[str, tuple[Alu | None, Activation | None]]] = {
    "invert": (Alu(np.invert, 1, bitwise=True), None),
    "abs": (Alu(np.abs, 1), Activation(np.abs)),
    "square": (Alu(np.square, 1, since=4, first_only=True), Activation(np.square)),
    "relu": (Alu(_relu, 1, since=4, first_only=True), Activation(_relu)),
    "rsqrt": (Alu(_rsqrt, 1), Activation(_rsqrt, 2.0**-87, 2.0**97)),
    "reciprocal": (Alu(np.reciprocal, 1), Activation(np.reciprocal, 2.0**-42, 2.0**42)),
    "copy": (None, Activation(np.copy)),
    "exp": (None, Activation(np.exp)),
    "tanh": (None, Activation(np.tanh)),
    "sigmoid": (None, Activation(functions.sigmoid)),
    "sign": (None, Activation(_sign)),
    "log": (None, Activation(np.log, 2.0**-64, 2.0**64)),
    "sqrt": (None, Activation(np.sqrt, 2.0**-116, 2.0**118)),
    "sin": (None, Activation(functions.sin)),
    "arctan": (None, Activation(functions.arctan, high=float(np.float32(np.pi / 2)))),
    "erf": (None, Activation(functions.erf)),
    "erf_dx": (None, Activation(functions.erf_dx)),
    "gelu": (None, Activation(functions.gelu)),
    "gelu_dx": (None, Activation(functions.gelu_dx)),
    "gelu_apprx_tanh": (None, Activation(functions.gelu_apprx_tanh)),
    "gelu_apprx_sigmoid": (None, Activation(functions.gelu_apprx_sigmoid)),
    "gelu_apprx_sigmoid_dx": (None, Activation(functions.gelu_apprx_sigmoid_dx)),
    "silu": (None, Activation(functions.silu)),
    "silu_dx": (None, Activation(functions.silu_dx)),
    "softplus": (None, Activation(functions.softplus)),
    "mish": (None, Activation(functions.mish)),
    "prelu": (None, Activation(functions.prelu, takes_slope=True)),
}
OPERATORS: Final[dict[str, Operator]] = {
    **{name: Operator(name, alu) for name, alu in _BINARY.items()},
    **{name: Operator(name, alu, activation) for name, (alu, activation) in _UNARY.items()},
    **{name: Operator(name) for name in ("average", "bypass")},
}
