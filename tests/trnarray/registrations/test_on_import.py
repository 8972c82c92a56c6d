"""The registration with scipy.fft, in fresh processes: every order of imports, threads, reloads, and what looks at loaders."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
# Counts the registrations, by way of SciPy's own extension module, which scipy.fft has not imported by then.
COUNT = """
import scipy._lib._uarray._uarray as _uarray
registrations = []
_original = _uarray.register_backend
def _counting(backend):
    registrations.append(backend)
    return _original(backend)
_uarray.register_backend = _counting
"""
CHECK = """
import scipy.fft, numpy as np
def check(array_type=None):
    import trnarray, scipy.fft
    assert type(scipy.fft.fft(trnarray.ones(4))) is trnarray.Array
    assert type(scipy.fft.fft(np.ones(4))) is np.ndarray
check()
"""


def run(script):
    """Run a script in a new process, warnings as errors; give what it printed."""
    command = [sys.executable, "-W", "error", "-c", script]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import trnarray, scipy.fft",
        "import scipy.fft, trnarray",
        "import trnarray.scipy.fft",
        "import scipy.fft, trnarray.scipy.fft",
        "import trnarray; from scipy import fft",
        "import trnarray; from scipy.fft import rfft",
        "import scipy; scipy.fft; import trnarray",
        "import trnarray, scipy.signal",
        "import scipy.signal, trnarray",
        "import trnarray; trnarray.fft.fft(trnarray.ones(4))",
        "import trnarray.backends; import scipy.fft",
        "import numpy, trnarray, importlib; importlib.import_module('scipy.fft')",
    ],
)
def test_registered_once_in_every_order(imports):
    run(f"{COUNT}\n{imports}\n{CHECK}\nimport trnarray\nassert registrations == [trnarray.scipy.fft], registrations")


def test_trnarray_alone_imports_neither_scipy_nor_what_only_devices_need():
    unwanted = ("scipy", "trnarray.backends.signatures", "trnarray.backends.contraction.paths")  # the last two are for devices and sums
    assert run(f"import trnarray, sys; print([m for m in sys.modules if m.startswith({unwanted})])").strip() == "[]"
    assert run("import trnarray.scipy.fft, sys; print('scipy' in sys.modules)").strip() == "False"


def test_every_thread_sees_it():
    run(
        f"import trnarray\n{CHECK}\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(8) as pool:\n    [f.result() for f in [pool.submit(check) for _ in range(64)]]"
    )


@pytest.mark.parametrize("seed", range(4))
def test_concurrent_imports(seed):
    """Threads import either module first, all at once; each must find the backend registered when its imports are done."""
    run(
        f"""{COUNT}
import random, sys, threading, traceback
import numpy as np
random.seed({seed})
sys.setswitchinterval(1e-5)
start, errors = threading.Barrier(12), []
def work(first):
    try:
        start.wait()
        if first:
            import trnarray, scipy.fft
        else:
            import scipy.fft, trnarray
        assert type(scipy.fft.fft(trnarray.ones(4))) is trnarray.Array
        assert type(scipy.fft.fft(np.ones(4))) is np.ndarray
    except BaseException:
        errors.append(traceback.format_exc())
threads = [threading.Thread(target=work, args=(random.random() < 0.5,)) for _ in range(12)]
for thread in threads: thread.start()
for thread in threads: thread.join(60)
assert not any(thread.is_alive() for thread in threads), "deadlock"
assert not errors, "".join(errors)
assert len(registrations) == 1, registrations
"""
    )


def test_reloads_do_not_register_again():
    run(
        f"""{COUNT}
import trnarray, importlib
{CHECK}
for module in (scipy.fft, trnarray, scipy.fft):
    importlib.reload(module)
    check()
assert len(registrations) == 1, registrations
"""
    )


LOADER_CHECKS = """
import importlib.util, importlib.resources, inspect, pkgutil
def look(spec):
    loader = spec.loader
    assert spec.name == "scipy.fft" and spec.origin.endswith("__init__.py") and spec.submodule_search_locations
    assert "register_backend" in loader.get_source("scipy.fft")
    assert loader.is_package("scipy.fft")
    assert loader.get_code("scipy.fft").co_filename == spec.origin
    assert loader.get_filename("scipy.fft") == spec.origin
    assert b"register_backend" in loader.get_data(spec.origin)
    assert loader.get_resource_reader("scipy.fft") is not None
"""


def test_loaders_can_be_looked_into():
    run(
        f"""{LOADER_CHECKS}
import trnarray
look(importlib.util.find_spec("scipy.fft"))
{CHECK}
look(scipy.fft.__spec__)
from importlib.machinery import SourceFileLoader
assert type(scipy.fft.__loader__) is type(scipy.fft.__spec__.loader) is SourceFileLoader
assert "register_backend" in inspect.getsource(scipy.fft)
assert b"register_backend" in pkgutil.get_data("scipy.fft", "__init__.py")
assert importlib.resources.files("scipy.fft").joinpath("__init__.py").is_file()
assert importlib.util.find_spec("scipy.fftpack").loader.__class__ is SourceFileLoader
"""
    )


def test_a_lazy_loader_registers_when_it_loads():
    run(
        f"""{COUNT}
import importlib.util, sys, scipy, trnarray
spec = importlib.util.find_spec("scipy.fft")
spec.loader = importlib.util.LazyLoader(spec.loader)
module = importlib.util.module_from_spec(spec)
sys.modules["scipy.fft"] = module
spec.loader.exec_module(module)
assert not registrations
module.fft
{CHECK}
assert len(registrations) == 1
"""
    )


def test_an_import_that_fails_leaves_nothing_behind():
    run(
        f"""{COUNT}
import sys, trnarray
sys.modules["scipy.fft._helper"] = None
try:
    import scipy.fft
except ImportError:
    pass
else:
    raise AssertionError
assert not registrations
del sys.modules["scipy.fft._helper"]
{CHECK}
assert len(registrations) == 1
"""
    )


def test_other_finders_still_come_first_or_last():
    run(
        f"""
import sys, trnarray
seen = []
class Watching:
    def find_spec(self, name, path=None, target=None):
        seen.append(name)
sys.meta_path.insert(0, Watching())
sys.meta_path.append(Watching())
{CHECK}
assert seen.count("scipy.fft") == 1, "the one in front sees it; the one behind is not reached, as without us"
"""
    )


def test_after_a_fork_it_is_still_registered():
    if not hasattr(__import__("os"), "fork"):
        pytest.skip("this system does not fork")
    run(
        f"""
import trnarray
{CHECK}
import os
child = os.fork()
if child == 0:
    try:
        check()
    except BaseException:
        os._exit(1)
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
""".replace("import trnarray", "import warnings, trnarray\nwarnings.simplefilter('ignore', DeprecationWarning)", 1)
    )


@pytest.mark.parametrize("imports", ["import trnarray, einops._backends", "import einops._backends, trnarray"])
def test_every_module_of_the_table_is_registered_with(tmp_path, imports):
    (tmp_path / "einops").mkdir()
    (tmp_path / "einops" / "__init__.py").touch()
    (tmp_path / "einops" / "_backends.py").write_text("class NumpyBackend:\n    framework_name = 'numpy'\n")
    check = "(found,) = einops._backends.NumpyBackend.__subclasses__()\nassert found.framework_name == 'trnarray'"
    run(f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\n{imports}\n{check}\nimport importlib\nimportlib.reload(trnarray)\n{check}")
