"""The short way to host functions: taken where these can have what was passed as it is, and by nothing else."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse

import trnarray as xp
from trnarray._apply import direct, parameter_names, short_way
from trnarray._array import Array
from trnarray.backends.settings import config
from trnarray.scipy import linalg, signal, sparse


def functions(*, writes=False):
    """A function, perhaps one with ``out``, with the short way, the calls of its host function, and those of the long way."""
    seen, long = [], []

    def host(*args, **kwargs):
        seen.append((args, kwargs))
        return args[0] if kwargs.get("same") else args[0] + 1

    def function(x, y=2, *, same=False):
        """Do it."""
        long.append((x, y, same))
        return "long"

    if writes:

        def function(x, out=None):
            long.append((x, out))
            return "long"

    return short_way(function, host, lambda: None, Array._plain_values, Array._wrap_results), seen, long


def test_the_host_gets_what_was_passed_and_no_defaults():
    function, seen, long = functions()
    x = xp.asarray([1.0, 2.0])
    np.testing.assert_array_equal(np.asarray(function(x)), [2, 3])
    function(x, 3, same=False)
    function(x, (1, x))
    assert [(args[1:], kwargs) for args, kwargs in seen[:2]] == [((), {}), ((3,), {"same": False})]
    assert seen[2][0][1][1] is x._value
    function(x, y=x)
    assert seen[3][1]["y"] is x._value
    assert function(x, same=True) is x
    assert (function.__name__, function.__doc__, str(inspect.signature(function))) == ("function", "Do it.", "(x, y=2, *, same=False)")
    assert not long


@pytest.mark.parametrize(
    "make",
    [
        lambda: ((1.0,), {}),
        lambda: (([1.0],), {}),
        lambda: ((np.ones(2),), {}),
        lambda: ((xp.ones(2, dtype=xp.bfloat16),), {}),
        lambda: ((xp.ones(2, device="sim:trn2"),), {}),
        lambda: ((xp.ones(2), xp.ones(2, device="sim:trn2")), {}),
        lambda: ((xp.ones(2), print), {}),
        lambda: ((xp.ones(2),), {"y": np.ones(2)}),
        lambda: ((xp.ones(2),), {"y": xp.ones(2, device="sim:trn2")}),
        lambda: ((xp.ones(2),), {"y": xp.ones(2), "same": print}),
    ],
)
def test_everything_else_goes_the_long_way(make):
    function, seen, long = functions()
    args, kwargs = make()
    assert function(*args, **kwargs) == "long"
    assert not seen
    assert long[0][1] is kwargs.get("y", args[1] if len(args) > 1 else 2)  # as it was passed


def test_results_are_not_written_on_the_short_way():
    function, seen, long = functions(writes=True)
    x = xp.ones(2)
    function(x)
    assert function(x, out=x) == "long"
    assert (len(seen), len(long)) == (1, 1)


def test_other_parameters_have_no_short_way():
    def another(a, b):
        return a

    op = SimpleNamespace(host=another, tick=lambda: None)
    assert direct({"another": op})(another) is not another
    assert parameter_names(direct({"another": op})(another)) == ("a", "b")

    def same_name(b, a):
        return a

    assert direct({"same_name": op})(same_name) is same_name


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
