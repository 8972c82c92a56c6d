"""The tables of figures: complete, sourced, consistent; and every instruction can be predicted."""

import math

import pytest

from trnarray.backends.simulator import TARGETS, predict
from trnarray.backends.simulator.cost.conditions import CONDITIONS, COUNTS
from trnarray.backends.simulator.cost.hardware import HARDWARE
from trnarray.backends.simulator.cost.table import ROWS
from trnarray.backends.simulator.program.opcode import OPCODES
from trnarray.conformance.constraint_cases.case import all_cases, trace_case

CASES = list(all_cases())
FIGURES = {f"{name} on {target}": figure for name, row in HARDWARE.items() for target, figure in row.items()} | {
    f"{row.name}:{part} on {'/'.join(row.targets)}": figure
    for row in ROWS
    for part, figure in (("stream", row.stream), ("extra", row.extra))
}


def _always(opcode, engine, target):
    """Whether there is a row that holds whatever the operands are."""
    return any(row.opcode == opcode and row.engine in ("", engine) and target in row.targets and not row.when for row in ROWS)


def test_every_opcode_has_a_row_on_each_of_its_engines():
    lacking = [
        (opcode.name, engine.name, target.name)
        for opcode in OPCODES.values()
        for target in TARGETS.values()
        for engine in opcode.engines
        if target.generation >= opcode.since and not _always(opcode.name, engine.name, target.name)
    ]
    assert not lacking


def test_every_row_is_of_an_opcode_and_reachable():
    assert {row.opcode for row in ROWS} == set(OPCODES)
    for number, row in enumerate(ROWS):
        before = [r for r in ROWS[:number] if r.opcode == row.opcode and r.engine in ("", row.engine) and not r.when]
        assert not any(set(row.targets) <= set(r.targets) for r in before), row.name
        assert row.when in CONDITIONS
        parameters = {*OPCODES[row.opcode].writes, *OPCODES[row.opcode].reads}
        assert row.counts in COUNTS or row.counts in parameters
        assert not row.figure or row.figure in HARDWARE or row.figure == "dma_transpose"


@pytest.mark.parametrize("name", FIGURES)
def test_figure_is_sourced_and_within_its_range(name):
    figure = FIGURES[name]
    assert figure.low <= figure.value <= figure.high
    assert figure.source
    assert figure.unit in ("ns", "cycles", "cycles/element", "B/ns", "x")
    assert figure.status != "fitted" or figure.rows


def test_guesses_have_a_range():
    for row in ROWS:
        if row.stream.status == "guess":
            assert row.stream.low < row.stream.high or row.extra.low < row.extra.high, row.name
    for name, row in HARDWARE.items():
        assert all(figure.low < figure.high for figure in row.values() if figure.status == "guess"), name


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}-{number}" for number, case in enumerate(CASES)])
def test_every_legal_case_is_predicted(case):
    program = trace_case(case.holds, case.holds_on or case.target, case.cores[1])
    found = predict(program)
    assert 0 <= found.low <= found.seconds <= found.high < math.inf
    assert 0 <= found.guessed <= 1
    assert found.instructions == len(program.instructions)
    assert len(found.intervals) == found.instructions
    assert all(0 <= share <= 1 + 1e-9 for share in found.busy.values())
