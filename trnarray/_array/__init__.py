"""Array, put together from its parts."""

from __future__ import annotations

from types import GenericAlias
from typing import Any, ClassVar, final

from .attributes import Attributes
from .construction import Construction
from .indexing import Indexing
from .interchange import Interchange
from .methods import Methods
from .operators import Operators
from .printing import Printing
from .protocols import Protocols

__all__ = ["Array"]


@final
class Array(Construction, Operators, Indexing, Attributes, Methods, Interchange, Printing, Protocols):
    """
    An array on a device, which behaves like a NumPy array.

    `trnarray.asarray`, `trnarray.zeros` and their like are the usual ways to an Array; called itself, it takes what
    `numpy.ndarray` takes. An Array is a strided view of memory: slices, ``T``, ``reshape`` and their like give views, and
    writes through a view are seen by its base. Full integer indexing, iteration and reductions give *detached* 0-d Arrays,
    which stand where NumPy has scalars: augmented assignment binds the name to a new one. Operators work element by
    element, promote as ``trnarray.result_type`` says, and take Arrays of one device only.

    Parameters
    ----------
    shape : int or sequence of int
        The shape.
    dtype : dtype, optional
        The dtype, by default the default device's for real numbers.
    buffer : buffer, optional
        The memory to view; by default new memory with arbitrary values.
    offset : int, optional
        Where in the buffer the first element is, in bytes.
    strides : sequence of int, optional
        The number of bytes from one element to the next, along each dimension.
    order : {'C', 'F'}, optional
        Row-major or column-major, where no strides are given.

    See Also
    --------
    trnarray.asarray : Make an Array of data.
    trnarray.from_dlpack : Make an Array of another library's array.

    Examples
    --------
    >>> import trnarray as xp
    >>> x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> x[:, 0] = 0
    >>> x @ x.T
    Array([[ 4.,  8.],
           [ 8., 16.]], dtype=float64, device='cpu')
    """

    __slots__ = ()
    __module__ = "trnarray"  # where it is public: pickles and messages say so

    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    def __init_subclass__(cls) -> None:
        raise TypeError(f"Array cannot have subclasses, such as {cls.__qualname__}; keep an Array in an attribute instead")
