"""Every documented constraint: a program that breaks it is refused for that reason, one that barely does not is traced."""

import pytest

from trnarray.backends.simulator import NkiConstraintError
from trnarray.backends.simulator.program.opcode import GENERIC_RULES, OPCODES, find_rule
from trnarray.conformance.constraint_cases.case import all_cases, trace_case

CASES = list(all_cases())
IDS = [f"{case.rule}-{number}" for number, case in enumerate(CASES)]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_breaks(case):
    rule = find_rule(case.rule)
    with pytest.raises(NkiConstraintError) as caught:
        trace_case(case.breaks, case.target, case.cores[0])
    assert (caught.value.rule, caught.value.document) == (rule.text, rule.document)
    assert "simulator/program" not in str(caught.value.where)


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_holds(case):
    trace_case(case.holds, case.holds_on or case.target, case.cores[1])


def test_every_rule_has_a_case():
    rules = {f"*:{rule.name}" for rule in GENERIC_RULES} | {
        f"{name}:{rule.name}" for name, opcode in OPCODES.items() for rule in opcode.rules
    }
    assert rules - {case.rule for case in CASES} == set()


def test_rules_are_named_once():
    for opcode in OPCODES.values():
        names = [rule.name for rule in (*GENERIC_RULES, *opcode.rules)]
        assert len(set(names)) == len(names), opcode.name
