"""Lists beside float64 Arrays of a Neuron device in scipy.linalg, scipy.signal and scipy.special: each operand in turn, against SciPy."""

import numpy as np
import pytest
import scipy.linalg
import scipy.signal
import scipy.special

import trnarray as xp
from trnarray.conformance.overrides.sequences import places
from trnarray.conformance.scipy_calls import linalg, signal
from trnarray.scipy import linalg as our_linalg
from trnarray.scipy import signal as our_signal
from trnarray.scipy import special as our_special

DEVICE = "sim:trn2"
X, Y = np.array([0.1, 0.3, 0.7]), np.array([0.2, 0.45, 0.9])
LINALG = [(scipy.linalg, our_linalg, name, (operands, {})) for name, operands in linalg.OPERANDS.items()]
SIGNAL = [(scipy.signal, our_signal, name, (call[0], dict(call[1]))) for name, every in signal.CALLS.items() for call in every]
SPECIAL = [
    (scipy.special, our_special, name, ((X, Y, X + 0.1, Y + 0.1)[: function.nin], {}))
    for name in dir(scipy.special)
    if isinstance(function := getattr(scipy.special, name), np.ufunc) and function.nin > 1
]
# Pivots are no numbers to compute with; how an answer is found depends on time; older SciPy takes no lists.
UNLIKE = {"lu_solve", "choose_conv_method", "solve_sylvester"}

UP_TO_SIGN = {"eigh_tridiagonal"}  # of eigenvectors
UP_TO_SIGNS = {"qr_delete", "qr_insert", "qr_update"}  # of the diagonal of R


def leaves(result):
    return [leaf for item in result for leaf in leaves(item)] if isinstance(result, (tuple, list)) else [result]


def with_positive_diagonal(q, r):
    """Give factors the signs with which they are unique: on the diagonal, and where there is none, in the first row of Q."""
    diagonal = np.diagonal(r)
    signs = np.sign(np.append(diagonal, q[0, len(diagonal) :]))
    return [q * signs, r * signs[:, None]]


def converted(item, place, kept):
    """Make Arrays of ndarrays, but of the one that becomes a list."""
    if isinstance(item, np.ndarray):
        return item.tolist() if place == kept else xp.asarray(item, device=DEVICE)
    if isinstance(item, (tuple, dict)):
        pairs = [(key, converted(each, (*place, key), kept)) for key, each in (item.items() if isinstance(item, dict) else enumerate(item))]
        return dict(pairs) if isinstance(item, dict) else tuple(each for _, each in pairs)
    return item


def kept(ours, theirs, name, call):
    """List the places of a call's operands, if there are several."""
    found = list(places(call, np.ndarray))
    known = name in ours.__all__ and getattr(ours, name, None) is not None and getattr(theirs, name, None) is not None
    return found if known and name not in UNLIKE and len(found) > 1 else []


CASES = {
    f"{ours.__name__.rpartition('.')[2]}.{name}-{call_number}-{number}": (theirs, ours, name, call, place)
    for call_number, (theirs, ours, name, call) in enumerate((*LINALG, *SIGNAL, *SPECIAL))
    for number, place in enumerate(kept(ours, theirs, name, call))
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_lists_beside_float64(case):
    theirs, ours, name, call, place = CASES[case]
    args, kwargs = call
    wanted = leaves(getattr(theirs, name)(*args, **kwargs))
    args, kwargs = converted(call, (), place)
    with xp.config(fallback="allow"):
        results = leaves(getattr(ours, name)(*args, **kwargs))
    numbers = [np.array(one.tolist()) if isinstance(one, xp.Array) else one for one in results]
    if name in UP_TO_SIGNS:
        numbers, wanted = with_positive_diagonal(*numbers), with_positive_diagonal(*wanted)
    for one, values, other in zip(results, numbers, wanted, strict=True):
        if isinstance(one, xp.Array):
            assert str(one.device) == DEVICE
            assert one.dtype == np.asarray(other).dtype or one.dtype.kind in "iub"
            # SciPy computes both, of which a step may be in another order, and of condition up to 1e6.
            if name in UP_TO_SIGN and values.ndim == 2:
                values *= np.sign(np.sum(values * other, axis=0))
            np.testing.assert_allclose(values, other, 1e-9, 1e-9)
