"""Sparse arrays from parameters, from diagonals and from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

import numpy as np
import scipy.sparse

from .._apply import plain_parameters, short_way
from .._placement import choose_device
from .._random.generator import Generator
from .._random.source import on_host
from .._typing import ArrayLike, DeviceLike, DTypeLike
from ..backends.device import CPU, Device
from ..backends.ops.sparse import FUNCTIONS, SparseOp
from ..backends.settings import get_default_device
from .base import SparseBase, from_scipy, is_sparse, narrowed, run, wrap_result
from .conversion import sparse_dtype
from .short_ways import direct_on_first, operand_values
from .sparse_array import only_sparse, sparray

__all__ = ["diags_array", "eye_array", "identity", "load_npz", "random_array", "save_npz"]

_F = TypeVar("_F", bound=Callable[..., Any])
_NO_VALUE: Final[Any] = np._NoValue


def _make(op: SparseOp, device: DeviceLike, *args: Any, **kwargs: Any) -> Any:
    """Run an Op that has parameters only on the host, and bring what it makes to the device."""
    target: Device = choose_device(device)
    op.tick()
    made = wrap_result(op.function(*args, **kwargs), CPU)
    return made if target is CPU else narrowed(made, target, (*args, *kwargs.values())).to_device(target)


def _of_parameters(function: _F) -> _F:
    """Give a function of parameters the short way to SciPy's, for arrays on the host of the dtype that SciPy chooses."""
    op = FUNCTIONS[function.__name__]
    return short_way(function, op.plain, op.tick, plain_parameters, wrap_result, apart=frozenset({"device", "dtype"}))


@_of_parameters
def eye_array(
    m: int,
    n: int | None = None,
    *,
    k: int = 0,
    dtype: DTypeLike = None,
    format: str | None = None,
    device: DeviceLike = None,
) -> sparray:
    """
    Make a sparse array with ones on a diagonal.

    Parameters
    ----------
    m : int
        The number of rows.
    n : int, optional
        The number of columns, by default as many.
    k : int, optional
        Which diagonal; positive above the main one.
    dtype : dtype, optional
        The dtype, by default the device's for real numbers.
    format : str, optional
        The format, by default "dia".
    device : Device or str, optional
        Where the array goes, by default the default device.

    Returns
    -------
    sparse array
        The array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.sparse.eye_array(2, 3, k=1).toarray()
    Array([[0., 1., 0.],
           [0., 0., 1.]], dtype=float64, device='cpu')
    """
    wanted = {} if dtype is None else {"dtype": sparse_dtype(dtype)}
    made: sparray = _make(FUNCTIONS["eye_array"], device, m, n, k=k, format=format, **wanted)
    return made


def identity(n: int, dtype: DTypeLike = None, format: str | None = None, *, device: DeviceLike = None) -> sparray:
    """
    Make a sparse identity matrix: unlike SciPy's, which is a matrix of the old kind, an array.

    Parameters
    ----------
    n : int
        The number of rows and columns.
    dtype : dtype, optional
        The dtype, by default the device's for real numbers.
    format : str, optional
        The format, by default "dia".
    device : Device or str, optional
        Where the array goes, by default the default device.

    Returns
    -------
    sparse array
        The array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.sparse.identity(2).toarray()
    Array([[1., 0.],
           [0., 1.]], dtype=float64, device='cpu')
    """
    return eye_array(n, dtype=dtype, format=format, device=device)


