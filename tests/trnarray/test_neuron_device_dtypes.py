"""Dtypes on a simulated NeuronCore: 32-bit defaults, and float64 from explicit float64 operands only."""

import itertools

import numpy as np
import pytest

import trnarray as xp

DEVICES = ["sim:trn1", "sim:trn2", "sim:trn3"]
DEFAULTS = {"real floating": "float32", "complex floating": "complex64", "integral": "int32", "indexing": "int32"}


@pytest.fixture(autouse=True)
def fallbacks():
    with xp.config(fallback="allow"):
        yield


@pytest.mark.parametrize("device", DEVICES)
def test_namespace_info(device):
    info = xp.__array_namespace_info__()
    assert info.default_dtypes(device=device) == DEFAULTS
    assert info.default_dtypes(device="cpu")["integral"] == "int64"
    assert {"float64", "int64", "complex128", "uint64"} <= info.dtypes(device=device).keys()
    with xp.default_device(device):
        assert info.default_dtypes() == DEFAULTS
        assert info.default_device() == device
    assert device in info.devices()


CREATED = {
    "zeros": (lambda: xp.zeros(2), "float32"),
    "ones": (lambda: xp.ones(2), "float32"),
    "empty": (lambda: xp.empty(2), "float32"),
    "ndarray": (lambda: xp.ndarray((2,)), "float32"),
    "eye": (lambda: xp.eye(2), "float32"),
    "tri": (lambda: xp.tri(2), "float32"),
    "hanning": (lambda: xp.hanning(4), "float32"),
    "linspace": (lambda: xp.linspace(0, 1, 3), "float32"),
    "arange": (lambda: xp.arange(3), "int32"),
    "arange of floats": (lambda: xp.arange(3.0), "float32"),
    "full": (lambda: xp.full(2, 1j), "complex64"),
    "full of bools": (lambda: xp.full(2, True), "bool"),
    "asarray": (lambda: xp.asarray([1, 2.0]), "float32"),
    "asarray of complex": (lambda: xp.asarray(1j), "complex64"),
    "nonzero": (lambda: xp.nonzero(xp.asarray([0, 1]))[0], "int32"),
    "argmax": (lambda: xp.argmax(xp.asarray([0, 1])), "int32"),
    "mask_indices": (lambda: xp.mask_indices(2, xp.triu)[0], "int32"),
    "random": (lambda: xp.random.default_rng(1).random(4), "float32"),
    "integers": (lambda: xp.random.default_rng(1).integers(0, 5, 3), "int32"),
}


@pytest.mark.parametrize("name", CREATED)
def test_defaults_of_creation(name):
    create, dtype = CREATED[name]
    with xp.default_device("sim:trn2"):
        x = create()
    assert (x.device, x.dtype) == ("sim:trn2", dtype)


@pytest.mark.parametrize("device", DEVICES)
def test_creation_on_a_named_device(device):
    model = xp.ones(2, dtype=xp.float32, device="cpu")
    for x in (xp.zeros(3, device=device), xp.zeros_like(model, device=device), np.zeros(3, like=xp.ones(1, device=device))):
        assert (x.device, x.dtype) == (device, "float32")


def on_device(dtype):
    return xp.asarray([1, 2], dtype=dtype, device="sim:trn2")


