"""The table of functions' instructions is that of their traces."""

import re
from argparse import ArgumentParser
from pathlib import Path
from zlib import crc32

import pytest

from trnarray.backends.device import CPU
from trnarray.backends.neuron import function
from trnarray.backends.neuron.costs import Costs
from trnarray.conformance.report import Report
from trnarray.conformance.suite import load_suite

SUITE = load_suite("function-work")
PAGE = Path(__file__).resolve().parents[2] / "docs/accuracy.md"


def first_of_equals():
    """Of the dtypes of a function that have the same row, one; of these, half, by a hash: the suite traces them all."""
    seen = set()
    for name, dtype, make in SUITE.traces():
        key = name, function.work_table().get((name, dtype))
        if key not in seen and crc32(f"{name} {dtype}".encode()) % 2:
            yield name, dtype, make
        seen.add(key)


def test_all_functions_casts_and_reductions_have_a_row():
    assert {(name, dtype) for name, dtype, _ in SUITE.traces()} == function.work_table().keys()


def test_rows_are_those_of_traces():
    table = function.work_table()
    assert {(name, dtype): make() for name, dtype, make in first_of_equals()} == {
        (name, dtype): table[name, dtype] for name, dtype, _ in first_of_equals()
    }


def options(*arguments):
    parser = ArgumentParser()
    SUITE.add_arguments(parser)
    return parser.parse_args(arguments)


def test_the_suite_finds_what_has_changed_and_writes_it(monkeypatch, tmp_path):
    some = [trace for trace in SUITE.traces() if trace[:2] in (("add", "float32"), ("negative", "int32"))]
    monkeypatch.setattr(SUITE, "traces", lambda: some)
    monkeypatch.setattr(function, "WORK_FILE", tmp_path / "work.json")
    function.WORK_FILE.write_text('[["add", "float32", [["vector", "tensor_tensor", 2.0]], 0]]')
    function.work_table.cache_clear()
    try:
        for arguments, status in (((), "failed"), (("--write",), "passed"), ((), "passed")):
            report = Report("function-work", "cpu")
            SUITE.run(report, CPU, options(*arguments))
            assert {name for name, count in report.counts.items() if count} == {status}
    finally:
        monkeypatch.undo()
        function.work_table.cache_clear()


def test_work_takes_what_its_instructions_take():
    costs = Costs("trn1")
    work = function.Work((("vector", "tensor_tensor", 2.0), ("vector", "tensor_copy", 1.0), ("gpsimd", "iota", 1.0)), 4)
    assert work.passes == 4
    times = work.times(costs, 1000)
    assert times["vector"] == pytest.approx((2 * 2000 + 1000) / 1.12)
    assert times["gpsimd"] == pytest.approx(1150 / 1.4)


def test_cycles_of_the_page_of_errors_are_those_of_the_table():
    costs, count, table, known = Costs("trn2"), 1 << 20, function.work_table(), 0
    rows = re.findall(r"^\| `([\w.]+)` \|(?: (u?int\d\d|float32)\b)?.*\| (\d+) \| (\d+) \| (\d+) \|$", PAGE.read_text(), re.MULTILINE)
    for name, dtype, *cycles in rows:
        work = table.get((name, dtype or "float32")) or table.get((f"special.{name}", dtype or "float32"))
        if work is not None:
            known += 1
            times = work.times(costs, count)
            found = [round(times.get(engine, 0) * costs.clock(engine) / count) for engine in ("vector", "scalar", "gpsimd")]
            assert found == [int(one) for one in cycles], name
    assert known > 80
