"""What callers ask of orders of products: paths, names of ways to find one, and the optimizers of opt_einsum and cotengra."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from .notation import Subscripts, extents_of
from .paths import Path, checked_path, find_path

__all__ = ["path_asked"]

_PATH: Final = "einsum_path"
_NUMPY: Final = ("greedy", "optimal")


def path_asked(optimize: Any, subscripts: Subscripts, shapes: Sequence[Sequence[int]]) -> Path:
    """
    Read `optimize` of `numpy.einsum`, for operands of these shapes; a path, empty where the engine chooses.

    It is a path as ``["einsum_path", (0, 1), ...]``, with or without the name; the name of a way to find one, NumPy's or opt_einsum's; a
    pair of a name and the elements of the largest intermediate result; or an optimizer of opt_einsum's or cotengra's.

    Examples
    --------
    >>> chain = Subscripts(("ij", "jk", "kl"), "il")
    >>> path_asked("optimal", chain, [(9, 2), (2, 9), (9, 2)]), path_asked(True, chain, [(9, 2), (2, 9), (9, 2)])
    (((1, 2), (0, 1)), ())
    """
    if optimize is None or isinstance(optimize, (bool, np.bool)):
        return ()
    if callable(optimize):
        return _called(optimize, subscripts, shapes, None)
    limit, name = None, optimize
    if isinstance(optimize, (list, tuple)):
        if not (len(optimize) == 2 and isinstance(optimize[0], str) and isinstance(optimize[1], (int, float))):
            steps = optimize[1:] if optimize and optimize[0] == _PATH else optimize
            if any(not isinstance(step, (tuple, list)) for step in steps) or not steps:
                raise TypeError(f"einsum: optimize is {optimize!r}; give [{_PATH!r}, (0, 1), ...] with indices of operands")
            return checked_path(steps, len(shapes))
        name, limit = optimize
    if not isinstance(name, str):
        raise TypeError(f"einsum: optimize is {optimize!r}; give a bool, a name, a path or an optimizer")
    if name in _NUMPY and limit is not None:
        dummies = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
        return tuple(np.einsum_path(str(subscripts), *dummies, optimize=(name, limit))[0][1:])
    if name == "optimal":
        return find_path(subscripts.terms, subscripts.output, extents_of(subscripts.terms, shapes), thorough=True)
    if name in ("auto", "greedy"):
        return ()
    if find_spec("opt_einsum") is None:
        raise KeyError(f"einsum: optimize is {name!r}; give 'auto', 'greedy' or 'optimal', or install opt_einsum, which has others")
    return _called(import_module("opt_einsum").paths.get_path_fn(name), subscripts, shapes, limit)


def _called(optimizer: Any, subscripts: Subscripts, shapes: Sequence[Sequence[int]], limit: float | None) -> Path:
    """Ask an optimizer, by the interface that opt_einsum and cotengra share."""
    extents = extents_of(subscripts.terms, shapes)
    path = optimizer([frozenset(term) for term in subscripts.terms], frozenset(subscripts.output), extents, limit)
    return checked_path(path, len(shapes))
