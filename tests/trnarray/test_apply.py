"""The one decision that NumPy and SciPy get what was passed, and what goes another way."""

import numpy as np
import pytest
import scipy.sparse

import trnarray as xp
from trnarray._array import Array
from trnarray._array.plain import host_values
from trnarray.backends.op import Op
from trnarray.backends.settings import config
from trnarray.scipy import linalg, signal, sparse

OURS = (Array,)


def test_values_are_what_was_passed():
    x, a = xp.asarray([1.0, 2.0]), np.ones(2)
    items = ["valid", None, 2.5, np.float32(1), slice(3), (1, 2), [3], a]
    found = host_values((x, *items), OURS)
    assert found[0] is x._value
    assert all(value is item for value, item in zip(found[1:], items, strict=True))
    assert host_values(([x, (x, 1)], 1), OURS)[0][1][0] is x._value


@pytest.mark.parametrize(
    "make",
    [
        lambda: xp.ones(2, dtype=xp.bfloat16),
        lambda: xp.ones(2, dtype=xp.float16),
        lambda: xp.ones(2, device="sim:trn2"),
        lambda: (1, [xp.ones(2, device="sim:trn2")]),
        lambda: print,
        lambda: np.ones(2, np.float16),
        lambda: np.ones(2, ">f8"),
        lambda: np.ones(2, np.longdouble),
        lambda: np.array([None]),
        lambda: np.ma.ones(2),
        lambda: sparse.csr_array([[1.0]]),
    ],
)
def test_everything_else_is_looked_at(make):
    assert host_values((xp.ones(2), make()), OURS) is None


def test_settings_look_at_ndarrays():
    with config(host_transfer="warn"):
        assert host_values((np.ones(2),), OURS) is None


def test_nesting_and_sequences():
    nested = []
    nested.append(nested)
    assert host_values((nested,), OURS) is None
    assert host_values(([1.0],), OURS, sequences=False) is None


@pytest.fixture(scope="module")
def op():
    def host(*args, **kwargs):
        host.seen.append((args, kwargs))
        return args[0]

    host.seen = []
    return Op("test.apply", host)


def test_the_host_gets_no_more_than_was_passed(op):
    x = xp.ones(2)
    result = Array._apply(op, x, 3, key=(1, x))
    (args, kwargs) = op.host.seen[-1]
    assert (args[0], args[1:]) == (x._value, (3,)) if args[0] is x._value else False
    assert kwargs["key"][1] is x._value
    assert result._value is x._value
    assert result._base is None


def test_arrays_are_made_on_the_default_device():
    with config(default_device="sim:trn2", fallback="allow"):
        assert linalg.helmert(3).device == signal.firwin(3, 0.5).device == sparse.csr_array((2, 3)).device == "sim:trn2"
        assert sparse.csr_array([[1, 2], [3, 4]]).device == "sim:trn2"


def test_arrays_are_made_of_keywords_alone():
    assert linalg.pascal(n=2).tolist() == [[1, 1], [1, 2]]
    assert linalg.hadamard(n=1, dtype="f").dtype == xp.float32
    assert signal.firwin(numtaps=1, cutoff=0.5).tolist() == [1.0]


def test_out_is_given_back():
    out = xp.zeros(2)
    a = sparse.csr_array(xp.asarray([[1.0, 2.0]]))
    assert a.tocsr() is a
    try:
        scipy.sparse.csr_array([[1.0, 2.0]]).sum(0, out=np.zeros(2))
    except ValueError:
        pytest.skip("this SciPy writes sums of sparse arrays to no array")
    assert a.sum(0, None, out) is out
    assert a.sum(0, out=out) is out
    assert out.tolist() == [1.0, 2.0]
