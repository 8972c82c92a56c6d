"""Fourier transforms against their definition: a matrix of roots of unity, in float64, with angles reduced in integers.

Tolerances are multiples of u log2(n) times the norm of the data, u the unit roundoff of the computing dtype: the error bound of
the fast transform has that form (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, theorem 24.2), and 10
covers its constant and the rounding of the twiddles.
"""

import inspect
import os
import pickle
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trnarray as xp
from trnarray.backends.host import workers

FACTOR = 10
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = ("fft2", "ifft2", "fftn", "ifftn", "rfft2", "irfft2", "rfftn", "irfftn")
DTYPES = ("float32", "float64", "complex64", "complex128", "int64", "bool", "float16", "bfloat16")
REAL_ONLY = {"rfft", "ihfft", "rfft2", "rfftn"}
NORMS = (None, "backward", "ortho", "forward")
U = {"float32": 2.0**-24, "complex64": 2.0**-24, "float16": 2.0**-24, "bfloat16": 2.0**-24}  # else float64's


def host(x):
    return np.asarray(x)


def data(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(shape) * 4
    if dtype.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(dtype)


def fit(x, n, axis):
    """Cut an axis to length n, or fill it up with zeros."""
    x = np.moveaxis(x, axis, -1)[..., :n]
    return np.moveaxis(np.concatenate([x, np.zeros((*x.shape[:-1], n - x.shape[-1]), x.dtype)], -1), -1, axis)


def dft(x, axis, sign, norm, inverse):
    """The definition: with the roots of unity to the power jk mod n."""
    n = x.shape[axis]
    j = np.arange(n)
    roots = np.exp(sign * 2j * np.pi * (j[:, None] * j % n) / n)
    scale = {"backward": 1 / n if inverse else 1, "ortho": n**-0.5, "forward": 1 if inverse else 1 / n}[norm or "backward"]
    return np.moveaxis(np.moveaxis(x, axis, -1) @ roots, -1, axis) * scale


def hermitian(x, n, axis):
    """Continue an axis of n // 2 + 1 frequencies of real data to all n."""
    x = np.moveaxis(fit(x, n // 2 + 1, axis), axis, -1).copy()
    x[..., 0] = x[..., 0].real
    if n % 2 == 0:
        x[..., -1] = x[..., -1].real
    return np.moveaxis(np.concatenate([x, np.conj(x[..., (n - 1) // 2 : 0 : -1])], -1), -1, axis)


def reference(name, x, lengths, axes, norm):
    """Every transform, in complex128, along several axes."""
    x = x.astype(np.complex128)
    kind = name.rstrip("n2")
    inverse = kind in ("ifft", "irfft", "ihfft")
    sign = 1 if inverse else -1
    *others, last = zip(axes, lengths, strict=True)
    for axis, n in others:
        x = dft(fit(x, n, axis), axis, sign, norm, inverse)
    axis, n = last
    if kind in ("irfft", "hfft"):
        return dft(hermitian(x, n, axis), axis, sign, norm, inverse).real
    x = dft(fit(x, n, axis), axis, sign, norm, inverse)
    return fit(x, n // 2 + 1, axis) if kind in ("rfft", "ihfft") else x


def result_dtype(name, dtype):
    real = name.rstrip("n2") in ("irfft", "hfft")
    if dtype in ("float16", "bfloat16"):
        return np.dtype(dtype) if real else np.dtype("complex64")
    single = dtype in ("float32", "complex64")
    return np.dtype(("float32" if single else "float64") if real else ("complex64" if single else "complex128"))


def check(found, expected, name, dtype, x, norm):
    assert isinstance(found, xp.Array)
    assert found.dtype == result_dtype(name, dtype)
    assert found.shape == expected.shape
    points = max(expected.size, x.size, 2)
    size = np.linalg.norm(x.astype(np.complex128)) * (1 if norm in ("ortho", "forward") or "i" in name else points**0.5)
    size *= points if norm == "forward" and "i" in name else 1
    atol = FACTOR * U.get(dtype, 2.0**-53) * np.log2(points) * size
    rtol = {"float16": 2.0**-11, "bfloat16": 2.0**-8}.get(found.dtype.name, 0)
    np.testing.assert_allclose(host(found).astype(np.complex128), expected, rtol=rtol, atol=atol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ONE)
def test_along_one_axis(name, norm, dtype):
    if name in REAL_ONLY and dtype.startswith("complex"):
        with pytest.raises(TypeError):
            getattr(xp.fft, name)(xp.ones(4, dtype=dtype))
        return
    for shape, axis in (((1,), 0), ((2,), 0), ((12,), -1), ((13,), 0), ((5, 4), 0), ((3, 7, 2), 1)):
        x = data(shape, dtype)
        m = shape[axis]
        for n in (None, 1, 2, m - 1 or 1, m + 3, 16):
            default = max(2 * (m - 1), 1) if name in ("irfft", "hfft") else m
            if n is None and m == 1 and name in ("irfft", "hfft"):
                continue  # of length 0, which is refused
            found = getattr(xp.fft, name)(xp.asarray(x), n, axis=axis, norm=norm)
            check(found, reference(name, x, [n or default], [axis], norm), name, dtype, x, norm)


@pytest.mark.parametrize("dtype", ["float32", "complex64", "complex128", "bfloat16"])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", SEVERAL)
def test_along_several_axes(name, norm, dtype):
    if name in REAL_ONLY and dtype.startswith("complex"):
        return
    x = data((3, 4, 6), dtype)
    two = name.endswith("2")
    real = name.startswith("ir")
    for s, axes in ((None, None), (None, (0, 2)), (None, (-1, 0)), ((5, 3), (1, 2)), ((2, 8), (2, 0)), ((-1, 5), (1, 2))):
        where = axes if axes is not None else ((1, 2) if two else (0, 1, 2))
        lengths = list(s or [x.shape[axis] for axis in where])
        lengths = [x.shape[axis] if n == -1 else n for n, axis in zip(lengths, where, strict=True)]
        if s is None and real:
            lengths[-1] = 2 * (lengths[-1] - 1)
        kwargs = {} if axes is None else {"axes": axes}
        found = getattr(xp.fft, name)(xp.asarray(x), s, norm=norm, **kwargs)
        check(found, reference(name, x, lengths, where, norm), name, dtype, x, norm)


@given(st.integers(1, 300), st.sampled_from(["float32", "float64"]))
def test_inverses(n, dtype):
    x = data((n,), dtype)
    scale = FACTOR * U.get(dtype, 2.0**-53) * max(np.log2(n), 1) * np.linalg.norm(x)
    for forward, inverse in (("fft", "ifft"), ("rfft", "irfft"), ("ihfft", "hfft")):
        spectrum = getattr(xp.fft, forward)(xp.asarray(x))
        back = getattr(xp.fft, inverse)(spectrum, n=n)
        np.testing.assert_allclose(host(back), x, rtol=0, atol=scale)


def parameters(function):
    return [(p.name, p.kind, p.default) for p in inspect.signature(function).parameters.values()]


@pytest.mark.parametrize("name", np.fft.__all__)
def test_signatures_are_numpys(name):
    ours, numpys = parameters(getattr(xp.fft, name)), parameters(getattr(np.fft, name))
    assert ours[: len(numpys)] == numpys
    more = [] if name.endswith("shift") else ["dtype"] if name.endswith("freq") else ["precision", "target_forward_error", "return_info"]
    assert [p[0] for p in ours[len(numpys) :]] == more


@pytest.mark.parametrize("device", ["cpu", "sim:trn2"])
@pytest.mark.parametrize(("name", "options"), [("fft", {"n": 20}), ("irfft", {}), ("rfftn", {"s": (4, 9), "axes": (0, 1)})])
def test_precision_of_a_call(device, name, options):
    x = data((6, 8), "float32")
    function, wanted = getattr(xp.fft, name), getattr(np.fft, name)(x.astype(np.float64), **options)
    low = "float32" if device == "cpu" else "bfloat16"
    for chosen, rung in (
        ({"precision": "bfloat16"}, low), ({}, "float32"), ({"precision": "float64"}, "float32-exact"),
        ({"target_forward_error": 0.05}, low), ({"target_forward_error": 7e-8}, "float32-exact"),
    ):  # fmt: skip
        if device == "cpu" and "target_forward_error" in chosen:
            continue  # NumPy's transforms are what they are
        found, info = function(xp.asarray(x, device=device), **options, **chosen, return_info=True)
        assert (info.rung, found.dtype.itemsize) == (rung, 8 if found.dtype.kind == "c" else 4)
        error = np.linalg.norm(host(found.to_device("cpu")) - wanted) / np.linalg.norm(wanted)
        assert error <= info.bound <= {"bfloat16": 0.05, "float32": 2e-5, "float32-exact": 6.1e-8}[rung]
    plain = function(xp.asarray(x, device=device), **options)
    assert host(plain.to_device("cpu")).dtype.itemsize == found.dtype.itemsize
    with pytest.raises(ValueError, match="precision"):
        function(xp.asarray(x, device=device), precision="float16")


def test_errors_that_no_transform_meets():
    with pytest.raises(xp.PrecisionError, match="give float64 operands"):
        xp.fft.fft(xp.ones(8, dtype=xp.float32, device="sim:trn2"), target_forward_error=1e-9)


@pytest.mark.parametrize("name", ONE + SEVERAL)
def test_transforms_have_their_names(name):
    function = getattr(xp.fft, name)
    assert function.__name__ == function.__qualname__ == name
    assert pickle.loads(pickle.dumps(function)) is function


@pytest.mark.parametrize(
    ("name", "device"), [*((name, "cpu") for name in ONE + SEVERAL), *((name, "sim:trn2") for name in ("hfft", "fft2", "rfftn"))]
)
def test_out(name, device):
    function, back = getattr(xp.fft, name), lambda x: host(x.to_device("cpu"))
    with xp.default_device(device), xp.config(fallback="error"):
        x = xp.asarray(data((4, 6), "float64"))
        expected = function(x)
        out = xp.zeros(expected.shape, dtype=expected.dtype)
        assert function(x, out=out) is out
        assert back(out).tobytes() == back(expected).tobytes()
        wide = xp.zeros((expected.shape[0], 2 * expected.shape[1]), dtype=expected.dtype)[:, ::2]
        assert function(x, out=wide) is wide
        np.testing.assert_array_equal(back(wide), back(expected))
        with pytest.raises(ValueError, match="wrong shape"):  # which is looked at before the dtype
            function(x, out=xp.zeros((1, 1), dtype="int64"))
        with pytest.raises(TypeError):
            function(x, out=xp.zeros(expected.shape, dtype="int64"))
    with pytest.raises(TypeError, match="out must be an Array"):
        function(x, out="")


def test_lengths_that_numpy_has_deprecated():
    x = data((4, 6), "float64")
    for s, axes, words in (((3, None), (0, 1), "array containing `None` values to `s`"), ((-1, 3), None, "`axes` should not be `None`")):
        with pytest.warns(DeprecationWarning, match=words):
            wanted = np.fft.irfftn(x, s, axes)
        with pytest.warns(DeprecationWarning, match=words) as warned:
            found = np.fft.irfftn(xp.asarray(x, device="sim:trn2"), s, axes)
        assert found.shape == wanted.shape
        assert {each.filename for each in warned} == {__file__}


def test_out_may_be_the_operand():
    x = xp.asarray(data((8,), "complex128"))
    expected = host(xp.fft.fft(x))
    assert xp.fft.fft(x, out=x) is x
    np.testing.assert_array_equal(host(x), expected)


@pytest.mark.parametrize("name", SEVERAL)
def test_an_axis_given_twice_is_transformed_twice(name):
    x = data((4, 5), "float64")
    function = getattr(xp.fft, name)
    kind = name[:-1]
    for axes in ((0, 0), (1, -1)):
        if kind == "rfft":  # the real transform comes first, and then the complex one
            expected = xp.fft.fft(xp.fft.rfft(x, axis=axes[-1]), x.shape[axes[0]], axis=axes[0])
        elif kind == "irfft":
            expected = xp.fft.irfft(xp.fft.ifft(x, axis=axes[0]), 2 * (x.shape[axes[0]] - 1), axis=axes[1])
        else:
            expected = getattr(xp.fft, kind)(getattr(xp.fft, kind)(x, axis=axes[0]), axis=axes[1])
        np.testing.assert_allclose(host(function(xp.asarray(x), axes=axes)), host(expected), atol=1e-12)


def test_numpys_deprecated_lengths_still_work():
    x = xp.asarray(data((3, 4), "float64"))
    with pytest.warns(DeprecationWarning, match="`axes` should not be `None`"):
        found = xp.fft.fftn(x, s=(2,))
    np.testing.assert_allclose(host(found), np.fft.fft(host(x), 2), atol=1e-14)
    with pytest.warns(DeprecationWarning, match="containing `None`"):
        assert xp.fft.fftn(x, s=(None, 2), axes=(0, 1)).shape == (3, 2)


@pytest.mark.parametrize("name", ONE + SEVERAL)
def test_bad_arguments(name):
    function = getattr(xp.fft, name)
    with pytest.raises(ValueError, match="norm"):
        function(xp.ones((2, 2)), norm="backwards")
    with pytest.raises(ValueError, match="data points"):
        function(xp.ones((2, 0)))
    with pytest.raises(TypeError, match="foreign"):
        function(np.ma.ones((2, 2)))
    length = {"n": 0} if name in ONE else {"s": (0, 2), "axes": (0, 1)}
    with pytest.raises(ValueError, match="data points"):
        function(xp.ones((2, 2)), **length)


@pytest.mark.parametrize("name", ["irfft", "hfft", "irfft2", "irfftn"])
def test_one_frequency_is_no_real_data_unless_the_length_says_so(name):
    with pytest.raises(ValueError, match="data points"):
        getattr(xp.fft, name)(xp.ones((4, 1)))
    assert getattr(xp.fft, name)(xp.ones((1, 4))).shape[-1] == 6
    length = {"n": 1} if name in ONE else {"s": (4, 1), "axes": (0, 1)}
    assert getattr(xp.fft, name)(xp.ones((4, 1)), **length).shape == (4, 1)


def test_no_elements_in_other_axes():
    assert xp.fft.fft(xp.zeros((0, 4))).shape == (0, 4)
    assert xp.fft.rfftn(xp.zeros((0, 4)), axes=(1,)).shape == (0, 3)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("d", [1.0, 0.3])
def test_frequencies(n, d):
    two_sided = [(k if k < (n + 1) // 2 else k - n) / (n * d) for k in range(n)]
    one_sided = [k / (n * d) for k in range(n // 2 + 1)]
    for function, exact in ((xp.fft.fftfreq, two_sided), (xp.fft.rfftfreq, one_sided)):
        found = function(n, d=d)
        assert found.dtype == xp.float64
        np.testing.assert_allclose(host(found), exact, rtol=4 * 2.0**-53)
        for dtype in (xp.float32, xp.bfloat16, xp.float16):
            single = function(n, d, dtype=dtype, device="cpu")
            assert single.dtype == dtype
            np.testing.assert_array_equal(host(single), host(found).astype(np.float32).astype(host(single).dtype))
    with pytest.raises(TypeError, match="float32"):
        xp.fft.fftfreq(4, dtype=xp.int64)
    with pytest.raises(ValueError, match="device"):
        xp.fft.fftfreq(4, device="gpu")


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.data())
def test_shifts_roll_by_half(shape, draw):
    axes = draw.draw(st.one_of(st.none(), st.lists(st.integers(0, len(shape) - 1), unique=True)))
    x = np.arange(np.prod(shape)).reshape(shape)
    expected = x
    for axis in range(len(shape)) if axes is None else axes:
        n = shape[axis]
        order = [(k + (n + 1) // 2) % n for k in range(n)]
        expected = np.take(expected, order, axis)
    kwargs = {} if axes is None else {"axes": tuple(axes)}
    shifted = xp.fft.fftshift(xp.asarray(x), **kwargs)
    np.testing.assert_array_equal(host(shifted), expected)
    np.testing.assert_array_equal(host(xp.fft.ifftshift(shifted, **kwargs)), x)


def test_shifts_keep_low_precision():
    for dtype in (xp.bfloat16, xp.float16):
        assert xp.fft.fftshift(xp.ones(3, dtype=dtype)).dtype == dtype


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity masks")
def test_cpus_are_those_of_the_affinity_mask():
    everything = os.sched_getaffinity(0)
    assert workers.available_cpus() == len(everything)
    try:
        os.sched_setaffinity(0, {min(everything)})
        assert workers.available_cpus() == 1
    finally:
        os.sched_setaffinity(0, everything)


@pytest.mark.parametrize(
    ("shape", "lengths", "axes", "size"),
    [((8, 9), None, -1, 72), ((8, 9), 4, -1, 32), ((8, 9), 4, 0, 36), ((8, 9), (3, -1), (0, 1), 27), ((8, 9), (3,), None, 24),
     ((8, 9), (2, 2), None, 4), ((), None, -1, 1)],
)  # fmt: skip
def test_large_is_what_has_many_elements_after_filling_up(shape, lengths, axes, size, monkeypatch):
    monkeypatch.setattr(workers, "_chosen_by_user", lambda: False)
    monkeypatch.setattr(workers, "available_cpus", lambda: 7)
    monkeypatch.setattr(workers, "THRESHOLD", size)
    assert workers.default_workers(np.zeros(shape), lengths, axes) == 7
    monkeypatch.setattr(workers, "THRESHOLD", size + 1)
    assert workers.default_workers(np.zeros(shape), lengths, axes) is None


def test_threads_change_nothing(monkeypatch):
    x = data((512, 300), "float32")
    assert x.size >= workers.THRESHOLD
    monkeypatch.setattr(workers, "_chosen_by_user", lambda: False)
    found = {}
    for count in (1, 2, 5):
        monkeypatch.setattr(workers, "available_cpus", lambda count=count: count)
        found[count] = [host(getattr(xp.fft, name)(xp.asarray(x))).tobytes() for name in ("fft", "rfftn", "fft2")]
    assert found[1] == found[2] == found[5]


@pytest.mark.parametrize("name", ONE + SEVERAL)
def test_a_wide_out_widens_the_computation(name):
    x = data((4, 6), "float32")
    function = getattr(xp.fft, name)
    expected = getattr(np.fft, name)(x.astype(np.float64))
    out = xp.zeros(expected.shape, dtype=expected.dtype)
    function(xp.asarray(x), out=out)
    np.testing.assert_allclose(host(out), expected, rtol=0, atol=16 * np.finfo(np.float64).eps * np.abs(expected).max())


def test_no_transform_of_numpys_imports_scipy():
    """The first one took as long as the import of 170 modules."""
    code = f"""
import sys, trnarray as xp
for device in ("cpu", "sim:trn2"):
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=xp.float32, device=device)
    for name in {ONE + SEVERAL}:
        getattr(xp.fft, name)(x)
print([name for name in sys.modules if name.partition(".")[0] == "scipy"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
