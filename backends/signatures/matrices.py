"""Signatures of linear algebra: operands are what has no default, sequences are arrays, and nothing is overwritten."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..rules import is_true
from .attributes import check_numbers
from .call import Call, NotNativeError, Reader, SignatureKind

__all__ = ["of_function"]

_OPTIONAL: Final = frozenset({"b", "r"})
"""Arrays that need not be given."""
_PAIRS: Final = frozenset({"c_and_lower", "cb_and_lower", "lu_and_piv", "l_and_u", "c_or_cr"})
"""What a factorization gave: an array and what belongs to it; or two arrays."""
_UNKNOWN: Final = "what its arguments mean is known to the host alone"


def of_function(host: Callable[..., Any]) -> SignatureKind:
    """Read functions of numpy.linalg and scipy.linalg by their parameters; `check_finite` is there wherever they have it."""
    parameters = inspect.signature(host).parameters
    places = {name: place for place, name in enumerate(parameters)}
    signature = inspect.Signature([*parameters.values()])
    defaults = {name: one.default for name, one in parameters.items() if one.default is not inspect.Parameter.empty}

    def array(reader: Reader, item: Any, pair: bool) -> Any:
        if pair and isinstance(item, tuple):
            return tuple([array(reader, one, False) for one in item])
        return reader.operand(item) if isinstance(item, (list, tuple, range, np.ndarray)) else item

    def read(reader: Reader, *args: Any, **kwargs: Any) -> Call:
        kwargs = {name: item for name, item in kwargs.items() if not name.startswith("overwrite_")}
        known = {name: item for name, item in kwargs.items() if name in parameters}
        try:
            given = signature.bind(*args, **known).arguments
        except TypeError:
            raise NotNativeError(_UNKNOWN) from None
        operands: list[Any] = []
        attributes = {name: item for name, item in kwargs.items() if name not in parameters}  # of another version of SciPy
        if "check_finite" in parameters:
            given.setdefault("check_finite", defaults["check_finite"])
        for name, item in sorted(given.items(), key=lambda one: places[one[0]]):
            if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                operands += [array(reader, one, False) for one in item]
            elif name not in defaults:
                operands.append(array(reader, item, name in _PAIRS))
            elif not name.startswith("overwrite_"):
                attributes[name] = _flag(reader, item) if isinstance(defaults[name], bool) else item
                if name in _OPTIONAL:
                    attributes[name] = array(reader, item, False)
        return Call(tuple(operands), attributes)

    return read


def _flag(reader: Reader, item: Any) -> bool:
    check_numbers(reader, item)
    try:
        return is_true(item)
    except TypeError:
        raise NotNativeError(_UNKNOWN) from None
