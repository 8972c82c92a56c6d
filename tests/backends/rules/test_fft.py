"""Rules of transforms against NumPy and SciPy."""

import numpy as np
import pytest

from trnarray.backends.ops.fft import NUMPY, TRANSFORMS

from . import agreement
from .agreement import disagreements, waits

X = np.arange(24.0).reshape(2, 3, 4)
REAL = ("dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn")
ONE_AXIS = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
ONE = [op for op in (*TRANSFORMS.values(), *NUMPY.values()) if op.name.rpartition(".")[2] in ONE_AXIS]
SEVERAL = [op for op in (*TRANSFORMS.values(), *NUMPY.values()) if op not in ONE and "ht" not in op.name]
SEVERAL = [op for op in SEVERAL if op.name.rpartition(".")[2] not in REAL]
LENGTHS = [{}, {"n": 5}, {"n": 1}, {"n": 0}, {"axis": 0}, {"axis": 1, "n": 2}, {"axis": 3}, {"norm": "ortho"}, {"norm": "no norm"}]
AXES = [{}, {"axes": (0,)}, {"axes": (2, 0)}, {"axes": (0, 0)}, {"axes": (5,)}, {"axes": ()}, {"s": (2, 5)}, {"norm": "no norm"}]
AXES += [{"s": (2, 5), "axes": (0, 1)}, {"s": (3, None), "axes": (0, 2)}, {"s": (2,), "axes": (0, 1)}, {"s": (0, 1), "axes": (0, 1)}]


@pytest.mark.parametrize(("ops", "options"), [(ONE, LENGTHS), (SEVERAL, AXES)], ids=["one axis", "several axes"])
def test_fourier(ops, options):
    for op in ops:
        assert [line for kwargs in options for line in disagreements(op, (X,), kwargs)] == []
        assert disagreements(op, (X[..., :1],)) == disagreements(op, (X[:0],)) == disagreements(op, (np.ones(()),)) == []
        assert disagreements(op, (X,), dtypes=agreement.DTYPES) == []
        assert waits(op, (X,))
        assert waits(op, (X,), options[1])


@pytest.mark.parametrize("name", REAL)
def test_sine_and_cosine(name):
    op = TRANSFORMS[name]
    options = [*AXES, {"type": 5}] if name.endswith("n") else [*LENGTHS, *({"type": type, "n": n} for type in (1, 4) for n in (1, 3))]
    assert [line for kwargs in options for line in disagreements(op, (X,), kwargs)] == []
    assert disagreements(op, (X,), dtypes=agreement.DTYPES) == []
    assert waits(op, (X,))


@pytest.mark.parametrize("name", ["fht", "ifht"])
def test_hankel(name):
    assert disagreements(TRANSFORMS[name], (X, 0.1, 0.5), dtypes=agreement.DTYPES) == []
    assert waits(TRANSFORMS[name], (X, 0.1, 0.5))


def test_orders_and_frequencies():
    for name in ("fftshift", "ifftshift"):
        assert [line for axes in (None, 0, (0, -1), 3, (1, 5)) for line in disagreements(f"fft.{name}", (X, axes))] == []
    for name in ("fftfreq", "rfftfreq"):
        for kwargs in ({}, {"d": 0.5}, {"d": 0.0}, *({"dtype": np.dtype(dtype)} for dtype in "efdi")):
            assert [line for n in (1, 6, 7, 0) for line in disagreements(f"fft.{name}", (n,), kwargs, dtypes=[np.dtype("f")])] == []
