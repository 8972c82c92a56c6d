"""The base class of the sparse arrays: their attributes, and how they are made and printed."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, ClassVar, Final, Self

import numpy as np
import scipy.sparse

from .._array import Array
from .._placement import choose_device, promotion_table
from .._typing import DeviceLike, DTypeLike, Shape
from ..array_conversion import asarray
from ..backends.device import CPU, Device
from ..backends.dtypes import DType
from ..backends.ops.sparse import METHODS
from ..backends.settings import get_default_device
from .base import SparseBase, common_device, from_scipy, is_scalar, is_sparse, run, run_raw, unwrap, wrap_result
from .conversion import Conversion, sparse_dtype
from .elementwise import ElementwiseMethods
from .operators import Operators
from .reductions import Reductions
from .structure import Structure

__all__ = ["as_sparse", "only_sparse", "sparray"]

_NAMES: Final = {
    "csr": "Compressed Sparse Row",
    "csc": "Compressed Sparse Column",
    "coo": "COOrdinate",
    "bsr": "Block Sparse Row",
    "dia": "DIAgonal",
}


def _moved(data: Any, device: Device) -> Any:
    """Make Arrays, with the dtypes that they have on a device, of what an array there is made of."""
    if isinstance(data, tuple):
        return data if all(type(item) is int for item in data) else tuple(_moved(item, device) for item in data)
    if isinstance(data, np.ndarray):  # whose dtype devices keep, or refuse
        return asarray(data, device=CPU)
    return asarray(data, device=device).to_device(CPU) if isinstance(data, list) else data


class sparray(Operators, ElementwiseMethods, Reductions, Structure, Conversion):  # noqa: N801  # SciPy's name
    """
    A sparse array on a device: the base class of those of each format.

    Zeros are not stored. Operators compute element by element as SciPy's do, and ``@`` multiplies matrices; the results are sparse
    arrays, or Arrays where SciPy gives ndarrays.

    See Also
    --------
    csr_array : Compressed rows.
    coo_array : Coordinates.
    """

    __slots__ = ()
    __module__ = "trnarray.scipy.sparse"

    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    def __new__(
        cls,
        arg1: Any,
        shape: Shape | None = None,
        dtype: DTypeLike = None,
        copy: bool = False,
        *,
        maxprint: int | None = None,
        device: DeviceLike = None,
    ) -> Self:
        """
        Make a sparse array. See `scipy.sparse.bsr_array.__new__`.

        Parameters
        ----------
        arg1 : array_like, sparse array or tuple
            The elements; or the shape of an array without any; or the components, in one of the ways that SciPy takes for the format.
        shape : tuple of int, optional
            The shape, by default the smallest that holds the elements.
        dtype : dtype, optional
            The dtype, by default that of the elements.
        copy : bool, optional
            Whether to copy what could be shared.
        maxprint : int, optional
            How many elements are printed.
        device : Device or str, optional
            Where the array goes; by default where the Arrays in `arg1` are, else the default device.
        """
        if cls is sparray:
            raise TypeError("sparray is not to be called; make an array of a format, as in trnarray.scipy.sparse.csr_array(x)")
        return cls._of_any(arg1, shape, dtype, copy, maxprint, device)

    @classmethod
    def _of_any(cls, arg1: Any, shape: Any, dtype: Any, copy: bool, maxprint: int | None, device: DeviceLike, **options: Any) -> Self:
        """Make an array of what need not be on the host, or SciPy's; `options` are what the format has more."""
        if is_scalar(arg1):
            raise ValueError(f"trnarray.scipy sparse array classes do not support instantiation from a scalar, here {arg1!r}; use a list")
        if dtype is None:
            elements = arg1[0] if isinstance(arg1, tuple) and arg1 else arg1
            if type(elements) is Array or type(elements) is np.ndarray:
                sparse_dtype(elements.dtype)
        where = common_device((arg1,))
        target = choose_device(device) if device is not None else where or get_default_device()
        if where is None and target is not CPU:
            if isinstance(arg1, tuple) and dtype is None and all(type(length) is int for length in arg1):  # a shape
                dtype = promotion_table(target).default_float
            arg1 = _moved(arg1, target)
        if isinstance(arg1, (scipy.sparse.sparray, scipy.sparse.spmatrix)):
            arg1 = from_scipy(arg1)
        options["copy"] = copy
        if shape is not None:
            options["shape"] = shape
        if dtype is not None:
            options["dtype"] = sparse_dtype(dtype)
        if maxprint is not None:
            options["maxprint"] = maxprint
        result, place = run_raw(cls._maker, (arg1,), options, where or CPU)
        array: Self = wrap_result(result, place)
        return array if place is target else array.to_device(target)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape. See `scipy.sparse.bsr_array.shape`."""
        return self._shape()

    @property
    def ndim(self) -> int:
        """The number of axes. See `scipy.sparse.bsr_array.ndim`."""
        return len(self._shape())

    @property
    def dtype(self) -> DType:
        """The dtype of the elements. See `scipy.sparse.bsr_array.dtype`."""
        dtype: DType = self._value.dtype if self._device is CPU else self._value[2][0].dtype
        return dtype

    @property
    def device(self) -> Device:
        """
        The device.

        Returns
        -------
        Device
            Where the components are.
        """
        return self._device

    @property
    def format(self) -> str:
        """The format. See `scipy.sparse.bsr_array.format`."""
        return self._format

    @property
    def nnz(self) -> int:
        """The number of stored elements, zeros among them. See `scipy.sparse.bsr_array.nnz`."""
        return self._stored()

    @property
    def size(self) -> int:
        """The number of stored elements, zeros among them. See `scipy.sparse.bsr_array.size`."""
        return self._stored()

    @property
    def data(self) -> Array:
        """
        The stored elements.

        Returns
        -------
        Array
            Writes to it are seen here.
        """
        data: Array = self._component("data")
        return data

    @data.setter
    def data(self, data: Array) -> None:
        self._set_component("data", data)

    @property
    def T(self) -> Any:  # noqa: N802
        """The array with its axes reversed. See `scipy.sparse.bsr_array.T`."""
        return self.transpose()

    @property
    def mT(self) -> Any:  # noqa: N802
        """The array with its last two axes swapped. See `scipy.sparse.bsr_array.mT`."""
        if self.ndim < 2:
            raise ValueError(f"the matrices of an array are 2-dimensional, but it has {self.ndim} dimension; use x.reshape first")
        order = (*range(self.ndim - 2), self.ndim - 1, self.ndim - 2)
        return self.transpose() if self.ndim == 2 else self.transpose(order)

    @property
    def real(self) -> Any:
        """The real parts. See `scipy.sparse.bsr_array.real`."""
        return run(METHODS["real"], self)

    @property
    def imag(self) -> Any:
        """The imaginary parts. See `scipy.sparse.bsr_array.imag`."""
        return run(METHODS["imag"], self)

    @property
    def maxprint(self) -> int:
        """
        How many elements are printed.

        Returns
        -------
        int
            The number. It can be set on the cpu.
        """
        return int(self._host().maxprint)

    @maxprint.setter
    def maxprint(self, count: int) -> None:
        self._host().maxprint = count

    def __repr__(self) -> str:
        if self._device is CPU:
            return repr(self._value)
        return f"<{_NAMES[self.format]} sparse array of dtype '{self.dtype}' and shape {self.shape} on '{self._device}'>"

    def __str__(self) -> str:
        return str(self._host()) if self._device is CPU else repr(self)


def only_sparse(x: Any) -> Any:
    """Take a sparse array of ours or SciPy's for one of ours, and nothing else."""
    taken = as_sparse(x)
    if not isinstance(taken, SparseBase):
        raise TypeError(f"a sparse array is wanted, but got {type(x).__name__}; make it one with trnarray.scipy.sparse.coo_array")
    return taken


def as_sparse(x: Any, *beside: Any) -> Any:
    """Take a sparse array of ours or SciPy's for one of ours."""
    if isinstance(x, SparseBase) or not is_sparse(x):
        return x
    place = common_device(beside)
    value, device = unwrap(x, place or get_default_device(), place is None)
    return wrap_result(value, device or CPU)


