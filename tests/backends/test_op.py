"""The registry of Ops, the engines that run them, and their counters."""

import gc
import inspect
import pickle
import threading

import numpy as np
import pytest

from trnarray.backends import coverage as coverage_module
from trnarray.backends.coverage import coverage, reset_coverage
from trnarray.backends.device import CPU, Device
from trnarray.backends.engine import HOST, available_devices, engine_for
from trnarray.backends.op import COMPUTE, ELEMENTWISE, FIRST, NATIVE, VIEW, Op, all_ops, expect, get_op
from trnarray.backends.ops import elementwise
from trnarray.backends.ops.ufuncs import ufunc_op


@pytest.fixture
def fresh(request):
    """A name that no Op has yet."""
    return f"test.{request.node.name}"


def test_registry(fresh):
    op = Op(fresh, np.add)
    assert get_op(fresh) is op
    assert op in list(all_ops())
    assert (op.name, op.host, op.kind, op.writes) == (fresh, np.add, "compute", ())
    assert repr(op) == f"<Op {fresh}: host>"
    with pytest.raises(ValueError, match="registered already"):
        Op(fresh, np.subtract)
    assert get_op(fresh) is op
    with pytest.raises(KeyError, match="no op is named 'nonsense'"):
        get_op("nonsense")


def test_a_signature_is_found_once_when_it_is_asked_for(fresh):
    outer, at = ufunc_op(np.hypot, "outer"), ufunc_op(np.hypot, "at")
    assert outer.signature is outer.signature is not None
    assert at.signature.__name__ == "at"
    assert Op(fresh, np.add).signature is None
    with pytest.raises(AttributeError, match="'Op' object has no attribute 'shape'"):
        outer.shape  # noqa: B018


def test_names_are_unique_and_iteration_is_in_order():
    names = [op.name for op in all_ops()]
    assert len(set(names)) == len(names)
    assert names.index("add") < names.index("sin") < names.index("matmul")


def test_one_of_many_threads_registers_a_name(fresh, switching):
    made = []

    def make():
        try:
            made.append(Op(fresh, np.add))
        except ValueError:
            made.append(None)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [op for op in made if op] == [get_op(fresh)]


def test_implementations(fresh):
    op = Op(fresh, np.add)
    assert op.host is np.add
    assert op.neuron is None
    op.implement(np.subtract)
    assert op.neuron is np.subtract
    assert repr(op) == f"<Op {fresh}: host, neuron>"
    with pytest.raises(ValueError, match="already"):
        op.implement(np.multiply)
    assert (op.host, op.neuron) == (np.add, np.subtract)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickling_by_name(protocol):
    for op in all_ops():
        assert pickle.loads(pickle.dumps(op, protocol)) is op


def test_counters_are_exact(fresh):
    op = Op(fresh, np.add)
    reset_coverage()
    HOST.run(op, (np.ones(2), 1), {})
    HOST.run(op, (np.ones(2, np.float16), 1), {})
    HOST.run(op, (np.ones(2), 1), {"out": np.zeros(2)})
    assert coverage().native == {fresh: 3}
    with pytest.raises(TypeError):
        HOST.run(op, ("a", 1), {})
    assert coverage().native == {fresh: 4}  # it was called
    assert reset_coverage().native == {fresh: 4}
    assert coverage().native == {}
    assert op.calls.calls == 0
    assert coverage_module.counter(fresh) is op.calls


def test_counters_are_exact_under_threads(fresh, switching):
    op = Op(fresh, np.add)
    reset_coverage()
    x = np.ones(4)

    def work():
        for _ in range(2000):
            HOST.run(op, (x, x), {})

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    seen = [coverage().native.get(fresh, 0) for _ in range(100)]
    for thread in threads:
        thread.join()
    assert seen == sorted(seen)
    assert coverage().native == {fresh: 16000}


def test_engines():
    assert engine_for(CPU) is HOST
    assert available_devices()[:4] == (CPU, "sim:trn1", "sim:trn2", "sim:trn3")
    assert engine_for(Device("sim:trn2")) is engine_for(Device("sim:trn2"))
    with pytest.raises(ValueError, match="'trn:9999' cannot be opened: "):
        engine_for(Device("trn:9999"))


def test_host_engine_moves_nothing_it_need_not():
    x = np.arange(3.0)
    assert HOST.from_host(x, copy=False) is x
    assert HOST.to_host(x, copy=False) is x
    for copy in (HOST.from_host(x, copy=True), HOST.to_host(x, copy=True)):
        assert not np.shares_memory(copy, x)
        assert np.array_equal(copy, x)
    for copy in (True, False):
        assert type(HOST.to_host(np.float32(2), copy=copy)) is np.float32  # a detached Array's
        assert type(HOST.from_host(np.float32(2), copy=copy)) is np.float32
    assert isinstance(x, HOST.values)
    assert isinstance(np.float32(1), HOST.values)
    assert not isinstance(1.0, HOST.values)


