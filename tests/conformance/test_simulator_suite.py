"""Suite simulator: run with few examples, that its table is complete, and that planted bugs are found."""

import re

import numpy as np
import pytest

from trnarray.backends.simulator import dtypes, language
from trnarray.backends.simulator.isa import elementwise, gather, scan, search
from trnarray.backends.simulator.machine import arithmetic
from trnarray.backends.simulator.machine.run import Run
from trnarray.backends.simulator.program.opcode import OPCODES, Opcode
from trnarray.conformance import __main__ as command
from trnarray.conformance.instruction_tests import races, row
from trnarray.conformance.instruction_tests.check import check_row
from trnarray.conformance.instruction_tests.formats import decode, encode
from trnarray.conformance.instruction_tests.layout import draw_layout
from trnarray.conformance.instruction_tests.rows import ROWS
from trnarray.conformance.report import Report
from trnarray.conformance.suites import simulator as suite

TABLE = {entry.name: entry for entry in ROWS}
TARGETS = ("trn1", "trn2", "trn3")


def checked(name, target="trn3", examples=1, every=1):
    entry, report = TABLE[name], Report("simulator", "cpu")
    check_row(report, entry._replace(variants=lambda found: entry.variants(found)[::every]), target, examples)
    return report


@pytest.mark.parametrize("name", TABLE)
def test_a_slice(name):
    """One example of every fifth variant, which may be too few to show that a knob matters; on the target that has most."""
    report = checked(name, every=5)
    assert sum(report.counts.values())
    assert not [note for note in report.notes if not note.name.endswith("matters]")], report.table()


def test_rows_are_named_once():
    assert len(TABLE) == len(ROWS)


def test_nothing_is_forgotten(monkeypatch):
    report = Report("simulator", "cpu")
    suite.check_coverage(report)
    assert report.ok, report.table()
    monkeypatch.setitem(OPCODES, "brand_new", OPCODES["iota"])
    monkeypatch.delitem(row.ALTERNATIVES, "two_op")
    report = Report("simulator", "cpu")
    suite.check_coverage(report)
    assert {note.name for note in report.notes} == {"coverage of brand_new", "coverage of knob two_op"}


def test_races_are_pairs():
    report = Report("simulator", "cpu")
    table = suite.check_races(report, ["trn3"])
    assert report.ok, report.table()
    assert len(table) == 2 * len(races.PATTERNS)


def test_constraints_are_pairs(monkeypatch, capsys):
    report = Report("simulator", "cpu")
    table = suite.check_cases(report)
    assert report.ok, report.table()
    assert report.counts["passed"] == 2 * len(table)
    assert "nki.isa API reference" in capsys.readouterr().out
    check = Opcode.check
    monkeypatch.setattr(Opcode, "check", lambda self, instruction: None if self.name == "iota" else check(self, instruction))
    report = Report("simulator", "cpu")
    suite.check_cases(report)
    iota = [name for name, *_ in table if name.startswith("iota:")]
    assert report.counts["failed"] >= len(iota) > 0


def test_command(tmp_path, capsys):
    assert command.main(["simulator", "--only", "iota", "--target", "trn2", "--max-examples", "1", "--json", str(tmp_path / "out")]) == 0
    assert re.search(r"^rows +1$", capsys.readouterr().out, re.MULTILINE)
    assert command.main(["simulator", "--only", "no.such.row"]) == 2
    assert command.main(["simulator", "--samples", str(tmp_path / "nowhere")]) == 2


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float8_e5m2", "float8_e4m3", "float8_e4m3fn"])
def test_reference_formats_are_those_of_ml_dtypes(dtype):
    rng = np.random.default_rng(1)
    values = (rng.standard_normal(20000) * np.exp2(rng.uniform(-30, 20, 20000))).astype(np.float32)
    values[:6] = [0, np.inf, -np.inf, 464, 448, 65519.996]
    with np.errstate(over="ignore"):
        want = values.astype(dtypes.DTYPES[dtype].storage)
    np.testing.assert_array_equal(decode(encode(values, dtype), dtype), want.astype(np.float64))


def test_layouts_are_drawn_within_their_containers():
    rng = np.random.default_rng(2)
    for _ in range(300):
        shape = tuple(int(n) for n in rng.integers(1, 7, rng.integers(1, 5)))
        layout = draw_layout(lambda low, high: int(rng.integers(low, high + 1)), shape, True, bool(rng.integers(2)))
        assert layout.of_array(np.zeros(layout.container)).shape == shape


def with_compute(name, compute):
    def plant(monkeypatch):
        operator = getattr(language, name)
        monkeypatch.setattr(operator, "alu", operator.alu._replace(compute=compute))

    return plant


def with_attribute(owner, name, bug):
    return lambda monkeypatch: monkeypatch.setattr(owner, name, bug(getattr(owner, name)))


def large(compute):
    def larger(self, view, operands, function, **options):
        compute(self, view, operands, lambda *values, out: function(*values, out=None) * np.float32(1 + 2**-23), **options)

    return larger


def rounded(_):
    return lambda a, b, subtract=False: np.float32(a) + np.float32(-b if subtract else b)


def reversed_pair(combine_two):
    return lambda run, ops, values, reverse, on: combine_two(run, ops[::-1], values, reverse, on)


@pytest.mark.parametrize(
    ("name", "target", "plant"),
    [
        ("tensor_tensor.vector", "trn3", with_compute("subtract", lambda a, b, out=None: np.subtract(b, a, out=out))),
        ("tensor_tensor.vector", "trn3", with_attribute(Run, "compute", large)),
        ("tensor_tensor.vector", "trn3", with_attribute(elementwise, "flushed", lambda f: lambda run, x, on: x)),
        ("tensor_tensor.native", "trn1", with_attribute(elementwise, "_NATIVE", lambda _: ())),
        ("tensor_scalar.two", "trn1", with_attribute(elementwise, "round_once", rounded)),
        ("tensor_tensor_scan", "trn2", with_attribute(scan, "combine_two", reversed_pair)),
        ("nc_matmul.product", "trn2", with_attribute(arithmetic, "_keep", lambda f: lambda x, bits: f(x, 8))),
        ("nc_match_replace8", "trn2", with_attribute(search, "_match", lambda f: lambda run, i, order: f(run, i, range(8)))),
        ("nc_stream_shuffle", "trn2", with_attribute(gather, "_KEEP", lambda _: 254)),
    ],
)  # fmt: skip
def test_planted_bugs_are_found(monkeypatch, name, target, plant):
    plant(monkeypatch)
    assert checked(name, target, 3).counts["failed"], name