PROMOTED = [
    (lambda: on_device("int32") + on_device("float32"), "float32"),
    (lambda: on_device("int32") + on_device("float16"), "float16"),
    (lambda: on_device("int64") + on_device("bfloat16"), "bfloat16"),
    (lambda: on_device("int32") + on_device("float64"), "float64"),
    (lambda: on_device("float32") + on_device("float64"), "float64"),
    (lambda: on_device("int64") + on_device("int32"), "int64"),
    (lambda: on_device("int64") + on_device("uint64"), "float32"),
    (lambda: on_device("int32") * 1.5, "float32"),
    (lambda: on_device("float32") * 2j, "complex64"),
    (lambda: on_device("int32") / 2, "float32"),
    (lambda: np.float64(2) * on_device("float32"), "float64"),
    (lambda: np.int64(2) * on_device("float32"), "float32"),
    (lambda: xp.sin(on_device("int32")), "float32"),
    (lambda: xp.arccosh(on_device("uint8")), "float32"),
    (lambda: xp.angle(on_device("uint8")), "float32"),
    (lambda: xp.float_power(on_device("int32"), on_device("int32")), "float32"),
    (lambda: xp.float_power(on_device("int32"), on_device("float64")), "float64"),
    (lambda: xp.ldexp(on_device("int32"), on_device("int32")), "float32"),
    (lambda: xp.mean(on_device("int32")), "float32"),
    (lambda: xp.std(on_device("float16")), "float16"),
    (lambda: xp.sum(on_device("int8")), "int32"),
    (lambda: xp.sum(on_device("int64")), "int64"),
    (lambda: xp.cumsum(on_device("uint8")), "uint32"),
    (lambda: xp.median(on_device("int32")), "float32"),
    (lambda: xp.fft.fft(on_device("float32")), "complex64"),
    (lambda: xp.fft.fft(on_device("float64")), "complex128"),
    (lambda: xp.histogram(on_device("float32"))[1], "float32"),
]


@pytest.mark.parametrize(("compute", "dtype"), PROMOTED)
def test_promotion(compute, dtype):
    x = compute()
    assert (x.device, x.dtype) == ("sim:trn2", dtype)


def test_result_type_is_the_devices():
    i, f = on_device("int32"), on_device("float32")
    assert xp.result_type(i, f) == xp.result_type(i, 1.0) == np.float32
    assert xp.result_type(i, on_device("float64")) == np.float64
    assert xp.result_type(xp.ones(1, dtype=xp.int32), xp.ones(1, dtype=xp.float32)) == np.float64  # NumPy's, on the host
    assert (xp.finfo(f).bits, xp.iinfo(i).bits) == (32, 32)


@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("defaults", ["native", "numpy"])
def test_casts_are_allowed_as_in_numpy(defaults, casting):
    """What a cast loses is not a question of the device, though int32 meets float32 in float32 there."""
    with xp.default_device("sim:trn2"), xp.config(defaults=defaults):
        for first, second in itertools.product(map(np.dtype, "?bBhHiIlLefdFD"), repeat=2):
            expected = np.can_cast(first, second, casting)
            assert xp.can_cast(first, second, casting) == xp.can_cast(on_device(first), second, casting) == expected
        for given in ("int8", "bool"):
            product = xp.einsum("i,i->i", on_device(given), on_device(given), dtype=xp.float32, casting="safe")
            joined = xp.concatenate([on_device(given), on_device("float32")], dtype="float32", casting="safe")
            assert product.dtype == joined.dtype == np.float32


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64", "uint64"])
def test_64_bits_are_true_if_any_is_set_but_the_sign_of_zero(dtype):
    """Denormals have their bits in the low word alone."""
    numbers = np.array([0, 1, -1, 2.0**-1043, 2.0**-1074, -(2.0**-1043), -0.0, np.nan, -np.inf, 2.0**31, 2.0**32, 2.0**33 + 1, 2.0**62])
    if dtype == "complex128":
        numbers = np.stack(np.meshgrid(numbers, numbers), -1).view(dtype).ravel()
    elif dtype != "float64":
        numbers = numbers[np.isfinite(numbers)].astype(np.int64).view(dtype)
    with xp.config(fallback="error"):
        truth = xp.astype(xp.asarray(numbers, device="sim:trn2"), xp.bool)
    np.testing.assert_array_equal(truth.tolist(), numbers.astype(bool))


def test_short_integers_are_computed_in_float32():
    got = xp.arccosh(xp.asarray([95], dtype=xp.uint8, device="sim:trn2"))
    np.testing.assert_allclose(got.item(), np.arccosh(95.0), rtol=4 * 2.0**-24)  # NumPy's loop for uint8 is of float16


@pytest.mark.parametrize("dtype", ["float32", "float8_e8m0fnu", "complex128", "bool"])
def test_what_is_empty_can_be_read(dtype):
    x = xp.empty((2, 3), dtype=dtype, device="sim:trn2")
    x[0] = 1
    assert x.to_device("cpu").shape == (2, 3)
    assert x[0].tolist() == [1, 1, 1]
