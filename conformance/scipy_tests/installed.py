"""SciPy's own tests, as its wheels bring them."""

from __future__ import annotations

from pathlib import Path

import scipy

from ..pytest_process import check_packages
from ..suite import SuiteError

__all__ = ["scipy_with_tests"]


def scipy_with_tests() -> Path:
    """Find SciPy, and check that its tests can be run."""
    root = Path(scipy.__file__).parent
    if not (root / "linalg" / "tests").is_dir():
        raise SuiteError("this SciPy comes without its tests; install the wheel, as with `pip install scipy`")
    check_packages("SciPy's tests need", {"pytest": "pytest", "hypothesis": "hypothesis"})
    return root
