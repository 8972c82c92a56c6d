"""The pages of the API reference: every public name has its entry, once, and none is made up."""

import importlib.util
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import trnarray

spec = importlib.util.spec_from_file_location("api_reference", Path(__file__).parents[2] / "docs" / "api_reference.py")
api_reference = importlib.util.module_from_spec(spec)
spec.loader.exec_module(api_reference)

PAGES = [page for part in api_reference.pages().values() for page in part]


def namespaces(module):
    """The modules that users call: the main namespace and those in it, whatever their names."""
    yield module
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, ModuleType) and "__all__" in vars(value) and value.__name__.startswith("trnarray."):
            yield from namespaces(value)


NAMESPACES = {module.__name__: module for module in namespaces(trnarray)} | {"trnarray.special": trnarray.special}


# trnarray.scipy has nothing but namespaces, one of them under another name.
@pytest.mark.parametrize("namespace", sorted(set(NAMESPACES) - {"trnarray.scipy"}))
def test_every_name_has_one_entry(namespace):
    module = NAMESPACES[namespace]
    inner = {name.rpartition(".")[2] for name in NAMESPACES if name.rpartition(".")[0] == namespace}  # they have pages of their own
    names = set(module.__all__) - inner
    entries = Counter(name for page in PAGES if page.namespace == namespace for name in page.names)
    assert names == set(entries)
    assert set(entries.values()) <= {1}


def test_pages_have_titles_files_and_entries():
    assert len({page.file for page in PAGES}) == len(PAGES)
    for page in PAGES:
        assert page.title
        text = page.text()
        for name in page.names:
            module = import_module(page.namespace)
            if not isinstance(getattr(module, name), ModuleType):
                assert f":: {page.namespace}.{name}\n" in text or f".. py:data:: {name}\n" in text, name


def test_pages_are_written_and_stale_ones_removed(tmp_path):
    folder = tmp_path / "api"
    folder.mkdir()
    (folder / "gone.rst").write_text("gone")
    api_reference.write(folder)
    written = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert set(written) == {"index.rst", *(f"{page.file}.rst" for page in PAGES)}
    api_reference.write(folder)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == written  # so that Sphinx reads only what changed


def test_values_are_described_as_what_they_are():
    texts = {page.file: page.text() for page in PAGES}

    def described(file, name):
        return texts[file].split(f".. py:data:: {name}\n\n   ")[1].partition("\n")[0]  # in the module of the page

    assert described("array", "ndarray") == "Another name of `trnarray.Array`."
    assert described("data_types", "float8_e8m0fnu") == "The dtype."
    assert described("data_types", "double") == "The dtype ``float64`` under another name."
    assert described("data_types", "datetime64").startswith("A type of NumPy's, of which there are no Arrays")
    assert described("numpy_own", "errstate") == "The same object as ``numpy.errstate``."
    assert described("testing", "assert_equal") == "``numpy.testing.assert_equal`` on Arrays."
    assert described("constants", "little_endian") in {"``True``", "``False``"}
    assert "py:data" not in texts["linalg"].partition("LinAlgError")[2]  # our own functions have their docstrings
