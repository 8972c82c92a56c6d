"""The pytest plugin that has NumPy's test modules import trnarray as `np`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import trnarray

from ..pytest_process import find_reason
from .collection import collect
from .edits import EDITS, edited
from .exclusions import EXCLUSIONS, NOT_RUN, VERSIONS
from .modules import numpy_modules

__all__ = ["pytest_addoption", "pytest_collection_modifyitems", "pytest_configure", "pytest_pycollect_makemodule"]

_COMPLETE: Final = np.lib.NumpyVersion(np.__version__) >= "2.5.0"
# A subclass that adds nothing is for testing that results keep the type of the operand.
_SUBCLASS: Final = re.compile(r"^( *)class (\w+)\(np\.ndarray\):\n +pass$", re.MULTILINE)

_FEWER: Final = """
LinalgTestCase.TEST_CASES[:] = [
    case for place, case in enumerate(LinalgTestCase.TEST_CASES) if "_stride_" not in case.name or place % {} == 0
]
"""

_SHORTER: Final = ("maxlen = 512", "maxlen = 64")  # of transforms of all lengths


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the settings that tests run under, and how many of the layouts of matrices they go over."""
    parser.addoption("--fallback", choices=("warn", "error"), default="warn", help="what to do without a kernel")
    parser.addoption("--defaults", choices=("native", "numpy"), default="numpy", help="the default dtypes of devices")
    parser.addoption("--one-layout-in", type=int, default=1, help="of matrices in other layouts; and shorter transforms")


def pytest_configure(config: pytest.Config) -> None:
    """Set what happens without a kernel; random numbers that tests draw by NumPy's generators are data, which may come from the host."""
    trnarray.set_config(fallback=config.getoption("--fallback"), defaults=config.getoption("--defaults"))
    if config.getoption("--fallback") == "error":
        random = numpy_modules()["numpy.random"]
        for source in (random, random.RandomState, random.Generator):
            for name, draw in list(vars(source).items()):
                if callable(draw) and not isinstance(draw, type) and not name.startswith("_"):
                    setattr(source, name, trnarray.config(fallback="allow")(draw))


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> Any:
    """Collect a module with `np` swapped."""
    edit = partial(_edited, module_path.name, parent.config.getoption("--one-layout-in"))
    return collect(module_path, parent, numpy_modules(), edit=edit)


def _edited(file: str, one_in: int, source: str) -> str:
    found = _SUBCLASS.sub(r"\1\2 = np.ndarray", edited(source, EDITS.get(file, {}), complete=_COMPLETE))
    if one_in == 1:
        return found
    found = found.replace(*_SHORTER)  # each of which is another program
    return found + _FEWER.format(one_in) if file == "test_linalg.py" else found


def pytest_collection_modifyitems(items: Sequence[pytest.Item]) -> None:
    """Mark the excluded tests."""
    for item in items:
        reason = find_reason(EXCLUSIONS, item.path.name, item.nodeid.partition("::")[2])
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=reason not in VERSIONS, run=reason not in NOT_RUN))
