"""Fallbacks whose results are known beforehand wait in the graph, between programs."""

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.device import Device
from trnarray.backends.engine import engine_for
from trnarray.backends.neuron.plan.assemble import Launch
from trnarray.backends.neuron.plan.schedule import Round
from trnarray.backends.op import get_op

DEVICE = "sim:trn2"
A = np.arange(12, dtype=np.int32).reshape(3, 4)


@pytest.fixture
def engine():
    engine = engine_for(Device(DEVICE))
    engine.flush()
    return engine


@pytest.fixture(autouse=True)
def on_the_host(monkeypatch):
    """Let the device have no kernel for gcd."""
    engine_for(Device(DEVICE))  # which brings its kernels
    monkeypatch.setattr(get_op("gcd"), "neuron", None)
    with xp.config(fallback="allow"):
        yield


def on_device(array):
    return xp.asarray(array, device=DEVICE)


def host(x):
    return np.asarray(x.to_device("cpu"))


def kinds(plan):
    return ["program" if isinstance(step, Launch) else " ".join(call.op.name for call in step.calls) for step in plan]


def test_one_program_when_nothing_falls_back(engine):
    x = on_device(A)
    y = x * 2 + xp.sum(x, axis=1, keepdims=True)
    assert kinds(engine.pending_plan()) == ["program"]
    np.testing.assert_array_equal(host(y), A * 2 + A.sum(1, keepdims=True))


def test_programs_are_few(engine):
    x = on_device(A)
    native, unused = x + 1, x - 1  # could run before the host, but need not
    given = xp.gcd(x, 6)  # its operand is there
    result = xp.gcd(x * 2, 6) + native  # its operand is not
    assert kinds(engine.pending_plan()) in (["program", "gcd gcd", "program"], ["gcd", "program", "gcd", "program"])
    np.testing.assert_array_equal(host(result), np.gcd(A * 2, 6) + (A + 1))
    np.testing.assert_array_equal(host(given), np.gcd(A, 6))
    np.testing.assert_array_equal(host(unused), A - 1)


def test_what_needs_no_call_has_no_program_of_its_own(engine):
    x = on_device(A)
    before = x + 1
    called = xp.gcd(x * 2, 6)
    after = x - 1
    assert kinds(engine.pending_plan()) == ["program", "gcd"]
    np.testing.assert_array_equal(host(called), np.gcd(A * 2, 6))
    np.testing.assert_array_equal(host(before) + host(after), 2 * A)


def test_planning_computes_nothing_and_changes_nothing(engine):
    x = on_device(A)
    y = xp.gcd(x + 1, 6) * 3
    before = engine.graph.pending()
    first, again = engine.pending_plan(), engine.pending_plan()
    assert kinds(first) == ["program", "gcd", "program"] == kinds(again)
    assert engine.graph.pending() == before
    ((call,),) = (step.calls for step in first if isinstance(step, Round))
    assert call.caller.startswith(__file__)
    assert call.reason
    assert [operand.layout.shape for operand in call.operands] == [(3, 4)]
    np.testing.assert_array_equal(host(y), np.gcd(A + 1, 6) * 3)


def test_what_a_later_step_reads_is_not_written_over(engine):
    x = on_device(A)
    first = x + 1  # pending, with memory of its own
    later = xp.gcd(first, 6)  # reads it after the program that
    first[1:] = 0  # would write over it
    total = xp.sum(later + x, axis=0)
    np.testing.assert_array_equal(host(first), np.concatenate([A[:1] + 1, np.zeros_like(A[1:])]))
    np.testing.assert_array_equal(host(later), np.gcd(A + 1, 6))
    np.testing.assert_array_equal(host(total), (np.gcd(A + 1, 6) + A).sum(0))


def test_a_call_on_views_takes_what_they_showed(engine):
    base = A.copy()
    x = on_device(base)
    y = xp.gcd(x.T[::-1], 6)
    x[...] = -5
    np.testing.assert_array_equal(host(y), np.gcd(A.T[::-1], 6))
    assert host(x).min() == -5


def test_nobody_wants_it_nobody_computes_it(engine):
    x = on_device(A)
    y = xp.gcd(x, 6)
    del y
    assert engine.pending_plan() == []


def test_several_results(engine):
    x = on_device(A.astype(np.float64) / 3)
    with xp.config(float64="host"):
        fraction, whole = xp.modf(x)
    assert kinds(engine.pending_plan()) == ["modf"]
    for got, expected in zip((fraction, whole), np.modf(A.astype(np.float64) / 3), strict=True):
        np.testing.assert_array_equal(host(got), expected)


def test_floating_point_errors_are_handled_as_at_the_call(engine):
    x = on_device(np.zeros(3))
    with np.errstate(divide="raise"), xp.config(float64="host"):
        y = xp.log(x)
    with pytest.raises(FloatingPointError):
        host(y)
    with np.errstate(divide="ignore"), xp.config(float64="host"):
        z = xp.log(x)
    assert np.isneginf(host(z)).all()


def test_warning_is_given_at_the_call(engine):
    x = on_device(A.astype(np.float64))
    xp.reset_coverage()
    with xp.config(fallback="warn", float64="host"), pytest.warns(xp.FallbackWarning, match="add on float64") as caught:
        y = x + 1
    assert caught[0].filename == __file__
    assert [each.calls for each in xp.coverage().fallbacks] == [1]
    host(y)
    assert [each.calls for each in xp.coverage().fallbacks] == [1]
    assert "add" not in xp.coverage().native


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("sort", lambda x: xp.sort(x, axis=0)),  # whose lowering refuses the dtype
        ("gcd", lambda x: xp.gcd(xp.asarray([[1, 2, 3, 4]], dtype=xp.int32, device=DEVICE), 2)),  # which has no lowering here
    ],
)
def test_arguments_are_read_once(monkeypatch, name, call):
    reads = []
    op = get_op(name)
    signature = op.signature

    def counted(*args, **kwargs):
        reads.append(name)
        return signature(*args, **kwargs)

    x = on_device(A.astype(np.float64))
    monkeypatch.setattr(op, "signature", counted)
    found = call(x)
    assert reads == [name]
    assert found.shape in ((3, 4), (1, 4))
