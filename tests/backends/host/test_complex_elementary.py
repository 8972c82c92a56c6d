"""Elementary functions of complex arguments against decimal arithmetic, the standard's tables and NumPy."""

import cmath
import decimal
import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from trnarray.backends.host import standard
from trnarray.backends.host.standard import OVERRIDES

COMPLEXES = [np.complex64, np.complex128]


def same(x, y):
    """Tell whether two floats are the same, NaN and the sign of zero included."""
    return (x != x and y != y) or (x == y and math.copysign(1, x) == math.copysign(1, y))


def quiet(function, *args, **kwargs):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return function(*args, **kwargs)


finite = st.floats(-800, 800) | st.floats(-2, 2) | st.sampled_from([0.0, 1e-8, -1.0, 1.0, 1e-300, 5e-324, math.pi / 2, 709.5])
CONTEXT = decimal.Context(prec=750, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


def near_unit_circle(angle_and_offset):
    angle, offset = angle_and_offset
    z = (1 + offset) * cmath.exp(1j * angle)
    return complex(z.real - 1, z.imag)


circle = st.tuples(st.floats(-math.pi, math.pi), st.sampled_from([0, 1e-16, -1e-12, 1e-5, 0.1])).map(near_unit_circle)
arguments = st.builds(complex, finite, finite.filter(lambda y: abs(y) < 100)) | circle  # the series below cancels a factor of exp(100)


def decimal_cos_sin(y):
    """Taylor's series of a number of moderate size."""
    term, cosine, sine = Decimal(1), Decimal(0), Decimal(0)
    for n in range(10_000):
        if n % 2 == 0:
            cosine += term * (1 - n % 4)
        else:
            sine += term * (2 - n % 4)
        term *= y / (n + 1)
        if abs(term) < Decimal("1e-750") and n > abs(y):
            break
    return cosine, sine


def rounded(value):
    """To float; infinite where it overflows."""
    return float(value) if abs(value) < Decimal(2) ** 1024 else math.copysign(math.inf, value)


def close(got, expected, epsilons, scale=0.0):
    """Agree to some epsilons of the value or of the scale; underflow is gradual, so the least unit is absolute."""
    if math.isinf(expected) or math.isinf(got):
        return got == expected or min(abs(got), abs(expected)) > 1.7e308
    return abs(got - expected) <= epsilons * np.finfo(float).eps * max(abs(expected), scale) + 1e-323


@given(arguments)
@example(complex(710, 1.5))
@example(complex(1e-20, 1e-10))
def test_expm1_is_exact_to_its_modulus(z):
    with decimal.localcontext(CONTEXT):
        cosine, sine = decimal_cos_sin(Decimal(z.imag))
        growth = Decimal(z.real).exp()
        real, imag = rounded(growth * cosine - 1), rounded(growth * sine)
        half = float(decimal_cos_sin(Decimal(z.imag) / 2)[1])
    got = complex(quiet(standard.expm1, z))
    # A rounding each of expm1, cos, sin, their products and the difference; the two terms that may cancel set the scale.
    scale = 2 * half * half if abs(z.real) <= 0.5 else 1.0
    assert close(got.real, real, 3, scale), (got, real, imag)
    assert close(got.imag, imag, 2), (got, real, imag)
    assert close(got.real, real, 2, math.hypot(real, imag))


@given(arguments)
@example(complex(-1e-20, 1e-10))
@example(complex(1e-20, 1e-20))
@example(complex(-0.5, math.sqrt(0.75)))
@example(complex(-1, 1))
@example(complex(-2, 0.0))
@example(complex(-2, -0.0))
def test_log1p_is_exact_in_both_parts(z):
    x, y = Fraction(z.real), Fraction(z.imag)
    excess = 2 * x + x * x + y * y
    with decimal.localcontext(CONTEXT):
        e = Decimal(excess.numerator) / Decimal(excess.denominator)
        real = float((e - e * e / 2 if abs(e) < Decimal("1e-100") else (1 + e).ln()) / 2) if e != -1 else -math.inf
    got = complex(quiet(standard.log1p, z))
    assert close(got.real, real, 2), (got, real)
    # 1 + x is rounded once, to which the angle is not more sensitive than that.
    assert close(got.imag, math.atan2(z.imag, 1 + z.real), 1), got


@pytest.mark.parametrize("name", ["expm1", "log1p"])
@given(arguments)
def test_complex64_is_rounded_once(name, z):
    single = np.complex64(quiet(np.complex64, z))
    assert np.array_equal(
        quiet(OVERRIDES[name], single), quiet(lambda: np.complex64(OVERRIDES[name](np.complex128(single)))), equal_nan=True
    )


NAN, INF = math.nan, math.inf
SPECIAL_VALUES = {  # the standard's; an unspecified sign is None
    "expm1": [
        (0.0, 0.0, 0.0, 0.0), (-0.0, 0.0, 0.0, 0.0), (1.0, INF, NAN, NAN), (1.0, NAN, NAN, NAN), (0.25, INF, NAN, NAN),
        (INF, 0.0, INF, 0.0), (-INF, 2.0, -1.0, 0.0), (-INF, 4.0, -1.0, -0.0), (INF, 2.0, -INF, INF), (-INF, INF, -1.0, None),
        (INF, INF, None, NAN), (-INF, NAN, -1.0, None), (INF, NAN, None, NAN), (NAN, 0.0, NAN, 0.0), (NAN, 1.0, NAN, NAN),
        (NAN, NAN, NAN, NAN),
    ],
    "log1p": [
        (-1.0, 0.0, -INF, 0.0), (1.0, INF, INF, math.pi / 2), (1.0, NAN, NAN, NAN), (-INF, 1.0, INF, math.pi), (INF, 1.0, INF, 0.0),
        (-INF, INF, INF, 3 * math.pi / 4), (INF, INF, INF, math.pi / 4), (INF, NAN, INF, NAN), (-INF, NAN, INF, NAN),
        (NAN, 1.0, NAN, NAN), (NAN, INF, INF, NAN), (NAN, NAN, NAN, NAN), (0.0, 0.0, 0.0, 0.0),
    ],
    "tanh": [
        (0.0, 0.0, 0.0, 0.0), (1.0, INF, NAN, NAN), (1.0, NAN, NAN, NAN), (INF, 1.0, 1.0, 0.0), (INF, 2.0, 1.0, 0.0),
        (INF, INF, 1.0, None), (INF, NAN, 1.0, None), (NAN, 0.0, NAN, 0.0), (NAN, 1.0, NAN, NAN), (NAN, NAN, NAN, NAN),
    ],
    "acosh": [
        (0.0, 0.0, 0.0, math.pi / 2), (1.0, INF, INF, math.pi / 2), (1.0, NAN, NAN, NAN), (0.0, NAN, NAN, math.pi / 2),
        (-INF, 1.0, INF, math.pi), (INF, 1.0, INF, 0.0), (INF, INF, INF, math.pi / 4), (INF, NAN, INF, NAN), (NAN, INF, INF, NAN),
    ],
    "sign": [
        (0.0, -0.0, 0.0, 0.0), (-0.0, 0.0, 0.0, 0.0), (NAN, 1.0, NAN, NAN), (1.0, NAN, NAN, NAN), (3.0, 4.0, 0.6, 0.8),
    ],
}  # fmt: skip
SPECIAL_ROWS = [(name, *row) for name, rows in SPECIAL_VALUES.items() for row in rows]


@pytest.mark.parametrize("dtype", COMPLEXES)
@pytest.mark.parametrize(("name", "a", "b", "real", "imag"), SPECIAL_ROWS)
def test_special_values(name, a, b, real, imag, dtype):
    z = np.array([complex(a, b)], dtype)
    got = quiet(OVERRIDES[name], z)
    assert got.dtype == dtype
    for part, expected in ((got.real[0], real), (got.imag[0], imag)):
        if expected is None:
            assert part == 0 or math.isinf(part)
        elif expected in (0, INF, -INF) or expected != expected:
            assert same(float(part), expected)
        else:
            assert part == pytest.approx(expected, rel=float(np.finfo(dtype).eps))
    if name != "sign":
        mirrored = quiet(OVERRIDES[name], z.conj()).conj()
        assert real is None or same(float(got.real[0]), float(mirrored.real[0]))
        assert imag is None or b != b or same(float(got.imag[0]), float(mirrored.imag[0]))


def test_tanh_is_odd_at_infinity():
    got = quiet(standard.tanh, np.array([complex(-INF, 2), complex(-INF, -2), complex(INF, -2)]))
    assert [(z.real, math.copysign(1, z.imag), z.imag) for z in got] == [(-1, 1, 0), (-1, -1, 0), (1, -1, 0)]


@given(arguments, st.sampled_from(["tanh", "acosh"]))
def test_elsewhere_numpys(z, name):
    numpy = {"tanh": np.tanh, "acosh": np.arccosh}[name]
    assert np.array_equal(quiet(OVERRIDES[name], z), quiet(numpy, z), equal_nan=True)


@pytest.mark.parametrize("dtype", COMPLEXES)
@given(st.data())
def test_sign_has_modulus_one(dtype, data):
    z = data.draw(hnp.from_dtype(np.dtype(dtype), allow_infinity=False, allow_nan=False))
    got = standard.sign(z)
    assert got.dtype == dtype
    if z == 0:
        assert got == 0
        return
    with decimal.localcontext(CONTEXT):
        x, y = Decimal(float(z.real)), Decimal(float(z.imag))
        modulus = (x * x + y * y).sqrt()
        expected = float(x / modulus), float(y / modulus)
    unit, least = np.finfo(dtype).eps, np.finfo(dtype).smallest_subnormal
    for part, value in zip((got.real, got.imag), expected, strict=True):  # hypot and the quotient, each rounded
        assert abs(float(part) - value) <= 2 * unit * abs(value) + least


@pytest.mark.parametrize("name", ["expm1", "log1p", "tanh", "acosh", "sign"])
def test_complex_functions_are_called_like_ufuncs(name):
    function = OVERRIDES[name]
    numpy = {"acosh": np.arccosh}.get(name, getattr(np, name, None))
    z = np.array([[1 + 1j, 2 - 1j], [0.5j, 3 + 0j]])
    expected = function(z)
    assert np.allclose(expected, numpy(z), rtol=1e-14)
    assert type(function(z[0, 0])) is np.complex128
    assert function(1 + 1j) == expected[0, 0]
    assert np.array_equal(function(z.T[::-1]), expected.T[::-1])
    out = np.zeros((2, 2), complex)
    assert function(z, out=(out,), where=[True, False]) is out
    assert np.array_equal(out, [[expected[0, 0], 0], [expected[1, 0], 0]])
    copy = z.copy()
    function(copy, copy)
    assert np.array_equal(copy, expected)
    assert function(z, dtype=np.complex64, casting="same_kind").dtype == np.complex64
    assert function(np.float32(2), dtype=complex).dtype == np.complex128
    with pytest.raises(TypeError):
        function(z, np.zeros((2, 2)))
    x = np.array([1.5, 2.5], np.float32)
    assert np.array_equal(function(x), numpy(x))
    assert function(x).dtype == np.float32
    assert type(function(1.5)) is np.float64
    assert np.array_equal(function(x, dtype=np.float64, out=np.empty(2)), numpy(x, dtype=np.float64))
    assert function(np.zeros((0, 2), complex)).shape == (0, 2)


def test_sign_scales_extreme_elements_alone():
    z = np.array([1.5e308 + 1.5e308j, complex(INF, 1), 5e-324j, complex(0.0, -0.0), 3 + 4j])
    assert np.array_equal(standard.sign(z)[1:], np.sign(z[1:]))


def test_complex_functions_warn_of_nothing_spurious():
    assert np.isfinite(standard.expm1(complex(709, 1.5)))
    assert standard.sign(1.5e308 + 1.5e308j).real > 0.7
    assert standard.log1p(1e308 + 1e308j).real > 709
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        standard.log1p(-1 + 0j)
    with pytest.warns(RuntimeWarning, match="overflow"):
        standard.expm1(800 + 1j)
