"""A call drawn by chance: always the same one for a seed, a target and a number."""

from __future__ import annotations

import inspect
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from .arguments import HOSTILE, Value, plausible
from .side import Side
from .targets import Target

__all__ = ["Arguments", "Call", "draw"]

_HOSTILE_SHARE: Final = 0.4
_OPTIONAL_SHARE: Final = 0.2
_VARIADIC: Final = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass
class Arguments:
    """
    The arguments of a call, made for a side.

    Attributes
    ----------
    receiver : object
        Of which the method is.
    positional : list
        Positional arguments.
    keywords : dict
        Arguments by name.
    """

    receiver: Any
    positional: list[Any]
    keywords: dict[str, Any]


class Call:
    """
    A call.

    Parameters
    ----------
    target : Target
        What is called.
    receiver : Value or None
        Of which the method is.
    positional : sequence of Value
        Positional arguments.
    keywords : dict of str to Value
        Arguments by name.
    """

    def __init__(self, target: Target, receiver: Value | None, positional: Sequence[Value], keywords: dict[str, Value]) -> None:
        self.target, self.receiver, self.positional, self.keywords = target, receiver, positional, keywords

    def __str__(self) -> str:
        passed = [value.text for value in self.positional] + [f"{name}={value.text}" for name, value in self.keywords.items()]
        of = f"[of {self.receiver.text}]" if self.receiver else ""
        return f"{self.target.name}{of}({', '.join(passed)})"

    def arguments(self, side: Side) -> Arguments:
        """Make the arguments."""
        receiver = self.receiver.make(side) if self.receiver else None
        return Arguments(receiver, [v.make(side) for v in self.positional], {name: v.make(side) for name, v in self.keywords.items()})


def draw(target: Target, seed: int, number: int) -> Call:
    """Draw a call."""
    source = random.Random(f"{seed} {target.name} {number}")
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    by_name = False
    for parameter in target.parameters:
        default = None if parameter.default is inspect.Parameter.empty else parameter.default
        if parameter.kind in _VARIADIC:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                positional += [_argument(source, parameter.name, None, target) for _ in range(source.choice((0, 1, 1, 2)))]
            continue
        needed = parameter.default is inspect.Parameter.empty
        if source.random() < 0.01 if needed else source.random() > _OPTIONAL_SHARE:
            by_name = True
            continue
        value = _argument(source, parameter.name, default, target)
        by_name |= parameter.kind is inspect.Parameter.KEYWORD_ONLY
        if by_name and parameter.kind is not inspect.Parameter.POSITIONAL_ONLY:
            keywords[parameter.name] = value
        else:
            positional.append(value)
    if not any(value in HOSTILE for value in (*positional, *keywords.values())) and source.random() < 0.9:
        _spoil(source, positional, keywords)
    if source.random() < 0.02:
        positional.append(source.choice(HOSTILE))
    if source.random() < 0.02:
        keywords[source.choice(("nonsense", "axis", "out", "dtype", "a", "x"))] = source.choice(HOSTILE)
    return Call(target, source.choice(target.receivers) if target.receivers else None, positional, keywords)


def _argument(source: random.Random, name: str, default: Any, target: Target) -> Value:
    if source.random() < _HOSTILE_SHARE:
        return source.choice(HOSTILE)
    return plausible(source, name, default, target.sparse)


def _spoil(source: random.Random, positional: list[Value], keywords: dict[str, Value]) -> None:
    """Put something hostile in place of one argument."""
    place = source.randrange(max(len(positional) + len(keywords), 1))
    if place < len(positional):
        positional[place] = source.choice(HOSTILE)
    elif keywords:
        keywords[source.choice(sorted(keywords))] = source.choice(HOSTILE)
