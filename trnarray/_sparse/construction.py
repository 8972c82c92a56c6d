"""Sparse arrays from parameters, from diagonals and from files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import scipy.sparse

from .._placement import choose_device
from .._random.generator import Generator
from .._random.source import on_host
from .._typing import ArrayLike, DeviceLike, DTypeLike
from ..backends.device import CPU, Device
from ..backends.ops.sparse import FUNCTIONS, SparseOp
from ..backends.settings import get_default_device
from .base import SparseBase, common_device, from_scipy, is_sparse, narrowed, run, wrap_result
from .conversion import sparse_dtype
from .sparse_array import only_sparse, sparray

__all__ = ["diags_array", "eye_array", "identity", "load_npz", "random_array", "save_npz"]

_NO_VALUE: Final[Any] = np._NoValue


def _make(op: SparseOp, device: DeviceLike, *args: Any, **kwargs: Any) -> Any:
    """Run an Op that has parameters only on the host, and bring what it makes to the device."""
    target: Device = choose_device(device)
    op.tick()
    made = wrap_result(op.function(*args, **kwargs), CPU)
    return made if target is CPU else narrowed(made, target, (*args, *kwargs.values())).to_device(target)


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
    Make a sparse array with ones on a diagonal. See `scipy.sparse.eye_array`.

    Parameters
    ----------
    device : Device or str, optional
        Where the array goes, by default the default device.
    """
    wanted = {} if dtype is None else {"dtype": sparse_dtype(dtype)}
    made: sparray = _make(FUNCTIONS["eye_array"], device, m, n, k=k, format=format, **wanted)
    return made


def identity(n: int, dtype: DTypeLike = None, format: str | None = None, *, device: DeviceLike = None) -> sparray:
    """
    Make a sparse identity matrix: unlike SciPy's, which is a matrix of the old kind, an array.

    See `scipy.sparse.identity`.

    Parameters
    ----------
    device : Device or str, optional
        Where the array goes, by default the default device.
    """
    return eye_array(n, dtype=dtype, format=format, device=device)


def diags_array(
    diagonals: ArrayLike | Sequence[ArrayLike],
    /,
    *,
    offsets: Any = 0,
    shape: tuple[int, int] | None = None,
    format: str | None = None,
    dtype: Any = _NO_VALUE,
) -> sparray:
    """Make a sparse array of its diagonals. See `scipy.sparse.diags_array`."""
    wanted = {} if dtype is _NO_VALUE else {"dtype": sparse_dtype(dtype)}
    options = {"offsets": offsets, "shape": shape, "format": format, **wanted}
    if common_device((diagonals, offsets)) is None:
        made: sparray = _make(FUNCTIONS["diags_array"], None, diagonals, **options)
    else:
        made = run(FUNCTIONS["diags_array"], diagonals, **options)
    return made


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
    Make a sparse array of random elements at random places. See `scipy.sparse.random_array`.

    Parameters
    ----------
    device : Device or str, optional
        Where the array goes, by default the default device.
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
    """Load a sparse array from a file. See `scipy.sparse.load_npz`."""
    host = scipy.sparse.load_npz(file)
    loaded: sparray = from_scipy(host).to_device(get_default_device())
    return loaded


def save_npz(file: Any, matrix: SparseBase, compressed: bool = True) -> None:
    """Save a sparse array to a file. See `scipy.sparse.save_npz`."""
    theirs = is_sparse(matrix) and not isinstance(matrix, SparseBase)
    scipy.sparse.save_npz(file, (from_scipy if theirs else only_sparse)(matrix)._host(), compressed)
