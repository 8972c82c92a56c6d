"""Ops of special functions: SciPy's ufuncs and the functions of scipy.special around them. Importing this imports scipy.special."""

from __future__ import annotations

from collections.abc import Callable
from inspect import unwrap
from typing import Any

import numpy as np
import scipy.special

from ..op import FIRST, Op
from ..rules import special as rules

__all__ = ["log_softmax", "logsumexp", "multigammaln", "polygamma", "scipy_ufunc", "softmax", "zeta"]


def scipy_ufunc(name: str) -> np.ufunc:
    """
    Return a ufunc of scipy.special, also where SCIPY_ARRAY_API has it wrapped in a function.

    Examples
    --------
    >>> scipy_ufunc("erf")
    <ufunc 'erf'>
    """
    found = unwrap(getattr(scipy.special, name))
    if not isinstance(found, np.ufunc):
        raise TypeError(f"scipy.special.{name} is a {type(found).__name__}, not a ufunc; call it as a function")
    return found


def _op(name: str) -> Op:
    host: Callable[..., Any] = unwrap(getattr(scipy.special, name))
    return Op(f"special.{name}", host, FIRST, rule=getattr(rules, name))


polygamma = _op("polygamma")
multigammaln = _op("multigammaln")
zeta = _op("zeta")
logsumexp = _op("logsumexp")
softmax = _op("softmax")
log_softmax = _op("log_softmax")
