"""A polynomial in one variable, as an object that computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ._apply import apply
from ._array import Array
from ._operand import as_operand
from ._typing import ArrayLike
from .array_conversion import asarray
from .backends.ops import polynomials as ops
from .joining_functions import concatenate
from .manipulation_functions import atleast_1d
from .rearrangement_functions import trim_zeros
from .utility_functions import all as all_

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["poly1d"]


class poly1d:  # noqa: N801  # NumPy's name for it
    """
    A polynomial in one variable.

    It can be called, indexed by power, added, multiplied, divided, differentiated and integrated.

    Parameters
    ----------
    c_or_r : array_like or poly1d
        The coefficients from the highest power down, or the roots.
    r : bool, optional
        Whether they are the roots.
    variable : str, optional
        The variable's name in print; ``"x"`` by default.

    Attributes
    ----------
    coeffs : Array
        The coefficients from the highest power down, the first one not 0.

    Raises
    ------
    ValueError
        If the coefficients are not 1-d.

    Examples
    --------
    >>> import trnarray as xp
    >>> p = xp.poly1d([1, -3, 2])
    >>> print(p)
       2
    1 x - 3 x + 2
    >>> int(p(3)), p.r
    (2, Array([2., 1.], dtype=float64, device='cpu'))
    >>> p * p == xp.poly1d([1, -6, 13, -12, 4])
    True
    """

    __hash__ = None  # type: ignore[assignment]  # its coefficients can be changed
    __array_ufunc__ = None  # NumPy's scalars and arrays leave operators to it

    coeffs: Array
    _variable: str

    def __init__(self, c_or_r: Any, r: bool = False, variable: str | None = None) -> None:
        if isinstance(c_or_r, poly1d):
            self.coeffs = c_or_r.coeffs
            self._variable = variable or c_or_r.variable
            return
        values = apply(ops.poly, c_or_r) if r else as_operand(c_or_r)
        array = atleast_1d(values)
        assert isinstance(array, Array)
        if array.ndim > 1:
            raise ValueError(f"the coefficients of a polynomial are 1-d, but these are {array.ndim}-d; make a polynomial of each row")
        self.coeffs = trim_zeros(array, trim="f")
        if len(self.coeffs) == 0:
            self.coeffs = asarray([0], dtype=self.coeffs.dtype, device=self.coeffs.device)
        self._variable = variable or "x"

    @property
    def c(self) -> Array:
        """The coefficients from the highest power down. See `numpy.poly1d.c`."""
        return self.coeffs

    @c.setter
    def c(self, coeffs: Array) -> None:
        self.coeffs = coeffs

    coef = coefficients = c

    @property
    def variable(self) -> str:
        """The variable's name. See `numpy.poly1d.variable`."""
        return self._variable

    @property
    def order(self) -> int:
        """The highest power. See `numpy.poly1d.order`."""
        return len(self.coeffs) - 1

    o = order

    @property
    def roots(self) -> Array:
        """The roots. See `numpy.poly1d.roots`."""
        return apply(ops.roots, self.coeffs)

    r = roots

    def __call__(self, val: Any) -> Any:
        """Compute values, or put a polynomial in place of the variable."""
        if not isinstance(val, poly1d):
            return apply(ops.polyval, self.coeffs, val)
        result = poly1d(0)
        for coefficient in self.coeffs:
            result = result * val + coefficient
        return result

    def integ(self, m: int = 1, k: Any = 0) -> poly1d:
        """Integrate. See `numpy.poly1d.integ`."""
        return poly1d(apply(ops.polyint, self.coeffs, m=m, k=k), variable=self.variable)

    def deriv(self, m: int = 1) -> poly1d:
        """Differentiate. See `numpy.poly1d.deriv`."""
        return poly1d(apply(ops.polyder, self.coeffs, m=m), variable=self.variable)

    def __add__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polyadd, self.coeffs, _coefficients(other)))

    def __radd__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polyadd, _coefficients(other), self.coeffs))

    def __sub__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polysub, self.coeffs, _coefficients(other)))

    def __rsub__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polysub, _coefficients(other), self.coeffs))

    def __mul__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polymul, self.coeffs, _coefficients(other)))

    def __rmul__(self, other: Any) -> poly1d:
        return poly1d(apply(ops.polymul, _coefficients(other), self.coeffs))

    def __truediv__(self, other: Any) -> Any:
        if _is_scalar(other):
            return poly1d(self.coeffs / other)
        return _quotient(self.coeffs, _coefficients(other))

    def __rtruediv__(self, other: Any) -> Any:
        if _is_scalar(other):
            return poly1d(other / self.coeffs)
        return _quotient(_coefficients(other), self.coeffs)

    def __pow__(self, power: Any) -> poly1d:
        if _is_scalar(power) and int(power) == power and power >= 0:
            result = poly1d([1])
            for _ in range(int(power)):
                result = self * result
            return result
        raise ValueError(f"a polynomial is raised to a whole power of 0 or more, but got {power!r}")

    def __neg__(self) -> poly1d:
        return poly1d(-self.coeffs)

    def __pos__(self) -> poly1d:
        return self

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool(all_(self.coeffs == other.coeffs))

    def __len__(self) -> int:
        return self.order

    def __iter__(self) -> Iterator[Array]:
        return iter(self.coeffs)

    def __getitem__(self, power: int) -> Any:
        place = self.order - power
        return asarray(0, dtype=self.coeffs.dtype)[()] if power < 0 or place < 0 else self.coeffs[place]

    def __setitem__(self, power: int, value: ArrayLike) -> None:
        if power < 0:
            raise ValueError(f"a polynomial has no negative powers, but got {power}")
        missing = power - self.order
        if missing > 0:
            zeros = asarray([0] * missing, dtype=self.coeffs.dtype, device=self.coeffs.device)
            self.coeffs = concatenate([zeros, self.coeffs])
        self.coeffs[self.order - power] = value

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self.coeffs, dtype, copy=copy)

    def __repr__(self) -> str:
        return repr(np.poly1d(np.asarray(self.coeffs._host())))

    def __str__(self) -> str:
        return str(np.poly1d(np.asarray(self.coeffs._host()), variable=self.variable))


def _is_scalar(value: Any) -> bool:
    return value.ndim == 0 if type(value) is Array else bool(np.isscalar(value))


def _coefficients(value: Any) -> Any:
    return value.coeffs if isinstance(value, poly1d) else value


def _quotient(u: Any, v: Any) -> tuple[poly1d, poly1d]:
    divide: Callable[..., tuple[Array, Array]] = Array._apply
    quotient, remainder = divide(ops.polydiv, u, v)
    return poly1d(quotient), poly1d(remainder)
