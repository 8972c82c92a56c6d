"""What happens when an operation or its data would leave the device."""

import os
import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from trnarray.backends import caller as caller_module
from trnarray.backends import policy
from trnarray.backends.caller import Caller
from trnarray.backends.coverage import Transfer, coverage, reset_coverage
from trnarray.backends.device import CPU, Device
from trnarray.backends.policy import (
    FallbackError,
    FallbackWarning,
    HostTransferError,
    HostTransferWarning,
    check_fallback,
    check_transfer,
    register_look_alike,
)
from trnarray.backends.settings import config

OWN = os.path.join(os.path.dirname(os.path.dirname(caller_module.__file__)), "array.py")
TRN = Device("trn:0")


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No counts, no warnings given, no look-alikes but the test's."""
    monkeypatch.setattr(policy, "_look_alikes", {})
    reset_coverage()
    yield
    reset_coverage()


@pytest.fixture
def caught():
    with warnings.catch_warnings(record=True) as records:
        warnings.simplefilter("always")
        yield records


def line_of(function, offset):
    return function.__code__.co_firstlineno + offset


def sort(dtype="float64"):
    check_fallback("sort", dtype, "there is no kernel for 64-bit keys", "use float32")


MESSAGE = 'sort on float64 {} the host: there is no kernel for 64-bit keys; use float32, or {} with trnarray.config(fallback="allow")'


def test_categories():
    assert issubclass(FallbackWarning, UserWarning)
    assert issubclass(HostTransferWarning, UserWarning)
    assert issubclass(FallbackError, RuntimeError)
    assert issubclass(HostTransferError, TypeError)


def test_fallback_error_counts_and_raises():
    for _ in range(2):
        with config(fallback="error"), pytest.raises(FallbackError) as info:
            sort()
        assert str(info.value) == MESSAGE.format("would run on", "allow it")
    (record,) = coverage().fallbacks
    assert record[:3] == ("sort", "float64", "there is no kernel for 64-bit keys")
    assert record.calls == 2


def test_fallback_without_remedy():
    with config(fallback="error"), pytest.raises(FallbackError, match=r"why; allow it with trnarray\.config"):
        check_fallback("eig", np.dtype("float32"), "why")


def test_fallback_allowed_is_silent_and_counted(caught):
    with config(fallback="allow"):
        for _ in range(5):
            sort()
    assert not caught
    assert coverage().fallbacks[0].calls == 5


def test_fallback_warns_once_per_call_site_and_names_it(caught):
    def twice():
        for _ in range(3):
            check_fallback("sort", "float64", "there is no kernel for 64-bit keys", "use float32")
        for _ in range(3):
            check_fallback("sort", "float64", "there is no kernel for 64-bit keys", "use float32")

    twice()
    assert [str(each.message) for each in caught] == [MESSAGE.format("runs on", "silence this")] * 2
    assert [each.category for each in caught] == [FallbackWarning] * 2
    assert [(each.filename, each.lineno) for each in caught] == [(__file__, line_of(twice, 2)), (__file__, line_of(twice, 4))]
    assert [each.caller for each in coverage().fallbacks] == [f"{__file__}:{line_of(twice, k)}" for k in (2, 4)]
    assert [each.calls for each in coverage().fallbacks] == [3, 3]


def test_another_op_at_the_same_site_warns_too(caught):
    for op in ("sort", "eig", "sort"):
        check_fallback(op, "float64", "why")
    assert [str(each.message).split()[0] for each in caught] == ["sort", "eig"]


def test_the_site_can_be_an_earlier_one(caught):
    check_fallback("sort", "float64", "why", caller=Caller("/model.py", 12, "model"))
    assert (caught[0].filename, caught[0].lineno) == ("/model.py", 12)
    assert coverage().fallbacks[0].caller == "/model.py:12"


def test_reset_lets_sites_warn_again(caught):
    for _ in range(3):
        sort()
        reset_coverage()
    assert len(caught) == 3


def test_a_warning_made_an_error_stays_an_error():
    for _ in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with pytest.raises(FallbackWarning):
                sort()
    assert coverage().fallbacks[0].calls == 3


def test_filters_see_the_callers_module(caught):
    warnings.filterwarnings("ignore", module=re.escape(__name__), category=FallbackWarning)
    sort()
    assert not caught


def test_allowed_calls_do_not_use_up_the_warning(caught):
    for action in ("allow", "warn"):
        with config(fallback=action):
            sort()
    assert len(caught) == 1


def test_eight_threads_warn_once_and_count_exactly(caught):
    together = threading.Barrier(8)

    def work(_):
        together.wait()
        for _ in range(500):
            sort()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(caught) == 1
    assert [each.calls for each in coverage().fallbacks] == [4000]


