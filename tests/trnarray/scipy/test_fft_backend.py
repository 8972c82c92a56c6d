"""trnarray.scipy.fft as scipy.fft's backend: its 28 transforms against SciPy's on the same ndarrays, and who dispatches where.

Both sides run the same SciPy code, so that values are equal to the bit; test_fft.py holds them against the definition, and
here fht and the sine and cosine transforms are held against theirs.
"""

import contextlib
import inspect
import threading

import ml_dtypes
import numpy as np
import pytest
import scipy.fft

import trnarray as xp
from trnarray.backends.host import fft as host_fft
from trnarray.backends.host import workers
from trnarray.backends.op import get_op
from trnarray.backends.ops.fft import TRANSFORMS

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BACKEND = xp.scipy.fft
ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
SEVERAL = tuple(f"{name}{end}" for name in ONE for end in "2n")
REAL_ONE, REAL_SEVERAL = ("dct", "idct", "dst", "idst"), ("dctn", "idctn", "dstn", "idstn")
HANKEL = ("fht", "ifht")
OURS = ("offload", "OffloadTimes")
NAMES = ONE + SEVERAL + REAL_ONE + REAL_SEVERAL + HANKEL
NORMS = ("backward", "ortho", "forward")
DTYPES = ("float32", "float64", "complex64", "complex128", "int32", "bool")
REAL_INPUT = {name for name in NAMES if name.startswith(("rfft", "ihfft"))} | set(HANKEL)


def host(x):
    return np.asarray(x)


def data(shape, dtype="float64"):
    rng = np.random.default_rng(3)
    x = rng.standard_normal(shape) * 4
    return (x + 1j * rng.standard_normal(shape) if dtype.startswith("complex") else x).astype(dtype)


def calls(name):
    """Arguments of every kind: positional and by keyword, lengths, axes, types, threads, memory that may be used."""
    if name in HANKEL:
        return [((0.1, 0.5), {}), ((0.1, 0.5), {"offset": 0.2, "bias": 0.1})]
    for_all = [((), {}), *[((), {"norm": norm}) for norm in NORMS], ((), {"workers": 2}), ((), {"overwrite_x": True})]
    if name in ONE:
        own = [((5,), {}), ((7, 0, "ortho"), {}), ((), {"n": 3, "axis": 0}), ((None, 1, None, False, 1), {})]
    elif name in SEVERAL:
        own = [((5, 4),), {"axes": (0, 1)}], [(), {"axes": (1, 0)}], [(), {"s": (3, -1), "axes": (1, 2)}], [((3, 8),), {}]
    elif name in REAL_ONE:
        own = [((3, 5), {}), ((), {"type": 4, "axis": 0}), ((1, None, 1, "ortho"), {"orthogonalize": False})]
    else:
        own = [((3, (5, 4)), {}), ((), {"type": 4, "axes": (1, 0)}), ((), {"norm": "ortho", "orthogonalize": False})]
    return [*for_all, *own]


def minimal(name):
    return calls(name)[0][0]


def test_there_are_28_transforms_and_all_of_scipys_namespace():
    assert set(NAMES) == set(TRANSFORMS)
    backend_control = {"set_backend", "skip_backend", "set_global_backend", "register_backend"}
    assert set(scipy.fft.__all__) - backend_control == set(BACKEND.__all__) - ({"prev_fast_len", *OURS} - set(scipy.fft.__all__))


@pytest.mark.parametrize("name", BACKEND.__all__)
def test_signature_is_scipys(name):
    if not hasattr(scipy.fft, name):
        pytest.skip("this SciPy does not have it")
    ours, scipys = (inspect.signature(getattr(module, name)).parameters for module in (BACKEND, scipy.fft))
    missing = {"xp", "device"} - set(scipys)  # which old SciPys lack
    assert [(p.name, p.default) for p in ours.values() if p.name not in missing] == [(p.name, p.default) for p in scipys.values()]
    for parameter in scipys.values():
        assert ours[parameter.name].kind in (parameter.kind, parameter.POSITIONAL_OR_KEYWORD)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", NAMES)
