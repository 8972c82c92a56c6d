"""What is said to who uses names that NKI does not have any more, and how values are shown."""

import numpy as np
import pytest

from trnarray.backends import simulator
from trnarray.backends.simulator import isa as nisa
from trnarray.backends.simulator import language as nl


@simulator.jit
def divided(x):
    tile = nl.ndarray((4, 4), nl.float32, buffer=nl.sbuf)
    nisa.memset(tile, 1.0)
    nisa.tensor_tensor(tile, tile, tile, op=nl.divide)
    return x


@simulator.jit
def unwritten(x):
    tile = nl.ndarray((4, 4), nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(tile, nl.ndarray((4, 4), nl.float32, buffer=nl.sbuf))
    return x


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("arange", "slice tensors"), ("mgrid", r"since NKI 0\.1 \(SDK 2\.27\); slice"), ("par_dim", "first axis is the partition")],
)
def test_names_that_nki_language_has_not_any_more(name, remedy):
    with pytest.raises(AttributeError, match=rf"module 'nki.language' has no attribute '{name}': .*{remedy}"):
        getattr(nl, name)
    assert not hasattr(nl, "nonsense")


def test_memories_make_no_tensors():
    with pytest.raises(AttributeError, match=r"nl.sbuf has no attribute 'view': since NKI 0.1 .* nl.ndarray\(shape, dtype, buffer"):
        nl.sbuf.view  # noqa: B018


def test_kernels_name_their_function():
    with pytest.raises(AttributeError, match="kernel 'divided' has no attribute 'func': use kernel.__wrapped__"):
        divided.func  # noqa: B018


def test_old_packages_and_functions():
    with simulator.as_nki():
        import nki

        with pytest.raises(ModuleNotFoundError, match=r"'neuronxcc.*since NKI 0.1 \(SDK 2.27\) import nki, nki.language and nki.isa"):
            import neuronxcc.nki
        with pytest.raises(AttributeError, match=r"module 'nki' has no attribute 'benchmark': gone since NKI 0.1"):
            nki.benchmark  # noqa: B018
    with pytest.raises(ModuleNotFoundError, match="named 'neuronxcc'$"):
        import neuronxcc  # noqa: F401


def test_functions_are_shown_by_name():
    with simulator.options("trn2"), pytest.raises(simulator.NkiValidationError, match=r"found nl\.divide") as caught:
        divided(np.ones((4, 4), np.float32))
    assert " at 0x" not in str(caught.value)


def test_an_uninitialised_read_names_two_ways_out():
    x = np.ones((4, 4), np.float32)
    with simulator.options("trn2"), pytest.raises(simulator.UninitializedReadError, match=r"nisa\.memset.*uninitialized='nan'"):
        unwritten(x)
    with simulator.options("trn2", uninitialized="nan"):
        unwritten(x)
