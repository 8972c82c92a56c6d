"""Chains of calls keep within what they are promised to take, by the cost model: predicted, not measured."""

from argparse import Namespace

import pytest

from trnarray.backends.device import parse_device
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.units import duration
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError, load_suite

SUITE = load_suite("neuron-predictions")
TRN2 = parse_device("sim:trn2")


@pytest.fixture(scope="module")
def predicted():
    found = {}

    def figures(name):
        if name not in found:
            found[name] = SUITE.figures(SUITE.CHAINS[name], TRN2)
        return found[name]

    return figures


@pytest.mark.parametrize("name", [name for name, chain in SUITE.CHAINS.items() if chain.limit < float("inf")])
def test_one_program_within_the_limit(predicted, name):
    (fused,), one_by_one, bound = predicted(name)
    assert fused.seconds <= SUITE.CHAINS[name].limit * bound
    assert fused.seconds <= 1.001 * sum(one.seconds for one in one_by_one)


RANDOM = ("uniform numbers * 2 - 1, 2**21", "normal numbers, 10**6", "integers below 6, 2**21", "permutation of 2**20")


@pytest.mark.parametrize("name", RANDOM)
def test_random_numbers_within_their_time(predicted, name):
    (fused,), _, _ = predicted(name)
    assert fused.seconds <= SUITE.CHAINS[name].seconds


def test_a_chain_reads_its_operands_once_and_writes_its_result_once(predicted):
    (fused,), one_by_one, _ = predicted("a*b + c*c - a")
    assert (fused.hbm_read, fused.hbm_written) == (3 * 4 * 4096**2, 4 * 4096**2)
    assert sum(one.hbm_read + one.hbm_written for one in one_by_one) >= 2.4 * (fused.hbm_read + fused.hbm_written)


@pytest.mark.parametrize(("name", "size"), [("softmax with abs, 4096 rows", 4096 * 1024), ("layer norm, 512 rows", 512 * 4096)])
def test_rows_stay_on_chip(predicted, name, size):
    (fused,), _, _ = predicted(name)
    assert fused.hbm_written == 4 * size
    assert fused.hbm_read <= 1.02 * 4 * size  # and the table of scalars; and what all rows have in common, for each of four quadrants


@pytest.mark.parametrize("name", ["x @ y, float32", "x @ y, bfloat16"])
def test_products_keep_the_tensor_engine_busy(predicted, name):
    (fused,), _, _ = predicted(name)
    assert fused.bounds["tensor"] >= 0.6 * fused.seconds


def test_the_suite_reports_a_chain():
    report = Report("neuron-predictions", "sim:trn2")
    SUITE.run(report, TRN2, Namespace(only="x.T"))
    assert report.ok
    assert "DMA bound" in report.figures["x.T + y"]
    parts = [HARDWARE[name]["trn2"] for name in ("launch", "kernel_start")]
    likely, low, high = (1e-9 * sum(getattr(part, end) for part in parts) for end in ("value", "low", "high"))
    assert report.figures["a launch"].startswith(f"{duration(likely)}, between {duration(low)} and {duration(high)}")
    assert report.figures["x.T + y"].endswith(f"launches besides: {duration(likely)} fused, {duration(likely)} one by one")


def test_the_host_has_no_programs():
    with pytest.raises(SuiteError, match="Neuron devices"):
        SUITE.run(Report("neuron-predictions", "cpu"), parse_device("cpu"), Namespace(only="x.T"))
