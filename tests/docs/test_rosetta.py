"""The table from CUDA's libraries: every name in it is there, or planned."""

import importlib.util
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
spec = importlib.util.spec_from_file_location("rosetta", DOCS / "rosetta.py")
rosetta = importlib.util.module_from_spec(spec)
spec.loader.exec_module(rosetta)
ROWS = rosetta.rows()


def test_every_library_has_its_rows():
    assert list(dict.fromkeys(row.library for row in ROWS)) == ["cuFFT", "cuBLAS", "cuRAND", "cuSOLVER", "cuSPARSE", "cuTENSOR"]
    assert all(all(row) for row in ROWS)
    assert len(set(ROWS)) == len(ROWS)


@pytest.mark.parametrize("library", dict.fromkeys(row.library for row in ROWS))
def test_names_of_trnarray_are_there_or_planned(library):
    for row in ROWS:
        if row.library != library:
            continue
        assert row.planned or row.names
        for name in row.names:
            assert name.startswith("trnarray.")
            if row.planned:
                with pytest.raises((AttributeError, ModuleNotFoundError)):
                    rosetta.resolve(name)
            else:
                rosetta.resolve(name)


@pytest.mark.parametrize("library", dict.fromkeys(row.library for row in ROWS))
def test_names_of_numpy_and_scipy_are_there(library):
    for row in ROWS:
        if row.library == library:
            for name in row.reference_names:
                assert name.startswith(("numpy.", "scipy."))
                rosetta.resolve(name)


def test_the_page_shows_every_row():
    lines = [line for line in rosetta.markdown().splitlines() if line.startswith("| ")]
    assert len(lines) == len(ROWS) + 6
    assert all(line.count("|") == 5 for line in lines)