def test_values_are_scipys(name, dtype):
    if dtype.startswith("complex") and name in REAL_INPUT:
        with pytest.raises(TypeError):
            getattr(scipy.fft, name)(xp.ones((4, 4), dtype=dtype), *minimal(name))
        return
    x = data((4, 6, 5), dtype)
    for args, kwargs in calls(name):
        expected = getattr(scipy.fft, name)(x.copy(), *args, **kwargs)
        for function in (getattr(scipy.fft, name), getattr(BACKEND, name)):
            found = function(xp.asarray(x.copy()), *args, **kwargs)
            assert type(found) is xp.Array
            assert found.dtype == expected.dtype
            assert (found.shape, host(found).tobytes()) == (expected.shape, expected.tobytes()), (args, kwargs)


@pytest.mark.parametrize("dtype", ["float16", BFLOAT16])
@pytest.mark.parametrize("name", NAMES)
def test_low_precision_is_float32_rounded_once(name, dtype):
    x = data((4, 6), "float32").astype(dtype)
    arguments = minimal(name)
    wide = getattr(scipy.fft, name)(x.astype(np.float32), *arguments)
    found = getattr(scipy.fft, name)(xp.asarray(x), *arguments)
    assert found.dtype == (wide.dtype if wide.dtype.kind == "c" else dtype)
    np.testing.assert_array_equal(host(found), wide.astype(found.dtype))


def cosines(type_, n):
    """The matrices of the cosine and the sine transform, from their definitions in SciPy's manual."""
    k, j = np.arange(n)[:, None], np.arange(n)
    if type_ == 1:
        ends = np.where((j == 0) | (j == n - 1), 1, 2)
        return ends * np.cos(np.pi * k * j / (n - 1)), 2 * np.sin(np.pi * (k + 1) * (j + 1) / (n + 1))
    if type_ == 2:
        return 2 * np.cos(np.pi * k * (2 * j + 1) / (2 * n)), 2 * np.sin(np.pi * (k + 1) * (2 * j + 1) / (2 * n))
    if type_ == 3:
        first, last = np.where(j == 0, 1, 2), np.where(j == n - 1, 1, 2)
        signs = np.where(j == n - 1, (-1.0) ** k, 1) * last
        return first * np.cos(np.pi * (2 * k + 1) * j / (2 * n)), np.where(
            j == n - 1, signs, 2 * np.sin(np.pi * (2 * k + 1) * (j + 1) / (2 * n))
        )
    angle = np.pi * (2 * k + 1) * (2 * j + 1) / (4 * n)
    return 2 * np.cos(angle), 2 * np.sin(angle)


@pytest.mark.parametrize("type_", [1, 2, 3, 4])
@pytest.mark.parametrize("n", [2, 5, 8, 13])
def test_cosine_and_sine_transforms_are_their_definition(type_, n):
    x = data((3, n))
    tolerance = 10 * 2.0**-53 * np.log2(2 * n) * np.linalg.norm(x) * n**0.5
    for name, matrix in zip(("dct", "dst"), cosines(type_, n), strict=True):
        found = getattr(scipy.fft, name)(xp.asarray(x), type_)
        np.testing.assert_allclose(host(found), x @ matrix.T, rtol=0, atol=tolerance)
        back = getattr(scipy.fft, f"i{name}")(found, type_)
        np.testing.assert_allclose(host(back), x, rtol=0, atol=tolerance)
        both = getattr(scipy.fft, f"{name}n")(xp.asarray(x), type_, axes=(1,))
        np.testing.assert_allclose(host(both), x @ matrix.T, rtol=0, atol=tolerance)


def test_hankel_transform_of_a_function_that_has_one():
    r = np.logspace(-7, 1, 128)
    dln, mu = np.log(r[1] / r[0]), 0.0
    offset = BACKEND.fhtoffset(dln, mu, initial=-6 * np.log(10))
    k = np.exp(offset) / r[::-1]
    found = host(scipy.fft.fht(xp.asarray(r ** (mu + 1) * np.exp(-(r**2) / 2)), dln, mu, offset=offset))
    np.testing.assert_allclose(found, k ** (mu + 1) * np.exp(-(k**2) / 2), atol=1e-6)  # sampling, not rounding, limits it


