"""The assertions of `numpy.testing` on Arrays, which are brought to the host in the open: no setting about transfers is in the way.

bfloat16 and float8 elements are compared as float32, which holds them all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import numpy as np
from numpy import testing
from numpy.testing import assert_, assert_no_warnings, assert_raises, assert_raises_regex, assert_string_equal

from ._array import Array
from .backends.dtypes import FIRST_EXTRA
from .backends.nesting import check_depth

__all__ = [
    "assert_",
    "assert_allclose",
    "assert_almost_equal",
    "assert_approx_equal",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_equal",
    "assert_array_less",
    "assert_array_max_ulp",
    "assert_equal",
    "assert_no_warnings",
    "assert_raises",
    "assert_raises_regex",
    "assert_string_equal",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def _host(value: Any, depth: int = 0) -> Any:
    if type(value) is Array:
        host = value._host()
        return host.astype(np.float32) if host.dtype.num >= FIRST_EXTRA else host
    if isinstance(value, (list, tuple)):  # also the named tuples that decompositions give
        check_depth(depth)
        return (list if isinstance(value, list) else tuple)([_host(item, depth + 1) for item in value])
    return {key: _host(item, depth) for key, item in value.items()} if type(value) is dict else value


def _on_arrays(assertion: _F) -> _F:
    @wraps(assertion)
    def on_host(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # for pytest: the line that asserts is the user's
        return assertion(*map(_host, args), **_host(kwargs))

    return on_host  # type: ignore[return-value]


assert_allclose: Final = _on_arrays(testing.assert_allclose)
assert_almost_equal: Final = _on_arrays(testing.assert_almost_equal)
assert_approx_equal: Final = _on_arrays(testing.assert_approx_equal)
assert_array_almost_equal: Final = _on_arrays(testing.assert_array_almost_equal)
assert_array_almost_equal_nulp: Final = _on_arrays(testing.assert_array_almost_equal_nulp)
assert_array_equal: Final = _on_arrays(testing.assert_array_equal)
assert_array_less: Final = _on_arrays(testing.assert_array_less)
assert_array_max_ulp: Final = _on_arrays(testing.assert_array_max_ulp)
assert_equal: Final = _on_arrays(testing.assert_equal)
