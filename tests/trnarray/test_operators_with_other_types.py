"""Operators between Arrays and what is no Array: refused, converted, or left to the other type, which answers for itself."""

import operator
import warnings

import numpy as np
import pytest

import trnarray as xp

from .operator_table import FORWARD, IN_PLACE


def test_unsupported_host_data_is_refused():
    x = xp.ones(3)
    for other in (np.ones(3, np.longdouble), np.array([1, 2, 3], object), np.array(["a", "b", "c"]), np.array(["2020"] * 3, "M8[D]")):
        for operation in (operator.add, operator.iadd, operator.eq, operator.mul):
            with pytest.raises(TypeError, match="not supported"):
                operation(x, other)
    for scalar in (np.longdouble(1), np.str_("a"), np.datetime64("2020"), np.void(b"a")):
        with pytest.raises(TypeError):
            x + scalar
        with pytest.raises(TypeError):
            x += scalar
    assert x.tolist() == [1, 1, 1]
    assert (x + np.ones(3, ">f8")).dtype == np.dtype("=f8")
    x += np.ones(3, ">f8")
    assert x.tolist() == [2, 2, 2]


def test_results_of_unsupported_dtypes_are_refused():
    x = xp.asarray([1, 2, 3])
    with pytest.raises(TypeError, match="dtype object"):
        operator.add(x, [2**70, 1, 2])
    with pytest.raises(TypeError):
        operator.add(x, [None, 1, 2])
    with pytest.raises(ValueError, match="inhomogeneous"):
        operator.add(x, [[1], [1, 2]])
    with pytest.raises(TypeError):
        operator.add(x, ["a", "b", "c"])


def test_python_objects_that_are_no_operands():
    x = xp.ones(3)
    for other in (None, "a", b"a", object(), {}, {1}, slice(1), ..., xp, iter([1])):
        for name, operation in {**FORWARD, **IN_PLACE}.items():
            if name == "eq":
                assert (x == other) is False
            elif name == "ne":
                assert (x != other) is True
            elif not (name == "mod" and isinstance(other, (str, bytes))):
                with pytest.raises(TypeError):
                    operation(x, other)
        for name in ("add", "mul", "lt"):
            with pytest.raises(TypeError):
                FORWARD[name](other, x)
        assert other not in x
    assert 1 in x
    assert 2 not in x


class Quantity:
    """Answers for itself, as units do."""

    __array_priority__ = 1e4

    def _answer(self, other):
        return "quantity", type(other)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = _answer
    __matmul__ = __rmatmul__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _answer
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _answer
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = _answer
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _answer
    __hash__ = None


class Opaque(Quantity):
    """Keeps out of NumPy's ufuncs altogether."""

    __array_ufunc__ = None


@pytest.mark.parametrize("kind", [Quantity, Opaque])
def test_foreign_types_answer_for_themselves(kind):
    x, q = xp.ones(3), kind()
    for name, operation in {**FORWARD, "matmul": operator.matmul}.items():
        assert operation(x, q) == ("quantity", xp.Array), name
        assert operation(q, x) == ("quantity", xp.Array), name
    for name, operation in IN_PLACE.items():
        assert operation(x, q) == ("quantity", xp.Array), name
    assert x.tolist() == [1, 1, 1]


class Mute:
    """Takes no part in arithmetic."""

    __array_ufunc__ = None


class Subclass(np.ndarray):
    pass


