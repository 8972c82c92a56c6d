"""The Parameters sections of docstrings, written once: a name means the same in every method, function or class of a family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any, Final, TypeVar

__all__ = ["document"]

_F = TypeVar("_F", bound=Callable[..., Any])
_SECTIONS: Final = ("Returns", "Raises", "Examples")


def document(meanings: Mapping[str, str]) -> Callable[[_F], _F]:
    """
    Make a decorator that adds the Parameters section to the docstring of a method or function, or of a class.

    Examples
    --------
    >>> @document({"axis": "int: The axis to sort along."})
    ... def sort(self, axis=-1):
    ...     '''Sort.'''
    >>> sort.__doc__.splitlines()[-2:]
    ['axis : int', '    The axis to sort along.']
    """

    def decorate(method: _F) -> _F:
        if method.__doc__ is None:  # python -OO
            return method
        names = list(meanings) if isinstance(method, type) else _names(method.__code__)
        indent = method.__doc__[1 : -len(method.__doc__.lstrip())] if method.__doc__.startswith("\n") else ""  # Python from 3.13 has none
        lines = ["Parameters", "----------"]
        for name in names:
            kind, _, meaning = meanings[name.lstrip("*")].partition(": ")
            lines += [f"{name} : {kind}", *(f"    {line}" for line in meaning.split("\n"))]
        section = "\n".join(indent + line for line in lines)
        places = [method.__doc__.find(f"\n{indent}{title}\n") for title in _SECTIONS]
        place = min((p for p in places if p >= 0), default=-1)
        if place < 0:
            method.__doc__ = f"{method.__doc__.rstrip()}\n\n{section}"
        else:
            method.__doc__ = f"{method.__doc__[:place]}\n{section}\n{method.__doc__[place:]}"
        return method

    return decorate


def _names(code: CodeType) -> list[str]:
    """Give the names of a function's parameters but the one that it is bound to, with a star where there is one."""
    count = code.co_argcount + code.co_kwonlyargcount
    bound = int(code.co_varnames[0] in ("self", "cls"))
    names = list(code.co_varnames[bound:count])
    if code.co_flags & 4:  # *args
        names.insert(code.co_argcount - bound, "*" + code.co_varnames[count])
    return names