@pytest.mark.parametrize("real", [False, True])
def test_fast_lengths(real, monkeypatch):
    for target in (1, 2, 11, 13, 17, 97, 1001):
        above, below = BACKEND.next_fast_len(target, real), BACKEND.prev_fast_len(target, real)
        assert below <= target <= above == scipy.fft.next_fast_len(target, real)
        assert scipy.fft.next_fast_len(below, real) == below
        with monkeypatch.context() as patch:
            patch.delattr(scipy.fft, "prev_fast_len", raising=False)
            assert BACKEND.prev_fast_len(target, real) == below


def test_frequencies_and_shifts():
    np.testing.assert_array_equal(host(BACKEND.fftfreq(5, 0.1)), np.fft.fftfreq(5, 0.1))
    np.testing.assert_array_equal(host(BACKEND.rfftfreq(5, d=0.1, device="cpu")), np.fft.rfftfreq(5, 0.1))
    assert type(BACKEND.fftfreq(4)) is xp.Array
    assert type(BACKEND.rfftfreq(4, xp=np)) is np.ndarray
    assert BACKEND.fftshift is xp.fft.fftshift


# Who dispatches where


def test_ndarrays_and_foreign_types_go_to_scipy():
    before = get_op("fft.fft").calls.calls
    for x in (np.ones(4), [1.0, 2.0], np.float32([1, 2]), np.ma.ones(3)):
        assert isinstance(scipy.fft.fft(x), np.ndarray)
    assert get_op("fft.fft").calls.calls == before


def test_every_dispatched_call_is_counted_once():
    op = get_op("fft.rfft")
    before = op.calls.calls
    scipy.fft.rfft(xp.ones(8))
    scipy.fft.rfft(xp.ones(8), norm="ortho")
    scipy.fft.rfft(x=xp.ones(8))
    assert op.calls.calls == before + 3


def test_a_backend_that_coerces_takes_ndarrays_and_sequences():
    with scipy.fft.set_backend(BACKEND, coerce=True):
        for x in (np.ones((2, 4)), [[1.0, 2.0]], ((1.0, 2.0),)):
            for name in NAMES:
                if np.shape(x)[-1] > 2 or name not in HANKEL:
                    assert type(getattr(scipy.fft, name)(x, *minimal(name))) is xp.Array, name
        with pytest.raises(scipy.fft._backend.ua.BackendNotImplementedError):
            scipy.fft.fft(np.ma.ones(4))
    assert type(scipy.fft.fft(np.ones(4))) is np.ndarray


def test_coercing_shares_memory_only_where_scipy_would():
    x = data((8,), "complex128")
    before = x.copy()
    with scipy.fft.set_backend(BACKEND, coerce=True):
        scipy.fft.fft(x)
    np.testing.assert_array_equal(x, before)


@pytest.mark.parametrize("name", NAMES)
def test_a_kernel_that_raises_is_called_once(name, monkeypatch):
    seen = []

    def failing(*args, **kwargs):
        seen.append(name)
        raise RuntimeError("broken kernel")

    monkeypatch.setitem(host_fft._found, name, failing)
    with pytest.raises(RuntimeError, match="broken kernel"):
        getattr(scipy.fft, name)(xp.ones((4, 4)), *minimal(name))
    assert seen == [name]


@pytest.mark.parametrize("name", NAMES)
def test_without_scipys_inner_modules_the_front_door_is_used(name, monkeypatch):
    monkeypatch.setattr(host_fft, "_found", {})
    for module in ("_basic_backend", "_realtransforms_backend", "_fftlog_backend"):
        monkeypatch.delattr(scipy.fft, module)
    x = data((4, 6))
    expected = getattr(scipy.fft, name)(x, *minimal(name))
    for context in (contextlib.nullcontext(), scipy.fft.set_backend(BACKEND, coerce=True)):
        with context:
            found = getattr(scipy.fft, name)(xp.asarray(x), *minimal(name))
        np.testing.assert_array_equal(host(found), expected)


def test_functions_of_a_later_scipy_are_left_to_it():
    def czt(x):
        pass

    assert BACKEND.__ua_function__(czt, (xp.ones(4),), {}) is NotImplemented


