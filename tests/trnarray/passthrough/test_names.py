"""The names of SciPy's modules under `trnarray.scipy`."""

import pickle
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

import trnarray as xp
from trnarray._passthrough.modules import public_names
from trnarray._passthrough.names import ADDED, MATRICES, REMOVED
from trnarray._scipy_compositions.composition import composition_of
from trnarray.conformance.suites.scipy_names import MODULES, stub, stubs_folder

NEWEST = "1.18"  # the SciPy that the stubs were made with


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_there(module):
    ours = import_module(f"trnarray.scipy.{module}")
    assert set(public_names(f"scipy.{module}")) <= set(dir(ours))
    own = {*MATRICES, *vars(ours).get("__all__", ())}
    for name in public_names(f"scipy.{module}"):
        found = getattr(ours, name)
        assert getattr(ours, name) is found
        if callable(found) and getattr(found, "__module__", "") == ours.__name__ and name not in own:
            assert pickle.loads(pickle.dumps(found)) is found


@pytest.mark.skipif(not version("scipy").startswith(NEWEST), reason=f"the stubs are of SciPy {NEWEST}")
@pytest.mark.parametrize("module", MODULES)
def test_stubs_are_those_of_the_newest_scipy(module):
    path = stubs_folder() / f"{module.replace('.', '_')}.pyi"
    assert path.read_text(encoding="utf-8") == stub(module), "run python -m trnarray.conformance scipy-names --write"


@pytest.mark.skipif(not version("scipy").startswith(NEWEST), reason=f"the page is of SciPy {NEWEST}")
def test_the_page_of_names():
    """It has every function and class, and those that are composed among what computes on devices; the suite compares it whole."""
    text = (Path(__file__).parents[3] / "docs" / "scipy_names.md").read_text(encoding="utf-8")
    sections = {part.partition("`")[0]: part for part in text.split("\n## `")[1:]}
    for module in MODULES:
        theirs = import_module(f"scipy.{module}")
        for name in public_names(f"scipy.{module}"):
            if callable(getattr(theirs, name)):
                _, devices, others = sections[module].partition("**On devices**")
                native = others.partition("**Steps")[0] if devices else ""
                composed = getattr(getattr(theirs, name), "__name__", name)  # special.jn is special.jv
                assert f"`{name}`" in (native if composition_of(module, composed) else sections[module]), (module, name)


def test_stubs_have_the_names_of_an_older_scipy():
    gone = {name.rpartition(".")[2] for name in REMOVED}
    for module in MODULES:
        if find_spec(f"scipy.{module}") is None:
            continue
        ours = import_module(f"trnarray.scipy.{module}")
        theirs = import_module(f"scipy.{module}")
        text = (stubs_folder() / f"{module.replace('.', '_')}.pyi").read_text(encoding="utf-8")
        for name in public_names(f"scipy.{module}"):
            known = name in vars(ours).get("__all__", ()) or f"{module}.{name}" in MODULES or any(
                f"{start}{name}{end}" in text for start, end in (("def ", "("), ("class ", ":"), ("class ", "("), ("", ": "))
            )
            assert known or name in gone or isinstance(getattr(theirs, name), ModuleType) or not version("scipy").startswith(NEWEST), name


@pytest.mark.parametrize(("module", "name"), [(module, name) for module, names in ADDED.items() for name in names])
def test_a_name_that_this_scipy_lacks_says_since_when(module, name):
    ours = import_module(f"trnarray.scipy.{module}")
    if name not in {*public_names(f"scipy.{module}"), *vars(ours)}:
        with pytest.raises(AttributeError, match=f"SciPy ≥ {ADDED[module][name]} has it, and {version('scipy')} is installed"):
            getattr(ours, name)


def test_names_that_scipy_no_longer_has():
    if not hasattr(import_module("scipy.integrate"), "simps"):
        with pytest.raises(AttributeError, match=r"'simps': SciPy no longer has it; use simpson"):
            xp.scipy.integrate.simps  # noqa: B018


@pytest.mark.parametrize("name", MATRICES)
def test_matrices_are_refused_with_what_to_write(name):
    with pytest.raises(TypeError, match=r"no matrices of sparse elements: (use \w+_array; `\*` multiplies|build it with scipy.sparse)"):
        getattr(xp.scipy.sparse, name)([[1.0]])


def test_unknown_names():
    with pytest.raises(AttributeError, match="module 'trnarray.scipy.ndimage' has no attribute 'nonsense'$"):
        xp.scipy.ndimage.nonsense  # noqa: B018
    with pytest.raises(ImportError, match="nonsense"):
        from trnarray.scipy.stats import nonsense  # noqa: F401


def test_scipys_modules_are_imported_when_used():
    code = (
        "import sys, trnarray, trnarray.scipy.stats, trnarray.scipy.optimize\n"
        "assert not {'scipy.stats', 'scipy.interpolate', 'scipy.optimize'} & set(sys.modules), 'imported'\n"
        "trnarray.scipy.interpolate.CubicSpline\n"
        "assert 'scipy.interpolate' in sys.modules and 'scipy.stats' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