# What __array__ does, in a file of the package.
exec(  # noqa: S102  # the frame must be trnarray's own
    compile(
        "class Ours:\n"
        "    def __init__(self, device): self.device, self.data = device, np.eye(2)\n"
        "    def __array__(self, dtype=None, copy=None):\n"
        "        check_transfer('to host', 32, self.device, 'convert with numpy.from_dlpack(x)')\n"
        "        return self.data\n",
        OWN,
        "exec",
    ),
    space := {"__name__": "trnarray.array", "np": np, "check_transfer": check_transfer},
)
Ours = space["Ours"]


def test_transfers_are_free_on_cpu(caught):
    np.asarray(Ours(CPU))
    assert not caught
    (record,) = coverage().transfers
    assert record == Transfer("to host", f"{__file__}:{line_of(test_transfers_are_free_on_cpu, 1)}", 1, 32)


@pytest.mark.parametrize(("device", "setting"), [(TRN, None), (Device("sim:trn2"), None), (CPU, "error"), (TRN, "error")])
def test_transfer_error(device, setting):
    with config(host_transfer=setting), pytest.raises(HostTransferError) as info:
        np.asarray(Ours(device))
    assert str(info.value) == (
        f"an array on {device} (32 bytes) would be converted to a host array implicitly; convert with "
        'numpy.from_dlpack(x), or allow it with trnarray.config(host_transfer="allow")'
    )


def test_transfer_to_the_device_error():
    with pytest.raises(HostTransferError, match=r"^a host array \(8 bytes\) would be converted to an array on trn:0 implicitly; allow"):
        check_transfer("to device", 8, TRN)


def test_transfer_warns_once_per_site(caught):
    with config(host_transfer="warn"):
        for _ in range(3):
            np.asarray(Ours(TRN))
            check_transfer("to device", 8, TRN)
    assert [each.category for each in caught] == [HostTransferWarning] * 2
    assert str(caught[0].message).startswith("an array on trn:0 (32 bytes) is converted to a host array implicitly; convert with")
    assert [each.filename for each in caught] == [__file__] * 2
    assert [each.calls for each in coverage().transfers] == [3, 3]


def test_transfer_allowed_on_devices(caught):
    with config(host_transfer="allow"):
        np.asarray(Ours(TRN))
    assert not caught
    assert coverage().transfers[0].calls == 1


def test_look_alike_is_named_and_the_users_line(caught):
    linalg = pytest.importorskip("scipy.linalg")
    register_look_alike("scipy.linalg", "trnarray.scipy.linalg")
    for call in (linalg.inv, linalg.svdvals, linalg.lu_factor, linalg.norm, linalg.expm, linalg.cholesky, linalg.eigh):
        reset_coverage()
        call(Ours(CPU))
        warning = caught.pop()  # each one is seen through to scipy.linalg
        assert not caught
        assert str(warning.message).startswith(
            f"an array on cpu (32 bytes) is converted to a host array implicitly for scipy.linalg.{call.__name__}; "
            f"use trnarray.scipy.linalg.{call.__name__}, or convert with"
        )
        assert (warning.filename, warning.lineno) == (__file__, line_of(test_look_alike_is_named_and_the_users_line, 5))


def test_look_alike_of_sparse(caught):
    sparse = pytest.importorskip("scipy.sparse")
    register_look_alike("scipy.sparse", "trnarray.scipy.sparse")
    register_look_alike("scipy.sparse.csc_matrix", "trnarray.scipy.sparse.csc_array")
    for call in (sparse.csr_array, sparse.coo_array, sparse.csc_matrix):
        reset_coverage()
        call(Ours(CPU))
        ours = f"trnarray.scipy.sparse.{call.__name__.replace('matrix', 'array')}"
        assert f"for scipy.sparse.{call.__name__}; use {ours}, or" in str(caught.pop().message)


def test_look_alike_under_the_other_settings(caught):
    linalg = pytest.importorskip("scipy.linalg")
    register_look_alike("scipy.linalg", "trnarray.scipy.linalg")
    with config(host_transfer="allow"):
        linalg.inv(Ours(CPU))
    assert not caught
    with config(host_transfer="error"), pytest.raises(HostTransferError, match="for scipy.linalg.inv; use trnarray.scipy.linalg.inv, or"):
        linalg.inv(Ours(CPU))


def test_other_modules_convert_silently_on_cpu(caught):
    register_look_alike("scipy.linalg", "trnarray.scipy.linalg")
    np.linalg.inv(Ours(CPU))
    np.add(Ours(CPU), 1)
    pytest.importorskip("scipy.special").gamma(np.asarray(Ours(CPU)))
    assert not caught
