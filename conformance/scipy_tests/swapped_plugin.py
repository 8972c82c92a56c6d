"""The pytest plugin that has SciPy's test modules import our module where they import SciPy's."""

from __future__ import annotations

import os
import re
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
import pytest
import scipy

import trnarray

from ...backends.device import CPU, detected_default_device
from ..numpy_tests.collection import collect
from ..numpy_tests.edits import edited
from ..pytest_process import find_reason, path_in
from .modules import PAIRS, scipy_modules
from .passed_through_exclusions import PROCESSES
from .sparse_exclusions import NOT_OURS
from .swapped_exclusions import EDITS, EXCLUSIONS, ON_NEURON, VERSIONS

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure", "pytest_pycollect_makemodule"]

_COMPLETE: Final = np.lib.NumpyVersion(scipy.__version__) >= "1.18.0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that say which module is ours, which dtypes devices have by default, and how many tests are run."""
    # Tests make float64 of integers and lists, to whose roundoff they hold results.
    parser.addoption("--defaults", choices=("native", "numpy"), default="numpy", help="the default dtypes of devices")
    parser.addoption("--fallback", choices=("allow", "error"), default="allow", help="what to do without a kernel")
    parser.addoption("--swapped", choices=PAIRS, required=True, help="the subpackage of SciPy whose functions are ours")
    parser.addoption("--one-case-in", type=int, default=1, metavar="N", help="take one test in N, by a hash of its name")


def pytest_configure(config: pytest.Config) -> None:
    """Let the tests convert Arrays, and set what devices do without a kernel, and their default dtypes."""
    trnarray.set_config(host_transfer="allow", fallback=config.getoption("--fallback"), defaults=config.getoption("--defaults"))
    if os.environ.get("TRNARRAY_DEVICE", "cpu") != "cpu":  # there errors are of SciPy's kinds, in words of our own
        pytest.raises = partial(_raises, pytest.raises)
    assertions: Any = import_module("scipy._lib._array_api")
    if hasattr(assertions, "lazy_xp_function"):
        assertions.lazy_xp_function = lambda *_, **__: None  # about JAX; it looks up methods of classes, and ours are no classes


def _raises(raises: Any, *args: Any, match: Any = None, **kwargs: Any) -> Any:  # noqa: ARG001
    return raises(*args, **kwargs)


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    """Collect a module that finds our functions."""
    if "scipy" not in module_path.parts:
        return None
    file = path_in("scipy", module_path)

    edit = partial(edited, edits=EDITS.get(file, {}), complete=_COMPLETE)
    modules = scipy_modules(parent.config.getoption("--swapped"))
    return collect(module_path, parent, modules, edit=edit, package=".".join(Path(file).parent.parts))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop the tests of classes of SciPy's that we do not have, and all but a share, and mark the excluded ones."""
    if config.getoption("--swapped") == "sparse":
        items[:] = [item for item in items if not re.search(NOT_OURS, item.nodeid.partition("::")[2])]
    count = config.getoption("--one-case-in")
    items[:] = [item for item in items if crc32(item.nodeid.encode()) % count == 0]
    tables = (EXCLUSIONS,) if detected_default_device() is CPU else (EXCLUSIONS, ON_NEURON)
    for item in items:
        file, name = path_in("scipy", item.path), item.nodeid.partition("::")[2]
        reason = next(filter(None, (find_reason(table, file, name) for table in tables)), None)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, run=reason != PROCESSES, strict=reason not in VERSIONS))