def matrix(data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return np.matrix(data)


class Converts:
    def __array__(self, dtype=None, copy=None):
        raise AssertionError("converted silently")


@pytest.mark.parametrize("other", [Mute(), np.ones(3).view(Subclass), matrix([1.0, 1.0, 1.0]), Converts()], ids=lambda x: type(x).__name__)
def test_foreign_types_that_do_not_answer(other):
    x = xp.ones(3)
    for name in ("add", "sub", "mul", "truediv", "and", "lt"):
        with pytest.raises(TypeError):
            FORWARD[name](x, other)
        with pytest.raises(TypeError):
            FORWARD[name](other, x)
    with pytest.raises(TypeError):
        x += other
    with pytest.raises(TypeError):
        x @ other
    with pytest.raises(TypeError, match="foreign"):
        operator.add(x, [other])
    assert x.tolist() == [1, 1, 1]


def test_masked_arrays_answer_for_themselves():
    x, masked = xp.ones(3), np.ma.array([1.0, 2.0, 3.0], mask=[0, 1, 0])
    for result in (x + masked, masked + x, x == masked):
        assert isinstance(result, np.ma.MaskedArray)
        assert result.mask.tolist() == [False, True, False]
    with pytest.raises(TypeError, match=r"MaskedArray"):
        xp.add(x, masked)


MASKED_CALLS = {
    "equal": lambda m, x: m == x,
    "equal, the Array first": lambda m, x: x == m,
    "less": lambda m, x: m < x,
    "add": lambda m, x: m + x,
    "multiply in place": lambda m, x: m.copy().__imul__(x),
    "assign": lambda m, x: m.copy().__setitem__(slice(None), x),
    "ma.equal": np.ma.equal,
    "ma.maximum": np.ma.maximum,
    "ma.where": lambda m, x: np.ma.where(m > 0, x, m),
    "ma.concatenate": lambda m, x: np.ma.concatenate([m, x]),
    "ma.getdata": lambda _, x: np.ma.getdata(x),
    "ma.masked_where": lambda _, x: np.ma.masked_where([True, False, False], x),
    "ma.filled": lambda _, x: np.ma.filled(x),
}


@pytest.mark.parametrize("name", MASKED_CALLS)
def test_masked_arrays_convert_arrays_on_the_host_and_are_refused_those_on_devices(name):
    masked, a = np.ma.array([1.0, 2.0, 3.0], np.float32, mask=[0, 1, 0]), np.array([1, 5, 2], np.float32)
    call = MASKED_CALLS[name]
    found, wanted = call(masked, xp.asarray(a)), call(masked, a)
    assert type(found) is type(wanted)
    assert np.ma.getmaskarray(found).tolist() == np.ma.getmaskarray(wanted).tolist()
    assert np.ma.getdata(found).tolist() == np.ma.getdata(wanted).tolist()
    with pytest.raises(xp.HostTransferError, match="to_device"):
        call(masked, xp.asarray(a, device="sim:trn2"))


def test_sparse_matrices_answer_for_themselves():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.arange(9.0).reshape(3, 3)
    x = xp.asarray([1.0, 2.0, 3.0])
    for make in (sparse.csr_array, sparse.coo_array, sparse.csc_matrix):
        with pytest.raises(TypeError, match="foreign"):
            xp.matmul(x, make(dense))
        with pytest.raises(TypeError):
            np.add(x, make(dense))
        assert x._value is not None


def test_linear_operators_answer_for_themselves():
    linalg = pytest.importorskip("scipy.sparse.linalg")
    dense = np.arange(9.0).reshape(3, 3)
    x = xp.asarray([1.0, 2.0, 3.0])
    A = linalg.aslinearoperator(dense)
    with xp.config(host_transfer="allow"):
        np.testing.assert_array_equal(np.asarray(A @ x), dense @ x._value)
        np.testing.assert_array_equal(np.asarray(x @ A), x._value @ dense)
        np.testing.assert_array_equal(np.asarray(A * x), dense @ x._value)
    with pytest.raises(TypeError):
        x + A


def test_pandas_answers_for_itself():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="foreign"):
        xp.add(xp.ones(3), series)
    assert xp.Array.__add__(xp.ones(3), series) is NotImplemented


def test_torch_answers_for_itself():
    torch = pytest.importorskip("torch")
    with pytest.raises(TypeError, match="foreign"):
        xp.add(xp.ones(3), torch.ones(3))
    assert xp.Array.__add__(xp.ones(3), torch.ones(3)) is NotImplemented


@pytest.mark.parametrize("name", [*FORWARD, "matmul"])
def test_methods_give_not_implemented(name):
    x = xp.ones(3)
    for other in (Mute(), None, "a", matrix([1.0]), np.ma.ones(3), Quantity()):
        assert getattr(x, f"__{name}__")(other) is NotImplemented
        if name not in ("eq", "ne", "lt", "le", "gt", "ge"):
            assert getattr(x, f"__r{name}__")(other) is NotImplemented
            if name != "divmod":
                assert getattr(x, f"__i{name}__")(other) is NotImplemented
