"""Sparse arrays on a device other than the host's."""

import pickle
import warnings

import numpy as np
import pytest

import trnarray as xp
from trnarray.backends.settings import config
from trnarray.scipy import sparse as ours

from .sparse_reference import FORMATS, agree, matrix, on_ours

DEVICE = "sim:trn2"


@pytest.fixture
def quiet():
    with config(fallback="allow"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("format", FORMATS)
def test_another_device(format):
    x = matrix(format, np.float32)
    there = on_ours(x).to_device(DEVICE)
    assert (there.device, there.shape, there.dtype, there.nnz, there.format) == (DEVICE, x.shape, x.dtype, x.nnz, format)
    assert DEVICE in repr(there)
    assert str(there) == repr(there)
    assert there.data.device == DEVICE
    agree(there.to_device("cpu"), x)
    agree(pickle.loads(pickle.dumps(there)).to_device("cpu"), x)
    agree(there.copy().to_device("cpu"), x)
    vector = np.arange(6, dtype=np.float32)
    product = there @ xp.asarray(vector, device=DEVICE)
    assert product.device == DEVICE
    agree(product.to_device("cpu"), x @ vector)
    agree((there + there).toarray().to_device("cpu"), (x + x).toarray())  # which stores a zero that SciPy drops
    agree((xp.asarray(vector[:4], device=DEVICE) @ there).to_device("cpu"), vector[:4] @ x)
    there.data = there.data * 2
    agree(there.toarray().to_device("cpu"), (x * 2).toarray())
    there *= 2
    expected = x.toarray() * 4
    if format != "bsr":  # of which SciPy's does not work
        there.setdiag(7)
        np.fill_diagonal(expected, 7)
    agree(there.toarray().to_device("cpu"), expected)
    with pytest.raises(ValueError, match="devices"):
        there @ xp.ones(6)


@pytest.mark.usefixtures("quiet")
def test_made_on_another_device():
    x = ours.csr_array([[1.0, 0.0], [0.0, 2.0]], device=DEVICE)
    assert (x.dtype, x.device) == (np.float32, DEVICE)
    assert ours.eye_array(2, device=DEVICE).device == DEVICE
    y = ours.coo_array((x.data, (xp.asarray([0, 1], device=DEVICE), xp.asarray([1, 0], device=DEVICE))), shape=(2, 2))
    assert y.device == DEVICE
    assert [part.tolist() for part in y.coords] == [[0, 1], [1, 0]]
    y.coords = y.coords[::-1]
    assert y.toarray().tolist() == [[0.0, 2.0], [1.0, 0.0]]
    with config(fallback="error"), pytest.raises(RuntimeError, match="sparse.tensordot"):
        y.tensordot(y, axes=1)
