"""The declarations of kernels and functions: their modules are imported when the first one is looked up, since a first array needs none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Generic, TypeVar

__all__ = ["Declared", "declare_all"]

_T = TypeVar("_T")


@cache
def declare_all() -> None:
    """Import all kernels."""
    import_module(f"{__package__}.kernels")


class Declared(Mapping[str, _T], Generic[_T]):
    """
    What kernels declare, by name.

    Parameters
    ----------
    table : dict
        Which their modules fill.
    """

    __slots__ = ("_table",)

    def __init__(self, table: Mapping[str, _T]) -> None:
        self._table = table

    def __getitem__(self, name: str) -> _T:
        declare_all()
        return self._table[name]

    def __iter__(self) -> Iterator[str]:
        declare_all()
        return iter(self._table)

    def __len__(self) -> int:
        declare_all()
        return len(self._table)
