"""The suite ``trnsci``: a kernel of a checkout beside a call of ours; the suite itself needs trnfft and trnblas."""

from argparse import Namespace

import pytest

from trnarray.backends.device import CPU, parse_device
from trnarray.conformance.report import Report
from trnarray.conformance.suite import SuiteError
from trnarray.conformance.suites import trnsci as suite

KERNEL = """
import torch
import nki
import nki.isa as nisa
import nki.language as nl

class Holder(torch.autograd.Function):
    pass

@nki.jit
def twice(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for _ in range(2 * {times}):
        tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, x)
        nisa.dma_copy(out, tile)
    return out

@nki.jit
def copy(x):
    out = nl.ndarray(x.shape, x.dtype, buffer=nl.shared_hbm)
    for _ in range({times}):
        tile = nl.ndarray(x.shape, x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(tile, x)
        nisa.dma_copy(out, tile)
    return out
"""


@pytest.mark.parametrize(("times", "launches", "status"), [(200, 3, "passed"), (1, 1, "failed")])
def test_predicted_times_side_by_side(times, launches, status, tmp_path, monkeypatch):
    folder = tmp_path / "trnfft" / "nki"
    folder.mkdir(parents=True)
    (folder / "copies.py").write_text(KERNEL.format(times=times))
    row = suite.Row("copies", "trnfft/nki/copies.py", ("copy", "twice"), ((128, 64),), launches, ((128, 64),), lambda x: x * x)
    monkeypatch.setattr(suite, "ROWS", (row,))
    report = Report("trnsci", "sim:trn2")
    suite.run(report, parse_device("sim:trn2"), Namespace(checkout=tmp_path))
    assert report.counts[status] == 1
    assert f"in {launches} launches" in report.figures["copies"]


def test_what_is_needed(tmp_path):
    with pytest.raises(SuiteError, match="has no trnfft/nki/stockham.py"):
        suite.run(Report("trnsci", "sim:trn2"), parse_device("sim:trn2"), Namespace(checkout=tmp_path))
    with pytest.raises(SuiteError, match="give --device sim:trn2"):
        suite.run(Report("trnsci", "cpu"), CPU, Namespace(checkout=tmp_path))
