"""Which elements of matrices are zero, and which mirror others, on a simulated NeuronCore, as SciPy tells of the same matrices."""

import numpy as np
import pytest
import scipy.linalg

import trnarray as xp
import trnarray.scipy.linalg as ours

pytestmark = pytest.mark.usefixtures("without_fallbacks")
RNG = np.random.default_rng(3)
DTYPES = [np.int32, np.float32, np.complex64, np.float64, np.complex128]


def drawn(dtype, *shape):
    a = RNG.integers(1, 9, shape) + (1j * RNG.integers(1, 9, shape) if np.dtype(dtype).kind == "c" else 0)
    return a.astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("below", "above"), [(0, 0), (2, 0), (1, 2), (4, 3)])
def test_bandwidths(dtype, below, above):
    a = np.triu(np.tril(drawn(dtype, 5, 4), above), -below)
    found = ours.bandwidth(xp.asarray(a))
    assert found == scipy.linalg.bandwidth(a) == (below, above)
    assert [*map(type, found)] == [int, int]


def test_bandwidth_of_zeros_and_of_what_is_not_a_number():
    assert ours.bandwidth(xp.zeros((3, 3))) == (0, 0)
    assert ours.bandwidth(xp.asarray(np.float32([[0, np.nan], [-0.0, 0]]))) == (0, 1)


def matrices(dtype):
    a = drawn(dtype, 3, 3)
    yield a
    for mirrored in (a + a.T, a + a.conj().T):
        yield mirrored.astype(dtype)
        if np.dtype(dtype).kind != "i":
            for place, value in (((1, 0), mirrored[1, 0] * (1 + 1e-4)), ((0, 2), np.inf), ((1, 1), np.nan), ((1, 1), 9)):
                changed = mirrored.copy()
                changed[place] = value
                yield changed


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("tolerances", [{}, {"atol": 1.0}, {"rtol": 1e-3}, {"rtol": 1e-6}, {"rtol": 1e-6, "atol": 1e-9}])
def test_symmetry(dtype, tolerances):
    for a in matrices(dtype):
        for name in ("issymmetric", "ishermitian"):
            assert getattr(ours, name)(xp.asarray(a), **tolerances) is getattr(scipy.linalg, name)(a, **tolerances)


def test_what_is_not_square():
    with pytest.raises(ValueError, match="square"), xp.config(fallback="allow"):
        ours.issymmetric(xp.ones((2, 3)))
