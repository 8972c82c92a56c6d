"""The registration with einops, on a stand-in for its module of backends; the suite `consumers` has einops itself."""

import gc
import sys
import types

import numpy as np
import pytest

import trnarray
from trnarray.registrations import einops


@pytest.fixture
def backend(monkeypatch):
    module = types.ModuleType("einops._backends")
    module.NumpyBackend = type("NumpyBackend", (), {"framework_name": "numpy"})
    monkeypatch.setitem(sys.modules, "einops", types.ModuleType("einops"))
    monkeypatch.setitem(sys.modules, "einops._backends", module)
    monkeypatch.setattr(einops, "_classes", [])
    einops.register()
    gc.collect()  # einops finds the class by a weak reference
    (found,) = module.NumpyBackend.__subclasses__()
    return found()


def test_it_knows_our_arrays_alone(backend):
    assert backend.framework_name in sys.modules
    assert backend.np is trnarray
    assert backend.is_appropriate_type(trnarray.ones(2))
    assert not backend.is_appropriate_type(np.ones(2))


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
def test_conversions(backend, device):
    assert type(backend.from_numpy(np.ones(2))) is trnarray.Array
    assert type(backend.to_numpy(trnarray.ones(2, device=device))) is np.ndarray


@pytest.mark.parametrize(("dtype", "answer"), [("float32", True), ("bfloat16", True), ("int32", False), ("complex64", False)])
def test_means_are_of_reals(backend, dtype, answer):
    assert backend.is_float_type(trnarray.ones(2, dtype=dtype)) is answer
