"""What outlives the process: compiled programs and facts about devices, as files in the cache directory.

A file is written beside its path and renamed, so that others see all of it or nothing; a process that is killed leaves at most a temporary
file, which is removed later. An entry is a line of JSON (schema, key, checksum) and raw bytes; what is damaged or unknown counts as absent.
Locks are the operating system's, which releases those of a process that dies.

A run time's loader may run code that an entry holds. Directories and files are therefore made for their owner alone, and those of another
user, or that others may write to, are refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["Store", "StoreStatistics", "UnsafePathError", "cache_directory", "read_private", "size_limit", "write_atomically"]

_SCHEMA: Final = "trnarray-entry-2"
_LOCKED: Final = 3  # digits of a key that choose the lock: programs that share one wait for each other's compilers
_ABANDONED: Final = 3600.0  # seconds after which a temporary file is nobody's
_DEFAULT_LIMIT: Final = 4 << 30


class UnsafePathError(OSError):
    """A directory or file of the cache belongs to another user, or others may write to it."""


def cache_directory() -> Path | None:
    """
    Find where trnarray keeps what outlives the process.

    Examples
    --------
    >>> cache_directory().is_absolute()
    True
    """
    said = os.environ.get("TRNARRAY_CACHE_DIR")
    shared = os.environ.get("XDG_CACHE_HOME", "")
    try:
        if said:
            return Path(said).expanduser().absolute()
        # The XDG specification has relative paths ignored.
        return (Path(shared) if os.path.isabs(shared) else Path.home() / ".cache") / "trnarray"
    except RuntimeError:  # a user without a home directory
        return None


def size_limit() -> int:
    """
    Find how large the store of programs may grow.

    Examples
    --------
    >>> size_limit() >= 0
    True
    """
    said = os.environ.get("TRNARRAY_CACHE_SIZE")
    if not said:
        return _DEFAULT_LIMIT
    if not said.isdecimal():
        raise ValueError(f"environment variable TRNARRAY_CACHE_SIZE is a number of bytes such as {_DEFAULT_LIMIT}; got {said!r}")
    return int(said)


def _check(path: Path, state: os.stat_result) -> None:
    """Refuse what others could have written."""
    if os.name == "posix" and (state.st_uid != os.geteuid() or state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)):
        raise UnsafePathError(
            f"{path} belongs to user {state.st_uid} with mode {stat.S_IMODE(state.st_mode):o}, and a cache is its owner's alone; "
            f"remove it, or set TRNARRAY_CACHE_DIR to a directory of your own"
        )


def _check_folders(directory: Path) -> None:
    """Refuse a directory, and those above it up to the cache directory, that others could have written to or replaced parts of."""
    _check(directory, directory.lstat())
    root = cache_directory()
    if root is None or root not in directory.parents:
        return
    for folder in directory.parents:
        state = folder.stat()
        if not (state.st_uid == 0 and state.st_mode & stat.S_ISVTX):  # as /tmp, where none can touch what belongs to another
            _check(folder, state)
        if folder == root:
            return


def _make_private(directory: Path) -> None:
    """Make a directory and those above it that are missing, each for its owner alone, whatever the umask; check one that is there."""
    try:
        state = directory.lstat()
    except FileNotFoundError:
        if not directory.parent.exists():
            _make_private(directory.parent)
        with suppress(FileExistsError):  # another process made it
            directory.mkdir(mode=0o700)
        state = directory.lstat()
    if not stat.S_ISDIR(state.st_mode):
        raise NotADirectoryError(f"{directory} is no directory, where the cache keeps files; remove it")
    _check_folders(directory)


def read_private(path: Path) -> bytes:
    """Read a file that nobody else can have written."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    with os.fdopen(descriptor, "rb") as file:
        _check_folders(path.parent)
        _check(path, os.fstat(descriptor))
        return file.read()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees a part of it."""
    _make_private(path.parent)
    descriptor, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock against other processes and threads, where the operating system has such (elsewhere renaming still keeps files whole)."""
    try:
        import fcntl
    except ImportError:  # Windows, where there are no NeuronCores
        yield
        return
    _make_private(path.parent)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # closing it does not, where another thread has forked meanwhile: the child has it, too
        os.close(descriptor)


