"""The pytest plugin that runs SciPy's array-API tests with ``xp = trnarray``.

SciPy lists the namespaces of its fixture `xp` when its conftest is imported and has no option for others; a mark
`parametrize` on each test takes precedence over that list. Conversions that the tests make themselves pass; those that
SciPy makes are noted with the test, and are errors with ``--host-transfer error``.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

import pytest

import trnarray

from ...backends import policy
from ...backends.caller import find_caller
from ...backends.device import CPU, Device, detected_default_device
from ...backends.settings import Action, Settings, get_config
from ..pytest_process import find_reason, path_in
from .exclusions import EXCLUSIONS, ON_NEURON

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_fixture_setup",
    "pytest_generate_tests",
    "pytest_runtest_call",
]

NAME: Final = "trnarray"
_CONVERTERS: Final = ("numpy", "scipy._lib", "scipy._external", __name__)  # these convert for others
_transfers: Final[list[str]] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that say what SciPy may convert, and whether the host may compute."""
    parser.addoption("--host-transfer", choices=("error", "allow"), default="allow", help="what to do when SciPy converts an Array")
    parser.addoption("--fallback", choices=("allow", "error"), default="allow", help="what to do without a kernel")


def pytest_configure(config: pytest.Config) -> None:
    """Set what happens to conversions, depending on who makes them."""
    trnarray.set_config(host_transfer=config.getoption("--host-transfer"), fallback=config.getoption("--fallback"))
    policy.get_config = _settings  # type: ignore[attr-defined]  # where transfers are decided on


class _Settings(Settings):
    """The settings, which let the tests themselves convert and note who else does."""

    def host_transfer_on(self, device: Device) -> Action:
        caller = find_caller(_CONVERTERS)
        # Beyond a test of a converter there is nothing but pytest.
        if "tests" in caller.module.split(".") or caller.module == "scipy.conftest" or caller.module.startswith("_pytest."):
            return "allow"
        _transfers.append(f"{caller.module}:{caller.lineno}")
        return super().host_transfer_on(device)


def _settings() -> Settings:
    return _Settings(*get_config())


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give the fixture `xp` the one value that is to be tested."""
    if "xp" in metafunc.fixturenames:
        import scipy.conftest  # as pytest has imported it by now

        scipy.conftest.xp_known_backends.add(NAME)
        # What the tests of scipy.fft call comes to trnarray before SciPy would compute it on the host.
        of_fft = path_in("scipy", metafunc.definition.path).startswith("scipy/fft/")
        if metafunc.config.getoption("--host-transfer") == "error" and not of_fft:
            scipy.conftest.xp_skip_cpu_only_backends.add(NAME)
        value = pytest.param(trnarray, id=NAME)
        metafunc.definition.add_marker(pytest.mark.parametrize("xp", [value], indirect=True))


@pytest.hookimpl(tryfirst=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Any:
    """Give the fixture `devices` a list: SciPy before 1.18 cannot do with the tuple that the standard asks for."""
    if fixturedef.argname != "devices":
        return None
    devices = [*trnarray.__array_namespace_info__().devices(), None]
    fixturedef.cached_result = (devices, fixturedef.cache_key(request), None)  # type: ignore[arg-type]
    return devices


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests that use `xp`, and mark the excluded ones."""
    items[:] = [item for item in items if NAME in getattr(getattr(item, "callspec", None), "_idlist", ())]
    tables = (EXCLUSIONS,) if detected_default_device() is CPU else (EXCLUSIONS, ON_NEURON)
    for item in items:
        file, name = path_in("scipy", item.path), item.nodeid.partition("::")[2]
        reason = next(filter(None, (find_reason(table, file, name) for table in tables)), None)
        if reason is not None:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Note the transfers of a test with its result."""
    _transfers.clear()
    try:
        return (yield)
    finally:
        item.user_properties += [("transfer", caller) for caller in _transfers]
