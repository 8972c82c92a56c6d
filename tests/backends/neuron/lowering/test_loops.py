"""Which loop of a ufunc the device computes where the caller asks for one by its dtype, and which casts it does: NumPy's, or none."""

import numpy as np
import pytest

import trnarray as xp

FLOATS, INTEGERS, COMPLEX = np.array([1.5, 2.0, -3.0], "f"), np.array([1, 2, 7], "i"), np.array([1j, 2.0, 3 + 4j], "F")
BYTES = np.array([1, 2, 7], "b")


def put(function, target, given):
    function(target, target > 1, given)
    return target


CASES = {
    "comparison": lambda a: np.less(a(FLOATS), 1.75, dtype=bool),
    "truths": lambda a: np.logical_and(a(FLOATS), 0.5, dtype=bool),
    "test": lambda a: np.isfinite(a(FLOATS), dtype=bool),
    "test in floats": lambda a: np.isfinite(a(FLOATS), dtype="f"),
    "complex modulus": lambda a: np.absolute(a(COMPLEX), dtype="f"),
    "complex modulus in complex": lambda a: np.absolute(a(COMPLEX), dtype="F"),
    "complex in floats": lambda a: np.add(a(COMPLEX), a(COMPLEX), dtype="f"),
    "floats in complex": lambda a: np.add(a(FLOATS), a(FLOATS), dtype="F"),
    "floats in integers": lambda a: np.add(a(FLOATS), a(FLOATS), dtype="i"),
    "floats in integers anyway": lambda a: np.add(a(FLOATS), a(FLOATS), dtype="i", casting="unsafe"),
    "number in integers": lambda a: np.add(a(INTEGERS), 2.5, dtype="i"),
    "integers in floats": lambda a: np.add(a(INTEGERS), a(INTEGERS), dtype="f"),
    "integers in narrower ones": lambda a: np.multiply(a(INTEGERS), 100, dtype="b"),
    "signed in unsigned": lambda a: np.multiply(a(INTEGERS), 100, dtype="B"),
    "root in integers": lambda a: np.sqrt(a(INTEGERS), dtype="i"),
    "quotients": lambda a: np.divide(a(INTEGERS), 2, dtype="f"),
    "whole quotients": lambda a: np.floor_divide(a(FLOATS), a(FLOATS), dtype="i"),
    "quotients and remainders": lambda a: np.divmod(a(INTEGERS), 2, dtype="f")[0],
    "powers": lambda a: np.power(a(INTEGERS), a(INTEGERS), dtype="f"),
    "bits": lambda a: np.bitwise_and(a(FLOATS), 2, dtype="i"),
    "counts": lambda a: np.bitwise_count(a(INTEGERS), dtype="i"),
    "exponents": lambda a: np.ldexp(a(FLOATS), a(INTEGERS), dtype="f"),
    "fractions": lambda a: np.frexp(a(FLOATS), dtype="f")[0],
    "degrees": lambda a: np.degrees(a(INTEGERS), dtype="i"),
    "limits": lambda a: a(FLOATS).clip(-1, 1, dtype="f"),
    "products of matrices": lambda a: np.matmul(a(INTEGERS), a(INTEGERS), dtype="f"),
    "products in integers": lambda a: np.matmul(a(FLOATS), a(FLOATS), dtype="i"),
    "products of parts": lambda a: np.vecdot(a(COMPLEX), a(COMPLEX), dtype="f"),
    "floats where a mask holds": lambda a: put(np.putmask, a(INTEGERS), a(FLOATS)),
    "parts where a mask holds": lambda a: put(np.place, a(FLOATS), a(COMPLEX)),
    "bytes where a mask holds": lambda a: put(np.place, a(FLOATS), a(BYTES)),
    "numbers where a mask holds": lambda a: put(np.putmask, a(INTEGERS), [7.5]),
    "bytes in floats, safely": lambda a: np.add(a(BYTES), a(BYTES), out=a(FLOATS), casting="safe"),
    "integers in floats, safely": lambda a: np.add(a(INTEGERS), a(INTEGERS), out=a(FLOATS), casting="safe"),
    "bytes copied safely": lambda a: a(BYTES).astype("f", casting="safe"),
    "signature": lambda a: np.add(a(FLOATS), a(FLOATS), signature="ff->f"),
}


def outcome(call, array):
    try:
        result = call(array)
    except TypeError:
        return TypeError
    result = np.asarray(result if isinstance(result, np.ndarray) else result.to_device("cpu"))
    return result.dtype, result.tolist()


@pytest.mark.parametrize("name", CASES)
def test_loops_are_numpys(name):
    with xp.config(fallback="allow" if name == "signature" else "error"):
        assert outcome(CASES[name], lambda array: xp.asarray(array, device="sim:trn2")) == outcome(CASES[name], np.copy)


def test_refusals_say_what_would_be_cast():
    x = xp.asarray(FLOATS, device="sim:trn2")
    with pytest.raises(TypeError, match="add with dtype=int8 would cast float32, float32, which casting='same_kind' does not allow"):
        np.add(x, x, dtype="b")
    with pytest.raises(TypeError, match="sqrt has no loop that gives int8"):
        np.sqrt(x, dtype="b")
    assert np.add(x, x, dtype=xp.bfloat16).dtype == xp.bfloat16
