"""What every test run shares."""

import gc
import sys

import pytest
from hypothesis import settings

# Time per example depends on the machine, so no deadline; everything else (derandomized in CI, say) is as hypothesis chose.
settings.register_profile("trnarray", settings.get_profile(settings.get_current_profile_name()), deadline=None)
settings.load_profile("trnarray")


def pytest_collection_finish():
    """Let collections of garbage, which tests ask for often, pass over the modules and tests: they live to the end."""
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
