"""What every test run shares."""

import gc
import sys
import zlib

import pytest
from hypothesis import settings

# Time per example depends on the machine, so no deadline; everything else (derandomized in CI, say) is as hypothesis chose.
settings.register_profile("trnarray", settings.get_profile(settings.get_current_profile_name()), deadline=None, max_examples=50)
settings.register_profile("brief", settings.get_profile("trnarray"), max_examples=20)  # where a full run is made beside it
settings.register_profile("thorough", settings.get_profile("trnarray"), max_examples=1000)  # by hand, before a release
settings.load_profile("trnarray")


# What devices compute, which depends little on the versions of Python and NumPy, and takes most of the time.
_ON_DEVICES = (
    "backends/neuron/", "trnarray/scipy/test_device_", "trnarray/scipy/test_sparse_", "trnarray/scipy_compositions/",
    "trnarray/test_operands.py", "trnarray/test_random_streams.py", "trnarray/scipy/test_lists_beside_arrays.py",
)  # fmt: skip


def pytest_addoption(parser):
    for option, what in (("--one-case-in", "what devices compute"), ("--one-other-case-in", "all else")):
        parser.addoption(option, type=int, default=1, metavar="N", help=f"of {what}: one case in N of each test, and the first one")


def pytest_collection_modifyitems(config, items):
    """Take one case in N of a test, by a hash of its name, so that no parameter's values are left out in turn."""
    of_devices, of_others = (config.getoption(option) for option in ("--one-case-in", "--one-other-case-in"))
    if of_devices == of_others == 1:
        return
    tests, kept, dropped = set(), [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        share = of_devices if any(part in test for part in _ON_DEVICES) else of_others
        taken = test not in tests or zlib.crc32(item.nodeid.encode()) % share == 0
        tests.add(test)
        (kept if taken else dropped).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=dropped)


def pytest_collection_finish():
    _keep()


@pytest.fixture(scope="module", autouse=True)
def what_modules_leave_is_kept():
    """Let what a module's tests left in caches be no matter for later ones."""
    yield
    _keep()


@pytest.fixture(autouse=True)
def nothing_waits():
    """Compute what other tests left on Neuron devices: it would be explained, and run, with the first call of this one."""
    backends = sys.modules.get("trnarray.backends.engine")
    engines = [] if backends is None else [engine for engine in backends.opened_engines() if engine.name == "neuron"]
    if any(engine.graph.pending() for engine in engines):
        gc.collect()  # Arrays of calls that failed are held by their own errors
        for engine in engines:
            engine.flush()


def _keep():
    """Let collections of garbage, which tests ask for often, pass over what is there: it lives to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_import_tree():
    """Fail the run if `backends` or `conformance` got imported under their own names: a second copy of every registry."""
    yield
    strays = sorted(name for name in sys.modules if name.partition(".")[0] in {"backends", "conformance"})
    assert not strays, f"imported outside of trnarray: {strays}; import them as trnarray.{strays[0]}, ..."


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory):
    """Keep what a run leaves for later ones out of the user's cache directory, and what others left out of the run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRNARRAY_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
