"""Arrays in NumPy's binary files: ``.npy`` holds one, ``.npz`` several under names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final, Literal, Self

import numpy as np
import numpy.typing as npt

from ._array import Array
from .array_conversion import asarray
from .backends.dtypes import FIRST_EXTRA

__all__ = ["NpzFile", "load", "save", "savez", "savez_compressed"]


class NpzFile(Mapping[str, Array]):
    """
    The arrays of an ``.npz`` file, each read when it is first asked for.

    Parameters
    ----------
    file : numpy.lib.npyio.NpzFile
        The file as NumPy reads it.

    Examples
    --------
    >>> import io
    >>> import trnarray as xp
    >>> file = io.BytesIO()
    >>> xp.savez(file, first=xp.ones(2))
    >>> _ = file.seek(0)
    >>> with xp.load(file) as arrays:
    ...     {name: x.shape for name, x in arrays.items()}
    {'first': (2,)}
    """

    def __init__(self, file: np.lib.npyio.NpzFile) -> None:
        self._file: Final = file

    @property
    def files(self) -> list[str]:
        """The names of the arrays."""
        return self._file.files

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __getitem__(self, key: str) -> Array:
        return asarray(self._file[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._file)

    def __len__(self) -> int:
        return len(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._file)


def load(
    file: Any,
    mmap_mode: Literal["r+", "r", "w+", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: Literal["ASCII", "latin1", "bytes"] = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any:
    """Read an ``.npy`` or an ``.npz`` file. See `numpy.load`."""
    read = np.load(file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size)
    if isinstance(read, np.lib.npyio.NpzFile):
        return NpzFile(read)
    return asarray(np.asarray(read)) if isinstance(read, np.ndarray) else read


def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """Write an array to an ``.npy`` file. See `numpy.save`."""
    np.save(file, _named(arr), allow_pickle)


def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write arrays to an ``.npz`` file, which is an archive of ``.npy`` files. See `numpy.savez`."""
    np.savez(file, *map(_named, args), allow_pickle=allow_pickle, **{name: _named(x) for name, x in kwds.items()})


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write arrays to a compressed ``.npz`` file. See `numpy.savez_compressed`."""
    np.savez_compressed(file, *map(_named, args), allow_pickle=allow_pickle, **{name: _named(x) for name, x in kwds.items()})


def _named(arr: Any) -> npt.NDArray[Any]:
    """Give the host's array of a dtype that the format can name: others would come back as raw bytes."""
    array = asarray(arr)
    dtype = array.dtype
    if dtype.num >= FIRST_EXTRA:
        words = f"uint{8 * dtype.itemsize}"
        raise TypeError(
            f"NumPy's file format has no name for {dtype.name}; save its bits, as in save(file, x.view({words})), and load them "
            f"with load(file).view({dtype.name})"
        )
    return np.asarray(array._host())
