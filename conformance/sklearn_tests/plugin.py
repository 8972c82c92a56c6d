"""The pytest plugin that puts trnarray among the namespaces of scikit-learn's array-API tests.

scikit-learn's tests ask three functions for the combinations of namespace, device and dtype that they are to run on, when
they are imported. This plugin is imported before them and answers in the place of these functions. Conversions are allowed:
the tests themselves make them, and so does scikit-learn where it documents that it computes on the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from sklearn.utils import _array_api

import trnarray

__all__ = ["pytest_collection_modifyitems", "pytest_configure"]

NAME: Final = "trnarray"


def pytest_configure() -> None:
    """Answer for scikit-learn which namespaces there are."""
    trnarray.set_config(host_transfer="allow", fallback="allow")
    _array_api.yield_namespaces = _namespaces
    _array_api.yield_namespace_device_dtype_combinations = _combinations
    _array_api.yield_mixed_namespace_input_permutations = _mixed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that have trnarray among their parameters."""
    items[:] = [item for item in items if NAME in item.name.partition("[")[2]]


def _namespaces(include_numpy_namespaces: bool = True) -> Iterator[str]:  # noqa: ARG001  # scikit-learn's signature
    yield NAME


def _combinations(include_numpy_namespaces: bool = True) -> Iterator[tuple[str, None, str]]:  # noqa: ARG001  # scikit-learn's signature
    """On the default device, in each dtype that scikit-learn computes in and the device has."""
    dtypes = trnarray.__array_namespace_info__().dtypes(kind="real floating")
    for dtype in ("float32", "float64"):
        if dtype in dtypes:
            yield NAME, None, dtype


def _mixed() -> Iterator[tuple[Any, Any, str]]:
    """Ours beside NumPy's, both ways."""
    ours, theirs = _array_api.NamespaceAndDevice(NAME, None), _array_api.NamespaceAndDevice("numpy", None)
    yield ours, theirs, "trnarray to numpy"
    yield theirs, ours, "numpy to trnarray"