@direct_on_first(FUNCTIONS, unwrap=operand_values, apart=frozenset({"dtype"}))
def diags_array(
    diagonals: ArrayLike | Sequence[ArrayLike],
    /,
    *,
    offsets: Any = 0,
    shape: tuple[int, int] | None = None,
    format: str | None = None,
    dtype: Any = _NO_VALUE,
) -> sparray:
    """
    Make a sparse array of its diagonals.

    Parameters
    ----------
    diagonals : array_like or sequence of array_like
        The elements of each diagonal, or one that all of it are.
    offsets : int or sequence of int, optional
        Which diagonals; positive above the main one.
    shape : tuple of int, optional
        The shape, by default the smallest square that holds them.
    format : str, optional
        The format, by default "dia".
    dtype : dtype, optional
        The dtype; None is that of the diagonals, which is also the default, except that SciPy before 1.20 makes integers float64.

    Returns
    -------
    sparse array
        The array.

    Examples
    --------
    >>> import trnarray as xp
    >>> xp.scipy.sparse.diags_array([xp.asarray([1.0, 2.0]), xp.asarray([3.0])], offsets=[0, 1]).toarray()
    Array([[1., 3.],
           [0., 2.]], dtype=float64, device='cpu')
    """
    wanted = {} if dtype is _NO_VALUE else {"dtype": sparse_dtype(dtype)}
    made: sparray = run(FUNCTIONS["diags_array"], diagonals, offsets=offsets, shape=shape, format=format, **wanted)
    return made


@_of_parameters
def random_array(
    shape: tuple[int, ...],
    *,
    density: float = 0.01,
    format: str = "coo",
    dtype: DTypeLike = None,
    rng: Any = None,
    data_sampler: Callable[..., Any] | None = None,
    random_state: Any = None,
    device: DeviceLike = None,
) -> sparray:
    """
    Make a sparse array of random elements at random places.

    Parameters
    ----------
    shape : tuple of int
        The shape.
    density : float, optional
        Which fraction of the elements is stored.
    format : str, optional
        The format.
    dtype : dtype, optional
        The dtype, by default the device's for real numbers.
    rng : Generator, numpy.random.Generator or int, optional
        Where the random numbers come from.
    data_sampler : callable, optional
        Called with ``size=`` gives the elements; by default they are uniform in [0, 1).
    random_state : Generator, numpy.random.Generator or int, optional
        SciPy's old name of `rng`.
    device : Device or str, optional
        Where the array goes, by default the default device.

    Returns
    -------
    sparse array
        The array.

    Examples
    --------
    >>> import trnarray as xp
    >>> a = xp.scipy.sparse.random_array((4, 5), density=0.5, rng=xp.random.default_rng(0))
    >>> a.nnz
    10
    """
    given = {name: value for name, value in (("rng", rng), ("random_state", random_state)) if value is not None}
    source = {name: value._generator if isinstance(value, Generator) else value for name, value in given.items()}

    def sample(size: Any) -> Any:
        assert data_sampler is not None
        return np.asarray(on_host(data_sampler(size=size)))

    made: sparray = _make(
        FUNCTIONS["random_array"],
        device,
        tuple(shape),
        density=density,
        format=format,
        dtype=sparse_dtype(dtype),
        **source,
        data_sampler=None if data_sampler is None else sample,
    )
    return made


def load_npz(file: Any) -> sparray:
    """
    Load a sparse array from a file.

    Parameters
    ----------
    file : str, path or file
        As `save_npz` or SciPy wrote it.

    Returns
    -------
    sparse array
        On the default device; old matrices come as arrays.

    Examples
    --------
    >>> import io
    >>> import trnarray as xp
    >>> file = io.BytesIO()
    >>> xp.scipy.sparse.save_npz(file, xp.scipy.sparse.eye_array(2, format="csr"))
    >>> _ = file.seek(0)
    >>> xp.scipy.sparse.load_npz(file).nnz
    2
    """
    host = scipy.sparse.load_npz(file)
    loaded: sparray = from_scipy(host).to_device(get_default_device())
    return loaded


def save_npz(file: Any, matrix: SparseBase, compressed: bool = True) -> None:
    """
    Save a sparse array to a file.

    Parameters
    ----------
    file : str, path or file
        Where to.
    matrix : sparse array
        The array.
    compressed : bool, optional
        Whether to compress.

    Examples
    --------
    >>> import io
    >>> import trnarray as xp
    >>> xp.scipy.sparse.save_npz(io.BytesIO(), xp.scipy.sparse.eye_array(2, format="csr"))
    """
    theirs = is_sparse(matrix) and not isinstance(matrix, SparseBase)
    scipy.sparse.save_npz(file, (from_scipy if theirs else only_sparse)(matrix)._host(), compressed)
