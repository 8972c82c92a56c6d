"""Fallbacks give what the device would: 64-bit results from 64-bit operands only, outputs written, scalars detached."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"


@pytest.fixture(autouse=True)
def allowed():
    with xp.config(fallback="allow"):
        yield


def on_device(array):
    return xp.asarray(array, device=DEVICE)


def host(x):
    return np.asarray(x.to_device("cpu"))


BYTE, INT, LONG = (on_device(np.arange(6, dtype=name)) for name in ("uint8", "int32", "int64"))
SINGLE, DOUBLE, COMPLEX = (on_device(np.arange(6).astype(name) + 0.5) for name in ("float32", "float64", "complex128"))
RESULTS = [
    (lambda: xp.sort(INT), "int32"),
    (lambda: xp.sort(LONG), "int64"),
    (lambda: xp.median(SINGLE), "float32"),
    (lambda: xp.median(INT), "float32"),
    (lambda: xp.median(DOUBLE), "float64"),
    (lambda: xp.linalg.inv(xp.eye(3, device=DEVICE)), "float32"),
    (lambda: xp.sum(DOUBLE), "float64"),
    (lambda: xp.mean(LONG), "float32"),
    (lambda: LONG + SINGLE, "float32"),
    (lambda: LONG + DOUBLE, "float64"),
    (lambda: LONG / (LONG + 1), "float32"),
    (lambda: LONG + 1.5, "float32"),
    (lambda: LONG + 1, "int64"),
    (lambda: SINGLE + np.float64(1), "float64"),
    (lambda: xp.add(DOUBLE, [1, 2, 3, 4, 5, 6]), "float64"),
    (lambda: xp.logaddexp(INT, [1, 2, 3, 4, 5, 6]), "float32"),
    (lambda: abs(COMPLEX), "float64"),
    (lambda: xp.var(COMPLEX), "float64"),
    (lambda: DOUBLE < 2, "bool"),
    (lambda: xp.argmax(DOUBLE), "int32"),
    (lambda: xp.argsort(LONG), "int32"),
    (lambda: xp.nonzero(LONG)[0], "int32"),
    (lambda: xp.searchsorted(LONG, LONG), "int32"),
    (lambda: xp.unique_all(LONG).values, "int64"),
    (lambda: xp.unique_all(LONG).indices, "int32"),
    (lambda: xp.frexp(DOUBLE)[0], "float64"),
    (lambda: xp.frexp(DOUBLE)[1], "int32"),
    (lambda: SINGLE.astype("float64"), "float64"),
]


@pytest.mark.parametrize(("call", "dtype"), RESULTS)
def test_dtypes(call, dtype):
    result = call()
    assert result.dtype == np.dtype(dtype)
    assert host(result).dtype == np.dtype(dtype)
    assert result.device == DEVICE or str(result.device) == DEVICE


def test_outputs_are_written():
    out = xp.zeros(6, device=DEVICE, dtype="float64")
    assert xp.add(DOUBLE, 1, out=out) is out
    np.testing.assert_array_equal(host(out), host(DOUBLE) + 1)
    table = xp.zeros((6, 2), device=DEVICE, dtype="float64")
    view = table[::-1, 1]
    assert xp.multiply(DOUBLE, 2, out=view) is view
    np.testing.assert_array_equal(host(table), np.stack([np.zeros(6), host(DOUBLE)[::-1] * 2], axis=1))
    xp.negative(DOUBLE, out=out, where=DOUBLE > 3)
    np.testing.assert_array_equal(host(out), np.where(host(DOUBLE) > 3, -host(DOUBLE), host(DOUBLE) + 1))
    total = xp.zeros((), device=DEVICE, dtype="float64")
    xp.sum(DOUBLE, out=total)
    assert float(total) == 18


def test_in_place():
    x = DOUBLE.copy()
    view = x[::2]
    x[1:] = x[:-1]
    x += 1
    view *= 2
    x[[1, 3]] = 9
    x[x > 8] = 0
    expected = host(DOUBLE).copy()
    expected[1:] = expected[:-1].copy()
    expected += 1
    expected[::2] *= 2
    expected[[1, 3]] = 9
    expected[expected > 8] = 0
    np.testing.assert_array_equal(host(x), expected)
    x.sort()
    np.testing.assert_array_equal(host(x), np.sort(expected))
    np.testing.assert_array_equal(host(view), np.sort(expected)[::2])


def test_scalars_are_detached():
    for scalar in (DOUBLE[1], xp.sum(DOUBLE), xp.median(SINGLE), DOUBLE[1] + 1, xp.argmax(LONG)):
        assert scalar.shape == ()
        before = scalar
        scalar += 1
        assert scalar is not before
        assert float(scalar) == float(before) + 1
    x = DOUBLE.copy()
    element = x[1, ...]
    element += 1
    assert float(x[1]) == 2.5


def test_numbers_are_rounded_as_on_the_device():
    x = on_device(np.array([1.0, 2.0], np.float32))
    got = xp.logaddexp(x, 0.1)  # the number is a float32 here, too
    np.testing.assert_array_equal(host(got), np.logaddexp(host(x), np.float32(0.1)))


@pytest.mark.parametrize(("scalar", "said"), [(np.float64(2.5), r"numpy\.float64\(2\.5\).*float\(s\)"), (np.int64(3), None)])
def test_a_scalar_of_numpy_that_makes_a_call_wide_is_named(scalar, said):
    x = xp.ones(3, dtype=xp.float32, device="sim:trn2")
    with xp.config(fallback="error", float64="host"):
        if said is None:
            assert (x * scalar).tolist() == [3, 3, 3]
        else:
            with pytest.raises(xp.FallbackError, match=said):
                x * scalar
        assert (x * float(scalar)).dtype == xp.float32
        with pytest.raises(xp.FallbackError, match=r"^random\.random would run on the host"):
            xp.random.default_rng(1).random(3, device="sim:trn2")


CAUSES = {
    "scalar": (lambda: SINGLE * np.float64(2.5), r"its operand numpy.float64\(2.5\) makes it so: write float\(s\)"),
    "scalar by name": (lambda: xp.diff(SINGLE, prepend=np.float64(1)), r"its prepend= numpy.float64\(1.0\) makes it so: write float\(s\)"),
    "complex scalar": (lambda: SINGLE + np.complex128(1j), r"its operand numpy.complex128\(1j\) makes it so: write complex\(s\)"),
    "dtype": (lambda: xp.sum(SINGLE, dtype=float), "the dtype that it names makes it so: write float32"),
    "Array": (lambda: SINGLE + DOUBLE, r"its operand float64\[6\] makes it so: write x.astype\('float32'\)"),
    "Array by name": (lambda: xp.cov(SINGLE, aweights=DOUBLE), r"float64\[6\] makes it so: write x.astype\('float32'\)"),
}


@pytest.mark.parametrize("name", CAUSES)
def test_messages_name_what_makes_a_call_compute_in_64_bits(name):
    call, words = CAUSES[name]
    with xp.config(fallback="error", float64="host"), pytest.raises(xp.FallbackError, match=words):
        call()


def test_messages_name_no_operand_where_all_are_wide():
    with xp.config(fallback="error", float64="host"), pytest.raises(xp.FallbackError) as refused:
        _ = DOUBLE * np.float64(2)
    assert "makes it so" not in str(refused.value)
