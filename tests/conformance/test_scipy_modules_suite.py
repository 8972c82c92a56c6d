"""The suite ``scipy-modules``: SciPy's own tests find our functions, which get and give Arrays."""

import importlib
import re
from argparse import Namespace
from pathlib import Path
from types import FunctionType

import numpy as np
import pytest
import scipy
import scipy.linalg

import trnarray as xp
from trnarray.backends.device import CPU
from trnarray.conformance.report import Report
from trnarray.conformance.scipy_tests import modules
from trnarray.conformance.scipy_tests.swapped_exclusions import EDITS, EXCLUSIONS
from trnarray.conformance.suites import scipy_modules as suite


def run(select, module="linalg"):
    report = Report("scipy-modules", "cpu")
    suite.run(report, CPU, Namespace(module=[module], only="*", fallback="allow", defaults=None, jobs="1", select=select, one_case_in=1))
    return report


def test_scipys_tests_run_on_our_functions(monkeypatch):
    monkeypatch.setattr(suite, "FILES", {"linalg": {"linalg/tests": ("decomp_polar", "procrustes", "special_matrices", "absent")}})
    report = run("test_procrustes or array_conversion or precomputed or test_invpascal")
    assert report.ok, report.table()
    assert report.counts["xfailed"] == 2, "numpy.matrix and dtype object are refused"
    figures = report.figures["linalg"]
    assert figures["passed"] > 0
    assert figures["share"] == round(figures["passed"] / (figures["passed"] + 2), 3)
    assert figures["share with dtypes that Arrays have"] == round(figures["passed"] / (figures["passed"] + 1), 3)


@pytest.mark.parametrize("subpackage", modules.PAIRS)
def test_every_name_of_ours_stands_for_scipys(subpackage):
    swapped = modules.scipy_modules(subpackage)
    for theirs, ours in modules.PAIRS[subpackage].items():
        module = importlib.import_module(ours)
        for name in module.__all__:
            value = getattr(module, name)
            if isinstance(value, FunctionType):
                assert getattr(swapped[theirs], name).__wrapped__ is value
    assert getattr(swapped["scipy"], subpackage) is swapped[f"scipy.{subpackage}"]
    assert swapped["scipy"].fft is scipy.fft


@pytest.mark.parametrize(
    ("subpackage", "private", "name"),
    [
        ("linalg", "scipy.linalg._decomp_update", "qr_delete"),
        ("linalg", "scipy.linalg._misc", "norm"),
        ("signal", "scipy.signal._peak_finding", "find_peaks"),
        ("sparse", "scipy.sparse._csr", "csr_array"),
        ("sparse", "scipy.sparse.linalg._isolve", "cg"),
        ("sparse", "scipy.sparse.linalg._eigen.arpack", "eigsh"),
        ("sparse", "scipy.sparse.linalg._dsolve", "splu"),
    ],
)
def test_private_modules_have_our_functions_too(subpackage, private, name):
    swapped = modules.scipy_modules(subpackage)
    theirs = importlib.import_module(private)
    public = private[: private.index("._")]
    assert getattr(swapped.find(theirs), name) is getattr(swapped[public], name)
    assert getattr(swapped[public], name) is not getattr(theirs, name)


def test_functions_get_arrays_and_give_ndarrays(monkeypatch):
    given = []

    def solve(*args, **kwargs):
        given.extend([*args, *kwargs.values()])
        return xp.asarray([1.0]), [xp.asarray(2.0), (xp.asarray(3), "text")]

    found = modules._between(solve)(np.ones(2), (np.ones(1), 4), b=np.ones(3, np.longdouble), lower=True)
    assert [type(value) for value in given] == [xp.Array, tuple, np.ndarray, bool]
    assert type(given[1][0]) is xp.Array
    array, (scalar, (integer, text)) = found
    assert type(array) is np.ndarray
    assert type(scalar) is np.float64
    assert isinstance(integer, np.integer)
    assert text == "text"


def test_edits_and_exclusions_are_of_files_that_are_run():
    root = Path(scipy.__file__).parents[1]
    names_of = {f"scipy/{folder}": names for folders in suite.FILES.values() for folder, names in folders.items()}
    for file in (*EDITS, *EXCLUSIONS):
        names, name = names_of[str(Path(file).parent)], Path(file).stem.removeprefix("test_")
        assert name in names if names else name not in suite.PRIVATE
    if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 18):
        for file, edits in EDITS.items():
            text = (root / file).read_text("utf-8")
            assert [old for old in edits if old not in text] == []
    for patterns in EXCLUSIONS.values():
        for pattern in patterns.values():
            [re.compile(one) for one in pattern.split()]
