"""What is written to an Array of a Neuron device: Python's numbers and sequences of them are checked, as NumPy checks them."""

import numpy as np
import pytest

import trnarray as xp

DEVICE = "sim:trn2"
MASK = [True, True, False]


def positions(module):
    return np.asarray([0, 1]) if module is np else xp.asarray([0, 1], device=DEVICE)


def write_part(name):
    def write(module, x, numbers):
        if module is np and (name == "real" or x.dtype.kind == "c"):
            getattr(x[:2], name)[...] = numbers  # older NumPy's setters wrap
        else:
            setattr(x[:2], name, numbers)

    return write


WRITES = {
    "setitem": lambda _, x, numbers: x.__setitem__(slice(2), numbers),
    "setitem by position": lambda _, x, numbers: x.__setitem__([0, 1], numbers),
    "put": lambda module, x, numbers: module.put(x, [0, 1], numbers),
    "place": lambda module, x, numbers: module.place(x, MASK, numbers),
    "putmask": lambda module, x, numbers: module.putmask(x, MASK, numbers),
    "put_along_axis": lambda module, x, numbers: module.put_along_axis(x, positions(module), numbers, 0),
    "fill_diagonal": lambda module, x, numbers: module.fill_diagonal(x[:2].reshape(2, 1), numbers),
    "insert": lambda module, x, numbers: module.insert(x, [0, 1], numbers),
    "flat": lambda _, x, numbers: x.flat.__setitem__(slice(2), numbers),
    "real": write_part("real"),
    "imag": write_part("imag"),
    "copyto": lambda module, x, numbers: module.copyto(x[:2], numbers),
    "copyto by a rule": lambda module, x, numbers: module.copyto(x[:2], numbers, casting="unsafe"),
    "fill": lambda _, x, numbers: x.fill(numbers[0] if isinstance(numbers, (list, tuple, range)) else numbers),
}
NUMBERS = [2**31, -1, 300, 2**70, 1.5, 1 + 2j, True, [2**31, 0], [300, 1], (-1, 1), [0.5, 1], (1 + 1j, 0), range(2), range(-1, 1)]
SCALARS = [np.int64(2**40), np.float64(0.1), np.uint8(200)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32", "complex64", "bool"])
@pytest.mark.parametrize("name", WRITES)
def test_numbers_are_written_or_refused_as_in_numpy(name, dtype):
    for numbers in NUMBERS + SCALARS:
        if (numbers, dtype) == (2**70, "bool") and name.startswith("copyto"):  # too large for NumPy, not for a truth
            continue
        theirs = np.array([1, 2, 3], dtype)
        ours = xp.asarray(theirs, device=DEVICE, copy=True)
        refused = result = None
        try:
            wanted = WRITES[name](np, theirs, numbers)
        except (TypeError, ValueError, OverflowError) as error:
            refused = type(error)
        with xp.config(fallback="allow"):
            if refused is None:
                result = WRITES[name](xp, ours, numbers)
            else:
                with pytest.raises(refused):
                    WRITES[name](xp, ours, numbers)
        np.testing.assert_array_equal(ours.tolist(), theirs, str(numbers))
        if result is not None:
            np.testing.assert_array_equal(result.tolist(), wanted, str(numbers))


def test_initial_has_to_fit():
    x = xp.asarray([1, 2], device=DEVICE)
    with pytest.raises(OverflowError):
        xp.sum(x, initial=np.int64(2**40)).tolist()
    assert int(xp.sum(x, initial=np.int64(4))) == 7
    for function in (xp.sum, xp.max, xp.add.reduce):
        for several in ([1, 2], (1,), range(2), xp.asarray([1, 2], device=DEVICE)):
            with pytest.raises((TypeError, ValueError), match="number"):  # NumPy's TypeError for sequences, and ValueError for arrays
                function(x, initial=several)