def test_plans_are_refused_as_by_scipy():
    with pytest.raises(NotImplementedError, match="plan"):
        scipy.fft.fft(xp.ones(4), plan=object())
    with pytest.raises(NotImplementedError, match="plan"):
        BACKEND.rfftn(xp.ones((4, 4)), plan=object())


def test_errors_are_scipys():
    for call in (
        lambda x: scipy.fft.fft(x, n=0), lambda x: scipy.fft.fft(x, norm="none"), lambda x: scipy.fft.fft(x, workers=0),
        lambda x: scipy.fft.fftn(x, axes=(0, 0)), lambda x: scipy.fft.dct(x, type=5),
    ):  # fmt: skip
        with pytest.raises(Exception) as scipys:  # noqa: PT011  # whatever it is
            call(np.ones((4, 4)))
        with pytest.raises(scipys.type):
            call(xp.ones((4, 4)))
    with pytest.raises(ValueError, match="data points"):
        scipy.fft.irfft(xp.ones(4), n=0)


def test_operands_survive_unless_they_may_be_overwritten():
    x = data((64, 64), "complex128")
    ours = xp.asarray(x.copy())
    scipy.fft.fft2(ours)
    np.testing.assert_array_equal(host(ours), x)
    expected = scipy.fft.fft2(x, overwrite_x=True)
    np.testing.assert_array_equal(host(scipy.fft.fft2(ours, overwrite_x=True)), expected)
    np.testing.assert_array_equal(host(ours), x)  # whatever SciPy leaves there


def test_every_thread_has_the_backend():
    x = xp.asarray(data((64,)))
    expected = host(scipy.fft.fft(x)).tobytes()
    found = []

    def work():
        for _ in range(50):
            y = scipy.fft.fft(x)
            found.append(type(y) is xp.Array and host(y).tobytes() == expected)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 400
    assert all(found)


# Threads for large transforms


@pytest.fixture
def asked(monkeypatch):
    """The numbers of workers that reach SciPy, on a machine with 6 CPUs for this process."""
    seen = []
    monkeypatch.setattr(host_fft, "_found", {name: lambda x, *args, **kwargs: (seen.append(args), x)[1] for name in TRANSFORMS})
    monkeypatch.setattr(workers, "available_cpus", lambda: 6)
    monkeypatch.setattr(workers, "THRESHOLD", 100)
    return seen


def in_new_thread(function):
    """Run it where nobody has called set_workers."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results[0]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in HANKEL])
def test_large_transforms_use_all_cpus_unless_the_user_said_otherwise(name, asked):
    place = 5 if name in REAL_ONE + REAL_SEVERAL else 4
    small, large = xp.ones((9, 9)), xp.ones((10, 10))
    function = getattr(scipy.fft, name)

    def run():
        function(small)
        function(large)
        function(large, workers=3)
        with scipy.fft.set_workers(1):
            function(large)
            function(large, workers=2)
        with BACKEND.set_workers(4):
            function(large)
            assert BACKEND.get_workers() == 4
        function(large)  # SciPy has set this thread back to one worker, and that stands

    in_new_thread(run)
    assert [args[place] for args in asked] == [None, 6, 3, None, 2, None, None]


def test_workers_none_is_what_set_workers_said():
    """None is what large transforms pass on inside of set_workers: SciPy must then take the number that was set."""
    x = xp.ones((512, 512))
    assert x.size >= workers.THRESHOLD
    with scipy.fft.set_workers(2):
        assert workers.default_workers(np.ones((512, 512)), None, -1) is None
        expected = scipy.fft.fft(np.ones((512, 512)))
        assert host(scipy.fft.fft(x)).tobytes() == expected.tobytes()


def test_without_scipys_settings_a_number_other_than_one_is_the_users(monkeypatch):
    def get_workers():
        return 1

    monkeypatch.setattr(scipy.fft, "get_workers", get_workers)  # whose globals are this module's
    assert not workers._chosen_by_user()
    monkeypatch.setattr(scipy.fft, "get_workers", lambda: 2)
    assert workers._chosen_by_user()
