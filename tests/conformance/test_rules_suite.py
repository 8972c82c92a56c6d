"""Suite rules: a part with a fixed seed, that planted faults are found, and that every Op has a rule."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import parse_device
from trnarray.backends.dtypes import FLOAT32, INT8
from trnarray.backends.op import get_op
from trnarray.backends.rules import NeedsValueError, Signature, signature_of
from trnarray.conformance import __main__ as command
from trnarray.conformance.function_table.rows import EXEMPT, ROWS, public_functions
from trnarray.conformance.suites.rules import Watch, registered, sweep, sweep_module
from trnarray.polynomial import polynomial

DEVICE = parse_device("sim:trn2")
NAMES = sorted(set(public_functions()) - set(EXEMPT))


def watched(names, calls, dtypes):
    watch = Watch(DEVICE)
    sweep(watch, [row for row in ROWS if row.name in names], calls, dtypes=dtypes)
    return watch


def test_rules_say_what_the_engines_give():
    watch = watched({name for name in NAMES if not name.startswith("linalg.")}, 1, (FLOAT32,))
    assert not {op.name: found[0] for op, found in watch.disagreements.items() if op.rule is not None}
    assert watch.waiting.total() > 150


@pytest.mark.parametrize("module", ["linalg", "signal", "sparse"])
def test_rules_of_subpackages_say_what_the_engines_give(module):
    watch = Watch(DEVICE)
    sweep_module(watch, module, ("float32",))
    assert not {op.name: found[0] for op, found in watch.disagreements.items()}
    assert watch.waiting.total() > 20


@pytest.mark.parametrize(
    "fault",
    [
        lambda shape, dtype: Signature((*shape, 1), dtype),
        lambda shape, _: Signature(shape, np.dtype(np.int16)),
        lambda *signature: (Signature(*signature),),
        lambda *_: (_ for _ in ()).throw(ValueError("refused")),
    ],
    ids=["shape", "dtype", "structure", "error"],
)
def test_a_wrong_rule_is_found(monkeypatch, fault):
    op = get_op("tile")
    monkeypatch.setattr(op, "rule", lambda promotion, a, reps: fault(*signature_of(promotion, a)))
    assert watched({"tile"}, 4, (INT8,)).disagreements[op]


def test_a_rule_that_needs_values_is_none_that_waits(monkeypatch):
    def rule(*_, **__):
        raise NeedsValueError("it is a test")

    op = get_op("tile")
    monkeypatch.setattr(op, "rule", rule)
    watch = watched({"tile"}, 2, (INT8,))
    assert watch.calls[op]
    assert not watch.waiting[op] + len(watch.disagreements[op])


def test_every_op_has_a_rule():
    polynomial.polyval(xp.ones(2), xp.ones(2))  # Ops that are made when they are called
    np.linalg.eigvals(xp.ones((1, 1)))
    xp.special.binom.outer(xp.ones(2), 1.0)
    assert not [op.name for op in registered() if op.rule is None and not op.name.startswith("test.")]


def test_the_command(capsys):
    assert command.main(["rules", "--device", "sim:trn2", "--only", "flip", "--max-examples", "1"]) == 0
    assert "Ops with a rule" in capsys.readouterr().out
    assert command.main(["rules", "--only", "flip"]) == 2