# Ops of ufuncs


def ufuncs_of(module):
    return {name: ufunc for name, ufunc in vars(module).items() if isinstance(ufunc, np.ufunc)}


@pytest.mark.parametrize("ufunc", [u for name, u in sorted(ufuncs_of(np).items()) if name != "isnat"], ids=lambda u: u.__name__)
def test_numpys_ufuncs_are_in_the_registry(ufunc):
    op = ufunc_op(ufunc)
    assert op is get_op(ufunc.__name__)
    assert op.host.__name__ == ufunc.__name__
    if ufunc.nin == 2 and ufunc.nout == 1 and ufunc.signature is None:
        for method in ("reduce", "accumulate", "reduceat", "outer", "at"):
            assert ufunc_op(ufunc, method) is get_op(f"{ufunc.__name__}.{method}")
            assert ufunc_op(ufunc, method).writes == ((0,) if method == "at" else ())


def test_scipys_ufuncs_register_when_met():
    special = pytest.importorskip("scipy.special")
    assert ufunc_op(special.gamma) is ufunc_op(special.gamma) is get_op("special.gamma")
    for ufunc in ufuncs_of(special).values():
        assert inspect.unwrap(ufunc_op(ufunc).host) is ufunc


def test_ufuncs_of_others():
    add = np.frompyfunc(lambda x, y: x + y, 2, 1)
    with pytest.raises(TypeError, match="no loop for numbers"):
        ufunc_op(add)
    before = len(list(all_ops()))
    for _ in range(3):
        with pytest.raises(TypeError):
            ufunc_op(np.frompyfunc(str, 1, 1))
    with pytest.raises(TypeError):
        ufunc_op(np.isnat)
    assert len(list(all_ops())) == before


def test_ufuncs_that_share_a_name():
    umath = pytest.importorskip("numpy._core._umath_tests")
    one = umath.inner1d
    op = ufunc_op(one)
    assert op.name == "ufunc.inner1d"
    linalg = pytest.importorskip("numpy.linalg._umath_linalg")
    assert ufunc_op(linalg.det).name == "ufunc.det"
    special = pytest.importorskip("scipy.special._ufuncs")
    # Not the one that scipy.special shows under this name.
    hidden = [u for name, u in ufuncs_of(special).items() if getattr(pytest.importorskip("scipy.special"), u.__name__, None) is not u]
    names = [ufunc_op(u).name for u in hidden]
    assert len(set(names)) == len(names)
    for ufunc, name in zip(hidden, names, strict=True):
        if ufunc.nin == 2 and ufunc.nout == 1:
            assert ufunc_op(ufunc, "outer").name == f"{name}.outer"


def test_threads_that_meet_a_ufunc_first(switching):
    special = pytest.importorskip("scipy.special")
    ufuncs = [u for u in ufuncs_of(special).values() if u.nin == 2 and u.nout == 1][:60]
    found = [[] for _ in range(8)]

    def meet(results):
        results.extend(ufunc_op(u, method) for u in ufuncs for method in ("__call__", "outer", "reduce"))

    threads = [threading.Thread(target=meet, args=(results,)) for results in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results == found[0] for results in found)


def test_rules_are_built_once_and_alike_in_every_thread(switching):
    rule = elementwise.arctan2.rule
    rule._loops = None
    found = []
    threads = [threading.Thread(target=lambda: found.append(rule._table())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(table == found[0] for table in found)
    assert found[0]


def test_kinds_of_the_elementwise_chapter():
    for op in all_ops():
        assert op.kind in {"compute", "elementwise", "first", "native", "move", "view", "made"}
    others = {op.name: op.kind for op in vars(elementwise).values() if isinstance(op, Op) and op.kind != ELEMENTWISE}
    choosing = dict.fromkeys(("fmax", "fmin", "maximum", "minimum"), NATIVE)
    assert others == {"float_power": COMPUTE, "isnat": NATIVE, "ldexp": FIRST, "nextafter": NATIVE, "spacing": NATIVE, **choosing}
    assert get_op("reshape").kind == VIEW


def test_ops_do_not_keep_operands_alive():
    class Marked(np.ndarray):
        pass

    x = np.ones(2).view(Marked)
    HOST.run(get_op("add"), (x, 1), {})
    assert not [r for r in gc.get_referrers(x) if isinstance(r, Op)]


def test_an_implementation_waits_for_its_op(monkeypatch):
    monkeypatch.setattr("trnarray.backends.op._REGISTRY", {})
    expect("test.expected", len)
    with pytest.raises(ValueError, match="already"):
        expect("test.expected", abs)
    assert Op("test.expected", abs).neuron is len
    op = Op("test.there", abs)
    expect("test.there", len)
    assert op.neuron is len
