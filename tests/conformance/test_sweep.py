"""Sweeps: pieces cover every pattern once, what they have shown is kept, and wrong results are found."""

import numpy as np
import pytest

from trnarray.conformance.__main__ import main
from trnarray.conformance.suites import sweep
from trnarray.conformance.suites.sweep import PIECES, Sweep


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(sweep, "_SIZE", 512)


def off_by_one(name, found, operands):
    return np.abs(found.view(np.int32).astype(np.int64) - operands[0].view(np.int32)).astype(np.float64)


def test_pieces_follow_each_other_and_are_kept(tmp_path, capsys):
    seen = []

    def compute(_, operands):
        seen.append(operands[0])
        found = operands[0].copy()
        found[7] = np.nextafter(found[7], np.float32(np.inf))
        return found

    kept = tmp_path / "kept.json"
    first = Sweep(compute, off_by_one, kept).run("exp", range(254, 256))
    assert np.array_equal(np.concatenate(seen).view(np.uint32), 254 * 512 + np.arange(1024))
    assert (first.most, first.total, first.inputs, first.pieces) == (1.0, 2.0, 1024, (254, 255))
    again = Sweep(compute, off_by_one, kept).run("exp", range(254, 257))
    assert (len(seen), again.inputs, again.worst) == (3, 1536, first.worst)
    assert "1 of 1 pieces" in capsys.readouterr().err


def test_suite(tmp_path, monkeypatch, capsys):
    where = ["ulp", "--device", "sim:trn2", "--exhaustive", "--kept", str(tmp_path / "kept.json")]
    assert main([*where, "--pieces", "254"]) == 0
    table = capsys.readouterr().out
    assert "passed   6" in table
    assert f"1 of {PIECES}" in table
    monkeypatch.setattr("trnarray.conformance.suites.ulp._on_device", lambda name, device, operands: np.sqrt(operands[0]) * 2)
    assert main([*where, "--function", "sqrt", "--pieces", "255"]) == 1


@pytest.mark.parametrize("pieces", ["1024", "3:3", "-1:2"])
def test_pieces_that_are_none(pieces, capsys):
    with pytest.raises(SystemExit):
        main(["ulp", "--device", "sim:trn2", "--exhaustive", f"--pieces={pieces}"])
    assert "from 0 to 1024" in capsys.readouterr().err
