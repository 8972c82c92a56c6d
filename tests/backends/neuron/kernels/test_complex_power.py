"""Real and imaginary parts of powers of complex numbers, within units of their modulus."""

import numpy as np
import pytest

from trnarray.backends.neuron.kernels.elementwise import EMITTERS

from .elementwise_harness import FUSED, apply

U = 2.0**-24
SIZE = 128 * 8


def cases():
    """Results of all sizes; long ways around the unit circle; numbers near 1; exponents of any kind."""
    rng = np.random.default_rng(7)
    angle = np.exp(2j * np.pi * rng.random(SIZE))
    yield np.exp2(rng.uniform(-20, 20, SIZE)) * angle, rng.uniform(-4, 4, SIZE) + 1j * rng.uniform(-4, 4, SIZE)
    yield np.exp2(rng.uniform(-120, 120, SIZE)) * angle, rng.uniform(-1, 1, SIZE) + 1j * rng.uniform(-1, 1, SIZE)
    yield angle * (1 + 1e-3 * rng.standard_normal(SIZE)), rng.uniform(-1000, 1000, SIZE) + 0j
    yield 1 + 1e-3 * (rng.standard_normal(SIZE) + 1j * rng.standard_normal(SIZE)), 1e3 * rng.standard_normal(SIZE) * angle
    yield np.exp2(rng.uniform(-9, 9, SIZE)) * angle, rng.integers(-9, 10, SIZE) + 0j


def on_device(z, w, **how):
    parts = [np.ascontiguousarray(part.reshape(128, -1)) for part in (z.real, z.imag, w.real, w.imag)]
    one, other = (apply(EMITTERS[f"complex_power.{name}"].loops["float32"], *parts, **how) for name in ("real", "imaginary"))
    return (one + 1j * other.astype(np.complex128)).ravel()


@pytest.mark.parametrize("how", [{"target": "trn1", "knobs": FUSED}, {"target": "trn3"}], ids=["fused", "rounded"])
def test_within_the_bound(how):
    """Each of the two logarithms, the exponential, the cosine and the product add up to a unit: 4 of the 8 that are promised."""
    z, w = (np.concatenate(operand).astype(np.complex64) for operand in zip(*cases(), strict=True))
    exact = np.exp(w.astype(np.clongdouble) * np.log(z.astype(np.clongdouble)))
    size = np.abs(exact)
    sized = (size > 1e-37) & (size < 3.4e38)
    assert (np.abs(on_device(z, w, **how) - exact) / size)[sized].max() <= 4 * U


def test_angles_on_axes_and_diagonals_are_exact():
    """Products of Gaussian integers are exact, and so are reciprocals of powers of two."""
    rng = np.random.default_rng(3)
    z = (rng.choice([1, -1, 1j, -1j], SIZE) * np.exp2(rng.integers(-3, 4, SIZE))).astype(np.complex64)
    w = (rng.integers(-20, 21, SIZE) + 0j).astype(np.complex64)
    turns = np.array([1, 1j, -1, -1j])[np.round(np.angle(z) / (np.pi / 2) * w.real).astype(int) % 4]
    assert np.array_equal(on_device(z, w), np.abs(z).astype(np.float64) ** w.real * turns)
    diagonal = (rng.choice([1, -1], SIZE) + 1j * rng.choice([1, -1], SIZE)).astype(np.complex64)
    assert np.array_equal(on_device(diagonal, np.full(SIZE, 8, np.complex64)), np.full(SIZE, 16))
