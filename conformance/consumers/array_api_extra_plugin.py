"""The pytest plugin that runs array-api-extra's tests with trnarray as the library.

Their fixture `library` goes through the members of an enumeration, which has no option for others; a mark `parametrize` on
each test takes precedence over that list.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from ..pytest_process import find_reason

__all__ = ["EXCLUSIONS", "pytest_collection_modifyitems", "pytest_generate_tests"]

NAME: Final = "trnarray"
EXCLUSIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "test_set.py": {
        "that array-api-extra hands the call over to the library, which it does for libraries that it knows by name": (
            r"TestNUnique::test_delegates\[trnarray\]"
        )
    }
}
"""By file and reason, regular expressions of the names of the tests that are about array-api-extra itself."""


class _Library:
    """What the tests ask the member of the enumeration."""

    modname = NAME

    def like(self, *_: object) -> bool:
        """Tell whether it is one of some libraries, as which it never counts."""
        return False


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the fixture `library` the one value that is to be tested."""
    if "library" in metafunc.fixturenames:
        metafunc.definition.add_marker(pytest.mark.parametrize("library", [pytest.param(_Library(), id=NAME)], indirect=True))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of the library, and mark the excluded ones."""
    items[:] = [item for item in items if NAME in getattr(getattr(item, "callspec", None), "_idlist", ())]
    for item in items:
        reason = find_reason(EXCLUSIONS, item.path.name, item.nodeid.partition("::")[2])
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))