def _header(key: str, payload: bytes) -> bytes:
    return json.dumps({"schema": _SCHEMA, "key": key, "sha256": hashlib.sha256(payload).hexdigest()}).encode()


@dataclass(slots=True)
class StoreStatistics:
    """
    What this process did to a store.

    Attributes
    ----------
    hits, misses : int
        Entries that were there, and that were not.
    damaged : int
        Entries that failed their checksum, and were removed.
    evicted : int
        Entries that were removed to keep the size.
    """

    hits: int = 0
    misses: int = 0
    damaged: int = 0
    evicted: int = 0


class Store:
    """
    Entries of bytes by key, shared between processes, bounded in size.

    Parameters
    ----------
    directory : Path
        Where; it is made when something is stored.
    limit : int, optional
        Bytes of all entries together; those that were not used for longest are removed.

    Attributes
    ----------
    statistics : StoreStatistics
        What this process did.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     store = Store(Path(directory))
    ...     store.find("00ff", lambda: b"program"), store.find("00ff", lambda: b"not called")
    (b'program', b'program')
    """

    def __init__(self, directory: Path, limit: int = _DEFAULT_LIMIT) -> None:
        self.directory, self.limit = directory, limit
        self.statistics = StoreStatistics()

    def _entry(self, key: str) -> Path:
        return self.directory / "entries" / f"{key}.bin"

    def _lock(self, name: str) -> Path:
        return self.directory / "locks" / name

    def __contains__(self, key: str) -> bool:
        """Whether there is an entry, whose contents are not looked at."""
        return self._entry(key).exists()

    def get(self, key: str) -> bytes | None:
        """Look an entry up, and count that as a use of it."""
        path = self._entry(key)
        try:
            data = read_private(path)
        except FileNotFoundError:
            self.statistics.misses += 1
            return None
        header, _, payload = data.partition(b"\n")
        if header != _header(key, payload):
            self.statistics.damaged += 1
            self.statistics.misses += 1
            self.remove(key)
            return None
        self.statistics.hits += 1
        with suppress(FileNotFoundError):  # another process may have evicted it
            os.utime(path)
        return payload

    def put(self, key: str, payload: bytes) -> None:
        """Store an entry, and remove others if they take too much room; one that is too large by itself is not stored."""
        data = _header(key, payload) + b"\n" + payload
        if len(data) <= self.limit:
            write_atomically(self._entry(key), data)
            self._evict()

    def remove(self, key: str) -> None:
        """Remove an entry, if it is there."""
        with suppress(FileNotFoundError):
            self._entry(key).unlink()

    def find(self, key: str, make: Callable[[], bytes]) -> bytes:
        """Look an entry up, or make it; of several processes that want it, one makes it and the others wait."""
        payload = self.get(key)
        if payload is None:
            with _locked(self._lock(key[:_LOCKED])):
                if self._entry(key).exists():  # somebody made it while this process waited
                    payload = self.get(key)
                if payload is None:
                    payload = make()
                    self.put(key, payload)
        return payload

    def _evict(self) -> None:
        """Remove the entries that were used longest ago, until the rest keeps the limit, and what killed processes left."""
        with _locked(self._lock("evict")):
            found, total, now = [], 0, time.time()
            for path in (self.directory / "entries").iterdir():
                with suppress(FileNotFoundError):
                    state = path.stat()
                    if path.suffix == ".bin":
                        found.append((state.st_mtime_ns, path, state.st_size))
                        total += state.st_size
                    elif now - state.st_mtime > _ABANDONED:
                        path.unlink()
            for _, path, size in sorted(found):
                if total <= self.limit:
                    break
                with suppress(FileNotFoundError):
                    path.unlink()
                total -= size
                self.statistics.evicted += 1
