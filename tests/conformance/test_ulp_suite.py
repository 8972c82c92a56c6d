"""The suite ulp: what it counts, and that it finds what is not within its bound."""

from argparse import Namespace
from dataclasses import replace

import numpy as np
import pytest
import scipy.special

from trnarray.backends.device import CPU, Device
from trnarray.conformance.references import incomplete_beta, incomplete_gamma
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import ulp

DEVICE = Device("sim:trn2")


def run(*functions, device=DEVICE):
    report = Report("ulp", str(device))
    ulp.run(report, device, Namespace(function=list(functions), max_examples=2000, seed=0, exhaustive=False))
    return report


def test_a_function_within_its_bound():
    report = run("cbrt", "hypot")
    assert (report.counts["passed"], report.counts["failed"]) == (4, 0)  # of one operand, the two low dtypes, too
    assert report.figures["cbrt"]["max ulp"] <= 2
    assert report.figures["cbrt"]["inputs"] == 2000
    assert report.figures["cbrt"]["predicted cycles"]["vector"] > 0


def test_a_function_beyond_its_bound(monkeypatch):
    better = replace(ulp.EMITTERS["cbrt"], error=0.1)
    monkeypatch.setattr(ulp, "EMITTERS", {"cbrt": better})
    report = run("cbrt")
    assert report.counts["failed"] == 1
    assert "and it states 0.1" in report.notes[0].reason


def test_distances():
    one, most = np.float32(1), np.finfo(np.float32).max
    found = np.float32([1, 1 + 2**-23, 0.0, -0.0, np.nan, np.inf, np.inf, 2**-149])
    exact = np.float64([1, 1, 0.0, 0.0, np.nan, np.inf, 1e39, 0])
    np.testing.assert_array_equal(ulp.distance(found, exact), [0, 1, 0, np.inf, 0, 0, 0, 2.0**-149 / np.spacing(np.finfo(np.float32).tiny)])
    assert ulp.distance(np.float32([np.inf]), np.float64([most]))[0] == np.inf
    assert ulp.distance(np.float32([2**-24]), np.float64([0]), one)[0] == 0.5


def test_it_says_what_cannot_be_run():
    with pytest.raises(SuiteError, match="choose a Neuron device"):
        run("exp", device=CPU)
    with pytest.raises(SuiteError, match="no function with a stated error is named nothing"):
        run("nothing")


@pytest.mark.parametrize(
    ("a", "x", "lower", "upper"),
    [(2e5, 202682.0, 0.999999998823, 1.1770008969253e-9), (2e5, 197318.0, 8.5391636062299e-10, 0.99999999914608), (4.0, 4.0, None, None)],
)
def test_reference_of_incomplete_gamma_functions(a, x, lower, upper):
    """By an arithmetic of 30 digits; of small parameters they are SciPy's."""
    wanted = (lower, upper) if lower else (scipy.special.gammainc(a, x), scipy.special.gammaincc(a, x))
    a, x = np.float64(a), np.float64(x)
    np.testing.assert_allclose([incomplete_gamma.gammainc(a, x), incomplete_gamma.gammaincc(a, x)], wanted, rtol=2.0**-36)
    assert incomplete_gamma.chdtrc(2 * a, 2 * x) == incomplete_gamma.gammaincc(a, x)


def test_incomplete_beta_functions_of_large_parameters():
    """They are those of parameters so many times smaller, as far from the mean in deviations; SciPy gives NaN."""
    a, b, x = (float(np.float32(value)) for value in (1.0430872199152796e19, 4.807519643904041e22, 0.00021692286827601492))
    deviation, mean = (b * x - a + a * x) / (a * b / (a + b + 1)) ** 0.5, 1e9 / (1e9 + 1e12)
    smaller = 1e9, 1e12, mean + deviation * (mean * (1 - mean) / (1e9 + 1e12 + 1)) ** 0.5  # larger ones cost SciPy 1.13 digits
    for function in (incomplete_beta.betainc, incomplete_beta.betaincc):
        found, near = function(a, b, x), function(*smaller)
        assert abs(found - near) < 0.4 / 3 / 1e9**0.5  # the skewness of the smaller ones, 2 / sqrt(a), times a sixth of the density
        assert abs(found - 0.5) > 0.006
