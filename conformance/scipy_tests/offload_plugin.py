"""The pytest plugin under which SciPy's tests transform ndarrays on a device: `trnarray.scipy.fft.offload` is the global backend."""

from __future__ import annotations

import pytest

import trnarray

from ...backends.device import detected_default_device
from ..pytest_process import find_reason, path_in
from .offload_exclusions import LONG, OFFLOADED

__all__ = ["pytest_collection_modifyitems", "pytest_configure", "pytest_runtest_setup"]


def pytest_configure() -> None:
    """Let the tests have NumPy's default device, but for what is moved to another one."""
    trnarray.set_config(fallback="error")


def pytest_runtest_setup() -> None:
    """Install the backend for each test, since some install others."""
    import scipy.fft

    scipy.fft.set_global_backend(trnarray.scipy.fft.offload(detected_default_device(), always=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the excluded tests."""
    for item in items:
        file, name = path_in("scipy", item.path), item.nodeid.partition("::")[2]
        long, reason = find_reason(LONG, file, name), find_reason(OFFLOADED, file, name)
        if long is not None:
            item.add_marker(pytest.mark.skip(reason=long))
        elif reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
